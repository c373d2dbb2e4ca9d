// The proof, and what is kept for the next one.
#include "torsor/contact/still_apart.hpp"

#include <algorithm>

#include "torsor/contact/pairs.hpp"
#include "torsor/contact/support.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// How far the core of a shape reaches along d_G.
double reach_of_core(const Shape& shape, const Vec& d_G) { return dot(d_G, core_of(shape).furthest_in_own_frame(d_G)); }

void keep_direction(const ConvexPair& pair, const Vec& normal_W, Separation& kept) {
  const Vec normal_A = transposed_mul(load9(pair.a.R_WG), normal_W);
  if (!(norm2(normal_A) > 0.5)) return;  // there is none
  if (!kept.is_of(pair.geom1, pair.geom2)) kept = {pair.geom1, pair.geom2, {}};
  for (int i = 0; i < 3; ++i) kept.normal_A[i] = static_cast<float>(normal_A[i]);
}

}  // namespace

FacingReach find_facing_reach(const Shape& a, const Shape& b, const Vec& normal_A) {
  const Vec normal_B = -transposed_mul(load9(b.R_WG), load9(a.R_WG) * normal_A);
  return {normal_A, normal_B, reach_of_core(a, normal_A) + reach_of_core(b, normal_B)};
}

bool is_gap(const ConvexPair& pair, double margin, const FacingReach& facing) {
  const Shape &a = pair.a, &b = pair.b;
  const double between = dot(load9(a.R_WG) * facing.normal_A, b.p_WoGo_W - a.p_WoGo_W);
  const double radii = std::max(margin + core_radius(a) + core_radius(b), 0.0);
  return between - facing.reach > (radii + kProofSlack * pair.extent) * norm(facing.normal_A);
}

bool are_still_apart(const ConvexPair& pair, double margin, const Separation& kept) {
  if (has_no_hull(pair.a) || has_no_hull(pair.b)) return false;
  return is_gap(pair, margin, find_facing_reach(pair.a, pair.b, load3<double>(kept.normal_A)));  // whatever is kept
}

void keep_result(const ConvexPair& pair, int points, const Vec& apart_W, Separation& kept) {
  if (points == 0)
    keep_direction(pair, apart_W, kept);
  else if (kept.is_of(pair.geom1, pair.geom2))
    kept = {};  // a pair that touches has no proof to try
}

int touch_convex(const ConvexPair& pair, double margin, Separation& kept, ContactPoint* out) {
  if (kept.is_of(pair.geom1, pair.geom2) && are_still_apart(pair, margin, kept)) return 0;
  Vec apart_W;
  const int count = touch_convex(pair.a, pair.b, margin, out, &apart_W);
  keep_result(pair, count, apart_W, kept);
  return count;
}

}  // namespace torsor
