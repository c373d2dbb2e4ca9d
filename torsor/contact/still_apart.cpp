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

bool are_still_apart(const ConvexPair& pair, double margin, const Separation& kept) {
  const Shape &a = pair.a, &b = pair.b;
  if (has_no_hull(a) || has_no_hull(b)) return false;
  const Vec normal_A = load3<double>(kept.normal_A), normal_W = load9(a.R_WG) * normal_A;
  const Vec normal_B = transposed_mul(load9(b.R_WG), normal_W);
  const double gap = dot(normal_W, b.p_WoGo_W - a.p_WoGo_W) - reach_of_core(a, normal_A) - reach_of_core(b, -normal_B);
  const double reach = std::max(margin + core_radius(a) + core_radius(b), 0.0);
  return gap > (reach + kProofSlack * pair.extent) * norm(normal_A);  // a proof whatever is kept
}

int touch_convex(const ConvexPair& pair, double margin, Separation& kept, ContactPoint* out) {
  if (kept.is_of(pair.geom1, pair.geom2) && are_still_apart(pair, margin, kept)) return 0;
  Vec apart_W;
  const int count = touch_convex(pair.a, pair.b, margin, out, &apart_W);
  if (count == 0)
    keep_direction(pair, apart_W, kept);
  else if (kept.is_of(pair.geom1, pair.geom2))
    kept = {};  // a pair that touches has no proof to try
  return count;
}

}  // namespace torsor
