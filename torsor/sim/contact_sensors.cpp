// Sensors of contacts and limits, read from the solution of the rows.
#include "torsor/sim/contact_sensors.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/contact/ray.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/model/sensor_form.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

Vec in_site(const Data& data, int site, const Vec& v_W) {
  return transposed_mul(load9(data.site_xmat.row(site, 9)), v_W);
}

Vec place_in_site(const Data& data, int site, const Vec& p_WoP_W) {
  return in_site(data, site, p_WoP_W - load3(data.site_xpos.row(site, 3)));
}

bool is_in_subtree(const Model& model, int body, int root) {
  while (body > root) body = model.body_parentid[body];
  return body == root;
}

// Whether one side of a contact matches the object of a sensor; kBody is a body, kXBody the subtree of one.
bool names_geom(const Model& model, ObjectType type, int object, int geom) {
  const int body = model.geom_bodyid[geom];
  switch (type) {
    case ObjectType::kGeom:
      return geom == object;
    case ObjectType::kBody:
      return body == object;
    case ObjectType::kXBody:
      return is_in_subtree(model, body, object);
    default:
      return true;  // any
  }
}

// 1: the contact matches, -1: it matches with its sides swapped, 0: it does not match.
int match(const Model& model, const Data& data, int id, const Contact& contact) {
  const auto type1 = static_cast<ObjectType>(model.sensor_objtype[id]);
  const auto type2 = static_cast<ObjectType>(model.sensor_reftype[id]);
  const int object1 = model.sensor_objid[id], object2 = model.sensor_refid[id];
  if (type1 == ObjectType::kSite) {
    const auto shape = static_cast<GeomType>(model.site_type[object1]);
    if (!is_inside_shape(shape, model.site_size.row(object1, 3), place_in_site(data, object1, load3(contact.pos))))
      return 0;
  }
  const auto fits = [&](int geom1, int geom2) {
    return names_geom(model, type1, object1, geom1) && names_geom(model, type2, object2, geom2);
  };
  return fits(contact.geom[0], contact.geom[1]) ? 1 : fits(contact.geom[1], contact.geom[0]) ? -1 : 0;
}

// One reading: a contact as seen from its first side, in the contact's frame or in W.
struct Reading {
  double found = 0, dist = 0;
  Vec force{0, 0, 0}, torque{0, 0, 0}, pos{0, 0, 0}, normal{0, 0, 0}, tangent{0, 0, 0};
};

struct Match {
  int contact, sign;
  double key;  // the smaller the earlier
};

// Swapping the sides turns the frame about its second tangent, and the force is the reaction.
Reading read_contact(const Model& model, const Data& data, const Match& match) {
  const Contact& contact = data.contact[match.contact];
  double F_C[6];
  contact_force(model, data, match.contact, F_C);
  const double sign = match.sign;
  Reading reading;
  reading.dist = contact.dist;
  reading.force = {F_C[0], F_C[1], sign * F_C[2]};
  reading.torque = {F_C[3], F_C[4], sign * F_C[5]};
  reading.pos = load3(contact.pos);
  reading.normal = load3(contact.frame) * sign;
  reading.tangent = load3(contact.frame + 3) * sign;
  return reading;
}

// All contacts as one wrench in W at the mean of their places, weighted by force.
Reading read_net_force(const Model& model, const Data& data, const Match* matches, int count) {
  Reading net;
  double weights = 0;
  for (int i = 0; i < count; ++i) {
    double F_C[6];
    contact_force(model, data, matches[i].contact, F_C);
    const double weight = norm(load3(F_C));
    net.pos += load3(data.contact[matches[i].contact].pos) * weight;
    weights += weight;
  }
  if (weights > 0) net.pos = net.pos / weights;
  for (int i = 0; i < count; ++i) {
    const Contact& contact = data.contact[matches[i].contact];
    double F_C[6];
    contact_force(model, data, matches[i].contact, F_C);
    const Mat3<double> R_CW = load9(contact.frame);
    const Vec f_W = transposed_mul(R_CW, load3(F_C)) * matches[i].sign;
    const Vec t_W = transposed_mul(R_CW, load3(F_C + 3)) * matches[i].sign;
    net.force += f_W;
    net.torque += t_W + cross(load3(contact.pos) - net.pos, f_W);
  }
  net.normal = {1, 0, 0}, net.tangent = {0, 1, 0};
  return net;
}

double* write(const Reading& reading, int data_bits, double* out) {
  const auto number = [&](ContactData bit, double value) {
    if (data_bits & bit) *out++ = value;
  };
  const auto vector = [&](ContactData bit, const Vec& value) {
    if (!(data_bits & bit)) return;
    store3(out, value);
    out += 3;
  };
  number(kContactFound, reading.found);
  vector(kContactForce, reading.force);
  vector(kContactTorque, reading.torque);
  number(kContactDist, reading.dist);
  vector(kContactPos, reading.pos);
  vector(kContactNormal, reading.normal);
  vector(kContactTangent, reading.tangent);
  return out;
}

double sorting_key(const Model& model, const Data& data, ContactReduce reduce, int c) {
  if (reduce == ContactReduce::kMinDist) return data.contact[c].dist;
  if (reduce != ContactReduce::kMaxForce) return 0;
  double F_C[6];
  contact_force(model, data, c, F_C);
  return -norm2(load3(F_C));
}

// Stable, in place.
void sort(Match* matches, int count) {
  for (int i = 1; i < count; ++i) {
    for (int k = i; k > 0 && matches[k].key < matches[k - 1].key; --k) std::swap(matches[k], matches[k - 1]);
  }
}

}  // namespace

bool is_inside_shape(GeomType shape, const double* size, const Vec3<double>& p) {
  const auto within = [&](double x, int k) { return std::fabs(x) <= size[k]; };
  const double radial = p.x * p.x + p.y * p.y;
  switch (shape) {
    case GeomType::kSphere:
      return radial + p.z * p.z <= size[0] * size[0];
    case GeomType::kCapsule: {
      const double beyond = std::max(0.0, std::fabs(p.z) - size[1]);
      return radial + beyond * beyond <= size[0] * size[0];
    }
    case GeomType::kEllipsoid: {
      const Vec q{p.x / size[0], p.y / size[1], p.z / size[2]};
      return dot(q, q) <= 1;
    }
    case GeomType::kCylinder:
      return radial <= size[0] * size[0] && within(p.z, 1);
    case GeomType::kBox:
      return within(p.x, 0) && within(p.y, 1) && within(p.z, 2);
    default:
      return false;
  }
}

double read_touch(const Model& model, const Data& data, int id) {
  const int site = model.sensor_objid[id], body = model.site_bodyid[site];
  const auto shape = static_cast<GeomType>(model.site_type[site]);
  double sum = 0;
  for (int c = 0; c < data.ncon; ++c) {
    const Contact& contact = data.contact[c];
    const bool is_first = model.geom_bodyid[contact.geom[0]] == body;
    if (contact.efc_address < 0 || (!is_first && model.geom_bodyid[contact.geom[1]] != body)) continue;
    double F_C[6];
    contact_force(model, data, c, F_C);
    if (!(F_C[0] > 0)) continue;
    const Vec outward_W = load3(contact.frame) * (is_first ? 1.0 : -1.0);
    const Ray ray_S{place_in_site(data, site, load3(contact.pos)), in_site(data, site, outward_W)};
    if (cast_ray_at_shape(shape, model.site_size.row(site, 3), ray_S).found()) sum += F_C[0];
  }
  return sum;
}

void read_contacts(const Model& model, Data& data, int id, double* reading) {
  const int bits = model.sensor_intprm[3 * id], size = reading_size(SensorType::kContact, bits);
  const auto reduce = static_cast<ContactReduce>(model.sensor_intprm[3 * id + 1]);
  const int room = model.sensor_dim[id] / size;
  std::fill_n(reading, model.sensor_dim[id], 0.0);
  ArenaScope scope(data.arena());
  Match* matches = data.arena().push_array<Match>(static_cast<size_t>(data.ncon));
  int count = 0;
  for (int c = 0; matches && c < data.ncon; ++c) {
    const int sign = match(model, data, id, data.contact[c]);
    if (sign != 0) matches[count++] = {c, sign, sorting_key(model, data, reduce, c)};
  }
  if (reduce == ContactReduce::kNetForce) {
    Reading net = read_net_force(model, data, matches, count);
    net.found = count;
    write(net, bits, reading);
    return;
  }
  sort(matches, count);
  for (int i = 0; i < std::min(count, room); ++i) {
    Reading one = read_contact(model, data, matches[i]);
    one.found = count;
    reading = write(one, bits, reading);
  }
}

int find_limit_row(const Model& model, const Data& data, int id) {
  const auto type = static_cast<SensorType>(model.sensor_type[id]);
  const bool of_joint =
      type == SensorType::kJointLimitPos || type == SensorType::kJointLimitVel || type == SensorType::kJointLimitFrc;
  const int row_type = static_cast<int>(of_joint ? RowType::kLimitJoint : RowType::kLimitTendon);
  for (int row = data.ne + data.nf; row < data.ne + data.nf + data.nl; ++row) {
    if (data.efc_type[row] == row_type && data.efc_id[row] == model.sensor_objid[id]) return row;
  }
  return -1;
}

}  // namespace torsor
