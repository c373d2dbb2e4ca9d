// What a batch on a device asks of the device. All work is done in the order in which it is asked for; only download()
// and synchronize() wait for it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "torsor/gpu/constraint_view.hpp"
#include "torsor/gpu/device_batch.hpp"
#include "torsor/gpu/kernels/transfer.hpp"
#include "torsor/gpu/step_plan.hpp"
#include "torsor/gpu/value_list.hpp"

namespace torsor::gpu {

template <class S>
class Backend {
 public:
  virtual ~Backend() = default;

  virtual void* allocate(std::size_t bytes) = 0;  // zeroed; null when there is no memory
  virtual void release(void* memory) = 0;
  virtual std::size_t free_bytes() = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
  virtual void clear(void* memory, std::size_t bytes) = 0;
  virtual void use_stream(void* stream) = 0;
  virtual void synchronize() = 0;

  // Kernels that are launched now go to a strand, after all that the strands of a set have so far; see StepPart.
  virtual void use_strand(int strand, unsigned after) = 0;

  // Kernels, all worlds each.
  virtual void load(const WorldView<S>& view, const TransferList<S>& list) = 0;
  virtual void store(const WorldView<S>& view, const TransferList<S>& list) = 0;
  virtual void aim(const WorldView<S>& view, const Aim& aim) = 0;
  virtual void put(const WorldView<S>& view, const TransferList<S>& state, const S* pose, const std::uint8_t* mask) = 0;
  // What users gave to worlds of their own becomes what kernels read; views of models are made anew if the list says
  // so.
  virtual void take_values(const WorldView<S>& view, const ValueList<S>& list) = 0;
  // Where a list says so, each world reads the model that it has in view.models, and its plan of rows where that has
  // models.
  virtual void run_stages(const WorldView<S>& view, const StageList& list) = 0;
  // Of the flags, whether it is a step, and the part of scratch.
  virtual void run_world_stage(const WorldView<S>& view, WorldStage stage, const StageList& flags) = 0;
  virtual void solve_trees(const WorldView<S>& view, TreeEquation equation, bool is_step) = 0;
  virtual void find_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) = 0;
  virtual void constrain(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) = 0;
  // Bit c of `classes`: islands of size class c may occur.
  virtual void solve(const ConstraintArrays<S>& problem, const IslandLists& lists, const NewtonScratch<S>& scratch,
                     unsigned classes) = 0;
  // After the solution, where constraints.forces are kept: those of contacts and equalities, and what they add to
  // cfrc_ext.
  virtual void find_forces(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) = 0;
  virtual void add_wrenches(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) = 0;
  // Touch and contact sensors.
  virtual void read_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) = 0;

  // Work that is asked for again and again: what `work` asks for is done by each replay().
  virtual void record(const std::function<void()>& work) = 0;
  virtual void replay(int times) = 0;
};

template <class S>
std::unique_ptr<Backend<S>> make_host_backend();
// Throws Error when there is no such device.
template <class S>
std::unique_ptr<Backend<S>> make_cuda_backend(int device);

}  // namespace torsor::gpu
