// Readings of contact and touch sensors from contacts of any source: those of a Data, or of one lane of a pack. A
// source has the contacts 0, 1, ... of one world:
//     int count() const;                                  how many
//     int geom(int c, int side) const;                    the geoms of a contact
//     bool has_rows(int c) const;                         whether it exerts forces
//     double dist(int c) const;
//     Vec3<double> pos(int c) const;
//     Vec3<double> axis(int c, int k) const;              normal and tangents, in W
//     void force(int c, double F_C[6]) const;             force and torque in the frame of the contact
//     Twist<double> velocity(int c) const;                of geom 1's body relative to geom 0's, at the contact, in W;
//                                                         a source without it reads no velocities
//     Vec3<double> site_pos(int site) const; Mat3<double> site_mat(int site) const;
#pragma once

#include <algorithm>

#include "torsor/contact/ray.hpp"
#include "torsor/dynamics/kernels/readings.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/model/sensor_form.hpp"

namespace torsor {

// A contact that a sensor asks for.
struct ContactMatch {
  int contact, sign;  // -1: with its sides swapped
  double key;         // the smaller the earlier
};

template <class Contacts>
class ContactReader {
  using Vec = Vec3<double>;

 public:
  ContactReader(const Model& model, const Contacts& contacts, int id) : model_(model), contacts_(contacts), id_(id) {}

  // Sum of the normal forces of the contacts of the site's body whose outward ray meets the site.
  double touch() const {
    const int site = model_.sensor_objid[id_], body = model_.site_bodyid[site];
    const auto shape = static_cast<GeomType>(model_.site_type[site]);
    double sum = 0;
    for (int c = 0; c < contacts_.count(); ++c) {
      const bool is_first = model_.geom_bodyid[contacts_.geom(c, 0)] == body;
      if (!contacts_.has_rows(c) || (!is_first && model_.geom_bodyid[contacts_.geom(c, 1)] != body)) continue;
      double F_C[6];
      contacts_.force(c, F_C);
      if (!(F_C[0] > 0)) continue;
      const Vec outward_W = contacts_.axis(c, 0) * (is_first ? 1.0 : -1.0);
      const Mat3<double> R_WS = contacts_.site_mat(site);
      const Ray ray_S{place_in_site(site, contacts_.pos(c)), transposed_mul(R_WS, outward_W)};
      if (cast_ray_at_shape(shape, model_.site_size.row(site, 3), ray_S).found()) sum += F_C[0];
    }
    return sum;
  }

  // Contacts between the objects of the sensor, selected and laid out by its parameters; unused places are zero.
  // `matches` has room for all contacts.
  void read(ContactMatch* matches, double* reading) const {
    const int bits = model_.sensor_intprm[3 * id_], size = reading_size(SensorType::kContact, bits);
    const auto reduce = static_cast<ContactReduce>(model_.sensor_intprm[3 * id_ + 1]);
    const int room = model_.sensor_dim[id_] / size;
    std::fill_n(reading, model_.sensor_dim[id_], 0.0);
    int count = 0;
    for (int c = 0; matches && c < contacts_.count(); ++c) {
      const int sign = match(c);
      if (sign != 0) matches[count++] = {c, sign, sorting_key(reduce, c)};
    }
    if (count == 0) return;
    if (reduce == ContactReduce::kNetForce) {
      Reading net = read_net_force(matches, count);
      net.found = count;
      write(net, bits, reading);
      return;
    }
    sort(matches, count);
    for (int i = 0; i < std::min(count, room); ++i) {
      Reading one = read_contact(matches[i], bits);
      one.found = count;
      reading = write(one, bits, reading);
    }
  }

 private:
  // One reading: a contact as seen from its first side, in the contact's frame or in W.
  struct Reading {
    double found = 0, dist = 0;
    Vec force{0, 0, 0}, torque{0, 0, 0}, pos{0, 0, 0}, normal{0, 0, 0}, tangent{0, 0, 0};
    Vec linvel{0, 0, 0}, angvel{0, 0, 0};
  };

  Vec place_in_site(int site, const Vec& p_WoP_W) const {
    return transposed_mul(contacts_.site_mat(site), p_WoP_W - contacts_.site_pos(site));
  }

  bool is_in_subtree(int body, int root) const {
    while (body > root) body = model_.body_parentid[body];
    return body == root;
  }

  // Whether one side of a contact matches the object of a sensor; kBody is a body, kXBody the subtree of one.
  bool names_geom(ObjectType type, int object, int geom) const {
    const int body = model_.geom_bodyid[geom];
    switch (type) {
      case ObjectType::kGeom:
        return geom == object;
      case ObjectType::kBody:
        return body == object;
      case ObjectType::kXBody:
        return is_in_subtree(body, object);
      default:
        return true;  // any
    }
  }

  // 1: the contact matches, -1: it matches with its sides swapped, 0: it does not match.
  int match(int c) const {
    const auto type1 = static_cast<ObjectType>(model_.sensor_objtype[id_]);
    const auto type2 = static_cast<ObjectType>(model_.sensor_reftype[id_]);
    const int object1 = model_.sensor_objid[id_], object2 = model_.sensor_refid[id_];
    if (type1 == ObjectType::kSite) {
      const auto shape = static_cast<GeomType>(model_.site_type[object1]);
      const Vec p_S = place_in_site(object1, contacts_.pos(c));
      if (!is_inside<double>(shape, model_.site_size.row(object1, 3), p_S)) return 0;
    }
    const auto fits = [&](int geom1, int geom2) {
      return names_geom(type1, object1, geom1) && names_geom(type2, object2, geom2);
    };
    const int geom1 = contacts_.geom(c, 0), geom2 = contacts_.geom(c, 1);
    return fits(geom1, geom2) ? 1 : fits(geom2, geom1) ? -1 : 0;
  }

  // Swapping the sides turns the frame about its second tangent, and the force is the reaction; velocities are those of
  // the other side. Forces and velocities are there only if the sensor asks for them.
  Reading read_contact(const ContactMatch& match, int bits) const {
    double F_C[6] = {};
    if (bits & (kContactForce | kContactTorque)) contacts_.force(match.contact, F_C);
    const double sign = match.sign;
    Reading reading;
    if (bits & (kContactLinVel | kContactAngVel)) read_velocity(match, reading);
    reading.dist = contacts_.dist(match.contact);
    reading.force = {F_C[0], F_C[1], sign * F_C[2]};
    reading.torque = {F_C[3], F_C[4], sign * F_C[5]};
    reading.pos = contacts_.pos(match.contact);
    reading.normal = contacts_.axis(match.contact, 0) * sign;
    reading.tangent = contacts_.axis(match.contact, 1) * sign;
    return reading;
  }

  void read_velocity(const ContactMatch& match, Reading& reading) const {
    if constexpr (requires { contacts_.velocity(match.contact); }) {
      const Twist<double> V_W = contacts_.velocity(match.contact);
      const auto in_frame = [&](const Vec& v_W) {
        const auto along = [&](int k) { return dot(contacts_.axis(match.contact, k), v_W); };
        return Vec{along(0), along(1), match.sign * along(2)};
      };
      reading.linvel = in_frame(V_W.v);
      reading.angvel = in_frame(V_W.w);
    }
  }

  Vec in_world(int c, const Vec& v_C) const {
    return contacts_.axis(c, 0) * v_C.x + contacts_.axis(c, 1) * v_C.y + contacts_.axis(c, 2) * v_C.z;
  }

  // All contacts as one wrench in W at the mean of their places, weighted by force.
  Reading read_net_force(const ContactMatch* matches, int count) const {
    Reading net;
    double weights = 0;
    for (int i = 0; i < count; ++i) {
      double F_C[6];
      contacts_.force(matches[i].contact, F_C);
      const double weight = norm(load3(F_C));
      net.pos += contacts_.pos(matches[i].contact) * weight;
      weights += weight;
    }
    if (weights > 0) net.pos = net.pos / weights;
    for (int i = 0; i < count; ++i) {
      const int c = matches[i].contact;
      double F_C[6];
      contacts_.force(c, F_C);
      const Vec f_W = in_world(c, load3(F_C)) * matches[i].sign, t_W = in_world(c, load3(F_C + 3)) * matches[i].sign;
      net.force += f_W;
      net.torque += t_W + cross(contacts_.pos(c) - net.pos, f_W);
    }
    net.normal = {1, 0, 0}, net.tangent = {0, 1, 0};
    return net;
  }

  static double* write(const Reading& reading, int data_bits, double* out) {
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
    vector(kContactLinVel, reading.linvel);
    vector(kContactAngVel, reading.angvel);
    return out;
  }

  double sorting_key(ContactReduce reduce, int c) const {
    if (reduce == ContactReduce::kMinDist) return contacts_.dist(c);
    if (reduce != ContactReduce::kMaxForce) return 0;
    double F_C[6];
    contacts_.force(c, F_C);
    return -norm2(load3(F_C));
  }

  // Stable, in place.
  static void sort(ContactMatch* matches, int count) {
    for (int i = 1; i < count; ++i) {
      for (int k = i; k > 0 && matches[k].key < matches[k - 1].key; --k) std::swap(matches[k], matches[k - 1]);
    }
  }

  const Model& model_;
  const Contacts& contacts_;
  const int id_;
};

}  // namespace torsor
