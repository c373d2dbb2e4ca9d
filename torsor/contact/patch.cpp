// Facets that are met together.
#include "torsor/contact/patch.hpp"

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr double kLevel = 1e-6;  // slope: meshes are rounded to floats

}  // namespace

void Patch::add(const Facet& facet) {
  if (facet_count_ == kFacets) is_full_ = true;
  if (is_full_) return;
  facet_[facet_count_++] = facet;
  for (int i = 0; i < 3; ++i) {
    if (std::find(vertex_, vertex_ + corner_count_, facet.vertex[i]) != vertex_ + corner_count_) continue;
    if (corner_count_ == kCorners) is_full_ = true;
    if (is_full_) return;
    for (int k = 0; k < 3; ++k) corner_[3 * corner_count_ + k] = static_cast<float>(facet.p[i][k]);
    vertex_[corner_count_++] = facet.vertex[i];
  }
}

// Whether no corner is before any of the facets.
bool Patch::is_convex() const {
  for (int f = 0; f < facet_count_; ++f) {
    for (int i = 0; i < corner_count_; ++i) {
      const Vec d = load3<double>(corner_ + 3 * i) - facet_[f].p[0];
      if (dot(facet_[f].normal, d) > kLevel * norm(d)) return false;
    }
  }
  return true;
}

// Whether nothing around the highest place along n is higher.
bool Patch::leads_out(const MeshSurface& solid, const Vec& n) const {
  const auto height = [&](const Facet& facet) {
    return std::max({dot(n, facet.p[0]), dot(n, facet.p[1]), dot(n, facet.p[2])});
  };
  const Facet* highest = std::max_element(facet_, facet_ + facet_count_,
                                          [&](const Facet& a, const Facet& b) { return height(a) < height(b); });
  const Support support = support_at(solid, *highest, highest_place(*highest, n), n);
  return support.is_highest && dot(n, support.outward) > 0;
}

bool Patch::find_depth(const MeshSurface& solid, ConvexPart& part, Nearest& out) const {
  if (is_full_ || facet_count_ < 2 || !is_convex()) return false;
  const HullView hull{corner_count_, corner_, nullptr, nullptr, nullptr, nullptr, 0, nullptr};
  const double no_size[3] = {0, 0, 0}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Shape shape{GeomType::kMesh, no_size, Vec::zero(), identity};
  shape.hull = &hull;
  ConvexPart whole(shape, Mat3<double>::identity(), Vec::zero());
  return find_nearest(whole, part, 0, out) && leads_out(solid, out.normal_F);
}

}  // namespace torsor
