// One world per call: the kernels with T = double.
#include "torsor/dynamics/kernels/world.hpp"

#include "torsor/dynamics/kernels/com.hpp"
#include "torsor/dynamics/kernels/factor_pair.hpp"
#include "torsor/dynamics/kernels/fluid.hpp"
#include "torsor/dynamics/kernels/fluid_slopes.hpp"
#include "torsor/dynamics/kernels/force.hpp"
#include "torsor/dynamics/kernels/implicit.hpp"
#include "torsor/dynamics/kernels/inertia.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/dynamics/kernels/kinematics.hpp"
#include "torsor/dynamics/kernels/mass_matrix_world.hpp"
#include "torsor/dynamics/kernels/plastic.hpp"
#include "torsor/dynamics/kernels/velocity.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

using ModelD = ModelView;
using DataD = DataView<double>;

void subtree_com_of(const ModelD& model, DataD& data, const Range& range) { compute_subtree_com(model, data, range); }
void about_com(const ModelD& model, DataD& data, const Range& range) { compute_about_com(model, data, range); }
void factor_two(const ModelD& model, DataD& data, double* scratch, const Range& range) {
  factor_both(model, data, reinterpret_cast<Pair*>(scratch), range);
}
void factor_one(const ModelD& model, double* LD, double* diagonal_inverse) {
  factor_in_place(model, LD, diagonal_inverse);
}
void solve_rows(const ModelD& model, const double* LD, const double* diagonal_inverse, double* x, const Range& range) {
  solve_factored(model, LD, diagonal_inverse, x, range);
}
void multiply_rows(const ModelD& model, const double* M, const double* x, double* y) {
  multiply_mass_matrix(model, M, x, y);
}
void integrate_coordinates(const ModelD& model, double* qpos, const double* qvel, double h, const Range& range) {
  integrate_position(model, qpos, qvel, h, range);
}
void advance_range(const ModelD& model, DataD& data, const double* qacc, const Range& range) {
  advance_bodies(model, data, qacc, range);
}
double potential_energy(const ModelD& model, const DataD& data) {
  return gravity_energy(model, data) + spring_energy(model, data);
}
void applied_forces(const ModelD& model, const DataD& data, double* qfrc) {
  add_applied_forces(model, data, qfrc, whole(model));
}

}  // namespace

extern const WorldKernels kWorldKernels;
const WorldKernels kWorldKernels = {
    .kinematics = compute_kinematics<double>,
    .com_position = compute_com_position<double>,
    .subtree_com = subtree_com_of,
    .about_com = about_com,
    .mass_matrix = compute_mass_matrix_of_world,
    .factor_mass_matrix = factor_mass_matrix<double>,
    .factor_both = factor_two,
    .com_velocity = compute_com_velocity<double>,
    .velocity_and_bias = compute_velocity_and_bias<double>,
    .passive = compute_passive<double>,
    .bias = recursive_newton_euler<double, false>,
    .inverse_dynamics = recursive_newton_euler<double, true>,
    .acceleration = compute_acceleration<double>,
    .solve_implicit_fast = solve_implicit_fast<double>,
    .advance = advance_range,
    .factor = factor_one,
    .solve = solve_rows,
    .multiply = multiply_rows,
    .integrate_position = integrate_coordinates,
    .potential_energy = potential_energy,
    .add_applied_forces = applied_forces,
    .add_fluid_slopes = add_fluid_slopes,
    .yield_springs = [](const ModelView& model, DataView<double>& data, const double* qvel,
                        double h) { yield_springs(model, data, qvel, h); },
};

}  // namespace TORSOR_ISA
}  // namespace torsor
