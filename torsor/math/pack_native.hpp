// The few operations on a whole register that the compiler's vector extension has no operator for: the machine's
// instruction where V is exactly one register, a loop over the lanes elsewhere.
#pragma once

#include "torsor/math/scalar.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace native {

// bytes of the widest register this file is compiled for
#if defined(__AVX512F__)
inline constexpr int kRegisterBytes = 64;
#elif defined(__AVX__)
inline constexpr int kRegisterBytes = 32;
#else
inline constexpr int kRegisterBytes = 16;
#endif

template <class S, class V>
TORSOR_INLINE V sqrt(V v) {
  [[maybe_unused]] constexpr bool is_double = sizeof(S) == 8;
#ifdef __AVX512F__
  // with a mask of all lanes, because GCC 12 warns about the plain intrinsic's undefined source operand
  if constexpr (sizeof(V) == 64 && is_double) return (V)_mm512_maskz_sqrt_pd(__mmask8(-1), (__m512d)v);
  if constexpr (sizeof(V) == 64 && !is_double) return (V)_mm512_maskz_sqrt_ps(__mmask16(-1), (__m512)v);
#endif
#ifdef __AVX__
  if constexpr (sizeof(V) == 32 && is_double) return (V)_mm256_sqrt_pd((__m256d)v);
  if constexpr (sizeof(V) == 32 && !is_double) return (V)_mm256_sqrt_ps((__m256)v);
#endif
#ifdef __SSE2__
  if constexpr (sizeof(V) == 16 && is_double) return (V)_mm_sqrt_pd((__m128d)v);
  if constexpr (sizeof(V) == 16 && !is_double) return (V)_mm_sqrt_ps((__m128)v);
#endif
  for (unsigned i = 0; i < sizeof(V) / sizeof(S); ++i) v[i] = torsor::sqrt(S(v[i]));
  return v;
}

template <class S, class V>
TORSOR_INLINE V fma(V a, V b, V c) {
  [[maybe_unused]] constexpr bool is_double = sizeof(S) == 8;
#ifdef __AVX512F__
  if constexpr (sizeof(V) == 64 && is_double) return (V)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
  if constexpr (sizeof(V) == 64 && !is_double) return (V)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#endif
#ifdef __FMA__
  if constexpr (sizeof(V) == 32 && is_double) return (V)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
  if constexpr (sizeof(V) == 32 && !is_double) return (V)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
  if constexpr (sizeof(V) == 16 && is_double) return (V)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
  if constexpr (sizeof(V) == 16 && !is_double) return (V)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
#endif
  return a * b + c;
}

// whether any lane of a comparison's result (all bits set or none, integers of the size of S) is set
template <class S, class M>
TORSOR_INLINE bool any(M mask) {
#ifdef __AVX512F__
  if constexpr (sizeof(M) == 64) return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#endif
#ifdef __AVX__
  if constexpr (sizeof(M) == 32) return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
#endif
#ifdef __SSE2__
  if constexpr (sizeof(M) == 16) return _mm_movemask_epi8((__m128i)mask) != 0;
#endif
  bool found = false;
  for (unsigned i = 0; i < sizeof(M) / sizeof(S); ++i) found |= mask[i] != 0;
  return found;
}

// the same as a number: bit i is lane i
template <class S, class M>
TORSOR_INLINE unsigned bits(M mask) {
  [[maybe_unused]] constexpr bool is_double = sizeof(S) == 8;
#ifdef __AVX512DQ__
  if constexpr (sizeof(M) == 64 && is_double) return _mm512_movepi64_mask((__m512i)mask);
  if constexpr (sizeof(M) == 64 && !is_double) return _mm512_movepi32_mask((__m512i)mask);
#endif
#ifdef __AVX__
  if constexpr (sizeof(M) == 32 && is_double) return _mm256_movemask_pd((__m256d)mask);
  if constexpr (sizeof(M) == 32 && !is_double) return _mm256_movemask_ps((__m256)mask);
#endif
#ifdef __SSE2__
  if constexpr (sizeof(M) == 16 && is_double) return _mm_movemask_pd((__m128d)mask);
  if constexpr (sizeof(M) == 16 && !is_double) return _mm_movemask_ps((__m128)mask);
#endif
  unsigned found = 0;
  for (unsigned i = 0; i < sizeof(M) / sizeof(S); ++i) found |= unsigned(mask[i] != 0) << i;
  return found;
}

}  // namespace native
}  // namespace TORSOR_ISA
}  // namespace torsor
