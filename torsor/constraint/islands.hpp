// Islands: groups of trees connected by rows. Each can be solved separately.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// In scratch memory. Trees without rows are in no island.
struct Islands {
  int count = 0;
  int* tree_island = nullptr;  // ntree, -1 for none
  int* row_begin = nullptr;    // count + 1, into row
  int* row = nullptr;          // nefc, rows island by island, ascending in each
  int* dof_begin = nullptr;    // count + 1, into dof
  int* dof = nullptr;          // dofs island by island, ascending in each
  int* local = nullptr;        // nv, index of each dof within its island, -1 for none
};

// Also fills efc_island and data.nisland. With `joined`, all trees that have rows form one island. `row` of the result
// is null when scratch ran out.
Islands find_islands(const Model& model, Data& data, bool joined);

}  // namespace torsor
