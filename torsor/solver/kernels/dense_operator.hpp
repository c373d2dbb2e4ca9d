// The operator of a small island: M and J stored whole, the Hessian M + J' D J kept and factored by tiles. Tiles in
// which neither M nor a row has a nonzero are skipped.
#pragma once

#include "torsor/math/tile_factor.hpp"
#include "torsor/math/tile_products.hpp"
#include "torsor/solver/kernels/cones.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

class DenseOperator {
 public:
  DenseOperator(const DenseProblem& problem, Scratch& scratch, bool newton);

  TORSOR_INLINE int size() const { return p_.ld; }
  TORSOR_INLINE void multiply_mass(const double* x, double* y) const { multiply_transposed(p_.n, p_.M, p_.ld, x, y); }
  // y: padded_size(rows) numbers
  TORSOR_INLINE void multiply_jacobian(const double* x, double* y) const {
    multiply_rows(p_.rows.count, p_.J, p_.ld, x, y);
  }
  TORSOR_INLINE void multiply_jacobian_transposed(const double* x, double* y) const {
    multiply_transposed(p_.rows.count, p_.J, p_.ld, x, y);
  }

  // Factors M for solve().
  void factor_mass();
  // Factors M + J' diag(weight) J + cones for solve(). Returns how many rows were added to or taken from the Hessian.
  int factor_hessian(const double* weight, const ConeFactor* cones, int cone_count);
  TORSOR_INLINE void solve(double* x) const { solve_tiles(plan_, factor_, x); }

 private:
  void find_row_tiles();
  TileBits find_bits(Scratch& scratch) const;
  bool make_plan(Scratch& scratch);
  void set_mass(double* H) const;
  void reset_hessian();
  int list_changes(const double* weight, bool& whole);
  bool loses_digits(int row, double weight) const;
  void pack(int row, double weight);
  void add_packed(double* H);
  void add_cones(const ConeFactor* cones, int cone_count);

  const DenseProblem& p_;
  TilePlan plan_;
  TileSets sets_;
  TileFactor factor_{};
  const std::uint64_t* row_tiles_ = nullptr;
  std::uint64_t* own_row_tiles_ = nullptr;
  double *H_ = nullptr, *H_cones_ = nullptr;
  double* applied_ = nullptr;  // weights that H has
  double* diagonal_ = nullptr;
  int* changes_ = nullptr;
  bool hessian_is_mass_ = true, factored_ = false;

  // rows on their way into H
  double *scaled_ = nullptr, *plain_ = nullptr;
  TileRun* runs_ = nullptr;
  int packed_ = 0, run_count_ = 0;
};

inline DenseOperator::DenseOperator(const DenseProblem& problem, Scratch& scratch, bool newton) : p_(problem) {
  const int m = p_.rows.count;
  plan_.tiles = padded_size(p_.n) / kTile;
  sets_ = TileSets::for_tiles(plan_.tiles);
  own_row_tiles_ = p_.blocks && sets_.shift == 0 ? nullptr : scratch.take<std::uint64_t>(m);
  row_tiles_ = own_row_tiles_ ? own_row_tiles_ : p_.blocks;
  if (!make_plan(scratch)) return;
  const std::size_t matrix = std::size_t(plan_.slots) * kSlot;
  H_ = scratch.take<double>(matrix);
  factor_ = {scratch.take<double>(matrix), scratch.take<double>(matrix), scratch.take<double>(plan_.tiles * kTile)};
  if (!newton) return;
  if (p_.rows.cone_count > 0) H_cones_ = scratch.take<double>(matrix);
  applied_ = scratch.take<double>(padded_size(m));
  diagonal_ = scratch.take<double>(p_.ld);
  changes_ = scratch.take<int>(m);
  scaled_ = scratch.take<double>(std::size_t(m) * p_.ld);
  plain_ = scratch.take<double>(std::size_t(m) * p_.ld);
  runs_ = scratch.take<TileRun>(m);
  if (scratch.full()) return;
  reset_hessian();
  fill(diagonal_, p_.ld, std::numeric_limits<double>::infinity());
  for (int i = 0; i < p_.n; ++i) diagonal_[i] = p_.M[i * p_.ld + i];
}

inline void DenseOperator::find_row_tiles() {
  for (int r = 0; r < p_.rows.count; ++r) {
    std::uint64_t tiles = 0;
    for (int t = 0; t < plan_.tiles; ++t) {
      if (any_nonzero(p_.J + std::int64_t(r) * p_.ld + t * kTile)) tiles |= sets_.bit(t);
    }
    own_row_tiles_[r] = tiles;
  }
}

// Tiles in which M or the product of two numbers of a row is nonzero.
inline TileBits DenseOperator::find_bits(Scratch& scratch) const {
  const int tiles = plan_.tiles;
  TileBits bits{tiles, TileBits::words_for(tiles), nullptr};
  bits.bits = scratch.take<std::uint64_t>(std::size_t(tiles) * bits.words);
  if (scratch.full()) return bits;
  for (int k = 0; k < tiles * bits.words; ++k) bits.bits[k] = 0;
  if (tiles == 1) {
    bits.set(0, 0);
    return bits;
  }
  for (int k = 0; k < tiles; ++k) {
    const int end = (k + 1) * kTile < p_.n ? (k + 1) * kTile : p_.n;
    for (int t = 0; t <= k; ++t) {
      int i = k * kTile;
      while (i < end && !any_nonzero(p_.M + i * p_.ld + t * kTile)) ++i;
      if (i < end) bits.set(k, t);
    }
  }
  for (int r = 0; r < p_.rows.count; ++r) {
    const std::uint64_t set = row_tiles_[r];
    if (r > 0 && set == row_tiles_[r - 1]) continue;
    sets_.for_each(
        set, tiles, [&](int i) __attribute__((always_inline)) {
          if (sets_.shift == 0) {  // one word holds a row
            *bits.row(i) |= set & ((std::uint64_t{2} << i) - 1);
            return;
          }
          for (int j = 0; j <= i; ++j) {
            if (set & sets_.bit(j)) bits.set(i, j);
          }
        });
  }
  return bits;
}

inline bool DenseOperator::make_plan(Scratch& scratch) {
  if (scratch.full()) return false;
  if (own_row_tiles_) find_row_tiles();
  int* count = scratch.take<int>(plan_.tiles);
  const TileBits bits = find_bits(scratch);
  if (scratch.full()) return false;
  for (int k = 0; k < plan_.tiles; ++k) count[k] = p_.n - k * kTile < kTile ? p_.n - k * kTile : kTile;
  plan_.count = count;
  add_fill(bits, plan_);
  plan_.row_begin = scratch.take<int>(plan_.tiles + 1);
  plan_.column = scratch.take<int>(plan_.slots);
  plan_.update_begin = scratch.take<int>(plan_.slots + 1);
  plan_.update = scratch.take<TilePlan::Update>(plan_.updates);
  if (scratch.full()) return false;
  fill_plan(bits, plan_);
  return true;
}

inline void DenseOperator::set_mass(double* H) const {
  for (int k = 0; k < plan_.tiles; ++k) {
    for (int slot = plan_.row_begin[k]; slot < plan_.row_begin[k + 1]; ++slot) {
      const double* from = p_.M + k * kTile * p_.ld + plan_.column[slot] * kTile;
      double* to = H + slot * std::ptrdiff_t(kSlot);
      for (int i = 0; i < kTile; ++i) {
        if (i < plan_.count[k]) {
          Eight::load(from + i * p_.ld).store(to + i * kTile);
        } else {
          fill(to + i * kTile, kTile, 0);
        }
      }
    }
  }
}

inline void DenseOperator::factor_mass() {
  set_mass(H_);
  factor_tiles(plan_, H_, factor_);
}

inline void DenseOperator::reset_hessian() {
  set_mass(H_);
  fill(applied_, padded_size(p_.rows.count), 0);
  hessian_is_mass_ = true;
}

// Taking away a row that outweighs M by far would leave its rounding error behind.
inline bool DenseOperator::loses_digits(int row, double weight) const {
  constexpr double kMaxRatio = 1e9;
  const double* numbers = p_.J + std::int64_t(row) * p_.ld;
  auto large = typename Lanes::Mask(false);
  for (int c = 0; c < p_.ld; c += kLaneCount) {
    const Lanes x = Lanes::load(numbers + c);
    large = large | (x * x * Lanes(weight) > Lanes(kMaxRatio) * Lanes::load(diagonal_ + c));
  }
  return any(large);
}

// Lists the rows whose weight is not what H has; whole: it is better to begin again with M.
inline int DenseOperator::list_changes(const double* weight, bool& whole) {
  int count = 0, active = 0;
  for (int r = 0; r < p_.rows.count; r += kLaneCount) {
    const Lanes w = Lanes::load(weight + r);
    active += __builtin_popcount(bits(w != Lanes(0)));
    for (unsigned left = bits(w != Lanes::load(applied_ + r)); left != 0; left &= left - 1) {
      changes_[count++] = r + __builtin_ctz(left);
    }
  }
  whole = !hessian_is_mass_ && 2 * count > active;
  for (int k = 0; k < count && !whole; ++k) {
    const int r = changes_[k];
    whole = weight[r] < applied_[r] && loses_digits(r, applied_[r]);
  }
  return count;
}

inline void DenseOperator::pack(int row, double weight) {
  const std::uint64_t tiles = row_tiles_[row];
  if (tiles == 0) return;
  const double* from = p_.J + std::int64_t(row) * p_.ld;
  double *scaled = scaled_ + std::int64_t(packed_) * p_.ld, *plain = plain_ + std::int64_t(packed_) * p_.ld;
  sets_.for_each(
      tiles, plan_.tiles, [&](int t) __attribute__((always_inline)) {
        for (int c = t * kTile; c < (t + 1) * kTile; c += kLaneCount) {
          const Lanes x = Lanes::load(from + c);
          x.store(plain + c);
          (Lanes(weight) * x).store(scaled + c);
        }
      });
  if (run_count_ == 0 || runs_[run_count_ - 1].tiles != tiles) runs_[run_count_++] = {packed_, packed_, tiles};
  runs_[run_count_ - 1].end = ++packed_;
}

inline void DenseOperator::add_packed(double* H) {
  add_products(plan_, sets_, scaled_, plain_, p_.ld, runs_, run_count_, H);
  packed_ = run_count_ = 0;
}

// H_cones = H + cones
inline void DenseOperator::add_cones(const ConeFactor* cones, int cone_count) {
  copy(H_, plan_.slots * kSlot, H_cones_);
  for (int c = 0; c < cone_count; ++c) {
    const ConeFactor& cone = cones[c];
    std::uint64_t tiles = 0;
    for (int j = 0; j < cone.dim; ++j) tiles |= row_tiles_[cone.row + j];
    if (tiles == 0) continue;
    for (int k = 0; k < cone.rank; ++k) {
      double* row = plain_ + std::int64_t(packed_ + k) * p_.ld;
      multiply_transposed(cone.dim, p_.J + std::int64_t(cone.row) * p_.ld, p_.ld, cone.L[k], row);
      copy(row, p_.ld, scaled_ + std::int64_t(packed_ + k) * p_.ld);
    }
    runs_[run_count_++] = {packed_, packed_ + cone.rank, tiles};
    packed_ += cone.rank;
  }
  add_packed(H_cones_);
}

inline int DenseOperator::factor_hessian(const double* weight, const ConeFactor* cones, int cone_count) {
  bool whole = false;
  int count = list_changes(weight, whole);
  if (count == 0 && cone_count == 0 && factored_) return 0;
  if (whole) {
    reset_hessian();
    count = list_changes(weight, whole);
  }
  for (int k = 0; k < count; ++k) {
    const int r = changes_[k];
    pack(r, weight[r] - applied_[r]);
    applied_[r] = weight[r];
  }
  if (count > 0) {
    add_packed(H_);
    hessian_is_mass_ = false;
  }
  if (cone_count > 0) add_cones(cones, cone_count);
  factor_tiles(plan_, cone_count > 0 ? H_cones_ : H_, factor_);
  factored_ = cone_count == 0;
  return count;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
