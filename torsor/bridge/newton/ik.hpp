// Inverse kinematics: joint coordinates that bring points and frames of bodies to targets, for many problems at once.
//
//   std::vector<double> q = model.lists().joint_q;                       // the first guess of one problem
//   const IkPosition reach{tool, {0, 0, 0.1}, {0.5, 0.2, 0.8}};
//   const std::vector<double> cost = solve_ik(model, {reach}, {}, q);
#pragma once

#include <variant>

#include "torsor/bridge/newton/model.hpp"

namespace torsor::newton {

// A point of a body, in the world.
struct IkPosition {
  int body;
  Vector3 p_B;
  std::vector<double> targets;  // three numbers for each problem
  double weight = 1;
};

// The orientation of a frame L of a body, in the world. Quaternions are xyzw.
struct IkRotation {
  int body;
  std::array<double, 4> q_BL;
  std::vector<double> targets;  // four numbers for each problem
  double weight = 1;
  bool takes_short_way = true;
};

// Limits of single axes; free and ball joints have none.
struct IkLimits {
  std::vector<double> lower, upper;  // by dof
  double weight = 0.1;
};

using IkObjective = std::variant<IkPosition, IkRotation, IkLimits>;

struct IkOptions {
  int iterations = 50;
  double step_size = 1;  // scales each step
  double lambda_initial = 0.1, lambda_factor = 2, lambda_min = 1e-5, lambda_max = 1e10;
  double rho_min = 1e-3;      // least ratio of actual to predicted decrease of a step that is accepted
  std::vector<bool> is_free;  // dofs that may move; empty: all
  int guesses = 1;            // rows of joint_q for each problem
  int threads = 0;            // 0: one per core
};

// Levenberg-Marquardt from each row of joint_q, which receives the result; returns the sum of squared weighted
// residuals of each row. Rows are independent: results depend neither on the other rows nor on the number of threads.
std::vector<double> solve_ik(const Model& model, const std::vector<IkObjective>& objectives, const IkOptions& options,
                             std::vector<double>& joint_q);

}  // namespace torsor::newton
