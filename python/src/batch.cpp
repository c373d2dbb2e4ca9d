// Implementation of torsor.Batch: many worlds of one model. Arguments were checked and broadcast in Python.
#include "torsor/batch/batch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "batch_object.hpp"
#include "bindings.hpp"
#include "pace.hpp"
#include "text.hpp"
#include "torsor/model/check.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

// --- steps ----------------------------------------------------------------------------------------------------------

// How many steps to take between two looks for signals, so that all worlds stay together: about 20 ms.
int round_size(const BatchOwner& self, int steps_left) {
  constexpr double kRoundSeconds = 0.02;
  if (self.step_seconds <= 0) return 1;
  return static_cast<int>(std::clamp(kRoundSeconds / self.step_seconds, 1.0, static_cast<double>(steps_left)));
}

// One round. If a single step of all worlds takes long, signals are looked for in between too.
template <class S>
void step_round(BatchObject<S>& self, BatchSteps& call) {
  using Clock = std::chrono::steady_clock;
  std::optional<nb::python_error> raised;
  const auto is_interrupted = [&raised, pace = Pace()]() mutable {
    if (!pace.is_due()) return false;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) raised.emplace();
    return raised.has_value();
  };
  call.should_stop = call.steps == 1 ? std::function<bool()>(is_interrupted) : nullptr;
  const Clock::time_point start = Clock::now();
  {
    const nb::gil_scoped_release release;
    self.batch.step(call);
  }
  if (raised) throw std::move(*raised);
  self.step_seconds = std::chrono::duration<double>(Clock::now() - start).count() / call.steps;
}

}  // namespace

std::vector<ControlPart> list_control_parts(const Model& model, int signature) {
  if ((signature & ~kStateUser) != 0)
    throw Error("controls may be inputs only: ctrl, qfrc_applied, xfrc_applied, eq_active, mocap poses, userdata");
  std::vector<ControlPart> parts;
  const auto add = [&](int bit, const char* field) {
    if ((signature & bit) != 0) parts.push_back({field, state_size(model, bit)});
  };
  add(kStateCtrl, "ctrl");
  add(kStateQfrcApplied, "qfrc_applied");
  add(kStateXfrcApplied, "xfrc_applied");
  add(kStateEqActive, "eq_active");
  add(kStateMocapPos, "mocap_pos");
  add(kStateMocapQuat, "mocap_quat");
  add(kStateUserData, "userdata");
  return parts;
}

namespace {

template <class S>
std::vector<FieldSeries> list_controls(const BatchObject<S>& self, int signature, double* values) {
  std::vector<FieldSeries> series;
  const size_t stride = static_cast<size_t>(state_size(*self.model, signature));
  for (const ControlPart& part : list_control_parts(*self.model, signature)) {
    series.push_back({self.batch.find_field(part.field), values, stride});
    values += part.count;
  }
  return series;
}

// Steps that need no room for arrays of several steps, in rounds.
template <class S>
void step_held(BatchObject<S>& self, int nstep, BatchSteps call) {
  for (int done = 0; done < nstep;) {
    call.steps = round_size(self, nstep - done);
    {
      const Hold hold(self.gate);
      if (self.gate.depth() > 1) throw Error("a batch cannot step while it steps: a signal handler called step()");
      step_round(self, call);
    }
    done += call.steps;
    if (done == nstep) return;
    if (self.gate.is_wanted()) self.gate.let_others_through();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

template <class S>
void step_worlds(BatchObject<S>& self, int nstep, int nthread, const OptionalIds& ids) {
  check_editable(*self.model);
  BatchSteps call;
  call.threads = nthread;
  ids_of(self, ids, call);
  if (nstep > 0) step_held(self, nstep, call);
}

// With controls and records step by step. Ctrl-C ends it after the current step of each world.
template <class S>
void run_worlds(BatchObject<S>& self, int nstep, const std::optional<ArrayLike>& controls, int signature,
                const std::vector<std::pair<std::string, Array>>& records, int nthread, const OptionalIds& ids) {
  check_editable(*self.model);
  BatchSteps call;
  call.steps = nstep;
  call.threads = nthread;
  ids_of(self, ids, call);
  const size_t worlds = static_cast<size_t>(call.worlds ? call.count : self.batch.nworld());
  const size_t steps = static_cast<size_t>(nstep);
  std::optional<Input> control;
  std::vector<FieldSeries> inputs, outputs;
  if (controls) {
    const size_t width = static_cast<size_t>(state_size(*self.model, signature));
    control.emplace("controls", *controls, Shape{worlds, steps, width});
    inputs = list_controls(self, signature, const_cast<double*>(control->data()));
  }
  std::vector<std::unique_ptr<Output>> memory;
  for (const auto& [field, array] : records) {
    Shape shape = field_shape(self, field);
    shape[0] = worlds;
    shape.insert(shape.begin() + 1, steps);
    memory.push_back(std::make_unique<Output>(field.c_str(), nb::borrow<OptionalArray>(array), shape));
    const size_t stride = static_cast<size_t>(self.batch.field_size(field));
    if (stride > 0) outputs.push_back({self.batch.find_field(field), memory.back()->data(), stride});
  }
  call.controls = inputs.data(), call.ncontrols = static_cast<int>(inputs.size());
  call.records = outputs.data(), call.nrecords = static_cast<int>(outputs.size());
  const Hold hold(self.gate);
  if (self.gate.depth() > 1) throw Error("a batch cannot step while it steps: a signal handler called step()");
  std::optional<nb::python_error> raised;
  std::atomic<bool> stop{false};
  call.should_stop = [&raised, &stop, pace = Pace()]() mutable {
    if (raised || !pace.is_due()) return raised.has_value();
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) raised.emplace();
    stop = raised.has_value();
    return raised.has_value();
  };
  call.stop = &stop;
  call.ask_each_step = true;
  {
    const nb::gil_scoped_release release;
    self.batch.step(call);
  }
  if (raised) throw std::move(*raised);
}

// --- arrays ---------------------------------------------------------------------------------------------------------

template <class S>
Array get_field(const BatchObject<S>& self, const std::string& field, const OptionalArray& out) {
  self.batch.field_size(field);  // an unknown field is told what there is
  const Output result("out", out, field_shape(self, field));
  const Hold hold(self.gate);
  self.batch.get(field, result.data());
  return result.array();
}

template <class S>
void set_field(BatchObject<S>& self, const std::string& field, const ArrayLike& values) {
  self.batch.field_size(field);
  const Input numbers("values", values, field_shape(self, field));
  const Hold hold(self.gate);
  self.batch.set(field, numbers.data());
}

template <class S>
Array forward_field(BatchObject<S>& self, const std::string& field, int nthread, const OptionalArray& out) {
  check_editable(*self.model);
  const Output result("out", out, field_shape(self, field));
  {
    const Hold hold(self.gate);
    nb::gil_scoped_release release;
    self.batch.forward(field, result.data(), nthread);
  }
  return result.array();
}

template <class S>
void forward_worlds(BatchObject<S>& self, int nthread, const OptionalIds& ids) {
  check_editable(*self.model);
  BatchCall call;
  call.threads = nthread;
  ids_of(self, ids, call);
  const Hold hold(self.gate);
  nb::gil_scoped_release release;
  self.batch.forward(call);
}

// A live array, which keeps the batch's memory.
template <class S>
nb::object bind_field(nb::handle_t<BatchObject<S>> object, const std::string& field) {
  BatchObject<S>& self = nb::cast<BatchObject<S>&>(object);
  const Hold hold(self.gate);
  static S nothing;  // of a field without numbers
  S* const numbers = self.batch.bind(field);
  return make_view(numbers ? numbers : &nothing, field_shape(self, field), true, object);
}

template <class S>
void reset_worlds(BatchObject<S>& self, const OptionalIds& ids, const OptionalIds& keys) {
  BatchCall call;
  ids_of(self, ids, call);
  const int count = call.worlds ? call.count : self.batch.nworld();
  if (keys && keys->shape(0) != static_cast<size_t>(count)) throw Error("one keyframe per world is needed");
  const Hold hold(self.gate);
  self.batch.reset(call, keys ? keys->data() : nullptr);
}

using Counts = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class S>
void set_counters(BatchObject<S>& self, const Counts& steps_taken, const Counts& diverged_at) {
  const size_t worlds = static_cast<size_t>(self.batch.nworld());
  if (steps_taken.shape(0) != worlds || diverged_at.shape(0) != worlds) throw Error("one count per world is needed");
  const Hold hold(self.gate);
  self.batch.set_counters(steps_taken.data(), diverged_at.data());
}

}  // namespace

Shape field_shape(const BatchOwner& self, const std::string& field) {
  Shape shape{static_cast<size_t>(self.nworld)};
  if (field == "time") return shape;
  if (field == "eq_active") return {shape[0], static_cast<size_t>(self.model->neq)};
  DataView<double> sizes;  // has the list of fields, without memory for them
  static_cast<ModelSizes&>(sizes) = *self.model;
  bool found = false;
  size_t index = 0;
  sizes.for_each_field([&](const FieldInfo& info, const Field<double>&) {
    const FieldRow& row = data_rows()[index++];
    if (field != info.name) return;
    found = true;
    shape.push_back(static_cast<size_t>(info.rows));
    if (row.is_matrix()) shape.push_back(static_cast<size_t>(info.columns));
  });
  if (!found) throw Error(fmt::format("'{}' is not a field of Data", field));
  return shape;
}

void ids_of(const BatchOwner& self, const OptionalIds& ids, BatchCall& call) {
  if (!ids) return;
  static constexpr int kNone = 0;  // an empty array may have no memory
  call.worlds = ids->shape(0) > 0 ? ids->data() : &kNone;
  call.count = static_cast<int>(ids->shape(0));
  for (int i = 0; i < call.count; ++i) {
    if (call.worlds[i] >= 0 && call.worlds[i] < self.nworld) continue;
    throw nb::index_error(
        fmt::format("world {} does not exist: the batch has {}", call.worlds[i], self.nworld).c_str());
  }
}

static void bind_stage(nb::module_& m) {
  nb::class_<BatchPlanRow>(m, "BatchStage", R"(How a batch runs one stage of its step; see Batch.plan().

>>> torsor.Batch(model, 8).plan()[0].stage
'kinematics'
)")
      .def_prop_ro(
          "stage", [](const BatchPlanRow& self) { return to_str(self.stage); }, "name of the stage")
      .def_ro("wide", &BatchPlanRow::is_wide, "whether all lanes of a pack run at once; otherwise lane by lane")
      .def_prop_ro(
          "why", [](const BatchPlanRow& self) { return to_str(self.why); },
          "why it runs lane by lane, '' if it does not")
      .def("__repr__", [](const BatchPlanRow& self) {
        std::string text = torsor::to_text(std::vector<BatchPlanRow>{self});
        text.pop_back();  // the end of the line
        return to_str(text);
      });
}

template <class S>
static void bind_batch_of(nb::module_& m, const char* name) {
  nb::class_<BatchObject<S>> cls(m, name, "What torsor.Batch is made of.");
  cls.def(
         "__init__",
         [](BatchObject<S>* self, const ModelObject& model, int nworld) {
           check_editable(*model.model);
           new (self) BatchObject<S>(model.model, nworld);
         },
         "model"_a, "nworld"_a)
      .def_prop_ro("nworld", [](const BatchObject<S>& self) { return self.batch.nworld(); })
      .def_prop_ro("lanes", [](const BatchObject<S>& self) { return self.batch.lanes(); })
      .def_prop_ro("resets", [](const BatchObject<S>& self) { return self.batch.resets(); })
      .def("report_body_forces",
           [](BatchObject<S>& self, bool reports) {
             const Hold hold(self.gate);
             self.batch.report_body_forces(reports);
           })
      .def("plan", [](const BatchObject<S>& self) { return self.batch.plan(); })
      .def("step", &step_worlds<S>, "n"_a, "threads"_a, "ids"_a.none())
      .def("run", &run_worlds<S>, "n"_a, "controls"_a.none(), "signature"_a, "records"_a, "threads"_a, "ids"_a.none())
      .def("forward", &forward_worlds<S>, "threads"_a, "ids"_a.none())
      .def("forward_field", &forward_field<S>, "field"_a, "threads"_a, "out"_a.none())
      .def("get", &get_field<S>, "field"_a, "out"_a.none())
      .def("set", &set_field<S>, "field"_a, "values"_a)
      .def("bind", &bind_field<S>, "field"_a)
      .def("shape", [](const BatchObject<S>& self, const std::string& field) { return field_shape(self, field); })
      .def("is_input_or_state",
           [](const BatchObject<S>& self, const std::string& field) { return self.batch.is_input_or_state(field); })
      .def("reset", &reset_worlds<S>, "ids"_a.none(), "keys"_a.none())
      .def("seeds",
           [](nb::handle_t<BatchObject<S>> object) {
             BatchObject<S>& self = nb::cast<BatchObject<S>&>(object);
             return make_view(self.batch.seeds(), {static_cast<size_t>(self.batch.nworld())}, true, object);
           })
      .def("noise_steps",
           [](nb::handle_t<BatchObject<S>> object) {
             BatchObject<S>& self = nb::cast<BatchObject<S>&>(object);
             return make_view(self.batch.noise_steps(), {static_cast<size_t>(self.batch.nworld())}, true, object);
           })
      .def("set_counters", &set_counters<S>, "steps_taken"_a, "diverged_at"_a)
      .def("steps_taken",
           [](nb::handle_t<BatchObject<S>> object) {
             BatchObject<S>& self = nb::cast<BatchObject<S>&>(object);
             return make_view(const_cast<int64_t*>(self.batch.steps_taken()),
                              {static_cast<size_t>(self.batch.nworld())}, false, object);
           })
      .def("diverged_at", [](nb::handle_t<BatchObject<S>> object) {
        BatchObject<S>& self = nb::cast<BatchObject<S>&>(object);
        return make_view(const_cast<int64_t*>(self.batch.diverged_at()), {static_cast<size_t>(self.batch.nworld())},
                         false, object);
      });
  bind_batch_values(cls);
}

void bind_batch(nb::module_& m) {
  bind_stage(m);
  bind_batch_of<double>(m, "_Batch");
  bind_batch_of<float>(m, "_FloatBatch");
  m.def("_batch_fields", [] {
    std::vector<std::string> names;
    DataView<double>().for_each_field([&](const FieldInfo& info, const Field<double>&) { names.push_back(info.name); });
    return names;
  });
  bind_batch_elements(m);
}

}  // namespace torsor::python
