// Sweeps over the forces of a large island: A = J M^-1 J' is never made, its rows are products of sparse ones.
#pragma once

#include "torsor/solver/kernels/block_operator.hpp"
#include "torsor/solver/kernels/gauss_seidel.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

class BlockDual {
 public:
  BlockDual(const BlockProblem& problem, Scratch& scratch, const Pyramid* pyramids, int pyramid_count);

  void pgs(GaussSeidel<SparseDual>& solver, const Options& options, bool cold, Solution& solution) const;
  void noslip(const Options& options, Solution& solution) const;
  const SparseDual& dual() const { return dual_; }

 private:
  template <class F>
  void for_blocks_of_row(int row, const F& f) const;
  void solve_rows(const BlockOperator& op);
  void multiply_rows_with_each_other();
  void start(bool cold, Solution& solution) const;
  void write_result(Solution& solution) const;

  const BlockProblem& p_;
  SparseDual dual_;
  int* tile_block_ = nullptr;
  double* x_ = nullptr;  // one per row, or of one row
};

// f(b) for the blocks that a row touches, ascending
template <class F>
void BlockDual::for_blocks_of_row(int row, const F& f) const {
  int last = -1;
  for (int part = p_.row_begin[row]; part < p_.row_begin[row + 1]; ++part) {
    const int block = tile_block_[p_.tile[part]];
    if (block != last) f(block);
    last = block;
  }
}

inline BlockDual::BlockDual(const BlockProblem& problem, Scratch& scratch, const Pyramid* pyramids, int pyramid_count)
    : p_(problem), dual_(problem) {
  dual_.pyramids = pyramids;
  dual_.pyramid_count = pyramid_count;
  BlockOperator op(problem, scratch, false);
  const int m = p_.rows.count, size = op.size();
  tile_block_ = scratch.take<int>(p_.tiles);
  dual_.solved_begin = scratch.take<int>(m + 1);
  dual_.v = scratch.take<double>(size);
  dual_.before = scratch.take<double>(size);
  dual_.grams = scratch.take<double>(std::size_t(p_.rows.cone_count) * kMaxConeDim * kMaxConeDim);
  dual_.gram_of = scratch.take<int>(m);
  x_ = scratch.take<double>(size > padded_size(m) ? size : padded_size(m));
  double* b = scratch.take<double>(padded_size(m));
  dual_.take(scratch);
  if (scratch.full()) return;
  op.factor_mass();
  for (int k = 0; k < p_.blocks; ++k) {
    for (int t = p_.block_tile[k]; t < p_.block_tile[k + 1]; ++t) tile_block_[t] = k;
  }
  int parts = 0;
  for (int r = 0; r < m; ++r) {
    dual_.solved_begin[r] = parts;
    for_blocks_of_row(r, [&](int k) { parts += p_.block_tile[k + 1] - p_.block_tile[k]; });
  }
  dual_.solved_begin[m] = parts;
  dual_.solved_tile = scratch.take<int>(parts);
  dual_.solved = scratch.take<double>(std::size_t(parts) * kTile);
  if (scratch.full()) return;
  multiply_parts(p_, p_.a_smooth, b);
  for (int r = 0; r < m; ++r) b[r] -= p_.rows.aref[r];
  dual_.b = b;
  solve_rows(op);
  multiply_rows_with_each_other();
}

// The numbers of A that sweeps need again and again.
inline void BlockDual::multiply_rows_with_each_other() {
  dual_.set_bounds([&](int r) { return multiply_rows_of(dual_, r, r) + p_.rows.R[r]; });
  for (int r = 0; r < p_.rows.count; ++r) dual_.gram_of[r] = -1;
  for (int c = 0; c < p_.rows.cone_count; ++c) {
    const Cone& cone = p_.rows.cones[c];
    double* A = dual_.grams + std::int64_t(c) * kMaxConeDim * kMaxConeDim;
    dual_.gram_of[cone.row] = c;
    for (int i = 0; i < cone.dim; ++i) {
      for (int j = 0; j <= i; ++j) {
        A[kMaxConeDim * i + j] = A[kMaxConeDim * j + i] = multiply_rows_of(dual_, cone.row + i, cone.row + j);
      }
    }
  }
}

inline void BlockDual::solve_rows(const BlockOperator& op) {
  fill(x_, op.size(), 0);
  for (int r = 0; r < p_.rows.count; ++r) {
    for (int part = p_.row_begin[r]; part < p_.row_begin[r + 1]; ++part) {
      Eight::load(p_.J + part * std::ptrdiff_t(kTile)).store(x_ + p_.tile[part] * kTile);
    }
    int to = dual_.solved_begin[r];
    for_blocks_of_row(r, [&](int k) {
      op.solve_block(k, x_);
      for (int t = p_.block_tile[k]; t < p_.block_tile[k + 1]; ++t, ++to) {
        dual_.solved_tile[to] = t;
        Eight::load(x_ + t * kTile).store(dual_.solved + to * std::ptrdiff_t(kTile));
        fill(x_ + t * kTile, kTile, 0);
      }
    });
  }
}

// The forces that the start implies, or none if it is a cold one.
inline void BlockDual::start(bool cold, Solution& solution) const {
  const Rows& rows = p_.rows;
  fill(solution.force, rows.count, 0);
  if (cold) return;
  multiply_parts(p_, solution.a, x_);
  for (int r = 0; r < rows.count; ++r) x_[r] -= rows.aref[r];
  evaluate(rows, x_, solution.force, nullptr);
}

// qfrc = J' force, a = a_smooth + M^-1 qfrc. The sum v is made anew: it has gathered rounding errors.
inline void BlockDual::write_result(Solution& solution) const {
  multiply_parts_transposed(p_, solution.force, solution.qfrc);
  renew(dual_, solution.force, dual_.v);
  for (int i = 0; i < p_.tiles * kTile; ++i) solution.a[i] = p_.a_smooth[i] + dual_.v[i];
}

inline void BlockDual::pgs(GaussSeidel<SparseDual>& solver, const Options& options, bool cold,
                           Solution& solution) const {
  start(cold, solution);
  solver.run(options, solution);
  write_result(solution);
  multiply_parts(p_, solution.a, x_);
  for (int r = 0; r < p_.rows.count; ++r) x_[r] -= p_.rows.aref[r];
  evaluate(p_.rows, x_, nullptr, solution.state);
}

inline void BlockDual::noslip(const Options& options, Solution& solution) const {
  renew(dual_, solution.force, dual_.v);
  sweep_without_slip(dual_, options, solution);
  write_result(solution);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
