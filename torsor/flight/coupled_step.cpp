#include "torsor/flight/coupled_step.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/convention/rigid.hpp"
#include "torsor/core/error.hpp"
#include "torsor/math/quat_motion.hpp"

namespace torsor {
namespace {

// Lengths in units of the reference length, angles in radians, rates as what they add up to in one step.
std::vector<double> make_weights(const CouplingOptions& options, double delta_time) {
  const double length = options.reference_length;
  if (!(length > 0) || !std::isfinite(length))
    throw Error(fmt::format("reference_length must be positive, got {}", length));
  std::vector<double> weights(12);
  for (size_t i = 0; i < 3; ++i) {
    weights[i] = 1 / length, weights[3 + i] = 1;
    weights[6 + i] = delta_time / length, weights[9 + i] = delta_time;
  }
  return weights;
}

}  // namespace

Vector12 difference(const FlightState& from, const FlightState& to) {
  Vector12 step;
  store3(&step[0], to.position_E_Eo - from.position_E_Eo);
  store3(&step[3], rotation_vector(conj(from.quat_act_E_to_BP1_wxyz) * to.quat_act_E_to_BP1_wxyz));
  store3(&step[6], to.velocity_E__E - from.velocity_E__E);
  store3(&step[9], (to.omegas_E__E() - from.omegas_E__E()) * kRadiansPerDegree);
  return step;
}

FlightState moved(const FlightState& state, const Vector12& step, double factor) {
  FlightState result = state;
  const Quat<double> turn = quat_from_rotation_vector(load3(&step[3]) * factor);
  const Vec3<double> omegas_E__E = state.omegas_E__E() + load3(&step[9]) * (factor / kRadiansPerDegree);
  result.position_E_Eo += load3(&step[0]) * factor;
  result.quat_act_E_to_BP1_wxyz = normalized(state.quat_act_E_to_BP1_wxyz * turn);
  result.velocity_E__E += load3(&step[6]) * factor;
  result.omegas_BP1__E = rotate_inverse(result.quat_act_E_to_BP1_wxyz, omegas_E__E);
  return result;
}

CoupledStep::CoupledStep(FreeFlight& flight, const CouplingOptions& options)
    : flight_(flight),
      options_(options),
      start_(flight.save()),
      begin_(flight.get_state()),
      trial_(begin_),
      iteration_(make_weights(options, flight.delta_time()), options) {
  iteration_.start(Vector12{});
  advance();  // the first trial: a step under the loads that act now
  trial_ = flight_.get_state();
  if (!problem_.empty()) flight_.restore(start_);
}

CoupledStep::~CoupledStep() {
  if (!is_finished_) flight_.restore(start_);
}

bool CoupledStep::advance() {
  const Status status = flight_.step();
  if (status == Status::kOk) return true;
  problem_ = status == Status::kOutOfMemory ? "the engine has no memory for its contacts"
                                            : "the engine diverges under these loads";
  return false;
}

bool CoupledStep::submit(const std::vector<FlightLoads>& loads) {
  if (!problem_.empty() || iteration_.has_ended()) return true;
  flight_.restore(start_);
  for (const FlightLoads& load : loads) flight_.apply_loads(load, trial_);
  if (!advance()) return true;
  const FlightState result = flight_.get_state();
  const Vector12 residual = difference(trial_, result), increment = difference(begin_, trial_);
  const double factor = iteration_.relax(residual, increment);
  if (iteration_.has_ended()) return true;
  trial_ = moved(trial_, residual, factor);
  return false;
}

CouplingReport CoupledStep::finish() {
  CouplingReport report{iteration_.has_converged(), false, iteration_.history(), problem_};
  report.accepted = problem_.empty() && (report.converged || options_.accept_unconverged);
  if (problem_.empty() && !report.converged) {
    const FixedPointRecord last = report.history.empty() ? FixedPointRecord{} : report.history.back();
    report.problem = fmt::format(
        "loads and motion did not converge in {} iterations: the residual is {:.3g}, it must be at most {:.3g}. Use "
        "aitken, a smaller relaxation or a smaller step",
        report.history.size(), last.residual, last.bound);
  }
  if (!report.accepted) flight_.restore(start_);
  is_finished_ = true;
  return report;
}

CouplingReport step_coupled(FreeFlight& flight, const LoadFunction& loads, const CouplingOptions& options) {
  CoupledStep step(flight, options);
  while (!step.submit(loads(step.trial()))) {
  }
  CouplingReport report = step.finish();
  if (!report.accepted) throw Error(report.problem);
  return report;
}

}  // namespace torsor
