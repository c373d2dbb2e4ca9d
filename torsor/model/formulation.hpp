// How a solver poses the constraint problem of a step. MuJoCo's solvers and SAP run the same stages; this table is the
// whole difference between them, and each stage that differs asks for the property it depends on.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

struct Formulation {
  // Rows have a stiffness and a dissipation time instead of solref and solimp, and limits act as soon as this step
  // could reach them: constraint/sap.hpp.
  bool is_compliant;
  // Friction cones may be pyramids.
  bool has_pyramids;
  // Damping of joints and tendons is implicit in the solve (A = M + h B, constraint/damper.hpp): the integrator adds
  // none.
  bool solves_for_damping;
  // Springs and dampers towards a setpoint are rows: dynamics/drive.hpp.
  bool solves_for_drives;
  // Iterations end when momentum is balanced to sap_tolerance.
  bool stops_by_momentum;
  // Noslip iterations may follow the solve.
  bool has_noslip;
  // Inverse dynamics may be given the acceleration of a discrete step (flag invdiscrete).
  bool inverts_continuously;
};

constexpr Formulation kSoftFormulation{.is_compliant = false,
                                       .has_pyramids = true,
                                       .solves_for_damping = false,
                                       .solves_for_drives = false,
                                       .stops_by_momentum = false,
                                       .has_noslip = true,
                                       .inverts_continuously = true};
constexpr Formulation kSapFormulation{.is_compliant = true,
                                      .has_pyramids = false,
                                      .solves_for_damping = true,
                                      .solves_for_drives = true,
                                      .stops_by_momentum = true,
                                      .has_noslip = false,
                                      .inverts_continuously = false};

inline bool is_sap(const Option& option) { return option.solver == static_cast<int>(SolverType::kSap); }

inline const Formulation& formulation(const Option& option) {
  return is_sap(option) ? kSapFormulation : kSoftFormulation;
}

}  // namespace torsor
