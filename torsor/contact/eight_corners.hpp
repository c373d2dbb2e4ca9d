// Eight corners of a hull at once: how high they are along a direction. The numbers are those of one corner after the
// other, bit for bit.
#pragma once

#include <cmath>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "torsor/contact/shape.hpp"

namespace torsor {

// Where the neighbours of a corner are, in blocks of eight: see mesh_hulledgepos. Null if the hull does not have that.
inline const float* neighbour_blocks(const HullView& hull, int corner) {
  if (!hull.edge_position) return nullptr;
  return hull.edge_position + 24 * ((hull.edge_address[corner] + 7 * (hull.first_corner + corner)) / 8);
}

#if defined(__SSE2__)

class EightHeights {
 public:
  // 8 x, 8 y, 8 z
  EightHeights(const float* block, const Vec3<double>& d) {
    const __m128d x = _mm_set1_pd(d.x), y = _mm_set1_pd(d.y), z = _mm_set1_pd(d.z);
    for (int i = 0; i < 4; ++i)
      two_[i] = _mm_add_pd(_mm_add_pd(_mm_mul_pd(x, two(block + 2 * i)), _mm_mul_pd(y, two(block + 8 + 2 * i))),
                           _mm_mul_pd(z, two(block + 16 + 2 * i)));
  }
  double highest() const {
    const __m128d top = _mm_max_pd(_mm_max_pd(two_[0], two_[1]), _mm_max_pd(two_[2], two_[3]));
    return _mm_cvtsd_f64(_mm_max_sd(top, _mm_unpackhi_pd(top, top)));
  }
  // The first that has this height; only for what highest() returned and is a number.
  int find(double height) const {
    return __builtin_ctz(bits([=](__m128d h) { return _mm_cmpeq_pd(h, splat(height)); }));
  }
  // One bit for each that is within `tolerance` of `level`.
  unsigned find_near(double level, double tolerance) const {
    const __m128d sign = _mm_set1_pd(-0.0);
    return bits(
        [=](__m128d h) { return _mm_cmple_pd(_mm_andnot_pd(sign, _mm_sub_pd(h, splat(level))), splat(tolerance)); });
  }

 private:
  static __m128d two(const float* p) {
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
  }
  static __m128d splat(double x) { return _mm_set1_pd(x); }
  template <class Test>
  unsigned bits(Test test) const {
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) result |= static_cast<unsigned>(_mm_movemask_pd(test(two_[i]))) << (2 * i);
    return result;
  }
  __m128d two_[4];
};

#else

class EightHeights {
 public:
  EightHeights(const float* block, const Vec3<double>& d) {
    for (int i = 0; i < 8; ++i) height_[i] = d.x * block[i] + d.y * block[8 + i] + d.z * block[16 + i];
  }
  double highest() const {
    double top = height_[0];
    for (int i = 1; i < 8; ++i) top = height_[i] > top ? height_[i] : top;
    return top;
  }
  int find(double height) const {
    int i = 0;
    while (i < 7 && height_[i] != height) ++i;
    return i;
  }
  unsigned find_near(double level, double tolerance) const {
    unsigned result = 0;
    for (int i = 0; i < 8; ++i) result |= unsigned(std::abs(height_[i] - level) <= tolerance) << i;
    return result;
  }

 private:
  double height_[8];
};

#endif

}  // namespace torsor
