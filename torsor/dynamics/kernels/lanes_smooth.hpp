// Whole steps of many worlds without constraints: what such a step needs and no more.
#pragma once

#include "torsor/dynamics/kernels/com.hpp"
#include "torsor/dynamics/kernels/fluid.hpp"
#include "torsor/dynamics/kernels/force.hpp"
#include "torsor/dynamics/kernels/joint_drive.hpp"
#include "torsor/dynamics/kernels/kinematics.hpp"
#include "torsor/dynamics/kernels/lanes.hpp"
#include "torsor/dynamics/kernels/lanes_advance.hpp"
#include "torsor/dynamics/kernels/lanes_workspace.hpp"
#include "torsor/dynamics/kernels/velocity.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// What a step needs and no more: M overwrites cinert's composites, geoms are placed only for a medium to act on, and
// S-dot is kept only for those who want it.
template <class P>
void compute_force_and_mass_matrix(const ModelView& model, DataView<P>& data, P* scratch, bool keep_axis_rates) {
  compute_body_kinematics(model, data, whole(model));
  if (has_fluid(model)) compute_geom_poses(model, data, whole(model));
  compute_com_position(model, data, whole(model));
  if (keep_axis_rates)
    compute_velocity_and_bias<P, true>(model, data, scratch, whole(model));
  else
    compute_velocity_and_bias<P, false>(model, data, scratch, whole(model));
  compute_passive(model, data, whole(model));
  compute_joint_drives(model, data, scratch);
  clear_constraint_force(model, data);
  compute_smooth_force(model, data, whole(model));
  compute_mass_matrix_from(model, data, data.cinert.data());
}

// qacc = M^-1 qfrc_smooth, with the factor in place of M.
template <class P>
void solve_in_place(const ModelView& model, DataView<P>& data, P* x) {
  factor_in_place(model, data.M.data(), data.qLDiagInv.data());
  for (int i = 0; i < model.nv; ++i) x[i] = data.qfrc_smooth[i];
  solve_factored(model, data.M.data(), data.qLDiagInv.data(), x);
}

template <class P>
void compute_qacc(const ModelView& model, DataView<P>& data, P* scratch) {
  compute_force_and_mass_matrix(model, data, scratch, false);
  solve_in_place(model, data, data.qacc.data());
}

// Looks for bad numbers at the places where step() of one world does, and resets the lanes that have them. Other lanes
// keep their bits: what is computed anew for all of them follows from the same state.
template <class P>
class Guard {
 public:
  Guard(const ModelView& model, DataView<P>& data, ScalarOf<P>* block, LaneResets& resets)
      : data_(data),
        block_(reinterpret_cast<P*>(block)),
        numbers_(resets.reference ? LaneWorkspace<P>::block_packs(model) : 0),
        resets_(resets) {}

  void start_step(int step) {
    step_ = step;
    done_ = 0;
    check_state();
  }
  // Whether lanes were reset: results must be computed again.
  bool has_bad_acceleration() { return resets_.reference && reset_lanes(bits(find_bad(data_.qacc))); }
  bool is_on() const { return resets_.reference != nullptr; }
  bool has_small_forces() const {
    P sum = P(0);
    for (int i = 0; i < data_.qfrc_smooth.size(); ++i) sum += P(resets_.weight[i]) * abs(data_.qfrc_smooth[i]);
    return all(sum < P(1));
  }
  static bool are_good(const P* values, int count) { return !any(find_bad({const_cast<P*>(values), count})); }

 private:
  void check_state() {
    if (resets_.reference) reset_lanes(bits(find_bad(data_.qpos)) | bits(find_bad(data_.qvel)));
  }

  static MaskOf<P> find_bad(const Field<P>& values) {
    P good = P(1);  // NaN fails the comparison
    for (int i = 0; i < values.size(); ++i) good = select(abs(values[i]) <= P(kMaxValue), good, P(0));
    return good == P(0);
  }

  bool reset_lanes(unsigned bad) {
    if (bad == 0) return false;
    for (int which = 0; which < kLanes<P>; ++which) {
      if (!(bad & 1u << which)) continue;
      for (size_t i = 1; i < numbers_; ++i) set_lane(block_[i], which, ScalarOf<P>(resets_.reference[i]));
      set_lane(data_.time, which, ScalarOf<P>(resets_.reference[0]));
      resets_.last[which] = step_;
      if (!(done_ & 1u << which)) ++resets_.count[which];
    }
    done_ |= bad;
    return true;
  }

  DataView<P>& data_;
  P* block_;
  size_t numbers_;
  LaneResets& resets_;
  int step_ = 0;
  unsigned done_ = 0;  // lanes that were reset in this step
};

template <class P>
void compute_checked_qacc(const ModelView& model, DataView<P>& data, P* scratch, Guard<P>& guard) {
  compute_qacc(model, data, scratch);
  if (guard.has_bad_acceleration()) compute_qacc(model, data, scratch);
}

// qacc by M alone, which is what is looked at, in scratch that the step does not use otherwise.
template <class P>
void solve_undamped(const ModelView& model, DataView<P>& data) {
  for (int k = 0; k < model.nC; ++k) data.qLD[k] = data.M[k];
  for (int i = 0; i < model.nv; ++i) data.qacc[i] = data.qfrc_smooth[i];
  factor_in_place(model, data.qLD.data(), data.qLDiagInv.data());
  solve_factored(model, data.qLD.data(), data.qLDiagInv.data(), data.qacc.data());
}

// Euler, and implicitfast where dampers are the only forces that it treats implicitly: (M + h B) a = qfrc_smooth.
template <class P>
void solve_damped(const ModelView& model, DataView<P>& data, P* scratch, bool floating_exact) {
  P* floating = scratch + model.nv;
  if (floating_exact) solve_floating_bodies<P, true>(model, data, data.cinert.data(), floating);  // composite by now
  if (floating_exact) subtract_drive_slopes(model, data);
  const P h = model.opt.disabled(kDisableDamper) ? P(0) : P(model.opt.timestep);
  for (int i = 0; i < model.nv; ++i)
    data.M[model.M_rowadr[i] + model.M_rownnz[i] - 1] += h * damping_derivative(model, i, data.qvel[i]);
  solve_in_place(model, data, scratch);
  for (int b = 1; floating_exact && b < model.nbody; ++b) {
    if (!floats_alone(model, b)) continue;
    for (int i = model.body_dofadr[b], end = i + 6; i < end; ++i) scratch[i] = floating[i];
  }
}

// What is looked at is the acceleration without damping. It costs a second factor, so that it is computed only where
// forces are large, or where the acceleration with damping is bad itself.
template <class P>
void step_damped_worlds(const ModelView& model, DataView<P>& data, P* scratch, bool floating_exact, Guard<P>& guard) {
  compute_force_and_mass_matrix(model, data, scratch, floating_exact);
  bool looks = guard.is_on() && !guard.has_small_forces();
  if (guard.is_on() && !looks) {
    solve_damped(model, data, scratch, floating_exact);
    looks = !Guard<P>::are_good(scratch, model.nv);
    if (looks) compute_force_and_mass_matrix(model, data, scratch, floating_exact);
  }
  if (looks) {
    solve_undamped(model, data);
    if (guard.has_bad_acceleration()) compute_force_and_mass_matrix(model, data, scratch, floating_exact);
  }
  if (looks || !guard.is_on()) solve_damped(model, data, scratch, floating_exact);
  advance_drives(model, data, data.act_dot.data());
  advance(model, data, scratch);
}

template <class P>
void step_euler_worlds(const ModelView& model, DataView<P>& data, P* scratch, Guard<P>& guard) {
  if (has_implicit_damping(model)) return step_damped_worlds(model, data, scratch, false, guard);
  compute_checked_qacc(model, data, scratch, guard);
  advance_drives(model, data, data.act_dot.data());
  advance(model, data, data.qacc.data());
}

// As sim/integrators.cpp does for one world.
template <class P>
void step_rk4_worlds(const ModelView& model, LaneWorkspace<P>& workspace, Guard<P>& guard) {
  compute_checked_qacc(model, workspace.data, workspace.scratch, guard);
  for (int evaluation = 0; evaluation < 4; ++evaluation) {
    if (evaluation > 0) compute_qacc(model, workspace.data, workspace.scratch);
    move_runge_kutta(model, workspace);
  }
  advance_drives(model, workspace.data, workspace.data.act_dot.data());
  end_runge_kutta(model, workspace);
}

template <class P>
void step_smoothly(const ModelView& model, void* memory, ScalarOf<P>* block, int steps, LaneResets& resets) {
  LaneWorkspace<P>::bind(memory, block);
  LaneWorkspace<P>& workspace = LaneWorkspace<P>::at(memory);
  const Integrator integrator = static_cast<Integrator>(model.opt.integrator);
  Guard<P> guard(model, workspace.data, block, resets);
  for (int k = 0; k < steps; ++k) {
    guard.start_step(k);
    if (integrator == Integrator::kRk4)
      step_rk4_worlds(model, workspace, guard);
    else if (integrator == Integrator::kImplicitFast)
      step_damped_worlds(model, workspace.data, workspace.scratch, true, guard);
    else
      step_euler_worlds(model, workspace.data, workspace.scratch, guard);
  }
  LaneWorkspace<P>::unbind(memory, block);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
