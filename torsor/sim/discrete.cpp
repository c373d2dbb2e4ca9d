// Inverse dynamics in discrete time: converts the acceleration that an integrator applied, a' = (v' - v) / h, to that
// of continuous time, a. The integrators solve A a' = f, and M a = f, so a = M^-1 A a'.
#include <algorithm>

#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/implicit.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

// f -= h qDeriv a
void subtract_derivative(const Model& model, const Data& data, const double* a, double* f) {
  const double h = model.opt.timestep;
  for (int i = 0; i < model.nv; ++i) {
    for (int k = model.D_rowadr[i], end = k + model.D_rownnz[i]; k < end; ++k)
      f[i] -= h * data.qDeriv[k] * a[model.D_colind[k]];
  }
}

// implicitfast: f += h dbias/dqvel a for single floating bodies.
void add_floating_gyroscopics(const Model& model, const Data& data, const double* a, double* f) {
  for (int b = 1; b < model.nbody; ++b) {
    if (!floats_alone(model, b)) continue;
    double A[36] = {};
    add_gyroscopic<double>(model, data, data.crb.data(), b, model.opt.timestep, A);
    const int first = model.body_dofadr[b];
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) f[first + i] += A[6 * i + j] * a[first + j];
    }
  }
}

}  // namespace

void make_acceleration_continuous(const Model& model, Data& data) {
  const Integrator integrator = static_cast<Integrator>(model.opt.integrator);
  if (integrator == Integrator::kRk4)
    throw Error("discrete inverse dynamics is not defined for Runge-Kutta integrators");
  if (integrator == Integrator::kEuler && !has_implicit_damping(model)) return;
  ArenaScope scope(data.arena());
  double* force = data.arena().push_array<double>(static_cast<size_t>(model.nv));
  multiply_mass_matrix(model, data, data.qacc.data(), force);
  if (integrator == Integrator::kEuler) {
    const double h = model.opt.timestep;
    for (int i = 0; i < model.nv; ++i) force[i] += h * damping_derivative(model, i, data.qvel[i]) * data.qacc[i];
  } else {
    const bool full = integrator == Integrator::kImplicit;
    compute_velocity_derivative(model, data, full);
    subtract_derivative(model, data, data.qacc.data(), force);
    if (!full) add_floating_gyroscopics(model, data, data.qacc.data(), force);
  }
  solve_mass_matrix(model, data, force);
  std::copy(force, force + model.nv, data.qacc.begin());
}

}  // namespace torsor
