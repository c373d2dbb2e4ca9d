// Whole steps of many worlds on a device: speed, and how far its states are from those of worlds in lanes.
//     torsor_bench_gpu MODEL [--worlds 8192,32768] [--steps 200] [--settle 1000] [--double] [--host] [--check]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "torsor/batch/batch.hpp"
#include "torsor/core/error.hpp"
#include "torsor/gpu/device_batch.hpp"
#include "torsor/load/load.hpp"

namespace {

using namespace torsor;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Different controls for each world, held; a part of their range.
std::vector<double> random_controls(const Model& model, int worlds, double part) {
  std::mt19937 bits(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> controls(static_cast<size_t>(worlds) * static_cast<size_t>(model.nu));
  for (size_t k = 0; k < controls.size(); ++k) {
    const auto u = static_cast<ptrdiff_t>(k % static_cast<size_t>(model.nu));
    const double low = model.actuator_ctrllimited[u] ? model.actuator_ctrlrange[2 * u] : -1,
                 high = model.actuator_ctrllimited[u] ? model.actuator_ctrlrange[2 * u + 1] : 1;
    controls[k] = 0.5 * (low + high) + part * 0.5 * (high - low) * uniform(bits);
  }
  return controls;
}

struct Run {
  gpu::Device device;
  gpu::Number number;
  int steps, settle;
};

void measure(const Model& model, const Run& run, int worlds) {
  const auto start = Clock::now();
  const auto batch = gpu::DeviceBatch::make(model, worlds, run.number, run.device);
  if (model.nu > 0) batch->set("ctrl", random_controls(model, worlds, 0.3).data());
  batch->step(1, nullptr);
  const double first = seconds_since(start);
  for (int k = 0; k < run.settle; k += 100) batch->step(std::min(100, run.settle - k), nullptr);
  double best = 1e30, sum = 0;
  constexpr int kRounds = 5;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = Clock::now();
    batch->step(run.steps, nullptr);
    const double taken = seconds_since(begin);
    best = std::min(best, taken);
    sum += taken;
  }
  const double rate = 1e-6 * worlds * run.steps;
  std::printf(
      "%7d worlds: %8.2f million steps/s (mean %.2f), first step %.2f s, %zu bytes per world, room for %d contacts "
      "and %d rows after %d growths, %lld resets\n",
      worlds, rate / best, rate * kRounds / sum, first, batch->bytes_per_world(), batch->contact_capacity(),
      batch->row_capacity(), batch->growths(), static_cast<long long>(batch->resets()));
  std::fflush(stdout);
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, scale = 1e-6;
  for (size_t k = 0; k < a.size(); ++k) {
    scale = std::max(scale, std::fabs(b[k]));
    worst = std::fabs(a[k] - b[k]) > worst || std::isnan(a[k]) != std::isnan(b[k]) ? std::fabs(a[k] - b[k]) : worst;
  }
  return worst / scale;
}

// Steps from equal states, along a trajectory of the lanes, whose numbers are of the same type.
template <class S>
void check(const Model& model, const Run& run) {
  constexpr int kWorlds = 200, kSteps = 300;
  BasicBatch<S> lanes(model, kWorlds);
  const auto batch = gpu::DeviceBatch::make(model, kWorlds, run.number, run.device);
  if (model.nu > 0) {
    const std::vector<double> controls = random_controls(model, kWorlds, 0.3);
    lanes.set("ctrl", controls.data());
    batch->set("ctrl", controls.data());
  }
  double worst = 0, worst_position = 0;
  const auto get = [](auto& from, const char* field) {
    std::vector<double> values(static_cast<size_t>(from.nworld() * from.field_size(field)));
    from.get(field, values.data());
    return values;
  };
  for (int k = 0; k < kSteps; ++k) {
    for (const char* field : {"time", "qpos", "qvel", "act", "qacc_warmstart"}) {
      const std::vector<double> values = get(lanes, field);
      if (!values.empty()) batch->set(field, values.data());
    }
    lanes.step();
    batch->step(1, nullptr);
    worst_position = std::max(worst_position, difference(get(*batch, "qpos"), get(lanes, "qpos")));
    worst = std::max(worst, difference(get(*batch, "qvel"), get(lanes, "qvel")));
  }
  std::printf(
      "%s: over %d steps of %d worlds, largest difference from lanes of the same type: qpos %.1e, qvel %.1e; %d "
      "growths\n",
      run.number == gpu::Number::kFloat ? "float" : "double", kSteps, kWorlds, worst_position, worst, batch->growths());
  std::fflush(stdout);
}

std::vector<int> numbers_of(const std::string& text) {
  std::vector<int> numbers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) numbers.push_back(std::stoi(word));
  return numbers;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    std::string path, worlds = "8192,32768";
    Run run{{gpu::DeviceKind::kCuda, 0}, gpu::Number::kFloat, 200, 1000};
    bool checks = false;
    for (int k = 1; k < count; ++k) {
      const std::string argument = arguments[k];
      const auto value = [&] { return std::string(++k < count ? arguments[k] : "0"); };
      if (argument == "--worlds")
        worlds = value();
      else if (argument == "--steps")
        run.steps = std::stoi(value());
      else if (argument == "--settle")
        run.settle = std::stoi(value());
      else if (argument == "--double")
        run.number = gpu::Number::kDouble;
      else if (argument == "--host")
        run.device.kind = gpu::DeviceKind::kHost;
      else if (argument == "--check")
        checks = true;
      else
        path = argument;
    }
    const Model model = load(path);
    std::printf("%s: %d dofs\n", path.c_str(), model.nv);
    if (checks) {
      run.number == gpu::Number::kFloat ? check<float>(model, run) : check<double>(model, run);
      return 0;
    }
    for (const int n : numbers_of(worlds)) measure(model, run, n);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
