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
    {"discrete", static_cast<int>(Integrator::kDiscrete)},
    {"RKMK4", static_cast<int>(Integrator::kRk4)},  // an older name of ours, from when RK4 had order 2 in rotations
};
constexpr Keyword kCones[] = {{"pyramidal", 0}, {"elliptic", 1}};
constexpr Keyword kJacobians[] = {{"dense", 0}, {"sparse", 1}, {"auto", 2}};
constexpr Keyword kSolvers[] = {{"PGS", 0}, {"CG", 1}, {"Newton", 2}, {"SAP", 3}};  // SAP: our extension
constexpr Keyword kFrictionMixes[] = {{"mjcf", 0}, {"harmonic", 1}};
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

Text write_disabled_groups(const Option& option, const Option* standard) {
  if (standard && option.disableactuator == standard->disableactuator) return std::nullopt;
  std::vector<int> groups;
  for (int group = 0; group < 31; ++group) {
    if (option.disableactuator & (1 << group)) groups.push_back(group);
  }
  return text_of(groups);
}

// Fields that are not plain numbers.
constexpr SpecialRow<Option> kSpecialRows[] = {
    {"gravity", into<&Option::gravity>},
    {"wind", into<&Option::wind>},
    {"magnetic", into<&Option::magnetic>},
    {"integrator", keyword<&Option::integrator, kIntegrators>},
    {"cone", keyword<&Option::cone, kCones>},
    {"jacobian", keyword<&Option::jacobian, kJacobians>},
    {"solver", keyword<&Option::solver, kSolvers>},
    {"frictionmix", keyword<&Option::frictionmix, kFrictionMixes>},
    {"disableflags", nullptr},
    {"enableflags", nullptr},
    {"disableactuator", nullptr},
};

constexpr Attribute<Option> kOptionFields[] = {
#define SCALAR(type, name, value, unit, meaning, ...) {#name, into<&Option::name>, unit, meaning},
#define VECTOR(name, length, unit, meaning, ...) {#name, into<&Option::name, kPartial>, unit, meaning},
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
};

std::vector<Attribute<Option>> make_option_attributes() {
  std::vector<Attribute<Option>> rows = with_special_rows<Option>(kOptionFields, kSpecialRows);
  rows.push_back({"actuatorgroupdisable",
                  {read_disabled_groups, write_disabled_groups},
                  "",
                  "groups of actuators that are disabled"});
  return rows;
}

// Flags that are on unless disabled.
template <int Bit>
void read_default_on(Option& option, const Value& value) {
  const auto on = read_keyword(kSwitches, value);
  if (on) option.disableflags = *on ? option.disableflags & ~Bit : option.disableflags | Bit;
}

// Flags that are off unless enabled.
template <int Bit>
void read_default_off(Option& option, const Value& value) {
  const auto on = read_keyword(kSwitches, value);
  if (on) option.enableflags = *on ? option.enableflags | Bit : option.enableflags & ~Bit;
}

template <int Bit>
Text write_default_on(const Option& option, const Option* standard) {
  const int bit = option.disableflags & Bit;
  if (standard && bit == (standard->disableflags & Bit)) return std::nullopt;
  return text_of_keyword(kSwitches, bit == 0);
}

template <int Bit>
Text write_default_off(const Option& option, const Option* standard) {
  const int bit = option.enableflags & Bit;
  if (standard && bit == (standard->enableflags & Bit)) return std::nullopt;
  return text_of_keyword(kSwitches, bit != 0);
}

template <int Bit>
constexpr Access<Option> kDefaultOn{read_default_on<Bit>, write_default_on<Bit>};
template <int Bit>
constexpr Access<Option> kDefaultOff{read_default_off<Bit>, write_default_off<Bit>};

constexpr Attribute<Option> kFlagAttributes[] = {
    {"constraint", kDefaultOn<kDisableConstraint>, "", "all constraints"},
    {"equality", kDefaultOn<kDisableEquality>, "", "equality constraints"},
    {"frictionloss", kDefaultOn<kDisableFrictionLoss>, "", "dry friction of joints and tendons"},
    {"limit", kDefaultOn<kDisableLimit>, "", "limits of joints and tendons"},
    {"contact", kDefaultOn<kDisableContact>, "", "collisions and contact constraints"},
    {"spring", kDefaultOn<kDisableSpring>, "", "springs of joints and tendons"},
    {"damper", kDefaultOn<kDisableDamper>, "", "dampers of joints and tendons"},
    {"gravity", kDefaultOn<kDisableGravity>, "", "gravity"},
    {"clampctrl", kDefaultOn<kDisableClampCtrl>, "", "clamping of controls to their range"},
    {"warmstart", kDefaultOn<kDisableWarmStart>, "", "warm start of the solver with the last acceleration"},
    {"filterparent", kDefaultOn<kDisableFilterParent>, "", "filtering of contacts between a body and its parent"},
    {"actuation", kDefaultOn<kDisableActuation>, "", "forces of actuators"},
    {"refsafe", kDefaultOn<kDisableRefSafe>, "",
     "lower bound of two steps for constraint time constants; discrete: limits and contacts stiffer than a step "
     "resolves are softened"},
    {"sensor", kDefaultOn<kDisableSensor>, "", "computation of sensors"},
    {"midphase", kDefaultOn<kDisableMidPhase>, "", "bounding volumes within bodies"},
    {"eulerdamp", kDefaultOn<kDisableEulerDamp>, "", "implicit joint damping of the Euler integrator"},
    {"autoreset", kDefaultOn<kDisableAutoReset>, "", "automatic reset on bad numbers"},
    {"nativeccd", kDefaultOn<kDisableNativeCcd>, "", "native convex collision detection"},
    {"island", kDefaultOn<kDisableIsland>, "", "constraint islands"},
    {"multiccd", kDefaultOn<kDisableMultiCcd>, "", "several contacts per convex pair"},
    {"override", kDefaultOff<kEnableOverride>, "", "contact parameters o_margin, o_solref, o_solimp, o_friction"},
    {"energy", kDefaultOff<kEnableEnergy>, "", "computation of energy"},
    {"fwdinv", kDefaultOff<kEnableFwdInv>, "", "comparison of forward and inverse dynamics"},
    {"invdiscrete", kDefaultOff<kEnableInvDiscrete>, "", "inverse dynamics of the discrete step"},
    {"sleep", kDefaultOff<kEnableSleep>, "", "trees at rest fall asleep and cost nothing"},
    {"diagexact", kDefaultOff<kEnableDiagExact>, "", "exact diagonal of the constraint-space inertia"},
    {"speculative", kDefaultOff<kEnableSpeculative>, "",
     "contacts of fast geoms before they touch, so that they do not tunnel"},
    {"sensornoise", kDefaultOff<kEnableSensorNoise>, "", "sensor noise, as in attribute noise; Torsor extension"},
};

}  // namespace

Table<Option> option_attributes() {
  static const std::vector<Attribute<Option>> rows = make_option_attributes();
  return rows;
}

Table<Option> flag_attributes() { return kFlagAttributes; }

void read_option(const Element& element, Reader& reader) {
  read_attributes(element, reader.spec.option, reader.report, option_attributes());
  reader.note_given(element);
  check_unique_children(element, reader);
  for (const Element& child : element) {
    if (child.name() == "flag") {
      read_attributes(child, reader.spec.option, reader.report, flag_attributes());
      reader.note_given(child);
      reader.reject_children(child, "mujoco/option/flag");
    } else {
      reader.reject(child, "mujoco/option");
    }
  }
}

}  // namespace torsor::mjcf
