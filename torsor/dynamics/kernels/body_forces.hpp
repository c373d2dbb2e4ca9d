// Momenta of subtrees, accelerations of bodies and the forces between them, from the final qacc. Only sensors need
// them.
#pragma once

#include "torsor/dynamics/kernels/velocity.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Momenta of each body first, then sums towards the root; angular momentum moves from one COM to the next.
template <class T>
TORSOR_LOCAL void compute_subtree_velocity_of(const ModelView& model, DataView<T>& data) {
  const auto body_com_velocity = [&](int b) {
    const Vec3<T> p_TcmBcm_W = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(model.body_rootid[b], 3));
    return load6(data.cvel.row(b, 6)).at(p_TcmBcm_W);
  };
  for (int b = 0; b < model.nbody; ++b) {
    const Twist<T> V_WBcm_W = body_com_velocity(b);
    const Mat3<T> R_WI = load9(data.ximat.row(b, 9));
    const Vec3<T> w_I = transposed_mul(R_WI, V_WBcm_W.w);
    store3(data.subtree_linvel.row(b, 3), V_WBcm_W.v * T(model.body_mass[b]));
    store3(data.subtree_angmom.row(b, 3), R_WI * hadamard(load3<T>(model.body_inertia.row(b, 3)), w_I));
  }
  for (int b = model.nbody - 1; b >= 0; --b) {
    const auto momentum = data.subtree_linvel.row(b, 3);
    if (b > 0) {
      const auto parent = data.subtree_linvel.row(model.body_parentid[b], 3);
      store3(parent, load3(parent) + load3(momentum));
    }
    const double mass = model.body_subtreemass[b];
    store3(momentum, load3(momentum) / T(mass > kMinValue ? mass : kMinValue));
  }
  for (int b = model.nbody - 1; b > 0; --b) {
    const int parent = model.body_parentid[b];
    // the body's own momentum about its subtree's COM
    const Vec3<T> p_ScmBcm_W = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(b, 3));
    const Vec3<T> v_rel = body_com_velocity(b).v - load3(data.subtree_linvel.row(b, 3));
    const auto own = data.subtree_angmom.row(b, 3);
    store3(own, load3(own) + cross(p_ScmBcm_W, v_rel) * T(model.body_mass[b]));
    // the subtree's momentum about the parent subtree's COM
    const Vec3<T> p_PcmScm_W = load3(data.subtree_com.row(b, 3)) - load3(data.subtree_com.row(parent, 3));
    const Vec3<T> v_sub = load3(data.subtree_linvel.row(b, 3)) - load3(data.subtree_linvel.row(parent, 3));
    const auto up = data.subtree_angmom.row(parent, 3);
    store3(up, load3(up) + load3(own) + cross(p_PcmScm_W, v_sub) * T(model.body_subtreemass[b]));
  }
}

// cacc: gravity counts as an upward acceleration of the world.
template <class T>
TORSOR_LOCAL void compute_body_accelerations(const ModelView& model, DataView<T>& data) {
  store6(data.cacc.row(0, 6), world_acceleration<T>(model));
  for (int b = 1; b < model.nbody; ++b) {
    Twist<T> A = load6(data.cacc.row(model.body_parentid[b], 6));
    for (int i = model.body_dofadr[b], end = i + model.body_dofnum[b]; i < end; ++i)
      A += load6(data.cdof_dot.row(i, 6)) * data.qvel[i] + load6(data.cdof.row(i, 6)) * data.qacc[i];
    store6(data.cacc.row(b, 6), A);
  }
}

// cfrc_ext without contacts and equalities: xfrc_applied about the COM of the tree.
template <class T>
TORSOR_LOCAL void compute_applied_wrenches(const ModelView& model, DataView<T>& data) {
  store6(data.cfrc_ext.row(0, 6), Wrench<T>::zero());
  for (int b = 1; b < model.nbody; ++b) {
    const auto xfrc = data.xfrc_applied.row(b, 6);
    const Vec3<T> f_W = load3(xfrc), t_W = load3(xfrc + 3);
    const Vec3<T> p_TcmBcm_W = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(model.body_rootid[b], 3));
    store6(data.cfrc_ext.row(b, 6), Wrench<T>{t_W + cross(p_TcmBcm_W, f_W), f_W});
  }
}

// cfrc_int: what a body's parent exerts on it for cacc, beside cfrc_ext.
template <class T>
TORSOR_LOCAL void compute_interaction_forces(const ModelView& model, DataView<T>& data) {
  store6(data.cfrc_int.row(0, 6), Wrench<T>::zero());
  for (int b = 1; b < model.nbody; ++b) {
    const Wrench<T> needed =
        newton_euler(load10(data.cinert.row(b, 10)), load6(data.cvel.row(b, 6)), load6(data.cacc.row(b, 6)));
    store6(data.cfrc_int.row(b, 6), needed - load6_wrench(data.cfrc_ext.row(b, 6)));
  }
  for (int b = model.nbody - 1; b > 0; --b) {
    const auto parent = data.cfrc_int.row(model.body_parentid[b], 6);
    store6(parent, load6_wrench(parent) + load6_wrench(data.cfrc_int.row(b, 6)));
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
