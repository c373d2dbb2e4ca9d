// Servos on a circle, and what of the start of a step activations follow.
#pragma once

#include <numbers>

#include "torsor/math/vec3.hpp"
#include "torsor/model/model.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// How much length a full turn is, of a transmission that only turns about an axis in space; 0 for all others.
TORSOR_INLINE double full_turn(const ModelView& model, int a) {
  const double* gear = model.actuator_gear.row(model.actuator_outadr[a], 6);
  const int target = model.actuator_trnid[2 * a];
  switch (static_cast<Transmission>(model.actuator_trntype[a])) {
    case Transmission::kJoint:
    case Transmission::kJointInParent:
      return model.jnt_type[target] == static_cast<int>(JointType::kBall) ? 2 * std::numbers::pi * norm(load3(gear))
                                                                          : 0;
    case Transmission::kSite: {
      const bool only_turns = model.actuator_trnid[2 * a + 1] >= 0 && norm2(load3(gear)) == 0;
      return only_turns ? 2 * std::numbers::pi * norm(load3(gear + 3)) : 0;
    }
    default:
      return 0;
  }
}

TORSOR_INLINE bool is_servo(const ModelView& model, int a) {
  const auto dynamics = static_cast<ActuatorDynamics>(model.actuator_dyntype[a]);
  return static_cast<ActuatorGain>(model.actuator_gaintype[a]) == ActuatorGain::kFixed &&
         static_cast<ActuatorBias>(model.actuator_biastype[a]) == ActuatorBias::kAffine &&
         (dynamics == ActuatorDynamics::kNone || dynamics == ActuatorDynamics::kIntegrator ||
          dynamics == ActuatorDynamics::kFilter || dynamics == ActuatorDynamics::kFilterExact) &&
         model.actuator_biasprm[10 * a + 1] == -model.actuator_gainprm[10 * a];
}

// Which results of the first evaluation a step of Runge-Kutta needs at its end, and leaves, as MuJoCo does: those of
// all actuators, where the activation of some follows them.
struct Followed {
  bool length = false, velocity = false;
};
TORSOR_INLINE Followed followed_by_activations(const ModelView& model) {
  Followed followed;
  for (int a = 0; model.na > 0 && a < model.nactuator; ++a) {
    if (model.actuator_dyntype[a] == static_cast<int>(ActuatorDynamics::kDcMotor)) followed.velocity = true;
    if (model.actuator_actadr[a] >= 0 && is_servo(model, a) && full_turn(model, a) > 0) followed.length = true;
  }
  return followed;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
