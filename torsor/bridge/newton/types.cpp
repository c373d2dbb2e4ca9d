#include "torsor/bridge/newton/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/convention/convert.hpp"
#include "torsor/convention/rows.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {

namespace {

// Converts a number from the user to an enum. Enums are used as indices, so it must be one of the values.
template <class Enum>
Enum checked_enum(int number, Enum first, Enum last, const char* what) {
  if (number >= static_cast<int>(first) && number <= static_cast<int>(last)) return static_cast<Enum>(number);
  throw Error(fmt::format("{} is a number from {} to {}, not {}", what, static_cast<int>(first), static_cast<int>(last),
                          number));
}

}  // namespace

Axis to_axis(int number) { return checked_enum(number, Axis::kX, Axis::kZ, "an axis"); }
JointKind to_joint_kind(int number) {
  return checked_enum(number, JointKind::kPrismatic, JointKind::kD6, "the type of a joint");
}
ShapeType to_shape_type(int number) {
  return checked_enum(number, ShapeType::kPlane, ShapeType::kConvexMesh, "the type of a shape");
}
TargetMode to_target_mode(int number) {
  return checked_enum(number, TargetMode::kInferred, TargetMode::kEffort, "the mode of a drive");
}
Version to_version(int number) {
  return checked_enum(number, Version::kWorldAxes, Version::kParentAxes, "the version of Newton");
}

const char* to_string(JointKind kind) {
  constexpr const char* kNames[] = {"prismatic", "revolute", "ball", "fixed", "free", "distance", "d6"};
  return kNames[static_cast<int>(to_joint_kind(static_cast<int>(kind)))];
}

const char* to_string(ShapeType type) {
  constexpr const char* kNames[] = {"none",     "plane", "heightfield", "sphere", "capsule",    "ellipsoid",
                                    "cylinder", "box",   "mesh",        "cone",   "convex_hull"};
  return kNames[static_cast<int>(to_shape_type(static_cast<int>(type)))];
}

Pose<double> to_pose(const Transform& transform) { return read_pose(rows::newton, {}, transform.data()); }

Transform to_transform(const Pose<double>& X) {
  BodyPlace<double> place;
  place.X_WB = X;
  Transform transform;
  write_pose(rows::newton, place, transform.data());
  return transform;
}

SourcePtr make_mesh(const std::vector<double>& vertices, const std::vector<int>& indices) {
  if (vertices.empty() || vertices.size() % 3 != 0) throw Error("a mesh needs vertices of three numbers each");
  if (indices.empty() || indices.size() % 3 != 0) throw Error("a mesh needs triangles of three indices each");
  const int count = static_cast<int>(vertices.size() / 3);
  for (const int index : indices) {
    if (index < 0 || index >= count)
      throw Error(fmt::format("a triangle refers to vertex {}, but the mesh has {} vertices", index, count));
  }
  check_finite(vertices.data(), static_cast<int>(vertices.size()));
  auto source = std::make_shared<Source>();
  source->mesh.vertex.assign(vertices.begin(), vertices.end());
  source->mesh.face = indices;
  return source;
}

SourcePtr make_heightfield(const std::vector<double>& heights, int nrow, int ncol, double hx, double hy, double min_z,
                           double max_z) {
  if (nrow < 2 || ncol < 2)
    throw Error(fmt::format("a height field needs two rows and columns, not {} x {}", nrow, ncol));
  if (heights.size() != static_cast<size_t>(nrow) * static_cast<size_t>(ncol))
    throw Error(fmt::format("a height field of {} x {} has {} heights, not {}", nrow, ncol,
                            static_cast<int64_t>(nrow) * ncol, heights.size()));
  if (!(hx > 0) || !(hy > 0) || !std::isfinite(hx + hy + min_z + max_z))
    throw Error("a height field needs positive half lengths hx and hy");
  check_finite(heights.data(), static_cast<int>(heights.size()));
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const double bottom = min_z < max_z ? min_z : *low, top = min_z < max_z ? max_z : *high;
  // MJCF scales the heights to [0, 1] and needs a positive range; a flat field is at its bottom
  const double range = top > bottom ? top - bottom : 1.0;
  auto source = std::make_shared<Source>();
  HfieldSpec& field = source->hfield;
  field.nrow = nrow, field.ncol = ncol;
  field.size = {hx, hy, range, std::max(hx, hy)};
  field.elevation.assign(heights.begin(), heights.end());
  source->min_z = bottom;
  return source;
}

}  // namespace torsor::newton
