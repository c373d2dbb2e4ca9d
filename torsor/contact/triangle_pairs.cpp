// Meshes that collide as triangles: against planes, spheres and convex shapes.
#include <algorithm>
#include <cmath>

#include "torsor/contact/facet_touch.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/surface_pairs.hpp"
#include "torsor/contact/triangle_walk.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// F is the frame of the mesh here.
struct Meeting {
  const Shape &mesh, &other;
  double margin;
  Mat3<double> R_WF = load9(mesh.R_WG), R_FG = transposed_mul(R_WF, load9(other.R_WG));
  Vec p_FoGo_F = transposed_mul(R_WF, other.p_WoGo_W - mesh.p_WoGo_W);
  MeshSurface surface{*mesh.triangles, Mat3<double>::identity(), Vec::zero()};

  double mesh_size() const { return norm(load3<double>(root() + 3) - load3<double>(root())) / 2; }
  const float* root() const { return mesh.triangles->box; }
  bool root_holds(const Vec& p_F) const { return distance2_to_box(root(), p_F) == 0; }
};

// The mesh may stand on any vertex below the plane.
void touch_plane(const Meeting& meeting, PointSet& points) {
  const Vec n = meeting.R_FG.col(2);
  const double level = dot(n, meeting.p_FoGo_F);
  const TriangleView& view = *meeting.mesh.triangles;
  const auto is_low = [&](const float* box) {
    double lowest = -level;
    for (int k = 0; k < 3; ++k) lowest += std::min(n[k] * box[k], n[k] * box[3 + k]);
    return lowest <= meeting.margin;
  };
  walk_triangles(view, is_low, [&](int t) {
    for (int i = 0; i < 3; ++i) {
      const Vec p = load3<double>(view.vertex + 3 * view.corner[3 * t + i]);
      const double dist = dot(n, p) - level;
      if (dist <= meeting.margin) points.add(dist, p - n * (0.5 * dist), -n);
    }
  });
}

// A sphere touches at every local minimum of the distance from its centre to the surface. With its centre inside a
// solid, it leaves at the nearest point.
void touch_sphere(const Meeting& meeting, PointSet& points) {
  const Vec c = meeting.p_FoGo_F;
  const double radius = meeting.other.size[0], reach = radius + meeting.margin;
  const auto add = [&](const Vec& p, const Vec& normal, double dist) {
    if (dist - radius <= meeting.margin) points.add(dist - radius, p + normal * (0.5 * (dist - radius)), normal);
  };
  if (meeting.surface.is_solid() && meeting.root_holds(c)) {
    const NearestOnMesh nearest = find_nearest_on_mesh(meeting.surface, c, INFINITY);
    if (nearest.found && nearest.dist < 0) return add(nearest.p, nearest.outward, nearest.dist);
  }
  if (!(reach >= 0)) return;
  const auto is_near = [&](const float* box) { return distance2_to_box(box, c) <= reach * reach; };
  walk_triangles(*meeting.mesh.triangles, is_near, [&](int t) {
    const Facet facet = meeting.surface.facet(t);
    const NearestOnFacet nearest = nearest_on_facet(facet, c);
    const Vec d = c - nearest.p;
    const double dist = norm(d);
    if (dist > reach) return;
    const bool has_direction = dist > 1e-12 * radius;
    const Vec unit = has_direction ? d * (1 / dist) : facet.normal;
    const Support support = support_at(meeting.surface, facet, nearest.place, unit);
    if (!support.is_highest || support.owner != t) return;
    if (meeting.surface.is_solid() && dot(unit, support.outward) < 0) return;
    const bool is_face = nearest.place.count() == 3;
    add(nearest.p, is_face ? facet.normal * std::copysign(1.0, dot(d, facet.normal)) : unit, dist);
  });
}

Bounds3 bounds_of(ConvexPart& part, double margin) {
  Bounds3 out;
  const double around = part.radius + margin;
  for (int i = 0; i < 3; ++i) {
    Vec axis = Vec::zero();
    axis[i] = 1;
    out.high[i] = part.furthest(axis)[i] + around, out.low[i] = part.furthest(-axis)[i] - around;
  }
  return out;
}

void touch_facets(const Meeting& meeting, const Bounds3& bounds, const Visitor& visitor, FacetTouch& facets) {
  walk_triangles(
      *meeting.mesh.triangles, [&](const float* box) { return bounds.meets(box); },
      [&](int t) { facets.touch(meeting.surface.facet(t), visitor); });
}

int touch_convex(const Meeting& meeting, double sign, ContactPoint* out) {
  ConvexPart part(meeting.other, meeting.R_FG, meeting.p_FoGo_F);
  const Bounds3 bounds = bounds_of(part, std::max(meeting.margin, 0.0));
  const double size = std::min(meeting.mesh_size(), norm(bounds.high - bounds.low) / 2);
  const Visitor visitor{&part, meeting.p_FoGo_F};
  FacetTouch facets(meeting.surface, meeting.margin, size);
  Patch patch(meeting.surface);
  if (meeting.surface.is_solid()) facets.patch = &patch;
  touch_facets(meeting, bounds, visitor, facets);
  // the middle of the shape may be inside the solid, near its facets or far from all of them
  const bool may_be_inside = facets.is_behind || facets.points.is_empty();
  if (meeting.surface.is_solid() && may_be_inside && meeting.root_holds(visitor.middle_F)) {
    const NearestOnMesh nearest = find_nearest_on_mesh(meeting.surface, visitor.middle_F, INFINITY);
    if (nearest.found && nearest.dist < 0) {
      FacetTouch leaving(meeting.surface, meeting.margin, size);
      leaving.outward_F = nearest.outward;
      touch_facets(meeting, bounds, visitor, leaving);
      const Vec lowest = part.furthest(-nearest.outward) - nearest.outward * part.radius;
      const double dist = dot(nearest.outward, lowest - nearest.p);
      leaving.points.add(dist, lowest - nearest.outward * (0.5 * dist), nearest.outward);
      return leaving.points.take(meeting.R_WF, meeting.mesh.p_WoGo_W, sign, out);
    }
  }
  Nearest of_all;
  if (facets.is_sideways && find_depth(patch, part, of_all)) facets.use_depth_of_all(of_all);
  facets.use_last_resort();
  return facets.points.take(meeting.R_WF, meeting.mesh.p_WoGo_W, sign, out);
}

bool is_empty(const Shape& shape) {
  if (shape.triangles) return shape.triangles->count == 0;
  return has_no_hull(shape);
}

}  // namespace

int triangles_any(const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  if (is_empty(a) || is_empty(b)) return 0;
  if (a.triangles && b.triangles)
    return comes_first(a, b) ? mesh_mesh(a, b, margin, 1, out) : mesh_mesh(b, a, margin, -1, out);
  if (a.type == GeomType::kHfield) return field_mesh(a, b, margin, out);
  const double sign = a.triangles ? 1 : -1;
  const Meeting meeting{a.triangles ? a : b, a.triangles ? b : a, margin};
  if (meeting.other.type != GeomType::kPlane && meeting.other.type != GeomType::kSphere)
    return touch_convex(meeting, sign, out);
  const bool is_sphere = meeting.other.type == GeomType::kSphere;
  PointSet points(is_sphere ? std::min(meeting.other.size[0], meeting.mesh_size()) : meeting.mesh_size());
  if (is_sphere)
    touch_sphere(meeting, points);
  else
    touch_plane(meeting, points);
  return points.take(meeting.R_WF, meeting.mesh.p_WoGo_W, sign, out);
}

}  // namespace torsor
