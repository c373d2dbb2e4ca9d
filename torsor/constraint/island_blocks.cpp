// Gathers a large island: one block of M per tree, and each row by the tiles of 8 dofs in which it has entries. Nothing
// here grows with the square of the island's size.
#include <algorithm>
#include <cstring>

#include "torsor/constraint/island_problem.hpp"

namespace torsor {
namespace {

constexpr int kTile = 8;

// A block is a tree, or several small ones in one tile. Dofs of the island from begin[b] to begin[b + 1] are in tiles
// from first[b] to first[b + 1]; place says where each dof is among all tiles.
struct Layout {
  int blocks = 0, tiles = 0;
  int *begin = nullptr, *first = nullptr, *size = nullptr, *place = nullptr;

  int width(int b) const { return (first[b + 1] - first[b]) * kTile; }
};

Layout make_layout(const Model& model, Arena& arena, const IslandProblem& island) {
  const auto n = static_cast<size_t>(island.problem.n);
  Layout layout;
  layout.place = arena.push_array<int>(n);
  layout.begin = arena.push_array<int>(n + 1);
  layout.first = arena.push_array<int>(n + 1);
  layout.size = layout.first ? arena.push_array<int>(n) : nullptr;
  if (!layout.size) return layout;
  for (int i = 0, tree_size; i < island.problem.n; i += tree_size) {
    tree_size = model.tree_dofnum[model.dof_treeid[island.dofs[i]]];
    const bool joins = layout.blocks > 0 && layout.size[layout.blocks - 1] + tree_size <= kTile;
    if (!joins) {
      layout.begin[layout.blocks] = i;
      layout.first[layout.blocks] = layout.tiles;
      layout.size[layout.blocks++] = 0;
      layout.tiles += (tree_size + kTile - 1) / kTile;
    }
    int& size = layout.size[layout.blocks - 1];
    for (int k = 0; k < tree_size; ++k) layout.place[i + k] = layout.first[layout.blocks - 1] * kTile + size++;
  }
  layout.begin[layout.blocks] = island.problem.n;
  layout.first[layout.blocks] = layout.tiles;
  return layout;
}

// M of one block, both triangles; rows of M have the columns of ancestors, the diagonal last. Returns the trace.
double write_block(const Model& model, const Data& data, const Islands& islands, const Layout& layout,
                   const IslandProblem& island, int b, double* M) {
  const int ld = layout.width(b), base = layout.first[b] * kTile;
  double trace = 0;
  const double* numbers = matrix_of_solver(model, data);
  for (int i = layout.begin[b]; i < layout.begin[b + 1]; ++i) {
    const int dof = island.dofs[i], row = layout.place[i] - base;
    const int begin = model.M_rowadr[dof], end = begin + model.M_rownnz[dof];
    for (int k = begin; k < end; ++k) {
      const int column = layout.place[islands.local[model.M_colind[k]]] - base;
      M[row * ld + column] = M[column * ld + row] = numbers[k];
    }
    const double damping = implicit_part(model, data, dof);
    M[row * ld + row] += damping;
    trace += numbers[end - 1] + damping;
  }
  return trace;
}

bool gather_blocks_of_mass(const Model& model, Data& data, const Islands& islands, const Layout& layout,
                           IslandProblem& island) {
  size_t numbers = 0;
  for (int b = 0; b < layout.blocks; ++b)
    numbers += static_cast<size_t>(layout.size[b]) * static_cast<size_t>(layout.width(b));
  auto* M = static_cast<double*>(data.arena().push(sizeof(double) * numbers, 64));
  auto* block = M ? data.arena().push_array<const double*>(static_cast<size_t>(layout.blocks)) : nullptr;
  if (!block) return false;
  std::memset(M, 0, sizeof(double) * numbers);
  double trace = 0;
  for (int b = 0; b < layout.blocks; ++b) {
    trace += write_block(model, data, islands, layout, island, b, M);
    block[b] = M;
    M += static_cast<ptrdiff_t>(layout.size[b]) * layout.width(b);
  }
  island.scale = 1 / trace;
  island.blocks.M = block;
  return true;
}

// The tiles in which each row has entries. Rows of one element have the same dofs, which are looked up once.
int list_parts(const Data& data, const Islands& islands, const Layout& layout, const IslandProblem& island, int* begin,
               int* tile) {
  int parts = 0;
  for (int r = 0, alike; r < island.problem.rows.count; r += alike) {
    alike = count_rows_alike(data, island.rows, r, island.problem.rows.count);
    const int row = island.rows[r], count = data.efc_J_rownnz[row], first = parts;
    const int* column = data.efc_J_colind.data() + data.efc_J_rowadr[row];
    for (int k = 0; k < count; ++k) {
      const int t = layout.place[islands.local[column[k]]] / kTile;
      if (parts == first || tile[parts - 1] != t) tile[parts++] = t;
    }
    const int of_row = parts - first;
    for (int i = 0; i < alike; ++i) begin[r + i] = first + i * of_row;
    for (int i = 1; i < alike; ++i, parts += of_row) std::copy_n(tile + first, of_row, tile + parts);
  }
  begin[island.problem.rows.count] = parts;
  return parts;
}

void write_parts(const Data& data, const Islands& islands, const Layout& layout, const IslandProblem& island,
                 double* J) {
  const solver::BlockProblem& blocks = island.blocks;
  for (int r = 0, alike; r < island.problem.rows.count; r += alike) {
    alike = count_rows_alike(data, island.rows, r, island.problem.rows.count);
    const int row = island.rows[r], count = data.efc_J_rownnz[row], address = data.efc_J_rowadr[row];
    const int of_row = blocks.row_begin[r + 1] - blocks.row_begin[r];
    const double* numbers = data.efc_J.data() + address;
    int part = blocks.row_begin[r];
    for (int k = 0; k < count; ++k) {
      const int place = layout.place[islands.local[data.efc_J_colind[address + k]]];
      if (blocks.tile[part] != place / kTile) ++part;
      double* to = J + part * ptrdiff_t{kTile} + place % kTile;
      for (int i = 0; i < alike; ++i) to[i * ptrdiff_t{kTile} * of_row] += numbers[i * ptrdiff_t{count} + k];
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
  island.blocks.blocks = layout.blocks;
  island.blocks.block_tile = layout.first;
  island.blocks.block_size = layout.size;
  return gather_blocks_of_mass(model, data, islands, layout, island) && gather_parts(data, islands, layout, island);
}

}  // namespace torsor
