"""torsor.rollout: equal to stepping, on any number of threads; shapes, progress, Ctrl-C, errors."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import torsor
from beside import runs_beside

MODEL = """<mujoco><worldbody><geom type="plane" size="3 3 1"/>
  <body pos="0 0 0.15"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  <body pos="1 0 0.5"><joint name="hip" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/></body>
  </worldbody><actuator><position joint="hip" kp="3" timeconst="0.1"/></actuator>
  <sensor><jointpos joint="hip"/><framelinvel objtype="body" objname="world"/></sensor></mujoco>"""
NBATCH, NSTEP = 7, 60
FULL = torsor.StateBit.FULLPHYSICS


@pytest.fixture
def scene():
    model = torsor.Model.from_xml_string(MODEL)
    data = torsor.Data(model)
    rng = np.random.default_rng(2)
    initial = np.tile(torsor.get_state(model, data, FULL), (NBATCH, 1))
    initial[:, 1 + model.nq:1 + model.nq + model.nv] = rng.normal(0, 0.5, (NBATCH, model.nv))
    return model, initial, rng.normal(size=(NBATCH, NSTEP, model.nu)), rng.normal(size=(NBATCH, model.nv))


def stepped(model, initial, controls, warmstart):
    states, readings = [], []
    for start, sequence, warm in zip(initial, controls, warmstart):
        data = torsor.Data(model)
        torsor.set_state(model, data, start, FULL)
        data.qacc_warmstart = warm
        for control in sequence:
            data.ctrl = control
            torsor.step(model, data)
            states.append(torsor.get_state(model, data, FULL))
            readings.append(np.array(data.sensordata))
    shape = initial.shape[0], controls.shape[1], -1
    return np.reshape(states, shape), np.reshape(readings, shape)


@pytest.mark.parametrize("nthread", [1, 2, 5, None])
def test_rollouts_are_steps_to_the_bit(scene, nthread):
    model, initial, controls, warmstart = scene
    expected = stepped(model, initial, controls, warmstart)
    states, sensordata = torsor.rollout(model, initial, controls, initial_warmstart=warmstart, nthread=nthread)
    assert states.tobytes() == expected[0].tobytes()
    assert sensordata.tobytes() == expected[1].tobytes()
    without, none = torsor.rollout(model, initial, controls, initial_warmstart=warmstart, skipsensor=True)
    assert none is None and without.tobytes() == states.tobytes()


def test_dimensions_of_one_are_repeated(scene):
    model, initial, controls, _ = scene
    same_start, _ = torsor.rollout(model, initial[0], controls)
    assert same_start.tobytes() == torsor.rollout(model, np.tile(initial[0], (NBATCH, 1)), controls)[0].tobytes()
    same_controls, _ = torsor.rollout(model, initial, controls[0])
    assert same_controls.tobytes() == torsor.rollout(model, initial, np.tile(controls[0], (NBATCH, 1, 1)))[0].tobytes()
    held, _ = torsor.rollout(model, initial, controls[:, :1], 20)
    assert held.tobytes() == torsor.rollout(model, initial, np.repeat(controls[:, :1], 20, axis=1))[0].tobytes()
    free, _ = torsor.rollout(model, initial, nstep=20)
    assert free.tobytes() == torsor.rollout(model, initial, np.zeros((1, 20, model.nu)))[0].tobytes()
    assert torsor.rollout(model, initial[0], nstep=0)[0].shape == (1, 0, initial.shape[1])


def test_controls_may_be_other_inputs(scene):
    model, initial, _, _ = scene
    forces = np.random.default_rng(0).normal(size=(NBATCH, NSTEP, model.nu + model.nv))
    signature = torsor.StateBit.CTRL | torsor.StateBit.QFRC_APPLIED
    states, _ = torsor.rollout(model, initial, forces, control_signature=signature)
    data = torsor.Data(model)
    torsor.set_state(model, data, initial[3], FULL)
    for force in forces[3]:
        torsor.set_state(model, data, force, signature)
        torsor.step(model, data)
    assert np.array_equal(states[3, -1], torsor.get_state(model, data, FULL))


def test_each_rollout_may_have_its_own_model(scene):
    model, initial, controls, _ = scene
    models = [torsor.Model.from_xml_string(MODEL) for _ in range(NBATCH)]
    models[2].opt.gravity[2] = -1.6
    states, _ = torsor.rollout(models, initial, controls)
    usual, _ = torsor.rollout(model, initial, controls)
    moon, _ = torsor.rollout(models[2], initial, controls)
    assert np.array_equal(states[2], moon[2]) and not np.array_equal(states[2], usual[2])
    assert np.array_equal(np.delete(states, 2, 0), np.delete(usual, 2, 0))


def test_results_are_written_where_the_caller_says(scene):
    model, initial, controls, _ = scene
    states, readings = np.empty((NBATCH, NSTEP, initial.shape[1])), np.empty((NBATCH, NSTEP, model.nsensordata))
    given = torsor.rollout(model, initial, controls, states=states, sensordata=readings)
    assert given[0] is states and given[1] is readings
    assert states.tobytes() == torsor.rollout(model, initial, controls)[0].tobytes()


def test_progress_is_reported_and_may_stop(scene, capfd):
    model, initial, controls, _ = scene
    reports = []
    torsor.rollout(model, initial, controls, progress=lambda done, total: reports.append((done, total)))
    assert reports[-1] == (NBATCH * NSTEP, NBATCH * NSTEP)
    torsor.rollout(model, initial, controls, progress=True)
    assert capfd.readouterr().err == ""  # no terminal, no bar

    def stop(done, total):
        raise RuntimeError("enough")

    states = np.full((NBATCH, 30_000, initial.shape[1]), np.nan)
    with pytest.raises(RuntimeError, match="enough"):
        torsor.rollout(model, initial, nstep=30_000, nthread=1, progress=stop, states=states)
    assert np.isnan(states[-1]).all()  # it did not go on to the last one


def test_ctrl_c_stops_a_rollout():
    code = f"""
import signal, sys, torsor
signal.signal(signal.SIGINT, signal.default_int_handler)  # else ignored in the background of some shells
model = torsor.Model.from_xml_string('''{MODEL}''')
start = torsor.get_state(model, torsor.Data(model), torsor.StateBit.FULLPHYSICS)
try:
    print("ready", flush=True)
    torsor.rollout(model, [start] * 40, nstep=30_000, nthread=1)
except KeyboardInterrupt:
    sys.exit(7)
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 7


def test_other_threads_run_meanwhile(scene):
    model, initial, _, _ = scene
    assert runs_beside(lambda: torsor.rollout(model, initial, nstep=1000, nthread=1))


@pytest.mark.parametrize("change, message", [
    (dict(initial_states=np.zeros((NBATCH, 3))), r"initial_states: expected shape \(nbatch, \d+\), got \(7, 3\)"),
    (dict(controls=np.zeros((NBATCH, NSTEP, 5))), r"controls: expected shape \(nbatch, nstep, 1\), got \(7, 60, 5\)"),
    (dict(controls=np.zeros((4, NSTEP, 1))), "controls has 4 rollouts, but initial_states has 7"),
    (dict(nstep=10), "controls has 60 steps, but nstep is 10"),
    (dict(controls=None), "nstep is required when there are no controls"),
    (dict(controls=None, nstep=-1), "nstep must not be negative, got -1"),
    (dict(initial_warmstart=np.zeros((3, 7))), "initial_warmstart has 3 rollouts, but initial_states has 7"),
    (dict(nthread=0), "nthread must be at least 1, got 0"),
    (dict(states=np.zeros((1, 2, 3))), r"states: expected an array of shape \(7, 60, \d+\), got \(1, 2, 3\)"),
    (dict(controls="none"), "controls: expected an array of numbers"),
])
def test_bad_shapes_are_clear_errors(scene, change, message):
    model, initial, controls, _ = scene
    arguments = {"initial_states": initial, "controls": controls, **change}
    with pytest.raises(ValueError, match=message):
        torsor.rollout(model, **arguments)


def test_other_bad_arguments_are_errors(scene, model):
    own, initial, controls, _ = scene
    with pytest.raises(torsor.Error, match="another structure"):
        torsor.rollout([own] * 6 + [model], initial, controls)
    with pytest.raises(ValueError, match="initial_states has 7 rollouts, but model has 2"):
        torsor.rollout([own, own], initial, controls)
    with pytest.raises(TypeError, match="model must be a Model"):
        torsor.rollout(["arm.xml"], initial, controls)
    with pytest.raises(torsor.Error, match="inputs only"):
        torsor.rollout(own, initial, np.zeros((1, 5, own.nq)), control_signature=torsor.StateBit.QPOS)
    with pytest.raises(TypeError, match="progress"):
        torsor.rollout(own, initial, controls, progress="bar")
    assert np.isfinite(torsor.rollout(own, initial, controls)[0]).all()
