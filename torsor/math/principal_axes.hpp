// Principal moments and axes of a symmetric matrix, such as an inertia, by Jacobi rotations. The order of rotations,
// the stop and the sorting are part of the result (signs of axes, axes of equal moments) and follow MuJoCo's.
#pragma once

#include "torsor/math/quat.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class T>
struct PrincipalAxes {
  Quat<T> q;        // from principal axes to the axes of the matrix
  Vec3<T> moments;  // decreasing
};

// the rotation by an angle about one of the axes x, y, z, given the angle's half
template <Real S>
TORSOR_INLINE Quat<S> turn_about(int axis, S cos_half, S sin_half) {
  return {cos_half, axis == 0 ? sin_half : S(0), axis == 1 ? sin_half : S(0), axis == 2 ? sin_half : S(0)};
}

// The turn of at most 45 degrees about `axis` that clears D's element of the two other axes. Between equal moments both
// directions are possible: positive about y, negative about x and z.
template <Real S>
TORSOR_INLINE Quat<S> jacobi_turn(const Mat3<S>& D, int axis) {
  const int r = (axis + 1) % 3, c = (axis + 2) % 3;
  const S tau = (D(r, r) - D(c, c)) / (S(2) * D(r, c));  // cot of twice the angle
  const S sense = tau != S(0) ? tau : axis == 1 ? S(1) : S(-1);
  const S tan = S(1) / (tau + copysign(sqrt(S(1) + tau * tau), sense));
  const S cos = S(1) / sqrt(S(1) + tan * tan), cos_half = sqrt(S(0.5) * (S(1) + cos));
  return turn_about(axis, cos_half, tan * cos / (S(2) * cos_half));
}

// off the diagonal, relative to the largest element of the matrix: MuJoCo's for inertias of bodies, and for meshes
constexpr double kSharpAxes = 4e-15, kAxesOfMeshes = 1e-7;
// Moments that differ by less than this, relative to the largest element, or by less than the tolerance count as equal.
constexpr double kEqualMoments = 1e-12;

// Jacobi from identity, the largest element off the diagonal first. Ends when that element is below the tolerance, or,
// in single precision, below what rounding leaves.
template <Real S>
TORSOR_LOCAL PrincipalAxes<S> principal_axes(const Mat3<S>& A, double tolerance = kSharpAxes) {
  constexpr int kMaxTurns = 50;
  S largest = S(0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = max(largest, abs(A(i, j)));
  const S enough = S(sizeof(S) == 8 ? tolerance : 1e-7) * largest;
  const S tie = max(S(kEqualMoments), S(tolerance)) * largest;
  PrincipalAxes<S> result{Quat<S>::identity(), {A(0, 0), A(1, 1), A(2, 2)}};
  for (int count = 0; count < kMaxTurns; ++count) {
    const Mat3<S> R = to_mat(result.q), D = transposed_mul(R, A) * R;
    result.moments = {D(0, 0), D(1, 1), D(2, 2)};
    const S xy = abs(D(0, 1)), xz = abs(D(0, 2)), yz = abs(D(1, 2));
    const int axis = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;
    if (!(max(xy, max(xz, yz)) > enough)) break;
    result.q = normalized(result.q * jacobi_turn(D, axis));
  }

  // sort by quarter turns, so that the axes stay right-handed
  const S half = sqrt(S(0.5));
  for (int step = 0; step < 3; ++step) {
    const int first = step % 2;
    S &a = result.moments[first], &b = result.moments[first + 1];
    if (!(a + tie < b)) continue;
    const S kept = a;
    a = b;
    b = kept;
    result.q = normalized(result.q * turn_about((first + 2) % 3, half, half));
  }
  return result;
}

template <Real S>
TORSOR_INLINE PrincipalAxes<S> principal_axes(const Sym3<S>& A, double tolerance = kSharpAxes) {
  return principal_axes(to_mat(A), tolerance);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
