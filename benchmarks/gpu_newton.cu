// The kernels of torsor/gpu/newton.hpp on a CUDA device: the same random problems there and on the host, then solves
// per second of a humanoid with contacts. In the root of the repository:
//     nvcc -O3 -std=c++20 -arch=sm_90 --expt-relaxed-constexpr -I. benchmarks/gpu_newton.cu torsor/gpu/newton*.cu
//     torsor/gpu/newton.cpp -o gpu_newton
//     ./gpu_newton
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "benchmarks/gpu_newton_problems.hpp"

namespace torsor::gpu {
namespace {

void check(int error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(cudaError_t(error)));
  std::exit(1);
}
bool failed = false;
void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  failed = true;
}

// The arrays of problems on the device.
template <class S>
class OnDevice {
 public:
  ConstraintArrays<S> arrays;
  IslandLists lists;
  NewtonScratch<S> scratch;

  explicit OnDevice(Problems<S>& from) : from_(from) {
    Problems<S>& p = from;
    const ConstraintArrays<S> host = p.arrays;
    p.for_each_array([&](auto*& pointer, auto& array) { pointer = upload(array); });
    arrays = p.arrays;
    p.arrays = host;
    lists = {upload(p.islands), upload(p.indices), upload(p.counts), int(p.islands.size())};
    scratch.groups = 2048;
    scratch.stride = newton_scratch_stride(arrays.nv, arrays.row_capacity, arrays.elliptic);
    scratch.numbers = upload(std::vector<S>(scratch.groups * scratch.stride));
  }
  ~OnDevice() {
    for (void* pointer : memory_) cudaFree(pointer);
  }
  void launch(cudaStream_t stream) { check(launch_newton(arrays, lists, scratch, stream), "launch_newton"); }
  template <class T>
  std::vector<T> download(const T* from, std::size_t count) const {
    std::vector<T> to(count);
    check(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "copy from the device");
    return to;
  }
  std::vector<S> qacc() const { return download(arrays.qacc.base, from_.qacc.size()); }
  std::vector<int> iterations() const { return download(arrays.iterations, from_.iterations.size()); }

 private:
  Problems<S>& from_;
  std::vector<void*> memory_;

  template <class T>
  T* upload(const std::vector<T>& v) {
    void* to = nullptr;
    check(cudaMalloc(&to, std::max<std::size_t>(1, v.size()) * sizeof(T)), "allocate");
    check(cudaMemcpy(to, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice), "copy to the device");
    memory_.push_back(to);
    return static_cast<T*>(to);
  }
};

// the time of one launch as a CUDA graph, the least of some runs
template <class S>
double run_as_graph(OnDevice<S>& device, int runs) {
  cudaStream_t stream;
  check(cudaStreamCreate(&stream), "stream");
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin of the graph");
  device.launch(stream);
  check(cudaStreamEndCapture(stream, &graph), "end of the graph");
  check(cudaGraphInstantiate(&executable, graph, 0), "graph");
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  float least = 1e30f;
  for (int k = 0; k < runs; ++k) {
    check(cudaEventRecord(begin, stream), "event");
    check(cudaGraphLaunch(executable, stream), "launch of the graph");
    check(cudaEventRecord(end, stream), "event");
    check(cudaEventSynchronize(end), "kernels");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end), "event");
    least = std::min(least, ms);
  }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  return least;
}

// Largest difference in each island, relative to its largest number, sorted. NaN agrees with NaN.
template <class S>
std::vector<double> differences(const Problems<S>& p, const std::vector<S>& ours) {
  std::vector<double> all;
  for (const Island& island : p.islands) {
    double most = 0, size = 1;
    for (int i = island.first_dof; i < island.first_dof + island.dofs; ++i) {
      const std::size_t at = &p.arrays.qacc.at(island.world, i) - p.qacc.data();
      const double a = ours[at], b = p.qacc[at];
      if (std::isnan(a) && std::isnan(b)) continue;
      most = std::isnan(a - b) ? INFINITY : std::max(most, std::abs(a - b));
      size = std::max(size, std::abs(b));
    }
    all.push_back(most / size);
  }
  std::sort(all.begin(), all.end());
  return all;
}

template <class S>
void compare(const char* name, const ProblemKind& kind, unsigned seed) {
  Problems<S> problems(kind, 200, seed);
  problems.arrays.options.iterations = 100;
  problems.arrays.options.tolerance = sizeof(S) == 8 ? 1e-12 : 1e-7;
  problems.b[problems.islands[0].first_row] = std::numeric_limits<S>::quiet_NaN();
  std::vector<S> scratch(newton_scratch_stride(problems.arrays.nv, problems.arrays.row_capacity, kind.elliptic));
  OnDevice<S> device(problems);
  run_as_graph(device, 1);
  run_newton_on_host<S>(problems.arrays, problems.lists(), {scratch.data(), std::ptrdiff_t(scratch.size()), 1});
  const std::vector<double> d = differences(problems, device.qacc());
  const std::vector<int> iterations = device.iterations();
  int same = 0;
  for (std::size_t k = 0; k < iterations.size(); ++k) same += iterations[k] == problems.iterations[k];
  std::printf("%-28s %s  islands by class", name, sizeof(S) == 8 ? "double" : "float ");
  for (const int count : problems.counts) std::printf(" %5d", count);
  std::printf("   difference: median %.1e, 99%% %.1e, most %.1e, same iterations %.1f %%\n", d[d.size() / 2],
              d[d.size() * 99 / 100], d.back(), 100.0 * same / iterations.size());
  expect(d.back() < (sizeof(S) == 8 ? 1e-7 : 1e-2), "the device finds what the host finds");
  expect(d[d.size() * 99 / 100] < (sizeof(S) == 8 ? 1e-9 : 1e-3), "the device finds what the host finds, closely");
  expect(std::isnan(double(device.qacc()[0])) || problems.islands[0].first_row == problems.islands[1].first_row,
         "a NaN marks its island");
}

template <class S>
void measure(bool elliptic, int worlds) {
  Problems<S> problems({humanoid_parents(), elliptic}, worlds, 7);
  problems.arrays.options.iterations = 50;
  problems.arrays.options.ls_iterations = 20;
  problems.arrays.options.tolerance = sizeof(S) == 8 ? 1e-8 : 1e-6;
  {
    OnDevice<S> first(problems);
    run_as_graph(first, 1);
    const std::vector<S> qacc = first.qacc();
    // the warm start of a step: near the solution, with some rows in another zone
    for (std::size_t k = 0; k < qacc.size(); ++k) problems.warm[k] = qacc[k] + S(0.3 * problems.normal());
  }
  problems.arrays.force = problems.arrays.unit_force = nullptr;
  OnDevice<S> device(problems);
  device.arrays.force = device.arrays.unit_force = nullptr;
  const double ms = run_as_graph(device, 9);
  double sum = 0, rows = 0;
  int most = 0;
  for (const int n : device.iterations()) sum += n, most = std::max(most, n);
  for (const Island& island : problems.islands) rows += rows_of(island);
  std::printf("humanoid, %s %s %6d worlds %8.3f ms %7.2f million solves/s  iterations mean %.2f, most %d, rows %.1f\n",
              sizeof(S) == 8 ? "double" : "float ", elliptic ? "cones   " : "pyramids", worlds, ms, worlds / ms / 1e3,
              sum / worlds, most, rows / worlds);
}

template <class S>
void compare_all() {
  std::mt19937 bits(3);
  for (const bool elliptic : {false, true}) {
    const ProblemKind mixed{{}, elliptic, 6, 2, {2, 1, 1}, 0.5};
    ProblemKind small = mixed, large = mixed, rows = mixed;
    small.parent = random_parents(bits, {3, 6, 12, 7, 5});
    large.parent = random_parents(bits, {27, 10, 20, 30, 45});
    rows.parent = random_parents(bits, {6, 20});
    rows.contacts[0] = rows.contacts[2] = 12;
    compare<S>(elliptic ? "small islands, cones" : "small islands, pyramids", small, 1);
    compare<S>(elliptic ? "large islands, cones" : "large islands, pyramids", large, 2);
    compare<S>(elliptic ? "many rows, cones" : "many rows, pyramids", rows, 3);
    compare<S>(elliptic ? "humanoids, cones" : "humanoids, pyramids", {humanoid_parents(), elliptic}, 4);
  }
}

}  // namespace
}  // namespace torsor::gpu

int main() {
  using namespace torsor::gpu;
  compare_all<double>();
  compare_all<float>();
  for (const bool elliptic : {false, true}) {
    for (const int worlds : {8192, 32768}) measure<float>(elliptic, worlds);
    measure<double>(elliptic, 8192);
  }
  std::printf(failed ? "FAILED\n" : "all comparisons hold\n");
  return failed;
}
