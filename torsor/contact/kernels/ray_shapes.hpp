// Rays against shapes in closed form. The surface of a shape is a union of patches of simple surfaces; the hit is the
// nearest point that lies on its patch.
#pragma once

#include <cmath>

#include "torsor/contact/ray.hpp"

namespace torsor::ray_shapes {

using Vec = Vec3<double>;

// Keeps the nearest of the points offered to it.
struct NearestHit {
  const Ray& ray;
  RayHit hit{};

  TORSOR_HD Vec at(double x) const { return ray.origin + ray.direction * x; }
  TORSOR_HD bool improves(double x) const { return x >= 0 && (!hit.found() || x < hit.distance); }
  TORSOR_HD void offer(double x, const Vec& normal) {
    if (improves(x)) hit.distance = x, hit.normal = normal;
  }
};

// Real roots of a x^2 + 2 b x + c, ascending; none where a or the discriminant vanishes.
struct Roots {
  int count = 0;
  double x[2];

  TORSOR_HD Roots(double a, double b, double c) {
    const double discriminant = b * b - a * c;
    if (discriminant < kMinValue || std::fabs(a) < kMinValue) return;
    const double root = std::sqrt(discriminant);
    count = 2;
    x[0] = (-b - root) / a, x[1] = (-b + root) / a;
    if (x[0] > x[1]) {
      const double larger = x[0];
      x[0] = x[1], x[1] = larger;
    }
  }
};

// Hit from above only; a size that is not positive means infinite.
TORSOR_HD inline RayHit plane(const double* size, const Ray& ray) {
  if (ray.direction.z > -kMinValue) return {};
  const double x = -ray.origin.z / ray.direction.z;
  const Vec p = ray.origin + ray.direction * x;
  const bool inside = (size[0] <= 0 || std::fabs(p.x) <= size[0]) && (size[1] <= 0 || std::fabs(p.y) <= size[1]);
  return x >= 0 && inside ? RayHit{x, -1, {0, 0, 1}} : RayHit{};
}

// The part of a sphere about `center` with z between `low` and `high`, both from the centre.
TORSOR_HD inline void offer_sphere(NearestHit& nearest, const Vec& center, double radius, double low, double high) {
  const Vec from_center = nearest.ray.origin - center, d = nearest.ray.direction;
  const Roots roots(norm2(d), dot(d, from_center), norm2(from_center) - radius * radius);
  for (int i = 0; i < roots.count; ++i) {
    const Vec p = from_center + d * roots.x[i];
    if (p.z >= low && p.z <= high && nearest.improves(roots.x[i])) nearest.offer(roots.x[i], normalized(p));
  }
}

TORSOR_HD inline void offer_tube(NearestHit& nearest, double radius, double half) {
  const Vec p = nearest.ray.origin, d = nearest.ray.direction;
  const Roots roots(d.x * d.x + d.y * d.y, d.x * p.x + d.y * p.y, p.x * p.x + p.y * p.y - radius * radius);
  for (int i = 0; i < roots.count; ++i) {
    const Vec q = nearest.at(roots.x[i]);
    if (std::fabs(q.z) <= half && nearest.improves(roots.x[i])) nearest.offer(roots.x[i], normalized(Vec{q.x, q.y, 0}));
  }
}

// At height z, facing along `side`.
TORSOR_HD inline void offer_disc(NearestHit& nearest, double radius, double z, double side) {
  const Vec d = nearest.ray.direction;
  if (std::fabs(d.z) < kMinValue) return;
  const double x = (z - nearest.ray.origin.z) / d.z;
  const Vec q = nearest.at(x);
  if (q.x * q.x + q.y * q.y <= radius * radius) nearest.offer(x, {0, 0, side});
}

TORSOR_HD inline void offer_box(NearestHit& nearest, const double* size) {
  for (int axis = 0; axis < 3; ++axis) {
    const double d = nearest.ray.direction[axis];
    if (std::fabs(d) < kMinValue) continue;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int k = 0; k < 2; ++k) {
      const double side = k == 0 ? -1.0 : 1.0;
      const double x = (side * size[axis] - nearest.ray.origin[axis]) / d;
      const Vec q = nearest.at(x);
      if (std::fabs(q[u]) > size[u] || std::fabs(q[v]) > size[v]) continue;
      Vec normal{0, 0, 0};
      normal[axis] = side;
      nearest.offer(x, normal);
    }
  }
}

// A sphere of radius 1 in coordinates that are scaled by the radii; the normal is the gradient.
TORSOR_HD inline void offer_ellipsoid(NearestHit& nearest, const double* size) {
  const Vec scale{1 / size[0], 1 / size[1], 1 / size[2]};
  const Vec p = hadamard(nearest.ray.origin, scale), d = hadamard(nearest.ray.direction, scale);
  const Roots roots(norm2(d), dot(d, p), norm2(p) - 1);
  for (int i = 0; i < roots.count; ++i) nearest.offer(roots.x[i], normalized(hadamard(p + d * roots.x[i], scale)));
}

// The side of a cone with its base at -half and its apex at +half: x^2 + y^2 = (slope (half - z))^2.
TORSOR_HD inline void offer_mantle(NearestHit& nearest, double radius, double half) {
  const double slope = 0.5 * radius / half, slope2 = slope * slope;
  const Vec p = nearest.ray.origin, d = nearest.ray.direction;
  const double below = half - p.z;  // under the apex
  const Roots roots(d.x * d.x + d.y * d.y - slope2 * d.z * d.z, d.x * p.x + d.y * p.y + slope2 * below * d.z,
                    p.x * p.x + p.y * p.y - slope2 * below * below);
  for (int i = 0; i < roots.count; ++i) {
    const Vec q = nearest.at(roots.x[i]);
    if (std::fabs(q.z) > half) continue;
    nearest.offer(roots.x[i], normalized(Vec{q.x, q.y, slope * std::sqrt(q.x * q.x + q.y * q.y)}));
  }
}

// As cast_ray_at_shape().
TORSOR_HD inline RayHit cast(GeomType type, const double* size, const Ray& ray_G) {
  NearestHit nearest{ray_G};
  switch (type) {
    case GeomType::kPlane:
      return plane(size, ray_G);
    case GeomType::kSphere:
      offer_sphere(nearest, {0, 0, 0}, size[0], -INFINITY, INFINITY);
      break;
    case GeomType::kCapsule:
      offer_tube(nearest, size[0], size[1]);
      offer_sphere(nearest, {0, 0, size[1]}, size[0], 0, INFINITY);
      offer_sphere(nearest, {0, 0, -size[1]}, size[0], -INFINITY, 0);
      break;
    case GeomType::kEllipsoid:
      offer_ellipsoid(nearest, size);
      break;
    case GeomType::kCylinder:
      offer_tube(nearest, size[0], size[1]);
      offer_disc(nearest, size[0], size[1], 1);
      offer_disc(nearest, size[0], -size[1], -1);
      break;
    case GeomType::kBox:
      offer_box(nearest, size);
      break;
    case GeomType::kCone:
      offer_mantle(nearest, size[0], size[1]);
      offer_disc(nearest, size[0], -size[1], -1);
      break;
    default:
      break;
  }
  return nearest.hit;
}

}  // namespace torsor::ray_shapes
