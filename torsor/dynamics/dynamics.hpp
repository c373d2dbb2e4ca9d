// Smooth dynamics of one world: each function fills the fields of one stage, or answers a query about them.
// A stage needs the stages above it in this file; forward() in sim/ calls them in order.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// --- from qpos ---------------------------------------------------------------------------------------------------
void compute_kinematics(const Model& model, Data& data);    // xpos xquat xmat xipos ximat xanchor xaxis geom_* site_*
void compute_com_position(const Model& model, Data& data);  // subtree_com cinert cdof
void compute_cameras_and_lights(const Model& model, Data& data);  // cam_* light_*
void compute_tendons(const Model& model, Data& data);             // ten_length ten_J ten_wrap* wrap_*
void compute_mass_matrix(const Model& model, Data& data);         // crb M
void compute_body_mass_matrix(const Model& model, Data& data);    // the same without the armature of tendons
void factor_mass_matrix(const Model& model, Data& data);          // qLD qLDiagInv
// The same, and qH qHDiagInv of M + h B(qvel). No warnings: what uses a factor asks for its own.
void factor_mass_matrix_and_damped(const Model& model, Data& data);
// Warns if the factorisation met a pivot that was not positive.
void warn_of_singular_inertia(const Model& model, Data& data, const double* inverse_pivots);

// --- from qpos and qvel ------------------------------------------------------------------------------------------
void compute_com_velocity(const Model& model, Data& data);       // cvel cdof_dot
void compute_tendon_velocity(const Model& model, Data& data);    // ten_velocity
void compute_passive(const Model& model, Data& data);            // qfrc_spring _damper _gravcomp _fluid _passive
void compute_bias(const Model& model, Data& data);               // qfrc_bias
void compute_velocity_and_bias(const Model& model, Data& data);  // com_velocity and bias in one pass
void compute_subtree_velocity(const Model& model, Data& data);   // subtree_linvel subtree_angmom
void compute_energy_position(const Model& model, Data& data);    // energy[0]
void compute_energy_velocity(const Model& model, Data& data);    // energy[1]

// --- from state and input ----------------------------------------------------------------------------------------
void compute_acceleration(const Model& model, Data& data);  // qfrc_smooth qacc_smooth
void compute_rne_post(const Model& model, Data& data);      // cacc cfrc_int cfrc_ext, from qacc and xfrc_applied
// Force (normal, tangents) and torque of a contact in its own frame; zero when it has no rows.
void contact_force(const Model& model, const Data& data, int contact, double force_C[6]);
void add_constraint_wrenches(const Model& model,
                             Data& data);  // cfrc_ext += forces of contacts, equalities and spatial tendons
// Joint force of the motion (qvel, qacc), without armature, into result[nv]; without qacc this is qfrc_bias.
void inverse_dynamics(const Model& model, Data& data, bool with_qacc, double* result);

// --- the mass matrix ---------------------------------------------------------------------------------------------
void solve_mass_matrix(const Model& model, const Data& data, double* x);       // x <- M^-1 x
void half_solve_mass_matrix(const Model& model, const Data& data, double* x);  // x <- D^-1/2 L^-T x
void half_solve_factored(const Model& model, const double* LD, const double* diagonal_inverse,
                         double* x);                                                               // any factor
void multiply_mass_matrix(const Model& model, const Data& data, const double* x, double* y);       // y = M x
void half_multiply_mass_matrix(const Model& model, const Data& data, const double* x, double* y);  // y = D^1/2 L x
void full_mass_matrix(const Model& model, const Data& data, double* dense);                        // nv x nv by rows
void legacy_mass_matrix(const Model& model, const Data& data, double* qM);  // nM numbers, diagonal first
void add_mass_matrix(const Model& model, const Data& data, double* dense);  // dense += M

// --- tendons: what they add to the stages above --------------------------------------------------------------------
void add_tendon_passive(const Model& model, Data& data);                   // springs and dampers
void add_tendon_armature(const Model& model, Data& data);                  // M += J' a J
void add_tendon_bias(const Model& model, const Data& data, double* qfrc);  // qfrc += J' a (J-dot v)
void add_tendon_inertia_force(const Model& model, const Data& data, const double* qacc, double* qfrc);  // J' a J qacc
double tendon_spring_energy(const Model& model, const Data& data);
bool is_tendon_damped(const Model& model, int t);
double tendon_damping_slope(const Model& model, int t, double velocity);  // derivative of the damping by the velocity
double tendon_speed(const Model& model, const Data& data, int t);         // J qvel, before ten_velocity is computed

// --- Jacobians: 3 x nv by rows, each may be null ------------------------------------------------------------------
// Jp v is the velocity in W of the point p_WoP_W as part of the body, Jr v its angular velocity in W.
void jac(const Model& model, const Data& data, double* jacp, double* jacr, const double p_WoP_W[3], int body);
void jac_body(const Model& model, const Data& data, double* jacp, double* jacr, int body);
void jac_body_com(const Model& model, const Data& data, double* jacp, double* jacr, int body);
void jac_subtree_com(const Model& model, const Data& data, double* jacp, int body);
void jac_geom(const Model& model, const Data& data, double* jacp, double* jacr, int geom);
void jac_site(const Model& model, const Data& data, double* jacp, double* jacr, int site);
// The point's Jacobian and that of a unit axis fixed in the body: its velocity is jac_axis v.
void jac_point_axis(const Model& model, const Data& data, double* jac_point, double* jac_axis, const double p_WoP_W[3],
                    const double axis_W[3], int body);
void jac_dot(const Model& model, const Data& data, double* jacp_dot, double* jacr_dot, const double p_WoP_W[3],
             int body);

// --- bodies and objects ------------------------------------------------------------------------------------------
// Angular then linear velocity (acceleration) of an object's origin, in W's axes or in the object's own.
void object_velocity(const Model& model, const Data& data, ObjectType type, int id, double out[6], bool local);
void object_acceleration(const Model& model, const Data& data, ObjectType type, int id, double out[6], bool local);
// qfrc += J' of a force and a torque in W that act on a point of the body.
void apply_force(const Model& model, const Data& data, const double force_W[3], const double torque_W[3],
                 const double p_WoP_W[3], int body, double* qfrc);
// qfrc += J' xfrc_applied, of all bodies.
void accumulate_applied_forces(const Model& model, const Data& data, double* qfrc);
// A pose in the body's frame (or, with `same`, in a frame that coincides with one of the body's) to W.
void local_to_global(const Data& data, double xpos[3], double xmat[9], const double pos[3], const double quat[4],
                     int body, SameFrame same);

// --- coordinates -------------------------------------------------------------------------------------------------
void integrate_pos(const Model& model, double* qpos, const double* qvel, double dt);  // qpos moves along qvel for dt
void differentiate_pos(const Model& model, double* qvel, double dt, const double* qpos1, const double* qpos2);
void normalize_quats(const Model& model, double* qpos);

}  // namespace torsor
