// Threads: one Model for all, one Data for each thread, and the work dealt out by a counter.
#include <torsor/torsor.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr const char* kDrop = R"(
<mujoco model="drop">
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.5"><freejoint/><geom type="box" size="0.1 0.07 0.05"/></body>
  </worldbody>
</mujoco>)";
constexpr int kRuns = 64, kSteps = 500;

// How high the box is after a while, thrown with a speed that depends on the run.
double simulate(const torsor::Model& model, torsor::Data& data, int run) {
  torsor::reset(model, data);
  data.qvel[2] = 0.05 * run;
  data.qvel[3] = 1 + 0.1 * run;
  for (int i = 0; i < kSteps; ++i) torsor::step(model, data);
  return data.qpos[2];
}

std::vector<double> simulate_all(const torsor::Model& model, int thread_count) {
  std::vector<double> heights(kRuns);
  std::atomic<int> next{0};
  const auto work = [&] {
    torsor::Data data(model);  // made in its thread: its memory is near
    for (int run = next++; run < kRuns; run = next++) heights[static_cast<size_t>(run)] = simulate(model, data, run);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return heights;
}

}  // namespace

int main() {
  const torsor::Model model = torsor::load_string(kDrop);  // constant: no thread changes it
  const std::vector<double> alone = simulate_all(model, 1);
  for (const int threads : {2, 5}) {
    if (simulate_all(model, threads) != alone) return EXIT_FAILURE;  // the same bits
    std::printf("%d runs of %d steps on %d threads: the same to the bit as on one\n", kRuns, kSteps, threads);
  }
  return EXIT_SUCCESS;
}
