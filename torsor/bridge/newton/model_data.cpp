#include "torsor/bridge/newton/model_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/body_view.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"

namespace torsor::newton {
namespace {

const char* coordinate_row(Version version) {
  return version == Version::kParentAxes ? "newton.joint.1_5" : "newton.joint";
}

uint64_t pair_key(int a, int b) {
  return static_cast<uint64_t>(std::min(a, b)) << 32 | static_cast<uint64_t>(std::max(a, b));
}

// Group 0 collides with nothing, a positive group with itself and negative ones, a negative group with all but itself.
bool groups_touch(int a, int b) {
  if (a == 0 || b == 0) return false;
  return a > 0 && b > 0 ? a == b : a != b;
}

bool worlds_touch(int a, int b) { return a < 0 || b < 0 || a == b; }

}  // namespace

ModelData::ModelData(const ModelBuilder& builder, Version chosen)
    : lists(builder),
      version(chosen),
      layout(make_layout(builder)),
      engine(load_spec(make_spec(builder, layout))),
      convention(find_convention("newton")),
      scratch(engine),
      to_engine_(layout.system, find_convention(coordinate_row(chosen)), find_convention("mujoco"),
                 {Order(layout.order), Order(DeclaredOrder{}), {}}),
      from_engine_(layout.system, find_convention("mujoco"), find_convention(coordinate_row(chosen)),
                   {Order(DeclaredOrder{}), Order(layout.order), {}}) {
  joint_dofadr.assign(lists.joint_count(), -1);
  for (int j = 0; j < lists.joint_count(); ++j) {
    if (layout.joint_first[j].empty()) continue;
    joint_dofadr[j] = engine.jnt_dofadr[engine.find(ObjectType::kJoint, layout.joint_first[j])];
    const int q = lists.joint_q_start[j], qd = lists.joint_qd_start[j];
    if (layout.joint_is_descendant_free[j]) turned_.push_back({nv_, j});
    parts_.push_back({q, lists.q_end(j) - q, qd, lists.qd_end(j) - qd});
    nq_ += parts_.back().q_count, nv_ += parts_.back().qd_count;
  }
  needs_kinematics_ = version == Version::kWorldAxes && !turned_.empty();
  find_dynamic_bodies();
  set_kinematic_inertia();
  set_limit_stiffness();
  gravity = lists.world_gravity;
  gravity.push_back(lists.gravity);
  std::copy(gravity.front().begin(), gravity.front().end(), engine.opt.gravity);
  for (const auto& [a, b] : lists.shape_collision_filter_pairs) filtered_.insert(pair_key(a, b));
  if (!filters_all_parents(lists)) {
    for (int j = 0; j < lists.joint_count(); ++j) {
      if (!lists.joint_filters_parent[j] || lists.joint_parent[j] < 0) continue;
      for (int a = 0; a < lists.shape_count(); ++a) {
        if (lists.shape_body[a] != lists.joint_parent[j]) continue;
        for (int b = 0; b < lists.shape_count(); ++b) {
          const bool wanted = lists.shape_filters_parent[a] && lists.shape_filters_parent[b];
          if (wanted && lists.shape_body[b] == lists.joint_child[j]) filtered_.insert(pair_key(a, b));
        }
      }
    }
  }
  const auto several = [](const std::vector<int>& values, int usual) {
    return std::any_of(values.begin(), values.end(), [&](int value) { return value != usual; });
  };
  filters_ =
      !filtered_.empty() || several(lists.shape_collision_group, 1) || lists.world_count > 1 || !kinematic.empty();
}

// limit_ke and limit_kd are in units of force: the engine's row reference is per inverse weight. A limit from MJCF
// keeps its own solref unless they have been set.
void ModelData::set_limit_stiffness() {
  for (int j = 0; j < lists.joint_count(); ++j) {
    const bool has_axes = lists.joint_type[j] == JointKind::kRevolute || lists.joint_type[j] == JointKind::kPrismatic ||
                          lists.joint_type[j] == JointKind::kD6;
    if (joint_dofadr[j] < 0 || !has_axes) continue;
    for (int dof = lists.joint_qd_start[j], i = joint_dofadr[j]; dof < lists.qd_end(j); ++dof, ++i) {
      const double ke = lists.joint_limit_ke[dof], kd = lists.joint_limit_kd[dof];
      const bool is_untouched = ke == DofConfig{}.limit_ke && kd == DofConfig{}.limit_kd;
      if ((lists.dof_native[dof] && is_untouched) || !(ke > 0)) continue;
      const int joint = engine.dof_jntid[i];
      const double factor = engine.dof_invweight0[i] * (1 - engine.jnt_solimp[5 * joint + 1]);
      if (!(kd > 0)) {  // a time constant without damping would be infinite; negative numbers are stiffness and damping
        engine.jnt_solref[2 * joint] = -ke * factor;
        engine.jnt_solref[2 * joint + 1] = 0;
        continue;
      }
      engine.jnt_solref[2 * joint] = 2 / (kd * factor);
      engine.jnt_solref[2 * joint + 1] = kd * factor / (2 * std::sqrt(ke * factor));
    }
  }
}

std::vector<double> ModelData::gather_q(const double* joint_q) const {
  std::vector<double> result;
  result.reserve(static_cast<size_t>(nq_));
  for (const Part& part : parts_) result.insert(result.end(), joint_q + part.q, joint_q + part.q + part.q_count);
  return result;
}

std::vector<double> ModelData::gather_qd(const double* joint_qd) const {
  std::vector<double> result;
  result.reserve(static_cast<size_t>(nv_));
  for (const Part& part : parts_) result.insert(result.end(), joint_qd + part.qd, joint_qd + part.qd + part.qd_count);
  return result;
}

void ModelData::set_positions(const double* joint_q, Data& data) const {
  to_engine_.positions(gather_q(joint_q).data(), data.qpos.data());
}

// For a free joint on another body, the map uses the parent anchor's axes; before Newton 1.5, velocities are in the
// world's.
void ModelData::turn_descendants(const Data& data, double* compact_qd, bool to_parent) const {
  if (version == Version::kParentAxes) return;
  for (const auto& [dof, joint] : turned_) {
    const int parent = layout.body_engine[lists.joint_parent[joint]];
    const Quat<double> q_WP = load4(&data.xquat[4 * parent]) * to_pose(lists.joint_X_p[joint]).q;
    for (double* v : {compact_qd + dof, compact_qd + dof + 3})
      store3(v, to_parent ? rotate_inverse(q_WP, load3(v)) : rotate(q_WP, load3(v)));
  }
}

void ModelData::set_velocities(const double* joint_q, const double* joint_qd, Data& data) const {
  std::vector<double> qd = gather_qd(joint_qd);
  turn_descendants(data, qd.data(), true);
  to_engine_.velocities(gather_q(joint_q).data(), qd.data(), data.qvel.data());
}

void ModelData::read_positions(const Data& data, double* joint_q) const {
  std::vector<double> q(static_cast<size_t>(nq_));
  from_engine_.positions(data.qpos.data(), q.data());
  const double* from = q.data();
  for (const Part& part : parts_) std::copy_n(from, part.q_count, joint_q + part.q), from += part.q_count;
}

void ModelData::read_velocities(const Data& data, double* joint_qd) const {
  std::vector<double> qd(static_cast<size_t>(nv_));
  from_engine_.velocities(data.qpos.data(), data.qvel.data(), qd.data());
  turn_descendants(data, qd.data(), false);
  const double* from = qd.data();
  for (const Part& part : parts_) std::copy_n(from, part.qd_count, joint_qd + part.qd), from += part.qd_count;
}

void ModelData::set_forces(const double* joint_q, const double* joint_f, Data& data) const {
  std::vector<double> forces(joint_f, joint_f + lists.joint_dof_count());
  for (int j = 0; j < lists.joint_count(); ++j) {
    const bool has_pose = lists.joint_type[j] == JointKind::kFree || lists.joint_type[j] == JointKind::kDistance;
    if (has_pose) std::fill(&forces[lists.joint_qd_start[j]], &forces[lists.joint_qd_start[j]] + 6, 0.0);
  }
  to_engine_.forces(gather_q(joint_q).data(), gather_qd(forces.data()).data(), data.qfrc_applied.data());
}

void ModelData::read_bodies(Data& data, State& state) const {
  compute_kinematics(engine, data);
  compute_com_position(engine, data);
  compute_com_velocity(engine, data);
  const Row& row = convention.row;
  for (int b = 0; b < lists.body_count(); ++b) {
    const int body = layout.body_engine[b];
    const BodyPlace<double> place = make_body_place(engine, data, body);
    const Vec3<double> p_TcmBo_W = place.X_WB.p - place.p_WoTcm_W;
    const Twist<double> V_WBo_W = load6(&data.cvel[6 * body]).at(p_TcmBo_W);
    write_pose(row, place, &state.body_q[7 * b]);
    store_parts(row.twist.order, SpatialMap<double>(row.twist, row, place).twist(V_WBo_W), &state.body_qd[6 * b]);
  }
}

void ModelData::set_contact_filter(Data& data) const {
  if (!filters_) return;
  data.contact_filter = [this](const torsor::Model&, const Data&, int geom1, int geom2) {
    const int a = layout.geom_shape[geom1], b = layout.geom_shape[geom2];
    const auto moves = [this](int body) { return body >= 0 && is_dynamic[body]; };
    if (!moves(lists.shape_body[a]) && !moves(lists.shape_body[b])) return true;
    return !worlds_touch(lists.shape_world[a], lists.shape_world[b]) ||
           !groups_touch(lists.shape_collision_group[a], lists.shape_collision_group[b]) ||
           filtered_.contains(pair_key(a, b));
  };
}

void ModelData::check(const State& state, const char* what) const {
  if (state.model.get() != this)
    throw Error(fmt::format("{} belongs to another model: make one with model.state()", what));
  const auto require = [&](const std::vector<double>& values, int size, const char* name) {
    if (values.size() != static_cast<size_t>(size))
      throw Error(fmt::format("{} of {} has {} numbers; the model needs {}", name, what, values.size(), size));
  };
  require(state.joint_q, lists.joint_coord_count(), "joint_q");
  require(state.joint_qd, lists.joint_dof_count(), "joint_qd");
  require(state.body_q, 7 * lists.body_count(), "body_q");
  require(state.body_qd, 6 * lists.body_count(), "body_qd");
  require(state.body_f, 6 * lists.body_count(), "body_f");
  require(state.computed_body_q, 7 * lists.body_count(), "computed_body_q");
  require(state.computed_body_qd, 6 * lists.body_count(), "computed_body_qd");
  require(state.act, engine.na, "act");
}

void ModelData::check(const Control& control) const {
  if (control.model.get() != this) throw Error("the control belongs to another model: make one with model.control()");
  const size_t count = static_cast<size_t>(lists.joint_dof_count());
  for (const auto* values :
       {&control.joint_f, &control.joint_act, &control.joint_target_pos, &control.joint_target_vel}) {
    if (values->size() != count)
      throw Error(fmt::format("an array of the control has {} numbers; the model has {} axes", values->size(), count));
  }
  if (control.ctrl.size() != static_cast<size_t>(engine.nu - layout.native_control))
    throw Error(
        fmt::format("ctrl has {} numbers; the model needs {}", control.ctrl.size(), engine.nu - layout.native_control));
}

}  // namespace torsor::newton
