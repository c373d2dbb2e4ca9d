// Many worlds of one model on a device: the interface of batch/batch.hpp for arrays that live there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "torsor/batch/batch.hpp"

namespace torsor::gpu {

// kHost runs the same kernels on this machine's processor, thread after thread: slow, and there for tests.
enum class DeviceKind { kCuda, kHost };
struct Device {
  DeviceKind kind = DeviceKind::kCuda;
  int number = 0;
};
enum class Number { kFloat, kDouble };

// What the machine has. `why_none` says why there is no device: built without CUDA, no driver, no card.
struct DeviceInfo {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  std::size_t total_bytes = 0, free_bytes = 0;
};
std::vector<DeviceInfo> list_devices(std::string* why_none = nullptr);

// Parts of a model that worlds on a device cannot have, "geom 'rock': height fields collide on the processor only", one
// line each; empty if it can be stepped there.
std::vector<std::string> list_what_device_lacks(const Model& model);

// Numbers of a field, step by step, on the device: those of step k of row r begin at (r * steps + k) * stride.
struct DeviceSeries {
  std::string field;
  void* values;
  int stride;
};

struct DeviceSteps {
  int steps = 1;
  void* stream = nullptr;
  // [nworld] on the device: rows of the arrays below, each once, and -1 for worlds that take no steps; null: all
  // worlds, in their order.
  const int* rows = nullptr;
  int first = 0, total = 1;            // the call takes steps from `first` on of the `total` that the arrays have
  std::vector<DeviceSeries> controls;  // inputs, written before each step; the last ones stay
  std::vector<DeviceSeries> records;   // any fields, read after each step
};

class DeviceBatch {
 public:
  // All worlds in the reference pose. Throws Error, before anything is allocated, for a device that is not there, for
  // parts of the model that it lacks (all of them are named), and for more worlds than fit (says how many do).
  static std::unique_ptr<DeviceBatch> make(const Model& model, int nworld, Number number, Device device);
  virtual ~DeviceBatch() = default;

  virtual const Model& model() const = 0;
  virtual int nworld() const = 0;
  virtual Number number() const = 0;
  virtual Device device() const = 0;
  virtual std::size_t bytes_per_world() const = 0;  // on the device, all arrays together
  virtual std::vector<BatchPlanRow> plan() const = 0;

  // --- arrays. Names and shapes are those of Batch::bind(); numbers are float or double as the batch's -------------
  virtual int find_field(const std::string& field) const = 0;
  virtual int field_size(const std::string& field) const = 0;  // numbers per world
  virtual bool is_input_or_state(const std::string& field) const = 0;
  // Address on the device of (nworld, field_size) numbers, world after world; it stays as long as the batch lives.
  // State and input are what the next call starts from; results are written by step() and forward() from then on, zero
  // before.
  virtual void* bind(const std::string& field) = 0;
  // Whether cacc, cfrc_int and cfrc_ext are computed even if no sensor needs them: those of the last evaluation, as in
  // BasicBatch. Throws Error where the device cannot compute them.
  virtual void report_body_forces(bool reports) = 0;
  // Copies from and to the processor.
  virtual void get(const std::string& field, double* values) = 0;
  virtual void set(const std::string& field, const double* values) = 0;

  // --- steps. Work is put into `stream` (a cudaStream_t; null: the default stream) --------------------------------
  // Returns when the device has finished, since worlds may need room for more contacts or rows: those stop unchanged,
  // and finish when there is room. Throws Error when there is no memory for that.
  virtual void step(const DeviceSteps& call) = 0;
  void step(int steps, void* stream) {
    DeviceSteps call;
    call.steps = steps;
    call.stream = stream;
    step(call);
  }
  // `rows`: as in DeviceSteps, worlds with -1 keep their results.
  virtual void forward(const int* rows, void* stream) = 0;
  void forward(void* stream) { forward(nullptr, stream); }
  // Worlds whose byte in `mask` (nworld bytes on the device; null: all) is not zero go back to the reference pose, or
  // to the keyframe where key >= 0.
  virtual void reset(const std::uint8_t* mask, int key, void* stream) = 0;

  // --- one world -------------------------------------------------------------------------------------------------
  // State and input of one world, to and from a Data of the same structure. Results of `data` are left alone.
  virtual void get_world(int world, Data& data) = 0;
  virtual void set_world(int world, const Data& data) = 0;

  // --- counters, on the device ---------------------------------------------------------------------------------------
  virtual std::int64_t* steps_taken() = 0;  // [nworld]
  virtual std::int64_t* diverged_at() = 0;  // [nworld], see BasicBatch
  virtual std::int64_t resets() = 0;
  // How often room for contacts and rows was made, and what there is now, per world.
  virtual int growths() const = 0;
  virtual int contact_capacity() const = 0;
  virtual int row_capacity() const = 0;

  // --- values of the model per world --------------------------------------------------------------------------------
  // Address on the device of (nworld, size) numbers of a field of the model, all equal to the model's at first. Throws
  // Error for fields that kernels on the device do not read per world.
  virtual void* expand(const std::string& field) = 0;
  virtual bool has_values() const = 0;
  virtual std::vector<std::string> value_names() const = 0;  // of fields with values per world, derived ones included
  // How many numbers a world has of a field of the model; throws Error for fields that no batch has per world.
  virtual int count_values(const std::string& field) const = 0;
  // Values of all worlds as kernels read them from the next call on, [nworld][count_values]; false while worlds share
  // those of the model.
  virtual bool get_values(const std::string& field, double* values) = 0;
  // Checked values of so many worlds (null: the first ones): if they are impossible, nothing changes.
  virtual void set_values(const std::string& field, const int* worlds, int count, const double* values) = 0;
  // set_const() of the models of these worlds, computed on the processor. Throws Error before anything has changed.
  virtual void set_const(const std::vector<int>& worlds, int threads) = 0;
  virtual Model make_model(int world) = 0;  // with its values
};

}  // namespace torsor::gpu
