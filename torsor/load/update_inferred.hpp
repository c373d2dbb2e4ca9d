// Which numbers of a Model the compiler computes from others, unless a file gives them.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "torsor/compile/origins.hpp"
#include "torsor/load/update_edits.hpp"

namespace torsor {

class Inferred {
 public:
  // `before` is what the Spec compiles to, `asked` the same with edits. Springs, dampers and ranges that were edited
  // are given by the file from now on.
  Inferred(const Spec& spec, const Origins& origins, const Model& before, const Model& asked);

  bool has_array(std::string_view name) const { return entries_.contains(name); }
  bool has(std::string_view name, int entry) const;

 private:
  void mark(std::string_view name, int first, int count = 1);
  void mark_joints(const Spec& spec, const Origins& origins, const Edits& edits);
  void mark_cameras(const Model& model);
  void mark_actuators(const Spec& spec, const Edits& edits);
  void mark_pairs(const Spec& spec, const Model& model);
  void mark_keys(const Spec& spec, const Model& model);

  std::map<std::string_view, std::vector<bool>> entries_;  // without entries: all
};

// Edited quaternions and axes become unit vectors, as the compiler makes them.
void normalize_edits(const Model& before, Model& after);

}  // namespace torsor
