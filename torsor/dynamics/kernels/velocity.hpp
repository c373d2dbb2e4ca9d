// Body velocities, time derivatives of the dof axes, and the bias force by recursive Newton-Euler.
// [Featherstone 2008, table 5.1], all in W about Tcm.
#pragma once

#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Carries V on by the dofs of body b and stores S-dot of each, if it is to be kept: an axis is carried along by what
// moves before it. Calls f(i, S_dot) for every dof whose axis moves.
template <bool kKeep, class T, class F>
TORSOR_INLINE void move_by_dofs(const ModelView& model, DataView<T>& data, int b, Twist<T>& V, F&& f) {
  const int first = model.body_dofadr[b], last = first + model.body_dofnum[b];
  for (int i = first; i < last;) {
    const JointType type = static_cast<JointType>(model.jnt_type[model.dof_jntid[i]]);
    int group = 1;  // dofs of a joint that move together, so that none carries another
    if (type == JointType::kFree && i == first) {
      for (int k = 0; k < 3; ++k, ++i) {
        if constexpr (kKeep) store6(data.cdof_dot.row(i, 6), Twist<T>::zero());
        V += load6(data.cdof.row(i, 6)) * data.qvel[i];
      }
      group = 3;
    } else if (type == JointType::kBall) {
      group = 3;
    }
    const Twist<T> V_before = V;
    for (int k = 0; k < group; ++k, ++i) {
      const Twist<T> S = load6(data.cdof.row(i, 6)), S_dot = cross(V_before, S);
      if constexpr (kKeep) store6(data.cdof_dot.row(i, 6), S_dot);
      f(i, S_dot);
      V += S * data.qvel[i];
    }
  }
}

// V_WB at Tcm from the parent's, and S-dot of the dofs in between.
template <class T>
TORSOR_LOCAL void compute_com_velocity(const ModelView& model, DataView<T>& data, const Range& range) {
  store6(data.cvel.row(0, 6), Twist<T>::zero());
  for (int b = range.body_begin; b < range.body_end; ++b) {
    Twist<T> V = load6(data.cvel.row(model.body_parentid[b], 6));
    move_by_dofs<true>(model, data, b, V, [](int, const Twist<T>&) {});
    store6(data.cvel.row(b, 6), V);
  }
}

// Gravity enters as an upward acceleration of the world.
template <class T>
TORSOR_INLINE Twist<T> world_acceleration(const ModelView& model) {
  Twist<T> A_W = Twist<T>::zero();
  if (!model.opt.disabled(kDisableGravity)) A_W.v = -load3<T>(model.opt.gravity);
  return A_W;
}

// Force that gives body b the acceleration A: I A + V x* (I V).
template <class T>
TORSOR_INLINE Wrench<T> newton_euler(const SpatialInertia<T>& I, const Twist<T>& V, const Twist<T>& A) {
  return I * A + cross_force(V, I * V);
}

// Sums the bodies' forces towards the root and projects them onto the dofs.
template <class T>
TORSOR_INLINE void project_forces(const ModelView& model, const DataView<T>& data, PointerTo<T> cfrc,
                                  PointerTo<T> result, const Range& range) {
  store6(cfrc, Wrench<T>::zero());
  for (int b = range.body_end - 1; b >= range.body_begin; --b) {
    const auto sum = cfrc + 6 * model.body_parentid[b];
    store6(sum, load6_wrench(sum) + load6_wrench(cfrc + 6 * b));
  }
  for (int i = range.dof_begin; i < range.dof_end; ++i)
    result[i] = power(load6_wrench(cfrc + 6 * model.dof_bodyid[i]), load6(data.cdof.row(i, 6)));
}

// Inverse dynamics: the joint force of the motion (qvel, qacc or 0). Scratch: 6 numbers per body.
template <class T, bool kWithQacc>
TORSOR_LOCAL void recursive_newton_euler(const ModelView& model, const DataView<T>& data, PointerTo<T> scratch,
                                         PointerTo<T> result) {
  const auto cacc = scratch;
  store6(cacc, world_acceleration<T>(model));
  for (int b = 1; b < model.nbody; ++b) {
    Twist<T> A = load6(cacc + 6 * model.body_parentid[b]);
    const int first = model.body_dofadr[b], last = first + model.body_dofnum[b];
    for (int i = first; i < last; ++i) {
      A += load6(data.cdof_dot.row(i, 6)) * data.qvel[i];
      if constexpr (kWithQacc) A += load6(data.cdof.row(i, 6)) * data.qacc[i];
    }
    store6(cacc + 6 * b, A);
  }
  const auto cfrc = scratch;  // a body's acceleration is no longer needed once all are known
  for (int b = 1; b < model.nbody; ++b)
    store6(cfrc + 6 * b, newton_euler(load10(data.cinert.row(b, 10)), load6(data.cvel.row(b, 6)), load6(cacc + 6 * b)));
  project_forces(model, data, cfrc, result, whole(model));
}

// Static bodies outside of the range accelerate like the world, and nobody asks for the forces on them.
template <class T>
TORSOR_INLINE void prepare_static_parents(const ModelView& model, const Range& range, PointerTo<T> cacc,
                                          PointerTo<T> cfrc) {
  if (range.body_begin == 1 && range.body_end == model.nbody) return;
  for (int b = range.body_begin; b < range.body_end; ++b) {
    const int parent = model.body_parentid[b];
    if (parent >= range.body_begin) continue;
    store6(cacc + 6 * parent, world_acceleration<T>(model));
    store6(cfrc + 6 * parent, Wrench<T>::zero());
  }
}

// Velocity and acceleration (without qacc) of body b from its parent's, and the force that they take.
template <bool kKeep, class T>
TORSOR_INLINE void compute_body_velocity_and_bias(const ModelView& model, DataView<T>& data, PointerTo<T> cacc,
                                                  PointerTo<T> cfrc, int b) {
  const int parent = model.body_parentid[b];
  Twist<T> V = load6(data.cvel.row(parent, 6)), A = load6(cacc + 6 * parent);
  move_by_dofs<kKeep>(model, data, b, V, [&](int i, const Twist<T>& S_dot) { A += S_dot * data.qvel[i]; });
  store6(data.cvel.row(b, 6), V);
  store6(cacc + 6 * b, A);
  store6(cfrc + 6 * b, newton_euler(load10(data.cinert.row(b, 10)), V, A));
}

// compute_com_velocity() and the bias force in one pass over the bodies. Scratch: 12 numbers per body. S-dot is kept
// if a later stage needs it.
template <class T, bool kKeep = true>
TORSOR_LOCAL void compute_velocity_and_bias(const ModelView& model, DataView<T>& data, PointerTo<T> scratch,
                                            const Range& range) {
  const auto cacc = scratch, cfrc = scratch + 6 * model.nbody;
  store6(data.cvel.row(0, 6), Twist<T>::zero());
  store6(cacc, world_acceleration<T>(model));
  prepare_static_parents<T>(model, range, cacc, cfrc);
  for (int b = range.body_begin; b < range.body_end; ++b)
    compute_body_velocity_and_bias<kKeep>(model, data, cacc, cfrc, b);
  project_forces(model, data, cfrc, data.qfrc_bias.data(), range);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
