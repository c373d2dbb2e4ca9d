// Numbers that threads of a device share. On a processor one thread runs all worlds.
#pragma once

#include "torsor/math/config.hpp"

namespace torsor::gpu {

// Adds and returns what was there before.
template <class T>
TORSOR_INLINE T add_to(T* number, T value) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(number, value);
#else
  const T before = *number;
  *number += value;
  return before;
#endif
}
TORSOR_INLINE void raise_to(int* number, int value) {
#if defined(__CUDA_ARCH__)
  atomicMax(number, value);
#else
  if (*number < value) *number = value;
#endif
}

}  // namespace torsor::gpu
