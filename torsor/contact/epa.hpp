// The penetration depth of two convex cores (EPA), by a polytope that grows in A - B; see gjk.hpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/descent.hpp"
#if !defined(__CUDACC__)
#include "torsor/contact/kernels/least.hpp"
#endif
#include "torsor/contact/shape.hpp"
#include "torsor/contact/side_search.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

namespace polytopes {

using Vec = Vec3<double>;

constexpr double kDepthTolerance = 1e-8;  // of the size of A - B
constexpr double kSure = 1e-3;            // how well the depth must be known before Newton's method may take over
constexpr int kMostValleys = 8;           // minima looked for where the polytope has no room for more corners
constexpr double kOneValley = 0.7;        // cosine between directions that need no descent each
constexpr int kFacePad = 8;               // numbers that the search for the nearest face may read beyond the last
constexpr double kNoInside = 1e-12;       // thinner than this part of its size, A - B has no inside

TORSOR_HD inline int after(int i) { return i == 2 ? 0 : i + 1; }  // of three

struct Face {
  int corner[3];    // counter-clockwise from outside
  int neighbor[3];  // across the edge from corner i to the next
  int back[3];      // which edge of that neighbour it is
  Vec normal;
  double dist;  // of its plane from the origin
  bool alive;
};

struct Edge {
  int face, edge;
};

// Room for the polytope: more corners tell more of the last digits of depths of curved shapes.
inline constexpr int kDepthCorners = 224;

// Of so many corners at most. With kGivesUp, nothing else is tried where there is no room for more.
template <int kMaxCorners, bool kGivesUp>
class Polytope {
  static constexpr int kMaxFaces = 2 * kMaxCorners;  // Euler: 2 corners - 4
  static_assert(kMaxFaces % kFacePad == 0);

 public:
  TORSOR_HD Polytope(ConvexPart& a, ConvexPart& b, const Simplex& simplex) : a_(a), b_(b) {
    for (int i = 0; i < simplex.count; ++i) add_corner(simplex.corner[i]);
  }

  TORSOR_HD Nearest run() {
    if (start()) {
      while (take(furthest_corner(a_, b_, direction()))) {
      }
    }
    return best_;
  }

  // The same corner by corner. False where best() is the result.
  TORSOR_HD bool start() {
    const bool is_solid = make_tetrahedron();
    best_ = flat_result();
    next_polish_ = first_polish();
    return is_solid && seek();
  }
  // Along which the next corner of A - B must be the furthest one.
  TORSOR_HD const Vec& direction() const { return faces_[nearest_].normal; }
  // False at the end.
  TORSOR_INLINE bool take(const Corner& next) {
    const Face& face = faces_[nearest_];
    const double depth = dot(next.w, face.normal);
    if (depth < least_ - (settled_ ? kDepthTolerance * size_ : 0))
      least_ = depth, best_ = result_of(nearest_, next), settled_ = false;
    // no depth is less than the distance of the nearest face
    if (least_ - face.dist <= kDepthTolerance * size_) return false;
    if (!settled_ && corner_count_ >= next_polish_ && least_ - face.dist <= kSure * size_) {
      if (has_box_and_ellipsoid() && ends_on_box(best_)) return false;
      settled_ = !has_box_and_ellipsoid() && settle(best_);
      if (settled_) {
        least_ = -best_.dist;
        return seek();
      }
      next_polish_ *= 2;
    }
    if (corner_count_ == kMaxCorners || !grow(nearest_, next)) {
      best_ = kGivesUp ? give_up(best_) : least_of_valleys(best_);
      return false;
    }
    return seek();
  }
  TORSOR_HD const Nearest& best() const { return best_; }
  TORSOR_HD bool has_given_up() const { return has_given_up_; }

 private:
  // The nearest face that may lead to less.
  TORSOR_INLINE bool seek() {
    for (;;) {
      nearest_ = nearest_face();
      if (nearest_ < 0) return false;
      if (!settled_) return true;
      if (least_ - faces_[nearest_].dist <= kDepthTolerance * size_) return false;
      if (!leads_to(best_, faces_[nearest_])) return true;
      dist_[nearest_] = INFINITY;
    }
  }
  // Of two shallow places of A - B, Newton's method knows one only. Whether a face is about that one: points of A - B
  // beyond the face that are nearer than the depth are within an angle psi of the face's normal, cos psi = dist /
  // depth; it is if the normal of the depth is among them. Two places within one such angle, a tenth of a radian where
  // shapes are deep in each other, would still be taken for one.
  TORSOR_HD static bool leads_to(const Nearest& depth, const Face& face) {
    return dot(face.normal, depth.normal_F) * -depth.dist >= face.dist;
  }
  TORSOR_HD void leave_out_around(const Nearest& depth) {
    for (int f = 0; f < face_count_; ++f)
      if (dist_[f] < -depth.dist && leads_to(depth, faces_[f])) dist_[f] = INFINITY;
  }
  // How many corners to have before Newton's method is tried.
  TORSOR_HD int first_polish() const {
    if (has_box_and_ellipsoid()) return 7;
    return is_polytope(a_) || is_polytope(b_) ? kDepthCorners : 10;
  }
  TORSOR_HD bool has_box_and_ellipsoid() const { return a_.type == GeomType::kEllipsoid && b_.type == GeomType::kBox; }
  // Against these, corners find the answer sooner.
  TORSOR_HD static bool is_polytope(const ConvexPart& part) {
    return part.type == GeomType::kBox || part.type == GeomType::kMesh || part.type == GeomType::kHfield;
  }
  TORSOR_HD const Nearest& give_up(const Nearest& best) {
    has_given_up_ = true;
    return best;
  }
  TORSOR_HD void add_corner(const Corner& corner) {
    corners_[corner_count_++] = corner;
    size_ = std::max(size_, norm(corner.w));
  }
  TORSOR_HD const Vec& w(int i) const { return corners_[i].w; }
  TORSOR_HD static Vec across(const Vec& d) {
    const double x = std::abs(d.x), y = std::abs(d.y), z = std::abs(d.z);
    return normalized(cross(d, x <= y && x <= z ? Vec{1, 0, 0} : y <= z ? Vec{0, 1, 0} : Vec{0, 0, 1}));
  }

  // Completes what the search for the distance left: a point, a line or a triangle with the origin on it.
  TORSOR_HD bool make_tetrahedron() {
    if (corner_count_ == 4 && std::abs(volume()) <= kNoInside * size_ * size_ * size_) corner_count_ = 3;
    if (corner_count_ == 3 && !(norm(cross(w(1) - w(0), w(2) - w(0))) > kNoInside * size_ * size_)) corner_count_ = 2;
    if (corner_count_ == 2 && !(norm(w(1) - w(0)) > kNoInside * size_)) corner_count_ = 1;
    if (corner_count_ == 1 && !add_second()) return false;
    if (corner_count_ == 2 && !add_third()) return false;
    if (corner_count_ == 3 && !add_fourth()) return false;
    if (volume() < 0) std::swap(corners_[0], corners_[1]);
    constexpr int kFaces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    for (const auto& face : kFaces)
      if (add_face(face[0], face[1], face[2]) < 0) return false;
    constexpr int kAcross[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}},
                  kBack[4][3] = {{2, 2, 2}, {1, 0, 0}, {1, 0, 1}, {1, 0, 2}};
    for (int f = 0; f < 4; ++f)
      for (int e = 0; e < 3; ++e) faces_[f].neighbor[e] = kAcross[f][e], faces_[f].back[e] = kBack[f][e];
    return true;
  }
  // Positive where corner 3 is behind the face 0 1 2.
  TORSOR_HD double volume() const { return -dot(cross(w(1) - w(0), w(2) - w(0)), w(3) - w(0)); }

  TORSOR_HD bool add_second() {
    for (int k = 0; k < 6; ++k) {
      const double sign = k & 1 ? -1 : 1;
      const Corner c = furthest_corner(a_, b_, {k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0});
      if (norm(c.w - w(0)) > kNoInside * std::max(size_, norm(c.w))) {
        add_corner(c);
        return true;
      }
    }
    return false;
  }
  TORSOR_HD bool add_third() {
    const Vec along = normalized(w(1) - w(0)), x = across(along), y = cross(along, x);
    for (int k = 0; k < 6; ++k) {
      const double angle = k * (M_PI / 3);
      const Corner c = furthest_corner(a_, b_, x * std::cos(angle) + y * std::sin(angle));
      if (norm(cross(along, c.w - w(0))) > kNoInside * std::max(size_, norm(c.w))) {
        add_corner(c);
        return true;
      }
    }
    flat_normal_ = x;
    return false;
  }
  TORSOR_HD bool add_fourth() {
    const Vec n = normalized(cross(w(1) - w(0), w(2) - w(0)));
    for (const double sign : {1.0, -1.0}) {
      const Corner c = furthest_corner(a_, b_, n * sign);
      if (std::abs(dot(n, c.w - w(0))) > kNoInside * std::max(size_, norm(c.w))) {
        add_corner(c);
        return true;
      }
    }
    flat_normal_ = n;
    return false;
  }

  TORSOR_HD int add_face(int i, int j, int k) {
    const Vec n = cross(w(j) - w(i), w(k) - w(i));
    const double area = norm(n);
    if ((free_count_ == 0 && face_count_ == kMaxFaces) || !(area > 1e-20 * size_ * size_)) return -1;
    if (free_count_ == 0 && face_count_ % kFacePad == 0) fill_pad();
    const int f = free_count_ > 0 ? free_[--free_count_] : face_count_++;
    Face& face = faces_[f];
    face.corner[0] = i, face.corner[1] = j, face.corner[2] = k;
    face.normal = n * (1 / area), face.dist = dist_[f] = dot(face.normal, w(i)), face.alive = true;
    return f;
  }
  TORSOR_HD void fill_pad() {
    for (int f = face_count_; f < face_count_ + kFacePad; ++f) dist_[f] = INFINITY;
  }
  TORSOR_HD void drop_face(int f) {
    faces_[f].alive = false;
    dist_[f] = INFINITY;
    dropped_[dropped_count_++] = f;
  }

  TORSOR_HD int nearest_face() const {
#if defined(__CUDACC__)
    int nearest = -1;
    for (int f = 0; f < face_count_; ++f)
      if (dist_[f] < (nearest < 0 ? double(INFINITY) : dist_[nearest])) nearest = f;
    return nearest;
#else
    return find_least(dist_, face_count_);
#endif
  }

  // Faces that see the new corner give way to a fan around it. False where rounding makes that impossible.
  TORSOR_INLINE bool grow(int f, const Corner& next) {
    add_corner(next);
    const int apex = corner_count_ - 1;
    horizon_count_ = dropped_count_ = 0;
    drop_face(f);
    for (int e = 0; e < 3; ++e)
      if (!find_horizon(faces_[f].neighbor[e], faces_[f].back[e], next.w)) return false;
    // nothing refers to them any more but the loop below, which looks at faces beyond the horizon only
    for (int k = 0; k < dropped_count_; ++k) free_[free_count_++] = dropped_[k];
    int starting_at[kMaxCorners], fan[kMaxCorners];
    for (int i = 0; i < corner_count_; ++i) starting_at[i] = -1;
    for (int h = 0; h < horizon_count_; ++h) {
      Face& outer = faces_[horizon_[h].face];
      const int e = horizon_[h].edge, from = outer.corner[after(e)], to = outer.corner[e];
      const int added = add_face(from, to, apex);
      if (added < 0 || starting_at[from] >= 0) return false;
      starting_at[from] = fan[h] = added;
      faces_[added].neighbor[0] = horizon_[h].face, faces_[added].back[0] = e;
      outer.neighbor[e] = added, outer.back[e] = 0;
    }
    for (int h = 0; h < horizon_count_; ++h) {
      const int n = fan[h];
      const int other = starting_at[faces_[n].corner[1]];
      if (other < 0) return false;
      faces_[n].neighbor[1] = other, faces_[n].back[1] = 2;
      faces_[other].neighbor[2] = n, faces_[other].back[2] = 1;
    }
    return true;
  }

  // From face to face over edge e, until one does not see w: over the left edge first.
  TORSOR_HD bool find_horizon(int first_face, int first_edge, const Vec& w_new) {
    int open = 0;
    open_[open++] = {first_face, first_edge};
    while (open > 0) {
      const Edge at = open_[--open];
      Face& face = faces_[at.face];
      if (!face.alive) continue;
      if (dot(face.normal, w_new) - face.dist <= 1e-14 * size_) {
        if (horizon_count_ == kMaxCorners) return false;
        horizon_[horizon_count_++] = at;
        continue;
      }
      drop_face(at.face);
      const int left = after(at.edge), right = after(left);
      open_[open++] = {face.neighbor[right], face.back[right]};
      open_[open++] = {face.neighbor[left], face.back[left]};
    }
    return true;
  }

  struct Weights {
    double of[3];
    int worst;  // the corner with the least
  };
  // The origin's foot on the plane of a face, as a mean of its corners.
  TORSOR_HD Weights weights(const Face& face) const {
    const Vec &i = w(face.corner[0]), &j = w(face.corner[1]), &k = w(face.corner[2]), foot = face.normal * face.dist;
    Weights result{{dot(face.normal, cross(j - foot, k - foot)), dot(face.normal, cross(k - foot, i - foot)),
                    dot(face.normal, cross(i - foot, j - foot))},
                   0};
    for (int c = 1; c < 3; ++c)
      if (result.of[c] < result.of[result.worst]) result.worst = c;
    return result;
  }
  TORSOR_HD bool are_coplanar(const Face& f, const Face& g) const {
    return dot(f.normal, g.normal) > 1 - 1e-10 && std::abs(f.dist - g.dist) <= kDepthTolerance * size_;
  }

  // Where `next`, the furthest corner along the normal of face f, says the surface is. A flat side of A - B is made of
  // several faces with one distance: the foot may lie on a neighbour.
  TORSOR_HD Nearest result_of(int f, const Corner& next) const {
    const Vec n = faces_[f].normal;
    Weights weight = weights(faces_[f]);
    for (int step = 0; step < 16 && weight.of[weight.worst] < 0; ++step) {
      const int across = faces_[f].neighbor[after(weight.worst)];
      if (!are_coplanar(faces_[f], faces_[across])) break;
      f = across, weight = weights(faces_[f]);
    }
    Vec on_a = Vec::zero(), on_b = Vec::zero();
    double sum = 0;
    for (double& x : weight.of) sum += x = std::max(x, 0.0);
    for (int c = 0; c < 3; ++c) {
      const double part = sum > 0 ? weight.of[c] / sum : 1.0 / 3;
      on_a += corners_[faces_[f].corner[c]].on_a * part, on_b += corners_[faces_[f].corner[c]].on_b * part;
    }
    on_a += n * dot(n, next.on_a - on_a), on_b += n * dot(n, next.on_b - on_b);
    return {-dot(n, next.w), n, on_a, on_b};
  }

  // Goes to the minimum next to the best direction so far, if it is one, and leaves out the faces around it.
  TORSOR_HD __attribute__((noinline)) bool settle(
      Nearest& best) {  // rare, like the next: not in the registers of the loop
    const Descent descent = descend(a_, b_, best, size_);
    if (!descent.settled) return false;
    best = descent.end;
    leave_out_around(best);
    return true;
  }

  // Goes to the minimum next to the best direction so far, if that is known to be the least depth of all. A ball that
  // rolls around inside the ellipsoid rolls around inside A - B too. Where it touches the surface at a minimum that is
  // no deeper than its radius, it has the origin inside and reaches as far as that depth along every direction: no
  // other way out is shorter.
  TORSOR_HD __attribute__((noinline)) bool ends_on_box(Nearest& best) {
    const Descent descent = descend_on_box(a_, b_, best, size_);
    if (!descent.settled || -descent.end.dist > supports::sharpest_radius(a_.size)) return false;
    best = descent.end;
    return true;
  }

  // Curved shapes need many corners for the last digits, and solids of revolution about nearly one axis are almost
  // equally deep all around. Faces that are nearer than the depth tell where there may be less.
  TORSOR_HD __attribute__((noinline)) Nearest least_of_valleys(Nearest best) {
    best = descend_in_valleys(a_, b_, best, size_);
    if (is_polytope(a_) && is_polytope(b_)) return best;
    for (int valley = 0; valley < kMostValleys; ++valley) {
      const int f = nearest_face();
      if (f < 0 || !(faces_[f].dist < -best.dist - kDepthTolerance * size_)) return best;
      const Vec start = faces_[f].normal;
      best = lesser(best, descend_in_valleys(a_, b_, depth_along(a_, b_, start), size_));
      for (int g = 0; g < face_count_; ++g)
        if (dot(faces_[g].normal, start) > kOneValley) dist_[g] = INFINITY;
    }
    return best;
  }
  TORSOR_HD static const Nearest& lesser(const Nearest& a, const Nearest& b) { return b.dist > a.dist ? b : a; }

  // A - B is flat, or a point: the shapes touch, or have no inside.
  TORSOR_HD Nearest flat_result() const { return {0, flat_normal_, corners_[0].on_a, corners_[0].on_b}; }

  ConvexPart &a_, &b_;
  int corner_count_ = 0, face_count_ = 0, horizon_count_ = 0, free_count_ = 0, dropped_count_ = 0;
  bool has_given_up_ = false;
  bool settled_ = false;  // it is the least around its normal; there may be less elsewhere
  int nearest_ = -1;
  int next_polish_ = 10;  // corners
  double size_ = 0;
  double least_ = INFINITY;  // of the depths along normals tried: each would part the shapes
  Nearest best_;
  Vec flat_normal_{0, 0, 1};
  Corner corners_[kMaxCorners];
  Face faces_[kMaxFaces];
  double dist_[kMaxFaces];  // as in faces_, infinite for those that gave way: the nearest is looked for all the time
  int free_[kMaxFaces], dropped_[kMaxFaces];
  Edge horizon_[kMaxCorners];
  Edge open_[kMaxFaces + 1];  // each face that is dropped adds one
};

}  // namespace polytopes

// Van den Bergen 2001: grows a polytope inside A - B until its face nearest to the origin lies on the surface.
TORSOR_APART Nearest find_depth(ConvexPart& a, ConvexPart& b, const Simplex& simplex) {
  return polytopes::Polytope<polytopes::kDepthCorners, false>(a, b, simplex).run();
}
struct FindDepth {
  TORSOR_HD Nearest operator()(ConvexPart& a, ConvexPart& b, const Simplex& simplex) const {
    return find_depth(a, b, simplex);
  }
};

// GJK, then EPA unless a side gives the depth: the nearest points with the radii of the parts. False beyond the margin;
// `direction` as in find_distance(). `find_depth` is another search with the same result, for who has no such stack.
template <class F = FindDepth>
TORSOR_HD bool find_nearest(ConvexPart& a, ConvexPart& b, double margin, Nearest& out,
                            Vec3<double>* direction = nullptr, F&& find_depth = {}) {
  const double radii = a.radius + b.radius, reach = std::max(margin + radii, 0.0);
  Simplex simplex;
  if (find_depth_of_side(a, b, out)) return out.dist <= margin;  // polytopes have no radius
  switch (find_distance(a, b, reach, simplex, out, direction)) {
    case Distance::kFar:
      return false;
    case Distance::kOverlap:
      out = find_depth(a, b, simplex);
      break;
    case Distance::kApart:
      break;
  }
  out.dist -= radii;
  out.on_a += out.normal_F * a.radius;
  out.on_b -= out.normal_F * b.radius;
  return out.dist <= margin;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
