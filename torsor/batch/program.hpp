// The stages of a batch as a program: between a wide stage and one that runs lane by lane, the arrays that the second
// needs and the first has made move from packs to single worlds, or back.
#pragma once

#include <vector>

#include "torsor/batch/stages.hpp"

namespace torsor {

struct BatchOperation {
  enum class Kind { kWide, kLaneByLane, kToLanes, kToPacks };
  Kind kind;
  const BatchStage* stage = nullptr;  // of the first two kinds
  std::vector<int> fields{};          // of the last two: those with numbers, ascending
};

class BatchProgram {
 public:
  // The model is needed while the program is made only. `wanted` are results that are read after observe() besides,
  // `own` the stages for which worlds have values of their own.
  BatchProgram(const Model& model, BatchPurpose purpose, const FieldSet& wanted = {}, const ValueStages& own = {});
  BatchProgram(const BatchProgram&) = delete;
  BatchProgram& operator=(const BatchProgram&) = delete;

  const FieldList& fields() const { return fields_; }
  const BatchStages& stages() const { return stages_; }
  bool is_all_wide() const;
  bool writes_pack_rows() const { return stages_.writes_pack_rows; }
  bool keeps_forces() const { return stages_.keeps_forces; }

  const std::vector<BatchOperation>& forward() const { return forward_; }
  const std::vector<BatchOperation>& observe() const { return observe_; }  // after the first evaluation
  const std::vector<BatchOperation>& start() const { return start_; }      // of a step, after the first evaluation
  const std::vector<BatchOperation>& report() const { return report_; }    // after the last evaluation
  const std::vector<BatchOperation>& between() const { return between_; }  // after each evaluation of Runge-Kutta
  const std::vector<BatchOperation>& finish() const { return finish_; }
  // Where the numbers of a field are after observe() and report(); a field that no stage computes is nowhere.
  bool is_in_packs(int field) const { return in_packs_.test(static_cast<size_t>(field)); }
  bool is_in_lanes(int field) const { return in_lanes_.test(static_cast<size_t>(field)); }

 private:
  struct Places {
    FieldSet packs, lanes;  // where the present numbers of each field are
  };
  std::vector<BatchOperation> translate(const std::vector<BatchStage>& stages, Places& places) const;
  void move(const FieldSet& wanted, BatchOperation::Kind kind, std::vector<BatchOperation>& to) const;

  FieldList fields_;
  BatchStages stages_;
  std::vector<BatchOperation> forward_, observe_, start_, report_, between_, finish_;
  FieldSet in_packs_, in_lanes_;
};

}  // namespace torsor
