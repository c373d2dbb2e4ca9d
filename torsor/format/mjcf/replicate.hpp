// <replicate>: copies of a part of the tree, each moved on from the one before.
#pragma once

#include <string>
#include <vector>

#include "torsor/format/mjcf/attach.hpp"
#include "torsor/format/mjcf/attribute.hpp"
#include "torsor/format/mjcf/budget.hpp"

namespace torsor::mjcf {

struct ReplicateSpec {
  Location location;
  int body = 0, frame = -1;  // the contents are what this frame of the body holds
  int count = 0;
  std::string sep;
  Number3 offset{0, 0, 0}, euler{0, 0, 0};
  // Where it ends, for keyframes: how many parts have been attached, and how many joints each body has by then.
  int attached_before = 0;
  std::vector<int> joints_so_far{};
};

Table<ReplicateSpec> replicate_attributes();

// Finishes the attached parts, and replaces the contents of each <replicate> by their copies, and elements outside that
// refer to the contents by one copy for each. All in the order in which they are written, those inside others first.
void assemble(std::vector<ReplicateSpec>& replicates, std::vector<Attachment>& attachments, Spec& spec, Budget& budget,
              Report& report);

}  // namespace torsor::mjcf
