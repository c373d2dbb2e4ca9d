"""What RK4 leaves behind besides the state: qacc, histories and activations, in one world and in batches."""

import pathlib

import mujoco
import numpy as np
import pytest

import torsor

FEATURES = pathlib.Path(__file__).parents[2] / "models" / "features"
NAMES = ["actuator_circles", "actuator_dcmotors", "actuator_muscles", "sensor_delays", "sensor_nearness"]
RESULTS = ("qacc", "qacc_warmstart", "actuator_length", "actuator_velocity", "history", "act", "qpos", "qvel")
WORLDS, STEPS = 5, 3


def randomize(model, data, seed):
    rng = np.random.default_rng(seed)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 0.5)
    data.ctrl[:] = rng.normal(size=model.nu)
    data.act[:] = rng.uniform(0, 1, size=model.na)


def check(name, ours, theirs):
    assert np.allclose(ours, theirs, rtol=0, atol=1e-8 * max(1, np.abs(theirs).max(initial=0))), name


@pytest.mark.parametrize("name", NAMES)
def test_results_equal_mujocos_and_those_of_batches(name):
    path = FEATURES / f"{name}.xml"
    theirs_model, model = mujoco.MjModel.from_xml_path(str(path)), torsor.Model.from_xml_path(path)
    for each in (theirs_model, model):
        each.opt.integrator, each.opt.tolerance = 1, 0
    batch, worlds = torsor.Batch(model, WORLDS), []
    arrays = {field: getattr(batch, field) for field in RESULTS}
    for world in range(WORLDS):
        theirs, data = mujoco.MjData(theirs_model), torsor.Data(model)
        randomize(theirs_model, theirs, world)
        for field in ("qpos", "qvel", "ctrl", "act"):
            getattr(data, field)[:] = getattr(batch, field)[world] = getattr(theirs, field)
        worlds.append((theirs, data))
    batch.step(STEPS)
    for world, (theirs, data) in enumerate(worlds):
        mujoco.mj_step(theirs_model, theirs, nstep=STEPS)
        for _ in range(STEPS):
            torsor.step(model, data)
        for field in RESULTS:
            check(f"{field} of one world", getattr(data, field), getattr(theirs, field))
            check(f"{field} of a batch", arrays[field][world], getattr(data, field))
