// A plane against shapes with edges: their lowest points are known in closed form.
#include <algorithm>
#include <cmath>

#include "torsor/contact/kernels/plane_cone.hpp"
#include "torsor/contact/kernels/plane_mesh.hpp"
#include "torsor/contact/pairs.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// Whether a box is above the plane by more than the margin, and by more than rounding could change.
bool is_clearly_above(const Shape& plane, const Vec& p_WoBo_W, const Vec (&half_W)[3], double margin) {
  const Vec normal = plane.axis(2), p_PoBo_W = p_WoBo_W - plane.p_WoGo_W;
  double reach = 0;
  for (const Vec& half : half_W) reach += std::abs(dot(normal, half));
  const auto size = [](const Vec& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); };
  const double slack = 1e-12 * (size(p_WoBo_W) + size(plane.p_WoGo_W) + reach);
  return dot(normal, p_PoBo_W) - reach > margin + slack;
}

}  // namespace

// The corners of the lower half, at most four of them.
int plane_box(const Shape& plane, const Shape& box, double margin, ContactPoint* out) {
  const Vec normal = plane.axis(2);
  const Vec half[3] = {box.axis(0) * box.size[0], box.axis(1) * box.size[1], box.axis(2) * box.size[2]};
  if (is_clearly_above(plane, box.p_WoGo_W, half, margin)) return 0;
  int count = 0;
  for (int corner = 0; corner < 8 && count < 4; ++corner) {
    Vec p_GoP_W = Vec::zero();
    for (int i = 0; i < 3; ++i) p_GoP_W += corner >> i & 1 ? half[i] : -half[i];
    if (dot(normal, p_GoP_W) > 0) continue;
    count += touch_plane_point(plane, box.p_WoGo_W + p_GoP_W, margin, out + count);
  }
  return count;
}

int plane_cylinder(const Shape& plane, const Shape& cylinder, double margin, ContactPoint* out) {
  const Vec normal = plane.axis(2);
  const double radius = cylinder.size[0], half = cylinder.size[1];
  const Vec axis = cylinder.axis(2) * (dot(normal, cylinder.axis(2)) > 0 ? -1.0 : 1.0);  // down
  const Rim rim(normal, cylinder, axis);
  const Vec base = cylinder.p_WoGo_W + axis * half, lowest = rim.down * radius;
  return touch_round_base(plane, base, lowest, rim.sideways * radius, cylinder.p_WoGo_W - axis * half + lowest, margin,
                          out);
}

int plane_cone(const Shape& plane, const Shape& cone, double margin, ContactPoint* out) {
  return touch_plane_cone(plane, cone, margin, out);
}

int plane_mesh(const Shape& plane, const Shape& mesh, double margin, ContactPoint* out) {
  return touch_plane_mesh(plane, mesh, margin, out);
}

// Lowest where the gradient of the ellipsoid's equation points down.
int plane_ellipsoid(const Shape& plane, const Shape& ellipsoid, double margin, ContactPoint* out) {
  const Vec normal = plane.axis(2), radii = load3(ellipsoid.size);
  const Vec down_G{-dot(ellipsoid.axis(0), normal), -dot(ellipsoid.axis(1), normal), -dot(ellipsoid.axis(2), normal)};
  const Vec scaled = hadamard(radii, down_G);
  const Vec p_GoP_G = hadamard(radii, scaled) * (1 / std::max(norm(scaled), kMinNorm<double>));
  const Vec p_GoP_W = ellipsoid.axis(0) * p_GoP_G.x + ellipsoid.axis(1) * p_GoP_G.y + ellipsoid.axis(2) * p_GoP_G.z;
  return touch_plane_point(plane, ellipsoid.p_WoGo_W + p_GoP_W, margin, out);
}

}  // namespace torsor
