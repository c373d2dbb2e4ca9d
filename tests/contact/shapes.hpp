// Shapes of random sizes in random poses, and how far a point is from their surfaces.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/property.hpp"
#include "torsor/contact/frame.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/round_pairs.hpp"

namespace torsor {

// A shape that owns its numbers.
struct Body {
  GeomType type;
  std::array<double, 3> size;
  Vec3<double> p;
  Mat3<double> R;

  Shape shape() const { return {type, size.data(), p, R.m}; }
};

inline Body random_body(Random& random, GeomType type, double room) {
  const auto length = [&random] { return std::exp(random.uniform(std::log(0.05), std::log(1.0))); };
  return {type, {length(), length(), length()}, random.vec3(room), random.rotation()};
}

inline Body moved(const Body& body, const Vec3<double>& p, const Mat3<double>& R) {
  return {body.type, body.size, p + R * body.p, R * body.R};
}

inline std::vector<ContactPoint> touch(const Body& a, const Body& b, double margin) {
  ContactPoint points[kMaxFieldPoints];
  const PairFunction function = find_pair_function(a.type, b.type);
  const int count = function ? function(a.shape(), b.shape(), margin, points) : 0;
  return {points, points + count};
}

inline const ContactPoint& deepest(const std::vector<ContactPoint>& points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const ContactPoint& a, const ContactPoint& b) { return a.dist < b.dist; });
}

// Signed distance from a point to a shape, of which only the zero is used: negative inside. Written from the
// definitions of the shapes, not from the pairs.
inline double signed_distance(const Body& body, const Vec3<double>& p_W) {
  const Vec3<double> q = transposed_mul(body.R, p_W - body.p);
  const auto outside = [](double x, double y, double z) {
    return std::hypot(std::max(x, 0.0), std::max(y, 0.0), std::max(z, 0.0)) + std::min(std::max({x, y, z}), 0.0);
  };
  switch (body.type) {
    case GeomType::kPlane:
      return q.z;
    case GeomType::kSphere:
      return norm(q) - body.size[0];
    case GeomType::kCapsule:
      return std::hypot(q.x, q.y, std::max(std::abs(q.z) - body.size[1], 0.0)) - body.size[0];
    case GeomType::kCylinder:
      return outside(std::hypot(q.x, q.y) - body.size[0], std::abs(q.z) - body.size[1], -INFINITY);
    case GeomType::kBox:
      return outside(std::abs(q.x) - body.size[0], std::abs(q.y) - body.size[1], std::abs(q.z) - body.size[2]);
    default:  // ellipsoid: exact only at the surface
      return (std::hypot(q.x / body.size[0], q.y / body.size[1], q.z / body.size[2]) - 1) *
             std::min({body.size[0], body.size[1], body.size[2]});
  }
}

// Some point of a shape; of a plane, a point of the plane itself.
inline Vec3<double> random_point(Random& random, const Body& body) {
  if (body.type == GeomType::kPlane) return body.p + body.R.col(0) * random.uniform(-2, 2);
  for (;;) {
    const Vec3<double> point = body.p + random.vec3(2);
    if (signed_distance(body, point) <= 0) return point;
    const Vec3<double> near = body.p + body.R * hadamard(load3(body.size.data()), random.vec3(1));
    if (signed_distance(body, near) <= 0) return near;
  }
}

struct PairCase {
  GeomType a, b;
  std::string name;
};
inline void PrintTo(const PairCase& pair, std::ostream* out) { *out << pair.name; }

// All pairs with a function of their own.
inline const std::vector<PairCase> kAnalyticPairs = {
    {GeomType::kPlane, GeomType::kSphere, "PlaneSphere"},
    {GeomType::kPlane, GeomType::kCapsule, "PlaneCapsule"},
    {GeomType::kPlane, GeomType::kEllipsoid, "PlaneEllipsoid"},
    {GeomType::kPlane, GeomType::kCylinder, "PlaneCylinder"},
    {GeomType::kPlane, GeomType::kBox, "PlaneBox"},
    {GeomType::kSphere, GeomType::kSphere, "SphereSphere"},
    {GeomType::kSphere, GeomType::kCapsule, "SphereCapsule"},
    {GeomType::kSphere, GeomType::kCylinder, "SphereCylinder"},
    {GeomType::kSphere, GeomType::kBox, "SphereBox"},
    {GeomType::kCapsule, GeomType::kCapsule, "CapsuleCapsule"},
    {GeomType::kCapsule, GeomType::kBox, "CapsuleBox"},
    {GeomType::kBox, GeomType::kBox, "BoxBox"},
};

}  // namespace torsor
