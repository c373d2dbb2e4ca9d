// Stages that batches on the processor run lane by lane, because the work of a world follows from its state: one thread
// for each world, with the functions of one world.
#pragma once

#include "torsor/dynamics/kernels/any_actuation.hpp"
#include "torsor/dynamics/kernels/any_transmission.hpp"
#include "torsor/dynamics/kernels/tendon_path.hpp"
#include "torsor/dynamics/kernels/tendons.hpp"
#include "torsor/gpu/kernels/team_stages.hpp"

namespace torsor::gpu {

template <class S>
TORSOR_INLINE Vec3<double> to_double(const Vec3<WorldLane<S>>& v) {
  return {v.x.v, v.y.v, v.z.v};
}

// The tendons of a world, one after the other; see tendon_path.hpp. A pull goes straight to all dofs that move its
// body.
template <class S>
class TendonsOfWorld {
  using Vec = Vec3<double>;

 public:
  TORSOR_INLINE TendonsOfWorld(const ModelView& model, DataView<WorldLane<S>>& data) : model_(model), data_(data) {}

  TORSOR_HD void compute() {
    for (int t = 0; t < model_.ntendon; ++t) {
      if (is_fixed_tendon(model_, t)) {
        compute_fixed_tendon(model_, data_, t);
        continue;
      }
      tendon_ = t;
      for_each_tendon_dof(model_, t, [&](int, int k) { data_.ten_J[k] = WorldLane<S>(0); });
      data_.ten_length[t] = WorldLane<S>(TendonPath<TendonsOfWorld>(model_, *this).follow(t));
    }
    for (int k = 3 * point_; k < data_.wrap_xpos.size(); ++k) data_.wrap_xpos[k] = WorldLane<S>(0);
  }

  TORSOR_INLINE Vec site(int site) const { return to_double(load3(data_.site_xpos.row(site, 3))); }
  TORSOR_INLINE Vec geom(int geom) const { return to_double(load3(data_.geom_xpos.row(geom, 3))); }
  TORSOR_INLINE Mat3<double> geom_axes(int geom) const {
    const WorldPointer<S> R = data_.geom_xmat.row(geom, 9);
    double numbers[9];
    for (int i = 0; i < 9; ++i) numbers[i] = R[i].v;
    return load9(numbers);
  }
  TORSOR_INLINE void add_point(const Vec& p_WoP_W, int) {
    for (int i = 0; i < 3; ++i) data_.wrap_xpos[3 * point_ + i] = WorldLane<S>(p_WoP_W[i]);
    ++point_;
  }
  TORSOR_HD void add_pull(int body, const Vec& p_WoP_W, const Vec& f_W) {
    const Vec p_TcmP_W = p_WoP_W - to_double(load3(data_.subtree_com.row(model_.body_rootid[body], 3)));
    const Vec t_W = cross(p_TcmP_W, f_W);
    int k = model_.ten_J_rowadr[tendon_] + model_.ten_J_rownnz[tendon_] - 1;  // columns ascend
    for (int dof = last_dof(model_, body); dof >= 0; dof = model_.dof_parentid[dof]) {
      while (model_.ten_J_colind[k] > dof) --k;
      const Twist<WorldLane<S>> S_Tcm_W = load6(data_.cdof.row(dof, 6));
      data_.ten_J[k] += WorldLane<S>(dot(t_W, to_double(S_Tcm_W.w)) + dot(f_W, to_double(S_Tcm_W.v)));
    }
  }

 private:
  const ModelView& model_;
  DataView<WorldLane<S>>& data_;
  int tendon_ = 0, point_ = 0;
};

// A device has neither users' functions nor motors with states of their own.
struct NoOtherActuators {
  TORSOR_INLINE void rates(int) const {}
  TORSOR_INLINE double next(int, int, double) const { return 0; }
  TORSOR_INLINE double motor_force(int) const { return 0; }
  TORSOR_INLINE double gain(int) const { return 1; }
  TORSOR_INLINE double bias(int) const { return 0; }
};

// As compute_actuation() of one world; `controls` is scratch for nu numbers.
template <class S>
TORSOR_HD void compute_any_actuation(const ModelView& model, DataView<WorldLane<S>>& data, WorldPointer<S> controls) {
  using P = WorldLane<S>;
  for (int i = 0; i < model.nv; ++i) data.qfrc_actuator[i] = P(0);
  for (int k = 0; k < model.na; ++k) data.act_dot[k] = P(0);
  for (int k = 0; k < model.nout; ++k) data.actuator_force[k] = P(0);
  if (model.nactuator == 0 || model.opt.disabled(kDisableActuation)) return;
  gather_controls(model, data, controls);
  ActuationRules<P, NoOtherActuators> rules(model, data, {});
  for (int a = 0; a < model.nactuator; ++a) {
    rules.rates(a, controls);
    if (!actuation::is_off(model, a)) rules.force(a, controls);
  }
  limit_tendon_forces(model, data);
  for (int a = 0; a < model.nactuator; ++a) rules.limit(a);
  apply_actuator_forces(model, data);
  finish_joint_forces(model, data);
}

template <bool kOwnValues, class S>
TORSOR_HD void run_world_stage(const WorldView<S>& view, WorldStage stage, const StageList& flags, int world) {
  if (flags.is_step && !view.progress.is_active(world)) return;
  const ModelView& model = model_of<kOwnValues>(view, world);
  DataView<WorldLane<S>>& data = const_cast<DataView<WorldLane<S>>&>(view.data);
  if (stage == WorldStage::kTendonPaths) TendonsOfWorld<S>(model, data).compute();
  if (stage == WorldStage::kTransmission) {
    TransmissionStage<WorldLane<S>> transmission(model, data);
    for (int a = 0; a < model.nactuator; ++a) transmission.compute(a);
  }
  if (stage == WorldStage::kActuation) compute_any_actuation(model, data, scratch_of(view, flags));
  if (stage == WorldStage::kActivations && !model.opt.disabled(kDisableActuation)) {
    ActuationRules<WorldLane<S>, NoOtherActuators> rules(model, data, {});
    for (int a = 0; a < model.nactuator; ++a) rules.advance(a, data.act_dot.data());
  }
}

}  // namespace torsor::gpu
