// The rows of the SAP solver: the Jacobians are those of the other solvers, compliance and reference are its own.
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

// Computes efc_diagA (w), efc_KBIP (k, tau, 1 if R is the near-rigid one, 0), efc_R, efc_D and mu of contacts. k is 0
// if only the near-rigid bound limits the stiffness of a row.
void compute_sap_compliance(const Model& model, Data& data);

// Computes efc_aref from efc_vel, and R and D of dampers; references of drives are set with the actuator forces.
void compute_sap_reference(const Model& model, Data& data);

// The implicit damping of a dof: A = M + h damping. 0 if damping is disabled or explicit.
double implicit_damping(const Model& model, const Data& data, int dof);

// A coordinate that moves at `speed` gets a limit row within this distance: it could reach the limit in this step.
double sap_limit_reach(const Model& model, double speed);

}  // namespace torsor
