// A step on a device as a list of kernels, from the list of stages that batches on the processor have.
#pragma once

#include <string>
#include <vector>

#include "torsor/batch/batch.hpp"
#include "torsor/batch/row_plan.hpp"
#include "torsor/batch/stages.hpp"
#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

// Stages, one stage of single worlds, an equation of all trees, points of contact, or the rest of the constraint
// problems and their solution; then, where somebody reads them, the forces of contacts and equalities, what they add to
// cfrc_ext, and readings of sensors of contacts. Parts of one strand follow each other. Those of several may run beside
// each other, as far as `after` lets them: bit k says that the part comes after all parts of strand k that are listed
// before it. A part of strand 0 comes after all of them.
struct StepPart {
  enum Kind { kStages, kTrees, kContacts, kSolver, kForces, kWrenches, kContactReadings, kWorldStage };
  Kind kind = kStages;
  StageList stages{};
  int strand = 0;
  unsigned after = 0;
  TreeEquation equation{};
  WorldStage world_stage = WorldStage::kNone;
};

inline constexpr int kStrands = 3 + kScratchParts;

struct StepPlan {
  // `wanted`: results that somebody reads. `reports_forces`: cacc, cfrc_int and cfrc_ext of the last evaluation are
  // computed even if no sensor needs them.
  StepPlan(const Model& model, const RowPlan& rows, const FieldList& fields, const FieldSet& wanted,
           bool reports_forces = false);

  std::vector<StepPart> step, forward;
  bool has_solver = false;
  bool keeps_forces = false;       // of contacts and equalities
  std::vector<BatchPlanRow> rows;  // for plan()
  std::vector<std::string> lacks;  // what the device does not have, one line each
};

}  // namespace torsor::gpu
