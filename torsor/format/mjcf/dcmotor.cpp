// <dcmotor>: from data sheets to the parameters of a general actuator.
#include <cmath>
#include <limits>

#include "torsor/format/mjcf/actuator.hpp"

namespace torsor::mjcf {
namespace {

// Numbers at the end may be left out: NaN until apply_dcmotor() knows those of the default class.
template <auto Member>
struct Partial {
  static void read(ShortcutSpec& motor, const Value& value) {
    auto numbers = (motor.*Member).value_or(typename std::remove_reference_t<decltype(motor.*Member)>::value_type{});
    numbers.fill(std::numeric_limits<double>::quiet_NaN());
    read_value(numbers, value, kPartial);
    if (!value.blank()) motor.*Member = numbers;
  }
};
template <auto Member>
constexpr Access<ShortcutSpec> partial{Partial<Member>::read, never_written<ShortcutSpec>};

template <size_t N>
std::array<double, N> completed(std::array<double, N> numbers, const std::array<double, N>& inherited) {
  for (size_t k = 0; k < N; ++k) {
    if (std::isnan(numbers[k])) numbers[k] = inherited[k];
  }
  return numbers;
}

constexpr Attribute<ShortcutSpec> kAttributes[] = {
    {"motorconst", shortcut<&ShortcutSpec::motorconst, kPartial>, "N m/A, V s/rad", "torque and back-EMF constant"},
    {"resistance", shortcut<&ShortcutSpec::resistance>, "Ohm", "resistance of the winding"},
    {"nominal", shortcut<&ShortcutSpec::nominal, kPartial>, "V, N m, rad/s", "voltage, its stall torque and speed"},
    {"saturation", partial<&ShortcutSpec::saturation>, "N m, A, A/s", "largest torque, current, its rate"},
    {"inductance", shortcut<&ShortcutSpec::inductance, kPartial>, "H, s", "inductance, or electrical time constant"},
    {"cogging", partial<&ShortcutSpec::cogging>, "N m, 1, rad",
     "torque that depends on the angle: amplitude, poles, phase"},
    {"controller", partial<&ShortcutSpec::controller>, "", "kp, ki, kd, slew limit, integral limit, voltage limit"},
    {"thermal", partial<&ShortcutSpec::thermal>, "K/W, J/K, s, 1/K, C, C",
     "thermal resistance, capacity, time constant, coefficient of resistance, its temperature, ambient temperature"},
    {"lugre", partial<&ShortcutSpec::lugre>, "",
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
  // What a default class says counts as written here: its constant is one of torque.
  Number2 constants = motor.motorconst.value_or(Number2{gain[1], 0});
  if (constants[0] < 0 || constants[1] < 0)
    return report.attribute_error(element, "motorconst", "motor constants cannot be negative");
  if (!(constants[1] > 0) && nominal[2] > 0) constants[1] = nominal[0] / nominal[2];
  gain[1] = join_constants(constants[0], constants[1]);
  if (motor.resistance) gain[0] = *motor.resistance;
  if (gain[0] == 0 && nominal[1] > 0) gain[0] = gain[1] * nominal[0] / nominal[1];
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
  const auto [torque, current, rate] = completed(*motor.saturation, {0, 0, motor.dynprm[1]});
  const double most = torque > 0 ? torque : motor.gainprm[1] * current;
  motor.forcerange = {0, 0};
  if (most > 0) motor.forcerange = {-most, most};
  motor.dynprm[1] = rate;
}

void apply_heat(ActuatorReading& motor, const Element& element, Report& report) {
  if (!motor.thermal) return;
  const Number10 &gain = motor.gainprm, &dyn = motor.dynprm;
  auto [resistance, capacity, time, coefficient, reference, ambient] =
      completed(*motor.thermal, {dyn[2], dyn[3], 0, gain[2], gain[3], dyn[4]});
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

// Without stiffness there is no friction of this kind.
void apply_friction(ActuatorReading& motor) {
  if (!motor.lugre) return;
  Number10 &bias = motor.biasprm, &dyn = motor.dynprm;
  Number5 numbers = completed(*motor.lugre, {dyn[5], dyn[6], bias[3], bias[4], bias[5]});
  if (!(numbers[0] > 0)) numbers = {};
  dyn[5] = numbers[0];
  dyn[6] = numbers[1];
  std::copy(numbers.begin() + 2, numbers.end(), bias.begin() + 3);
}

void apply_rest(ActuatorReading& motor) {
  Number10 &gain = motor.gainprm, &bias = motor.biasprm, &dyn = motor.dynprm;
  if (motor.cogging) {
    const Number3 cogging = completed(*motor.cogging, {bias[0], bias[1], bias[2]});
    std::copy(cogging.begin(), cogging.end(), bias.begin());
  }
  apply_friction(motor);
  if (!motor.controller) return;
  const auto [kp, ki, kd, slew, integral, voltage] =
      completed(*motor.controller, {gain[4], gain[5], gain[6], dyn[7], dyn[8], gain[7]});
  gain[4] = kp;
  gain[5] = ki;
  gain[6] = kd;
  gain[7] = voltage;
  dyn[7] = slew;
  dyn[8] = integral;
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
