// Rays against triangles: meshes, and the surfaces of height fields.
#include <algorithm>
#include <cmath>

#include "torsor/contact/field_cell.hpp"
#include "torsor/contact/ray.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// Hit from both sides; the normal follows the order of the corners. [Moeller and Trumbore 1997]
void offer_triangle(const Ray& ray, const Vec& a, const Vec& b, const Vec& c, RayHit& hit) {
  const Vec ab = b - a, ac = c - a, across = cross(ray.direction, ac), from_a = ray.origin - a;
  const double determinant = dot(ab, across);
  const Vec normal = cross(ab, ac);
  if (!(std::fabs(determinant) > kMinValue * norm(normal) * norm(ray.direction))) return;  // edge on, or no area
  const double u = dot(from_a, across) / determinant;
  if (!(u >= 0 && u <= 1)) return;
  const Vec around = cross(from_a, ab);
  const double v = dot(ray.direction, around) / determinant, x = dot(ac, around) / determinant;
  if (!(v >= 0 && u + v <= 1 && x >= 0) || (hit.found() && x >= hit.distance)) return;
  hit.distance = x, hit.normal = normalized(normal);
}

// The range of x in which the ray is inside a box; empty when last < first.
struct Passage {
  double first = 0, last = INFINITY;

  Passage(const Ray& ray, const Vec& low, const Vec& high) {
    for (int i = 0; i < 3; ++i) {
      const double d = ray.direction[i];
      if (d == 0) {
        if (ray.origin[i] < low[i] || ray.origin[i] > high[i]) last = -1;
        continue;
      }
      const double x0 = (low[i] - ray.origin[i]) / d, x1 = (high[i] - ray.origin[i]) / d;
      first = std::max(first, std::min(x0, x1)), last = std::min(last, std::max(x0, x1));
    }
  }
  bool is_empty() const { return last < first; }
};

// A height field as in MuJoCo: a box for the base; above z = 0 a surface of triangles and a wall along each edge.
struct FieldRays {
  const Ray& ray;
  const double* size;
  const float* elevation;
  int rows, columns;
  double dx, dy;
  RayHit hit{};

  double height(int row, int column) const { return size[2] * elevation[row * columns + column]; }
  Vec corner(int row, int column) const { return {dx * column - size[0], dy * row - size[1], height(row, column)}; }

  void cast_at_base() {
    const double half[3] = {size[0], size[1], 0.5 * size[3]};
    const RayHit base = cast_ray_at_shape(GeomType::kBox, half, {ray.origin + Vec{0, 0, half[2]}, ray.direction});
    if (base.found()) hit = base;
  }

  void cast_at_surface(const Passage& passage) {
    const Vec p = ray.origin + ray.direction * passage.first, q = ray.origin + ray.direction * passage.last;
    const auto cell = [](double x, double half, double step, int cells, int more) {
      return existing_cell(std::floor((x + half) / step) + more, cells);
    };
    const int c0 = cell(std::min(p.x, q.x), size[0], dx, columns - 1, -1);
    const int c1 = cell(std::max(p.x, q.x), size[0], dx, columns - 1, 1);
    const int r0 = cell(std::min(p.y, q.y), size[1], dy, rows - 1, -1);
    const int r1 = cell(std::max(p.y, q.y), size[1], dy, rows - 1, 1);
    for (int r = r0; r <= r1; ++r) {
      for (int c = c0; c <= c1; ++c) {
        const Vec diagonal0 = corner(r, c), diagonal1 = corner(r + 1, c + 1);
        offer_triangle(ray, diagonal0, diagonal1, corner(r + 1, c), hit);
        offer_triangle(ray, diagonal0, corner(r, c + 1), diagonal1, hit);
      }
    }
  }

  // The wall across `axis` at its low or high end: from z = 0 to the edge of the surface.
  void cast_at_wall(int axis, double side) {
    const double d = ray.direction[axis];
    if (std::fabs(d) < kMinValue) return;
    const double x = (side * size[axis] - ray.origin[axis]) / d;
    if (!(x >= 0) || (hit.found() && x >= hit.distance)) return;
    const Vec p = ray.origin + ray.direction * x;
    const int count = axis == 0 ? rows : columns, last = axis == 0 ? columns - 1 : rows - 1;
    const double along = (p[1 - axis] + size[1 - axis]) / (axis == 0 ? dy : dx);
    if (!(along >= 0 && along <= count - 1) || p.z < 0) return;
    const int k = std::min(static_cast<int>(along), count - 2), end = side < 0 ? 0 : last;
    const auto edge = [&](int i) { return axis == 0 ? height(i, end) : height(end, i); };
    if (p.z > edge(k) + (along - k) * (edge(k + 1) - edge(k))) return;
    hit.distance = x, hit.normal = Vec{0, 0, 0};
    hit.normal[axis] = side;
  }
};

}  // namespace

RayHit cast_ray_at_mesh(const Model& model, int mesh, const Ray& ray_G) {
  const int first_vertex = model.mesh_vertadr[mesh];
  const auto vertex = [&](int i) {
    const float* p = model.mesh_vert.row(first_vertex + i, 3);
    return Vec{p[0], p[1], p[2]};
  };
  RayHit hit;
  for (int f = model.mesh_faceadr[mesh], end = f + model.mesh_facenum[mesh]; f < end; ++f) {
    const int* face = model.mesh_face.row(f, 3);
    offer_triangle(ray_G, vertex(face[0]), vertex(face[1]), vertex(face[2]), hit);
  }
  return hit;
}

RayHit cast_ray_at_field(const Model& model, int field, const Ray& ray_G) {
  const double* size = model.hfield_size.row(field, 4);
  const int rows = model.hfield_nrow[field], columns = model.hfield_ncol[field];
  FieldRays field_rays{ray_G,
                       size,
                       model.hfield_data.row(model.hfield_adr[field], 1),
                       rows,
                       columns,
                       2 * size[0] / (columns - 1),
                       2 * size[1] / (rows - 1)};
  field_rays.cast_at_base();
  if (rows < 2 || columns < 2) return field_rays.hit;
  const Passage passage(ray_G, {-size[0], -size[1], 0}, {size[0], size[1], size[2]});
  if (passage.is_empty()) return field_rays.hit;
  field_rays.cast_at_surface(passage);
  for (const int axis : {0, 1}) {
    for (const double side : {-1.0, 1.0}) field_rays.cast_at_wall(axis, side);
  }
  return field_rays.hit;
}

}  // namespace torsor
