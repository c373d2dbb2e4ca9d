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
};

// Null for a model without hulls.
std::shared_ptr<const HullTables> make_hull_tables(const ModelView<double>& model);

}  // namespace torsor
