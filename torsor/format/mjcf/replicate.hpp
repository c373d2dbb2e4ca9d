// <replicate>: copies of a part of the tree, each moved on from the one before.
#pragma once

#include <string>
#include <vector>

#include "torsor/format/mjcf/attribute.hpp"

namespace torsor::mjcf {

struct ReplicateSpec {
  Location location;
  int body = 0, frame = -1;  // the contents are what this frame of the body holds
  int count = 0;
  std::string sep;
  Number3 offset{0, 0, 0}, euler{0, 0, 0};
};

Table<ReplicateSpec> replicate_attributes();

// Replaces the contents by their copies, and elements outside that refer to the contents by one copy for each. In the
// order of the list, in which those inside others come first.
void expand_replicates(std::vector<ReplicateSpec>& replicates, Spec& spec, Report& report);

}  // namespace torsor::mjcf
