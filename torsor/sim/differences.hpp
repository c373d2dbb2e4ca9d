// Derivatives by finite differences: of the step, of forward dynamics and of inverse dynamics.
//
// Every sample starts from the same state and from the warm start that the centre's own solution is, and its constraint
// solver goes on until rounding stops it: what differs between two samples is the perturbation alone. Stages that an
// input does not reach are not computed again. The Data is as it was when these functions return or throw, to the bit.
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
  double eps = 1e-6;      // how far an input is moved; positions in the tangent space
  bool centered = true;   // to both sides of the centre (error of order eps^2), or forward only (order eps)
  bool reuse = true;      // false: all stages are computed for every sample, which changes the time only
  bool sensors = true;    // false: transition_derivatives() leaves C and D without rows
  int iterations = 0;     // of the constraint solver in every sample; 0: as many as the model allows
  double second_eps = 0;  // the step that an error is measured against
  // Called before each sample, if given. What it throws ends the computation and reaches the caller.
  std::function<void()> before_sample = {};
};

// Of one step. State: displacement of qpos in its tangent space (nv), qvel (nv), act (na).
//   next state = A state + B ctrl,   sensordata = C state + D ctrl
// Sensors are those that the step leaves behind, which belong to the state before it.
struct TransitionDerivatives {
  Matrix A, B, C, D;
};

// Of qacc, nv rows each. Columns of xfrc_applied are those of its numbers, body after body.
struct ForwardDerivatives {
  Matrix qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied;
};

// Of qfrc_inverse, nv rows each.
struct InverseDerivatives {
  Matrix qpos, qvel, qacc;
};

// `error`, if it is not null, becomes how far each number is from what options.second_eps gives.
// A control is never moved across an edge of its range, which it is clamped to: at the edge, to the inside only.
// These throw Error for an eps that is not positive and for a Data of another model.
//   const auto [A, B, C, D] = transition_derivatives(model, data);
TransitionDerivatives transition_derivatives(const Model& model, Data& data, const DifferenceOptions& options = {},
                                             TransitionDerivatives* error = nullptr);
//   const Matrix by_force = forward_derivatives(model, data).qfrc_applied;   // M^-1 where nothing is constrained
ForwardDerivatives forward_derivatives(const Model& model, Data& data, const DifferenceOptions& options = {},
                                       ForwardDerivatives* error = nullptr);
// At the present qacc, which is an input here.
//   const Matrix by_acceleration = inverse_derivatives(model, data).qacc;    // M where nothing is constrained
InverseDerivatives inverse_derivatives(const Model& model, Data& data, const DifferenceOptions& options = {},
                                       InverseDerivatives* error = nullptr);

}  // namespace torsor
