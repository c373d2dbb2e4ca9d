// Closed formulas for the mass properties and bounds of simple shapes.
#include "torsor/geometry/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace torsor {
namespace {

using std::numbers::pi;

double square(double x) { return x * x; }

MassProperties centered(double mass, const Vec3<double>& moments) { return {mass, Vec3<double>::zero(), moments}; }

// moments of a body of revolution about z
Vec3<double> about_z(double across, double along) { return {across, across, along}; }

// A part of a body of revolution: its mass, its COM along z, and its moments about the COM.
struct Part {
  double mass, z, across, along;
};

MassProperties joined(const Part& a, const Part& b) {
  const double mass = a.mass + b.mass, z = (a.mass * a.z + b.mass * b.z) / mass;
  const double across = a.across + a.mass * square(a.z - z) + b.across + b.mass * square(b.z - z);
  return {mass, {0, 0, z}, about_z(across, a.along + b.along)};
}

// A sphere cut into halves, each at distance `half` from the middle: the COM of a half is `lever` radii from its flat
// side.
Vec3<double> parted_sphere(double mass, double radius, double half, double moment, double lever) {
  return about_z(mass * (moment * square(radius) + square(half) + 2 * lever * half * radius),
                 mass * moment * square(radius));
}

MassProperties solid_capsule(double radius, double half) {
  const double cylinder = pi * square(radius) * 2 * half, sphere = 4 * pi / 3 * radius * square(radius);
  const Vec3<double> caps = parted_sphere(sphere, radius, half, 2.0 / 5, 3.0 / 8);
  const double across = cylinder * (square(radius) / 4 + square(half) / 3);
  return centered(cylinder + sphere, caps + about_z(across, cylinder * square(radius) / 2));
}

MassProperties shell_capsule(double radius, double half) {
  const double tube = 2 * pi * radius * 2 * half, sphere = 4 * pi * square(radius);
  const Vec3<double> caps = parted_sphere(sphere, radius, half, 2.0 / 3, 1.0 / 2);
  const double across = tube * (square(radius) / 2 + square(half) / 3);
  return centered(tube + sphere, caps + about_z(across, tube * square(radius)));
}

// moments of a mass whose mean squares of x, y, z are given
Vec3<double> from_mean_squares(double mass, const Vec3<double>& s) {
  return {mass * (s.y + s.z), mass * (s.x + s.z), mass * (s.x + s.y)};
}

Vec3<double> squares(const Vec3<double>& v) { return hadamard(v, v); }

// The difference of two solid ellipsoids, written without subtracting nearly equal numbers, scaled to the area.
MassProperties shell_ellipsoid(const Vec3<double>& radii) {
  constexpr double kThomsen = 1.6075, kThickness = 1e-6;
  const auto [a, b, c] = radii;
  const double sum = std::pow(a * b, kThomsen) + std::pow(b * c, kThomsen) + std::pow(c * a, kThomsen);
  const double area = 4 * pi * std::pow(sum / 3, 1 / kThomsen);
  const double e = kThickness, volume = a * b * c;
  const double grown_volume = e * (a * b + b * c + c * a + e * (a + b + c) + e * e);
  const Vec3<double> grown_squares = radii * (2 * e) + Vec3<double>{e * e, e * e, e * e};
  const Vec3<double> moments = from_mean_squares(grown_volume / 5, squares(radii) + grown_squares) +
                               from_mean_squares(volume / 5, grown_squares);
  return centered(area, moments * (area / grown_volume));
}

MassProperties shell_cylinder(double radius, double half) {
  const double tube = 2 * pi * radius * 2 * half, caps = 2 * pi * square(radius);
  const double across = tube * (square(radius) / 2 + square(half) / 3) + caps * (square(radius) / 4 + square(half));
  return centered(tube + caps, about_z(across, (tube + caps / 2) * square(radius)));
}

// On the two faces across an axis its square is constant; within the four others its mean is a third of that.
MassProperties shell_box(const Vec3<double>& half) {
  const Vec3<double> pairs{8 * half.y * half.z, 8 * half.x * half.z, 8 * half.x * half.y};
  const double area = pairs.x + pairs.y + pairs.z;
  const Vec3<double> weights = (pairs * 2 + Vec3<double>{area, area, area}) / (3 * area);
  return centered(area, from_mean_squares(area, hadamard(weights, squares(half))));
}

MassProperties solid_cone(double radius, double half) {
  const double mass = pi * square(radius) * 2 * half / 3;
  const Vec3<double> moments = about_z(mass * 3 / 20 * (square(radius) + square(half)), mass * 3 / 10 * square(radius));
  return {mass, {0, 0, -half / 2}, moments};
}

MassProperties shell_cone(double radius, double half) {
  const double side = pi * radius * std::hypot(radius, 2 * half), base = pi * square(radius);
  const double r2 = square(radius);
  const Part mantle{side, -half / 3, side * (r2 / 4 + 2 * square(half) / 9), side * r2 / 2};
  return joined(mantle, {base, -half, base * r2 / 4, base * r2 / 2});
}

}  // namespace

int size_count(GeomType shape) {
  switch (shape) {
    case GeomType::kSphere:
      return 1;
    case GeomType::kCapsule:
    case GeomType::kCylinder:
    case GeomType::kCone:
      return 2;
    case GeomType::kEllipsoid:
    case GeomType::kBox:
      return 3;
    default:
      return 0;
  }
}

MassProperties solid_properties(GeomType shape, const Vec3<double>& size) {
  switch (shape) {
    case GeomType::kSphere: {
      const double mass = 4 * pi / 3 * size.x * square(size.x), moment = mass * 2 / 5 * square(size.x);
      return centered(mass, {moment, moment, moment});
    }
    case GeomType::kCapsule:
      return solid_capsule(size.x, size.y);
    case GeomType::kEllipsoid: {
      const double mass = 4 * pi / 3 * size.x * size.y * size.z;
      return centered(mass, from_mean_squares(mass / 5, squares(size)));
    }
    case GeomType::kCylinder: {
      const double mass = pi * square(size.x) * 2 * size.y;
      return centered(mass, about_z(mass * (square(size.x) / 4 + square(size.y) / 3), mass * square(size.x) / 2));
    }
    case GeomType::kBox: {
      const double mass = 8 * size.x * size.y * size.z;
      return centered(mass, from_mean_squares(mass / 3, squares(size)));
    }
    case GeomType::kCone:
      return solid_cone(size.x, size.y);
    default:
      return centered(0, Vec3<double>::zero());
  }
}

MassProperties shell_properties(GeomType shape, const Vec3<double>& size) {
  switch (shape) {
    case GeomType::kSphere: {
      const double mass = 4 * pi * square(size.x), moment = mass * 2 / 3 * square(size.x);
      return centered(mass, {moment, moment, moment});
    }
    case GeomType::kCapsule:
      return shell_capsule(size.x, size.y);
    case GeomType::kEllipsoid:
      return shell_ellipsoid(size);
    case GeomType::kCylinder:
      return shell_cylinder(size.x, size.y);
    case GeomType::kBox:
      return shell_box(size);
    case GeomType::kCone:
      return shell_cone(size.x, size.y);
    default:
      return centered(0, Vec3<double>::zero());
  }
}

Aabb bounding_box(GeomType shape, const Vec3<double>& size) {
  const Vec3<double> origin = Vec3<double>::zero();
  switch (shape) {
    case GeomType::kPlane:  // the half space below it
      return {{0, 0, -kEndless / 2}, {kEndless, kEndless, kEndless / 2}};
    case GeomType::kSphere:
      return {origin, {size.x, size.x, size.x}};
    case GeomType::kCapsule:
      return {origin, {size.x, size.x, size.x + size.y}};
    case GeomType::kCylinder:
    case GeomType::kCone:
      return {origin, {size.x, size.x, size.y}};
    case GeomType::kEllipsoid:
    case GeomType::kBox:
      return {origin, size};
    default:
      return {origin, origin};
  }
}

double bounding_radius(GeomType shape, const Vec3<double>& size) {
  switch (shape) {
    case GeomType::kSphere:
      return size.x;
    case GeomType::kCapsule:
      return size.x + size.y;
    case GeomType::kEllipsoid:
      return std::max({size.x, size.y, size.z});
    case GeomType::kCylinder:
    case GeomType::kCone:
      return std::sqrt(square(size.x) + square(size.y));
    case GeomType::kBox:
      return norm(size);
    default:
      return 0;
  }
}

}  // namespace torsor
