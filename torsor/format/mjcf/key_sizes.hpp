// The size of an element's part of a keyframe.
#pragma once

#include <numeric>

#include "torsor/model/actuator_form.hpp"
#include "torsor/model/actuator_inputs.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

inline int qpos_size(const JointSpec& joint) {
  return joint.type == JointType::kFree ? 7 : joint.type == JointType::kBall ? 4 : 1;
}
inline int dof_size(const JointSpec& joint) {
  return joint.type == JointType::kFree ? 6 : joint.type == JointType::kBall ? 3 : 1;
}
// As compile() will count them.
inline int ctrl_size(const ActuatorSpec& actuator) {
  const int inputs = actuator.ctrlspec != 0 ? actuator.ctrlspec : standard_inputs(actuator.gaintype);
  return count_controls(inputs, actuator.gaintype);
}
inline int act_size(const ActuatorSpec& actuator) {
  if (actuator.dyntype == ActuatorDynamics::kNone) return 0;
  if (actuator.gaintype == ActuatorGain::kSo3) return 3;
  if (actuator.gaintype == ActuatorGain::kDcMotor) return count_motor_activations(actuator);
  return actuator.actdim >= 0 ? actuator.actdim : 1;
}

inline int sum_over_joints(const BodySpec& body, int (*size)(const JointSpec&)) {
  return std::accumulate(body.joints.begin(), body.joints.end(), 0,
                         [&](int sum, const JointSpec& joint) { return sum + size(joint); });
}

}  // namespace torsor::mjcf
