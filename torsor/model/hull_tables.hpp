// What searches over the hulls of meshes read beside mesh_hull*: derived from these, which never change, when a model
// is made; shared by its copies and in no file. See decision 31.
#pragma once

#include <memory>
#include <vector>

namespace torsor {

struct ModelView;

// A triangle of a hull and the flat side that it lies in.
struct HullSide {
  double normal[3];  // of the triangle, outward, as long as twice its area
  double length;     // of the normal
  int first, count;  // corners of the side in HullTables::corner, counter-clockwise from outside; fewer than 3: none
};

// Eight corners of a list, the last one repeated.
struct alignas(64) HullBlock {
  float position[24];  // 8 x, 8 y, 8 z
  int corner[8];
};

struct HullTables {
  // Positions of the corners, eight at a time: 8 x, 8 y, 8 z, the last corner repeated.
  std::vector<float> position;
  std::vector<int> first_position;  // per mesh, into `position`
  std::vector<HullSide> side;       // one per row of mesh_hullface
  std::vector<int> corner;          // counted within their hull
  // Corners by cells of directions, see hull_cells.hpp: what a search for the furthest one looks at. Not of hulls with
  // few corners, all of which are looked at.
  std::vector<HullBlock> block;
  std::vector<int> cell_block;  // the first block of each cell of each hull, and one entry more per hull
  std::vector<int> first_cell;  // per mesh, into `cell_block`; -1 for hulls without
  std::vector<int> cells;       // per mesh, as in cell_of_direction()
  static constexpr int kListFrom = 25;
};

// Null for a model without hulls.
std::shared_ptr<const HullTables> make_hull_tables(const ModelView& model);

}  // namespace torsor
