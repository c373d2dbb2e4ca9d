"""torsor.Batch: live arrays, named views, controls, resets, single worlds, divergence, bad arguments."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import torsor

NWORLD = 11
SCENE = """<mujoco><worldbody><geom type="plane" size="3 3 1"/>
  <body name="box" pos="0 0 0.3"><freejoint name="root"/><geom name="cube" type="box" size="0.1 0.1 0.1"/></body>
  <body name="arm" pos="1 0 0.5"><joint name="hip" axis="0 1 0" range="-1 1"/>
    <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/><site name="tip" pos="0.3 0 0"/>
    <body name="hand" pos="0.3 0 0"><joint name="knee" axis="0 1 0" damping="0.1"/><geom size="0.05" pos="0.1 0 0"/>
    </body></body></worldbody>
  <actuator><motor name="hip" joint="hip"/><position name="knee" joint="knee" kp="3" timeconst="0.1"/></actuator>
  <sensor><jointpos name="angle" joint="hip"/><framepos name="place" objtype="site" objname="tip"/>
    <touch name="touch" site="tip"/></sensor>
  <keyframe><key name="low" qpos="0 0 0.1 1 0 0 0 0.3 0.4"/><key name="high" time="2" qpos="0 0 5 1 0 0 0 0 0"/></keyframe>
</mujoco>"""


@pytest.fixture
def scene():
    return torsor.Model.from_xml_string(SCENE)


@pytest.fixture
def batch(scene):
    return torsor.Batch(scene, NWORLD)


def stirred(batch, seed=0):
    rng = np.random.default_rng(seed)
    batch.qvel = rng.normal(size=batch.qvel.shape)
    batch.ctrl = rng.normal(size=batch.ctrl.shape)
    return batch


def test_bound_arrays_are_live_and_always_the_same(batch, scene):
    qpos, ctrl = batch.bind("qpos"), batch.bind("ctrl")
    assert qpos.shape == (NWORLD, scene.nq) and qpos is batch.bind("qpos") and batch.qpos is qpos
    ctrl[4] = [0.5, 0.2]
    batch.step(30)
    data = torsor.Data(scene)
    data.ctrl = [0.5, 0.2]
    torsor.step(scene, data, nstep=30)
    assert qpos[4] == pytest.approx(data.qpos, abs=1e-9) and np.array_equal(qpos, batch.get("qpos"))
    assert not np.array_equal(qpos[3], qpos[4])
    batch.ctrl = 0.25
    assert (ctrl == 0.25).all()
    assert batch.bind("time").shape == (NWORLD,)


def test_arrays_outlive_the_batch(scene):
    qpos = torsor.Batch(scene, 3).bind("qpos")
    assert qpos[0] == pytest.approx(scene.qpos0)
    qpos[:] = 1


def test_bound_results_follow_step_forward_and_reset(batch, scene):
    xpos, sensordata, ncontrol = batch.bind("xpos"), batch.bind("sensordata"), batch.bind("actuator_length")
    assert not xpos.any() and xpos.shape == (NWORLD, scene.nbody, 3)
    stirred(batch)
    before = batch.get_data(7)
    batch.step()
    assert xpos[7] == pytest.approx(before.xpos, abs=1e-12)      # of the state before the step
    assert sensordata[7] == pytest.approx(before.sensordata, abs=1e-9)
    assert ncontrol[7] == pytest.approx(before.actuator_length, abs=1e-12)
    batch.forward()
    after = batch.get_data(7)
    assert xpos[7] == pytest.approx(after.xpos, abs=1e-12) and not np.array_equal(after.xpos, before.xpos)
    batch.reset([7], keyframe="high")
    assert xpos[7, 1, 2] == 5 and xpos[6, 1, 2] < 1


def test_arrays_are_shared_through_dlpack_and_the_array_interface(batch):
    class Foreign:
        def __init__(self, array):
            self.__array_interface__ = array.__array_interface__
            self.keeper = array
    for field in ("qpos", "sensordata"):
        array = batch.bind(field)
        for other in (np.from_dlpack(array), np.asarray(Foreign(array))):
            assert np.shares_memory(other, array) and other.shape == array.shape
    batch.bind("qpos")[:] = 0.125
    assert (np.from_dlpack(batch.bind("qpos")) == 0.125).all()


def test_controls_per_step_are_those_of_single_steps(scene):
    controls = np.random.default_rng(1).normal(size=(NWORLD, 25, scene.nu))
    at_once, one_by_one, threaded = (torsor.Batch(scene, NWORLD) for _ in range(3))
    at_once.step(25, controls=controls)
    threaded.step(25, controls=controls, threads=3)
    for k in range(25):
        one_by_one.ctrl = controls[:, k]
        one_by_one.step()
    assert at_once.qpos.tobytes() == one_by_one.qpos.tobytes() == threaded.qpos.tobytes()
    assert np.array_equal(at_once.ctrl, controls[:, -1])
    held, repeated = torsor.Batch(scene, NWORLD), torsor.Batch(scene, NWORLD)
    held.ctrl = controls[:, 0]
    held.step(25)
    repeated.step(nstep=25, controls=controls[:, :1], nthread=2)
    assert held.qpos.tobytes() == repeated.qpos.tobytes()


def test_bits_depend_neither_on_threads_nor_on_grouping(scene):
    results = []
    for groups, threads in (([40], 1), ([40], 4), ([1] * 40, 1), ([13, 27], 2)):
        batch = stirred(torsor.Batch(scene, NWORLD))
        for count in groups:
            batch.step(count, threads=threads)
        results.append(batch.qpos.tobytes() + batch.qvel.tobytes())
    assert len(set(results)) == 1


def test_a_rollout_of_a_batch_records_fields(scene):
    controls = np.random.default_rng(1).normal(size=(NWORLD, 12, scene.nu))
    batch, twin = stirred(torsor.Batch(scene, NWORLD)), stirred(torsor.Batch(scene, NWORLD))
    mine = np.zeros((NWORLD, 12, scene.nv))
    found = batch.rollout(controls=controls, record=["qpos", "sensordata", "qvel", "time"], threads=2, out={"qvel": mine})
    assert found["qvel"] is mine and found["time"].shape == (NWORLD, 12)
    twin.bind("sensordata")
    for k in range(12):
        twin.ctrl = controls[:, k]
        twin.step()
        assert np.array_equal(found["qpos"][:, k], twin.qpos) and np.array_equal(mine[:, k], twin.qvel)
        assert np.array_equal(found["sensordata"][:, k], twin.sensordata)
        assert np.array_equal(found["time"][:, k], twin.time)


def test_rollouts_in_lanes_equal_those_of_one_world_up_to_rounding(scene):
    scene.opt.tolerance = 0
    initial = np.tile(torsor.get_state(scene, torsor.Data(scene), torsor.StateBit.FULLPHYSICS), (NWORLD, 1))
    controls = np.random.default_rng(1).normal(size=(NWORLD, 30, scene.nu))
    exact, readings = torsor.rollout(scene, initial, controls)
    wide, also = torsor.rollout(scene, initial, controls, wide=True, n=30, threads=2)
    assert wide == pytest.approx(exact, abs=1e-8) and also == pytest.approx(readings, abs=1e-8)
    assert wide.tobytes() == torsor.rollout(scene, initial, controls, wide=True, threads=1)[0].tobytes()


def test_worlds_are_chosen_by_number_or_mask(batch):
    batch.step(3, ids=[2, 5])
    batch.step(1, ids=np.arange(NWORLD) < 3)
    assert batch.steps.tolist() == [1, 1, 4, 0, 0, 3, 0, 0, 0, 0, 0]
    batch.step(ids=[])
    batch.step(ids=np.zeros(NWORLD, bool))
    assert batch.steps.sum() == 9


def test_resets_by_mask_with_states_and_keyframes(batch, scene):
    stirred(batch).step(20)
    kept = batch.qpos.copy()
    mask = np.arange(NWORLD) % 2 == 0
    new = np.tile(scene.qpos0, (mask.sum(), 1))
    new[:, 7] = np.linspace(0, 0.5, mask.sum())
    batch.reset(mask, qpos=new, qvel=0.5)
    assert np.array_equal(batch.qpos[mask], new) and (batch.qvel[mask] == 0.5).all() and not batch.time[mask].any()
    assert np.array_equal(batch.qpos[~mask], kept[~mask]) and batch.time[1] > 0
    batch.reset([0, 3], keyframe=[1, -1])
    assert batch.qpos[0, 2] == 5 and batch.time[0] == 2 and np.array_equal(batch.qpos[3], scene.qpos0)
    batch.reset(keyframe="low")
    assert (batch.qpos[:, 7] == 0.3).all()
    states = np.tile(torsor.get_state(scene, batch.get_data(0), torsor.StateBit.FULLPHYSICS), (2, 1))
    states[:, 0] = 9
    batch.reset(ids=[4, 6], states=states)
    assert batch.time[[4, 5, 6]].tolist() == [9, 0, 9] and batch.qpos[4, 7] == 0.3


def test_worlds_go_to_a_data_and_back(batch, scene):
    stirred(batch).step(10)
    data = batch.get_data(3)
    assert np.array_equal(data.qpos, batch.qpos[3]) and data.time == batch.time[3] and data.xpos.any()
    assert batch.get_data(4, data) is data and np.array_equal(data.qvel, batch.qvel[4])
    torsor.step(scene, data)
    batch.set_data(0, data)
    assert np.array_equal(batch.qpos[0], data.qpos) and np.array_equal(batch.ctrl[0], data.ctrl)


def test_named_views_are_parts_of_the_arrays(batch):
    batch.joint("knee").qpos = 0.5
    assert (batch.qpos[:, 8] == 0.5).all() and batch.joint("knee").qpos.shape == (NWORLD, 1)
    batch.joint("root").qvel[2, 3:] = 1
    assert batch.qvel[2, :6].tolist() == [0, 0, 0, 1, 1, 1]
    batch.actuator("hip").ctrl[:] = np.arange(NWORLD)[:, None]
    assert np.array_equal(batch.ctrl[:, 0], np.arange(NWORLD))
    place = batch.sensor("place").data
    assert np.shares_memory(place, batch.bind("sensordata")) and place.shape == (NWORLD, 3)
    assert batch.body("hand").xpos.shape == (NWORLD, 3) and batch.body("hand").id == 3
    assert batch.body("hand").mass.shape == (NWORLD, 1) and not batch.body("hand").mass.flags.writeable
    assert "qpos" in dir(batch.joint("knee")) and repr(batch.joint(1)) == "<BatchElement: joint 1 'hip' in 11 worlds>"


def test_divergence_is_reported_per_world_and_stays_there(batch, scene):
    twin = stirred(torsor.Batch(scene, NWORLD))
    stirred(batch)
    for each in (batch, twin):
        each.step(5)
    batch.qvel[6, 0] = np.nan
    for each in (batch, twin):
        each.step(10, threads=2)
    assert np.flatnonzero(batch.diverged).tolist() == [6] and batch.diverged_at[6] == 5 and batch.resets == 1
    others = np.arange(NWORLD) != 6
    assert batch.qpos[others].tobytes() == twin.qpos[others].tobytes() and np.isfinite(batch.qpos).all()
    batch.reset(batch.diverged)
    assert not batch.diverged.any() and batch.steps[6] == 15


def test_without_automatic_resets_a_world_stays_bad_until_it_is_reset(scene):
    scene.opt.disableflags |= torsor.DisableFlag.AUTORESET
    batch = torsor.Batch(scene, NWORLD)
    batch.qpos[2, 0] = np.inf
    batch.step(4)
    assert batch.diverged.tolist() == [world == 2 for world in range(NWORLD)] and batch.resets == 0
    assert not np.isfinite(batch.qpos[2]).all() and np.isfinite(np.delete(batch.qpos, 2, 0)).all()
    batch.reset(batch.diverged)
    batch.step(4)
    assert np.isfinite(batch.qpos).all() and not batch.diverged.any()


def test_seeds_are_per_world():
    model = torsor.Model.from_xml_string("""<mujoco><option><flag sensornoise="enable"/></option><worldbody><body>
      <joint name="j"/><geom size="1"/></body></worldbody><sensor><jointpos joint="j" noise="1"/></sensor></mujoco>""")
    batch = torsor.Batch(model, 4)
    assert batch.seeds.tolist() == [0, 1, 2, 3]
    batch.reset([0, 1], seeds=[7, 7])
    readings = batch.bind("sensordata")
    batch.forward()
    data = torsor.Data(model)
    data.noise_seed = 7
    torsor.forward(model, data)
    assert readings[0] == readings[1] == data.sensordata and readings[1] != readings[2]


def test_equalities_are_switched_per_world():
    model = torsor.Model.from_xml_string("""<mujoco><worldbody><body><joint name="j" type="slide" axis="0 0 1"/><geom
      size=".1"/></body></worldbody><equality><joint joint1="j"/></equality></mujoco>""")
    batch = torsor.Batch(model, 3)
    batch.eq_active[1] = 0
    batch.step(50)
    assert abs(batch.qpos[0, 0]) < 1e-2 and batch.qpos[1, 0] < -0.01


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_rollout_of_a_batch(threads):
    code = f"""
import signal, sys, torsor
signal.signal(signal.SIGINT, signal.default_int_handler)  # else ignored in the background of some shells
batch = torsor.Batch(torsor.Model.from_xml_string('''{SCENE}'''), 20)
try:
    print("ready", flush=True)
    batch.rollout(100_000_000, record=[], threads={threads})
except KeyboardInterrupt:
    batch.step()
    sys.exit(7 if batch.steps.any() else 1)
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stdout.readline() == b"ready\n"
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 7
        finally:
            process.kill()


def work_in_child(batch, queue):
    batch.step(5, threads=2)
    queue.put(batch.qpos.copy())


def test_a_forked_process_may_go_on(scene):
    batch = stirred(torsor.Batch(scene, 40))
    batch.step(5, threads=2)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=work_in_child, args=(batch, queue))
    child.start()
    found = queue.get(timeout=60)
    child.join(60)
    batch.step(5, threads=2)
    assert child.exitcode == 0 and np.array_equal(found, batch.qpos)


@pytest.mark.parametrize("dtype", ["float64", "double", np.float64, float, np.dtype("f8")])
def test_worlds_are_stepped_in_double(scene, dtype):
    assert torsor.Batch(scene, 2, dtype=dtype).dtype == np.float64


@pytest.mark.parametrize("dtype", ["float32", "single", np.float32, np.dtype("f4")])
def test_worlds_are_stepped_in_float(scene, dtype):
    batch, twin = torsor.Batch(scene, 20, dtype=dtype), torsor.Batch(scene, 20)
    assert batch.dtype == np.float32
    assert batch.lanes == 2 * twin.lanes
    for name in ("qpos", "xpos", "eq_active", "time"):
        assert batch.bind(name).dtype == np.float32
    velocity = np.random.default_rng(1).normal(size=twin.qvel.shape)
    batch.qvel = twin.qvel = velocity.astype(np.float32)
    for each in (batch, twin):
        each.step(1)
    assert np.abs(batch.qvel - twin.qvel).max() < 1e-4 * max(1, np.abs(twin.qvel).max())
    assert np.any(batch.qvel != twin.qvel)
    assert batch.get("qpos").dtype == batch.forward("xpos").dtype == np.float32
    assert batch.rollout(3, record=["qpos"])["qpos"].dtype == np.float32


@pytest.mark.parametrize("dtype, error, message", [
    (np.float16, ValueError, "float16"), (int, ValueError, "int64"),
    ("number", TypeError, "'number'")])
def test_other_types_are_errors(scene, dtype, error, message):
    with pytest.raises(error, match=message):
        torsor.Batch(scene, 2, dtype=dtype)


@pytest.mark.parametrize("call, error, message", [
    (lambda b: b.bind("qposs"), torsor.Error, "'qposs' is not a field of Data"),
    (lambda b: b.bind("ncon"), torsor.Error, "'ncon' is not a field of Data"),
    (lambda b: b.bind("qposs"), torsor.Error, "did you mean 'qpos'"),
    (lambda b: b.bind("body_mass"), torsor.Error, r"but of Model: use expand\('body_mass'\)"),
    (lambda b: b.bind("gravity"), torsor.Error, r"but an option: use expand\('opt.gravity'\)"),
    (lambda b: b.bind("efc_J"), torsor.Error, "not a field of Data that a batch has"),
    (lambda b: b.expand("qpos"), torsor.Error, r"but of Data: use bind\('qpos'\)"),
    (lambda b: b.expand("gravity"), torsor.Error, r"but an option: use expand\('opt.gravity'\)"),
    (lambda b: b.expand("body_mas"), torsor.Error, "did you mean 'body_mass'"),
    (lambda b: b.body_mass, AttributeError, r"use expand\('body_mass'\)"),
    (lambda b: b.step(1.5), TypeError, "n: expected a whole number, got 1.5"),
    (lambda b: b.step("many"), TypeError, "n: expected a whole number, got 'many'"),
    (lambda b: b.step(2**40), ValueError, "n: 1099511627776 is too large"),
    (lambda b: setattr(b, "qpos", np.zeros(5)), ValueError, r"qpos: expected shape \(11, 9\), got \(5,\)"),
    (lambda b: b.reset(seeds=[-1] * 11), ValueError, "seeds: expected one whole number from 0 on"),
    (lambda b: b.reset(seeds=[1, 2]), ValueError, "or one for each of 11 worlds"),
    (lambda b: b.ray([0, 0, 2], [0, 0, -1], bodyexclude=99), IndexError, "bodyexclude: body 99 does not exist"),
    (lambda b: torsor.Batch(None, 2), TypeError, "model: expected a torsor.Model, got NoneType"),
    (lambda b: torsor.Batch(b.model, 2.5), TypeError, "nworld: expected a whole number, got 2.5"),
    (lambda b: torsor.Batch(b.model, 2**40), torsor.Error, "1099511627776 worlds does not fit"),
    (lambda b: b.step(1, ids=[11]), IndexError, "world 11 does not exist: the batch has 11"),
    (lambda b: b.step(1, ids=[-1]), IndexError, "world -1 does not exist"),
    (lambda b: b.step(1, ids=[3, 3]), ValueError, "twice"),
    (lambda b: b.step(1, ids=[1.5]), ValueError, "numbers of worlds or a mask"),
    (lambda b: b.step(1, ids=np.ones(3, bool)), ValueError, r"mask needs shape \(11,\), got \(3,\)"),
    (lambda b: b.step(2, controls=np.zeros((11, 3, 2))), ValueError, r"controls: expected shape \(11, 2, 2\), got"),
    (lambda b: b.step(2, controls="up"), ValueError, "controls: expected an array of numbers"),
    (lambda b: b.step(1, nstep=1), TypeError, "n and nstep are the same argument"),
    (lambda b: b.step(1, threads=0), ValueError, "nthread must be at least 1, got 0"),
    (lambda b: b.rollout(3, record=["nothing"]), torsor.Error, "'nothing' is not a field of Data"),
    (lambda b: b.rollout(3, np.zeros((11, 3, 9)), control_signature=torsor.StateBit.QPOS), torsor.Error, "inputs only"),
    (lambda b: b.rollout(3, out={"qpos": np.zeros(3)}), ValueError, r"qpos: expected"),
    (lambda b: b.reset(keyframe=2), torsor.Error, "keyframe 2 does not exist: the model has 2 keyframes"),
    (lambda b: b.reset(keyframe="middle"), KeyError, "middle"),
    (lambda b: b.reset([1, 2], keyframe=[0, 1, 0]), ValueError, "one for each of 2 worlds"),
    (lambda b: b.reset(xpos=1), torsor.Error, "'xpos' is not a field of a world's state or input"),
    (lambda b: b.reset([1], qpos=np.zeros(3)), ValueError, r"qpos: expected shape \(1, 9\), got \(3,\)"),
    (lambda b: b.get_data(11), IndexError, "world 11 does not exist"),
    (lambda b: setattr(b, "xpos", 1), AttributeError, "'xpos' is a result"),
    (lambda b: setattr(b, "nothing", 1), AttributeError, "nothing"),
    (lambda b: b.nothing, AttributeError, "nothing"),
    (lambda b: b.joint("elbow"), KeyError, "elbow"),
    (lambda b: b.joint("knee").mass, AttributeError, "mass"),
    (lambda b: b.forward("xpos", ids=[1]), ValueError, "all worlds"),
    (lambda b: torsor.Batch(b.model, 2**31 - 1), (torsor.Error, MemoryError), "GiB|at most"),
])
def test_bad_arguments_are_clear_errors_and_change_nothing(batch, call, error, message):
    stirred(batch).step(5)
    before = [batch.get(field).tobytes() for field in ("qpos", "qvel", "ctrl", "time")], batch.steps.tobytes()
    with pytest.raises(error, match=message):
        call(batch)
    assert before == ([batch.get(field).tobytes() for field in ("qpos", "qvel", "ctrl", "time")], batch.steps.tobytes())
    batch.step(2)


def test_a_data_of_another_model_is_refused(batch):
    other = torsor.Data(torsor.Model.from_xml_string("<mujoco/>"))
    with pytest.raises(torsor.Error):
        batch.set_data(0, other)


def test_a_model_that_was_edited_is_noticed(scene):
    batch, fresh = stirred(torsor.Batch(scene, NWORLD)), None
    batch.step(2)
    start = batch.get("qpos"), batch.get("qvel"), batch.get("act"), batch.get("qacc_warmstart")
    scene.geom_friction[:, 0] = 0.1
    scene.body_mass[1] *= 3
    scene.dof_damping[:] = 2
    fresh = stirred(torsor.Batch(scene, NWORLD))
    for field, values in zip(("qpos", "qvel", "act", "qacc_warmstart"), start):
        fresh.set(field, values)
    batch.step(20)
    fresh.step(20)
    assert batch.qpos.tobytes() == fresh.qpos.tobytes()


def test_materials_and_numbers_have_views_and_fields_are_listed():
    model = torsor.Model.from_xml_string("""<mujoco><asset><material name="paint" rgba="1 0 0 1"/></asset>
        <custom><numeric name="gain" data="1 2"/></custom></mujoco>""")
    batch = torsor.Batch(model, 3)
    assert batch.numeric("gain").data.tolist() == [[1, 2]] * 3
    batch.material("paint").rgba = np.linspace(0, 1, 3)[:, None]
    assert batch.expanded("mat_rgba")[:, 0].tolist() == [[0.0] * 4, [0.5] * 4, [1.0] * 4]
    assert {"qpos", "xpos", "bind", "material"} <= set(dir(batch))
