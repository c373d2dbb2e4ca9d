// How two models differ: every size, option and array, with the place of the largest difference in each.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

// One size, setting or array that differs.
struct FieldDifference {
  std::string name;  // "nbody", "opt.timestep", "body_mass"
  int index = -1;    // of the largest difference, counting all numbers of the array; -1 for a single number
  int columns = 1;   // of the array: index / columns is the row
  double a = 0, b = 0;
  // |a - b| / max(1, |a|, |b|); infinite where an array has another length, or one of the two is not a number.
  double difference = 0;
  int count = 0;  // number of elements that differ in any bit

  bool is_length() const { return count == 0; }  // a and b are lengths of the array
};

// "body_mass[3]: 1 2 (5 numbers differ)"
std::string to_string(const FieldDifference& difference);

// All differences, the largest first; empty if the models are equal bit by bit. Models may have any
// structure: arrays of different lengths count as different.
std::vector<FieldDifference> find_differences(const Model& a, const Model& b);

}  // namespace torsor
