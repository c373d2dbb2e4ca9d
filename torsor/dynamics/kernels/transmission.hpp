// Lengths of actuators and their derivatives by qvel, where they act on joints or tendons: the simple part of
// dynamics/transmission.cpp, which has all kinds.
#pragma once

#include "torsor/math/quat.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class T>
TORSOR_INLINE void compute_joint_transmission(const ModelView& model, DataView<T>& data, int j, int out,
                                              bool in_parent) {
  const auto qpos = data.qpos.row(model.jnt_qposadr[j], 1);
  const double* gear = model.actuator_gear.row(out, 6);
  const auto row = data.actuator_moment.row(model.moment_rowadr[out], 1);
  const JointType type = static_cast<JointType>(model.jnt_type[j]);
  if (type == JointType::kHinge || type == JointType::kSlide) {
    data.actuator_length[out] = qpos[0] * T(gear[0]);
    row[0] = T(gear[0]);
    return;
  }
  const int rotation = type == JointType::kFree ? 3 : 0;
  const Quat<T> q_PB = normalized(load4(qpos + rotation));
  const Vec3<T> axis = load3<T>(gear + rotation);
  data.actuator_length[out] = rotation > 0 ? T(0) : dot(axis, rotation_vector(q_PB));
  if (rotation > 0) store3(row, load3<T>(gear));
  store3(row + rotation, in_parent ? rotate_inverse(q_PB, axis) : axis);
}

template <class T>
TORSOR_INLINE void compute_tendon_transmission(const ModelView& model, DataView<T>& data, int t, int out) {
  const T gear = T(model.actuator_gear[6 * out]);
  data.actuator_length[out] = data.ten_length[t] * gear;
  for (int k = 0; k < model.ten_J_rownnz[t]; ++k)
    data.actuator_moment[model.moment_rowadr[out] + k] = data.ten_J[model.ten_J_rowadr[t] + k] * gear;
}

// All actuators, which must act on joints or tendons.
template <class T>
TORSOR_LOCAL void compute_transmissions(const ModelView& model, DataView<T>& data) {
  for (int a = 0; a < model.nactuator; ++a) {
    const int target = model.actuator_trnid[2 * a], out = model.actuator_outadr[a];
    const auto type = static_cast<Transmission>(model.actuator_trntype[a]);
    if (type == Transmission::kTendon)
      compute_tendon_transmission(model, data, target, out);
    else
      compute_joint_transmission(model, data, target, out, type == Transmission::kJointInParent);
  }
}

template <class T>
TORSOR_INLINE void compute_output_velocity(const ModelView& model, DataView<T>& data, int out, bool is_off) {
  T velocity = T(0);
  for (int k = model.moment_rowadr[out], end = k + model.moment_rownnz[out]; !is_off && k < end; ++k)
    velocity += data.actuator_moment[k] * data.qvel[model.moment_colind[k]];
  data.actuator_velocity[out] = velocity;
}
template <class T>
TORSOR_LOCAL void compute_actuator_velocities(const ModelView& model, DataView<T>& data) {
  const bool is_off = model.opt.disabled(kDisableActuation);
  for (int out = 0; out < model.nout; ++out) compute_output_velocity(model, data, out, is_off);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
