// The arrays of a world by number: time first, then the fields of Data in the order of for_each_field().
#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "torsor/model/data.hpp"

namespace torsor {

constexpr size_t kMostFields = 128;
using FieldSet = std::bitset<kMostFields>;

class FieldList {
 public:
  explicit FieldList(const ModelSizes& sizes);

  size_t count() const { return names_.size(); }
  const char* name(size_t field) const { return names_[field]; }
  int size(size_t field) const { return sizes_[field]; }  // numbers per world
  // -1 for an unknown name.
  int find(const std::string& name) const;
  // "qpos qvel": those fields, which must exist.
  FieldSet set(const std::string& names) const;
  const FieldSet& all() const { return all_; }
  const FieldSet& state() const { return state_; }      // with time
  const FieldSet& results() const { return results_; }  // neither state nor input

 private:
  std::vector<const char*> names_;
  std::vector<int> sizes_;
  FieldSet all_, state_, results_;
};

}  // namespace torsor
