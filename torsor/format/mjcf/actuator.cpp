// Reading of <actuator>. Every kind takes limits, gear and the like from its default class. A shortcut takes its
// parameters from the nearest class whose default is written with the same shortcut, or as a general actuator with the
// shortcut's gain type; without one it has standard values.
#include "torsor/format/mjcf/actuator.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

// Larger numbers are taken for typing errors; they would only exhaust the memory.
constexpr int kMaxActivations = 10'000;

void read_actdim(ActuatorSpec& actuator, const Value& value) {
  int count = 0;
  if (read_numbers(&count, 1, 1, value, kExact) == 0) return;
  if (count > kMaxActivations) return value.fail(fmt::format("is at most {}, got {}", kMaxActivations, count));
  actuator.actdim = count;
}

constexpr Keyword kDynamics[] = {{"none", 0},   {"integrator", 1}, {"filter", 2}, {"filterexact", 3},
                                 {"muscle", 4}, {"dcmotor", 5},    {"pid", 6},    {"user", 7}};
constexpr Keyword kGains[] = {{"fixed", 0}, {"affine", 1}, {"muscle", 2}, {"dcmotor", 3},
                              {"so3", 4},   {"pid", 5},    {"user", 6}};
constexpr Keyword kBiases[] = {{"none", 0}, {"affine", 1}, {"muscle", 2}, {"dcmotor", 3}, {"so3", 4}, {"user", 5}};
constexpr Keyword kInterpolations[] = {{"zoh", 0}, {"linear", 1}, {"cubic", 2}};
constexpr Keyword kCharts[] = {{"expmap", kChartExpmap}, {"quat", kChartQuat}};
constexpr Keyword kInputs[] = {
    {"pos", kInputPosition}, {"vel", kInputVelocity}, {"ff", kInputForce}, {"voltage", kInputVoltage}};
constexpr Keyword kDeclarations[] = {{"pos", kInputPosition}, {"vel", kInputVelocity}, {"pressure", kInputPressure}};

// A list of inputs in a fixed order, or "none".
void read_inputs(ActuatorSpec& actuator, const Value& value) {
  if (value.text() == "none") {
    actuator.ctrlspec = kInputNone;
    return;
  }
  const std::optional<int> inputs = read_bits_in_order(kInputs, value);
  if (inputs.value_or(0) != 0) actuator.ctrlspec = *inputs;
}

void read_chart(ActuatorSpec& actuator, const Value& value) {
  if (const auto chart = read_keyword(kCharts, value)) actuator.ctrlspec = *chart;
}

void read_input(ActuatorSpec& actuator, const Value& value) {
  const bool is_chart = value.text() == "expmap" || value.text() == "quat";
  if (value.text() == "pressure")
    actuator.ctrlspec = kInputPressure;
  else
    is_chart ? read_chart(actuator, value) : read_inputs(actuator, value);
}

bool declares_input(const ActuatorSpec& actuator) {
  return actuator.gaintype == ActuatorGain::kFixed || actuator.gaintype == ActuatorGain::kAffine;
}

// The input of a default class is that of its gain type.
Text write_input(const ActuatorSpec& actuator, const ActuatorSpec* standard) {
  const bool is_inherited = standard && standard->gaintype == actuator.gaintype;
  if (actuator.ctrlspec == (is_inherited ? standard->ctrlspec : 0)) return std::nullopt;
  if (actuator.ctrlspec == 0) return "";
  if (actuator.gaintype == ActuatorGain::kSo3) return text_of_keyword(kCharts, actuator.ctrlspec);
  if (declares_input(actuator)) return text_of_keyword(kDeclarations, actuator.ctrlspec);
  if (actuator.ctrlspec == kInputNone) return "none";
  std::string text;
  for (const Keyword& input : kInputs) {
    if (actuator.ctrlspec & input.value) text += fmt::format("{}{}", text.empty() ? "" : " ", input.name);
  }
  return text;
}

using Row = Attribute<ActuatorSpec>;
using ShortcutRow = Attribute<ShortcutSpec>;

constexpr Row kSignalRows[] = {
    {"group", into<&ActuatorSpec::group>, "", "group for visibility, and for disabling"},
    {"nsample", into<&ActuatorSpec::nsample>, "", "number of controls kept in the history"},
    {"interp", keyword<&ActuatorSpec::interp, kInterpolations>, "",
     "interpolation of the history: zoh, linear or cubic"},
    {"delay", into<&ActuatorSpec::delay>, "s", "delay of the controls; needs nsample"},
    {"ctrlrange", into<&ActuatorSpec::ctrlrange, kInfinite>, "", "range of the control"},
    {"user", into<&ActuatorSpec::user, kInfinite>, "", "user data"},
};
constexpr Row kControlLimit[] = {
    {"ctrllimited", into<&ActuatorSpec::ctrllimited>, "", "whether ctrlrange is enforced; auto: if a range is given"},
};
constexpr Row kForceRows[] = {
    {"forcelimited", into<&ActuatorSpec::forcelimited>, "",
     "whether forcerange is enforced; auto: if a range is given"},
    {"forcerange", into<&ActuatorSpec::forcerange, kInfinite>, "N | N m", "range of the force"},
};
constexpr Row kMechanicalRows[] = {
    {"gear", into<&ActuatorSpec::gear, kPartial>, "", "scale of length and force, or axes of force and torque"},
    {"cranklength", into<&ActuatorSpec::cranklength>, "m", "length of the rod of a slider-crank"},
    {"damping", into<&ActuatorSpec::damping, kPartial>, "N s/m | N m s",
     "damping added to the joint or tendon, times gear squared: linear, quadratic, cubic coefficient"},
    {"armature", into<&ActuatorSpec::armature>, "kg | kg m^2",
     "inertia added to the joint or tendon, times gear squared"},
};
constexpr Row kActivationRows[] = {
    {"actlimited", into<&ActuatorSpec::actlimited>, "", "whether actrange is enforced; auto: if a range is given"},
    {"actrange", into<&ActuatorSpec::actrange, kInfinite>, "", "range of the activation"},
};
constexpr Row kGeneralRows[] = {
    {"actdim", {read_actdim, written<&ActuatorSpec::actdim>}, "", "number of activations; -1: as the dynamics require"},
    {"dyntype", keyword<&ActuatorSpec::dyntype, kDynamics>, "", "how the activation follows the control"},
    {"gaintype", keyword<&ActuatorSpec::gaintype, kGains>, "", "type of the gain: force = gain * input + bias"},
    {"biastype", keyword<&ActuatorSpec::biastype, kBiases>, "", "type of the bias, which is added to the force"},
    {"dynprm", into<&ActuatorSpec::dynprm, kPartial>, "", "parameters of the dynamics"},
    {"gainprm", into<&ActuatorSpec::gainprm, kPartial>, "", "parameters of the gain"},
    {"biasprm", into<&ActuatorSpec::biasprm, kPartial>, "", "parameters of the bias"},
    {"actearly", into<&ActuatorSpec::actearly>, "", "the force uses the activation at the end of the step"},
    {"input",
     {read_input, write_input},
     "",
     "the controls of a pid, dcmotor or so3 actuator; others: what the control is, pos, vel or pressure"},
    {"velrange", into<&ActuatorSpec::velrange, kInfinite>, "m/s | rad/s", "range of the velocity input of a pid"},
    {"ffrange", into<&ActuatorSpec::ffrange, kInfinite>, "N | N m", "range of the feedforward input of a pid"},
};
constexpr Row kInheritRange[] = {
    {"inheritrange", into<&ActuatorSpec::inheritrange>, "1", "multiple of the range of the joint or tendon"},
};
constexpr Row kChart[] = {
    {"input", {read_chart, write_input}, "", "how the orientation is written: expmap or quat"},
};
constexpr Row kInputList[] = {
    {"input", {read_inputs, write_input}, "", "the controls: some of pos, vel, ff, voltage, in this order"},
};
constexpr Row kPidRanges[] = {
    {"posrange", into<&ActuatorSpec::ctrlrange, kInfinite>, "m | rad", "range of the position input"},
    {"velrange", into<&ActuatorSpec::velrange, kInfinite>, "m/s | rad/s", "range of the velocity input"},
    {"ffrange", into<&ActuatorSpec::ffrange, kInfinite>, "N | N m", "range of the feedforward input"},
};

constexpr Row kJointTarget[] = {{"joint", into<&ActuatorSpec::joint>, "", "driven joint"}};
constexpr Row kSiteTarget[] = {
    {"site", into<&ActuatorSpec::site>, "", "site at which force and torque act, in its axes"},
    {"refsite", into<&ActuatorSpec::refsite>, "", "site that the pose of the driven site is relative to"},
};
constexpr Row kBodyTarget[] = {{"body", into<&ActuatorSpec::body>, "", "body whose contacts are pulled together"}};
constexpr Row kOtherTargets[] = {
    {"jointinparent", into<&ActuatorSpec::jointinparent>, "", "driven joint, with axes in the parent's frame"},
    {"tendon", into<&ActuatorSpec::tendon>, "", "driven tendon"},
    {"cranksite", into<&ActuatorSpec::cranksite>, "", "pin between crank and rod of a slider-crank"},
    {"slidersite", into<&ActuatorSpec::slidersite>, "", "slider of a slider-crank, which moves along its z axis"},
    {"lengthrange", into<&ActuatorSpec::lengthrange>, "m | rad", "shortest and longest length"},
};

constexpr ShortcutRow kKp[] = {{"kp", shortcut<&ShortcutSpec::kp>, "", "position feedback gain"}};
constexpr ShortcutRow kKv[] = {{"kv", shortcut<&ShortcutSpec::kv>, "", "velocity feedback gain"}};
constexpr ShortcutRow kDampRatio[] = {
    {"dampratio", shortcut<&ShortcutSpec::dampratio>, "1", "velocity feedback as a damping ratio in qpos0"}};
constexpr ShortcutRow kTimeConstant[] = {
    {"timeconst", shortcut<&ShortcutSpec::timeconst>, "s", "time constant of the activation"}};
constexpr ShortcutRow kPidRows[] = {
    {"ki", shortcut<&ShortcutSpec::ki>, "", "integral feedback gain"},
    {"imax", shortcut<&ShortcutSpec::imax>, "", "limit of the integrated error; 0: no limit"},
    {"slewmax", shortcut<&ShortcutSpec::slewmax>, "", "rate limit of the position input; 0: no limit"},
};
constexpr ShortcutRow kCylinderRows[] = {
    {"area", shortcut<&ShortcutSpec::area>, "m^2", "area of the piston, the gain"},
    {"diameter", shortcut<&ShortcutSpec::diameter>, "m", "diameter of the piston; overrides area"},
    {"bias", shortcut<&ShortcutSpec::bias>, "", "bias coefficients: constant, length, velocity"},
};
constexpr ShortcutRow kMuscleRows[] = {
    {"timeconst", shortcut<&ShortcutSpec::timeconsts>, "s", "time constants of activation and deactivation"},
    {"range", shortcut<&ShortcutSpec::range>, "1", "operating range of the length, in units of the resting length"},
    {"force", shortcut<&ShortcutSpec::force>, "N", "peak force; negative: from scale"},
    {"scale", shortcut<&ShortcutSpec::scale>, "", "peak force times the acceleration of a unit force in qpos0"},
    {"lmin", shortcut<&ShortcutSpec::lmin>, "1", "shortest length with active force"},
    {"lmax", shortcut<&ShortcutSpec::lmax>, "1", "longest length with active force"},
    {"vmax", shortcut<&ShortcutSpec::vmax>, "1/s", "shortening velocity at which the active force is zero"},
    {"fpmax", shortcut<&ShortcutSpec::fpmax>, "1", "passive force at lmax"},
    {"fvmax", shortcut<&ShortcutSpec::fvmax>, "1", "active force at fast lengthening"},
};
constexpr ShortcutRow kTausmooth[] = {
    {"tausmooth", shortcut<&ShortcutSpec::tausmooth>, "1", "width of the transition between the time constants"}};
constexpr ShortcutRow kAdhesionGain[] = {{"gain", shortcut<&ShortcutSpec::gain>, "N", "force per control"}};

void check_not_negative(const char* name, const std::optional<double>& value, const Element& element, Report& report) {
  if (value && *value < 0) report.attribute_error(element, name, fmt::format("'{}' cannot be negative", name));
}

void apply_general(ActuatorReading&, const Element&, Report&) {}

void set_types(ActuatorSpec& actuator, ActuatorDynamics dyntype, ActuatorGain gaintype, ActuatorBias biastype) {
  actuator.dyntype = dyntype;
  actuator.gaintype = gaintype;
  actuator.biastype = biastype;
}

void apply_motor(ActuatorReading& actuator, const Element&, Report&) {
  actuator.gainprm = {1}, actuator.biasprm = {}, actuator.dynprm = {1};
  actuator.ctrlspec = 0;
  set_types(actuator, ActuatorDynamics::kNone, ActuatorGain::kFixed, ActuatorBias::kNone);
}

// Velocity feedback: -kv, or a positive number, which means a damping ratio.
void apply_damping(ActuatorReading& actuator, const Element& element, Report& report) {
  check_not_negative("kv", actuator.kv, element, report);
  check_not_negative("dampratio", actuator.dampratio, element, report);
  if (actuator.kv && actuator.dampratio) report.error(element, "kv and dampratio are mutually exclusive");
  if (actuator.kv) actuator.biasprm[2] = -*actuator.kv;
  if (actuator.dampratio) actuator.biasprm[2] = *actuator.dampratio;
}

// Of a range and inheritrange, the one that the element itself gives wins over that of its default class.
void choose_range(Number2& range, std::initializer_list<const char*> names, ActuatorReading& actuator,
                  const Element& element, Report& report) {
  const bool inherits = element.has("inheritrange") && actuator.inheritrange > 0;
  for (const char* name : names) {
    if (!element.has(name) || range == Number2{0, 0}) continue;
    if (inherits) report.error(element, fmt::format("{} and inheritrange are mutually exclusive", name));
    actuator.inheritrange = 0;
  }
  if (inherits) range = {0, 0};
}

void apply_servo(ActuatorReading& actuator, const Element& element, Report& report) {
  const double kp = actuator.kp.value_or(actuator.gainprm[0]);
  apply_damping(actuator, element, report);
  actuator.gainprm = {kp};
  actuator.biasprm = {0, -kp, actuator.biasprm[2]};
}

void apply_position(ActuatorReading& actuator, const Element& element, Report& report) {
  apply_servo(actuator, element, report);
  check_not_negative("timeconst", actuator.timeconst, element, report);
  const bool was_filtered = actuator.dyntype == ActuatorDynamics::kFilterExact;
  const double time = actuator.timeconst.value_or(was_filtered ? actuator.dynprm[0] : 0);
  actuator.dynprm = {actuator.timeconst || was_filtered ? time : 1};
  actuator.ctrlspec = kInputPosition;
  set_types(actuator, time > 0 ? ActuatorDynamics::kFilterExact : ActuatorDynamics::kNone, ActuatorGain::kFixed,
            ActuatorBias::kAffine);
  choose_range(actuator.ctrlrange, {"ctrlrange"}, actuator, element, report);
}

void apply_intvelocity(ActuatorReading& actuator, const Element& element, Report& report) {
  apply_servo(actuator, element, report);
  actuator.dynprm = {1};
  actuator.ctrlspec = kInputVelocity;
  set_types(actuator, ActuatorDynamics::kIntegrator, ActuatorGain::kFixed, ActuatorBias::kAffine);
  choose_range(actuator.actrange, {"actrange"}, actuator, element, report);
  actuator.actlimited = Tristate::kAuto;  // MuJoCo reads it here and does not use it: the range alone decides
}

void apply_velocity(ActuatorReading& actuator, const Element&, Report&) {
  const double kv = actuator.kv.value_or(actuator.gainprm[0]);
  actuator.gainprm = {kv}, actuator.biasprm = {0, 0, -kv}, actuator.dynprm = {1};
  actuator.ctrlspec = kInputVelocity;
  set_types(actuator, ActuatorDynamics::kNone, ActuatorGain::kFixed, ActuatorBias::kAffine);
}

void apply_damper(ActuatorReading& actuator, const Element& element, Report& report) {
  const double kv = actuator.kv.value_or(-actuator.gainprm[2]);
  if (kv < 0) report.error(element, "the kv of a damper cannot be negative");
  if (actuator.ctrlrange[0] < 0 || actuator.ctrlrange[1] < 0)
    report.error(element, "the ctrlrange of a damper cannot be negative");
  actuator.gainprm = {0, 0, -kv}, actuator.biasprm = {}, actuator.dynprm = {1};
  actuator.ctrllimited = Tristate::kTrue;
  actuator.ctrlspec = 0;
  set_types(actuator, ActuatorDynamics::kNone, ActuatorGain::kAffine, ActuatorBias::kNone);
}

void apply_cylinder(ActuatorReading& actuator, const Element&, Report&) {
  constexpr double kPi = 3.14159265358979323846;
  double area = actuator.area.value_or(actuator.gainprm[0]);
  if (actuator.diameter && *actuator.diameter >= 0) area = kPi / 4 * *actuator.diameter * *actuator.diameter;
  const Number3 bias = actuator.bias.value_or(Number3{actuator.biasprm[0], actuator.biasprm[1], actuator.biasprm[2]});
  actuator.gainprm = {area}, actuator.biasprm = {bias[0], bias[1], bias[2]};
  actuator.dynprm = {actuator.timeconst.value_or(actuator.dynprm[0])};
  actuator.ctrlspec = kInputPressure;
  set_types(actuator, ActuatorDynamics::kFilter, ActuatorGain::kFixed, ActuatorBias::kAffine);
}

// Negative values change nothing.
void apply_muscle(ActuatorReading& actuator, const Element& element, Report& report) {
  check_not_negative("tausmooth", actuator.tausmooth, element, report);
  Number10 &dyn = actuator.dynprm, &gain = actuator.gainprm;
  const auto set = [](double& value, const std::optional<double>& wanted) {
    if (wanted && *wanted >= 0) value = *wanted;
  };
  const auto set2 = [&set](double* values, const std::optional<Number2>& wanted) {
    for (std::size_t k = 0; wanted && k < 2; ++k) set(values[k], (*wanted)[k]);
  };
  set2(dyn.data(), actuator.timeconsts);
  set(dyn[2], actuator.tausmooth);
  set2(gain.data(), actuator.range);
  const std::optional<double>* wanted[] = {&actuator.force, &actuator.scale, &actuator.lmin, &actuator.lmax,
                                           &actuator.vmax,  &actuator.fpmax, &actuator.fvmax};
  for (std::size_t k = 0; k < 7; ++k) set(gain[2 + k], *wanted[k]);
  actuator.biasprm = gain;
  actuator.ctrlspec = 0;
  set_types(actuator, ActuatorDynamics::kMuscle, ActuatorGain::kMuscle, ActuatorBias::kMuscle);
}

void apply_adhesion(ActuatorReading& actuator, const Element& element, Report& report) {
  check_not_negative("gain", actuator.gain, element, report);
  if (actuator.ctrlrange[0] < 0 || actuator.ctrlrange[1] < 0)
    report.error(element, "the ctrlrange of an adhesion cannot be negative");
  actuator.gainprm = {actuator.gain.value_or(actuator.gainprm[0])}, actuator.biasprm = {}, actuator.dynprm = {1};
  actuator.ctrllimited = Tristate::kTrue;
  actuator.ctrlspec = 0;
  set_types(actuator, ActuatorDynamics::kNone, ActuatorGain::kFixed, ActuatorBias::kNone);
}

void apply_orientation(ActuatorReading& actuator, const Element& element, Report& report) {
  apply_servo(actuator, element, report);
  actuator.dynprm = {1};
  set_types(actuator, ActuatorDynamics::kNone, ActuatorGain::kSo3, ActuatorBias::kSo3);
}

void apply_pid(ActuatorReading& actuator, const Element& element, Report& report) {
  check_not_negative("ki", actuator.ki, element, report);
  check_not_negative("imax", actuator.imax, element, report);
  check_not_negative("slewmax", actuator.slewmax, element, report);
  const double kp = actuator.kp.value_or(-actuator.biasprm[1]), ki = actuator.ki.value_or(actuator.gainprm[0]);
  const double imax = actuator.imax.value_or(actuator.dynprm[0]),
               slewmax = actuator.slewmax.value_or(actuator.dynprm[1]);
  apply_damping(actuator, element, report);
  actuator.gainprm = {ki}, actuator.biasprm = {0, -kp, actuator.biasprm[2]};
  actuator.dynprm = {ki != 0 ? imax : 0, slewmax};
  set_types(actuator, ki != 0 || slewmax > 0 ? ActuatorDynamics::kPid : ActuatorDynamics::kNone, ActuatorGain::kPid,
            ActuatorBias::kAffine);
  choose_range(actuator.ctrlrange, {"ctrlrange", "posrange"}, actuator, element, report);
}

// The parameters of a shortcut that inherits none.
ActuatorSpec standard_of(ActuatorShortcut shortcut) {
  ActuatorSpec standard;
  if (shortcut == ActuatorShortcut::kPid) standard.gainprm = {}, standard.biasprm = {0, -1}, standard.dynprm = {};
  if (shortcut == ActuatorShortcut::kMuscle)
    standard.gainprm = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2}, standard.dynprm = {0.01, 0.04};
  if (shortcut == ActuatorShortcut::kDcMotor) standard.gainprm = standard.dynprm = {};
  return standard;
}

void take_parameters(ActuatorSpec& to, const ActuatorSpec& from) {
  to.gaintype = from.gaintype, to.biastype = from.biastype, to.dyntype = from.dyntype;
  to.gainprm = from.gainprm, to.biasprm = from.biasprm, to.dynprm = from.dynprm;
  to.inheritrange = from.inheritrange;
  to.ctrlspec = from.ctrlspec;
}

// Replaces the parameters of the default class by those that the shortcut inherits, and its activations by its own.
void begin_shortcut(ActuatorSpec& actuator, const ActuatorKind& kind, int class_index, const Reader& reader) {
  const ActuatorSpec standard = standard_of(kind.shortcut);
  const ActuatorSpec* source = &standard;
  for (int index = class_index; index >= 0; index = reader.spec.defaults[static_cast<std::size_t>(index)].parent) {
    const ActuatorSpec& values = reader.spec.defaults[static_cast<std::size_t>(index)].actuator;
    const bool is_raw = values.shortcut == ActuatorShortcut::kGeneral && values.gaintype == kind.gain;
    if (values.shortcut != kind.shortcut && !is_raw) continue;
    source = &values;
    break;
  }
  take_parameters(actuator, ActuatorSpec(*source));
  actuator.actdim = -1;
  actuator.actearly = false;
}

template <class T>
std::vector<Attribute<T>> join(std::initializer_list<Table<T>> tables) {
  std::vector<Attribute<T>> rows;
  for (const Table<T>& table : tables) rows.insert(rows.end(), table.begin(), table.end());
  return rows;
}
std::vector<Row> rows(std::initializer_list<Table<ActuatorSpec>> tables) { return join<ActuatorSpec>(tables); }
std::vector<ShortcutRow> shortcuts(std::initializer_list<Table<ShortcutSpec>> tables) {
  return join<ShortcutSpec>(tables);
}

std::vector<ActuatorKind> make_kinds() {
  const auto common = rows({kSignalRows, kControlLimit, kForceRows, kMechanicalRows});
  const auto targets = rows({kJointTarget, kOtherTargets, kSiteTarget});
  using Shortcut = ActuatorShortcut;
  using Gain = ActuatorGain;
  return {
      {"general",
       Shortcut::kGeneral,
       Gain::kFixed,
       apply_general,
       rows({common, kActivationRows, kGeneralRows, kInheritRange}),
       rows({targets, kBodyTarget}),
       {},
       {}},
      {"motor", Shortcut::kMotor, Gain::kFixed, apply_motor, common, targets, {}, {}},
      {"position",
       Shortcut::kPosition,
       Gain::kFixed,
       apply_position,
       rows({common, kInheritRange}),
       targets,
       shortcuts({kKp, kKv, kDampRatio, kTimeConstant}),
       {}},
      {"velocity", Shortcut::kVelocity, Gain::kFixed, apply_velocity, common, targets, shortcuts({kKv}), {}},
      {"intvelocity",
       Shortcut::kIntVelocity,
       Gain::kFixed,
       apply_intvelocity,
       rows({common, kActivationRows, kInheritRange}),
       targets,
       shortcuts({kKp, kKv, kDampRatio}),
       {}},
      {"orientation",
       Shortcut::kOrientation,
       Gain::kSo3,
       apply_orientation,
       rows({kSignalRows, kForceRows, kChart}),
       rows({kJointTarget, kSiteTarget}),
       shortcuts({kKp, kKv, kDampRatio}),
       {}},
      {"pid",
       Shortcut::kPid,
       Gain::kPid,
       apply_pid,
       rows({common, kInheritRange, kInputList, kPidRanges}),
       targets,
       shortcuts({kKp, kKv, kDampRatio, kPidRows}),
       {}},
      {"damper",
       Shortcut::kDamper,
       Gain::kAffine,
       apply_damper,
       rows({kSignalRows, kForceRows, kMechanicalRows}),
       targets,
       shortcuts({kKv}),
       {}},
      {"cylinder",
       Shortcut::kCylinder,
       Gain::kFixed,
       apply_cylinder,
       common,
       targets,
       shortcuts({kTimeConstant, kCylinderRows}),
       {}},
      {"muscle", Shortcut::kMuscle, Gain::kMuscle, apply_muscle, common, rows({kJointTarget, kOtherTargets}),
       shortcuts({kMuscleRows}), shortcuts({kTausmooth})},
      {"adhesion",
       Shortcut::kAdhesion,
       Gain::kFixed,
       apply_adhesion,
       rows({kSignalRows, kForceRows}),
       rows({kBodyTarget}),
       shortcuts({kAdhesionGain}),
       {}},
      {"dcmotor",
       Shortcut::kDcMotor,
       Gain::kDcMotor,
       apply_dcmotor,
       rows({kSignalRows, kControlLimit, kMechanicalRows, kInputList}),
       targets,
       shortcuts({dcmotor_attributes()}),
       {}},
  };
}

// What the control is belongs to the gain type: another one forgets it.
void settle_input(ActuatorSpec& actuator, ActuatorGain inherited_gain, const Element& element) {
  if (element.has("input") ? element.text("input").empty() : actuator.gaintype != inherited_gain) actuator.ctrlspec = 0;
}

// Reads an element whose limits and the like are already those of its default class.
template <class... Tables>
void read_kind(const Element& element, const ActuatorKind& kind, int class_index, ActuatorReading& reading,
               Reader& reader, Tables... tables) {
  if (kind.shortcut != ActuatorShortcut::kGeneral) begin_shortcut(reading, kind, class_index, reader);
  const ActuatorGain inherited_gain = reading.gaintype;
  read_attributes(element, reading, reader.report, Table<ActuatorSpec>(kind.rows),
                  Table<ShortcutSpec>(kind.shortcut_rows), tables...);
  if (kind.shortcut == ActuatorShortcut::kGeneral) settle_input(reading, inherited_gain, element);
  kind.apply(reading, element, reader.report);
  reading.shortcut = kind.shortcut;
}

// An actuator must name exactly one element to drive.
void check_target(const ActuatorSpec& actuator, const Element& element, Report& report) {
  const std::string* targets[] = {&actuator.joint, &actuator.jointinparent, &actuator.tendon,
                                  &actuator.site,  &actuator.cranksite,     &actuator.body};
  const auto given = std::count_if(std::begin(targets), std::end(targets), [](const auto* t) { return !t->empty(); });
  const char* hint = "give one of joint, jointinparent, tendon, site, cranksite and body";
  if (given == 0) report.error(element, "the actuator drives nothing: it needs a transmission", hint);
  if (given > 1) report.error(element, "the actuator has more than one transmission", hint);
  if (!actuator.refsite.empty() && actuator.site.empty())
    report.attribute_error(element, "refsite", "refsite needs the transmission site");
  if (!actuator.slidersite.empty() && actuator.cranksite.empty())
    report.attribute_error(element, "slidersite", "slidersite needs the transmission cranksite");
}

}  // namespace

std::span<const ActuatorKind> actuator_kinds() {
  static const std::vector<ActuatorKind> kinds = make_kinds();
  return kinds;
}

const ActuatorKind* find_actuator_kind(std::string_view name) {
  for (const ActuatorKind& kind : actuator_kinds()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

bool read_actuator_prototype(const Element& element, std::size_t class_index, Reader& reader) {
  const ActuatorKind* kind = find_actuator_kind(element.name());
  if (!kind) return false;
  ActuatorSpec& prototype = reader.spec.defaults[class_index].actuator;
  ActuatorReading reading;
  static_cast<ActuatorSpec&>(reading) = prototype;
  read_kind(element, *kind, static_cast<int>(class_index), reading, reader);
  prototype = std::move(static_cast<ActuatorSpec&>(reading));
  return true;
}

void read_actuator(const Element& element, Reader& reader) {
  if (reader.ignores("actuator")) return reader.note_ignored(element, "actuator");
  read_attributes<Spec>(element, reader.spec, reader.report);
  for (const Element& child : element) {
    const ActuatorKind* kind = find_actuator_kind(child.name());
    if (!kind) {
      reader.reject(child, "mujoco/actuator");
      continue;
    }
    ActuatorReading reading;
    static_cast<ActuatorSpec&>(reading) = reader.make_element(child, &DefaultSpec::actuator, 0);
    const auto found = reader.classes.find(std::string(child.text("class")));
    read_kind(child, *kind, found == reader.classes.end() ? 0 : found->second, reading, reader, name_attribute(),
              class_attribute(), Table<ActuatorSpec>(kind->own_rows), Table<ShortcutSpec>(kind->own_shortcut_rows));
    check_target(reading, child, reader.report);
    reader.reject_children(child, "mujoco/actuator/" + std::string(kind->name));
    reader.budget.take(weigh_element(reading), child.where(), "the activation of an actuator", reader.report);
    reader.spec.actuators.push_back(std::move(static_cast<ActuatorSpec&>(reading)));
  }
}

}  // namespace torsor::mjcf
