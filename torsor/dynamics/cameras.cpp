// Poses of cameras and lights, which may follow their body or look at another one.
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// z points away from the target, x is level; a view straight up or down keeps its columns finite.
Mat3<double> look_along(const Vec& z_W) {
  const Vec x_W = normalized(cross(Vec{0, 0, 1}, z_W));
  const Vec y_W = cross(z_W, x_W);
  return {x_W.x, y_W.x, z_W.x, x_W.y, y_W.y, z_W.y, x_W.z, y_W.z, z_W.z};
}

// Where a camera or light is: offsets in the body's frame, or constant offsets in W from the body or its subtree's COM.
Vec tracked_position(const Data& data, TrackingMode mode, int body, const double* pos, const double* pos0,
                     const double* poscom0) {
  if (mode == TrackingMode::kTrack) return load3(data.xpos.row(body, 3)) + load3(pos0);
  if (mode == TrackingMode::kTrackCom) return load3(data.subtree_com.row(body, 3)) + load3(poscom0);
  return load3(data.xpos.row(body, 3)) + load9(data.xmat.row(body, 9)) * load3(pos);
}

bool has_target(TrackingMode mode, int target) {
  return (mode == TrackingMode::kTargetBody || mode == TrackingMode::kTargetBodyCom) && target >= 0;
}

Vec target_position(const Data& data, TrackingMode mode, int target) {
  return load3(mode == TrackingMode::kTargetBody ? data.xpos.row(target, 3) : data.subtree_com.row(target, 3));
}

void place_camera(const Model& model, Data& data, int c) {
  const TrackingMode mode = static_cast<TrackingMode>(model.cam_mode[c]);
  const int body = model.cam_bodyid[c], target = model.cam_targetbodyid[c];
  const Vec p_W = tracked_position(data, mode, body, model.cam_pos.row(c, 3), model.cam_pos0.row(c, 3),
                                   model.cam_poscom0.row(c, 3));
  store3(data.cam_xpos.row(c, 3), p_W);
  if (mode == TrackingMode::kTrack || mode == TrackingMode::kTrackCom)
    store9(data.cam_xmat.row(c, 9), load9(model.cam_mat0.row(c, 9)));
  else if (has_target(mode, target))
    store9(data.cam_xmat.row(c, 9), look_along(normalized(p_W - target_position(data, mode, target))));
  else
    store9(data.cam_xmat.row(c, 9), to_mat(load4(data.xquat.row(body, 4)) * load4(model.cam_quat.row(c, 4))));
}

void place_light(const Model& model, Data& data, int l) {
  const TrackingMode mode = static_cast<TrackingMode>(model.light_mode[l]);
  const int body = model.light_bodyid[l], target = model.light_targetbodyid[l];
  const Vec p_W = tracked_position(data, mode, body, model.light_pos.row(l, 3), model.light_pos0.row(l, 3),
                                   model.light_poscom0.row(l, 3));
  store3(data.light_xpos.row(l, 3), p_W);
  Vec direction_W;
  if (mode == TrackingMode::kTrack || mode == TrackingMode::kTrackCom)
    direction_W = load3(model.light_dir0.row(l, 3));
  else if (has_target(mode, target))
    direction_W = target_position(data, mode, target) - p_W;
  else
    direction_W = load9(data.xmat.row(body, 9)) * load3(model.light_dir.row(l, 3));
  store3(data.light_xdir.row(l, 3), normalized(direction_W));
}

}  // namespace

void compute_cameras_and_lights(const Model& model, Data& data) {
  if (!data.awake.all && data.awake.run_count == 0) return;
  for (int c = 0; c < model.ncam; ++c)
    if (data.awake.all || !is_asleep(data, model.cam_bodyid[c])) place_camera(model, data, c);
  for (int l = 0; l < model.nlight; ++l)
    if (data.awake.all || !is_asleep(data, model.light_bodyid[l])) place_light(model, data, l);
}

}  // namespace torsor
