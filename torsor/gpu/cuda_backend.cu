// A CUDA device: teams of threads for the stages of worlds, groups of threads for rows and solvers.
#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "torsor/core/error.hpp"
#include "torsor/gpu/backend.hpp"
#include "torsor/gpu/force_launch.hpp"
#include "torsor/gpu/narrow_launch.hpp"
#include "torsor/gpu/own_values_launch.hpp"
#include "torsor/gpu/solve.hpp"
#include "torsor/gpu/solver_rows_launch.hpp"
#include "torsor/gpu/team_kernels.hpp"
#include "torsor/gpu/tree_launch.hpp"
#include "torsor/gpu/world_stage_launch.hpp"

namespace torsor::gpu {
namespace {

// A warp: where there are few worlds, they are spread over all multiprocessors.
constexpr int kThreads = kTeamWorlds;

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw Error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(error));
}

template <class S>
__global__ void __launch_bounds__(kThreads)
    load_worlds(const __grid_constant__ WorldView<S> view, const __grid_constant__ TransferList<S> list) {
  if (this_world() < view.worlds) load_world(view, list, this_world());
}
template <class S>
__global__ void __launch_bounds__(kThreads)
    store_worlds(const __grid_constant__ WorldView<S> view, const __grid_constant__ TransferList<S> list) {
  if (this_world() < view.worlds) store_world(view, list, this_world());
}
template <class S>
__global__ void aim_worlds(const __grid_constant__ Progress<S> progress, int worlds, const __grid_constant__ Aim aim) {
  if (this_world() < worlds) aim_world(progress, aim, this_world());
}
template <class S>
__global__ void put_worlds(const __grid_constant__ WorldView<S> view, const __grid_constant__ TransferList<S> state,
                           const S* pose, const std::uint8_t* mask) {
  if (this_world() < view.worlds) put_world(view, state, pose, mask, this_world());
}
// A group of threads for each world: many where rows are long. Those of a block have neighbouring worlds, whose numbers
// stand side by side.
template <int kRowGroup, int kRowThreads, bool kPlain, class S>
__global__ void __launch_bounds__(kRowThreads, std::max((sizeof(S) == 4 ? 6 : 4) * 128 / kRowThreads, 1))
    constrain_worlds(const __grid_constant__ WorldView<S> view, const __grid_constant__ ConstraintView<S> constraints,
                     bool is_step) {
  const int world = int(blockIdx.x * blockDim.x + threadIdx.x) / kRowGroup;
  if (world < view.worlds)
    constrain_world<kRowGroup, false, IslandSolver::kNewton, kPlain>(view, constraints, is_step, world);
}

template <class S>
class CudaBackend final : public Backend<S> {
 public:
  explicit CudaBackend(int device) : device_(device) {
    use_device();
    check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device), "asking for its size");
    check(cudaStreamCreateWithFlags(&recorder_, cudaStreamNonBlocking), "making a stream");
    for (int k = 0; k < kStrands; ++k) {
      if (k > 0) check(cudaStreamCreateWithFlags(&strands_[k], cudaStreamNonBlocking), "making a stream");
      check(cudaEventCreateWithFlags(&events_[k], cudaEventDisableTiming), "making an event");
    }
  }
  ~CudaBackend() override {
    cudaSetDevice(device_);
    if (graph_) cudaGraphExecDestroy(graph_);
    for (int k = 0; k < kStrands; ++k) {
      cudaEventDestroy(events_[k]);
      if (k > 0) cudaStreamDestroy(strands_[k]);
    }
    cudaStreamDestroy(recorder_);
  }

  void* allocate(std::size_t bytes) override {
    use_device();
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes > 0 ? bytes : 1) != cudaSuccess) {
      cudaGetLastError();  // forgotten: the caller says what was too large
      return nullptr;
    }
    check(cudaMemsetAsync(memory, 0, bytes, stream_), "clearing memory");
    return memory;
  }
  void release(void* memory) override {
    cudaSetDevice(device_);
    cudaFree(memory);
  }
  std::size_t free_bytes() override {
    use_device();
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    return free;
  }
  void upload(void* to, const void* from, std::size_t bytes) override {
    use_device();
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "copying to the device");
    check(cudaStreamSynchronize(stream_), "copying to the device");  // `from` may go away
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    use_device();
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "copying from the device");
    check(cudaStreamSynchronize(stream_), "a step");
  }
  void clear(void* memory, std::size_t bytes) override {
    use_device();
    check(cudaMemsetAsync(memory, 0, bytes, stream_), "clearing memory");
  }
  void use_stream(void* stream) override { stream_ = static_cast<cudaStream_t>(stream); }
  void synchronize() override {
    use_device();
    check(cudaStreamSynchronize(stream_), "a step");
  }

  void use_strand(int strand, unsigned after) override {
    if (strand_ == 0) root_ = stream_;
    strand_ = strand;
    stream_ = stream_of(strand);
    for (int k = 0; k < kStrands; ++k) {
      if (k == strand || (strand > 0 && !(after >> k & 1)) || (k > 0 && !used_[k])) continue;
      check(cudaEventRecord(events_[k], stream_of(k)), "ending a part");
      check(cudaStreamWaitEvent(stream_, events_[k]), "beginning a part");
    }
    used_[strand] = true;
    if (strand == 0) std::fill_n(used_, kStrands, false);
  }

  void load(const WorldView<S>& view, const TransferList<S>& list) override {
    load_worlds<<<blocks(view), kThreads, 0, stream_>>>(view, list);
    check_launch();
  }
  void store(const WorldView<S>& view, const TransferList<S>& list) override {
    store_worlds<<<blocks(view), kThreads, 0, stream_>>>(view, list);
    check_launch();
  }
  void aim(const WorldView<S>& view, const Aim& aim) override {
    aim_worlds<<<blocks(view), kThreads, 0, stream_>>>(view.progress, view.worlds, aim);
    check_launch();
  }
  void put(const WorldView<S>& view, const TransferList<S>& state, const S* pose, const std::uint8_t* mask) override {
    put_worlds<<<blocks(view), kThreads, 0, stream_>>>(view, state, pose, mask);
    check_launch();
  }
  void take_values(const WorldView<S>& view, const ValueList<S>& list) override {
    use_device();
    check_own(launch_take_values(view, list, stream_));
  }
  void run_stages(const WorldView<S>& view, const StageList& list) override {
    const Division division = division_of(list, view.model);
    const dim3 threads(kThreads, division.any ? members_for(view) : 1);
    if (list.reads_own_values) return check_own(launch_own_stages(view, list, threads.y, stream_));
    const auto kernel = division.all ? run_stages_of_worlds<false, true, S> : run_stages_of_worlds<false, false, S>;
    kernel<<<blocks(view), threads, 0, stream_>>>(view, list);
    check_launch();
  }
  void run_world_stage(const WorldView<S>& view, WorldStage stage, const StageList& flags) override {
    check(static_cast<cudaError_t>(launch_world_stage(view, stage, flags, stream_)), "launching a stage of worlds");
  }
  void solve_trees(const WorldView<S>& view, TreeEquation equation, bool is_step) override {
    check(static_cast<cudaError_t>(launch_tree_solve(view, equation, is_step, stream_)), "launching a solver");
  }
  void find_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    if (constraints.plan.models) return check_own(launch_own_contacts(view, constraints, is_step, stream_));
    const int members = contact_members(constraints, members_for(view) > 2);
    find_contacts_of_worlds<false><<<blocks(view), dim3(kThreads, members), 0, stream_>>>(view, constraints, is_step);
    check_launch();
    if (constraints.plan.narrow_kinds != 0)
      check(static_cast<cudaError_t>(launch_narrow(constraints, stream_)), "launching the narrow phase");
  }
  void constrain(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    if (has_rows_of_its_own(constraints.problem.method))
      return check(static_cast<cudaError_t>(launch_solver_rows(view, constraints, is_step, stream_)), "launching rows");
    if (constraints.plan.models) return check_own(launch_own_rows(view, constraints, is_step, stream_));
    if (view.model.nv <= 16)
      constrain_in_groups<8>(view, constraints, is_step);
    else
      constrain_in_groups<16>(view, constraints, is_step);
    check_launch();
  }
  // Few islands are large, and one of them may take long: those are solved beside the others. Classes with scratch
  // share it.
  void solve(const ConstraintArrays<S>& problem, const IslandLists& lists, const NewtonScratch<S>& scratch,
             unsigned classes) override {
    if (problem.method != IslandSolver::kNewton)
      return check(static_cast<cudaError_t>(launch_solver(problem, lists, scratch, stream_, classes)),
                   "launching the solver");
    constexpr int kParts = 3;
    constexpr unsigned kWithScratch = ~0u << kManyRows, kSmall = (1u << kSmallClasses) - 1;
    const unsigned parts[kParts] = {classes & kSmall, classes & ~kSmall & ~kWithScratch, classes & kWithScratch};
    const cudaStream_t main = stream_;
    check(cudaEventRecord(events_[0], main), "launching the solver");
    for (int k = kParts - 1; k >= 0; --k) {
      const bool is_beside = k > 0 && parts[k] != classes;
      if (parts[k] == 0) continue;
      if (is_beside) check(cudaStreamWaitEvent(strands_[k], events_[0]), "launching the solver");
      const cudaStream_t stream = is_beside ? strands_[k] : main;
      check(static_cast<cudaError_t>(launch_solver(problem, lists, scratch, stream, parts[k])), "launching the solver");
      if (is_beside) check(cudaEventRecord(events_[k], strands_[k]), "launching the solver");
    }
    for (int k = 1; k < kParts; ++k)
      if (parts[k] != 0 && parts[k] != classes) check(cudaStreamWaitEvent(main, events_[k]), "launching the solver");
  }
  void find_forces(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    check_forces(launch_find_forces(view, constraints, is_step, stream_));
  }
  void add_wrenches(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    check_forces(launch_add_wrenches(view, constraints, is_step, stream_));
  }
  void read_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    check_forces(launch_read_contacts(view, constraints, is_step, stream_));
  }

  // As a graph, which costs one launch however many kernels it has.
  void record(const std::function<void()>& work) override {
    use_device();
    const cudaStream_t stream = stream_;
    stream_ = recorder_;
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(recorder_, cudaStreamCaptureModeThreadLocal), "recording a step");
    try {
      work();
    } catch (...) {
      cudaStreamEndCapture(recorder_, &graph);
      stream_ = stream;
      throw;
    }
    stream_ = stream;
    check(cudaStreamEndCapture(recorder_, &graph), "recording a step");
    if (graph_) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
    const cudaError_t error = cudaGraphInstantiate(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    check(error, "recording a step");
  }
  void replay(int times) override {
    use_device();
    for (int k = 0; k < times; ++k) check(cudaGraphLaunch(graph_, stream_), "launching a step");
  }

 private:
  cudaStream_t stream_of(int strand) const { return strand == 0 ? root_ : strands_[strand]; }
  void use_device() const { check(cudaSetDevice(device_), "choosing the device"); }
  // Large blocks share what they read, small ones spread few worlds over all multiprocessors.
  template <int kRowGroup>
  void constrain_in_groups(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) {
    constexpr int kLarge = 512, kSmall = 128;
    const auto launch = [&](auto kernel, int threads) {
      const int worlds = threads / kRowGroup;
      kernel<<<(view.worlds + worlds - 1) / worlds, threads, 0, stream_>>>(view, constraints, is_step);
    };
    const bool is_large = view.worlds * kRowGroup / kLarge >= multiprocessors_ / 2;
    const auto launch_for = [&](auto is_plain) {
      if (is_large)
        launch(constrain_worlds<kRowGroup, kLarge, is_plain(), S>, kLarge);
      else
        launch(constrain_worlds<kRowGroup, kSmall, is_plain(), S>, kSmall);
    };
    is_plain(view, constraints.plan) ? launch_for(std::true_type()) : launch_for(std::false_type());
  }
  // Teams are as large as the device has room for: with many worlds there is work enough for all of it.
  int members_for(const WorldView<S>& view) const {
    constexpr int kWarps = 10, kMost = 4;  // of a multiprocessor, and of a team
    return std::clamp(kWarps * multiprocessors_ / blocks(view), 2, kMost);
  }
  static int blocks(const WorldView<S>& view) { return (view.worlds + kThreads - 1) / kThreads; }
  static void check_own(int error) {
    check(static_cast<cudaError_t>(error), "launching a kernel of worlds with values of their own");
  }
  static void check_forces(int error) {
    check(static_cast<cudaError_t>(error), "launching a kernel of forces of contacts");
  }
  static void check_launch() { check(cudaGetLastError(), "launching a kernel"); }

  const int device_;
  int multiprocessors_ = 1;
  cudaStream_t stream_ = nullptr, recorder_ = nullptr;
  int strand_ = 0;
  bool used_[kStrands] = {};                              // since strand 0 was last used
  cudaStream_t root_ = nullptr, strands_[kStrands] = {};  // strand 0 is the root
  cudaEvent_t events_[kStrands] = {};
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace

template <class S>
std::unique_ptr<Backend<S>> make_cuda_backend(int device) {
  return std::make_unique<CudaBackend<S>>(device);
}
template std::unique_ptr<Backend<float>> make_cuda_backend(int);
template std::unique_ptr<Backend<double>> make_cuda_backend(int);

}  // namespace torsor::gpu
