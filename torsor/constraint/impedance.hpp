// Stiffness, damping and regularisation of each row.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Computes efc_diagA, efc_KBIP, efc_R, efc_D and, for elliptic contacts, mu, from the rows and their positions; not
// those of the first `kept` rows of friction.
void compute_impedance(const Model& model, Data& data, int kept);

inline constexpr double kMinImpedance = 0.0001, kMaxImpedance = 0.9999;

// The impedance at a given violation (the five numbers of solimp), and its derivative.
struct Impedance {
  double value, slope;
};
Impedance impedance_at(const double solimp[5], double violation);

// J M^-1 J' of row r of a contact, estimated from the inverse weights of its bodies; of an edge where it is a pyramid.
double contact_weight(const Model& model, const Contact& contact, bool pyramidal, int r);

// Stiffness and damping of the reference acceleration of rows with this solref and solimp.
struct RowReference {
  double stiffness, damping;
};
RowReference row_reference(const Model& model, const double solref[2], const double solimp[5]);

}  // namespace torsor
