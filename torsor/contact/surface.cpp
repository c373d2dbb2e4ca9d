// Facets, their neighbourhoods, and nearest points.
#include "torsor/contact/surface.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/contact/triangle_walk.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// Slope, per length, below which a neighbour counts as level: meshes are rounded to floats.
constexpr double kSurfaceLevel = 1e-6;
constexpr double kLevelNormals = 1 - 1e-6;  // cosine between normals

int after(int i) { return i == 2 ? 0 : i + 1; }

// The corner of a facet at a given vertex.
int corner_of(const Facet& facet, int vertex) {
  return facet.vertex[0] == vertex ? 0 : facet.vertex[1] == vertex ? 1 : facet.vertex[2] == vertex ? 2 : -1;
}

double angle_at(const Facet& facet, int corner) {
  const Vec u = facet.p[after(corner)] - facet.p[corner], v = facet.p[after(after(corner))] - facet.p[corner];
  return std::atan2(norm(cross(u, v)), dot(u, v));
}

bool are_level(const Facet& a, const Facet& b) { return std::abs(dot(a.normal, b.normal)) > kLevelNormals; }

// Takes one facet at the corner into account.
void take(const Facet& facet, int corner, const Vec& d, Support& out) {
  out.outward += facet.normal * angle_at(facet, corner);
  out.owner = std::min(out.owner, facet.id);
  for (const int other : {after(corner), after(after(corner))}) {
    const Vec edge = facet.p[other] - facet.p[corner];
    if (dot(d, edge) > kSurfaceLevel * norm(edge)) out.is_highest = false;
  }
}

// From facet to facet around a vertex, over the edge that leaves it (or that leads to it), until a border or the start.
bool walk_around(const Surface& surface, const Facet& start, int vertex, bool forward, const Vec& d, Support& out) {
  constexpr int kMostAround = 100'000;  // facets at one vertex; only a damaged model has more
  Facet facet = start;
  int corner = corner_of(start, vertex), edge = forward ? corner : after(after(corner));
  for (int step = 0; step < kMostAround; ++step) {
    const int next = surface.neighbor(facet.id, edge);
    if (next < 0) return false;
    if (next == start.id) return true;
    const int far = corner_of(facet, facet.vertex[edge]) == corner ? facet.vertex[after(edge)] : facet.vertex[edge];
    facet = surface.facet(next);
    corner = corner_of(facet, vertex);
    if (corner < 0) return false;
    take(facet, corner, d, out);
    out.is_flat = out.is_flat && are_level(facet, start);
    // leave over the other edge at the vertex
    edge = facet.vertex[after(corner)] == far ? after(after(corner)) : corner;
  }
  return true;
}

NearestOnFacet nearest_on_edges(const Facet& facet, const Vec& c) {
  NearestOnFacet best;
  double least = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const Vec &a = facet.p[i], ab = facet.p[after(i)] - a;
    const double t = std::clamp(dot(c - a, ab) / norm2(ab), 0.0, 1.0);
    const Vec p = t < 1 ? a + ab * t : facet.p[after(i)];
    const double dist2 = norm2(c - p);
    if (!(dist2 < least)) continue;
    least = dist2, best.p = p, best.place = {};
    best.place.at[i] = t<1, best.place.at[after(i)] = t> 0;
  }
  return best;
}

}  // namespace

Facet Surface::facet(int id) const {
  Facet out;
  out.id = id;
  corners_in_G(id, out.vertex, out.p);
  for (Vec& p : out.p) p = p_FoGo_F_ + R_FG_ * p;
  out.normal = normalized(cross(out.p[1] - out.p[0], out.p[2] - out.p[0]));
  return out;
}

void MeshSurface::corners_in_G(int id, int* vertices, Vec* p) const {
  for (int i = 0; i < 3; ++i) {
    vertices[i] = view_.corner[3 * id + i];
    p[i] = load3<double>(view_.vertex + 3 * vertices[i]);
  }
}

void FieldSurface::corners_in_G(int id, int* vertices, Vec* p) const {
  const int cell = id / 2, row = cell / (view_.columns - 1), column = cell % (view_.columns - 1);
  const bool upper = id % 2;
  const int rows[3] = {row, upper ? row + 1 : row, row + 1};
  const int columns[3] = {column, column + 1, upper ? column : column + 1};
  for (int i = 0; i < 3; ++i) {
    vertices[i] = rows[i] * view_.columns + columns[i];
    p[i] = {view_.size[0] * (2.0 * columns[i] / (view_.columns - 1) - 1),
            view_.size[1] * (2.0 * rows[i] / (view_.rows - 1) - 1), view_.size[2] * view_.elevation[vertices[i]]};
  }
}

int FieldSurface::neighbor(int id, int edge) const {
  const int cells = view_.columns - 1, cell = id / 2, row = cell / cells, column = cell % cells;
  const bool upper = id % 2;
  if (edge == (upper ? 0 : 2)) return upper ? id - 1 : id + 1;  // over the diagonal
  if (!upper) return edge == 0 ? (row > 0 ? id - 2 * cells + 1 : -1) : (column + 1 < cells ? id + 3 : -1);
  return edge == 1 ? (row + 2 < view_.rows ? id + 2 * cells - 1 : -1) : (column > 0 ? id - 3 : -1);
}

Support support_at(const Surface& surface, const Facet& facet, const Place& place, const Vec& d_F) {
  Support out{true, true, facet.normal, facet.id};
  if (place.count() == 3) return out;
  if (place.count() == 2) {
    const int edge = place.edge(), other = surface.neighbor(facet.id, edge);
    if (other < 0) return out;
    const Facet across = surface.facet(other);
    const Vec& p = facet.p[edge];
    for (int i = 0; i < 3; ++i) {
      const bool is_shared = across.vertex[i] == facet.vertex[edge] || across.vertex[i] == facet.vertex[after(edge)];
      if (!is_shared && dot(d_F, across.p[i] - p) > kSurfaceLevel * norm(across.p[i] - p)) out.is_highest = false;
    }
    out.outward += across.normal;
    out.is_flat = are_level(facet, across);
    out.owner = std::min(out.owner, other);
    return out;
  }
  const int corner = place.corner(), vertex = facet.vertex[corner];
  out.outward = Vec::zero();
  take(facet, corner, d_F, out);
  if (!walk_around(surface, facet, vertex, true, d_F, out)) walk_around(surface, facet, vertex, false, d_F, out);
  return out;
}

Place highest_place(const Facet& facet, const Vec& d_F) {
  double height[3], top = -INFINITY;
  for (int i = 0; i < 3; ++i) top = std::max(top, height[i] = dot(d_F, facet.p[i]));
  int highest = 0;
  for (int i = 0; i < 3; ++i)
    if (height[i] == top) highest = i;
  Place place;
  for (int i = 0; i < 3; ++i) place.at[i] = top - height[i] <= kSurfaceLevel * norm(facet.p[i] - facet.p[highest]);
  return place;
}

NearestOnFacet nearest_on_facet(const Facet& facet, const Vec& c_F) {
  for (int i = 0; i < 3; ++i) {
    const Vec inward = cross(facet.normal, facet.p[after(i)] - facet.p[i]);
    if (!(dot(inward, c_F - facet.p[i]) > 0)) return nearest_on_edges(facet, c_F);
  }
  return {c_F - facet.normal * dot(facet.normal, c_F - facet.p[0]), {{true, true, true}}};
}

double room_on_facet(const Facet& facet, const Vec& q_F) {
  double room = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const Vec edge = facet.p[after(i)] - facet.p[i], inward = cross(facet.normal, edge);
    room = std::min(room, dot(inward, q_F - facet.p[i]) / norm(edge));
  }
  return room;
}

NearestOnMesh find_nearest_on_mesh(const MeshSurface& mesh, const Vec& c_F, double reach) {
  const TriangleView& view = mesh.view();
  const Vec c_G = transposed_mul(mesh.R_FG(), c_F - mesh.p_FoGo_F());
  NearestOnMesh out;
  Facet nearest_facet;
  NearestOnFacet nearest;
  double least2 = reach < INFINITY ? reach * reach : INFINITY;
  // the nearer child first: its result may rule out the other
  int stack[kWalkDepth], depth = 0;
  if (view.count > 0) stack[depth++] = 0;
  while (depth > 0) {
    const int node = stack[--depth];
    if (distance2_to_box(view.box + 6 * node, c_G) > least2) continue;
    const int* link = view.link + 2 * node;
    if (link[1] == 0) {
      if (depth + 2 > kWalkDepth) continue;
      const int left = node + 1, right = link[0];
      const bool left_first = distance2_to_box(view.box + 6 * left, c_G) <= distance2_to_box(view.box + 6 * right, c_G);
      stack[depth++] = left_first ? right : left, stack[depth++] = left_first ? left : right;
      continue;
    }
    for (int t = link[0]; t < link[0] + link[1]; ++t) {
      const Facet facet = mesh.facet(t);
      const NearestOnFacet found = nearest_on_facet(facet, c_F);
      const double dist2 = norm2(c_F - found.p);
      if (dist2 > least2 || (out.found && dist2 == least2)) continue;
      out.found = true, least2 = dist2, nearest_facet = facet, nearest = found;
    }
  }
  if (!out.found) return out;
  const Vec d = c_F - nearest.p;
  const double length = norm(d);
  const Vec outward = support_at(mesh, nearest_facet, nearest.place, d).outward;
  const double sign = dot(d, outward) < 0 ? -1 : 1;
  const bool has_direction = length > 0 && nearest.place.count() < 3;
  out.p = nearest.p, out.dist = sign * length;
  out.outward = has_direction ? d * (sign / length) : normalized(outward);
  return out;
}

}  // namespace torsor
