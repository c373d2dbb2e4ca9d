// Dampers of tendons under SAP, where A = M + h (B + sum d J_t' J_t). The damping B of dofs is on A's diagonal. That of
// tendons may connect any dofs, other trees too, where M has no room: each damped tendon is a row that has the part of
// its force which the step adds,
//     f = -h d (J_t a),   R = 1 / (h d),   aref = 0,   no bounds.
// The force at the beginning of the step is in qfrc_damper, as for dofs. Like h B a, the rows' part is no force of
// constraints: qfrc_smooth + qfrc_constraint = A a.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Whether the tendon has such a row: there is damping, and neither damping nor its implicit treatment is switched off.
bool is_implicit_damper(const Model& model, int tendon);
bool has_implicit_dampers(const Model& model);

// h d, with d the slope of the damping force at this velocity; never negative, for the problem has to stay convex.
double damper_gain(const Model& model, int tendon, double velocity);

// efc_R, efc_D and efc_aref of the rows, from ten_velocity.
void set_damper_references(const Model& model, Data& data);

// qfrc -= J' force of the rows.
void subtract_damper_forces(const Data& data, double* qfrc);

}  // namespace torsor
