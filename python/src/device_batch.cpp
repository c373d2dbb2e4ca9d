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
#include "torsor/sim/sim.hpp"

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

void step_round(DeviceBatchObject& self, const gpu::DeviceSteps& call) {
  using Clock = std::chrono::steady_clock;
  const Hold hold(self.gate);
  const nb::gil_scoped_release release;
  const Clock::time_point start = Clock::now();
  self.batch->step(call);
  self.step_seconds = std::chrono::duration<double>(Clock::now() - start).count() / call.steps;
}

void step_in_rounds(DeviceBatchObject& self, gpu::DeviceSteps call) {
  check_editable(*self.model);
  for (call.first = 0; call.first < call.total;) {
    call.steps = round_size(self, call.total - call.first);
    step_round(self, call);
    call.first += call.steps;
    if (call.first < call.total && PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

void step_worlds(DeviceBatchObject& self, int nstep, std::uintptr_t stream) {
  gpu::DeviceSteps call;
  call.total = nstep;
  call.stream = stream_of(stream);
  step_in_rounds(self, std::move(call));
}

// Arrays on the device: controls, (rows, nstep, numbers of `signature`), records, (rows, nstep, numbers of the field),
// and the row of each world, an int per world; see DeviceSteps.
void run_worlds(DeviceBatchObject& self, int nstep, const DeviceArrayObject* controls, int signature,
                const std::vector<std::pair<std::string, const DeviceArrayObject*>>& records,
                const DeviceArrayObject* rows, std::uintptr_t stream) {
  gpu::DeviceSteps call;
  call.total = nstep;
  call.stream = stream_of(stream);
  call.rows = rows ? static_cast<const int*>(rows->data) : nullptr;
  if (controls) {
    const std::size_t bytes = controls->type.bits / 8;
    auto* numbers = static_cast<std::byte*>(controls->data);
    const int stride = state_size(*self.model, signature);
    for (const ControlPart& part : list_control_parts(*self.model, signature)) {
      if (part.count > 0) call.controls.push_back({part.field, numbers, stride});
      numbers += bytes * static_cast<std::size_t>(part.count);
    }
  }
  for (const auto& [field, array] : records) {
    call.records.push_back({field, array->data, self.batch->field_size(field)});
  }
  step_in_rounds(self, std::move(call));
}

// `rows` as above, for some worlds.
void forward_worlds(DeviceBatchObject& self, const DeviceArrayObject* rows, std::uintptr_t stream) {
  check_editable(*self.model);
  const Hold hold(self.gate);
  const nb::gil_scoped_release release;
  self.batch->forward(rows ? static_cast<const int*>(rows->data) : nullptr, stream_of(stream));
}

// `mask` is an array on the device, of one byte per world; none: all worlds.
void reset_worlds(DeviceBatchObject& self, const DeviceArrayObject* mask, int key, std::uintptr_t stream) {
  const Hold hold(self.gate);
  const nb::gil_scoped_release release;
  self.batch->reset(mask ? static_cast<const std::uint8_t*>(mask->data) : nullptr, key, stream_of(stream));
}

// Memory on the device of the batch, of its own.
template <class T>
DeviceArrayObject make_array(DeviceBatchObject& self, const Shape& shape) {
  const gpu::Device device = self.batch->device();
  std::size_t count = 1;
  for (const std::size_t each : shape) count *= each;
  const auto memory = gpu::allocate_bytes(device, std::max<std::size_t>(count, 1) * sizeof(T));
  return {memory.get(), shape, nb::dtype<T>(), device, make_keeper(memory)};
}
DeviceArrayObject make_mask(DeviceBatchObject& self) {
  return make_array<bool>(self, {static_cast<std::size_t>(self.nworld)});
}
DeviceArrayObject make_rows(DeviceBatchObject& self) {
  return make_array<int>(self, {static_cast<std::size_t>(self.nworld)});
}
// In the type of the batch.
DeviceArrayObject make_numbers(DeviceBatchObject& self, const Shape& shape) {
  return self.batch->number() == gpu::Number::kDouble ? make_array<double>(self, shape)
                                                      : make_array<float>(self, shape);
}

// --- values per world, single worlds --------------------------------------------------------------------------------

// Values of all worlds as a copy, worlds x numbers; None while worlds share those of the model.
nb::object get_values(DeviceBatchObject& self, const std::string& field) {
  const Output values(
      {static_cast<std::size_t>(self.nworld), static_cast<std::size_t>(self.batch->count_values(field))});
  const Hold hold(self.gate);
  if (!self.batch->get_values(field, values.data())) return nb::none();
  return nb::cast(values.array());
}

// Values are worlds x numbers of the field.
void set_values(DeviceBatchObject& self, const std::string& field, const ArrayLike& values, const OptionalIds& ids) {
  BatchCall call;
  ids_of(self, ids, call);
  const int count = call.worlds ? call.count : self.nworld;
  const auto n = static_cast<std::size_t>(self.batch->count_values(field));
  const Input numbers(field.c_str(), values, {static_cast<std::size_t>(count), n});
  const Hold hold(self.gate);
  self.batch->set_values(field, call.worlds, count, numbers.data());
}

void set_constants(DeviceBatchObject& self, int threads, const OptionalIds& ids) {
  BatchCall call;
  ids_of(self, ids, call);
  std::vector<int> worlds(static_cast<std::size_t>(call.worlds ? call.count : self.nworld));
  for (std::size_t i = 0; i < worlds.size(); ++i) worlds[i] = call.worlds ? call.worlds[i] : static_cast<int>(i);
  const Hold hold(self.gate);
  const nb::gil_scoped_release release;
  self.batch->set_const(worlds, threads);
}

ModelObject get_model(DeviceBatchObject& self, int world) {
  const Hold hold(self.gate);
  return ModelObject(self.batch->make_model(world));
}

// State and input, then forward dynamics with the model of the world, on the processor.
void get_data(DeviceBatchObject& self, int world, ModelObject& model, DataObject& data) {
  const Hold hold(self.gate);
  const Hold other = check_reset(model, data);
  self.batch->get_world(world, *data.data);
  forward(*model.model, *data.data);
}

void set_data(DeviceBatchObject& self, int world, const DataObject& data) {
  const Hold hold(self.gate);
  const Hold other(data.data->gate);
  self.batch->set_world(world, *data.data);
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
      .def_prop_ro("has_values", [](const DeviceBatchObject& self) { return self.batch->has_values(); })
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
      .def("forward", &forward_worlds, "rows"_a.none(), "stream"_a)
      .def("report_body_forces",
           [](DeviceBatchObject& self, bool reports) {
             const Hold hold(self.gate);
             self.batch->report_body_forces(reports);
           })
      .def("reset", &reset_worlds, "mask"_a.none(), "key"_a, "stream"_a)
      .def("run", &run_worlds, "n"_a, "controls"_a.none(), "signature"_a, "records"_a, "rows"_a.none(), "stream"_a)
      .def("shape", [](const DeviceBatchObject& self, const std::string& field) { return field_shape(self, field); })
      .def("make_mask", &make_mask)
      .def("make_rows", &make_rows)
      .def("make_numbers", &make_numbers, "shape"_a)
      .def("count_numbers",
           [](DeviceBatchObject& self, const std::string& field) { return self.batch->count_values(field); })
      .def("expanded", &get_values, "field"_a)
      .def("value_names", [](const DeviceBatchObject& self) { return self.batch->value_names(); })
      .def("set_values", &set_values, "field"_a, "values"_a, "ids"_a.none())
      .def("set_const", &set_constants, "threads"_a, "ids"_a.none())
      .def("get_data", &get_data, "world"_a, "model"_a, "data"_a)
      .def("set_data", &set_data, "world"_a, "data"_a)
      .def("get_model", &get_model, "world"_a)
      .def("steps_taken", &bind_counter<&gpu::DeviceBatch::steps_taken>)
      .def("diverged_at", &bind_counter<&gpu::DeviceBatch::diverged_at>);
  bind_properties(cls);
  m.def("_list_cards", &list_cards);
}

}  // namespace torsor::python
