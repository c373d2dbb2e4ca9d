// The functions that every instruction set exports.
#pragma once

#include "torsor/solver/solver.hpp"

namespace torsor::solver {

struct SolverKernels {
  bool (*newton)(const DenseProblem&, const Options&, Arena&, Solution&);
  bool (*cg)(const DenseProblem&, const Options&, Arena&, Solution&);
  bool (*block_newton)(const BlockProblem&, const Options&, Arena&, Solution&);
  bool (*block_cg)(const BlockProblem&, const Options&, Arena&, Solution&);
  double (*evaluate)(const Rows&, const double* x, double* force, int* state);
  void (*multiply_by_inverse)(const DenseProblem&, const TreeFactor&, double* Y, double* AR);
  bool (*pgs)(const DualProblem&, const Options&, Arena&, Solution&);
  bool (*noslip)(const DualProblem&, const Options&, Arena&, Solution&);
  bool (*block_pgs)(const BlockProblem&, const Options&, bool cold, Arena&, Solution&);
  bool (*block_noslip)(const BlockProblem&, const Pyramid*, int pyramid_count, const Options&, Arena&, Solution&);
};

}  // namespace torsor::solver
