// Blocks of worlds, and the loops over them.
#include "torsor/batch/batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include <fmt/format.h>
#include <unistd.h>

#include "torsor/batch/pack_step.hpp"
#include "torsor/core/error.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

Batch::Batch(const Model& model, int nworld)
    : model_(model),
      kernels_(&lane_kernels<double>()),
      constraints_(std::make_unique<ConstraintKernels<double>>(ConstraintKernels<double>::current())),
      nworld_(nworld),
      block_size_(kernels_->block_numbers(model)),
      reference_(model) {
  if (nworld < 1) throw Error(fmt::format("a batch needs at least one world, not {}", nworld));
  require_memory_for(nworld);
  blocks_ = Buffer(sizeof(double) * block_size_ * static_cast<size_t>(packs()));
  pack_resets_.assign(static_cast<size_t>(packs()), 0);
  noise_steps_.assign(static_cast<size_t>(packs() * lanes()), 0);
  reset();
  for (size_t i = 0; i < block_size_; i += static_cast<size_t>(lanes())) reference_numbers_.push_back(block(0)[i]);
}

Batch::~Batch() = default;

// All worlds are written at once: more than the machine has would end the process, not throw.
void Batch::require_memory_for(int nworld) const {
  const double bytes = 8.0 * static_cast<double>(block_size_) / lanes() * nworld;
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  constexpr int kMaxWorlds = std::numeric_limits<int>::max() - 64;  // rounded up to whole packs
  if (bytes <= machine && nworld <= kMaxWorlds) return;
  throw Error(fmt::format("a batch of {} worlds of this model takes {:.1f} GiB, but this machine has {:.1f}", nworld,
                          bytes / (1 << 30), machine / (1 << 30)));
}

ptrdiff_t Batch::offset(const std::string& field) const {
  const ptrdiff_t place = kernels_->block_offset(model_, field.c_str());
  if (place < 0) throw Error(fmt::format("'{}' is not a field of a world's state or input", field));
  return place;
}

int Batch::field_size(const std::string& field) const {
  if (field == "time") return 1;
  int size = -1;
  Data& data = const_cast<Data&>(reference_);
  data.for_each_field([&](const FieldInfo& info, Field<double>& values) {
    if (field == info.name) size = values.size();
  });
  if (size < 0) throw Error(fmt::format("'{}' is not a field of Data", field));
  return size;
}

void Batch::get(const std::string& field, double* values) const {
  const ptrdiff_t place = offset(field);
  const int n = field_size(field);
  for (int world = 0; world < nworld_; ++world) {
    const double* from = block(world / lanes()) + place + world % lanes();
    for (int i = 0; i < n; ++i) *values++ = from[i * lanes()];
  }
}

void Batch::set(const std::string& field, const double* values) {
  const ptrdiff_t place = offset(field);
  const int n = field_size(field);
  for (int world = 0; world < nworld_; ++world) {
    double* to = block(world / lanes()) + place + world % lanes();
    for (int i = 0; i < n; ++i) to[i * lanes()] = *values++;
  }
}

// A world's numbers into its block, field by field.
void Batch::put_world(int world, const Data& data) {
  double* to = block(world / lanes()) + world % lanes();
  *to = data.time;
  noise_steps_[static_cast<size_t>(world)] = data.noise_step;
  for (const Stage stage : {Stage::kState, Stage::kInput})
    const_cast<Data&>(data).for_each_field(stage, [&](const FieldInfo&, Field<double>& field) {
      for (const double value : field) *(to += lanes()) = value;
    });
}

// Lanes beyond the last world are worlds too, so that their numbers are always sound.
void Batch::reset() {
  for (int world = 0; world < packs() * lanes(); ++world) put_world(world, reference_);
}

void Batch::reset_world(int world) {
  if (world < 0 || world >= nworld_) throw Error(fmt::format("world {} does not exist: there are {}", world, nworld_));
  put_world(world, reference_);
}

// |a_i| <= sqrt(A_ii) sum_j sqrt(A_jj) |f_j| for A = M^-1, whose diagonal is known in the reference pose. In other
// poses it may be larger, though not by this factor.
void Batch::weigh_forces() {
  constexpr double kLargestFactor = 1000;
  double largest = 0;
  for (const double inverse : model_.dof_invweight0) largest = std::max(largest, inverse);
  force_weights_.assign(static_cast<size_t>(model_.nv), 0.0);
  for (int i = 0; i < model_.nv; ++i)
    force_weights_[static_cast<size_t>(i)] = kLargestFactor / kMaxValue * std::sqrt(largest * model_.dof_invweight0[i]);
}

// The program follows the model's options and values, which may change between calls.
void Batch::refresh_program() {
  if (row_plan_)
    row_plan_->refresh(model_);
  else
    row_plan_ = std::make_unique<RowPlan>(model_);
  const BatchFeatures features(model_, *row_plan_);
  if (program_ && *features_ == features) return;
  program_ = std::make_unique<BatchProgram>(model_, BatchPurpose::kStep);
  features_ = std::make_unique<BatchFeatures>(features);
}

std::vector<BatchPlanRow> Batch::plan() const {
  const BatchProgram program(model_, BatchPurpose::kStep);
  std::vector<BatchPlanRow> rows;
  const BatchStages& stages = program.stages();
  for (const std::vector<BatchStage>* part : {&stages.forward, &stages.observe, &stages.between, &stages.finish}) {
    for (const BatchStage& stage : *part) rows.push_back({stage.name, stage.is_wide, stage.why});
  }
  return rows;
}

std::string to_text(const std::vector<BatchPlanRow>& plan) {
  std::string text;
  for (const BatchPlanRow& row : plan)
    text += row.is_wide ? fmt::format("{:<22} wide\n", row.stage)
                        : fmt::format("{:<22} lane by lane: {}\n", row.stage, row.why);
  return text;
}

void Batch::ensure_workers(int threads) {
  while (workers_.size() < static_cast<size_t>(threads))
    workers_.push_back(std::make_unique<BatchWorker<double>>(model_, *kernels_, *constraints_));
}

void Batch::step_smooth_pack(int pack, int steps, BatchWorker<double>& worker) {
  LaneResets resets;
  if (!model_.opt.disabled(kDisableAutoReset)) resets.reference = reference_numbers_.data();
  resets.weight = force_weights_.data();
  kernels_->step(model_, worker.workspace(), block(pack), steps, resets);
  const int first = pack * lanes(), end = std::min(nworld_, first + lanes());
  for (int which = 0; which < end - first; ++which) {
    uint64_t& noise_step = noise_steps_[static_cast<size_t>(first + which)];
    const bool was_reset = resets.count[which] > 0;
    noise_step =
        was_reset ? static_cast<uint64_t>(steps - resets.last[which]) : noise_step + static_cast<uint64_t>(steps);
    pack_resets_[static_cast<size_t>(pack)] += resets.count[which];
  }
}

bool Batch::step(int steps, int threads, const std::function<bool()>& should_stop) {
  require_settings(model_);
  refresh_program();
  std::fill(pack_resets_.begin(), pack_resets_.end(), 0);
  const bool is_smooth = can_step_smoothly(*program_, *features_);
  if (is_smooth) weigh_forces();
  ensure_workers(thread_count(packs(), threads));
  for (const auto& worker : workers_) worker->use_row_plan(program_->writes_pack_rows() ? row_plan_.get() : nullptr);
  MemoryFailure failure;
  const PackStep<double> pack_step{model_, *program_, reference_numbers_, failure};
  const bool is_complete = parallel_for(
      packs(), threads,
      [&](int pack, int thread) {
        BatchWorker<double>& worker = *workers_[static_cast<size_t>(thread)];
        if (is_smooth) return step_smooth_pack(pack, steps, worker);
        const int first = pack * lanes();
        PackOfWorlds<double> worlds{block(pack), first, std::min(lanes(), nworld_ - first), noise_steps_.data() + first,
                                    0};
        pack_step.run(worker, worlds, steps);
        pack_resets_[static_cast<size_t>(pack)] = worlds.resets;
      },
      should_stop);
  for (const int count : pack_resets_) resets_ += count;
  failure.require_none();
  return is_complete;
}

void Batch::forward(const std::string& field, double* values, int threads) {
  require_settings(model_);
  const size_t n = static_cast<size_t>(field_size(field));
  const BatchProgram program(model_, BatchPurpose::kRead);
  const int index = program.fields().find(field);
  ensure_workers(thread_count(packs(), threads));
  for (const auto& worker : workers_) worker->use_row_plan(nullptr);
  MemoryFailure failure;
  const PackStep<double> pack_step{model_, program, reference_numbers_, failure};
  parallel_for(packs(), threads, [&](int pack, int thread) {
    BatchWorker<double>& worker = *workers_[static_cast<size_t>(thread)];
    const int first = pack * lanes(), count = std::min(lanes(), nworld_ - first);
    PackOfWorlds<double> worlds{block(pack), first, count, noise_steps_.data() + first, 0};
    pack_step.forward(worker, worlds);
    for (int lane = 0; lane < count; ++lane)
      worker.read(program, index, lane, values + static_cast<size_t>(first + lane) * n);
  });
  failure.require_none();
}

}  // namespace torsor
