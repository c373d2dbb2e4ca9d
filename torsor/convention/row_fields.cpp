#include "torsor/convention/row_fields.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <type_traits>

#include "torsor/convention/rows.hpp"

namespace torsor {
namespace {

// --- words of each enum, in the order of its values -----------------------------------------------------------------

template <class E>
constexpr std::array<const char*, 0> kWords{};
template <>
constexpr std::array kWords<QuatOrder>{"unspecified", "wxyz", "xyzw"};
template <>
constexpr std::array kWords<RotationForm>{"unspecified", "quaternion", "matrix", "rotation vector", "euler"};
template <>
constexpr std::array kWords<PoseOrder>{"unspecified", "position first", "rotation first"};
template <>
constexpr std::array kWords<PoseOf>{"unspecified", "body", "body at com", "principal axes at com", "joint anchors"};
template <>
constexpr std::array kWords<Point>{"unspecified", "origin", "com", "world origin", "tree com"};
template <>
constexpr std::array kWords<Frame>{"unspecified", "world", "body", "parent"};
template <>
constexpr std::array kWords<BlockOrder>{"unspecified", "linear first", "angular first"};
template <>
constexpr std::array kWords<AngleUnit>{"unspecified", "rad", "deg"};
template <>
constexpr std::array kWords<AccelerationForm>{"unspecified", "rate", "spatial minus gravity"};
template <>
constexpr std::array kWords<JointOrder>{"unspecified",
                                        "depth first",
                                        "breadth first",
                                        "depth first by name",
                                        "breadth first by name",
                                        "depth first by joint name",
                                        "depth first floating last"};
template <>
constexpr std::array kWords<MultiAxis>{"unspecified", "declared", "linear first"};
template <>
constexpr std::array kWords<JointZero>{"unspecified", "ref", "zero"};

// Compares words ignoring separators: "depth first", "depth_first" and "depth-first" are equal.
bool same_word(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto plain = [](char c) { return c == '_' || c == '-' ? ' ' : c; };
    if (plain(a[i]) != plain(b[i])) return false;
  }
  return true;
}

// --- one value as a word
// ----------------------------------------------------------------------------------------------

template <class E>
std::string to_word(const E& value) {
  return kWords<E>[static_cast<size_t>(value)];
}
template <class E>
bool from_word(E& value, std::string_view word) {
  for (size_t i = 0; i < kWords<E>.size(); ++i) {
    if (same_word(kWords<E>[i], word)) return value = static_cast<E>(i), true;
  }
  return false;
}
template <class E>
std::vector<std::string> words_of() {
  return {kWords<E>.begin(), kWords<E>.end()};
}

std::string to_word(const bool& value) { return value ? "wrench" : "dual"; }
bool from_word(bool& value, std::string_view word) {
  value = word == "wrench";
  return value || word == "dual";
}
template <>
std::vector<std::string> words_of<bool>() {
  return {"dual", "wrench"};
}

std::string to_word(const int& sign) { return sign == 0 ? "unspecified" : (sign > 0 ? "+" : "-"); }
bool from_word(int& sign, std::string_view word) {
  sign = word == "+" ? 1 : (word == "-" ? -1 : 0);
  return sign != 0 || word == kUnspecifiedWord;
}
template <>
std::vector<std::string> words_of<int>() {
  return {"unspecified", "+", "-"};
}

std::string to_word(const double& length) { return length == 0 ? "unspecified" : fmt::format("{}", length); }
bool from_word(double& length, std::string_view word) {
  for (const auto& [name, metres] : {std::pair{"unspecified", 0.0}, {"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}}) {
    if (word == name) return length = metres, true;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !(value > 0 && value < 1e6)) return false;
  return length = value, true;
}
template <>
std::vector<std::string> words_of<double>() {
  return {"unspecified", "1", "0.01", "0.001"};
}

std::string to_word(const Axes& axes) { return axes_text(axes); }
bool from_word(Axes& axes, std::string_view word) { return read_axes(word, axes); }
template <>
std::vector<std::string> words_of<Axes>() {
  std::vector<std::string> all{"unspecified"};
  constexpr signed char kOrders[6][3] = {{1, 2, 3}, {2, 3, 1}, {3, 1, 2}, {1, 3, 2}, {3, 2, 1}, {2, 1, 3}};
  for (const auto& order : kOrders) {
    for (int signs = 0; signs < 8; ++signs) {
      Axes axes;
      for (int i = 0; i < 3; ++i) axes.of[i] = static_cast<signed char>(signs >> i & 1 ? -order[i] : order[i]);
      all.push_back(axes_text(axes));
    }
  }
  return all;
}

std::string to_word(const EulerText& euler) { return euler.known() ? euler.letters : "unspecified"; }
bool from_word(EulerText& euler, std::string_view word) {
  if (word == kUnspecifiedWord) return euler = {}, true;
  if (word.size() != 3 || word.find_first_not_of("xyzXYZ") != word.npos) return false;
  for (int i = 0; i < 2; ++i) {
    if ((word[i] | 32) == (word[i + 1] | 32)) return false;  // two successive rotations about one axis
  }
  EulerText result;
  for (int i = 0; i < 3; ++i) result.letters[i] = word[i];
  return euler = result, true;
}
template <>
std::vector<std::string> words_of<EulerText>() {
  return {"unspecified", "xyz", "zyx", "zxy", "XYZ", "ZYX", "ZXY", "zxz", "yxz"};
}

// --- the table
// ----------------------------------------------------------------------------------------------------------

template <auto... kMembers>
struct Access;
template <auto kMember>
struct Access<kMember> {
  static auto& of(auto& row) { return row.*kMember; }
};
template <auto kOuter, auto kInner>
struct Access<kOuter, kInner> {
  static auto& of(auto& row) { return row.*kOuter.*kInner; }
};

template <auto... kMembers>
constexpr RowField field(const char* name, const char* meaning) {
  using A = Access<kMembers...>;
  return {name, meaning, [](const Row& row) { return to_word(A::of(row)); },
          [](Row& row, std::string_view word) { return from_word(A::of(row), word); },
          [] { return words_of<std::remove_cvref_t<decltype(A::of(std::declval<Row&>()))>>(); }};
}

using L = SpatialLayout;
constexpr RowField kFields[] = {
    field<&Row::rotation>("rotation", "how a rotation is written"),
    field<&Row::quat>("quat", "order of a quaternion's numbers"),
    field<&Row::euler>("euler", "sequence of Euler angles in MuJoCo's spelling: lower case for moving axes"),
    field<&Row::pose_of>("pose_of", "the frame that a pose describes"),
    field<&Row::pose>("pose", "order of position and rotation"),
    field<&Row::world>("world", "axes of the world in terms of x forward, y left, z up"),
    field<&Row::body>("body", "axes of frames that bodies carry, in terms of x forward, y left, z up"),
    field<&Row::length>("length", "metres in a unit of length"),
    field<&Row::angle>("angle", "unit of joint angles and Euler angles"),
    field<&Row::twist, &L::point>("twist.point", "the point whose velocity is given"),
    field<&Row::twist, &L::linear>("twist.linear", "axes of the linear velocity"),
    field<&Row::twist, &L::angular>("twist.angular", "axes of the angular velocity"),
    field<&Row::twist, &L::order>("twist.order", "order of a twist's two vectors"),
    field<&Row::twist, &L::angle>("twist.angle", "unit of angle of the angular velocity"),
    field<&Row::wrench, &L::point>("wrench.point", "the point about which moments are taken"),
    field<&Row::wrench, &L::linear>("wrench.linear", "axes of the force"),
    field<&Row::wrench, &L::angular>("wrench.angular", "axes of the moment"),
    field<&Row::wrench, &L::order>("wrench.order", "order of a wrench's two vectors"),
    field<&Row::wrench, &L::angle>("wrench.angle", "unit of angle that moments are dual to"),
    field<&Row::wrench_sign>("wrench.sign", "sign of an applied wrench; - if a residual is stored"),
    field<&Row::joint_force_is_wrench>("joint_force", "six forces of a free joint: dual to its velocity, or a wrench"),
    field<&Row::acceleration>("acceleration", "definition of a body's acceleration"),
    field<&Row::ball>("ball", "axes of a ball joint's angular velocity; parent means the parent anchor"),
    field<&Row::joints>("joints", "order of joints in a vector"),
    field<&Row::multi_axis>("multi_axis", "order of several axes between one pair of bodies"),
    field<&Row::zero>("zero", "coordinate of a scalar joint in the reference pose"),
};

struct NamedAxes {
  const char* name;
  Axes axes;
};
constexpr NamedAxes kNamedAxes[] = {{"z-up", rows::words::kZUp},     {"y-up", rows::words::kYUp},
                                    {"x-up", Axes{{3, 2, -1}}},      {"ned", rows::words::kDown},
                                    {"gltf", rows::words::kGltf},    {"unity", rows::words::kUnity},
                                    {"unreal", rows::words::kUnreal}};

}  // namespace

std::span<const RowField> row_fields() { return kFields; }

const RowField* find_row_field(std::string_view name) {
  for (const RowField& field : kFields) {
    if (name == field.name) return &field;
  }
  return nullptr;
}

std::string axes_text(const Axes& axes) {
  if (!axes.known()) return std::string(kUnspecifiedWord);
  std::string text;
  for (int i = 0; i < 3; ++i)
    text += fmt::format("{}{}{}", i ? " " : "", axes.of[i] < 0 ? "-" : "", "xyz"[axes.axis(i)]);
  return text;
}

bool read_axes(std::string_view text, Axes& axes) {
  if (text == kUnspecifiedWord) return axes = {}, true;
  for (const NamedAxes& named : kNamedAxes) {
    if (same_word(named.name, text)) return axes = named.axes, true;
  }
  Axes read;
  int count = 0, sign = 1;
  for (const char c : text) {
    if (c == ' ' || c == '+') continue;
    if (c == '-') {
      sign = -1;
    } else if (c >= 'x' && c <= 'z' && count < 3) {
      read.of[count++] = static_cast<signed char>(sign * (c - 'x' + 1));
      sign = 1;
    } else {
      return false;
    }
  }
  if (count != 3 || !read.is_permutation()) return false;
  return axes = read, true;
}

}  // namespace torsor
