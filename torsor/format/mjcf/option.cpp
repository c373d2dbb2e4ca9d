// <option>, with <flag>.
#include <vector>

#include <fmt/format.h>

#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

constexpr Keyword kIntegrators[] = {
    {"Euler", static_cast<int>(Integrator::kEuler)},
    {"RK4", static_cast<int>(Integrator::kRk4)},
    {"implicit", static_cast<int>(Integrator::kImplicit)},
    {"implicitfast", static_cast<int>(Integrator::kImplicitFast)},
    {"RKMK4", static_cast<int>(Integrator::kRkmk4)},  // our extension
};
constexpr Keyword kCones[] = {{"pyramidal", 0}, {"elliptic", 1}};
constexpr Keyword kJacobians[] = {{"dense", 0}, {"sparse", 1}, {"auto", 2}};
constexpr Keyword kSolvers[] = {{"PGS", 0}, {"CG", 1}, {"Newton", 2}};
constexpr Keyword kSwitches[] = {{"disable", 0}, {"enable", 1}};

// Groups add up over repeated <option> elements.
void read_disabled_groups(Option& option, const Value& value) {
  constexpr int kLastGroup = 30;
  std::vector<int> groups;
  if (!read_all_numbers(groups, value, kExact)) return;
  for (const int group : groups) {
    if (group < 0 || group > kLastGroup) {
      return value.fail(fmt::format("has groups from 0 to {}, got {}", kLastGroup, group));
    }
    option.disableactuator |= 1 << group;
  }
}

// Fields that are not written as one number, or as up to so many.
constexpr SpecialRow<Option> kSpecialRows[] = {
    {"gravity", into<&Option::gravity>},
    {"wind", into<&Option::wind>},
    {"magnetic", into<&Option::magnetic>},
    {"integrator", keyword<&Option::integrator, kIntegrators>},
    {"cone", keyword<&Option::cone, kCones>},
    {"jacobian", keyword<&Option::jacobian, kJacobians>},
    {"solver", keyword<&Option::solver, kSolvers>},
    {"disableflags", nullptr},
    {"enableflags", nullptr},
    {"disableactuator", nullptr},
};

constexpr Attribute<Option> kOptionFields[] = {
#define SCALAR(type, name, value, unit, meaning) {#name, into<&Option::name>, unit, meaning},
#define VECTOR(name, length, unit, meaning, ...) {#name, into<&Option::name, kPartial>, unit, meaning},
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
};

std::vector<Attribute<Option>> make_option_attributes() {
  std::vector<Attribute<Option>> rows = with_special_rows<Option>(kOptionFields, kSpecialRows);
  rows.push_back({"actuatorgroupdisable", read_disabled_groups, "", "groups of actuators that are off"});
  return rows;
}

// What is on unless it is disabled.
template <int Bit>
void read_default_on(Option& option, const Value& value) {
  const auto on = read_keyword(kSwitches, value);
  if (on) option.disableflags = *on ? option.disableflags & ~Bit : option.disableflags | Bit;
}

// What is off unless it is enabled.
template <int Bit>
void read_default_off(Option& option, const Value& value) {
  const auto on = read_keyword(kSwitches, value);
  if (on) option.enableflags = *on ? option.enableflags | Bit : option.enableflags & ~Bit;
}

void read_sleep(Option&, const Value& value) {
  const auto on = read_keyword(kSwitches, value);
  if (on && *on) value.fail("is not supported yet");
}

constexpr Attribute<Option> kFlagAttributes[] = {
    {"constraint", read_default_on<kDisableConstraint>, "", "all constraints"},
    {"equality", read_default_on<kDisableEquality>, "", "equality constraints"},
    {"frictionloss", read_default_on<kDisableFrictionLoss>, "", "dry friction of joints and tendons"},
    {"limit", read_default_on<kDisableLimit>, "", "limits of joints and tendons"},
    {"contact", read_default_on<kDisableContact>, "", "collisions and contact constraints"},
    {"spring", read_default_on<kDisableSpring>, "", "springs of joints and tendons"},
    {"damper", read_default_on<kDisableDamper>, "", "dampers of joints and tendons"},
    {"gravity", read_default_on<kDisableGravity>, "", "gravity"},
    {"clampctrl", read_default_on<kDisableClampCtrl>, "", "clamping of controls to their range"},
    {"warmstart", read_default_on<kDisableWarmStart>, "", "start of the solver from the last acceleration"},
    {"filterparent", read_default_on<kDisableFilterParent>, "", "no collisions between a body and its parent"},
    {"actuation", read_default_on<kDisableActuation>, "", "forces of actuators"},
    {"refsafe", read_default_on<kDisableRefSafe>, "", "constraint time constants of at least two steps"},
    {"sensor", read_default_on<kDisableSensor>, "", "computation of sensors"},
    {"midphase", read_default_on<kDisableMidPhase>, "", "bounding volumes within bodies"},
    {"eulerdamp", read_default_on<kDisableEulerDamp>, "", "implicit joint damping of the Euler integrator"},
    {"autoreset", read_default_on<kDisableAutoReset>, "", "reset when numbers go bad"},
    {"nativeccd", read_default_on<kDisableNativeCcd>, "", "own convex collision detection"},
    {"island", read_default_on<kDisableIsland>, "", "constraint islands"},
    {"multiccd", read_default_on<kDisableMultiCcd>, "", "several contacts per convex pair"},
    {"override", read_default_off<kEnableOverride>, "", "contact parameters o_margin, o_solref, o_solimp, o_friction"},
    {"energy", read_default_off<kEnableEnergy>, "", "computation of energy"},
    {"fwdinv", read_default_off<kEnableFwdInv>, "", "comparison of forward and inverse dynamics"},
    {"invdiscrete", read_default_off<kEnableInvDiscrete>, "", "inverse dynamics of the discrete step"},
    {"sleep", read_sleep, "", "sleeping of resting trees; can only be disabled"},
    {"diagexact", read_default_off<kEnableDiagExact>, "", "exact diagonal of the constraint-space inertia"},
};

}  // namespace

Table<Option> option_attributes() {
  static const std::vector<Attribute<Option>> rows = make_option_attributes();
  return rows;
}

Table<Option> flag_attributes() { return kFlagAttributes; }

void read_option(const Element& element, Reader& reader) {
  read_attributes(element, reader.spec.option, reader.report, option_attributes());
  check_unique_children(element, reader);
  for (const Element& child : element) {
    if (child.name() == "flag") {
      read_attributes(child, reader.spec.option, reader.report, flag_attributes());
      reader.reject_children(child, "mujoco/option/flag");
    } else {
      reader.reject(child, "mujoco/option");
    }
  }
}

}  // namespace torsor::mjcf
