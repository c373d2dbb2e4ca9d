#include "torsor/bridge/newton/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/bridge/body_view.hpp"
#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/bridge/newton/worlds.hpp"
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
      distances_(model_->lists, model_->engine),
      revision_(model_->revision) {
  require_fit(engine_, data_);
  engine_.opt.disableflags |= kDisableAutoReset;  // bad numbers are an error, and do not reset the state
  model_->set_contact_filter(data_);
}

// Takes over edits of the model. The options stay those of the solver, and so does the warm start where it still fits.
void Solver::refresh_engine() {
  if (revision_ == model_->revision) return;
  // whoever shares them may hold views of their arrays
  if (shared_data_.use_count() > 1)
    throw Error("the model has been edited since this solver was made: make a new SapSolver");
  const Option options = engine_.opt;
  engine_ = model_->engine;
  engine_.opt = options;
  adapt_engine();
  Data made(engine_);
  if (made.qacc_warmstart.size() == data_.qacc_warmstart.size())
    std::copy(data_.qacc_warmstart.begin(), data_.qacc_warmstart.end(), made.qacc_warmstart.begin());
  data_ = std::move(made);
  model_->set_contact_filter(data_);
  distances_ = Distances(model_->lists, model_->engine);
  revision_ = model_->revision;
}

void Solver::prepare(double dt) {
  refresh_engine();
  engine_.opt.timestep = dt;
  std::copy_n(model_->engine.opt.gravity, 3, engine_.opt.gravity);
  // The engine's tolerance is relative to the trace of M, which is all but that of kinematic bodies if there are any:
  // beside their inertia, whatever the others do would be small. SAP's is relative to momenta over the roots of
  // inertias.
  const double part = model_->moved_part / moved_part_;
  engine_.opt.tolerance *= part;
  engine_.opt.sap_tolerance *= std::sqrt(part);
  moved_part_ = model_->moved_part;
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
  model_->add_world_gravity(data_);
}

void Solver::read_output(const State& state_in, State& state_out) {
  State result = state_out;
  result.joint_q = state_in.joint_q;  // coordinates that the engine does not have stay the same
  result.joint_qd = state_in.joint_qd;
  model_->read_bodies(data_, result);
  model_->read_positions(data_, result.joint_q.data());
  model_->read_velocities(data_, result.joint_qd.data());
  std::copy(data_.act.begin(), data_.act.end(), result.act.begin());
  result.mark_computed();
  state_out.assign(result);
}

// Kinematic bodies stay where they are and keep their velocity: the user moves them.
void Solver::take_step() {
  std::vector<double> qpos, qvel;
  if (!model_->kinematic.empty()) {
    qpos.assign(data_.qpos.begin(), data_.qpos.end());
    qvel.assign(data_.qvel.begin(), data_.qvel.end());
  }
  const Status status = torsor::step(engine_, data_);
  require_memory(engine_, data_);
  if (status != Status::kOk) {
    reset(engine_, data_);
    throw Error(
        "the step gave numbers that are not finite or too large; state_out is unchanged. Use a smaller dt, or check "
        "stiffness and masses");
  }
  const ModelBuilder& lists = model_->lists;
  for (const int j : model_->kinematic) {
    const int v = model_->joint_dofadr[j], q = engine_.jnt_qposadr[engine_.dof_jntid[v]];
    std::copy_n(&qpos[q], lists.q_end(j) - lists.joint_q_start[j], &data_.qpos[q]);
    std::copy_n(&qvel[v], lists.qd_end(j) - lists.joint_qd_start[j], &data_.qvel[v]);
  }
}

void Solver::report_contacts(const Contacts* given, Contacts& report) const {
  if (finds_contacts()) {
    report.clear();
    report.take(engine_, data_);
    for (int c = 0; c < data_.ncon; ++c) {
      report.shape0.push_back(model_->layout.geom_shape[data_.contact[c].geom[0]]);
      report.shape1.push_back(model_->layout.geom_shape[data_.contact[c].geom[1]]);
    }
  } else if (given && given != &report) {
    report = *given;
  }
  report.model = model_;
  report.force.assign(6 * static_cast<size_t>(report.count), 0.0);
  for (int c = 0; c < std::min(report.count, data_.ncon); ++c) {
    double force_C[6];
    contact_force(engine_, data_, c, force_C);
    for (int part = 0; part < 6; part += 3) {
      for (int i = 0; i < 9; ++i)
        report.force[6 * c + part + i % 3] += force_C[part + i / 3] * data_.contact[c].frame[i];
    }
  }
}

void Solver::step(const State& state_in, State& state_out, const Control* control, const Contacts* contacts, double dt,
                  Contacts* report) {
  if (!std::isfinite(dt) || dt <= 0) throw Error(fmt::format("dt is {}; a step needs a positive time", dt));
  const std::shared_lock edit(model_->edits);
  model_->check(state_in, "state_in");
  model_->check(state_out, "state_out");
  if (control) model_->check(*control);
  if (contacts && contacts->model != model_)
    throw Error("the contacts belong to another model: call model.collide(state_in)");
  if (!report && step_worlds(state_in, state_out, control, dt)) return;
  prepare(dt);
  const bool is_edited = reads_bodies() && state_in.has_edits();
  State from;
  if (is_edited) {
    from = state_in;
    model_->read_edited_joints(state_in, from.joint_q, from.joint_qd);
  }
  const State& start = is_edited ? from : state_in;
  set_input(start, control);
  distances_.prepare(start.joint_q.data(), dt, engine_);
  static const KeptContacts kNone;
  std::optional<ContactsGiven> given;
  const bool takes = !finds_contacts() && takes_contacts(contacts);
  if (!finds_contacts()) given.emplace(data_, takes ? *contacts : kNone, contact_adapter());
  take_step();
  if (report) report_contacts(takes ? contacts : nullptr, *report);
  read_output(start, state_out);
}

SolverMuJoCo::SolverMuJoCo(const Model& model, const SolverOptions& options) : Solver(model), options_(options) {
  // Newton's default, unless the model's file specifies another
  if (engine_.opt.integrator == static_cast<int>(Integrator::kEuler))
    engine_.opt.integrator = static_cast<int>(Integrator::kImplicitFast);
  apply_options(options, engine_.opt);
  adapt_engine();
  find_worlds();
}

SolverMuJoCo::~SolverMuJoCo() = default;

// Worlds are taken apart when the solver is made, to refuse what cannot be, and again after edits of the model.
void SolverMuJoCo::find_worlds() {
  const bool is_asked = options_.separate_worlds.value_or(false);
  const std::string why =
      finds_contacts() ? why_not_separate(model_->lists) : "the solver does not find contacts itself";
  if (is_asked && !why.empty()) throw Error("worlds cannot be separated: " + why);
  if (!why.empty() || !options_.separate_worlds.value_or(true)) return;
  try {
    worlds_ = std::make_unique<WorldBatch>(*model_, options_);
    separates_ = true;
  } catch (const Error& error) {
    if (is_asked) throw Error(std::string("worlds cannot be separated: ") + error.what());
  }
  worlds_revision_ = model_->revision + model_->gravity_revision;
}

bool SolverMuJoCo::step_worlds(const State& state_in, State& state_out, const Control* control, double dt) {
  if (!separates_) return false;
  if (worlds_revision_ != model_->revision + model_->gravity_revision) {
    separates_ = false;
    find_worlds();
  }
  if (separates_) worlds_->step(state_in, state_out, control, dt);
  return separates_;
}

// Contacts within the gap have no rows: they are for steps that reuse contacts, not for one that finds its own.
void SolverMuJoCo::adapt_engine() {
  if (!finds_contacts()) return;
  for (int g = 0; g < engine_.ngeom; ++g) {
    const int shape = model_->layout.geom_shape[g];
    if (!model_->lists.shape_native[shape]) engine_.geom_gap[g] = 0;
  }
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

SolverXPBD::SolverXPBD(const Model& model, const SolverOptions& options) : SolverSemiImplicit(model, options) {
  adapt_engine();
}

void SolverXPBD::adapt_engine() {
  std::fill(engine_.geom_sapstiffness.begin(), engine_.geom_sapstiffness.end(), -1.0);
  std::fill(engine_.geom_sapdissipation.begin(), engine_.geom_sapdissipation.end(), -1.0);
  engine_.opt.sap_beta = 0.1;  // as near-rigid as limits of joints
}

// A contact of distance phi asks for the speed -phi / (dt + tau) at the end of the step. Bodies that approach: tau = 0,
// the surfaces just touch then. Bodies that overlap: half of the depth in a step, but no faster than kRecoverySpeed.
ContactsGiven::Adapt SolverXPBD::contact_adapter() const {
  return [](const torsor::Model& engine, Data& data) {
    const double dt = engine.opt.timestep;
    for (int c = 0; c < data.ncon; ++c) {
      Contact& contact = data.contact[c];
      contact.stiffness = std::numeric_limits<double>::infinity();
      contact.dissipation = contact.dist > 0 ? 0 : std::max(dt, -contact.dist / kRecoverySpeed - dt);
      if (contact.exclude == static_cast<int>(ContactExclude::kInGap))
        contact.exclude = static_cast<int>(ContactExclude::kNone);
    }
  };
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
