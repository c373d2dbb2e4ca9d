// Falling asleep.
#include "torsor/sim/sleep.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/constraint/islands.hpp"
#include "torsor/dynamics/actuation.hpp"
#include "torsor/model/awake.hpp"
#include "torsor/sim/evaluate.hpp"
#include "torsor/sim/sleep_signals.hpp"

namespace torsor {
namespace {

SleepPolicy policy_of(const Model& model, int tree) { return static_cast<SleepPolicy>(model.tree_sleep_policy[tree]); }

bool may_tree_sleep(const Model& model, int tree) {
  const SleepPolicy policy = policy_of(model, tree);
  return policy != SleepPolicy::kNever && policy != SleepPolicy::kAutoNever;
}

// Slower than the tolerance; angles count by the length of what turns. Tolerance 0 means exactly at rest.
bool is_slow(const Model& model, const Data& data, int tree) {
  const double tolerance = model.opt.sleep_tolerance;
  if (!(tolerance >= 0)) return false;
  for (int i = model.tree_dofadr[tree], end = i + model.tree_dofnum[tree]; i < end; ++i) {
    const double speed = std::fabs(data.qvel[i]) * model.dof_length[i];
    if (!(speed < tolerance || speed == 0)) return false;
  }
  return true;
}

// Counts up to readiness; returns whether any tree is ready. `starting`: those with the policy `init` are, at once.
// Nothing is counted while there are rows and these are not split into islands.
bool count_rest(const Model& model, Data& data, bool starting) {
  if (data.nefc > 0 && model.opt.disabled(kDisableIsland)) return false;
  bool any_ready = false;
  for (int t = 0; t < model.ntree; ++t) {
    int& count = data.tree_asleep[t];
    if (count >= 0) continue;
    if (!may_tree_sleep(model, t) || !is_slow(model, data, t) || has_applied_force(model, data, t))
      count = kFullyAwake;
    else if (starting && policy_of(model, t) == SleepPolicy::kInit)
      count = kReadyToSleep;
    else
      count = std::min(count + 1, kReadyToSleep);
    any_ready = any_ready || count == kReadyToSleep;
  }
  return any_ready;
}

// Trees of one island that are all ready become a cycle, in ascending order; `last` has the last tree of each island.
void close_cycle(Data& data, int tree, int* first, int* last) {
  if (*last < 0)
    *first = tree;
  else
    data.tree_asleep[*last] = tree;
  data.tree_asleep[tree] = *first;
  *last = tree;
}

// Returns whether any tree fell asleep. A tree without rows is an island of its own.
bool close_ready_islands(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  const size_t ntree = static_cast<size_t>(model.ntree);
  int* first = data.arena().push_array<int>(ntree);
  int* last = first ? data.arena().push_array<int>(ntree) : nullptr;
  bool* waits = last ? data.arena().push_array<bool>(ntree) : nullptr;
  if (!waits) return false;
  const int nisland = data.nisland;
  Islands islands;
  if (data.nefc > 0) {
    islands = find_islands(model, data, false);
    if (!islands.row) return false;
  }
  const auto island_of = [&](int tree) { return data.nefc > 0 ? islands.tree_island[tree] : -1; };
  std::fill(waits, waits + ntree, false);
  std::fill(last, last + ntree, -1);
  for (int t = 0; t < model.ntree; ++t)
    if (island_of(t) >= 0 && data.tree_asleep[t] != kReadyToSleep) waits[island_of(t)] = true;
  bool any = false;
  for (int t = 0; t < model.ntree; ++t) {
    const int island = island_of(t);
    if (data.tree_asleep[t] != kReadyToSleep || (island >= 0 && waits[island])) continue;
    any = true;
    int alone_first = t, alone_last = -1;
    island >= 0 ? close_cycle(data, t, first + island, last + island) : close_cycle(data, t, &alone_first, &alone_last);
    std::fill_n(data.qvel.begin() + model.tree_dofadr[t], model.tree_dofnum[t], 0.0);
  }
  data.nisland = nisland;
  return any;
}

// Takes back what falling asleep changed, unless it succeeded; activations in any case, which the caller advances.
class Attempt {
 public:
  Attempt(const Model& model, Data& data)
      : scope_(data.arena()),
        data_(data),
        qvel_(data.arena().push_array<double>(static_cast<size_t>(model.nv))),
        act_(data.arena().push_array<double>(static_cast<size_t>(model.na))),
        tree_asleep_(data.arena().push_array<int>(static_cast<size_t>(model.ntree))) {
    if (!is_possible()) return;
    std::copy(data.qvel.begin(), data.qvel.end(), qvel_);
    std::copy(data.act.begin(), data.act.end(), act_);
    std::copy(data.tree_asleep.begin(), data.tree_asleep.end(), tree_asleep_);
  }
  ~Attempt() {
    if (!is_possible()) return;
    std::copy_n(act_, data_.act.size(), data_.act.begin());
    if (succeeded) return;
    std::copy_n(qvel_, data_.qvel.size(), data_.qvel.begin());
    std::copy_n(tree_asleep_, data_.tree_asleep.size(), data_.tree_asleep.begin());
  }
  bool is_possible() const { return qvel_ && act_ && tree_asleep_; }
  bool succeeded = false;

 private:
  ArenaScope scope_;
  Data& data_;
  double *qvel_, *act_;
  int* tree_asleep_;
};

// Trees that just fell asleep are still in the lists of what is awake: results are theirs too, one last time. They
// belong to the activations at the end of the step, as in MuJoCo.
void fall_asleep(const Model& model, Data& data) {
  Attempt attempt(model, data);
  if (!attempt.is_possible() || !close_ready_islands(model, data)) return;
  advance_activations(model, data, data.act_dot.data());
  evaluate_forward(model, data, SkipStage::kPosition);
  if (data.memory_needed() > 0) return;
  attempt.succeeded = true;
  update_awake(model, data);
  for (int j = 0; j < model.njnt; ++j) {
    if (data.tree_asleep[model.body_treeid[model.jnt_bodyid[j]]] < 0) continue;
    const int begin = model.jnt_qposadr[j], end = j + 1 < model.njnt ? model.jnt_qposadr[j + 1] : model.nq;
    std::copy(data.qpos.begin() + begin, data.qpos.begin() + end, data.awake.qpos_asleep.begin() + begin);
  }
  remember_frames(model, data);
}

}  // namespace

bool can_sleep(const Model& model, const Data& data) {
  if (!model.opt.enabled(kEnableSleep) || data.awake.is_shared) return false;
  const auto integrator = static_cast<Integrator>(model.opt.integrator);
  return integrator != Integrator::kRk4;
}

void put_resting_trees_to_sleep(const Model& model, Data& data) {
  if (count_rest(model, data, false)) fall_asleep(model, data);
}

namespace {

// State and mocap poses of the reference pose, for the time of one evaluation.
class ReferencePose {
 public:
  ReferencePose(const Model& model, Data& data) : scope_(data.arena()), data_(data) {
    exchange(data.qpos, model.qpos0.data());
    exchange(data.qvel, nullptr);
    exchange(data.act, nullptr);
    for (int b = 0; b < model.nbody; ++b) {
      const int mocap = model.body_mocapid[b];
      if (mocap < 0) continue;
      if (mocap == 0) exchange(data.mocap_pos, nullptr), exchange(data.mocap_quat, nullptr);
      std::copy_n(model.body_pos.row(b, 3), 3, data.mocap_pos.row(mocap, 3));
      std::copy_n(model.body_quat.row(b, 4), 4, data.mocap_quat.row(mocap, 4));
    }
  }
  ~ReferencePose() {
    for (int k = 0; k < count_; ++k) std::copy_n(kept_[k], field_[k]->size(), field_[k]->begin());
  }

 private:
  void exchange(Field<double>& field, const double* reference) {
    double* kept = data_.arena().push_array<double>(static_cast<size_t>(field.size()));
    if (!kept) return;
    std::copy(field.begin(), field.end(), kept);
    if (reference)
      std::copy_n(reference, field.size(), field.begin());
    else
      std::fill(field.begin(), field.end(), 0.0);
    field_[count_] = &field;
    kept_[count_++] = kept;
  }

  ArenaScope scope_;
  Data& data_;
  Field<double>* field_[5];
  double* kept_[5];
  int count_ = 0;
};

bool starts_asleep(const Model& model, int tree) { return policy_of(model, tree) == SleepPolicy::kInit; }

int find_first_awake_init(const Model& model, const Data& data) {
  for (int t = 0; t < model.ntree; ++t)
    if (starts_asleep(model, t) && data.tree_asleep[t] < 0) return t;
  return -1;
}

}  // namespace

void start_sleep(const Model& model, Data& data) {
  if (!data.awake.starts) return;
  data.awake.starts = false;  // first: the evaluation asks again
  if (!can_sleep(model, data) || find_first_awake_init(model, data) < 0) return;
  const double time = data.time;
  {
    ReferencePose pose(model, data);
    evaluate_forward(model, data, SkipStage::kNone);
    if (data.memory_needed() > 0) return;
    if (count_rest(model, data, true)) fall_asleep(model, data);
    for (int t = 0; t < model.ntree; ++t)
      if (starts_asleep(model, t) && data.tree_asleep[t] == kReadyToSleep) data.tree_asleep[t] = kFullyAwake;
    // no forces and no acceleration so far, as after any reset
    for (const Field<double>& field : {data.qfrc_smooth, data.qacc_smooth, data.qacc, data.qacc_warmstart})
      std::fill(field.begin(), field.end(), 0.0);
  }
  data.time = time;
  if (const int tree = find_first_awake_init(model, data); tree >= 0)
    warn(data, Warning::kSleepInit, model.tree_bodyadr[tree]);
}

}  // namespace torsor
