// A SapSystem on a model of Newton's builder: SAP's buffers in public order are those of newton::SolverSAP, which
// steps.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/bridge/newton/sap_orders.hpp"
#include "torsor/bridge/sap_solver.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

class SapOfNewton : public SapSystem {
 public:
  SapOfNewton(const newton::Model& model, std::shared_ptr<Model> engine, std::shared_ptr<Data> data,
              const newton::SolverOptions& options)
      : SapSystem(engine, data, SapBoundary(model), model.lists().body_count()),
        scene_(model),
        options_(options),
        solver_(model, engine, data, options),
        orders_(model),
        in_(model.state()),
        out_(model.state()),
        control_(model.control()) {}

  SapState state() const override;
  SapControl control() const override;
  SapContacts collide(const SapState& state) override;
  void step(const SapState& in, SapState& out, const SapControl* control, const SapContacts* contacts,
            double dt) override;
  std::unique_ptr<SapSystem> copy() const override {
    auto made = make_sap_system(scene_, std::make_shared<Model>(*model_), std::make_shared<Data>(*model_), options_);
    made->model().opt = model_->opt;
    return made;
  }
  void check(const SapControl& control) const override {
    SapSystem::check(control);
    require_size("ctrl", control.ctrl, static_cast<int>(control_.ctrl.size()), true);
  }
  using SapSystem::check;

 private:
  void load(const SapState& state, const char* name);
  void load_body_forces(const SapState& state);
  void load_control(const SapControl& control);
  newton::Contacts contacts_of(const SapContacts& contacts) const;

  const newton::Model scene_;
  const newton::SolverOptions options_;
  newton::SolverSAP solver_;
  const newton::SapOrders orders_;
  newton::State in_, out_;
  newton::Control control_;
};

SapState SapOfNewton::state() const {
  newton::State start = scene_.state();
  newton::eval_fk(scene_, start.joint_q, start.joint_qd, start);
  SapState state;
  state.joint_q = start.joint_q;
  state.joint_qd = start.joint_qd;
  orders_.turn_to_world(state.joint_q.data(), state.joint_qd.data());
  state.body_q = start.body_q;
  state.body_qd = start.body_qd;
  state.body_f = start.body_f;
  state.joint_qd_order = state.body_f_order = SapOrder::kPublic;
  state.model = model_->signature;
  return state;
}

SapControl SapOfNewton::control() const {
  const newton::Control start = scene_.control();
  SapControl control;
  control.joint_f = start.joint_f;
  control.joint_target_pos = start.joint_target_pos;
  control.joint_target_vel = start.joint_target_vel;
  control.joint_act = start.joint_act;
  control.ctrl = start.ctrl;
  control.joint_f_order = SapOrder::kPublic;
  control.model = model_->signature;
  return control;
}

void SapOfNewton::load(const SapState& state, const char* name) {
  try {
    in_.joint_q = state.joint_q;
    in_.joint_qd = state.joint_qd;
    const double* q = in_.joint_q.data();
    if (state.joint_qd_order == SapOrder::kSap)
      orders_.velocities_to_public(q, state.joint_qd.data(), in_.joint_qd.data());
    orders_.turn_to_state(q, in_.joint_qd.data());
    load_body_forces(state);
    in_.act.assign(data_->act.begin(), data_->act.end());  // of the last step
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name, error.what()));
  }
}

void SapOfNewton::load_body_forces(const SapState& state) {
  std::fill(in_.body_f.begin(), in_.body_f.end(), 0.0);
  std::copy(state.body_f.begin(), state.body_f.end(), in_.body_f.begin());
  if (state.body_f.empty() || state.body_f_order == SapOrder::kPublic) return;
  const std::vector<Pose<double>> X_WB = orders_.body_poses(state.joint_q.data());
  BodyConversion conversion(find_convention("sap.internal"), find_convention("sap.public"));
  for (size_t b = 0; b < X_WB.size(); ++b) {
    BodyPlace<double> place;
    place.p_BoBcm_B = newton::to_vec(scene_.lists().body_com[b]);
    conversion.set_body(place);
    conversion.wrenches(newton::to_transform(X_WB[b]).data(), &state.body_f[6 * b], &in_.body_f[6 * b], 1);
  }
}

// After load().
void SapOfNewton::load_control(const SapControl& control) {
  const double* q = in_.joint_q.data();
  const auto take = [](const std::vector<double>& given, const std::vector<double>& otherwise) {
    return given.empty() ? otherwise : given;
  };
  const newton::ModelBuilder& lists = scene_.lists();
  const std::vector<double> nothing(lists.joint_f.size(), 0.0);
  control_.joint_f = take(control.joint_f, nothing);
  if (control.joint_f_order == SapOrder::kSap && !control.joint_f.empty())
    orders_.forces_to_public(q, control.joint_f.data(), control_.joint_f.data());
  orders_.move_forces_between_bodies(q, control_.joint_f.data(), in_.body_f.data());
  control_.joint_act = take(control.joint_act, nothing);
  for (int j = 0; j < lists.joint_count(); ++j) {
    const bool has_pose =
        lists.joint_type[j] == newton::JointKind::kFree || lists.joint_type[j] == newton::JointKind::kDistance;
    if (has_pose) std::fill_n(&control_.joint_act[static_cast<size_t>(lists.joint_qd_start[j])], 6, 0.0);
  }
  control_.joint_target_pos = take(control.joint_target_pos, lists.joint_target_pos);
  control_.joint_target_vel = take(control.joint_target_vel, lists.joint_target_vel);
  control_.ctrl = take(control.ctrl, std::vector<double>(control_.ctrl.size(), 0.0));
}

SapContacts SapOfNewton::collide(const SapState& state) {
  load(state, "state");
  SapContacts contacts = make_sap_contacts(scene_.collide(in_));
  contacts.joint_q = state.joint_q;
  return contacts;
}

newton::Contacts SapOfNewton::contacts_of(const SapContacts& contacts) const {
  newton::Contacts result;
  static_cast<KeptContacts&>(result) = contacts;
  result.shape0 = contacts.shape0;
  result.shape1 = contacts.shape1;
  result.model = contacts.newton;
  return result;
}

void SapOfNewton::step(const SapState& in, SapState& out, const SapControl* control, const SapContacts* contacts,
                       double dt) {
  if (contacts) check(*contacts, in);
  load(in, "state_in");
  if (control) load_control(*control);
  const newton::Contacts points = contacts ? contacts_of(*contacts) : newton::Contacts{};
  solver_.step(in_, out_, control ? &control_ : nullptr, contacts ? &points : nullptr, dt);

  std::vector<double> joint_qd = out_.joint_qd;
  orders_.turn_to_world(out_.joint_q.data(), joint_qd.data());
  if (out.joint_qd_order == SapOrder::kSap) {
    std::vector<double> sap_qd(joint_qd.size());
    orders_.velocities_to_sap(out_.joint_q.data(), joint_qd.data(), sap_qd.data());
    joint_qd = std::move(sap_qd);
  }
  out.joint_q = out_.joint_q;
  out.joint_qd = std::move(joint_qd);
  out.body_q = out_.body_q;
  out.body_qd = out_.body_qd;
}

}  // namespace

SapContacts make_sap_contacts(const newton::Contacts& found) {
  const Model& engine = found.model->engine;
  SapContacts contacts;
  static_cast<KeptContacts&>(contacts) = found;
  contacts.shape0 = found.shape0;
  contacts.shape1 = found.shape1;
  for (const int geom : found.geom0) contacts.margin0.push_back(engine.geom_margin[geom]);
  for (const int geom : found.geom1) contacts.margin1.push_back(engine.geom_margin[geom]);
  contacts.model = engine.signature;
  contacts.newton = found.model;
  return contacts;
}

std::unique_ptr<SapSystem> make_sap_system(const newton::Model& model, std::shared_ptr<Model> engine,
                                           std::shared_ptr<Data> data, const newton::SolverOptions& options) {
  return std::make_unique<SapOfNewton>(model, std::move(engine), std::move(data), options);
}

}  // namespace torsor
