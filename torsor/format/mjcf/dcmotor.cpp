// <dcmotor>: from data sheets to the parameters of a general actuator.
#include <cmath>

#include "torsor/format/mjcf/actuator.hpp"

namespace torsor::mjcf {
namespace {

constexpr Attribute<ShortcutSpec> kAttributes[] = {
    {"motorconst", shortcut<&ShortcutSpec::motorconst, kPartial>, "N m/A, V s/rad", "torque and back-EMF constant"},
    {"resistance", shortcut<&ShortcutSpec::resistance>, "Ohm", "resistance of the winding"},
    {"nominal", shortcut<&ShortcutSpec::nominal, kPartial>, "V, N m, rad/s", "voltage, its stall torque and speed"},
    {"saturation", shortcut<&ShortcutSpec::saturation, kPartial>, "N m, A, A/s", "largest torque, current, its rate"},
    {"inductance", shortcut<&ShortcutSpec::inductance, kPartial>, "H, s", "inductance, or electrical time constant"},
    {"cogging", shortcut<&ShortcutSpec::cogging, kPartial>, "N m, 1, rad",
     "torque that depends on the angle: amplitude, poles, phase"},
    {"controller", shortcut<&ShortcutSpec::controller, kPartial>, "",
     "kp, ki, kd, slew limit, integral limit, voltage limit"},
    {"thermal", shortcut<&ShortcutSpec::thermal, kPartial>, "K/W, J/K, s, 1/K, C, C",
     "thermal resistance, capacity, time constant, coefficient of resistance, its temperature, ambient temperature"},
    {"lugre", shortcut<&ShortcutSpec::lugre, kPartial>, "",
     "friction: bristle stiffness and damping, Coulomb, static, Stribeck velocity"},
};

// Whichever constant is given, or the geometric mean of both.
double join_constants(double torque, double voltage) {
  if (torque > 0 && voltage > 0) return std::sqrt(torque * voltage);
  return torque > 0 ? torque : voltage;
}

void apply_electrics(ActuatorReading& motor, const Element& element, Report& report) {
  Number10 &gain = motor.gainprm, &dyn = motor.dynprm;
  const Number3 nominal = motor.nominal.value_or(Number3{0, 0, 0});
  Number2 constants = motor.motorconst.value_or(Number2{0, 0});
  if (constants[0] < 0 || constants[1] < 0)
    return report.attribute_error(element, "motorconst", "motor constants cannot be negative");
  if (!(constants[1] > 0) && nominal[2] > 0) constants[1] = nominal[0] / nominal[2];
  if (const double K = join_constants(constants[0], constants[1]); K > 0) gain[1] = K;
  if (motor.resistance)
    gain[0] = *motor.resistance;
  else if (nominal[1] > 0)
    gain[0] = gain[1] * nominal[0] / nominal[1];
  if (!(gain[1] > 0) && motor.ctrlspec != kInputNone)
    return report.error(element, "the motor constant must be positive", "give motorconst, or nominal");
  if (!(gain[0] > 0)) return report.error(element, "the resistance must be positive", "give resistance, or nominal");
  if (!motor.inductance) return;
  if ((*motor.inductance)[0] < 0 || (*motor.inductance)[1] < 0)
    report.attribute_error(element, "inductance", "'inductance' cannot be negative");
  dyn[0] = (*motor.inductance)[0] > 0 ? (*motor.inductance)[0] / gain[0] : (*motor.inductance)[1];
}

void apply_limits(ActuatorReading& motor) {
  if (!motor.saturation) return;
  const auto [torque, current, rate] = *motor.saturation;
  const double most = torque > 0 ? torque : motor.gainprm[1] * current;
  motor.forcerange = {0, 0};
  if (most > 0) motor.forcerange = {-most, most};
  motor.dynprm[1] = rate;
}

void apply_heat(ActuatorReading& motor, const Element& element, Report& report) {
  if (!motor.thermal) return;
  auto [resistance, capacity, time, coefficient, reference, ambient] = *motor.thermal;
  const bool is_off = resistance <= 0 && capacity <= 0 && time <= 0;
  if (time > 0 && resistance > 0) capacity = time / resistance;
  if (time > 0 && resistance <= 0 && capacity > 0) resistance = time / capacity;
  if (is_off) resistance = capacity = coefficient = reference = ambient = 0;
  if (!is_off && !(resistance > 0 && capacity > 0))
    return report.attribute_error(element, "thermal",
                                  "two of thermal resistance, capacity and time constant must be positive");
  motor.dynprm[2] = resistance;
  motor.dynprm[3] = capacity;
  motor.dynprm[4] = ambient;
  motor.gainprm[2] = coefficient;
  motor.gainprm[3] = reference;
}

void apply_rest(ActuatorReading& motor) {
  if (motor.cogging) std::copy(motor.cogging->begin(), motor.cogging->end(), motor.biasprm.begin());
  if (motor.lugre && (*motor.lugre)[0] > 0) {
    motor.dynprm[5] = (*motor.lugre)[0];
    motor.dynprm[6] = (*motor.lugre)[1];
    std::copy(motor.lugre->begin() + 2, motor.lugre->end(), motor.biasprm.begin() + 3);
  }
  if (!motor.controller) return;
  const auto [kp, ki, kd, slew, integral, voltage] = *motor.controller;
  motor.gainprm[4] = kp;
  motor.gainprm[5] = ki;
  motor.gainprm[6] = kd;
  motor.gainprm[7] = voltage;
  motor.dynprm[7] = slew;
  motor.dynprm[8] = integral;
}

}  // namespace

Table<ShortcutSpec> dcmotor_attributes() { return kAttributes; }

void apply_dcmotor(ActuatorReading& motor, const Element& element, Report& report) {
  motor.dyntype = ActuatorDynamics::kDcMotor;
  motor.gaintype = ActuatorGain::kDcMotor;
  motor.biastype = ActuatorBias::kDcMotor;
  motor.actearly = true;
  apply_electrics(motor, element, report);
  apply_limits(motor);
  apply_heat(motor, element, report);
  apply_rest(motor);
}

}  // namespace torsor::mjcf
