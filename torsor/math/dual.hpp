// Dual: a number with its derivatives by N variables, for exact derivatives through templated code.
#pragma once

#include "torsor/math/scalar.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class S, int N>
struct Dual {
  S value;
  S slope[N];

  Dual() = default;
  TORSOR_INLINE Dual(S constant) : value(constant) {
    for (int i = 0; i < N; ++i) slope[i] = S(0);
  }
  // The i-th variable.
  static TORSOR_INLINE Dual variable(S at, int i) {
    Dual x(at);
    x.slope[i] = S(1);
    return x;
  }
};

// f(a) with derivative df, and f(a, b) with derivatives by both: the chain rule.
template <class S, int N>
TORSOR_INLINE Dual<S, N> chain(S f, S df, const Dual<S, N>& a) {
  Dual<S, N> out(f);
  for (int i = 0; i < N; ++i) out.slope[i] = df * a.slope[i];
  return out;
}
template <class S, int N>
TORSOR_INLINE Dual<S, N> chain(S f, S df_a, const Dual<S, N>& a, S df_b, const Dual<S, N>& b) {
  Dual<S, N> out(f);
  for (int i = 0; i < N; ++i) out.slope[i] = df_a * a.slope[i] + df_b * b.slope[i];
  return out;
}

template <class S, int N>
TORSOR_INLINE Dual<S, N> operator+(const Dual<S, N>& a, const Dual<S, N>& b) {
  return chain(a.value + b.value, S(1), a, S(1), b);
}
template <class S, int N>
TORSOR_INLINE Dual<S, N> operator-(const Dual<S, N>& a, const Dual<S, N>& b) {
  return chain(a.value - b.value, S(1), a, S(-1), b);
}
template <class S, int N>
TORSOR_INLINE Dual<S, N> operator-(const Dual<S, N>& a) {
  return chain(-a.value, S(-1), a);
}
template <class S, int N>
TORSOR_INLINE Dual<S, N> operator*(const Dual<S, N>& a, const Dual<S, N>& b) {
  return chain(a.value * b.value, b.value, a, a.value, b);
}
template <class S, int N>
TORSOR_INLINE Dual<S, N> operator/(const Dual<S, N>& a, const Dual<S, N>& b) {
  const S quotient = a.value / b.value;
  return chain(quotient, S(1) / b.value, a, -quotient / b.value, b);
}
template <class S, int N>
TORSOR_INLINE bool operator>(const Dual<S, N>& a, const Dual<S, N>& b) {
  return a.value > b.value;
}
template <class S, int N>
TORSOR_INLINE Dual<S, N> select(bool mask, const Dual<S, N>& a, const Dual<S, N>& b) {
  return mask ? a : b;
}
// At zero the slope of the absolute value is taken as zero, and so is that of the square root.
template <class S, int N>
TORSOR_INLINE Dual<S, N> abs(const Dual<S, N>& a) {
  return chain(abs(a.value), a.value > S(0) ? S(1) : a.value < S(0) ? S(-1) : S(0), a);
}
template <class S, int N>
TORSOR_INLINE Dual<S, N> sqrt(const Dual<S, N>& a) {
  const S root = sqrt(a.value);
  return chain(root, root > S(0) ? S(0.5) / root : S(0), a);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
