// Distance sensors: rays of sites and cameras, distances between geoms.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/contact/distance.hpp"
#include "torsor/contact/ray.hpp"
#include "torsor/math/mat3.hpp"
#include "torsor/model/sensor_form.hpp"
#include "torsor/sim/contact_sensors.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// The ray of one pixel, counted by rows from the upper left; a camera looks along its -z axis. With a physical lens,
// the principal point is measured from the image's corner, as MuJoCo does for rays.
Ray pixel_ray(const Model& model, const Data& data, int c, int row, int column) {
  const int *resolution = model.cam_resolution.row(c, 2), place[2] = {column, row};
  const Mat3<double> R_WC = load9(data.cam_xmat.row(c, 9));
  const Vec p_WoCo_W = load3(data.cam_xpos.row(c, 3));
  const float *size = model.cam_sensorsize.row(c, 2), *lens = model.cam_intrinsic.row(c, 4);
  const bool is_orthographic = model.cam_projection[c] == 1, has_lens = size[0] > 0 && size[1] > 0;
  double pixel[2];  // from the image's centre, in units of the depth (of lengths where orthographic)
  for (int k = 0; k < 2; ++k) {
    const double centre = place[k] + 0.5 - 0.5 * resolution[k];
    if (is_orthographic) {
      pixel[k] = centre * model.cam_fovy[c] / resolution[k];  // square, whatever the resolution, as in MuJoCo
    } else if (has_lens) {
      const float focal = lens[k] / size[k] * static_cast<float>(resolution[k]);
      const float principal = lens[2 + k] / size[k] * static_cast<float>(resolution[k]);
      pixel[k] = (place[k] + 0.5 - static_cast<double>(principal)) / static_cast<double>(focal);
    } else {
      pixel[k] = centre * 2 * std::tan(model.cam_fovy[c] * std::numbers::pi / 360) / resolution[1];
    }
  }
  if (is_orthographic) return {p_WoCo_W + R_WC * Vec{pixel[0], -pixel[1], 0}, R_WC * Vec{0, 0, -1}};
  return {p_WoCo_W, R_WC * normalized(Vec{pixel[0], -pixel[1], -1})};
}

// Without a hit: distances are -1, vectors zero, except for the origin.
double* write(const Ray& ray_W, const RayHit& hit, double depth_per_distance, int data_bits, double* out) {
  const auto number = [&](RayData bit, double value) {
    if (data_bits & bit) *out++ = value;
  };
  const auto vector = [&](RayData bit, const Vec& value) {
    if (!(data_bits & bit)) return;
    store3(out, value);
    out += 3;
  };
  const bool found = hit.found();
  number(kRayDist, hit.distance);
  vector(kRayDir, found ? ray_W.direction : Vec{0, 0, 0});
  vector(kRayOrigin, ray_W.origin);
  vector(kRayPoint, found ? ray_W.origin + ray_W.direction * hit.distance : Vec{0, 0, 0});
  vector(kRayNormal, hit.normal);
  number(kRayDepth, found ? hit.distance * depth_per_distance : -1);
  return out;
}

// The geoms of a body, or one geom.
struct GeomRange {
  int first, end;

  GeomRange(const Model& model, int type, int id) : first(id), end(id + 1) {
    if (type == static_cast<int>(ObjectType::kGeom)) return;
    first = model.body_geomadr[id], end = first + model.body_geomnum[id];
  }
};

}  // namespace

void read_rangefinder(const Model& model, const Data& data, int id, double* reading) {
  const int bits = model.sensor_intprm[3 * id], object = model.sensor_objid[id];
  RayFilter filter;
  if (model.sensor_objtype[id] == static_cast<int>(ObjectType::kSite)) {
    filter.excluded_body = model.site_bodyid[object];
    const double* xmat = data.site_xmat.row(object, 9);
    const Ray ray_W{load3(data.site_xpos.row(object, 3)), {xmat[2], xmat[5], xmat[8]}};
    write(ray_W, cast_ray(model, data, ray_W, filter), 1, bits, reading);
    return;
  }
  filter.excluded_body = model.cam_bodyid[object];
  const double* xmat = data.cam_xmat.row(object, 9);
  const Vec forward_W{-xmat[2], -xmat[5], -xmat[8]};
  const int* resolution = model.cam_resolution.row(object, 2);
  for (int row = 0; row < resolution[1]; ++row) {
    for (int column = 0; column < resolution[0]; ++column) {
      const Ray ray_W = pixel_ray(model, data, object, row, column);
      reading = write(ray_W, cast_ray(model, data, ray_W, filter), dot(forward_W, ray_W.direction), bits, reading);
    }
  }
}

void read_distance(const Model& model, const Data& data, int id, double* reading) {
  const GeomRange range1(model, model.sensor_objtype[id], model.sensor_objid[id]);
  const GeomRange range2(model, model.sensor_reftype[id], model.sensor_refid[id]);
  GeomDistance nearest;
  nearest.distance = model.sensor_cutoff[id];
  for (int geom1 = range1.first; geom1 < range1.end; ++geom1) {
    for (int geom2 = range2.first; geom2 < range2.end; ++geom2) {
      if (geom1 == geom2) continue;  // skip the distance of a geom from itself
      const GeomDistance found = geom_distance(model, data, geom1, geom2, model.sensor_cutoff[id]);
      if (found.found && found.distance < nearest.distance) nearest = found;
    }
  }
  switch (static_cast<SensorType>(model.sensor_type[id])) {
    case SensorType::kGeomDistance:
      reading[0] = nearest.distance;
      return;
    case SensorType::kGeomNormal:  // along the segment, which points inwards in penetration
      store3(reading, nearest.found ? normalized(nearest.to_W - nearest.from_W) : Vec{0, 0, 0});
      return;
    default:
      store3(reading, nearest.from_W);
      store3(reading + 3, nearest.to_W);
  }
}

}  // namespace torsor
