// Actuators: what they drive, how many controls, activations and outputs they have, and which ranges apply.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "torsor/compile/targets.hpp"
#include "torsor/model/actuator_form.hpp"
#include "torsor/model/actuator_inputs.hpp"

namespace torsor::compiler {
namespace {

class Settler {
 public:
  Settler(Draft& draft, const Tree& tree, const Targets& targets, ActuatorDraft& actuator)
      : draft_(draft), tree_(tree), targets_(targets), actuator_(actuator), spec_(*actuator.spec) {}

  void settle() {
    const bool has_target = draft_.passes([this] { find_target(); });
    const bool has_types = draft_.passes([this] { settle_types(); });
    if (has_types) count();
    if (has_target && has_types) list_dofs();
    if (has_target) settle_ranges();
    check_numbers();
  }

 private:
  void error(const std::string& message, std::string hint = {}) {
    draft_.error("actuator", spec_, message, std::move(hint));
  }
  int find(const NameTable& table, std::string_view what, const std::string& name) {
    return draft_.resolve(table, what, name, "actuator", spec_);
  }
  bool is_so3() const { return spec_.gaintype == ActuatorGain::kSo3; }
  bool is_motor() const { return spec_.gaintype == ActuatorGain::kDcMotor; }
  const Targets::Joint* joint() const {
    const bool is_joint = !spec_.joint.empty() || !spec_.jointinparent.empty();
    return is_joint && actuator_.target >= 0 ? &targets_.joints[at(actuator_.target)] : nullptr;
  }

  void find_target() {
    const struct {
      const std::string& name;
      const char* what;
      const NameTable& table;
      Transmission transmission;
    } choices[] = {
        {spec_.joint, "joint", targets_.names(ObjectType::kJoint), Transmission::kJoint},
        {spec_.jointinparent, "joint", targets_.names(ObjectType::kJoint), Transmission::kJointInParent},
        {spec_.tendon, "tendon", targets_.names(ObjectType::kTendon), Transmission::kTendon},
        {spec_.site, "site", targets_.names(ObjectType::kSite), Transmission::kSite},
        {spec_.cranksite, "site", targets_.names(ObjectType::kSite), Transmission::kSliderCrank},
        {spec_.body, "body", targets_.names(ObjectType::kBody), Transmission::kBody},
    };
    int given = 0;
    for (const auto& choice : choices) {
      if (choice.name.empty()) continue;
      ++given;
      actuator_.transmission = choice.transmission;
      actuator_.target = find(choice.table, choice.what, choice.name);
    }
    if (given != 1) error("needs exactly one of joint, jointinparent, tendon, site, cranksite, body");
    if (actuator_.transmission == Transmission::kSite) actuator_.reference = find_site(spec_.refsite);
    if (actuator_.transmission != Transmission::kSliderCrank) return;
    actuator_.reference = find_site(spec_.slidersite);
    if (spec_.slidersite.empty()) error("a slider-crank needs a slidersite");
    if (!(spec_.cranklength > 0)) error("the cranklength of a slider-crank must be positive");
  }
  int find_site(const std::string& name) { return find(targets_.names(ObjectType::kSite), "site", name); }

  void settle_types() {
    if (is_so3() != (spec_.biastype == ActuatorBias::kSo3)) error("gaintype and biastype must both be so3, or neither");
    if (spec_.dyntype == ActuatorDynamics::kPid && spec_.gaintype != ActuatorGain::kPid)
      error("the dynamics pid need the gaintype pid");
    const bool has_motor_bias = spec_.biastype == ActuatorBias::kDcMotor;
    const bool has_motor_dynamics = spec_.dyntype == ActuatorDynamics::kDcMotor;
    if (is_motor() != has_motor_bias || is_motor() != has_motor_dynamics)
      error("dyntype, gaintype and biastype must all be dcmotor, or none");
    actuator_.ctrlspec = spec_.ctrlspec != 0 ? spec_.ctrlspec : standard_inputs(spec_.gaintype);
    check_inputs();
    if (is_so3()) settle_so3();
    if (spec_.gaintype == ActuatorGain::kPid) settle_pid();
    if (is_motor()) settle_motor();
  }

  void check_inputs() {
    if (fits_gain(actuator_.ctrlspec, spec_.gaintype)) return;
    switch (spec_.gaintype) {
      case ActuatorGain::kSo3:
        return error("the input of an so3 actuator is expmap or quat");
      case ActuatorGain::kPid:
        return error("the inputs of a pid are some of pos, vel and ff");
      case ActuatorGain::kDcMotor:
        return error("the inputs of a dcmotor are none, or some of pos, vel, ff and voltage");
      case ActuatorGain::kFixed:
      case ActuatorGain::kAffine:
        return error("with a fixed or affine gain the input is pos, vel or pressure");
      default:
        return error("input is only for fixed, affine, so3, pid and dcmotor gains");
    }
  }

  void settle_so3() {
    const auto transmission = actuator_.transmission;
    if (transmission == Transmission::kJoint) {
      if (joint() && joint()->draft->spec->type != JointType::kBall) error("an so3 actuator needs a ball joint");
    } else if (transmission == Transmission::kSite) {
      if (spec_.refsite.empty()) error("an so3 actuator of a site needs a refsite");
    } else {
      error("an so3 actuator drives a joint or a site");
    }
    actuator_.transmission = Transmission::kSo3;
    if (spec_.dyntype != ActuatorDynamics::kNone && spec_.dyntype != ActuatorDynamics::kIntegrator)
      error("an so3 actuator has the dyntype none or integrator");
    if (actuator_.ctrlspec == kChartQuat && spec_.dyntype != ActuatorDynamics::kNone)
      error("an so3 actuator with the input quat needs the dyntype none");
    if (spec_.gainprm[0] != -spec_.biasprm[1]) error("an so3 actuator needs gainprm[0] = -biasprm[1], its stiffness");
    if (spec_.forcerange[0] != 0) error("forcerange of an so3 actuator limits the norm of the torque: it starts at 0");
  }

  void settle_pid() {
    if (spec_.dyntype == ActuatorDynamics::kPid && !(actuator_.ctrlspec & kInputPosition))
      error("ki and slewmax of a pid need the input pos");
    if (spec_.dyntype != ActuatorDynamics::kPid && spec_.dyntype != ActuatorDynamics::kNone)
      error("a pid has the dyntype none or pid");
    if (spec_.biastype != ActuatorBias::kAffine) error("a pid has the biastype affine");
    if (spec_.gainprm[0] != 0 && spec_.dyntype != ActuatorDynamics::kPid)
      error("the integral gain of a pid, gainprm[0], needs the dyntype pid");
  }

  void settle_motor() {
    const Number10& gain = spec_.gainprm;
    if (!(gain[0] > 0)) error("the resistance must be positive");
    if (!(gain[1] > 0) && actuator_.ctrlspec != kInputNone) error("the motor constant must be positive");
    if (gain[1] < 0) error("the motor constant cannot be negative");
    const bool is_controlled = actuator_.ctrlspec & (kInputPosition | kInputVelocity | kInputForce);
    if (!is_controlled && (gain[4] != 0 || gain[5] != 0 || gain[6] != 0))
      error("the gains of the controller need one of the inputs pos, vel, ff");
    if (!is_controlled && spec_.dynprm[7] != 0)
      error("the slew limit of the controller needs one of the inputs pos, vel, ff");
    if (gain[5] != 0 && !(actuator_.ctrlspec & kInputPosition))
      error("the integral gain of the controller needs the input pos");
  }

  void count() {
    actuator_.outputs = is_so3() ? 3 : 1;
    actuator_.controls = count_controls(actuator_.ctrlspec, spec_.gaintype);
    actuator_.activations = count_activations();
    check_history();
  }

  void check_history() {
    if (spec_.nsample > 0 && actuator_.controls == 0) error("a history of controls needs an input");
  }

  int count_activations() {
    const bool is_active = spec_.dyntype != ActuatorDynamics::kNone;
    if (!is_active && spec_.actdim > 0) error(fmt::format("has actdim {} without activation dynamics", spec_.actdim));
    if (is_active && !is_so3() && !is_motor()) {
      if (spec_.dyntype == ActuatorDynamics::kPid && !(spec_.dynprm[1] > 0) && spec_.gainprm[0] == 0)
        error("the dynamics pid need ki or slewmax");
      if (spec_.actdim == 0) error("has actdim 0 with activation dynamics");
      if (spec_.actdim > 1 && spec_.dyntype != ActuatorDynamics::kUser) error("actdim above 1 needs the dyntype user");
    }
    return torsor::count_activations(spec_);
  }

  // The dofs that move a body, ascending.
  std::vector<int> chain(int site) const {
    std::vector<int> dofs;
    for (int i = tree_.last_dof[at(targets_.site_bodies[at(site)])]; i >= 0; i = tree_.dof_parentid[at(i)])
      dofs.push_back(i);
    std::reverse(dofs.begin(), dofs.end());
    return dofs;
  }

  void list_dofs() {
    std::vector<int>& dofs = actuator_.dofs;
    if (actuator_.target < 0) return;
    if (const Targets::Joint* driven = joint()) {
      for (int k = 0; k < dof_count(driven->draft->spec->type); ++k) dofs.push_back(driven->dof + k);
      actuator_.reserved = static_cast<int>(dofs.size());
      if (is_so3()) actuator_.reserved = 1;
      return;
    }
    if (actuator_.transmission == Transmission::kTendon) dofs = draft_.tendons[at(actuator_.target)].dofs;
    if (actuator_.transmission == Transmission::kBody) {  // its contacts may be with any other body
      dofs.resize(at(tree_.nv()));
      std::iota(dofs.begin(), dofs.end(), 0);
    } else if (actuator_.transmission != Transmission::kTendon) {
      dofs = dofs_of_sites();
    }
    actuator_.reserved = is_so3() ? tree_.nv() : static_cast<int>(dofs.size());
  }

  // A pose relative to another site depends only on the dofs that move one of the two.
  std::vector<int> dofs_of_sites() const {
    const std::vector<int> first = chain(actuator_.target);
    if (actuator_.reference < 0) return first;
    const std::vector<int> second = chain(actuator_.reference);
    std::vector<int> dofs;
    if (actuator_.transmission == Transmission::kSliderCrank)
      std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(dofs));
    else
      std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(dofs));
    return dofs;
  }

  bool settle_limited(Tristate limited, const Number2& range, const char* name) {
    if (limited != Tristate::kAuto) return limited == Tristate::kTrue;
    if (draft_.spec.compiler.autolimits) return range[0] < range[1];
    if (range != Number2{0, 0})
      error(fmt::format("has {}, but neither its limited attribute nor autolimits says whether it applies", name),
            "set autolimits of compiler, or the limited attribute of the actuator");
    return false;
  }

  // Only the control of a servo is a position.
  bool is_servo() const {
    if (spec_.biastype != ActuatorBias::kAffine) return false;
    if (spec_.gaintype == ActuatorGain::kPid) return true;
    return spec_.gaintype == ActuatorGain::kFixed && spec_.gainprm[0] == -spec_.biasprm[1];
  }

  // The range of the joint or tendon, about its middle.
  Number2 inherited_range() {
    Number2 range{0, 0};
    bool is_limited = false;
    if (actuator_.transmission == Transmission::kJoint && joint()) {
      const JointDraft& driven = *joint()->draft;
      if (driven.spec->type != JointType::kHinge && driven.spec->type != JointType::kSlide)
        error("inheritrange needs a hinge or slide joint");
      range = driven.range;
      is_limited = range[0] != range[1];
    } else if (actuator_.transmission == Transmission::kTendon && actuator_.target >= 0) {
      range = draft_.tendons[at(actuator_.target)].spec->range;
      is_limited = range[0] != range[1];
    } else {
      error("inheritrange needs the transmission joint or tendon");
      return range;
    }
    if (!is_limited) error("inheritrange needs a joint or tendon with a range");
    const double middle = 0.5 * (range[1] + range[0]), half = 0.5 * (range[1] - range[0]) * spec_.inheritrange;
    return {middle - half, middle + half};
  }

  void settle_ranges() {
    actuator_.ctrlrange = spec_.ctrlrange;
    actuator_.actrange = spec_.actrange;
    if (spec_.inheritrange > 0 && is_servo()) {
      const bool integrates = spec_.dyntype == ActuatorDynamics::kIntegrator;
      (integrates ? actuator_.actrange : actuator_.ctrlrange) = inherited_range();
    }
    actuator_.ctrllimited = settle_limited(spec_.ctrllimited, actuator_.ctrlrange, "a ctrlrange");
    actuator_.forcelimited = settle_limited(spec_.forcelimited, spec_.forcerange, "a forcerange");
    actuator_.actlimited = settle_limited(spec_.actlimited, actuator_.actrange, "an actrange");
    const auto check = [this](bool limited, const Number2& range, const char* name) {
      if (limited && !(range[0] < range[1]))
        error(fmt::format("{}: the lower limit must be less than the upper limit", name));
    };
    check(actuator_.ctrllimited, actuator_.ctrlrange, "ctrlrange");
    check(actuator_.forcelimited, spec_.forcerange, "forcerange");
    check(actuator_.actlimited, actuator_.actrange, "actrange");
    if (actuator_.actlimited && spec_.dyntype == ActuatorDynamics::kNone)
      error("has an actrange without activation dynamics", "set dyntype");
  }

  void check_numbers() {
    const bool drives_joint = joint() != nullptr && !is_so3();
    const bool has_share = spec_.armature != 0 || spec_.damping != Number3{0, 0, 0};
    if (has_share && !drives_joint && actuator_.transmission != Transmission::kTendon)
      error("damping and armature need the transmission joint or tendon");
    if (spec_.delay > 0 && spec_.nsample <= 0) error("a delay needs a history of controls", "set nsample");
    const bool is_muscle = spec_.gaintype == ActuatorGain::kMuscle || spec_.biastype == ActuatorBias::kMuscle;
    if (is_muscle) check_muscle(spec_.gaintype == ActuatorGain::kMuscle ? spec_.gainprm : spec_.biasprm);
  }

  void check_muscle(const Number10& prm) {
    if (!(prm[0] < prm[1])) error("range of a muscle: the lower limit must be less than the upper limit");
    if (!(prm[4] < 1 && 1 < prm[5])) error("a muscle needs lmin < 1 < lmax");
    if (!(prm[6] > 0 && prm[7] > 0 && prm[8] > 0)) error("vmax, fpmax and fvmax of a muscle must be positive");
  }

  Draft& draft_;
  const Tree& tree_;
  const Targets& targets_;
  ActuatorDraft& actuator_;
  const ActuatorSpec& spec_;
};

}  // namespace

void settle_actuators(Draft& draft, const Tree& tree, const Targets& targets) {
  for (const ActuatorSpec& spec : draft.spec.actuators) {
    ActuatorDraft& actuator = draft.actuators.emplace_back();
    actuator.spec = &spec;
    Settler(draft, tree, targets, actuator).settle();
  }
}

}  // namespace torsor::compiler
