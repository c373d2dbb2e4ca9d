// The choice of an instruction set.
#include "torsor/core/isa.hpp"

#include <atomic>
#include <cstdlib>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/core/machine.hpp"

namespace torsor {
namespace {

constexpr const char* kNames[] = {"baseline", "avx2", "avx512"};
constexpr int kNotChosen = -1;
std::atomic<int> current{kNotChosen};

Isa find_isa(const std::string& name) {
  std::string known;
  for (const Isa isa : available_isas()) {
    if (name == isa_name(isa)) return isa;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", isa_name(isa));
  }
  throw Error(fmt::format("instruction set '{}' is not available; this machine has: {}", name, known));
}

Isa choose() {
  if (const char* wanted = std::getenv("TORSOR_ISA"); wanted && *wanted) return find_isa(wanted);
  const std::vector<Isa> sets = available_isas();
  if (sets.empty()) {
    throw Error(
        "this build has no kernels that this machine can run: it was made for another one with TORSOR_KERNELS=native\n"
        "hint: build it with -DTORSOR_KERNELS=all");
  }
  return sets.back();
}

}  // namespace

const char* isa_name(Isa isa) { return kNames[int(isa)]; }

std::vector<Isa> available_isas() {
  std::vector<Isa> sets;
  if (TORSOR_HAS_BASELINE) sets.push_back(Isa::kBaseline);
  if (TORSOR_HAS_AVX2 && machine_has_avx2()) sets.push_back(Isa::kAvx2);
  if (TORSOR_HAS_AVX512 && machine_has_avx512()) sets.push_back(Isa::kAvx512);
  return sets;
}

Isa current_isa() {
  if (const int isa = current.load(std::memory_order_relaxed); isa != kNotChosen) return Isa(isa);
  static const Isa chosen = choose();
  int expected = kNotChosen;
  current.compare_exchange_strong(expected, int(chosen));
  return Isa(current.load());
}

void use_isa(const std::string& name) { current.store(int(find_isa(name))); }

}  // namespace torsor
