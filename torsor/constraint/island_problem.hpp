// One island as a problem for the solvers.
#pragma once

#include "torsor/constraint/islands.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {

// Arrays are in scratch and in the island's own order of rows and dofs. The solution starts at qacc_warmstart. A large
// island is in `blocks`; `problem` then has no matrices, and its vectors are those of `blocks`.
struct IslandProblem {
  solver::DenseProblem problem;
  solver::BlockProblem blocks;
  solver::Solution solution;
  const int *rows = nullptr, *dofs = nullptr;
  const int* place = nullptr;  // of each dof in the vectors; null: the same order
  double scale = 1;            // 1 / trace of M

  bool is_large() const { return blocks.tiles > 0; }
  int place_of(int dof) const { return place ? place[dof] : dof; }  // dof of the island
};

// How many rows of an island, from r on, belong to the equality, limit or contact of that row: they have the same dofs,
// and their Jacobians follow each other.
int count_rows_alike(const Data& data, const int* rows, int r, int end);

// The numbers of M, or of efm_M in discrete time.
const double* matrix_of_solver(const Model& model, const Data& data);

// What SAP adds to the diagonal of M: h times the damping of the dof. 0 for other solvers.
double implicit_part(const Model& model, const Data& data, int dof);

// False when scratch ran out.
bool gather_island(const Model& model, Data& data, const Islands& islands, int index, IslandProblem& island);

// The matrices of a large island and the places of its dofs. Reads problem.n and problem.rows.count.
bool gather_blocks(const Model& model, Data& data, const Islands& islands, IslandProblem& island);

// Improves the forces of an island by sweeps over the dual problem; with `noslip` only to remove slip. Then computes a
// and qfrc from the forces.
bool solve_island_dual(const Model& model, Data& data, IslandProblem& island, bool noslip);

solver::Options solver_options(const Model& model, double scale);

}  // namespace torsor
