// The axes of a model in conversions. Conversions go through our axes (x forward, y left, z up); the numbers of a model
// are in the axes that it is written in, Model::axes.
#pragma once

#include "torsor/convention/convention.hpp"
#include "torsor/convention/rigid.hpp"
#include "torsor/model/model_axes.hpp"

namespace torsor {

// The convention as it applies to a model: the rows of our own models ("mujoco", "mujoco.cvel") get its axes, unless
// brackets give others; rows of other systems stay as they are.
inline Convention for_model(Convention convention, const ModelAxes& axes) {
  if (!convention.has_model_axes) return convention;
  if (convention.row.world.known()) convention.row.world = axes.world;
  if (convention.row.body.known()) convention.row.body = axes.body;
  return convention;
}

// A row whose buffers are in the axes of the model that they belong to, whatever the row itself says.
inline Convention in_axes_of(Convention convention, const ModelAxes& axes) {
  convention.row.world = axes.world, convention.row.body = axes.body;
  return convention;
}

// From a model's axes to ours. Both sets of axes are right-handed, so that angular vectors convert as others do.
inline Pose<double> pose_from_model(const ModelAxes& axes, const Pose<double>& X_WB) {
  return {from_axes(axes.world, X_WB.p), from_axes(axes.world, axes.body, X_WB.q)};
}
// A rotation between two frames that bodies carry, such as a body's principal axes.
inline Quat<double> turn_from_model(const ModelAxes& axes, const Quat<double>& q_BA) {
  return from_axes(axes.body, axes.body, q_BA);
}
inline Twist<double> twist_from_model(const ModelAxes& axes, const Twist<double>& V_W) {
  return {from_axes(axes.world, V_W.w), from_axes(axes.world, V_W.v)};
}
inline Wrench<double> wrench_from_model(const ModelAxes& axes, const Wrench<double>& F_W) {
  return {from_axes(axes.world, F_W.t), from_axes(axes.world, F_W.f)};
}
inline Wrench<double> wrench_to_model(const ModelAxes& axes, const Wrench<double>& F_W) {
  return {to_axes(axes.world, F_W.t), to_axes(axes.world, F_W.f)};
}

}  // namespace torsor
