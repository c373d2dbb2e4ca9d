// The exact minimum along a line: the zero of the cost's derivative, which never decreases. Newton steps from the
// derivative's own slope find it at once while no row changes its zone; a bracket keeps them honest when rows do.
#pragma once

#include <limits>

#include "torsor/solver/kernels/row_formulas.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class T>
struct LineMinimumOf {
  T step, slope;
  int evaluations;
};
using LineMinimum = LineMinimumOf<double>;

// Where the derivative changes its sign: it is negative at low, positive at high.
template <class T>
struct Bracket {
  T low, low_slope, high, high_slope;
  MaskOf<T> halve = MaskOf<T>(false);

  TORSOR_INLINE void add(T step, T slope) {
    const auto down = slope < T(0);
    low = select(down, step, low);
    low_slope = select(down, slope, low_slope);
    high = select(down, high, step);
    high_slope = select(down, high_slope, slope);
  }
  TORSOR_INLINE MaskOf<T> holds(T step) const { return (step > low) & (step < high); }
  // a step inside, for when Newton's is not: where a straight line would be zero and the middle, in turns
  TORSOR_INLINE T inside(MaskOf<T> asked) {
    halve = (halve | asked) & !(halve & asked);
    const T chord = low + (high - low) * low_slope / (low_slope - high_slope);
    return select(halve & holds(chord), chord, T(0.5) * (low + high));
  }
};

// From a line that goes down at 0 with slope `start`, and a first guess of the step. Stops when the slope is at most
// `flat`, when the step no longer changes, or after `limit` evaluations. T is a number, or a pack with one line per
// lane; then only lanes of `searching` count, and each of them ends as if it were alone.
template <class AnyLine, class T>
TORSOR_LOCAL LineMinimumOf<T> search_line(const AnyLine& line, T start, T guess, T flat, int limit,
                                          MaskOf<T> searching) {
  const T infinity(std::numeric_limits<ScalarOf<T>>::infinity());
  Bracket<T> bracket{T(0), start, infinity, T(0)};
  LineMinimumOf<T> best{T(0), -start, 0};
  T step = guess;
  while (best.evaluations < limit) {
    const SlopeOf<T> at = line.slope(step);
    ++best.evaluations;
    const T size = abs(at.first);
    const auto better = searching & (size < best.slope);
    best.step = select(better, step, best.step);
    best.slope = select(better, size, best.slope);
    searching = searching & (size > flat);
    if (!any(searching)) break;
    bracket.add(step, at.first);
    T next = step - at.first / at.second;
    const auto outside = searching & !bracket.holds(next);
    if (any(outside)) next = select(outside, bracket.inside(outside), next);
    searching = searching & (next != step) & (next < infinity);
    if (!any(searching)) break;
    step = next;
  }
  return best;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
