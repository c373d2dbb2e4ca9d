// The class Batch: many worlds of one model, stepped together in the lanes of the processor.
#include "torsor/batch/batch.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "objects.hpp"
#include "pace.hpp"
#include "text.hpp"
#include "torsor/model/check.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

// The engine's batch refers to its model, which must stay.
struct BatchObject {
  BatchObject(const std::shared_ptr<Model>& owner, int nworld) : model(owner), batch(*owner, nworld) {}
  std::shared_ptr<Model> model;
  Batch batch;
  mutable Gate gate;
  double step_seconds = 0;  // what one step of all worlds took last time, 0: not known
};

// Worlds, then the shape of the field in one world.
Shape field_shape(const BatchObject& self, const std::string& field) {
  Shape shape{static_cast<size_t>(self.batch.nworld())};
  if (field == "time") return shape;
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

int checked_threads(int nthread) {
  if (nthread < 1) throw nb::value_error(fmt::format("nthread must be at least 1, got {}", nthread).c_str());
  return nthread;
}

// How many steps to take between two looks for signals, so that all worlds stay together: about 20 ms.
int round_size(const BatchObject& self, int steps_left) {
  constexpr double kRoundSeconds = 0.02;
  if (self.step_seconds <= 0) return 1;
  return static_cast<int>(std::clamp(kRoundSeconds / self.step_seconds, 1.0, static_cast<double>(steps_left)));
}

// One round. If a single step of all worlds takes long, signals are looked for in between too.
void step_round(BatchObject& self, int count, int nthread) {
  using Clock = std::chrono::steady_clock;
  std::optional<nb::python_error> raised;
  const auto is_interrupted = [&raised, pace = Pace()]() mutable {
    if (!pace.is_due()) return false;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) raised.emplace();
    return raised.has_value();
  };
  const Clock::time_point start = Clock::now();
  {
    const nb::gil_scoped_release release;
    self.batch.step(count, nthread, count == 1 ? std::function<bool()>(is_interrupted) : nullptr);
  }
  if (raised) throw std::move(*raised);
  self.step_seconds = std::chrono::duration<double>(Clock::now() - start).count() / count;
}

void step_worlds(BatchObject& self, int nstep, int nthread) {
  if (nstep < 0) throw nb::value_error(fmt::format("nstep must not be negative, got {}", nstep).c_str());
  checked_threads(nthread);
  check_editable(*self.model);
  for (int done = 0; done < nstep;) {
    const int count = round_size(self, nstep - done);
    {
      const Hold hold(self.gate);
      if (self.gate.depth() > 1) throw Error("a batch cannot step while it steps: a signal handler called step()");
      step_round(self, count, nthread);
    }
    done += count;
    if (done == nstep) return;
    if (self.gate.is_wanted()) self.gate.let_others_through();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

Array get_field(const BatchObject& self, const std::string& field, const OptionalArray& out) {
  self.batch.field_size(field);  // an unknown field is told what there is
  const Output result("out", out, field_shape(self, field));
  const Hold hold(self.gate);
  self.batch.get(field, result.data());
  return result.array();
}

void set_field(BatchObject& self, const std::string& field, const ArrayLike& values) {
  self.batch.field_size(field);
  const Input numbers("values", values, field_shape(self, field));
  const Hold hold(self.gate);
  self.batch.set(field, numbers.data());
}

Array forward_field(BatchObject& self, const std::string& field, int nthread, const OptionalArray& out) {
  checked_threads(nthread);
  check_editable(*self.model);
  const Output result("out", out, field_shape(self, field));
  {
    const Hold hold(self.gate);
    nb::gil_scoped_release release;
    self.batch.forward(field, result.data(), nthread);
  }
  return result.array();
}

void reset_worlds(BatchObject& self, std::optional<int> world) {
  const Hold hold(self.gate);
  if (!world) return self.batch.reset();
  const int nworld = self.batch.nworld();
  if (*world < 0 || *world >= nworld)
    throw nb::index_error(fmt::format("world {} does not exist: the batch has {}", *world, nworld).c_str());
  self.batch.reset_world(*world);
}

}  // namespace

void bind_batch(nb::module_& m) {
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
  nb::class_<BatchObject>(m, "Batch", R"(Many worlds of one model, stepped together, one per lane of the processor.

Stages that have no wide kernel yet run lane by lane within the same step; plan() lists them. Set controls with
set("ctrl", ...) and read sensors with forward("sensordata"); the noise seed of a world is its number.

>>> batch = torsor.Batch(model, nworld=100)
>>> batch.set("qvel", numpy.random.default_rng(0).normal(size=(100, 2)))
>>> batch.step(nstep=10)
>>> batch.get("qpos").shape
(100, 2)
)")
      .def(
          "__init__",
          [](BatchObject* self, const ModelObject& model, int nworld) {
            check_editable(*model.model);
            new (self) BatchObject(model.model, nworld);
          },
          "model"_a, "nworld"_a, "All worlds in the reference pose of the model.")
      .def_prop_ro(
          "nworld", [](const BatchObject& self) { return self.batch.nworld(); }, "number of worlds")
      .def_prop_ro(
          "lanes", [](const BatchObject& self) { return self.batch.lanes(); }, "worlds per pack")
      .def_prop_ro(
          "resets", [](const BatchObject& self) { return self.batch.resets(); },
          "how often a world was reset because its numbers blew up")
      .def(
          "plan", [](const BatchObject& self) { return self.batch.plan(); },
          R"(The stages of step() in order: which run wide, and why others run lane by lane.

>>> batch = torsor.Batch(model, 8)
>>> [stage.stage for stage in batch.plan() if not stage.wide]
[]
>>> print(*batch.plan()[:2], sep="\n")
kinematics             wide
mass matrix            wide
)")
      .def("step", &step_worlds, "nstep"_a = 1, "nthread"_a = 1, R"(Advance every world by nstep steps.

Ctrl-C ends a long call with KeyboardInterrupt. All worlds have then taken the same number of steps, which get("time")
shows; only if a single step of all worlds takes longer than a moment, some may be one step ahead of others.

>>> torsor.Batch(model, 8).step(nstep=5, nthread=2)
)")
      .def("get", &get_field, "field"_a, "out"_a = nb::none(), R"(A field of state or input of all worlds, as a copy.

>>> torsor.Batch(model, 8).get("time").shape
(8,)
)")
      .def("set", &set_field, "field"_a, "values"_a, R"(Sets a field of state or input of all worlds.

>>> torsor.Batch(model, 2).set("qpos", [[0, 0], [0.1, 0.2]])
)")
      .def("forward", &forward_field, "field"_a, "nthread"_a = 1, "out"_a = nb::none(),
           R"(Any field of Data, for all worlds, after forward dynamics, which is computed now.

>>> torsor.Batch(model, 8).forward("xpos").shape
(8, 3, 3)
)")
      .def("__repr__",
           [](const BatchObject& self) {
             return to_str(fmt::format("<Batch of '{}': nworld {}, lanes {}>", self.model->name(), self.batch.nworld(),
                                       self.batch.lanes()));
           })
      .def("reset", &reset_worlds, "world"_a = nb::none(), R"(Back to the reference pose: one world, or all.

>>> torsor.Batch(model, 8).reset(world=3)
)");
}

}  // namespace torsor::python
