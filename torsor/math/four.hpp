// Four: the same quantity of four joints, bodies or geoms of one world, side by side in a register.
// Rows come from anywhere in memory, in pairs of numbers, and nothing beyond a row is read or written.
#pragma once

#include "torsor/math/pack.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

using Two = Pack<double, 2>;
using Four = Pack<double, 4>;

// Unaligned loads and stores that the compiler knows to access only numbers, so pointers can stay in registers.
TORSOR_INLINE Two load_two(const double* p) {
  typedef double Numbers __attribute__((vector_size(16), aligned(8)));
  return Two::wrap(*reinterpret_cast<const Numbers*>(p));
}
TORSOR_INLINE Four load_four(const double* p) {
  typedef double Numbers __attribute__((vector_size(32), aligned(8)));
  return Four::wrap(*reinterpret_cast<const Numbers*>(p));
}
template <class Vector>
TORSOR_INLINE void store_as(double* p, Vector v) {
  typedef double Numbers __attribute__((vector_size(sizeof(Vector)), aligned(8)));
  *reinterpret_cast<Numbers*>(p) = v;
}

// Where the rows of four things start.
template <class S>
struct FourRows {
  S* row[4];
};
// Rows that follow each other.
template <class S>
TORSOR_INLINE FourRows<S> four_rows(S* first, int columns) {
  return {{first, first + columns, first + 2 * columns, first + 3 * columns}};
}

// Columns k and k + 1 of four rows.
TORSOR_INLINE void load_columns(const FourRows<const double>& from, int k, Four& x, Four& y) {
  const Two a = load_two(from.row[0] + k), b = load_two(from.row[1] + k);
  const Two c = load_two(from.row[2] + k), d = load_two(from.row[3] + k);
  const Four even = Four::wrap(__builtin_shufflevector(a.v, c.v, 0, 1, 2, 3));
  const Four odd = Four::wrap(__builtin_shufflevector(b.v, d.v, 0, 1, 2, 3));
  x = Four::wrap(__builtin_shufflevector(even.v, odd.v, 0, 4, 2, 6));
  y = Four::wrap(__builtin_shufflevector(even.v, odd.v, 1, 5, 3, 7));
}
// Column k alone.
TORSOR_INLINE Four load_column(const FourRows<const double>& from, int k) {
  return Four::wrap(Four::Vector{from.row[0][k], from.row[1][k], from.row[2][k], from.row[3][k]});
}
TORSOR_INLINE Vec3<Four> load3(const FourRows<const double>& from) {
  Vec3<Four> v;
  load_columns(from, 0, v.x, v.y);
  v.z = load_column(from, 2);
  return v;
}
TORSOR_INLINE Quat<Four> load4(const FourRows<const double>& from) {
  Quat<Four> q;
  load_columns(from, 0, q.w, q.x);
  load_columns(from, 2, q.y, q.z);
  return q;
}

// Columns k to k + 3 of four rows.
TORSOR_INLINE void store_columns(const FourRows<double>& to, int k, const Four& a, const Four& b, const Four& c,
                                 const Four& d) {
  const Four ab_even = Four::wrap(__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6));
  const Four ab_odd = Four::wrap(__builtin_shufflevector(a.v, b.v, 1, 5, 3, 7));
  const Four cd_even = Four::wrap(__builtin_shufflevector(c.v, d.v, 0, 4, 2, 6));
  const Four cd_odd = Four::wrap(__builtin_shufflevector(c.v, d.v, 1, 5, 3, 7));
  store_as(to.row[0] + k, __builtin_shufflevector(ab_even.v, cd_even.v, 0, 1, 4, 5));
  store_as(to.row[1] + k, __builtin_shufflevector(ab_odd.v, cd_odd.v, 0, 1, 4, 5));
  store_as(to.row[2] + k, __builtin_shufflevector(ab_even.v, cd_even.v, 2, 3, 6, 7));
  store_as(to.row[3] + k, __builtin_shufflevector(ab_odd.v, cd_odd.v, 2, 3, 6, 7));
}
// Columns k and k + 1 of four rows.
TORSOR_INLINE void store_columns(const FourRows<double>& to, int k, const Four& a, const Four& b) {
  const Four even = Four::wrap(__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6));
  const Four odd = Four::wrap(__builtin_shufflevector(a.v, b.v, 1, 5, 3, 7));
  store_as(to.row[0] + k, __builtin_shufflevector(even.v, even.v, 0, 1));
  store_as(to.row[1] + k, __builtin_shufflevector(odd.v, odd.v, 0, 1));
  store_as(to.row[2] + k, __builtin_shufflevector(even.v, even.v, 2, 3));
  store_as(to.row[3] + k, __builtin_shufflevector(odd.v, odd.v, 2, 3));
}
TORSOR_INLINE void store9(const FourRows<double>& to, const Mat3<Four>& a) {
  store_columns(to, 0, a.m[0], a.m[1], a.m[2], a.m[3]);
  store_columns(to, 4, a.m[4], a.m[5], a.m[6], a.m[7]);
  for (int i = 0; i < 4; ++i) to.row[i][8] = a.m[8].v[i];
}

// The vector of one thing in the first three lanes.
struct Lanes3 {
  Four v;

  TORSOR_INLINE Lanes3(double x, double y, double z) : v(Four::wrap(Four::Vector{x, y, z, 0})) {}
  TORSOR_INLINE explicit Lanes3(Four lanes) : v(lanes) {}
  friend TORSOR_INLINE Lanes3 operator+(Lanes3 a, Lanes3 b) { return Lanes3(a.v + b.v); }
  friend TORSOR_INLINE Lanes3 operator-(Lanes3 a, Lanes3 b) { return Lanes3(a.v - b.v); }
  friend TORSOR_INLINE Lanes3 operator*(Lanes3 a, double s) { return Lanes3(a.v * Four(s)); }
};
TORSOR_INLINE void store3(double* p, Lanes3 a) {
  store_as(p, __builtin_shufflevector(a.v.v, a.v.v, 0, 1));
  p[2] = a.v.v[2];
}

}  // namespace TORSOR_ISA
}  // namespace torsor
