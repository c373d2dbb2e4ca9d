// Fits as MuJoCo does: means of the box of equal inertia, or covers of the box around the mesh.
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

Vec3<double> size_of_mean(GeomShape shape, const Vec3<double>& box, std::string_view mesh_name) {
  const double radius = (box.x + box.y) / 2;
  switch (shape) {
    case GeomShape::kSphere:
      return {(box.x + box.y + box.z) / 3, 0, 0};
    case GeomShape::kCapsule:  // each cap counts for half its length
      return {radius, std::max(0.0, box.z - radius / 2), 0};
    case GeomShape::kCylinder:
      return {radius, box.z, 0};
    case GeomShape::kEllipsoid:
    case GeomShape::kBox:
      return box;
    default:
      fail(mesh_name);
  }
}

Vec3<double> size_of_cover(GeomShape shape, const Vec3<double>& box, std::string_view mesh_name) {
  const double radius = std::max(box.x, box.y);
  switch (shape) {
    case GeomShape::kSphere:
      return {std::max(radius, box.z), 0, 0};
    case GeomShape::kCapsule:
      return {radius, std::max(0.0, box.z - radius), 0};
    case GeomShape::kCylinder:
      return {radius, box.z, 0};
    case GeomShape::kEllipsoid:
    case GeomShape::kBox:
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

FittedShape fit_primitive(const CompiledMesh& mesh, GeomShape shape, bool to_aabb, double scale,
                          std::string_view mesh_name) {
  if (!to_aabb)
    return {size_of_mean(shape, equal_inertia_box(mesh.volume, mesh.moments), mesh_name) * scale, mesh.X_AM};
  const Pose<double> X_MS{mesh.bounds.center, Quat<double>::identity()};
  return {size_of_cover(shape, mesh.bounds.half, mesh_name) * scale, mesh.X_AM * X_MS};
}

}  // namespace torsor
