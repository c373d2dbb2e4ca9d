// What one thread needs to step packs of worlds: a workspace of packs, and a Data per lane for stages that run lane by
// lane.
#pragma once

#include <memory>
#include <string>
#include <vector>

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

class BatchWorker {
 public:
  BatchWorker(const Model& model, const LaneKernels& kernels, const solver::WideKernels<double>& solvers);

  // Makes the lanes' Datas, unless they are there.
  void ensure_lanes(const Model& model);

  // Rows are written straight into the wide problem, by this plan; null: they are made lane by lane.
  void use_row_plan(const RowPlan* plan) { row_plan_ = plan; }
  // Stages that run lane by lane use models[lane]; null: the model that is passed to run().
  void use_lane_models(const Model* const* models) { lane_models_ = models; }
  // Takes up a block of worlds, until release().
  void bind(double* block);
  void release();

  void run(const Model& model, const std::vector<BatchOperation>& operations);
  // Numbers i of lane k at [i * lanes + k].
  const double* packs(int field) const { return packs_[static_cast<size_t>(field)]; }
  double* packs(int field) { return packs_[static_cast<size_t>(field)]; }
  const double* lane(int lane, int field) const {
    return fields_[static_cast<size_t>(lane)][static_cast<size_t>(field)];
  }
  Data& lane_data(int lane) { return datas_[static_cast<size_t>(lane)]; }
  int lanes() const { return kernels_.lanes; }
  // The numbers of a field of one world after program.forward().
  void read(const BatchProgram& program, int field, int lane, double* out) const;
  void* workspace() { return workspace_.data(); }
  // Room for the state of a block before a step.
  std::vector<double>& saved_state() { return saved_state_; }
  // In development builds: sets all results to NaN, so that a stage that reads what it does not say shows. Results of
  // sensors are kept where only the first evaluation of a step computes them.
  void poison(const FieldList& fields, bool with_sensors);

 private:
  void to_lanes(const std::vector<int>& fields);
  void to_packs(const std::vector<int>& fields);
  void plant_fault(const BatchStage& stage);
  void run_wide(const Model& model, const BatchStage& stage);
  void solve_wide(const Model& model);
  unsigned solve_lane_rows(const Model& model, const WideSolveArrays& arrays);
  unsigned solve_pack_rows(const Model& model, const WideSolveArrays& arrays);
  void solve_lane(const Model& model, int lane);
  int field(const char* name) const;

  const LaneKernels& kernels_;
  const solver::WideKernels<double>& solvers_;
  Buffer workspace_;
  std::vector<Data> datas_;
  struct {
    int M, qacc_smooth, qacc_warmstart, qacc, qfrc_constraint, qpos, qvel, geom_xpos, geom_xmat, cdof, subtree_com,
        ten_length, ten_J;
  } at_;  // numbers of fields that constraints need
  std::vector<std::string> names_;
  std::vector<int> sizes_;
  std::vector<double*> packs_;
  std::vector<std::vector<double*>> fields_;  // by lane
  double* block_ = nullptr;
  std::vector<double> saved_state_;
  std::unique_ptr<WideSolver> solver_;   // made when first needed
  std::unique_ptr<PackRows> pack_rows_;  // the same
  const RowPlan* row_plan_ = nullptr;
  const Model* const* lane_models_ = nullptr;
};

}  // namespace torsor
