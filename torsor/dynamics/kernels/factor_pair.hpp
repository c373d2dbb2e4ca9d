// Two factorisations at once, for one world: M itself, and M with the integrator's damping on its diagonal. Both have
// the same pattern, so that they fit in the two halves of a register and cost little more than one.
#pragma once

#include "torsor/dynamics/kernels/inertia.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/math/pack.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

using Pair = Pack<double, 2>;  // M in lane 0, M + h B in lane 1

// qLD, qLDiagInv and qH, qHDiagInv from M. Scratch: nC pairs.
TORSOR_LOCAL void factor_both(const ModelView& model, DataView<double>& data, Pair* scratch, const Range& range) {
  const double h = model.opt.timestep;
  const NumberRange numbers = numbers_in_M(model, range);
  for (int k = numbers.begin; k < numbers.end; ++k) scratch[k] = Pair(data.M[k]);
  for (int i = range.dof_begin; i < range.dof_end; ++i) {
    Pair& diagonal = scratch[model.M_rowadr[i] + model.M_rownnz[i] - 1];
    set_lane(diagonal, 1, lane(diagonal, 1) + h * damping_derivative(model, i, data.qvel[i]));
  }
  factor_rows(model, scratch, range, [&](int k, const Pair& inverse) {
    data.qLDiagInv[k] = lane(inverse, 0);
    data.qHDiagInv[k] = lane(inverse, 1);
  });
  double* __restrict LD = data.qLD.data(), * __restrict H = data.qH.data();
  const double* __restrict from = reinterpret_cast<const double*>(scratch);
  for (int i = numbers.begin; i < numbers.end; ++i) {
    LD[i] = from[2 * i];
    H[i] = from[2 * i + 1];
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
