"""The solvers of a device beside those of a batch on the processor. Those marked gpu need a card; scripts/test_gpu takes them."""

import numpy as np
import pytest

import torsor

NWORLD = 37
# Contacts of 1, 3, 4 and 6 rows, limits, friction, an equality, two trees that touch.
SCENE = """<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 0.14"><freejoint/><geom type="box" size="0.2 0.1 0.05" condim="3"/>
    <body pos="0.2 0 0"><joint name="a" axis="0 1 0" range="-10 10" frictionloss="0.1" damping="0.2"/>
      <geom type="capsule" fromto="0 0 0 0.2 0 -0.1" size="0.03" condim="4"/>
      <body pos="0.2 0 -0.1"><joint type="ball" range="0 20" damping="0.1"/><geom size="0.06" condim="6"/></body></body>
    <body pos="-0.2 0 0"><joint name="c" axis="0 1 0" range="-15 15"/>
      <geom type="capsule" fromto="0 0 0 -0.2 0 -0.1" size="0.03" condim="1"/></body></body>
  <body pos="0 0.05 0.28"><freejoint/><geom size="0.09"/></body></worldbody>
  <equality><joint joint1="c" joint2="a" polycoef="0 0.5 0 0 0"/></equality></mujoco>"""
SOLVERS = {"PGS": 0, "CG": 1, "SAP": 3}


@pytest.fixture(params=["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def any_device(request):
    return request.param


def make_model(solver, cone):
    model = torsor.Model.from_xml_string(SCENE)
    model.opt.solver = SOLVERS[solver]
    model.opt.cone = cone
    return model


def make_batch(model, dtype, **place):
    batch = torsor.Batch(model, NWORLD, dtype, **place)
    batch.set("qvel", 0.3 * np.random.default_rng(3).normal(size=(NWORLD, model.nv)))
    return batch


@pytest.mark.parametrize("cone", [0, 1])
@pytest.mark.parametrize("solver, iterations", [("PGS", 5), ("CG", 500), ("SAP", 100)])
def test_steps_are_those_of_the_processor(any_device, solver, iterations, cone):
    model = make_model(solver, cone)
    model.opt.iterations = iterations  # few sweeps are far from the solution, others go on until nothing is gained
    model.opt.tolerance = model.opt.sap_tolerance = 0
    device, lanes = make_batch(model, "float64", device=any_device), make_batch(model, "float64")
    forces = device.bind("qfrc_constraint")
    for _ in range(10):
        device.step()
        lanes.step()
        for field in ("qpos", "qvel"):
            assert device.get(field) == pytest.approx(lanes.get(field), abs=1e-8)
            device.set(field, lanes.get(field))
        device.set("qacc_warmstart", lanes.get("qacc_warmstart"))
    assert np.abs(np.asarray(forces)).max(axis=1).min() > 1  # every world has contacts


@pytest.mark.parametrize("solver, within", [("PGS", 1e-4), ("CG", 5e-4), ("SAP", 1e-4)])
def test_steps_in_float_are_those_of_the_processor(any_device, solver, within):
    model = make_model(solver, 1)
    device, lanes = make_batch(model, "float32", device=any_device), make_batch(model, "float32")
    for _ in range(10):
        device.step()
        lanes.step()
        for field in ("qpos", "qvel"):
            scale = np.abs(lanes.get(field)).max()
            assert np.abs(device.get(field) - lanes.get(field)).max() < within * scale
            device.set(field, lanes.get(field))
        device.set("qacc_warmstart", lanes.get("qacc_warmstart"))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_two_runs_have_the_same_bits(any_device, solver, dtype):
    runs = []
    for _ in range(2):
        batch = make_batch(make_model(solver, 1), dtype, device=any_device)
        batch.step(40)
        runs.append(batch.get("qpos"))
    assert np.array_equal(*runs) and np.isfinite(runs[0]).all()


@pytest.mark.parametrize("solver, iterations", [("PGS", 5), ("CG", 500)])
def test_worlds_with_values_of_their_own_are_solved(any_device, solver, iterations):
    model = make_model(solver, 1)
    model.opt.iterations, model.opt.tolerance = iterations, 0
    batches = make_batch(model, "float64", device=any_device), make_batch(model, "float64")
    factors = np.linspace(0.5, 2, NWORLD)[:, None]
    for batch in batches:
        batch.set_values("geom_friction", model.geom_friction * factors[..., None])
        batch.set_values("body_mass", model.body_mass * factors)
        batch.step(3)
    device, lanes = (batch.get("qvel") for batch in batches)
    assert device == pytest.approx(lanes, abs=1e-7) and np.ptp(lanes[:, 2]) > 1e-3
