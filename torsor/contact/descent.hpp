// The depth of two convex shapes as a function of the direction in which they part: down to the nearest minimum.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/gjk.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// How far b must move along the unit vector n to leave a, where along n it ends, and the points that part last.
TORSOR_HD Nearest depth_along(ConvexPart& a, ConvexPart& b, const Vec3<double>& n);

struct Descent {
  Nearest end;
  bool settled;  // at the end, the slope is zero and the depth does not fall to any side
};

// From a direction down to a minimum, never up. `size` is that of A - B. For curved shapes: where the slope jumps, the
// descent ends early. descend_in_valleys() goes on there.
TORSOR_HD Descent descend(ConvexPart& a, ConvexPart& b, const Nearest& start, double size);

// The slope jumps at directions across the axis of a cylinder or capsule, and there the minima often are: the depth is
// also followed along these, around the axis.
TORSOR_HD Nearest descend_in_valleys(ConvexPart& a, ConvexPart& b, const Nearest& start, double size);

// The same for an ellipsoid and a box: also settled at a minimum across a side or an edge of the box, where the slope
// jumps.
TORSOR_HD Descent descend_on_box(ConvexPart& a, ConvexPart& b, const Nearest& start, double size);

namespace descents {

using Vec = Vec3<double>;

constexpr int kMostSteps = 24;
constexpr double kSettled = 1e-6;   // slope at which it has arrived: the depth is then known to its square
constexpr double kApart = 1e-5;     // rad, between directions whose slopes give the curvature
constexpr double kMostTurn = 0.15;  // rad, at once
constexpr int kHalvings = 4;

// Axes at right angles to a direction.
struct Axes {
  Vec x, y;

  TORSOR_HD explicit Axes(const Vec& n) {
    const double u = std::abs(n.x), v = std::abs(n.y), w = std::abs(n.z);
    x = normalized(cross(n, u <= v && u <= w ? Vec{1, 0, 0} : v <= w ? Vec{0, 1, 0} : Vec{0, 0, 1}));
    y = cross(n, x);
  }
};

struct Slope {
  double x, y;
};

TORSOR_HD inline Slope slope_at(ConvexPart& a, ConvexPart& b, const Vec& direction, const Axes& axes) {
  const Vec n = normalized(direction), w = furthest_corner(a, b, n).w, slope = w - n * dot(n, w);
  return {dot(slope, axes.x), dot(slope, axes.y)};
}

// Two directions at right angles, the slope and the curvature along each.
struct Principal {
  Vec axis[2];
  double slope[2], curvature[2];
};

TORSOR_HD inline Principal principal_at(ConvexPart& a, ConvexPart& b, const Vec& n) {
  const Axes axes(n);
  const Slope here = slope_at(a, b, n, axes), right = slope_at(a, b, n + axes.x * kApart, axes),
              up = slope_at(a, b, n + axes.y * kApart, axes);
  const double xx = (right.x - here.x) / kApart, yy = (up.y - here.y) / kApart,
               xy = 0.5 * (right.y - here.y + up.x - here.x) / kApart;
  const double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy), radius = std::hypot(half, xy);
  const double angle = 0.5 * std::atan2(xy, half), c = std::cos(angle), s = std::sin(angle);
  const double minus_s = -s;  // subtracting s would make GCC 12 contract the pair of sums, which it was told not to do
  return {{axes.x * c + axes.y * s, axes.y * c - axes.x * s},
          {here.x * c + here.y * s, here.y * c + here.x * minus_s},
          {mean + radius, mean - radius}};
}

// Newton's step along each axis, down where the curvature would lead up, and not far at once: along a valley, the
// curvature is almost zero.
TORSOR_HD inline Vec step_down(const Principal& at, double size) {
  Vec turn = Vec::zero();
  for (int i = 0; i < 2; ++i) {
    const double curvature = std::max(std::abs(at.curvature[i]), 1e-12 * size);
    double angle = std::clamp(-at.slope[i] / curvature, -kMostTurn, double{kMostTurn});
    if (std::abs(at.slope[i]) <= kSettled * size && at.curvature[i] < 0) angle = std::copysign(kMostTurn, -at.slope[i]);
    turn += at.axis[i] * angle;
  }
  return turn;
}

constexpr double kNearlyAcross = 0.3;  // cosine between the axis and a direction from which to go around it

constexpr double kOnSide = 0.995;  // cosine between the normal of a side of a box and a direction from which to try it

// The directions at right angles to the axis of one of the parts: a circle.
struct Around {
  ConvexPart &owner, &other;
  double sign;  // 1 if the owner is a
  Vec axis;

  TORSOR_HD Vec corner(const Vec& n) const {
    return owner.furthest(n * sign) - other.furthest(n * -sign);
  }  // of A - B, * sign
  TORSOR_HD Vec tangent(const Vec& n) const { return cross(axis, n); }
  TORSOR_HD double slope(const Vec& n) const { return sign * dot(corner(n), tangent(n)); }
  // The owner touches with a line: the other part says where.
  TORSOR_HD Nearest at(const Vec& n) const {
    const double depth = sign * dot(corner(n), n);
    const Vec on_other = other.furthest(n * -sign), on_owner = on_other + n * (sign * depth);
    return sign > 0 ? Nearest{-depth, n, on_owner, on_other} : Nearest{-depth, n, on_other, on_owner};
  }

  TORSOR_HD Nearest descend(const Vec& start, double size) const {
    Nearest end = at(normalized(start - axis * dot(axis, start)));
    for (int i = 0; i < kMostSteps; ++i) {
      const Vec n = end.normal_F, t = tangent(n);
      const double here = slope(n), curvature = (slope(normalized(n + t * kApart)) - here) / kApart;
      if (std::abs(here) <= kSettled * size && curvature >= 0) return end;
      double angle = std::clamp(-here / std::max(std::abs(curvature), 1e-12 * size), -kMostTurn, double{kMostTurn});
      bool found = false;
      for (int k = 0; k <= kHalvings && !found; ++k, angle *= 0.5) {
        const Nearest next = at(normalized(n + t * angle));
        found = next.dist > end.dist;
        if (found) end = next;
      }
      if (!found) return end;
    }
    return end;
  }
};

TORSOR_HD inline bool has_axis(const ConvexPart& part) {
  return part.type == GeomType::kCylinder || part.type == GeomType::kCapsule;
}

}  // namespace descents

TORSOR_HD inline Nearest depth_along(ConvexPart& a, ConvexPart& b, const Vec3<double>& n) {
  using namespace descents;
  const Corner far = furthest_corner(a, b, n);
  const double depth = dot(n, far.w);
  return {-depth, n, far.on_a, far.on_a - n * depth};
}

TORSOR_APART Descent descend(ConvexPart& a, ConvexPart& b, const Nearest& start, double size) {
  using namespace descents;
  Descent result{start, false};
  for (int i = 0; i < kMostSteps; ++i) {
    const Vec n = result.end.normal_F;
    const Principal at = principal_at(a, b, n);
    const bool is_level = std::hypot(at.slope[0], at.slope[1]) <= kSettled * size;
    result.settled = is_level && !(at.curvature[1] < 0);
    if (result.settled) return result;
    Vec turn = step_down(at, size);
    bool found = false;
    for (int k = 0; k <= kHalvings && !found; ++k, turn *= 0.5) {
      const Nearest next = depth_along(a, b, normalized(n + turn));
      found = next.dist > result.end.dist;
      if (found) result.end = next;
    }
    result.settled = is_level;  // a saddle by rounding
    if (!found) return result;
  }
  return result;
}

TORSOR_APART Descent descend_on_box(ConvexPart& a, ConvexPart& b, const Nearest& start, double size) {
  using namespace descents;
  const bool of_a = a.type == GeomType::kBox;
  ConvexPart &box = of_a ? a : b, &other = of_a ? b : a;
  const double sign = of_a ? 1 : -1;
  const Vec n = transposed_mul(box.R_FG, start.normal_F);
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const int most = x >= y && x >= z ? 0 : y >= z ? 1 : 2, least = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  // the deepest point of the other shape lies over the side, or beside the edge
  const auto is_over = [&](const Nearest& at, int i) {
    const Vec p = other.furthest(at.normal_F * -sign) - box.p_FoGo_F;
    return std::abs(dot(box.R_FG.col(i), p)) <= box.size[i];
  };
  int along = least;  // the axis that the edge is parallel to
  if (std::abs(n[most]) > kOnSide) {
    const Nearest end = depth_along(a, b, box.R_FG.col(most) * (n[most] > 0 ? 1.0 : -1.0));
    const int i = (most + 1) % 3, k = (most + 2) % 3;
    const bool is_over_i = is_over(end, i), is_over_k = is_over(end, k);
    if (is_over_i && is_over_k) return {end, true};
    if (!is_over_i && !is_over_k) return descend(a, b, start, size);
    along = is_over_i ? i : k;
  }
  if (std::abs(n[along]) > kNearlyAcross) return descend(a, b, start, size);
  const Around around{box, other, sign, box.R_FG.col(along)};
  const Nearest end = around.descend(start.normal_F, size);
  return {end, std::abs(around.slope(end.normal_F)) <= kSettled * size && is_over(end, along)};
}

TORSOR_APART Nearest descend_in_valleys(ConvexPart& a, ConvexPart& b, const Nearest& start, double size) {
  using namespace descents;
  Nearest best = descend(a, b, start, size).end;
  for (const bool of_a : {true, false}) {
    ConvexPart &owner = of_a ? a : b, &other = of_a ? b : a;
    const Vec axis = owner.R_FG.col(2);
    if (!has_axis(owner) || std::abs(dot(axis, best.normal_F)) > kNearlyAcross) continue;
    const Nearest end = Around{owner, other, of_a ? 1.0 : -1.0, axis}.descend(best.normal_F, size);
    if (end.dist > best.dist) best = end;
  }
  return best;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
