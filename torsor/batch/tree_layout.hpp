// Where the dofs of a kinematic tree stand in the tiles of the solver for worlds in lanes: leaves first, each branch at
// the start of a tile, so that contacts with the world cause no fill.
#pragma once

#include <cstdint>
#include <vector>

#include "torsor/model/model.hpp"
#include "torsor/solver/wide_problem.hpp"

namespace torsor {

struct TreeLayout {
  TreeLayout(const Model& model, int tree);

  // A number of M: its index in the model's sparse M, and its place in the tiles of this tree.
  struct Entry {
    int from, row, column;  // places, row >= column
  };
  int tiles = 0;
  std::vector<int> dof;  // by place, -1 where a place only fills a tile
  std::vector<Entry> entries;
  std::vector<std::uint64_t> mass_tiles;  // of row i, bit j <= i
};

// Places of all dofs within their own trees.
std::vector<int> places_of(const Model& model, const std::vector<TreeLayout>& layouts);

}  // namespace torsor
