// What contacts and equalities exert on bodies, in packs or in one world; the formulas are those of
// dynamics/contact_force.cpp.
#pragma once

#include "torsor/batch/kernels/write_rows.hpp"
#include "torsor/dynamics/kernels/weld.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Adds a wrench at P to what a body has in cfrc_ext, about the COM of its tree. In the lanes of the mask only: numbers
// of the others need not be finite.
template <class P>
TORSOR_INLINE void add_to_body(const MaskOf<P>& lanes, int body, int root, const Vec3<P>& p_WoP_W,
                               const Wrench<P>& F_P_W, const RowState<ScalarOf<P>>& state, ScalarOf<P>* cfrc_ext) {
  const PointerTo<P> sum = packs<P>(cfrc_ext) + 6 * body;
  const Vec3<P> p_TcmP_W = p_WoP_W - load3(packs<P>(state.subtree_com) + 3 * root);
  const Vec3<P> t = F_P_W.t + cross(p_TcmP_W, F_P_W.f);
  for (int k = 0; k < 3; ++k) {
    blend(lanes, sum[k] + t[k], sum[k]);
    blend(lanes, sum[3 + k] + F_P_W.f[k], sum[3 + k]);
  }
}

// On the second of the bodies of a contact, whose numbers are those of PackContact; force and torque are in its frame.
template <class P>
TORSOR_INLINE Wrench<P> contact_wrench(const ConstPointerTo<P>& numbers, const Vec3<P>& f_C, const Vec3<P>& t_C) {
  const Mat3<P> R_CW = load9(numbers + 4);
  return {transposed_mul(R_CW, t_C), transposed_mul(R_CW, f_C)};
}

template <class P>
void add_contact_wrench(const PackContact<ScalarOf<P>>& contact, const int* bodies, const int* roots,
                        const RowState<ScalarOf<P>>& state, ScalarOf<P>* cfrc_ext) {
  const MaskOf<P> lanes = mask_of_bits<P>(contact.lanes);
  const P *numbers = packs<P>(contact.numbers), *force = packs<P>(contact.force);
  const Wrench<P> F_C_W = contact_wrench<P>(numbers, load3(force), load3(force + 3));
  for (int k = 0; k < 2; ++k) {
    if (bodies[k] != 0)
      add_to_body<P>(lanes, bodies[k], roots[k], load3(numbers + 1), k == 0 ? -F_C_W : F_C_W, state, cfrc_ext);
  }
}

// Of the rotation rows of a weld on its first object.
template <class P>
TORSOR_INLINE Vec3<P> find_weld_torque(const EqualityPlan& equality, const Vec3<P>& force,
                                       const RowState<ScalarOf<P>>& state) {
  Quat<P> q_W[2];
  for (int k = 0; k < 2; ++k) {
    q_W[k] = load4(packs<P>(state.xquat) + 4 * equality.body[k]);
    if (equality.has_sites) q_W[k] = q_W[k] * load4<P>(equality.site_quat[k]);
  }
  if (!equality.has_sites) q_W[0] = q_W[0] * load4<P>(equality.data + 6);
  return weld_torque(q_W[0], q_W[1], P(equality.data[kTorqueScale]), force);
}

// Where a connect or a weld holds one of its bodies.
template <class P>
TORSOR_INLINE Vec3<P> find_anchor(const EqualityPlan& equality, int side, const RowState<ScalarOf<P>>& state) {
  if (equality.has_sites) return load3(packs<P>(state.site_xpos) + 3 * equality.object[side]);
  // a connect stores the anchors in this order, a weld in the opposite order
  const bool weld = equality.type == EqualityType::kWeld;
  const Vec3<P> p_BoA_B = load3<P>(equality.data + 3 * (weld ? 1 - side : side));
  return load3(packs<P>(state.xpos) + 3 * equality.body[side]) +
         load9(packs<P>(state.xmat) + 9 * equality.body[side]) * p_BoA_B;
}

// On the first of the bodies of a connect or a weld, at the anchor, from the forces of the rows, which are in whatever
// `force(k)` returns. The position rows are along the axes of W.
template <class P, class Force>
TORSOR_INLINE Wrench<P> equality_wrench(const EqualityPlan& equality, Force&& force,
                                        const RowState<ScalarOf<P>>& state) {
  const Vec3<P> f_W{force(0), force(1), force(2)};
  if (equality.type != EqualityType::kWeld) return {Vec3<P>::zero(), f_W};
  return {find_weld_torque<P>(equality, {force(3), force(4), force(5)}, state), f_W};
}

template <class P>
void add_equality_wrench(const EqualityPlan& equality, unsigned lanes, const ScalarOf<P>* force,
                         const RowState<ScalarOf<P>>& state, ScalarOf<P>* cfrc_ext) {
  const auto of_row = [force](int k) { return packs<P>(force)[k]; };
  const Wrench<P> F_W = equality_wrench<P>(equality, of_row, state);
  for (int k = 0; k < 2; ++k) {
    if (equality.body[k] != 0)
      add_to_body<P>(mask_of_bits<P>(lanes), equality.body[k], equality.root[k], find_anchor<P>(equality, k, state),
                     k == 0 ? F_W : -F_W, state, cfrc_ext);
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
