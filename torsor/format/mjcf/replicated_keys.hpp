// Keyframes of attached models in models with <replicate>.
#pragma once

#include "torsor/core/count.hpp"
#include "torsor/format/mjcf/attach.hpp"

namespace torsor::mjcf {

// The source of a number of the expanded model.
struct KeyNumber {
  int from = 0;   // its address before the expansion
  int copy = -1;  // the copy that it belongs to; -1: outside the contents
};
struct KeyLayout {
  std::vector<KeyNumber> qpos, qvel, act, ctrl, mpos, mquat;

  void add_joint(int from_q, int from_v, const JointSpec& joint, int copy);
  void add_mocap(int from, int copy);
  void add_actuator(int from_ctrl, int from_act, const ActuatorSpec& actuator, int copy);
};

// Keyframes of attached models while <replicate>s are expanded one after the other: their numbers stay with the first
// copy. The model's own keyframes describe the expanded model, as they are.
class ReplicatedKeys {
 public:
  ReplicatedKeys(std::vector<Attachment>& attachments, Spec& spec) : spec_(spec), attachments_(attachments) {}

  bool empty() const;  // among those known so far
  // Bytes that expand() will need.
  Count weigh(const KeyLayout& layout) const;
  void expand(const KeyLayout& layout);
  // Hands them to the Spec, behind its own.
  void finish();

 private:
  Spec& spec_;
  std::vector<Attachment>& attachments_;
};

}  // namespace torsor::mjcf
