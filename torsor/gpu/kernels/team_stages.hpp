// Stages by several threads for each world, in phases: all members of a team end a phase before one begins the next.
#pragma once

#include "torsor/gpu/kernels/stages.hpp"

namespace torsor::gpu {

struct StageTeam {
  int member, members;
};

// The phases of one stage of one world. A stage that cannot be divided has one phase, of member 0. kDivided: all stages
// are divided; without the code of others a kernel needs no stack.
template <class S, bool kDivided = false>
class TeamStage {
  using P = WorldLane<S>;

 public:
  TORSOR_INLINE TeamStage(const WorldView<S>& view, const ModelView& model, WideStage stage, const StageTeam& team,
                          ThreadWorkspace<S>& workspace)
      : model_(model), levels_(view.levels), stage_(stage), team_(team), workspace_(workspace) {}

  static TORSOR_INLINE bool is_divided(WideStage stage, const ModelView& model) {
    if (stage == WideStage::kPassive) return has_passive_joints_alone(model);
    return stage == WideStage::kKinematics || stage == WideStage::kMassMatrix || stage == WideStage::kVelocity ||
           stage == WideStage::kEulerUndamped || stage == WideStage::kEulerEnd ||
           stage == WideStage::kRungeKuttaResult || stage == WideStage::kRungeKutta ||
           stage == WideStage::kRungeKuttaEnd;
  }
  TORSOR_INLINE int phases() const {
    switch (stage_) {
      case WideStage::kKinematics:
        return levels_.count + 4;
      case WideStage::kVelocity:
        return levels_.count + 3;
      case WideStage::kEulerUndamped:
      case WideStage::kEulerEnd:
        return 3;
      case WideStage::kMassMatrix:
      case WideStage::kRungeKutta:
      case WideStage::kRungeKuttaEnd:
        return 2;
      default:
        return 1;
    }
  }
  TORSOR_INLINE void run(int phase) const {
    switch (stage_) {
      case WideStage::kKinematics:
        return run_kinematics(phase);
      case WideStage::kMassMatrix:
        return run_mass_matrix(phase);
      case WideStage::kVelocity:
        return run_velocity(phase);
      case WideStage::kPassive:
        return run_passive();
      case WideStage::kEulerUndamped:
        return run_euler(phase, data().qacc.data());
      case WideStage::kEulerEnd:
        return run_euler(phase, workspace_.scratch);
      case WideStage::kRungeKuttaResult:
        return show_mean();
      case WideStage::kRungeKutta:
        return phase == 0 ? move_joints() : move_others();
      case WideStage::kRungeKuttaEnd:
        return end_runge_kutta(phase);
      default:
        if constexpr (!kDivided) {
          if (team_.member == 0) run_stage(stage_, model_, workspace_);
        }
    }
  }

 private:
  TORSOR_INLINE DataView<P>& data() const { return workspace_.data; }
  // Calls f(i) for this member's share of [begin, end).
  template <class F>
  TORSOR_INLINE void for_share(int begin, int end, F&& f) const {
    for (int i = begin + team_.member; i < end; i += team_.members) f(i);
  }
  template <class F>
  TORSOR_INLINE void for_level(int level, F&& f) const {
    for_share(levels_.begin[level], levels_.begin[level + 1], [&](int k) { f(levels_.bodies[k]); });
  }
  TORSOR_INLINE bool is_first() const { return team_.member == 0; }

  // The world; bodies, level by level; geoms and sites; COMs; what depends on those.
  TORSOR_HD void run_kinematics(int phase) const {
    if (phase == 0 && is_first()) {
      place_world(data());
      begin_subtree_com(model_, data(), 0);
      store10(data().cinert.row(0, 10), SpatialInertia<P>::zero());
    }
    if (phase > 0 && phase <= levels_.count) {
      const Attached<P> inertial = inertial_frames(model_, data());
      for_level(phase - 1, [&](int b) {
        place_body(model_, data(), b);
        place_attached(data(), inertial, b, b);
        begin_subtree_com(model_, data(), b);
      });
    }
    if (phase == levels_.count + 1) place_frames();
    if (phase == levels_.count + 2 && is_first()) sum_subtree_com(model_, data(), whole(model_));
    if (phase == levels_.count + 3) {
      for_share(1, model_.nbody, [&](int b) {
        compute_body_inertia(model_, data(), b);
        compute_dof_axes(model_, data(), b, load3(data().subtree_com.row(model_.body_rootid[b], 3)));
      });
    }
  }
  TORSOR_INLINE void place_frames() const {
    const Attached<P> geoms = geom_frames(model_, data()), sites = site_frames(model_, data());
    for_share(0, model_.ngeom + model_.nsite, [&](int k) {
      const int site = k - model_.ngeom;
      place_attached(data(), site < 0 ? geoms : sites, site < 0 ? k : site,
                     site < 0 ? model_.geom_bodyid[k] : model_.site_bodyid[site]);
    });
  }

  // Sums of composite bodies number by number, then rows of M.
  TORSOR_HD void run_mass_matrix(int phase) const {
    const auto composite = data().crb.data();
    if (phase == 0) {
      for_share(0, 10, [&](int k) {
        for (int b = 0; b < model_.nbody; ++b) composite[10 * b + k] = data().cinert[10 * b + k];
        for (int b = model_.nbody - 1; b > 0; --b) {
          const int parent = model_.body_parentid[b];
          if (parent != 0) composite[10 * parent + k] += composite[10 * b + k];
        }
      });
    } else {
      for_share(0, model_.nv, [&](int i) {
        compute_mass_row(model_, data(), composite, i);
        Range row = whole(model_);
        row.dof_begin = i;
        row.dof_end = i + 1;
        add_actuator_armature(model_, data(), row);
      });
    }
  }

  // The world; bodies, level by level; sums of forces number by number; their projections on dofs.
  TORSOR_HD void run_velocity(int phase) const {
    const WorldPointer<S> cacc = workspace_.scratch, cfrc = workspace_.scratch + 6 * model_.nbody;
    if (phase == 0 && is_first()) {
      store6(data().cvel.row(0, 6), Twist<P>::zero());
      store6(cacc, world_acceleration<P>(model_));
      store6(cfrc, Wrench<P>::zero());
    }
    if (phase > 0 && phase <= levels_.count)
      for_level(phase - 1, [&](int b) { compute_body_velocity_and_bias<true>(model_, data(), cacc, cfrc, b); });
    if (phase == levels_.count + 1) {
      for_share(0, 6, [&](int k) {
        for (int b = model_.nbody - 1; b > 0; --b) cfrc[6 * model_.body_parentid[b] + k] += cfrc[6 * b + k];
      });
    }
    if (phase == levels_.count + 2) {
      for_share(0, model_.nv, [&](int i) {
        data().qfrc_bias[i] = power(load6_wrench(cfrc + 6 * model_.dof_bodyid[i]), load6(data().cdof.row(i, 6)));
      });
    }
  }

  TORSOR_HD void run_passive() const {
    if (kDivided || has_passive_joints_alone(model_)) {
      for_share(0, model_.njnt, [&](int j) { compute_passive_joints(model_, data(), joint_alone(model_, j)); });
    } else if constexpr (!kDivided) {
      if (is_first()) compute_passive(model_, data(), whole(model_));
    }
  }

  TORSOR_HD void run_euler(int phase, const WorldPointer<S>& qacc) const {
    const P h = P(model_.opt.timestep);
    if (phase == 0) {
      for_share(0, model_.nv, [&](int i) {
        data().qvel[i] += qacc[i] * h;
        data().qacc_warmstart[i] = data().qacc[i];
      });
    }
    if (phase == 1) {
      for_share(0, model_.njnt, [&](int j) {
        integrate_position(model_, data().qpos.data(), data().qvel.data(), h, joint_alone(model_, j));
      });
    }
    if (phase == 2 && is_first()) {
      yield_springs(model_, data(), data().qvel.data(), h);
      data().time += h;
    }
  }

  // Each member has a workspace, and counts the evaluations.
  TORSOR_INLINE Kept<P> kept() const { return {model_, workspace_.kept}; }
  TORSOR_HD void show_mean() const {
    if (workspace_.evaluations == 0) return;
    for_share(0, model_.nv, [&](int i) { show_mean_of_dof(data(), kept(), i); });
    if (is_first()) restore_followed(model_, data(), kept());
    workspace_.shows_mean = true;
  }
  TORSOR_HD void move_joints() const {
    for_share(0, model_.njnt, [&](int j) {
      move_joint_by_runge_kutta(model_, data(), kept(), workspace_.evaluations, workspace_.shows_mean, j);
    });
  }
  TORSOR_HD void move_others() const {
    if (is_first()) move_others_by_runge_kutta(model_, data(), kept(), workspace_.evaluations);
    ++workspace_.evaluations;
    workspace_.shows_mean = false;
  }
  TORSOR_HD void end_runge_kutta(int phase) const {
    const P h = P(model_.opt.timestep);
    if (phase == 0) {
      for_share(0, model_.njnt, [&](int j) {
        integrate_position(model_, data().qpos.data(), kept().sum_v, h, joint_alone(model_, j));
      });
      return;
    }
    for_share(0, model_.nv, [&](int i) {
      data().qvel[i] += h * kept().sum_a[i];
      data().qacc_warmstart[i] = data().qacc[i];
      data().qacc[i] = kept().sum_a[i];  // what users see: arrays of theirs are filled after the step
    });
    if (is_first()) end_others_of_runge_kutta(model_, data(), kept());
    workspace_.evaluations = 0;
  }

  const ModelView& model_;
  const BodyLevels& levels_;
  const WideStage stage_;
  const StageTeam& team_;
  ThreadWorkspace<S>& workspace_;
};

// Whether a team can divide any stage of a list, and whether it can divide all of them
struct Division {
  bool any = false, all = true;
};
inline Division division_of(const StageList& list, const ModelView& model) {
  Division found;
  for (int k = 0; k < list.count; ++k) {
    const bool is_divided = TeamStage<double>::is_divided(list.stages[k], model);
    found.any = found.any || is_divided;
    found.all = found.all && is_divided;
  }
  return found;
}

// kOwnValues: worlds have values of the model of their own.
template <bool kOwnValues, class S>
TORSOR_INLINE const ModelView& model_of(const WorldView<S>& view, int world) {
  return kOwnValues ? view.models[world < view.worlds ? world : 0] : view.model;
}

// The stages of a list. wait() returns when all members have come to it; whether there is anything to do in this pass
// is decided by member 0, and share(that) returns it to all.
template <bool kOwnValues, bool kDivided, class S, class Wait, class Share>
TORSOR_INLINE void run_stages_in_team(const WorldView<S>& view, const StageList& list, int world, const StageTeam& team,
                                      Wait&& wait, Share&& share) {
  const bool is_active = share(world < view.worlds && team.member == 0 && begin_stages(view, list, world));
  const WorldPointer<S> scratch = scratch_of(view, list);
  ThreadWorkspace<S> workspace{const_cast<DataView<WorldLane<S>>&>(view.data), scratch, view.kept.data(),
                               list.evaluation, false};
  const ModelView& model = model_of<kOwnValues>(view, world);
  for (int k = 0; k < list.count; ++k) {
    const TeamStage<S, kDivided> stage(view, model, list.stages[k], team, workspace);
    const int phases = stage.phases();
    for (int phase = 0; phase < phases; ++phase) {
      if (is_active) stage.run(phase);
      wait();
    }
  }
  if (is_active && team.member == 0) end_stages(view, list, world);
}

}  // namespace torsor::gpu
