// The worlds of a batch and their arrays. Steps are in batch_step.cpp, values per world in batch_values.cpp.
#include "torsor/batch/batch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/batch/batch_hand.hpp"
#include "torsor/core/error.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

int checked(int nworld) {
  if (nworld < 1) throw Error(fmt::format("a batch needs at least one world, not {}", nworld));
  return nworld;
}

}  // namespace

template <class S>
BasicBatch<S>::BasicBatch(const Model& model, int nworld)
    : model_(model),
      kernels_(&lane_kernels<S>()),
      constraints_(std::make_unique<ConstraintKernels<S>>(ConstraintKernels<S>::current())),
      nworld_(checked(nworld)),
      arrays_(FieldList(model), nworld),
      values_(model, nworld),
      reference_(model),
      readings_(arrays_.fields().set("sensordata subtree_linvel subtree_angmom cacc cfrc_int cfrc_ext")) {
  const size_t n = static_cast<size_t>(nworld);
  eq_active_.assign(n * static_cast<size_t>(model.neq), 0.0);
  seeds_.resize(n);
  noise_steps_.assign(n, 0);
  steps_taken_.assign(n, 0);
  diverged_at_.assign(n, -1);
  contacts_.assign(n, 0);
  order_.resize(n);
  for (size_t world = 0; world < n; ++world) seeds_[world] = world;
  refresh_reference();
  reset();
}

template <class S>
BasicBatch<S>::~BasicBatch() = default;

template <class S>
void BasicBatch<S>::refresh_reference() {
  torsor::reset(model_, reference_);
  reference_numbers_.assign(1, 0.0);
  for (const Stage stage : {Stage::kState, Stage::kInput})
    reference_.for_each_field(stage, [&](const FieldInfo&, Field<double>& field) {
      reference_numbers_.insert(reference_numbers_.end(), field.begin(), field.end());
    });
}

template <class S>
void BasicBatch<S>::check_call(const BatchCall& call) const {
  for (int i = 0; call.worlds && i < call.count; ++i) {
    if (call.worlds[i] < 0 || call.worlds[i] >= nworld_)
      throw Error(fmt::format("world {} does not exist: the batch has {}", call.worlds[i], nworld_));
  }
}

// --- arrays ---------------------------------------------------------------------------------------------------------

template <class S>
int BasicBatch<S>::find_field(const std::string& field) const {
  if (field == "eq_active") return static_cast<int>(arrays_.fields().count());
  const int found = arrays_.fields().find(field);
  if (found < 0) throw Error(fmt::format("'{}' is not a field of Data", field));
  return found;
}

template <class S>
int BasicBatch<S>::field_size(const std::string& field) const {
  const int found = find_field(field);
  return field == "eq_active" ? model_.neq : arrays_.fields().size(static_cast<size_t>(found));
}

template <class S>
bool BasicBatch<S>::is_input_or_state(const std::string& field) const {
  return field == "eq_active" || find_field(field) < arrays_.block_fields();
}

template <class S>
S* BasicBatch<S>::bind(const std::string& field) {
  const int found = find_field(field);
  return field == "eq_active" ? eq_active_.data() : arrays_.keep(found);
}

template <class S>
void BasicBatch<S>::require_kept(int field, const std::string& name) const {
  const bool is_eq_active = field == static_cast<int>(arrays_.fields().count());
  if (!is_eq_active && field >= arrays_.block_fields())
    throw Error(
        fmt::format("'{}' is not a field of a world's state or input; forward() and bind() have results", name));
}

template <class S>
void BasicBatch<S>::get(const std::string& field, double* values) const {
  const int found = find_field(field);
  require_kept(found, field);
  const size_t n = static_cast<size_t>(field_size(field)) * static_cast<size_t>(nworld_);
  std::copy_n(field == "eq_active" ? eq_active_.data() : arrays_.values(found), n, values);
}

template <class S>
void BasicBatch<S>::set(const std::string& field, const double* values) {
  const int found = find_field(field);
  require_kept(found, field);
  const size_t n = static_cast<size_t>(field_size(field)) * static_cast<size_t>(nworld_);
  std::copy_n(values, n, field == "eq_active" ? eq_active_.data() : arrays_.values(found));
}

// --- worlds ---------------------------------------------------------------------------------------------------------

template <class S>
void BasicBatch<S>::set_world(int world, const Data& data) {
  require_fit(model_, data);
  check_call({&world, 1});
  *arrays_.row(0, world) = data.time;
  int field = 0;
  for (const Stage stage : {Stage::kState, Stage::kInput})
    const_cast<Data&>(data).for_each_field(stage, [&](const FieldInfo&, Field<double>& from) {
      ++field;
      std::copy(from.begin(), from.end(), arrays_.row(field, world));
    });
  std::copy(data.eq_active.begin(), data.eq_active.end(),
            eq_active_.data() + static_cast<size_t>(world) * static_cast<size_t>(model_.neq));
  noise_steps_[static_cast<size_t>(world)] = data.noise_step;
}

template <class S>
void BasicBatch<S>::get_world(int world, Data& data) const {
  require_fit(model_, data);
  check_call({&world, 1});
  data.time = *arrays_.row(0, world);
  int field = 0;
  for (const Stage stage : {Stage::kState, Stage::kInput})
    data.for_each_field(stage, [&](const FieldInfo&, Field<double>& to) {
      ++field;
      std::copy_n(arrays_.row(field, world), to.size(), to.begin());
    });
  for (int i = 0; i < model_.neq; ++i)
    data.eq_active[i] =
        eq_active_[static_cast<size_t>(world) * static_cast<size_t>(model_.neq) + static_cast<size_t>(i)] != 0;
  data.noise_seed = seeds_[static_cast<size_t>(world)];
  data.noise_step = noise_steps_[static_cast<size_t>(world)];
}

// Keyframes and the reference pose are those of the world's model.
template <class S>
void BasicBatch<S>::reset(const BatchCall& call, const int* keys) {
  check_call(call);
  for (int i = 0; keys && i < count_of(call); ++i) {
    if (keys[i] >= model_.nkey)
      throw Error(fmt::format("keyframe {} does not exist: the model has {} keyframes", keys[i], model_.nkey));
  }
  Model view = values_.make_view();
  torsor::reset(model_, reference_);
  for (int i = 0; i < count_of(call); ++i) {
    const int world = world_of(call, i);
    values_.point_at(world, view);
    if (keys && keys[i] >= 0)
      reset_to_key(view, reference_, keys[i]);
    else if (keys || !values_.empty())
      torsor::reset(view, reference_);
    set_world(world, reference_);
    mark_diverged(world, -1);
  }
  torsor::reset(model_, reference_);
}

template <class S>
void BasicBatch<S>::reset_world(int world) {
  reset({&world, 1});
}

template <class S>
void BasicBatch<S>::set_counters(const int64_t* steps_taken, const int64_t* diverged_at) {
  std::copy_n(steps_taken, nworld_, steps_taken_.begin());
  std::copy_n(diverged_at, nworld_, diverged_at_.begin());
}

// --- programs -------------------------------------------------------------------------------------------------------

// |a_i| <= sqrt(A_ii) sum_j sqrt(A_jj) |f_j| for A = M^-1, whose diagonal is known in the reference pose. In other
// poses it may be larger, though not by this factor.
template <class S>
void BasicBatch<S>::weigh_forces() {
  constexpr double kLargestFactor = 1000;
  double largest = 0;
  for (const double inverse : model_.dof_invweight0) largest = std::max(largest, inverse);
  force_weights_.assign(static_cast<size_t>(model_.nv), 0.0);
  for (int i = 0; i < model_.nv; ++i)
    force_weights_[static_cast<size_t>(i)] = kLargestFactor / kMaxValue * std::sqrt(largest * model_.dof_invweight0[i]);
}

template <class S>
void BasicBatch<S>::report_body_forces(bool reports) {
  if (reports == reports_forces_) return;
  reports_forces_ = reports;
  program_.reset();
  is_stale_ = true;
}

template <class S>
BatchPurpose BasicBatch<S>::purpose() const {
  return reports_forces_ ? BatchPurpose::kStepAndForces : BatchPurpose::kStep;
}

// The program follows the model's options and values, which may change between calls, and the results that are kept or
// recorded.
template <class S>
void BasicBatch<S>::refresh(const FieldSet& recorded) {
  const FieldSet wanted = arrays_.kept_results() | recorded;
  require_settings(model_);
  is_stale_ |= watch_.has_changed(model_);
  is_stale_ |= values_seen_ != values_.entries().size();
  if (!is_stale_ && program_results_ == wanted) return;
  if (is_stale_) {
    refresh_reference();
    weigh_forces();
    if (row_plan_)
      row_plan_->refresh(model_);
    else
      row_plan_ = std::make_unique<RowPlan>(model_);
  }
  const BatchFeatures features(model_, *row_plan_);
  const std::optional<ValueStages> stages = find_value_stages(model_, values_);
  if (!program_ || !(*features_ == features) || program_results_ != wanted || stages != value_stages_) {
    value_stages_ = stages;
    program_ = std::make_unique<BatchProgram>(model_, purpose(), wanted, stages.value_or(ValueStages()));
    features_ = std::make_unique<BatchFeatures>(features);
    program_results_ = wanted;
  }
  values_seen_ = values_.entries().size();
  is_stale_ = false;
}

namespace {
constexpr const char* kSleeping = "sleeping";
}

template <class S>
std::vector<BatchPlanRow> BasicBatch<S>::plan() const {
  const std::optional<ValueStages> own = find_value_stages(model_, values_);
  const BatchProgram program(model_, purpose(), arrays_.kept_results(), own.value_or(ValueStages()));
  const std::string why = own ? "" : "worlds are stepped one by one, values per world: " + values_.names();
  std::vector<BatchPlanRow> rows;
  const BatchStages& stages = program.stages();
  for (const std::vector<BatchStage>* part :
       {&stages.forward, &stages.observe, &stages.start, &stages.report, &stages.between, &stages.finish}) {
    for (const BatchStage& stage : *part)
      rows.push_back({stage.name, stage.is_wide && why.empty(), why.empty() ? stage.why : why});
  }
  if (model_.opt.enabled(kEnableSleep))
    rows.push_back({kSleeping, false, "worlds share their results, so that no tree can keep those of its last step"});
  return rows;
}

std::string to_text(const std::vector<BatchPlanRow>& plan) {
  std::string text;
  for (const BatchPlanRow& row : plan)
    text += row.is_wide
                ? fmt::format("{:<22} wide\n", row.stage)
                : fmt::format("{:<22} {}: {}\n", row.stage, row.stage == kSleeping ? "off" : "lane by lane", row.why);
  return text;
}

template <class S>
void BasicBatch<S>::ensure_hands(int threads, bool one_by_one) {
  while (hands_.size() < static_cast<size_t>(threads))
    hands_.push_back(std::make_unique<BatchHand<S>>(model_, *kernels_, *constraints_));
  hands_[0]->is_callers = true;
  for (int thread = 0; one_by_one && thread < threads; ++thread)
    hands_[static_cast<size_t>(thread)]->ensure_data(model_);
}

template class BasicBatch<double>;
template class BasicBatch<float>;

}  // namespace torsor
