// Rows are made in two passes over the same elements: one counts them, the other writes them where they stay.
#pragma once

#include <algorithm>

#include "torsor/model/data.hpp"

namespace torsor {

// What a row of one number (a joint's coordinate, the length of a tendon) has besides its Jacobian.
struct ScalarRow {
  RowType type;
  int id;  // dof, joint, tendon or actuator
  double pos = 0, margin = 0, frictionloss = 0;
};

// Both take rows in the order in which they are stored.
class RowCounter {
 public:
  explicit RowCounter(Data& data) : data_(data) {}

  void add(RowType type, int rows, int dofs) {
    data_.nefc += rows;
    data_.nJ += rows * dofs;
    if (type == RowType::kEquality) data_.ne += rows;
    if (type == RowType::kFrictionDof || type == RowType::kFrictionTendon || type == RowType::kDrive ||
        type == RowType::kTendonDamper)
      data_.nf += rows;
    if (type == RowType::kLimitJoint || type == RowType::kLimitTendon) data_.nl += rows;
  }
  void add_unit(const ScalarRow& row, int, double) { add(row.type, 1, 1); }
  void add_kept(const FrictionPlan& plan) { add(RowType::kFrictionDof, plan.count, 1); }
  void add_scalar(const ScalarRow& row, const int*, const double*, int count, double) { add(row.type, 1, count); }

 private:
  Data& data_;
};

class RowWriter {
 public:
  explicit RowWriter(Data& data) : data_(data) {}

  // The row itself, without its Jacobian; returns where that goes.
  double* add(const ScalarRow& given, const int* dof, int count) {
    const int row = row_++;
    data_.efc_type[row] = static_cast<int>(given.type);
    data_.efc_id[row] = given.id;
    data_.efc_pos[row] = given.pos;
    data_.efc_margin[row] = given.margin;
    data_.efc_frictionloss[row] = given.frictionloss;
    data_.efc_J_rownnz[row] = count;
    data_.efc_J_rowadr[row] = address_;
    std::copy_n(dof, count, data_.efc_J_colind.data() + address_);
    double* J = data_.efc_J.data() + address_;
    address_ += count;
    return J;
  }
  // J is `number` at one dof.
  void add_unit(const ScalarRow& row, int dof, double number) { *add(row, &dof, 1) = number; }
  // J is sign times the given numbers.
  void add_scalar(const ScalarRow& row, const int* dof, const double* numbers, int count, double sign) {
    double* J = add(row, dof, count);
    for (int k = 0; k < count; ++k) J[k] = sign * numbers[k];
  }
  // Rows of dry friction as they were.
  void add_kept(const FrictionPlan& plan) {
    const int row = row_, count = plan.count;
    for (int k = 0; k < count; ++k) {
      add_unit({RowType::kFrictionDof, plan.dof()[k], 0, 0, plan.frictionloss()[k]}, plan.dof()[k], 1);
    }
    std::copy_n(plan.KBIP(), 4 * count, data_.efc_KBIP.row(row, 4));
    std::copy_n(plan.R(), count, data_.efc_R.row(row, 1));
    std::copy_n(plan.D(), count, data_.efc_D.row(row, 1));
    std::copy_n(plan.diagA(), count, data_.efc_diagA.row(row, 1));
  }
  int next_row() const { return row_; }

 private:
  Data& data_;
  int row_ = 0, address_ = 0;
};

// The rows of friction and limits of the current state. `kept`: those of dofs, or null.
void count_scalar_rows(const Model& model, Data& data, const FrictionPlan* kept, RowCounter& counter);
void write_scalar_rows(const Model& model, Data& data, const FrictionPlan* kept, RowWriter& writer);

// The kept rows of friction if they are those of the model; null otherwise.
const FrictionPlan* find_kept_friction(const Model& model, const Data& data);
// Keeps the rows of friction that were made.
void keep_friction(const Model& model, Data& data);

}  // namespace torsor
