// A sphere against a box: outside, the nearest point; inside, the nearest face.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/shape.hpp"

namespace torsor {

namespace in_box {

using Vec = Vec3<double>;

TORSOR_HD inline Vec rotate(const Shape& shape, const Vec& v_G) {
  return shape.axis(0) * v_G.x + shape.axis(1) * v_G.y + shape.axis(2) * v_G.z;
}

// The centre lies inside the box: leave through the nearest face, the first one if several are equally near.
TORSOR_HD inline int sphere_inside_box(const Shape& sphere, const Shape& box, const Vec& center_G, double margin,
                                       ContactPoint* out) {
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

}  // namespace in_box

TORSOR_HD inline int touch_sphere_box(const Shape& sphere, const Shape& box, double margin, ContactPoint* out) {
  using namespace in_box;
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

}  // namespace torsor
