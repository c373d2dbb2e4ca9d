// Actuators that SAP solves together with contacts: springs and dampers towards a setpoint, of any stiffness. With
// l the length of the transmission, force = gain u + b0 + b1 l + b2 l', b1 and b2 not positive, at the end of the step:
//     f(v) = clamp(f0 + b1 h l'(v) + b2 (l'(v) - l'_0)),   f0 the force now and l' = moment . v
// All other actuators have the force at the beginning of the step.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Whether the actuator is such a drive: SAP is the solver, the gain is fixed, the bias affine and resisting, and its
// limits are its own. Where a tendon or a joint with several actuators limits the sum of forces, they stay explicit.
bool is_implicit_drive(const Model& model, int actuator);
bool has_implicit_drives(const Model& model);

// f = centre + what the row gives, which is at most `half`; half is infinite without limits.
struct DriveRange {
  double centre = 0, half = 0;
};
DriveRange drive_range(const Model& model, int actuator);

// h (-b1) + (-b2): the change of force per unit of velocity at the end of the step.
double drive_gain(const Model& model, int actuator);

// From the forces that actuators have now to the references of the drives' rows; the centres stay in actuator_force.
void set_drive_references(const Model& model, Data& data);

// The forces of the drives' rows belong to actuators: moves them from qfrc_constraint to actuator_force and
// qfrc_actuator.
void give_drive_forces(const Model& model, Data& data);

}  // namespace torsor
