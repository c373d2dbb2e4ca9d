#include "torsor/batch/worker.hpp"

#include <algorithm>
#include <limits>

#include "torsor/batch/lane_functions.hpp"
#include "torsor/constraint/constraint.hpp"

namespace torsor {

BatchWorker::BatchWorker(const Model& model, const LaneKernels& kernels, const solver::WideKernels<double>& solvers)
    : kernels_(kernels), solvers_(solvers), workspace_(kernels.workspace_bytes(model)) {
  kernels.make_workspace(model, workspace_.data());
  const FieldList list(model);
  packs_.assign(list.count(), nullptr);
  for (size_t i = 0; i < list.count(); ++i) {
    names_.push_back(list.name(i));
    sizes_.push_back(list.size(i));
  }
  at_ = {
      field("M"),           field("qacc_smooth"), field("qacc_warmstart"), field("qacc"),      field("qfrc_constraint"),
      field("qpos"),        field("qvel"),        field("geom_xpos"),      field("geom_xmat"), field("cdof"),
      field("subtree_com"), field("ten_length"),  field("ten_J")};
}

void BatchWorker::ensure_lanes(const Model& model) {
  if (!datas_.empty()) return;
  datas_.assign(static_cast<size_t>(lanes()), Data(model));
  for (Data& data : datas_) {
    data.ensure_smooth_scratch();
    std::vector<double*> fields{&data.time};
    data.for_each_field([&](const FieldInfo&, Field<double>& field) { fields.push_back(field.data()); });
    fields_.push_back(std::move(fields));
  }
}

void BatchWorker::bind(double* block) {
  block_ = block;
  kernels_.bind(workspace_.data(), block);
  kernels_.list_fields(workspace_.data(), packs_.data());
}

void BatchWorker::release() { kernels_.unbind(workspace_.data(), block_); }

void BatchWorker::to_lanes(const std::vector<int>& fields) {
  const size_t width = static_cast<size_t>(lanes());
  for (const int field : fields) {
    const size_t n = static_cast<size_t>(sizes_[static_cast<size_t>(field)]);
    for (size_t lane = 0; lane < width; ++lane) {
      const double* from = packs(field) + lane;
      double* to = fields_[lane][static_cast<size_t>(field)];
      for (size_t i = 0; i < n; ++i) to[i] = from[i * width];
    }
  }
}

void BatchWorker::to_packs(const std::vector<int>& fields) {
  const size_t width = static_cast<size_t>(lanes());
  for (const int field : fields) {
    const size_t n = static_cast<size_t>(sizes_[static_cast<size_t>(field)]);
    for (size_t lane = 0; lane < width; ++lane) {
      double* to = packs(field) + lane;
      const double* from = fields_[lane][static_cast<size_t>(field)];
      for (size_t i = 0; i < n; ++i) to[i * width] = from[i];
    }
  }
}

void BatchWorker::run_wide(const Model& model, const BatchStage& stage) {
  if (stage.kernel == WideStage::kCount)
    solve_wide(model);
  else
    kernels_.run(stage.kernel, model, workspace_.data());
}

int BatchWorker::field(const char* name) const {
  return static_cast<int>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

// Lanes with bad numbers are left to the functions of one world, which say what becomes of them.
void BatchWorker::solve_wide(const Model& model) {
  const WideSolveArrays arrays{packs(at_.M), packs(at_.qacc_smooth), packs(at_.qacc_warmstart), packs(at_.qacc),
                               packs(at_.qfrc_constraint)};
  const unsigned left = row_plan_ ? solve_pack_rows(model, arrays) : solve_lane_rows(model, arrays);
  for (int lane = 0; lane < lanes(); ++lane) {
    if ((left >> lane & 1) != 0) solve_lane(lane_models_ ? *lane_models_[lane] : model, lane);
  }
}

unsigned BatchWorker::solve_lane_rows(const Model& model, const WideSolveArrays& arrays) {
  if (!solver_) solver_ = std::make_unique<WideSolver>(model, solvers_);
  return solver_->solve(model, datas_, arrays);
}

unsigned BatchWorker::solve_pack_rows(const Model& model, const WideSolveArrays& arrays) {
  if (!pack_rows_) pack_rows_ = std::make_unique<PackRows>(model, solvers_);
  const PackRowArrays state{packs(at_.qpos), packs(at_.qvel),        packs(at_.geom_xpos),  packs(at_.geom_xmat),
                            packs(at_.cdof), packs(at_.subtree_com), packs(at_.ten_length), packs(at_.ten_J)};
  return pack_rows_->solve(model, *row_plan_, state, arrays);
}

void BatchWorker::solve_lane(const Model& model, int lane) {
  const auto copy = [&](const char* name) {
    const auto which = static_cast<size_t>(field(name));
    for (int i = 0; i < sizes_[which]; ++i)
      fields_[static_cast<size_t>(lane)][which][i] = packs_[which][i * lanes() + lane];
  };
  for (const char* name : {"M", "qacc_smooth", "qacc_warmstart", "qfrc_smooth"}) copy(name);
  // where rows were made lane by lane, the lane has the rest, and packs may not have it
  for (const char* name : {"qpos", "qvel", "geom_xpos", "geom_xmat", "subtree_com", "cdof", "ten_length", "ten_J"}) {
    if (row_plan_) copy(name);
  }
  Data& data = lane_data(lane);
  if (row_plan_) {
    make_lane_rows(model, data);
    compute_row_reference(model, data);
  }
  solve_constraints(model, data);
  for (const int result : {field("qacc"), field("qfrc_constraint")}) {
    for (int i = 0; i < model.nv; ++i) packs(result)[i * lanes() + lane] = this->lane(lane, result)[i];
  }
}

void BatchWorker::run(const Model& model, const std::vector<BatchOperation>& operations) {
  for (const BatchOperation& operation : operations) {
    switch (operation.kind) {
      case BatchOperation::Kind::kWide:
        run_wide(model, *operation.stage);
        plant_fault(*operation.stage);
        break;
      case BatchOperation::Kind::kLaneByLane:
        for (size_t lane = 0; operation.stage->function && lane < datas_.size(); ++lane)
          operation.stage->function(lane_models_ ? *lane_models_[lane] : model, datas_[lane]);
        break;
      case BatchOperation::Kind::kToLanes:
        to_lanes(operation.fields);
        break;
      case BatchOperation::Kind::kToPacks:
        to_packs(operation.fields);
        break;
    }
  }
}

void BatchWorker::read(const BatchProgram& program, int field, int lane, double* out) const {
  const int n = program.fields().size(static_cast<size_t>(field));
  if (program.is_in_packs(field)) {
    for (int i = 0; i < n; ++i) out[i] = packs(field)[i * lanes() + lane];
  } else if (program.is_in_lanes(field)) {
    std::copy_n(this->lane(lane, field), n, out);
  } else {
    std::fill_n(out, n, 0.0);
  }
}

void BatchWorker::plant_fault([[maybe_unused]] const BatchStage& stage) {
#if defined(TORSOR_POISON) && TORSOR_POISON
  if (!planted_fault || planted_fault->stage != stage.name) return;
  for (size_t field = 0; field < sizes_.size(); ++field) {
    if (names_[field] != planted_fault->field) continue;
    for (int i = 0; i < sizes_[field] * lanes(); ++i)
      packs_[field][i] = packs_[field][i] * planted_fault->factor + planted_fault->offset;
  }
#endif
}

void BatchWorker::poison([[maybe_unused]] const FieldList& fields, [[maybe_unused]] bool with_sensors) {
#if defined(TORSOR_POISON) && TORSOR_POISON
  const FieldSet kept = with_sensors ? fields.set("sensordata") : fields.set("sensordata cacc cfrc_int cfrc_ext");
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (size_t field = 0; field < fields.count(); ++field) {
    const size_t n = static_cast<size_t>(fields.size(field));
    if (kept.test(field)) continue;
    for (const std::vector<double*>& lane : fields_) std::fill_n(lane[field], n, kNan);
    if (fields.results().test(field)) std::fill_n(packs_[field], n * static_cast<size_t>(lanes()), kNan);
  }
#endif
}

}  // namespace torsor
