#include "torsor/bridge/newton/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/convention/convert.hpp"
#include "torsor/convention/rows.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {

const char* to_string(JointKind kind) {
  constexpr const char* kNames[] = {"prismatic", "revolute", "ball", "fixed", "free", "distance", "d6"};
  return kNames[static_cast<int>(kind)];
}

const char* to_string(ShapeType type) {
  constexpr const char* kNames[] = {"none",     "plane", "heightfield", "sphere", "capsule",    "ellipsoid",
                                    "cylinder", "box",   "mesh",        "cone",   "convex_hull"};
  return kNames[static_cast<int>(type)];
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
      throw Error(fmt::format("a triangle names vertex {}; the mesh has {} vertices", index, count));
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
    throw Error(
        fmt::format("a height field of {} x {} has {} heights, not {}", nrow, ncol, nrow * ncol, heights.size()));
  if (!(hx > 0) || !(hy > 0)) throw Error("a height field needs positive half lengths hx and hy");
  check_finite(heights.data(), static_cast<int>(heights.size()));
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const double bottom = min_z < max_z ? min_z : *low, top = min_z < max_z ? max_z : *high;
  // MJCF scales the heights to [0, 1] and needs a positive range; a flat field lies at its bottom
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
