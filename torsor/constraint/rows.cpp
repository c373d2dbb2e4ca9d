// From blocks to rows, and the parameters of each row's cost: impedance, regularisation and reference.
#include <algorithm>
#include <cmath>

#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/damper.hpp"
#include "torsor/constraint/impedance.hpp"
#include "torsor/constraint/sap.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {

bool is_pyramidal(const Model& model) {
  return model.opt.cone == static_cast<int>(ConeType::kPyramidal) && !is_sap(model.opt);
}

bool is_jacobian_sparse(const Model& model) {
  constexpr int kSparseFrom = 60;  // dofs, for the automatic choice
  return model.opt.jacobian == 1 || (model.opt.jacobian == 2 && model.nv >= kSparseFrom);
}

namespace {

void write_columns(Data& data, const Block& block, int row, int address) {
  std::copy(block.dof, block.dof + block.dofs, &data.efc_J_colind[address]);
  data.efc_J_rownnz[row] = block.dofs;
  data.efc_J_rowadr[row] = address;
}

// Edge 2k is normal + mu_k tangent_k, edge 2k + 1 the same with minus.
void write_pyramid(Data& data, const Block& block, int address) {
  const double* mu = data.contact[block.id].friction;
  const double* normal = block.J;
  double* J = &data.efc_J[address];
  const int n = block.dofs;
  for (int k = 0; k < block.base_rows - 1; ++k, J += 2 * n) {
    const double* tangent = block.J + (k + 1) * n;
    for (int i = 0; i < n; ++i) {
      const double t = mu[k] * tangent[i];
      J[i] = normal[i] + t;
      J[n + i] = normal[i] - t;
    }
  }
}

void write_block(Data& data, const Block& block, int row, int address) {
  if (block.type == RowType::kContactPyramidal)
    write_pyramid(data, block, address);
  else
    std::copy(block.J, block.J + static_cast<ptrdiff_t>(block.rows) * block.dofs, &data.efc_J[address]);
  const bool same_pos = is_contact(block.type);
  const bool elliptic = block.type == RowType::kContactElliptic;
  for (int r = 0; r < block.rows; ++r) {
    const int i = row + r;
    write_columns(data, block, i, address + r * block.dofs);
    data.efc_type[i] = static_cast<int>(block.type);
    data.efc_id[i] = block.id;
    const bool tangent = elliptic && r > 0;  // slip has no position error
    data.efc_pos[i] = tangent ? 0 : block.pos[same_pos ? 0 : r];
    data.efc_margin[i] = tangent ? 0 : block.margin;
    data.efc_frictionloss[i] = block.frictionloss;
  }
  if (same_pos) data.contact[block.id].efc_address = row;
}

bool is_zero(const Block& block) {
  const double* end = block.J + static_cast<ptrdiff_t>(block.base_rows) * block.dofs;
  return std::all_of(static_cast<const double*>(block.J), end, [](double x) { return x == 0; });
}

// Removes blocks (other than contacts) that no dof can move. As in MuJoCo, the values decide if the Jacobian is dense,
// the sparsity pattern if it is sparse.
void drop_empty_blocks(const Model& model, BlockList& list) {
  const bool by_number = !is_jacobian_sparse(model);
  Block** link = &list.first;
  list.last = nullptr;
  while (Block* block = *link) {
    const bool contact = is_contact(block->type);
    if (!contact && (block->dofs == 0 || (by_number && is_zero(*block)))) {
      *link = block->next;
    } else {
      list.last = block;
      link = &block->next;
    }
  }
}

void count_rows(Data& data, const BlockList& list) {
  for (const Block* block = list.first; block; block = block->next) {
    data.nefc += block->rows;
    data.nJ += block->rows * block->dofs;
    if (block->type == RowType::kEquality) data.ne += block->rows;
    if (block->type == RowType::kFrictionDof || block->type == RowType::kFrictionTendon ||
        block->type == RowType::kDrive || block->type == RowType::kTendonDamper)
      data.nf += block->rows;
    if (block->type == RowType::kLimitJoint || block->type == RowType::kLimitTendon) data.nl += block->rows;
  }
}

void write_rows(Data& data, const BlockList& list) {
  int row = 0, address = 0;
  for (const Block* block = list.first; block; block = block->next) {
    write_block(data, *block, row, address);
    row += block->rows;
    address += block->rows * block->dofs;
  }
}

}  // namespace

namespace {

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
  data.nefc = data.ne = data.nf = data.nl = data.nJ = data.nisland = 0;
  if (model.opt.disabled(kDisableConstraint)) return;
  ArenaScope scope(data.arena());
  BlockList list;
  add_equality_blocks(model, data, list);
  add_friction_blocks(model, data, list);
  add_drive_blocks(model, data, list);
  add_damper_blocks(model, data, list);
  add_limit_blocks(model, data, list);
  add_contact_blocks(model, data, list);
  drop_empty_blocks(model, list);
  count_rows(data, list);
  if (data.nefc > 0 && allocate_rows(data)) {
    write_rows(data, list);
    (is_sap(model.opt) ? compute_sap_compliance : compute_impedance)(model, data);
  }
  data.rows_end = data.results().mark();
}

void multiply_jacobian(const Data& data, const double* x, double* y) {
  for (int r = 0; r < data.nefc; ++r) {
    const int begin = data.efc_J_rowadr[r], count = data.efc_J_rownnz[r];
    const double* J = data.efc_J.data() + begin;
    const int* column = data.efc_J_colind.data() + begin;
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += J[k] * x[column[k]];
    y[r] = sum;
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
      dense[static_cast<ptrdiff_t>(r) * data.nv + data.efc_J_colind[k]] = data.efc_J[k];
  }
}

}  // namespace torsor
