// What searches over the hulls of meshes read beside mesh_hull*: derived from these, which never change, when a model
// is made; shared by its copies and in no file. See decision 31.
#pragma once

#include <memory>
#include <vector>

namespace torsor {

template <class R>
struct ModelView;

// A triangle of a hull and the flat side that it lies in.
struct HullSide {
  double normal[3];  // of the triangle, outward, as long as twice its area
  double length;     // of the normal
  int first, count;  // corners of the side in HullTables::corner, counter-clockwise from outside; fewer than 3: none
};

struct HullTables {
  // Positions of the corners, eight at a time: 8 x, 8 y, 8 z, the last corner repeated.
  std::vector<float> position;
  std::vector<int> first_position;  // per mesh, into `position`
  std::vector<HullSide> side;       // one per row of mesh_hullface
  std::vector<int> corner;          // counted within their hull
  // Of hulls with many corners: which one is furthest in each of kStarts directions. A walk from there is short.
  std::vector<int> start;
  std::vector<int> first_start;  // per mesh, into `start`; -1 for hulls with fewer than kStartFrom corners
  static constexpr int kStartFrom = 128;
};

// Directions in cells of a cube: kStartCells x kStartCells of each of its six sides.
inline constexpr int kStartCells = 8, kStarts = 6 * kStartCells * kStartCells;
// The cell of a direction of any length; some cell for numbers that are none.
inline int start_of_search(const double* d) {
  const double x = d[0] < 0 ? -d[0] : d[0], y = d[1] < 0 ? -d[1] : d[1], z = d[2] < 0 ? -d[2] : d[2];
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const double scale = 0.5 * kStartCells / (axis == 0 ? x : axis == 1 ? y : z);
  const auto cell = [scale](double along) {
    const double at = along * scale + 0.5 * kStartCells;
    return at < kStartCells ? at > 0 ? static_cast<int>(at) : 0 : kStartCells - 1;
  };
  const int side = 2 * axis + (d[axis] < 0);
  return (side * kStartCells + cell(d[axis == 0 ? 1 : 0])) * kStartCells + cell(d[axis == 2 ? 1 : 2]);
}

// Null for a model without hulls.
std::shared_ptr<const HullTables> make_hull_tables(const ModelView<double>& model);

}  // namespace torsor
