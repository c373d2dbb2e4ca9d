// The distance between two convex cores (GJK). Works on the Minkowski difference A - B, the set of all a - b, which
// contains the origin if the shapes overlap. All in the frame F of ConvexPart.
#pragma once

#include <algorithm>

#include "torsor/contact/support.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// A corner of the Minkowski difference, and the points of A and B that it comes from.
struct Corner {
  Vec3<double> w, on_a, on_b;  // w = on_a - on_b
};

TORSOR_HD inline Corner furthest_corner(ConvexPart& a, ConvexPart& b, const Vec3<double>& d_F) {
  const Vec3<double> on_a = a.furthest(d_F), on_b = b.furthest(-d_F);
  return {on_a - on_b, on_a, on_b};
}

struct Simplex {
  int count = 0;
  Corner corner[4];
  double weight[4];  // of the point nearest to the origin

  TORSOR_HD Vec3<double> on_a() const;
  TORSOR_HD Vec3<double> on_b() const;
};

// Nearest points of the cores, or the deepest ones.
struct Nearest {
  double dist;            // negative: depth
  Vec3<double> normal_F;  // unit, from a to b
  Vec3<double> on_a, on_b;
};

enum class Distance { kFar, kApart, kOverlap };

// Gilbert, Johnson and Keerthi 1988: the point of A - B that is nearest to the origin. kFar as soon as the cores are
// known to be further apart than `reach`; kApart fills `nearest`; kOverlap leaves in `simplex` what is near the origin:
// a point of A - B that is nearer to it than kHeld, see below. Where `direction` is wanted and the cores do not
// overlap, it is a unit vector from a to b along which there is a gap, beyond the reach if they are far; a few more
// iterations then make the gap wide, and nothing else depends on whether it is wanted.
TORSOR_HD Distance find_distance(ConvexPart& a, ConvexPart& b, double reach, Simplex& simplex, Nearest& nearest,
                                 Vec3<double>* direction = nullptr);

namespace simplices {

using Vec = Vec3<double>;

constexpr int kMaxIterations = 64;
constexpr double kDistanceTolerance = 1e-10;  // of the distance, or of the size of A - B
constexpr double kTouching = 1e-10;           // nearer than this part of the size, there is no direction any more
constexpr double kHeld = 1e-6;  // a point of A - B this near to the origin, as a part of the size, proves overlap

// The point of a simplex nearest to the origin, by the corners that it needs.
struct Reduced {
  int count = 0;
  int index[4];
  double weight[4];
  Vec v;
};

TORSOR_HD inline Reduced nearest_on_segment(const Simplex& s, int i, int j) {
  const Vec &a = s.corner[i].w, ab = s.corner[j].w - a;
  const double length2 = norm2(ab), t = -dot(a, ab);
  if (!(t > 0)) return {1, {i}, {1}, a};
  if (t >= length2) return {1, {j}, {1}, s.corner[j].w};
  const double part = t / length2;
  return {2, {i, j}, {1 - part, part}, a + ab * part};
}

TORSOR_HD inline const Reduced& nearer(const Reduced& a, const Reduced& b) { return norm2(b.v) < norm2(a.v) ? b : a; }

// Inside the triangle if the origin is on the inner side of all edges; else on one of the edges.
TORSOR_HD inline Reduced nearest_on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec &a = s.corner[i].w, &b = s.corner[j].w, &c = s.corner[k].w;
  const Vec n = cross(b - a, c - a);
  const double area2 = norm2(n);
  const double wa = dot(n, cross(b, c)), wb = dot(n, cross(c, a)), wc = dot(n, cross(a, b));
  if (area2 > 0 && wa > 0 && wb > 0 && wc > 0) {
    const double sum = 1 / (wa + wb + wc);
    return {3, {i, j, k}, {wa * sum, wb * sum, wc * sum}, n * (dot(n, a) / area2)};
  }
  // an edge can only be nearest if the origin is beyond it; rounding may deny all of them
  Reduced best;
  bool found = false;
  const auto take = [&](const Reduced& edge) { best = found ? nearer(best, edge) : edge, found = true; };
  const bool all = !(area2 > 0) || (wa > 0 && wb > 0 && wc > 0);
  if (all || wc <= 0) take(nearest_on_segment(s, i, j));
  if (all || wa <= 0) take(nearest_on_segment(s, j, k));
  if (all || wb <= 0) take(nearest_on_segment(s, k, i));
  return best;
}

// A face, and the corner opposite: number i of face f.
TORSOR_HD inline int of_face(int f, int i) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  return kFaces[f][i];
}

// The origin is behind all faces of the tetrahedron, by signs that rounding may have made where it is flat. Heights
// above a face of the origin and of the corner opposite are of one sign, and their quotient is the weight of the
// corner: what the weights make is a point of A - B whatever their errors, and proves the overlap if it is near the
// origin; so does a point of a face. Without a proof, the faces decide.
TORSOR_HD inline Reduced held_by_tetrahedron(const Simplex& s, const double* of_origin, const double* of_corner) {
  Vec held = Vec::zero();
  double sum = 0, size2 = 0;
  for (int f = 0; f < 4; ++f) {
    const Vec& opposite = s.corner[of_face(f, 3)].w;
    const double weight = of_origin[f] / of_corner[f];
    held += opposite * weight, sum += weight, size2 = std::max(size2, norm2(opposite));
  }
  const Reduced all = {4, {0, 1, 2, 3}, {0.25, 0.25, 0.25, 0.25}, Vec::zero()};
  if (norm2(held) <= kHeld * kHeld * size2 * sum * sum) return all;
  Reduced best = nearest_on_triangle(s, of_face(0, 0), of_face(0, 1), of_face(0, 2));
  for (int f = 1; f < 4; ++f) best = nearer(best, nearest_on_triangle(s, of_face(f, 0), of_face(f, 1), of_face(f, 2)));
  return norm2(best.v) <= kHeld * kHeld * size2 ? all : best;
}

// Of the faces that have the origin before them, the nearest; all four corners if it is behind all.
TORSOR_HD inline Reduced nearest_on_tetrahedron(const Simplex& s) {
  Reduced best;
  double of_origin[4], of_corner[4];
  bool found = false;
  for (int f = 0; f < 4; ++f) {
    const int face[4] = {of_face(f, 0), of_face(f, 1), of_face(f, 2), of_face(f, 3)};
    const Vec &a = s.corner[face[0]].w, &b = s.corner[face[1]].w, &c = s.corner[face[2]].w, &d = s.corner[face[3]].w;
    const Vec n = cross(b - a, c - a);
    of_origin[f] = dot(n, a), of_corner[f] = dot(n, a - d);
    if (of_origin[f] * of_corner[f] > 0) continue;  // the origin is on the side of d
    const Reduced on_face = nearest_on_triangle(s, face[0], face[1], face[2]);
    best = found ? nearer(best, on_face) : on_face;
    found = true;
  }
  return found ? best : held_by_tetrahedron(s, of_origin, of_corner);
}

TORSOR_HD inline Reduced nearest_on_simplex(const Simplex& s, int count) {
  switch (count) {
    case 1:
      return {1, {0}, {1}, s.corner[0].w};
    case 2:
      return nearest_on_segment(s, 0, 1);
    case 3:
      return nearest_on_triangle(s, 0, 1, 2);
    default:
      return nearest_on_tetrahedron(s);
  }
}

TORSOR_HD inline void keep(Simplex& s, const Reduced& reduced) {
  int same = 0;  // corners that stay where they are
  while (same < reduced.count && reduced.index[same] == same) ++same;
  Corner kept[4];
  for (int i = same; i < reduced.count; ++i) kept[i] = s.corner[reduced.index[i]];
  for (int i = same; i < reduced.count; ++i) s.corner[i] = kept[i];
  s.count = reduced.count;
  for (int i = 0; i < s.count; ++i) s.weight[i] = reduced.weight[i];
}

// The widest gap found so far beyond the reach, for whoever wants to know its direction. The distance is at most |v|:
// a gap that has half of what is left between reach and |v| is good enough.
struct FarDirection {
  double reach;
  double widest = 0;
  bool found = false;

  // v is not longer than the distance allows, and bound / |v| the gap along it. True when it is good enough.
  TORSOR_HD bool take(const Vec& v, double v2, double bound, Vec& direction) {
    const double length = std::sqrt(v2), gap = bound / length;
    if (!found || gap > widest) widest = gap, direction = v * (-1 / length);
    found = true;
    return widest - reach >= 0.5 * (length - reach);
  }
};

TORSOR_HD inline bool contains(const Simplex& s, const Vec& w) {
  for (int i = 0; i < s.count; ++i)
    if (s.corner[i].w.x == w.x && s.corner[i].w.y == w.y && s.corner[i].w.z == w.z) return true;
  return false;
}

}  // namespace simplices

TORSOR_HD inline Vec3<double> Simplex::on_a() const {
  using namespace simplices;
  Vec sum = Vec::zero();
  for (int i = 0; i < count; ++i) sum += corner[i].on_a * weight[i];
  return sum;
}
TORSOR_HD inline Vec3<double> Simplex::on_b() const {
  using namespace simplices;
  Vec sum = Vec::zero();
  for (int i = 0; i < count; ++i) sum += corner[i].on_b * weight[i];
  return sum;
}

// The search of find_distance(), corner by corner: whoever has several searches takes a step of each in turn.
class DistanceSearch {
 public:
  TORSOR_HD DistanceSearch(const ConvexPart& a, const ConvexPart& b, double reach, Vec3<double>* direction)
      : reach_(reach), far_{reach}, wanted_(direction), v_(first_point(a, b)) {}
  // Where in A - B, about, the search begins.
  TORSOR_HD static Vec3<double> first_point(const ConvexPart& a, const ConvexPart& b) {
    const Vec3<double> v = a.p_FoGo_F - b.p_FoGo_F;
    return norm2(v) > 0 ? v : Vec3<double>{0, 0, 1};
  }

  // Along which the next corner of A - B must be the furthest one.
  TORSOR_HD Vec3<double> direction() const { return -v_; }
  // False at the end.
  TORSOR_HD bool take(const Corner& next) {
    using namespace simplices;
    // every point of A - B is at least this far from the origin, times |v|
    const double v2 = norm2(v_), bound = dot(v_, next.w);
    if (bound > 0 && bound * bound > reach_ * reach_ * v2) {
      if (!wanted_ || far_.take(v_, v2, bound, *wanted_)) return end(Distance::kFar);
    }
    size2_ = std::max(size2_, norm2(next.w));
    if (simplex.count > 0) {
      const double length = std::sqrt(v2);
      if (v2 - bound <= length * kDistanceTolerance * std::max(length, std::sqrt(size2_))) return end_near();
      if (contains(simplex, next.w)) return end_near();
    }
    simplex.corner[simplex.count] = next;
    const Reduced reduced = nearest_on_simplex(simplex, simplex.count + 1);
    if (simplex.count > 0 && reduced.count < 4 && !(norm2(reduced.v) < v2)) return end_near();  // rounding: no progress
    keep(simplex, reduced);
    // rounding: the cores are known to be apart
    if (simplex.count == 4) return end(far_.found ? Distance::kFar : Distance::kOverlap);
    v_ = reduced.v;
    if (!far_.found && !(norm2(v_) > kTouching * kTouching * size2_)) return end(Distance::kOverlap);
    return ++iteration_ < kMaxIterations || end_near();
  }
  // How it ended; fills `nearest` as find_distance() does.
  TORSOR_HD Distance finish(Nearest& nearest) const {
    if (end_ != Distance::kApart) return end_;
    const double dist = norm(v_);
    nearest = {dist, v_ * (-1 / dist), simplex.on_a(), simplex.on_b()};
    if (wanted_) *wanted_ = nearest.normal_F;
    return end_;
  }

  Simplex simplex;

 private:
  TORSOR_HD bool end(Distance how) {
    end_ = how;
    return false;
  }
  TORSOR_HD bool end_near() { return end(far_.found ? Distance::kFar : Distance::kApart); }

  double reach_, size2_ = 0;
  simplices::FarDirection far_;
  Vec3<double>* wanted_;
  Vec3<double> v_;
  int iteration_ = 0;
  Distance end_ = Distance::kApart;
};

TORSOR_APART Distance find_distance(ConvexPart& a, ConvexPart& b, double reach, Simplex& simplex, Nearest& nearest,
                                    Vec3<double>* direction) {
  DistanceSearch search(a, b, reach, direction);
  while (search.take(furthest_corner(a, b, search.direction()))) {
  }
  simplex = search.simplex;
  return search.finish(nearest);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
