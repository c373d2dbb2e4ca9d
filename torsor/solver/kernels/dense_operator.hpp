// The operator of a small island: M and J stored whole, the Hessian M + J' D J kept and factored by tiles. Tiles in which
// neither M nor a row has a nonzero are skipped.
#pragma once

#include "torsor/math/tiles_factor.hpp"
#include "torsor/solver/kernels/cones.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

class DenseOperator {
 public:
  DenseOperator(const DenseProblem& problem, Scratch& scratch, bool newton);

  TORSOR_INLINE int size() const { return p_.ld; }
  TORSOR_INLINE void multiply_mass(const double* x, double* y) const { multiply_transposed(p_.n, p_.M, p_.ld, x, y); }
  // y: padded(rows) numbers
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
  TORSOR_INLINE void solve(double* x) const { solve_tiles(p_.n, pattern_, factor_, p_.ld, x); }

 private:
  void find_row_tiles();
  void find_pattern();
  void reset_hessian();
  int list_changes(const double* weight, bool& whole);
  bool loses_digits(int row, double weight) const;
  void pack(int row, double weight);
  void add_packed(double* H);
  void add_cones(const ConeFactor* cones, int cone_count);

  const DenseProblem& p_;
  int rows_ = 0;  // of a matrix in tiles
  TilePattern pattern_;
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
  rows_ = padded(p_.n);
  pattern_.tiles = rows_ / kTile;
  pattern_.shift = TilePattern::shift_for(pattern_.tiles);
  pattern_.rows = scratch.take<std::uint64_t>(pattern_.tiles);
  own_row_tiles_ = p_.blocks && pattern_.shift == 0 ? nullptr : scratch.take<std::uint64_t>(m);
  row_tiles_ = own_row_tiles_ ? own_row_tiles_ : p_.blocks;
  const std::size_t matrix = std::size_t(rows_) * p_.ld;
  H_ = scratch.take<double>(matrix);
  factor_ = {scratch.take<double>(matrix), scratch.take<double>(matrix), scratch.take<double>(rows_)};
  if (newton) {
    int cone_rows = 0;
    for (int c = 0; c < p_.rows.cone_count; ++c) cone_rows += p_.rows.cones[c].dim;
    if (cone_rows > 0) H_cones_ = scratch.take<double>(matrix);
    applied_ = scratch.take<double>(padded(m));
    diagonal_ = scratch.take<double>(p_.ld);
    changes_ = scratch.take<int>(m);
    scaled_ = scratch.take<double>(std::size_t(m) * p_.ld);
    plain_ = scratch.take<double>(std::size_t(m) * p_.ld);
    runs_ = scratch.take<TileRun>(m);
  }
  if (scratch.full()) return;
  find_pattern();
  if (newton) {
    reset_hessian();
    fill(diagonal_, p_.ld, std::numeric_limits<double>::infinity());
    for (int i = 0; i < p_.n; ++i) diagonal_[i] = p_.M[i * p_.ld + i];
  }
}

inline void DenseOperator::find_row_tiles() {
  for (int r = 0; r < p_.rows.count; ++r) {
    std::uint64_t tiles = 0;
    for (int t = 0; t < pattern_.tiles; ++t) {
      const double* numbers = p_.J + std::int64_t(r) * p_.ld + t * kTile;
      auto nonzero = typename Lanes::Mask(false);
      for (int c = 0; c < kTile; c += kLaneCount) nonzero = nonzero | (Lanes::load(numbers + c) != Lanes(0));
      tiles |= any(nonzero) ? pattern_.bit(t) : 0;
    }
    own_row_tiles_[r] = tiles;
  }
}

inline void DenseOperator::find_pattern() {
  if (own_row_tiles_) find_row_tiles();
  for (int i = 0; i < pattern_.tiles; ++i) {
    pattern_.rows[i] = pattern_.bit(i);
    const int last = (i + 1) * kTile < p_.n ? (i + 1) * kTile : p_.n;
    for (int j = i + 1; j < pattern_.tiles; ++j) {
      auto nonzero = typename Lanes::Mask(false);
      for (int r = i * kTile; r < last; ++r) {
        for (int c = j * kTile; c < (j + 1) * kTile; c += kLaneCount) {
          nonzero = nonzero | (Lanes::load(p_.M + r * p_.ld + c) != Lanes(0));
        }
      }
      if (any(nonzero)) pattern_.rows[i] |= pattern_.bit(j);
    }
  }
  for (int r = 0; r < p_.rows.count; ++r) {
    if (r > 0 && row_tiles_[r] == row_tiles_[r - 1]) continue;
    for (int i = 0; i < pattern_.tiles; ++i) {
      if (row_tiles_[r] & pattern_.bit(i)) pattern_.rows[i] |= row_tiles_[r];
    }
  }
  add_fill(pattern_);
}

inline void DenseOperator::factor_mass() {
  copy(p_.M, p_.n * p_.ld, H_);
  factor_tiles(p_.n, pattern_, H_, p_.ld, factor_);
}

inline void DenseOperator::reset_hessian() {
  copy(p_.M, p_.n * p_.ld, H_);
  fill(applied_, padded(p_.rows.count), 0);
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
  for (int r = 0; r < p_.rows.count; ++r) {
    changes_[count] = r;
    count += weight[r] != applied_[r];
    active += weight[r] != 0;
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
  for (int t = 0; t < pattern_.tiles; ++t) {
    if (!(tiles & pattern_.bit(t))) continue;
    for (int c = t * kTile; c < (t + 1) * kTile; c += kLaneCount) {
      const Lanes x = Lanes::load(from + c);
      x.store(plain + c);
      (Lanes(weight) * x).store(scaled + c);
    }
  }
  if (run_count_ == 0 || runs_[run_count_ - 1].tiles != tiles) runs_[run_count_++] = {packed_, packed_, tiles};
  runs_[run_count_ - 1].end = ++packed_;
}

inline void DenseOperator::add_packed(double* H) {
  add_products(pattern_, scaled_, plain_, runs_, run_count_, H, p_.ld);
  packed_ = run_count_ = 0;
}

// H_cones = H + cones
inline void DenseOperator::add_cones(const ConeFactor* cones, int cone_count) {
  copy(H_, p_.n * p_.ld, H_cones_);
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
  factor_tiles(p_.n, pattern_, cone_count > 0 ? H_cones_ : H_, p_.ld, factor_);
  factored_ = cone_count == 0;
  return count;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
