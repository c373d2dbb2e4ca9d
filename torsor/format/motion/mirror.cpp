// Left and right exchanged.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/core/error.hpp"
#include "torsor/format/motion/edit.hpp"

namespace torsor {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSides = {
    std::pair{"left", "right"}, std::pair{"Left", "Right"}, std::pair{"LEFT", "RIGHT"}};

bool is_separator(char c) { return c == '_' || c == '.' || c == '-' || c == ' ' || c == ':'; }

// A letter that stands alone: L_knee, knee.L, or before a capital: LKnee.
bool stands_alone(std::string_view name, size_t i) {
  const bool starts = i == 0 || is_separator(name[i - 1]);
  const bool ends = i + 1 == name.size() || is_separator(name[i + 1]) || (i == 0 && name[1] >= 'A' && name[1] <= 'Z');
  return starts && ends;
}

// The name of the other side, or the name itself.
std::string other_side(const std::string& name) {
  for (const auto& [left, right] : kSides) {
    for (const auto& [from, to] : {std::pair{left, right}, std::pair{right, left}}) {
      if (const size_t at = name.find(from); at != name.npos) return std::string(name).replace(at, from.size(), to);
    }
  }
  constexpr std::string_view kLetters = "LRlr", kOthers = "RLrl";
  for (size_t i = 0; i < name.size(); ++i) {
    const size_t letter = kLetters.find(name[i]);
    if (letter == kLetters.npos || !stands_alone(name, i)) continue;
    std::string other = name;
    other[i] = kOthers[letter];
    return other;
  }
  return name;
}

// R' = S_W R S_B for reflections along one axis each. As a rotation it is -(S_W)(R)(-S_B): half turns about the axes.
Quat<double> reflected(const Quat<double>& q, int axis_W, int axis_B) {
  const auto half_turn = [](int axis) {
    return Quat<double>{0, double(axis == 0), double(axis == 1), double(axis == 2)};
  };
  return normalized(half_turn(axis_W) * q * conj(half_turn(axis_B)));
}

Vec3<double> reflected(Vec3<double> v, int axis) {
  double* const element[3] = {&v.x, &v.y, &v.z};
  *element[axis] = -*element[axis];
  return v;
}

}  // namespace

std::vector<int> find_partners(std::span<const std::string> names) {
  std::map<std::string, int> places;
  for (size_t i = 0; i < names.size(); ++i) places[names[i]] = int(i);
  std::vector<int> partners;
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    const auto partner = places.find(other_side(name));
    if (partner == places.end()) missing.push_back(fmt::format("{} (of {})", other_side(name), name));
    partners.push_back(partner == places.end() ? -1 : partner->second);
  }
  if (!missing.empty()) throw Error(fmt::format("the other side is missing: {}", fmt::join(missing, ", ")));
  return partners;
}

JointMirror mirror_joints_by_name(std::span<const std::string> names) {
  JointMirror mirror{find_partners(names), {}};
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    const auto has = [&](const char* word) { return name.find(word) != name.npos; };
    const bool keeps = has("pitch") || has("knee") || has("elbow"), flips = has("roll") || has("yaw");
    if (keeps == flips) unknown.push_back(name);
    mirror.sign.push_back(flips ? -1 : 1);
  }
  if (!unknown.empty())
    throw Error({Diagnostic{
        Severity::kError,
        {},
        fmt::format("the axes of these joints are not known from their names: {}", fmt::join(unknown, ", ")),
        "pass the model"}});
  return mirror;
}

MotionClip mirror(const MotionClip& clip, const JointMirror& joints, int lateral) {
  if (lateral < 0 || lateral > 2) throw Error(fmt::format("lateral must be an axis 0, 1 or 2, got {}", lateral));
  if (joints.from.size() != size_t(clip.dofs) || joints.sign.size() != size_t(clip.dofs))
    throw Error(fmt::format("a mirror of {} joints does not fit a clip of {}", joints.from.size(), clip.dofs));
  const Permutation checked(joints.from);
  std::vector<std::string> names;
  for (const MotionBody& body : clip.bodies) names.push_back(body.name);
  const std::vector<int> bodies = find_partners(names);
  constexpr int kY = 1;  // the world is reflected in y = 0
  MotionClip result = clip;
  const size_t count = clip.bodies.size();
  for (int f = 0; f < clip.frames; ++f) {
    store3(&result.root_pos[size_t(f) * 3], reflected(clip.p_WoRo_W(f), kY));
    const Quat<double> root = reflected(clip.q_WR(f), kY, lateral);
    store4(&result.root_quat[size_t(f) * 4], root);
    for (int j = 0; j < clip.dofs; ++j)
      result.dof[size_t(f) * size_t(clip.dofs) + size_t(j)] =
          joints.sign[size_t(j)] * clip.dof_of(f)[size_t(joints.from[size_t(j)])];
    for (size_t b = 0; b < count; ++b) {
      const int from = bodies[b];
      store4(&result.body_quat[(size_t(f) * count + b) * 4],
             b == 0 ? root : reflected(clip.rotation(f, from), lateral, lateral));
      if (!clip.body_pos.empty())
        store3(&result.body_pos[(size_t(f) * count + b) * 3],
               reflected(load3(&clip.body_pos[(size_t(f) * count + size_t(from)) * 3]), lateral));
    }
  }
  return result;
}

}  // namespace torsor
