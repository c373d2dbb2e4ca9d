"""Ptera Software 5.1.0, recorded: its calls of its engine, made to torsor.flight.MuJoCoModel, get the same answers."""

import json
import pathlib

import numpy as np
import pytest

import torsor
from torsor import flight

FOLDER = pathlib.Path(__file__).parent / "ptera"
RECORDS = {"3.12.0": "free_flight.json", "4.0.0": "free_flight_mujoco_4.json"}  # by the MuJoCo under Ptera Software
NAMES = ("position_E_Eo", "R_pas_E_to_BP1", "velocity_E__E", "omegas_BP1__E", "time")


def read(version):
    return json.loads((FOLDER / RECORDS[version]).read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=RECORDS)
def record(request):
    return read(request.param)


def test_the_numbers_are_those_of_the_real_system(record):
    assert record["versions"]["pterasoftware"] == "5.1.0" and record["versions"]["mujoco"] in RECORDS
    kinds = {event[0] for event in record["events"]}
    assert kinds == {"init", "apply_loads", "step", "get_state", "save_state", "restore_state"}


def step_of_mujoco_3(engine):
    """RK4 up to MuJoCo 3.17: averages angular velocities that are expressed in the axes of different stages."""
    model, data = engine._flight.model, engine._flight.data
    h, start = model.opt.timestep, (np.array(data.qpos), np.array(data.qvel), data.time)
    sums = np.zeros((2, model.nv))
    for weight, next_part in ((1 / 6, 0.5), (1 / 3, 0.5), (1 / 3, 1), (1 / 6, 1)):
        torsor.forward(model, data)
        rates = np.array([data.qvel, data.qacc])
        sums += weight * rates
        if weight == 1 / 6 and next_part == 1:
            rates = sums  # the last stage: the step itself
        qpos = torsor.integrate_pos(model, start[0], rates[0], next_part * h)
        data.qpos[:], data.qvel[:], data.time = qpos, start[1] + next_part * h * rates[1], start[2] + next_part * h


# Ptera Software asks for MuJoCo 3.12, whose RK4 turns bodies by order 2, that of 4.0 by order 4. Its principal axes leave 3e-10 of
# this inertia, those of 4.0 5e-15, which the flight amplifies to 1e-6 in its steps of 0.02 s.
@pytest.mark.parametrize("version,step,allowed", [("3.12.0", step_of_mujoco_3, 1e-6),
                                                  ("4.0.0", flight.MuJoCoModel.step, 1e-11)], ids=RECORDS)
def test_the_adapter_gives_pteras_free_flight_numbers(version, step, allowed):
    record = read(version)
    assert record["versions"]["mujoco"] == version
    engine, snapshot, checked = None, None, 0
    for event, *arguments in record["events"]:
        if event == "init":
            engine = flight.MuJoCoModel(**arguments[0])
        elif event == "save_state":
            snapshot = engine.save_state()
        elif event == "restore_state":
            engine.restore_state(snapshot)
        elif event == "get_state":
            expected, qpos, qvel = arguments
            state = engine.get_state()
            for name in NAMES:
                np.testing.assert_allclose(state[name], expected[name], rtol=allowed, atol=allowed, err_msg=name)
            np.testing.assert_allclose(engine._flight.data.qpos, qpos, rtol=0, atol=allowed)
            np.testing.assert_allclose(engine._flight.data.qvel, qvel, rtol=0, atol=allowed)
            checked += 1
        elif event == "step":
            step(engine, *arguments)
        else:
            getattr(engine, event)(*arguments)
    assert checked > 10


def test_axes_angles_and_vectors_are_pteras(record):
    for sample in record["axes"]:
        state = flight.FlightState(**sample["state"])
        np.testing.assert_allclose(state.angles_E_to_BP1_izyx, sample["angles_E_to_BP1_izyx"], atol=1e-10)
        np.testing.assert_allclose([state.alpha, state.beta], [sample["alpha"], sample["beta"]], atol=1e-10)
        np.testing.assert_allclose(state.to_vector("coupling"), sample["vector"], atol=1e-12)
        for name, matrix in sample["matrices"].items():
            np.testing.assert_allclose(state[name], matrix, atol=1e-12, err_msg=name)
