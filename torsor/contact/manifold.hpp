// Several points for two convex shapes that touch along a face or a line.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/feature.hpp"
#include "torsor/contact/spread.hpp"

#include "torsor/contact/gjk.hpp"

namespace torsor {

// Corners of hulls that are furthest along the normal and against it, where they are known; else -1.
struct FacingCorners {
  int of_a = -1, of_b = -1;
};

// At most kManifoldPoints within the margin, the deepest first; all share the normal of `deepest`, whose distance
// includes the radii of the parts. They are corners of the overlap of what the parts turn to each other, faces or edges
// within five degrees of the normal, seen along the normal. Decision 49.
TORSOR_HD int find_manifold(ConvexPart& a, ConvexPart& b, const Nearest& deepest, double margin, ManifoldPoint* out,
                            const FacingCorners& corners = {});

namespace manifolds {

using Vec = Vec3<double>;

constexpr double kParallel = 1e-2;  // sine between two lines that touch along their length
constexpr int kMostClipped = 2 * kFeatureCorners + 2;

struct Candidates {
  int count = 0;
  ManifoldPoint item[kMostClipped + 1];

  TORSOR_HD void add(double dist, const Vec& pos_F, double margin) {
    if (dist <= margin && count <= kMostClipped) item[count++] = {dist, pos_F};
  }
};

// A polygon, or a line, and room for what is left of it.
struct Clipped {
  int count;
  int now = 0;
  Vec buffer[2][kMostClipped];

  TORSOR_HD explicit Clipped(const Feature& feature) : count(feature.count) {
    std::copy_n(feature.p, count, buffer[0]);
  }
  TORSOR_HD const Vec* points() const { return buffer[now]; }

  // Keeps what is behind a plane. [Sutherland and Hodgman 1974]
  TORSOR_HD void clip(const Vec& normal, double level) {
    const Vec* in = buffer[now];
    double height[kMostClipped];
    bool is_behind = true;
    for (int i = 0; i < count; ++i) {
      height[i] = dot(normal, in[i]) - level;
      is_behind &= height[i] <= 0;
    }
    if (is_behind) return;
    Vec* out = buffer[1 - now];
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const int next = i + 1 == count ? 0 : i + 1;
      const double hp = height[i], hq = height[next];
      if (hp <= 0 && kept < kMostClipped) out[kept++] = in[i];
      if ((hp < 0) != (hq < 0) && hp != 0 && hq != 0 && kept < kMostClipped)
        out[kept++] = in[i] + (in[next] - in[i]) * (hp / (hp - hq));
    }
    count = kept, now = 1 - now;
  }
};

// The part of `other` above or below `face`, seen along the normal, against the plane of `face`. Neither has to be at
// right angles to the normal, along which distances are measured. `sign`: 1 where the face belongs to a.
TORSOR_HD inline void clip_to_face(const Feature& face, const Feature& other, const Nearest& deepest, double sign,
                                   double margin, Candidates& out) {
  Clipped part(other);
  Vec middle = Vec::zero();
  for (int i = 0; i < face.count; ++i) middle += face.p[i] * (1.0 / face.count);
  const Vec n = deepest.normal_F;
  for (int i = 0; i < face.count && part.count > 0; ++i) {
    const Vec& p = face.p[i];
    Vec side = cross(face.p[i + 1 == face.count ? 0 : i + 1] - p, n);
    const double length = norm(side);
    if (!(length > 0)) continue;
    side *= (dot(side, middle - p) > 0 ? -1 : 1) / length;
    part.clip(side, dot(side, p));
  }
  const double slope = 1 / dot(face.normal, n);
  for (int i = 0; i < part.count; ++i) {
    const Vec& q = part.points()[i];
    const double dist = std::max(sign * dot(face.normal, q - face.p[0]) * slope, deepest.dist);
    out.add(dist, q - n * (0.5 * sign * dist), margin);
  }
}

// Where two parallel lines run beside each other.
TORSOR_HD inline void overlap_lines(const Feature& a, const Feature& b, const Nearest& deepest, double margin,
                                    Candidates& out) {
  const Vec n = deepest.normal_F, u = a.p[1] - a.p[0], v = b.p[1] - b.p[0];
  const double uu = norm2(u), vv = norm2(v);
  if (!(norm2(cross(u, v)) < kParallel * kParallel * uu * vv)) return;
  const double t0 = dot(u, b.p[0] - a.p[0]) / uu, t1 = dot(u, b.p[1] - a.p[0]) / uu;
  const double low = std::max(0.0, std::min(t0, t1)), high = std::min(1.0, std::max(t0, t1));
  if (!(low < high)) return;
  for (const double t : {low, high}) {
    const Vec on_a = a.p[0] + u * t;
    const double s = std::clamp(dot(v, on_a - b.p[0]) / vv, 0.0, 1.0);
    const Vec on_b = b.p[0] + v * s;
    out.add(std::max(dot(n, on_b - on_a), deepest.dist), (on_a + on_b) * 0.5, margin);
  }
}

// About how large a feature is.
TORSOR_HD inline double size_of(const Feature& feature) {
  const Vec &first = feature.p[0], &opposite = feature.p[feature.count / 2], &last = feature.p[feature.count - 1];
  return std::sqrt(std::max(norm2(opposite - first), norm2(last - first)));
}

}  // namespace manifolds

TORSOR_APART int find_manifold(ConvexPart& a, ConvexPart& b, const Nearest& deepest, double margin, ManifoldPoint* out,
                               const FacingCorners& corners) {
  using namespace manifolds;
  const Vec n = deepest.normal_F;
  out[0] = {deepest.dist, (deepest.on_a + deepest.on_b) * 0.5};
  if (a.is_round() || b.is_round()) return 1;
  Feature of_a, of_b;
  find_feature(a, n, of_a, corners.of_a);
  if (of_a.count < 2) return 1;
  find_feature(b, -n, of_b, corners.of_b);
  if (of_b.count < 2) return 1;
  const double facing_a = of_a.count > 2 ? dot(of_a.normal, n) : 0,
               facing_b = of_b.count > 2 ? -dot(of_b.normal, n) : 0;
  Candidates found;
  if (facing_a >= facing_b && facing_a > 0) {
    clip_to_face(of_a, of_b, deepest, 1, margin, found);
  } else if (facing_b > 0) {
    clip_to_face(of_b, of_a, deepest, -1, margin, found);
  } else {
    overlap_lines(of_a, of_b, deepest, margin, found);
  }
  // rounded outlines are cut short here, and faces may end before the point: it may lie beyond
  const double size = std::min(size_of(of_a), size_of(of_b));
  double least = INFINITY;
  for (int i = 0; i < found.count; ++i) least = std::min(least, found.item[i].dist);
  if (!(least <= deepest.dist + kSamePoint * size)) found.item[found.count++] = out[0];
  const int count = choose_spread(found.item, found.count, n, size, out);
  out[0].dist = deepest.dist;  // clipping rounds more
  return count;
}

}  // namespace torsor
