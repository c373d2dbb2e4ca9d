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

using Vec = Vec3<double>;
using Mat = Mat3<double>;
using Dual6 = Dual<double, 6>;

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

// qDeriv += J' A J, where J v is the twist of body b at Fo in F. All dofs of b are in the pattern of each of its rows.
void add_congruence(const Model& model, Data& data, int b, const Matrix6& A, const Mat& R_WF, const Vec& p_TcmF_W) {
  ArenaScope scope(data.arena());
  int count = 0;
  for (int i = last_dof(model, b); i >= 0; i = model.dof_parentid[i]) ++count;
  int* dofs = data.arena().push_array<int>(static_cast<size_t>(count));
  auto* S_F = data.arena().push_array<Twist<double>>(static_cast<size_t>(count));
  auto* A_S = data.arena().push_array<Wrench<double>>(static_cast<size_t>(count));
  if (!dofs || !S_F || !A_S) return;
  for (int i = last_dof(model, b), k = count; i >= 0; i = model.dof_parentid[i]) {
    const Twist<double> S_W = load6<double>(data.cdof.row(i, 6)).at(p_TcmF_W);
    dofs[--k] = i;
    S_F[k] = {transposed_mul(R_WF, S_W.w), transposed_mul(R_WF, S_W.v)};
    A_S[k] = A * S_F[k];
  }
  for (int r = 0; r < count; ++r) {
    int place = model.D_rowadr[dofs[r]];
    for (int c = 0; c < count; ++c) {
      while (model.D_colind[place] < dofs[c]) ++place;
      data.qDeriv[place] += power(A_S[c], S_F[r]);
    }
  }
}

void add_damping(const Model& model, Data& data) {
  if (model.opt.disabled(kDisableDamper)) return;
  for (int i = 0; i < model.nv; ++i)
    data.qDeriv[model.D_rowadr[i] + model.D_diag[i]] -= damping_derivative(model, i, data.qvel[i]);
}

// The velocity in the medium as six variables.
Twist<Dual6> as_variables(const Twist<double>& V) {
  const auto variable = [&](double x, int i) { return Dual6::variable(x, i); };
  return {{variable(V.w.x, 0), variable(V.w.y, 1), variable(V.w.z, 2)},
          {variable(V.v.x, 3), variable(V.v.y, 4), variable(V.v.z, 5)}};
}

Matrix6 slopes(const Wrench<Dual6>& F) {
  const Dual6 rows[6] = {F.t.x, F.t.y, F.t.z, F.f.x, F.f.y, F.f.z};
  Matrix6 A;
  for (int r = 0; r < 6; ++r) std::copy(rows[r].slope, rows[r].slope + 6, A.m + 6 * r);
  return A;
}

void symmetrize(Matrix6& A) {
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < r; ++c) A.m[6 * r + c] = A.m[6 * c + r] = 0.5 * (A.m[6 * r + c] + A.m[6 * c + r]);
  }
}

void add_fluid(const Model& model, Data& data, bool symmetric) {
  const double density = model.opt.density, viscosity = model.opt.viscosity;
  const auto add = [&](int b, const Vec& p_WoF_W, const Mat& R_WF, auto&& wrench) {
    Matrix6 A = slopes(wrench(as_variables(velocity_in_medium(model, data, b, p_WoF_W, R_WF))));
    if (symmetric && !floats_alone(model, b)) symmetrize(A);
    add_congruence(model, data, b, A, R_WF, p_WoF_W - load3(data.subtree_com.row(model.body_rootid[b], 3)));
  };
  for (int b = 1; b < model.nbody; ++b) {
    if (model.body_mass[b] < kMinValue) continue;
    if (!has_fluid_ellipsoid(model, b)) {
      add(b, load3(data.xipos.row(b, 3)), load9(data.ximat.row(b, 9)),
          [&](const Twist<Dual6>& V) { return inertia_box_wrench(inertia_box(model, b), density, viscosity, V); });
      continue;
    }
    for (int g = model.body_geomadr[b], end = g + model.body_geomnum[b]; g < end; ++g) {
      if (!is_fluid_ellipsoid(model, g)) continue;
      add(b, load3(data.geom_xpos.row(g, 3)), load9(data.geom_xmat.row(g, 9)), [&](const Twist<Dual6>& V) {
        return ellipsoid_wrench(semi_axes<double>(model, g), load_fluid<double>(model.geom_fluid.row(g, 12)), density,
                                viscosity, V);
      });
    }
  }
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
  if (model.opt.disabled(kDisableActuation)) return;
  for (int a = 0; a < model.nactuator; ++a) {
    if (is_at_limit(model, data, a)) continue;
    const double slope = actuator_force_slope(model, data, a);
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
  if (has_fluid(model) && !passive_off) add_fluid(model, data, !bias);
  if (bias) subtract_bias(model, data);
}

}  // namespace torsor
