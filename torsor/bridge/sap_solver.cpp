#include "torsor/bridge/sap_solver.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/core/error.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

void SapContacts::clear() {
  KeptContacts::clear();
  for (auto* list : {&shape0, &shape1}) list->clear();
  for (auto* list : {&margin0, &margin1}) list->clear();
}

SapSystem::SapSystem(std::shared_ptr<Model> model, std::shared_ptr<Data> data, SapBoundary boundary, int body_count)
    : model_(std::move(model)), data_(std::move(data)), boundary_(std::move(boundary)), body_count_(body_count) {
  require_fit(*model_, *data_);
}

void SapSystem::require_size(const char* name, const std::vector<double>& numbers, int wanted,
                             bool may_be_empty) const {
  if (static_cast<int>(numbers.size()) == wanted || (may_be_empty && numbers.empty())) return;
  int without = 0;
  const std::vector<int>& start = boundary_.joint_qd_start();
  for (size_t j = 0; j + 1 < start.size(); ++j) without += start[j] == start[j + 1];
  const bool hint = wanted == boundary_.nv() && without > 0;
  throw Error(fmt::format("{} has {} numbers, the model needs {}{}", name, numbers.size(), wanted,
                          hint ? fmt::format(": one per axis, and none for its {} fixed joints", without) : ""));
}

namespace {

void require_model(const char* name, uint64_t signature, const Model& model) {
  if (signature != 0 && signature != model.signature)
    throw Error(fmt::format("the {} belongs to another model: make it with this solver's {}()", name, name));
}

}  // namespace

void SapSystem::check(const SapState& state) const {
  require_model("state", state.model, *model_);
  require_size("joint_q", state.joint_q, boundary_.nq(), false);
  require_size("joint_qd", state.joint_qd, boundary_.nv(), false);
  require_size("body_f", state.body_f, 6 * body_count_, true);
}

void SapSystem::check(const SapControl& control) const {
  require_model("control", control.model, *model_);
  require_size("joint_f", control.joint_f, boundary_.nv(), true);
  require_size("joint_target_pos", control.joint_target_pos, boundary_.nv(), true);
  require_size("joint_target_vel", control.joint_target_vel, boundary_.nv(), true);
  require_size("joint_act", control.joint_act, boundary_.nv(), true);
}

void SapSystem::check(const SapContacts& contacts, const SapState& state) {
  if (!contacts.joint_q.empty() && contacts.joint_q != state.joint_q)
    throw Error("the contacts belong to another state: call collide() with the state that the step starts from");
}

SapSolver::SapSolver(const Model& model) : SapSolver(std::make_shared<Model>(model), std::make_shared<Data>(model)) {}

SapSolver::SapSolver(const newton::Model& model, const newton::SolverOptions& options)
    : SapSolver(model, std::make_shared<Model>(model.engine()), std::make_shared<Data>(model.engine()), options) {}

SapSolver::SapSolver(std::shared_ptr<Model> model, std::shared_ptr<Data> data)
    : SapSolver(make_sap_system(std::move(model), std::move(data))) {}

SapSolver::SapSolver(const newton::Model& model, std::shared_ptr<Model> engine, std::shared_ptr<Data> data,
                     const newton::SolverOptions& options)
    : SapSolver(make_sap_system(model, std::move(engine), std::move(data), options)) {}

SapState SapSolver::state() const { return system_->state(); }
SapControl SapSolver::control() const { return system_->control(); }

SapContacts SapSolver::collide(const SapState& state) {
  system_->check(state);
  return system_->collide(state);
}

void SapSolver::step(const SapState& in, SapState& out, const SapControl* control, const SapContacts* contacts,
                     double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error(fmt::format("dt must be positive, got {}", dt));
  require_model("state", out.model, system_->model());
  system_->check(in);
  if (control) system_->check(*control);
  system_->step(in, out, control, contacts, dt);
}

std::vector<double> SapSolver::memory() const {
  std::vector<double> memory(static_cast<size_t>(state_size(system_->model(), kStateAll)));
  get_state(system_->model(), system_->data(), memory.data(), kStateAll);
  return memory;
}

void SapSolver::set_memory(const std::vector<double>& memory) {
  if (memory.size() != static_cast<size_t>(state_size(system_->model(), kStateAll)))
    throw Error("the memory belongs to another model");
  set_state(system_->model(), system_->data(), memory.data(), kStateAll);
}

}  // namespace torsor
