// Blocks of equalities, and the dofs of a pair of bodies.
#include "torsor/constraint/blocks.hpp"

#include <algorithm>

namespace torsor {

Block* add_block(Data& data, BlockList& list, int id, int rows, const int* dof, int dofs) {
  double* J = data.arena().push_array<double>(static_cast<size_t>(rows) * static_cast<size_t>(dofs));
  if (!J) return nullptr;
  Block* block = &list.items[list.count++];
  *block = {id, rows, dofs, dof, J, {}};
  return block;
}

PairDofs collect_dofs(const Model& model, Data& data, int body1, int body2, bool common) {
  // short chains are walked only once
  constexpr int kShort = 64;
  int dofs[kShort];
  unsigned char sides[kShort];
  PairDofs pair;
  for_each_pair_dof(model, body1, body2, common, [&](int dof, int side) {
    if (pair.count < kShort) dofs[pair.count] = dof, sides[pair.count] = static_cast<unsigned char>(side);
    ++pair.count;
  });
  pair.side = data.arena().push_array<unsigned char>(static_cast<size_t>(pair.count));
  pair.dof = pair.side ? data.arena().push_array<int>(static_cast<size_t>(pair.count)) : nullptr;
  if (!pair.dof) return pair;
  if (pair.count <= kShort) {
    std::reverse_copy(dofs, dofs + pair.count, pair.dof);
    std::reverse_copy(sides, sides + pair.count, pair.side);
    return pair;
  }
  int k = pair.count;
  for_each_pair_dof(model, body1, body2, common, [&pair, &k](int dof, int side) {
    pair.dof[--k] = dof;
    pair.side[k] = static_cast<unsigned char>(side);
  });
  return pair;
}

void fill_jacobian(const Data& data, const PairDofs& pair, const RowWrench* rows, Block& block) {
  for (int k = 0; k < pair.count; ++k) {
    const double* S = data.cdof.row(pair.dof[k], 6);
    for (int r = 0; r < block.rows; ++r) {
      double sum = 0;
      for (int s = 0; s < 2; ++s) {
        const double* W = rows[r].W[s];
        if (pair.side[k] & (1 << s))
          sum += W[0] * S[0] + W[1] * S[1] + W[2] * S[2] + W[3] * S[3] + W[4] * S[4] + W[5] * S[5];
      }
      block.J[r * pair.count + k] = sum;
    }
  }
}

}  // namespace torsor
