// One step: check the numbers, compute accelerations, integrate.
#include <cmath>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/evaluate.hpp"
#include "torsor/sim/sensor.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/sim/timing.hpp"

namespace torsor {
namespace {

// Index of the first NaN or huge number, -1 if there is none.
int find_bad(const Field<double>& values) {
  // one pass, four at a time; NaN fails the comparison
  const auto fault = [](double value) { return std::fabs(value) <= kMaxValue ? 0.0 : 1.0; };
  const double* numbers = values.data();
  double a = 0, b = 0, c = 0, d = 0;
  int tail = 0;
  for (; tail + 4 <= values.size(); tail += 4) {
    a += fault(numbers[tail]), b += fault(numbers[tail + 1]);
    c += fault(numbers[tail + 2]), d += fault(numbers[tail + 3]);
  }
  for (; tail < values.size(); ++tail) a += fault(numbers[tail]);
  const bool good = a + b + c + d == 0;
  if (good) return -1;
  for (int i = 0; i < values.size(); ++i) {
    if (!(std::fabs(values[i]) <= kMaxValue)) return i;
  }
  return -1;
}

// Counts a warning once, and resets unless that is disabled. The count survives the reset. The handler is called before
// the reset, so that it sees the state that was bad.
Status check(const Model& model, Data& data, const Field<double>& values, Warning kind) {
  const int bad = find_bad(values);
  if (bad < 0) return Status::kOk;
  warn(data, kind, bad);
  if (model.opt.disabled(kDisableAutoReset)) return Status::kDiverged;
  reset(model, data);
  data.warning[static_cast<int>(kind)] = {.number = 1, .lastinfo = bad};
  data.told |= 1u << static_cast<int>(kind);
  return Status::kReset;
}

Status worse(Status a, Status b) { return a > b ? a : b; }

Status check_state(const Model& model, Data& data) {
  const Status position = check(model, data, data.qpos, Warning::kBadQpos);
  return worse(position, check(model, data, data.qvel, Warning::kBadQvel));
}

Status check_acceleration(const Model& model, Data& data) {
  const Status status = check(model, data, data.qacc, Warning::kBadQacc);
  if (status == Status::kReset) evaluate_forward(model, data, SkipStage::kNone);
  return status;
}

// Out of memory: the results are incomplete, so the step is not taken.
Status give_up(Data& data) {
  data.has_damped_factor = false;
  warn_of_memory(data);
  return Status::kOutOfMemory;
}

// Euler with implicit damping factors M twice, once with damping, which is cheaper if done together. Not with
// callbacks, which could change what the second factor depends on.
bool wants_damped_factor(const Model& model, const Data& data) {
  return model.opt.integrator == static_cast<int>(Integrator::kEuler) && !data.control && has_implicit_damping(model);
}

void integrate(const Model& model, Data& data, bool whole_step) {
  ScopedTimer timer(data, Timer::kAdvance);
  switch (static_cast<Integrator>(model.opt.integrator)) {
    case Integrator::kRk4:
      return whole_step ? integrate_rk4(model, data) : integrate_euler(model, data);
    case Integrator::kImplicit:
      return integrate_implicit(model, data);
    case Integrator::kImplicitFast:
      return integrate_implicit_fast(model, data);
    case Integrator::kDiscrete:  // the acceleration is that of the step
      return advance(model, data, data.qacc.data());
    case Integrator::kEuler:
      break;
  }
  integrate_euler(model, data);
}

Status run_step(const Model& model, Data& data) {
  ScopedTimer timer(data, Timer::kStep);
  Status status = check_state(model, data);
  data.has_damped_factor = wants_damped_factor(model, data);
  evaluate_forward(model, data, SkipStage::kNone);
  if (data.memory_needed() > 0) return give_up(data);
  status = worse(status, check_acceleration(model, data));
  if (model.opt.enabled(kEnableFwdInv)) compare_forward_inverse(model, data);
  if (data.memory_needed() > 0) return give_up(data);
  integrate(model, data, true);
  return data.memory_needed() > 0 ? give_up(data) : status;
}

Status run_step1(const Model& model, Data& data) {
  ScopedTimer timer(data, Timer::kStep);
  const Status status = check_state(model, data);
  forward_position(model, data);
  compute_sensors(model, data, SensorStage::kPosition);
  update_energy_position(model, data);
  forward_velocity(model, data);
  compute_sensors(model, data, SensorStage::kVelocity);
  update_energy_velocity(model, data);
  if (data.control) data.control(model, data);
  return data.memory_needed() > 0 ? give_up(data) : status;
}

Status run_step2(const Model& model, Data& data) {
  ScopedTimer timer(data, Timer::kStep);
  if (data.memory_needed() > 0) return give_up(data);  // since step1()
  forward_actuation(model, data);
  forward_acceleration(model, data);
  forward_constraint(model, data);
  compute_sensors(model, data, SensorStage::kAcceleration);
  tell_warnings(data);
  if (data.memory_needed() > 0) return give_up(data);
  const Status status = check_acceleration(model, data);
  if (model.opt.enabled(kEnableFwdInv)) compare_forward_inverse(model, data);
  if (data.memory_needed() > 0) return give_up(data);
  integrate(model, data, false);
  return data.memory_needed() > 0 ? give_up(data) : status;
}

Status guarded(const Model& model, Data& data, Status (*run)(const Model&, Data&)) {
  require_fit(model, data);
  require_settings(model);
  if (!data.ensure_smooth_scratch()) return give_up(data);
  ClockGuard guard(model, data);
  const Status status = run(model, data);
  guard.finish();
  return status;
}

}  // namespace

void check_numbers(const Model& model, Data& data, Warning kind) {
  if (kind == Warning::kBadQacc)
    check_acceleration(model, data);
  else
    check(model, data, kind == Warning::kBadQpos ? data.qpos : data.qvel, kind);
}

void step_skip(const Model& model, Data& data, SkipStage skip, bool skip_sensors) {
  ScopedTimer timer(data, Timer::kStep);
  if (skip == SkipStage::kNone) data.has_damped_factor = wants_damped_factor(model, data);
  if (skip < SkipStage::kAcceleration) forward_skip(model, data, skip, skip_sensors);
  integrate(model, data, true);
  require_memory(model, data);
}

Status step(const Model& model, Data& data) { return guarded(model, data, run_step); }
Status step1(const Model& model, Data& data) { return guarded(model, data, run_step1); }
Status step2(const Model& model, Data& data) { return guarded(model, data, run_step2); }

}  // namespace torsor
