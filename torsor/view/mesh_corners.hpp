// Meshes as graphics hardware and our rasteriser want them. A Model indexes points, normals and texture coordinates of
// a triangle separately; here a corner has all three, and equal corners are listed once.
#pragma once

#include <cstdint>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor::view {

// Where the numbers of a corner are, in the arrays of the Model.
struct MeshCorner {
  const float* point;
  const float* normal;
  const float* uv;  // null for a mesh without texture coordinates
};

class MeshCorners {
 public:
  MeshCorners(const Model& model, int mesh);

  const std::vector<MeshCorner>& corners() const { return corners_; }
  // Three per triangle.
  const std::vector<std::uint32_t>& indices() const { return indices_; }
  bool has_uv() const { return has_uv_; }

 private:
  bool has_uv_;
  std::vector<MeshCorner> corners_;
  std::vector<std::uint32_t> indices_;
};

}  // namespace torsor::view
