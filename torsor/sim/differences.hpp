// Derivatives by finite differences: of the step, of forward dynamics and of inverse dynamics.
//
// Every sample starts from the same state, with the centre's solution as warm start, and its constraint solver iterates
// until rounding stops it, so that samples differ by the perturbation alone. Stages that do not depend on the perturbed
// input are not computed again. When these functions return or throw, the Data is unchanged, to the bit.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "torsor/model/data.hpp"

namespace torsor {

// A matrix by rows.
struct Matrix {
  Matrix() = default;
  Matrix(int row_count, int column_count)
      : rows(row_count),
        columns(column_count),
        values(static_cast<size_t>(row_count) * static_cast<size_t>(column_count)) {}

  double& operator()(int i, int j) { return values[place(i, j)]; }
  double operator()(int i, int j) const { return values[place(i, j)]; }
  size_t place(int i, int j) const {
    return static_cast<size_t>(i) * static_cast<size_t>(columns) + static_cast<size_t>(j);
  }

  int rows = 0, columns = 0;
  std::vector<double> values;
};

struct DifferenceOptions {
  double eps = 1e-6;      // perturbation of an input; of positions in the tangent space
  bool centered = true;   // to both sides of the centre (error of order eps^2), or forward only (order eps)
  bool reuse = true;      // false: compute all stages for every sample, with the same result
  bool sensors = true;    // false: transition_derivatives() leaves C and D without rows
  int iterations = 0;     // of the constraint solver in every sample; 0: as many as the model allows
  double second_eps = 0;  // second perturbation, for the error estimate; 0: none
  // Called before each sample, if given. An exception from it ends the computation and reaches the caller.
  std::function<void()> before_sample = {};
};

// Derivatives of one step. State: displacement of qpos in its tangent space (nv), qvel (nv), act (na).
//   next state = A state + B ctrl,   sensordata = C state + D ctrl
// Sensor readings are those after the step, which belong to the state before it.
struct TransitionDerivatives {
  Matrix A, B, C, D;
};

// Derivatives of qacc, nv rows each. xfrc_applied has six columns per body.
struct ForwardDerivatives {
  Matrix qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied;
};

// Derivatives of qfrc_inverse, nv rows each.
struct InverseDerivatives {
  Matrix qpos, qvel, qacc;
};

// `error`, if not null, receives the difference of each number from the result with options.second_eps.
// A control is never moved out of its range, where it would be clamped: at a bound, it moves inwards only.
// These functions throw Error for an eps that is not positive and for a Data of another model.
//   const auto [A, B, C, D] = transition_derivatives(model, data);
TransitionDerivatives transition_derivatives(const Model& model, Data& data, const DifferenceOptions& options = {},
                                             TransitionDerivatives* error = nullptr);
//   const Matrix by_force = forward_derivatives(model, data).qfrc_applied;   // M^-1 where nothing is constrained
ForwardDerivatives forward_derivatives(const Model& model, Data& data, const DifferenceOptions& options = {},
                                       ForwardDerivatives* error = nullptr);
// At the current qacc, which is an input here.
//   const Matrix by_acceleration = inverse_derivatives(model, data).qacc;    // M where nothing is constrained
InverseDerivatives inverse_derivatives(const Model& model, Data& data, const DifferenceOptions& options = {},
                                       InverseDerivatives* error = nullptr);

}  // namespace torsor
