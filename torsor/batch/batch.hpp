// Many worlds of one model, stepped together: one world per SIMD lane, packs of worlds spread over threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "torsor/batch/model_watch.hpp"
#include "torsor/batch/value_stages.hpp"
#include "torsor/batch/world_arrays.hpp"
#include "torsor/batch/world_values.hpp"
#include "torsor/core/thread_pool.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

class BatchProgram;
class MemoryFailure;
class RowPlan;
struct BatchFeatures;
enum class BatchPurpose;
template <class S>
class PackSeries;
template <class S>
class PackStep;
template <class S>
class WorldSeries;
template <class S>
struct BatchHand;
template <class S>
struct ConstraintKernels;

// How a batch runs one stage of its step.
struct BatchPlanRow {
  std::string stage;  // "kinematics", "constraint solver", ...
  bool is_wide;       // all lanes of a pack at once; else lane by lane
  std::string why;    // it runs lane by lane
};
// "kinematics          wide", line by line.
std::string to_text(const std::vector<BatchPlanRow>& plan);

// The worlds of a call, and the threads that it runs on.
struct BatchCall {
  const int* worlds = nullptr;  // `count` numbers, none twice; null: all worlds, in their order
  int count = 0;
  int threads = 1;  // 0: one per core
  // If given, the calling thread asks it before each of its packs. Once it returns true no further pack is begun, and
  // the call returns false: worlds that were reached have taken all steps of this call, others none.
  std::function<bool()> should_stop{};
};

// Numbers of one field, step by step: those of step k of the i-th world of a call begin at
// values[(i * steps + k) * stride].
struct FieldSeries {
  int field;  // Batch::find_field()
  double* values;
  size_t stride;
};

struct BatchSteps : BatchCall {
  int steps = 1;
  const FieldSeries* controls = nullptr;  // inputs, written before each step; the last ones stay
  int ncontrols = 0;
  const FieldSeries* records = nullptr;  // any fields, read after each step
  int nrecords = 0;
  // As a loop of step() of one world computes it, to the bit, instead of in lanes.
  bool one_by_one = false;
  // With one_by_one and the flag `sleep`: each world starts like a new Data in its state, and its trees may fall asleep
  // until the end of the call. Otherwise nothing sleeps in a batch, since what sleeps keeps its results, and worlds
  // share theirs.
  bool may_sleep = false;
  // One model per world of the call, of the structure of the batch's model, instead of that; implies one_by_one.
  const Model* const* models = nullptr;
  // Whether the calling thread asks should_stop before each of its steps, too. It should set `stop` then.
  bool ask_each_step = false;
  // For calls that are watched: any thread may set `stop`, which ends all worlds after their current step; `done`
  // counts steps of worlds; taken[i] becomes the number of steps that the i-th world of the call has taken.
  const std::atomic<bool>* stop = nullptr;
  std::atomic<int64_t>* done = nullptr;
  int* taken = nullptr;
};

// Only state, input and the results that are asked for are kept per world. The model must outlive the batch and not
// change its structure. Results equal those of one world up to rounding, and do not depend on threads or on which
// worlds run beside a world. Threads and their memory live as long as the batch: a step takes none once all are made.
template <class S>
class BasicBatch {
 public:
  // All worlds in the reference pose. Throws Error for nworld < 1, or for more worlds than the machine has memory for.
  BasicBatch(const Model& model, int nworld);

  ~BasicBatch();
  BasicBatch(const BasicBatch&) = delete;
  BasicBatch& operator=(const BasicBatch&) = delete;

  const Model& model() const { return model_; }
  int nworld() const { return nworld_; }
  int lanes() const { return kernels_->lanes; }

  // The stages of step() in order, for the model, its options and what is bound as they are now.
  std::vector<BatchPlanRow> plan() const;

  // --- steps -------------------------------------------------------------------------------------------------------

  // plan() says which stages run wide; the others run lane by lane within the same step. A world whose numbers blow up
  // is reset in the step in which step() would, unless that is switched off, and counted.
  // Throws Error when a world needs more memory than the model allows: that world stays where its last step led, the
  // others take all their steps.
  bool step(const BatchSteps& call);
  bool step(int steps = 1, int threads = 1, const std::function<bool()>& should_stop = {});
  // Results of forward dynamics for the present state into the arrays of bound results; the state stays.
  void forward(const BatchCall& call);
  // Any field of Data of all worlds after forward dynamics, which is computed now.
  void forward(const std::string& field, double* values, int threads = 1);

  // --- arrays ------------------------------------------------------------------------------------------------------

  // Throws Error for a name that is not one of Data's arrays of numbers, "time" or "eq_active".
  int find_field(const std::string& field) const;
  int field_size(const std::string& field) const;  // numbers per world
  bool is_input_or_state(const std::string& field) const;
  // The numbers of a field, world after world; the address stays as long as the batch lives. State and input are what
  // the next call starts from. Results are written at the end of each step() and forward() from now on, zero before
  // that: those of the last evaluation of forward dynamics, so that after step() they belong to the state before its
  // last step, as those in a Data do. Null for a field without numbers.
  S* bind(const std::string& field);
  // Whether cacc, cfrc_int and cfrc_ext are computed even if no sensor needs them: those of the last evaluation, as
  // compute_rne_post() does after a step.
  void report_body_forces(bool reports);
  // Copies of state and input. Throws Error for other fields.
  void get(const std::string& field, double* values) const;
  void set(const std::string& field, const double* values);

  // --- worlds ------------------------------------------------------------------------------------------------------

  // Back to the reference pose, or to keyframe keys[i] of the model where that is not negative.
  void reset(const BatchCall& call = {}, const int* keys = nullptr);
  void reset_world(int world);
  // State, input and noise of one world, to and from a Data of the same structure. Results of `data` are left alone,
  // and so are the seeds of the batch.
  void get_world(int world, Data& data) const;
  void set_world(int world, const Data& data);

  // Seeds of the noise of sensors; at first the number of the world, so that worlds differ.
  uint64_t* seeds() { return seeds_.data(); }
  // How often each world has drawn noise. With seeds, state and input it is all that later steps depend on.
  uint64_t* noise_steps() { return noise_steps_.data(); }
  // Steps that each world has taken, those before a reset included.
  const int64_t* steps_taken() const { return steps_taken_.data(); }
  // The value of steps_taken() when the numbers of a world last went bad, NaN or huge; -1: not since reset().
  const int64_t* diverged_at() const { return diverged_at_.data(); }
  // Both counters, for a batch that continues another one.
  void set_counters(const int64_t* steps_taken, const int64_t* diverged_at);
  int64_t resets() const { return resets_; }  // steps of a world in which it was reset for that reason

  // --- values per world --------------------------------------------------------------------------------------------

  // Stages that read values of a world's own run lane by lane, as plan() says; where more than that depends on them,
  // worlds are stepped one by one.
  WorldValues& values() { return values_; }
  const WorldValues& values() const { return values_; }
  // set_const() of the models of these worlds. Throws Error, naming the world, before anything has changed.
  void set_const(const BatchCall& call = {});
  Model make_model(int world) const;  // with its values

  // --- queries -----------------------------------------------------------------------------------------------------

  // Calls f(model, data, i) for the i-th world of the call with positions and dof axes computed from its state
  // (compute_kinematics and compute_com_position). Nothing of the batch changes.
  using Query = std::function<void(const Model& model, const Data& data, int i)>;
  void query(const BatchCall& call, const Query& query);

 private:
  friend class PackSeries<S>;
  friend class WorldSeries<S>;

  int count_of(const BatchCall& call) const { return call.worlds ? call.count : nworld_; }
  int world_of(const BatchCall& call, int i) const { return call.worlds ? call.worlds[i] : i; }
  void check_call(const BatchCall& call) const;
  bool needs_one_by_one() const { return !values_.empty() && !value_stages_; }
  void require_kept(int field, const std::string& name) const;
  void refresh(const FieldSet& recorded = {});
  void refresh_reference();
  void weigh_forces();
  void ensure_hands(int threads, bool one_by_one);
  void share_room();
  bool step_packs(const BatchSteps& call);
  bool step_worlds(const BatchSteps& call);
  void step_pack(const BatchSteps& call, int pack, BatchHand<S>& hand, const PackStep<S>* pack_step);
  void step_smooth_pack(const BatchSteps& call, BatchHand<S>& hand, PackSeries<S>& series);
  void step_world(const BatchSteps& call, int i, BatchHand<S>& hand, MemoryFailure& failure);
  const Model& model_of(const BatchSteps& call, int i, BatchHand<S>& hand, bool with_sensors) const;
  bool sorts_worlds(const BatchCall& call) const;
  void sort_worlds(const BatchCall& call);
  void load_pack(const BatchCall& call, int pack, const int* order, BatchHand<S>& hand) const;
  void store_pack(BatchHand<S>& hand, bool with_input);
  void load_world(int world, BatchHand<S>& hand) const;
  void store_world(int world, const BatchHand<S>& hand);
  void take_results(const BatchHand<S>& hand, int world);
  BatchPurpose purpose() const;
  void report_forces(const Model& model, Data& data) const;
  void mark_diverged(int world, int64_t step) { diverged_at_[static_cast<size_t>(world)] = step; }

  const Model& model_;
  const LaneKernels<S>* kernels_;  // of the instruction set that was current when the batch was made
  std::unique_ptr<ConstraintKernels<S>> constraints_;  // of the same
  int nworld_;
  WorldArrays<S> arrays_;
  std::vector<S> eq_active_;  // nworld x neq, zero or not
  WorldValues values_;
  Data reference_;                         // a world as reset() leaves it
  const FieldSet readings_;                // what sensors compute
  std::vector<double> reference_numbers_;  // the reference in the order of a block
  std::vector<double> force_weights_;      // LaneResets::weight
  std::vector<uint64_t> seeds_, noise_steps_;
  std::vector<int64_t> steps_taken_, diverged_at_;
  std::vector<uint8_t> contacts_;  // of each world per step of its last call, in quarters, at most 255
  std::vector<int> order_;         // places in a call, those of worlds with most contacts first

  ModelWatch watch_;
  // With values per world: the stages that they concern; none: worlds are stepped one by one.
  std::optional<ValueStages> value_stages_;
  size_t values_seen_ = 0;                   // fields with values per world that this follows
  bool is_stale_ = true;                     // what follows from the model is not made yet, or of older values
  FieldSet program_results_;                 // that the program computes
  std::unique_ptr<BatchFeatures> features_;  // that the program was made for
  std::unique_ptr<BatchProgram> program_;
  std::unique_ptr<RowPlan> row_plan_;                 // of the model as it is now
  std::vector<std::unique_ptr<BatchHand<S>>> hands_;  // one per thread, kept from call to call
  ThreadPool pool_;
  std::atomic<int64_t> resets_{0};
  bool reports_forces_ = false;
};

using Batch = BasicBatch<double>;
using FloatBatch = BasicBatch<float>;

}  // namespace torsor
