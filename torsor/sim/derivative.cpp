// Derivative of the smooth force by qvel, in the sparse pattern D: dampers, the medium, and the bias force.
#include <algorithm>

#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/fluid.hpp"
#include "torsor/dynamics/kernels/implicit.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

// A 6 x 6 matrix by rows that takes twists to wrenches, both angular first.
struct Matrix6 {
  double m[36] = {};
};

Wrench<double> operator*(const Matrix6& A, const Twist<double>& x) {
  double in[6], out[6];
  store6(in, x);
  for (int r = 0; r < 6; ++r) {
    out[r] = 0;
    for (int c = 0; c < 6; ++c) out[r] += A.m[6 * r + c] * in[c];
  }
  return load6_wrench(out);
}

Wrench<double> transposed_product(const Matrix6& A, const Twist<double>& x) {
  double in[6], out[6] = {};
  store6(in, x);
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) out[c] += A.m[6 * r + c] * in[r];
  }
  return load6_wrench(out);
}

// The columns of a linear map, one unit twist at a time.
template <class F>
Matrix6 matrix_of(F&& map) {
  Matrix6 A;
  for (int c = 0; c < 6; ++c) {
    double unit[6] = {}, column[6];
    unit[c] = 1;
    store6(column, map(load6(unit)));
    for (int r = 0; r < 6; ++r) A.m[6 * r + c] = column[r];
  }
  return A;
}

// Adds x to qDeriv(i, j). Columns of a row ascend.
void add_to(const Model& model, Data& data, int i, int j, double x) {
  const int begin = model.D_rowadr[i], end = begin + model.D_rownnz[i];
  const int* found = std::lower_bound(model.D_colind.data() + begin, model.D_colind.data() + end, j);
  if (found != model.D_colind.data() + end && *found == j) data.qDeriv[found - model.D_colind.data()] += x;
}

void add_damping(const Model& model, Data& data) {
  if (model.opt.disabled(kDisableDamper)) return;
  for (int i = 0; i < model.nv; ++i)
    data.qDeriv[model.D_rowadr[i] + model.D_diag[i]] -= damping_derivative(model, i, data.qvel[i]);
}

void add_fluid(const Model& model, Data& data, bool symmetric) {
  ArenaScope scope(data.arena());
  constexpr size_t kNumbersPerDof = 13, kPadding = 8;
  double* scratch = data.arena().push_array<double>(kNumbersPerDof * (static_cast<size_t>(model.nv) + kPadding));
  if (scratch)
    world_kernels().add_fluid_slopes(model, data, symmetric ? FluidSlope::kSymmetric : FluidSlope::kAll, scratch);
}

// V of the body after the joint group that dof i belongs to: dofs of one group do not carry each other.
Twist<double> velocity_after_group(const Model& model, const Data& data, int i) {
  const int b = model.dof_bodyid[i];
  Twist<double> V = load6(data.cvel.row(model.body_parentid[b], 6));
  const int j = model.dof_jntid[i], first = model.jnt_dofadr[j];
  const JointType type = static_cast<JointType>(model.jnt_type[j]);
  int last = i;
  if (type == JointType::kBall) last = first + 2;
  if (type == JointType::kFree) last = i < first + 3 ? first + 2 : first + 5;
  for (int k = model.body_dofadr[b]; k <= last; ++k) V += load6(data.cdof.row(k, 6)) * data.qvel[k];
  return V;
}

// Bias force: f_b = I A + V x* I V with dV/dv_j = S_j and dA/dv_j = Sdot_j + S_j x (V - V_j), V_j the velocity after j.
// Summed over a subtree C: df/dv_j = I_C z_j + K_C S_j with z_j = Sdot_j - S_j x V_j and
// K x = I (x x V) + x x* (I V) + V x* (I x); so composites give all pairs. [Echeandia and Wensing 2021]
void subtract_bias(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  Matrix6* K = data.arena().push_array<Matrix6>(static_cast<size_t>(model.nbody));
  for (int b = 0; b < model.nbody; ++b) {
    const SpatialInertia<double> I = load10(data.cinert.row(b, 10));
    const Twist<double> V = load6(data.cvel.row(b, 6));
    K[b] = matrix_of([&](const Twist<double>& x) { return bias_slope(I, V, x); });
  }
  for (int b = model.nbody - 1; b > 0; --b) {
    for (int k = 0; k < 36; ++k) K[model.body_parentid[b]].m[k] += K[b].m[k];
  }
  for (int i = 0; i < model.nv; ++i) {
    const int c = model.dof_bodyid[i];
    const SpatialInertia<double> I_C = load10(data.crb.row(c, 10));
    const auto z = [&](int j) {
      return load6(data.cdof_dot.row(j, 6)) - cross(load6(data.cdof.row(j, 6)), velocity_after_group(model, data, j));
    };
    const Twist<double> S_i = load6(data.cdof.row(i, 6));
    const Wrench<double> I_S = I_C * S_i, Kt_S = transposed_product(K[c], S_i), column = I_C * z(i) + K[c] * S_i;
    add_to(model, data, i, i, -power(column, S_i));
    for (int j = model.dof_parentid[i]; j >= 0; j = model.dof_parentid[j]) {
      const Twist<double> S_j = load6(data.cdof.row(j, 6));
      add_to(model, data, i, j, -(power(I_S, z(j)) + power(Kt_S, S_j)));
      add_to(model, data, j, i, -power(column, S_j));
    }
  }
}

// Dampers of tendons: -J' slope J, where the pattern has room for it.
void add_tendon_damping(const Model& model, Data& data) {
  if (model.opt.disabled(kDisableDamper)) return;
  for (int t = 0; t < model.ntendon; ++t) {
    const double slope = tendon_damping_slope(model, t, data.ten_velocity[t]);
    if (slope == 0) continue;
    const int begin = model.ten_J_rowadr[t], end = begin + model.ten_J_rownnz[t];
    for (int k = begin; k < end; ++k) {
      if (data.ten_J[k] == 0) continue;
      for (int l = begin; l < end; ++l)
        add_to(model, data, model.ten_J_colind[k], model.ten_J_colind[l], -slope * data.ten_J[k] * data.ten_J[l]);
    }
  }
}

// Forces of actuators: J' slope J for each output.
void add_actuators(const Model& model, Data& data) {
  if (model.nactuator == 0 || model.opt.disabled(kDisableActuation)) return;
  ArenaScope scope(data.arena());
  double* controls = data.arena().push_array<double>(static_cast<size_t>(model.nu));
  if (!controls) return;
  gather_effective_controls(model, data, controls);
  for (int a = 0; a < model.nactuator; ++a) {
    if (is_at_limit(model, data, a)) continue;
    const double slope = actuator_slope_by_velocity(model, data, a, controls);
    if (slope == 0) continue;
    for (int out = model.actuator_outadr[a], last = out + model.actuator_outnum[a]; out < last; ++out) {
      const int begin = model.moment_rowadr[out], end = begin + model.moment_rownnz[out];
      for (int k = begin; k < end; ++k) {
        const double scaled = slope * data.actuator_moment[k];
        for (int l = begin; scaled != 0 && l < end; ++l)
          add_to(model, data, model.moment_colind[k], model.moment_colind[l], scaled * data.actuator_moment[l]);
      }
    }
  }
}

}  // namespace

void compute_velocity_derivative(const Model& model, Data& data, bool bias) {
  std::fill(data.qDeriv.begin(), data.qDeriv.end(), 0.0);
  add_damping(model, data);
  add_tendon_damping(model, data);
  add_actuators(model, data);
  const bool passive_off = model.opt.disabled(kDisableSpring) && model.opt.disabled(kDisableDamper);
  if (has_fluid_slopes(model) && !passive_off) add_fluid(model, data, !bias);
  if (bias) subtract_bias(model, data);
}

}  // namespace torsor
