// What contacts and equalities exert on bodies, in packs; the formulas are those of dynamics/contact_force.cpp.
#pragma once

#include "torsor/batch/kernels/write_rows.hpp"
#include "torsor/dynamics/kernels/weld.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// In the lanes of the mask only: numbers of the others need not be finite.
template <class P>
TORSOR_INLINE void add_wrench(const MaskOf<P>& lanes, const Vec3<P>& p_TcmP_W, const Wrench<P>& F_P_W, P* sum) {
  const Vec3<P> t = F_P_W.t + cross(p_TcmP_W, F_P_W.f);
  for (int k = 0; k < 3; ++k) {
    blend(lanes, sum[k] + t[k], sum[k]);
    blend(lanes, sum[3 + k] + F_P_W.f[k], sum[3 + k]);
  }
}

template <class P>
void add_contact_wrench(const PackContact<ScalarOf<P>>& contact, const int* bodies, const int* roots,
                        const RowState<ScalarOf<P>>& state, ScalarOf<P>* cfrc_ext) {
  const MaskOf<P> lanes = mask_of_bits<P>(contact.lanes);
  const P *numbers = packs<P>(contact.numbers), *force = packs<P>(contact.force);
  const Mat3<P> R_CW = load9(numbers + 4);
  const Wrench<P> F_C_W{transposed_mul(R_CW, load3(force + 3)), transposed_mul(R_CW, load3(force))};
  for (int k = 0; k < 2; ++k) {
    if (bodies[k] == 0) continue;
    const Vec3<P> p_TcmC_W = load3(numbers + 1) - load3(packs<P>(state.subtree_com) + 3 * roots[k]);
    add_wrench(lanes, p_TcmC_W, k == 0 ? -F_C_W : F_C_W, packs<P>(cfrc_ext) + 6 * bodies[k]);
  }
}

// Of the rotation rows of a weld on its first object.
template <class P>
Vec3<P> find_weld_torque(const EqualityPlan& equality, const Vec3<P>& force, const RowState<ScalarOf<P>>& state) {
  Quat<P> q_W[2];
  for (int k = 0; k < 2; ++k) {
    q_W[k] = load4(packs<P>(state.xquat) + 4 * equality.body[k]);
    if (equality.has_sites) q_W[k] = q_W[k] * load4<P>(equality.site_quat[k]);
  }
  if (!equality.has_sites) q_W[0] = q_W[0] * load4<P>(equality.data + 6);
  return weld_torque(q_W[0], q_W[1], P(equality.data[kTorqueScale]), force);
}

// The position rows of a connect or a weld are along the axes of W.
template <class P>
void add_equality_wrench(const EqualityPlan& equality, unsigned lanes, const ScalarOf<P>* force,
                         const RowState<ScalarOf<P>>& state, ScalarOf<P>* cfrc_ext) {
  const bool weld = equality.type == EqualityType::kWeld;
  const Wrench<P> F_W{weld ? find_weld_torque<P>(equality, load3(packs<P>(force) + 3), state) : Vec3<P>::zero(),
                      load3(packs<P>(force))};
  for (int k = 0; k < 2; ++k) {
    const int body = equality.body[k];
    if (body == 0) continue;
    Vec3<P> p_WoA_W;
    if (equality.has_sites) {
      p_WoA_W = load3(packs<P>(state.site_xpos) + 3 * equality.object[k]);
    } else {  // a connect stores the anchors in this order, a weld in the opposite order
      const Vec3<P> p_BoA_B = load3<P>(equality.data + 3 * (weld ? 1 - k : k));
      p_WoA_W = load3(packs<P>(state.xpos) + 3 * body) + load9(packs<P>(state.xmat) + 9 * body) * p_BoA_B;
    }
    const Vec3<P> p_TcmA_W = p_WoA_W - load3(packs<P>(state.subtree_com) + 3 * equality.root[k]);
    add_wrench(mask_of_bits<P>(lanes), p_TcmA_W, k == 0 ? F_W : -F_W, packs<P>(cfrc_ext) + 6 * body);
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
