// Rays: the nearest surface of a geom that origin + x direction meets, x not negative. Everything in W unless the name
// says otherwise.
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
  Vec3<double> normal{0, 0, 0};  // unit, out of the shape, also where the ray comes from inside

  bool found() const { return distance >= 0; }
};

// Which geoms a ray can see. Never those with alpha 0, of the material or, without one, of the geom.
struct RayFilter {
  static constexpr int kGroups = 6;
  const bool* groups = nullptr;  // kGroups of them, groups beyond count as the last; null: all
  bool with_static = true;       // also what is fixed to the world
  int excluded_body = -1;        // geoms of this body are left out
  double cutoff = INFINITY;      // geoms whose bounding sphere (planes whose origin) is further away are left out; m
};

// The nearest geom. Throws Error for a direction of no length. Reads geom_xpos and geom_xmat.
RayHit cast_ray(const Model& model, const Data& data, const Ray& ray_W, const RayFilter& filter = {});

// One geom, whatever a filter would say.
RayHit cast_ray_at_geom(const Model& model, const Data& data, const Ray& ray_W, int geom);

// A shape at the origin of its own frame G: plane, sphere, capsule, ellipsoid, cylinder, box or cone.
RayHit cast_ray_at_shape(GeomType type, const double* size, const Ray& ray_G);

// Each in a file of its own: triangles of a mesh; base, surface and walls of a height field.
RayHit cast_ray_at_mesh(const Model& model, int mesh, const Ray& ray_G);
RayHit cast_ray_at_field(const Model& model, int field, const Ray& ray_G);

}  // namespace torsor
