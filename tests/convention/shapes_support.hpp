// What each system's documentation says that a shape fills, written once more and without our rows, and random shapes.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "../support/property.hpp"
#include "torsor/convention/shapes.hpp"

namespace torsor {

inline double number(const ShapeParameters& parameters, const char* name) {
  return std::get<double>(parameters.at(name));
}
inline std::vector<double> numbers(const ShapeParameters& parameters, const char* name) {
  return std::get<std::vector<double>>(parameters.at(name));
}
inline char letter(const ShapeParameters& parameters) { return std::get<std::string>(parameters.at("axis"))[0]; }

// Solids about the origin, by full lengths from end to end. `p` has been turned so that the axis is its last element.
inline bool in_box(const Vec3<double>& p, double x, double y, double z) {
  return 2 * std::abs(p.x) <= x && 2 * std::abs(p.y) <= y && 2 * std::abs(p.z) <= z;
}
inline bool in_ellipsoid(const Vec3<double>& p, double a, double b, double c) {
  return p.x * p.x / (a * a) + p.y * p.y / (b * b) + p.z * p.z / (c * c) <= 1;
}
inline bool in_cylinder(const Vec3<double>& p, double radius, double height) {
  return std::hypot(p.x, p.y) <= radius && 2 * std::abs(p.z) <= height;
}
inline bool in_capsule(const Vec3<double>& p, double radius, double height) {
  const double beyond = std::max(0.0, std::abs(p.z) - height / 2);
  return std::hypot(p.x, p.y, beyond) <= radius;
}
inline bool in_cone(const Vec3<double>& p, double radius, double height) {
  const double below_apex = height / 2 - p.z;
  return below_apex >= 0 && below_apex <= height && std::hypot(p.x, p.y) <= radius * below_apex / height;
}

// The coordinate along an axis comes last; a mirror image would do for a shape of revolution.
inline Vec3<double> axis_last(const Vec3<double>& p, char axis) {
  if (axis == 'X') return {p.y, p.z, p.x};
  if (axis == 'Y') return {p.z, p.x, p.y};
  return p;
}

inline bool in_revolved(ShapeKind kind, const Vec3<double>& p, double radius, double height) {
  if (kind == ShapeKind::kCapsule) return in_capsule(p, radius, height);
  if (kind == ShapeKind::kCylinder) return in_cylinder(p, radius, height);
  return in_cone(p, radius, height);
}

inline bool is_revolved(ShapeKind kind) {
  return kind == ShapeKind::kCapsule || kind == ShapeKind::kCylinder || kind == ShapeKind::kCone;
}

inline bool fills_newton(ShapeKind kind, const ShapeParameters& s, const Vec3<double>& p) {
  if (kind == ShapeKind::kSphere) return norm(p) <= number(s, "radius");
  if (kind == ShapeKind::kBox) return in_box(p, 2 * number(s, "hx"), 2 * number(s, "hy"), 2 * number(s, "hz"));
  if (kind == ShapeKind::kEllipsoid) return in_ellipsoid(p, number(s, "rx"), number(s, "ry"), number(s, "rz"));
  if (kind == ShapeKind::kPlane) return p.z <= 0;  // width and length are 0 here
  return in_revolved(kind, p, number(s, "radius"), 2 * number(s, "half_height"));
}

inline bool fills_mujoco(ShapeKind kind, const ShapeParameters& s, const Vec3<double>& p) {
  const std::vector<double> size = numbers(s, "size");
  if (kind == ShapeKind::kSphere) return norm(p) <= size[0];
  if (kind == ShapeKind::kBox) return in_box(p, 2 * size[0], 2 * size[1], 2 * size[2]);
  if (kind == ShapeKind::kEllipsoid) return in_ellipsoid(p, size[0], size[1], size[2]);
  if (kind == ShapeKind::kPlane) return p.z <= 0;
  return in_revolved(kind, p, size[0], 2 * size[1]);
}

inline bool fills_usd_geom(ShapeKind kind, const ShapeParameters& s, const Vec3<double>& p) {
  if (kind == ShapeKind::kSphere) return norm(p) <= number(s, "radius");
  if (kind == ShapeKind::kBox) {
    const std::vector<double> scale = s.contains("scale") ? numbers(s, "scale") : std::vector<double>{1, 1, 1};
    return in_box({p.x / scale[0], p.y / scale[1], p.z / scale[2]}, number(s, "size"), number(s, "size"),
                  number(s, "size"));
  }
  return in_revolved(kind, axis_last(p, letter(s)), number(s, "radius"), number(s, "height"));
}

inline bool fills_usd_physics(ShapeKind kind, const ShapeParameters& s, const Vec3<double>& p) {
  if (kind == ShapeKind::kSphere) return norm(p) <= number(s, "radius");
  if (kind == ShapeKind::kBox) {
    const std::vector<double> half = numbers(s, "halfExtents");
    return std::abs(p.x) <= half[0] && std::abs(p.y) <= half[1] && std::abs(p.z) <= half[2];
  }
  return in_revolved(kind, axis_last(p, letter(s)), number(s, "radius"), 2 * number(s, "halfHeight"));
}

inline bool fills_urdf(ShapeKind kind, const ShapeParameters& s, const Vec3<double>& p) {
  if (kind == ShapeKind::kSphere) return norm(p) <= number(s, "radius");
  if (kind == ShapeKind::kBox) {
    const std::vector<double> size = numbers(s, "size");
    return in_box(p, size[0], size[1], size[2]);
  }
  return in_revolved(kind, p, number(s, "radius"), number(s, "length"));
}

inline bool fills_drake(ShapeKind kind, const ShapeParameters& s, const Vec3<double>& p) {
  if (kind == ShapeKind::kSphere) return norm(p) <= number(s, "radius");
  if (kind == ShapeKind::kBox) return in_box(p, number(s, "width"), number(s, "depth"), number(s, "height"));
  if (kind == ShapeKind::kEllipsoid) return in_ellipsoid(p, number(s, "a"), number(s, "b"), number(s, "c"));
  if (kind == ShapeKind::kPlane) return p.z <= 0;
  return in_revolved(kind, p, number(s, "radius"), number(s, "length"));
}

inline bool fills_physx(ShapeKind kind, const ShapeParameters& s, const Vec3<double>& p) {
  if (kind == ShapeKind::kSphere) return norm(p) <= number(s, "radius");
  if (kind == ShapeKind::kBox) {
    const std::vector<double> half = numbers(s, "halfExtents");
    return in_box(p, 2 * half[0], 2 * half[1], 2 * half[2]);
  }
  if (kind == ShapeKind::kPlane) return p.x <= 0;
  return in_capsule(axis_last(p, 'X'), number(s, "radius"), 2 * number(s, "halfHeight"));
}

// Whether a point, in the frame that the system gives the shape, is in it.
inline bool fills(const std::string& system, ShapeKind kind, const ShapeParameters& s, const Vec3<double>& p) {
  if (system == "newton") return fills_newton(kind, s, p);
  if (system == "mujoco") return fills_mujoco(kind, s, p);
  if (system == "usd.geom") return fills_usd_geom(kind, s, p);
  if (system == "usd.physics") return fills_usd_physics(kind, s, p);
  if (system == "urdf") return fills_urdf(kind, s, p);
  if (system == "drake") return fills_drake(kind, s, p);
  return fills_physx(kind, s, p);
}

inline SizedShape random_shape(Random& random, ShapeKind kind) {
  const auto length = [&] { return random.uniform(0.2, 1); };
  if (kind == ShapeKind::kPlane) return {kind, {0, 0, 0}};
  if (kind == ShapeKind::kSphere) return {kind, {length(), 0, 0}};
  if (is_revolved(kind)) return {kind, {length(), length(), 0}};
  if (kind == ShapeKind::kBox && random.chance(0.2)) {
    const double half = length();
    return {kind, {half, half, half}};
  }
  return {kind, {length(), length(), length()}};
}

inline char random_axis(Random& random) { return "XYZ"[random.integer(0, 2)]; }

// The systems that have a shape.
inline std::vector<std::string> owners(ShapeKind kind) {
  std::vector<std::string> names;
  for (const ShapeRow& row : shape_rows()) {
    if (row.kind == kind && row.availability == Availability::kPresent) names.emplace_back(row.system);
  }
  return names;
}

inline constexpr ShapeKind kAllKinds[] = {ShapeKind::kSphere,   ShapeKind::kBox,  ShapeKind::kCapsule,
                                          ShapeKind::kCylinder, ShapeKind::kCone, ShapeKind::kEllipsoid,
                                          ShapeKind::kPlane,    ShapeKind::kMesh};

}  // namespace torsor
