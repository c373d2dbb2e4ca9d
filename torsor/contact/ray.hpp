// Ray casting: the nearest surface of a geom on origin + x direction, x >= 0. Everything is in W unless the name says
// otherwise.
#pragma once

#include <cmath>

#include "torsor/geometry/shapes.hpp"
#include "torsor/math/mat3.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

struct Ray {
  Vec3<double> origin, direction;  // in any axes; direction of any length but zero
};

struct RayHit {
  double distance = -1;  // in lengths of the direction; -1: no hit
  int geom = -1;
  Vec3<double> normal{0, 0, 0};  // unit, out of the shape, even if the ray starts inside

  TORSOR_HD bool found() const { return distance >= 0; }
};

// Which geoms a ray can hit. Never those whose material (or, without one, the geom itself) has alpha 0.
struct RayFilter {
  static constexpr int kGroups = 6;
  const bool* groups = nullptr;  // kGroups flags, higher groups count as the last; null: all
  bool with_static = true;       // also geoms fixed to the world
  int excluded_body = -1;        // geoms of this body are left out
  double cutoff = INFINITY;      // m; leaves out geoms whose bounding sphere is further away
};

// The nearest geom. Throws Error for a direction of zero length. Reads geom_xpos and geom_xmat.
RayHit cast_ray(const Model& model, const Data& data, const Ray& ray_W, const RayFilter& filter = {});

// One geom, without a filter.
RayHit cast_ray_at_geom(const Model& model, const Data& data, const Ray& ray_W, int geom);

// A shape at the origin of its own frame G: plane, sphere, capsule, ellipsoid, cylinder, box or cone.
RayHit cast_ray_at_shape(GeomType type, const double* size, const Ray& ray_G);

// The triangles of a mesh; base, surface and walls of a height field.
RayHit cast_ray_at_mesh(const Model& model, int mesh, const Ray& ray_G);
RayHit cast_ray_at_field(const Model& model, int field, const Ray& ray_G);

}  // namespace torsor
