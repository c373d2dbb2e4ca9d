// Readings of contact and touch sensors from contacts of any source: those of a Data, of one lane of a pack, or of a
// world on a device. A source has the contacts 0, 1, ... of one world:
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

#include "torsor/contact/kernels/ray_shapes.hpp"
#include "torsor/dynamics/kernels/readings.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {

// A contact that a sensor asks for.
struct ContactMatch {
  int contact, sign;  // -1: with its sides swapped
  double key;         // the smaller the earlier; of equal ones, the contact that comes first

  TORSOR_HD bool comes_before(const ContactMatch& other) const {
    return key < other.key || (!(other.key < key) && contact < other.contact);
  }
};

template <class Contacts>
class ContactReader {
  using Vec = Vec3<double>;

 public:
  TORSOR_HD ContactReader(const ModelView& model, const Contacts& contacts, int id)
      : model_(model), contacts_(contacts), id_(id) {}

  // Sum of the normal forces of the contacts of the site's body whose outward ray meets the site.
  TORSOR_HD double touch() const {
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
      if (ray_shapes::cast(shape, model_.site_size.row(site, 3), ray_S).found()) sum += F_C[0];
    }
    return sum;
  }

  // Contacts between the objects of the sensor, selected and laid out by its parameters, in reading[0], reading[1],
  // ...; unused places are zero.
  template <class To>
  TORSOR_HD void read(To reading) const {
    const int bits = model_.sensor_intprm[3 * id_];
    const auto reduce = static_cast<ContactReduce>(model_.sensor_intprm[3 * id_ + 1]);
    for (int i = 0; i < model_.sensor_dim[id_]; ++i) reading[i] = 0.0;
    int count = 0;
    for (int c = 0; c < contacts_.count(); ++c) count += match(c) != 0;
    if (count == 0) return;
    if (reduce == ContactReduce::kNetForce) {
      Reading net = read_net_force();
      net.found = count;
      write(net, bits, reading, 0);
      return;
    }
    ContactMatch found{-1, 0, -INFINITY};
    for (int i = 0, written = 0; i < count; ++i) {
      found = find_next(reduce, found);
      if (found.contact < 0) return;
      Reading one = read_contact(found, bits);
      one.found = count;
      const int size = write(one, bits, reading, written) - written;
      written += size;
      if (written + size > model_.sensor_dim[id_]) return;
    }
  }

 private:
  // One reading: a contact as seen from its first side, in the contact's frame or in W.
  struct Reading {
    double found = 0, dist = 0;
    Vec force{0, 0, 0}, torque{0, 0, 0}, pos{0, 0, 0}, normal{0, 0, 0}, tangent{0, 0, 0};
    Vec linvel{0, 0, 0}, angvel{0, 0, 0};
  };

  TORSOR_HD Vec place_in_site(int site, const Vec& p_WoP_W) const {
    return transposed_mul(contacts_.site_mat(site), p_WoP_W - contacts_.site_pos(site));
  }

  TORSOR_HD bool is_in_subtree(int body, int root) const {
    while (body > root) body = model_.body_parentid[body];
    return body == root;
  }

  // Whether one side of a contact matches the object of a sensor; kBody is a body, kXBody the subtree of one.
  TORSOR_HD bool names_geom(ObjectType type, int object, int geom) const {
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
  TORSOR_HD int match(int c) const {
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
  TORSOR_HD Reading read_contact(const ContactMatch& match, int bits) const {
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

  TORSOR_HD void read_velocity(const ContactMatch& match, Reading& reading) const {
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

  TORSOR_HD Vec in_world(int c, const Vec& v_C) const {
    return contacts_.axis(c, 0) * v_C.x + contacts_.axis(c, 1) * v_C.y + contacts_.axis(c, 2) * v_C.z;
  }

  // All contacts as one wrench in W at the mean of their places, weighted by force.
  TORSOR_HD Reading read_net_force() const {
    Reading net;
    double weights = 0;
    for (int c = 0; c < contacts_.count(); ++c) {
      if (match(c) == 0) continue;
      double F_C[6];
      contacts_.force(c, F_C);
      const double weight = norm(load3(F_C));
      net.pos += contacts_.pos(c) * weight;
      weights += weight;
    }
    if (weights > 0) net.pos = net.pos / weights;
    for (int c = 0; c < contacts_.count(); ++c) {
      const int sign = match(c);
      if (sign == 0) continue;
      double F_C[6];
      contacts_.force(c, F_C);
      const Vec f_W = in_world(c, load3(F_C)) * sign, t_W = in_world(c, load3(F_C + 3)) * sign;
      net.force += f_W;
      net.torque += t_W + cross(contacts_.pos(c) - net.pos, f_W);
    }
    net.normal = {1, 0, 0}, net.tangent = {0, 1, 0};
    return net;
  }

  // From reading[at] on; returns where it ends.
  template <class To>
  static TORSOR_HD int write(const Reading& reading, int data_bits, To out, int at) {
    const auto number = [&](ContactData bit, double value) {
      if (data_bits & bit) out[at++] = value;
    };
    const auto vector = [&](ContactData bit, const Vec& value) {
      for (int k = 0; k < 3; ++k) number(bit, value[k]);
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
    return at;
  }

  TORSOR_HD double sorting_key(ContactReduce reduce, int c) const {
    if (reduce == ContactReduce::kMinDist) return contacts_.dist(c);
    if (reduce != ContactReduce::kMaxForce) return 0;
    double F_C[6];
    contacts_.force(c, F_C);
    return -norm2(load3(F_C));
  }

  // The match that comes after `last`; contact -1: none.
  TORSOR_HD ContactMatch find_next(ContactReduce reduce, const ContactMatch& last) const {
    ContactMatch next{-1, 0, 0};
    for (int c = 0; c < contacts_.count(); ++c) {
      const int sign = match(c);
      if (sign == 0) continue;
      const ContactMatch one{c, sign, sorting_key(reduce, c)};
      if (last.comes_before(one) && (next.contact < 0 || one.comes_before(next))) next = one;
    }
    return next;
  }

  const ModelView& model_;
  const Contacts& contacts_;
  const int id_;
};

}  // namespace torsor
