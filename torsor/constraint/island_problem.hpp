// One island as a problem of the solvers.
#pragma once

#include "torsor/constraint/islands.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {

// Arrays are in scratch and in the island's own order of rows and dofs. The solution starts at qacc_warmstart.
struct IslandProblem {
  solver::DenseProblem problem;
  solver::Solution solution;
  const int *rows = nullptr, *dofs = nullptr;
  double scale = 1;  // 1 / trace of M
};

// False when scratch ran out.
bool gather_island(const Model& model, Data& data, const Islands& islands, int index, IslandProblem& island);

// Improves the forces of an island: sweeps over the dual problem, `noslip` only to remove slip. Then a and qfrc follow
// from the forces.
void solve_island_dual(const Model& model, Data& data, IslandProblem& island, bool noslip);

solver::Options solver_options(const Model& model, double scale);

}  // namespace torsor
