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

template <class P>
TORSOR_LOCAL void advance_and_remember(const ModelView& model, DataView<P>& data, ConstPointerTo<P> qacc) {
  advance(model, data, qacc);
  remember_warm_start(model, data);
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

// The force in scratch, and M with the slopes of forces: the acceleration is their quotient, but for bodies that float
// alone, whose acceleration follows in scratch. kPulled: drives of any transmission and dampers of tendons.
template <class P, bool kPulled>
TORSOR_LOCAL void begin_implicit_fast(const ModelView& model, DataView<P>& data, PointerTo<P> scratch) {
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
}

template <class P>
TORSOR_LOCAL void end_implicit_fast(const ModelView& model, DataView<P>& data, PointerTo<P> scratch) {
  const auto x = scratch, floating = scratch + model.nv;
  for (int b = 1; b < model.nbody; ++b) {
    if (!floats_alone(model, b)) continue;
    for (int i = model.body_dofadr[b], end = i + 6; i < end; ++i) x[i] = floating[i];
  }
  advance_and_remember(model, data, x);
}

// Overwrites M.
template <class P, bool kPulled>
TORSOR_LOCAL void advance_implicit_fast(const ModelView& model, DataView<P>& data, PointerTo<P> scratch) {
  begin_implicit_fast<P, kPulled>(model, data, scratch);
  factor_in_place(model, data.M.data(), data.qLDiagInv.data());
  solve_factored(model, data.M.data(), data.qLDiagInv.data(), scratch);
  end_implicit_fast(model, data, scratch);
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

// As step() leaves it: the mean acceleration of dof i. After the last evaluation; forward() alone has made none of
// Runge-Kutta's.
template <class P>
TORSOR_INLINE void show_mean_of_dof(DataView<P>& data, const Kept<P>& kept, int i) {
  kept.qacc[i] = data.qacc[i];
  data.qacc[i] = kept.sum_a[i] + P(weight_of_runge_kutta(3)) * data.qacc[i];
}
// And what activations follow as it was at the start.
template <class P>
TORSOR_INLINE void restore_followed(const ModelView& model, DataView<P>& data, const Kept<P>& kept) {
  const Followed followed = followed_by_activations(model);
  for (int k = 0; followed.velocity && k < model.nout; ++k) data.actuator_velocity[k] = kept.speed0[k];
  for (int k = 0; followed.length && k < model.nout; ++k) data.actuator_length[k] = kept.reach0[k];
}
template <class Workspace>
TORSOR_LOCAL void show_runge_kutta(const ModelView& model, Workspace& workspace) {
  if (workspace.evaluations == 0) return;
  const Kept<typename Workspace::Number> kept(model, workspace.kept);
  for (int i = 0; i < model.nv; ++i) show_mean_of_dof(workspace.data, kept, i);
  restore_followed(model, workspace.data, kept);
  workspace.shows_mean = true;
}

// How far the state of the evaluation after this one is from the start, in time; 0 after the fourth.
TORSOR_INLINE double way_of_runge_kutta(const ModelView& model, int stage) {
  return model.opt.timestep * (stage < 2 ? 0.5 : stage == 2 ? 1 : 0);
}

// Takes in what the evaluation just made says of joint j and moves it to where the next one has it.
template <class P>
TORSOR_INLINE void move_joint_by_runge_kutta(const ModelView& model, DataView<P>& data, const Kept<P>& kept, int stage,
                                             bool shows_mean, int j) {
  const Range range = joint_alone(model, j);
  const int q = model.jnt_qposadr[j], last_q = q + range.dof_end - range.dof_begin + has_quaternion(model, j);
  const P weight = P(weight_of_runge_kutta(stage)), part = P(way_of_runge_kutta(model, stage));
  if (stage == 0) {
    for (int i = q; i < last_q; ++i) kept.q0[i] = data.qpos[i];
    for (int i = range.dof_begin; i < range.dof_end; ++i) {
      kept.v0[i] = data.qvel[i];
      kept.sum_v[i] = kept.sum_a[i] = kept.displacement[i] = P(0);
    }
  }
  for (int i = range.dof_begin; i < range.dof_end; ++i) {
    if (shows_mean) data.qacc[i] = kept.qacc[i];
    kept.rate[i] = data.qvel[i];
  }
  correct_rotation_rate(model, j, kept.displacement, kept.rate);
  for (int i = range.dof_begin; i < range.dof_end; ++i) {
    kept.sum_v[i] += weight * kept.rate[i];
    kept.sum_a[i] += weight * data.qacc[i];
    kept.displacement[i] = part * kept.rate[i];
    data.qvel[i] = stage == 3 ? kept.v0[i] : kept.v0[i] + part * data.qacc[i];
  }
  for (int i = q; i < last_q; ++i) data.qpos[i] = kept.q0[i];
  if (stage < 3) integrate_position(model, data.qpos.data(), kept.rate, part, range);
}
// The same of activations, actuators and time.
template <class P>
TORSOR_INLINE void move_others_by_runge_kutta(const ModelView& model, DataView<P>& data, const Kept<P>& kept,
                                              int stage) {
  const P weight = P(weight_of_runge_kutta(stage)), part = P(way_of_runge_kutta(model, stage));
  if (stage == 0) {
    kept.time0 = data.time;
    for (int k = 0; k < model.na; ++k) {
      kept.act0[k] = data.act[k];
      kept.sum_act_dot[k] = P(0);
    }
    for (int k = 0; k < model.nout; ++k) {
      kept.speed0[k] = data.actuator_velocity[k];
      kept.reach0[k] = data.actuator_length[k];
    }
    for (int t = 0; model.nplastic > 0 && t < model.ntendon; ++t) kept.length0[t] = data.ten_length[t];
    for (int k = 0; model.nplastic > 0 && k < model.nJten; ++k) kept.J0[k] = data.ten_J[k];
  }
  for (int k = 0; k < model.na; ++k) {
    kept.sum_act_dot[k] += weight * data.act_dot[k];
    data.act[k] = stage == 3 ? kept.act0[k] : kept.act0[k] + part * data.act_dot[k];
    if (stage < 3) continue;
    const P last = data.act_dot[k];
    data.act_dot[k] = kept.sum_act_dot[k];
    kept.sum_act_dot[k] = last;
  }
  data.time = kept.time0 + part;
  if (stage == 3) restore_followed(model, data, kept);
}

// To the state of the next evaluation; after the fourth, back to the start, with the mean of the rates of activations
// in act_dot and what they follow.
template <class Workspace>
TORSOR_LOCAL void move_runge_kutta(const ModelView& model, Workspace& workspace) {
  const Kept<typename Workspace::Number> kept(model, workspace.kept);
  const int stage = workspace.evaluations++;
  for (int j = 0; j < model.njnt; ++j)
    move_joint_by_runge_kutta(model, workspace.data, kept, stage, workspace.shows_mean, j);
  move_others_by_runge_kutta(model, workspace.data, kept, stage);
  workspace.shows_mean = false;
}

template <class P>
TORSOR_INLINE void end_others_of_runge_kutta(const ModelView& model, DataView<P>& data, const Kept<P>& kept) {
  const P h = P(model.opt.timestep);
  if (model.nplastic > 0) {
    for (int t = 0; t < model.ntendon; ++t) data.ten_length[t] = kept.length0[t];
    for (int k = 0; k < model.nJten; ++k) data.ten_J[k] = kept.J0[k];
    yield_springs(model, data, kept.sum_v, h);
  }
  for (int k = 0; k < model.na; ++k) data.act_dot[k] = kept.sum_act_dot[k];  // that of the fourth, which users see
  data.time += h;
}
template <class Workspace>
TORSOR_LOCAL void end_runge_kutta(const ModelView& model, Workspace& workspace) {
  using P = typename Workspace::Number;
  DataView<P>& data = workspace.data;
  const Kept<P> kept(model, workspace.kept);
  const P h = P(model.opt.timestep);
  integrate_position(model, data.qpos.data(), kept.sum_v, h);
  end_others_of_runge_kutta(model, data, kept);
  for (int i = 0; i < model.nv; ++i) data.qvel[i] += h * kept.sum_a[i];
  remember_warm_start(model, data);
  workspace.evaluations = 0;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
