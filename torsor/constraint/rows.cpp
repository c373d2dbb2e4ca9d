// All rows of a state, and the parameters of each row's cost: impedance, regularisation and reference.
#include <algorithm>
#include <cmath>

#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/contact_rows.hpp"
#include "torsor/constraint/damper.hpp"
#include "torsor/constraint/impedance.hpp"
#include "torsor/constraint/sap.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {

bool is_pyramidal(const Model& model) {
  return model.opt.cone == static_cast<int>(ConeType::kPyramidal) && formulation(model.opt).has_pyramids;
}

bool is_jacobian_sparse(const Model& model) {
  constexpr int kSparseFrom = 60;  // dofs, for the automatic choice
  return model.opt.jacobian == 1 || (model.opt.jacobian == 2 && model.nv >= kSparseFrom);
}

namespace {

bool is_zero(const Block& block) {
  const double* end = block.J + static_cast<ptrdiff_t>(block.rows) * block.dofs;
  return std::all_of(static_cast<const double*>(block.J), end, [](double x) { return x == 0; });
}

// Equalities that no dof can move are left out. As in MuJoCo, the values decide if the Jacobian is dense, the sparsity
// pattern if it is sparse.
void drop_empty_blocks(const Model& model, BlockList& list) {
  const bool by_number = !is_jacobian_sparse(model);
  const auto is_empty = [&](const Block& block) { return block.dofs == 0 || (by_number && is_zero(block)); };
  list.count = static_cast<int>(std::remove_if(list.items, list.items + list.count, is_empty) - list.items);
}

void write_block(const Block& block, RowWriter& writer) {
  for (int r = 0; r < block.rows; ++r) {
    double* J = writer.add({RowType::kEquality, block.id, block.pos[r]}, block.dof, block.dofs);
    std::copy_n(block.J + static_cast<ptrdiff_t>(r) * block.dofs, block.dofs, J);
  }
}

bool any_friction(const Field<double>& losses) { return std::any_of(losses.begin(), losses.end(), has_friction_row); }
template <class T>
bool any_set(const Field<T>& values) {
  return std::any_of(values.begin(), values.end(), [](T value) { return value != 0; });
}

}  // namespace

bool can_have_rows(const Model& model) {
  if (model.opt.disabled(kDisableConstraint)) return false;
  if (has_implicit_drives(model) || has_implicit_dampers(model)) return true;
  if (!model.opt.disabled(kDisableEquality) && model.neq > 0) return true;
  if (!model.opt.disabled(kDisableFrictionLoss) &&
      (any_friction(model.dof_frictionloss) || any_friction(model.tendon_frictionloss)))
    return true;
  if (!model.opt.disabled(kDisableLimit) && (any_set(model.jnt_limited) || any_set(model.tendon_limited))) return true;
  return !model.opt.disabled(kDisableContact) &&
         (model.npair > 0 || (model.ngeom > 1 && any_set(model.geom_contype) && any_set(model.geom_conaffinity)));
}

void make_rows(const Model& model, Data& data) {
  if (data.nefc > 0) clear_rows(data);
  data.nefc = data.ne = data.nf = data.nl = data.nJ = data.nisland = 0;
  if (model.opt.disabled(kDisableConstraint)) return;
  ArenaScope scope(data.arena());
  BlockList equalities;
  ContactList contacts;
  find_equalities(model, data, equalities);
  drop_empty_blocks(model, equalities);
  find_contacts_with_rows(model, data, contacts);
  RowCounter counter(data);
  for (int k = 0; k < equalities.count; ++k)
    counter.add(RowType::kEquality, equalities.items[k].rows, equalities.items[k].dofs);
  const FrictionPlan* kept = find_kept_friction(model, data);
  count_scalar_rows(model, data, kept, counter);
  count_contact_rows(model, data, contacts, counter);
  if (data.nefc > 0 && allocate_rows(data)) {
    // what the solver finds, so that it can be read before
    std::fill(data.efc_island.begin(), data.efc_island.end(), -1);
    std::fill(data.efc_state.begin(), data.efc_state.end(), 0);
    RowWriter writer(data);
    for (int k = 0; k < equalities.count; ++k) write_block(equalities.items[k], writer);
    write_scalar_rows(model, data, kept, writer);
    write_contact_rows(model, data, contacts, writer);
    if (formulation(model.opt).is_compliant)
      compute_sap_compliance(model, data);
    else if (!formulation(model.opt).solves_in_metric)  // discrete: when the metric is known
      compute_impedance(model, data, kept ? kept->count : 0);
    if (!kept) keep_friction(model, data);
  }
  data.rows_end = data.results().mark();
}

namespace {

// K rows from r on that have the same dofs.
template <int K>
void multiply_alike(const Data& data, int r, const double* x, double* y) {
  const int begin = data.efc_J_rowadr[r], count = data.efc_J_rownnz[r];
  const double* J = data.efc_J.data() + begin;
  const int* column = data.efc_J_colind.data() + begin;
  double sum[K] = {};
  for (int k = 0; k < count; ++k) {
    const double xk = x[column[k]];
    for (int i = 0; i < K; ++i) sum[i] += J[i * ptrdiff_t{count} + k] * xk;
  }
  for (int i = 0; i < K; ++i) y[r + i] = sum[i];
}

// Rows from r on that belong to one equality, limit or contact, as far as four of them.
int count_alike(const Data& data, int r) {
  int count = 1;
  while (count < 4 && r + count < data.nefc && data.efc_id[r + count] == data.efc_id[r] &&
         data.efc_type[r + count] == data.efc_type[r])
    ++count;
  return count;
}

}  // namespace

void multiply_jacobian(const Data& data, const double* x, double* y) {
  for (int r = 0; r < data.nefc;) {
    const int rows = count_alike(data, r);
    switch (rows) {
      case 1:
        multiply_alike<1>(data, r, x, y);
        break;
      case 2:
        multiply_alike<2>(data, r, x, y);
        break;
      case 3:
        multiply_alike<3>(data, r, x, y);
        break;
      default:
        multiply_alike<4>(data, r, x, y);
        break;
    }
    r += rows;
  }
}

void multiply_jacobian_transposed(const Data& data, const double* x, double* y) {
  std::fill(y, y + data.nv, 0.0);
  for (int r = 0; r < data.nefc; ++r) {
    const int begin = data.efc_J_rowadr[r], count = data.efc_J_rownnz[r];
    if (x[r] == 0) continue;
    for (int k = begin; k < begin + count; ++k) y[data.efc_J_colind[k]] += data.efc_J[k] * x[r];
  }
}

void dense_jacobian(const Data& data, double* dense) {
  std::fill(dense, dense + static_cast<ptrdiff_t>(data.nefc) * data.nv, 0.0);
  for (int r = 0; r < data.nefc; ++r) {
    const int begin = data.efc_J_rowadr[r];
    for (int k = begin; k < begin + data.efc_J_rownnz[r]; ++k)
      dense[static_cast<ptrdiff_t>(r) * data.nv + data.efc_J_colind[k]] += data.efc_J[k];
  }
}

}  // namespace torsor
