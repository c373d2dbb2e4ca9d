// Spelling, composition and extraction of Euler angles.
#include "torsor/convention/euler.hpp"

#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor::rotations {
namespace {

const std::string kLetters = "xyz";

bool is_lower(char letter) { return std::islower(static_cast<unsigned char>(letter)) != 0; }
int axis_of(char letter) {
  return static_cast<int>(kLetters.find(static_cast<char>(std::tolower(static_cast<unsigned char>(letter)))));
}

[[noreturn]] void refuse(const std::string& letters, EulerSpelling spelling, const std::string& reason) {
  const std::string nearest = find_nearest(letters, all_euler_sequences(spelling));
  const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
  throw Error(fmt::format("unknown Euler sequence '{}': {}{}", letters, reason, hint));
}

void check_letters(const std::string& letters, EulerSpelling spelling) {
  if (spelling == EulerSpelling::kUnspecified)
    throw Error(
        "an Euler sequence needs a spelling: MuJoCo's (lower case intrinsic) or SciPy's (upper case intrinsic)");
  if (letters.size() != 3 || letters.find_first_not_of("xyzXYZ") != std::string::npos)
    refuse(letters, spelling, "expected three letters of x, y, z");
  if (spelling == EulerSpelling::kMujoco) return;
  if (is_lower(letters[0]) != is_lower(letters[1]) || is_lower(letters[1]) != is_lower(letters[2]))
    refuse(letters, spelling, "SciPy's spelling does not mix upper and lower case");
  if (letters[0] == letters[1] || letters[1] == letters[2]) refuse(letters, spelling, "neighbouring axes must differ");
}

// q times a rotation about a coordinate axis, given sine and cosine of half its angle
Quat<double> turned(const Quat<double>& q, int axis, double s, double c) {
  if (axis == 0) return {q.w * c - q.x * s, q.x * c + q.w * s, q.y * c + q.z * s, q.z * c - q.y * s};
  if (axis == 1) return {q.w * c - q.y * s, q.x * c - q.z * s, q.y * c + q.w * s, q.z * c + q.x * s};
  return {q.w * c - q.z * s, q.x * c + q.y * s, q.y * c - q.x * s, q.z * c + q.w * s};
}

double wrapped(double angle) {  // from (-2 pi, 2 pi] into [-pi, pi]
  return angle > M_PI ? angle - 2 * M_PI : angle < -M_PI ? angle + 2 * M_PI : angle;
}

// The angles a, b, c of q = R_i(a) R_j(b) R_i(c), b in [0, pi]. In half angles, with l the remaining axis and sign that
// of the permutation i j l:
//   q_w = cos(b) cos(a + c),  q_i = cos(b) sin(a + c),  q_j = sin(b) cos(a - c),  q_l = sign sin(b) sin(a - c)
struct ProperAngles {
  double first, middle, last;
};
ProperAngles proper_angles(double q_w, double q_i, double q_j, double signed_q_l, bool last_is_zero_if_locked) {
  const double cos_middle = std::sqrt(q_w * q_w + q_i * q_i);
  const double sin_middle = std::sqrt(q_j * q_j + signed_q_l * signed_q_l);
  const double middle = 2 * atan2(sin_middle, cos_middle);
  const bool no_sum = 2 * cos_middle < kGimbalLock, no_difference = 2 * sin_middle < kGimbalLock;
  const double half_sum = no_sum ? 0 : atan2(q_i, q_w);
  const double half_difference = no_difference ? 0 : atan2(signed_q_l, q_j);
  if (!no_sum && !no_difference)
    return {wrapped(half_sum + half_difference), middle, wrapped(half_sum - half_difference)};
  if (last_is_zero_if_locked) return {wrapped(2 * (half_sum + half_difference)), middle, 0};
  return {0, middle, wrapped(2 * (half_sum - half_difference))};
}

}  // namespace

EulerSequence make_euler_sequence(const std::string& letters, EulerSpelling spelling) {
  check_letters(letters, spelling);
  const auto is_intrinsic = [&](char letter) { return is_lower(letter) == (spelling == EulerSpelling::kMujoco); };
  std::vector<int> factors{0};
  for (int i = 1; i < 3; ++i) factors.insert(is_intrinsic(letters[i]) ? factors.end() : factors.begin(), i);
  EulerSequence sequence{};
  for (int i = 0; i < 3; ++i) {
    sequence.angle[i] = factors[i];
    sequence.axis[i] = axis_of(letters[factors[i]]);
  }
  return sequence;
}

std::vector<std::string> all_euler_sequences(EulerSpelling spelling) {
  std::vector<std::string> intrinsic, extrinsic;
  for (char a : kLetters)
    for (char b : kLetters)
      for (char c : kLetters) {
        if (a == b || b == c) continue;
        intrinsic.push_back({a, b, c});
        extrinsic.emplace_back();
        for (char letter : {a, b, c}) extrinsic.back() += static_cast<char>(std::toupper(letter));
      }
  if (spelling == EulerSpelling::kScipy) std::swap(intrinsic, extrinsic);
  intrinsic.insert(intrinsic.end(), extrinsic.begin(), extrinsic.end());
  return intrinsic;
}

Quat<double> quat_from_euler(const EulerSequence& sequence, const Vec3<double>& angles) {
  Quat<double> q = Quat<double>::identity();
  for (int i = 0; i < 3; ++i) {
    double s, c;
    sincos(angles[sequence.angle[i]] * 0.5, s, c);
    q = turned(q, sequence.axis[i], s, c);
  }
  return q;
}

// Three different axes are brought to the case R_i R_j R_i: a quarter turn about j takes axis k to i or -i, so that
// R_i(a) R_j(b) R_k(c) R_j(pi/2) = R_i(a) R_j(b + pi/2) R_i(-sign c).
Vec3<double> euler_from_quat(const EulerSequence& sequence, const Quat<double>& q) {
  if (!sequence.reaches_every_rotation())
    throw Error("this Euler sequence cannot express every rotation: two neighbouring turns are about the same axis");
  const int i = sequence.axis[0], j = sequence.axis[1], l = 3 - i - j;
  const bool is_proper = sequence.axis[2] == i;
  const double sign = (j - i + 3) % 3 == 1 ? 1 : -1;
  const Quat<double> Q = is_proper ? q : turned(q, j, std::sqrt(0.5), std::sqrt(0.5));
  const Vec3<double> v = Q.vec();
  const ProperAngles angles = proper_angles(Q.w, v[i], v[j], sign * v[l], sequence.angle[2] == 2);
  Vec3<double> result{};
  result[sequence.angle[0]] = angles.first;
  result[sequence.angle[1]] = is_proper ? angles.middle : angles.middle - M_PI / 2;
  result[sequence.angle[2]] = is_proper ? angles.last : 0 - sign * angles.last;  // never -0
  return result;
}

}  // namespace torsor::rotations
