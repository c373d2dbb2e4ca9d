// The signed distance of two geoms, and the shortest segment between their surfaces.
#pragma once

#include "torsor/math/vec3.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

struct GeomDistance {
  double distance = 0;                          // m, negative: penetration
  Vec3<double> from_W{0, 0, 0}, to_W{0, 0, 0};  // on the first and on the second surface; both zero if not found
  bool found = false;                           // nearer than the limit
};

// `limit` is the distance that is returned when the geoms are further apart. Planes and height fields never meet each
// other. Throws Error for pairs of types that have no function. Reads geom_xpos and geom_xmat.
GeomDistance geom_distance(const Model& model, const Data& data, int geom1, int geom2, double limit);

}  // namespace torsor
