// Length ranges of actuators, if the compiler's settings request them: given by the author, taken from the limits of
// the driven joint or tendon, or measured.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

enum Mode { kNone, kMuscles, kMusclesAndUsers, kAll };  // as in LengthRangeSpec

bool is_wanted(const ActuatorSpec& spec, int mode) {
  const bool is_muscle = spec.gaintype == ActuatorGain::kMuscle || spec.biastype == ActuatorBias::kMuscle;
  const bool is_user = spec.gaintype == ActuatorGain::kUser || spec.biastype == ActuatorBias::kUser;
  return mode == kAll || (mode >= kMuscles && is_muscle) || (mode >= kMusclesAndUsers && is_user);
}

// The limits of the joint or tendon, without gear, as in MuJoCo; null if there are none.
const double* find_limits(const ActuatorDraft& actuator, const Model& model) {
  switch (actuator.transmission) {
    case Transmission::kJoint:
    case Transmission::kJointInParent:
      return model.jnt_limited[actuator.target] ? model.jnt_range.row(actuator.target, 2) : nullptr;
    case Transmission::kTendon:
      return model.tendon_limited[actuator.target] ? model.tendon_range.row(actuator.target, 2) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

namespace {

// A measurement is a simulation, whose number of steps must be limited.
void check_steps(Draft& draft, const LengthRangeSpec& settings) {
  constexpr double kMostSteps = 1e6;
  if (settings.timestep > 0 && settings.inttotal / settings.timestep <= kMostSteps) return;
  draft.error_at({},
                 fmt::format("lengthrange of compiler: the simulation takes inttotal / timestep = {} / {} steps; it "
                             "needs a positive timestep and takes at most {} steps",
                             settings.inttotal, settings.timestep, kMostSteps));
}

void measure(Draft& draft, const ActuatorSpec& spec, Model& model, int output, LengthMeter meter) {
  if (!meter) {
    draft.error("actuator", spec, "its length range is not given, and it cannot be measured here",
                "give the attribute lengthrange, or set uselimit or mode of compiler/lengthrange");
    return;
  }
  const LengthMeasurement found = meter(model, output, draft.spec.compiler.lengthrange);
  if (found.problem)
    draft.error("actuator", spec, std::string("its length range cannot be measured: ") + found.problem,
                "give the attribute lengthrange, or set uselimit or mode of compiler/lengthrange");
  else
    std::copy(found.range, found.range + 2, model.actuator_lengthrange.row(output, 2));
}

}  // namespace

void settle_length_ranges(Draft& draft, Model& model, LengthMeter meter) {
  const LengthRangeSpec& settings = draft.spec.compiler.lengthrange;
  bool is_checked = false;
  for (int a = 0; a < model.nactuator; ++a) {
    const ActuatorDraft& actuator = draft.actuators[static_cast<size_t>(a)];
    if (!is_wanted(*actuator.spec, settings.mode)) continue;
    double* range = model.actuator_lengthrange.row(model.actuator_outadr[a], 2);
    if (settings.useexisting && range[0] < range[1]) continue;
    if (const double* limits = settings.uselimit ? find_limits(actuator, model) : nullptr) {
      std::copy(limits, limits + 2, range);
      continue;
    }
    if (!is_checked && !draft.passes([&] { check_steps(draft, settings); })) return;
    is_checked = true;
    measure(draft, *actuator.spec, model, model.actuator_outadr[a], meter);
  }
}

}  // namespace torsor::compiler
