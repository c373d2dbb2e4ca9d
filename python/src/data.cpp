// The class Data: arrays, counters, callbacks, copies and pickles.
#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "arrays.hpp"
#include "attributes.hpp"
#include "bindings.hpp"
#include "constraints.hpp"
#include "counters.hpp"
#include "data_state.hpp"
#include "row_bytes.hpp"
#include "text.hpp"
#include "torsor/core/error.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/model/check.hpp"
#include "torsor/sim/sleep.hpp"

namespace torsor::python {
namespace {

DataObject* make_data(void* place, ModelObject& model) {
  try {
    Data data(*model.model);
    start_sleep(*model.model, data);
    return new (place) DataObject(nb::find(model), std::move(data));
  } catch (const std::bad_alloc&) {
    const int64_t wanted = model.model->memory;
    throw Error(fmt::format("no memory for a Data of this model{}",
                            wanted < 0 ? "" : fmt::format(": <size memory> asks for {} bytes", wanted)));
  }
}

nb::object energy_view(DataObject& self) {
  if (!self.energy.is_valid()) self.energy = make_view(self.data->energy, {2}, true, self.views.keeper());
  return self.energy;
}

// Calls f(pointer, bytes) with typed pointers for everything in a Data except contacts and rows, whose number varies,
// and scratch memory, which is empty between calls.
template <class F>
void for_each_value(Data& data, F&& f) {
  f(&data.time, sizeof(data.time));
  f(&data.energy[0], sizeof(data.energy));
  f(&data.warning[0], sizeof(data.warning));
  f(&data.timer[0], sizeof(data.timer));
  for (bool* flag : {&data.timers_on, &data.has_energy_position, &data.has_energy_velocity, &data.has_subtree_velocity,
                     &data.has_rne_post})
    f(flag, sizeof(bool));
  f(&data.noise_seed, sizeof(data.noise_seed));
  f(&data.noise_step, sizeof(data.noise_step));
  f(&data.maxuse_con, sizeof(data.maxuse_con));
  f(&data.maxuse_efc, sizeof(data.maxuse_efc));
  f(&data.told, sizeof(data.told));
  f(&data.awake.starts, sizeof(bool));
  if (!data.awake.qpos_asleep.empty()) f(data.awake.qpos_asleep.data(), data.awake.qpos_asleep.size() * sizeof(double));
  if (!data.awake.frames_asleep.empty())
    f(data.awake.frames_asleep.data(), data.awake.frames_asleep.size() * sizeof(double));
  for (int* count : {&data.efm_active, &data.nefmT, &data.nefmA}) f(count, sizeof(int));
  for_each_array(data, [&](const FieldInfo&, const auto& field) {
    if (field.size() > 0) f(field.data(), static_cast<size_t>(field.size()) * sizeof(field[0]));
  });
}

// For pickling: the model, and all values.
nb::tuple get_state(const DataObject& self) {
  const Hold hold(self.data->gate);
  std::string bytes;
  for_each_value(*self.data,
                 [&](const void* from, size_t count) { bytes.append(static_cast<const char*>(from), count); });
  const std::string rows = rows_to_bytes(*self.data);
  return nb::make_tuple(self.model, nb::bytes(bytes.data(), bytes.size()), nb::bytes(rows.data(), rows.size()));
}

// False if a flag is neither true nor false, or a count too large.
bool values_from_bytes(Data& data, const char* from) {
  bool sound = true;
  for_each_value(data, [&](auto* to, size_t count) {
    if constexpr (std::is_same_v<decltype(to), bool*>)
      sound = sound && std::all_of(from, from + count, [](char flag) { return flag == 0 || flag == 1; });
    if (sound) std::memcpy(static_cast<void*>(to), from, count);
    from += count;
  });
  const auto is_count = [](int count, int most) { return count >= 0 && count <= most; };
  return sound && is_count(data.nefmT, data.ntendon) && is_count(data.nefmA, data.nactuator);
}

}  // namespace

// (model, values, rows), none of which is trusted.
std::pair<nb::object, Data> data_from_state(const nb::tuple& state) {
  constexpr const char* kForeign = "this pickle of a Data is damaged, or was made by another version of Torsor";
  if (nb::len(state) != 3 || !nb::isinstance<ModelObject>(state[0]) || !nb::isinstance<nb::bytes>(state[1]) ||
      !nb::isinstance<nb::bytes>(state[2]))
    throw Error(kForeign);
  ModelObject& model = nb::cast<ModelObject&>(state[0]);
  const nb::bytes bytes = nb::cast<nb::bytes>(state[1]), rows = nb::cast<nb::bytes>(state[2]);
  Data data(*model.model);
  size_t expected = 0;
  for_each_value(data, [&](const void*, size_t count) { expected += count; });
  if (bytes.size() != expected || !values_from_bytes(data, bytes.c_str()) ||
      !rows_from_bytes(data, std::string_view(rows.c_str(), rows.size())))
    throw Error(kForeign);
  if (const std::string fault = find_fault(*model.model, data); !fault.empty())
    throw Error(fmt::format("{}: {}", kForeign, fault));
  update_awake(*model.model, data);
  return {nb::find(model), std::move(data)};
}

namespace {

void set_state(DataObject& self, const nb::tuple& state) {
  auto [model, data] = data_from_state(state);
  new (&self) DataObject(std::move(model), std::move(data));
}

const char* arguments_of(Callback which) {
  switch (which) {
    case Callback::kControl:
    case Callback::kPassive:
      return "model, data";
    case Callback::kContactFilter:
      return "model, data, geom1, geom2";
    case Callback::kClock:
      return "";
    case Callback::kWarning:
      return "model, data, kind, info";
    default:
      return "model, data, id";
  }
}

void set_callback(DataObject& self, Callback which, nb::handle callback) {
  const char* arguments = arguments_of(which);
  if (!callback.is_none() && !PyCallable_Check(callback.ptr()))
    throw nb::type_error(fmt::format("{0} must be callable as {0}({1}), or None", name_of(which), arguments).c_str());
  self.callback(which) = nb::borrow(callback);
}

// A callback may refer to the data that holds it, so the garbage collector must see both.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const DataObject& data = *nb::inst_ptr<DataObject>(self);
  Py_VISIT(data.model.ptr());
  for (const nb::object& callback : data.callbacks) Py_VISIT(callback.ptr());
  for (const auto& [types, function] : data.collision) Py_VISIT(function.ptr());
  return 0;
}

int clear(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  DataObject& data = *nb::inst_ptr<DataObject>(self);
  for (nb::object& callback : data.callbacks) callback = nb::none();
  data.collision.clear();
  return 0;
}

const PyType_Slot kSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

void bind_values(nb::class_<DataObject>& cls) {
  cls.def_prop_ro(
      "model", [](const DataObject& self) { return self.model; }, nb::sig("def model(self) -> Model"),
      "the model that this Data was made for");
  cls.def_prop_rw(
      "time", [](const DataObject& self) { return self.data->time; },
      [](DataObject& self, double time) { self.data->time = time; }, "simulated time, in s");
  cls.def_prop_rw(
      "energy", &energy_view, [](DataObject& self, nb::handle value) { assign(energy_view(self), value); },
      "potential and kinetic energy, in J; computed with EnableFlag.ENERGY or by energy_pos() and energy_vel()",
      nb::for_getter(nb::sig("def energy(self) -> numpy.typing.NDArray[numpy.float64]")),
      nb::for_setter(nb::sig("def energy(self, value: numpy.typing.ArrayLike, /) -> None")));
  cls.def_prop_ro(
      "warning", [](const DataObject& self) { return Counters<WarningCount>{self.data}; },
      "counts of warnings, indexed by torsor.Warning");
  cls.def_prop_ro(
      "timer", [](const DataObject& self) { return Counters<TimerCount>{self.data}; },
      "times of stages while timers_on, indexed by torsor.Timer");
  cls.def_prop_rw(
      "timers_on", [](const DataObject& self) { return self.data->timers_on; },
      [](DataObject& self, bool on) { self.data->timers_on = on; }, "whether stages are timed; no cost when off");
  cls.def_prop_rw(
      "noise_seed", [](const DataObject& self) { return self.data->noise_seed; },
      [](DataObject& self, uint64_t seed) { self.data->noise_seed = seed; },
      "seed of the sensor noise; the same seed gives the same noise");
  cls.def_prop_rw(
      "noise_step", [](const DataObject& self) { return self.data->noise_step; },
      [](DataObject& self, uint64_t step) { self.data->noise_step = step; },
      "number of steps since the reset, on which the sensor noise depends");
  const auto count = [&cls](const char* name, int Data::*member, const char* meaning) {
    cls.def_prop_ro(
        name, [member](const DataObject& self) { return (*self.data).*member; }, meaning);
  };
  count("ntree_awake", &Data::ntree_awake, "number of trees that are awake");
  count("nbody_awake", &Data::nbody_awake, "number of bodies that are not asleep, static ones included");
  count("nparent_awake", &Data::nparent_awake, "number of bodies with a parent that is not asleep");
  count("nv_awake", &Data::nv_awake, "number of dofs that are awake");
  count("efm_active", &Data::efm_active, "1 while the integrator discrete uses the arrays efm_*");
  count("nefmT", &Data::nefmT, "number of tendons in efm_tid");
  count("nefmA", &Data::nefmA, "number of actuators in efm_aid");
}

// One attribute that holds a function of the given type, or None.
void bind_callback(nb::class_<DataObject>& cls, Callback which, const std::string& type, const char* meaning) {
  const std::string getter = fmt::format("def {}(self) -> {} | None", name_of(which), type);
  const std::string setter = fmt::format("def {}(self, value: {} | None, /) -> None", name_of(which), type);
  cls.def_prop_rw(
      name_of(which), [which](const DataObject& self) { return self.callback(which); },
      [which](DataObject& self, nb::handle callback) { set_callback(self, which, callback); }, meaning,
      nb::for_getter(nb::sig(keep_text(getter))), nb::for_setter(nb::arg("value").none()),
      nb::for_setter(nb::sig(keep_text(setter))));
}

void bind_callbacks(nb::class_<DataObject>& cls) {
  bind_callback(
      cls, Callback::kControl, "collections.abc.Callable[[Model, Data], None]",
      R"(Called as control(model, data) by forward() and step() when controls are needed, to set controls or forces.

An exception leaves the state unchanged and reaches the caller of step(). Not included in copies and pickles.

>>> def damp(model, data):
...     data.qfrc_applied = -0.1 * data.qvel
>>> data.control = damp
>>> torsor.step(model, data)
Status.OK
)");
  bind_callback(cls, Callback::kPassive, "collections.abc.Callable[[Model, Data], None]",
                R"(Called as passive(model, data) after the engine's own passive forces. It may add to qfrc_passive.

Forward and inverse dynamics call it. An exception leaves the state unchanged. Not included in copies and pickles.
)");
  bind_callback(cls, Callback::kContactFilter, "collections.abc.Callable[[Model, Data, int, int], bool]",
                R"(Called as contact_filter(model, data, geom1, geom2). True excludes the pair from collision.

It is called for pairs that passed the model's own filters. An exception leaves the state unchanged. Not included in
copies and pickles.
)");
  bind_callback(cls, Callback::kClock, "collections.abc.Callable[[], float]",
                R"(Called as clock() by the timers while timers_on; returns seconds. None: the system clock.

An exception, or a clock that runs backwards, leaves the state unchanged. Not included in copies and pickles.
)");
  bind_callback(cls, Callback::kWarning, "collections.abc.Callable[[Model, Data, Warning, int], None]",
                R"(Called as on_warning(model, data, kind, info) at the first warning of each kind since the reset.

torsor.warning_text(kind, info) describes it. Without a handler, warnings are only counted, in data.warning. An
exception abandons the step and leaves the state unchanged. Not included in copies and pickles.
)");
  const std::string of_actuator = "collections.abc.Callable[[Model, Data, int], float | None]";
  bind_callback(
      cls, Callback::kActDyn, of_actuator,
      R"(Called as act_dyn(model, data, id) for actuators whose dyntype is user: returns the rate of activation.

For an actuator with several activations, write the rates into data.act_dot; the result is ignored. None counts as 0.
An exception leaves the state unchanged. Not included in copies and pickles.
)");
  bind_callback(cls, Callback::kActGain, of_actuator,
                R"(Called as act_gain(model, data, id) for actuators whose gaintype is user: returns the gain.

None counts as 1. An exception leaves the state unchanged. Not included in copies and pickles.
)");
  bind_callback(cls, Callback::kActBias, of_actuator,
                R"(Called as act_bias(model, data, id) for actuators whose biastype is user: returns the bias.

None counts as 0. An exception leaves the state unchanged. Not included in copies and pickles.
)");
  bind_callback(cls, Callback::kSensor, "collections.abc.Callable[[Model, Data, int], numpy.typing.ArrayLike | None]",
                R"(Called as user_sensor(model, data, id) for sensors of the type user, after the stage that they need.

Returns as many numbers as the sensor has; None counts as zeros. A sensor with a delay is read again at the end of a
step, when other histories may have advanced already. Not included in copies and pickles.
)");
}

// The sparsity of actuator_moment is constant, so it is in the Model; in MuJoCo it is here.
void bind_moment_pattern(nb::class_<DataObject>& cls) {
  const auto bind = [&cls](const char* name, nb::sig signature) {
    cls.def_prop_ro(
        name, [name](const DataObject& self) { return nb::object(self.model.attr(name)); }, signature,
        "rows of actuator_moment, as in the model");
  };
  bind("moment_rownnz", nb::sig("def moment_rownnz(self) -> numpy.typing.NDArray[numpy.int32]"));
  bind("moment_rowadr", nb::sig("def moment_rowadr(self) -> numpy.typing.NDArray[numpy.int32]"));
  bind("moment_colind", nb::sig("def moment_colind(self) -> numpy.typing.NDArray[numpy.int32]"));
}

void bind_memory(nb::class_<DataObject>& cls) {
  cls.def_prop_ro(
      "signature", [](const DataObject& self) { return self.data->signature(); },
      "signature of the model that this Data was made for");
  cls.def_prop_ro(
      "nbuffer", [](const DataObject& self) { return self.data->bytes(); }, "total size of all arrays, in bytes");
  cls.def_prop_ro(
      "narena", [](const DataObject& self) { return self.data->arena().reserved() + self.data->results().reserved(); },
      "bytes reserved for contacts, rows and scratch memory; grows as needed");
  cls.def_prop_ro(
      "ngrow", [](const DataObject& self) { return self.data->arena().growths() + self.data->results().growths(); },
      "how often contacts, rows and scratch memory exceeded the reserved memory");
  cls.def_prop_ro(
      "memory_needed", [](const DataObject& self) { return self.data->memory_needed(); },
      "bytes needed for the current contacts and rows if memory is insufficient; else 0");
  cls.def_prop_ro(
      "maxuse_arena",
      [](const DataObject& self) { return self.data->arena().high_water() + self.data->results().high_water(); },
      "maximum bytes of contacts, rows and scratch memory since the reset");
  cls.def_prop_ro(
      "maxuse_stack", [](const DataObject& self) { return self.data->arena().high_water(); },
      "maximum bytes of scratch memory since the reset");
  cls.def_prop_ro(
      "maxuse_con", [](const DataObject& self) { return self.data->maxuse_con; },
      "maximum number of contacts since the reset");
  cls.def_prop_ro(
      "maxuse_efc", [](const DataObject& self) { return self.data->maxuse_efc; },
      "maximum number of rows since the reset");
}

void bind_stack(nb::class_<DataObject>& cls) {
  using namespace nb::literals;
  cls.def_prop_ro(
      "pstack", [](const DataObject& self) { return self.data->arena().used(); },
      "bytes of scratch memory in use, as mark_stack() returns");
  cls.def(
      "mark_stack", [](const DataObject& self) { return self.data->arena().mark(); },
      R"(The current end of the stack of scratch memory; free_stack() releases what is allocated after it.

>>> mark = data.mark_stack()
>>> x = data.stack_alloc(model.nv)
>>> data.free_stack(mark)
>>> data.pstack == mark
True
)");
  cls.def(
      "stack_alloc",
      [](DataObject& self, size_t count) {
        const Hold hold(self.data->gate);
        Arena& arena = self.data->arena();
        const size_t mark = arena.mark(), needed = arena.needed();
        const bool fits = arena.push_array<double>(count) && arena.needed() == needed;
        if (needed == 0) arena.clear_needed();  // this is about results
        if (!fits) {
          arena.release(mark);
          throw Error(fmt::format("no scratch memory for {} numbers: {} of {} bytes are in use", count, arena.used(),
                                  arena.capacity()));
        }
        // The arena only counts them: an array that outlives free_stack() must not reach the engine's scratch memory.
        try {
          return Output({count}).array();
        } catch (...) {
          arena.release(mark);
          throw;
        }
      },
      "count"_a, nb::sig("def stack_alloc(self, count: int) -> numpy.typing.NDArray[numpy.float64]"),
      R"(An array of zeros that counts as scratch memory until free_stack() or a reset, including a reset inside step().

The engine does not use it. Raises Error if the memory limit of the model is exceeded.

>>> mark = data.mark_stack()
>>> data.stack_alloc(3).shape
(3,)
>>> data.free_stack(mark)
)");
  cls.def(
      "free_stack",
      [](DataObject& self, size_t mark) {
        const Hold hold(self.data->gate);
        if (mark < self.stack_floor)
          throw nb::value_error(
              fmt::format("mark {} is older than the running callback: what was taken before {} is in "
                          "use by the engine",
                          mark, self.stack_floor)
                  .c_str());
        if (mark > self.data->arena().used() && self.data->arena().used() > 0)
          throw nb::value_error(
              fmt::format("mark {} lies beyond the stack, which has {} bytes", mark, self.data->arena().used())
                  .c_str());
        self.data->arena().release(mark);
      },
      "mark"_a, R"(Release all scratch memory allocated since mark_stack() returned mark.

>>> mark = data.mark_stack()
>>> x = data.stack_alloc(3)
>>> data.free_stack(mark)
)");
}

void bind_copies(nb::class_<DataObject>& cls) {
  using namespace nb::literals;
  cls.def("__copy__", [](const DataObject& self) {
    const Hold hold(self.data->gate);
    return DataObject(self.model, Data(*self.data));
  });
  cls.def(
      "__deepcopy__",
      [](const DataObject& self, nb::handle memo) {
        const nb::object model = nb::module_::import_("copy").attr("deepcopy")(self.model, memo);
        const Hold hold(self.data->gate);
        return DataObject(model, Data(*self.data));
      },
      "memo"_a);
  cls.def("__getstate__", &get_state);
  cls.def("__setstate__", &set_state);
}

// Orientations that the engine keeps as matrices only: computed when they are read.
template <class Body>
Array make_quats(const DataObject& self, int count, const Field<double>& local, const Field<Byte>& same_frames,
                 Body&& body_of) {
  const Hold hold(self.data->gate);
  const Output result({static_cast<size_t>(count), 4});
  for (int k = 0; k < count; ++k) {
    const int body = body_of(k);
    const Quat<double> R_WB = load4(self.data->xquat.row(body, 4)), R_BF = load4(local.row(k, 4));
    const SameFrame same = static_cast<SameFrame>(same_frames[k]);
    const bool is_body = same == SameFrame::kBody || same == SameFrame::kBodyRotation;
    const bool is_inertia = same == SameFrame::kInertia || same == SameFrame::kInertiaRotation;
    const Quat<double> R_BI = load4(self.model_object().model->body_iquat.row(body, 4));
    store4(result.data() + 4 * k, is_body ? R_WB : R_WB * (is_inertia ? R_BI : R_BF));
  }
  return result.array();
}

void bind_quats(nb::class_<DataObject>& cls) {
  cls.def_prop_ro(
      "xiquat",
      [](const DataObject& self) {
        const Model& model = *self.model_object().model;
        return make_quats(self, model.nbody, model.body_iquat, model.body_sameframe, [](int b) { return b; });
      },
      "R_WI as wxyz, principal axes of inertia; computed when it is read");
  cls.def_prop_ro(
      "geom_xquat",
      [](const DataObject& self) {
        const Model& model = *self.model_object().model;
        return make_quats(self, model.ngeom, model.geom_quat, model.geom_sameframe,
                          [&](int g) { return model.geom_bodyid[g]; });
      },
      "R_WG as wxyz; computed when it is read");
  cls.def_prop_ro(
      "site_xquat",
      [](const DataObject& self) {
        const Model& model = *self.model_object().model;
        return make_quats(self, model.nsite, model.site_quat, model.site_sameframe,
                          [&](int s) { return model.site_bodyid[s]; });
      },
      "R_WS as wxyz; computed when it is read");
}

}  // namespace

void bind_data(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<DataObject> cls(m, "Data", nb::type_slots(kSlots), R"(One world: its state and everything computed from it.

Arrays are NumPy views of the engine's memory; assigning to an attribute copies into the array.

>>> data = torsor.Data(model)
>>> data.qpos[0] = 0.5
>>> data.qvel = [0, 1]
>>> torsor.forward(model, data)
>>> data.xpos.shape
(3, 3)
)");
  cls.def(
      "__init__", [](DataObject* self, ModelObject& model) { make_data(self, model); }, "model"_a,
      "A world in the reference pose of the model.");
  bind_values(cls);
  bind_callbacks(cls);
  bind_memory(cls);
  bind_stack(cls);
  bind_moment_pattern(cls);
  bind_quats(cls);
  bind_copies(cls);
  add_field_attributes<Data>(cls);
  add_constraint_attributes(cls);
  cls.def("__repr__", [](const DataObject& self) {
    return fmt::format("<Data of '{}': time {}>", self.model_object().model->name(), self.data->time);
  });
}

}  // namespace torsor::python
