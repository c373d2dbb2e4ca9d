// Poses and edges of the picture.
#include "torsor/render/camera.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor::render {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

void set_depths(const Model& model, Projection& view) {
  view.near = model.vis.map.znear * model.stat.extent;
  view.far = model.vis.map.zfar * model.stat.extent;
  if (!(view.near > 0) || !(view.far > view.near) || !std::isfinite(view.far))
    throw Error(
        fmt::format("cannot draw: the planes of the view are at {} and {} m; see <map znear zfar> and "
                    "<statistic extent>",
                    view.near, view.far));
}

// fovy is an angle in degrees, or a height in metres.
void set_edges(Projection& view, double fovy, double aspect) {
  view.top = view.is_orthographic ? fovy / 2 : std::tan(fovy * kRadians / 2);
  if (!(view.top > 0) || !std::isfinite(view.top))
    throw Error(fmt::format("cannot draw with a field of view of {}", fovy));
  view.bottom = -view.top;
  view.right = view.top * aspect;
  view.left = -view.right;
}

}  // namespace

FreeCamera default_camera(const Model& model) {
  FreeCamera camera;
  camera.lookat = load3(model.stat.center);
  camera.distance = 1.5 * model.stat.extent;
  camera.azimuth_deg = model.vis.global.azimuth;
  camera.elevation_deg = model.vis.global.elevation;
  camera.is_orthographic = model.vis.global.orthographic != 0;
  return camera;
}

Projection project(const Model& model, const Data& data, const FreeCamera& camera, double aspect) {
  if (camera.trackbody < -1 || camera.trackbody >= model.nbody)
    throw Error(fmt::format("the camera follows body {}; the model has {}", camera.trackbody, model.nbody));
  const double azimuth = camera.azimuth_deg * kRadians, elevation = camera.elevation_deg * kRadians;
  const double ca = std::cos(azimuth), sa = std::sin(azimuth), ce = std::cos(elevation), se = std::sin(elevation);
  const Vec3<double> forward{ca * ce, sa * ce, se}, up{-ca * se, -sa * se, ce};
  const Vec3<double> lookat = camera.trackbody >= 0 ? load3(data.subtree_com.row(camera.trackbody, 3)) : camera.lookat;
  Projection view;
  view.p_WC = lookat - forward * camera.distance;
  view.R_WC = mat_from_cols(cross(forward, up), up, -forward);
  if (!std::isfinite(norm2(view.p_WC)) || !std::isfinite(norm2(forward)))
    throw Error("cannot draw: the position of the camera is not finite");
  view.is_orthographic = camera.is_orthographic;
  set_edges(view, model.vis.global.fovy, aspect);
  set_depths(model, view);
  return view;
}

Projection project(const Model& model, const Data& data, int camera, double aspect) {
  if (camera < 0 || camera >= model.ncam)
    throw Error(fmt::format("there is no camera {}: the model has {}", camera, model.ncam));
  Projection view;
  view.p_WC = load3(data.cam_xpos.row(camera, 3));
  view.R_WC = load9(data.cam_xmat.row(camera, 9));
  if (!std::isfinite(norm2(view.p_WC))) throw Error("cannot draw: the position of the camera is not finite");
  view.is_orthographic = model.cam_projection[camera] == 1;
  const float* sensor = model.cam_sensorsize.row(camera, 2);
  if (view.is_orthographic || !(sensor[0] > 0 && sensor[1] > 0)) {
    set_edges(view, model.cam_fovy[camera], aspect);
  } else {  // a sensor behind a lens: focal lengths and the principal point, in metres
    const float* lens = model.cam_intrinsic.row(camera, 4);
    view.left = -(sensor[0] / 2 - lens[2]) / lens[0];
    view.right = (sensor[0] / 2 + lens[2]) / lens[0];
    view.bottom = -(sensor[1] / 2 + lens[3]) / lens[1];
    view.top = (sensor[1] / 2 - lens[3]) / lens[1];
    if (!(view.right > view.left) || !(view.top > view.bottom) || !std::isfinite(view.right - view.left) ||
        !std::isfinite(view.top - view.bottom))
      throw Error(fmt::format("camera {} has focal lengths of {} and {} m", camera, lens[0], lens[1]));
  }
  set_depths(model, view);
  return view;
}

}  // namespace torsor::render
