// Conversions of many states: free bodies between two rows beside a plain copy of the same memory, and whole states of
// a robot through a StateMap.
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <vector>

#include "torsor/bridge/state_map.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/torsor.hpp"

namespace torsor {
namespace {

constexpr size_t kCount = 1'000'000;

std::vector<double> random_states(size_t count) {
  std::mt19937_64 bits(1);
  std::normal_distribution<double> normal;
  std::vector<double> states(13 * count);
  for (double& x : states) x = normal(bits);
  for (size_t i = 0; i < count; ++i) store4(&states[13 * i + 3], normalized(load4(&states[13 * i + 3])));
  return states;
}

void report(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * kCount);
  state.SetBytesProcessed(state.iterations() * kCount * 13 * sizeof(double));
}

void CopyOfStates(benchmark::State& state) {
  const std::vector<double> in = random_states(kCount);
  std::vector<double> out(in.size());
  for (auto _ : state) {
    std::memcpy(out.data(), in.data(), in.size() * sizeof(double));
    benchmark::ClobberMemory();
  }
  report(state);
}
BENCHMARK(CopyOfStates)->Unit(benchmark::kMillisecond);

void StatesOfFreeBodies(benchmark::State& state, const char* from, const char* to) {
  const std::vector<double> in = random_states(kCount);
  std::vector<double> out(in.size());
  BodyPlace<double> body;
  body.p_BoBcm_B = {0.1, 0.2, 0.3};
  const BodyConversion conversion(find_convention(from), find_convention(to), body);
  for (auto _ : state) {
    conversion.states(in.data(), out.data(), kCount);
    benchmark::ClobberMemory();
  }
  report(state);
}
BENCHMARK_CAPTURE(StatesOfFreeBodies, mujoco_to_newton, "mujoco", "newton")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(StatesOfFreeBodies, mujoco_to_drake, "mujoco", "drake")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(StatesOfFreeBodies, mujoco_to_unity, "mujoco", "unity[pose=position first,twist.order=linear first]")
    ->Unit(benchmark::kMillisecond);

// A floating base and 24 hinges: 30 dofs.
std::string robot_text() {
  std::string text = "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='0.1' pos='0.1 0 0'/>";
  for (int limb = 0; limb < 4; ++limb) {
    for (int i = 0; i < 6; ++i) {
      text +=
          "<body pos='0.1 0 0'><joint name='j" + std::to_string(limb) + std::to_string(i) + "'/><geom size='0.05'/>";
    }
    for (int i = 0; i < 6; ++i) text += "</body>";
  }
  return text + "</body></worldbody></mujoco>";
}

void StatesOfARobot(benchmark::State& state) {
  const Model model = load_string(robot_text());
  const StateMap map(model, find_convention("mujoco"), find_convention("isaaclab3"));
  const size_t count = 20'000;
  std::vector<double> q(count * model.nq, 0.1), v(count * model.nv, 0.2), q_out(q.size()), v_out(v.size());
  for (size_t i = 0; i < count; ++i) store4(&q[i * model.nq + 3], normalized(Quat<double>{1, 0.1, 0.2, 0.3}));
  for (auto _ : state) {
    map.positions(q.data(), q_out.data(), count);
    map.velocities(q.data(), v.data(), v_out.data(), count);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * count);
  state.counters["per minute"] = benchmark::Counter(60.0 * state.iterations() * count, benchmark::Counter::kIsRate);
}
BENCHMARK(StatesOfARobot)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace torsor
