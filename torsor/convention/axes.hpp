// Axes: the coordinate axes of a system as a signed permutation of ours (x forward, y left, z up, right-handed).
#pragma once

#include "torsor/math/mat3.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {

// Element i of a vector in the system's axes is element |of[i]| - 1 of the same vector in ours, negated if of[i] < 0.
// All zero: unspecified.
struct Axes {
  signed char of[3] = {0, 0, 0};

  constexpr bool known() const { return of[0] != 0; }
  constexpr bool operator==(const Axes& b) const { return of[0] == b.of[0] && of[1] == b.of[1] && of[2] == b.of[2]; }

  // +1 for right-handed systems, -1 for left-handed ones: cyclic orders are even
  constexpr int determinant() const {
    const bool odd_signs = (of[0] < 0) != ((of[1] < 0) != (of[2] < 0));
    const bool cyclic = (axis(1) - axis(0) + 3) % 3 == 1;
    return odd_signs == cyclic ? -1 : 1;
  }
  constexpr int axis(int i) const { return (of[i] < 0 ? -of[i] : of[i]) - 1; }
  constexpr bool is_permutation() const {
    int seen = 0;
    for (int i = 0; i < 3; ++i) {
      if (of[i] == 0 || axis(i) > 2) return false;
      seen |= 1 << axis(i);
    }
    return seen == 7;
  }
  constexpr Axes inverse() const {
    Axes result;
    for (int i = 0; i < 3; ++i) result.of[axis(i)] = static_cast<signed char>(of[i] < 0 ? -(i + 1) : i + 1);
    return result;
  }
};

inline constexpr Axes kOurAxes{{1, 2, 3}};

namespace axes_detail {
// Without loops and indexing into memory, so that constant axes cost only moves and sign changes.
template <class T>
TORSOR_INLINE T element(signed char of, const Vec3<T>& v) {
  const T value = of == 1 || of == -1 ? v.x : (of == 2 || of == -2 ? v.y : v.z);
  return of < 0 ? -value : value;
}
// our element i, from a vector in the system's axes
template <class T>
TORSOR_INLINE T inverse_element(const Axes& axes, signed char i, const Vec3<T>& v) {
  if (axes.of[0] == i || axes.of[0] == -i) return axes.of[0] < 0 ? -v.x : v.x;
  if (axes.of[1] == i || axes.of[1] == -i) return axes.of[1] < 0 ? -v.y : v.y;
  return axes.of[2] < 0 ? -v.z : v.z;
}
}  // namespace axes_detail

// Converts a vector from our axes to the system's.
template <class T>
TORSOR_INLINE Vec3<T> to_axes(const Axes& axes, const Vec3<T>& v) {
  using axes_detail::element;
  return {element(axes.of[0], v), element(axes.of[1], v), element(axes.of[2], v)};
}
template <class T>
TORSOR_INLINE Vec3<T> from_axes(const Axes& axes, const Vec3<T>& v) {
  using axes_detail::inverse_element;
  return {inverse_element(axes, 1, v), inverse_element(axes, 2, v), inverse_element(axes, 3, v)};
}

// The same for a pseudovector (angular velocity, torque), which changes sign in left-handed axes.
template <class T>
TORSOR_INLINE Vec3<T> to_axes_pseudo(const Axes& axes, const Vec3<T>& v) {
  const Vec3<T> u = to_axes(axes, v);
  return axes.determinant() < 0 ? -u : u;
}
template <class T>
TORSOR_INLINE Vec3<T> from_axes_pseudo(const Axes& axes, const Vec3<T>& v) {
  const Vec3<T> u = from_axes(axes, v);
  return axes.determinant() < 0 ? -u : u;
}

template <class T>
TORSOR_INLINE Mat3<T> axes_matrix(const Axes& axes) {
  Mat3<T> S = Mat3<T>::zero();
  for (int i = 0; i < 3; ++i) S(i, axes.axis(i)) = axes.of[i] < 0 ? T(-1) : T(1);
  return S;
}

// The axes as a rotation, times -1 if they are left-handed: R_sys = S_W R S_B' for a rotation R of ours, and the two
// signs cancel because both sets of axes have the same handedness. Constant if the axes are: a rotation by 0, 90, 120
// or 180 degrees.
constexpr Quat<double> axes_rotation(const Axes& axes) {
  double R[3][3] = {};
  for (int i = 0; i < 3; ++i) R[i][axes.axis(i)] = (axes.of[i] < 0 ? -1 : 1) * axes.determinant();
  constexpr double kRootHalf = 0.70710678118654752440;
  const double trace = R[0][0] + R[1][1] + R[2][2];
  if (trace > -0.5) {
    const double w = trace > 2.5 ? 1.0 : (trace > 0.5 ? kRootHalf : 0.5), s = 0.25 / w;
    return {w, (R[2][1] - R[1][2]) * s, (R[0][2] - R[2][0]) * s, (R[1][0] - R[0][1]) * s};
  }
  double v[3] = {};  // half a turn: R = 2 v v' - 1
  for (int i = 2; i >= 0; --i) {
    if (R[i][i] < -0.5) continue;
    for (int j = 0; j < 3; ++j) v[j] = i == j ? (R[i][i] > 0.5 ? 1.0 : kRootHalf) : R[i][j] * kRootHalf;
  }
  return {0.0, v[0], v[1], v[2]};
}
template <class T>
TORSOR_INLINE Quat<T> axes_rotation_as(const Axes& axes) {
  const Quat<double> q = axes_rotation(axes);
  return {T(q.w), T(q.x), T(q.y), T(q.z)};
}

// q_WB in the system's axes of world and body.
template <class T>
TORSOR_INLINE Quat<T> to_axes(const Axes& world, const Axes& body, const Quat<T>& q_WB) {
  if (world == body) {  // a change of basis: the angle stays, the axis is transformed
    const Vec3<T> u = to_axes_pseudo(world, q_WB.vec());
    return {q_WB.w, u.x, u.y, u.z};
  }
  return axes_rotation_as<T>(world) * q_WB * conj(axes_rotation_as<T>(body));
}
template <class T>
TORSOR_INLINE Quat<T> from_axes(const Axes& world, const Axes& body, const Quat<T>& q_sys) {
  if (world == body) {
    const Vec3<T> u = from_axes_pseudo(world, q_sys.vec());
    return {q_sys.w, u.x, u.y, u.z};
  }
  return conj(axes_rotation_as<T>(world)) * q_sys * axes_rotation_as<T>(body);
}

}  // namespace torsor
