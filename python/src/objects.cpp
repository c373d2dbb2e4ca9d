// Calls into the engine, and their callbacks.
#include "objects.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include <fmt/format.h>

#include "arrays.hpp"
#include "contact_bindings.hpp"
#include "torsor/core/error.hpp"
#include "torsor/model/check.hpp"

namespace torsor::python {
namespace {

// A callback may trigger the clock and warning callbacks, but no others.
bool may_run_in_another(Callback which) { return which == Callback::kClock || which == Callback::kWarning; }

// The result of a user's function; None if there is no such function any more. `callback` is a copy, which stays alive
// even if the function replaces itself.
template <class... Arguments>
nb::object run_named(const char* name, bool may_nest, DataObject& data, nb::object callback, Arguments... arguments) {
  if (data.running && (data.running == name || !may_nest)) {
    const char* again = data.running == name ? " again" : "";
    throw Error(fmt::format("data.{} called a function that calls data.{}{}", data.running, name, again));
  }
  struct Leave {
    DataObject& data;
    const char* before;
    size_t floor_before;
    ~Leave() { data.running = before, data.stack_floor = floor_before; }
  } leave{data, data.running, data.stack_floor};
  data.running = name;
  data.stack_floor = data.data->arena().mark();
  return callback.is_none() ? nb::none() : callback(arguments...);
}

template <class... Arguments>
nb::object run(Callback which, DataObject& data, Arguments... arguments) {
  return run_named(name_of(which), may_run_in_another(which), data, data.callback(which), arguments...);
}

template <class... Arguments>
nb::object run(Callback which, ModelObject& model, DataObject& data, Arguments... arguments) {
  return run(which, data, nb::find(model), nb::find(data), arguments...);
}

double to_number(Callback which, const nb::object& result) {
  const double number = PyFloat_AsDouble(result.ptr());
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    const char* none = which == Callback::kClock ? "" : " or None";
    throw nb::type_error(fmt::format("data.{} must return a number{}", name_of(which), none).c_str());
  }
  return number;
}

double run_for_number(Callback which, double otherwise, ModelObject& model, DataObject& data, int actuator) {
  const nb::object result = run(which, model, data, actuator);
  return result.is_none() ? otherwise : to_number(which, result);
}

bool run_filter(ModelObject& model, DataObject& data, int geom1, int geom2) {
  const nb::object result = run(Callback::kContactFilter, model, data, geom1, geom2);
  const int is_left_out = PyObject_IsTrue(result.ptr());
  if (is_left_out < 0) nb::raise_python_error();
  return is_left_out == 1;
}

void run_sensor(ModelObject& model, DataObject& data, int sensor, double* reading) {
  const nb::object result = run(Callback::kSensor, model, data, sensor);
  if (result.is_none()) return;
  const size_t dim = static_cast<size_t>(model.model->sensor_dim[sensor]);
  const Shape flat{dim}, scalar;
  const Input numbers("result of data.user_sensor", nb::borrow<ArrayLike>(result), flat, dim == 1 ? scalar : flat);
  std::copy(numbers.data(), numbers.data() + dim, reading);
}

int run_collision(const nb::object& function, ModelObject& model, DataObject& data, int geom1, int geom2, double margin,
                  ContactPoint* out) {
  static constexpr const char* kName = "collision";
  return read_contact_points(
      run_named(kName, false, data, function, nb::find(model), nb::find(data), geom1, geom2, margin), out);
}

void hand_over_callbacks(ModelObject& model, DataObject& object) {
  Data& data = *object.data;
  const auto has = [&](Callback which) { return !object.callback(which).is_none(); };
  const auto number_of = [&](Callback which, double otherwise) {
    return has(which) ? [&model, &object, which, otherwise](
                            const Model&, Data&,
                            int actuator) { return run_for_number(which, otherwise, model, object, actuator); }
                      : Data::ActuatorCallback();
  };
  if (has(Callback::kControl)) data.control = [&](const Model&, Data&) { run(Callback::kControl, model, object); };
  if (has(Callback::kPassive)) data.passive = [&](const Model&, Data&) { run(Callback::kPassive, model, object); };
  if (has(Callback::kContactFilter))
    data.contact_filter = [&](const Model&, const Data&, int geom1, int geom2) {
      return run_filter(model, object, geom1, geom2);
    };
  if (has(Callback::kClock))
    data.clock = [&object] { return to_number(Callback::kClock, run(Callback::kClock, object)); };
  if (has(Callback::kWarning))
    data.on_warning = [&](const Data&, Warning kind, int info) {
      run(Callback::kWarning, model, object, nb::cast(kind), info);
    };
  for (const auto& [types, function] : object.collision)
    data.collision[types] = [&model, &object, function = function](const Model&, Data&, int geom1, int geom2,
                                                                   double margin, ContactPoint* out) {
      return run_collision(function, model, object, geom1, geom2, margin, out);
    };
  data.act_dyn = number_of(Callback::kActDyn, 0);
  data.act_gain = number_of(Callback::kActGain, 1);
  data.act_bias = number_of(Callback::kActBias, 0);
  if (has(Callback::kSensor))
    data.sensor = [&](const Model&, Data&, int id, double* reading) { run_sensor(model, object, id, reading); };
}

void take_back_callbacks(Data& data) {
  data.control = data.passive = nullptr;
  data.contact_filter = nullptr;
  data.collision.clear();
  data.clock = nullptr;
  data.on_warning = nullptr;
  data.act_dyn = data.act_gain = data.act_bias = nullptr;
  data.sensor = nullptr;
}

bool has_callbacks(const Data& data) {
  return data.control || data.passive || data.contact_filter || data.act_dyn || data.act_gain || data.act_bias ||
         data.sensor || data.clock || data.on_warning || !data.collision.empty();
}

}  // namespace

const char* name_of(Callback which) {
  constexpr const char* kNames[] = {"control",  "passive",     "contact_filter", "act_dyn",   "act_gain",
                                    "act_bias", "user_sensor", "clock",          "on_warning"};
  return kNames[static_cast<size_t>(which)];
}

namespace {

void require_same_structure(const ModelObject& model, const DataObject& data) {
  const ModelSizes &of_model = *model.model, &of_data = *data.data;
  if (data.data->signature() != model.model->signature || std::memcmp(&of_model, &of_data, sizeof(ModelSizes)) != 0)
    throw Error("this Data was made for another Model: their structures differ");
  if (model.may_be_unsound) check_editable(*model.model);
  check_options(*model.model);
}

// control() and passive() run between stages, where rows may be made again.
bool runs_between_stages(const DataObject& data) {
  return data.running == name_of(Callback::kControl) || data.running == name_of(Callback::kPassive);
}

void refuse_from_callback(const DataObject& data, const char* what) {
  throw Error(
      fmt::format("{} called a function that {}, which the call in progress still uses: call it on another Data",
                  data.running ? fmt::format("data.{}", data.running) : "an argument", what));
}

}  // namespace

Hold check_fits(const ModelObject& model, const DataObject& data) {
  require_same_structure(model, data);
  return Hold(data.data->gate);
}

Hold check_reset(const ModelObject& model, const DataObject& data) {
  require_same_structure(model, data);
  const Hold hold(data.data->gate);
  if (data.data->gate.depth() > 1) refuse_from_callback(data, "resets the simulation");
  return Hold(data.data->gate);
}

EngineCall::EngineCall(ModelObject& model_object, DataObject& data_object, Effect effect)
    : model_object_(model_object),
      data_object_(data_object),
      effect_(effect),
      shared_model_(model_object.model),
      shared_(data_object.data),
      model(*shared_model_),
      data(*shared_) {
  require_same_structure(model_object, data_object);
  open();
}

EngineCall::~EngineCall() { close(); }

void EngineCall::open() {
  shared_->gate.enter();
  is_open_ = true;
  kept_rows_before_ = data_object_.keeps_rows;
  if (effect_ != Effect::kNumbers && shared_->gate.depth() > 1 &&
      (data_object_.keeps_rows || !runs_between_stages(data_object_))) {
    close();
    refuse_from_callback(data_object_, "makes contacts and constraint rows anew");
  }
  data_object_.keeps_rows = kept_rows_before_ || effect_ == Effect::kSamples;
  const auto is_none = [](const nb::object& callback) { return callback.is_none(); };
  if (has_callbacks(data)) return;  // this call came from a callback
  if (data_object_.collision.empty() &&
      std::all_of(data_object_.callbacks.begin(), data_object_.callbacks.end(), is_none)) {
    released_ = release_thread();
  } else {
    hand_over_callbacks(model_object_, data_object_);
    owns_callbacks_ = true;
  }
}

void EngineCall::close() {
  if (!is_open_) return;
  if (owns_callbacks_) take_back_callbacks(data);
  owns_callbacks_ = is_open_ = false;
  if (released_) restore_thread(std::exchange(released_, nullptr));
  data_object_.keeps_rows = kept_rows_before_;
  shared_->gate.leave();
}

void EngineCall::check_signals() {
  const bool was_released = released_ != nullptr;
  if (was_released) restore_thread(std::exchange(released_, nullptr));
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (was_released) released_ = release_thread();
}

void EngineCall::pause() {
  close();
  if (shared_->gate.is_wanted())
    shared_->gate.let_others_through();
  else
    restore_thread(release_thread());  // a call with callbacks keeps the GIL otherwise
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  open();
}

const char* keep_text(std::string text) {
  static std::deque<std::string> kept;
  return kept.emplace_back(std::move(text)).c_str();
}

}  // namespace torsor::python
