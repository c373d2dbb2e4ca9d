// WorldLane<S>: the number of one world among a block of worlds whose numbers stand side by side, as a thread of a GPU
// computes with it. In a register it is one number; a pointer moves by whole blocks, so that neighbouring threads,
// which have neighbouring worlds, read neighbouring numbers. Otherwise it is a Pack with a single lane.
#pragma once

#include <cstddef>

#include "torsor/core/assert.hpp"
#include "torsor/core/field.hpp"
#include "torsor/math/pointer.hpp"
#include "torsor/math/scalar.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class S>
struct WorldLane {
  S v;

  WorldLane() = default;
  TORSOR_INLINE WorldLane(S value) : v(value) {}
  template <class Q>
  requires(std::is_arithmetic_v<Q> && !std::is_same_v<Q, S>) TORSOR_INLINE WorldLane(Q value) : v(S(value)) {}

  friend TORSOR_INLINE WorldLane operator+(WorldLane a, WorldLane b) { return a.v + b.v; }
  friend TORSOR_INLINE WorldLane operator-(WorldLane a, WorldLane b) { return a.v - b.v; }
  friend TORSOR_INLINE WorldLane operator*(WorldLane a, WorldLane b) { return a.v * b.v; }
  friend TORSOR_INLINE WorldLane operator/(WorldLane a, WorldLane b) { return a.v / b.v; }
  TORSOR_INLINE WorldLane operator-() const { return -v; }
  TORSOR_INLINE WorldLane operator+() const { return *this; }
  TORSOR_INLINE WorldLane& operator+=(WorldLane b) { return *this = *this + b; }
  TORSOR_INLINE WorldLane& operator-=(WorldLane b) { return *this = *this - b; }
  TORSOR_INLINE WorldLane& operator*=(WorldLane b) { return *this = *this * b; }
  TORSOR_INLINE WorldLane& operator/=(WorldLane b) { return *this = *this / b; }

  friend TORSOR_INLINE bool operator<(WorldLane a, WorldLane b) { return a.v < b.v; }
  friend TORSOR_INLINE bool operator>(WorldLane a, WorldLane b) { return a.v > b.v; }
  friend TORSOR_INLINE bool operator<=(WorldLane a, WorldLane b) { return a.v <= b.v; }
  friend TORSOR_INLINE bool operator>=(WorldLane a, WorldLane b) { return a.v >= b.v; }
  friend TORSOR_INLINE bool operator==(WorldLane a, WorldLane b) { return a.v == b.v; }
  friend TORSOR_INLINE bool operator!=(WorldLane a, WorldLane b) { return a.v != b.v; }
};

template <class S>
struct ScalarTraits<WorldLane<S>> {
  using Scalar = S;
  using Mask = bool;
  static constexpr int kLanes = 1;
};

template <class S>
TORSOR_INLINE WorldLane<S> select(bool mask, WorldLane<S> a, std::type_identity_t<WorldLane<S>> b) {
  return mask ? a : b;
}
template <class S, class Q>
requires(std::is_arithmetic_v<Q>) TORSOR_INLINE WorldLane<S> select(bool mask, Q a, WorldLane<S> b) {
  return mask ? WorldLane<S>(a) : b;
}
template <class S>
TORSOR_INLINE WorldLane<S> sqrt(WorldLane<S> x) {
  return sqrt(x.v);
}
template <class S>
TORSOR_INLINE WorldLane<S> abs(WorldLane<S> x) {
  return abs(x.v);
}
template <class S>
TORSOR_INLINE WorldLane<S> copysign(WorldLane<S> magnitude, std::type_identity_t<WorldLane<S>> sign) {
  return copysign(magnitude.v, sign.v);
}
template <class S>
TORSOR_INLINE WorldLane<S> min(WorldLane<S> a, std::type_identity_t<WorldLane<S>> b) {
  return min(a.v, b.v);
}
template <class S>
TORSOR_INLINE WorldLane<S> max(WorldLane<S> a, std::type_identity_t<WorldLane<S>> b) {
  return max(a.v, b.v);
}
template <class S>
TORSOR_INLINE WorldLane<S> fma(WorldLane<S> a, std::type_identity_t<WorldLane<S>> b,
                               std::type_identity_t<WorldLane<S>> c) {
  return fma(a.v, b.v, c.v);
}
template <class S>
TORSOR_INLINE S lane(WorldLane<S> x, int) {
  return x.v;
}
template <class S>
TORSOR_INLINE void set_lane(WorldLane<S>& x, int, std::type_identity_t<S> value) {
  x.v = value;
}

// Worlds of a block: as many as a warp has threads.
inline constexpr int kWorldsInBlock = 32;

// Constness is shallow, as for a Field.
template <class S>
struct WorldPointer {
  WorldLane<S>* p = nullptr;

  TORSOR_INLINE WorldLane<S>& operator[](std::ptrdiff_t i) const { return p[i * kWorldsInBlock]; }
  TORSOR_INLINE WorldLane<S>& operator*() const { return *p; }
  TORSOR_INLINE WorldPointer& operator++() { return *this = *this + 1; }
  TORSOR_INLINE WorldPointer& operator+=(std::ptrdiff_t i) { return *this = *this + i; }
  friend TORSOR_INLINE WorldPointer operator+(WorldPointer a, std::ptrdiff_t i) { return {a.p + i * kWorldsInBlock}; }
  friend TORSOR_INLINE bool operator==(WorldPointer a, WorldPointer b) { return a.p == b.p; }
  friend TORSOR_INLINE bool operator!=(WorldPointer a, WorldPointer b) { return a.p != b.p; }
};

// Products of short rows, as in short_rows.hpp. Numbers are read before any is written, so many at a time: a compiler
// has to assume that a number that is written may be one that is read next, and reading takes long on a device.
inline constexpr int kReadAhead = 6;
template <class S>
TORSOR_INLINE void subtract_scaled(int n, WorldLane<S> s, WorldPointer<S> x, WorldPointer<S> y) {
  int i = 0;
  for (; i + kReadAhead <= n; i += kReadAhead) {
    WorldLane<S> result[kReadAhead];
    for (int k = 0; k < kReadAhead; ++k) result[k] = y[i + k] - s * x[i + k];
    for (int k = 0; k < kReadAhead; ++k) y[i + k] = result[k];
  }
  WorldLane<S> rest[kReadAhead];
  for (int k = 0; k + 1 < kReadAhead; ++k)
    if (i + k < n) rest[k] = y[i + k] - s * x[i + k];
  for (int k = 0; k + 1 < kReadAhead; ++k)
    if (i + k < n) y[i + k] = rest[k];
}
template <class S>
TORSOR_INLINE void subtract_scaled2(int n, WorldLane<S> s1, WorldPointer<S> x1, WorldLane<S> s2, WorldPointer<S> x2,
                                    WorldPointer<S> y) {
  int i = 0;
  for (; i + kReadAhead <= n; i += kReadAhead) {
    WorldLane<S> result[kReadAhead];
    for (int k = 0; k < kReadAhead; ++k) result[k] = y[i + k] - s1 * x1[i + k] - s2 * x2[i + k];
    for (int k = 0; k < kReadAhead; ++k) y[i + k] = result[k];
  }
  WorldLane<S> rest[kReadAhead];
  for (int k = 0; k + 1 < kReadAhead; ++k)
    if (i + k < n) rest[k] = y[i + k] - s1 * x1[i + k] - s2 * x2[i + k];
  for (int k = 0; k + 1 < kReadAhead; ++k)
    if (i + k < n) y[i + k] = rest[k];
}

// x[column[c]] -= s LD[c], see inertia.hpp; columns differ.
template <class S>
TORSOR_INLINE void subtract_scattered(int n, const WorldLane<S>& s, WorldPointer<S> LD, const int* column,
                                      WorldPointer<S> x) {
  for (int c = 0; c < n; c += kReadAhead) {
    WorldLane<S> result[kReadAhead];
    for (int k = 0; k < kReadAhead; ++k)
      if (c + k < n) result[k] = x[column[c + k]] - LD[c + k] * s;
    for (int k = 0; k < kReadAhead; ++k)
      if (c + k < n) x[column[c + k]] = result[k];
  }
}

template <class S>
struct PointerTraits<WorldLane<S>> {
  using Pointer = WorldPointer<S>;
  using ConstPointer = WorldPointer<S>;
  static TORSOR_INLINE Pointer from(const S* numbers) {
    return {reinterpret_cast<WorldLane<S>*>(const_cast<S*>(numbers))};
  }
};
template <class S>
struct Pointed<WorldPointer<S>> {
  using Type = WorldLane<S>;
};

}  // namespace TORSOR_ISA

// The world that this thread computes. A thread knows it, so that all threads can share one set of fields, which a
// device keeps where reading it costs nothing; on a processor, for tests, loops set it.
#if defined(__CUDA_ARCH__)
__device__ __forceinline__ int this_world() { return int(blockIdx.x * blockDim.x + threadIdx.x); }
#else
inline thread_local int world_of_thread = 0;
TORSOR_HD inline int this_world() {
#if defined(__CUDACC__)
  return 0;  // not called by what nvcc compiles for the processor
#else
  return world_of_thread;
#endif
}
#endif

// An array of every world, in blocks; what is read and written is that of this thread's world.
template <class S>
struct Field<WorldLane<S>> {
  using Pointer = WorldPointer<S>;
  WorldLane<S>* pointer = nullptr;  // of the first world
  int length = 0;
  int block = 0;  // numbers of one block of worlds, of all arrays together

  TORSOR_INLINE Pointer data() const {
    const int world = this_world();
    return {pointer + (std::ptrdiff_t(world / kWorldsInBlock) * block + world % kWorldsInBlock)};
  }
  TORSOR_INLINE WorldLane<S>& operator[](std::ptrdiff_t i) const {
    TORSOR_ASSERT(i >= 0 && i < length);
    return data()[i];
  }
  TORSOR_INLINE Pointer row(std::ptrdiff_t i, std::ptrdiff_t columns) const {
    TORSOR_ASSERT(i >= 0 && i * columns <= length);
    return data() + i * columns;
  }
  TORSOR_INLINE int size() const { return length; }
  TORSOR_INLINE Pointer begin() const { return data(); }
  TORSOR_INLINE Pointer end() const { return data() + length; }
};

// A number of each world, in such an array of its own.
template <class S>
struct WorldNumber {
  Field<WorldLane<S>> field;

  WorldNumber() = default;
  explicit TORSOR_INLINE WorldNumber(WorldLane<S>) {}  // fields have no memory yet
  TORSOR_INLINE operator WorldLane<S>() const { return field[0]; }
  TORSOR_INLINE const WorldNumber& operator=(WorldLane<S> value) const {
    field[0] = value;
    return *this;
  }
  TORSOR_INLINE const WorldNumber& operator+=(WorldLane<S> value) const { return *this = field[0] + value; }
};
template <class S>
struct NumberOf<WorldLane<S>> {
  using Type = WorldNumber<S>;
};

}  // namespace torsor
