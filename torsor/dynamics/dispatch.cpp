// The choice of an instruction set.
#include "torsor/dynamics/dispatch.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor {

#define TORSOR_DECLARE_KERNELS(isa)        \
  namespace isa {                          \
  extern const WorldKernels kWorldKernels; \
  extern const LaneKernels kLaneKernels;   \
  }
TORSOR_DECLARE_KERNELS(baseline)
#if defined(__x86_64__)
TORSOR_DECLARE_KERNELS(avx2)
TORSOR_DECLARE_KERNELS(avx512)
#endif

namespace {

KernelSet find_kernels(const std::string& name) {
  std::string known;
  for (const KernelSet& set : available_kernels()) {
    if (name == set.name) return set;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", set.name);
  }
  throw Error(fmt::format("instruction set '{}' is not available; this machine has: {}", name, known));
}

KernelSet choose() {
  if (const char* wanted = std::getenv("TORSOR_ISA"); wanted && *wanted) return find_kernels(wanted);
  return available_kernels().back();
}

std::atomic<const KernelSet*> current{nullptr};

}  // namespace

std::vector<KernelSet> available_kernels() {
  std::vector<KernelSet> sets{{"baseline", &baseline::kWorldKernels, &baseline::kLaneKernels}};
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (has_avx2) sets.push_back({"avx2", &avx2::kWorldKernels, &avx2::kLaneKernels});
  if (has_avx2 && has_avx512) sets.push_back({"avx512", &avx512::kWorldKernels, &avx512::kLaneKernels});
#endif
  return sets;
}

const KernelSet& kernels() {
  if (const KernelSet* set = current.load(std::memory_order_acquire)) return *set;
  static const KernelSet chosen = choose();
  const KernelSet* expected = nullptr;
  current.compare_exchange_strong(expected, &chosen);
  return *current.load(std::memory_order_acquire);
}

void use_kernels(const std::string& name) {
  // one entry per set, kept for good: others may hold a reference
  static const std::vector<KernelSet> sets = available_kernels();
  const KernelSet wanted = find_kernels(name);
  for (const KernelSet& set : sets) {
    if (set.world == wanted.world) current.store(&set, std::memory_order_release);
  }
}

}  // namespace torsor
