#include "torsor/gpu/device_batch.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "torsor/batch/model_watch.hpp"
#include "torsor/core/error.hpp"
#include "torsor/gpu/device_worlds.hpp"
#include "torsor/gpu/devices.hpp"
#include "torsor/gpu/kernels/rare_poses.hpp"
#include "torsor/gpu/step_plan.hpp"
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

// Classes of islands that can occur: those of the trees that rows may connect.
unsigned size_classes_of(const Model& model) {
  int least = model.nv;
  for (int t = 0; t < model.ntree; ++t) least = std::min(least, model.tree_dofnum[t]);
  const int most = model.nv;
  unsigned classes = 1u << kManyRows;
  for (int c = 0, below = 0; c < kSharedClassCount; below = kSharedClasses[c++].dofs)
    if (least <= kSharedClasses[c].dofs && most > below) classes |= 1u << c;
  if (most > kMostSharedDofs) classes |= 1u << kManyDofs;
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
    return (worlds_.bytes() + static_cast<std::size_t>(nworld()) - 1) / static_cast<std::size_t>(nworld());
  }
  std::vector<BatchPlanRow> plan() const override {
    return StepPlan(model_, RowPlan(model_), worlds_.fields(), worlds_.kept_results()).rows;
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

  void step(int steps, void* stream) override {
    if (steps < 0) throw Error(fmt::format("{} steps: there is no way back", steps));
    prepare(stream);
    backend_->load(worlds_.view(), worlds_.state());
    backend_->aim(worlds_.view(), steps);
    clear_needed();
    backend_->replay(steps);
    finish_worlds();
    backend_->store(worlds_.view(), worlds_.all());
    backend_->synchronize();
  }
  void forward(void* stream) override {
    prepare(stream);
    backend_->load(worlds_.view(), worlds_.state());
    clear_needed();
    for (;;) {
      run(plan_->forward);
      if (!plan_->has_solver || !grow()) break;
    }
    backend_->store(worlds_.view(), worlds_.all());
    backend_->synchronize();
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
    throw Error(fmt::format("values of '{}' per world are not supported on devices", field));
  }

 private:
  std::size_t count_of(const std::string& field) const {
    return static_cast<std::size_t>(field_size(field)) * static_cast<std::size_t>(nworld());
  }

  // Throws Error for a result that the device cannot compute.
  void require_wanted(int field) const {
    FieldSet wanted = worlds_.kept_results();
    wanted.set(static_cast<std::size_t>(field));
    const StepPlan plan(model_, rows_, worlds_.fields(), wanted);
    if (!plan.lacks.empty())
      throw Error(fmt::format("'{}' cannot be computed on a device for this model:{}",
                              worlds_.fields().name(static_cast<std::size_t>(field)), joined(plan.lacks)));
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
    rows_.refresh(model_);
    auto plan = std::make_unique<StepPlan>(model_, rows_, worlds_.fields(), worlds_.kept_results());
    if (!plan->lacks.empty()) throw Error(fmt::format("a device cannot step this model:{}", joined(plan->lacks)));
    plan_ = std::move(plan);
    on_device_.upload(model_, rows_);
    worlds_.use(on_device_.view(), on_device_.plan(), model_);
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
    if (!is_recorded_) record();
  }
  void record() {
    backend_->record([this] { run(plan_->step); });
    is_recorded_ = true;
  }

  void run(const std::vector<StepPart>& parts) {
    for (const StepPart& part : parts) {
      backend_->use_strand(part.strand);
      if (part.kind == StepPart::kStages) run_stages(part.stages);
      if (part.kind == StepPart::kContacts) find_contacts(part.stages.is_step);
      if (part.kind == StepPart::kSolver) solve(part.stages.is_step);
    }
  }
  void run_stages(const StageList& list) {
    if (!runs_stages_apart_) return backend_->run_stages(worlds_.view(), list);
    for (int k = 0; k < list.count; ++k) {
      StageList one = list;
      one.count = 1;
      one.stages[0] = list.stages[k];
      one.begins = list.begins && k == 0;
      one.checks = list.checks && k == 0;
      one.ends = list.ends && k + 1 == list.count;
      backend_->run_stages(worlds_.view(), one);
    }
  }
  void find_contacts(bool is_step) {
    const ConstraintView<S>& constraints = worlds_.constraints();
    if (const CandidateStore<S>& candidates = constraints.candidates; candidates.capacity > 0)
      backend_->clear(candidates.listed_count, (kNarrowKinds + 1) * sizeof(int));
    backend_->find_contacts(worlds_.view(), constraints, is_step);
  }
  void solve(bool is_step) {
    const ConstraintView<S>& constraints = worlds_.constraints();
    backend_->clear(constraints.islands.counts, kSizeClasses * sizeof(int));
    backend_->constrain(worlds_.view(), constraints, is_step);
    backend_->solve(constraints.problem, worlds_.islands(), worlds_.scratch(), size_classes_of(model_));
  }

  void clear_needed() {
    if (plan_->has_solver) backend_->clear(worlds_.constraints().needed, sizeof(Room));
  }

  // Makes room for the world that needs most; false when all have enough.
  bool grow() {
    Room needed;
    backend_->download(&needed, worlds_.constraints().needed, sizeof needed);
    if (needed.contacts <= room_.contacts && needed.candidates <= room_.candidates && needed.rows <= room_.rows &&
        needed.items <= room_.items)
      return false;
    const auto larger = [](int& now, int wanted) {
      if (wanted > now) now = std::max(wanted + wanted / 4, now + now / 2);
    };
    larger(room_.contacts, needed.contacts);
    larger(room_.candidates, needed.candidates);
    larger(room_.rows, needed.rows);
    larger(room_.items, needed.items);
    ++growths_;
    worlds_.make_room(model_, room_);
    clear_needed();
    is_recorded_ = false;
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

  const Model& model_;
  const Device device_;
  const std::unique_ptr<Backend<S>> backend_;
  RowPlan rows_;
  DeviceModel<S> on_device_;
  DeviceWorlds<S> worlds_;
  Data reference_;
  ModelWatch watch_;
  std::unique_ptr<StepPlan> plan_;
  Room room_;
  int growths_ = 0;
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
