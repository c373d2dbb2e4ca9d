// The operator of a large island: M in blocks, rows in parts of 8 numbers, and the Hessian M + J' D J in those tiles
// that are nonzero once it is factored. Conjugate gradients need no more than the factors of the blocks of M.
#pragma once

#include "torsor/math/tile_factor.hpp"
#include "torsor/math/tile_order.hpp"
#include "torsor/solver/kernels/block_rows.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

class BlockOperator {
 public:
  BlockOperator(const BlockProblem& problem, Scratch& scratch, bool newton);

  TORSOR_INLINE int size() const { return p_.tiles * kTile; }
  void multiply_mass(const double* x, double* y) const;
  TORSOR_INLINE void multiply_jacobian(const double* x, double* y) const { multiply_parts(p_, x, y); }
  TORSOR_INLINE void multiply_jacobian_transposed(const double* x, double* y) const {
    multiply_parts_transposed(p_, x, y);
  }

  void factor_mass();
  int factor_hessian(const double* weight, const ConeFactor* cones, int cone_count);
  void solve(double* x) const;
  // After factor_mass(): of one block only, x of the whole island.
  TORSOR_INLINE void solve_block(int block, double* x) const {
    solve_tile_range(plan_, factor_, p_.block_tile[block], p_.block_tile[block + 1], x);
  }

 private:
  // A tile of the Hessian that M has numbers for.
  struct MassTile {
    int slot, rows, ld;
    const double* from;
  };

  void find_diagonal_mass(Scratch& scratch);
  void set_counts(int* count) const;
  void plan_blocks(Scratch& scratch);
  void plan_hessian(Scratch& scratch);
  void find_neighbours(const TileBits& bits) const;
  bool take_plan(Scratch& scratch);
  int find_slot(int row, int column) const;
  void list_mass_tiles(Scratch& scratch);
  void list_pairs(Scratch& scratch);
  void set_mass(double* H) const;
  void reset_hessian();
  int list_changes(const double* weight, bool& whole) const;
  bool loses_digits(int row, double weight) const;
  void add_rows(const RowGroup& group, int rows, double* H) const;
  int add_changes(const double* weight);
  void add_cones(const ConeFactor* cones, int cone_count);

  const BlockProblem& p_;
  double* diagonal_mass_ = nullptr;  // null unless M is nothing else
  TilePlan plan_;
  TileFactor factor_{};
  int* place_ = nullptr;  // of each tile in the plan
  double* placed_ = nullptr;
  MassTile* mass_tiles_ = nullptr;
  int mass_tile_count_ = 0;
  RowGroups groups_;
  double *H_ = nullptr, *H_cones_ = nullptr;
  double* applied_ = nullptr;  // weights that H has
  double* diagonal_ = nullptr;
  double *scaled_ = nullptr, *plain_ = nullptr;  // rows of one group on their way into H
  bool hessian_is_mass_ = true, factored_ = false;
};

inline BlockOperator::BlockOperator(const BlockProblem& problem, Scratch& scratch, bool newton) : p_(problem) {
  plan_.tiles = p_.tiles;
  int* count = scratch.take<int>(p_.tiles);
  place_ = scratch.take<int>(p_.tiles);
  if (newton) groups_ = find_groups(p_, scratch);
  if (scratch.full()) return;
  plan_.count = count;
  newton ? plan_hessian(scratch) : plan_blocks(scratch);
  if (scratch.full()) return;
  set_counts(count);
  list_updates(plan_);
  list_mass_tiles(scratch);
  const std::size_t matrix = std::size_t(plan_.slots) * kSlot;
  H_ = scratch.take<double>(matrix);
  factor_ = {scratch.take<double>(matrix), scratch.take<double>(matrix), scratch.take<double>(size())};
  if (!newton) find_diagonal_mass(scratch);
  if (!newton) return;
  placed_ = scratch.take<double>(size());
  if (p_.rows.cone_count > 0) H_cones_ = scratch.take<double>(matrix);
  applied_ = scratch.take<double>(padded_size(p_.rows.count));
  diagonal_ = scratch.take<double>(size());
  scaled_ = scratch.take<double>(groups_.most_numbers);
  plain_ = scratch.take<double>(groups_.most_numbers);
  list_pairs(scratch);
  if (scratch.full()) return;
  reset_hessian();
  fill(diagonal_, size(), std::numeric_limits<double>::infinity());
  for (int b = 0; b < p_.blocks; ++b) {
    const int ld = (p_.block_tile[b + 1] - p_.block_tile[b]) * kTile;
    for (int i = 0; i < p_.block_size[b]; ++i) diagonal_[p_.block_tile[b] * kTile + i] = p_.M[b][i * ld + i];
  }
}

// Particles on slides: their products with M need no matrix.
inline void BlockOperator::find_diagonal_mass(Scratch& scratch) {
  double* diagonal = scratch.take<double>(size());
  if (scratch.full()) return;
  fill(diagonal, size(), 0);
  for (int b = 0; b < p_.blocks; ++b) {
    const int first = p_.block_tile[b], n = p_.block_size[b];
    if (n > kTile) return;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (i != j && p_.M[b][i * kTile + j] != 0) return;
      }
      diagonal[first * kTile + i] = p_.M[b][i * kTile + i];
    }
  }
  diagonal_mass_ = diagonal;
}

inline void BlockOperator::set_counts(int* count) const {
  for (int b = 0; b < p_.blocks; ++b) {
    for (int t = p_.block_tile[b]; t < p_.block_tile[b + 1]; ++t) {
      const int left = p_.block_size[b] - (t - p_.block_tile[b]) * kTile;
      count[place_[t]] = left < kTile ? left : kTile;
    }
  }
}

inline bool BlockOperator::take_plan(Scratch& scratch) {
  plan_.row_begin = scratch.take<int>(plan_.tiles + 1);
  plan_.column = scratch.take<int>(plan_.slots);
  plan_.update_begin = scratch.take<int>(plan_.slots + 1);
  plan_.update = scratch.take<TilePlan::Update>(plan_.updates);
  return !scratch.full();
}

// Every block of M whole, none with another.
inline void BlockOperator::plan_blocks(Scratch& scratch) {
  for (int b = 0; b < p_.blocks; ++b) {
    for (int k = 0; k < p_.block_tile[b + 1] - p_.block_tile[b]; ++k) {
      plan_.slots += k + 1;
      plan_.updates += k * (k + 1) / 2;
    }
  }
  if (!take_plan(scratch)) return;
  int slot = 0;
  for (int b = 0; b < p_.blocks; ++b) {
    for (int t = p_.block_tile[b]; t < p_.block_tile[b + 1]; ++t) {
      place_[t] = t;
      plan_.row_begin[t] = slot;
      for (int c = p_.block_tile[b]; c <= t; ++c) plan_.column[slot++] = c;
    }
  }
  plan_.row_begin[p_.tiles] = slot;
}

// Tiles that M or a row has numbers for at once, both triangles.
inline void BlockOperator::find_neighbours(const TileBits& bits) const {
  for (int b = 0; b < p_.blocks; ++b) {
    const int first = p_.block_tile[b], tiles = p_.block_tile[b + 1] - first, ld = tiles * kTile;
    for (int i = 0; tiles > 1 && i < p_.block_size[b]; ++i) {
      const int row = i / kTile;
      for (int t = 0; t < row; ++t) {
        if (bits.has(first + row, first + t) || !any_nonzero(p_.M[b] + i * ld + t * kTile)) continue;
        bits.set(first + row, first + t);
        bits.set(first + t, first + row);
      }
    }
  }
  for (int g = 0; g < groups_.count; ++g) {
    const int *begin = p_.tile + groups_.group[g].part, *end = begin + groups_.group[g].tiles;
    for (const int* i = begin; i < end; ++i) {
      for (const int* j = begin; j < end; ++j) bits.set(*i, *j);
    }
  }
}

inline void BlockOperator::plan_hessian(Scratch& scratch) {
  const int words = TileBits::words_for(p_.tiles);
  const std::size_t size = std::size_t(p_.tiles) * words;
  const TileBits bits{p_.tiles, words, scratch.take<std::uint64_t>(size)};
  const TileBits placed{p_.tiles, words, scratch.take<std::uint64_t>(size)};
  int* degree = scratch.take<int>(p_.tiles);
  if (scratch.full()) return;
  for (std::size_t k = 0; k < size; ++k) bits.bits[k] = placed.bits[k] = 0;
  find_neighbours(bits);
  order_tiles(bits, place_, degree);
  bits_by_place(bits, place_, placed, plan_);
  if (!take_plan(scratch)) return;
  number_slots(placed, plan_);
}

// -1 when there is none
inline int BlockOperator::find_slot(int row, int column) const {
  int low = plan_.row_begin[row], high = plan_.row_begin[row + 1];
  while (low < high) {
    const int middle = (low + high) / 2;
    if (plan_.column[middle] == column) return middle;
    (plan_.column[middle] < column ? low : high) = plan_.column[middle] < column ? middle + 1 : middle;
  }
  return -1;
}

inline void BlockOperator::list_mass_tiles(Scratch& scratch) {
  int most = 0;
  for (int b = 0; b < p_.blocks; ++b) {
    const int tiles = p_.block_tile[b + 1] - p_.block_tile[b];
    most += tiles * (tiles + 1) / 2;
  }
  mass_tiles_ = scratch.take<MassTile>(most);
  if (scratch.full()) return;
  for (int b = 0; b < p_.blocks; ++b) {
    const int first = p_.block_tile[b], tiles = p_.block_tile[b + 1] - first, ld = tiles * kTile;
    for (int i = 0; i < tiles; ++i) {
      for (int j = 0; j <= i; ++j) {
        const bool swapped = place_[first + i] < place_[first + j];
        const int row = swapped ? j : i, column = swapped ? i : j;
        const int slot = find_slot(place_[first + row], place_[first + column]);
        if (slot < 0) continue;
        const double* from = p_.M[b] + row * kTile * ld + column * kTile;
        mass_tiles_[mass_tile_count_++] = {slot, plan_.count[place_[first + row]], ld, from};
      }
    }
  }
}

// Where the products of the parts of a row go.
inline void BlockOperator::list_pairs(Scratch& scratch) {
  groups_.pairs = scratch.take<PartPair>(groups_.pair_count);
  if (scratch.full()) return;
  PartPair* next = groups_.pairs;
  for (int g = 0; g < groups_.count; ++g) {
    RowGroup& group = groups_.group[g];
    const int* tile = p_.tile + group.part;
    group.pair = int(next - groups_.pairs);
    for (int i = 0; i < group.tiles; ++i) {
      for (int j = 0; j <= i; ++j) {
        const bool swapped = place_[tile[i]] < place_[tile[j]];
        const int row = swapped ? j : i, column = swapped ? i : j;
        *next++ = {find_slot(place_[tile[row]], place_[tile[column]]), row, column};
      }
    }
  }
}

inline void BlockOperator::set_mass(double* H) const {
  fill_zero(H, std::size_t(plan_.slots) * kSlot);
  for (int k = 0; k < mass_tile_count_; ++k) {
    const MassTile& tile = mass_tiles_[k];
    double* to = H + tile.slot * std::ptrdiff_t(kSlot);
    for (int i = 0; i < tile.rows; ++i) Eight::load(tile.from + i * tile.ld).store(to + i * kTile);
  }
}

inline void BlockOperator::multiply_mass(const double* x, double* y) const {
  if (diagonal_mass_) {
    for (int i = 0; i < size(); ++i) y[i] = diagonal_mass_[i] * x[i];
    return;
  }
  for (int b = 0; b < p_.blocks; ++b) {
    const int first = p_.block_tile[b] * kTile, ld = p_.block_tile[b + 1] * kTile - first;
    multiply_transposed(p_.block_size[b], p_.M[b], ld, x + first, y + first);
  }
}

inline void BlockOperator::factor_mass() {
  set_mass(H_);
  factor_tiles(plan_, H_, factor_);
}

inline void BlockOperator::reset_hessian() {
  set_mass(H_);
  fill(applied_, padded_size(p_.rows.count), 0);
  hessian_is_mass_ = true;
}

// Taking away a row that outweighs M by far would leave its rounding error behind.
inline bool BlockOperator::loses_digits(int row, double weight) const {
  constexpr double kMaxRatio = 1e9;
  auto large = typename Lanes::Mask(false);
  for (int part = p_.row_begin[row]; part < p_.row_begin[row + 1]; ++part) {
    for (int c = 0; c < kTile; c += kLaneCount) {
      const Lanes x = Lanes::load(p_.J + part * std::ptrdiff_t(kTile) + c);
      large = large | (x * x * Lanes(weight) > Lanes(kMaxRatio) * Lanes::load(diagonal_ + p_.tile[part] * kTile + c));
    }
  }
  return any(large);
}

// How many rows have not the weight that H has; whole: it is better to begin again with M.
inline int BlockOperator::list_changes(const double* weight, bool& whole) const {
  int count = 0, active = 0;
  bool loses = false;
  for (int r = 0; r < p_.rows.count; ++r) {
    active += weight[r] != 0;
    if (weight[r] == applied_[r]) continue;
    ++count;
    if (!loses && weight[r] < applied_[r]) loses = loses_digits(r, applied_[r]);
  }
  whole = !hessian_is_mass_ && (loses || 2 * count > active);
  return count;
}

// H += scaled' plain, of rows of one group
inline void BlockOperator::add_rows(const RowGroup& group, int rows, double* H) const {
  const int ld = group.tiles * kTile;
  const PartPair* end = groups_.pairs + group.pair + group.tiles * (group.tiles + 1) / 2;
  for (const PartPair* pair = groups_.pairs + group.pair; pair < end; ++pair) {
    for (int c = 0; c < kTile; c += kLaneCount) {
      double* tile = H + pair->slot * std::ptrdiff_t(kSlot) + c;
      Lanes sum[kTile];
      load_tile(sum, tile);
      accumulate<false>(sum, rows, scaled_ + pair->row * kTile, plain_ + pair->column * kTile + c, ld);
      store_tile(sum, tile);
    }
  }
}

inline int BlockOperator::add_changes(const double* weight) {
  int count = 0;
  for (int g = 0; g < groups_.count; ++g) {
    const RowGroup& group = groups_.group[g];
    const int ld = group.tiles * kTile;
    int rows = 0;
    for (int r = group.begin; r < group.end; ++r) {
      if (weight[r] == applied_[r]) continue;
      const Lanes change(weight[r] - applied_[r]);
      applied_[r] = weight[r];
      const double* from = p_.J + p_.row_begin[r] * std::ptrdiff_t(kTile);
      for (int c = 0; c < ld; c += kLaneCount) {
        const Lanes x = Lanes::load(from + c);
        x.store(plain_ + rows * ld + c);
        (change * x).store(scaled_ + rows * ld + c);
      }
      ++rows;
    }
    if (rows > 0) add_rows(group, rows, H_);
    count += rows;
  }
  return count;
}

// H_cones = H + cones
inline void BlockOperator::add_cones(const ConeFactor* cones, int cone_count) {
  copy_numbers(H_, std::size_t(plan_.slots) * kSlot, H_cones_);
  for (int c = 0, g = 0; c < cone_count; ++c) {
    const ConeFactor& cone = cones[c];
    while (groups_.group[g].end <= cone.row) ++g;
    const RowGroup& group = groups_.group[g];
    const int ld = group.tiles * kTile;
    const double* J = p_.J + p_.row_begin[cone.row] * std::ptrdiff_t(kTile);
    for (int k = 0; k < cone.rank; ++k) {
      multiply_transposed(cone.dim, J, ld, cone.L[k], plain_ + k * ld);
      copy(plain_ + k * ld, ld, scaled_ + k * ld);
    }
    add_rows(group, cone.rank, H_cones_);
  }
}

inline int BlockOperator::factor_hessian(const double* weight, const ConeFactor* cones, int cone_count) {
  bool whole = false;
  int count = list_changes(weight, whole);
  if (count == 0 && cone_count == 0 && factored_) return 0;
  if (whole) reset_hessian();
  count = add_changes(weight);
  if (count > 0) hessian_is_mass_ = false;
  if (cone_count > 0) add_cones(cones, cone_count);
  factor_tiles(plan_, cone_count > 0 ? H_cones_ : H_, factor_);
  factored_ = cone_count == 0;
  return count;
}

inline void BlockOperator::solve(double* x) const {
  if (diagonal_mass_) {
    for (int i = 0; i < size(); ++i) x[i] *= factor_.inverse[i];
    return;
  }
  if (!placed_) {  // every tile is in its place
    solve_tiles(plan_, factor_, x);
    return;
  }
  for (int t = 0; t < p_.tiles; ++t) Eight::load(x + t * kTile).store(placed_ + place_[t] * kTile);
  solve_tiles(plan_, factor_, placed_);
  for (int t = 0; t < p_.tiles; ++t) Eight::load(placed_ + place_[t] * kTile).store(x + t * kTile);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
