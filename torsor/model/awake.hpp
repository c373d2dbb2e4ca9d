// What is awake, as lists that stages walk: see docs/decisions/0046. All of it follows from tree_asleep of a Data;
// update_awake() makes it anew whenever a tree falls asleep or wakes up, which is rare.
#pragma once

#include <vector>

#include "torsor/model/body_range.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

class Data;

// A tree is ready to sleep after this many steps at rest in a row.
inline constexpr int kStepsToSleep = 10;
// tree_asleep of a tree that moves, and of one that is ready to sleep. Asleep: the next tree of the island, in a cycle.
inline constexpr int kFullyAwake = -(1 + kStepsToSleep), kReadyToSleep = -1;

// In body_awake.
enum class SleepState : int { kStatic = -1, kAsleep = 0, kAwake = 1 };

// In tree_sleep_policy.
enum class SleepPolicy : int { kAuto = 0, kAutoNever = 1, kAutoAllowed = 2, kNever = 3, kAllowed = 4, kInit = 5 };

// Room for all of it is made with the Data, since steps do not allocate.
struct AwakeParts {
  AwakeParts() = default;
  explicit AwakeParts(const ModelSizes& sizes);

  // Nothing sleeps: stages take the whole model and no list. Also while the flag `sleep` is not set.
  bool all = true;
  // Set by reset(): trees with the policy `init` are put to sleep before the next positions are computed.
  bool starts = true;
  // Set for Datas that are given the states of many worlds in turn (batch/): nothing sleeps in them.
  bool is_shared = false;

  // Without static bodies, whose poses were computed while all was awake.
  std::vector<Range> runs;
  std::vector<int> tendons, actuators, sensors;
  int run_count = 0, tendon_count = 0, actuator_count = 0, sensor_count = 0;
  // Static bodies and the roots of trees: what the COM of a static body is the sum of.
  std::vector<int> tops;
  int top_count = 0;
  // The coordinates that trees fell asleep with, to notice edits.
  std::vector<double> qpos_asleep;
  // body_pos, body_quat, jnt_pos, jnt_axis and qpos0 of the model when the last tree fell asleep, to notice edits.
  std::vector<double> frames_asleep;
};

// Sets the lists and the arrays tree_awake, body_awake, body_awake_ind, parent_awake_ind and dof_awake_ind with their
// counts.
void update_awake(const Model& model, Data& data);
// All trees fully awake.
void wake_all(const Model& model, Data& data);

// Whether an element moves or may be moved by what is awake.
bool is_tendon_awake(const Model& model, const Data& data, int tendon);
bool is_actuator_awake(const Model& model, const Data& data, int actuator);
bool is_sensor_awake(const Model& model, const Data& data, int sensor);

}  // namespace torsor
