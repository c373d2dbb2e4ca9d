// Joints: which limits apply, and conversion of angles to radians.
#include "torsor/compile/draft.hpp"
#include "torsor/compile/orientation.hpp"

namespace torsor::compiler {
namespace {

bool is_rotary(JointType type) { return type == JointType::kHinge || type == JointType::kBall; }

// limited="auto" means limited if a range is given. Without autolimits, `limited` must be explicit.
bool settle_limited(Draft& draft, const JointSpec& joint, Tristate limited, const Number2& range, const char* name) {
  if (limited != Tristate::kAuto) return limited == Tristate::kTrue;
  if (draft.spec.compiler.autolimits) return range[0] < range[1];
  if (range != Number2{0, 0})
    draft.error(
        "joint", joint,
        std::string("has ") + name + ", but neither its limited attribute nor autolimits says whether it applies",
        "set autolimits of compiler, or the limited attribute of the joint");
  return false;
}

void settle_range(Draft& draft, JointDraft& joint, const AngleUnits& units) {
  const JointSpec& spec = *joint.spec;
  joint.range = spec.range;
  if (spec.type == JointType::kFree) return;
  joint.limited = settle_limited(draft, spec, spec.limited, spec.range, "a range");
  if (!joint.limited) return;
  if (spec.type == JointType::kBall) {
    if (spec.range[0] != 0) draft.error("joint", spec, "the range of a ball joint must start at 0");
  } else if (!(spec.range[0] < spec.range[1])) {
    draft.error("joint", spec, "range: the lower limit must be less than the upper limit");
  }
  if (is_rotary(spec.type)) joint.range = {units.radians(spec.range[0]), units.radians(spec.range[1])};
}

void settle_force_range(Draft& draft, JointDraft& joint) {
  const JointSpec& spec = *joint.spec;
  if (spec.type == JointType::kFree || spec.type == JointType::kBall) return;
  joint.force_limited = settle_limited(draft, spec, spec.actfrclimited, spec.actfrcrange, "an actuatorfrcrange");
  if (joint.force_limited && !(spec.actfrcrange[0] < spec.actfrcrange[1]))
    draft.error("joint", spec, "actuatorfrcrange: the lower limit must be less than the upper limit");
}

}  // namespace

void settle_joints(Draft& draft) {
  const AngleUnits units{draft.spec.compiler.degree, draft.spec.compiler.eulerseq};
  for (BodyDraft& body : draft.bodies) {
    for (JointDraft& joint : body.joints) {
      const JointSpec& spec = *joint.spec;
      settle_range(draft, joint, units);
      settle_force_range(draft, joint);
      check_compliance(draft, "joint", spec, "a near-rigid limit");
      const bool is_hinge = spec.type == JointType::kHinge;
      joint.reference = is_hinge ? units.radians(spec.ref) : spec.ref;
      joint.spring_reference = is_hinge ? units.radians(spec.springref) : spec.springref;
      joint.spring_yield =
          is_hinge || spec.type == JointType::kBall ? units.radians(spec.springyield) : spec.springyield;
      if (spec.springyield < 0) draft.error("joint", spec, "springyield must not be negative");
      if (spec.springyield > 0 && spec.type == JointType::kFree)
        draft.error("joint", spec, "the spring of a free joint cannot be plastic", "leave out springyield");
      const Number2& springdamper = spec.springdamper;
      if (springdamper != Number2{0, 0} && !(springdamper[0] > 0 && springdamper[1] > 0))
        draft.error("joint", spec, "the numbers of springdamper must both be positive");
    }
  }
}

}  // namespace torsor::compiler
