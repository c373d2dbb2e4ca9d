// Simulation of one world: forward and inverse dynamics, steps, state. Read step.cpp first.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// The outcome of a step. Bad numbers are counted in data.warning.
enum class Status : int {
  kOk = 0,
  kReset = 1,     // bad numbers: the simulation was reset and continues from the reference pose
  kDiverged = 2,  // bad numbers, and automatic reset is disabled
  // Contacts and constraints need more memory than the model allows (<size memory="...">) or the system has: the step
  // was not taken, the state is unchanged, and data.memory_needed() is the number of bytes needed.
  kOutOfMemory = 3,
};

// Advances the state by model.opt.timestep. Positions and other results in `data` belong to the state before the step.
Status step(const Model& model, Data& data);
// step() in two halves, with user code for controls in between. Runge-Kutta cannot be split; it falls back to Euler.
Status step1(const Model& model, Data& data);
Status step2(const Model& model, Data& data);
// step() without the stages that are already computed (see forward_skip()), and without checks for bad numbers. With
// kAcceleration, it only integrates.
void step_skip(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);

// These and the functions below throw Error for a Data of another model, and pass on exceptions of user callbacks; the
// state is then unchanged. Those that return no Status also throw Error when out of memory.

// Computes all results for the current state and input, ending with qacc.
void forward(const Model& model, Data& data);
void forward_skip(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);
// Computes qfrc_inverse, the force that produces the current qacc.
void inverse(const Model& model, Data& data);
void inverse_skip(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);
// Computes solver_fwdinv: norms of forward minus inverse dynamics, for qfrc_constraint and for the applied forces. Call
// it after forward(); it also writes qfrc_inverse. Steps call it if the flag `fwdinv` is set.
void compare_forward_inverse(const Model& model, Data& data);

// The stages of forward(), in order.
void forward_position(const Model& model, Data& data);
void forward_velocity(const Model& model, Data& data);
void forward_actuation(const Model& model, Data& data);
void forward_acceleration(const Model& model, Data& data);
void forward_constraint(const Model& model, Data& data);

// energy[0] and energy[1] as forward() leaves them: computed if the flag `energy` is set, else zero.
void update_energy_position(const Model& model, Data& data);
void update_energy_velocity(const Model& model, Data& data);

// Integrator "discrete": completes the metric; qacc_smooth in it.
void accelerate_in_metric(const Model& model, Data& data);

// The integrators, from the results of forward().
void integrate_euler(const Model& model, Data& data);
void integrate_rk4(const Model& model, Data& data);
void integrate_implicit(const Model& model, Data& data);
void integrate_implicit_fast(const Model& model, Data& data);

// Converts qacc from the discrete acceleration, which the integrator applies over a step, to that of continuous time;
// inverse() does so for its input if the flag `invdiscrete` is set. Throws Error for RK4.
void make_acceleration_continuous(const Model& model, Data& data);

// qvel, qpos, time and warm start after one time step with the given acceleration.
void advance(const Model& model, Data& data, const double* qacc);

// Stores readings and controls in the history, and advances act by one time step with the given rates; call before time
// and lengths change. The second leaves readings out.
void advance_actuators(const Model& model, Data& data, const double* act_dot);
void advance_controls(const Model& model, Data& data, const double* act_dot);
// The same with the rates of forward(); trees at rest fall asleep first. False when that ran out of memory: the step is
// not to be taken, and the state is as it was.
bool advance_actuators_and_sleep(const Model& model, Data& data);

// qDeriv, the derivative of passive minus bias force by qvel; without `bias` only the part that implicitfast uses.
void compute_velocity_derivative(const Model& model, Data& data, bool bias);

// Parts of the state as one vector; `signature` is a sum of StateBits.
int state_size(const Model& model, int signature);
void get_state(const Model& model, const Data& data, double* state, int signature);
void set_state(const Model& model, Data& data, const double* state, int signature);
// Copies parts of the state from one Data to another. Throws Error unless both fit the model.
void copy_state(const Model& model, const Data& from, Data& to, int signature);
// Extracts the parts `wanted` from a vector with the parts `signature`. Throws Error unless it contains them.
void extract_state(const Model& model, const double* state, int signature, double* result, int wanted);
// Sets a keyframe from the current state: time, qpos, qvel, act, mocap poses and ctrl. Throws Error for a bad index.
void set_keyframe(Model& model, const Data& data, int key);

}  // namespace torsor
