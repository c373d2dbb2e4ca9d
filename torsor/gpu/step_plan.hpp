// A step on a device as a list of kernels, from the list of stages that batches on the processor have.
#pragma once

#include <string>
#include <vector>

#include "torsor/batch/batch.hpp"
#include "torsor/batch/row_plan.hpp"
#include "torsor/batch/stages.hpp"
#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

// Stages, an equation of all trees, points of contact, or the rest of the constraint problems and their solution. Parts
// with a strand above 0 may run beside each other, after all parts before them and before the next part of strand 0.
struct StepPart {
  enum Kind { kStages, kTrees, kContacts, kSolver };
  Kind kind = kStages;
  StageList stages{};
  int strand = 0;
  TreeEquation equation{};
};

struct StepPlan {
  // `wanted`: results that somebody reads.
  StepPlan(const Model& model, const RowPlan& rows, const FieldList& fields, const FieldSet& wanted);

  std::vector<StepPart> step, forward;
  bool has_solver = false;
  std::vector<BatchPlanRow> rows;  // for plan()
  std::vector<std::string> lacks;  // what the device does not have, one line each
};

}  // namespace torsor::gpu
