// Euler and Runge-Kutta; the implicit integrators are in implicit.cpp.
#include <algorithm>

#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/circle.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/math/vec3.hpp"
#include "torsor/model/formulation.hpp"
#include "torsor/sim/evaluate.hpp"
#include "torsor/sim/sensor.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/sim/sleep.hpp"

namespace torsor {
namespace {

double* push(Data& data, int numbers) { return data.arena().push_array<double>(static_cast<size_t>(numbers)); }

void remember_warm_start(Data& data) { std::copy(data.qacc.begin(), data.qacc.end(), data.qacc_warmstart.begin()); }

double* copy_of(Data& data, const Field<double>& values) {
  double* copy = push(data, static_cast<int>(values.size()));
  std::copy(values.begin(), values.end(), copy);
  return copy;
}
void restore(Field<double>& values, const double* copy) { std::copy_n(copy, values.size(), values.begin()); }

// Saves the state before RK4's intermediate stages, and restores it if a callback throws.
class SavedState {
 public:
  SavedState(const Model& model, Data& data)
      : data_(data),
        history_(copy_of(data, data.history)),
        actuator_length_(copy_of(data, data.actuator_length)),
        actuator_velocity_(copy_of(data, data.actuator_velocity)),
        followed_(followed_by_activations(model)),
        noise_step_(data.noise_step),
        time(data.time),
        qpos(copy_of(data, data.qpos)),
        qvel(copy_of(data, data.qvel)),
        act(copy_of(data, data.act)) {}
  ~SavedState() {
    if (done_) return;
    restore_start();
    restore(data_.history, history_);
    data_.noise_step = noise_step_;
  }
  // All stages are done: the step is taken from the start, with the readings that were remembered.
  void finish() {
    restore_start();
    done_ = true;
  }

 private:
  void restore_start() {
    restore(data_.qpos, qpos);
    restore(data_.qvel, qvel);
    restore(data_.act, act);
    if (followed_.length) restore(data_.actuator_length, actuator_length_);
    if (followed_.velocity) restore(data_.actuator_velocity, actuator_velocity_);
    data_.time = time;
  }

  Data& data_;
  double *history_, *actuator_length_, *actuator_velocity_;
  Followed followed_;
  decltype(Data::noise_step) noise_step_;
  bool done_ = false;

 public:
  const double time;
  const double *const qpos, *const qvel, *const act;
};

// Histories as they were, unless the step is taken.
class KeptHistory {
 public:
  explicit KeptHistory(Data& data)
      : data_(data), history_(push(data, static_cast<int>(data.history.size()))), noise_step_(data.noise_step) {
    if (is_possible()) std::copy(data.history.begin(), data.history.end(), history_);
  }
  ~KeptHistory() {
    if (is_taken || !is_possible()) return;
    restore(data_.history, history_);
    data_.noise_step = noise_step_;
  }
  bool is_possible() const { return history_ != nullptr || data_.history.size() == 0; }
  bool is_taken = false;

 private:
  Data& data_;
  double* history_;
  decltype(Data::noise_step) noise_step_;
};

}  // namespace

void advance_controls(const Model& model, Data& data, const double* act_dot) {
  remember_controls(model, data);
  advance_activations(model, data, act_dot);
}

void advance_actuators(const Model& model, Data& data, const double* act_dot) {
  remember_readings(model, data);  // first, since a callback may throw
  advance_controls(model, data, act_dot);
}

// Histories hold the readings of what falls asleep from before it does.
bool advance_actuators_and_sleep(const Model& model, Data& data) {
  if (!can_sleep(model, data)) {
    advance_actuators(model, data, data.act_dot.data());
    return true;
  }
  ArenaScope scope(data.arena());
  double* rates = push(data, model.na);  // what falls asleep has others, at the end of the step
  KeptHistory history(data);
  if ((model.na > 0 && !rates) || !history.is_possible()) return false;
  std::copy(data.act_dot.begin(), data.act_dot.end(), rates);
  remember_readings(model, data);
  put_resting_trees_to_sleep(model, data);
  if (data.memory_needed() > 0) return false;
  history.is_taken = true;
  advance_controls(model, data, rates);
  return true;
}

// Semi-implicit: the new velocity moves the coordinates.
void advance(const Model& model, Data& data, const double* qacc) {
  if (!advance_actuators_and_sleep(model, data)) return;
  const double h = model.opt.timestep;
  for_each_awake_run(model, data, [&](const Range& run) {
    for (int i = run.dof_begin; i < run.dof_end; ++i) data.qvel[i] += h * qacc[i];
    world_kernels().integrate_position(model, data.qpos.data(), data.qvel.data(), h, run);
  });
  world_kernels().yield_springs(model, data, data.qvel.data(), h);
  data.time += h;
  remember_warm_start(data);
}

// M + h B is computed and used in one place, so that the two halves of a step equal the whole step to the bit.
void integrate_euler(const Model& model, Data& data) {
  if (formulation(model.opt).solves_for_damping)
    data.has_damped_factor = false;  // its acceleration already includes damping
  if (formulation(model.opt).solves_for_damping || !has_implicit_damping(model))
    return advance(model, data, data.qacc.data());
  if (!data.has_damped_factor) factor_mass_matrix_and_damped(model, data);
  data.has_damped_factor = false;
  warn_of_singular_inertia(model, data, data.qHDiagInv.data());
  ArenaScope scope(data.arena());
  double* qacc = push(data, model.nv);
  for_each_awake_run(model, data, [&](const Range& run) {
    for (int i = run.dof_begin; i < run.dof_end; ++i) qacc[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i];
    world_kernels().solve(model, data.qH.data(), data.qHDiagInv.data(), qacc, run);
  });
  advance(model, data, qacc);
}

// The first of its four accelerations is that of forward(); their mean remains in qacc. Readings are those of the
// start. Displacements are taken from the state before the step; their rates are averaged, so that rotations have order
// 4 too.
void integrate_rk4(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  const int nv = model.nv;
  const double h = model.opt.timestep;
  SavedState start(model, data);
  remember_readings(model, data);
  const bool had_rne_post = data.has_rne_post;
  double *sum_v = push(data, nv), *sum_a = push(data, nv), *displacement = push(data, nv), *rate = push(data, nv);
  for (double* sum : {sum_v, sum_a, displacement}) std::fill(sum, sum + nv, 0.0);
  double* sum_act_dot = push(data, model.na);
  std::fill(sum_act_dot, sum_act_dot + model.na, 0.0);
  const int tendon_numbers = model.nplastic > 0 ? model.ntendon + model.nJten : 0;  // plastic ones yield from the start
  double* tendons = push(data, tendon_numbers);
  if (tendon_numbers > 0)
    std::copy(data.ten_J.begin(), data.ten_J.end(), std::copy(data.ten_length.begin(), data.ten_length.end(), tendons));
  constexpr double kPart[] = {0.5, 0.5, 1}, kWeight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  for (int stage = 0; stage < 4; ++stage) {
    std::copy(data.qvel.begin(), data.qvel.end(), rate);
    correct_rotation_rates(model, displacement, rate);
    for (int i = 0; i < nv; ++i) {
      sum_v[i] += kWeight[stage] * rate[i];
      sum_a[i] += kWeight[stage] * data.qacc[i];
    }
    for (int k = 0; k < model.na; ++k) sum_act_dot[k] += kWeight[stage] * data.act_dot[k];
    if (stage == 3) break;
    const double part = kPart[stage] * h;
    for (int i = 0; i < nv; ++i) {
      displacement[i] = part * rate[i];
      data.qvel[i] = start.qvel[i] + part * data.qacc[i];
    }
    for (int k = 0; k < model.na; ++k) data.act[k] = start.act[k] + part * data.act_dot[k];
    std::copy(start.qpos, start.qpos + model.nq, data.qpos.begin());
    integrate_pos(model, data.qpos.data(), rate, part);
    data.time = start.time + part;
    evaluate_forward(model, data, SkipStage::kNone, true);
    if (data.memory_needed() > 0) return;  // the state before the step is restored
  }
  remember_warm_start(data);
  start.finish();
  data.has_rne_post = had_rne_post;  // intermediate stages leave cacc and body forces as they were at the start
  advance_controls(model, data, sum_act_dot);
  integrate_pos(model, data.qpos.data(), sum_v, h);
  if (tendon_numbers > 0) {
    std::copy_n(tendons, model.ntendon, data.ten_length.begin());
    std::copy_n(tendons + model.ntendon, model.nJten, data.ten_J.begin());
  }
  world_kernels().yield_springs(model, data, sum_v, h);
  for (int i = 0; i < nv; ++i) {
    data.qacc[i] = sum_a[i];
    data.qvel[i] += h * sum_a[i];
  }
  data.time += h;
}

}  // namespace torsor
