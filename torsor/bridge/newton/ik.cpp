#include "torsor/bridge/newton/ik.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <shared_mutex>

#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/core/error.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/linear.hpp"

namespace torsor::newton {
namespace {

Quat<double> quat_xyzw(const double* q) { return {q[3], q[0], q[1], q[2]}; }

// Rotation vector of a unit quaternion; not the short way: up to 2 pi long.
Vec3<double> turn_of(const Quat<double>& q, bool takes_short_way) {
  if (takes_short_way) return rotation_vector(q);
  const double length = norm(q.vec());
  return length > 0 ? q.vec() * (2 * std::atan2(length, q.w) / length) : q.vec();
}

// d (rotation vector) / dt = D w, for the angular velocity w in the axes that the vector is given in.
Mat3<double> turn_derivative(const Vec3<double>& v) {
  const double angle = norm(v), half = angle / 2;
  const double c = angle < 1e-4 ? 1.0 / 12 : (1 - half / std::tan(half)) / (angle * angle);
  const Mat3<double> V = skew(v);
  return Mat3<double>::identity() - V * 0.5 + V * V * c;
}

// One problem at a time: residuals and their Jacobian at the positions of a Data.
class Problem {
 public:
  Problem(const ModelData& model, const std::vector<IkObjective>& objectives, const IkOptions& options)
      : model_(model), objectives_(objectives), options_(options), data_(model.engine), nv_(model.engine.nv) {
    for (const IkObjective& objective : objectives) rows_ += row_count(objective);
    const size_t n = static_cast<size_t>(nv_), m = static_cast<size_t>(rows_);
    r_.resize(m), tried_.resize(m), J_.resize(m * n), H_.resize(n * n), L_.resize(n * n), g_.resize(n), step_.resize(n);
    start_.resize(static_cast<size_t>(model.engine.nq));
    offset_.resize(static_cast<size_t>(model.lists.joint_dof_count()));
    jacobian_.resize(6 * n);
  }

  double solve(int problem, double* joint_q) {
    problem_ = problem;
    model_.set_positions(joint_q, data_);
    find_offsets(joint_q);
    double cost = evaluate(r_);
    if (options_.iterations > 0) cost = iterate(cost);
    model_.read_positions(data_, joint_q);
    return cost;
  }

 private:
  int row_count(const IkObjective& objective) const {
    return std::holds_alternative<IkLimits>(objective) ? model_.lists.joint_dof_count() : 3;
  }

  // [Marquardt 1963]: (J'J + lambda 1) step = -J'r, with lambda smaller after each step that helps and larger after
  // others
  double iterate(double cost) {
    double lambda = options_.lambda_initial;
    bool has_moved = true;
    for (int i = 0; i < options_.iterations && cost > 0; ++i) {
      if (has_moved) linearise();
      std::copy(H_.begin(), H_.end(), L_.begin());
      for (int k = 0; k < nv_; ++k) L_[static_cast<size_t>(k * nv_ + k)] += lambda;
      linear::factor_cholesky(nv_, 1e-300, L_.data());
      linear::solve_cholesky(nv_, L_.data(), g_.data(), step_.data());
      std::copy_n(data_.qpos.data(), start_.size(), start_.begin());
      integrate_pos(model_.engine, data_.qpos.data(), step_.data(), -options_.step_size);
      const double found = evaluate(tried_), predicted = cost - predict();
      has_moved = std::isfinite(found) && cost - found >= options_.rho_min * predicted && predicted > 0;
      if (has_moved) {
        cost = found;
        std::swap(r_, tried_);
        lambda = std::max(lambda / options_.lambda_factor, options_.lambda_min);
      } else {
        std::copy(start_.begin(), start_.end(), data_.qpos.data());
        if (lambda >= options_.lambda_max) break;
        lambda = std::min(lambda * options_.lambda_factor, options_.lambda_max);
      }
    }
    return cost;
  }

  // The cost that the linearised problem has after the step.
  double predict() const {
    double sum = 0;
    for (int row = 0; row < rows_; ++row) {
      double value = r_[static_cast<size_t>(row)];
      for (int k = 0; k < nv_; ++k) value -= J_[static_cast<size_t>(row * nv_ + k)] * options_.step_size * step_[k];
      sum += value * value;
    }
    return sum;
  }

  double evaluate(std::vector<double>& r) {
    compute_kinematics(model_.engine, data_);
    int row = 0;
    for (const IkObjective& objective : objectives_) {
      std::visit([&](const auto& each) { write_residual(each, &r[static_cast<size_t>(row)]); }, objective);
      row += row_count(objective);
    }
    double sum = 0;
    for (const double value : r) sum += value * value;
    return sum;
  }

  void linearise() {
    compute_kinematics(model_.engine, data_);
    compute_com_position(model_.engine, data_);
    std::fill(J_.begin(), J_.end(), 0.0);
    int row = 0;
    for (const IkObjective& objective : objectives_) {
      std::visit([&](const auto& each) { write_jacobian(each, &J_[static_cast<size_t>(row * nv_)]); }, objective);
      row += row_count(objective);
    }
    if (!options_.is_free.empty()) hold_dofs();
    linear::multiply_transposed_left(rows_, nv_, nv_, J_.data(), J_.data(), H_.data());
    linear::multiply_transposed_left(rows_, nv_, 1, J_.data(), r_.data(), g_.data());
  }

  // Dofs without a column have no gradient, and so no step.
  void hold_dofs() {
    const ModelBuilder& lists = model_.lists;
    for (int j = 0; j < lists.joint_count(); ++j) {
      if (model_.joint_dofadr[j] < 0) continue;
      for (int dof = lists.joint_qd_start[j], k = model_.joint_dofadr[j]; dof < lists.qd_end(j); ++dof, ++k) {
        if (options_.is_free[dof]) continue;
        for (int row = 0; row < rows_; ++row) J_[static_cast<size_t>(row * nv_ + k)] = 0;
      }
    }
  }

  Pose<double> pose_of(int body) const {
    const int b = model_.layout.body_engine[body];
    return {load3(&data_.xpos[3 * b]), load4(&data_.xquat[4 * b])};
  }

  Vec3<double> error_of(const IkRotation& rotation) const {
    const Quat<double> q_WL = pose_of(rotation.body).q * quat_xyzw(rotation.q_BL.data());
    return turn_of(q_WL * conj(quat_xyzw(&rotation.targets[static_cast<size_t>(4 * problem_)])),
                   rotation.takes_short_way);
  }

  void write_residual(const IkPosition& position, double* r) const {
    const Vec3<double> p_W = apply(pose_of(position.body), to_vec(position.p_B));
    store3(r, (p_W - load3(&position.targets[static_cast<size_t>(3 * problem_)])) * position.weight);
  }

  void write_residual(const IkRotation& rotation, double* r) const { store3(r, error_of(rotation) * rotation.weight); }

  void write_residual(const IkLimits& limits, double* r) const {
    std::fill_n(r, model_.lists.joint_dof_count(), 0.0);
    for_each_axis([&](int, int dof, int k) { r[dof] = limits.weight * violation(limits, dof, k); });
  }

  void write_jacobian(const IkPosition& position, double* J) {
    double p_W[3];
    store3(p_W, apply(pose_of(position.body), to_vec(position.p_B)));
    jac(model_.engine, data_, jacobian_.data(), nullptr, p_W, model_.layout.body_engine[position.body]);
    for (int i = 0; i < 3 * nv_; ++i) J[i] = position.weight * jacobian_[static_cast<size_t>(i)];
  }

  void write_jacobian(const IkRotation& rotation, double* J) {
    double* const angular = jacobian_.data() + 3 * nv_;
    jac_body(model_.engine, data_, jacobian_.data(), angular, model_.layout.body_engine[rotation.body]);
    double D[9];
    store9(D, turn_derivative(error_of(rotation)) * rotation.weight);
    linear::multiply_matrices(3, 3, nv_, D, angular, J);
  }

  void write_jacobian(const IkLimits& limits, double* J) {
    for_each_axis([&](int, int dof, int k) {
      if (violation(limits, dof, k) != 0) J[dof * nv_ + k] = limits.weight;
    });
  }

  double violation(const IkLimits& limits, int dof, int k) const {
    const double q = coordinate(k) - offset_[static_cast<size_t>(dof)];
    return q < limits.lower[dof] ? q - limits.lower[dof] : q > limits.upper[dof] ? q - limits.upper[dof] : 0;
  }

  double coordinate(int k) const { return data_.qpos[model_.engine.jnt_qposadr[model_.engine.dof_jntid[k]]]; }

  // The engine's coordinates of axes differ from Newton's by constants.
  void find_offsets(const double* joint_q) {
    for_each_axis([&](int j, int dof, int k) {
      const int at = model_.lists.joint_q_start[j] + dof - model_.lists.joint_qd_start[j];
      offset_[static_cast<size_t>(dof)] = coordinate(k) - joint_q[at];
    });
  }

  // f(joint, dof, dof of the engine) for the axes of revolute, prismatic and d6 joints
  template <class F>
  void for_each_axis(const F& f) const {
    const ModelBuilder& lists = model_.lists;
    for (int j = 0; j < lists.joint_count(); ++j) {
      const bool has_axes = lists.joint_type[j] == JointKind::kRevolute ||
                            lists.joint_type[j] == JointKind::kPrismatic || lists.joint_type[j] == JointKind::kD6;
      if (!has_axes || model_.joint_dofadr[j] < 0) continue;
      for (int dof = lists.joint_qd_start[j], k = model_.joint_dofadr[j]; dof < lists.qd_end(j); ++dof, ++k)
        f(j, dof, k);
    }
  }

  const ModelData& model_;
  const std::vector<IkObjective>& objectives_;
  const IkOptions& options_;
  Data data_;
  const int nv_;
  int rows_ = 0, problem_ = 0;
  std::vector<double> r_, tried_, J_, H_, L_, g_, step_, start_, offset_, jacobian_;
};

void require(bool holds, const std::string& message) {
  if (!holds) throw Error(message);
}

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

void check_targets(const ModelData& model, int body, const std::vector<double>& targets, size_t needed) {
  require(body >= 0 && body < model.lists.body_count(),
          fmt::format("link {} does not exist: there are {}", body, model.lists.body_count()));
  require(targets.size() == needed,
          fmt::format("an objective has {} numbers of targets; the problems need {}", targets.size(), needed));
  require(all_finite(targets), "targets must be finite numbers");
}

void normalise(double* q) {
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  require(length > 0, "a target rotation is a quaternion of length 0");
  for (int i = 0; i < 4; ++i) q[i] /= length;
}

void check(const ModelData& model, IkObjective& objective, size_t problems) {
  const size_t dofs = static_cast<size_t>(model.lists.joint_dof_count());
  if (const auto* position = std::get_if<IkPosition>(&objective)) {
    check_targets(model, position->body, position->targets, 3 * problems);
  } else if (auto* rotation = std::get_if<IkRotation>(&objective)) {
    check_targets(model, rotation->body, rotation->targets, 4 * problems);
    normalise(rotation->q_BL.data());
    for (size_t i = 0; i < problems; ++i) normalise(&rotation->targets[4 * i]);
  } else {
    const IkLimits& limits = std::get<IkLimits>(objective);
    require(limits.lower.size() == dofs && limits.upper.size() == dofs,
            fmt::format("limits are given for {} and {} dofs; the model has {}", limits.lower.size(),
                        limits.upper.size(), dofs));
  }
}

void check(const ModelData& model, const IkOptions& options, const std::vector<double>& joint_q) {
  const size_t width = static_cast<size_t>(model.lists.joint_coord_count());
  require(options.iterations >= 0 && options.guesses > 0, "iterations cannot be negative, nor guesses fewer than one");
  require(options.lambda_initial > 0 && options.lambda_factor > 1 && options.lambda_min > 0,
          "lambda_initial and lambda_min must be positive, and lambda_factor more than 1");
  require(options.is_free.empty() || options.is_free.size() == static_cast<size_t>(model.lists.joint_dof_count()),
          fmt::format("the mask has {} entries; the model has {} dofs", options.is_free.size(),
                      model.lists.joint_dof_count()));
  require(width > 0, "the model has no joints that could move");
  require(joint_q.size() % (width * static_cast<size_t>(options.guesses)) == 0,
          fmt::format("there are {} coordinates; {} rows of {} are needed for each problem", joint_q.size(),
                      options.guesses, width));
  require(all_finite(joint_q), "coordinates must be finite numbers");
}

}  // namespace

std::vector<double> solve_ik(const Model& model, const std::vector<IkObjective>& objectives, const IkOptions& options,
                             std::vector<double>& joint_q) {
  const ModelData& data = *model.data();
  const std::shared_lock edits(data.edits);
  check(data, options, joint_q);
  const size_t width = static_cast<size_t>(data.lists.joint_coord_count());
  const int rows = static_cast<int>(joint_q.size() / width);
  std::vector<IkObjective> checked = objectives;
  for (IkObjective& objective : checked) check(data, objective, static_cast<size_t>(rows / options.guesses));

  std::vector<double> costs(static_cast<size_t>(rows));
  const int threads = thread_count(rows, options.threads);
  std::vector<std::unique_ptr<Problem>> workspaces(static_cast<size_t>(threads));
  parallel_for(rows, threads, [&](int row, int thread) {
    std::unique_ptr<Problem>& workspace = workspaces[static_cast<size_t>(thread)];
    if (!workspace) workspace = std::make_unique<Problem>(data, checked, options);
    costs[static_cast<size_t>(row)] =
        workspace->solve(row / options.guesses, &joint_q[static_cast<size_t>(row) * width]);
  });
  return costs;
}

}  // namespace torsor::newton
