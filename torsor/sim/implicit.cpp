// The implicit-in-velocity integrators: (M - h qDeriv) a = force, with the full derivative (sparse LU, here) or its
// symmetric part (implicitfast, in dynamics/kernels/implicit.hpp).
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

// A = U L in the pattern D, U with a unit diagonal. Eliminating from the leaves makes no fill-in. A pivot that is
// almost zero becomes a tiny one of its sign; returns the first dof where this was so, -1 if there is none.
int factor_lu(const Model& model, double* LU) {
  int singular = -1;
  const auto row = [&](int i) { return LU + model.D_rowadr[i]; };
  const auto columns = [&](int i) { return model.D_colind.data() + model.D_rowadr[i]; };
  for (int k = model.nv - 1; k >= 0; --k) {
    double& pivot = row(k)[model.D_diag[k]];
    if (std::fabs(pivot) < kMinValue) {
      pivot = std::copysign(kMinValue, pivot);
      if (singular < 0) singular = k;
    }
    const double inverse = 1 / pivot;
    for (int i = model.dof_parentid[k]; i >= 0; i = model.dof_parentid[i]) {
      // place of k in the row of its ancestor i
      const int* found = std::lower_bound(columns(i), columns(i) + model.D_rownnz[i], k);
      if (found == columns(i) + model.D_rownnz[i] || *found != k) continue;
      double* a_ik = row(i) + (found - columns(i));
      if (*a_ik == 0) continue;
      const double scale = *a_ik * inverse;
      *a_ik = scale;
      // row i -= scale * row k, over the columns of k up to itself: ancestors of k, all of which are in row i
      int n = 0;
      for (int c = 0; c < model.D_diag[k]; ++c) {
        const int column = columns(k)[c];
        while (columns(i)[n] < column) ++n;
        row(i)[n] -= scale * row(k)[c];
      }
    }
  }
  return singular;
}

void solve_lu(const Model& model, const double* LU, double* x) {
  const auto row = [&](int i) { return LU + model.D_rowadr[i]; };
  const auto column = [&](int i, int c) { return model.D_colind[model.D_rowadr[i] + c]; };
  for (int i = model.nv - 1; i >= 0; --i) {
    for (int c = model.D_diag[i] + 1; c < model.D_rownnz[i]; ++c) x[i] -= row(i)[c] * x[column(i, c)];
  }
  for (int i = 0; i < model.nv; ++i) {
    for (int c = 0; c < model.D_diag[i]; ++c) x[i] -= row(i)[c] * x[column(i, c)];
    x[i] /= row(i)[model.D_diag[i]];
  }
}

void solve_full(const Model& model, Data& data, double* x) {
  const double h = model.opt.timestep;
  for (int k = 0; k < model.nD; ++k) {
    const int in_M = model.mapM2D[k];  // -1 where M has no entry: dofs of simple bodies
    data.qLU[k] = (in_M >= 0 ? data.M[in_M] : 0) - h * data.qDeriv[k];
  }
  const int singular = factor_lu(model, data.qLU.data());
  if (singular >= 0) warn(data, Warning::kInertia, singular);
  solve_lu(model, data.qLU.data(), x);
}

}  // namespace

void integrate_implicit(const Model& model, Data& data) {
  if (!data.awake.all && data.nv_awake == 0) return advance(model, data, nullptr);
  ArenaScope scope(data.arena());
  double* qacc = data.arena().push_array<double>(static_cast<size_t>(model.nv));
  for (int i = 0; i < model.nv; ++i) qacc[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i];
  compute_velocity_derivative(model, data, true);
  solve_full(model, data, qacc);
  advance(model, data, qacc);
}

void integrate_implicit_fast(const Model& model, Data& data) {
  if (!data.awake.all && data.nv_awake == 0) return advance(model, data, nullptr);
  ArenaScope scope(data.arena());
  double* qacc = data.arena().push_array<double>(static_cast<size_t>(model.nv));
  compute_velocity_derivative(model, data, false);
  world_kernels().solve_implicit_fast(model, data, qacc);
  warn_of_singular_inertia(model, data, data.qHDiagInv.data());
  if (!advance_actuators_and_sleep(model, data)) return;
  for_each_awake_run(model, data, [&](const Range& run) { world_kernels().advance(model, data, qacc, run); });
  world_kernels().yield_springs(model, data, data.qvel.data(), model.opt.timestep);
  data.time += model.opt.timestep;
  std::copy(data.qacc.begin(), data.qacc.end(), data.qacc_warmstart.begin());
}

}  // namespace torsor
