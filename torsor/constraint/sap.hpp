// The rows of the SAP solver: the same Jacobians as for the other solvers, with compliance and reference of its own.
// [Castro, Permenter, Han 2022, "An unconstrained convex formulation of compliant contact"; Drake]
//
// SAP minimises 1/2 (v - v*)' A (v - v*) + sum l_i(J_i v) over the velocity v at the end of the step h. With v = v0 + h
// a, divided by h^2, that is the primal problem of solver/problem.hpp:
//     M -> A = M + h B, damping B on the diagonal (that of tendons in rows: damper.hpp), D = 1 / R, aref = (v_hat - J
//     v0) / h, force = impulse / h
// with R = max(beta^2 / (4 pi^2) w, 1 / (h k (h + tau))) and v_hat = -phi / (h + tau) of a normal, and R = sigma w of
// friction. w estimates J A^-1 J' by J diag(A)^-1 J'. The friction cone with R_t / R_n is an elliptic one with
// mu sqrt(R_t / R_n), whose three zones are stick, slide and no contact.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// efc_diagA (w), efc_KBIP (k, tau, 1 where R is the near-rigid one, 0), efc_R, efc_D and mu of contacts. k is 0 where
// nothing but the near-rigid bound says how stiff a row is.
void compute_sap_compliance(const Model& model, Data& data);

// efc_aref from efc_vel, and R and D of dampers; references of drives are set with the forces of actuators.
void compute_sap_reference(const Model& model, Data& data);

// Damping that is implicit, of a dof: A = M + h damping. 0 where damping is switched off or explicit.
double implicit_damping(const Model& model, const Data& data, int dof);

// How far from its limit a coordinate that moves at `speed` gets a row: it could be there at the end of the step.
double sap_limit_reach(const Model& model, double speed);

}  // namespace torsor
