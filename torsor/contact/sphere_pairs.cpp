// A sphere against a box or a cylinder: outside, the nearest point; inside, the nearest face.
#include <algorithm>
#include <cmath>

#include "torsor/contact/pairs.hpp"
#include "torsor/contact/round_pairs.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

Vec rotate(const Shape& shape, const Vec& v_G) {
  return shape.axis(0) * v_G.x + shape.axis(1) * v_G.y + shape.axis(2) * v_G.z;
}

// The centre lies inside the box: leave through the nearest face, the first one if several are equally near.
int sphere_inside_box(const Shape& sphere, const Shape& box, const Vec& center_G, double margin, ContactPoint* out) {
  double depth = INFINITY, sign = 1;
  int axis = 0;
  for (int i = 0; i < 3; ++i) {
    for (const double side : {-1.0, 1.0}) {
      const double to_face = box.size[i] - side * center_G[i];
      if (to_face < depth) depth = to_face, axis = i, sign = side;
    }
  }
  const double radius = sphere.size[0], dist = -depth - radius;
  if (dist > margin) return 0;
  const Vec normal = box.axis(axis) * -sign;
  *out = {dist, sphere.p_WoGo_W + normal * (radius + 0.5 * dist), normal, Vec3<double>::zero()};
  return 1;
}

}  // namespace

int sphere_box(const Shape& sphere, const Shape& box, double margin, ContactPoint* out) {
  const Vec between = sphere.p_WoGo_W - box.p_WoGo_W;
  Vec center_G{dot(box.axis(0), between), dot(box.axis(1), between), dot(box.axis(2), between)}, nearest_G;
  for (int i = 0; i < 3; ++i) nearest_G[i] = std::clamp(center_G[i], -box.size[i], box.size[i]);
  const Vec outwards_G = center_G - nearest_G;
  const double length = norm(outwards_G), radius = sphere.size[0], dist = length - radius;
  if (dist > margin) return 0;
  if (length < kMinNorm<double>) return sphere_inside_box(sphere, box, center_G, margin, out);
  const Vec normal = rotate(box, outwards_G * (-1 / length));
  *out = {dist, sphere.p_WoGo_W + normal * (radius + 0.5 * dist), normal, Vec3<double>::zero()};
  return 1;
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
