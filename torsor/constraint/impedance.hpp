// How stiff, damped and soft each row is.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// efc_diagA, efc_KBIP, efc_R, efc_D and, of elliptic contacts, mu; from the rows and their positions.
void compute_impedance(const Model& model, Data& data);

// The impedance at a violation and its derivative by it [the five numbers of solimp].
struct Impedance {
  double value, slope;
};
Impedance impedance_at(const double solimp[5], double violation);

// Stiffness and damping of the reference acceleration of rows with this solref and solimp.
struct RowReference {
  double stiffness, damping;
};
RowReference row_reference(const Model& model, const double solref[2], const double solimp[5]);

}  // namespace torsor
