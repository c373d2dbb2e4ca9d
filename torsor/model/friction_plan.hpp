// Rows of the dry friction of dofs are the same in every state: they follow from values of the model alone. They are
// kept from step to step, with a copy of these values; while the model still has them, the rows are copied instead of
// made. For speed alone: results do not depend on what is kept. See decision 31.
#pragma once

#include <cstring>

#include "torsor/core/buffer.hpp"

namespace torsor {

class FrictionPlan {
 public:
  FrictionPlan() = default;
  // For models of this many dofs, of which `rows` have friction.
  FrictionPlan(int dofs, int rows) : dofs_(rows > 0 ? dofs : 0), capacity_(rows > 0 ? rows : 0) {
    numbers_ = Buffer(sizeof(double) * (key_numbers() + kPerRow * static_cast<size_t>(capacity_)));
    dof_ = Buffer(sizeof(int) * static_cast<size_t>(capacity_));
  }
  FrictionPlan make_empty() const { return FrictionPlan(dofs_, capacity_); }

  // The values of the model that the rows follow from.
  struct Key {
    const double *solref, *solimp, *invweight, *frictionloss;  // 2, 5, 1 and 1 numbers per dof
    double options[2];
  };
  // Whether the rows of these values are kept, for a model of so many dofs.
  bool is_of(int dofs, const Key& key) const {
    if (count < 0 || dofs != dofs_) return false;
    const double* to = key_begin();
    const auto same = [&to](const double* from, int numbers) {
      const size_t bytes = sizeof(double) * static_cast<size_t>(numbers);
      const bool equal = std::memcmp(to, from, bytes) == 0;
      to += numbers;
      return equal;
    };
    return same(key.options, 2) && same(key.frictionloss, dofs) && same(key.solref, 2 * dofs) &&
           same(key.solimp, 5 * dofs) && same(key.invweight, dofs);
  }
  // Takes the values of rows to come. False where there is no room for so many rows: nothing is kept then.
  bool take(int dofs, const Key& key, int rows) {
    count = -1;
    if (dofs != dofs_ || rows > capacity_) return false;
    double* to = key_begin();
    const auto copy = [&to](const double* from, int numbers) {
      std::memcpy(to, from, sizeof(double) * static_cast<size_t>(numbers));
      to += numbers;
    };
    copy(key.options, 2), copy(key.frictionloss, dofs), copy(key.solref, 2 * dofs), copy(key.solimp, 5 * dofs);
    copy(key.invweight, dofs);
    count = rows;
    return true;
  }

  int count = -1;  // rows; -1: nothing is kept
  int* dof() const { return reinterpret_cast<int*>(dof_.data()); }
  double* KBIP() const { return key_begin() + key_numbers(); }
  double* R() const { return KBIP() + 4 * capacity_; }
  double* D() const { return R() + capacity_; }
  double* diagA() const { return D() + capacity_; }
  double* frictionloss() const { return diagA() + capacity_; }
  size_t bytes() const { return numbers_.size() + dof_.size(); }

 private:
  static constexpr size_t kPerRow = 8;  // numbers
  size_t key_numbers() const { return capacity_ > 0 ? 9 * static_cast<size_t>(dofs_) + 2 : 0; }
  double* key_begin() const { return reinterpret_cast<double*>(numbers_.data()); }

  int dofs_ = 0, capacity_ = 0;
  Buffer numbers_, dof_;
};

}  // namespace torsor
