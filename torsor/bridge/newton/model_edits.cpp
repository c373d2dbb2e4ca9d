// Edits of a model and of the bodies of a state: new numbers for the same elements, bodies moved by the user, gravity
// by world, and kinematic bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/compile/set_const.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::newton {
namespace {

// How much heavier than anything else a kinematic body is. It keeps its velocity exactly, since a step restores it;
// other bodies see it recoil by one part in this number.
constexpr double kKinematicRatio = 1e8;

bool differs(const std::vector<double>& a, const std::vector<double>& b, int row, int width) {
  const auto begin = static_cast<size_t>(row) * static_cast<size_t>(width);
  return !std::equal(&a[begin], &a[begin] + width, &b[begin]);
}

}  // namespace

void State::mark_computed() {
  computed_body_q = body_q;
  computed_body_qd = body_qd;
}

void State::mark_edited() {
  for (auto* values : {&computed_body_q, &computed_body_qd})
    std::fill(values->begin(), values->end(), std::numeric_limits<double>::quiet_NaN());
}

bool State::is_pose_edited(int body) const { return differs(body_q, computed_body_q, body, 7); }
bool State::is_edited(int body) const { return is_pose_edited(body) || differs(body_qd, computed_body_qd, body, 6); }

void ModelData::place_edited_bodies(const State& state, Data& data) const {
  for (int b = 0; b < lists.body_count(); ++b) {
    if (!state.is_pose_edited(b)) continue;
    Transform q;
    std::copy_n(&state.body_q[7 * b], 7, q.begin());
    const Pose<double> X_WB = to_pose(q);
    const int body = layout.body_engine[b];
    store3(data.xpos.row(body, 3), X_WB.p);
    store4(data.xquat.row(body, 4), X_WB.q);
    store9(data.xmat.row(body, 9), to_mat(X_WB.q));
    for (int g = engine.body_geomadr[body]; g < engine.body_geomadr[body] + engine.body_geomnum[body]; ++g) {
      const Pose<double> X_WG = X_WB * Pose<double>{load3(&engine.geom_pos[3 * g]), load4(&engine.geom_quat[4 * g])};
      store3(data.geom_xpos.row(g, 3), X_WG.p);
      store9(data.geom_xmat.row(g, 9), to_mat(X_WG.q));
    }
  }
}

void ModelData::read_edited_joints(const State& state, std::vector<double>& joint_q,
                                   std::vector<double>& joint_qd) const {
  joint_q = state.joint_q;
  joint_qd = state.joint_qd;
  if (!state.has_edits()) return;
  std::vector<bool> edited(lists.body_count());
  for (int b = 0; b < lists.body_count(); ++b) edited[b] = state.is_edited(b);
  std::vector<double> q, qd;
  find_joints(state, q, qd);
  for (int j = 0; j < lists.joint_count(); ++j) {
    const int parent = lists.joint_parent[j];
    if (!edited[lists.joint_child[j]] && !(parent >= 0 && edited[parent])) continue;
    for (int i = lists.joint_q_start[j]; i < lists.q_end(j); ++i) joint_q[i] = q[i];
    for (int i = lists.joint_qd_start[j]; i < lists.qd_end(j); ++i) joint_qd[i] = qd[i];
  }
}

// The engine has one gravity; bodies of other worlds get the difference as a load at their centre of mass.
void ModelData::add_world_gravity(Data& data) const {
  const Vec3<double> g_engine = load3(engine.opt.gravity);
  if (engine.opt.disableflags & kDisableGravity) return;
  for (int b = 0; b < lists.body_count(); ++b) {
    const int world = lists.body_world[b];
    const Vec3<double> difference = to_vec(world < 0 ? gravity.back() : gravity[world]) - g_engine;
    if (dot(difference, difference) == 0) continue;
    const int body = layout.body_engine[b];
    double* load = data.xfrc_applied.row(body, 6);
    const double mass = engine.body_mass[body] * (1 - engine.body_gravcomp[body]);
    store3(load, load3(load) + difference * mass);
  }
}

void ModelData::find_dynamic_bodies() {
  is_dynamic.assign(lists.body_count(), false);
  std::vector<int> order(lists.body_count());
  for (int b = 0; b < lists.body_count(); ++b) order[layout.body_engine[b] - 1] = b;
  for (const int b : order) {  // parents first
    const int j = layout.body_joint[b], parent = lists.joint_parent[j];
    const bool moves = lists.qd_end(j) > lists.joint_qd_start[j] && !lists.is_kinematic(b);
    is_dynamic[b] = moves || (parent >= 0 && is_dynamic[parent]);
    if (lists.is_kinematic(b) && joint_dofadr[j] >= 0) kinematic.push_back(j);
  }
}

// Kinematic bodies are dofs that nothing moves: they resist by far more than all others.
void ModelData::set_kinematic_inertia() {
  if (kinematic.empty()) return;
  std::vector<bool> is_kinematic(static_cast<size_t>(engine.nv), false);
  for (const int j : kinematic) {
    const int count = lists.qd_end(j) - lists.joint_qd_start[j];
    for (int i = joint_dofadr[j]; i < joint_dofadr[j] + count; ++i) is_kinematic[i] = true;
  }
  double largest = 0, sum = 0;
  int others = 0;
  for (int i = 0; i < engine.nv; ++i) {
    largest = std::max(largest, engine.dof_M0[i]);
    if (!is_kinematic[i]) sum += engine.dof_M0[i], ++others;
  }
  double resisting = 0;
  for (int i = 0; i < engine.nv; ++i) {
    if (!is_kinematic[i]) continue;
    engine.dof_armature[i] = kKinematicRatio * std::max(largest, 1.0);
    resisting += engine.dof_armature[i];
  }
  set_const(engine);
  if (others > 0) engine.stat.meaninertia = sum / others;
  if (others > 0) moved_part = sum / (sum + resisting);
}

void ModelData::update(const ModelBuilder& edited) {
  const bool is_same = edited.body_count() == lists.body_count() && edited.joint_count() == lists.joint_count() &&
                       edited.shape_count() == lists.shape_count() &&
                       edited.joint_dof_count() == lists.joint_dof_count() &&
                       edited.joint_coord_count() == lists.joint_coord_count();
  if (!is_same) throw Error("only numbers of a model can change, not its bodies, joints and shapes");
  ModelData made(edited, version);
  made.engine.opt = engine.opt;
  const std::unique_lock edit(edits);
  const std::lock_guard lock(mutex);
  lists = std::move(made.lists);
  layout = std::move(made.layout);
  engine = std::move(made.engine);
  joint_dofadr = std::move(made.joint_dofadr);
  is_dynamic = std::move(made.is_dynamic);
  kinematic = std::move(made.kinematic);
  moved_part = made.moved_part;
  scratch = std::move(made.scratch);
  parts_ = std::move(made.parts_);
  nq_ = made.nq_, nv_ = made.nv_;
  to_engine_ = std::move(made.to_engine_);
  from_engine_ = std::move(made.from_engine_);
  turned_ = std::move(made.turned_);
  needs_kinematics_ = made.needs_kinematics_;
  filtered_ = std::move(made.filtered_);
  filters_ = made.filters_;
  ++revision;
}

const std::vector<Vector3>& Model::gravity() const { return data_->gravity; }

void Model::set_gravity(const std::vector<Vector3>& gravity) {
  if (gravity.size() != data_->gravity.size())
    throw Error(
        fmt::format("gravity has {} vectors; the model needs {}: one for each world, and one for entities of no "
                    "world",
                    gravity.size(), data_->gravity.size()));
  for (const Vector3& each : gravity) {
    for (const double g : each) {
      if (!std::isfinite(g)) throw Error("gravity must be three finite numbers");
    }
  }
  const std::unique_lock edit(data_->edits);
  const std::lock_guard lock(data_->mutex);
  data_->gravity = gravity;
  ++data_->gravity_revision;
  std::copy(gravity.front().begin(), gravity.front().end(), data_->engine.opt.gravity);
}

void Model::update(const ModelBuilder& lists) { data_->update(lists); }

}  // namespace torsor::newton
