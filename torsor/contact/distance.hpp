// The signed distance between two geoms, and the shortest segment between their surfaces.
#pragma once

#include "torsor/math/vec3.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

struct GeomDistance {
  double distance = 0;                          // m, negative: penetration
  Vec3<double> from_W{0, 0, 0}, to_W{0, 0, 0};  // on the first and on the second surface; both zero if not found
  bool found = false;                           // nearer than the limit
};

// `limit` is returned as the distance if the geoms are further apart. Two planes, two height fields, or one of each,
// never collide. Throws Error for pairs of types without a collision function. Reads geom_xpos and geom_xmat.
GeomDistance geom_distance(const Model& model, const Data& data, int geom1, int geom2, double limit);

}  // namespace torsor
