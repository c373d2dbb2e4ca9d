// The primal loop: from a start, downhill along one direction after the other to the exact minimum on each, until the
// gradient or the improvement is small. The operator knows how M and J are stored:
//     size()                                      numbers of a, with padding
//     multiply_mass, multiply_jacobian, multiply_jacobian_transposed
//     factor_mass() | factor_hessian(weights, cones), then solve(x)
#pragma once

#include "torsor/solver/kernels/cones.hpp"
#include "torsor/solver/kernels/line_search.hpp"
#include "torsor/solver/kernels/primal_rules.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// cost of the smooth part along a + s p: first + s second; that of rows at x + s `along`
struct Line {
  double smooth_first, smooth_second;
  const RowArrays& rows;
  const double *x, *along;
  const ConeLines& cones;

  TORSOR_INLINE Slope slope(double step) const {
    const Slope of_rows = slope_of_rows(rows, x, along, step);
    Slope sum{smooth_first + step * smooth_second + of_rows.first, smooth_second + of_rows.second};
    if (cones.count > 0) {
      const Slope of_cones = slope_of_cones(cones, step);
      sum.first += of_cones.first;
      sum.second += of_cones.second;
    }
    return sum;
  }
};

// What the loop reads besides the operator.
struct PrimalInput {
  const Rows& rows;
  const double *a_smooth, *f_smooth, *momentum, *weight;
  const double* b;  // may be null
  const Options& options;
};

template <class Operator, bool kNewton>
class Primal {
 public:
  Primal(Operator& op, const PrimalInput& in, Scratch& scratch, Solution& out);
  void run();

 private:
  double smooth_cost() const;
  RowSums evaluate(double step, const double* along, const RowPoint& at);
  void start();
  void compute_gradient();
  bool is_small() const;
  bool is_small_beside_momentum() const;
  int list_curved_cones();
  int compute_direction();
  LineMinimum search();
  void move(const LineMinimum& line);
  Statistic* statistic(int iteration) const;
  void write_result();

  Operator& op_;
  const PrimalInput& in_;
  Solution& out_;
  int size_;
  RowArrays rows_;
  ConeLines lines_;
  RowPoint at_, other_;
  ConeFactor* cones_;
  int* zones_;
  double *Ma_, *g_, *p_, *Mp_, *along_;     // along = J p
  double *z_ = nullptr, *old_z_ = nullptr;  // conjugate gradients: M^-1 g, now and before
  double gz_ = 0;
  double cost_ = 0, gradient_ = 0, slope_ = 0;
  bool done_ = false, conjugate_ = false;
  int stalls_ = 0;
};

template <class Operator, bool kNewton>
Primal<Operator, kNewton>::Primal(Operator& op, const PrimalInput& in, Scratch& scratch, Solution& out)
    : op_(op), in_(in), out_(out), size_(op.size()) {
  rows_ = take_rows(scratch, in.rows.count);
  lines_ = take_lines(scratch, in.rows.cone_count);
  at_ = take_point(scratch, rows_.size);
  other_ = take_point(scratch, rows_.size);
  cones_ = kNewton ? scratch.take<ConeFactor>(in.rows.cone_count) : nullptr;
  zones_ = scratch.take<int>(in.rows.cone_count);
  Ma_ = scratch.take<double>(size_);
  g_ = scratch.take<double>(size_);
  p_ = scratch.take<double>(size_);
  Mp_ = scratch.take<double>(size_);
  along_ = scratch.take<double>(rows_.size);
  if (!kNewton) {
    z_ = scratch.take<double>(size_);
    old_z_ = scratch.take<double>(size_);
  }
}

// 1/2 (a - a_smooth)' M (a - a_smooth)
template <class Operator, bool kNewton>
double Primal<Operator, kNewton>::smooth_cost() const {
  Lanes sum(0);
  for (int i = 0; i < size_; i += kLaneCount) {
    sum += (Lanes::load(out_.a + i) - Lanes::load(in_.a_smooth + i)) *
           (Lanes::load(Ma_ + i) - Lanes::load(in_.f_smooth + i));
  }
  return 0.5 * sum_of_lanes(sum);
}

// Rows and cones at x + step along, which becomes the new x.
template <class Operator, bool kNewton>
RowSums Primal<Operator, kNewton>::evaluate(double step, const double* along, const RowPoint& at) {
  RowSums sums = evaluate_rows(rows_, step, along, at);
  for (int c = 0; c < in_.rows.cone_count; ++c) {
    const Cone& cone = in_.rows.cones[c];
    const ConeCost at_cone = evaluate_cone(cone, rows_.D + cone.row, at.x + cone.row, at.force + cone.row);
    sums.cost += at_cone.cost;
    sums.active += at_cone.zone != RowState::kSatisfied ? cone.dim : 0;
    if (zones_[c] == int(RowState::kQuadratic)) sums.changed -= cone.dim;  // its weights were not the rows' own
    sums.changed += int(at_cone.zone) != zones_[c] ? cone.dim : 0;
    zones_[c] = int(at_cone.zone);
    if (at_cone.zone == RowState::kQuadratic) {
      copy(rows_.D + cone.row, cone.dim, at.weight + cone.row);
    } else {
      fill(at.weight + cone.row, cone.dim, 0);
    }
  }
  return sums;
}

// Everything at the given start, or at a_smooth if that costs less.
template <class Operator, bool kNewton>
void Primal<Operator, kNewton>::start() {
  fill(along_, rows_.size, 0);
  fill(at_.weight, rows_.size, 0);
  fill(other_.weight, rows_.size, 0);
  for (int c = 0; c < in_.rows.cone_count; ++c) zones_[c] = 0;
  if (in_.b) {
    copy(in_.b, rows_.count, other_.x);
    fill(other_.x + rows_.count, rows_.size - rows_.count, 0);
  } else {
    op_.multiply_jacobian(in_.a_smooth, other_.x);
    for (int r = 0; r < rows_.size; ++r) other_.x[r] -= rows_.aref[r];
  }
  const double other_cost = evaluate(0, along_, other_).cost;

  op_.multiply_mass(out_.a, Ma_);
  op_.multiply_jacobian(out_.a, at_.x);
  for (int r = 0; r < rows_.size; ++r) at_.x[r] -= rows_.aref[r];
  cost_ = smooth_cost() + evaluate(0, along_, at_).cost;
  if (other_cost < cost_) {
    copy(in_.a_smooth, size_, out_.a);
    copy(in_.f_smooth, size_, Ma_);
    const RowPoint given = at_;
    at_ = other_;
    other_ = given;
    cost_ = evaluate(0, along_, at_).cost;
  }
}

// g = M (a - a_smooth) - J' force
template <class Operator, bool kNewton>
void Primal<Operator, kNewton>::compute_gradient() {
  op_.multiply_jacobian_transposed(at_.force, out_.qfrc);
  Lanes square(0);
  for (int i = 0; i < size_; i += kLaneCount) {
    const Lanes g = Lanes::load(Ma_ + i) - Lanes::load(in_.f_smooth + i) - Lanes::load(out_.qfrc + i);
    g.store(g_ + i);
    square = fma(g, g, square);
  }
  gradient_ = in_.options.scale * sqrt(sum_of_lanes(square));
}

template <class Operator, bool kNewton>
bool Primal<Operator, kNewton>::is_small() const {
  return in_.options.relative >= 0 ? is_small_beside_momentum() : gradient_ < in_.options.tolerance;
}

template <class Operator, bool kNewton>
bool Primal<Operator, kNewton>::is_small_beside_momentum() const {
  Lanes gradient(0), momentum(0), force(0);
  for (int i = 0; i < size_; i += kLaneCount) {
    const Lanes weight = Lanes::load(in_.weight + i), g = Lanes::load(g_ + i), f = Lanes::load(out_.qfrc + i);
    const Lanes p = Lanes::load(Ma_ + i) + Lanes::load(in_.momentum + i);
    gradient = fma(weight * g, g, gradient);
    momentum = fma(weight * p, p, momentum);
    force = fma(weight * f, f, force);
  }
  return is_small_beside(in_.options, sum_of_lanes(gradient), sum_of_lanes(momentum), sum_of_lanes(force));
}

template <class Operator, bool kNewton>
int Primal<Operator, kNewton>::list_curved_cones() {
  int count = 0;
  for (int c = 0; c < in_.rows.cone_count; ++c) {
    if (zones_[c] != int(RowState::kCone)) continue;
    const Cone& cone = in_.rows.cones[c];
    factor_cone(cone, rows_.D[cone.row], at_.x + cone.row, cones_[count++]);
  }
  return count;
}

// p = -H^-1 g, or for conjugate gradients -M^-1 g and what the last direction still has to say [Polak and Ribiere 1969]
template <class Operator, bool kNewton>
int Primal<Operator, kNewton>::compute_direction() {
  int updates = 0;
  if constexpr (kNewton) {
    updates = op_.factor_hessian(at_.weight, cones_, list_curved_cones());
    for (int i = 0; i < size_; ++i) p_[i] = -g_[i];
    op_.solve(p_);
  } else {
    double* const kept = old_z_;
    old_z_ = z_;
    z_ = kept;
    copy(g_, size_, z_);
    op_.solve(z_);
    const double old_gz = gz_;
    gz_ = padded_dot(size_, g_, z_);
    double beta = old_gz > 0 ? (gz_ - padded_dot(size_, g_, old_z_)) / old_gz : 0;
    conjugate_ = beta > 0;
    if (!conjugate_) beta = 0;
    for (int i = 0; i < size_; ++i) p_[i] = beta * p_[i] - z_[i];
  }
  slope_ = padded_dot(size_, g_, p_);
  return updates;
}

template <class Operator, bool kNewton>
LineMinimum Primal<Operator, kNewton>::search() {
  op_.multiply_mass(p_, Mp_);
  op_.multiply_jacobian(p_, along_);
  double first = 0;
  {
    Lanes sum(0);
    for (int i = 0; i < size_; i += kLaneCount) {
      sum = fma(Lanes::load(p_ + i), Lanes::load(Ma_ + i) - Lanes::load(in_.f_smooth + i), sum);
    }
    first = sum_of_lanes(sum);
  }
  if (lines_.count > 0) set_lines(in_.rows, at_.x, along_, lines_);
  const Line line{first, padded_dot(size_, p_, Mp_), rows_, at_.x, along_, lines_};
  const Options& options = in_.options;
  const double flat = flat_slope(options, options.scale, slope_, padded_dot(size_, p_, p_));
  const double guess = kNewton ? 1 : -slope_ / line.slope(0).second;
  return search_line(line, slope_, guess, flat, options.ls_iterations, true);
}

template <class Operator, bool kNewton>
void Primal<Operator, kNewton>::move(const LineMinimum& line) {
  const Lanes step(line.step);
  for (int i = 0; i < size_; i += kLaneCount) {
    fma(step, Lanes::load(p_ + i), Lanes::load(out_.a + i)).store(out_.a + i);
    fma(step, Lanes::load(Mp_ + i), Lanes::load(Ma_ + i)).store(Ma_ + i);
  }
  const RowSums sums = evaluate(line.step, along_, at_);
  const double cost_before = cost_, gradient_before = gradient_, scale = in_.options.scale;
  cost_ = smooth_cost() + sums.cost;
  compute_gradient();
  const double improvement = scale * (cost_before - cost_);
  if (Statistic* to = statistic(out_.iterations)) {
    *to = {improvement, gradient_, scale * line.slope, sums.active, sums.changed, line.evaluations, 0};
  }
  ++out_.iterations;
  stalls_ = gains_nothing(improvement, scale * cost_, gradient_, gradient_before) ? stalls_ + 1 : 0;
  done_ = stalls_ > kMostStalls<kNewton> || gains_little(in_.options, improvement, 0.0);
}

template <class Operator, bool kNewton>
Statistic* Primal<Operator, kNewton>::statistic(int iteration) const {
  return out_.statistics && iteration < out_.statistics_capacity ? out_.statistics + iteration : nullptr;
}

template <class Operator, bool kNewton>
void Primal<Operator, kNewton>::write_result() {
  if (!is_finite_result(gradient_, cost_)) {  // the result is marked invalid
    out_.converged = false;
    for (int i = 0; i < size_; ++i) out_.a[i] += std::numeric_limits<double>::quiet_NaN();
  }
  for (int r = 0; r < rows_.count; ++r) {
    out_.force[r] = at_.force[r];
    out_.state[r] = int(state_of_row(in_.rows, r, at_.force[r], at_.weight[r]));
  }
  for (int c = 0; c < in_.rows.cone_count; ++c) {
    const Cone& cone = in_.rows.cones[c];
    for (int j = 0; j < cone.dim; ++j) out_.state[cone.row + j] = zones_[c];
    if (!out_.cone_hessians) continue;
    double* H = out_.cone_hessians + kMaxConeDim * kMaxConeDim * c;
    fill(H, kMaxConeDim * kMaxConeDim, 0);
    if (zones_[c] != int(RowState::kCone)) continue;
    ConeFactor factor;
    factor_cone(cone, rows_.D[cone.row], at_.x + cone.row, factor);
    multiply_factor(factor, H);
  }
}

template <class Operator, bool kNewton>
void Primal<Operator, kNewton>::run() {
  copy_rows(in_.rows, rows_);
  out_.iterations = 0;
  start();
  compute_gradient();
  if (!kNewton) {
    op_.factor_mass();
    fill(p_, size_, 0);
    fill(z_, size_, 0);
  }
  out_.converged = true;
  while (!done_ && !is_small()) {
    if (out_.iterations >= in_.options.iterations) {
      out_.converged = false;
      break;
    }
    const int updates = compute_direction();
    if (out_.iterations > 0) {
      if (Statistic* last = statistic(out_.iterations - 1)) last->nupdate = updates;
    }
    if (may_stop_by_prediction<kNewton>(double(out_.iterations)) &&
        predicts_little(in_.options, in_.options.scale, slope_))
      break;
    if (slope_ < 0) {
      const LineMinimum line = search();
      if (line.step > 0) {
        move(line);
        continue;
      }
    }
    // rounding can spoil a conjugate direction, but not the steepest one
    if (!conjugate_) break;
    gz_ = 0;
  }
  write_result();
}

}  // namespace TORSOR_ISA
}  // namespace torsor
