// The depth of a part in several facets taken together.
#include "torsor/contact/patch.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/contact/epa.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr double kMeshLevel = 1e-6;  // slope: meshes are rounded to floats

// The hull of a patch as a convex part. It refers to the patch.
class PatchPart {
 public:
  explicit PatchPart(const Patch& patch)
      : hull_(patch.hull()), part(shape(), patch.solid().R_FG(), patch.solid().p_FoGo_F()) {}
  PatchPart(const PatchPart&) = delete;

 private:
  Shape shape() const {
    Shape shape{GeomType::kMesh, nullptr, Vec::zero(), nullptr};
    shape.hull = &hull_;
    return shape;
  }
  HullView hull_;

 public:
  ConvexPart part;
};

}  // namespace

void Patch::add(const Facet& facet) {
  for (int f = 0; f < facet_count_; ++f)
    if (facet_[f].id == facet.id) return;
  if (facet_count_ == kFacets) is_full_ = true;
  if (is_full_) return;
  facet_[facet_count_++] = facet;
  for (const int vertex : facet.vertex) {
    if (std::find(vertex_, vertex_ + corner_count_, vertex) != vertex_ + corner_count_) continue;
    if (corner_count_ == kCorners) is_full_ = true;
    if (is_full_) return;
    std::copy_n(solid_.view().vertex + 3 * vertex, 3, corner_ + 3 * corner_count_);
    vertex_[corner_count_++] = vertex;
  }
}

// Whether no corner is in front of any facet.
bool Patch::is_convex() const {
  if (is_full_ || is_empty()) return false;
  for (int i = 0; i < corner_count_; ++i) {
    const Vec p = solid_.p_FoGo_F() + solid_.R_FG() * load3<double>(corner_ + 3 * i);
    for (int f = 0; f < facet_count_; ++f) {
      const Vec d = p - facet_[f].p[0];
      if (dot(facet_[f].normal, d) > kMeshLevel * norm(d)) return false;
    }
  }
  return true;
}

bool Patch::leads_out(const Vec& n_F) const {
  const auto height = [&](const Facet& facet) {
    return std::max({dot(n_F, facet.p[0]), dot(n_F, facet.p[1]), dot(n_F, facet.p[2])});
  };
  const Facet* highest = std::max_element(facet_, facet_ + facet_count_,
                                          [&](const Facet& a, const Facet& b) { return height(a) < height(b); });
  const Support support = support_at(solid_, *highest, highest_place(*highest, n_F), n_F);
  return support.is_highest && dot(n_F, support.outward) > 0;
}

bool find_depth(const Patch& patch, ConvexPart& part, Nearest& out) {
  if (!patch.is_convex()) return false;
  PatchPart whole(patch);
  return find_nearest(whole.part, part, 0, out) && patch.leads_out(out.normal_F);
}

bool find_depth(const Patch& a, const Patch& b, Nearest& out) {
  if (!b.is_convex()) return false;
  PatchPart of_b(b);
  return find_depth(a, of_b.part, out) && b.leads_out(-out.normal_F);
}

}  // namespace torsor
