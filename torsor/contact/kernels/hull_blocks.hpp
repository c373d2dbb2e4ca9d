// The furthest corner in the lists of a hull, eight corners at a time. Whoever includes this is compiled without
// contraction: heights decide between corners, and are the same numbers in every instruction set.
#pragma once

#include <cmath>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "torsor/contact/kernels/hull.hpp"
#include "torsor/geometry/direction_cell.hpp"
#include "torsor/math/scalar.hpp"
#include "torsor/model/hull_tables.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace hull_blocks {

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
  // The highest in all places.
  static TORSOR_INLINE __m512d top(__m512d h) {
    h = _mm512_max_pd(h, _mm512_shuffle_f64x2(h, h, 0x4e));
    h = _mm512_max_pd(h, _mm512_shuffle_f64x2(h, h, 0xb1));
    return _mm512_max_pd(h, _mm512_permute_pd(h, 0x55));
  }
  // The corners of two blocks than which none is higher.
  static TORSOR_INLINE unsigned highest_of(const Eight& a, const Eight& b) {
    const __m512d both = top(_mm512_max_pd(a.h, b.h));
    return _mm512_cmp_pd_mask(a.h, both, _CMP_EQ_OQ) | _mm512_cmp_pd_mask(b.h, both, _CMP_EQ_OQ) << 8;
  }
};

// The highest corner so far in each place of the blocks, and the first corner of its block.
struct Highest {
  __m512d h, block = _mm512_setzero_pd();

  TORSOR_INLINE explicit Highest(const Eight& first) : h(first.h) {}
  TORSOR_INLINE void add(const Eight& next, int corner) {
    const __mmask8 higher = _mm512_cmp_pd_mask(next.h, h, _CMP_GT_OQ);
    h = _mm512_max_pd(next.h, h);
    block = _mm512_mask_mov_pd(block, higher, _mm512_set1_pd(corner));
  }
  // Of equals the first; 0 where nothing is a number.
  TORSOR_INLINE int corner() const {
    const __mmask8 equal = _mm512_cmp_pd_mask(h, Eight::top(h), _CMP_EQ_OQ);
    const __m512d at = _mm512_add_pd(block, _mm512_set_pd(7, 6, 5, 4, 3, 2, 1, 0));
    if (equal == 0) return 0;
    if ((equal & (equal - 1)) != 0) return static_cast<int>(_mm512_mask_reduce_min_pd(equal, at));
    return static_cast<int>(_mm512_cvtsd_f64(_mm512_maskz_compress_pd(equal, at)));
  }
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
  TORSOR_INLINE explicit Eight(double x) : low(_mm256_set1_pd(x)), high(low) {}
  // Where `other` is higher, it and x take the places of this and of `marks`.
  TORSOR_INLINE void rise(const Eight& other, double x, Eight& marks) {
    const __m256d more_low = _mm256_cmp_pd(other.low, low, _CMP_GT_OQ),
                  more_high = _mm256_cmp_pd(other.high, high, _CMP_GT_OQ), mark = _mm256_set1_pd(x);
    low = _mm256_max_pd(other.low, low), high = _mm256_max_pd(other.high, high);
    marks.low = _mm256_blendv_pd(marks.low, mark, more_low), marks.high = _mm256_blendv_pd(marks.high, mark, more_high);
  }
  TORSOR_INLINE void store(double* to) const { _mm256_storeu_pd(to, low), _mm256_storeu_pd(to + 4, high); }
  TORSOR_INLINE double highest() const {
    const __m256d four = _mm256_max_pd(low, high);
    const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
  }
  TORSOR_INLINE unsigned equal(double x) const {
    const __m256d all = _mm256_set1_pd(x);
    return bits(_mm256_cmp_pd(low, all, _CMP_EQ_OQ), _mm256_cmp_pd(high, all, _CMP_EQ_OQ));
  }
  // The corners of two blocks than which none is higher.
  static TORSOR_INLINE unsigned highest_of(const Eight& a, const Eight& b) {
    const double of_a = a.highest(), of_b = b.highest(), both = of_a > of_b ? of_a : of_b;
    return a.equal(both) | b.equal(both) << 8;
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
  TORSOR_INLINE explicit Eight(double x) {
    for (double& one : h) one = x;
  }
  TORSOR_INLINE void rise(const Eight& other, double x, Eight& marks) {
    for (int i = 0; i < 8; ++i) {
      const bool higher = other.h[i] > h[i];
      h[i] = higher ? other.h[i] : h[i];
      marks.h[i] = higher ? x : marks.h[i];
    }
  }
  TORSOR_INLINE void store(double* to) const {
    for (int i = 0; i < 8; ++i) to[i] = h[i];
  }
  TORSOR_INLINE double highest() const {
    double top[4];
    for (int i = 0; i < 4; ++i) top[i] = h[i] > h[i + 4] ? h[i] : h[i + 4];
    for (int i = 0; i < 2; ++i) top[i] = top[i] > top[i + 2] ? top[i] : top[i + 2];
    return top[0] > top[1] ? top[0] : top[1];
  }
  // The corners of two blocks than which none is higher.
  static TORSOR_INLINE unsigned highest_of(const Eight& a, const Eight& b) {
    const double of_a = a.highest(), of_b = b.highest(), both = of_a > of_b ? of_a : of_b;
    return a.equal(both) | b.equal(both) << 8;
  }
  TORSOR_INLINE unsigned equal(double x) const {
    unsigned bits = 0;
    for (int i = 0; i < 8; ++i) bits |= unsigned(h[i] == x) << i;
    return bits;
  }
};

#endif

#if !defined(__AVX512F__)

struct Highest {
  Eight h, block{0.0};

  TORSOR_INLINE explicit Highest(const Eight& first) : h(first) {}
  TORSOR_INLINE void add(const Eight& next, int corner) { h.rise(next, corner, block); }
  TORSOR_INLINE int corner() const {
    double first[8];
    block.store(first);
    unsigned equal = h.equal(h.highest());
    int found = equal != 0 ? 1 << 30 : 0;
    for (; equal != 0; equal &= equal - 1) {
      const int place = __builtin_ctz(equal), at = static_cast<int>(first[place]) + place;
      found = at < found ? at : found;
    }
    return found;
  }
};

#endif

// Corner `place` of a block.
TORSOR_INLINE int take(const HullBlock& block, unsigned place, double* p_G) {
  for (int axis = 0; axis < 3; ++axis) p_G[axis] = block.position[8 * axis + place];
  return block.corner[place];
}

// What a search for the furthest corner along a direction has to look at: the blocks of a list, first to last.
struct List {
  const HullBlock *first, *last;
};
TORSOR_INLINE List list_of(const HullView& hull, const double* d) {
  const int* const first = hull.cell_block + cell_of_direction(d, hull.cells);
  return {hull.block + first[0], hull.block + first[1] - 1};
}

// Most lists have one block or two. They take the same way, because nobody can foresee which it is.
TORSOR_INLINE int find_in(const List& list, const double* d, double* p_G) {
  const Eight eight(list.first->position, d);
  if (list.last > list.first + 1) [[unlikely]] {
    Highest best(eight);
    int at = 0;
    for (const HullBlock* next = list.first + 1; next <= list.last; ++next) best.add(Eight(next->position, d), at += 8);
    const auto found = static_cast<unsigned>(best.corner());
    return take(list.first[found / 8], found % 8, p_G);
  }
  const unsigned equal = Eight::highest_of(eight, Eight(list.last->position, d));
  const unsigned place = __builtin_ctz(equal | 0x10000u) % 16;  // 0 where nothing is a number
  return take(place < 8 ? *list.first : *list.last, place % 8, p_G);
}

}  // namespace hull_blocks
}  // namespace TORSOR_ISA
}  // namespace torsor
