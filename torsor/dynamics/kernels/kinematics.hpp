// Forward kinematics: poses of bodies, inertial frames, joints, geoms and sites from qpos.
#pragma once

#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// The world is a body at rest at its own origin.
template <class T>
TORSOR_INLINE void place_world(DataView<T>& data) {
  store3(data.xpos.row(0, 3), Vec3<T>::zero());
  store4(data.xquat.row(0, 4), Quat<T>::identity());
  store9(data.xmat.row(0, 9), Mat3<T>::identity());
  store3(data.xipos.row(0, 3), Vec3<T>::zero());
  store9(data.ximat.row(0, 9), Mat3<T>::identity());
}

// A body frame on its way from the parent through the joints.
template <class T>
struct MovingFrame {
  Vec3<T> p_WoBo_W;
  Quat<T> q_WB;
};

// Moves the frame by one ball, slide or hinge joint and records where anchor and axis were before.
template <class T, class R>
TORSOR_INLINE void move_by_joint(const ModelView<R>& model, DataView<T>& data, int j, MovingFrame<T>& frame) {
  const R* pos = model.jnt_pos.row(j, 3);
  const bool at_origin =
      pos[0] == R(0) && pos[1] == R(0) && pos[2] == R(0);  // most joints turn about the body's origin
  const Vec3<T> p_BoJo_B = load3<T>(pos), axis_B = load3<T>(model.jnt_axis.row(j, 3));
  const Vec3<T> axis_W = rotate(frame.q_WB, axis_B);
  const Vec3<T> p_WoJo_W = at_origin ? frame.p_WoBo_W : frame.p_WoBo_W + rotate(frame.q_WB, p_BoJo_B);
  store3(data.xanchor.row(j, 3), p_WoJo_W);
  store3(data.xaxis.row(j, 3), axis_W);
  const int q = model.jnt_qposadr[j];
  const JointType type = static_cast<JointType>(model.jnt_type[j]);
  if (type == JointType::kSlide) {
    frame.p_WoBo_W += axis_W * (data.qpos[q] - T(model.qpos0[q]));
    return;
  }
  const Quat<T> turn_B = type == JointType::kBall ? normalized(load4(data.qpos.row(q, 1)))
                                                  : from_axis_angle(axis_B, data.qpos[q] - T(model.qpos0[q]));
  frame.q_WB = frame.q_WB * turn_B;
  if (!at_origin) frame.p_WoBo_W = p_WoJo_W - rotate(frame.q_WB, p_BoJo_B);  // the anchor stays where it is
}

// The frame of body b in W.
template <class T, class R>
TORSOR_INLINE MovingFrame<T> place_body(const ModelView<R>& model, DataView<T>& data, int b) {
  const int first = model.body_jntadr[b], last = first + model.body_jntnum[b];
  if (last > first && model.jnt_type[first] == static_cast<int>(JointType::kFree)) {
    const T* qpos = data.qpos.row(model.jnt_qposadr[first], 1);
    const MovingFrame<T> frame{load3(qpos), normalized(load4(qpos + 3))};
    store3(data.xanchor.row(first, 3), frame.p_WoBo_W);
    store3(data.xaxis.row(first, 3), load3<T>(model.jnt_axis.row(first, 3)));
    return frame;
  }
  const int mocap = model.body_mocapid[b];
  if (mocap >= 0) return {load3(data.mocap_pos.row(mocap, 3)), normalized(load4(data.mocap_quat.row(mocap, 4)))};
  const int parent = model.body_parentid[b];
  MovingFrame<T> frame{load3<T>(model.body_pos.row(b, 3)), load4<T>(model.body_quat.row(b, 4))};
  if (parent > 0) {
    frame.p_WoBo_W = load3(data.xpos.row(parent, 3)) + load9(data.xmat.row(parent, 9)) * frame.p_WoBo_W;
    frame.q_WB = load4(data.xquat.row(parent, 4)) * frame.q_WB;
  }
  for (int j = first; j < last; ++j) move_by_joint(model, data, j, frame);
  frame.q_WB = renormalized(frame.q_WB);
  return frame;
}

// Where something sits that is attached to body b at (pos, quat): the cheap cases first.
template <class T, class R>
TORSOR_INLINE void place_attached(const DataView<T>& data, int b, SameFrame same, const R* pos, const R* quat, T* xpos,
                                  T* xmat) {
  const T* body_xmat = data.xmat.row(b, 9);
  if (same == SameFrame::kBody) {
    store3(xpos, load3(data.xpos.row(b, 3)));
    store9(xmat, load9(body_xmat));
    return;
  }
  if (same == SameFrame::kInertia) {
    store3(xpos, load3(data.xipos.row(b, 3)));
    store9(xmat, load9(data.ximat.row(b, 9)));
    return;
  }
  const Mat3<T> R_WB = load9(body_xmat);
  store3(xpos, load3(data.xpos.row(b, 3)) + R_WB * load3<T>(pos));
  if (same == SameFrame::kBodyRotation)
    store9(xmat, R_WB);
  else if (same == SameFrame::kInertiaRotation)
    store9(xmat, load9(data.ximat.row(b, 9)));
  else
    store9(xmat, to_mat(load4(data.xquat.row(b, 4)) * load4<T>(quat)));
}

template <class T, class R>
TORSOR_LOCAL void compute_body_poses(const ModelView<R>& model, DataView<T>& data, const Range& range) {
  for (int b = range.body_begin; b < range.body_end; ++b) {
    const MovingFrame<T> frame = place_body(model, data, b);
    store3(data.xpos.row(b, 3), frame.p_WoBo_W);
    store4(data.xquat.row(b, 4), frame.q_WB);
    store9(data.xmat.row(b, 9), to_mat(frame.q_WB));
    place_attached(data, b, static_cast<SameFrame>(model.body_sameframe[b]), model.body_ipos.row(b, 3),
                   model.body_iquat.row(b, 4), data.xipos.row(b, 3), data.ximat.row(b, 9));
  }
}

template <class T, class R>
TORSOR_LOCAL void compute_geom_poses(const ModelView<R>& model, DataView<T>& data) {
  for (int g = 0; g < model.ngeom; ++g)
    place_attached(data, model.geom_bodyid[g], static_cast<SameFrame>(model.geom_sameframe[g]),
                   model.geom_pos.row(g, 3), model.geom_quat.row(g, 4), data.geom_xpos.row(g, 3),
                   data.geom_xmat.row(g, 9));
  for (int s = 0; s < model.nsite; ++s)
    place_attached(data, model.site_bodyid[s], static_cast<SameFrame>(model.site_sameframe[s]),
                   model.site_pos.row(s, 3), model.site_quat.row(s, 4), data.site_xpos.row(s, 3),
                   data.site_xmat.row(s, 9));
}

// Bodies alone, then everything.
template <class T, class R>
TORSOR_INLINE void compute_body_kinematics(const ModelView<R>& model, DataView<T>& data) {
  place_world(data);
  compute_body_poses(model, data, whole(model));
}

template <class T, class R>
TORSOR_LOCAL void compute_kinematics(const ModelView<R>& model, DataView<T>& data) {
  compute_body_kinematics(model, data);
  compute_geom_poses(model, data);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
