// The depth of two polytopes where a flat side of one lies over the deepest corner of the other, which is how bodies
// rest on each other. Three looks for furthest corners are then enough; EPA needs a dozen and more. See gjk.hpp.
#pragma once

#include <cmath>

#include "torsor/contact/gjk.hpp"
#include "torsor/model/hull_tables.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

namespace sides {

using Vec = Vec3<double>;

constexpr double kTowards = 0.7;  // cosine: the side looks at the other shape
constexpr double kLevel = 2e-7;   // of the size of A - B: corners of a side are in one plane to rounding of floats
constexpr int kMostCorners = 24;  // of a side, as in geometry/flat_side.hpp

// Whether the sides of a part are known: those of boxes, and of hulls with tables.
TORSOR_HD inline bool has_sides(const ConvexPart& part) {
  return part.type == GeomType::kBox || (part.type == GeomType::kMesh && part.hull->side && part.hull->corner_face);
}

// A flat side of a part, in F.
struct Side {
  bool found = false;
  Vec normal;   // unit, outward
  int index;    // of a hull: a triangle in it; of a box: 0 to 5
  double most;  // how far the part reaches along the normal
};

TORSOR_HD inline Side box_side(const Vec& d_G) {
  int i = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(d_G[k]) > std::abs(d_G[i])) i = k;
  const double sign = d_G[i] < 0 ? -1 : 1;
  Vec normal = Vec::zero();
  normal[i] = sign;
  return {std::abs(d_G[i]) > kTowards * norm(d_G), normal, 2 * i + (sign < 0), 0};
}

// Of the sides at a corner, the one that looks most along d.
TORSOR_HD inline Side hull_side(const HullView& hull, const Vec& d_G, int corner) {
  Side best;
  double facing = kTowards * norm(d_G);
  const int first = hull.edge_address[corner];
  for (int k = first; k < first + hull.edge_count[corner]; ++k) {
    const int f = hull.corner_face[k];
    if (f < 0) continue;
    const HullSide& side = hull.side[f];
    const Vec n = load3(side.normal);
    const double along = dot(n, d_G);
    if (side.count < 3 || !(along > facing * side.length)) continue;
    facing = along / side.length;
    best = {true, n * (1 / side.length), f, 0};
  }
  return best;
}

// Its corners, counter-clockwise from outside. Returns how many.
TORSOR_HD inline int corners_of(const ConvexPart& part, const Side& side, Vec* corner_F) {
  if (part.type == GeomType::kBox) {
    const int i = side.index / 2, j = (i + 1) % 3, k = (i + 2) % 3;
    const double sign = side.index % 2 ? -1 : 1;
    for (int c = 0; c < 4; ++c) {
      Vec p;
      p[i] = sign * part.size[i];
      p[j] = c == 0 || c == 3 ? part.size[j] : -part.size[j];
      p[k] = sign * (c < 2 ? part.size[k] : -part.size[k]);
      corner_F[c] = part.place(p);
    }
    return 4;
  }
  const HullView& hull = *part.hull;
  const HullSide& known = hull.side[side.index];
  for (int c = 0; c < known.count; ++c)
    corner_F[c] = part.place(load3<double>(hull.corner + 3 * hull.side_corner[known.first + c]));
  return known.count;
}

}  // namespace sides

// Step by step, like the searches that it precedes, from the same first corner as that for the distance. Every step
// asks for the furthest points of both parts.
class SideSearch {
 public:
  TORSOR_HD SideSearch(const ConvexPart& a, const ConvexPart& b) : a_(a), b_(b) {}

  TORSOR_HD static bool is_for(const ConvexPart& a, const ConvexPart& b) {
    return sides::has_sides(a) && sides::has_sides(b);
  }

  // The points furthest along d from a and against d from b, and which corners of hulls they are. False: no use.
  TORSOR_HD bool begin(const Vec3<double>& d_F, const Corner& first, int corner_a, int corner_b) {
    if (!(dot(d_F, first.w) > 0)) return false;  // a gap
    size_ = norm(first.w);
    side_a_ = side_of(a_, d_F, corner_a), side_b_ = side_of(b_, -d_F, corner_b);
    if (!side_a_.found && !side_b_.found) return false;
    side_a_.most = dot(side_a_.normal, first.on_a), side_b_.most = dot(side_b_.normal, first.on_b);
    along_a_ = side_b_.found ? -side_b_.normal : d_F, along_b_ = side_a_.found ? -side_a_.normal : -d_F;
    return true;
  }
  // Along which the next points must be the furthest ones.
  TORSOR_HD const Vec3<double>& along_a() const { return along_a_; }
  TORSOR_HD const Vec3<double>& along_b() const { return along_b_; }

  enum class Step { kMore, kFound, kNone };
  TORSOR_HD Step take(const Vec3<double>& on_a, const Vec3<double>& on_b) {
    return count_ == 0 ? choose(on_a, on_b) : prove(on_a, on_b);
  }
  TORSOR_HD const Nearest& result() const { return result_; }

 private:
  TORSOR_HD static sides::Side side_of(const ConvexPart& part, const Vec3<double>& d_F, int corner) {
    const Vec3<double> d_G = part.turn_to_own(d_F);
    sides::Side side = part.type == GeomType::kBox ? sides::box_side(d_G) : sides::hull_side(*part.hull, d_G, corner);
    if (side.found) side.normal = part.turn_to_F(side.normal);
    return side;
  }

  // The side with the lesser depth, if it lies over the deepest corner.
  TORSOR_HD Step choose(const Vec3<double>& on_a, const Vec3<double>& on_b) {
    const double depth_a = side_a_.found ? side_a_.most - dot(side_a_.normal, on_b) : INFINITY;
    const double depth_b = side_b_.found ? side_b_.most - dot(side_b_.normal, on_a) : INFINITY;
    const bool is_of_a = depth_a <= depth_b;
    const double depth = is_of_a ? depth_a : depth_b;
    if (!(depth > 0)) return Step::kNone;
    const Vec3<double> n = is_of_a ? side_a_.normal : -side_b_.normal;
    Vec3<double> own[sides::kMostCorners];
    const int count = is_of_a ? sides::corners_of(a_, side_a_, own) : sides::corners_of(b_, side_b_, own);
    // in A - B, counter-clockwise around n: differences to corners of b go round the other way, and face -n before
    middle_ = Vec3<double>::zero();
    for (int i = 0; i < count; ++i) {
      corner_[i] = is_of_a ? own[i] - on_b : on_a - own[i];
      middle_ += own[i] * (1.0 / count);
    }
    if (!is_of_a) reverse(count);
    for (int i = 0; i < count; ++i) {
      size_ = std::max(size_, norm(corner_[i]));
      if (!(std::abs(dot(n, corner_[i]) - depth) <= sides::kLevel * size_)) return Step::kNone;
    }
    for (int i = 0; i < count; ++i) {  // an edge that is nearer to the foot than the depth: another way out is shorter
      const Vec3<double>&p = corner_[i], edge = corner_[i + 1 < count ? i + 1 : 0] - p;
      const double beside = dot(n, cross(p, edge));
      if (!(beside > 0 && beside * beside >= depth * depth * norm2(edge))) return Step::kNone;
    }
    count_ = count;
    const Vec3<double> to_side = n * depth;
    result_ = is_of_a ? Nearest{-depth, n, on_b + to_side, on_b} : Nearest{-depth, n, on_a, on_a - to_side};
    is_of_a_ = is_of_a;
    along_a_ = along_b_ = is_of_a ? n : -n;
    return Step::kMore;
  }
  TORSOR_HD void reverse(int count) {
    for (int i = 0, k = count - 1; i < k; ++i, --k) std::swap(corner_[i], corner_[k]);
  }

  // Whether nothing of the side's own part is beyond it, as far as hulls are from convex after rounding. And whether
  // the pyramid over the side has the ball around the origin inside that reaches as far as the side: no other way out
  // is shorter then. Its apex, which lies in A - B, is from the middle of the side to the far end of the other part.
  TORSOR_HD Step prove(const Vec3<double>& on_a, const Vec3<double>& on_b) const {
    const sides::Side& side = is_of_a_ ? side_a_ : side_b_;
    if (dot(side.normal, is_of_a_ ? on_a : on_b) > side.most + sides::kLevel * size_) return Step::kNone;
    const Vec3<double> apex = is_of_a_ ? middle_ - on_b : on_a - middle_;
    const double depth = -result_.dist;
    for (int i = 0; i < count_; ++i) {
      const Vec3<double>&p = corner_[i], edge = corner_[i + 1 < count_ ? i + 1 : 0] - p;
      const Vec3<double> normal = cross(edge, p - apex);  // outward
      const double level = dot(normal, p);
      if (!(level > 0 && level * level >= depth * depth * norm2(normal))) return Step::kNone;
    }
    return Step::kFound;
  }

  const ConvexPart &a_, &b_;
  sides::Side side_a_, side_b_;
  Vec3<double> along_a_, along_b_;
  double size_ = 0;
  int count_ = 0;
  bool is_of_a_ = true;  // the side
  Vec3<double> corner_[sides::kMostCorners], middle_;
  Nearest result_;
};

// All of it; false where there is no such side.
TORSOR_HD inline bool find_depth_of_side(ConvexPart& a, ConvexPart& b, Nearest& out) {
  if (!SideSearch::is_for(a, b)) return false;
  const auto furthest = [](ConvexPart& part, const Vec3<double>& d_F, int& corner) {
    const Vec3<double> d_G = part.turn_to_own(d_F);
    if (part.type != GeomType::kMesh) return part.place(part.furthest_in_own_frame(d_G));
    const supports::FurthestCorner found(*part.hull, d_G);
    corner = found.index;
    return part.place(found.p_G);
  };
  const Vec3<double> d_F = -DistanceSearch::first_point(a, b);
  int corner_a = -1, corner_b = -1;
  const Vec3<double> on_a = furthest(a, d_F, corner_a), on_b = furthest(b, -d_F, corner_b);
  SideSearch search(a, b);
  if (!search.begin(d_F, {on_a - on_b, on_a, on_b}, corner_a, corner_b)) return false;
  for (;;) {
    const auto step = search.take(a.furthest(search.along_a()), b.furthest(search.along_b()));
    if (step == SideSearch::Step::kFound) out = search.result();
    if (step != SideSearch::Step::kMore) return step == SideSearch::Step::kFound;
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
