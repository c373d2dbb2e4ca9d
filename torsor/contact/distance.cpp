// Distances from the narrow-phase functions: called with the limit as margin, the deepest point is the distance.
#include "torsor/contact/distance.hpp"

#include <utility>

#include <fmt/format.h>

#include "torsor/contact/collide.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

[[noreturn]] void refuse(GeomType a, GeomType b) {
  throw Error(fmt::format("the distance between geoms of types {} and {} is not supported", static_cast<int>(a),
                          static_cast<int>(b)));
}

}  // namespace

GeomDistance geom_distance(const Model& model, const Data& data, int geom1, int geom2, double limit) {
  const auto type = [&model](int geom) { return static_cast<GeomType>(model.geom_type[geom]); };
  const bool swapped = type(geom1) > type(geom2);
  if (swapped) std::swap(geom1, geom2);
  GeomDistance result;
  result.distance = limit;
  const PairFunction function = find_pair_function(type(geom1), type(geom2));
  if (!function && is_ground(type(geom1)) && is_ground(type(geom2))) return result;
  if (!function) refuse(type(geom1), type(geom2));
  ContactPoint points[kMaxFieldPoints];
  ShapeParts parts1, parts2;
  const Shape a = make_shape(model, data, geom1, parts1), b = make_shape(model, data, geom2, parts2);
  const int count = find_pair_function(a, b)(a, b, limit, points);
  for (int i = 0; i < count; ++i) {
    const ContactPoint& point = points[i];
    if (!(point.dist < result.distance)) continue;
    const Vec3<double> half = point.normal_W * (0.5 * point.dist);
    result = {point.dist, point.pos_W - half, point.pos_W + half, true};
  }
  if (swapped) std::swap(result.from_W, result.to_W);
  return result;
}

}  // namespace torsor
