#include "torsor/bridge/newton/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/body_view.hpp"
#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::newton {
namespace {

int find_word(const std::string& word, std::initializer_list<const char*> words, const char* what) {
  int index = 0;
  for (const char* each : words) {
    if (word == each) return index;
    ++index;
  }
  throw Error(fmt::format("unknown {} '{}'", what, word));
}

void apply_options(const SolverOptions& options, Option& opt) {
  if (options.iterations) opt.iterations = *options.iterations;
  if (options.ls_iterations) opt.ls_iterations = *options.ls_iterations;
  if (options.tolerance) opt.tolerance = *options.tolerance;
  if (options.ls_tolerance) opt.ls_tolerance = *options.ls_tolerance;
  if (options.impratio) opt.impratio = *options.impratio;
  if (opt.iterations < 1 || opt.ls_iterations < 1) throw Error("a solver needs at least one iteration");
  if (!(opt.impratio > 0)) throw Error("impratio must be positive");
  if (!options.cone.empty()) opt.cone = find_word(options.cone, {"pyramidal", "elliptic"}, "cone");
  if (!options.solver.empty()) opt.solver = find_word(options.solver, {"pgs", "cg", "newton"}, "solver");
  if (!options.integrator.empty())
    opt.integrator = find_word(options.integrator, {"euler", "rk4", "implicit", "implicitfast"}, "integrator");
}

}  // namespace

Solver::Solver(const Model& model)
    : Solver(model, std::make_shared<torsor::Model>(model.engine()), std::make_shared<Data>(model.engine())) {}

Solver::Solver(const Model& model, std::shared_ptr<torsor::Model> engine, std::shared_ptr<Data> data)
    : model_(model.data()),
      shared_engine_(std::move(engine)),
      shared_data_(std::move(data)),
      engine_(*shared_engine_),
      data_(*shared_data_),
      distances_(model_->lists, model_->engine) {
  require_fit(engine_, data_);
  engine_.opt.disableflags |= kDisableAutoReset;  // bad numbers are an error, and do not reset the state
  model_->set_contact_filter(data_);
}

void Solver::set_input(const State& state, const Control* control) {
  const ModelBuilder& lists = model_->lists;
  model_->set_positions(state.joint_q.data(), data_);
  if (model_->needs_kinematics()) compute_kinematics(engine_, data_);
  model_->set_velocities(state.joint_q.data(), state.joint_qd.data(), data_);
  std::copy(state.act.begin(), state.act.end(), data_.act.begin());
  const std::vector<double>& pos = control ? control->joint_target_pos : lists.joint_target_pos;
  const std::vector<double>& vel = control ? control->joint_target_vel : lists.joint_target_vel;
  std::vector<double> force = control ? control->joint_f : lists.joint_f;
  for (int i = 0; i < lists.joint_dof_count(); ++i) {
    if (control) force[i] += control->joint_act[i];
    const Drive& drive = model_->layout.drives[i];
    if (drive.control < 0) continue;
    data_.ctrl[drive.control] = drive.position * (pos[i] + drive.ref) + drive.velocity * vel[i];
    if (!std::isfinite(data_.ctrl[drive.control])) throw Error(fmt::format("a target of axis {} is not a number", i));
  }
  if (control) std::copy(control->ctrl.begin(), control->ctrl.end(), data_.ctrl.data() + model_->layout.native_control);
  model_->set_forces(state.joint_q.data(), force.data(), data_);
  // loads on bodies, including forces of free joints
  std::fill(data_.xfrc_applied.begin(), data_.xfrc_applied.end(), 0.0);
  const auto push = [&](int body, const double* wrench) {
    const bool is_zero = std::all_of(wrench, wrench + 6, [](double number) { return number == 0; });
    if (!is_zero) apply_body_wrench(engine_, data_, model_->layout.body_engine[body], model_->convention, wrench);
  };
  for (int b = 0; b < lists.body_count(); ++b) push(b, &state.body_f[6 * b]);
  for (int j = 0; j < lists.joint_count(); ++j) {
    const bool has_pose = lists.joint_type[j] == JointKind::kFree || lists.joint_type[j] == JointKind::kDistance;
    if (has_pose) push(lists.joint_child[j], &force[lists.joint_qd_start[j]]);
  }
}

void Solver::read_output(const State& state_in, State& state_out) {
  State result = state_out;
  result.joint_q = state_in.joint_q;  // coordinates that the engine does not have stay the same
  result.joint_qd = state_in.joint_qd;
  model_->read_bodies(data_, result);
  model_->read_positions(data_, result.joint_q.data());
  model_->read_velocities(data_, result.joint_qd.data());
  std::copy(data_.act.begin(), data_.act.end(), result.act.begin());
  state_out.assign(result);
}

void Solver::step(const State& state_in, State& state_out, const Control* control, const Contacts* contacts,
                  double dt) {
  if (!std::isfinite(dt) || dt <= 0) throw Error(fmt::format("dt is {}; a step needs a positive time", dt));
  model_->check(state_in, "state_in");
  model_->check(state_out, "state_out");
  if (control) model_->check(*control);
  if (contacts) {
    if (contacts->model != model_) throw Error("the contacts belong to another model: call model.collide(state_in)");
    if (contacts->joint_q != state_in.joint_q)
      throw Error("the contacts belong to another state: call model.collide(state_in) before every step");
  }
  engine_.opt.timestep = dt;
  std::copy_n(model_->engine.opt.gravity, 3, engine_.opt.gravity);
  set_input(state_in, control);
  distances_.prepare(state_in.joint_q.data(), dt, engine_);
  static const KeptContacts kNone;
  std::optional<ContactsGiven> given;
  if (!finds_contacts()) given.emplace(data_, takes_contacts(contacts) ? *contacts : kNone);
  const Status status = torsor::step(engine_, data_);
  require_memory(engine_, data_);
  if (status != Status::kOk) {
    reset(engine_, data_);
    throw Error(
        "the step gave numbers that are not finite or too large; state_out is unchanged. Use a smaller dt, or check "
        "stiffness and masses");
  }
  read_output(state_in, state_out);
}

SolverMuJoCo::SolverMuJoCo(const Model& model, const SolverOptions& options) : Solver(model), options_(options) {
  // Newton's default, unless the model's file specifies another
  if (engine_.opt.integrator == static_cast<int>(Integrator::kEuler))
    engine_.opt.integrator = static_cast<int>(Integrator::kImplicitFast);
  apply_options(options, engine_.opt);
}

bool SolverMuJoCo::finds_contacts() const { return options_.use_mujoco_contacts && !options_.disable_contacts; }

bool SolverMuJoCo::takes_contacts(const Contacts* contacts) const { return contacts && !options_.disable_contacts; }

SolverSAP::SolverSAP(const Model& model, const SolverOptions& options) : Solver(model) { set_options(options); }

SolverSAP::SolverSAP(const Model& model, std::shared_ptr<torsor::Model> engine, std::shared_ptr<Data> data,
                     const SolverOptions& options)
    : Solver(model, std::move(engine), std::move(data)) {
  set_options(options);
}

void SolverSAP::set_options(const SolverOptions& options) {
  apply_options(options, engine_.opt);
  if (options.tolerance) engine_.opt.sap_tolerance = *options.tolerance;
  engine_.opt.solver = static_cast<int>(SolverType::kSap);
  engine_.opt.frictionmix = static_cast<int>(FrictionMix::kHarmonic);  // of two shapes, as in Newton's SAP
  engine_.opt.integrator = static_cast<int>(Integrator::kEuler);
}

SolverFeatherstone::SolverFeatherstone(const Model& model) : Solver(model) {
  engine_.opt.integrator = static_cast<int>(Integrator::kEuler);
}

bool SolverFeatherstone::takes_contacts(const Contacts* contacts) const {
  if (contacts && contacts->count > 0)
    throw Error("SolverFeatherstone computes no contact forces: pass None, or use SolverMuJoCo or SolverSAP");
  return false;
}

}  // namespace torsor::newton
