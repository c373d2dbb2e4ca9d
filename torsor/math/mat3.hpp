// Mat3: three by three numbers, rows after each other; Sym3: a symmetric one in six numbers, such as an inertia.
#pragma once

#include "torsor/math/vec3.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class T>
struct Mat3 {
  T m[9];

  static TORSOR_INLINE Mat3 zero() { return {T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0)}; }
  static TORSOR_INLINE Mat3 identity() { return {T(1), T(0), T(0), T(0), T(1), T(0), T(0), T(0), T(1)}; }
  TORSOR_INLINE T& operator()(int r, int c) { return m[3 * r + c]; }
  TORSOR_INLINE const T& operator()(int r, int c) const { return m[3 * r + c]; }
  TORSOR_INLINE Vec3<T> row(int r) const { return {m[3 * r], m[3 * r + 1], m[3 * r + 2]}; }
  TORSOR_INLINE Vec3<T> col(int c) const { return {m[c], m[3 + c], m[6 + c]}; }
};

template <class T>
TORSOR_INLINE Mat3<T> mat_from_rows(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z};
}
template <class T>
TORSOR_INLINE Mat3<T> mat_from_cols(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return {a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z};
}
template <class T>
TORSOR_INLINE Mat3<T> transpose(const Mat3<T>& a) {
  return mat_from_cols(a.row(0), a.row(1), a.row(2));
}

template <class T>
TORSOR_INLINE Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  return mat_from_rows(a.row(0) + b.row(0), a.row(1) + b.row(1), a.row(2) + b.row(2));
}
template <class T>
TORSOR_INLINE Mat3<T> operator-(const Mat3<T>& a, const Mat3<T>& b) {
  return mat_from_rows(a.row(0) - b.row(0), a.row(1) - b.row(1), a.row(2) - b.row(2));
}
template <class T>
TORSOR_INLINE Mat3<T> operator*(const Mat3<T>& a, std::type_identity_t<T> s) {
  return mat_from_rows(a.row(0) * s, a.row(1) * s, a.row(2) * s);
}
template <class T>
TORSOR_INLINE Vec3<T> operator*(const Mat3<T>& a, const Vec3<T>& v) {
  return {dot(a.row(0), v), dot(a.row(1), v), dot(a.row(2), v)};
}
template <class T>
TORSOR_INLINE Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  return mat_from_cols(a * b.col(0), a * b.col(1), a * b.col(2));
}
// a' v
template <class T>
TORSOR_INLINE Vec3<T> transposed_mul(const Mat3<T>& a, const Vec3<T>& v) {
  return {dot(a.col(0), v), dot(a.col(1), v), dot(a.col(2), v)};
}
// a' b
template <class T>
TORSOR_INLINE Mat3<T> transposed_mul(const Mat3<T>& a, const Mat3<T>& b) {
  return mat_from_cols(transposed_mul(a, b.col(0)), transposed_mul(a, b.col(1)), transposed_mul(a, b.col(2)));
}
// a b'
template <class T>
TORSOR_INLINE Mat3<T> mul_transposed(const Mat3<T>& a, const Mat3<T>& b) {
  return mat_from_cols(a * b.row(0), a * b.row(1), a * b.row(2));
}

template <class T>
TORSOR_INLINE T det(const Mat3<T>& a) {
  return dot(a.row(0), cross(a.row(1), a.row(2)));
}
// a b'
template <class T>
TORSOR_INLINE Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return mat_from_rows(b * a.x, b * a.y, b * a.z);
}
// the matrix that does cross(a, .)
template <class T>
TORSOR_INLINE Mat3<T> skew(const Vec3<T>& a) {
  return {T(0), -a.z, a.y, a.z, T(0), -a.x, -a.y, a.x, T(0)};
}
template <class T>
TORSOR_INLINE Mat3<T> diag(const Vec3<T>& d) {
  return {d.x, T(0), T(0), T(0), d.y, T(0), T(0), T(0), d.z};
}

template <class T = void, class Pointer>
TORSOR_INLINE Mat3<LoadedAs<T, ElementOf<Pointer>>> load9(Pointer p) {
  return mat_from_rows(load3<T>(p), load3<T>(p + 3), load3<T>(p + 6));
}
template <class Pointer>
TORSOR_INLINE void store9(Pointer p, const Mat3<ElementOf<Pointer>>& a) {
  for (int i = 0; i < 9; ++i) p[i] = a.m[i];
}

template <class T>
struct Sym3 {
  T xx, yy, zz, xy, xz, yz;

  static TORSOR_INLINE Sym3 zero() { return {T(0), T(0), T(0), T(0), T(0), T(0)}; }
  TORSOR_INLINE Sym3& operator+=(const Sym3& b) { return *this = *this + b; }

  friend TORSOR_INLINE Sym3 operator+(const Sym3& a, const Sym3& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
  }
  friend TORSOR_INLINE Sym3 operator-(const Sym3& a, const Sym3& b) {
    return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
  }
  friend TORSOR_INLINE Sym3 operator*(const Sym3& a, T s) {
    return {a.xx * s, a.yy * s, a.zz * s, a.xy * s, a.xz * s, a.yz * s};
  }
  friend TORSOR_INLINE Vec3<T> operator*(const Sym3& a, const Vec3<T>& v) {
    return {a.xx * v.x + a.xy * v.y + a.xz * v.z,  //
            a.xy * v.x + a.yy * v.y + a.yz * v.z,  //
            a.xz * v.x + a.yz * v.y + a.zz * v.z};
  }
};

template <class T>
TORSOR_INLINE Mat3<T> to_mat(const Sym3<T>& a) {
  return {a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz};
}
// R diag(d) R': principal moments d seen in the axes that R leads to
template <class T>
TORSOR_INLINE Sym3<T> rotate_diagonal(const Mat3<T>& R, const Vec3<T>& d) {
  const Vec3<T> x = R.row(0), y = R.row(1), z = R.row(2);
  const Vec3<T> dx = hadamard(d, x), dy = hadamard(d, y), dz = hadamard(d, z);
  return {dot(x, dx), dot(y, dy), dot(z, dz), dot(x, dy), dot(x, dz), dot(y, dz)};
}

}  // namespace TORSOR_ISA
}  // namespace torsor
