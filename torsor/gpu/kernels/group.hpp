// Threads that work on one island together: L neighbours within a warp, or the one thread of the host. Only threads of
// the group wait for each other; groups of a warp may be in different places.
#pragma once

#include <cstddef>

#include "torsor/math/scalar.hpp"

// Loops over registers must be unrolled on the device. The host has no use for it, and compiles faster without.
#ifdef __CUDA_ARCH__
#define TORSOR_DEVICE_UNROLL _Pragma("unroll")
#define TORSOR_DEVICE_UNROLL_FOUR _Pragma("unroll 4")
#define TORSOR_DEVICE_ROLL _Pragma("unroll 1")
#else
#define TORSOR_DEVICE_UNROLL
#define TORSOR_DEVICE_UNROLL_FOUR
#define TORSOR_DEVICE_ROLL
#endif

namespace torsor::gpu {

#ifndef __CUDA_ARCH__
// What groups of several threads are on the processor, see host_group.hpp: `lanes` neighbours wait for each other, in a
// place that is the same for all of them.
class HostThreads {
 public:
  enum Place { kSync = 1, kSum, kBroadcast, kBallot };
  virtual int lane() const = 0;
  virtual void wait(int place, int lanes) = 0;
  virtual void put(const void* number, std::size_t bytes) = 0;
  virtual void get(int lane, void* number, std::size_t bytes) const = 0;

  // What another thread of the group has, once all have put theirs; nobody puts another before all have it.
  template <class S>
  S exchange(int place, int lanes, const S& x, int from) {
    S other;
    put(&x, sizeof x);
    wait(place, lanes);
    get(lane() / lanes * lanes + from, &other, sizeof other);
    wait(place, lanes);
    return other;
  }

 protected:
  ~HostThreads() = default;
};
inline thread_local HostThreads* host_threads = nullptr;
#endif

template <int L>
class Group {
  static_assert(L == 1 || L == 8 || L == 16 || L == 32);

 public:
  TORSOR_INLINE int lane() const {
#ifdef __CUDA_ARCH__
    return int(threadIdx.x) % L;
#else
    return L == 1 ? 0 : host_threads->lane() % L;
#endif
  }
  // the same bits in all threads: each adds the same pairs
  template <class S>
  TORSOR_INLINE S sum(S x) const {
#ifdef __CUDA_ARCH__
    TORSOR_DEVICE_UNROLL
    for (int k = L / 2; k > 0; k /= 2) x += __shfl_xor_sync(mask(), x, k, L);
#else
    for (int k = L / 2; k > 0; k /= 2) x += host_threads->exchange(HostThreads::kSum, L, x, lane() ^ k);
#endif
    return x;
  }
  template <class S>
  TORSOR_INLINE S broadcast(S x, [[maybe_unused]] int from) const {
#ifdef __CUDA_ARCH__
    return __shfl_sync(mask(), x, from, L);
#else
    return L == 1 ? x : host_threads->exchange(HostThreads::kBroadcast, L, x, from);
#endif
  }
  // Bit k: thread k says yes.
  TORSOR_INLINE unsigned ballot(bool yes) const {
#ifdef __CUDA_ARCH__
    return (__ballot_sync(mask(), yes) & mask()) >> (threadIdx.x % 32 / L * L);
#else
    if (L == 1) return yes;
    unsigned said = 0;
    host_threads->put(&yes, sizeof yes);
    host_threads->wait(HostThreads::kBallot, L);
    for (int k = 0; k < L; ++k) {
      bool others = false;
      host_threads->get(host_threads->lane() / L * L + k, &others, sizeof others);
      said |= unsigned(others) << k;
    }
    host_threads->wait(HostThreads::kBallot, L);
    return said;
#endif
  }
  // What threads of the group wrote to memory before it, all of them read after it.
  TORSOR_INLINE void sync() const {
#ifdef __CUDA_ARCH__
    __syncwarp(mask());
#else
    if (L > 1) host_threads->wait(HostThreads::kSync, L);
#endif
  }

 private:
#ifdef __CUDA_ARCH__
  TORSOR_INLINE unsigned mask() const { return L == 32 ? ~0u : ((1u << L % 32) - 1) << (threadIdx.x % 32 / L * L); }
#endif
};

TORSOR_INLINE int count_bits(unsigned set) {
#ifdef __CUDA_ARCH__
  return __popc(set);
#else
  return __builtin_popcount(set);
#endif
}
TORSOR_INLINE int lowest_bit(unsigned set) {
#ifdef __CUDA_ARCH__
  return __ffs(int(set)) - 1;
#else
  return __builtin_ctz(set);
#endif
}

// Four numbers that stand together, in as few loads as possible. The address is a multiple of 16 bytes.
template <class S>
struct alignas(16) Four {
  S of[4];
};
template <class S>
TORSOR_INLINE Four<S> load_four(const S* from) {
#ifdef __CUDA_ARCH__
  return *reinterpret_cast<const Four<S>*>(from);
#else
  return {{from[0], from[1], from[2], from[3]}};
#endif
}
template <class S>
TORSOR_INLINE void clear_four(S* to) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<Four<S>*>(to) = {};
#else
  for (int k = 0; k < 4; ++k) to[k] = S(0);
#endif
}

// to within a bit or two; numbers that pivots can have
TORSOR_INLINE float reciprocal(float x) {
#ifdef __CUDA_ARCH__
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
#else
  return 1.0f / x;
#endif
}
TORSOR_INLINE double reciprocal(double x) { return 1.0 / x; }

}  // namespace torsor::gpu
