// Forward dynamics as a list of stages, and inverse dynamics from the same stages.
#include <algorithm>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/damper.hpp"
#include "torsor/constraint/sap.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/speculative.hpp"
#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/inertia.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/dynamics/metric.hpp"
#include "torsor/model/formulation.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/evaluate.hpp"
#include "torsor/sim/sensor.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/sim/sleep.hpp"
#include "torsor/sim/timing.hpp"

namespace torsor {

namespace {

void find_contacts(const Model& model, Data& data) {
  ScopedTimer collision(data, Timer::kCollision);
  clear_contacts(data);
  collide(model, data);
  add_speculative_contacts(model, data);
}

// Contacts are found once more for what they wake; what these touch in turn wakes up in the next step. Contacts and
// tendons of what an equality wakes are found in the next step, too. All as in MuJoCo.
void wake_what_is_coupled(const Model& model, Data& data) {
  const bool is_touched = wake_touched_trees(model, data);
  if (is_touched) find_contacts(model, data);
  const bool is_tied = !data.awake.all && wake_tied_trees(model, data);
  if (!is_touched && !is_tied) return;
  compute_transmission(model, data);
  data.has_damped_factor = false;  // that of what woke up is missing
}

}  // namespace

void forward_position(const Model& model, Data& data) {
  ScopedTimer timer(data, Timer::kPosition);
  data.clear_memory_needed();
  begin_sleep_of_position(model, data);
  {
    ScopedTimer kinematics(data, Timer::kKinematics);
    compute_kinematics(model, data);
    compute_com_position(model, data);
    compute_cameras_and_lights(model, data);
    compute_tendons(model, data);
    if (!data.awake.all && wake_pulled_trees(model, data)) compute_tendons(model, data);
    compute_transmission(model, data);
  }
  {
    ScopedTimer inertia(data, Timer::kInertia);
    compute_mass_matrix(model, data);
    if (data.has_damped_factor) {
      factor_mass_matrix_and_damped(model, data);
      warn_of_singular_inertia(model, data, data.qLDiagInv.data());
    } else {
      factor_mass_matrix(model, data);
    }
  }
  find_contacts(model, data);
  if (!data.awake.all) wake_what_is_coupled(model, data);
  {
    ScopedTimer make(data, Timer::kMake);
    make_rows(model, data);
  }
  compute_contact_transmission(model, data);
  data.maxuse_con = std::max(data.maxuse_con, data.ncon);
  data.maxuse_efc = std::max(data.maxuse_efc, data.nefc);
  data.has_energy_position = data.has_energy_velocity = false;
  data.has_subtree_velocity = data.has_rne_post = false;
}

void forward_velocity(const Model& model, Data& data) {
  ScopedTimer timer(data, Timer::kVelocity);
  compute_tendon_velocity(model, data);
  compute_actuator_velocity(model, data);
  compute_velocity_and_bias(model, data);
  add_tendon_bias(model, data, data.qfrc_bias.data());
  compute_passive(model, data);
  add_adhesion_force(model, data);
  if (data.passive) data.passive(model, data);
  data.efm_active = data.nefmT = data.nefmA = 0;
  if (formulation(model.opt).solves_in_metric) compute_metric(model, data);
  compute_row_reference(model, data);
  data.has_energy_velocity = data.has_subtree_velocity = data.has_rne_post = false;
}

// Without actuators there is no actuator force, not even gravity compensation that joints assign to actuators.
void forward_actuation(const Model& model, Data& data) {
  ScopedTimer timer(data, Timer::kActuation);
  compute_actuation(model, data);
}

// Also the rows, as the metric scales them.
void accelerate_in_metric(const Model& model, Data& data) {
  complete_metric(model, data);
  ArenaScope scope(data.arena());
  double* x = data.arena().push_array<double>(static_cast<size_t>(model.nv));
  if (!x) return;
  for (int i = 0; i < model.nv; ++i) x[i] = data.qfrc_smooth[i] + data.efm_c[i] + data.efm_ca[i];
  solve_metric(model, data, x);
  for_each_awake_run(model, data, [&](const Range& run) {
    std::copy(x + run.dof_begin, x + run.dof_end, data.qacc_smooth.begin() + run.dof_begin);
  });
  finish_rows_in_metric(model, data);
}

// SAP uses M + h B: damping is implicit from here on, and the integrator adds none. (Tendon damping is in rows.)
void forward_acceleration(const Model& model, Data& data) {
  compute_acceleration(model, data);
  if (formulation(model.opt).solves_in_metric) return accelerate_in_metric(model, data);
  if (!formulation(model.opt).solves_for_damping || !has_implicit_damping(model)) return;
  if (!data.has_damped_factor) factor_mass_matrix_and_damped(model, data);
  warn_of_singular_inertia(model, data, data.qHDiagInv.data());
  for_each_awake_run(model, data, [&](const Range& run) {
    std::copy(data.qfrc_smooth.begin() + run.dof_begin, data.qfrc_smooth.begin() + run.dof_end,
              data.qacc_smooth.begin() + run.dof_begin);
    world_kernels().solve(model, data.qH.data(), data.qHDiagInv.data(), data.qacc_smooth.data(), run);
  });
}

void forward_constraint(const Model& model, Data& data) {
  ScopedTimer timer(data, Timer::kConstraint);
  solve_constraints(model, data);
  if (formulation(model.opt).solves_in_metric) solve_floating_in_metric(model, data);
  data.has_rne_post = false;
}

// Energies are zero unless the flag or a sensor requests them, so that a stale value is not mistaken for a current one.
// Like MuJoCo, clears both if the potential energy was not requested, after a sensor of the kinetic energy was read.
void update_energy_position(const Model& model, Data& data) {
  if (data.has_energy_position) return;
  data.energy[0] = data.energy[1] = 0;
  if (model.opt.enabled(kEnableEnergy)) compute_energy_position(model, data);
}

void update_energy_velocity(const Model& model, Data& data) {
  if (model.opt.enabled(kEnableEnergy)) compute_energy_velocity(model, data);
}

namespace {

void run_forward(const Model& model, Data& data, SkipStage skip, bool skip_sensors) {
  ScopedTimer timer(data, Timer::kForward);
  if (skip < SkipStage::kVelocity)
    poison(data, Stage::kVelocity);  // before the position stage, which may also compute the damped factor
  if (skip < SkipStage::kPosition) {
    poison(data, Stage::kPosition);
    forward_position(model, data);
    if (!skip_sensors) compute_sensors(model, data, SensorStage::kPosition);
    update_energy_position(model, data);
  }
  if (skip < SkipStage::kVelocity) {
    forward_velocity(model, data);
    if (!skip_sensors) compute_sensors(model, data, SensorStage::kVelocity);
    update_energy_velocity(model, data);
  }
  if (data.control) data.control(model, data);
  if (skip > SkipStage::kNone) data.has_damped_factor = false;  // it may be of another state
  poison(data, Stage::kAcceleration, !skip_sensors);
  forward_actuation(model, data);
  forward_acceleration(model, data);
  forward_constraint(model, data);
  if (!skip_sensors) compute_sensors(model, data, SensorStage::kAcceleration);
}

void run_inverse(const Model& model, Data& data, SkipStage skip, bool skip_sensors) {
  ScopedTimer timer(data, Timer::kInverse);
  if (skip < SkipStage::kPosition) {
    forward_position(model, data);
    if (!skip_sensors) compute_sensors(model, data, SensorStage::kPosition);
    if (model.opt.enabled(kEnableEnergy)) compute_energy_position(model, data);
  }
  if (skip < SkipStage::kVelocity) {
    forward_velocity(model, data);
    if (!skip_sensors) compute_sensors(model, data, SensorStage::kVelocity);
    update_energy_velocity(model, data);
  }
  ArenaScope scope(data.arena());
  double* given_qacc = data.arena().push_array<double>(static_cast<size_t>(model.nv));
  std::copy(data.qacc.begin(), data.qacc.end(), given_qacc);
  if (model.opt.enabled(kEnableInvDiscrete) && formulation(model.opt).inverts_continuously)
    make_acceleration_continuous(model, data);
  if (formulation(model.opt).solves_in_metric) {
    complete_metric(model, data);
    finish_rows_in_metric(model, data);
  }
  inverse_constraints(model, data);
  inverse_dynamics(model, data, true, data.qfrc_inverse.data());
  add_tendon_bias(model, data, data.qfrc_inverse.data());
  add_tendon_inertia_force(model, data, data.qacc.data(), data.qfrc_inverse.data());
  for (int i = 0; i < model.nv; ++i)
    data.qfrc_inverse[i] += model.dof_armature[i] * data.qacc[i] - data.qfrc_passive[i] - data.qfrc_constraint[i];
  for (int i = 0; formulation(model.opt).solves_for_damping && i < model.nv; ++i)
    data.qfrc_inverse[i] += model.opt.timestep * implicit_damping(model, data, i) * data.qacc[i];
  if (formulation(model.opt).solves_in_metric)
    add_metric_force(model, data, data.qacc.data(), data.qfrc_inverse.data());
  subtract_damper_forces(data, data.qfrc_inverse.data());
  for (int i = 0; model.flg_actjoint && i < model.nv; ++i)
    data.qfrc_inverse[i] += actuator_armature<double>(model, i) * data.qacc[i];
  data.has_rne_post = false;
  if (!skip_sensors) compute_sensors(model, data, SensorStage::kAcceleration);
  std::copy(given_qacc, given_qacc + model.nv, data.qacc.begin());
}

using Run = void (*)(const Model&, Data&, SkipStage, bool);
void guarded(const Model& model, Data& data, SkipStage skip, bool skip_sensors, Run run) {
  require_fit(model, data);
  require_settings(model);
  if (!data.ensure_smooth_scratch()) return;
  ClockGuard guard(model, data);
  run(model, data, skip, skip_sensors);
  guard.finish();
  tell_warnings(data);  // those that stages only counted
}

}  // namespace

void evaluate_forward(const Model& model, Data& data, SkipStage skip, bool skip_sensors) {
  guarded(model, data, skip, skip_sensors, run_forward);
}

void evaluate_inverse(const Model& model, Data& data, SkipStage skip, bool skip_sensors) {
  guarded(model, data, skip, skip_sensors, run_inverse);
}

void forward(const Model& model, Data& data) { forward_skip(model, data, SkipStage::kNone); }

void forward_skip(const Model& model, Data& data, SkipStage skip, bool skip_sensors) {
  evaluate_forward(model, data, skip, skip_sensors);
  if (warn_of_memory(data)) require_memory(model, data);
}

void inverse(const Model& model, Data& data) { inverse_skip(model, data, SkipStage::kNone); }

void inverse_skip(const Model& model, Data& data, SkipStage skip, bool skip_sensors) {
  evaluate_inverse(model, data, skip, skip_sensors);
  if (warn_of_memory(data)) require_memory(model, data);
}

}  // namespace torsor
