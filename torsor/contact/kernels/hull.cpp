// Eight corners at once; compiled once per instruction set.
#include "torsor/contact/kernels/hull_blocks.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

using namespace hull_blocks;

int find_highest(const float* position, int count, const double* d) {
  Highest best(Eight(position, d));
  for (int k = 8; k < count; k += 8) best.add(Eight(position += 24, d), k);
  const int found = best.corner();
  return found < count ? found : count - 1;
}

int find_listed(const HullView& hull, const double* d, double* p_G) { return find_in(list_of(hull, d), d, p_G); }

}  // namespace

extern const HullKernels kHullKernels;
const HullKernels kHullKernels = {.find_highest = find_highest, .find_listed = find_listed};

}  // namespace TORSOR_ISA
}  // namespace torsor
