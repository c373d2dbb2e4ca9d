// The least of a function of directions, by trying them: slow, and knows nothing of the shapes that it is about.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "torsor/math/vec3.hpp"

namespace torsor {

// Evenly over the sphere, along a spiral. [Fibonacci lattice]
inline std::vector<Vec3<double>> make_directions(int count) {
  std::vector<Vec3<double>> directions;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z), angle = i * M_PI * (3 - std::sqrt(5.0));
    directions.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  return directions;
}

struct LeastAlong {
  double value;
  Vec3<double> direction;
};

// Downhill from a direction, by steps around it that get smaller where none leads down.
template <class Function>
LeastAlong descend(Function&& function, LeastAlong best, double step) {
  constexpr int kWays = 6, kMostRounds = 100;  // along the bottom of a sharp valley it creeps
  for (int round = 0; round < kMostRounds && step > 1e-6; ++round) {
    const Vec3<double> n = best.direction, other = std::abs(n.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    const Vec3<double> x = normalized(cross(n, other)), y = cross(n, x);
    bool is_lower = false;
    for (int k = 0; k < kWays; ++k) {
      const double angle = 2 * M_PI * k / kWays + round;  // other ways in every round
      const Vec3<double> d = normalized(n + (x * std::cos(angle) + y * std::sin(angle)) * step);
      const double value = function(d);
      if (value < best.value) best = {value, d}, is_lower = true;
    }
    step *= is_lower ? 1.5 : 0.4;
  }
  return best;
}

// No value is less than the true least: every direction counts as it is. From the best of `count` directions, and from
// the best ones elsewhere.
template <class Function>
LeastAlong least_over_directions(Function&& function, int count, int starts) {
  const double apart = std::cos(4 / std::sqrt(double(count)));  // about two steps of the lattice
  std::vector<LeastAlong> tried;
  for (const Vec3<double>& d : make_directions(count)) tried.push_back({function(d), d});
  std::sort(tried.begin(), tried.end(), [](const LeastAlong& a, const LeastAlong& b) { return a.value < b.value; });
  LeastAlong best = tried[0];
  std::vector<Vec3<double>> begun;
  for (const LeastAlong& start : tried) {
    const auto is_near = [&](const Vec3<double>& d) { return dot(d, start.direction) > apart; };
    if (std::any_of(begun.begin(), begun.end(), is_near)) continue;
    const LeastAlong found = descend(function, start, 1 / std::sqrt(double(count)));
    if (found.value < best.value) best = found;
    begun.push_back(start.direction);
    if (int(begun.size()) == starts) break;
  }
  return best;
}

}  // namespace torsor
