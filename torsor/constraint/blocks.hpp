// The rows of equalities, which wait in scratch memory until the number of all rows is known, and the dofs of two
// bodies.
#pragma once

#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// The rows of one equality, which share one list of dofs.
struct Block {
  int id;
  int rows;
  int dofs;        // columns
  const int* dof;  // ascending
  double* J;       // rows x dofs
  double pos[6];   // by row
};

struct BlockList {
  Block* items = nullptr;  // room for neq
  int count = 0;
};

// A new block at the end of the list with room for J; null when scratch ran out.
Block* add_block(Data& data, BlockList& list, int id, int rows, const int* dof, int dofs);

// Calls f(dof, sides) for the dofs of both bodies, descending.
template <class F>
void for_each_pair_dof(const Model& model, int body1, int body2, bool common, F&& f) {
  int a = last_dof(model, body1), b = last_dof(model, body2);
  while (a != b) {  // the higher one cannot be an ancestor of the lower
    const bool first = a > b;
    int& higher = first ? a : b;
    f(higher, first ? 1 : 2);
    higher = model.dof_parentid[higher];
  }
  for (; common && a >= 0; a = model.dof_parentid[a]) f(a, 3);
}

// The dofs that move either of two bodies, ascending, and which of the two: bit 0 for the first, bit 1 for the second.
struct PairDofs {
  int* dof = nullptr;
  unsigned char* side = nullptr;
  int count = 0;
};
// Without `common`, dofs that move both bodies are left out: they do not move one body relative to the other. In
// scratch; dof is null when that ran out.
PairDofs collect_dofs(const Model& model, Data& data, int body1, int body2, bool common);

// Coefficients of a row: its velocity is W1 . V1 + W2 . V2, with the twists of the bodies at the COMs of their trees.
struct RowWrench {
  double W[2][6];
};
// J of the block from one RowWrench per row.
void fill_jacobian(const Data& data, const PairDofs& pair, const RowWrench* rows, Block& block);

// The active equalities of the current state.
void find_equalities(const Model& model, Data& data, BlockList& list);

// Whether a frictionloss makes a row. NaN does, so that it is noticed.
bool has_friction_row(double loss);

// J-dot qvel of the rows of a connect (3) or a weld (6).
void equality_bias(const Model& model, const Data& data, int id, double bias[6]);

}  // namespace torsor
