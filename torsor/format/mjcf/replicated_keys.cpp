// Moves the numbers of keyframes to their addresses in the expanded model.
#include "torsor/format/mjcf/replicated_keys.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "torsor/format/mjcf/attached_keys.hpp"
#include "torsor/format/mjcf/key_sizes.hpp"

namespace torsor::mjcf {
namespace {

constexpr int kLater = -2;  // instead of a copy: the number is unknown

using Numbers = std::optional<std::vector<double>>;

void add(std::vector<KeyNumber>& numbers, int from, int count, int copy) {
  for (int k = 0; k < count; ++k) numbers.push_back({from + k, copy});
}

// Numbers of the contents go to one copy (-1: to none); those of the other copies are unspecified.
void move_numbers(Numbers& numbers, const std::vector<KeyNumber>& layout, int copy) {
  if (!numbers) return;
  std::vector<double> moved(layout.size(), kUnset);
  for (std::size_t n = 0; n < layout.size(); ++n) {
    const auto from = static_cast<std::size_t>(layout[n].from);
    if ((layout[n].copy == -1 || layout[n].copy == copy) && from < numbers->size()) moved[n] = (*numbers)[from];
  }
  numbers = std::move(moved);
}

void move_key(KeySpec& key, const KeyLayout& layout, int copy) {
  move_numbers(key.qpos, layout.qpos, copy);
  move_numbers(key.qvel, layout.qvel, copy);
  move_numbers(key.mpos, layout.mpos, copy);
  move_numbers(key.mquat, layout.mquat, copy);
  move_numbers(key.act, layout.act, -1);
  move_numbers(key.ctrl, layout.ctrl, -1);
}

void forget_controls(KeySpec& key) {
  key.act.reset();
  key.ctrl.reset();
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

ReplicatedKeys::ReplicatedKeys(std::vector<ReplicateSpec>& replicates, std::vector<Attachment>& attachments, Spec& spec,
                               Report& report)
    : spec_(spec), report_(report), attachments_(attachments), own_(std::move(spec.keys)) {
  if (replicates.empty()) return;
  attached_before_ = replicates.front().attached_before;
  for (KeySpec& key : own_) spread(key, replicates.front());
}

// The model's keyframes cover it up to the end of the first <replicate>; later joints and bodies are unspecified.
void ReplicatedKeys::spread(KeySpec& key, const ReplicateSpec& first) {
  KeyLayout layout;
  int nq = 0, nv = 0, nmocap = 0;
  const auto add_later = [](std::vector<KeyNumber>& numbers, int count) { add(numbers, 0, count, kLater); };
  for (std::size_t b = 0; b < spec_.bodies.size(); ++b) {
    const BodySpec& body = spec_.bodies[b];
    const std::size_t known = b < first.joints_so_far.size() ? static_cast<std::size_t>(first.joints_so_far[b]) : 0;
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      const JointSpec& joint = body.joints[j];
      if (j < known) {
        layout.add_joint(nq, nv, joint, -1);
        nq += qpos_size(joint);
        nv += dof_size(joint);
      } else {
        add_later(layout.qpos, qpos_size(joint));
        add_later(layout.qvel, dof_size(joint));
      }
    }
    if (!body.mocap) continue;
    if (b < first.joints_so_far.size()) {
      layout.add_mocap(nmocap++, -1);
    } else {
      add_later(layout.mpos, 3);
      add_later(layout.mquat, 4);
    }
  }
  const auto spread_numbers = [&](const char* name, Numbers& numbers, const std::vector<KeyNumber>& to, int count) {
    if (!numbers) return;
    if (static_cast<int>(numbers->size()) != count) {
      report_.error(key.location,
                    fmt::format("{} of keyframe '{}' has {} numbers; the model has {} where its first <replicate> ends",
                                name, key.name, numbers->size(), count),
                    "keyframes are for what is written up to the end of the first <replicate>, its contents once");
    }
    move_numbers(numbers, to, -1);
  };
  spread_numbers("qpos", key.qpos, layout.qpos, nq);
  spread_numbers("qvel", key.qvel, layout.qvel, nv);
  spread_numbers("mpos", key.mpos, layout.mpos, 3 * nmocap);
  spread_numbers("mquat", key.mquat, layout.mquat, 4 * nmocap);
}

bool ReplicatedKeys::empty() const {
  return own_.empty() &&
         std::all_of(attachments_.begin(), attachments_.end(), [](const Attachment& a) { return a.keys.empty(); });
}

Count ReplicatedKeys::weigh(const KeyLayout& layout, int copies) const {
  Count numbers;
  for (const auto* list : {&layout.qpos, &layout.qvel, &layout.act, &layout.ctrl, &layout.mpos, &layout.mquat})
    numbers += list->size();
  Count keys = Count(own_.size()) * Count(copied_ ? 1 : copies);
  for (const Attachment& part : attachments_) keys += part.keys.size();
  return Count(sizeof(double)) * numbers * keys;
}

// Attached actuators come after the model's own, so keyframes may have fewer numbers.
void ReplicatedKeys::check_controls(const KeyLayout& layout) {
  const auto check = [&](const KeySpec& key, const char* name, const Numbers& numbers, const auto& places) {
    int count = 0;
    for (const KeyNumber& place : places) count = std::max(count, place.from + 1);
    if (!numbers || static_cast<int>(numbers->size()) <= count) return;
    report_.error(key.location, fmt::format("{} of keyframe '{}' has {} numbers; the model has {} before its first "
                                            "<replicate> is expanded",
                                            name, key.name, numbers->size(), count));
  };
  for (const KeySpec& key : own_) {
    check(key, "ctrl", key.ctrl, layout.ctrl);
    check(key, "act", key.act, layout.act);
  }
}

void ReplicatedKeys::expand(const ReplicateSpec& replicate, const KeyLayout& layout,
                            const std::vector<std::string>& suffixes) {
  for (std::size_t a = 0; a < attachments_.size(); ++a) {
    for (KeySpec& key : attachments_[a].keys) {
      if (static_cast<int>(a) < replicate.attached_before) forget_controls(key);
      move_key(key, layout, 0);
    }
  }
  if (!copied_) check_controls(layout);
  std::vector<KeySpec> all;
  for (std::size_t copy = 0; copy < suffixes.size() && !copied_; ++copy) {
    for (const KeySpec& key : own_) {
      KeySpec& made = all.emplace_back(key);
      made.name += suffixes[copy];
      forget_controls(made);
      move_key(made, layout, static_cast<int>(copy));
    }
  }
  for (KeySpec& key : own_) {
    if (copied_) forget_controls(key);
    move_key(key, layout, copied_ ? 0 : -1);
    all.push_back(std::move(key));
  }
  own_ = std::move(all);
  copied_ = true;
}

void ReplicatedKeys::finish() {
  // without <replicate>, the model's keyframes are kept as written, even if too short
  const auto append = [&](std::vector<KeySpec>& keys) {
    for (KeySpec& key : keys) {
      if (&keys != &own_ || copied_) fill_open_numbers(key, spec_);
      spec_.keys.push_back(std::move(key));
    }
  };
  spec_.keys.clear();
  for (int a = 0; a < attached_before_; ++a) append(attachments_[static_cast<std::size_t>(a)].keys);
  append(own_);
  for (std::size_t a = static_cast<std::size_t>(attached_before_); a < attachments_.size(); ++a) {
    append(attachments_[a].keys);
  }
}

}  // namespace torsor::mjcf
