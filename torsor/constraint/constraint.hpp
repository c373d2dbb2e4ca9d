// Constraints of one world: rows of equalities, friction, limits and contacts, the islands that they form, and the
// forces that solve them. Each function fills the fields of one stage; forward() in sim/ calls them in order.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// --- from qpos, after collide() ---------------------------------------------------------------------------------
void make_rows(const Model& model, Data& data);  // efc_type .. efc_J efc_pos efc_margin efc_diagA efc_KBIP efc_R efc_D

// --- from qpos and qvel -----------------------------------------------------------------------------------------
void compute_row_reference(const Model& model, Data& data);  // efc_vel efc_aref
void add_adhesion_force(const Model& model, Data& data);     // to qfrc_passive

// --- from state and input ---------------------------------------------------------------------------------------
// Integrator "discrete", before the rows are solved: efc_diagA efc_R efc_D, which depend on the metric.
void finish_rows_in_metric(const Model& model, Data& data);
void solve_constraints(const Model& model, Data& data);    // qacc qfrc_constraint efc_force efc_state efc_b
void inverse_constraints(const Model& model, Data& data);  // efc_force efc_state qfrc_constraint, from qacc

// Whether any state of the model can have rows, given its options and elements.
bool can_have_rows(const Model& model);

// --- questions about rows ---------------------------------------------------------------------------------------
bool is_pyramidal(const Model& model);                                            // whether friction cones are pyramids
bool is_jacobian_sparse(const Model& model);                                      // resolves option jacobian="auto"
void multiply_jacobian(const Data& data, const double* x, double* y);             // y = J x
void multiply_jacobian_transposed(const Data& data, const double* x, double* y);  // y = J' x, nv numbers
void dense_jacobian(const Data& data, double* dense);                             // nefc x nv by rows
void delassus(const Model& model, const Data& data, double* A);                   // J M^-1 J', nefc x nefc by rows

}  // namespace torsor
