// The constraint solvers: Newton and conjugate gradients on the primal problem of problem.hpp, projected Gauss-Seidel
// and the removal of slip on its dual. Each solves one island. Nothing here allocates: scratch comes from an Arena and
// is given back.
#pragma once

#include <cstdint>

#include "torsor/core/arena.hpp"
#include "torsor/solver/problem.hpp"

namespace torsor::solver {

// An island whose matrices are stored whole. Rows are ld numbers apart; ld is a multiple of 8 and at least n, the
// columns from n on are zero, and the arrays are 64-byte aligned.
struct DenseProblem {
  int n = 0, ld = 0;
  const double* M = nullptr;         // n x ld, symmetric, both triangles
  const double* J = nullptr;         // rows.count x ld
  const double* a_smooth = nullptr;  // ld
  const double* f_smooth = nullptr;  // ld, M a_smooth
  const double* momentum = nullptr;  // ld, M v / h at a = 0; read with a relative tolerance only
  const double* weight = nullptr;    // ld, 1 / diag(M), 0 in padding; the same
  Rows rows;
  // Hints that save work; null: the solver looks itself.
  const double* b = nullptr;              // rows.count, J a_smooth - aref
  const std::uint64_t* blocks = nullptr;  // per row, bit k: columns 8 k to 8 k + 8 may be nonzero. Needs ld <= 512.
};

// An island of many trees: M is dense in blocks of one or a few trees, and a row has numbers in few places. `a` and all
// that is like it is cut into tiles of 8 numbers; each block begins with a tile, and what it leaves of its last tile is
// zero. Arrays of numbers are 64-byte aligned.
struct BlockProblem {
  int tiles = 0, blocks = 0;
  const int* block_tile = nullptr;   // blocks + 1, first tile of each block
  const int* block_size = nullptr;   // blocks, dofs
  const double* const* M = nullptr;  // blocks, each block_size x 8 tiles of the block, symmetric, both triangles
  const int* row_begin = nullptr;    // rows.count + 1, into tile. Rows of a cone must have the same tiles
  const int* tile = nullptr;         // parts of rows, ascending in a row
  const double* J = nullptr;         // 8 numbers for each part
  const double* a_smooth = nullptr;  // 8 tiles
  const double* f_smooth = nullptr;  // 8 tiles, M a_smooth
  const double *momentum = nullptr, *weight = nullptr;  // as those of DenseProblem
  Rows rows;
  const double* b = nullptr;  // rows.count, J a_smooth - aref; may be null
};

// Lengths that are ld here are 8 tiles for a BlockProblem.
struct Solution {
  double* a = nullptr;              // ld; in: where to start, unless a_smooth costs less; out: the minimum
  double* force = nullptr;          // rows.count
  int* state = nullptr;             // rows.count, RowState
  double* qfrc = nullptr;           // ld, J' force
  double* cone_hessians = nullptr;  // 36 per cone, rows of 6: second derivatives in state kCone, else zero; may be null
  Statistic* statistics = nullptr;  // one per iteration, the first statistics_capacity of them; may be null
  int statistics_capacity = 0;
  int iterations = 0;
  bool converged = false;  // ended by tolerance, or in primal solvers by a cost that no longer changes
};

// All return false, with nothing computed, when the arena is too small. Numbers that are not finite end in an `a` that
// is not finite, never in a hang.
bool solve_newton(const DenseProblem& problem, const Options& options, Arena& arena, Solution& solution);
bool solve_cg(const DenseProblem& problem, const Options& options, Arena& arena, Solution& solution);
bool solve_newton(const BlockProblem& problem, const Options& options, Arena& arena, Solution& solution);
bool solve_cg(const BlockProblem& problem, const Options& options, Arena& arena, Solution& solution);

// Cost of the constraints at x = J a - aref, and force and state of each row there (both may be null).
double evaluate_constraints(const Rows& rows, const double* x, double* force, int* state);

// The edges of the friction pyramid of a contact: 2 rows per tangent direction, a pair of opposite edges each.
struct Pyramid {
  int row, count;
};

// The same problem in terms of forces: minimise 1/2 f' (A + R) f + f' b over forces in their sets, A = J M^-1 J'.
struct DualProblem {
  const double* AR = nullptr;  // A + diag(R), rows of dual_stride() numbers, zero beyond the rows
  const double* b = nullptr;   // J a_smooth - aref
  Rows rows;
  const Pyramid* pyramids = nullptr;  // by rows, ascending; noslip only
  int pyramid_count = 0;
};
inline int dual_stride(int rows) { return (rows + 7) / 8 * 8; }

// M = L' D L of a tree: row i of L has numbers L[k] in the columns column[k] < i, begin[i] <= k < begin[i] + count[i]
// - 1. Rows and columns are numbered as in the whole model: `dofs` are those of the problem, and place[dofs[i]] = i.
struct TreeFactor {
  const int *dofs, *place, *begin, *count, *column;
  const double *L, *inverse;  // inverse of D
};

// AR of a problem, rows.count x dual_stride(). False when the arena is too small.
bool make_dual_matrix(const DenseProblem& problem, const TreeFactor& factor, Arena& arena, double* AR);

// From the solution's `force`, of which nothing else is read, or from none if that costs less, to better ones. The
// statistics' improvement is the decrease of the dual cost in a sweep.
bool solve_pgs(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution);
// Sweeps over friction only, the normal forces kept and R left out: what is left of slip is removed.
// They count as further iterations, the first with what R costs as part of its improvement.
bool solve_noslip(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution);

// The same for a large island, without its matrix A: from the warm start in the solution's `a`, or from no forces when
// `cold`, to a, force, state and qfrc; noslip from forces to forces, a and qfrc.
bool solve_pgs(const BlockProblem& problem, const Options& options, bool cold, Arena& arena, Solution& solution);
bool solve_noslip(const BlockProblem& problem, const Pyramid* pyramids, int pyramid_count, const Options& options,
                  Arena& arena, Solution& solution);

}  // namespace torsor::solver
