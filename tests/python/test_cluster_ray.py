"""torsor.cluster on Ray: two nodes on this machine, with processes and nodes that are really killed."""

import hashlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time

import numpy as np
import pytest
import ray

import torsor
from cli_support import read_csv, rows_of, run
from cluster_support import TwoNodes, listening_addresses, processes_of, wait_for
from test_cluster_local import WALKER, draw, exercise, problem
from torsor import cluster
from torsor.cluster._connection import find_cluster


# 127.0.0.1 and ::1, as Linux lists them
LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}


@pytest.fixture(scope="session")
def two():
    """A head node and another one, one core each; tests that kill or add nodes leave it as it was."""
    nodes = TwoNodes()
    nodes.other = nodes.add()
    yield nodes
    nodes.stop()


@pytest.fixture
def connected(two):
    """A connection that tests share, since each new one starts processes."""
    return find_cluster(two.address)


@pytest.fixture(scope="module")
def walker():
    return torsor.Model.from_xml_string(WALKER)


def hash_of(*arrays):
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def test_results_have_the_same_hash_on_one_worker_on_two_and_without_ray(connected, walker, monkeypatch):
    initial, controls = problem(walker, 24, 40)
    expected = hash_of(*torsor.rollout(walker, initial, controls))
    seeded = list(cluster.map(draw, range(12), seed=3, cluster=None))
    batch = [hash_of(array) for array in exercise(torsor.Batch(walker, 7), walker)]
    puts, put = [], ray.put
    monkeypatch.setattr(ray, "put", lambda value: puts.append(value) or put(value))
    assert connected.workers == 2 and [node.cores for node in connected.nodes] == [1, 1]
    for workers in (1, 2):
        limited = cluster.Cluster(ray, workers, None, False)
        assert limited.workers == workers
        assert hash_of(*cluster.rollout(walker, initial, controls, cluster=limited, chunk=5)) == expected
        assert list(cluster.map(draw, range(12), seed=3, cluster=limited)) == seeded
    assert len(puts) == 4  # one object for each run, however many chunks
    spread = cluster.Batch(walker, 7, cluster=connected)
    assert spread.shards == 2 and [hash_of(array) for array in exercise(spread, walker)] == batch
    assert spread.losses == []


class Where:
    """Which node and process computes an item; the first ones wait until both nodes take part."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, item, model):
        node = ray.get_runtime_context().get_node_id()
        (self.folder / node).touch()
        for _ in range(3000):
            if len(list(self.folder.iterdir())) == 2:
                break
            time.sleep(0.02)
        return node, os.getpid(), id(model), hash_of(model.body_mass)


def test_both_nodes_work_and_each_process_loads_the_model_once(connected, walker, tmp_path):
    found = list(cluster.map(Where(tmp_path), range(16), model=walker, cluster=connected))
    assert len({node for node, *_ in found}) == 2 and {mass for *_, mass in found} == {hash_of(walker.body_mass)}
    assert len({(pid, address) for _, pid, address, _ in found}) == len({pid for _, pid, *_ in found})


def test_ray_can_be_reached_from_this_machine_only(connected, two):
    list(cluster.map(abs, range(4), cluster=connected))
    found = listening_addresses({os.getpid(), *processes_of(two.folder)})
    assert found and found <= LOOPBACK


ALONE = """
    import os, sys
    sys.path.insert(0, sys.argv[1])
    import torsor
    from cluster_support import children_of, listening_addresses, processes_of

    with torsor.cluster.connect("auto", workers=1) as connected:
        print(list(torsor.cluster.map(abs, [-1, -2], cluster=connected)), connected.workers)
        own = {os.getpid(), *children_of([os.getpid()]), *processes_of(os.environ["RAY_TMPDIR"])}
        print(*sorted(listening_addresses(own)))
"""


def test_where_there_is_no_cluster_one_is_started_for_this_machine_only():
    with tempfile.TemporaryDirectory(prefix="tr", dir="/tmp") as folder:  # where no cluster has left its address
        changed = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), RAY_TMPDIR=folder)
        changed.pop("RAY_ADDRESS", None)
        told = subprocess.run([sys.executable, "-c", textwrap.dedent(ALONE), str(pathlib.Path(__file__).parent)], env=changed, check=True,
                              capture_output=True, text=True).stdout.splitlines()
    assert told[0] == "[1, 2] 1"
    assert told[1] and set(told[1].split()) <= LOOPBACK


# --- workers and nodes that die ----------------------------------------------------------------------------------------


class Held:
    """A function that leaves a file for each time that it is called, and waits at one item, or on one node, until it may go on;
    then other nodes wait for that one to begin."""

    def __init__(self, folder, item=None, node=None):
        self.folder, self.item, self.node = pathlib.Path(folder), item, node

    def __call__(self, item, rng):
        own = ray.get_runtime_context().get_node_id()
        (self.folder / f"{item}_{os.getpid()}").touch()
        while (item == self.item or own == self.node) and not (self.folder / "go").exists():
            (self.folder / f"held_{item}_{os.getpid()}").touch()
            time.sleep(0.02)
        while self.node is not None and own != self.node and not any(self.folder.glob("held_*")):
            time.sleep(0.02)
        return item, rng.normal()

    def calls(self, item):
        return len(list(self.folder.glob(f"{item}_*")))


def when_held(folder, action):
    """Runs an action when an item is being held, then lets all go on; the thread, to be joined, and what it was held with."""
    held = []

    def watch():
        wait_for(lambda: any(folder.glob("held_*")))
        held.extend(path.name.split("_")[1:] for path in folder.glob("held_*"))
        action(held)
        (folder / "go").touch()

    thread = threading.Thread(target=watch)
    thread.start()
    return thread, held


def test_a_worker_that_is_killed_costs_its_chunk_which_is_done_again_with_the_same_seeds(connected, tmp_path):
    expected = list(cluster.map(draw, range(10), seed=8, cluster=None))
    function = Held(tmp_path, item=4)
    thread, held = when_held(tmp_path, lambda found: os.kill(int(found[0][1]), signal.SIGKILL))
    results = cluster.map(function, range(10), seed=8, cluster=connected)
    assert list(results) == expected
    thread.join()
    assert held[0][0] == "4" and [function.calls(item) for item in range(10)] == [1, 1, 1, 1, 2, 1, 1, 1, 1, 1]
    assert len(results.report.lost) == 1 and "items 4 to 4" in results.report.lost[0] and not results.report.failures


def deadly(item):
    if item == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def test_an_item_that_kills_every_worker_is_reported_with_its_index(connected):
    results = cluster.map(deadly, range(4), cluster=connected)
    found = list(results)
    assert [found[0], found[1], found[3]] == [0, 1, 3]
    assert found[2].index == 2 and "its worker was lost 3 times" in found[2].message
    assert len(results.report.lost) == 3 and results.report.failures == [found[2]]


def test_a_batch_goes_on_when_its_worker_is_killed(connected, walker):
    """Between two calls and during one; from the start, from a snapshot and from the calls since then."""
    local, spread = torsor.Batch(walker, 6), cluster.Batch(walker, 6, cluster=connected, snapshot_every=3)
    for batch in (local, spread):
        batch.bind("qpos")
        batch.bind("sensordata")
    for round_ in range(6):
        for batch in (local, spread):
            batch.ctrl[:] = 0.1 * round_
            batch.step(4)
        if round_ in (0, 4):
            shard = spread._core.shards[round_ % 2]
            os.kill(ray.get(shard._actor.__ray_call__.remote(lambda actor: os.getpid())), signal.SIGKILL)
    assert len(spread.losses) == 2 and "worlds 0 to 2" in spread.losses[0]
    assert spread.qpos.tobytes() == local.qpos.tobytes() and spread.sensordata.tobytes() == local.sensordata.tobytes()
    assert spread.steps.tolist() == local.steps.tolist()


def test_a_node_that_is_killed_costs_the_chunks_that_it_had(two, connected, tmp_path, walker):
    expected = list(cluster.map(draw, range(12), seed=8, cluster=None))
    lost_node = two.other.node_id
    local, spread = torsor.Batch(walker, 6), cluster.Batch(walker, 6, cluster=connected)
    for batch in (local, spread):
        batch.bind("sensordata")
        batch.step(3)
    function = Held(tmp_path, node=lost_node)
    thread, held = when_held(tmp_path, lambda found: two.kill(two.other))
    results = cluster.map(function, range(12), seed=8, cluster=connected)
    try:
        assert list(results) == expected
        thread.join()
        again = [item for item in range(12) if function.calls(item) > 1]
        assert again == [int(held[0][0])] and len(results.report.lost) == 1
        for batch in (local, spread):  # a batch with worlds on that node
            batch.step(3)
        assert spread.sensordata.tobytes() == local.sensordata.tobytes() and len(spread.losses) == 1
    finally:
        thread.join()
        two.other = two.add()


DRIVER = """
    import os, pathlib, sys, time
    import torsor
    sys.path.insert(0, sys.argv[3])
    from test_cluster_ray import Held
    folder = pathlib.Path(sys.argv[2])
    connected = torsor.cluster.connect(sys.argv[1])
    results = torsor.cluster.map(Held(folder, item=6), range(9), seed=8, cluster=connected, checkpoint=folder / "kept")
    for value in results:
        print(value[0], flush=True)
"""


def test_a_driver_that_dies_goes_on_from_its_checkpoint(two, connected, tmp_path):
    expected = list(cluster.map(draw, range(9), seed=8, cluster=None))
    here = pathlib.Path(__file__).parent
    command = [sys.executable, "-c", textwrap.dedent(DRIVER), two.address, str(tmp_path), str(here)]
    driver = subprocess.Popen(command, env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    try:
        wait_for(lambda: any(tmp_path.glob("held_6_*")) and len(list((tmp_path / "kept").glob("chunk_*.pickle"))) >= 6 or driver.poll())
    finally:
        driver.kill()  # in the middle of item 6
        driver.wait()
    (tmp_path / "go").touch()
    kept = len((tmp_path / "kept" / "manifest.jsonl").read_text().splitlines()) - 1
    assert 6 <= kept < 9
    function = Held(tmp_path, item=6)
    results = cluster.map(function, range(9), seed=8, cluster=connected, checkpoint=tmp_path / "kept")
    assert list(results) == expected and results.report.loaded == kept
    assert [function.calls(item) for item in range(6)] == [1] * 6


# --- nodes that differ -------------------------------------------------------------------------------------------------


def test_a_node_with_another_version_or_instruction_set_is_refused(two, connected, tmp_path, walker):
    connected.close()
    fake = tmp_path / "torsor"
    fake.mkdir()
    (fake / "__init__.py").write_text("__version__ = '0.0.1'\n")
    node = two.add(PYTHONPATH=str(tmp_path))
    try:
        with pytest.raises(cluster.ClusterError, match="other versions of torsor than the driver.*127.0.0.1 has 0.0.1"):
            cluster.connect(two.address)
        assert not ray.is_initialized()
    finally:
        two.kill(node)
    node = two.add(TORSOR_ISA="baseline")
    try:
        with pytest.raises(cluster.ClusterError, match=f"other instruction sets than the driver, {torsor.isa()}: 127.0.0.1 baseline"):
            cluster.connect(two.address)
        initial, controls = problem(walker, 12, 20)
        with cluster.connect(two.address, isa="baseline") as connected:
            found = cluster.rollout(walker, initial, controls, cluster=connected, chunk=2)
        before = torsor.isa()
        torsor.use_isa("baseline")
        expected = torsor.rollout(walker, initial, controls)
        torsor.use_isa(before)
        assert hash_of(*found) == hash_of(*expected)
    finally:
        two.kill(node)


def test_only_one_cluster_at_a_time(connected):
    for call in (lambda: cluster.map(abs, [1], cluster="10.0.0.1:6379"), lambda: cluster.connect("10.0.0.1:6379")):
        with pytest.raises(cluster.ClusterError, match="connected to the cluster at"):
            call()
    assert list(cluster.map(abs, [-1], cluster="auto")) == [1]


def test_a_function_that_cannot_be_sent_is_a_clear_error(connected):
    lock = threading.Lock()
    with pytest.raises(cluster.ClusterError, match="cannot be sent to workers"):
        cluster.map(lambda item: lock, [1], cluster=connected)


# --- searchers and the program on the cluster --------------------------------------------------------------------------


def last_angle(states, sensordata, controls):
    return (states[:, -1, 1] - 0.3) ** 2


def test_searchers_find_the_same_on_the_cluster(connected, walker):
    found = [torsor.search.cross_entropy(walker, torsor.Data(walker), last_angle, 20, iterations=2, samples=12, cluster=each)
             for each in (None, connected)]
    assert found[0].controls.tobytes() == found[1].controls.tobytes() and found[0].cost == found[1].cost
    design = torsor.search.grid({"mass.shin": [0.5, 1, 2], "damping.hip": [0.1, 1]})
    outcome = torsor.search.Simulate(20, {"final": ["qpos.knee"]})
    tables = [torsor.search.sweep(walker, design, outcome, cluster=each).columns for each in (None, connected)]
    assert tables[0] == tables[1] and len(set(tables[0]["final qpos.knee"])) == 6


def test_the_program_writes_the_same_table_from_a_cluster(two, tmp_path):
    (tmp_path / "walker.xml").write_text(WALKER)
    options = ["rollout", "walker.xml", "--count", "12", "--steps", "40", "--spread", "0.1", "--random", "--seed", "3", "--csv"]
    run(*options, "here.csv", cwd=tmp_path)
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # the program starts Python
    told = run(*options, "there.csv", "--cluster", two.address, "--checkpoint", "kept", cwd=tmp_path, PATH=path)
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
    assert len(read_csv(tmp_path / "there.csv")[1]) == 12 and (tmp_path / "kept" / "manifest.jsonl").exists()
    summary = rows_of(told.stdout)
    assert summary["rollouts"] == "12 of 40 steps" and summary["cluster"] == "2 nodes" and summary["failures"] == "none"
    assert "per core, efficiency" in summary["cost"] and "% of one core" in summary["cost"]
    assert not list(pathlib.Path("/tmp").glob("torsor_rollout_*"))
