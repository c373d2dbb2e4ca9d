// A sphere against a box or a cylinder: outside, the nearest point; inside, the nearest face.
#include <algorithm>
#include <cmath>

#include "torsor/contact/kernels/sphere_box.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/round_pairs.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

}  // namespace

int sphere_box(const Shape& sphere, const Shape& box, double margin, ContactPoint* out) {
  return touch_sphere_box(sphere, box, margin, out);
}

// The side acts as a ball on the axis, an end as a plane, the rim as a point. From inside, the nearer of side and end.
int sphere_cylinder(const Shape& sphere, const Shape& cylinder, double margin, ContactPoint* out) {
  const Vec axis = cylinder.axis(2), between = sphere.p_WoGo_W - cylinder.p_WoGo_W;
  const double radius = cylinder.size[0], half = cylinder.size[1], along = dot(axis, between);
  const Vec across = between - axis * along;
  const double from_axis = norm(across);
  const bool beside_side = std::abs(along) < half, over_end = from_axis < radius;
  const bool to_end = over_end && (!beside_side || half - std::abs(along) < radius - from_axis);
  const Ball ball{sphere.p_WoGo_W, sphere.size[0]};
  if (to_end) {
    const double side = along > 0 ? 1 : -1, dist = std::abs(along) - half - ball.radius;
    if (dist > margin) return 0;
    const Vec normal = axis * -side;
    *out = {dist, ball.center + normal * (ball.radius + 0.5 * dist), normal, Vec3<double>::zero()};
    return 1;
  }
  if (beside_side) return touch_balls(ball, {cylinder.p_WoGo_W + axis * along, radius}, sphere, cylinder, margin, out);
  const Vec rim = cylinder.p_WoGo_W + axis * (along > 0 ? half : -half) + across * (radius / from_axis);
  return touch_balls(ball, {rim, 0}, sphere, cylinder, margin, out);
}

}  // namespace torsor
