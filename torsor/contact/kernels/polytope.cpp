// A register full of faces at a time; compiled once per instruction set.
#include "torsor/contact/kernels/polytope.hpp"

#include "torsor/math/pack.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

using Lanes = NativePack<double>;
constexpr int kLanesHere = kNativeLanes<double>;
static_assert(kFacePad % kLanesHere == 0);

template <int N>
TORSOR_INLINE double horizontal_min(const Pack<double, N>& x) {
  if constexpr (N == 2) {
    return lane(x, 0) < lane(x, 1) ? lane(x, 0) : lane(x, 1);
  } else {
    Pack<double, N / 2> low, high;
    __builtin_memcpy(&low.v, &x.v, sizeof low.v);
    __builtin_memcpy(&high.v, reinterpret_cast<const char*>(&x.v) + sizeof low.v, sizeof high.v);
    return horizontal_min<N / 2>(min(low, high));
  }
}

int find_least(const double* x, int count) {
  Lanes least(__builtin_inf());
  for (int k = 0; k < count; k += kLanesHere) least = min(Lanes::load(x + k), least);
  const double all = horizontal_min<kLanesHere>(least);
  if (!(all < __builtin_inf())) return -1;
  for (int k = 0;; k += kLanesHere)
    if (const unsigned equal = bits(Lanes::load(x + k) == Lanes(all))) return k + __builtin_ctz(equal);
}

}  // namespace

extern const PolytopeKernels kPolytopeKernels;
const PolytopeKernels kPolytopeKernels = {.find_least = find_least};

}  // namespace TORSOR_ISA
}  // namespace torsor
