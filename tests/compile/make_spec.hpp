// Short ways to write a Spec in a test.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/support/property.hpp"
#include "torsor/compile/compile.hpp"

namespace torsor {

inline int add_body(Spec& spec, int parent, Number3 pos = {0, 0, 0}) {
  BodySpec body;
  body.parent = parent;
  body.pos = pos;
  body.name = "body" + std::to_string(spec.bodies.size());
  body.location = {"test.xml", static_cast<int>(spec.bodies.size()), 1};
  spec.bodies.push_back(body);
  return static_cast<int>(spec.bodies.size()) - 1;
}

inline BodySpec& body_of(Spec& spec, int id) { return spec.bodies[static_cast<size_t>(id)]; }

inline JointSpec& add_joint(Spec& spec, int body, JointType type, Number3 axis = {0, 0, 1}) {
  JointSpec& joint = body_of(spec, body).joints.emplace_back();
  joint.type = type;
  joint.axis = axis;
  joint.location = {"test.xml", 100 + body, 3};
  return joint;
}

inline GeomSpec& add_geom(Spec& spec, int body, GeomType type, Number3 size, double mass) {
  GeomSpec& geom = body_of(spec, body).geoms.emplace_back();
  geom.type = type;
  geom.size = size;
  geom.mass = mass;
  geom.location = {"test.xml", 200 + body, 5};
  return geom;
}

inline GeomSpec& add_sphere(Spec& spec, int body, double radius = 0.1, double mass = 1) {
  return add_geom(spec, body, GeomType::kSphere, {radius, 0, 0}, mass);
}

inline void set_inertial(Spec& spec, int body, double mass, Number3 pos, Number3 moments) {
  InertialSpec& inertial = body_of(spec, body).inertial;
  inertial.given = true;
  inertial.mass = mass;
  inertial.pos = pos;
  inertial.diaginertia = moments;
}

// A random tree in which every joint type, static bodies, simple bodies and several trees occur.
inline Spec make_random_tree(Random& random, int bodies) {
  Spec spec;
  for (int n = 0; n < bodies; ++n) {
    const int parent = random.chance(0.3) ? 0 : random.integer(0, n);
    const Vec3<double> p = random.vec3(), axis = random.unit_vec3();
    const Quat<double> q = random.quat();
    const int b = add_body(spec, parent, {p.x, p.y, p.z});
    body_of(spec, b).orientation.quat = {q.w, q.x, q.y, q.z};
    const bool is_centered = random.chance(0.4);  // some of these are simple bodies
    const Vec3<double> com = is_centered ? Vec3<double>::zero() : random.vec3(0.2), moments = random.moments();
    set_inertial(spec, b, random.uniform(0.1, 3), {com.x, com.y, com.z}, {moments.x, moments.y, moments.z});
    const int kind = random.integer(0, parent == 0 ? 5 : 4);
    if (kind == 5) add_joint(spec, b, JointType::kFree);
    if (kind == 4) add_joint(spec, b, JointType::kBall);
    if (kind == 3) add_joint(spec, b, JointType::kSlide, {axis.x, axis.y, axis.z});
    if (kind == 2 || kind == 3) add_joint(spec, b, JointType::kHinge, {axis.x, axis.y, axis.z}).pos = {0.1, 0.2, 0.3};
    if (kind == 1) add_joint(spec, b, JointType::kHinge, {axis.z, axis.x, axis.y}).armature = 0.1;
  }
  return spec;
}

// Expects an error whose text holds all of `parts`.
inline void expect_error(const Spec& spec, const std::vector<std::string>& parts) {
  try {
    compile(spec);
    ADD_FAILURE() << "compiled, but should have failed with: " << testing::PrintToString(parts);
  } catch (const Error& error) {
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << "'" << part << "' is not in:\n"
                                                                         << error.what();
  }
}

}  // namespace torsor
