// Triangles in homogeneous coordinates need no clipping: edge functions of points behind the camera are right as they
// are. [Olano and Greer 1997] An edge that two triangles share is the same numbers with the other sign in both, so that
// each sample on it belongs to exactly one of them.
#include "torsor/render/screen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace torsor::render {
namespace {

using Vec3d = Vec3<double>;

struct Bounds {
  double x0 = std::numeric_limits<double>::infinity(), x1 = -x0, y0 = x0, y1 = -x0;
  void add(const Vec3d& p) {
    const double x = p.x / p.z, y = p.y / p.z;
    x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
  }
};

// Of the part of a triangle that is beyond the depth `near`.
Bounds bounds_beyond(const Vec3d* const (&p)[3], double near) {
  Bounds bounds;
  for (int i = 0; i < 3; ++i) {
    const Vec3d &a = *p[i], &b = *p[(i + 1) % 3];
    if (a.z >= near) bounds.add(a);
    if ((a.z >= near) == (b.z >= near)) continue;
    const double part = (near - a.z) / (b.z - a.z);
    bounds.add({a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), near});
  }
  return bounds;
}

int pixel_of(double x, int count) {
  return static_cast<int>(std::clamp(std::floor(x), 0.0, static_cast<double>(count)));
}

}  // namespace

Screen::Screen(const Projection& view, int width, int height)
    : view_(view),
      width_(width),
      height_(height),
      scale_x_(width / (view.right - view.left)),
      scale_y_(height / (view.top - view.bottom)),
      middle_x_(-view.left * scale_x_),
      middle_y_(view.top * scale_y_) {}

Vec3<double> Screen::homogeneous(const Vec3f& p_C) const {
  const double w = view_.is_orthographic ? 1.0 : -static_cast<double>(p_C.z);
  return {scale_x_ * p_C.x + middle_x_ * w, -scale_y_ * p_C.y + middle_y_ * w, w};
}

Vec3f Screen::ray(float x, float y) const {
  return {static_cast<float>((x - middle_x_) / scale_x_), static_cast<float>((middle_y_ - y) / scale_y_), -1};
}

void ScreenTriangles::clear() {
  triangle.clear();
  source.clear();
  point.clear();
  normal.clear();
  homogeneous_.clear();
  first_vertex.clear();
  first_triangle.assign(1, 0);
}

void ScreenTriangles::add(const Instance& instance, const Surface& surface, const Screen& screen, bool with_normals,
                          float slope_pixels) {
  const Projection& view = screen.view();
  const Mat3<double> R_CS = transposed_mul(view.R_WC, instance.R_WS);
  const Vec3d p_CS = transposed_mul(view.R_WC, instance.p_WS - view.p_WC);
  const Vec3f scale = instance.scale;
  const int index = static_cast<int>(first_vertex.size()), start = static_cast<int>(point.size());
  first_vertex.push_back(start);
  for (size_t i = 0; i < surface.point.size(); ++i) {
    Vec3f p = hadamard(scale, surface.point[i]);
    if (instance.half != 0) p.z += surface.end[i] * instance.half;
    const Vec3d p_C = p_CS + R_CS * Vec3d{p.x, p.y, p.z};
    point.push_back({static_cast<float>(p_C.x), static_cast<float>(p_C.y), static_cast<float>(p_C.z)});
    homogeneous_.push_back(screen.homogeneous(point.back()));
    if (!with_normals) continue;
    // a normal is scaled by the inverse
    const Vec3f& n = surface.normal[i];
    const Vec3d n_C = R_CS * Vec3d{n.x / scale.x, n.y / scale.y, n.z / scale.z};
    const double length = norm(n_C);
    const double unit = length > 0 ? 1 / length : 0;
    normal.push_back(
        {static_cast<float>(n_C.x * unit), static_cast<float>(n_C.y * unit), static_cast<float>(n_C.z * unit)});
  }
  // skins may be open surfaces, which throw shadows from both sides
  const bool is_two_sided = instance.shape == GeomType::kPlane || (instance.skin >= 0 && !with_normals);
  for (const auto& corner : surface.corner)
    add_triangle(screen, {index, {start + corner[0], start + corner[1], start + corner[2]}}, slope_pixels,
                 is_two_sided);
  first_triangle.push_back(static_cast<int>(triangle.size()));
}

void ScreenTriangles::add_triangle(const Screen& screen, const TriangleSource& from, float slope_pixels,
                                   bool is_two_sided) {
  const Vec3d* const p[3] = {&homogeneous_[static_cast<size_t>(from.vertex[0])],
                             &homogeneous_[static_cast<size_t>(from.vertex[1])],
                             &homogeneous_[static_cast<size_t>(from.vertex[2])]};
  const bool is_orthographic = screen.view().is_orthographic;
  const double near = is_orthographic ? 0.5 : screen.view().near;  // w is 1 if orthographic
  if (p[0]->z < near && p[1]->z < near && p[2]->z < near) return;
  Vec3d edge[3] = {cross(*p[2], *p[1]), cross(*p[0], *p[2]), cross(*p[1], *p[0])};
  double volume = dot(edge[0], *p[0]);
  if (volume < 0 && is_two_sided) {
    volume = -volume;
    for (Vec3d& each : edge) each = -each;
  }
  if (!(volume > 0)) return;  // seen from behind, from the side, or not a number
  const Bounds bounds = bounds_beyond(p, near);
  Triangle t;
  t.x0 = pixel_of(bounds.x0, screen.width()), t.x1 = std::min(pixel_of(bounds.x1, screen.width()) + 1, screen.width());
  t.y0 = pixel_of(bounds.y0, screen.height()),
  t.y1 = std::min(pixel_of(bounds.y1, screen.height()) + 1, screen.height());
  if (t.x0 >= t.x1 || t.y0 >= t.y1) return;
  Vec3d key{0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    t.a[i] = static_cast<float>(edge[i].x), t.b[i] = static_cast<float>(edge[i].y),
    t.c[i] = static_cast<float>(edge[i].z);
    const bool owns_edge = t.a[i] > 0 || (t.a[i] == 0 && t.b[i] > 0);
    t.limit[i] = owns_edge ? -std::numeric_limits<float>::denorm_min() : 0;
    const double corner_key = is_orthographic ? point[static_cast<size_t>(from.vertex[i])].z : 1;
    key += edge[i] * (corner_key / volume);
  }
  t.key_x = static_cast<float>(key.x), t.key_y = static_cast<float>(key.y), t.key_0 = static_cast<float>(key.z);
  t.key_0 -= slope_pixels * (std::abs(t.key_x) + std::abs(t.key_y));
  triangle.push_back(t);
  source.push_back(from);
}

}  // namespace torsor::render
