// Dampers of tendons under SAP, where A = M + h (B + sum d J_t' J_t). The damping B of dofs is on the diagonal of A.
// Tendons can couple any dofs, also of different trees, for which M has no entries. So each damped tendon is a row with
// the part of its force that depends on the acceleration:
//     f = -h d (J_t a),   R = 1 / (h d),   aref = 0,   no bounds.
// The force at the beginning of the step is in qfrc_damper, as for dofs. Like h B a, the force of these rows is not
// part of qfrc_constraint: qfrc_smooth + qfrc_constraint = A a.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Whether the tendon has such a row: it has damping, and neither damping nor its implicit treatment is disabled.
bool is_implicit_damper(const Model& model, int tendon);
bool has_implicit_dampers(const Model& model);

// h d, with d the slope of the damping force at this velocity; never negative, so that the problem stays convex.
double damper_gain(const Model& model, int tendon, double velocity);

// efc_R, efc_D and efc_aref of the rows, from ten_velocity.
void set_damper_references(const Model& model, Data& data);

// qfrc -= J' force of the rows.
void subtract_damper_forces(const Data& data, double* qfrc);

}  // namespace torsor
