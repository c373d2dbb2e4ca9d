// Keyframes of models with <replicate>.
#pragma once

#include "torsor/core/count.hpp"
#include "torsor/format/mjcf/attach.hpp"
#include "torsor/format/mjcf/replicate.hpp"
#include "torsor/format/mjcf/report.hpp"

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

// All keyframes of the model while <replicate>s are expanded one after the other, as in MuJoCo. The first one copies
// the model's own keyframes: in each copy, one copy of the contents gets the numbers given for the contents. Numbers of
// attached models stay with the first copy. Controls and activations are kept only until the next <replicate>.
class ReplicatedKeys {
 public:
  ReplicatedKeys(std::vector<ReplicateSpec>& replicates, std::vector<Attachment>& attachments, Spec& spec,
                 Report& report);

  bool empty() const;  // among those known so far
  // Bytes that expand() will need.
  Count weigh(const KeyLayout& layout, int copies) const;
  void expand(const ReplicateSpec& replicate, const KeyLayout& layout, const std::vector<std::string>& suffixes);
  // Hands them to the Spec, in MuJoCo's order.
  void finish();

 private:
  void spread(KeySpec& key, const ReplicateSpec& first);
  void check_controls(const KeyLayout& layout);

  Spec& spec_;
  Report& report_;
  std::vector<Attachment>& attachments_;
  int attached_before_ = 0;  // attachments that come before the first <replicate>
  bool copied_ = false;
  std::vector<KeySpec> own_;
};

}  // namespace torsor::mjcf
