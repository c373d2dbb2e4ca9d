// Rays against all geoms that a filter lets through.
#include "torsor/contact/ray.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

bool is_transparent(const Model& model, int geom) {
  const int material = model.geom_matid[geom];
  return (material < 0 ? model.geom_rgba[4 * geom + 3] : model.mat_rgba[4 * material + 3]) == 0;
}

bool is_seen(const Model& model, const RayFilter& filter, int geom) {
  const int body = model.geom_bodyid[geom];
  if (body == filter.excluded_body || (!filter.with_static && model.body_weldid[body] == 0)) return false;
  if (filter.groups && !filter.groups[std::clamp(model.geom_group[geom], 0, RayFilter::kGroups - 1)]) return false;
  return !is_transparent(model, geom);
}

// Whether the ray meets the bounding sphere, and within the cutoff. A plane has no sphere and no cutoff, as in MuJoCo.
bool may_hit(const Model& model, const Data& data, const Ray& ray_W, double cutoff, int geom) {
  const double radius = model.geom_rbound[geom];
  if (!(radius > 0)) return true;
  const Vec to_geom = load3(data.geom_xpos.row(geom, 3)) - ray_W.origin;
  const double reach = cutoff + radius, distance2 = norm2(to_geom), along = dot(to_geom, ray_W.direction);
  if (distance2 > reach * reach) return false;
  if (distance2 <= radius * radius) return true;
  const double aside2 = distance2 - along * along / norm2(ray_W.direction);
  return along >= 0 && aside2 <= radius * radius * (1 + 1e-9);
}

}  // namespace

RayHit cast_ray_at_geom(const Model& model, const Data& data, const Ray& ray_W, int geom) {
  const Mat3<double> R_WG = load9(data.geom_xmat.row(geom, 9));
  const Vec p_WoGo_W = load3(data.geom_xpos.row(geom, 3));
  const Ray ray_G{transposed_mul(R_WG, ray_W.origin - p_WoGo_W), transposed_mul(R_WG, ray_W.direction)};
  const auto type = static_cast<GeomType>(model.geom_type[geom]);
  RayHit hit = type == GeomType::kMesh     ? cast_ray_at_mesh(model, model.geom_dataid[geom], ray_G)
               : type == GeomType::kHfield ? cast_ray_at_field(model, model.geom_dataid[geom], ray_G)
                                           : cast_ray_at_shape(type, model.geom_size.row(geom, 3), ray_G);
  if (!hit.found()) return {};
  return {hit.distance, geom, R_WG * hit.normal};
}

RayHit cast_ray(const Model& model, const Data& data, const Ray& ray_W, const RayFilter& filter) {
  if (!(norm2(ray_W.direction) >= kMinValue * kMinValue)) throw Error("the direction of a ray must not be zero");
  RayHit nearest;
  for (int geom = 0; geom < model.ngeom; ++geom) {
    if (!is_seen(model, filter, geom) || !may_hit(model, data, ray_W, filter.cutoff, geom)) continue;
    const RayHit hit = cast_ray_at_geom(model, data, ray_W, geom);
    if (hit.found() && (!nearest.found() || hit.distance < nearest.distance)) nearest = hit;
  }
  return nearest;
}

}  // namespace torsor
