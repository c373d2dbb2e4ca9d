// <replicate>: copies of a part of the tree, each offset from the previous one.
#pragma once

#include <string>
#include <vector>

#include "torsor/format/mjcf/attach.hpp"
#include "torsor/format/mjcf/attribute.hpp"
#include "torsor/format/mjcf/budget.hpp"

namespace torsor::mjcf {

struct ReplicateSpec {
  Location location;
  int body = 0, frame = -1;  // the contents are those of this frame of the body
  int count = 0;
  std::string sep;
  Number3 offset{0, 0, 0}, euler{0, 0, 0};
  int attached_before = 0;  // parts that were attached up to the end of the element
};

Table<ReplicateSpec> replicate_attributes();

// Finishes the attached parts, replaces the contents of each <replicate> by copies, and copies elements elsewhere that
// refer to the contents. All in the order in which they are written, innermost first.
void assemble(std::vector<ReplicateSpec>& replicates, std::vector<Attachment>& attachments, Spec& spec, Budget& budget,
              Report& report);

// A copy of a model that is not read to its end, with the contents of each complete <replicate> replaced by copies.
Spec expand_so_far(const Spec& spec, std::vector<ReplicateSpec> replicates, Budget& budget, Report& report);

}  // namespace torsor::mjcf
