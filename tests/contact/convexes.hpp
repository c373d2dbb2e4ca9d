// Convex shapes of all types, hulls included, and how far they reach.
#pragma once

#include <memory>

#include "tests/contact/shapes.hpp"
#include "tests/contact/solids.hpp"

namespace torsor {

struct Convex {
  Body body;
  std::shared_ptr<Solid> solid;  // of meshes

  Shape shape() const {
    Shape shape = body.shape();
    if (solid) shape.hull = solid->view();
    return shape;
  }
  // How far the shape reaches along a unit vector: its own definition, not the routine's.
  double reach(const Vec3<double>& d_W) const {
    const Vec3<double> d = transposed_mul(body.R, d_W);
    const double across = std::hypot(d.x, d.y), *s = body.size.data(), middle = dot(d_W, body.p);
    switch (body.type) {
      case GeomType::kSphere:
        return middle + s[0];
      case GeomType::kCapsule:
        return middle + s[0] + s[1] * std::abs(d.z);
      case GeomType::kEllipsoid:
        return middle + std::hypot(s[0] * d.x, s[1] * d.y, s[2] * d.z);
      case GeomType::kCylinder:
        return middle + s[0] * across + s[1] * std::abs(d.z);
      case GeomType::kBox:
        return middle + s[0] * std::abs(d.x) + s[1] * std::abs(d.y) + s[2] * std::abs(d.z);
      case GeomType::kCone:
        return middle + std::max(s[1] * d.z, s[0] * across - s[1] * d.z);
      default: {
        double furthest = -INFINITY;
        for (int i = 0; i < solid->count(); ++i) furthest = std::max(furthest, dot(d, solid->at(i)));
        return middle + furthest;
      }
    }
  }
};

// The signed distance of two shapes along n: the gap between their shadows.
inline double gap(const Convex& a, const Convex& b, const Vec3<double>& n) { return -b.reach(-n) - a.reach(n); }

inline Convex random_convex(Random& random, GeomType type, double room) {
  Convex result{random_body(random, type, room), nullptr};
  if (type != GeomType::kMesh) return result;
  result.solid = std::make_shared<Solid>(random.chance(0.5) ? Solid::cube() : Solid::globe(7, 5));
  Mat3<double> stretch = diag(load3(result.body.size.data())) * random.rotation();
  result.solid->stretch(stretch);
  return result;
}

}  // namespace torsor
