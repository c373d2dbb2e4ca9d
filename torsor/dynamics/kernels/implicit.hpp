// The implicitfast step: (M - h D) a = force with the symmetric part of D, but exact for free bodies without children,
// whose gyroscopic force would otherwise drive fast spins unstable.
#pragma once

#include "torsor/dynamics/kernels/integrate.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// A body that floats alone: one free joint, and nothing that moves below it. What is fixed to it is part of its
// composite inertia.
TORSOR_INLINE bool floats_alone(const ModelView& model, int b) {
  if (model.body_jntnum[b] != 1 || model.jnt_type[model.body_jntadr[b]] != static_cast<int>(JointType::kFree))
    return false;
  return model.tree_dofnum[model.body_treeid[b]] == 6;
}

// Derivative by a velocity x of V x* (I V) + I (A of the joint axes): K x = I (x x V) + x x* (I V) + V x* (I x).
template <class T>
TORSOR_INLINE Wrench<T> bias_slope(const SpatialInertia<T>& I, const Twist<T>& V, const Twist<T>& x) {
  return I * cross(x, V) + cross_force(x, I * V) + cross_force(V, I * x);
}

// A += h dbias/dqvel of a body that floats alone. `composite`: inertias of subtrees, as crb. All rotations carry each
// other. Translations come first, and the bias force does not depend on them: a uniform motion of everything changes
// nothing.
template <class T>
TORSOR_INLINE void add_gyroscopic(const ModelView& model, const DataView<T>& data, ConstPointerTo<T> composite, int b,
                                  const T& h, T A[36]) {
  const int first = model.body_dofadr[b];
  const SpatialInertia<T> I = load10(composite + 10 * b);
  const Twist<T> V = load6(data.cvel.row(b, 6));
  for (int j = 3; j < 6; ++j) {
    const Twist<T> S_j = load6(data.cdof.row(first + j, 6));
    const Twist<T> z_j = load6(data.cdof_dot.row(first + j, 6)) - cross(S_j, V);
    const Wrench<T> column = I * z_j + bias_slope(I, V, S_j);
    for (int i = 0; i < 6; ++i) A[6 * i + j] += h * power(column, load6(data.cdof.row(first + i, 6)));
  }
}

// x <- A^-1 x by elimination; A is a positive matrix with a small skew part, so that no pivot is needed.
template <class T, class Pointer>
TORSOR_INLINE void solve6(T A[36], Pointer x) {
  for (int k = 0; k < 6; ++k) {
    const T inverse = T(1) / A[7 * k];
    for (int i = k + 1; i < 6; ++i) {
      const T scale = A[6 * i + k] * inverse;
      for (int j = k + 1; j < 6; ++j) A[6 * i + j] -= scale * A[6 * k + j];
      x[i] -= scale * x[k];
    }
  }
  for (int i = 5; i >= 0; --i) {
    for (int j = i + 1; j < 6; ++j) x[i] -= A[6 * i + j] * x[j];
    x[i] /= A[7 * i];
  }
}

// What is subtracted from M: h times qDeriv, or only its dampers where no other force depends on velocity.
template <class T, bool kDampersOnly>
TORSOR_INLINE void solve_floating_body(const ModelView& model, const DataView<T>& data, ConstPointerTo<T> composite,
                                       int b, PointerTo<T> x) {
  const int first = model.body_dofadr[b];
  const T h = T(model.opt.timestep);
  T A[36];
  for (int k = 0; k < 36; ++k) A[k] = T(0);
  for (int i = 0; i < 6; ++i) {
    const int address = model.M_rowadr[first + i], count = model.M_rownnz[first + i];
    for (int c = 0; c < count; ++c) {
      const int j = model.M_colind[address + c] - first;
      A[6 * i + j] = A[6 * j + i] = data.M[address + c];
    }
    x[i] = data.qfrc_smooth[first + i] + data.qfrc_constraint[first + i];
  }
  for (int i = 0; i < 6; ++i) {
    if constexpr (kDampersOnly) {
      if (!model.opt.disabled(kDisableDamper))
        A[7 * i] += h * damping_derivative(model, first + i, data.qvel[first + i]);
    } else {
      for (int j = 0; j < 6; ++j) A[6 * i + j] -= h * data.qDeriv[model.D_rowadr[first + i] + j];
    }
  }
  add_gyroscopic(model, data, composite, b, h, A);
  solve6(A, x);
}

template <class T, bool kDampersOnly>
TORSOR_INLINE void solve_floating_bodies(const ModelView& model, const DataView<T>& data, ConstPointerTo<T> composite,
                                         PointerTo<T> qacc) {
  for (int b = 1; b < model.nbody; ++b) {
    if (floats_alone(model, b))
      solve_floating_body<T, kDampersOnly>(model, data, composite, b, qacc + model.body_dofadr[b]);
  }
}

// The acceleration, from the derivative of all forces in qDeriv.
template <class T>
TORSOR_LOCAL void solve_implicit_fast(const ModelView& model, DataView<T>& data, PointerTo<T> scratch) {
  const T h = T(model.opt.timestep);
  for (int k = 0; k < model.nC; ++k) data.qH[k] = data.M[k] - h * data.qDeriv[model.mapD2M[k]];
  for (int i = 0; i < model.nv; ++i) scratch[i] = data.qfrc_smooth[i] + data.qfrc_constraint[i];
  factor_in_place(model, data.qH.data(), data.qHDiagInv.data());
  solve_factored(model, data.qH.data(), data.qHDiagInv.data(), scratch);
  solve_floating_bodies<T, false>(model, data, data.crb.data(), scratch);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
