// Which instruction sets the processor has, beyond the baseline of its family. Also compiled by CMake's configuration
// step, which asks for the best set of the machine, so it includes nothing.
#pragma once

namespace torsor {

inline bool machine_has_avx2() {
#ifdef __x86_64__
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

inline bool machine_has_avx512() {
#ifdef __x86_64__
  return machine_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#else
  return false;
#endif
}

}  // namespace torsor
