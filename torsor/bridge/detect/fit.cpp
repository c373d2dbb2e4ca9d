#include "torsor/bridge/detect/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace torsor::detection {
namespace {

constexpr double kSingular = 1e-10;  // of a pivot, relative to its initial value
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Normal equations of weighted least squares, as a dense symmetric matrix.
struct Normal {
  size_t n;
  std::vector<double> A, b;
};

Normal make_normal(const Equations& eq, const std::vector<double>& weights) {
  const auto n = static_cast<size_t>(eq.unknowns);
  Normal normal{n, std::vector<double>(n * n), std::vector<double>(n)};
  for (size_t k = 0; k < eq.y.size(); ++k) {
    const double weight = weights[k % weights.size()];
    const double* x = &eq.x[k * n];
    for (size_t i = 0; i < n; ++i) {
      normal.b[i] -= weight * x[i] * eq.y[k];
      for (size_t j = 0; j < n; ++j) normal.A[i * n + j] += weight * x[i] * x[j];
    }
  }
  return normal;
}

// Gauss-Jordan inverse for the unknowns that are used and that the equations determine; `told` receives which these
// are.
std::vector<double> invert(const Normal& normal, std::vector<bool>& told) {
  const size_t n = normal.n;
  std::vector<double> A = normal.A, inverse(n * n);
  for (size_t i = 0; i < n; ++i) inverse[i * n + i] = 1;
  for (size_t k = 0; k < n; ++k) {
    if (!told[k] || !(A[k * n + k] > kSingular * normal.A[k * n + k])) {
      told[k] = false;
      continue;
    }
    const double pivot = A[k * n + k];
    for (size_t j = 0; j < n; ++j) A[k * n + j] /= pivot, inverse[k * n + j] /= pivot;
    for (size_t i = 0; i < n; ++i) {
      if (i == k || !told[i]) continue;
      const double factor = A[i * n + k];
      for (size_t j = 0; j < n; ++j) {
        A[i * n + j] -= factor * A[k * n + j];
        inverse[i * n + j] -= factor * inverse[k * n + j];
      }
    }
  }
  return inverse;
}

void estimate(const Equations& eq, const std::vector<double>& weights, double bound, Fit& fit) {
  const Normal normal = make_normal(eq, weights);
  const size_t n = normal.n;
  std::vector<bool> told(n, true);
  std::vector<double> b = normal.b, inverse = invert(normal, told);
  const auto multiply = [&] {
    for (size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (size_t j = 0; j < n && told[i]; ++j) sum += told[j] ? inverse[i * n + j] * b[j] : 0;
      fit.theta[i] = sum;
      fit.sigma[i] = told[i] ? std::sqrt(inverse[i * n + i]) : kInfinite;
    }
  };
  multiply();
  if (n == 0 || std::abs(fit.theta[0]) <= bound) return;
  // at its bound, the first unknown becomes a constant
  const double fixed = fit.theta[0] < 0 ? -bound : bound;
  for (size_t i = 0; i < n; ++i) b[i] -= normal.A[i * n] * fixed, told[i] = true;
  told[0] = false;
  inverse = invert(normal, told);
  multiply();
  fit.theta[0] = fixed;
}

void find_squares(const Equations& eq, Fit& fit) {
  const auto channels = static_cast<size_t>(eq.channels), n = static_cast<size_t>(eq.unknowns);
  for (size_t c = 0; c < channels; ++c) fit.squares[c] = static_cast<double>(fit.count) * eq.floor[c];
  for (size_t k = 0; k < eq.y.size(); ++k) {
    double e = eq.y[k];
    for (size_t i = 0; i < n; ++i) e += eq.x[k * n + i] * fit.theta[i];
    fit.squares[k % channels] += e * e;
  }
}

double half_log(const std::vector<double>& squares, size_t count) {
  double sum = 0;
  for (const double square : squares) sum -= 0.5 * static_cast<double>(count) * std::log(square);
  return sum;
}

}  // namespace

double Fit::log_likelihood() const { return half_log(squares, count); }

double Fit::information() const {
  double sum = 0;
  for (size_t c = 0; c < squares.size(); ++c) sum += static_cast<double>(count) * motion[c] / squares[c];
  return sum;
}

double Fit::unexplained() const {
  double left = 0, whole = 0;
  for (size_t c = 0; c < squares.size(); ++c) left += squares[c], whole += motion[c];
  return std::sqrt(left / whole);
}

Fit solve(const Equations& equations, const std::vector<double>& left, double bound) {
  const auto channels = static_cast<size_t>(equations.channels), n = static_cast<size_t>(equations.unknowns);
  Fit fit{std::vector<double>(n), std::vector<double>(n), std::vector<double>(channels), std::vector<double>(channels),
          equations.count()};
  const auto count = static_cast<double>(fit.count);
  for (size_t c = 0; c < channels; ++c) fit.motion[c] = count * equations.floor[c];
  for (size_t k = 0; k < left.size(); ++k) {
    const double right = equations.y[k] - left[k];
    fit.motion[k % channels] += left[k] * left[k] + right * right;
  }
  // the noise of a channel is estimated from the solution; three iterations suffice
  std::vector<double> weights(channels);
  for (size_t c = 0; c < channels; ++c) weights[c] = count / fit.motion[c];
  for (int round = 0; round < 3; ++round) {
    estimate(equations, weights, bound, fit);
    find_squares(equations, fit);
    for (size_t c = 0; c < channels; ++c) weights[c] = count / fit.squares[c];
  }
  return fit;
}

}  // namespace torsor::detection
