#include "torsor/gpu/device_batch.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "torsor/batch/model_watch.hpp"
#include "torsor/core/error.hpp"
#include "torsor/gpu/device_values.hpp"
#include "torsor/gpu/device_worlds.hpp"
#include "torsor/gpu/devices.hpp"
#include "torsor/gpu/kernels/rare_poses.hpp"
#include "torsor/gpu/step_plan.hpp"
#include "torsor/model/formulation.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::gpu {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

// What most worlds need at first: room is made while they run.
Room first_room(const RowPlan& plan) {
  Room room;
  const auto pairs = static_cast<int>(plan.pairs.size());
  room.contacts = std::clamp(2 * pairs, 1, 16);
  int singles = 0;
  for (const EqualityPlan& equality : plan.equalities) singles += equality.rows;
  for (const ScalarPlan& scalar : plan.scalars) singles += !scalar.is_unit();
  int narrow = 0;
  for (const PairPlan& pair : plan.pairs) narrow += !knows_rare_poses(pair.kind);
  room.candidates = std::min(narrow, 8);
  room.items = room.contacts + singles;
  int dim = 1;
  for (const PairPlan& pair : plan.pairs) dim = std::max(dim, pair.dim);
  room.rows = dim * room.contacts + singles;
  return room;
}

// Numbers that the rows of an island take at most, see row_numbers().
int most_row_numbers(const RowPlan& plan, int rows, bool elliptic) {
  int dim = 1;
  for (const PairPlan& pair : plan.pairs) dim = std::max(dim, pair.dim);
  return 3 * rows + (rows * curvature_numbers(dim, elliptic) + dim - 1) / dim;
}

// Classes of islands that can occur: those of the trees that rows may connect, and of rows that there is room for.
unsigned size_classes_of(const Model& model, int row_numbers) {
  int least = model.nv;
  for (int t = 0; t < model.ntree; ++t) least = std::min(least, model.tree_dofnum[t]);
  const int most = model.nv;
  unsigned classes = 0;
  for (int c = 0, below = 0; c < kSharedClassCount; below = kSharedClasses[c++].dofs) {
    if (least > kSharedClasses[c].dofs || most <= below) continue;
    classes |= 1u << c;
    if (row_numbers > kSharedClasses[c].row_numbers) classes |= 1u << kManyRows;
  }
  if (most > kMostSharedDofs) classes |= 1u << kLarge;
  if (most > kMostLargeDofs) classes |= 1u << kManyDofs;
  return classes;
}

template <class S>
class BatchOnDevice final : public DeviceBatch {
 public:
  BatchOnDevice(const Model& model, int nworld, Device device, std::unique_ptr<Backend<S>> backend)
      : model_(model),
        device_(device),
        backend_(std::move(backend)),
        rows_(model),
        on_device_(*backend_, model),
        worlds_(*backend_, model, nworld),
        values_(*backend_, model, nworld),
        reference_(model) {
    refresh();
    torsor::reset(model_, reference_);
    put(nullptr, numbers_of(reference_));
  }

  const Model& model() const override { return model_; }
  int nworld() const override { return worlds_.view().worlds; }
  Number number() const override { return sizeof(S) == 4 ? Number::kFloat : Number::kDouble; }
  Device device() const override { return device_; }
  std::size_t bytes_per_world() const override {
    return (worlds_.bytes() + values_.bytes() + static_cast<std::size_t>(nworld()) - 1) /
           static_cast<std::size_t>(nworld());
  }
  std::vector<BatchPlanRow> plan() const override {
    const auto rows = [this](const Model& model) {
      return StepPlan(model, RowPlan(model), worlds_.fields(), worlds_.kept_results(), reports_forces_).rows;
    };
    return values_.empty() ? rows(model_) : rows(general(model_));
  }

  int find_field(const std::string& field) const override {
    if (field == "eq_active") return static_cast<int>(worlds_.fields().count());
    const int found = worlds_.fields().find(field);
    if (found < 0) throw Error(fmt::format("'{}' is not a field of Data", field));
    return found;
  }
  int field_size(const std::string& field) const override {
    const int found = find_field(field);
    return field == "eq_active" ? model_.neq : worlds_.fields().size(static_cast<std::size_t>(found));
  }
  bool is_input_or_state(const std::string& field) const override {
    return field == "eq_active" || worlds_.is_state(find_field(field));
  }

  void* bind(const std::string& field) override {
    const int found = find_field(field);
    if (field == "eq_active") return worlds_.view().eq_active;
    const bool is_new = !worlds_.is_state(found) && !worlds_.kept_results().test(static_cast<std::size_t>(found));
    if (is_new) require_wanted(found);
    S* const values = worlds_.keep(found);
    if (is_new) is_stale_ = true;
    return values;
  }
  void report_body_forces(bool reports) override {
    const StepPlan plan(*planned_, rows_, worlds_.fields(), worlds_.kept_results(), reports);
    if (!plan.lacks.empty())
      throw Error(fmt::format("forces on bodies cannot be computed on a device for this model:{}", joined(plan.lacks)));
    is_stale_ = is_stale_ || reports != reports_forces_;
    reports_forces_ = reports;
  }
  void get(const std::string& field, double* values) override {
    const std::size_t count = count_of(field);
    std::vector<S> numbers(count);
    backend_->download(numbers.data(), bind(field), count * sizeof(S));
    std::copy(numbers.begin(), numbers.end(), values);
  }
  void set(const std::string& field, const double* values) override {
    if (!is_input_or_state(field)) throw Error(fmt::format("'{}' is a result: only state and input can be set", field));
    std::vector<S> numbers(values, values + count_of(field));
    backend_->upload(bind(field), numbers.data(), numbers.size() * sizeof(S));
  }

  using DeviceBatch::step;
  void step(const DeviceSteps& call) override {
    if (call.steps < 0) throw Error(fmt::format("{} steps: there is no way back", call.steps));
    const StepSeries<S> series = make_series(call);
    prepare(call.stream);
    backend_->load(worlds_.view(), worlds_.state());
    if (series.count > 0) worlds_.set_series(series);
    backend_->aim(worlds_.view(), {call.steps, call.rows, series.count > 0});
    clear_needed();
    backend_->replay(call.steps);
    try {
      finish_worlds();
    } catch (const Error&) {
      take_back(call);
      throw;
    }
    store(call.rows);
  }
  using DeviceBatch::forward;
  // Some worlds compute as if they had a step to take, so that kernels leave the others alone.
  void forward(const int* rows, void* stream) override {
    prepare(stream);
    backend_->load(worlds_.view(), worlds_.state());
    clear_needed();
    for (;;) {
      if (rows) backend_->aim(worlds_.view(), {1, rows, false});
      run(plan_->forward, rows != nullptr);
      if (!plan_->has_solver || !grow()) break;
    }
    if (rows) backend_->aim(worlds_.view(), {0, rows, false});
    store(rows);
  }
  void reset(const std::uint8_t* mask, int key, void* stream) override {
    if (key >= model_.nkey)
      throw Error(fmt::format("keyframe {} does not exist: the model has {} keyframes", key, model_.nkey));
    backend_->use_stream(stream);
    Data pose(model_);
    if (key >= 0)
      reset_to_key(model_, pose, key);
    else
      torsor::reset(model_, pose);
    put(mask, numbers_of(pose));
  }

  void get_world(int world, Data& data) override {
    for_each_state_field(world, data, [&](S* numbers, double* to, std::size_t count) {
      std::vector<S> values(count);
      backend_->download(values.data(), numbers, count * sizeof(S));
      std::copy(values.begin(), values.end(), to);
    });
    std::vector<S> active(static_cast<std::size_t>(model_.neq));
    backend_->download(active.data(), eq_active_of(world), active.size() * sizeof(S));
    for (std::size_t i = 0; i < active.size(); ++i) data.eq_active[static_cast<int>(i)] = active[i] != 0;
  }
  void set_world(int world, const Data& data) override {
    for_each_state_field(world, const_cast<Data&>(data), [&](S* numbers, const double* from, std::size_t count) {
      const std::vector<S> values(from, from + count);
      backend_->upload(numbers, values.data(), count * sizeof(S));
    });
    const std::vector<S> active(data.eq_active.begin(), data.eq_active.end());
    backend_->upload(eq_active_of(world), active.data(), active.size() * sizeof(S));
  }

  std::int64_t* steps_taken() override { return worlds_.view().progress.taken; }
  std::int64_t* diverged_at() override { return worlds_.view().progress.diverged_at; }
  std::int64_t resets() override {
    unsigned long long count = 0;
    backend_->download(&count, worlds_.view().progress.resets, sizeof count);
    return static_cast<std::int64_t>(count);
  }
  int growths() const override { return growths_; }
  int contact_capacity() const override { return room_.contacts; }
  int row_capacity() const override { return room_.rows; }

  void* expand(const std::string& field) override {
    if (S* const values = values_.find(field)) return values;
    values_.require_expandable(field);
    require_general(field);
    S* const values = values_.expand(field);
    is_stale_ = true;
    return values;
  }
  bool has_values() const override { return !values_.empty(); }
  std::vector<std::string> value_names() const override { return values_.names(); }
  int count_values(const std::string& field) const override { return values_.count(field); }
  bool get_values(const std::string& field, double* values) override { return values_.get(field, values); }
  void set_values(const std::string& field, const int* worlds, int count, const double* values) override {
    if (!values_.find(field)) {
      values_.require_expandable(field);
      require_general(field);
    }
    const int before = values_.fields();
    values_.set(field, worlds, count, values);
    is_stale_ = is_stale_ || values_.fields() > before;
  }
  void set_const(const std::vector<int>& worlds, int threads) override {
    const int before = values_.fields();
    values_.set_const(worlds, threads);
    is_stale_ = is_stale_ || values_.fields() > before;
  }
  Model make_model(int world) override { return values_.make_model(world); }

 private:
  std::size_t count_of(const std::string& field) const {
    return static_cast<std::size_t>(field_size(field)) * static_cast<std::size_t>(nworld());
  }

  S* eq_active_of(int world) { return worlds_.view().eq_active + std::ptrdiff_t(model_.neq) * world; }
  // Calls f(numbers of the world on the device, those of `data`, how many) for time, state and input.
  template <class F>
  void for_each_state_field(int world, Data& data, F&& f) {
    if (world < 0 || world >= nworld())
      throw Error(fmt::format("world {} does not exist: the batch has {}", world, nworld()));
    require_fit(model_, data);
    f(worlds_.values(0) + world, &data.time, std::size_t{1});
    int field = 0;
    for (const Stage stage : {Stage::kState, Stage::kInput}) {
      data.for_each_field(stage, [&](const FieldInfo&, Field<double>& numbers) {
        ++field;
        const auto count = static_cast<std::size_t>(numbers.size());
        if (count > 0) f(worlds_.values(field) + count * static_cast<std::size_t>(world), numbers.data(), count);
      });
    }
  }

  // Throws Error for fields that are none, or none of a world's block, before anything changes. Results become bound.
  StepSeries<S> make_series(const DeviceSteps& call) {
    if (call.controls.size() + call.records.size() > StepSeries<S>::kMost)
      throw Error(
          fmt::format("{} fields step by step are too many for a device", call.controls.size() + call.records.size()));
    for (const auto* const list : {&call.controls, &call.records}) {
      for (const DeviceSeries& each : *list) find_field(each.field);
    }
    StepSeries<S> series;
    series.steps = call.total;
    series.first = call.first;
    series.of_call = call.steps;
    series.rows = call.rows;
    series.controls = static_cast<int>(call.controls.size());
    for (const DeviceSeries& each : call.controls) {
      if (!is_input_or_state(each.field))
        throw Error(fmt::format("'{}' is a result: only state and input can be set", each.field));
      add_series(each, series);
    }
    for (const DeviceSeries& each : call.records) {
      bind(each.field);
      add_series(each, series);
    }
    return series;
  }
  void add_series(const DeviceSeries& from, StepSeries<S>& to) const {
    const int place = from.field == "eq_active" ? -1 : worlds_.place(find_field(from.field));
    to.entries[to.count++] = {place, field_size(from.field), from.stride, static_cast<S*>(from.values)};
  }

  // Throws Error for a result that the device cannot compute.
  void require_wanted(int field) const {
    FieldSet wanted = worlds_.kept_results();
    wanted.set(static_cast<std::size_t>(field));
    const StepPlan plan(*planned_, rows_, worlds_.fields(), wanted, reports_forces_);
    if (!plan.lacks.empty())
      throw Error(fmt::format("'{}' cannot be computed on a device for this model:{}",
                              worlds_.fields().name(static_cast<std::size_t>(field)), joined(plan.lacks)));
  }

  // The model as steps must be planned for all values that worlds may have.
  Model general(const Model& model) const {
    Model result = model;
    values_.generalise(result);
    return result;
  }
  // Throws Error where a device cannot step worlds that differ in a field of the model.
  void require_general(const std::string& field) const {
    if (is_sap(model_.opt))
      throw Error(fmt::format("'{}' cannot differ from world to world on a device with the solver SAP", field));
    Model model = general(model_);
    DeviceValues<S>::generalise(field, model);
    const StepPlan plan(model, RowPlan(model), worlds_.fields(), worlds_.kept_results(), reports_forces_);
    if (!plan.lacks.empty())
      throw Error(fmt::format("'{}' cannot differ from world to world on a device for this model:{}", field,
                              joined(plan.lacks)));
  }

  // The pose in the order of a block.
  std::vector<S> numbers_of(Data& data) const {
    std::vector<S> numbers{static_cast<S>(data.time)};
    for (const Stage stage : {Stage::kState, Stage::kInput})
      data.for_each_field(stage, [&](const FieldInfo&, Field<double>& field) {
        for (const double number : field) numbers.push_back(static_cast<S>(number));
      });
    return numbers;
  }
  void put(const std::uint8_t* mask, const std::vector<S>& numbers) {
    backend_->put(worlds_.view(), worlds_.state(), worlds_.set_pose(numbers), mask);
    backend_->synchronize();
  }

  // What follows from the model, the results that are wanted, and the room that there is.
  void refresh() {
    is_stale_ = true;  // also where something is thrown on the way
    planned_ = &model_;
    own_plan_.reset();
    if (!values_.empty() && is_sap(model_.opt))
      throw Error("values cannot differ from world to world on a device with the solver SAP");
    if (!values_.empty()) own_plan_ = std::make_unique<Model>(general(model_));
    if (own_plan_) planned_ = own_plan_.get();
    rows_.refresh(*planned_);
    auto plan = std::make_unique<StepPlan>(*planned_, rows_, worlds_.fields(), worlds_.kept_results(), reports_forces_);
    if (!plan->lacks.empty()) throw Error(fmt::format("a device cannot step this model:{}", joined(plan->lacks)));
    plan_ = std::move(plan);
    on_device_.upload(*planned_, rows_);
    worlds_.use(on_device_, *planned_);
    const ModelView* const models = values_.models();
    worlds_.use_values(models, values_.has_own_rows() ? models : nullptr, values_.has_own_reaches(),
                       values_.find("dof_frictionloss"));
    values_.renew();
    worlds_.keep_forces(plan_->keeps_forces);
    if (plan_->has_solver) {  // edits may ask for other rows, and these arrays hold what follows from the model
      const Room least = first_room(rows_);
      room_ = {std::max(room_.contacts, least.contacts), std::max(room_.candidates, least.candidates),
               std::max(room_.rows, least.rows), std::max(room_.items, least.items)};
      worlds_.make_room(model_, room_);
    }
    torsor::reset(model_, reference_);
    worlds_.set_reference(numbers_of(reference_));
    watch_.has_changed(model_);
    is_stale_ = false;
    is_recorded_ = false;
  }
  void prepare(void* stream) {
    backend_->use_stream(stream);
    if (watch_.has_changed(model_) || is_stale_) refresh();
    values_.take(worlds_.view());
    if (!is_recorded_) record();
  }
  void record() {
    backend_->record([this] { run(plan_->step); });
    is_recorded_ = true;
  }

  // `of_some`: of worlds that have a step to take, where the parts are of all.
  void run(const std::vector<StepPart>& parts, bool of_some = false) {
    for (StepPart part : parts) {
      part.stages.is_step = part.stages.is_step || of_some;
      backend_->use_strand(part.strand, part.after);
      if (part.kind == StepPart::kStages) run_stages(part.stages);
      if (part.kind == StepPart::kWorldStage) backend_->run_world_stage(worlds_.view(), part.world_stage, part.stages);
      if (part.kind == StepPart::kTrees) backend_->solve_trees(worlds_.view(), part.equation, part.stages.is_step);
      if (part.kind == StepPart::kContacts) find_contacts(part.stages.is_step);
      if (part.kind == StepPart::kSolver) solve(part.stages.is_step);
      const ConstraintView<S>& constraints = worlds_.constraints();
      if (part.kind == StepPart::kForces) backend_->find_forces(worlds_.view(), constraints, part.stages.is_step);
      if (part.kind == StepPart::kWrenches) backend_->add_wrenches(worlds_.view(), constraints, part.stages.is_step);
      if (part.kind == StepPart::kContactReadings)
        backend_->read_contacts(worlds_.view(), constraints, part.stages.is_step);
    }
  }
  void run_stages(const StageList& list) {
    StageList all = list;
    all.reads_own_values = values_.concerns(list);
    if (!runs_stages_apart_) return backend_->run_stages(worlds_.view(), all);
    for (int k = 0; k < list.count; ++k) {
      StageList one = all;
      one.count = 1;
      one.stages[0] = list.stages[k];
      one.begins = list.begins && k == 0;
      one.checks = list.checks && k == 0;
      one.moves = list.moves && list.stages[k] == WideStage::kRungeKutta;
      one.ends = list.ends && k + 1 == list.count;
      backend_->run_stages(worlds_.view(), one);
    }
  }
  // Counters of islands are cleared here too: what comes after all strands should wait for nothing else.
  void find_contacts(bool is_step) {
    const ConstraintView<S>& constraints = worlds_.constraints();
    if (const CandidateStore<S>& candidates = constraints.candidates; candidates.capacity > 0)
      backend_->clear(candidates.listed_count, (kNarrowKinds + 1) * sizeof(int));
    backend_->clear(constraints.islands.counts, 2 * kSizeClasses * sizeof(int));
    backend_->find_contacts(worlds_.view(), constraints, is_step);
  }
  void solve(bool is_step) {
    const ConstraintView<S>& constraints = worlds_.constraints();
    backend_->constrain(worlds_.view(), constraints, is_step);
    const unsigned classes = size_classes_of(model_, most_row_numbers(rows_, room_.rows, constraints.problem.elliptic));
    backend_->solve(constraints.problem, worlds_.islands(), worlds_.scratch(), classes);
  }

  // Arrays of users, of all worlds or of those with a row.
  void store(const int* rows) {
    TransferList<S> list = worlds_.all();
    list.rows = rows;
    backend_->store(worlds_.view(), list);
    backend_->synchronize();
  }

  void clear_needed() {
    if (plan_->has_solver) backend_->clear(worlds_.constraints().needed, sizeof(Room));
  }

  // Makes room for the world that needs most; false when all have enough. The old arrays go first: where there is no
  // memory for larger ones, the next call makes those that there were.
  bool grow() {
    Room needed;
    backend_->download(&needed, worlds_.constraints().needed, sizeof needed);
    if (needed.contacts <= room_.contacts && needed.candidates <= room_.candidates && needed.rows <= room_.rows &&
        needed.items <= room_.items)
      return false;
    const auto larger = [](int now, int wanted) {
      return wanted > now ? std::max(wanted + wanted / 4, now + now / 2) : now;
    };
    const Room room{larger(room_.contacts, needed.contacts), larger(room_.candidates, needed.candidates),
                    larger(room_.rows, needed.rows), larger(room_.items, needed.items)};
    is_stale_ = true;
    is_recorded_ = false;
    worlds_.make_room(model_, room);
    is_stale_ = false;
    room_ = room;
    ++growths_;
    clear_needed();
    return true;
  }

  // Worlds that waited for room, or began a step again, take the steps that they are behind.
  void finish_worlds() {
    for (;;) {
      if (plan_->has_solver) grow();
      const std::int64_t behind = most_behind();
      if (behind == 0) return;
      if (!is_recorded_) record();
      backend_->replay(static_cast<int>(behind));
    }
  }
  std::int64_t most_behind() {
    const auto n = static_cast<std::size_t>(nworld());
    const Progress<S>& progress = worlds_.view().progress;
    taken_.resize(n);
    target_.resize(n);
    backend_->download(taken_.data(), progress.taken, n * sizeof(std::int64_t));
    backend_->download(target_.data(), progress.target, n * sizeof(std::int64_t));
    std::int64_t most = 0;
    for (std::size_t k = 0; k < n; ++k) most = std::max(most, target_[k] - taken_[k]);
    return most;
  }
  // A call that has failed took no steps: arrays of users still have the state before it.
  void take_back(const DeviceSteps& call) {
    const auto n = static_cast<std::size_t>(nworld());
    std::vector<int> rows(n, 0);
    taken_.resize(n);
    target_.resize(n);
    if (call.rows) backend_->download(rows.data(), call.rows, n * sizeof(int));
    backend_->download(target_.data(), worlds_.view().progress.target, n * sizeof(std::int64_t));
    for (std::size_t k = 0; k < n; ++k) taken_[k] = target_[k] - (rows[k] < 0 ? 0 : call.steps);
    backend_->upload(worlds_.view().progress.taken, taken_.data(), n * sizeof(std::int64_t));
  }

  const Model& model_;
  const Device device_;
  const std::unique_ptr<Backend<S>> backend_;
  RowPlan rows_;
  DeviceModel<S> on_device_;
  DeviceWorlds<S> worlds_;
  DeviceValues<S> values_;
  // What plans follow from: the model or, where worlds have values of their own, general(model).
  const Model* planned_ = &model_;
  std::unique_ptr<const Model> own_plan_;
  Data reference_;
  ModelWatch watch_;
  std::unique_ptr<StepPlan> plan_;
  Room room_;
  int growths_ = 0;
  bool reports_forces_ = false;
  bool is_stale_ = true, is_recorded_ = false;
  // For profilers: each stage is a kernel of its own.
  const bool runs_stages_apart_ = std::getenv("TORSOR_GPU_STAGES_APART") != nullptr;
  std::vector<std::int64_t> taken_, target_;
};

template <class S>
std::unique_ptr<DeviceBatch> make_batch([[maybe_unused]] const Model& model, [[maybe_unused]] int nworld,
                                        Device device) {
#if TORSOR_HAS_CUDA
  if (device.kind == DeviceKind::kCuda)
    return std::make_unique<BatchOnDevice<S>>(model, nworld, device, make_cuda_backend<S>(device.number));
#endif
#if TORSOR_HAS_HOST_DEVICE
  if (device.kind == DeviceKind::kHost)
    return std::make_unique<BatchOnDevice<S>>(model, nworld, device, make_host_backend<S>());
#endif
  throw Error(
      fmt::format("there is no device '{}' in this build of Torsor", to_text(device)));  // require_device() was first
}

}  // namespace

std::unique_ptr<DeviceBatch> DeviceBatch::make(const Model& model, int nworld, Number number, Device device) {
  if (nworld < 1) throw Error(fmt::format("a batch needs at least one world, not {}", nworld));
  require_device(device);
  const std::vector<std::string> lacks = list_what_device_lacks(model);
  if (!lacks.empty()) throw Error(fmt::format("a device cannot step this model:{}", joined(lacks)));
  return number == Number::kFloat ? make_batch<float>(model, nworld, device)
                                  : make_batch<double>(model, nworld, device);
}

}  // namespace torsor::gpu
