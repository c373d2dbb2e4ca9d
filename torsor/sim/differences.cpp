// Which inputs are sampled for each kind of derivative, and where their columns go.
#include "torsor/sim/differences.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/sim/sampler.hpp"
#include "torsor/sim/sensor.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

void put_column(Matrix& matrix, int column, const double* values) {
  for (int i = 0; i < matrix.rows; ++i) matrix(i, column) = values[i];
}

// Columns of an input into a matrix, from column `first` on.
void fill(Sampler& sampler, Moved moved, Matrix& matrix, int first = 0) {
  sampler.for_each_column(moved, [&](int i, const double* column) { put_column(matrix, first + i, column); });
}

void subtract_numbers(int n, const double* before, const double* after, double h, double* column) {
  for (int i = 0; i < n; ++i) column[i] = (after[i] - before[i]) / h;
}

double* append(const Field<double>& field, double* to) { return std::copy(field.begin(), field.end(), to); }

// Whether Euler's factor of M + h B, if there is one, stays valid for these samples.
bool keeps_damped_factor(const Model& model, SkipStage skip) {
  if (model.opt.integrator != static_cast<int>(Integrator::kEuler) || !has_implicit_damping(model)) return false;
  if (skip != SkipStage::kPosition) return skip == SkipStage::kVelocity;
  const auto is_zero = [](double value) { return value == 0; };  // then B does not depend on qvel
  return std::all_of(model.dof_dampingpoly.begin(), model.dof_dampingpoly.end(), is_zero) &&
         std::all_of(model.actuator_dampingpoly.begin(), model.actuator_dampingpoly.end(), is_zero);
}

// Kinetic energy counts as a sensor of positions, although it follows from velocities too.
bool reads_velocity_early(const Model& model) {
  const auto is_kinetic = [](int type) { return type == static_cast<int>(SensorType::kEKinetic); };
  return std::any_of(model.sensor_type.begin(), model.sensor_type.end(), is_kinetic);
}

// A sample is qpos, qvel, act, sensordata; a column has the displacement of qpos in its place.
Probe probe_step(const Model& model, bool sensors) {
  const int nq = model.nq, nv = model.nv, rest = nv + model.na + (sensors ? model.nsensordata : 0);
  const bool kept[] = {false, keeps_damped_factor(model, SkipStage::kPosition),
                       keeps_damped_factor(model, SkipStage::kVelocity)};
  return {nq + rest,
          [sensors, early = sensors && reads_velocity_early(model), kept = std::to_array(kept)](
              const Model& m, Data& d, CentreSolver& solver, SkipStage skip) {
            if (skip == SkipStage::kNone) return step_skip(m, d, skip, !sensors);
            solver.forward(m, d, skip, !sensors);
            if (early && skip == SkipStage::kPosition) compute_sensors(m, d, SensorStage::kPosition);
            d.has_damped_factor = kept[static_cast<size_t>(skip)] && !d.control;
            step_skip(m, d, SkipStage::kAcceleration);
          },
          [sensors](const Data& d, double* to) {
            to = append(d.act, append(d.qvel, append(d.qpos, to)));
            if (sensors) append(d.sensordata, to);
          },
          [&model, nq, nv, rest](const double* before, const double* after, double h, double* column) {
            differentiate_pos(model, column, h, before, after);
            subtract_numbers(rest, before + nq, after + nq, h, column + nv);
          }};
}

using Compute = void (*)(const Model&, Data&, CentreSolver&, SkipStage);

Probe probe_field(int n, Compute compute, Field<double> Data::*field) {
  return {n, compute, [field](const Data& d, double* to) { append(d.*field, to); },
          [n](const double* before, const double* after, double h, double* column) {
            subtract_numbers(n, before, after, h, column);
          }};
}

TransitionDerivatives compute_transition(const Model& model, Data& data, const DifferenceOptions& options) {
  const bool sensors = options.sensors && model.nsensordata > 0;
  const int nx = 2 * model.nv + model.na, ns = sensors ? model.nsensordata : 0;
  TransitionDerivatives result{Matrix(nx, nx), Matrix(nx, model.nu), Matrix(ns, nx), Matrix(ns, model.nu)};
  Sampler sampler(model, data, options, probe_step(model, sensors));
  const auto put = [&](Moved moved, Matrix& state, Matrix& sensor, int first) {
    sampler.for_each_column(moved, [&](int i, const double* column) {
      put_column(state, first + i, column);
      put_column(sensor, first + i, column + nx);
    });
  };
  put(Moved::kCtrl, result.B, result.D, 0);
  put(Moved::kAct, result.A, result.C, 2 * model.nv);
  put(Moved::kQvel, result.A, result.C, model.nv);
  put(Moved::kQpos, result.A, result.C, 0);
  return result;
}

// A force on a body acts as J' of it on the dofs: xfrc = qfrc J', one row of J per number of xfrc_applied.
void multiply_jacobians(const Model& model, const Data& data, const Matrix& qfrc, Matrix& xfrc) {
  const int nv = model.nv;
  std::vector<double> J(6 * static_cast<size_t>(nv));
  for (int body = 1; body < model.nbody; ++body) {
    jac_body_com(model, data, J.data(), J.data() + 3 * nv, body);
    for (int i = 0; i < nv; ++i) {
      for (int axis = 0; axis < 6; ++axis) {
        double sum = 0;
        for (int k = 0; k < nv; ++k) sum += qfrc(i, k) * J[static_cast<size_t>(axis * nv + k)];
        xfrc(i, 6 * body + axis) = sum;
      }
    }
  }
}

ForwardDerivatives compute_forward(const Model& model, Data& data, const DifferenceOptions& options) {
  const int nv = model.nv;
  ForwardDerivatives result{Matrix(nv, nv),       Matrix(nv, nv), Matrix(nv, model.na),
                            Matrix(nv, model.nu), Matrix(nv, nv), Matrix(nv, 6 * model.nbody)};
  const auto compute = [](const Model& m, Data& d, CentreSolver& solver, SkipStage skip) {
    solver.forward(m, d, skip, true);
  };
  Sampler sampler(model, data, options, probe_field(nv, compute, &Data::qacc));
  fill(sampler, Moved::kCtrl, result.ctrl);
  fill(sampler, Moved::kAct, result.act);
  fill(sampler, Moved::kQfrcApplied, result.qfrc_applied);
  multiply_jacobians(model, data, result.qfrc_applied, result.xfrc_applied);
  fill(sampler, Moved::kQvel, result.qvel);
  fill(sampler, Moved::kQpos, result.qpos);
  return result;
}

InverseDerivatives compute_inverse(const Model& model, Data& data, const DifferenceOptions& options) {
  const int nv = model.nv;
  InverseDerivatives result{Matrix(nv, nv), Matrix(nv, nv), Matrix(nv, nv)};
  const auto compute = [](const Model& m, Data& d, CentreSolver&, SkipStage skip) { inverse_skip(m, d, skip, true); };
  Probe probe = probe_field(nv, compute, &Data::qfrc_inverse);
  probe.solves = false;
  Sampler sampler(model, data, options, std::move(probe));
  fill(sampler, Moved::kQacc, result.qacc);
  fill(sampler, Moved::kQvel, result.qvel);
  fill(sampler, Moved::kQpos, result.qpos);
  return result;
}

void each_difference(const Matrix& a, const Matrix& b, Matrix& difference) {
  difference = a;
  for (size_t i = 0; i < a.values.size(); ++i) difference.values[i] = std::fabs(a.values[i] - b.values[i]);
}

void each_difference(const TransitionDerivatives& a, const TransitionDerivatives& b, TransitionDerivatives& to) {
  each_difference(a.A, b.A, to.A);
  each_difference(a.B, b.B, to.B);
  each_difference(a.C, b.C, to.C);
  each_difference(a.D, b.D, to.D);
}

void each_difference(const ForwardDerivatives& a, const ForwardDerivatives& b, ForwardDerivatives& to) {
  each_difference(a.qpos, b.qpos, to.qpos);
  each_difference(a.qvel, b.qvel, to.qvel);
  each_difference(a.act, b.act, to.act);
  each_difference(a.ctrl, b.ctrl, to.ctrl);
  each_difference(a.qfrc_applied, b.qfrc_applied, to.qfrc_applied);
  each_difference(a.xfrc_applied, b.xfrc_applied, to.xfrc_applied);
}

void each_difference(const InverseDerivatives& a, const InverseDerivatives& b, InverseDerivatives& to) {
  each_difference(a.qpos, b.qpos, to.qpos);
  each_difference(a.qvel, b.qvel, to.qvel);
  each_difference(a.qacc, b.qacc, to.qacc);
}

// Computes derivatives; also with second_eps if an error estimate is requested.
template <class Derivatives, class Compute>
Derivatives compute_twice(const Model& model, Data& data, const DifferenceOptions& options, Derivatives* error,
                          const Compute& compute) {
  if (model.opt.enabled(kEnableSleep))
    throw Error(
        "derivatives are not defined while trees may fall asleep: each sample would count as a step at rest "
        "(clear the flag sleep)");
  const Derivatives result = compute(model, data, options);
  if (!error) return result;
  if (options.second_eps == options.eps)
    throw Error(fmt::format("second_eps must differ from eps: both are {}", options.eps));
  if (!(options.second_eps > 0))
    throw Error(fmt::format("second_eps must be a positive number, got {}", options.second_eps));
  DifferenceOptions second = options;
  second.eps = options.second_eps;
  each_difference(result, compute(model, data, second), *error);
  return result;
}

}  // namespace

TransitionDerivatives transition_derivatives(const Model& model, Data& data, const DifferenceOptions& options,
                                             TransitionDerivatives* error) {
  return compute_twice(model, data, options, error, compute_transition);
}

ForwardDerivatives forward_derivatives(const Model& model, Data& data, const DifferenceOptions& options,
                                       ForwardDerivatives* error) {
  return compute_twice(model, data, options, error, compute_forward);
}

InverseDerivatives inverse_derivatives(const Model& model, Data& data, const DifferenceOptions& options,
                                       InverseDerivatives* error) {
  return compute_twice(model, data, options, error, compute_inverse);
}

}  // namespace torsor
