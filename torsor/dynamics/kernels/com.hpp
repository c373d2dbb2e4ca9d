// Quantities about the COM of each tree (Tcm): subtree COMs, inertias, and the motion axes of the dofs.
#pragma once

#include "torsor/dynamics/kernels/policy.hpp"
#include "torsor/dynamics/kernels/range.hpp"
#ifndef __CUDACC__
#include "torsor/math/four_spatial.hpp"
#endif
#include "torsor/math/spatial.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// The body's own part of the sum.
template <class T>
TORSOR_INLINE void begin_subtree_com(const ModelView& model, DataView<T>& data, int b) {
  store3(data.subtree_com.row(b, 3), load3(data.xipos.row(b, 3)) * T(model.body_mass[b]));
}
// COM of every subtree: mass-weighted sums towards the root, then divided. Sums of bodies outside of the range are not
// used, except those of the world.
template <class T>
TORSOR_INLINE void sum_subtree_com(const ModelView& model, DataView<T>& data, const Range& range) {
  for (int b = range.body_end - 1; b >= range.body_begin; --b) {
    const auto parent = data.subtree_com.row(model.body_parentid[b], 3);
    const Vec3<T> moment = load3(data.subtree_com.row(b, 3));
    store3(parent, load3(parent) + moment);
    const double mass =
        model.body_subtreemass[b];  // branch on the model, so that massless subtrees cost nothing elsewhere
    if (mass >= kMinValue)
      store3(data.subtree_com.row(b, 3), moment * T(1 / mass));
    else
      store3(data.subtree_com.row(b, 3), load3(data.xipos.row(b, 3)));
  }
  if (model.body_subtreemass[0] >= kMinValue)
    store3(data.subtree_com.row(0, 3), load3(data.subtree_com.row(0, 3)) * T(1 / model.body_subtreemass[0]));
}

template <class T>
TORSOR_INLINE void compute_subtree_com(const ModelView& model, DataView<T>& data, const Range& range) {
  begin_subtree_com(model, data, 0);
  for (int b = range.body_begin; b < range.body_end; ++b) begin_subtree_com(model, data, b);
  sum_subtree_com(model, data, range);
}

// S_Tcm_W of a rotation about `axis` through Jo.
template <class T>
TORSOR_INLINE Twist<T> rotation_axis(const Vec3<T>& axis_W, const Vec3<T>& p_JoTcm_W) {
  return {axis_W, cross(axis_W, p_JoTcm_W)};
}

// Three rotations about the body's own axes through its joint anchor.
template <class T>
TORSOR_INLINE void store_ball_axes(PointerTo<T> cdof, const Mat3<T>& R_WB, const Vec3<T>& p_JoTcm_W) {
  for (int k = 0; k < 3; ++k) store6(cdof + 6 * k, rotation_axis(R_WB.col(k), p_JoTcm_W));
}

template <class T>
TORSOR_INLINE void compute_dof_axes(const ModelView& model, DataView<T>& data, int b, const Vec3<T>& p_WoTcm_W) {
  const int first = model.body_jntadr[b], last = first + model.body_jntnum[b];
  for (int j = first; j < last; ++j) {
    const Vec3<T> p_JoTcm_W = p_WoTcm_W - load3(data.xanchor.row(j, 3));
    const auto cdof = data.cdof.row(model.jnt_dofadr[j], 6);
    switch (static_cast<JointType>(model.jnt_type[j])) {
      case JointType::kFree:
        for (int k = 0; k < 3; ++k) {
          store6(cdof + 6 * k, Twist<T>::zero());
          cdof[6 * k + 3 + k] = T(1);
        }
        store_ball_axes(cdof + 18, load9(data.xmat.row(b, 9)), p_JoTcm_W);
        break;
      case JointType::kBall:
        store_ball_axes(cdof, load9(data.xmat.row(b, 9)), p_JoTcm_W);
        break;
      case JointType::kSlide:
        store6(cdof, Twist<T>{Vec3<T>::zero(), load3(data.xaxis.row(j, 3))});
        break;
      case JointType::kHinge:
        store6(cdof, rotation_axis(load3(data.xaxis.row(j, 3)), p_JoTcm_W));
        break;
    }
  }
}

// I_BTcm_W of body b.
template <class T>
TORSOR_INLINE void compute_body_inertia(const ModelView& model, DataView<T>& data, int b) {
  const Vec3<T> p_WoTcm_W = load3(data.subtree_com.row(model.body_rootid[b], 3));
  store10(data.cinert.row(b, 10), make_inertia(T(model.body_mass[b]), load3<T>(model.body_inertia.row(b, 3)),
                                               load9(data.ximat.row(b, 9)), load3(data.xipos.row(b, 3)) - p_WoTcm_W));
}

#ifndef __CUDACC__
// The same for four bodies of one world from b on.
TORSOR_INLINE void compute_four_inertias(const ModelView& model, DataView<double>& data, int b) {
  FourRows<const double> p_WoTcm_W;
  for (int k = 0; k < 4; ++k) p_WoTcm_W.row[k] = data.subtree_com.row(model.body_rootid[b + k], 3);
  const auto row = [b](const Field<double>& field, int columns) {
    return four_rows<const double>(field.row(b, columns), columns);
  };
  store10(four_rows(data.cinert.row(b, 10), 10),
          make_inertia(load_four(model.body_mass.row(b, 1)), load3(row(model.body_inertia, 3)),
                       load9(row(data.ximat, 9)), load3(row(data.xipos, 3)) - load3(p_WoTcm_W)));
}
#endif

// Inertias and axes, from the COMs of the trees.
template <class T>
TORSOR_INLINE void compute_about_com(const ModelView& model, DataView<T>& data, const Range& range) {
  store10(data.cinert.row(0, 10), SpatialInertia<T>::zero());
  int b = range.body_begin;
  if constexpr (kTakesFourBodies<T>) {
    for (; b + 4 <= range.body_end; b += 4) compute_four_inertias(model, data, b);
  }
  for (; b < range.body_end; ++b) compute_body_inertia(model, data, b);
  for (b = range.body_begin; b < range.body_end; ++b)
    compute_dof_axes(model, data, b, load3(data.subtree_com.row(model.body_rootid[b], 3)));
}

template <class T>
TORSOR_LOCAL void compute_com_position(const ModelView& model, DataView<T>& data, const Range& range) {
  compute_subtree_com(model, data, range);
  compute_about_com(model, data, range);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
