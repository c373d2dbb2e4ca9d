// Simulation of one world: forward and inverse dynamics, steps, state. Read step.cpp first.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// How a step went. Numbers that blew up are counted in data.warning.
enum class Status : int {
  kOk = 0,
  kReset = 1,     // bad numbers: the simulation was reset and goes on from the reference pose
  kDiverged = 2,  // bad numbers, and the reset is switched off
  // The memory that the model allows (<size memory="...">), or the system has, is not enough for contacts and
  // constraints: the step was not taken, the state is as it was, and data.memory_needed() tells how many bytes would
  // do.
  kOutOfMemory = 3,
};

// Advances the state by model.opt.timestep. Positions and other results in `data` belong to the state before the step.
Status step(const Model& model, Data& data);
// step() in two halves, with user code for controls in between. Runge-Kutta cannot be halved: it falls back to Euler.
Status step1(const Model& model, Data& data);
Status step2(const Model& model, Data& data);
// step() without the stages that are already computed, as forward_skip(), and without looking for bad numbers.
// kAcceleration: all are, and the state moves only.
void step_skip(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);

// These and the functions below throw Error for a Data of another model, and what a callback of the user throws; the
// state is then as it was. Those that return no Status also throw Error when memory is not enough for their results.

// All results for the present state and input, ending with qacc.
void forward(const Model& model, Data& data);
void forward_skip(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);
// qfrc_inverse, the force that explains the present qacc.
void inverse(const Model& model, Data& data);
void inverse_skip(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);
// solver_fwdinv: norms of forward minus inverse dynamics, of qfrc_constraint and of the forces that were given. After
// forward(); writes qfrc_inverse and leaves the rest. Steps do so with the flag `fwdinv`.
void compare_forward_inverse(const Model& model, Data& data);

// The stages of forward(), in order.
void forward_position(const Model& model, Data& data);
void forward_velocity(const Model& model, Data& data);
void forward_actuation(const Model& model, Data& data);
void forward_acceleration(const Model& model, Data& data);
void forward_constraint(const Model& model, Data& data);

// energy[0] and energy[1] as forward() leaves them: computed where the flag `energy` asks for it, else zero.
void update_energy_position(const Model& model, Data& data);
void update_energy_velocity(const Model& model, Data& data);

// The integrators, from the results of forward().
void integrate_euler(const Model& model, Data& data);
void integrate_rk4(const Model& model, Data& data);
void integrate_rkmk4(const Model& model, Data& data);  // order 4 in rotations too
void integrate_implicit(const Model& model, Data& data);
void integrate_implicit_fast(const Model& model, Data& data);

// Turns qacc from what the integrator would apply over a step into the acceleration of continuous time; inverse() does
// so for its input when the flag `invdiscrete` is set. Throws Error for RK4.
void make_acceleration_continuous(const Model& model, Data& data);

// qvel, qpos, time and warm start after one time step with the given acceleration.
void advance(const Model& model, Data& data, const double* qacc);

// Controls into the history, and act after one time step with the given rates; before time and length change.
void advance_actuators(const Model& model, Data& data, const double* act_dot);

// qDeriv, the derivative of passive minus bias force by qvel; without `bias` only what implicitfast uses.
void compute_velocity_derivative(const Model& model, Data& data, bool bias);

// Parts of the state as one vector; `signature` is a sum of StateBits.
int state_size(const Model& model, int signature);
void get_state(const Model& model, const Data& data, double* state, int signature);
void set_state(const Model& model, Data& data, const double* state, int signature);
// The same parts from one Data to another; both must fit the model, or Error.
void copy_state(const Model& model, const Data& from, Data& to, int signature);
// The parts `wanted` out of a vector with the parts `signature`, which must contain them, or Error.
void extract_state(const Model& model, const double* state, int signature, double* result, int wanted);
// A keyframe from the present state: time, qpos, qvel, act, mocap poses and ctrl. Throws Error for a wrong number.
void set_keyframe(Model& model, const Data& data, int key);

}  // namespace torsor
