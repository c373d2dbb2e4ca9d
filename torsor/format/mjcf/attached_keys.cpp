// Maps the numbers of a part from its own keyframes to those of the whole model.
#include "torsor/format/mjcf/attached_keys.hpp"

#include <cmath>
#include <numbers>

#include "torsor/format/mjcf/key_sizes.hpp"
#include "torsor/format/mjcf/reference_pose.hpp"

namespace torsor::mjcf {
namespace {

// Addresses of the numbers of bodies or actuators, and the total at the end.
template <class T, class Size>
std::vector<int> addresses(const std::vector<T>& elements, Size&& size) {
  std::vector<int> out{0};
  for (const T& element : elements) out.push_back(out.back() + size(element));
  return out;
}

using Numbers = std::optional<std::vector<double>>;
using Pairs = std::vector<std::pair<int, int>>;

// Numbers of mapped elements; others are unspecified.
Numbers map_numbers(const Numbers& numbers, const Pairs& pairs, const std::vector<int>& from,
                    const std::vector<int>& to) {
  if (!numbers) return std::nullopt;
  std::vector<double> out(static_cast<std::size_t>(to.back()), kUnset);
  for (const auto& [source, target] : pairs) {
    const auto s = static_cast<std::size_t>(source), t = static_cast<std::size_t>(target);
    const int size = from[s + 1] - from[s];
    for (int k = 0; k < size && from[s] + k < static_cast<int>(numbers->size()); ++k) {
      out[static_cast<std::size_t>(to[t] + k)] = (*numbers)[static_cast<std::size_t>(from[s] + k)];
    }
  }
  return out;
}

Pairs without_world(Pairs pairs) {
  std::erase_if(pairs, [](const auto& pair) { return pair.first == 0; });
  return pairs;
}

void fill(double* number, double reference) {
  if (std::isnan(*number)) *number = reference;
}

void fill_pose(double* pos, double* quat, const BodySpec& body, const Spec& spec) {
  const auto X_PB = find_reference_pose(body, spec);
  if (!X_PB) return;
  Number3 p;
  Number4 q;
  store3(p.data(), X_PB->p);
  store4(q.data(), X_PB->q);
  for (std::size_t k = 0; k < 3; ++k) fill(pos + k, p[k]);
  for (std::size_t k = 0; k < 4; ++k) fill(quat + k, q[k]);
}

// compile() will align the frames of these bodies with their inertia.
bool is_aligned(const JointSpec& joint, const CompilerSpec& compiler) {
  return joint.align == Tristate::kTrue || (joint.align == Tristate::kAuto && compiler.alignfree);
}

void fill_joint(double* qpos, const JointSpec& joint, const BodySpec& body, const Spec& spec) {
  constexpr double kNoRotation[4] = {1, 0, 0, 0};
  if (joint.type == JointType::kFree && !is_aligned(joint, spec.compiler)) fill_pose(qpos, qpos + 3, body, spec);
  for (int k = 0; joint.type == JointType::kBall && k < 4; ++k) fill(qpos + k, kNoRotation[k]);
  const bool in_degrees = joint.type == JointType::kHinge && spec.compiler.degree;
  if (qpos_size(joint) == 1) fill(qpos, in_degrees ? joint.ref * (std::numbers::pi / 180) : joint.ref);
}

}  // namespace

void fill_open_numbers(KeySpec& key, const Spec& spec) {
  // parts attached later have added actuators
  if (key.act) key.act->resize(static_cast<std::size_t>(addresses(spec.actuators, act_size).back()), 0);
  if (key.ctrl) key.ctrl->resize(static_cast<std::size_t>(addresses(spec.actuators, ctrl_size).back()), 0);
  for (Numbers* numbers : {&key.qvel, &key.act, &key.ctrl}) {
    for (std::size_t i = 0; *numbers && i < (*numbers)->size(); ++i) fill(&(**numbers)[i], 0);
  }
  for (Numbers* numbers : {&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat}) {
    if (*numbers && (*numbers)->empty()) numbers->reset();
  }
  std::size_t q = 0, mocap = 0;
  Number3 no_pos{};
  Number4 no_quat{};
  for (const BodySpec& body : spec.bodies) {
    for (const JointSpec& joint : body.joints) {
      if (key.qpos) fill_joint(key.qpos->data() + q, joint, body, spec);
      q += static_cast<std::size_t>(qpos_size(joint));
    }
    if (!body.mocap) continue;
    fill_pose(key.mpos ? key.mpos->data() + 3 * mocap : no_pos.data(),
              key.mquat ? key.mquat->data() + 4 * mocap : no_quat.data(), body, spec);
    ++mocap;
  }
}

Count weigh_attachment(const Attachment& part, const Spec& spec, std::size_t own_keys) {
  Count numbers;
  for (const BodySpec& body : spec.bodies)
    numbers += sum_over_joints(body, qpos_size) + sum_over_joints(body, dof_size) + (body.mocap ? 7 : 0);
  for (const ActuatorSpec& actuator : spec.actuators) numbers += Count(ctrl_size(actuator)) + Count(act_size(actuator));
  const Count keys = part.is_self ? own_keys : part.source->keys.size();
  return Count(sizeof(double)) * numbers * keys + (part.is_self ? weigh(spec) + weigh(*part.source) : Count());
}

std::vector<KeySpec> make_attached_keys(const Attachment& part, const Spec& spec) {
  const Spec& source = *part.source;
  const Pairs bodies = without_world(part.bodies);
  const auto bodies_by = [&](auto size) {
    return std::pair(addresses(source.bodies, size), addresses(spec.bodies, size));
  };
  const auto [q_from, q_to] = bodies_by([](const BodySpec& b) { return sum_over_joints(b, qpos_size); });
  const auto [v_from, v_to] = bodies_by([](const BodySpec& b) { return sum_over_joints(b, dof_size); });
  const auto [p_from, p_to] = bodies_by([](const BodySpec& b) { return b.mocap ? 3 : 0; });
  const auto [r_from, r_to] = bodies_by([](const BodySpec& b) { return b.mocap ? 4 : 0; });
  std::vector<KeySpec> keys;
  for (const KeySpec& key : source.keys) {
    KeySpec made;
    made.name = part.prefix + key.name;
    made.location = key.location;
    made.time = key.time;
    made.qpos = map_numbers(key.qpos, bodies, q_from, q_to);
    made.qvel = map_numbers(key.qvel, bodies, v_from, v_to);
    made.mpos = map_numbers(key.mpos, bodies, p_from, p_to);
    made.mquat = map_numbers(key.mquat, bodies, r_from, r_to);
    made.act = map_numbers(key.act, part.actuators, addresses(source.actuators, act_size),
                           addresses(spec.actuators, act_size));
    made.ctrl = map_numbers(key.ctrl, part.actuators, addresses(source.actuators, ctrl_size),
                            addresses(spec.actuators, ctrl_size));
    keys.push_back(std::move(made));
  }
  return keys;
}

}  // namespace torsor::mjcf
