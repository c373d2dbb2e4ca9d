// Actuators of one world: lengths, controls, activations, forces, and what they add to the equation of motion.
// force = gain * (activation or control) + bias; the transmission turns it into joint forces.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// --- from qpos, then from qvel -----------------------------------------------------------------------------------
void compute_transmission(const Model& model, Data& data);  // actuator_length actuator_moment
// The moments of actuators that act on the contacts of a body, once these are known; zero until then.
void compute_contact_transmission(const Model& model, Data& data);
void compute_actuator_velocity(const Model& model, Data& data);  // actuator_velocity

// --- from state and input ----------------------------------------------------------------------------------------
void compute_actuation(const Model& model, Data& data);  // act_dot actuator_force qfrc_actuator
// Whether an actuator's force, or that of all actuators of its joint or tendon, is at its limit, so that it does not
// depend on length and velocity. As far as the forces of the last evaluation tell.
bool is_at_limit(const Model& model, const Data& data, int actuator);
// Derivatives of an actuator's force by its length and velocity, as if it were not at a limit. The same for all its
// outputs. `controls` are the effective ones of all actuators.
double actuator_slope_by_length(const Model& model, const Data& data, int actuator, const double* controls);
double actuator_slope_by_velocity(const Model& model, const Data& data, int actuator, const double* controls);
// The controls as actuators see them, delayed and clamped.
void gather_effective_controls(const Model& model, const Data& data, double* controls);

// --- over a step -------------------------------------------------------------------------------------------------
// Activations after the time step with the given rates. Where they are limited, or circular, they stay in range.
void advance_activations(const Model& model, Data& data, const double* act_dot);
// The controls of this step go into the histories of the actuators that have one.
void remember_controls(const Model& model, Data& data);
// The controls of an actuator at a time, from its history; `interpolation` is 0 hold, 1 linear, 2 cubic.
void read_controls(const Model& model, const Data& data, int actuator, double time, int interpolation,
                   double* controls);

// The representative of `x` that is nearest to `center` on a circle; x itself without a period.
double nearest_on_circle(double x, double center, double period);

// Switched off by its group.
bool is_disabled(const Model& model, int actuator);

}  // namespace torsor
