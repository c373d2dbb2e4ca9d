// Implementation of torsor.DeviceBatch: many worlds of one model on a device. Arguments were checked in Python.
#include "torsor/gpu/device_batch.hpp"

#include <algorithm>
#include <chrono>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "batch_object.hpp"
#include "bindings.hpp"
#include "device_array.hpp"
#include "torsor/model/check.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

struct DeviceBatchObject : BatchOwner {
  DeviceBatchObject(const std::shared_ptr<Model>& owner, int count, gpu::Number number, gpu::Device device)
      : BatchOwner{owner, count, {}, 0}, batch(gpu::DeviceBatch::make(*owner, count, number, device)) {}
  std::unique_ptr<gpu::DeviceBatch> batch;
};
using Handle = nb::handle_t<DeviceBatchObject>;

void make_batch(DeviceBatchObject* self, const ModelObject& model, int nworld, bool is_double, int card) {
  check_editable(*model.model);
  const gpu::Device device =
      card < 0 ? gpu::Device{gpu::DeviceKind::kHost, 0} : gpu::Device{gpu::DeviceKind::kCuda, card};
  gpu::require_device(device);
  const nb::gil_scoped_release release;
  new (self) DeviceBatchObject(model.model, nworld, is_double ? gpu::Number::kDouble : gpu::Number::kFloat, device);
}

// --- arrays ---------------------------------------------------------------------------------------------------------

// The memory belongs to the batch: whoever has the array, or a capsule of it, keeps the batch.
template <class T>
DeviceArrayObject array_of(Handle object, void* data, Shape shape) {
  return {data, std::move(shape), nb::dtype<T>(), nb::cast<DeviceBatchObject&>(object).batch->device(),
          nb::borrow(object)};
}

DeviceArrayObject numbers_of(Handle object, void* data, Shape shape) {
  const bool is_double = nb::cast<DeviceBatchObject&>(object).batch->number() == gpu::Number::kDouble;
  return is_double ? array_of<double>(object, data, std::move(shape)) : array_of<float>(object, data, std::move(shape));
}

DeviceArrayObject bind_field(Handle object, const std::string& field) {
  DeviceBatchObject& self = nb::cast<DeviceBatchObject&>(object);
  const Hold hold(self.gate);
  return numbers_of(object, self.batch->bind(field), field_shape(self, field));
}

DeviceArrayObject expand_field(Handle object, const std::string& field, Shape shape) {
  DeviceBatchObject& self = nb::cast<DeviceBatchObject&>(object);
  const Hold hold(self.gate);
  shape.insert(shape.begin(), static_cast<size_t>(self.nworld));
  return numbers_of(object, self.batch->expand(field), std::move(shape));
}

template <std::int64_t* (gpu::DeviceBatch::*counter)()>
DeviceArrayObject bind_counter(Handle object) {
  DeviceBatchObject& self = nb::cast<DeviceBatchObject&>(object);
  return array_of<std::int64_t>(object, ((*self.batch).*counter)(), {static_cast<size_t>(self.nworld)});
}

Array get_field(DeviceBatchObject& self, const std::string& field, const OptionalArray& out) {
  const Output result("out", out, field_shape(self, field));
  const Hold hold(self.gate);
  self.batch->get(field, result.data());
  return result.array();
}

void set_field(DeviceBatchObject& self, const std::string& field, const ArrayLike& values) {
  const Input numbers("values", values, field_shape(self, field));
  const Hold hold(self.gate);
  self.batch->set(field, numbers.data());
}

// --- steps ----------------------------------------------------------------------------------------------------------

// How many steps to take between two looks for signals. Each call waits for the device, so they are few.
int round_size(const DeviceBatchObject& self, int steps_left) {
  constexpr double kRoundSeconds = 0.25;
  if (self.step_seconds <= 0) return 1;
  return static_cast<int>(std::clamp(kRoundSeconds / self.step_seconds, 1.0, static_cast<double>(steps_left)));
}

void step_round(DeviceBatchObject& self, int steps, void* stream) {
  using Clock = std::chrono::steady_clock;
  const Hold hold(self.gate);
  const nb::gil_scoped_release release;
  const Clock::time_point start = Clock::now();
  self.batch->step(steps, stream);
  self.step_seconds = std::chrono::duration<double>(Clock::now() - start).count() / steps;
}

void step_worlds(DeviceBatchObject& self, int nstep, std::uintptr_t stream) {
  check_editable(*self.model);
  for (int done = 0; done < nstep;) {
    const int steps = round_size(self, nstep - done);
    step_round(self, steps, stream_of(stream));
    done += steps;
    if (done < nstep && PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

void forward_worlds(DeviceBatchObject& self, std::uintptr_t stream) {
  check_editable(*self.model);
  const Hold hold(self.gate);
  const nb::gil_scoped_release release;
  self.batch->forward(stream_of(stream));
}

// `mask` is an array on the device, of one byte per world; none: all worlds.
void reset_worlds(DeviceBatchObject& self, const DeviceArrayObject* mask, int key, std::uintptr_t stream) {
  const Hold hold(self.gate);
  const nb::gil_scoped_release release;
  self.batch->reset(mask ? static_cast<const std::uint8_t*>(mask->data) : nullptr, key, stream_of(stream));
}

// Memory for a mask, on the device of the batch.
DeviceArrayObject make_mask(DeviceBatchObject& self) {
  const size_t worlds = static_cast<size_t>(self.nworld);
  const gpu::Device device = self.batch->device();
  const auto memory = gpu::allocate_bytes(device, worlds);
  return {memory.get(), {worlds}, nb::dtype<bool>(), device, make_keeper(memory)};
}

// --- devices --------------------------------------------------------------------------------------------------------

// Name, major and minor compute capability, total and free bytes of each card, and why there is none.
nb::tuple list_cards() {
  std::string why_none;
  nb::list rows;
  for (const gpu::DeviceInfo& card : gpu::list_devices(&why_none))
    rows.append(nb::make_tuple(to_str(card.name), card.major, card.minor, card.total_bytes, card.free_bytes));
  return nb::make_tuple(rows, to_str(why_none));
}

void bind_properties(nb::class_<DeviceBatchObject>& cls) {
  cls.def_prop_ro("nworld", [](const DeviceBatchObject& self) { return self.nworld; })
      .def_prop_ro("device", [](const DeviceBatchObject& self) { return gpu::to_text(self.batch->device()); })
      .def_prop_ro("bytes_per_world", [](const DeviceBatchObject& self) { return self.batch->bytes_per_world(); })
      .def_prop_ro("resets", [](DeviceBatchObject& self) { return self.batch->resets(); })
      .def_prop_ro("growths", [](const DeviceBatchObject& self) { return self.batch->growths(); })
      .def_prop_ro("contact_capacity", [](const DeviceBatchObject& self) { return self.batch->contact_capacity(); })
      .def_prop_ro("row_capacity", [](const DeviceBatchObject& self) { return self.batch->row_capacity(); });
}

}  // namespace

void bind_devices(nb::module_& m) {
  bind_device_array(m);
  nb::class_<DeviceBatchObject> cls(m, "_DeviceBatch", "What torsor.DeviceBatch is made of.");
  cls.def("__init__", &make_batch, "model"_a, "nworld"_a, "is_double"_a, "card"_a)
      .def("plan", [](const DeviceBatchObject& self) { return self.batch->plan(); })
      .def("is_input_or_state",
           [](const DeviceBatchObject& self, const std::string& field) { return self.batch->is_input_or_state(field); })
      .def("bind", &bind_field, "field"_a)
      .def("expand", &expand_field, "field"_a, "shape"_a)
      .def("get", &get_field, "field"_a, "out"_a.none())
      .def("set", &set_field, "field"_a, "values"_a)
      .def("step", &step_worlds, "n"_a, "stream"_a)
      .def("forward", &forward_worlds, "stream"_a)
      .def("reset", &reset_worlds, "mask"_a.none(), "key"_a, "stream"_a)
      .def("make_mask", &make_mask)
      .def("steps_taken", &bind_counter<&gpu::DeviceBatch::steps_taken>)
      .def("diverged_at", &bind_counter<&gpu::DeviceBatch::diverged_at>);
  bind_properties(cls);
  m.def("_list_cards", &list_cards);
}

}  // namespace torsor::python
