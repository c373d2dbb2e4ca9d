// Sweeps over the forces of a large island: A = J M^-1 J' is never made, its rows are products of sparse ones.
#pragma once

#include "torsor/solver/kernels/block_operator.hpp"
#include "torsor/solver/kernels/dual.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

class BlockDual {
 public:
  BlockDual(const BlockProblem& problem, Scratch& scratch, const Pyramid* pyramids, int pyramid_count);

  int pgs(const Options& options, bool cold, Solution& solution) const;
  int noslip(const Options& options, Solution& solution) const;

 private:
  template <class F>
  void for_blocks_of_row(int row, const F& f) const;
  void solve_rows(const BlockOperator& op);
  void multiply_rows_with_each_other();
  void set_velocity(const double* force) const;
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
    : p_(problem),
      dual_{.primal = problem, .rows = problem.rows, .pyramids = pyramids, .pyramid_count = pyramid_count} {
  BlockOperator op(problem, scratch, false);
  const int m = p_.rows.count, size = op.size();
  tile_block_ = scratch.take<int>(p_.tiles);
  dual_.solved_begin = scratch.take<int>(m + 1);
  dual_.v = scratch.take<double>(size);
  dual_.diagonal = scratch.take<double>(m);
  dual_.grams = scratch.take<double>(std::size_t(pyramid_count) * kMaxEdges * kMaxEdges);
  x_ = scratch.take<double>(size > padded_size(m) ? size : padded_size(m));
  double* b = scratch.take<double>(padded_size(m));
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
  for (int r = 0; r < p_.rows.count; ++r) dual_.diagonal[r] = multiply_rows_of(dual_, r, r);
  for (int p = 0; p < dual_.pyramid_count; ++p) {
    const Pyramid& pyramid = dual_.pyramids[p];
    double* A = dual_.grams + std::int64_t(p) * kMaxEdges * kMaxEdges;
    for (int i = 0; i < pyramid.count; ++i) {
      for (int j = 0; j <= i; ++j) {
        A[kMaxEdges * i + j] = A[kMaxEdges * j + i] = multiply_rows_of(dual_, pyramid.row + i, pyramid.row + j);
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

// v = M^-1 J' force
inline void BlockDual::set_velocity(const double* force) const {
  fill(dual_.v, p_.tiles * kTile, 0);
  for (int r = 0; r < p_.rows.count; ++r) {
    if (force[r] != 0) follow(dual_, r, force[r]);
  }
}

// The forces that the start implies, or none if it is a cold one or where those cost more.
inline void BlockDual::start(bool cold, Solution& solution) const {
  const Rows& rows = p_.rows;
  fill(solution.force, rows.count, 0);
  fill(dual_.v, p_.tiles * kTile, 0);
  if (cold) return;
  multiply_parts(p_, solution.a, x_);
  for (int r = 0; r < rows.count; ++r) x_[r] -= rows.aref[r];
  evaluate(rows, x_, solution.force, nullptr);
  set_velocity(solution.force);
  double cost = 0;
  for (int r = 0; r < rows.count; ++r) {
    const double pull = multiply_row(p_, r, dual_.v) + rows.R[r] * solution.force[r];
    cost += solution.force[r] * (0.5 * pull + dual_.b[r]);
  }
  if (cost <= 0) return;
  fill(solution.force, rows.count, 0);
  fill(dual_.v, p_.tiles * kTile, 0);
}

// qfrc = J' force, a = a_smooth + M^-1 qfrc. The sum v is made anew: it has gathered rounding errors.
inline void BlockDual::write_result(Solution& solution) const {
  multiply_parts_transposed(p_, solution.force, solution.qfrc);
  set_velocity(solution.force);
  for (int i = 0; i < p_.tiles * kTile; ++i) solution.a[i] = p_.a_smooth[i] + dual_.v[i];
}

inline int BlockDual::pgs(const Options& options, bool cold, Solution& solution) const {
  start(cold, solution);
  const int sweeps = repeat(options, solution.statistics, solution.statistics_capacity,
                            [&] { return sweep_all(dual_, solution.force); });
  write_result(solution);
  multiply_parts(p_, solution.a, x_);
  for (int r = 0; r < p_.rows.count; ++r) x_[r] -= p_.rows.aref[r];
  evaluate(p_.rows, x_, nullptr, solution.state);
  return sweeps;
}

inline int BlockDual::noslip(const Options& options, Solution& solution) const {
  set_velocity(solution.force);
  const int sweeps = repeat(options, nullptr, 0, [&] { return sweep_friction(dual_, solution.force); });
  write_result(solution);
  return sweeps;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
