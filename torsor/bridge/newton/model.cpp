#include "torsor/bridge/newton/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::newton {

Model ModelBuilder::finalize(Version version) const { return Model(std::make_shared<ModelData>(*this, version)); }

void State::clear_forces() { std::fill(body_f.begin(), body_f.end(), 0.0); }

void State::assign(const State& other) {
  if (model != other.model) throw Error("a state can only be assigned from a state of the same model");
  *this = other;
}

void Control::clear() {
  for (auto* values : {&joint_f, &joint_act, &joint_target_pos, &joint_target_vel, &ctrl})
    std::fill(values->begin(), values->end(), 0.0);
}

void Contacts::clear() {
  KeptContacts::clear();
  shape0.clear();
  shape1.clear();
  force.clear();
}

const ModelBuilder& Model::lists() const { return data_->lists; }
const torsor::Model& Model::engine() const { return data_->engine; }
Version Model::version() const { return data_->version; }

State Model::state() const {
  const ModelBuilder& lists = data_->lists;
  State state;
  state.joint_q = lists.joint_q;
  state.joint_qd = lists.joint_qd;
  for (int b = 0; b < lists.body_count(); ++b) {
    state.body_q.insert(state.body_q.end(), lists.body_q[b].begin(), lists.body_q[b].end());
    state.body_qd.insert(state.body_qd.end(), lists.body_qd[b].begin(), lists.body_qd[b].end());
  }
  state.body_f.assign(state.body_qd.size(), 0.0);
  state.act.assign(static_cast<size_t>(data_->engine.na), 0.0);
  state.model = data_;
  state.mark_computed();
  return state;
}

Control Model::control() const {
  const ModelBuilder& lists = data_->lists;
  Control control;
  control.joint_f = lists.joint_f;
  control.joint_act.assign(lists.joint_f.size(), 0.0);
  control.joint_target_pos = lists.joint_target_pos;
  control.joint_target_vel = lists.joint_target_vel;
  control.ctrl.assign(static_cast<size_t>(data_->engine.nu - data_->layout.native_control), 0.0);
  control.model = data_;
  return control;
}

Contacts Model::collide(const State& state) const {
  const ModelData& model = *data_;
  const std::shared_lock edit(model.edits);
  model.check(state, "the state");
  const std::lock_guard lock(model.mutex);
  Data& data = model.scratch;
  model.set_positions(state.joint_q.data(), data);
  model.set_contact_filter(data);
  compute_kinematics(model.engine, data);
  model.place_edited_bodies(state, data);
  torsor::collide(model.engine, data);
  Contacts contacts;
  contacts.take(model.engine, data);
  for (int c = 0; c < data.ncon; ++c) {
    contacts.shape0.push_back(model.layout.geom_shape[data.contact[c].geom[0]]);
    contacts.shape1.push_back(model.layout.geom_shape[data.contact[c].geom[1]]);
  }
  contacts.model = data_;
  return contacts;
}

int Model::joint_end(int articulation) const {
  const ModelBuilder& lists = data_->lists;
  if (articulation < 0 || articulation >= lists.articulation_count())
    throw Error(fmt::format("articulation {} does not exist: there are {}", articulation, lists.articulation_count()));
  int joint = lists.articulation_start[articulation];
  while (joint < lists.joint_count() && lists.joint_articulation[joint] == articulation) ++joint;
  return joint;
}

int Model::max_joints() const {
  int most = 0;
  for (int a = 0; a < data_->lists.articulation_count(); ++a)
    most = std::max(most, joint_end(a) - data_->lists.articulation_start[a]);
  return most;
}

int Model::max_dofs() const {
  const ModelBuilder& lists = data_->lists;
  int most = 0;
  for (int a = 0; a < lists.articulation_count(); ++a)
    most = std::max(most, lists.qd_end(joint_end(a) - 1) - lists.joint_qd_start[lists.articulation_start[a]]);
  return most;
}

}  // namespace torsor::newton
