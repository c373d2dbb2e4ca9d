// Fits shapes as MuJoCo does: to the mean sizes of the box of equal inertia, or around the bounding box of the mesh.
#include "torsor/geometry/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

[[noreturn]] void fail(std::string_view mesh_name) {
  throw Error(
      fmt::format("mesh '{}': only a sphere, capsule, ellipsoid, cylinder or box can be fitted to a mesh", mesh_name));
}

// How round shapes are fitted to a box; `cap` is the fraction of a capsule's half length that a cap covers.
struct Rounding {
  double ball, radius, cap;
};

Rounding mean_rounding(const Vec3<double>& box) {
  const double radius = (box.x + box.y) / 2;
  return {(box.x + box.y + box.z) / 3, radius, radius / 2};
}

Rounding covering_rounding(const Vec3<double>& box) {
  const double radius = std::max(box.x, box.y);
  return {std::max(radius, box.z), radius, radius};
}

Vec3<double> size_of(GeomType shape, const Vec3<double>& box, const Rounding& rounding, std::string_view mesh_name) {
  switch (shape) {
    case GeomType::kSphere:
      return {rounding.ball, 0, 0};
    case GeomType::kCapsule:
      return {rounding.radius, std::max(0.0, box.z - rounding.cap), 0};
    case GeomType::kCylinder:
      return {rounding.radius, box.z, 0};
    case GeomType::kEllipsoid:
    case GeomType::kBox:
      return box;
    default:
      fail(mesh_name);
  }
}

}  // namespace

Vec3<double> equal_inertia_box(double mass, const Vec3<double>& moments) {
  const auto half = [&](double others, double own) { return std::sqrt(std::max(0.0, 1.5 * (others - own) / mass)); };
  const auto [x, y, z] = moments;
  return {half(y + z, x), half(x + z, y), half(x + y, z)};
}

FittedShape fit_primitive(const CompiledMesh& mesh, GeomType shape, bool to_aabb, double scale,
                          std::string_view mesh_name) {
  const Vec3<double> box = to_aabb ? mesh.bounds.half : equal_inertia_box(mesh.volume, mesh.moments);
  const Rounding rounding = to_aabb ? covering_rounding(box) : mean_rounding(box);
  const Pose<double> X_MS{to_aabb ? mesh.bounds.center : Vec3<double>::zero(), Quat<double>::identity()};
  return {size_of(shape, box, rounding, mesh_name) * scale, mesh.X_AM * X_MS};
}

}  // namespace torsor
