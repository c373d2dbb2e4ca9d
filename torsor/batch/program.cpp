#include "torsor/batch/program.hpp"

#include <algorithm>

namespace torsor {

BatchProgram::BatchProgram(const Model& model, BatchPurpose purpose, const FieldSet& wanted, const ValueStages& own)
    : fields_(model), stages_(list_stages(model, fields_, purpose, wanted, own)) {
  Places places{fields_.all() & ~fields_.results(), {}};  // results are nowhere yet
  forward_ = translate(stages_.forward, places);
  const FieldSet looked_at = fields_.set("qacc");  // for bad numbers, after each evaluation
  move(looked_at & ~places.packs, BatchOperation::Kind::kToPacks, forward_);
  places.packs |= looked_at;
  const Places evaluated = places;
  observe_ = translate(stages_.observe, places);
  in_packs_ = places.packs;
  in_lanes_ = places.lanes;
  start_ = translate(stages_.start, places);
  move(fields_.state() & ~places.packs, BatchOperation::Kind::kToPacks, start_);  // from where evaluations take them
  Places reported = evaluated;
  report_ = translate(stages_.report, reported);
  for (const BatchStage& stage : stages_.report) {
    (stage.is_wide ? in_packs_ : in_lanes_) |= stage.writes;
    (stage.is_wide ? in_lanes_ : in_packs_) &= ~stage.writes;
  }
  if (!stages_.between.empty()) {  // which follows evaluations that were not observed, too
    places = evaluated;
    between_ = translate(stages_.between, places);
    for (const BatchStage& stage : stages_.observe) {  // kept from the first evaluation
      (stage.is_wide ? places.packs : places.lanes) |= stage.writes;
      (stage.is_wide ? places.lanes : places.packs) &= ~stage.writes;
    }
  }
  finish_ = translate(stages_.finish, places);
  move(fields_.state() & ~places.packs, BatchOperation::Kind::kToPacks, finish_);
}

std::vector<BatchOperation> BatchProgram::translate(const std::vector<BatchStage>& stages, Places& places) const {
  using Kind = BatchOperation::Kind;
  std::vector<BatchOperation> result;
  for (const BatchStage& stage : stages) {
    FieldSet &here = stage.is_wide ? places.packs : places.lanes, &there = stage.is_wide ? places.lanes : places.packs;
    const FieldSet moved = stage.reads & there & ~here;
    move(moved, stage.is_wide ? Kind::kToPacks : Kind::kToLanes, result);
    result.push_back({stage.is_wide ? Kind::kWide : Kind::kLaneByLane, &stage});
    here |= moved | stage.writes;
    there &= ~stage.writes;
  }
  return result;
}

void BatchProgram::move(const FieldSet& wanted, BatchOperation::Kind kind, std::vector<BatchOperation>& to) const {
  BatchOperation operation{kind};
  for (size_t field = 0; field < fields_.count(); ++field) {
    if (wanted.test(field) && fields_.size(field) > 0) operation.fields.push_back(static_cast<int>(field));
  }
  if (!operation.fields.empty()) to.push_back(std::move(operation));
}

bool BatchProgram::is_all_wide() const {
  const auto all_wide = [](const std::vector<BatchStage>& stages) {
    return std::all_of(stages.begin(), stages.end(), [](const BatchStage& stage) { return stage.is_wide; });
  };
  return all_wide(stages_.forward) && all_wide(stages_.observe) && all_wide(stages_.start) &&
         all_wide(stages_.report) && all_wide(stages_.between) && all_wide(stages_.finish);
}

}  // namespace torsor
