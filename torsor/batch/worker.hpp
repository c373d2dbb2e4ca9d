// What one thread needs to step packs of worlds: a workspace of packs, and a Data per lane for stages that run lane by
// lane.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "torsor/batch/contact_readings.hpp"
#include "torsor/batch/pack_rows.hpp"
#include "torsor/batch/program.hpp"
#include "torsor/batch/wide_solve.hpp"
#include "torsor/core/buffer.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// For tests of the tests, in development builds only: after this wide stage one field that it has written is wrong.
struct PlantedFault {
  std::string stage, field;
  double factor = 1, offset = 0;
};
inline const PlantedFault* planted_fault = nullptr;

// Packs are of S, double or float; a lane's Data is of double.
template <class S>
class BatchWorker {
 public:
  BatchWorker(const Model& model, const LaneKernels<S>& kernels, const ConstraintKernels<S>& constraints);

  // Makes the lanes' Datas, unless they are there.
  void ensure_lanes(const Model& model);

  // Rows are written straight into the wide problem, by the plan, if the program says so; else they are made lane by
  // lane.
  void use_row_plan(const RowPlan* plan, const BatchProgram& program) {
    row_plan_ = program.writes_pack_rows() ? plan : nullptr;
    keeps_forces_ = program.keeps_forces();
  }
  // Everything that a step of any pack needs and that does not depend on the state is made now; make_room() with what
  // other workers have needed is for the rest.
  void prepare(const Model& model, const RowPlan* plan, const BatchProgram& program);
  using Room = typename PackRows<S>::Room;
  void include_in(Room& room) const {
    if (pack_rows_) pack_rows_->include_in(room);
  }
  void make_room(const Room& room) {
    if (row_plan_ && pack_rows_) pack_rows_->make_room(*row_plan_, room);
  }
  // Stages that run lane by lane use models[lane]; null: the model that is passed to run().
  void use_lane_models(const Model* const* models) { lane_models_ = models; }
  // Whether equalities are active, lane after lane.
  void use_switches(const bool* eq_active, int neq);
  // Takes up a block of worlds, until release().
  void bind(S* block);
  void release();

  void run(const Model& model, const std::vector<BatchOperation>& operations);
  // Numbers i of lane k at [i * lanes + k].
  const S* packs(int field) const { return packs_[static_cast<size_t>(field)]; }
  S* packs(int field) { return packs_[static_cast<size_t>(field)]; }
  const double* lane(int lane, int field) const {
    return fields_[static_cast<size_t>(lane)][static_cast<size_t>(field)];
  }
  Data& lane_data(int lane) { return datas_[static_cast<size_t>(lane)]; }
  int lanes() const { return kernels_.lanes; }
  // Contacts per step of a lane since count_from_here(), in quarters, where rows are written into the wide problem.
  void count_from_here() {
    if (pack_rows_) pack_rows_->count_from_here();
  }
  int contacts_of(int lane) const { return row_plan_ && pack_rows_ ? pack_rows_->contacts_of(lane) : 0; }
  // Lanes in which a number of the field is NaN or huge.
  unsigned find_bad(int field) const { return kernels_.find_bad(packs(field), sizes_[static_cast<size_t>(field)]); }
  // The numbers of a field of one world after program.forward().
  template <class T>
  void read(const BatchProgram& program, int field, int lane, T* out) const;
  void* workspace() { return workspace_.data(); }
  // Numbers of the state of a world, which are the first of a block.
  static size_t state_numbers(const Model& model) {
    return static_cast<size_t>(1 + model.nq + 2 * model.nv + model.na + model.nhistory + model.nplastic);
  }
  // Room for the state of a block before a step.
  std::vector<S>& saved_state() { return saved_state_; }
  // In development builds: sets all results to NaN, so that a stage that reads what it does not say shows. Results of
  // sensors are kept where only the first evaluation of a step computes them.
  void poison(const FieldList& fields, bool with_sensors);

 private:
  void to_lanes(const std::vector<int>& fields);
  void to_packs(const std::vector<int>& fields);
  void plant_fault(const BatchStage& stage);
  void run_wide(const Model& model, const BatchStage& stage);
  void solve_wide(const Model& model);
  unsigned solve_lane_rows(const Model& model, const WideSolveArrays<S>& arrays);
  unsigned solve_pack_rows(const Model& model, const WideSolveArrays<S>& arrays);
  void solve_lane(const Model& model, int lane);
  void compute_body_forces(const Model& model);
  void read_contacts(const Model& model);
  RowState<S> row_state();
  int field(const char* name) const;

  const LaneKernels<S>& kernels_;
  const ConstraintKernels<S> constraints_;
  Buffer workspace_;
  std::vector<Data> datas_;
  std::vector<int> row_fields_;  // numbers of the fields that constraints read and write, see worker.cpp
  std::vector<std::string> names_;
  std::vector<int> sizes_;
  std::vector<S*> packs_;
  std::vector<std::vector<double*>> fields_;  // by lane
  S* block_ = nullptr;
  std::vector<S> saved_state_;
  Buffer damping_;                          // SAP: what WideSolveArrays has of it
  std::unique_ptr<WideSolver<S>> solver_;   // made when first needed
  std::unique_ptr<PackRows<S>> pack_rows_;  // the same
  const RowPlan* row_plan_ = nullptr;
  bool keeps_forces_ = false;
  ContactReadings<S> contact_readings_;
  const Model* const* lane_models_ = nullptr;
  std::vector<unsigned> active_;  // lanes in which each equality is active
};

}  // namespace torsor
