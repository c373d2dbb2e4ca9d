"""The connection to a Ray cluster: finding or starting one, and checking that its nodes compute the same bits."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy

import torsor
from torsor.cluster._errors import ClusterError
from torsor.cluster._executors import LocalExecutor, RayExecutor, core_count, first_line
from torsor.cluster._tasks import Engine

LOOPBACK = "127.0.0.1"
_PATIENCE = 5.0  # seconds until an address counts as not reachable
_PROBE_PATIENCE = 60.0  # seconds until a node must have answered: a new node starts Python first
_DEATH_PATIENCE = 20.0  # seconds in which Ray finds out that a node does not answer
_connected: Cluster | None = None


class Node(NamedTuple):
    """A node of a cluster.

    >>> torsor.cluster.Node("10.0.0.2", 8, "1.0.0", "avx2").isa
    'avx2'
    """

    address: str
    cores: int
    version: str
    isa: str


class Cluster:
    """A connection to a Ray cluster whose nodes have the same Torsor and the same instruction set.

    Made by torsor.cluster.connect(), and accepted as `cluster=` by everything that can run on a cluster.

    >>> with torsor.cluster.connect("auto") as cluster:  # doctest: +SKIP
    ...     torsor.cluster.rollout(model, states, controls, cluster=cluster)
    """

    def __init__(self, ray: Any, workers: int | None, isa: str | None, owned: bool):
        self._ray, self._wanted, self._owned = ray, workers, owned
        self.address = ray.get_runtime_context().gcs_address
        self.engine = Engine(torsor.__version__, isa or torsor.isa(), isa is not None)
        self._known: dict[str, Node] = {}
        self._counted, self._counted_at = 0, -numpy.inf
        self.check()

    @property
    def workers(self) -> int:
        """how many chunks run at the same time: the cores of the cluster, or fewer if connect() was told so"""
        cores = self._cores()
        return max(1, min(cores, self._wanted) if self._wanted else cores)

    def _cores(self) -> int:
        """The cores of the cluster. Asked at most once per second: loops look at it for every chunk."""
        if time.monotonic() - self._counted_at > 1:
            self._counted, self._counted_at = int(self._ray.cluster_resources().get("CPU", 0)), time.monotonic()
        return self._counted

    @property
    def is_limited(self) -> bool:
        """whether fewer chunks than the cores of the cluster run at the same time"""
        return self._wanted is not None and self._wanted < self._cores()

    @property
    def nodes(self) -> list[Node]:
        """the nodes that are alive, as check() found them"""
        return list(self._known.values())

    def places(self, count: int) -> list[str]:
        """The nodes of so many long-lived workers, by the number of their cores."""
        cores = [key for key, node in self._known.items() for _ in range(max(node.cores, 1))]
        return [cores[i * len(cores) // count % len(cores)] for i in range(count)]

    def check(self) -> None:
        """Asks nodes that have joined for their Torsor; raises ClusterError if one does not fit."""
        alive = {node["NodeID"]: node for node in self._ray.nodes() if node["Alive"]}
        self._known = {key: node for key, node in self._known.items() if key in alive}
        new = [key for key in alive if key not in self._known]
        asked = {key: self._ask(key) for key in new}
        for key, answer in asked.items():
            found = self._answer(answer, alive[key])
            if found is None:
                continue
            cores = int(alive[key]["Resources"].get("CPU", 0))
            self._known[key] = Node(alive[key]["NodeManagerAddress"], cores, found["version"], found["isa"])
        self._require_agreement()

    def _ask(self, key: str) -> Any:
        strategy = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(key, soft=False)
        probe = self._ray.remote(_make_probe()).options(num_cpus=0, max_retries=0, scheduling_strategy=strategy)
        return probe.remote(self.engine.isa if self.engine.is_given else None)

    def _answer(self, answer: Any, node: dict) -> dict | None:
        """What the node said, None if it has died meanwhile."""
        address = node["NodeManagerAddress"]
        try:
            found = self._ray.get(answer, timeout=_PROBE_PATIENCE)
        except Exception as error:
            if self._has_died(node["NodeID"]):
                return None
            raise ClusterError(f"node {address} does not answer: {first_line(error)}") from error
        if "error" in found:
            raise ClusterError(f"node {address} has no torsor: {found['error']}\n"
                               f"hint: pip install 'torsor[ray]=={torsor.__version__}' on every node")
        return found

    def _has_died(self, key: str) -> bool:
        """A node that has just died is listed as alive for some seconds more."""
        for _ in range(int(_DEATH_PATIENCE / 0.1)):
            if not any(node["Alive"] for node in self._ray.nodes() if node["NodeID"] == key):
                return True
            time.sleep(0.1)
        return False

    def _require_agreement(self) -> None:
        other = [node for node in self._known.values() if node.version != self.engine.version]
        if other:
            listed = ", ".join(f"{node.address} has {node.version}" for node in other)
            raise ClusterError(f"nodes have other versions of torsor than the driver, {self.engine.version}: {listed}\n"
                               f"hint: pip install 'torsor[ray]=={self.engine.version}' on every node")
        other = [node for node in self._known.values() if node.isa != self.engine.isa]
        if other:
            listed = ", ".join(f"{node.address} {node.isa}" for node in other)
            raise ClusterError(f"nodes use other instruction sets than the driver, {self.engine.isa}: {listed}. Results would depend on "
                               "where they are computed\nhint: isa=\"avx2\" or isa=\"baseline\" makes all nodes use one that they have")

    def close(self) -> None:
        """Disconnects; a cluster that connect() started on this machine ends."""
        global _connected  # noqa: PLW0603 one connection per process, as in Ray
        if _connected is self:
            _connected = None
        if self._owned and self._ray.is_initialized():
            self._ray.shutdown()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Cluster of {len(self._known)} nodes, {self.workers} workers, torsor {self.engine.version}, {self.engine.isa}>"


def _make_probe():
    """A function that is sent by value: nodes without torsor, or with another one, can run it."""

    def probe(isa):
        try:
            import torsor as found  # noqa: PLC0415 that of the node
            from torsor import __version__ as version  # noqa: PLC0415
        except Exception as error:  # noqa: BLE001 told to the driver
            return {"error": f"{type(error).__name__}: {error}"}
        try:
            return {"version": version, "isa": isa if isa in found.available_isas() else found.isa()}
        except AttributeError:  # a version without instruction sets
            return {"version": version, "isa": "unknown"}

    return probe


def import_ray() -> Any:
    try:
        import ray  # noqa: PLC0415 optional
        import ray.util.scheduling_strategies  # noqa: PLC0415
    except ImportError as error:
        raise ClusterError(f"a cluster needs Ray, which is not installed ({error})\n"
                           "hint: pip install 'torsor[ray]', or cluster=None to run on this machine without it") from None
    return ray


def connect(address: str = "auto", *, workers: int | None = None, isa: str | None = None) -> Cluster:
    """Connect to a Ray cluster, or start one on this machine; raises ClusterError if it cannot be used.

    address is "host:port" of the head node; "local" starts Ray on the cores of this machine, reachable from this
    machine only; "auto" is the cluster of RAY_ADDRESS or the one that this machine belongs to, else "local". workers
    limits how many chunks run at the same time. isa is the instruction set that all nodes use, if that of this machine
    is not the one that all have.

    >>> with torsor.cluster.connect("local", workers=2) as cluster:  # doctest: +SKIP
    ...     print(cluster.workers)
    2
    """
    global _connected  # noqa: PLW0603
    if workers is not None and workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    if isa is not None and isa not in ("baseline", "avx2", "avx512"):
        raise ValueError(f"isa must be 'baseline', 'avx2' or 'avx512', got {isa!r}")
    ray = import_ray()
    owned = not ray.is_initialized()
    if owned:
        _start(ray, address, workers)
    elif address not in ("auto", "local", ray.get_runtime_context().gcs_address):
        raise ClusterError(f"this process is connected to the cluster at {ray.get_runtime_context().gcs_address}: close that connection before "
                           f"using {address}")
    try:
        _connected = Cluster(ray, workers, isa, owned)
    except BaseException:
        if owned:
            ray.shutdown()
        raise
    return _connected


def _start(ray: Any, address: str, workers: int | None) -> None:
    given = os.environ.get("RAY_ADDRESS") if address == "auto" else address
    if given in (None, "", "auto"):
        given = _running_here()
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if given in (None, "local"):
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        with loopback_only(ray), _without("RAY_ADDRESS"):  # that variable would have Ray look for another cluster
            try:
                ray.init(num_cpus=workers or core_count(), include_dashboard=False, **quiet)
            except Exception as error:
                raise ClusterError(f"Ray cannot be started on this machine: {first_line(error)}") from error
        return
    _require_listener(given)
    with loopback_only(ray) if _is_loopback_only(ray, given) else contextlib.nullcontext():
        try:
            ray.init(address=given, **quiet)
        except Exception as error:
            raise ClusterError(f"cannot join the Ray cluster at {given}: {first_line(error)}") from error


@contextlib.contextmanager
def loopback_only(ray: Any) -> Iterator[None]:
    """What Ray starts or joins meanwhile is at 127.0.0.1. Ray replaces that address by one that other machines can reach, unless
    it is told that it cannot have other machines, as on systems for which it supports no clusters."""
    constants = ray._private.ray_constants
    name, before = constants.ENABLE_RAY_CLUSTERS_ENV_VAR, constants.ENABLE_RAY_CLUSTER
    with _without(name):
        os.environ[name] = "0"  # for the processes that Ray starts
        constants.ENABLE_RAY_CLUSTER = False
        try:
            yield
        finally:
            constants.ENABLE_RAY_CLUSTER = before


@contextlib.contextmanager
def _without(name: str) -> Iterator[None]:
    """Without a variable of the environment, which is restored afterwards."""
    before = os.environ.pop(name, None)
    try:
        yield
    finally:
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


def _is_loopback_only(ray: Any, address: str) -> bool:
    """Whether a cluster on this machine was started for this machine alone: nobody listens at the other address."""
    host, _, port = address.rpartition(":")
    if host not in ("localhost", LOOPBACK):
        return False
    try:
        socket.create_connection((ray._private.services.get_node_ip_address(), int(port)), timeout=_PATIENCE).close()
    except OSError:
        return True
    return False


def _running_here() -> str | None:
    """The address of the cluster that `ray start` made this machine a part of, None if there is none."""
    try:
        from ray._private.utils import read_ray_address  # noqa: PLC0415 what address="auto" of Ray looks at

        address = read_ray_address()
        if address:
            _require_listener(address)
    except ClusterError:  # it has ended without removing its file
        return None
    return address or None


def _require_listener(address: str) -> None:
    """Ray itself waits long, and may end the process, where nobody listens."""
    where = address.removeprefix("ray://")
    host, colon, port = where.rpartition(":")
    if not colon or not port.isdigit():
        raise ClusterError(f"'{address}' is not the address of a cluster: 'auto', 'local' or 'host:port' such as '10.0.0.1:6379'")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()
    except OSError as error:
        raise ClusterError(f"no Ray cluster can be reached at {address}: {error}\n"
                           "hint: 'ray status' on its head node; is the port open between the nodes?") from None


def find_cluster(cluster: str | Cluster | None) -> Cluster | None:
    """What `cluster=` means: a connection, None for this process. An address connects once per process."""
    if cluster is None or isinstance(cluster, Cluster):
        return cluster
    if not isinstance(cluster, str):
        raise TypeError(f"cluster must be None, an address or a Cluster, got {type(cluster).__name__}")
    if _connected is not None and import_ray().is_initialized() and cluster in ("auto", "local", _connected.address):
        return _connected
    return connect(cluster)


def make_executor(cluster: str | Cluster | None, workers: int | None = None) -> LocalExecutor | RayExecutor:
    found = find_cluster(cluster)
    if found is None:
        return LocalExecutor(workers)
    found.check()
    return RayExecutor(found)
