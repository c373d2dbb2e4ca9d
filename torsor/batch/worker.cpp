#include "torsor/batch/worker.hpp"

#include <algorithm>
#include <limits>

#include "torsor/batch/lane_functions.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

// Those of RowState in its order, those of WideSolveArrays, then those of sensors.
constexpr const char* kRowFields[] = {"qpos",     "qvel",        "qacc_smooth",    "geom_xpos", "geom_xmat",
                                      "cdof",     "subtree_com", "ten_length",     "ten_J",     "xpos",
                                      "xquat",    "xmat",        "site_xpos",      "cvel",      "cdof_dot",
                                      "M",        "qacc_smooth", "qacc_warmstart", "qacc",      "qfrc_constraint",
                                      "cfrc_ext", "site_xmat",   "sensordata"};

}  // namespace

template <class S>
BatchWorker<S>::BatchWorker(const Model& model, const LaneKernels<S>& kernels, const ConstraintKernels<S>& constraints)
    : kernels_(kernels), constraints_(constraints), workspace_(kernels.workspace_bytes(model)) {
  kernels.make_workspace(model, workspace_.data());
  const FieldList list(model);
  packs_.assign(list.count(), nullptr);
  for (size_t i = 0; i < list.count(); ++i) {
    names_.push_back(list.name(i));
    sizes_.push_back(list.size(i));
  }
  for (const char* name : kRowFields) row_fields_.push_back(field(name));
}

template <class S>
void BatchWorker<S>::ensure_lanes(const Model& model) {
  if (!datas_.empty()) return;
  datas_.assign(static_cast<size_t>(lanes()), Data(model));
  for (Data& data : datas_) {
    data.awake.is_shared = true;
    data.ensure_smooth_scratch();
    std::vector<double*> fields{&data.time};
    data.for_each_field([&](const FieldInfo&, Field<double>& field) { fields.push_back(field.data()); });
    fields_.push_back(std::move(fields));
  }
}

template <class S>
void BatchWorker<S>::prepare(const Model& model, const RowPlan* plan, const BatchProgram& program) {
  use_row_plan(plan, program);
  if (!program.is_all_wide()) ensure_lanes(model);
  if (row_plan_ && !pack_rows_) pack_rows_ = std::make_unique<PackRows<S>>(model, constraints_);
  if (row_plan_) pack_rows_->make_room(*row_plan_, {});
  active_.reserve(static_cast<size_t>(model.neq));
  saved_state_.reserve(state_numbers(model) * static_cast<size_t>(lanes()));
}

template <class S>
void BatchWorker<S>::bind(S* block) {
  block_ = block;
  kernels_.bind(workspace_.data(), block);
  kernels_.list_fields(workspace_.data(), packs_.data());
}

template <class S>
void BatchWorker<S>::use_switches(const bool* eq_active, int neq) {
  active_.assign(static_cast<size_t>(neq), 0);
  for (int lane = 0; lane < lanes(); ++lane) {
    for (int id = 0; id < neq; ++id) active_[static_cast<size_t>(id)] |= unsigned{eq_active[lane * neq + id]} << lane;
  }
}

template <class S>
void BatchWorker<S>::release() {
  kernels_.unbind(workspace_.data(), block_);
}

template <class S>
void BatchWorker<S>::to_lanes(const std::vector<int>& fields) {
  const size_t width = static_cast<size_t>(lanes());
  for (const int field : fields) {
    const size_t n = static_cast<size_t>(sizes_[static_cast<size_t>(field)]);
    for (size_t lane = 0; lane < width; ++lane) {
      const S* from = packs(field) + lane;
      double* to = fields_[lane][static_cast<size_t>(field)];
      for (size_t i = 0; i < n; ++i) to[i] = from[i * width];
    }
  }
}

template <class S>
void BatchWorker<S>::to_packs(const std::vector<int>& fields) {
  const size_t width = static_cast<size_t>(lanes());
  for (const int field : fields) {
    const size_t n = static_cast<size_t>(sizes_[static_cast<size_t>(field)]);
    for (size_t lane = 0; lane < width; ++lane) {
      S* to = packs(field) + lane;
      const double* from = fields_[lane][static_cast<size_t>(field)];
      for (size_t i = 0; i < n; ++i) to[i * width] = static_cast<S>(from[i]);
    }
  }
}

template <class S>
void BatchWorker<S>::run_wide(const Model& model, const BatchStage& stage) {
  if (stage.kernel == WideStage::kCount) return solve_wide(model);
  if (stage.kernel == WideStage::kBodyForces) return compute_body_forces(model);
  kernels_.run(stage.kernel, model, workspace_.data());
  if (stage.kernel == WideStage::kReadings) read_contacts(model);
}

template <class S>
void BatchWorker<S>::compute_body_forces(const Model& model) {
  kernels_.run(WideStage::kAppliedWrenches, model, workspace_.data());
  if (row_plan_) pack_rows_->add_wrenches(model, *row_plan_, row_state(), packs(row_fields_[20]));
  kernels_.run(WideStage::kInteractionForces, model, workspace_.data());
}

// Without a plan for rows there are no contacts.
template <class S>
void BatchWorker<S>::read_contacts(const Model& model) {
  const PackContact<S>* contacts = row_plan_ ? pack_rows_->contacts() : nullptr;
  const int count = row_plan_ && keeps_forces_ ? pack_rows_->contact_count() : 0;
  contact_readings_.read(model, contacts, count, lanes(), packs(row_fields_[12]), packs(row_fields_[21]),
                         packs(row_fields_[22]));
}

template <class S>
int BatchWorker<S>::field(const char* name) const {
  return static_cast<int>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

// Lanes with bad numbers are left to the functions of one world, which say what becomes of them.
template <class S>
void BatchWorker<S>::solve_wide(const Model& model) {
  const auto at = [this](size_t k) { return packs(row_fields_[k]); };
  WideSolveArrays<S> arrays{at(15), at(16), at(17), at(18), at(19)};
  if (formulation(model.opt).solves_for_damping) {
    const size_t numbers = static_cast<size_t>(model.nv * lanes());
    if (damping_.size() == 0) damping_ = Buffer(2 * numbers * sizeof(S));
    S* const implicit = reinterpret_cast<S*>(damping_.data());
    constraints_.rows->damp_diagonal(model, arrays.M, at(1), implicit, implicit + numbers);
    arrays.implicit = implicit, arrays.inverse = implicit + numbers, arrays.qvel = at(1);
  }
  const unsigned left = row_plan_ ? solve_pack_rows(model, arrays) : solve_lane_rows(model, arrays);
  for (int lane = 0; lane < lanes(); ++lane) {
    if ((left >> lane & 1) != 0) solve_lane(lane_models_ ? *lane_models_[lane] : model, lane);
  }
}

template <class S>
unsigned BatchWorker<S>::solve_lane_rows(const Model& model, const WideSolveArrays<S>& arrays) {
  if (!solver_) solver_ = std::make_unique<WideSolver<S>>(model, *constraints_.solver);
  return solver_->solve(model, datas_, arrays);
}

template <class S>
unsigned BatchWorker<S>::solve_pack_rows(const Model& model, const WideSolveArrays<S>& arrays) {
  if (!pack_rows_) pack_rows_ = std::make_unique<PackRows<S>>(model, constraints_);
  return pack_rows_->solve(model, *row_plan_, row_state(), arrays, active_.data(), keeps_forces_);
}

template <class S>
RowState<S> BatchWorker<S>::row_state() {
  const auto at = [this](size_t k) { return packs(row_fields_[k]); };
  return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11), at(12), at(13), at(14)};
}

template <class S>
void BatchWorker<S>::solve_lane(const Model& model, int lane) {
  ensure_lanes(model);
  const auto copy = [&](const char* name) {
    const auto which = static_cast<size_t>(field(name));
    for (int i = 0; i < sizes_[which]; ++i)
      fields_[static_cast<size_t>(lane)][which][i] = packs_[which][i * lanes() + lane];
  };
  for (const char* name : {"M", "qacc_smooth", "qacc_warmstart", "qfrc_smooth", "qLD", "qLDiagInv"}) copy(name);
  if (formulation(model.opt).solves_for_damping) copy("qvel"), copy("qH"), copy("qHDiagInv");
  // where rows were made lane by lane, the lane has the rest, and packs may not have it
  for (const char* name : kRowFields) {
    if (row_plan_) copy(name);
  }
  Data& data = lane_data(lane);
  if (row_plan_) {
    make_lane_rows(model, data);
    compute_row_reference(model, data);
  }
  solve_constraints(model, data);
  if (row_plan_ && keeps_forces_) pack_rows_->take_forces(model, *row_plan_, data, lane);
  for (const int result : {field("qacc"), field("qfrc_constraint")}) {
    for (int i = 0; i < model.nv; ++i) packs(result)[i * lanes() + lane] = static_cast<S>(this->lane(lane, result)[i]);
  }
}

template <class S>
void BatchWorker<S>::run(const Model& model, const std::vector<BatchOperation>& operations) {
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

template <class S>
template <class T>
void BatchWorker<S>::read(const BatchProgram& program, int field, int lane, T* out) const {
  const int n = program.fields().size(static_cast<size_t>(field));
  for (int i = 0; i < n; ++i) {
    out[i] = program.is_in_packs(field)   ? static_cast<T>(packs(field)[i * lanes() + lane])
             : program.is_in_lanes(field) ? static_cast<T>(this->lane(lane, field)[i])
                                          : T(0);
  }
}

template <class S>
void BatchWorker<S>::plant_fault([[maybe_unused]] const BatchStage& stage) {
#if defined(TORSOR_POISON) && TORSOR_POISON
  if (!planted_fault || planted_fault->stage != stage.name) return;
  for (size_t field = 0; field < sizes_.size(); ++field) {
    if (names_[field] != planted_fault->field) continue;
    for (int i = 0; i < sizes_[field] * lanes(); ++i)
      packs_[field][i] = static_cast<S>(packs_[field][i] * planted_fault->factor + planted_fault->offset);
  }
#endif
}

template <class S>
void BatchWorker<S>::poison([[maybe_unused]] const FieldList& fields, [[maybe_unused]] bool with_sensors) {
#if defined(TORSOR_POISON) && TORSOR_POISON
  const FieldSet kept = with_sensors ? fields.set("sensordata")
                                     : fields.set("sensordata subtree_linvel subtree_angmom cacc cfrc_int cfrc_ext");
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (size_t field = 0; field < fields.count(); ++field) {
    const size_t n = static_cast<size_t>(fields.size(field));
    if (kept.test(field)) continue;
    for (const std::vector<double*>& lane : fields_) std::fill_n(lane[field], n, kNan);
    if (fields.results().test(field)) std::fill_n(packs_[field], n * static_cast<size_t>(lanes()), kNan);
  }
#endif
}

template class BatchWorker<double>;
template class BatchWorker<float>;
template void BatchWorker<double>::read(const BatchProgram&, int, int, double*) const;
template void BatchWorker<float>::read(const BatchProgram&, int, int, double*) const;
template void BatchWorker<float>::read(const BatchProgram&, int, int, float*) const;

}  // namespace torsor
