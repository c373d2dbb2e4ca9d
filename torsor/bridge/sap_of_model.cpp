// A SapSystem on a torsor::Model, whose conversions are those of the rows sap.internal and mujoco.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/bridge/body_view.hpp"
#include "torsor/bridge/model_axes.hpp"
#include "torsor/bridge/sap_system.hpp"
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

class SapOfModel : public SapSystem {
 public:
  SapOfModel(std::shared_ptr<Model> model, std::shared_ptr<Data> data)
      : SapSystem(with_sap(model), std::move(data), SapBoundary(*model), model->nbody - 1),
        convention_(in_axes_of(find_convention("sap.internal"), model_->axes)),
        public_(in_axes_of(find_convention("sap.public"), model_->axes)),
        in_(*model_, convention_, find_convention("mujoco")),
        out_(*model_, find_convention("mujoco"), convention_),
        sap_v_(static_cast<size_t>(model_->nv)),
        sap_f_(static_cast<size_t>(model_->nv)) {}

  SapState state() const override;
  SapControl control() const override;
  SapContacts collide(const SapState& state) override;
  void step(const SapState& in, SapState& out, const SapControl* control, const SapContacts* contacts,
            double dt) override;
  std::unique_ptr<SapSystem> copy() const override {
    return make_sap_system(std::make_shared<Model>(*model_), std::make_shared<Data>(*model_));
  }
  void check(const SapControl& control) const override;
  using SapSystem::check;

 private:
  void load(const SapState& state, const char* name);
  void load_inputs(const SapState& state, const SapControl* control);
  void write_bodies(const Data& data, std::vector<double>& body_q) const;
  void write_velocities(std::vector<double>& body_qd);

  const Convention convention_, public_;  // sap order, public order
  StateMap in_, out_;                     // from sap order to ours and back
  std::vector<double> sap_v_, sap_f_;
};

SapState SapOfModel::state() const {
  SapState state;
  state.joint_q.resize(static_cast<size_t>(boundary_.nq()));
  out_.positions(model_->qpos0.data(), state.joint_q.data());
  state.joint_qd.assign(static_cast<size_t>(model_->nv), 0);
  Data data(*model_);
  compute_kinematics(*model_, data);
  write_bodies(data, state.body_q);
  state.body_qd.assign(6 * static_cast<size_t>(body_count_), 0);
  state.body_f = state.body_qd;
  state.joint_qd_order = state.body_f_order = SapOrder::kPublic;
  state.model = model_->signature;
  return state;
}

SapControl SapOfModel::control() const {
  SapControl control;
  control.joint_f.assign(static_cast<size_t>(model_->nv), 0);
  control.ctrl.assign(static_cast<size_t>(model_->nu), 0);
  control.joint_f_order = SapOrder::kPublic;
  control.model = model_->signature;
  return control;
}

void SapOfModel::check(const SapControl& control) const {
  SapSystem::check(control);
  require_size("ctrl", control.ctrl, model_->nu, true);
  const bool has_targets = !control.joint_target_pos.empty() || !control.joint_target_vel.empty();
  if (!has_targets && control.joint_act.empty()) return;
  throw Error(fmt::format("{} is for models of Newton's builder; the drives of this model are its actuators: set ctrl",
                          has_targets ? "joint_target_pos or joint_target_vel" : "joint_act"));
}

void SapOfModel::load(const SapState& state, const char* name) {
  try {
    boundary_.velocities_in(state.joint_qd_order, state.joint_q.data(), state.joint_qd.data(), sap_v_.data());
    in_.positions(state.joint_q.data(), data_->qpos.data());
    in_.velocities(state.joint_q.data(), sap_v_.data(), data_->qvel.data());
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name, error.what()));
  }
}

// Needs the kinematics of the state.
void SapOfModel::load_inputs(const SapState& state, const SapControl* control) {
  std::fill(data_->qfrc_applied.begin(), data_->qfrc_applied.end(), 0.0);
  std::fill(data_->xfrc_applied.begin(), data_->xfrc_applied.end(), 0.0);
  std::fill(data_->ctrl.begin(), data_->ctrl.end(), 0.0);
  if (!state.body_f.empty()) {
    std::vector<double> body_q, residual(state.body_f.size());
    write_bodies(*data_, body_q);
    const std::span<const double> com(model_->body_ipos.data() + 3, 3 * static_cast<size_t>(body_count_));
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

void SapOfModel::write_bodies(const Data& data, std::vector<double>& body_q) const {
  body_q.resize(7 * static_cast<size_t>(body_count_));
  for (int b = 1; b < model_->nbody; ++b)
    read_body_pose(*model_, data, b, convention_, &body_q[7 * static_cast<size_t>(b - 1)]);
}

// Needs the kinematics of the state.
void SapOfModel::write_velocities(std::vector<double>& body_qd) {
  compute_com_position(*model_, *data_);
  compute_com_velocity(*model_, *data_);
  body_qd.resize(6 * static_cast<size_t>(body_count_));
  for (int b = 1; b < model_->nbody; ++b)
    read_body_twist(*model_, *data_, b, public_, &body_qd[6 * static_cast<size_t>(b - 1)]);
}

SapContacts SapOfModel::collide(const SapState& state) {
  load(state, "state");
  compute_kinematics(*model_, *data_);
  torsor::collide(*model_, *data_);
  SapContacts contacts;
  contacts.take(*model_, *data_);
  contacts.shape0 = contacts.geom0;
  contacts.shape1 = contacts.geom1;
  for (const int geom : contacts.geom0) contacts.margin0.push_back(model_->geom_margin[geom]);
  for (const int geom : contacts.geom1) contacts.margin1.push_back(model_->geom_margin[geom]);
  contacts.joint_q = state.joint_q;
  contacts.model = model_->signature;
  return contacts;
}

void SapOfModel::step(const SapState& in, SapState& out, const SapControl* control, const SapContacts* contacts,
                      double dt) {
  if (contacts) check(*contacts, in);
  if (contacts && contacts->model != model_->signature)
    throw Error("the contacts belong to another model: call collide() of this solver");
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
  write_bodies(*data_, out.body_q);
  write_velocities(out.body_qd);
}

}  // namespace

std::unique_ptr<SapSystem> make_sap_system(std::shared_ptr<Model> model, std::shared_ptr<Data> data) {
  return std::make_unique<SapOfModel>(std::move(model), std::move(data));
}

}  // namespace torsor
