// One step of a FreeFlight whose loads depend on the state at its end: loads and motion are made consistent by a fixed
// point iteration (strong coupling). Needed where the air, or water, adds a mass that is not small beside the body's:
// taking the loads from the start of the step (one-way coupling) then diverges, however small the step.
//
//   const CouplingReport report = step_coupled(flight, [&](const FlightState& trial) { return my_loads(trial); });
//
// Each iteration evaluates the loads at a trial state, restores the start of the step, and steps under these loads; the
// trial state moves towards the result by a relaxed residual (fixed_point.hpp). Attitudes are moved along rotations,
// not along Euler angles, so that no attitude is special.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "torsor/flight/fixed_point.hpp"
#include "torsor/flight/free_flight.hpp"

namespace torsor {

struct CouplingOptions : FixedPointOptions {
  double reference_length = 1;  // m, such as the chord: positions and velocities are weighed by it
  bool accept_unconverged = false;
};

struct CouplingReport {
  bool converged = false;
  bool accepted = false;  // else the flight is where the step began, with the loads it had
  std::vector<FixedPointRecord> history;
  std::string problem{};  // why it is not accepted
};

// The iteration one evaluation at a time, for callers that evaluate loads on their own terms:
//   CoupledStep step(flight, options);
//   while (!step.submit(my_loads(step.trial()))) {}
//   const CouplingReport report = step.finish();
// A CoupledStep that is destroyed before finish() puts the flight back to where the step began.
class CoupledStep {
 public:
  CoupledStep(FreeFlight& flight, const CouplingOptions& options = {});
  ~CoupledStep();
  CoupledStep(const CoupledStep&) = delete;
  CoupledStep& operator=(const CoupledStep&) = delete;

  // The state at the end of the step at which loads are wanted.
  const FlightState& trial() const { return trial_; }
  // Loads at the trial state, one for each loaded body; their wind and body axes are those of the trial. Returns
  // whether the iteration has ended.
  bool submit(const std::vector<FlightLoads>& loads);
  CouplingReport finish();

 private:
  bool advance();

  FreeFlight& flight_;
  CouplingOptions options_;
  FlightSnapshot start_;
  FlightState begin_, trial_;
  FixedPoint iteration_;
  std::string problem_;
  bool is_finished_ = false;
};

using LoadFunction = std::function<std::vector<FlightLoads>(const FlightState& trial)>;
// Throws an Error, with the flight back at the start of the step, if the loads do not converge and
// options.accept_unconverged is false. An exception of `loads` is passed on, with the flight at the start as well.
CouplingReport step_coupled(FreeFlight& flight, const LoadFunction& loads, const CouplingOptions& options = {});

// Twelve numbers that lead from one state to another: position, rotation vector in body axes (rad), velocity, angular
// velocity in Earth axes (rad/s); and the state to which a multiple of them leads.
Vector12 difference(const FlightState& from, const FlightState& to);
FlightState moved(const FlightState& state, const Vector12& step, double factor);

}  // namespace torsor
