// Histories of controls and sensor readings at earlier times.
#include "torsor/dynamics/history.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "element_id.hpp"
#include "objects.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/actuation.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

int checked_interpolation(int interp, int own) {
  if (interp < -1 || interp > 2)
    throw nb::value_error(
        fmt::format("interp must be 0 (hold), 1 (linear), 2 (cubic) or -1 (its own), got {}", interp).c_str());
  return interp < 0 ? own : interp;
}

// One history in a Data.
struct History {
  double* numbers;
  HistoryLayout layout;

  void fill(const ArrayLike& times, const ArrayLike& values, const Shape& shape) const {
    const size_t count = static_cast<size_t>(layout.samples);
    const Input samples("values", values, shape, layout.dim == 1 ? Shape{count} : shape);
    if (times.is_none()) return fill_history(numbers, layout, nullptr, samples.data());
    const Input given("times", times, {count});
    for (size_t k = 1; k < count; ++k) {
      if (!(given.data()[k] > given.data()[k - 1]))
        throw nb::value_error(fmt::format("times must increase: times[{}] is not after times[{}]", k, k - 1).c_str());
    }
    fill_history(numbers, layout, given.data(), samples.data());
  }
};

History history_of(const char* kind, Data& data, int id, int address, int samples, int dim) {
  if (address < 0) throw Error(fmt::format("{} {} has no history: its attribute nsample is 0", kind, id));
  return {data.history.row(address, 1), {samples, dim}};
}

nb::object read_ctrl(const ModelObject& model, const DataObject& data, const ElementId& which, double time,
                     int interp) {
  const Hold hold = check_fits(model, data);
  const Model& m = *model.model;
  const int actuator = find_element(m, ObjectType::kActuator, which);
  const int interpolation = checked_interpolation(interp, m.actuator_history[2 * actuator + 1]);
  const Output result({static_cast<size_t>(m.actuator_ctrlnum[actuator])});
  read_controls(m, *data.data, actuator, time - m.actuator_delay[actuator], interpolation, result.data());
  if (m.actuator_ctrlnum[actuator] == 1) return nb::float_(result.data()[0]);
  return result.array();
}

Array read_sensor(const ModelObject& model, DataObject& data, const ElementId& which, double time, int interp) {
  const Hold hold = check_fits(model, data);
  const Model& m = *model.model;
  const int sensor = find_element(m, ObjectType::kSensor, which);
  const int interpolation = checked_interpolation(interp, m.sensor_history[2 * sensor + 1]);
  const int dim = m.sensor_dim[sensor], address = m.sensor_historyadr[sensor];
  const Output result({static_cast<size_t>(dim)});
  const double* now = data.data->sensordata.row(m.sensor_adr[sensor], 1);
  if (address < 0)
    std::copy(now, now + dim, result.data());
  else
    read_history(data.data->history.row(address, 1), {m.sensor_history[2 * sensor], dim}, time - m.sensor_delay[sensor],
                 interpolation, result.data());
  return result.array();
}

void init_ctrl_history(const ModelObject& model, DataObject& data, const ElementId& which, const ArrayLike& times,
                       const ArrayLike& values) {
  const Hold hold = check_fits(model, data);
  const Model& m = *model.model;
  const int actuator = find_element(m, ObjectType::kActuator, which);
  const int samples = m.actuator_history[2 * actuator], dim = m.actuator_ctrlnum[actuator];
  history_of("actuator", *data.data, actuator, m.actuator_historyadr[actuator], samples, dim)
      .fill(times, values, {static_cast<size_t>(samples), static_cast<size_t>(dim)});
}

void init_sensor_history(const ModelObject& model, DataObject& data, const ElementId& which, const ArrayLike& times,
                         const ArrayLike& values, double phase) {
  const Hold hold = check_fits(model, data);
  const Model& m = *model.model;
  const int sensor = find_element(m, ObjectType::kSensor, which);
  const int samples = m.sensor_history[2 * sensor], dim = m.sensor_dim[sensor];
  const History history = history_of("sensor", *data.data, sensor, m.sensor_historyadr[sensor], samples, dim);
  history.fill(times, values, {static_cast<size_t>(samples), static_cast<size_t>(dim)});
  history.numbers[0] = phase;
}

}  // namespace

void bind_histories(nb::module_& m) {
  m.def("read_ctrl", &read_ctrl, "model"_a, "data"_a, "actuator"_a, "time"_a, "interp"_a = -1,
        R"(The control that acts on an actuator at a time, delayed by means of its history; an array if it has several.

Without a history it is the current one. interp is 0 to hold the last sample, 1 for linear and 2 for cubic
interpolation, -1 for the setting of the actuator. In the example, a motor and a sensor have a delay of two steps.

>>> world = torsor.Data(delayed)
>>> world.ctrl[0] = 2
>>> torsor.step(delayed, world)
Status.OK
>>> float(torsor.read_ctrl(delayed, world, 0, world.time))
0.0
)");
  m.def("read_sensor", &read_sensor, "model"_a, "data"_a, "sensor"_a, "time"_a, "interp"_a = -1,
        R"(The reading of a sensor at a time, delayed by means of its history.

Without a history it is the current one. interp is 0 to hold the last sample, 1 for linear and 2 for cubic
interpolation, -1 for the setting of the sensor. In the example, a motor and a sensor have a delay of two steps.

>>> world = torsor.Data(delayed)
>>> torsor.read_sensor(delayed, world, 0, world.time).tolist()
[0.0]
)");
  m.def("init_ctrl_history", &init_ctrl_history, "model"_a, "data"_a, "actuator"_a, "times"_a.none(), "values"_a,
        R"(Fill the history of an actuator, oldest sample first; None as times keeps those of the current samples.

>>> world = torsor.Data(delayed)
>>> torsor.init_ctrl_history(delayed, world, 0, None, [1, 2, 3])
>>> torsor.step(delayed, world)
Status.OK
)");
  m.def("init_sensor_history", &init_sensor_history, "model"_a, "data"_a, "sensor"_a, "times"_a.none(), "values"_a,
        "phase"_a,
        R"(Fill the history of a sensor, oldest sample first; None as times keeps those of the current samples.

phase is the time of the last sample, from which its period counts.

>>> world = torsor.Data(delayed)
>>> torsor.init_sensor_history(delayed, world, 0, None, [[0.1], [0.2], [0.3]], 0)
>>> torsor.read_sensor(delayed, world, 0, 0).shape
(1,)
)");
}

}  // namespace torsor::python
