// One sphere against a register full of others at a time; compiled once per instruction set.
#include "torsor/contact/kernels/near.hpp"

#include "torsor/math/pack.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

using Lanes = NativePack<double>;
static_assert(kNativeLanes<double> <= kSpherePad);

// One bit per lane.
TORSOR_INLINE unsigned lane_bits(const Lanes::Mask& mask) {
#if defined(__AVX512F__)
  return _mm512_movepi64_mask((__m512i)mask.bits);
#elif defined(__AVX__)
  return static_cast<unsigned>(_mm256_movemask_pd((__m256d)mask.bits));
#elif defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_pd((__m128d)mask.bits));
#else
  unsigned bits = 0;
  for (int k = 0; k < kNativeLanes<double>; ++k) bits |= unsigned(mask[k]) << k;
  return bits;
#endif
}

// Rounding must not lose a pair that touches exactly.
constexpr double kSlack = 1 + 1e-12;

// Those of kNativeLanes spheres from j on that overlap a sphere.
TORSOR_INLINE unsigned overlaps(const SphereTable& b, int j, Lanes x, Lanes y, Lanes z, Lanes reach) {
  const Lanes dx = Lanes::load(b.x + j) - x, dy = Lanes::load(b.y + j) - y, dz = Lanes::load(b.z + j) - z;
  const Lanes r = Lanes::load(b.reach + j) + reach;
  return lane_bits(dx * dx + dy * dy + dz * dz <= r * r * Lanes(kSlack));
}

int near(const SphereTable& a, int i, const SphereTable& b, int first, int last, int* out) {
  const Lanes x = a.x[i], y = a.y[i], z = a.z[i], reach = a.reach[i];
  int count = 0;
  for (int j = first; j < last; j += kNativeLanes<double>) {
    for (unsigned bits = overlaps(b, j, x, y, z, reach); bits; bits &= bits - 1) out[count++] = j + __builtin_ctz(bits);
  }
  return count;
}

int near_wanted(const SphereTable& a, const SphereTable& b, const std::uint64_t* wanted, SpherePair* out) {
  constexpr std::uint64_t kBlock = (std::uint64_t{1} << kNativeLanes<double>)-1;
  int count = 0;
  for (int i = 0; i < a.count; ++i) {
    if (wanted[i] == 0) continue;
    const Lanes x = a.x[i], y = a.y[i], z = a.z[i], reach = a.reach[i];
    for (std::uint64_t left = wanted[i]; left != 0;) {
      const int j = __builtin_ctzll(left) & -kNativeLanes<double>;
      const std::uint64_t block = kBlock << j;
      for (unsigned bits = unsigned((left & block) >> j) & overlaps(b, j, x, y, z, reach); bits; bits &= bits - 1)
        out[count++] = {i, j + __builtin_ctz(bits)};
      left &= ~block;
    }
  }
  return count;
}

}  // namespace

extern const NearKernels kNearKernels;
const NearKernels kNearKernels = {.near = near, .near_wanted = near_wanted};

}  // namespace TORSOR_ISA
}  // namespace torsor
