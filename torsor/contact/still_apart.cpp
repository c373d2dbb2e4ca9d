// The proof, and what is kept for the next one.
#include "torsor/contact/still_apart.hpp"

#include <algorithm>

#include "torsor/contact/box_filter.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/support.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// Corners are hints: those of another model, or of another hull, must not be read.
void forget_wrong_corner(const Shape& shape, int& corner) {
  if (shape.type == GeomType::kMesh && (corner < 0 || corner >= shape.hull->count)) corner = -1;
}

void keep_direction(const ConvexPair& pair, const Vec& normal_W, Separation& kept) {
  const Vec normal_A = transposed_mul(load9(pair.a.R_WG), normal_W);
  if (!(norm2(normal_A) > 0.5)) return;  // there is none
  if (!kept.is_of(pair.geom1, pair.geom2)) kept = {pair.geom1, pair.geom2, {}, -1, -1};
  for (int i = 0; i < 3; ++i) kept.normal_A[i] = static_cast<float>(normal_A[i]);
}

}  // namespace

bool are_still_apart(const ConvexPair& pair, double margin, Separation& kept) {
  const Shape &a = pair.a, &b = pair.b;
  if (has_no_hull(a) || has_no_hull(b)) return false;
  forget_wrong_corner(a, kept.corner1);
  forget_wrong_corner(b, kept.corner2);
  const Vec normal_A = load3<double>(kept.normal_A), normal_W = load9(a.R_WG) * normal_A;
  const Vec normal_B = transposed_mul(load9(b.R_WG), normal_W);
  const double of_a = dot(normal_A, core_of(a).furthest_in_own_frame(normal_A, kept.corner1));
  const double of_b = dot(normal_B, core_of(b).furthest_in_own_frame(-normal_B, kept.corner2));
  const double gap = dot(normal_W, b.p_WoGo_W - a.p_WoGo_W) + of_b - of_a;
  const double reach = std::max(margin + core_radius(a) + core_radius(b), 0.0);
  return gap > reach + kProofSlack * pair.extent;
}

int touch_convex(const ConvexPair& pair, double margin, Separation& kept, ContactPoint* out) {
  if (kept.is_of(pair.geom1, pair.geom2) && are_still_apart(pair, margin, kept)) return 0;
  Vec apart_W = Vec::zero();
  int count = 0;
  if (!are_boxes_apart(pair.a, pair.b, margin, &apart_W)) count = touch_convex(pair.a, pair.b, margin, out, &apart_W);
  if (count == 0) keep_direction(pair, apart_W, kept);
  return count;
}

}  // namespace torsor
