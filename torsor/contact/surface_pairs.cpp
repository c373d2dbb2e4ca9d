// Two surfaces of triangles: facet by facet where their trees meet.
#include "torsor/contact/surface_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/contact/facet_touch.hpp"
#include "torsor/contact/field_cell.hpp"
#include "torsor/contact/triangle_walk.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// If a corner is deeper than all facets report by this factor, the corners are used instead.
constexpr double kTrustedDepth = 2;

constexpr double kDeep = 0.03;  // of the size: contacts get this deep only if meshes moved into each other too fast

struct CenteredBox {
  Vec center, half;
};

CenteredBox centered(const float* box) {
  const Vec low = load3<double>(box), high = load3<double>(box + 3);
  return {(low + high) * 0.5, (high - low) * 0.5};
}

// The box along the axes of F around a box along those of G.
CenteredBox turned(const CenteredBox& box, const Mat3<double>& R_FG, const Vec& p_FoGo_F) {
  CenteredBox out{p_FoGo_F + R_FG * box.center, Vec::zero()};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.half[i] += std::abs(R_FG(i, j)) * box.half[j];
  return out;
}

bool are_apart(const CenteredBox& a, const CenteredBox& b, double margin) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(a.center[k] - b.center[k]) > a.half[k] + b.half[k] + margin) return true;
  return false;
}

Bounds3 bounds_of(const CenteredBox& box, double margin) {
  const Vec around{margin, margin, margin};
  return {box.center - box.half - around, box.center + box.half + around};
}

double size_of(const float* root) { return norm(load3<double>(root + 3) - load3<double>(root)) / 2; }

// Whether a facet lies entirely on one side of the plane of another, at a distance.
bool is_beside(const Facet& facet, const Facet& plane, double margin) {
  double low = INFINITY, high = -INFINITY;
  for (const Vec& p : facet.p) {
    const double height = dot(plane.normal, p - plane.p[0]);
    low = std::min(low, height), high = std::max(high, height);
  }
  return low > margin || high < -margin;
}

bool touch_pair(FacetTouch& facets, const Facet& own, const Surface& others, const Facet& other, double margin) {
  if (is_beside(own, other, margin) || is_beside(other, own, margin)) return false;
  Prism triangle;
  triangle.count = 3;
  std::copy_n(other.p, 3, triangle.corner);
  ConvexPart part(triangle, Mat3<double>::identity(), Vec::zero());
  const Visitor visitor{&part, (other.p[0] + other.p[1] + other.p[2]) * (1.0 / 3), &others, &other};
  return facets.touch(own, visitor);
}

// Corners of facets inside a solid, with the way out. While the depth is small compared with the facets, the facets
// give it; beyond that, these corners do.
class InsideCorners {
 public:
  InsideCorners(const MeshSurface& solid, double sign, PointSet& points) : solid_(solid), sign_(sign), points_(points) {
    std::fill_n(seen_, kSeen, -1);
  }
  void add(const Facet& facet) {
    if (!solid_.is_solid()) return;
    for (int i = 0; i < 3; ++i) add(facet.vertex[i], facet.p[i]);
  }

 private:
  void add(int vertex, const Vec& p) {
    int& seen = seen_[vertex % kSeen];  // neighbours follow soon after each other, so this finds most repetitions
    if (seen == vertex) return;
    seen = vertex;
    const Vec p_G = transposed_mul(solid_.R_FG(), p - solid_.p_FoGo_F());
    if (distance2_to_box(solid_.view().box, p_G) > 0) return;
    const NearestOnMesh nearest = find_nearest_on_mesh(solid_, p, INFINITY);
    if (!nearest.found || !(nearest.dist < 0)) return;
    points_.add(nearest.dist, (p + nearest.p) * 0.5, nearest.outward * sign_);
  }

  static constexpr int kSeen = 256;
  const MeshSurface& solid_;
  double sign_;
  PointSet& points_;
  int seen_[kSeen];
};

// All pairs of facets whose boxes meet. The larger box is opened first.
void walk_pairs(const MeshSurface& a, const MeshSurface& b, double margin, FacetTouch& facets, PointSet& inside) {
  Patch patch_a(a), patch_b(b);
  InsideCorners in_a(a, 1, inside), in_b(b, -1, inside);
  const TriangleView &of_a = a.view(), &of_b = b.view();
  const Mat3<double> R_BA = transposed_mul(b.R_FG(), Mat3<double>::identity());
  const Vec p_BoAo_B = -(R_BA * b.p_FoGo_F());
  struct {
    int a, b;
  } stack[2 * kWalkDepth];
  int depth = 0;
  stack[depth++] = {0, 0};
  while (depth > 0) {
    const auto [i, j] = stack[--depth];
    const CenteredBox box_a = centered(of_a.box + 6 * i), box_b = centered(of_b.box + 6 * j);
    if (are_apart(box_a, turned(box_b, b.R_FG(), b.p_FoGo_F()), margin)) continue;
    if (are_apart(turned(box_a, R_BA, p_BoAo_B), box_b, margin)) continue;
    const int *link_a = of_a.link + 2 * i, *link_b = of_b.link + 2 * j;
    const bool leaf_a = link_a[1] > 0, leaf_b = link_b[1] > 0;
    if (leaf_a && leaf_b) {
      for (int t = link_a[0]; t < link_a[0] + link_a[1]; ++t) {
        const Facet own = a.facet(t);
        for (int u = link_b[0]; u < link_b[0] + link_b[1]; ++u) {
          const Facet other = b.facet(u);
          if (!touch_pair(facets, own, b, other, margin)) continue;
          in_a.add(other), in_b.add(own);
          patch_a.add(own), patch_b.add(other);
        }
      }
    } else if (depth + 2 <= 2 * kWalkDepth) {
      const bool open_a = leaf_b || (!leaf_a && norm2(box_a.half) >= norm2(box_b.half));
      if (open_a)
        stack[depth++] = {link_a[0], j}, stack[depth++] = {i + 1, j};
      else
        stack[depth++] = {i, link_b[0]}, stack[depth++] = {i, j + 1};
    }
  }
  Nearest of_all;
  if (facets.is_sideways && a.is_solid() && b.is_solid() && find_depth(patch_a, patch_b, of_all))
    facets.use_depth_of_all(of_all);
}

// Around one mesh, along the axes of another.
Bounds3 bounds_in(const MeshSurface& mesh, const MeshSurface& other) {
  const Mat3<double> R_GM = transposed_mul(other.R_FG(), mesh.R_FG());
  const Vec p_GoMo_G = transposed_mul(other.R_FG(), mesh.p_FoGo_F() - other.p_FoGo_F());
  return bounds_of(turned(centered(mesh.view().box), R_GM, p_GoMo_G), 0);
}

// The area vector of the part of a mesh inside a solid: moving the solid along it reduces the shared volume fastest.
Vec area_inside(const MeshSurface& mesh, const MeshSurface& solid) {
  Vec sum = Vec::zero();
  if (!solid.is_solid()) return sum;
  const Bounds3 bounds = bounds_in(solid, mesh);
  walk_triangles(
      mesh.view(), [&](const float* box) { return bounds.meets(box); },
      [&](int t) {
        const Facet facet = mesh.facet(t);
        const Vec middle = (facet.p[0] + facet.p[1] + facet.p[2]) * (1.0 / 3);
        const NearestOnMesh nearest = find_nearest_on_mesh(solid, middle, INFINITY);
        if (nearest.found && nearest.dist < 0) sum += cross(facet.p[1] - facet.p[0], facet.p[2] - facet.p[0]) * 0.5;
      });
  return sum;
}

// All corners of a shell near a solid: the shell may lie inside it without overlapping facets.
void add_corners_of_shell(const MeshSurface& solid, const MeshSurface& shell, double sign, PointSet& points) {
  if (shell.is_solid()) return;
  InsideCorners inside(solid, sign, points);
  const Bounds3 bounds = bounds_in(solid, shell);
  walk_triangles(
      shell.view(), [&](const float* box) { return bounds.meets(box); }, [&](int t) { inside.add(shell.facet(t)); });
}

// Corners of a mesh below a height field, against the triangle above them.
void touch_field_corners(const HeightFieldView& view, const FieldSurface& field, const MeshSurface& mesh,
                         PointSet& points) {
  const Vec up_G = transposed_mul(mesh.R_FG(), Vec{0, 0, 1});
  const auto is_low = [&](const float* box) {
    double lowest = mesh.p_FoGo_F().z;
    for (int k = 0; k < 3; ++k) lowest += std::min(up_G[k] * box[k], up_G[k] * box[3 + k]);
    return lowest < view.size[2];
  };
  walk_triangles(mesh.view(), is_low, [&](int t) {
    for (const Vec& p : mesh.facet(t).p) {
      if (std::abs(p.x) > view.size[0] || std::abs(p.y) > view.size[1] || p.z < -view.size[3]) continue;
      const int cell =
          cell_of(p.y, view.size[1], view.rows - 1) * (view.columns - 1) + cell_of(p.x, view.size[0], view.columns - 1);
      const Facet lower = field.facet(2 * cell);
      const Vec corner = lower.p[0], diagonal = lower.p[2] - corner;
      const bool is_upper = diagonal.x * (p.y - corner.y) > diagonal.y * (p.x - corner.x);
      const Facet facet = is_upper ? field.facet(2 * cell + 1) : lower;
      const double dist = dot(facet.normal, p - facet.p[0]);
      if (dist < 0) points.add(dist, p - facet.normal * (0.5 * dist), facet.normal);
    }
  });
}

}  // namespace

int mesh_mesh(const Shape& a, const Shape& b, double margin, double sign, ContactPoint* out) {
  const Mat3<double> R_WF = load9(a.R_WG);
  const MeshSurface of_a(*a.triangles, Mat3<double>::identity(), Vec::zero());
  const MeshSurface of_b(*b.triangles, transposed_mul(R_WF, load9(b.R_WG)),
                         transposed_mul(R_WF, b.p_WoGo_W - a.p_WoGo_W));
  const double size = std::min(size_of(a.triangles->box), size_of(b.triangles->box));
  FacetTouch facets(of_a, margin, size);
  PointSet inside(size);
  walk_pairs(of_a, of_b, std::max(margin, 0.0), facets, inside);
  if (facets.points.is_empty()) {
    add_corners_of_shell(of_a, of_b, 1, inside);
    add_corners_of_shell(of_b, of_a, -1, inside);
  }
  facets.points.add_deeper(inside, kTrustedDepth * std::min(facets.points.least(), 0.0));
  // meshes deep inside each other would interlock: let all deep contacts push one way
  if (!inside.is_empty() && inside.least() < -kDeep * size) {
    const Vec way_out = area_inside(of_a, of_b) - area_inside(of_b, of_a);
    facets.points.drop_opposed(norm2(way_out) > 0 ? way_out : inside.push(of_b.p_FoGo_F()), kDeep * size);
  }
  facets.use_last_resort();
  return facets.points.take(R_WF, a.p_WoGo_W, sign, out);
}

int field_mesh(const Shape& field, const Shape& mesh, double margin, ContactPoint* out) {
  const HeightFieldView& view = *field.field;
  if (view.rows < 2 || view.columns < 2) return 0;
  const Mat3<double> R_WF = load9(field.R_WG), R_FG = transposed_mul(R_WF, load9(mesh.R_WG)),
                     R_GF = transposed_mul(R_FG, Mat3<double>::identity());
  const FieldSurface of_field(view, Mat3<double>::identity(), Vec::zero());
  const MeshSurface of_mesh(*mesh.triangles, R_FG, transposed_mul(R_WF, mesh.p_WoGo_W - field.p_WoGo_W));
  const double reach = std::max(margin, 0.0);
  const CenteredBox around = turned(centered(mesh.triangles->box), R_FG, of_mesh.p_FoGo_F());
  const Bounds3 bounds = bounds_of(around, reach);
  if (bounds.low.x > view.size[0] || bounds.high.x < -view.size[0] || bounds.low.y > view.size[1] ||
      bounds.high.y < -view.size[1] || bounds.low.z > view.size[2] || bounds.high.z < -view.size[3])
    return 0;
  FacetTouch facets(of_field, margin, size_of(mesh.triangles->box));
  const int last_row = cell_of(bounds.high.y, view.size[1], view.rows - 1),
            last_column = cell_of(bounds.high.x, view.size[0], view.columns - 1);
  for (int row = cell_of(bounds.low.y, view.size[1], view.rows - 1); row <= last_row; ++row) {
    for (int column = cell_of(bounds.low.x, view.size[0], view.columns - 1); column <= last_column; ++column) {
      for (const int half : {0, 1}) {
        const Facet own = of_field.facet(2 * (row * (view.columns - 1) + column) + half);
        Vec low = own.p[0], high = own.p[0];
        for (const Vec& p : own.p)
          for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
        if (high.z < bounds.low.z) continue;
        const CenteredBox box{(low + high) * 0.5, (high - low) * 0.5};
        const Bounds3 in_mesh = bounds_of(turned(box, R_GF, -(R_GF * of_mesh.p_FoGo_F())), reach);
        walk_triangles(
            of_mesh.view(), [&](const float* node) { return in_mesh.meets(node); },
            [&](int t) { touch_pair(facets, own, of_mesh, of_mesh.facet(t), reach); });
      }
    }
  }
  if (facets.overlaps || facets.points.is_empty()) touch_field_corners(view, of_field, of_mesh, facets.points);
  facets.use_last_resort();
  return facets.points.take(R_WF, field.p_WoGo_W, 1, out);
}

}  // namespace torsor
