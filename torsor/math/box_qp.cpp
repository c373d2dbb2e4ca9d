// Each iteration fixes the dimensions that are at a bound and would leave it, takes a Newton step in the others, and
// shortens the step until the cost, projected to the box, has decreased enough.
#include "torsor/math/box_qp.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "torsor/math/linear.hpp"

namespace torsor::linear {
namespace {

constexpr int kIterations = 100;
constexpr double kLeastGradient = 1e-16, kBacktrack = 0.5, kLeastStep = 1e-22, kArmijo = 0.1;

class BoxSolver {
 public:
  BoxSolver(const BoxProblem& problem, double* x, double* R)
      : p_(problem), x_(x), R_(R), gradient_(count()), step_(count()), candidate_(count()), work_(count()) {}

  int run(int* index) {
    clamp(x_, x_);
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      compute_gradient();
      const bool changed = find_free();
      if (free_.empty()) break;
      if ((changed || iteration == 0) && !factor()) return -1;
      if (free_gradient() < kLeastGradient || !advance()) break;
    }
    if (index) std::copy(free_.begin(), free_.end(), index);
    return static_cast<int>(free_.size());
  }

 private:
  size_t count() const { return static_cast<size_t>(p_.n); }
  double low(int i) const { return p_.lower ? p_.lower[i] : -INFINITY; }
  double high(int i) const { return p_.upper ? p_.upper[i] : INFINITY; }
  void clamp(const double* from, double* to) const {
    for (int i = 0; i < p_.n; ++i) to[i] = std::max(low(i), std::min(high(i), from[i]));
  }
  void compute_gradient() {
    multiply(p_.n, p_.n, p_.H, x_, gradient_.data());
    for (int i = 0; i < p_.n; ++i) gradient_[static_cast<size_t>(i)] += p_.g[i];
  }
  double cost(const double* x) {
    multiply(p_.n, p_.n, p_.H, x, work_.data());
    return 0.5 * dot(p_.n, x, work_.data()) + dot(p_.n, x, p_.g);
  }
  // Returns whether the free dimensions are others than before.
  bool find_free() {
    std::vector<int> now;
    for (int i = 0; i < p_.n; ++i) {
      const double slope = gradient_[static_cast<size_t>(i)];
      if (!((x_[i] <= low(i) && slope > 0) || (x_[i] >= high(i) && slope < 0))) now.push_back(i);
    }
    const bool changed = now != free_;
    free_ = std::move(now);
    return changed;
  }
  bool factor() {
    const int n = static_cast<int>(free_.size());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        R_[i * n + j] =
            p_.H[static_cast<ptrdiff_t>(free_[static_cast<size_t>(i)]) * p_.n + free_[static_cast<size_t>(j)]];
    return factor_cholesky(n, 1e-15, R_) == n;
  }
  double free_gradient() const {
    double sum = 0;
    for (const int i : free_) sum += gradient_[static_cast<size_t>(i)] * gradient_[static_cast<size_t>(i)];
    return std::sqrt(sum);
  }
  // The Newton step in the free dimensions, and a line search along its projection.
  bool advance() {
    const int n = static_cast<int>(free_.size());
    for (int i = 0; i < n; ++i)
      work_[static_cast<size_t>(i)] = -gradient_[static_cast<size_t>(free_[static_cast<size_t>(i)])];
    solve_cholesky(n, R_, work_.data(), work_.data());
    std::fill(step_.begin(), step_.end(), 0.0);
    for (int i = 0; i < n; ++i)
      step_[static_cast<size_t>(free_[static_cast<size_t>(i)])] = work_[static_cast<size_t>(i)];
    const double before = cost(x_), slope = dot(p_.n, step_.data(), gradient_.data());
    if (slope >= 0) return false;
    for (double length = 1; length > kLeastStep; length *= kBacktrack) {
      for (int i = 0; i < p_.n; ++i)
        candidate_[static_cast<size_t>(i)] = x_[i] + length * step_[static_cast<size_t>(i)];
      clamp(candidate_.data(), candidate_.data());
      if (cost(candidate_.data()) > before + kArmijo * length * slope && length > 1e-12) continue;
      const bool moved = !std::equal(candidate_.begin(), candidate_.end(), x_);
      std::copy(candidate_.begin(), candidate_.end(), x_);
      return moved;
    }
    return false;
  }

  const BoxProblem& p_;
  double *x_, *R_;
  std::vector<double> gradient_, step_, candidate_, work_;
  std::vector<int> free_;
};

}  // namespace

int solve_box(const BoxProblem& problem, double* x, double* R, int* index) {
  return BoxSolver(problem, x, R).run(index);
}

}  // namespace torsor::linear
