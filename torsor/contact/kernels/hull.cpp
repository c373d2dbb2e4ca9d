// Eight corners at once; compiled once per instruction set.
#include "torsor/contact/kernels/hull.hpp"

#include <cmath>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "torsor/math/scalar.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

// Heights of the corners of a block along d.
#if defined(__AVX512F__)

struct Eight {
  __m512d h;

  TORSOR_INLINE Eight(const float* block, const double* d) {
    const auto part = [=](int axis) {
      return _mm512_mul_pd(_mm512_set1_pd(d[axis]), _mm512_cvtps_pd(_mm256_loadu_ps(block + 8 * axis)));
    };
    h = _mm512_add_pd(_mm512_add_pd(part(0), part(1)), part(2));
  }
  TORSOR_INLINE explicit Eight(const double* numbers) : h(_mm512_loadu_pd(numbers)) {}
  TORSOR_INLINE void store(double* to) const { _mm512_storeu_pd(to, h); }
  TORSOR_INLINE void rise_to(const Eight& other) { h = _mm512_max_pd(other.h, h); }
  TORSOR_INLINE double highest() const { return _mm512_reduce_max_pd(h); }
  TORSOR_INLINE unsigned equal(double x) const { return _mm512_cmp_pd_mask(h, _mm512_set1_pd(x), _CMP_EQ_OQ); }
};

#elif defined(__AVX2__)

struct Eight {
  __m256d low, high;

  TORSOR_INLINE Eight(const float* block, const double* d) {
    const auto part = [=](int axis, int half) {
      return _mm256_mul_pd(_mm256_set1_pd(d[axis]), _mm256_cvtps_pd(_mm_loadu_ps(block + 8 * axis + 4 * half)));
    };
    low = _mm256_add_pd(_mm256_add_pd(part(0, 0), part(1, 0)), part(2, 0));
    high = _mm256_add_pd(_mm256_add_pd(part(0, 1), part(1, 1)), part(2, 1));
  }
  TORSOR_INLINE explicit Eight(const double* numbers)
      : low(_mm256_loadu_pd(numbers)), high(_mm256_loadu_pd(numbers + 4)) {}
  TORSOR_INLINE void store(double* to) const { _mm256_storeu_pd(to, low), _mm256_storeu_pd(to + 4, high); }
  TORSOR_INLINE void rise_to(const Eight& other) {
    low = _mm256_max_pd(other.low, low), high = _mm256_max_pd(other.high, high);
  }
  TORSOR_INLINE double highest() const {
    const __m256d four = _mm256_max_pd(low, high);
    const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
  }
  TORSOR_INLINE unsigned equal(double x) const {
    const __m256d all = _mm256_set1_pd(x);
    return bits(_mm256_cmp_pd(low, all, _CMP_EQ_OQ), _mm256_cmp_pd(high, all, _CMP_EQ_OQ));
  }
  static TORSOR_INLINE unsigned bits(__m256d a, __m256d b) {
    return static_cast<unsigned>(_mm256_movemask_pd(a) | _mm256_movemask_pd(b) << 4);
  }
};

#else

struct Eight {
  double h[8];

  TORSOR_INLINE Eight(const float* block, const double* d) {
    for (int i = 0; i < 8; ++i) h[i] = d[0] * block[i] + d[1] * block[8 + i] + d[2] * block[16 + i];
  }
  TORSOR_INLINE explicit Eight(const double* numbers) {
    for (int i = 0; i < 8; ++i) h[i] = numbers[i];
  }
  TORSOR_INLINE void store(double* to) const {
    for (int i = 0; i < 8; ++i) to[i] = h[i];
  }
  TORSOR_INLINE void rise_to(const Eight& other) {
    for (int i = 0; i < 8; ++i) h[i] = other.h[i] > h[i] ? other.h[i] : h[i];
  }
  TORSOR_INLINE double highest() const {
    double top[4];
    for (int i = 0; i < 4; ++i) top[i] = h[i] > h[i + 4] ? h[i] : h[i + 4];
    for (int i = 0; i < 2; ++i) top[i] = top[i] > top[i + 2] ? top[i] : top[i + 2];
    return top[0] > top[1] ? top[0] : top[1];
  }
  TORSOR_INLINE unsigned equal(double x) const {
    unsigned bits = 0;
    for (int i = 0; i < 8; ++i) bits |= unsigned(h[i] == x) << i;
    return bits;
  }
};

#endif

int climb(const HullView& hull, const double* d, int corner, double height) {
  for (;;) {
    const int *edge = hull.edge + hull.edge_address[corner], count = hull.edge_count[corner];
    const float* block = neighbour_blocks(hull, corner);
    int higher = -1;
    for (int k = 0; k < count; k += 8, block += 24) {
      const Eight eight(block, d);
      const double highest = eight.highest();
      if (!(highest > height)) continue;
      const int found = k + __builtin_ctz(eight.equal(highest));
      height = highest, higher = edge[found < count ? found : count - 1];  // files need not repeat the last one
    }
    if (higher < 0) return corner;
    corner = higher;
  }
}

// Without a branch on heights, which nobody can predict.
int find_highest(const float* position, int count, const double* d) {
  double height[kMostScanned];
  Eight top(position, d);
  top.store(height);
  for (int k = 8; k < count; k += 8) {
    const Eight next(position += 24, d);
    next.store(height + k);
    top.rise_to(next);
  }
  const double highest = top.highest();
  unsigned long long equal[2] = {0, 0};  // a bit per corner
  for (int k = 0; k < count; k += 8)
    equal[k / 64] |= static_cast<unsigned long long>(Eight(height + k).equal(highest)) << k % 64;
  const int found = equal[0] ? __builtin_ctzll(equal[0]) : equal[1] ? 64 + __builtin_ctzll(equal[1]) : 0;
  return found < count ? found : count - 1;  // not a number: the first
}

}  // namespace

extern const HullKernels kHullKernels;
const HullKernels kHullKernels = {.climb = climb, .find_highest = find_highest};

}  // namespace TORSOR_ISA
}  // namespace torsor
