"""torsor.cluster without Ray: the bits of the local functions, failures, checkpoints, bounded memory, clear errors."""

import inspect
import json
import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import torsor
from torsor import cluster
from torsor.cluster import _connection
from torsor.cluster._rollout import Job
from torsor.cluster._worlds import Worlds

# Contacts, a motor, a servo with a state, and noise that depends on the number of the world.
WALKER = """
<mujoco model="walker">
  <option timestep="0.004"><flag sensornoise="enable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="leg" pos="0 0 0.4">
      <joint name="hip" axis="0 1 0" damping="0.1"/>
      <geom name="thigh" type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
      <body name="shin" pos="0.4 0 0">
        <joint name="knee" axis="0 1 0"/>
        <geom name="shin" size="0.1" pos="0.2 0 0"/>
      </body>
    </body>
    <body name="box" pos="1 0 0.2"><freejoint name="root"/><geom name="box" type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
  <actuator><motor name="hip" joint="hip"/><position name="knee" joint="knee" kp="5" timeconst="0.1"/></actuator>
  <sensor><jointpos joint="knee" noise="0.1"/><jointvel joint="hip"/><clock noise="0.2" delay="0.02" nsample="5"/></sensor>
  <keyframe><key name="high" qpos="0.3 -0.2  1 0 0.5 1 0 0 0"/></keyframe>
</mujoco>"""
FULL = torsor.StateBit.FULLPHYSICS
EXPLODING = """
<mujoco><option timestep="0.1"/>
  <worldbody><body><joint name="a" type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/></body></worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def walker():
    return torsor.Model.from_xml_string(WALKER)


def problem(model, count=11, steps=30):
    rng = np.random.default_rng(5)
    initial = np.tile(torsor.get_state(model, torsor.Data(model), FULL), (count, 1))
    initial[:, 1 + model.nq:1 + model.nq + model.nv] += rng.normal(size=(count, model.nv))
    return initial, rng.normal(size=(count, steps, model.nu))


# --- rollouts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", [1, 4, 11])
def test_rollouts_have_the_bits_of_the_local_ones_for_any_chunk(walker, chunk):
    initial, controls = problem(walker)
    states, readings = torsor.rollout(walker, initial, controls)
    found = cluster.rollout(walker, initial, controls, cluster=None, workers=3, chunk=chunk)
    assert found[0].tobytes() == states.tobytes() and found[1].tobytes() == readings.tobytes()
    assert found.report.done == 11 and not found.report.failures
    wide = cluster.rollout(walker, initial, controls, cluster=None, chunk=chunk, wide=True)
    assert wide[0].tobytes() == torsor.rollout(walker, initial, controls, wide=True)[0].tobytes()


def test_the_first_seed_is_that_of_the_first_rollout(walker):
    """Without it, a part of many rollouts would have the noise of the first ones."""
    initial, controls = problem(walker)
    _, readings = torsor.rollout(walker, initial, controls)
    _, part = torsor.rollout(walker, initial[6:], controls[6:], first_seed=6)
    assert part.tobytes() == readings[6:].tobytes()
    assert torsor.rollout(walker, initial[6:], controls[6:])[1].tobytes() != part.tobytes()
    with pytest.raises(ValueError, match="first_seed"):
        torsor.rollout(walker, initial, controls, first_seed=-1)


def test_shared_inputs_and_models_of_their_own(walker):
    initial, controls = problem(walker)
    warm = np.random.default_rng(1).normal(size=(11, walker.nv))
    for arguments in ({"controls": controls[:1]}, {"controls": controls[:, :1], "nstep": 7}, {"nstep": 5},
                      {"controls": controls, "initial_warmstart": warm}):
        expected = torsor.rollout(walker, initial, **arguments)
        found = cluster.rollout(walker, initial, cluster=None, chunk=3, **arguments)
        assert found[0].tobytes() == expected[0].tobytes() and found[1].tobytes() == expected[1].tobytes()
    models = [torsor.search.with_values(walker, [torsor.search.Parameter("mass.shin")], [1 + i]) for i in range(11)]
    expected = torsor.rollout(models, initial, controls)
    assert cluster.rollout(models, initial, controls, cluster=None, chunk=4)[0].tobytes() == expected[0].tobytes()


def test_rollout_takes_the_arguments_of_the_local_one(walker):
    """Except for threads, which are those of workers, seeds, which the driver counts, and diverged_at, which the report has."""
    local, remote = (inspect.signature(function).parameters for function in (torsor.rollout, cluster.rollout))
    assert set(local) - set(remote) == {"nthread", "threads", "first_seed", "diverged_at"}
    assert {name: each.default for name, each in local.items() if name in remote} \
        == {name: remote[name].default for name in local if name in remote}
    initial, controls = problem(walker)
    states, readings = np.empty((11, 30, initial.shape[1])), np.empty((11, 30, walker.nsensordata))
    seen = []
    found = cluster.rollout(walker, initial, controls, states=states, sensordata=readings, cluster=None, chunk=2,
                            progress=lambda done, total: seen.append((done, total)))
    assert found[0] is states and found[1] is readings and np.isfinite(states).all()
    assert seen[-1] == (330, 330) and len(seen) == 6
    with pytest.raises(ValueError, match="controls: expected shape"):
        cluster.rollout(walker, initial, controls[..., :1], cluster=None)
    with pytest.raises(ValueError, match="chunk must be at least 1"):
        cluster.rollout(walker, initial, controls, cluster=None, chunk=0)


def test_chunks_come_one_by_one_and_a_function_stays_on_the_worker(walker):
    initial, controls = problem(walker)
    states, _ = torsor.rollout(walker, initial, controls)
    parts = list(cluster.rollouts(walker, initial, controls, function=highest, cluster=None, chunk=4))
    assert [(part.first, part.count) for part in parts] == [(0, 4), (4, 4), (8, 3)]
    assert np.concatenate([part.value for part in parts]).tolist() == states[:, :, 5].max(axis=1).tolist()
    assert all(part.states.shape[1] == 0 and part.sensordata is None for part in parts)
    last = list(cluster.rollouts(walker, initial, controls, last=True, cluster=None, chunk=4))
    assert np.concatenate([part.states[:, 0] for part in last]).tobytes() == states[:, -1].tobytes()


def highest(states, sensordata, controls):
    assert controls.shape[:2] == states.shape[:2] == sensordata.shape[:2]
    return states[:, :, 5].max(axis=1)


def test_a_rollout_that_diverges_is_reported_with_its_index_and_ends_nothing():
    model = torsor.Model.from_xml_string(EXPLODING)
    initial = np.tile(torsor.get_state(model, torsor.Data(model), FULL), (6, 1))
    forces = np.zeros((6, 8, 1))
    forces[4, 3] = 1e300
    forces[1, 0] = 1e300  # in the first step, after which its clock is that of the others
    arguments = {"controls": forces, "control_signature": torsor.StateBit.QFRC_APPLIED, "cluster": None, "chunk": 2}
    with pytest.warns(RuntimeWarning, match="2 of 6 rollouts failed; the first is 1"):
        found = cluster.rollout(model, initial, **arguments)
    assert [(failure.index, failure.message) for failure in found.report.failures] == [(1, "diverged in step 0"), (4, "diverged in step 3")]
    local = torsor.rollout(model, initial, forces, control_signature=torsor.StateBit.QFRC_APPLIED)
    assert found[0].tobytes() == local[0].tobytes()
    with pytest.raises(cluster.ClusterError, match="rollout [14]: diverged"):
        cluster.rollout(model, initial, errors="raise", **arguments)


NARROW = """
<mujoco><size memory="8K"/><worldbody>
  <geom type="plane" size="5 5 1"/><body><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
</worldbody></mujoco>"""


def test_a_rollout_that_needs_too_much_memory_is_reported_and_the_others_are_kept():
    model = torsor.Model.from_xml_string(NARROW)
    initial = np.tile(torsor.get_state(model, torsor.Data(model), FULL), (5, 1))
    initial[:, 3] = [30, 31, 32, 0.05, 34]  # one lies on the floor
    with pytest.raises(torsor.Error, match="world 3: contacts and constraints need"):
        torsor.rollout(model, initial, nstep=10)
    with pytest.warns(RuntimeWarning, match="the first is 3: contacts and constraints need"):
        found = cluster.rollout(model, initial, nstep=10, cluster=None, chunk=5)
    assert [failure.index for failure in found.report.failures] == [3] and np.isnan(found[0][3]).all()
    others = [0, 1, 2, 4]
    assert found[0][others].tobytes() == torsor.rollout(model, initial[others], nstep=10)[0].tobytes()


# --- map ---------------------------------------------------------------------------------------------------------------


def draw(item, rng):
    return item, rng.normal()


def test_map_gives_values_in_order_and_seeds_that_depend_on_the_item_alone():
    expected = list(cluster.map(draw, range(20), seed=3, cluster=None, workers=1))
    assert [item for item, _ in expected] == list(range(20)) and len({value for _, value in expected}) == 20
    assert list(cluster.map(draw, range(20), seed=3, cluster=None, workers=4, chunk=3)) == expected
    pairs = list(cluster.map(draw, range(20), seed=3, cluster=None, workers=4, ordered=False))
    assert sorted(pairs) == list(enumerate(expected))
    assert list(cluster.map(draw, range(20), seed=4, cluster=None)) != expected


def test_an_item_whose_function_raises_is_a_failure_in_its_place():
    results = cluster.map(invert, [1, 2, 0, 4], cluster=None)
    found = list(results)
    assert found[0] == 1 and found[3] == 0.25
    assert found[2].index == 2 and "ZeroDivisionError" in found[2].message and "in invert" in found[2].traceback
    assert results.report.failures == [found[2]] and results.report.done == 4
    with pytest.raises(cluster.ClusterError, match="item 2: ZeroDivisionError"):
        list(cluster.map(invert, [1, 2, 0, 4], cluster=None, errors="raise"))


def invert(number):
    return 1 / number


def test_items_are_taken_only_as_results_are():
    taken = []
    results = cluster.map(abs, (taken.append(i) or -i for i in range(10**9)), cluster=None, workers=2)
    assert [next(results) for _ in range(50)] == list(range(50))
    assert len(taken) <= 50 + 4 * 2 + 1  # the window
    results.close()
    assert results.report.total is None


def test_the_model_is_given_once_to_all(model):
    found = set(cluster.map(which, range(8), model=model, cluster=None, workers=2))
    assert found == {id(model)}


def which(item, model):
    return id(model)


# --- checkpoints -------------------------------------------------------------------------------------------------------


class Counted:
    """Counts calls, in a list that is shared with threads."""

    def __init__(self):
        self.calls = []

    def __call__(self, item):
        self.calls.append(item)
        if item == "stop":
            raise KeyboardInterrupt
        return 2 * item


def test_a_second_run_computes_only_what_is_missing(tmp_path):
    first = Counted()
    results = cluster.map(first, range(10), cluster=None, workers=1, chunk=2, checkpoint=tmp_path)
    assert [next(results) for _ in range(5)] == [0, 2, 4, 6, 8]
    results.close()
    kept = len((tmp_path / "manifest.jsonl").read_text().splitlines()) - 1
    assert kept >= 3
    second = Counted()
    again = cluster.map(second, range(10), cluster=None, workers=1, chunk=2, checkpoint=tmp_path)
    assert list(again) == list(range(0, 20, 2))
    assert len(second.calls) == 10 - 2 * kept and again.report.loaded == 2 * kept
    assert list(cluster.map(Counted(), range(10), cluster=None, chunk=2, checkpoint=tmp_path)) == list(range(0, 20, 2))


def test_a_damaged_checkpoint_is_computed_again_where_it_is_damaged(tmp_path):
    list(cluster.map(Counted(), range(6), cluster=None, chunk=2, checkpoint=tmp_path))
    manifest = tmp_path / "manifest.jsonl"
    (tmp_path / "chunk_00000001.pickle").write_bytes(b"damaged")
    manifest.write_bytes(manifest.read_bytes()[:-20])  # the last line is cut off
    again = Counted()
    assert list(cluster.map(again, range(6), cluster=None, chunk=2, checkpoint=tmp_path)) == [0, 2, 4, 6, 8, 10]
    assert len(again.calls) == 4
    assert all(json.loads(line) for line in manifest.read_text().splitlines())


def test_a_checkpoint_of_other_work_is_refused_and_stays(tmp_path, walker, model):
    initial, controls = problem(walker)
    cluster.rollout(walker, initial, controls, cluster=None, chunk=4, checkpoint=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    heavier = torsor.search.with_values(walker, [torsor.search.Parameter("mass.shin")], [9])
    for changed, word in ((dict(model=heavier), "model"), (dict(controls=2 * controls), "inputs"), (dict(wide=True), "wide")):
        arguments = {"model": walker, "initial_states": initial, "controls": controls, **changed}
        with pytest.raises(cluster.ClusterError, match=f"other work: {word}"):
            cluster.rollout(**arguments, cluster=None, chunk=4, checkpoint=tmp_path)
    with pytest.raises(cluster.ClusterError, match="other work"):
        list(cluster.map(abs, [1], cluster=None, checkpoint=tmp_path))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    found = cluster.rollout(walker, initial, controls, cluster=None, checkpoint=tmp_path)  # its own chunk size
    assert found.report.loaded == 11 and found[0].tobytes() == torsor.rollout(walker, initial, controls)[0].tobytes()


def test_other_items_are_refused(tmp_path):
    list(cluster.map(Counted(), range(4), cluster=None, checkpoint=tmp_path))
    with pytest.raises(cluster.ClusterError, match="chunk 2 has other items"):
        list(cluster.map(Counted(), [0, 1, 9, 3], cluster=None, checkpoint=tmp_path))


def test_ctrl_c_leaves_what_was_computed(tmp_path, walker):
    initial, controls = problem(walker)

    def stop(done, total):
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        cluster.rollout(walker, initial, controls, cluster=None, workers=1, chunk=1, checkpoint=tmp_path, progress=stop)
    states, _, steps = caught.value.partial
    finished = np.flatnonzero(steps == 30)
    expected = torsor.rollout(walker, initial, controls)[0]
    assert finished.size >= 4 and np.array_equal(states[finished], expected[finished])
    again = cluster.rollout(walker, initial, controls, cluster=None, chunk=1, checkpoint=tmp_path)
    assert again.report.loaded >= 6 and again[0].tobytes() == expected.tobytes()


FULL_DISK = """
    import pathlib, resource, sys, torsor

    folder = pathlib.Path(sys.argv[1])
    items = [bytes([i]) * 3000 for i in range(6)]
    items[4] = bytes(20000)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))   # no file may be longer: writing fails as on a full disk
    try:
        list(torsor.cluster.map(bytes, items, cluster=None, workers=1, checkpoint=folder))
    except torsor.cluster.ClusterError as error:
        print(error)
"""


def test_a_full_disk_is_an_error_that_loses_nothing(tmp_path):
    script = [sys.executable, "-c", textwrap.dedent(FULL_DISK), str(tmp_path)]
    told = subprocess.run(script, capture_output=True, text=True, env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)), check=True)
    assert "chunk 4 cannot be written to the checkpoint" in told.stdout and "4 chunks are kept there" in told.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == [*(f"chunk_0000000{i}.pickle" for i in range(4)), "manifest.jsonl"]
    items = [bytes([i]) * 3000 for i in range(6)]
    items[4] = bytes(20000)
    again = cluster.map(bytes, items, cluster=None, workers=1, checkpoint=tmp_path)
    assert list(again) == items and again.report.loaded == 4


def test_a_checkpoint_that_is_no_folder_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(cluster.ClusterError, match="cannot be used"):
        cluster.map(abs, [1], cluster=None, checkpoint=tmp_path / "file")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "manifest.jsonl").write_text("[]\n")
    with pytest.raises(cluster.ClusterError, match="not the manifest"):
        cluster.map(abs, [1], cluster=None, checkpoint=tmp_path / "odd")


# --- batches -----------------------------------------------------------------------------------------------------------


def exercise(batch, model):
    """Calls of every kind; what they return and what the arrays hold, in order."""
    rng, seen = np.random.default_rng(2), []
    qpos, sensordata = batch.bind("qpos"), batch.bind("sensordata")
    xpos = batch.bind("xpos")
    batch.ctrl[:] = rng.normal(size=(batch.nworld, model.nu))
    batch.step(4)
    batch.joint("knee").qpos += 0.1
    batch.step(3, ids=[1, 4, 6], threads=2)
    seen += [qpos.copy(), sensordata.copy(), xpos.copy(), batch.steps.copy(), batch.get("act"), batch.forward("cvel")]
    batch.seeds[2] = 99
    record = batch.rollout(controls=rng.normal(size=(batch.nworld, 5, model.nu)), record=["qvel", "sensordata"])
    seen += [record["qvel"], record["sensordata"], *batch.jac("shin", [0, 0, 1]), *batch.ray([[0, 0, 2], [1, 0, 2]], [0, 0, -1])]
    batch.reset([0, 5], keyframe="high", qvel=0.2)
    batch.reset(qpos[:, 0] > 0.35, seeds=7)
    batch.expand("geom_friction")[:, 0, 0] = np.linspace(0.2, 1, batch.nworld)
    batch.set_values("body_mass", np.outer(np.linspace(1, 2, batch.nworld), model.body_mass))
    batch.set_const()
    batch.body("leg").gravcomp = 0.5
    batch.step(6)
    batch.set("qvel", 0.9 * batch.get("qvel"))
    batch.step(2)
    data = batch.get_data(3)
    data.qpos[0] += 0.01
    batch.set_data(3, data)
    batch.forward()
    seen += [qpos.copy(), sensordata.copy(), xpos.copy(), batch.get("qvel"), batch.expanded("body_subtreemass"), batch.diverged_at,
             batch.get_model(6).body_mass.copy(), data.sensordata.copy(), data.qacc.copy()]
    return seen


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("shards", [1, 3, 7])
def test_a_batch_in_shards_has_the_bits_of_a_local_one(walker, shards, dtype):
    expected = exercise(torsor.Batch(walker, 7, dtype), walker)
    found = exercise(cluster.Batch(walker, 7, dtype, cluster=None, shards=shards), walker)
    assert len(found) == len(expected)
    for number, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes(), number


def test_a_batch_in_shards_has_the_interface_and_the_errors_of_a_local_one(walker):
    local, remote = torsor.Batch(walker, 7), cluster.Batch(walker, 7, cluster=None, shards=3)
    assert {name for name in dir(local) if not name.startswith("_")} <= set(dir(remote))
    assert [repr(row) for row in remote.plan()] == [repr(row) for row in local.plan()]
    assert remote.lanes == local.lanes and remote.shards == 3 and "shards 3" in repr(remote)
    masses = np.tile(walker.body_mass, (7, 1))
    masses[5, 1] = -1
    for call in (lambda batch: batch.set_values("body_mass", masses), lambda batch: batch.step(ids=[9]), lambda batch: batch.bind("nosuch"),
                 lambda batch: batch.reset(keyframe=4), lambda batch: batch.get("xpos"), lambda batch: setattr(batch, "xpos", 1),
                 lambda batch: batch.step(-1), lambda batch: batch.step(threads=0)):
        told = []
        for batch in (local, remote):
            with pytest.raises(Exception) as caught:
                call(batch)
            told.append((caught.type, str(caught.value)))
        assert told[0][1] == told[1][1] and issubclass(told[1][0], told[0][0])
    assert remote.expanded("body_mass") is None
    for wrong in ({"nworld": 0}, {"shards": 0}, {"snapshot_every": 0}):
        with pytest.raises(ValueError):
            cluster.Batch(walker, **{"nworld": 4, "cluster": None, **wrong})


def test_worlds_that_diverge_are_counted_over_all_shards():
    model = torsor.Model.from_xml_string(EXPLODING)
    batches = torsor.Batch(model, 6), cluster.Batch(model, 6, cluster=None, shards=4)
    for batch in batches:
        batch.qfrc_applied[[1, 5]] = 1e300
        batch.step(3)
    assert batches[0].resets == batches[1].resets > 0
    assert batches[1].diverged.tolist() == batches[0].diverged.tolist() == [False, True, False, False, False, True]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_worlds_from_a_snapshot_go_on_bit_by_bit(walker, dtype):
    """What a worker that died had: state, inputs, seeds and noise, counters, values per world, bound results."""
    def call(worlds, operation, *arguments, wants=False):
        return worlds.call({}, {}, None, operation, arguments, wants)

    one = Worlds(walker, 10, 4, dtype)
    call(one, "bind", "sensordata")
    call(one, "bind", "qpos")
    call(one, "expand", "body_mass")
    one.values["body_mass"][1] *= 2
    one.core.bind("ctrl")[:] = 0.3
    call(one, "step", 7, 1, None)
    snapshot = call(one, "step", 2, 1, np.array([0, 2], np.int32), wants=True)["snapshot"]
    other = Worlds(walker, 10, 4, dtype, snapshot)
    for worlds in (one, other):
        call(worlds, "step", 5, 1, np.array([1, 2], np.int32))
    a, b = call(one, "nothing"), call(other, "nothing")
    assert a["resets"] == b["resets"]
    for name in ("sensordata", "qpos"):
        assert a["bound"][name].tobytes() == b["bound"][name].tobytes() and np.abs(a["bound"][name]).max() > 0
    assert [counter.tolist() for counter in a["counters"]] == [counter.tolist() for counter in b["counters"]] == [[9, 12, 14, 7], [-1] * 4]
    assert call(one, "get", "act")["result"].tobytes() == call(other, "get", "act")["result"].tobytes()


# --- errors ------------------------------------------------------------------------------------------------------------


def test_without_ray_it_says_what_to_install():
    script = "import sys; sys.modules['ray'] = None\nimport torsor\nprint(list(torsor.cluster.map(abs, [-3], cluster=None)))\n" \
             "try:\n    torsor.cluster.connect()\nexcept torsor.cluster.ClusterError as error:\n    print(error)"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))).stdout
    assert told.startswith("[3]\n") and "needs Ray, which is not installed" in told and "pip install 'torsor[ray]'" in told


@pytest.mark.parametrize("address, told", [("127.0.0.1:1", "no Ray cluster can be reached at 127.0.0.1:1"),
                                           ("nonsense", "'nonsense' is not the address"), ("host:port", "is not the address")])
def test_a_cluster_that_cannot_be_reached_is_a_clear_error(address, told):
    if _connection._connected is not None:  # by other tests in this process
        _connection._connected.close()
    with pytest.raises(cluster.ClusterError, match=told):
        cluster.connect(address)


def test_arguments_are_checked():
    with pytest.raises(ValueError, match="workers"):
        cluster.connect("local", workers=0)
    with pytest.raises(ValueError, match="isa must be"):
        cluster.connect("local", isa="sse9")
    with pytest.raises(TypeError, match="cluster must be"):
        cluster.map(abs, [1], cluster=3)
    with pytest.raises(TypeError, match="callable"):
        cluster.map(3, [1], cluster=None)
    with pytest.raises(ValueError, match="errors must be"):
        cluster.map(abs, [1], cluster=None, errors="ignore")
    with pytest.raises(TypeError, match="progress must be"):
        cluster.map(abs, [1], cluster=None, progress=3)


def test_a_report_says_what_a_run_cost():
    report = cluster.Report(total=100, done=90, loaded=10, workers=2, seconds=4, busy=7, one_core=0.09)
    assert report.rate == 20 and report.rate_per_core == 10 and report.utilisation == 7 / 8 and report.efficiency == pytest.approx(0.9)
    report.failures.append(cluster.Failure(7, "diverged in step 3"))
    told = dict(report.lines("rollout", "rollouts"))
    assert told["cost"] == "4 s on 2 workers, 20 rollouts/s, 10 per core, efficiency 90 % of one core"
    assert told["resumed"] == "10 of 90 rollouts came from the checkpoint" and told["failures"] == "rollout 7: diverged in step 3"


def test_chunks_are_long_enough_for_the_driver_and_short_enough_for_the_workers(walker):
    initial, _ = problem(walker)
    job = Job(walker, np.tile(initial[:1], (100_000, 1)), None, 10, None, int(torsor.StateBit.CTRL), True, False)
    assert job.chunk_size(0.001, 2) == 500  # half a second
    assert job.chunk_size(0.001, 1000) == 25  # four chunks for each worker rather than two seconds
    assert job.chunk_size(0.01, 400) == 62 and job.chunk_size(0.1, 500) == 10  # so that one driver can serve 500 workers
    assert job.chunk_size(1e3, 2) == 1


# --- the simulation of the scheduler -----------------------------------------------------------------------------------


def test_the_simulated_scheduler_follows_its_laws():
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmarks"))
    from cluster_scheduler import Costs, simulate

    free = Costs([0.5], 0.0, 0.0, 0.0)
    assert simulate(1, 1, 10, free).seconds == pytest.approx(5)  # nothing but the work
    assert simulate(4, 2, 80, free).efficiency == pytest.approx(1)
    assert simulate(1, 2, 3, free).seconds == pytest.approx(1)  # the third chunk waits for a core
    slow = Costs([0.5], 0.01, 0.0, 0.0)
    run = simulate(100, 8, 4000, slow)
    assert run.seconds >= 4000 * 0.01 and run.limit == "driver"  # a driver serves 100 chunks a second
    wire = Costs([0.5], 0.0, 0.0, 1.25e8)
    run = simulate(100, 8, 4000, wire)
    assert run.seconds >= 4000 * 0.1 and run.limit == "network"  # 10 Gbit/s, a tenth of a second each
