// Furthest points of the shapes.
#include "torsor/contact/support.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

bool is_identity(const Mat3<double>& R, const Vec& p) {
  return R.m[0] == 1 && R.m[4] == 1 && R.m[8] == 1 && p.x == 0 && p.y == 0 && p.z == 0;
}

Vec rim_point(const Vec& d, double radius, double z) {
  const double across = std::sqrt(d.x * d.x + d.y * d.y);
  const double scale = across > 0 ? radius / across : 0;
  return {d.x * scale, d.y * scale, z};
}

Vec ellipsoid_point(const Vec& d, const Vec& radii) {
  const Vec scaled = hadamard(radii, d);
  const double length = norm(scaled);
  return length > 0 ? hadamard(radii, scaled) * (1 / length) : Vec{0, 0, radii.z};
}

Vec cone_point(const Vec& d, double radius, double half) {
  const Vec rim = rim_point(d, radius, -half), apex{0, 0, half};
  return dot(d, apex) >= dot(d, rim) ? apex : rim;
}

Vec prism_point(const Vec& d, const Prism& prism) {
  int best = 0;
  double furthest = dot(d, prism.corner[0]);
  for (int i = 1; i < prism.count; ++i) {
    const double along = dot(d, prism.corner[i]);
    if (along > furthest) furthest = along, best = i;
  }
  return prism.corner[best];
}

// The furthest corner, of equals the first, and where it is.
struct FurthestCorner {
  int index = 0;
  Vec p_G;

  FurthestCorner(const HullView& hull, const Vec& d) {
    if (hull.cell_block) {
      index = hull.kernels->find_listed(hull, &d.x, &p_G.x);
      return;
    }
    if (hull.position)
      index = hull.kernels->find_highest(hull.position, hull.count, &d.x);
    else
      look_at_all(hull, d);
    p_G = load3<double>(hull.corner + 3 * index);
  }
  void look_at_all(const HullView& hull, const Vec& d) {
    const float* at = hull.corner;
    double highest = -INFINITY;
    for (int i = 0; i < hull.count; ++i, at += 3) {
      const double height = d.x * at[0] + d.y * at[1] + d.z * at[2];
      if (height > highest) highest = height, index = i;
    }
  }
};

}  // namespace

Core core_of(const Shape& shape) { return {shape.type, shape.size, shape.hull, nullptr}; }

double core_radius(const Shape& shape) {
  return shape.type == GeomType::kSphere || shape.type == GeomType::kCapsule ? shape.size[0] : 0;
}

ConvexPart::ConvexPart(const Shape& shape, const Mat3<double>& R, const Vec& p)
    : Core(core_of(shape)), R_FG(R), p_FoGo_F(p), radius(core_radius(shape)), is_first_(is_identity(R, p)) {}

ConvexPart::ConvexPart(const Prism& shape, const Mat3<double>& R, const Vec& p)
    : Core{GeomType::kHfield, nullptr, nullptr, &shape}, R_FG(R), p_FoGo_F(p), is_first_(is_identity(R, p)) {}

int ConvexPart::furthest_corner(const Vec& d) const { return FurthestCorner(*hull, d).index; }

Vec Core::furthest_in_own_frame(const Vec& d) const {
  switch (type) {
    case GeomType::kCapsule:
      return {0, 0, std::copysign(size[1], d.z)};
    case GeomType::kEllipsoid:
      return ellipsoid_point(d, load3(size));
    case GeomType::kCylinder:
      return rim_point(d, size[0], std::copysign(size[1], d.z));
    case GeomType::kBox:
      return {std::copysign(size[0], d.x), std::copysign(size[1], d.y), std::copysign(size[2], d.z)};
    case GeomType::kCone:
      return cone_point(d, size[0], size[1]);
    case GeomType::kMesh:
      return FurthestCorner(*hull, d).p_G;
    case GeomType::kHfield:
      return prism_point(d, *prism);
    default:
      return Vec::zero();
  }
}

}  // namespace torsor
