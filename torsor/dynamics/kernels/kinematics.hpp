// Forward kinematics: poses of bodies, inertial frames, joints, geoms and sites from qpos.
#pragma once

#include "torsor/dynamics/kernels/attached.hpp"
#include "torsor/dynamics/kernels/policy.hpp"
#include "torsor/dynamics/kernels/range.hpp"
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

// The frame of a body, moved from its parent P through the joints. Its rotation is kept in the parent's axes: what
// depends on a body's own joints alone does not wait for the parent, so a chain waits for one product per body.
template <class T>
struct MovingFrame {
  typename PlacedBody<T>::Vector p_WoBo_W;
  Quat<T> q_PB;
  bool is_turned;  // false while q_PB is known to be the identity

  TORSOR_INLINE Vec3<T> rotated(const Vec3<T>& v_B) const { return is_turned ? rotate(q_PB, v_B) : v_B; }
  TORSOR_INLINE void turn(const Quat<T>& turn_B) {
    q_PB = is_turned ? q_PB * turn_B : turn_B;
    is_turned = true;
  }
};

TORSOR_INLINE bool is_zero3(const double* v) { return abs(v[0]) + abs(v[1]) + abs(v[2]) == 0; }

#ifndef __CUDACC__
// Cosine and sine of half the angles of all hinges, four at a time. They wait in the rows of the joints' anchors, which
// are written only when a joint is placed. (For joints of other types the values are unused.)
TORSOR_INLINE void store_half_turns(const ModelView& model, DataView<double>& data, const Range& range) {
  const int last = range.jnt_end - 1;
  for (int j = range.jnt_begin; j <= last; j += 4) {
    Four angle, s, c;
    for (int i = 0; i < 4; ++i) {
      const int q = model.jnt_qposadr[j + i < last ? j + i : last];
      angle.v[i] = data.qpos[q] - model.qpos0[q];
    }
    sincos(angle * Four(0.5), s, c);
    for (int i = 0; i < 4 && j + i <= last; ++i) {
      double* row = data.xanchor.row(j + i, 3);
      row[0] = c.v[i];
      row[1] = s.v[i];
    }
  }
}
#endif

// The rotation of hinge j.
template <class T>
TORSOR_INLINE Quat<T> hinge_turn(const ModelView& model, const DataView<T>& data, int j, const Vec3<T>& axis_B) {
  if constexpr (kTakesFourBodies<T>) {
    const double *half = data.xanchor.row(j, 3), c = half[0], s = half[1];
    return {c, axis_B.x * s, axis_B.y * s, axis_B.z * s};
  } else {
    const int q = model.jnt_qposadr[j];
    return from_axis_angle(axis_B, data.qpos[q] - T(model.qpos0[q]));
  }
}

// Moves the frame by one ball, slide or hinge joint and records where anchor and axis were before.
template <class T>
TORSOR_INLINE void move_by_joint(const ModelView& model, DataView<T>& data, int j, const PlacedBody<T>& parent,
                                 MovingFrame<T>& frame) {
  const double* pos = model.jnt_pos.row(j, 3);
  const bool at_origin = is_zero3(pos);  // most joints turn about the body's origin
  const JointType type = static_cast<JointType>(model.jnt_type[j]);
  const int q = model.jnt_qposadr[j];
  const Vec3<T> p_BoJo_B = load3<T>(pos), axis_B = load3<T>(model.jnt_axis.row(j, 3));
  const auto axis_W = parent.direction(frame.rotated(axis_B));
  const auto p_WoJo_W = at_origin ? frame.p_WoBo_W : frame.p_WoBo_W + parent.direction(frame.rotated(p_BoJo_B));
  if (type == JointType::kSlide) {
    frame.p_WoBo_W = frame.p_WoBo_W + axis_W * (data.qpos[q] - T(model.qpos0[q]));
  } else {
    frame.turn(type == JointType::kBall ? normalized(load4(data.qpos.row(q, 1))) : hinge_turn(model, data, j, axis_B));
    // the anchor stays where it is
    if (!at_origin) frame.p_WoBo_W = p_WoJo_W - parent.direction(frame.rotated(p_BoJo_B));
  }
  store3(data.xanchor.row(j, 3), p_WoJo_W);
  store3(data.xaxis.row(j, 3), axis_W);
}

// A body that floats freely or is moved by the user is where its coordinates say.
template <class T>
TORSOR_INLINE void place_at(DataView<T>& data, int b, ConstPointerTo<T> pos, ConstPointerTo<T> quat) {
  const Quat<T> q_WB = normalized(load4(quat));
  store3(data.xpos.row(b, 3), load3(pos));
  store4(data.xquat.row(b, 4), q_WB);
  store9(data.xmat.row(b, 9), to_mat(q_WB));
}

// Other bodies follow from their parent.
template <class T>
TORSOR_INLINE void place_on_parent(const ModelView& model, DataView<T>& data, int b, int first, int last) {
  const int p = model.body_parentid[b];
  const PlacedBody<T> parent(data.xpos.row(p, 3), data.xmat.row(p, 9));
  const double* quat = model.body_quat.row(b, 4);
  const bool is_turned = quat[0] != 1 || !is_zero3(quat + 1);
  MovingFrame<T> frame{parent.point(load3<T>(model.body_pos.row(b, 3))), load4<T>(quat), is_turned};
  for (int j = first; j < last; ++j) move_by_joint(model, data, j, parent, frame);
  const Quat<T> q_WP = load4(data.xquat.row(p, 4));
  const Quat<T> q_WB = frame.is_turned ? renormalized(q_WP * frame.q_PB) : q_WP;
  store3(data.xpos.row(b, 3), frame.p_WoBo_W);
  store4(data.xquat.row(b, 4), q_WB);
  store9(data.xmat.row(b, 9), to_mat(q_WB));
}

template <class T>
TORSOR_INLINE void place_body(const ModelView& model, DataView<T>& data, int b) {
  const int first = model.body_jntadr[b], last = first + model.body_jntnum[b], mocap = model.body_mocapid[b];
  if (last > first && model.jnt_type[first] == static_cast<int>(JointType::kFree)) {
    const auto qpos = data.qpos.row(model.jnt_qposadr[first], 1);
    place_at(data, b, qpos, qpos + 3);
    store3(data.xanchor.row(first, 3), load3(qpos));
    store3(data.xaxis.row(first, 3), load3<T>(model.jnt_axis.row(first, 3)));
  } else if (mocap >= 0) {
    place_at(data, b, data.mocap_pos.row(mocap, 3), data.mocap_quat.row(mocap, 4));
  } else {
    place_on_parent(model, data, b, first, last);
  }
}

template <class T>
TORSOR_INLINE Attached<T> inertial_frames(const ModelView& model, DataView<T>& data) {
  return {model.body_sameframe.data(), model.body_ipos.data(), model.body_iquat.data(), data.xipos.data(),
          data.ximat.data()};
}

template <class T>
TORSOR_LOCAL void compute_body_poses(const ModelView& model, DataView<T>& data, const Range& range) {
  if constexpr (kTakesFourBodies<T>) store_half_turns(model, data, range);
  const Attached<T> inertial = inertial_frames(model, data);
  for (int b = range.body_begin; b < range.body_end; ++b) {
    place_body(model, data, b);
    if constexpr (!kTakesFourBodies<T>) place_attached(data, inertial, b, b);
  }
  if constexpr (kTakesFourBodies<T>)
    place_all_attached(data, inertial, range.body_begin, range.body_end, [](int b) { return b; });
}

template <class T>
TORSOR_INLINE Attached<T> geom_frames(const ModelView& model, DataView<T>& data) {
  return {model.geom_sameframe.data(), model.geom_pos.data(), model.geom_quat.data(), data.geom_xpos.data(),
          data.geom_xmat.data()};
}
template <class T>
TORSOR_INLINE Attached<T> site_frames(const ModelView& model, DataView<T>& data) {
  return {model.site_sameframe.data(), model.site_pos.data(), model.site_quat.data(), data.site_xpos.data(),
          data.site_xmat.data()};
}

template <class T>
TORSOR_LOCAL void compute_geom_poses(const ModelView& model, DataView<T>& data, const Range& range) {
  place_all_attached(data, geom_frames(model, data), range.geom_begin, range.geom_end,
                     [&](int g) { return model.geom_bodyid[g]; });
  place_all_attached(data, site_frames(model, data), range.site_begin, range.site_end,
                     [&](int s) { return model.site_bodyid[s]; });
}

// Bodies alone, then everything.
template <class T>
TORSOR_INLINE void compute_body_kinematics(const ModelView& model, DataView<T>& data, const Range& range) {
  place_world(data);
  compute_body_poses(model, data, range);
}

template <class T>
TORSOR_LOCAL void compute_kinematics(const ModelView& model, DataView<T>& data, const Range& range) {
  compute_body_kinematics(model, data, range);
  compute_geom_poses(model, data, range);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
