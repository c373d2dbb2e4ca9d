// How a solver poses the constraint problem of a step. MuJoCo's solvers in continuous time, the same in discrete time
// (integrator "discrete") and SAP run the same stages; this table is the whole difference between them, and each stage
// that differs asks for the property it depends on.
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
  // The solver's matrix is M + h D + h^2 K (dynamics/metric.hpp), rows are implicit in their own reference, and qacc is
  // the change of velocity over the step: the integrator adds nothing.
  bool solves_in_metric;
  // Inverse dynamics may be given the acceleration of a discrete step (flag invdiscrete).
  bool inverts_continuously;
};

constexpr Formulation kSoftFormulation{.is_compliant = false,
                                       .has_pyramids = true,
                                       .solves_for_damping = false,
                                       .solves_for_drives = false,
                                       .stops_by_momentum = false,
                                       .has_noslip = true,
                                       .solves_in_metric = false,
                                       .inverts_continuously = true};
constexpr Formulation kDiscreteFormulation{.is_compliant = false,
                                           .has_pyramids = true,
                                           .solves_for_damping = false,
                                           .solves_for_drives = false,
                                           .stops_by_momentum = false,
                                           .has_noslip = true,
                                           .solves_in_metric = true,
                                           .inverts_continuously = false};
constexpr Formulation kSapFormulation{.is_compliant = true,
                                      .has_pyramids = false,
                                      .solves_for_damping = true,
                                      .solves_for_drives = true,
                                      .stops_by_momentum = true,
                                      .has_noslip = false,
                                      .solves_in_metric = false,
                                      .inverts_continuously = false};

TORSOR_HD inline bool is_sap(const Option& option) { return option.solver == static_cast<int>(SolverType::kSap); }
TORSOR_HD inline bool solves_in_metric(const Option& option) {
  return !is_sap(option) && option.integrator == static_cast<int>(Integrator::kDiscrete);
}

inline const Formulation& formulation(const Option& option) {
  if (is_sap(option)) return kSapFormulation;
  return solves_in_metric(option) ? kDiscreteFormulation : kSoftFormulation;
}

}  // namespace torsor
