// The stages of smooth dynamics for one world: each calls the kernel of this machine's instruction set.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {

void compute_kinematics(const Model& model, Data& data) { world_kernels().kinematics(model, data); }
void compute_com_position(const Model& model, Data& data) { world_kernels().com_position(model, data); }
void factor_mass_matrix(const Model& model, Data& data) { world_kernels().factor_mass_matrix(model, data); }
void compute_com_velocity(const Model& model, Data& data) { world_kernels().com_velocity(model, data); }
void compute_passive(const Model& model, Data& data) {
  world_kernels().passive(model, data);
  add_tendon_passive(model, data);
}
void compute_acceleration(const Model& model, Data& data) { world_kernels().acceleration(model, data); }
void compute_bias(const Model& model, Data& data) { inverse_dynamics(model, data, false, data.qfrc_bias.data()); }

void compute_mass_matrix(const Model& model, Data& data) {
  compute_body_mass_matrix(model, data);
  add_tendon_armature(model, data);
}

void compute_body_mass_matrix(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  world_kernels().mass_matrix(model, data, data.arena().push_array<double>(12 * (static_cast<size_t>(model.nv) + 3)));
}

void factor_mass_matrix_and_damped(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  world_kernels().factor_both(model, data, data.arena().push_array<double>(2 * static_cast<size_t>(model.nC)));
}

void inverse_dynamics(const Model& model, Data& data, bool with_qacc, double* result) {
  ArenaScope scope(data.arena());
  double* scratch = data.arena().push_array<double>(6 * static_cast<size_t>(model.nbody));
  const WorldKernels& kernel = world_kernels();
  (with_qacc ? kernel.inverse_dynamics : kernel.bias)(model, data, scratch, result);
}

void compute_velocity_and_bias(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  world_kernels().velocity_and_bias(model, data,
                                    data.arena().push_array<double>(12 * static_cast<size_t>(model.nbody)));
}

void compute_energy_position(const Model& model, Data& data) {
  data.energy[0] = world_kernels().potential_energy(model, data) + tendon_spring_energy(model, data);
  data.has_energy_position = true;
}

void compute_energy_velocity(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  double* momentum = data.arena().push_array<double>(static_cast<size_t>(model.nv));
  multiply_mass_matrix(model, data, data.qvel.data(), momentum);
  double energy = 0;
  for (int i = 0; i < model.nv; ++i) energy += 0.5 * momentum[i] * data.qvel[i];
  data.energy[1] = energy;
  data.has_energy_velocity = true;
}

// Momenta of each body first, then sums towards the root; angular momentum moves from one COM to the next.
void compute_subtree_velocity(const Model& model, Data& data) {
  const auto body_com_velocity = [&](int b) {
    const Vec3<double> p_TcmBcm_W = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(model.body_rootid[b], 3));
    return load6(data.cvel.row(b, 6)).at(p_TcmBcm_W);
  };
  for (int b = 0; b < model.nbody; ++b) {
    const Twist<double> V_WBcm_W = body_com_velocity(b);
    const Mat3<double> R_WI = load9(data.ximat.row(b, 9));
    const Vec3<double> w_I = transposed_mul(R_WI, V_WBcm_W.w);
    store3(data.subtree_linvel.row(b, 3), V_WBcm_W.v * model.body_mass[b]);
    store3(data.subtree_angmom.row(b, 3), R_WI * hadamard(load3(model.body_inertia.row(b, 3)), w_I));
  }
  for (int b = model.nbody - 1; b >= 0; --b) {
    double* momentum = data.subtree_linvel.row(b, 3);
    if (b > 0) {
      double* parent = data.subtree_linvel.row(model.body_parentid[b], 3);
      store3(parent, load3(parent) + load3(momentum));
    }
    store3(momentum, load3(momentum) / std::max(kMinValue, model.body_subtreemass[b]));
  }
  for (int b = model.nbody - 1; b > 0; --b) {
    const int parent = model.body_parentid[b];
    // the body's own momentum about its subtree's COM
    const Vec3<double> p_ScmBcm_W = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(b, 3));
    const Vec3<double> v_rel = body_com_velocity(b).v - load3(data.subtree_linvel.row(b, 3));
    double* own = data.subtree_angmom.row(b, 3);
    store3(own, load3(own) + cross(p_ScmBcm_W, v_rel) * model.body_mass[b]);
    // the subtree's momentum about the parent subtree's COM
    const Vec3<double> p_PcmScm_W = load3(data.subtree_com.row(b, 3)) - load3(data.subtree_com.row(parent, 3));
    const Vec3<double> v_sub = load3(data.subtree_linvel.row(b, 3)) - load3(data.subtree_linvel.row(parent, 3));
    double* up = data.subtree_angmom.row(parent, 3);
    store3(up, load3(up) + load3(own) + cross(p_PcmScm_W, v_sub) * model.body_subtreemass[b]);
  }
  data.has_subtree_velocity = true;
}

// Newton-Euler with the final acceleration, and what the parent and the outside must exert for it.
void compute_rne_post(const Model& model, Data& data) {
  for (int b = 0; b < model.nbody; ++b) {
    const double* xfrc = data.xfrc_applied.row(b, 6);
    const Vec3<double> f_W = load3(xfrc), t_W = load3(xfrc + 3);
    const Vec3<double> p_TcmBcm_W = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(model.body_rootid[b], 3));
    const bool is_world = b == 0;
    store6(data.cfrc_ext.row(b, 6),
           is_world ? Wrench<double>::zero() : Wrench<double>{t_W + cross(p_TcmBcm_W, f_W), f_W});
  }
  add_constraint_wrenches(model, data);
  Twist<double> A_W = Twist<double>::zero();
  if (!model.opt.disabled(kDisableGravity)) A_W.v = -load3(model.opt.gravity);
  store6(data.cacc.row(0, 6), A_W);
  store6(data.cfrc_int.row(0, 6), Wrench<double>::zero());
  for (int b = 1; b < model.nbody; ++b) {
    Twist<double> A = load6(data.cacc.row(model.body_parentid[b], 6));
    for (int i = model.body_dofadr[b], end = i + model.body_dofnum[b]; i < end; ++i)
      A += load6(data.cdof_dot.row(i, 6)) * data.qvel[i] + load6(data.cdof.row(i, 6)) * data.qacc[i];
    store6(data.cacc.row(b, 6), A);
    const SpatialInertia<double> I = load10(data.cinert.row(b, 10));
    const Twist<double> V = load6(data.cvel.row(b, 6));
    store6(data.cfrc_int.row(b, 6), I * A + cross_force(V, I * V) - load6_wrench(data.cfrc_ext.row(b, 6)));
  }
  for (int b = model.nbody - 1; b > 0; --b) {
    double* parent = data.cfrc_int.row(model.body_parentid[b], 6);
    store6(parent, load6_wrench(parent) + load6_wrench(data.cfrc_int.row(b, 6)));
  }
  data.has_rne_post = true;
}

void accumulate_applied_forces(const Model& model, const Data& data, double* qfrc) {
  world_kernels().add_applied_forces(model, data, qfrc);
}

}  // namespace torsor
