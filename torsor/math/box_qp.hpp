// Quadratic programs with bounds: the x within [lower, upper] that minimises x'Hx/2 + x'g, by projected Newton steps
// [Tassa, Mansard, Todorov 2014].
#pragma once

namespace torsor::linear {

struct BoxProblem {
  int n = 0;
  const double* H = nullptr;                        // n x n, symmetric positive definite, by rows
  const double* g = nullptr;                        // n
  const double *lower = nullptr, *upper = nullptr;  // n each; null: no bound
};

// Writes the solution over the first guess x. `R` (n x n) receives the Cholesky factor of H in the free dimensions, and
// `index` (n, may be null) these dimensions. Returns how many dimensions are free, or -1 if H is not positive definite
// in them.
int solve_box(const BoxProblem& problem, double* x, double* R, int* index);

}  // namespace torsor::linear
