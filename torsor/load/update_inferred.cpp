// Numbers that the compiler computes from others.
#include "torsor/load/update_inferred.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/load/update_elements.hpp"
#include "torsor/model/structure.hpp"

namespace torsor {

using M = Edits::Arrays;

Inferred::Inferred(const Spec& spec, const Origins& origins, const Model& before, const Model& asked) {
  const Edits edits(before, asked, nullptr, Unedited::kInferred);
  for (const char* name : {"body_mass", "body_ipos", "body_iquat", "body_inertia", "tendon_lengthspring", "eq_data",
                           "actuator_gainprm", "actuator_biasprm", "actuator_lengthrange"})
    entries_[name];
  mark_joints(spec, origins, edits);
  mark_cameras(before);
  mark_actuators(spec, edits);
  mark_pairs(spec, before);
  mark_keys(spec, before);
}

bool Inferred::has(std::string_view name, int entry) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return false;
  const std::vector<bool>& marks = found->second;
  return marks.empty() || (static_cast<size_t>(entry) < marks.size() && marks[static_cast<size_t>(entry)]);
}

void Inferred::mark(std::string_view name, int first, int count) {
  if (count == 0) return;
  std::vector<bool>& marks = entries_[name];
  marks.resize(std::max(marks.size(), static_cast<size_t>(first + count)));
  for (int k = first; k < first + count; ++k) marks[static_cast<size_t>(k)] = true;
}

// springdamper
void Inferred::mark_joints(const Spec& spec, const Origins& origins, const Edits& edits) {
  const Model& model = edits.after();
  for (int j = 0; j < model.njnt; ++j) {
    const auto [b, index] = origins.joint[static_cast<size_t>(j)];
    const JointSpec& joint = spec.bodies[static_cast<size_t>(b)].joints[static_cast<size_t>(index)];
    const int first = model.jnt_dofadr[j], count = dof_count(joint.type);
    const bool is_edited = edits.changed(&M::jnt_stiffness, j) || edits.changed_range(&M::dof_damping, first, count);
    if (joint.springdamper == Number2{0, 0} || is_edited) continue;
    mark("jnt_stiffness", j);
    mark("dof_damping", first, count);
  }
}

// The size of the sensor determines the field of view.
void Inferred::mark_cameras(const Model& model) {
  for (int c = 0; c < model.ncam; ++c) {
    if (model.cam_sensorsize[2 * c] > 0) mark("cam_fovy", c);
  }
}

// inheritrange, and the further inputs of a pid, whose ranges apply if they are given.
void Inferred::mark_actuators(const Spec& spec, const Edits& edits) {
  const Model& model = edits.after();
  for (int a = 0; a < model.nactuator; ++a) {
    const ActuatorSpec& actuator = spec.actuators[static_cast<size_t>(a)];
    const int first = model.actuator_ctrladr[a];
    if (actuator.gaintype == ActuatorGain::kPid) mark("actuator_ctrllimited", first, model.actuator_ctrlnum[a]);
    if (actuator.inheritrange == 0 || has_own_range(edits, a, actuator.dyntype)) continue;
    if (actuator.dyntype == ActuatorDynamics::kIntegrator) {
      mark("actuator_actrange", 2 * a, 2);
      mark("actuator_actlimited", a);
    } else {
      mark("actuator_ctrlrange", 2 * first, 2);
      mark("actuator_ctrllimited", first);
    }
  }
}

// What a pair leaves open is mixed from its geoms.
void Inferred::mark_pairs(const Spec& spec, const Model& model) {
  const std::vector<int> rows = find_pair_rows(spec, model);
  for (size_t p = 0; p < rows.size(); ++p) {
    const PairSpec& pair = spec.pairs[p];
    const int row = rows[p];
    if (std::isnan(pair.friction[0])) mark("pair_friction", 5 * row, 5);
    if (std::isnan(pair.solref[0])) mark("pair_solref", 2 * row, 2);
    if (std::isnan(pair.solimp[0])) mark("pair_solimp", 5 * row, 5);
    if (std::isnan(pair.margin)) mark("pair_margin", row);
    if (std::isnan(pair.gap)) mark("pair_gap", row);
  }
}

// A keyframe without coordinates, or without mocap poses, has those of the reference pose.
void Inferred::mark_keys(const Spec& spec, const Model& model) {
  static const KeySpec kOpen;
  for (int k = 0; k < model.nkey; ++k) {
    const KeySpec& key = static_cast<size_t>(k) < spec.keys.size() ? spec.keys[static_cast<size_t>(k)] : kOpen;
    const auto mark_row = [&](std::string_view name, int width) { mark(name, k * width, width); };
    if (!key.qpos) mark_row("key_qpos", model.nq);
    if (!key.plastic) mark_row("key_plastic", model.nplastic);
    if (!key.mpos) mark_row("key_mpos", 3 * model.nmocap);
    if (!key.mquat) mark_row("key_mquat", 4 * model.nmocap);
  }
}

namespace {

// Numbers that were edited, and are not zero.
bool is_edited(const double* was, const double* is, int count) {
  return !std::equal(was, was + count, is) && std::any_of(is, is + count, [](double x) { return x != 0; });
}

void normalize_quat(const double* was, double* quat) {
  if (is_edited(was, quat, 4)) store4(quat, normalized(load4(quat)));
}

void normalize_axis(const double* was, double* axis) {
  if (is_edited(was, axis, 3)) store3(axis, normalized(load3(axis)));
}

// Quaternions among the coordinates of one state, which start at `first`.
void normalize_coordinates(const Field<double>& was, int first, const Model& after, const Field<double>& is) {
  for (int j = 0; j < after.njnt; ++j) {
    const bool is_free = after.jnt_type[j] == static_cast<int>(JointType::kFree);
    if (!is_free && after.jnt_type[j] != static_cast<int>(JointType::kBall)) continue;
    const int quat = first + after.jnt_qposadr[j] + (is_free ? 3 : 0);
    normalize_quat(was.row(quat, 1), is.row(quat, 1));
  }
}

}  // namespace

void normalize_edits(const Model& before, Model& after) {
  for (const auto field : {&ModelView::body_quat, &ModelView::body_iquat, &ModelView::geom_quat, &ModelView::site_quat,
                           &ModelView::cam_quat, &ModelView::key_mquat}) {
    for (int row = 0; 4 * row < (after.*field).size(); ++row)
      normalize_quat((before.*field).row(row, 4), (after.*field).row(row, 4));
  }
  for (const auto field : {&ModelView::jnt_axis, &ModelView::light_dir}) {
    for (int row = 0; 3 * row < (after.*field).size(); ++row)
      normalize_axis((before.*field).row(row, 3), (after.*field).row(row, 3));
  }
  for (int e = 0; e < after.neq; ++e) {
    const int quat = kEqualityNumbers * e + 6;
    if (after.eq_type[e] == static_cast<int>(EqualityType::kWeld))
      normalize_quat(before.eq_data.row(quat, 1), after.eq_data.row(quat, 1));
  }
  normalize_coordinates(before.qpos0, 0, after, after.qpos0);
  for (int k = 0; k < after.nkey; ++k) normalize_coordinates(before.key_qpos, k * after.nq, after, after.key_qpos);
}

}  // namespace torsor
