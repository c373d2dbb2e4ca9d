// The stages of smooth dynamics for one world: each calls the kernel of this machine's instruction set, for all that is
// awake.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/body_forces.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using RunStage = void (*)(const ModelView&, DataView<double>&, const Range&);
void run_awake(const Model& model, Data& data, RunStage stage) {
  for_each_awake_run(model, data, [&](const Range& run) { stage(model, data, run); });
}

int top(const Data& data, int k) { return data.awake.tops[static_cast<size_t>(k)]; }

// Whether a top is a static body with trees below it, whose sums change with these.
bool is_open(const Model& model, const Data& data, int k) {
  const int b = top(data, k);
  if (model.body_treeid[b] >= 0) return false;
  return model.body_parentid[b] != 0 || (k + 1 < data.awake.top_count && model.body_rootid[top(data, k + 1)] == b);
}

// One static body, without its geoms.
Range alone(int body) { return {body, body + 1, 0, 0, 0, 0, 0, 0, 0, 0}; }

// Composite inertias of static bodies with trees below them.
void sum_static_composites(const Model& model, Data& data) {
  for (int k = 0; k < data.awake.top_count; ++k)
    if (is_open(model, data, k)) std::copy_n(data.cinert.row(top(data, k), 10), 10, data.crb.row(top(data, k), 10));
  for (int k = data.awake.top_count - 1; k >= 0; --k) {
    const int b = top(data, k), parent = model.body_parentid[b];
    for (int i = 0; parent != 0 && i < 10; ++i) data.crb[10 * parent + i] += data.crb[10 * b + i];
  }
}

// COMs of the world and of static bodies, from those of the trees below them, whether or not these are awake.
void sum_static_coms(const Model& model, Data& data) {
  const auto moment_of = [&](int b) { return load3(data.xipos.row(b, 3)) * model.body_mass[b]; };
  store3(data.subtree_com.row(0, 3), moment_of(0));
  for (int k = 0; k < data.awake.top_count; ++k)
    if (is_open(model, data, k)) store3(data.subtree_com.row(top(data, k), 3), moment_of(top(data, k)));
  for (int k = data.awake.top_count - 1; k >= 0; --k) {
    const int b = top(data, k);
    double *parent = data.subtree_com.row(model.body_parentid[b], 3), *own = data.subtree_com.row(b, 3);
    const double mass = model.body_subtreemass[b];
    const bool is_static = is_open(model, data, k);
    store3(parent, load3(parent) + (is_static ? load3(own) : load3(own) * mass));
    if (is_static) store3(own, mass >= kMinValue ? load3(own) * (1 / mass) : load3(data.xipos.row(b, 3)));
  }
  if (model.body_subtreemass[0] >= kMinValue)
    store3(data.subtree_com.row(0, 3), load3(data.subtree_com.row(0, 3)) * (1 / model.body_subtreemass[0]));
}

}  // namespace

void compute_kinematics(const Model& model, Data& data) { run_awake(model, data, world_kernels().kinematics); }
// The Tcm of a tree below a static body is the COM of all that is below the outermost static body.
void compute_com_position(const Model& model, Data& data) {
  if (data.awake.all) return world_kernels().com_position(model, data, whole(model));
  if (data.awake.run_count == 0) return;
  run_awake(model, data, world_kernels().subtree_com);
  sum_static_coms(model, data);
  run_awake(model, data, world_kernels().about_com);
  for (int k = 0; k < data.awake.top_count; ++k)
    if (is_open(model, data, k)) world_kernels().about_com(model, data, alone(top(data, k)));
}
void factor_mass_matrix(const Model& model, Data& data) {
  run_awake(model, data, world_kernels().factor_mass_matrix);
  warn_of_singular_inertia(model, data, data.qLDiagInv.data());
}
// One warning for each factorisation, of the pivot that is met first: that of the last dof.
void warn_of_singular_inertia(const Model& model, Data& data, const double* inverse_pivots) {
  int dof = -1;
  for_each_awake_run(model, data, [&](const Range& run) {
    double largest = 0;  // a pass that vectorises
    for (int i = run.dof_begin; i < run.dof_end; ++i) largest = std::max(largest, inverse_pivots[i]);
    for (int i = run.dof_begin; largest >= 1 / kMinValue && i < run.dof_end; ++i)
      if (inverse_pivots[i] >= 1 / kMinValue) dof = i;
  });
  if (dof >= 0) warn(data, Warning::kInertia, dof);
}
void compute_com_velocity(const Model& model, Data& data) { run_awake(model, data, world_kernels().com_velocity); }
void compute_passive(const Model& model, Data& data) {
  run_awake(model, data, world_kernels().passive);
  add_tendon_passive(model, data);
}
void compute_acceleration(const Model& model, Data& data) { run_awake(model, data, world_kernels().acceleration); }
void compute_bias(const Model& model, Data& data) { inverse_dynamics(model, data, false, data.qfrc_bias.data()); }

void compute_mass_matrix(const Model& model, Data& data) {
  compute_body_mass_matrix(model, data);
  add_tendon_armature(model, data);
}

void compute_body_mass_matrix(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  double* scratch = data.arena().push_array<double>(12 * (static_cast<size_t>(model.nv) + 6));
  for_each_awake_run(model, data, [&](const Range& run) { world_kernels().mass_matrix(model, data, scratch, run); });
  if (!data.awake.all && data.awake.run_count > 0) sum_static_composites(model, data);
}

void factor_mass_matrix_and_damped(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  double* scratch = data.arena().push_array<double>(2 * static_cast<size_t>(model.nC));
  for_each_awake_run(model, data, [&](const Range& run) { world_kernels().factor_both(model, data, scratch, run); });
}

void inverse_dynamics(const Model& model, Data& data, bool with_qacc, double* result) {
  ArenaScope scope(data.arena());
  double* scratch = data.arena().push_array<double>(6 * static_cast<size_t>(model.nbody));
  const WorldKernels& kernel = world_kernels();
  (with_qacc ? kernel.inverse_dynamics : kernel.bias)(model, data, scratch, result);
}

void compute_velocity_and_bias(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  double* scratch = data.arena().push_array<double>(12 * static_cast<size_t>(model.nbody));
  for_each_awake_run(model, data,
                     [&](const Range& run) { world_kernels().velocity_and_bias(model, data, scratch, run); });
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
  compute_subtree_velocity_of<double>(model, data);
  data.has_subtree_velocity = true;
}

// Newton-Euler with the final acceleration, and what the parent and the outside must exert for it.
void compute_rne_post(const Model& model, Data& data) {
  compute_applied_wrenches<double>(model, data);
  add_constraint_wrenches(model, data);
  compute_body_accelerations<double>(model, data);
  compute_interaction_forces<double>(model, data);
  data.has_rne_post = true;
}

void accumulate_applied_forces(const Model& model, const Data& data, double* qfrc) {
  world_kernels().add_applied_forces(model, data, qfrc);
}

}  // namespace torsor
