"""data.control: called by the engine, free to write forces, and harmless when it fails."""

import copy
import gc
import weakref

import numpy as np
import pytest

import torsor

INTEGRATORS = list(torsor.Integrator)
FOUR_STAGES = (torsor.Integrator.RK4, torsor.Integrator.RKMK4)


def everything(data):
    return {row.name: getattr(data, row.name).tobytes() for row in torsor.fields("data")
            if row.shape and row.stage in ("state", "input")} | {"time": data.time}


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_the_callback_sets_forces_as_the_user_would(model, integrator):
    model.opt.integrator = integrator
    by_hand, by_callback = torsor.Data(model), torsor.Data(model)
    seen = []

    def control(model, data):
        seen.append((model, data, data.time))
        data.qfrc_applied = [0.3, -0.1]

    by_callback.control = control
    by_hand.qfrc_applied = [0.3, -0.1]
    torsor.step(model, by_hand, nstep=4)
    torsor.step(model, by_callback, nstep=4)
    assert by_hand.qpos.tobytes() == by_callback.qpos.tobytes()
    assert all(m is model and d is by_callback for m, d, _ in seen)
    assert len(seen) == (16 if integrator in FOUR_STAGES else 4)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("good_calls", [0, 1, 3])
def test_what_the_callback_raises_reaches_the_caller_and_leaves_the_state(model, data, integrator, good_calls):
    model.opt.integrator = integrator
    data.qpos, data.qvel = [0.1, 0.2], [1, 2]
    calls = []
    states = [everything(data)]

    def control(model, data):
        calls.append(0)
        if len(calls) > good_calls:
            raise KeyError("out of fuel")

    data.control = control
    for _ in range(good_calls + 1):
        try:
            torsor.step(model, data)
        except KeyError as error:
            assert error.args == ("out of fuel",)
            assert everything(data) == states[-1]
            break
        states.append(everything(data))
    else:
        pytest.fail("nothing was raised")
    data.control = None
    assert torsor.step(model, data) == torsor.Status.OK


def test_the_callback_runs_in_forward_and_step1_but_not_in_inverse(model, data):
    calls = []
    data.control = lambda model, data: calls.append(0)
    torsor.forward(model, data)
    torsor.step1(model, data)
    assert len(calls) == 2
    torsor.inverse(model, data)
    torsor.step2(model, data)
    torsor.kinematics(model, data)
    assert len(calls) == 2


def test_the_callback_may_ask_questions_but_not_start_over(model, data):
    seen = []

    def asks(model, data):
        seen.append(torsor.full_m(model, data).shape)
        torsor.energy_pos(model, data)

    data.control = asks
    torsor.step(model, data)
    assert seen[0] == (2, 2)
    data.control = torsor.forward
    with pytest.raises(torsor.Error, match="data.control called a function that calls data.control again"):
        torsor.step(model, data)
    data.control = None
    assert torsor.step(model, data) == torsor.Status.OK


def test_the_callback_may_remove_itself(model, data):
    calls = []

    def once(model, data):
        calls.append(0)
        data.control = None

    data.control = once
    torsor.step(model, data, nstep=5)
    assert len(calls) == 1 and data.control is None


def test_only_callables_are_accepted(data):
    with pytest.raises(TypeError, match="control must be callable"):
        data.control = 3
    assert data.control is None


def test_copies_have_no_callback(data):
    data.control = lambda model, data: None
    assert copy.copy(data).control is None


def test_a_callback_that_holds_its_data_is_collected(model):
    class Controller:
        def __init__(self, data):
            self.data = data
            data.control = self

        def __call__(self, model, data):
            pass

    controller = Controller(torsor.Data(model))
    torsor.step(model, controller.data)
    gone = weakref.ref(controller)
    del controller
    gc.collect()
    assert gone() is None


def test_another_model_of_the_same_structure_is_the_one_the_callback_gets(model, data):
    twin = copy.copy(model)
    seen = []
    data.control = lambda model, data: seen.append(model)
    torsor.step(twin, data)
    assert all(m is twin for m in seen) and np.size(seen) > 0
