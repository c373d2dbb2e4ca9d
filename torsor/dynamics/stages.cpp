// The stages of smooth dynamics for one world: each calls the kernel of this machine's instruction set.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/body_forces.hpp"
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

void compute_subtree_velocity(const Model& model, Data& data) {
  compute_subtree_velocity_of<double, double>(model, data);
  data.has_subtree_velocity = true;
}

// Newton-Euler with the final acceleration, and what the parent and the outside must exert for it.
void compute_rne_post(const Model& model, Data& data) {
  compute_applied_wrenches<double, double>(model, data);
  add_constraint_wrenches(model, data);
  compute_body_accelerations<double, double>(model, data);
  compute_interaction_forces<double, double>(model, data);
  data.has_rne_post = true;
}

void accumulate_applied_forces(const Model& model, const Data& data, double* qfrc) {
  world_kernels().add_applied_forces(model, data, qfrc);
}

}  // namespace torsor
