#include "torsor/bridge/sap_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/body_view.hpp"
#include "torsor/bridge/model_axes.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

std::shared_ptr<Model> with_sap(std::shared_ptr<Model> model) {
  model->opt.solver = static_cast<int>(SolverType::kSap);
  model->opt.integrator = static_cast<int>(Integrator::kEuler);
  return model;
}

void require_size(const char* name, const std::vector<double>& numbers, int wanted, bool may_be_empty = false) {
  if (static_cast<int>(numbers.size()) == wanted || (may_be_empty && numbers.empty())) return;
  throw Error(fmt::format("{} has {} numbers, the model needs {}", name, numbers.size(), wanted));
}

void require_model(const char* name, uint64_t signature, const Model& model) {
  if (signature != 0 && signature != model.signature)
    throw Error(fmt::format("the {} belongs to another model: make it with this solver's {}()", name, name));
}

}  // namespace

SapSolver::SapSolver(const Model& model) : SapSolver(std::make_shared<Model>(model), std::make_shared<Data>(model)) {}

SapSolver::SapSolver(std::shared_ptr<Model> model, std::shared_ptr<Data> data)
    : model_(with_sap(std::move(model))),
      data_(std::move(data)),
      boundary_(*model_),
      convention_(in_axes_of(find_convention("sap.internal"), model_->axes)),
      in_(*model_, convention_, find_convention("mujoco")),
      out_(*model_, find_convention("mujoco"), convention_),
      sap_v_(static_cast<size_t>(model_->nv)),
      sap_f_(static_cast<size_t>(model_->nv)) {
  require_fit(*model_, *data_);
}

SapState SapSolver::state() const {
  SapState state;
  state.joint_q.resize(static_cast<size_t>(boundary_.nq()));
  out_.positions(model_->qpos0.data(), state.joint_q.data());
  state.joint_qd.assign(static_cast<size_t>(model_->nv), 0);
  Data data(*model_);
  compute_kinematics(*model_, data);
  state.body_q.resize(7 * static_cast<size_t>(model_->nbody - 1));
  for (int b = 1; b < model_->nbody; ++b)
    read_body_pose(*model_, data, b, convention_, &state.body_q[7 * static_cast<size_t>(b - 1)]);
  state.body_f.assign(6 * static_cast<size_t>(model_->nbody - 1), 0);
  state.joint_qd_order = state.body_f_order = SapOrder::kPublic;
  state.model = model_->signature;
  return state;
}

SapControl SapSolver::control() const {
  SapControl control;
  control.joint_f.assign(static_cast<size_t>(model_->nv), 0);
  control.ctrl.assign(static_cast<size_t>(model_->nu), 0);
  control.joint_f_order = SapOrder::kPublic;
  control.model = model_->signature;
  return control;
}

void SapSolver::load(const SapState& state, const char* name) {
  require_model("state", state.model, *model_);
  require_size("joint_q", state.joint_q, boundary_.nq());
  require_size("joint_qd", state.joint_qd, boundary_.nv());
  require_size("body_f", state.body_f, 6 * (model_->nbody - 1), true);
  try {
    boundary_.velocities_in(state.joint_qd_order, state.joint_q.data(), state.joint_qd.data(), sap_v_.data());
    in_.positions(state.joint_q.data(), data_->qpos.data());
    in_.velocities(state.joint_q.data(), sap_v_.data(), data_->qvel.data());
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name, error.what()));
  }
}

// Needs the kinematics of the state.
void SapSolver::load_inputs(const SapState& state, const SapControl* control) {
  std::fill(data_->qfrc_applied.begin(), data_->qfrc_applied.end(), 0.0);
  std::fill(data_->xfrc_applied.begin(), data_->xfrc_applied.end(), 0.0);
  std::fill(data_->ctrl.begin(), data_->ctrl.end(), 0.0);
  if (!state.body_f.empty()) {
    std::vector<double> body_q(state.body_f.size() / 6 * 7), residual(state.body_f.size());
    write_bodies(body_q);
    const std::span<const double> com(model_->body_ipos.data() + 3, 3 * static_cast<size_t>(model_->nbody - 1));
    boundary_.body_forces_in(state.body_f_order, body_q, com, state.body_f, residual);
    for (int b = 1; b < model_->nbody; ++b)
      set_body_wrench(*model_, *data_, b, convention_, &residual[6 * static_cast<size_t>(b - 1)]);
  }
  if (!control) return;
  if (!control->joint_f.empty()) {
    boundary_.forces_in(control->joint_f_order, state.joint_q.data(), control->joint_f.data(), sap_f_.data());
    in_.forces(state.joint_q.data(), sap_f_.data(), data_->qfrc_applied.data());
  }
  std::copy(control->ctrl.begin(), control->ctrl.end(), data_->ctrl.begin());
}

void SapSolver::write_bodies(std::vector<double>& body_q) {
  body_q.resize(7 * static_cast<size_t>(model_->nbody - 1));
  for (int b = 1; b < model_->nbody; ++b)
    read_body_pose(*model_, *data_, b, convention_, &body_q[7 * static_cast<size_t>(b - 1)]);
}

SapContacts SapSolver::collide(const SapState& state) {
  load(state, "state");
  compute_kinematics(*model_, *data_);
  torsor::collide(*model_, *data_);
  SapContacts contacts;
  contacts.take(*model_, *data_);
  contacts.joint_q = state.joint_q;
  contacts.model = model_->signature;
  return contacts;
}

void SapSolver::step(const SapState& in, SapState& out, const SapControl* control, const SapContacts* contacts,
                     double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error(fmt::format("dt must be positive, got {}", dt));
  require_model("state", out.model, *model_);
  if (control) {
    require_model("control", control->model, *model_);
    require_size("joint_f", control->joint_f, model_->nv, true);
    require_size("ctrl", control->ctrl, model_->nu, true);
  }
  if (contacts && (contacts->model != model_->signature || contacts->joint_q != in.joint_q))
    throw Error("the contacts belong to another state: call collide() with the state that the step starts from");
  load(in, "state_in");
  compute_kinematics(*model_, *data_);
  load_inputs(in, control);

  model_->opt.timestep = dt;
  const KeptContacts none;
  const ContactsGiven given(*data_, contacts ? *contacts : none);
  const Status status = torsor::step(*model_, *data_);
  require_memory(*model_, *data_);
  if (status != Status::kOk) throw Error("the step gave numbers that are not finite; state_out is unchanged");

  std::vector<double> joint_q(static_cast<size_t>(boundary_.nq()));
  out_.positions(data_->qpos.data(), joint_q.data());
  out_.velocities(data_->qpos.data(), data_->qvel.data(), sap_v_.data());
  out.joint_qd.resize(static_cast<size_t>(model_->nv));
  boundary_.velocities_out(out.joint_qd_order, joint_q.data(), sap_v_.data(), out.joint_qd.data());
  out.joint_q = std::move(joint_q);
  compute_kinematics(*model_, *data_);
  write_bodies(out.body_q);
}

}  // namespace torsor
