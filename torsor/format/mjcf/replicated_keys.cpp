// Moves the numbers of keyframes of attached models to their addresses in the expanded model.
#include "torsor/format/mjcf/replicated_keys.hpp"

#include <algorithm>

#include "torsor/format/mjcf/attached_keys.hpp"
#include "torsor/format/mjcf/key_sizes.hpp"

namespace torsor::mjcf {
namespace {

using Numbers = std::optional<std::vector<double>>;

void add(std::vector<KeyNumber>& numbers, int from, int count, int copy) {
  for (int k = 0; k < count; ++k) numbers.push_back({from + k, copy});
}

// Numbers of the contents go to the first copy; those of the other copies are unspecified.
void move_numbers(Numbers& numbers, const std::vector<KeyNumber>& layout) {
  if (!numbers) return;
  std::vector<double> moved(layout.size(), kUnset);
  for (std::size_t n = 0; n < layout.size(); ++n) {
    const auto from = static_cast<std::size_t>(layout[n].from);
    if (layout[n].copy <= 0 && from < numbers->size()) moved[n] = (*numbers)[from];
  }
  numbers = std::move(moved);
}

void move_key(KeySpec& key, const KeyLayout& layout) {
  move_numbers(key.qpos, layout.qpos);
  move_numbers(key.qvel, layout.qvel);
  move_numbers(key.mpos, layout.mpos);
  move_numbers(key.mquat, layout.mquat);
  move_numbers(key.act, layout.act);
  move_numbers(key.ctrl, layout.ctrl);
}

}  // namespace

void KeyLayout::add_joint(int from_q, int from_v, const JointSpec& joint, int copy) {
  add(qpos, from_q, qpos_size(joint), copy);
  add(qvel, from_v, dof_size(joint), copy);
}

void KeyLayout::add_mocap(int from, int copy) {
  add(mpos, 3 * from, 3, copy);
  add(mquat, 4 * from, 4, copy);
}

void KeyLayout::add_actuator(int from_ctrl, int from_act, const ActuatorSpec& actuator, int copy) {
  add(ctrl, from_ctrl, ctrl_size(actuator), copy);
  add(act, from_act, act_size(actuator), copy);
}

bool ReplicatedKeys::empty() const {
  return std::all_of(attachments_.begin(), attachments_.end(), [](const Attachment& a) { return a.keys.empty(); });
}

Count ReplicatedKeys::weigh(const KeyLayout& layout) const {
  Count numbers, keys;
  for (const auto* list : {&layout.qpos, &layout.qvel, &layout.act, &layout.ctrl, &layout.mpos, &layout.mquat})
    numbers += list->size();
  for (const Attachment& part : attachments_) keys += part.keys.size();
  return Count(sizeof(double)) * numbers * keys;
}

void ReplicatedKeys::expand(const KeyLayout& layout) {
  for (Attachment& part : attachments_) {
    for (KeySpec& key : part.keys) move_key(key, layout);
  }
}

void ReplicatedKeys::finish() {
  for (Attachment& part : attachments_) {
    for (KeySpec& key : part.keys) {
      fill_open_numbers(key, spec_);
      spec_.keys.push_back(std::move(key));
    }
  }
}

}  // namespace torsor::mjcf
