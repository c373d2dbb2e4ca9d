// The functions that every instruction set exports.
#pragma once

#include "torsor/solver/solver.hpp"

namespace torsor::solver {

struct SolverKernels {
  bool (*newton)(const DenseProblem&, const Options&, Arena&, Solution&);
  bool (*cg)(const DenseProblem&, const Options&, Arena&, Solution&);
  double (*evaluate)(const Rows&, const double* x, double* force, int* state);
  int (*pgs)(const DualProblem&, const Options&, double* force, Statistic*, int capacity);
  int (*noslip)(const DualProblem&, const Options&, double* force, Statistic*, int capacity);
};

}  // namespace torsor::solver
