// A CUDA device: one thread for each world, but for the solver.
#include <cuda_runtime.h>

#include <string>

#include "torsor/core/error.hpp"
#include "torsor/gpu/backend.hpp"
#include "torsor/gpu/kernels/constraints.hpp"
#include "torsor/gpu/kernels/stages.hpp"
#include "torsor/gpu/narrow_launch.hpp"
#include "torsor/gpu/own_values_launch.hpp"

namespace torsor::gpu {
namespace {

// A warp: where there are few worlds, they are spread over all multiprocessors.
constexpr int kThreads = 32;

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
template <class S>
__global__ void __launch_bounds__(kThreads)
    run_stages_of_worlds(const __grid_constant__ WorldView<S> view, const __grid_constant__ StageList list) {
  if (this_world() < view.worlds) run_stages(view, list, this_world());
}
template <class S>
__global__ void __launch_bounds__(kThreads)
    find_contacts_of_worlds(const __grid_constant__ WorldView<S> view,
                            const __grid_constant__ ConstraintView<S> constraints, bool is_step) {
  if (this_world() < view.worlds) find_contacts(view, constraints, is_step, this_world());
}
// A group of threads for each world: many where rows are long.
constexpr int kRowThreads = 128;
template <int kRowGroup, class S>
__global__ void __launch_bounds__(kRowThreads)
    constrain_worlds(const __grid_constant__ WorldView<S> view, const __grid_constant__ ConstraintView<S> constraints,
                     bool is_step) {
  const int world = int(blockIdx.x * blockDim.x + threadIdx.x) / kRowGroup;
  if (world < view.worlds) constrain_world<kRowGroup>(view, constraints, is_step, world);
}

template <class S>
class CudaBackend final : public Backend<S> {
 public:
  explicit CudaBackend(int device) : device_(device) {
    use_device();
    check(cudaStreamCreateWithFlags(&recorder_, cudaStreamNonBlocking), "making a stream");
    check(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming), "making an event");
    for (int k = 0; k < kStrands; ++k) {
      check(cudaStreamCreateWithFlags(&strands_[k], cudaStreamNonBlocking), "making a stream");
      check(cudaEventCreateWithFlags(&joins_[k], cudaEventDisableTiming), "making an event");
    }
  }
  ~CudaBackend() override {
    cudaSetDevice(device_);
    if (graph_) cudaGraphExecDestroy(graph_);
    for (int k = 0; k < kStrands; ++k) {
      cudaEventDestroy(joins_[k]);
      cudaStreamDestroy(strands_[k]);
    }
    cudaEventDestroy(fork_);
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

  void use_strand(int strand) override {
    if (strand == strand_) return;
    if (strand_ == 0) {
      root_ = stream_;
      check(cudaEventRecord(fork_, root_), "beginning strands");
    } else {
      check(cudaEventRecord(joins_[strand_ - 1], stream_), "ending a strand");
      used_[strand_ - 1] = true;
    }
    strand_ = strand;
    stream_ = strand == 0 ? root_ : strands_[strand - 1];
    if (strand > 0) return check(cudaStreamWaitEvent(stream_, fork_), "beginning a strand");
    for (int k = 0; k < kStrands; ++k) {
      if (used_[k]) check(cudaStreamWaitEvent(root_, joins_[k]), "joining strands");
      used_[k] = false;
    }
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
    if (list.reads_own_values) return check_own(launch_own_stages(view, list, stream_));
    run_stages_of_worlds<<<blocks(view), kThreads, 0, stream_>>>(view, list);
    check_launch();
  }
  void find_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    if (constraints.plan.models) return check_own(launch_own_contacts(view, constraints, is_step, stream_));
    find_contacts_of_worlds<<<blocks(view), kThreads, 0, stream_>>>(view, constraints, is_step);
    check_launch();
    if (constraints.plan.narrow_kinds != 0)
      check(static_cast<cudaError_t>(launch_narrow(constraints, stream_)), "launching the narrow phase");
  }
  void constrain(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    if (constraints.plan.models) return check_own(launch_own_rows(view, constraints, is_step, stream_));
    if (view.model.nv <= 16)
      constrain_in_groups<8>(view, constraints, is_step);
    else
      constrain_in_groups<32>(view, constraints, is_step);
    check_launch();
  }
  void solve(const ConstraintArrays<S>& problem, const IslandLists& lists, const NewtonScratch<S>& scratch,
             unsigned classes) override {
    check(static_cast<cudaError_t>(launch_newton(problem, lists, scratch, stream_, classes)), "launching the solver");
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
  void use_device() const { check(cudaSetDevice(device_), "choosing the device"); }
  template <int kRowGroup>
  void constrain_in_groups(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) {
    constexpr int kWorlds = kRowThreads / kRowGroup;
    const int count = (view.worlds + kWorlds - 1) / kWorlds;
    constrain_worlds<kRowGroup><<<count, kRowThreads, 0, stream_>>>(view, constraints, is_step);
  }
  static int blocks(const WorldView<S>& view) { return (view.worlds + kThreads - 1) / kThreads; }
  static void check_own(int error) {
    check(static_cast<cudaError_t>(error), "launching a kernel of worlds with values of their own");
  }
  static void check_launch() { check(cudaGetLastError(), "launching a kernel"); }

  const int device_;
  cudaStream_t stream_ = nullptr, recorder_ = nullptr;
  static constexpr int kStrands = 3;
  int strand_ = 0;
  bool used_[kStrands] = {};
  cudaStream_t root_ = nullptr, strands_[kStrands] = {};
  cudaEvent_t fork_ = nullptr, joins_[kStrands] = {};
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
