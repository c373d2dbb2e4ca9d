// Which inputs fit which gain, and how many controls they are: one rule for the compiler and for the check of models.
#pragma once

#include <bit>

#include "torsor/model/types.hpp"

namespace torsor {

// What actuator_ctrlspec may be. With the gains kFixed and kAffine it declares what the one control is, without an
// effect on the simulation; other gains with one control declare nothing.
constexpr bool fits_gain(int inputs, ActuatorGain gain) {
  const auto is_among = [inputs](int allowed) { return inputs > 0 && (inputs & ~allowed) == 0; };
  switch (gain) {
    case ActuatorGain::kSo3:
      return inputs == kChartExpmap || inputs == kChartQuat;
    case ActuatorGain::kPid:
      return is_among(kInputPosition | kInputVelocity | kInputForce);
    case ActuatorGain::kDcMotor:
      return inputs == kInputNone || is_among(kInputPosition | kInputVelocity | kInputForce | kInputVoltage);
    case ActuatorGain::kFixed:
    case ActuatorGain::kAffine:
      return inputs == 0 || inputs == kInputPosition || inputs == kInputVelocity || inputs == kInputPressure;
    default:
      return inputs == 0;
  }
}

// Of inputs that fit.
constexpr int count_controls(int inputs, ActuatorGain gain) {
  if (gain == ActuatorGain::kSo3) return inputs == kChartQuat ? 4 : 3;
  if (gain == ActuatorGain::kPid || gain == ActuatorGain::kDcMotor)
    return std::popcount(static_cast<unsigned>(inputs & ~kInputNone));
  return 1;
}

// What stands for no input at all.
constexpr int standard_inputs(ActuatorGain gain) {
  if (gain == ActuatorGain::kSo3) return kChartExpmap;
  if (gain == ActuatorGain::kPid) return kInputPosition | kInputVelocity;
  return gain == ActuatorGain::kDcMotor ? kInputVoltage : 0;
}

}  // namespace torsor
