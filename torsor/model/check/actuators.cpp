// Actuators: parts that belong together, targets, and places in ctrl, act, history and actuator_moment.
#include <algorithm>
#include <numeric>
#include <vector>

#include "torsor/model/actuator_inputs.hpp"
#include "torsor/model/check/checker.hpp"
#include "torsor/model/structure.hpp"

namespace torsor::checks {
namespace {

struct Totals {
  int64_t controls = 0, outputs = 0, activations = 0, moments = 0, history = 0;
};

class ActuatorCheck {
 public:
  ActuatorCheck(const Model& model, int actuator)
      : m(model),
        a(actuator),
        transmission_(static_cast<Transmission>(m.actuator_trntype[a])),
        dynamics_(static_cast<ActuatorDynamics>(m.actuator_dyntype[a])),
        gain_(static_cast<ActuatorGain>(m.actuator_gaintype[a])),
        bias_(static_cast<ActuatorBias>(m.actuator_biastype[a])) {}

  void run(Totals& totals) const {
    types();
    numbers();
    target();
    places(totals);
    moments(totals);
  }

 private:
  bool is_so3() const { return gain_ == ActuatorGain::kSo3; }
  bool is_motor() const { return gain_ == ActuatorGain::kDcMotor; }
  bool is_pid() const { return gain_ == ActuatorGain::kPid; }
  int target_id() const { return m.actuator_trnid[2 * a]; }
  int reference_id() const { return m.actuator_trnid[2 * a + 1]; }

  void types() const {
    expect(is_so3() == (bias_ == ActuatorBias::kSo3) && is_so3() == (transmission_ == Transmission::kSo3),
           "actuator_gaintype", a, "gain, bias and transmission are all so3, or none");
    expect(is_motor() == (bias_ == ActuatorBias::kDcMotor) && is_motor() == (dynamics_ == ActuatorDynamics::kDcMotor),
           "actuator_gaintype", a, "dynamics, gain and bias are all dcmotor, or none");
    expect(is_pid() || dynamics_ != ActuatorDynamics::kPid, "actuator_dyntype", a,
           "the dynamics pid need the gain pid");
    expect(!is_pid() || dynamics_ == ActuatorDynamics::kPid || dynamics_ == ActuatorDynamics::kNone, "actuator_dyntype",
           a, "a pid has the dynamics none or pid");
    expect(!is_so3() || dynamics_ == ActuatorDynamics::kNone || dynamics_ == ActuatorDynamics::kIntegrator,
           "actuator_dyntype", a, "an so3 actuator has the dynamics none or integrator");
  }

  // How many controls, outputs and activations its types ask for.
  void numbers() const {
    const int inputs = m.actuator_ctrlspec[a];
    expect(fits_gain(inputs, gain_), "actuator_ctrlspec", a, "it is an input of the gain");
    expect(m.actuator_ctrlnum[a] == count_controls(inputs, gain_), "actuator_ctrlnum", a,
           "it follows from gain and ctrlspec");
    expect(m.actuator_outnum[a] == (is_so3() ? 3 : 1), "actuator_outnum", a, "it follows from the gain");
    const int activations = m.actuator_actnum[a];
    const bool fits = dynamics_ == ActuatorDynamics::kNone   ? activations == 0
                      : is_so3()                             ? activations == 3
                      : is_motor()                           ? activations <= kMostMotorStates
                      : is_pid()                             ? activations >= 1 && activations <= kMostPidStates
                      : dynamics_ == ActuatorDynamics::kUser ? activations >= 1
                                                             : activations == 1;
    expect(fits, "actuator_actnum", a, "it follows from the dynamics");
  }

  void target() const {
    const auto expect_target = [&](int count) {
      expect(target_id() >= 0 && target_id() < count, "actuator_trnid", 2 * a, "it exists");
    };
    const bool may_refer = transmission_ == Transmission::kSite || transmission_ == Transmission::kSliderCrank ||
                           transmission_ == Transmission::kSo3;
    expect(reference_id() < (may_refer ? m.nsite : 0), "actuator_trnid", 2 * a + 1, "it is a site");
    switch (transmission_) {
      case Transmission::kJoint:
      case Transmission::kJointInParent:
        return expect_target(m.njnt);
      case Transmission::kTendon:
        return expect_target(m.ntendon);
      case Transmission::kBody:
        return expect_target(m.nbody);
      case Transmission::kSliderCrank:
        expect(reference_id() >= 0, "actuator_trnid", 2 * a + 1, "a slider-crank has a slider");
        return expect_target(m.nsite);
      case Transmission::kSite:
        return expect_target(m.nsite);
      case Transmission::kSo3:
        if (reference_id() >= 0) return expect_target(m.nsite);
        expect_target(m.njnt);
        expect(m.jnt_type[target_id()] == static_cast<int>(JointType::kBall), "actuator_trnid", 2 * a,
               "an so3 actuator drives a ball joint");
    }
  }

  // Controls, outputs, activations and histories follow each other.
  void places(Totals& totals) const {
    const int samples = m.actuator_history[2 * a], activations = m.actuator_actnum[a];
    expect(m.actuator_ctrladr[a] == totals.controls, "actuator_ctrladr", a, "controls follow each other");
    expect(m.actuator_outadr[a] == totals.outputs, "actuator_outadr", a, "outputs follow each other");
    expect(m.actuator_actadr[a] == (activations > 0 ? totals.activations : -1), "actuator_actadr", a,
           "activations follow each other");
    expect(m.actuator_history[2 * a + 1] <= 2, "actuator_history", 2 * a + 1, "interpolation is 0, 1 or 2");
    expect(samples == 0 || m.actuator_ctrlnum[a] > 0, "actuator_history", 2 * a, "a history has a control");
    expect(m.actuator_historyadr[a] == (samples > 0 ? totals.history : -1), "actuator_historyadr", a,
           "histories follow each other");
    totals.controls += m.actuator_ctrlnum[a];
    totals.activations += activations;
    if (samples > 0) totals.history += 2 + (1 + int64_t{m.actuator_ctrlnum[a]}) * samples;
  }

  // Rows of actuator_moment: the dofs that change the length, in room that compile() reserves.
  void moments(Totals& totals) const {
    const std::vector<int> dofs = moment_dofs();
    const bool is_ball = transmission_ == Transmission::kSo3 && reference_id() < 0;
    const bool takes_all = is_so3() && !is_ball;
    const int64_t reserved = takes_all ? m.nv : is_ball ? 1 : static_cast<int64_t>(dofs.size());
    for (int k = 0; k < m.actuator_outnum[a]; ++k) {
      const int64_t out = totals.outputs + k;
      const int* columns = m.moment_colind.data() + m.moment_rowadr[out];
      expect(m.moment_rowadr[out] == totals.moments && totals.moments + reserved <= m.nJmom, "moment_rowadr", out,
             "rows follow each other");
      const bool fits = is_ball ? m.moment_rownnz[out] == 1 && columns[0] == dofs[static_cast<size_t>(k)]
                                : std::equal(dofs.begin(), dofs.end(), columns, columns + m.moment_rownnz[out]);
      expect(fits, "moment_rownnz", out, "the columns of a moment are the dofs of its target");
      totals.moments += reserved;
    }
    totals.outputs += m.actuator_outnum[a];
  }

  std::vector<int> moment_dofs() const {
    std::vector<int> dofs;
    switch (transmission_) {
      case Transmission::kBody:
        dofs.resize(static_cast<size_t>(m.nv));
        std::iota(dofs.begin(), dofs.end(), 0);
        return dofs;
      case Transmission::kTendon: {
        const int* columns = m.ten_J_colind.data() + m.ten_J_rowadr[target_id()];
        return {columns, columns + m.ten_J_rownnz[target_id()]};
      }
      case Transmission::kJoint:
      case Transmission::kJointInParent:
        return joint_dofs();
      case Transmission::kSo3:
        if (reference_id() < 0) return joint_dofs();
        [[fallthrough]];
      default:
        return site_dofs();
    }
  }

  std::vector<int> joint_dofs() const {
    std::vector<int> dofs;
    const int first = m.jnt_dofadr[target_id()];
    for (int k = 0; k < dof_count(static_cast<JointType>(m.jnt_type[target_id()])); ++k) dofs.push_back(first + k);
    return dofs;
  }

  // A pose relative to another site depends only on the dofs that move one of the two.
  std::vector<int> site_dofs() const {
    const std::vector<int> first = chain(target_id());
    if (reference_id() < 0) return first;
    const std::vector<int> second = chain(reference_id());
    std::vector<int> dofs;
    if (transmission_ == Transmission::kSliderCrank)
      std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(dofs));
    else
      std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(dofs));
    return dofs;
  }

  // The dofs that a site moves with, ascending.
  std::vector<int> chain(int site) const {
    std::vector<int> dofs;
    int body = m.site_bodyid[site];
    while (body > 0 && m.body_dofnum[body] == 0) body = m.body_parentid[body];
    if (body > 0)
      for (int i = m.body_dofadr[body] + m.body_dofnum[body] - 1; i >= 0; i = m.dof_parentid[i]) dofs.push_back(i);
    std::reverse(dofs.begin(), dofs.end());
    return dofs;
  }

  static constexpr int kMostMotorStates = 5;  // slew limit, integral, temperature, bristles, current
  static constexpr int kMostPidStates = 2;    // slew limit, integral
  const Model& m;
  int a;
  Transmission transmission_;
  ActuatorDynamics dynamics_;
  ActuatorGain gain_;
  ActuatorBias bias_;
};

}  // namespace

void check_actuators(const Model& m) {
  Totals totals;
  for (int a = 0; a < m.nactuator; ++a) ActuatorCheck(m, a).run(totals);
  expect_size("nu", m.nu, totals.controls);
  expect_size("nout", m.nout, totals.outputs);
  expect_size("na", m.na, totals.activations);
  expect_size("nJmom", m.nJmom, totals.moments);
}

}  // namespace torsor::checks
