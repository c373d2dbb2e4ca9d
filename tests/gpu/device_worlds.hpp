// Worlds of a device beside the same worlds in lanes: of a card where scripts/test_gpu runs the tests on one, else of
// the kernels on this machine's processor.
#pragma once

#include <cstdlib>
#include <functional>
#include <limits>

#include "tests/batch/worlds.hpp"
#include "torsor/core/error.hpp"
#include "torsor/gpu/devices.hpp"
#include "torsor/gpu/host_device.hpp"

namespace torsor::gpu {

inline const bool kOnCard = std::getenv("TORSOR_GPU") != nullptr;
inline const Device kTested{kOnCard ? DeviceKind::kCuda : DeviceKind::kHost, 0};

inline std::vector<double> get_numbers(DeviceBatch& batch, const std::string& field) {
  std::vector<double> values(static_cast<size_t>(batch.nworld() * batch.field_size(field)));
  batch.get(field, values.data());
  return values;
}

// The larger of two differences. One that is no number counts as infinite, whatever comes after it.
inline double worse(double worst, double apart) {
  if (std::isnan(apart)) return std::numeric_limits<double>::infinity();
  return apart <= worst ? worst : apart;
}

// Of the Error that f throws; empty if it throws none.
inline std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// Where rounding decides which way is out of a deep contact, results of the two have nothing to do with each other:
// attach_replicated has cylinders in the same place.
inline Model load_defined(const std::string& file) {
  Model model = load(file);
  if (file.ends_with("attach_replicated.xml")) model.opt.disableflags |= kDisableContact;
  return model;
}

// Calls f(model, file) for all models of features with all integrators and solvers that they can have.
template <class F>
void for_each_feature_variant(F&& f) {
  for (const std::string& file : feature_files()) {
    Model model = load(file);
    for (int solver = 0; solver <= static_cast<int>(SolverType::kSap); ++solver) {
      for (int integrator = 0; integrator <= static_cast<int>(Integrator::kDiscrete); ++integrator) {
        model.opt.solver = solver;
        model.opt.integrator = integrator;
        if (message_of([&] { Batch(model, 1); }).empty()) f(model, file);
      }
    }
  }
}

// The device 'host' as it is to be while this lives; see HostDevice.
class ChangedHost {
 public:
  explicit ChangedHost(const std::function<void(HostDevice&)>& change) { change(host_device()); }
  ~ChangedHost() {
    host_device().threads = before_.threads;
    host_device().bytes = before_.bytes;
    host_device().has_guards = before_.has_guards;
  }
  ChangedHost(const ChangedHost&) = delete;
  ChangedHost& operator=(const ChangedHost&) = delete;

 private:
  const HostDevice before_ = host_device();
};

// Groups of threads as a card has them, the first one ahead or the last one, in batches that are made while this lives.
// Fails where none of some work ran in such groups.
class InGroups {
 public:
  InGroups(HostDevice::Threads threads, std::vector<HostDevice::Work> works)
      : works_(std::move(works)), host_([threads](HostDevice& host) { host.threads = threads; }) {
    std::copy(std::begin(host_device().groups), std::end(host_device().groups), before_);
  }
  ~InGroups() {
    for (const HostDevice::Work work : works_) EXPECT_GT(host_device().groups[work], before_[work]) << work;
  }
  InGroups(const InGroups&) = delete;
  InGroups& operator=(const InGroups&) = delete;

 private:
  const std::vector<HostDevice::Work> works_;
  const ChangedHost host_;
  long before_[HostDevice::kWorks] = {};
};
inline constexpr HostDevice::Threads kOrders[] = {HostDevice::Threads::kForwards, HostDevice::Threads::kBackwards};

// Arrays of a card cannot be read here.
template <class T>
std::vector<T> read_numbers(const void* on_device, size_t count) {
  std::vector<T> numbers(count);
  copy_bytes(kTested, numbers.data(), on_device, count * sizeof(T));
  return numbers;
}
template <class T>
void write_numbers(void* on_device, const std::vector<T>& numbers) {
  copy_bytes(kTested, on_device, numbers.data(), numbers.size() * sizeof(T));
}
// A copy on the device, for as long as this lives.
template <class T>
std::shared_ptr<T> to_device(const std::vector<T>& numbers) {
  const std::shared_ptr<std::uint8_t> memory = allocate_bytes(kTested, numbers.size() * sizeof(T));
  write_numbers(memory.get(), numbers);
  return {memory, reinterpret_cast<T*>(memory.get())};
}
inline std::int64_t steps_of(DeviceBatch& batch, int world) {
  return read_numbers<std::int64_t>(batch.steps_taken(),
                                    static_cast<size_t>(batch.nworld()))[static_cast<size_t>(world)];
}
// The same values per world on both sides: f(value, world, number in its world) changes each.
template <class F>
void vary_both(const std::string& field, Batch& lanes, DeviceBatch& device, F f) {
  const WorldValues::Entry& entry = lanes.values().expand(field);
  const size_t n = entry.bytes / sizeof(double), count = n * static_cast<size_t>(lanes.nworld());
  for (size_t i = 0; i < count; ++i) f(entry.numbers<double>()[i], static_cast<int>(i / n), static_cast<int>(i % n));
  void* const values = device.expand(field);
  const std::vector<double> numbers(entry.numbers<double>(), entry.numbers<double>() + count);
  if (device.number() == Number::kDouble)
    write_numbers(values, numbers);
  else
    write_numbers(values, std::vector<float>(numbers.begin(), numbers.end()));
}

// Both in the same states, off the reference pose.
inline void stir_both(const Model& model, Batch& lanes, DeviceBatch& device) {
  make_worlds(model, lanes);
  for (const char* field : {"time", "qpos", "qvel", "qfrc_applied", "xfrc_applied", "ctrl", "act"}) {
    const std::vector<double> values = get(lanes, field);
    if (!values.empty()) device.set(field, values.data());
  }
}

}  // namespace torsor::gpu
