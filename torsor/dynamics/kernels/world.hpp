// The kernels of one world, compiled once per instruction set: a table of functions over plain doubles. Most take a
// range of bodies, so that a stage does nothing for what sleeps.
#pragma once

#include "torsor/model/body_range.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// Which part of the medium's slopes: all, the symmetric part but for bodies that float alone (implicitfast), or the
// symmetric part of what takes energy from bodies (discrete).
enum class FluidSlope { kAll, kSymmetric, kDrag };

struct WorldKernels {
  using View = DataView<double>;
  void (*kinematics)(const ModelView&, View&, const Range&);
  void (*com_position)(const ModelView&, View&, const Range&);  // the next two
  void (*subtree_com)(const ModelView&, View&, const Range&);
  void (*about_com)(const ModelView&, View&, const Range&);
  void (*mass_matrix)(const ModelView&, View&, double* scratch, const Range&);  // scratch: 12 (nv + 6)
  void (*factor_mass_matrix)(const ModelView&, View&, const Range&);
  // qLD and qH at once; scratch: 2 nC, aligned to 16
  void (*factor_both)(const ModelView&, View&, double* scratch, const Range&);
  void (*com_velocity)(const ModelView&, View&, const Range&);
  void (*velocity_and_bias)(const ModelView&, View&, double* scratch, const Range&);  // scratch: 12 nbody
  void (*passive)(const ModelView&, View&, const Range&);
  // scratch: 6 nbody
  void (*bias)(const ModelView&, const View&, double* scratch, double* result);
  void (*inverse_dynamics)(const ModelView&, const View&, double* scratch, double* result);
  void (*acceleration)(const ModelView&, View&, const Range&);
  // qacc: nv; takes the velocity derivative of all forces from qDeriv
  void (*solve_implicit_fast)(const ModelView&, View&, double* qacc);
  void (*advance)(const ModelView&, View&, const double* qacc, const Range&);  // qvel and qpos
  void (*factor)(const ModelView&, double* LD, double* diagonal_inverse);
  void (*solve)(const ModelView&, const double* LD, const double* diagonal_inverse, double* x, const Range&);
  void (*multiply)(const ModelView&, const double* M, const double* x, double* y);
  void (*integrate_position)(const ModelView&, double* qpos, const double* qvel, double h, const Range&);
  double (*potential_energy)(const ModelView&, const View&);
  void (*add_applied_forces)(const ModelView&, const View&, double* qfrc);
  // adds the medium's part to qDeriv; scratch: 13 (nv + 8)
  void (*add_fluid_slopes)(const ModelView&, View&, FluidSlope part, double* scratch);
  // plastic after a step h along `qvel` to the present qpos
  void (*yield_springs)(const ModelView&, View&, const double* qvel, double h);
};

}  // namespace torsor
