// Gathers a large island: one block of M per tree, rows by the tiles of 8 dofs that they have numbers in. Nothing here
// is as large as the square of the island.
#include <algorithm>
#include <cstring>

#include "torsor/constraint/island_problem.hpp"

namespace torsor {
namespace {

constexpr int kTile = 8;

// Trees of the island, the tiles of each, and where each of its dofs is among them.
struct Layout {
  int trees = 0, tiles = 0;
  int *tree = nullptr, *first = nullptr, *size = nullptr, *place = nullptr;
};

Layout make_layout(const Model& model, Arena& arena, const IslandProblem& island) {
  const auto n = static_cast<size_t>(island.problem.n);
  Layout layout;
  layout.place = arena.push_array<int>(n);
  layout.tree = arena.push_array<int>(n);
  layout.first = arena.push_array<int>(n + 1);
  layout.size = layout.first ? arena.push_array<int>(n) : nullptr;
  if (!layout.size) return layout;
  for (int i = 0; i < island.problem.n; i += model.tree_dofnum[layout.tree[layout.trees - 1]]) {
    const int tree = model.dof_treeid[island.dofs[i]], size = model.tree_dofnum[tree];
    for (int k = 0; k < size; ++k) layout.place[i + k] = layout.tiles * kTile + k;
    layout.tree[layout.trees] = tree;
    layout.size[layout.trees] = size;
    layout.first[layout.trees++] = layout.tiles;
    layout.tiles += (size + kTile - 1) / kTile;
  }
  layout.first[layout.trees] = layout.tiles;
  return layout;
}

// M of one tree, both triangles; rows of M have the columns of ancestors, the diagonal last. Returns the trace.
double write_block(const Model& model, const Data& data, int tree, int ld, double* M) {
  const int first = model.tree_dofadr[tree];
  double trace = 0;
  for (int i = 0; i < model.tree_dofnum[tree]; ++i) {
    const int begin = model.M_rowadr[first + i], end = begin + model.M_rownnz[first + i];
    for (int k = begin; k < end; ++k) {
      const int j = model.M_colind[k] - first;
      M[i * ld + j] = M[j * ld + i] = data.M[k];
    }
    trace += data.M[end - 1];
  }
  return trace;
}

bool gather_blocks_of_mass(const Model& model, Data& data, const Layout& layout, IslandProblem& island) {
  size_t numbers = 0;
  for (int b = 0; b < layout.trees; ++b) {
    numbers +=
        static_cast<size_t>(layout.size[b]) * static_cast<size_t>((layout.first[b + 1] - layout.first[b]) * kTile);
  }
  auto* M = static_cast<double*>(data.arena().push(sizeof(double) * numbers, 64));
  auto* block = M ? data.arena().push_array<const double*>(static_cast<size_t>(layout.trees)) : nullptr;
  if (!block) return false;
  std::memset(M, 0, sizeof(double) * numbers);
  double trace = 0;
  for (int b = 0; b < layout.trees; ++b) {
    const int ld = (layout.first[b + 1] - layout.first[b]) * kTile;
    trace += write_block(model, data, layout.tree[b], ld, M);
    block[b] = M;
    M += static_cast<ptrdiff_t>(layout.size[b]) * ld;
  }
  island.scale = 1 / trace;
  island.blocks.M = block;
  return true;
}

// Tiles that rows have numbers in, row by row. Rows of one thing have the same dofs: they are looked up once.
int list_parts(const Data& data, const Islands& islands, const Layout& layout, const IslandProblem& island, int* begin,
               int* tile) {
  int parts = 0;
  for (int r = 0; r < island.problem.rows.count; ++r) {
    const int row = island.rows[r], count = data.efc_J_rownnz[row];
    const int* column = data.efc_J_colind.data() + data.efc_J_rowadr[row];
    begin[r] = parts;
    for (int k = 0; k < count; ++k) {
      const int t = layout.place[islands.local[column[k]]] / kTile;
      if (parts == begin[r] || tile[parts - 1] != t) tile[parts++] = t;
    }
  }
  begin[island.problem.rows.count] = parts;
  return parts;
}

void write_parts(const Data& data, const Islands& islands, const Layout& layout, const IslandProblem& island,
                 double* J) {
  const solver::BlockProblem& blocks = island.blocks;
  for (int r = 0; r < island.problem.rows.count; ++r) {
    const int row = island.rows[r], count = data.efc_J_rownnz[row], address = data.efc_J_rowadr[row];
    int part = blocks.row_begin[r];
    for (int k = address; k < address + count; ++k) {
      const int place = layout.place[islands.local[data.efc_J_colind[k]]];
      if (blocks.tile[part] != place / kTile) ++part;
      J[part * ptrdiff_t{kTile} + place % kTile] = data.efc_J[k];
    }
  }
}

bool gather_parts(Data& data, const Islands& islands, const Layout& layout, IslandProblem& island) {
  const int m = island.problem.rows.count;
  size_t nonzeros = 0;
  for (int r = 0; r < m; ++r) nonzeros += static_cast<size_t>(data.efc_J_rownnz[island.rows[r]]);
  Arena& arena = data.arena();
  int* begin = arena.push_array<int>(static_cast<size_t>(m) + 1);
  int* tile = begin ? arena.push_array<int>(nonzeros) : nullptr;
  if (!tile) return false;
  const int parts = list_parts(data, islands, layout, island, begin, tile);
  const size_t bytes = sizeof(double) * kTile * static_cast<size_t>(parts);
  auto* J = static_cast<double*>(arena.push(bytes, 64));
  if (!J) return false;
  std::memset(J, 0, bytes);
  island.blocks.row_begin = begin;
  island.blocks.tile = tile;
  island.blocks.J = J;
  write_parts(data, islands, layout, island, J);
  return true;
}

}  // namespace

bool gather_blocks(const Model& model, Data& data, const Islands& islands, IslandProblem& island) {
  const Layout layout = make_layout(model, data.arena(), island);
  if (!layout.size) return false;
  island.problem.ld = layout.tiles * kTile;
  island.place = layout.place;
  island.blocks.tiles = layout.tiles;
  island.blocks.blocks = layout.trees;
  island.blocks.block_tile = layout.first;
  island.blocks.block_size = layout.size;
  return gather_blocks_of_mass(model, data, layout, island) && gather_parts(data, islands, layout, island);
}

}  // namespace torsor
