// Implementation of torsor.rollout, on arrays whose shapes have been checked.
#include "torsor/batch/rollout.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <nanobind/stl/optional.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "objects.hpp"
#include "torsor/model/check.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

// Kept alive while threads use them, whatever Python does with its objects meanwhile.
std::vector<std::shared_ptr<Model>> models_of(const nb::sequence& objects) {
  std::vector<std::shared_ptr<Model>> models;
  for (nb::handle object : objects) models.push_back(nb::cast<const ModelObject&>(object).model);
  return models;
}

// Runs signal handlers and the user's function a few times per second; exceptions stop the rollout.
std::function<void(int64_t)> reporter(const nb::object& progress) {
  return [&progress](int64_t steps) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(steps);
  };
}

void run_rollout(const nb::sequence& objects, int nbatch, int nstep, const ArrayLike& initial_states,
                 const std::optional<ArrayLike>& controls, const std::optional<ArrayLike>& initial_warmstart,
                 int control_signature, int nthread, const OptionalArray& states,
                 const std::optional<OptionalArray>& sensordata, const OptionalArray& steps, const nb::object& progress,
                 bool wide, uint64_t first_seed, const std::optional<OptionalArray>& diverged_at) {
  if (nbatch < 0 || nstep < 0) throw nb::value_error("nbatch and nstep must not be negative");
  const auto models = models_of(objects);
  if (models.empty()) throw nb::value_error("models: expected at least one");
  std::vector<const Model*> pointers;
  for (const auto& model : models) {
    check_editable(*model);
    pointers.push_back(model.get());
  }
  const Model& model = *pointers[0];
  const auto n = [](int size) { return static_cast<size_t>(size); };
  const size_t nstate = n(state_size(model, kStateFullPhysics)), ncontrol = n(state_size(model, control_signature));
  const Input first("initial_states", initial_states, {n(nbatch), nstate});
  std::optional<Input> control, warmstart;
  if (controls) control.emplace("controls", *controls, Shape{n(nbatch), n(nstep), ncontrol});
  if (initial_warmstart) warmstart.emplace("initial_warmstart", *initial_warmstart, Shape{n(nbatch), n(model.nv)});
  const Output out("states", states, {n(nbatch), n(nstep), nstate});
  std::optional<Output> readings;
  if (sensordata) readings.emplace("sensordata", *sensordata, Shape{n(nbatch), n(nstep), n(model.nsensordata)});
  const RolloutInput input{nbatch,
                           nstep,
                           first.data(),
                           control ? control->data() : nullptr,
                           warmstart ? warmstart->data() : nullptr,
                           control_signature,
                           first_seed};
  const Output counts("steps", steps, {n(nbatch)});
  std::vector<int> taken(n(nbatch));
  std::optional<Output> bad;
  std::vector<int64_t> diverged(n(nbatch), -1);
  if (diverged_at) bad.emplace("diverged_at", *diverged_at, Shape{n(nbatch)});
  const RolloutOutput output{out.data(), readings ? readings->data() : nullptr, nullptr, taken.data(), diverged.data()};
  struct CopyCounts {  // also when the rollout is stopped
    ~CopyCounts() {
      std::copy(from.begin(), from.end(), to);
      if (bad_to)
        std::transform(bad.begin(), bad.end(), bad_to, [](int64_t step) { return static_cast<double>(step); });
    }
    const std::vector<int>& from;
    double* to;
    const std::vector<int64_t>& bad;
    double* bad_to;
  } copy{taken, counts.data(), diverged, bad ? bad->data() : nullptr};
  const nb::gil_scoped_release release;
  rollout(pointers, input, output, {nthread, reporter(progress), wide});
}

}  // namespace

void bind_rollout(nb::module_& m) {
  m.def("_rollout", &run_rollout, "models"_a, "nbatch"_a, "nstep"_a, "initial_states"_a, "controls"_a.none(),
        "initial_warmstart"_a.none(), "control_signature"_a, "nthread"_a, "states"_a, "sensordata"_a.none(), "steps"_a,
        "progress"_a.none(), "wide"_a, "first_seed"_a = 0, "diverged_at"_a.none() = nb::none());
}

}  // namespace torsor::python
