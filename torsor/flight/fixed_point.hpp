// Fixed points x = G(x) by relaxed iteration, x += factor * (G(x) - x), for codes that couple two solvers within a
// step. The factor is constant, or Aitken's: from the last two residuals, as if G were linear along their difference.
//
//   FixedPoint iteration(weights, {.aitken = true});
//   iteration.start(x);                                   // the state at the start of the step
//   do { compute(x, image); } while (!iteration.update(x, image));
//
// Converged: |D r| <= relative_tolerance |D (x - x_start)| + absolute_tolerance, with r = G(x) - x and the weights D.
#pragma once

#include <span>
#include <vector>

namespace torsor {

struct FixedPointOptions {
  double relaxation = 0.5;  // the constant factor; the first one with Aitken
  bool aitken = true;
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-12;
  int max_iterations = 50;
  double min_relaxation = 1e-4, max_relaxation = 2;  // limits of Aitken's factor
};

struct FixedPointRecord {
  double residual;    // |D r|
  double bound;       // what it had to be at most
  double relaxation;  // the factor of the update that followed
};

class FixedPoint {
 public:
  // One weight per number of x. Throws an Error for weights or options that make no sense.
  explicit FixedPoint(std::vector<double> weights, const FixedPointOptions& options = {});

  // Begins a new iteration from x; clears the history.
  void start(std::span<const double> x);
  // Takes x and G(x). If converged, x becomes G(x); else it moves by the relaxed residual. Returns whether the
  // iteration has ended: converged, or out of iterations, which leaves x as it was. Throws an Error if G(x) is not
  // finite.
  bool update(std::span<double> x, std::span<const double> image);
  // The same for an x that is not a vector, such as a rotation: takes the residual and how far x is from the start, and
  // returns the factor to move x by; 0 once ended.
  double relax(std::span<const double> residual, std::span<const double> increment);

  bool has_converged() const { return has_converged_; }
  bool has_ended() const { return has_converged_ || iterations() >= options_.max_iterations; }
  int iterations() const { return static_cast<int>(history_.size()); }
  const std::vector<FixedPointRecord>& history() const { return history_; }
  const FixedPointOptions& options() const { return options_; }
  size_t size() const { return weights_.size(); }

 private:
  double weighted_norm(std::span<const double> v) const;
  double find_factor(std::span<const double> residual) const;
  void require_size(std::span<const double> v, const char* name) const;

  std::vector<double> weights_, start_, previous_, residual_, increment_;
  FixedPointOptions options_;
  std::vector<FixedPointRecord> history_;
  bool has_converged_ = false;
};

}  // namespace torsor
