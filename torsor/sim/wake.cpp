// Waking up.
#include <algorithm>
#include <cstring>

#include "torsor/constraint/coupling.hpp"
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/model/awake.hpp"
#include "torsor/sim/sleep.hpp"
#include "torsor/sim/sleep_signals.hpp"

namespace torsor {
namespace {

// Numbers are all zeros if the first is and each equals the next: the quickest way to read many.
bool has_bits(const double* numbers, int count) {
  constexpr double kZero = 0;
  if (count <= 0) return false;
  return std::memcmp(numbers, &kZero, sizeof(double)) != 0 ||
         std::memcmp(numbers, numbers + 1, sizeof(double) * static_cast<size_t>(count - 1)) != 0;
}

bool has_velocity(const Model& model, const Data& data, int tree) {
  return has_bits(data.qvel.data() + model.tree_dofadr[tree], model.tree_dofnum[tree]);
}

// Wakes the island of a sleeping tree. A count of rest that is already there is only lowered.
void wake_island(const Model& model, Data& data, int tree, int count) {
  if (data.tree_asleep[tree] < 0) {
    data.tree_asleep[tree] = std::min(data.tree_asleep[tree], count);
    return;
  }
  for (int steps = 0, next = tree; next >= 0 && next < model.ntree && steps < model.ntree; ++steps) {
    const int here = next;
    next = data.tree_asleep[here];
    data.tree_asleep[here] = count;
  }
}

// The bodies of one tree; geoms and sites are not in the range.
Range range_of(const Model& model, int tree) {
  const int body = model.tree_bodyadr[tree], end = body + model.tree_bodynum[tree];
  const int dof = model.tree_dofadr[tree], joint = model.dof_jntid[dof];
  const int last_joint = model.dof_jntid[dof + model.tree_dofnum[tree] - 1];
  return {body, end, joint, last_joint + 1, dof, dof + model.tree_dofnum[tree], 0, 0, 0, 0};
}

struct Coordinates {
  int begin, end;
};
Coordinates coordinates_of(const Model& model, const Range& range) {
  return {model.jnt_qposadr[range.jnt_begin], range.jnt_end < model.njnt ? model.jnt_qposadr[range.jnt_end] : model.nq};
}

// Calls f(array of the model, its copy in frames_asleep, numbers) for what poses follow from besides qpos.
template <class F>
void for_each_frame_array(const Model& model, Data& data, F&& f) {
  double* kept = data.awake.frames_asleep.data();
  for (const Field<double>* field :
       {&model.body_pos, &model.body_quat, &model.jnt_pos, &model.jnt_axis, &model.qpos0}) {
    f(field->data(), kept, static_cast<size_t>(field->size()));
    kept += field->size();
  }
}

bool are_frames_edited(const Model& model, Data& data) {
  bool edited = false;
  for_each_frame_array(model, data, [&](const double* numbers, const double* kept, size_t count) {
    edited = edited || (count > 0 && std::memcmp(numbers, kept, count * sizeof(double)) != 0);
  });
  return edited;
}

// Whether other coordinates, or another model, mean another pose: quaternions of another length do not, for example.
bool has_moved(const Model& model, Data& data, int tree, bool edited) {
  const Range range = range_of(model, tree);
  const Coordinates q = coordinates_of(model, range);
  double* kept = data.awake.qpos_asleep.data() + q.begin;
  const size_t bytes = sizeof(double) * static_cast<size_t>(q.end - q.begin);
  if (!edited && std::memcmp(kept, data.qpos.data() + q.begin, bytes) == 0) return false;
  ArenaScope scope(data.arena());
  const size_t n = static_cast<size_t>(range.body_end - range.body_begin);
  double* poses = data.arena().push_array<double>(7 * n);
  if (!poses) return true;
  double *xpos = data.xpos.row(range.body_begin, 3), *xquat = data.xquat.row(range.body_begin, 4);
  std::copy_n(xpos, 3 * n, poses);
  std::copy_n(xquat, 4 * n, poses + 3 * n);
  world_kernels().kinematics(model, data, range);
  const bool same = std::memcmp(poses, xpos, 3 * n * sizeof(double)) == 0 &&
                    std::memcmp(poses + 3 * n, xquat, 4 * n * sizeof(double)) == 0;
  if (same) std::memcpy(kept, data.qpos.data() + q.begin, bytes);
  return !same;
}

// Whether all trees sleep and nothing of what wakes one has changed: whole arrays instead of tree by tree.
bool is_all_at_rest(const Model& model, const Data& data) {
  return data.ntree_awake == 0 && !has_bits(data.qvel.data(), model.nv) &&
         !has_bits(data.qfrc_applied.data(), model.nv) && !has_bits(data.xfrc_applied.data(), 6 * model.nbody) &&
         std::memcmp(data.awake.qpos_asleep.data(), data.qpos.data(), sizeof(double) * static_cast<size_t>(model.nq)) ==
             0;
}

void wake_edited_trees(const Model& model, Data& data) {
  bool any = false;
  const bool edited = !data.awake.all && are_frames_edited(model, data);
  if (!edited && is_all_at_rest(model, data)) return;
  for (int t = 0; t < model.ntree; ++t) {
    if (data.tree_asleep[t] < 0) continue;
    if (!has_velocity(model, data, t) && !has_applied_force(model, data, t) && !has_moved(model, data, t, edited))
      continue;
    wake_island(model, data, t, kFullyAwake);
    any = true;
  }
  if (edited) remember_frames(model, data);
  if (any) update_awake(model, data);
}

// By the lists of before: a tree that was just woken still counts as asleep here.
bool was_asleep(const Data& data, int tree) {
  return tree >= 0 && data.tree_awake[tree] == static_cast<int>(SleepState::kAsleep);
}

// What a sleeping tree takes over from the one that wakes it: how long that one has been at rest.
int rest_of(const Data& data, int tree) { return tree >= 0 ? data.tree_asleep[tree] : kFullyAwake; }

bool wake_by_contacts(const Model& model, Data& data) {
  bool any = false;
  for (int c = 0; c < data.ncon; ++c) {
    const int body[2] = {model.geom_bodyid[data.contact[c].geom[0]], model.geom_bodyid[data.contact[c].geom[1]]};
    for (int k = 0; k < 2; ++k) {
      const int tree = model.body_treeid[body[k]], other = model.body_treeid[body[1 - k]];
      if (!was_asleep(data, tree) || !is_awake(data, body[1 - k])) continue;
      wake_island(model, data, tree, rest_of(data, other));
      any = true;
    }
  }
  return any;
}

// Whether a tendon between two trees has a row.
bool has_row(const Model& model, const Data& data, int t) {
  if (!model.opt.disabled(kDisableFrictionLoss) && model.tendon_frictionloss[t] > 0) return true;
  if (model.opt.disabled(kDisableLimit) || !model.tendon_limited[t]) return false;
  const double length = data.ten_length[t], margin = model.tendon_margin[t];
  return length - model.tendon_range[2 * t] < margin || model.tendon_range[2 * t + 1] - length < margin;
}

bool wake_by_tendons(const Model& model, Data& data) {
  bool any = false;
  for_each_awake_tendon(model, data, [&](int t) {
    if (model.tendon_treenum[t] != 2) return;
    const int* trees = model.tendon_treeid.row(t, 2);
    for (int k = 0; k < 2; ++k) {
      if (!was_asleep(data, trees[k]) || was_asleep(data, trees[1 - k]) || !has_row(model, data, t)) continue;
      wake_island(model, data, trees[k], rest_of(data, trees[1 - k]));
      any = true;
    }
  });
  return any;
}

bool are_in_one_island(const Model& model, const Data& data, int a, int b) {
  int tree = data.tree_asleep[a];
  for (int steps = 0; tree >= 0 && tree != a && tree != b && steps < model.ntree; ++steps)
    tree = data.tree_asleep[tree];
  return tree == b || a == b;
}

// Also trees of two sleeping islands, which an equality that was off until now ties together.
bool wake_by_equality(const Model& model, Data& data, int id) {
  const EqualityTrees trees = find_equality_trees(model, data, id);
  bool any_awake = false, is_split = false;
  int sleeper = -1;
  for (int k = 0; k < trees.count; ++k) {
    any_awake = any_awake || trees.state[k] == static_cast<int>(SleepState::kAwake);
    if (!was_asleep(data, trees.tree[k])) continue;
    if (sleeper >= 0 && data.tree_asleep[sleeper] >= 0)
      is_split = is_split || !are_in_one_island(model, data, sleeper, trees.tree[k]);
    sleeper = trees.tree[k];
  }
  if (sleeper < 0 || !(any_awake || is_split)) return false;
  for (int k = 0; k < trees.count; ++k)
    if (was_asleep(data, trees.tree[k])) wake_island(model, data, trees.tree[k], kFullyAwake);
  return true;
}

bool wake_by_equalities(const Model& model, Data& data) {
  if (model.opt.disabled(kDisableEquality)) return false;
  bool any = false;
  for (int id = 0; id < model.neq; ++id)
    if (data.eq_active[id]) any = wake_by_equality(model, data, id) || any;
  return any;
}

}  // namespace

bool has_applied_force(const Model& model, const Data& data, int tree) {
  return has_bits(data.qfrc_applied.data() + model.tree_dofadr[tree], model.tree_dofnum[tree]) ||
         has_bits(data.xfrc_applied.row(model.tree_bodyadr[tree], 6), 6 * model.tree_bodynum[tree]);
}

void begin_sleep_of_position(const Model& model, Data& data) {
  if (data.awake.starts) start_sleep(model, data);
  if (data.awake.all) return;
  if (can_sleep(model, data))
    wake_edited_trees(model, data);
  else
    wake_all(model, data);
}

namespace {

bool wake_by(bool (*signal)(const Model&, Data&), const Model& model, Data& data) {
  if (model.opt.disabled(kDisableConstraint) || !signal(model, data)) return false;
  update_awake(model, data);
  return true;
}

}  // namespace

void remember_frames(const Model& model, Data& data) {
  for_each_frame_array(model, data, [](const double* numbers, double* kept, size_t count) {
    if (count > 0) std::memcpy(kept, numbers, count * sizeof(double));
  });
}

bool wake_pulled_trees(const Model& model, Data& data) { return wake_by(wake_by_tendons, model, data); }
bool wake_touched_trees(const Model& model, Data& data) { return wake_by(wake_by_contacts, model, data); }
bool wake_tied_trees(const Model& model, Data& data) { return wake_by(wake_by_equalities, model, data); }

}  // namespace torsor
