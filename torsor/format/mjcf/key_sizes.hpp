// The size of an element's part of a keyframe.
#pragma once

#include <bit>
#include <numeric>

#include "torsor/model/actuator_form.hpp"
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
  const auto inputs = static_cast<unsigned>(actuator.ctrlspec);
  if (actuator.gaintype == ActuatorGain::kSo3) return actuator.ctrlspec == kChartQuat ? 4 : 3;
  if (actuator.gaintype == ActuatorGain::kPid) return inputs == 0 ? 2 : std::popcount(inputs);
  if (actuator.gaintype == ActuatorGain::kDcMotor) {
    return inputs == 0 ? 1 : std::popcount(inputs & ~static_cast<unsigned>(kInputNone));
  }
  return 1;
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
