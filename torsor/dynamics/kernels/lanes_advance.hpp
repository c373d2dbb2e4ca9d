// The end of a step of many worlds: from accelerations to the next state.
#pragma once

#include "torsor/dynamics/kernels/circle.hpp"
#include "torsor/dynamics/kernels/implicit.hpp"
#include "torsor/dynamics/kernels/inertia.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/dynamics/kernels/joint_drive.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class P>
TORSOR_LOCAL void clear_constraint_force(const ModelView& model, DataView<P>& data) {
  for (int i = 0; i < model.nv; ++i) data.qfrc_constraint[i] = P(0);
}

template <class P>
TORSOR_LOCAL void free_acceleration(const ModelView& model, DataView<P>& data) {
  clear_constraint_force(model, data);
  for (int i = 0; i < model.nv; ++i) data.qacc[i] = data.qacc_smooth[i];
}

template <class P>
TORSOR_LOCAL void remember_warm_start(const ModelView& model, DataView<P>& data) {
  for (int i = 0; i < model.nv; ++i) data.qacc_warmstart[i] = data.qacc[i];
}

// qH and its inverse diagonal: the factor of M + h times damping.
template <class P>
TORSOR_LOCAL void factor_damped(const ModelView& model, DataView<P>& data) {
  for (int k = 0; k < model.nC; ++k) data.qH[k] = data.M[k];
  const P h = P(model.opt.timestep);
  for (int i = 0; i < model.nv; ++i)
    data.qH[model.M_rowadr[i] + model.M_rownnz[i] - 1] += h * damping_derivative(model, i, data.qvel[i]);
  factor_in_place(model, data.qH.data(), data.qHDiagInv.data());
}

// qacc_smooth with implicit damping, for SAP.
template <class P>
TORSOR_LOCAL void damp_acceleration(const ModelView& model, DataView<P>& data) {
  factor_damped(model, data);
  for (int i = 0; i < model.nv; ++i) data.qacc_smooth[i] = data.qfrc_smooth[i];
  solve_factored(model, data.qH.data(), data.qHDiagInv.data(), data.qacc_smooth.data());
}

template <class P>
TORSOR_LOCAL void advance_euler(const ModelView& model, DataView<P>& data, PointerTo<P> x) {
  if (!has_implicit_damping(model)) {
    advance(model, data, data.qacc.data());
  } else {
    for (int i = 0; i < model.nv; ++i) x[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i];
    factor_damped(model, data);
    solve_factored(model, data.qH.data(), data.qHDiagInv.data(), x);
    advance(model, data, x);
  }
  remember_warm_start(model, data);
}

// Overwrites M. kPulled: drives of any transmission and dampers of tendons.
template <class P, bool kPulled>
TORSOR_LOCAL void advance_implicit_fast(const ModelView& model, DataView<P>& data, PointerTo<P> scratch) {
  const auto x = scratch, floating = scratch + model.nv;
  for (int i = 0; i < model.nv; ++i) x[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i];
  if (kPulled) {
    subtract_all_slopes(model, data);
    add_tendon_damping(model, data);
  } else {
    subtract_drive_slopes(model, data);
  }
  solve_floating_bodies<P, true>(model, data, data.crb.data(), floating);
  const P h = model.opt.disabled(kDisableDamper) ? P(0) : P(model.opt.timestep);
  for (int i = 0; i < model.nv; ++i)
    data.M[model.M_rowadr[i] + model.M_rownnz[i] - 1] += h * damping_derivative(model, i, data.qvel[i]);
  factor_in_place(model, data.M.data(), data.qLDiagInv.data());
  solve_factored(model, data.M.data(), data.qLDiagInv.data(), x);
  for (int b = 1; b < model.nbody; ++b) {
    if (!floats_alone(model, b)) continue;
    for (int i = model.body_dofadr[b], end = i + 6; i < end; ++i) x[i] = floating[i];
  }
  advance(model, data, x);
  remember_warm_start(model, data);
}

TORSOR_INLINE constexpr double weight_of_runge_kutta(int stage) { return stage == 0 || stage == 3 ? 1. / 6 : 1. / 3; }

// What Runge-Kutta keeps between evaluations.
template <class P>
struct Kept {
  TORSOR_INLINE Kept(const ModelView& model, PointerTo<P> memory)
      : time0(memory[0]),
        q0(memory + 1),
        v0(q0 + model.nq),
        sum_v(v0 + model.nv),
        sum_a(sum_v + model.nv),
        displacement(sum_a + model.nv),
        rate(displacement + model.nv),
        act0(rate + model.nv),
        sum_act_dot(act0 + model.na),
        qacc(sum_act_dot + model.na),
        speed0(qacc + model.nv),
        reach0(speed0 + model.nout),
        length0(reach0 + model.nout),
        J0(length0 + model.ntendon) {}
  P& time0;
  PointerTo<P> q0, v0, sum_v, sum_a, displacement, rate, act0, sum_act_dot;
  PointerTo<P> qacc;         // of the last evaluation, while the mean is shown
  PointerTo<P> speed0;       // actuator_velocity
  PointerTo<P> reach0;       // actuator_length
  PointerTo<P> length0, J0;  // of tendons, where springs are plastic
};

template <class P>
TORSOR_LOCAL void begin_runge_kutta(const ModelView& model, const DataView<P>& data, const Kept<P>& kept) {
  kept.time0 = data.time;
  for (int i = 0; i < model.nq; ++i) kept.q0[i] = data.qpos[i];
  for (int i = 0; i < model.nv; ++i) {
    kept.v0[i] = data.qvel[i];
    kept.sum_v[i] = kept.sum_a[i] = kept.displacement[i] = P(0);
  }
  for (int k = 0; k < model.na; ++k) {
    kept.act0[k] = data.act[k];
    kept.sum_act_dot[k] = P(0);
  }
  for (int k = 0; k < model.nout; ++k) {
    kept.speed0[k] = data.actuator_velocity[k];
    kept.reach0[k] = data.actuator_length[k];
  }
  if (model.nplastic == 0) return;
  for (int t = 0; t < model.ntendon; ++t) kept.length0[t] = data.ten_length[t];
  for (int k = 0; k < model.nJten; ++k) kept.J0[k] = data.ten_J[k];
}

template <class P>
TORSOR_LOCAL void restore_followed(const ModelView& model, DataView<P>& data, const Kept<P>& kept) {
  const Followed followed = followed_by_activations(model);
  for (int k = 0; followed.velocity && k < model.nout; ++k) data.actuator_velocity[k] = kept.speed0[k];
  for (int k = 0; followed.length && k < model.nout; ++k) data.actuator_length[k] = kept.reach0[k];
}

// As step() leaves it: the mean acceleration, and what activations follow as it was at the start. After the last
// evaluation; forward() alone has made none of Runge-Kutta's.
template <class Workspace>
TORSOR_LOCAL void show_runge_kutta(const ModelView& model, Workspace& workspace) {
  using P = typename Workspace::Number;
  if (workspace.evaluations == 0) return;
  DataView<P>& data = workspace.data;
  const Kept<P> kept(model, workspace.kept);
  for (int i = 0; i < model.nv; ++i) {
    kept.qacc[i] = data.qacc[i];
    data.qacc[i] = kept.sum_a[i] + P(weight_of_runge_kutta(3)) * data.qacc[i];
  }
  restore_followed(model, data, kept);
  workspace.shows_mean = true;
}

// Takes in the evaluation just made and moves to the state of the next one; after the fourth, back to the start, with
// the mean of the rates of activations in act_dot and what they follow.
template <class Workspace>
TORSOR_LOCAL void move_runge_kutta(const ModelView& model, Workspace& workspace) {
  using P = typename Workspace::Number;
  DataView<P>& data = workspace.data;
  const Kept<P> kept(model, workspace.kept);
  if (workspace.shows_mean) {
    for (int i = 0; i < model.nv; ++i) data.qacc[i] = kept.qacc[i];
    workspace.shows_mean = false;
  }
  const int stage = workspace.evaluations++;
  if (stage == 0) begin_runge_kutta(model, data, kept);
  const double weight = weight_of_runge_kutta(stage);
  for (int i = 0; i < model.nv; ++i) kept.rate[i] = data.qvel[i];
  correct_rotation_rates(model, kept.displacement, kept.rate);
  for (int i = 0; i < model.nv; ++i) {
    kept.sum_v[i] += P(weight) * kept.rate[i];
    kept.sum_a[i] += P(weight) * data.qacc[i];
  }
  for (int k = 0; k < model.na; ++k) kept.sum_act_dot[k] += P(weight) * data.act_dot[k];
  const P part = P(model.opt.timestep) * P(stage < 2 ? 0.5 : stage == 2 ? 1 : 0);
  for (int i = 0; i < model.nq; ++i) data.qpos[i] = kept.q0[i];
  for (int i = 0; i < model.nv; ++i) {
    kept.displacement[i] = part * kept.rate[i];
    data.qvel[i] = stage == 3 ? kept.v0[i] : kept.v0[i] + part * data.qacc[i];
  }
  for (int k = 0; k < model.na; ++k) {
    data.act[k] = stage == 3 ? kept.act0[k] : kept.act0[k] + part * data.act_dot[k];
    if (stage == 3) data.act_dot[k] = kept.sum_act_dot[k];
  }
  data.time = kept.time0 + part;
  if (stage == 3) restore_followed(model, data, kept);
  if (stage < 3) integrate_position(model, data.qpos.data(), kept.rate, part);
}

template <class Workspace>
TORSOR_LOCAL void end_runge_kutta(const ModelView& model, Workspace& workspace) {
  using P = typename Workspace::Number;
  DataView<P>& data = workspace.data;
  const Kept<P> kept(model, workspace.kept);
  const P h = P(model.opt.timestep);
  integrate_position(model, data.qpos.data(), kept.sum_v, h);
  if (model.nplastic > 0) {
    for (int t = 0; t < model.ntendon; ++t) data.ten_length[t] = kept.length0[t];
    for (int k = 0; k < model.nJten; ++k) data.ten_J[k] = kept.J0[k];
    yield_springs(model, data, kept.sum_v, h);
  }
  for (int i = 0; i < model.nv; ++i) data.qvel[i] += h * kept.sum_a[i];
  data.time += h;
  remember_warm_start(model, data);
  workspace.evaluations = 0;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
