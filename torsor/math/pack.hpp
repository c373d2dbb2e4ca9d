// Pack<S, N>: N worlds side by side, one number per SIMD lane. A kernel written for a number runs on packs unchanged as
// long as it compares numbers only through select, any and all. Use it one register wide (NativePack).
#pragma once

#include <cstdint>

#include "torsor/math/pack_native.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// One truth value per lane: all bits of the lane set, or none.
template <class S, int N>
struct PackMask {
  using Bits = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;
  typedef Bits Vector __attribute__((vector_size(sizeof(S) * N)));
  Vector bits;

  PackMask() = default;
  TORSOR_INLINE PackMask(bool value) : bits(Vector{} - Bits(value)) {}
  static TORSOR_INLINE PackMask wrap(Vector vector) {
    PackMask mask;
    mask.bits = vector;
    return mask;
  }
  TORSOR_INLINE bool operator[](int i) const { return bits[i] != 0; }

  friend TORSOR_INLINE PackMask operator&(PackMask a, PackMask b) { return PackMask::wrap(a.bits & b.bits); }
  friend TORSOR_INLINE PackMask operator|(PackMask a, PackMask b) { return PackMask::wrap(a.bits | b.bits); }
  friend TORSOR_INLINE PackMask operator!(PackMask a) { return PackMask::wrap(~a.bits); }
};

template <class S, int N>
struct Pack {
  using Mask = PackMask<S, N>;
  typedef S Vector __attribute__((vector_size(sizeof(S) * N)));
  Vector v;

  Pack() = default;
  TORSOR_INLINE Pack(S value) : v(value - Vector{}) {}
  template <class Q>
  requires(std::is_arithmetic_v<Q> && !std::is_same_v<Q, S>) TORSOR_INLINE Pack(Q value) : Pack(S(value)) {}
  static TORSOR_INLINE Pack wrap(Vector vector) {
    Pack x;
    x.v = vector;
    return x;
  }

  // N numbers at any address
  static TORSOR_INLINE Pack load(const S* p) {
    Pack x;
    __builtin_memcpy(&x.v, p, sizeof x.v);
    return x;
  }
  TORSOR_INLINE void store(S* p) const { __builtin_memcpy(p, &v, sizeof v); }

  friend TORSOR_INLINE Pack operator+(Pack a, Pack b) { return Pack::wrap(a.v + b.v); }
  friend TORSOR_INLINE Pack operator-(Pack a, Pack b) { return Pack::wrap(a.v - b.v); }
  friend TORSOR_INLINE Pack operator*(Pack a, Pack b) { return Pack::wrap(a.v * b.v); }
  friend TORSOR_INLINE Pack operator/(Pack a, Pack b) { return Pack::wrap(a.v / b.v); }
  TORSOR_INLINE Pack operator-() const { return Pack::wrap(-v); }
  TORSOR_INLINE Pack operator+() const { return *this; }
  TORSOR_INLINE Pack& operator+=(Pack b) { return *this = *this + b; }
  TORSOR_INLINE Pack& operator-=(Pack b) { return *this = *this - b; }
  TORSOR_INLINE Pack& operator*=(Pack b) { return *this = *this * b; }
  TORSOR_INLINE Pack& operator/=(Pack b) { return *this = *this / b; }

  friend TORSOR_INLINE Mask operator<(Pack a, Pack b) { return Mask::wrap(a.v < b.v); }
  friend TORSOR_INLINE Mask operator>(Pack a, Pack b) { return Mask::wrap(a.v > b.v); }
  friend TORSOR_INLINE Mask operator<=(Pack a, Pack b) { return Mask::wrap(a.v <= b.v); }
  friend TORSOR_INLINE Mask operator>=(Pack a, Pack b) { return Mask::wrap(a.v >= b.v); }
  friend TORSOR_INLINE Mask operator==(Pack a, Pack b) { return Mask::wrap(a.v == b.v); }
  friend TORSOR_INLINE Mask operator!=(Pack a, Pack b) { return Mask::wrap(a.v != b.v); }
};

// as many lanes as one register holds
template <class S>
inline constexpr int kNativeLanes = native::kRegisterBytes / int(sizeof(S));
template <class S>
using NativePack = Pack<S, kNativeLanes<S>>;

template <class S, int N>
struct ScalarTraits<Pack<S, N>> {
  using Scalar = S;
  using Mask = PackMask<S, N>;
  static constexpr int kLanes = N;
};

template <class S, int N>
TORSOR_INLINE bool any(PackMask<S, N> mask) {
  return native::any<S>(mask.bits);
}
template <class S, int N>
TORSOR_INLINE bool all(PackMask<S, N> mask) {
  return !any(!mask);
}
// bit i is lane i
template <class S, int N>
TORSOR_INLINE unsigned bits(PackMask<S, N> mask) {
  return native::bits<S>(mask.bits);
}

// the other way round: lanes whose bit is set
template <class P>
TORSOR_INLINE MaskOf<P> mask_of_bits(unsigned set) {
  using Mask = MaskOf<P>;
  typename Mask::Vector lane_bit{};
  for (int i = 0; i < ScalarTraits<P>::kLanes; ++i) lane_bit[i] = typename Mask::Bits(1) << i;
  return Mask::wrap(((typename Mask::Vector{} + typename Mask::Bits(set)) & lane_bit) != 0);
}

// select takes a mask per lane or one for all, and a number wherever it takes a pack
template <class S, int N>
TORSOR_INLINE Pack<S, N> select(PackMask<S, N> mask, Pack<S, N> a, Pack<S, N> b) {
  return Pack<S, N>::wrap(mask.bits ? a.v : b.v);
}
template <class S, int N, class Q>
requires(std::is_arithmetic_v<Q>) TORSOR_INLINE Pack<S, N> select(PackMask<S, N> mask, Pack<S, N> a, Q b) {
  return select(mask, a, Pack<S, N>(b));
}
template <class S, int N, class Q>
requires(std::is_arithmetic_v<Q>) TORSOR_INLINE Pack<S, N> select(PackMask<S, N> mask, Q a, Pack<S, N> b) {
  return select(mask, Pack<S, N>(a), b);
}
template <class S, int N>
TORSOR_INLINE Pack<S, N> select(bool mask, Pack<S, N> a, std::type_identity_t<Pack<S, N>> b) {
  return mask ? a : b;
}

template <class S, int N>
TORSOR_INLINE Pack<S, N> sqrt(Pack<S, N> x) {
  return Pack<S, N>::wrap(native::sqrt<S>(x.v));
}
template <class S, int N>
TORSOR_INLINE Pack<S, N> fma(Pack<S, N> a, std::type_identity_t<Pack<S, N>> b, std::type_identity_t<Pack<S, N>> c) {
  return Pack<S, N>::wrap(native::fma<S>(a.v, b.v, c.v));
}

// all bits but the sign
template <class S, int N>
TORSOR_INLINE typename PackMask<S, N>::Vector magnitude_bits() {
  using Bits = typename PackMask<S, N>::Bits;
  return typename PackMask<S, N>::Vector{} + (sizeof(S) == 8 ? Bits(INT64_MAX) : Bits(INT32_MAX));
}
template <class S, int N>
TORSOR_INLINE Pack<S, N> abs(Pack<S, N> x) {
  using Bits = typename PackMask<S, N>::Vector;
  return Pack<S, N>::wrap((typename Pack<S, N>::Vector)((Bits)x.v & magnitude_bits<S, N>()));
}
template <class S, int N>
TORSOR_INLINE Pack<S, N> copysign(Pack<S, N> magnitude, std::type_identity_t<Pack<S, N>> sign) {
  using Bits = typename PackMask<S, N>::Vector;
  const Bits mask = magnitude_bits<S, N>();
  return Pack<S, N>::wrap((typename Pack<S, N>::Vector)(((Bits)magnitude.v & mask) | ((Bits)sign.v & ~mask)));
}

// Both return b where either is NaN, as for numbers.
template <class S, int N>
TORSOR_INLINE Pack<S, N> min(Pack<S, N> a, std::type_identity_t<Pack<S, N>> b) {
  return Pack<S, N>::wrap(a.v < b.v ? a.v : b.v);
}
template <class S, int N>
TORSOR_INLINE Pack<S, N> max(Pack<S, N> a, std::type_identity_t<Pack<S, N>> b) {
  return Pack<S, N>::wrap(a.v > b.v ? a.v : b.v);
}

// sum of all lanes, halves added to halves
template <class S, int N>
TORSOR_INLINE S horizontal_sum(const Pack<S, N>& x) {
  if constexpr (N == 2) {
    return x.v[0] + x.v[1];
  } else {
    Pack<S, N / 2> low, high;
    __builtin_memcpy(&low.v, &x.v, sizeof low.v);
    __builtin_memcpy(&high.v, reinterpret_cast<const char*>(&x.v) + sizeof low.v, sizeof high.v);
    return horizontal_sum(low + high);
  }
}

template <class S, int N>
TORSOR_INLINE S lane(const Pack<S, N>& x, int i) {
  return x.v[i];
}
template <class S, int N>
TORSOR_INLINE void set_lane(Pack<S, N>& x, int i, std::type_identity_t<S> value) {
  x.v[i] = value;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
