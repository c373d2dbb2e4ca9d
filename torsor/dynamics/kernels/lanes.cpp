// Many worlds per call: the kernels with T = Pack, one native register wide.
#include "torsor/dynamics/kernels/lanes.hpp"

#include <cstring>

#include "torsor/dynamics/kernels/com.hpp"
#include "torsor/dynamics/kernels/fluid.hpp"
#include "torsor/dynamics/kernels/force.hpp"
#include "torsor/dynamics/kernels/implicit.hpp"
#include "torsor/dynamics/kernels/inertia.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/dynamics/kernels/joint_drive.hpp"
#include "torsor/dynamics/kernels/kinematics.hpp"
#include "torsor/dynamics/kernels/velocity.hpp"
#include "torsor/math/pack.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int kWidth = 8;
#elif defined(__AVX2__)
constexpr int kWidth = 4;
#else
constexpr int kWidth = 2;
#endif

using P = Pack<double, kWidth>;
using ModelD = ModelView<double>;
using Worlds = DataView<P>;

constexpr Stage kBlockStages[] = {Stage::kState, Stage::kInput};
constexpr Stage kScratchStages[] = {Stage::kPosition, Stage::kVelocity, Stage::kAcceleration};

struct Workspace {
  Worlds data;
  P* scratch;       // for RNE, RK4 and Euler
  P* kept;          // from one evaluation of Runge-Kutta to the next: state at the start, sums, displacement
  int evaluations;  // of Runge-Kutta so far
};

size_t count(const FieldInfo& info) { return static_cast<size_t>(info.rows) * static_cast<size_t>(info.columns); }
// RK4 keeps a starting state, a middle state and sums: qpos, 5 vectors of nv and 2 of na; bias needs 12 per body,
// controls nu.
size_t scratch_packs(const ModelSizes& s) {
  return static_cast<size_t>(2 * s.nq + 5 * s.nv + 2 * s.na + 12 * s.nbody + s.nu);
}

size_t kept_packs(const ModelSizes& s) { return static_cast<size_t>(1 + s.nq + 5 * s.nv + 2 * s.na); }

size_t block_packs(const ModelSizes& sizes) {
  Worlds view;
  static_cast<ModelSizes&>(view) = sizes;
  size_t packs = 1;  // time
  for (const Stage stage : kBlockStages)
    view.for_each_field(stage, [&](const FieldInfo& info, auto&) { packs += count(info); });
  return packs;
}

size_t block_numbers(const ModelSizes& sizes) { return block_packs(sizes) * kWidth; }

ptrdiff_t block_offset(const ModelSizes& sizes, const char* field) {
  Worlds view;
  static_cast<ModelSizes&>(view) = sizes;
  if (std::strcmp(field, "time") == 0) return 0;
  ptrdiff_t packs = 1, found = -1;
  for (const Stage stage : kBlockStages)
    view.for_each_field(stage, [&](const FieldInfo& info, auto&) {
      if (std::strcmp(field, info.name) == 0) found = packs * kWidth;
      packs += static_cast<ptrdiff_t>(count(info));
    });
  return found;
}

size_t scratch_field_packs(const ModelSizes& sizes) {
  Worlds view;
  static_cast<ModelSizes&>(view) = sizes;
  size_t packs = 0;
  for (const Stage stage : kScratchStages)
    view.for_each_field(stage, [&](const FieldInfo& info, auto&) { packs += count(info); });
  return packs;
}

constexpr size_t kHeader = (sizeof(Workspace) + 63) / 64 * 64;

size_t workspace_bytes(const ModelSizes& sizes) {
  return kHeader + (scratch_field_packs(sizes) + scratch_packs(sizes) + kept_packs(sizes)) * sizeof(P);
}

void make_workspace(const ModelSizes& sizes, void* memory) {
  std::memset(memory, 0, workspace_bytes(sizes));
  Workspace* workspace = static_cast<Workspace*>(memory);
  static_cast<ModelSizes&>(workspace->data) = sizes;
  P* next = reinterpret_cast<P*>(static_cast<char*>(memory) + kHeader);
  for (const Stage stage : kScratchStages)
    workspace->data.for_each_field(stage, [&](const FieldInfo& info, auto& field) {
      field.pointer = next;
      field.length = static_cast<int>(count(info));
      next += count(info);
    });
  workspace->scratch = next;
  workspace->kept = next + scratch_packs(sizes);
}

// State and input fields become views of the block.
Worlds& bind(void* memory, double* block) {
  Worlds& data = static_cast<Workspace*>(memory)->data;
  P* next = reinterpret_cast<P*>(block);
  data.time = *next++;
  for (const Stage stage : kBlockStages)
    data.for_each_field(stage, [&](const FieldInfo& info, auto& field) {
      field.pointer = next;
      field.length = static_cast<int>(count(info));
      next += count(info);
    });
  return data;
}

// No constraints in lanes yet.
void clear_constraint_force(const ModelD& model, Worlds& data) {
  for (int i = 0; i < model.nv; ++i) data.qfrc_constraint[i] = P(0);
}

// What a step needs and no more: M overwrites cinert's composites, geoms are placed only for a medium to act on, and
// S-dot is kept only for those who want it.
void compute_force_and_mass_matrix(const ModelD& model, Worlds& data, P* scratch, bool keep_axis_rates) {
  compute_body_kinematics(model, data);
  if (has_fluid(model)) compute_geom_poses(model, data);
  compute_com_position(model, data);
  if (keep_axis_rates)
    compute_velocity_and_bias<P, double, true>(model, data, scratch);
  else
    compute_velocity_and_bias<P, double, false>(model, data, scratch);
  compute_passive(model, data);
  compute_joint_drives(model, data, scratch);
  clear_constraint_force(model, data);
  compute_smooth_force(model, data);
  compute_mass_matrix_from(model, data, data.cinert.data());
}

// qacc = M^-1 qfrc_smooth, with the factor in place of M.
void solve_in_place(const ModelD& model, Worlds& data, P* x) {
  factor_in_place(model, data.M.data(), data.qLDiagInv.data());
  for (int i = 0; i < model.nv; ++i) x[i] = data.qfrc_smooth[i];
  solve_factored(model, data.M.data(), data.qLDiagInv.data(), x);
}

void compute_qacc(const ModelD& model, Worlds& data, P* scratch) {
  compute_force_and_mass_matrix(model, data, scratch, false);
  solve_in_place(model, data, data.qacc.data());
}

// Looks for bad numbers at the places where step() of one world does, and resets the lanes that have them. Other lanes
// keep their bits: what is computed anew for all of them follows from the same state.
class Guard {
 public:
  Guard(const ModelD& model, Worlds& data, double* block, LaneResets& resets)
      : data_(data),
        block_(reinterpret_cast<P*>(block)),
        numbers_(resets.reference ? block_packs(model) : 0),
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

  static P::Mask find_bad(const Field<P>& values) {
    P good = P(1);  // NaN fails the comparison
    for (int i = 0; i < values.size(); ++i) good = select(abs(values[i]) <= P(kMaxValue), good, P(0));
    return good == P(0);
  }

  bool reset_lanes(unsigned bad) {
    if (bad == 0) return false;
    for (int which = 0; which < kWidth; ++which) {
      if (!(bad & 1u << which)) continue;
      for (size_t i = 1; i < numbers_; ++i) set_lane(block_[i], which, resets_.reference[i]);
      set_lane(data_.time, which, resets_.reference[0]);
      resets_.last[which] = step_;
      if (!(done_ & 1u << which)) ++resets_.count[which];
    }
    done_ |= bad;
    return true;
  }

  Worlds& data_;
  P* block_;
  size_t numbers_;
  LaneResets& resets_;
  int step_ = 0;
  unsigned done_ = 0;  // lanes that were reset in this step
};

void compute_checked_qacc(const ModelD& model, Worlds& data, P* scratch, Guard& guard) {
  compute_qacc(model, data, scratch);
  if (guard.has_bad_acceleration()) compute_qacc(model, data, scratch);
}

// qacc by M alone, which is what is looked at, in scratch that the step does not use otherwise.
void solve_undamped(const ModelD& model, Worlds& data) {
  for (int k = 0; k < model.nC; ++k) data.qLD[k] = data.M[k];
  for (int i = 0; i < model.nv; ++i) data.qacc[i] = data.qfrc_smooth[i];
  factor_in_place(model, data.qLD.data(), data.qLDiagInv.data());
  solve_factored(model, data.qLD.data(), data.qLDiagInv.data(), data.qacc.data());
}

// Euler, and implicitfast where dampers are the only forces that it treats implicitly: (M + h B) a = qfrc_smooth.
void solve_damped(const ModelD& model, Worlds& data, P* scratch, bool floating_exact) {
  P* floating = scratch + model.nv;
  if (floating_exact) solve_floating_bodies<P, double, true>(model, data, floating);
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
void step_damped_worlds(const ModelD& model, Worlds& data, P* scratch, bool floating_exact, Guard& guard) {
  compute_force_and_mass_matrix(model, data, scratch, floating_exact);
  bool looks = guard.is_on() && !guard.has_small_forces();
  if (guard.is_on() && !looks) {
    solve_damped(model, data, scratch, floating_exact);
    looks = !Guard::are_good(scratch, model.nv);
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

void step_euler_worlds(const ModelD& model, Worlds& data, P* scratch, Guard& guard) {
  if (has_implicit_damping(model)) return step_damped_worlds(model, data, scratch, false, guard);
  compute_checked_qacc(model, data, scratch, guard);
  advance_drives(model, data, data.act_dot.data());
  advance(model, data, data.qacc.data());
}

// Classic Runge-Kutta of order 4, as sim/integrators.cpp does for one world.
void step_rk4_worlds(const ModelD& model, Worlds& data, P* scratch, Guard& guard) {
  const int nq = model.nq, nv = model.nv, na = model.na;
  P *q0 = scratch, *v0 = q0 + nq, *sum_v = v0 + nv, *sum_a = sum_v + nv, *v = sum_a + nv;
  P *act0 = v + nv, *sum_act_dot = act0 + na, *rest = sum_act_dot + na;
  compute_checked_qacc(model, data, rest, guard);
  const P h = P(model.opt.timestep), time0 = data.time;
  for (int i = 0; i < nq; ++i) q0[i] = data.qpos[i];
  for (int i = 0; i < nv; ++i) {
    v0[i] = data.qvel[i];
    sum_v[i] = sum_a[i] = P(0);
  }
  for (int k = 0; k < na; ++k) {
    act0[k] = data.act[k];
    sum_act_dot[k] = P(0);
  }
  constexpr double kStep[] = {0.5, 0.5, 1}, kWeight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  for (int stage = 0; stage < 4; ++stage) {
    if (stage > 0) compute_qacc(model, data, rest);
    for (int i = 0; i < nv; ++i) {
      v[i] = data.qvel[i];
      sum_v[i] += P(kWeight[stage]) * v[i];
      sum_a[i] += P(kWeight[stage]) * data.qacc[i];
    }
    for (int k = 0; k < na; ++k) sum_act_dot[k] += P(kWeight[stage]) * data.act_dot[k];
    for (int i = 0; i < nq; ++i) data.qpos[i] = q0[i];
    if (stage == 3) break;
    const P part = h * P(kStep[stage]);
    integrate_position(model, data.qpos.data(), v, part);
    for (int i = 0; i < nv; ++i) data.qvel[i] = v0[i] + part * data.qacc[i];
    for (int k = 0; k < na; ++k) data.act[k] = act0[k] + part * data.act_dot[k];
    data.time = time0 + part;
  }
  for (int k = 0; k < na; ++k) data.act[k] = act0[k];
  advance_drives(model, data, sum_act_dot);
  integrate_position(model, data.qpos.data(), sum_v, h);
  for (int i = 0; i < nv; ++i) data.qvel[i] = v0[i] + h * sum_a[i];
  data.time = time0 + h;
}

void step(const ModelD& model, void* memory, double* block, int steps, LaneResets& resets) {
  Worlds& data = bind(memory, block);
  P* scratch = static_cast<Workspace*>(memory)->scratch;
  const Integrator integrator = static_cast<Integrator>(model.opt.integrator);
  Guard guard(model, data, block, resets);
  for (int k = 0; k < steps; ++k) {
    guard.start_step(k);
    if (integrator == Integrator::kRk4)
      step_rk4_worlds(model, data, scratch, guard);
    else if (integrator == Integrator::kImplicitFast)
      step_damped_worlds(model, data, scratch, true, guard);
    else
      step_euler_worlds(model, data, scratch, guard);
  }
  *reinterpret_cast<P*>(block) = data.time;
}

// --- stage by stage -----------------------------------------------------------------------------------------------

void bind_worlds(void* memory, double* block) {
  bind(memory, block);
  static_cast<Workspace*>(memory)->evaluations = 0;
}

void unbind(void* memory, double* block) { *reinterpret_cast<P*>(block) = static_cast<Workspace*>(memory)->data.time; }

void list_fields(void* memory, double** fields) {
  Worlds& data = static_cast<Workspace*>(memory)->data;
  *fields++ = reinterpret_cast<double*>(&data.time);
  data.for_each_field([&](const FieldInfo&, auto& field) { *fields++ = reinterpret_cast<double*>(field.pointer); });
}

void free_acceleration(const ModelD& model, Worlds& data) {
  clear_constraint_force(model, data);
  for (int i = 0; i < model.nv; ++i) data.qacc[i] = data.qacc_smooth[i];
}

void remember_warm_start(const ModelD& model, Worlds& data) {
  for (int i = 0; i < model.nv; ++i) data.qacc_warmstart[i] = data.qacc[i];
}

void advance_euler(const ModelD& model, Worlds& data, P* x) {
  if (!has_implicit_damping(model)) {
    advance(model, data, data.qacc.data());
  } else {
    for (int k = 0; k < model.nC; ++k) data.qH[k] = data.M[k];
    const P h = P(model.opt.timestep);
    for (int i = 0; i < model.nv; ++i) {
      data.qH[model.M_rowadr[i] + model.M_rownnz[i] - 1] += h * damping_derivative(model, i, data.qvel[i]);
      x[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i];
    }
    factor_in_place(model, data.qH.data(), data.qHDiagInv.data());
    solve_factored(model, data.qH.data(), data.qHDiagInv.data(), x);
    advance(model, data, x);
  }
  remember_warm_start(model, data);
}

// Overwrites M.
void advance_implicit_fast(const ModelD& model, Worlds& data, P* scratch) {
  P *x = scratch, *floating = scratch + model.nv;
  for (int i = 0; i < model.nv; ++i) x[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i];
  solve_floating_bodies<P, double, true>(model, data, floating);
  subtract_drive_slopes(model, data);
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

// What Runge-Kutta keeps between evaluations.
struct Kept {
  Kept(const ModelD& model, P* memory)
      : time0(memory[0]),
        q0(memory + 1),
        v0(q0 + model.nq),
        sum_v(v0 + model.nv),
        sum_a(sum_v + model.nv),
        displacement(sum_a + model.nv),
        rate(displacement + model.nv),
        act0(rate + model.nv),
        sum_act_dot(act0 + model.na) {}
  P& time0;
  P *q0, *v0, *sum_v, *sum_a, *displacement, *rate, *act0, *sum_act_dot;
};

void begin_runge_kutta(const ModelD& model, const Worlds& data, const Kept& kept) {
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
}

// As sim/integrators.cpp explains for one world.
void correct_rotation_rates(const ModelD& model, const P* displacement, P* rate) {
  for (int j = 0; j < model.njnt; ++j) {
    const JointType type = static_cast<JointType>(model.jnt_type[j]);
    if (type != JointType::kFree && type != JointType::kBall) continue;
    const int first = model.jnt_dofadr[j] + (type == JointType::kFree ? 3 : 0);
    const Vec3<P> u = load3(displacement + first), w = load3(rate + first), uw = cross(u, w);
    store3(rate + first, w + uw * P(0.5) + cross(u, uw) * P(1. / 12));
  }
}

// Takes in the evaluation just made and moves to the state of the next one; after the fourth, back to the start, with
// the mean of the rates of activations in act_dot.
void move_runge_kutta(const ModelD& model, Worlds& data, Workspace& workspace, bool correct_rotations) {
  const Kept kept(model, workspace.kept);
  const int stage = workspace.evaluations++;
  if (stage == 0) begin_runge_kutta(model, data, kept);
  constexpr double kPart[] = {0.5, 0.5, 1, 0}, kWeight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  for (int i = 0; i < model.nv; ++i) kept.rate[i] = data.qvel[i];
  if (correct_rotations) correct_rotation_rates(model, kept.displacement, kept.rate);
  for (int i = 0; i < model.nv; ++i) {
    kept.sum_v[i] += P(kWeight[stage]) * kept.rate[i];
    kept.sum_a[i] += P(kWeight[stage]) * data.qacc[i];
  }
  for (int k = 0; k < model.na; ++k) kept.sum_act_dot[k] += P(kWeight[stage]) * data.act_dot[k];
  const P part = P(model.opt.timestep) * P(kPart[stage]);
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
  if (stage < 3) integrate_position(model, data.qpos.data(), kept.rate, part);
}

void end_runge_kutta(const ModelD& model, Worlds& data, Workspace& workspace) {
  const Kept kept(model, workspace.kept);
  const P h = P(model.opt.timestep);
  integrate_position(model, data.qpos.data(), kept.sum_v, h);
  for (int i = 0; i < model.nv; ++i) data.qvel[i] += h * kept.sum_a[i];
  data.time += h;
  remember_warm_start(model, data);
  workspace.evaluations = 0;
}

void run(WideStage stage, const ModelD& model, void* memory) {
  Workspace& workspace = *static_cast<Workspace*>(memory);
  Worlds& data = workspace.data;
  P* const scratch = workspace.scratch;
  switch (stage) {
    case WideStage::kKinematics:
      compute_kinematics(model, data);
      return compute_com_position(model, data);
    case WideStage::kMassMatrix:
      return compute_mass_matrix(model, data);
    case WideStage::kFactor:
      return factor_mass_matrix(model, data);
    case WideStage::kVelocity:
      return compute_velocity_and_bias(model, data, scratch);
    case WideStage::kPassive:
      return compute_passive(model, data);
    case WideStage::kDrives:
      return compute_joint_drives(model, data, scratch);
    case WideStage::kAcceleration:
      return compute_acceleration(model, data);
    case WideStage::kFreeAcceleration:
      return free_acceleration(model, data);
    case WideStage::kAdvanceDrives:
      return advance_drives(model, data, data.act_dot.data());
    case WideStage::kEuler:
      return advance_euler(model, data, scratch);
    case WideStage::kEulerUndamped:
      advance(model, data, data.qacc.data());
      return remember_warm_start(model, data);
    case WideStage::kImplicitFast:
      return advance_implicit_fast(model, data, scratch);
    case WideStage::kRungeKutta:
      return move_runge_kutta(model, data, workspace, false);
    case WideStage::kRungeKuttaRotated:
      return move_runge_kutta(model, data, workspace, true);
    case WideStage::kRungeKuttaEnd:
      return end_runge_kutta(model, data, workspace);
    case WideStage::kCount:
      break;
  }
}

}  // namespace

extern const LaneKernels kLaneKernels;
const LaneKernels kLaneKernels = {
    kWidth, block_numbers, block_offset, workspace_bytes, make_workspace, bind_worlds, unbind, list_fields, run, step};

}  // namespace TORSOR_ISA
}  // namespace torsor
