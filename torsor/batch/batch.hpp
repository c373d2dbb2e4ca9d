// Many worlds of one model, stepped together: one world per SIMD lane, packs of worlds spread over threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "torsor/core/buffer.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

class BatchProgram;
template <class S>
class BatchWorker;
template <class S>
struct ConstraintKernels;
class RowPlan;
struct BatchFeatures;

// How a batch runs one stage of its step.
struct BatchPlanRow {
  std::string stage;  // "kinematics", "constraint solver", ...
  bool is_wide;       // all lanes of a pack at once; else lane by lane
  std::string why;    // it runs lane by lane
};
// "kinematics          wide", line by line.
std::string to_text(const std::vector<BatchPlanRow>& plan);

// Only state and input are kept per world. The model must outlive the batch and not change its structure.
// Results equal those of one world up to rounding, and do not depend on threads or on which worlds run beside a world.
// The seed of the noise of sensors is the number of the world, so that worlds differ.
class Batch {
 public:
  // All worlds in the reference pose. Throws Error for nworld < 1, or for more worlds than the machine has memory for.
  Batch(const Model& model, int nworld);

  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  int nworld() const { return nworld_; }
  int lanes() const { return kernels_->lanes; }

  // The stages of step() in order, for the model and its options as they are now.
  std::vector<BatchPlanRow> plan() const;

  // `steps` time steps of every world. plan() says which stages run wide; the others run lane by lane within the same
  // step.
  // A world whose numbers blow up is reset in the step in which step() would, unless that is switched off, and counted.
  // Throws Error when a world needs more memory than the model allows: that world stays where its last step led, the
  // others take all their steps.
  // `should_stop`, if given, is asked by the calling thread before each of its packs. Once it returns true no further
  // pack is begun, and step() returns false: worlds that were reached have taken all steps of this call, others none.
  bool step(int steps = 1, int threads = 1, const std::function<bool()>& should_stop = {});
  int64_t resets() const { return resets_; }

  // A field of State or Input ("qpos", "qvel", "time", "qfrc_applied", ...), world after world. Throws Error when
  // unknown.
  void get(const std::string& field, double* values) const;
  void set(const std::string& field, const double* values);
  int field_size(const std::string& field) const;  // numbers per world
  // Any field of Data of one world after forward dynamics, which is computed now.
  void forward(const std::string& field, double* values, int threads = 1);

  void reset();
  void reset_world(int world);

 private:
  double* block(int pack) const {
    return reinterpret_cast<double*>(blocks_.data()) + static_cast<size_t>(pack) * block_size_;
  }
  int packs() const { return (nworld_ + lanes() - 1) / lanes(); }
  void require_memory_for(int nworld) const;
  ptrdiff_t offset(const std::string& field) const;
  void put_world(int world, const Data& data);
  void weigh_forces();
  void refresh_program();
  void ensure_workers(int threads);
  void step_smooth_pack(int pack, int steps, BatchWorker<double>& worker);

  const Model& model_;
  const LaneKernels<double>* kernels_;  // of the instruction set that was current when the batch was made
  std::unique_ptr<ConstraintKernels<double>> constraints_;  // of the same
  int nworld_;
  size_t block_size_;  // doubles per pack
  Buffer blocks_;
  Data reference_;                         // a world as reset() leaves it
  std::vector<double> reference_numbers_;  // the same in the order of a block
  std::vector<double> force_weights_;      // LaneResets::weight
  std::vector<int> pack_resets_;
  std::vector<uint64_t> noise_steps_;        // per world, as Data::noise_step
  std::unique_ptr<BatchFeatures> features_;  // that the program was made for
  std::unique_ptr<BatchProgram> program_;
  std::unique_ptr<RowPlan> row_plan_;                          // of the model as it is now
  std::vector<std::unique_ptr<BatchWorker<double>>> workers_;  // one per thread, kept from call to call
  int64_t resets_ = 0;
};

}  // namespace torsor
