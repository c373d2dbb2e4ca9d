// Forces of rows for a given acceleration, and products with the Jacobian for users.
#include <algorithm>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/damper.hpp"
#include "torsor/constraint/solver_rows.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {

void inverse_constraints(const Model& model, Data& data) {
  std::fill(data.qfrc_constraint.begin(), data.qfrc_constraint.end(), 0.0);
  if (data.nefc == 0) return;
  ArenaScope scope(data.arena());
  double* x = data.arena().push_array<double>(static_cast<size_t>(data.nefc));
  solver::Rows rows;
  if (!x || !whole_rows(model, data, rows)) return;
  multiply_jacobian(data, data.qacc.data(), x);
  for (int i = 0; i < data.nefc; ++i) x[i] -= data.efc_aref[i];
  solver::evaluate_constraints(rows, x, data.efc_force.data(), data.efc_state.data());
  for (int i = data.ne; i < data.ne + data.nf; ++i)  // part of what inverse dynamics solves for
    if (data.efc_type[i] == static_cast<int>(RowType::kDrive)) data.efc_force[i] = 0;
  multiply_jacobian_transposed(data, data.efc_force.data(), data.qfrc_constraint.data());
  subtract_damper_forces(data, data.qfrc_constraint.data());
}

// Row by row: column r of M^-1 J' times J.
void delassus(const Model& model, const Data& data, double* A) {
  const int n = data.nefc;
  Data& mutable_data = const_cast<Data&>(data);  // scratch only
  ArenaScope scope(mutable_data.arena());
  double* x = mutable_data.arena().push_array<double>(static_cast<size_t>(model.nv));
  for (int r = 0; x && r < n; ++r) {
    std::fill(x, x + model.nv, 0.0);
    const int begin = data.efc_J_rowadr[r];
    for (int k = begin; k < begin + data.efc_J_rownnz[r]; ++k) x[data.efc_J_colind[k]] += data.efc_J[k];
    solve_mass_matrix(model, data, x);
    multiply_jacobian(data, x, A + static_cast<ptrdiff_t>(r) * n);
  }
}

}  // namespace torsor
