// The exact minimum along a line: the zero of the cost's derivative, which never decreases. Newton steps from the
// derivative's own slope find it at once while no row changes its zone; a bracket keeps them honest when rows do.
#pragma once

#include "torsor/solver/kernels/cones.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// cost of the smooth part along a + s p: first + s second; that of rows at x + s `along`
struct Line {
  double smooth_first, smooth_second;
  const RowArrays& rows;
  const double *x, *along;
  const ConeLines& cones;

  TORSOR_INLINE Slope slope(double step) const {
    const Slope of_rows = slope_of_rows(rows, x, along, step);
    Slope sum{smooth_first + step * smooth_second + of_rows.first, smooth_second + of_rows.second};
    if (cones.count > 0) {
      const Slope of_cones = slope_of_cones(cones, step);
      sum.first += of_cones.first;
      sum.second += of_cones.second;
    }
    return sum;
  }
};

struct LineMinimum {
  double step, slope;
  int evaluations;
};

// Where the derivative changes its sign: it is negative at low, positive at high.
struct Bracket {
  double low, low_slope, high, high_slope;
  bool halve = false;

  TORSOR_INLINE void add(double step, double slope) {
    (slope < 0 ? low : high) = step;
    (slope < 0 ? low_slope : high_slope) = slope;
  }
  TORSOR_INLINE bool holds(double step) const { return step > low && step < high; }
  // a step inside, for when Newton's is not: where a straight line would be zero and the middle, in turns
  TORSOR_INLINE double inside() {
    halve = !halve;
    const double chord = low + (high - low) * low_slope / (low_slope - high_slope);
    return halve && holds(chord) ? chord : 0.5 * (low + high);
  }
};

// From a line that goes down at 0 with slope `start`, and a first guess of the step. Stops when the slope is at most
// `flat`, when the step no longer changes, or after `limit` evaluations.
TORSOR_LOCAL LineMinimum search_line(const Line& line, double start, double guess, double flat, int limit) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Bracket bracket{0, start, kInfinity, 0};
  LineMinimum best{0, -start, 0};
  double step = guess;
  while (best.evaluations < limit) {
    const Slope at = line.slope(step);
    ++best.evaluations;
    if (abs(at.first) < best.slope) {
      best.step = step;
      best.slope = abs(at.first);
    }
    if (!(abs(at.first) > flat)) break;
    bracket.add(step, at.first);
    double next = step - at.first / at.second;
    if (!bracket.holds(next)) next = bracket.inside();
    if (next == step || !(next < kInfinity)) break;
    step = next;
  }
  return best;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
