// step, forward, inverse, reset, and the state as one vector.
#include "torsor/sim/sim.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "bindings.hpp"
#include "element_id.hpp"
#include "objects.hpp"
#include "pace.hpp"
#include "text.hpp"
#include "torsor/sim/sleep.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

Status step_many(ModelObject& model, DataObject& data, int nstep) {
  if (nstep < 0) throw nb::value_error(fmt::format("nstep must not be negative, got {}", nstep).c_str());
  EngineCall call(model, data, Effect::kRows);
  Pace pace;
  Status worst = Status::kOk;
  for (int i = 0; i < nstep; ++i) {
    worst = std::max(worst, step(call.model, call.data));
    require_memory(call.model, call.data);
    if (i + 1 < nstep && (pace.is_due() || call.is_wanted())) call.pause();
  }
  return worst;
}

SkipStage skip_stage(int stage) {
  if (stage < 0 || stage > static_cast<int>(SkipStage::kAcceleration))
    throw nb::value_error(fmt::format("stage must be a SkipStage, got {}", stage).c_str());
  return static_cast<SkipStage>(stage);
}

void bind_steps(nb::module_& m) {
  m.def("step", &step_many, "model"_a, "data"_a, "nstep"_a = 1,
        R"(Advance the state by nstep steps of model.opt.timestep; returns the worst Status of the steps.

Positions and other results in data belong to the state before the last step. Raises Error, with the state after the
last completed step, if contacts and constraints need more memory than the model allows (<size memory="...">). Ctrl-C
ends a long call with KeyboardInterrupt after the step in progress; data.time shows how far it got. Other threads that
access contacts or rows of this data wait for the end of that step.

>>> torsor.step(model, data, nstep=10)
Status.OK
)");
  m.def(
      "step1",
      [](ModelObject& model, DataObject& data) {
        const EngineCall call(model, data, Effect::kRows);
        const Status status = step1(call.model, call.data);
        require_memory(call.model, call.data);
        return status;
      },
      "model"_a, "data"_a, R"(The first half of a step: everything that depends only on positions and velocities.

>>> torsor.step1(model, data)
Status.OK
>>> data.qfrc_applied[0] = -data.qfrc_bias[0]
>>> torsor.step2(model, data)
Status.OK
)");
  m.def(
      "step2",
      [](ModelObject& model, DataObject& data) {
        const EngineCall call(model, data, Effect::kRows);
        const Status status = step2(call.model, call.data);
        require_memory(call.model, call.data);
        return status;
      },
      "model"_a, "data"_a, R"(The second half of a step: forces, accelerations, integration. RK4 falls back to Euler.

>>> torsor.step1(model, data), torsor.step2(model, data)
(Status.OK, Status.OK)
)");
}

void bind_forward(nb::module_& m) {
  m.def(
      "forward",
      [](ModelObject& model, DataObject& data) {
        const EngineCall call(model, data, Effect::kRows);
        forward(call.model, call.data);
      },
      "model"_a, "data"_a, R"(Compute everything from the current state and input, up to data.qacc.

>>> torsor.forward(model, data)
>>> data.qacc.shape
(2,)
)");
  m.def(
      "forward_skip",
      [](ModelObject& model, DataObject& data, int stage, bool skipsensor) {
        const SkipStage skip = skip_stage(stage);
        const EngineCall call(model, data, Effect::kRows);
        forward_skip(call.model, call.data, skip, skipsensor);
      },
      "model"_a, "data"_a, "stage"_a, "skipsensor"_a = false,
      R"(forward() without the stages that are already computed, given by a SkipStage.

>>> torsor.forward(model, data)
>>> data.qfrc_applied[0] = 1
>>> torsor.forward_skip(model, data, torsor.SkipStage.VEL)
)");
  m.def(
      "inverse",
      [](ModelObject& model, DataObject& data) {
        const EngineCall call(model, data, Effect::kRows);
        inverse(call.model, call.data);
      },
      "model"_a, "data"_a, R"(Compute data.qfrc_inverse, the joint forces that produce the current data.qacc.

>>> torsor.forward(model, data)
>>> torsor.inverse(model, data)
>>> numpy.allclose(data.qfrc_inverse, data.qfrc_applied)
True
)");
  m.def(
      "inverse_skip",
      [](ModelObject& model, DataObject& data, int stage, bool skipsensor) {
        const SkipStage skip = skip_stage(stage);
        const EngineCall call(model, data, Effect::kRows);
        inverse_skip(call.model, call.data, skip, skipsensor);
      },
      "model"_a, "data"_a, "stage"_a, "skipsensor"_a = false,
      R"(inverse() without the stages that are already computed, given by a SkipStage.

>>> torsor.forward(model, data)
>>> data.qacc = 0
>>> torsor.inverse_skip(model, data, torsor.SkipStage.VEL)
)");
}

void bind_reset(nb::module_& m) {
  m.def(
      "reset_data",
      [](ModelObject& model, DataObject& data) {
        const Hold hold = check_reset(model, data);
        reset(*model.model, *data.data);
        start_sleep(*model.model, *data.data);
      },
      "model"_a, "data"_a, R"(Reset to the reference pose at time 0, and clear forces, results and counters.

>>> torsor.reset_data(model, data)
>>> data.time
0.0
)");
  m.def(
      "reset_data_keyframe",
      [](ModelObject& model, DataObject& data, const ElementId& key) {
        const Hold hold = check_reset(model, data);
        reset_to_key(*model.model, *data.data, find_element(*model.model, ObjectType::kKey, key));
        start_sleep(*model.model, *data.data);
      },
      "model"_a, "data"_a, "key"_a, R"(Reset to a keyframe, given by name or index, and clear everything else.

>>> torsor.reset_data_keyframe(model, data, "bent")
>>> data.qpos
array([1. , 0.5])
)");
}

int checked_signature(int signature) {
  constexpr int kAll = (kStateNoise << 1) - 1;
  if (signature < 0 || signature > kAll)
    throw nb::value_error(fmt::format("signature must be a sum of StateBit, got {}", signature).c_str());
  return signature;
}

Shape state_shape(const ModelObject& model, int signature) {
  return {static_cast<size_t>(state_size(*model.model, checked_signature(signature)))};
}

void bind_state(nb::module_& m) {
  m.def(
      "state_size",
      [](const ModelObject& model, int signature) { return state_size(*model.model, checked_signature(signature)); },
      "model"_a, "signature"_a, R"(The number of values of the parts of the state in a signature.

>>> torsor.state_size(model, torsor.StateBit.QPOS | torsor.StateBit.QVEL)
4
)");
  m.def(
      "get_state",
      [](const ModelObject& model, const DataObject& data, int signature, const OptionalArray& out) {
        const Hold hold = check_fits(model, data);
        const Output state("out", out, state_shape(model, signature));
        get_state(*model.model, *data.data, state.data(), signature);
        return state.array();
      },
      "model"_a, "data"_a, "signature"_a = static_cast<int>(kStateAll), "out"_a = nb::none(),
      R"(Parts of the state as one vector; the signature is a sum of StateBit.

The part NOISE has four numbers while EnableFlag.SENSORNOISE is set, and none otherwise.

>>> torsor.get_state(model, data, torsor.StateBit.PHYSICS).shape
(4,)
)");
  m.def(
      "set_state",
      [](const ModelObject& model, DataObject& data, const ArrayLike& state, int signature) {
        const Hold hold = check_fits(model, data);
        const Input numbers("state", state, state_shape(model, signature));
        set_state(*model.model, *data.data, numbers.data(), signature);
      },
      "model"_a, "data"_a, "state"_a, "signature"_a = static_cast<int>(kStateAll),
      R"(Restore a state that get_state() returned.

>>> saved = torsor.get_state(model, data)
>>> torsor.step(model, data)
Status.OK
>>> torsor.set_state(model, data, saved)
>>> data.time
0.0
)");
}

void bind_state_copies(nb::module_& m) {
  m.def(
      "copy_state",
      [](const ModelObject& model, const DataObject& source, DataObject& target, int signature) {
        // in a fixed order, so that two threads that copy in opposite directions do not deadlock
        const bool is_first = std::less<>()(&source, static_cast<const DataObject*>(&target));
        const Hold hold = check_fits(model, is_first ? source : target);
        const Hold hold_other = check_fits(model, is_first ? target : source);
        copy_state(*model.model, *source.data, *target.data, checked_signature(signature));
      },
      "model"_a, "source"_a, "target"_a, "signature"_a = static_cast<int>(kStateAll),
      R"(Copy parts of the state from one Data to another. With all parts, both continue identically, to the bit.

>>> twin = torsor.Data(model)
>>> torsor.copy_state(model, data, twin)
)");
  m.def(
      "extract_state",
      [](const ModelObject& model, const ArrayLike& state, int signature, int wanted, const OptionalArray& out) {
        const Input numbers("state", state, state_shape(model, signature));
        const Output result("out", out, state_shape(model, wanted));
        extract_state(*model.model, numbers.data(), signature, result.data(), wanted);
        return result.array();
      },
      "model"_a, "state"_a, "signature"_a, "wanted"_a, "out"_a = nb::none(),
      R"(The parts `wanted` of a state vector with the parts `signature`. Raises Error if it does not have them.

>>> saved = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
>>> torsor.extract_state(model, saved, torsor.StateBit.FULLPHYSICS, torsor.StateBit.QVEL)
array([0., 0.])
)");
  m.def(
      "set_keyframe",
      [](ModelObject& model, const DataObject& data, const ElementId& key) {
        const Hold hold = check_fits(model, data);
        set_keyframe(*model.model, *data.data, find_element(*model.model, ObjectType::kKey, key));
      },
      "model"_a, "data"_a, "key"_a,
      R"(Overwrite a keyframe of the model, given by name or index, with the current state.

>>> torsor.set_keyframe(model, data, "bent")
>>> model.key_qpos[0]
array([0., 0.])
)");
}

Warning warning_kind(int kind) {
  if (kind < 0 || kind >= static_cast<int>(Warning::kCount))
    throw nb::value_error(fmt::format("kind must be a Warning, got {}", kind).c_str());
  return static_cast<Warning>(kind);
}

void bind_warnings(nb::module_& m) {
  m.def(
      "warn",
      [](DataObject& data, int kind, int info) {
        const Warning known = warning_kind(kind);
        const EngineCall call(data.model_object(), data);
        warn(call.data, known, info);
      },
      "data"_a, "kind"_a, "info"_a, R"(Count a warning, with the index of the culprit, as the engine does.

data.on_warning is called for the first warning of each kind since the last reset.

>>> torsor.warn(data, torsor.Warning.BADCTRL, 3)
>>> data.warning[torsor.Warning.BADCTRL]
<WarningStat number: 1, lastinfo: 3>
)");
  m.def(
      "warning_text", [](int kind, int info) { return warning_text(warning_kind(kind), info); }, "kind"_a, "info"_a,
      R"(The text of a warning.

>>> torsor.warning_text(torsor.Warning.BADQVEL, 3)
'bad number in qvel, at 3'
)");
}

}  // namespace

void bind_simulation(nb::module_& m) {
  bind_steps(m);
  bind_forward(m);
  bind_reset(m);
  bind_state(m);
  bind_state_copies(m);
  bind_warnings(m);
}

}  // namespace torsor::python
