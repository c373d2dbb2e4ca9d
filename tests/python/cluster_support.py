"""A Ray cluster of two nodes on this machine, at the loopback address only, for the tests of torsor.cluster."""

import contextlib
import os
import pathlib
import shutil
import signal
import tempfile
import time

import ray
from ray._common.utils import get_default_ray_temp_dir
from ray.cluster_utils import Cluster

from torsor.cluster._connection import loopback_only

LOOPBACK = "127.0.0.1"
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
SYSTEM = {"health_check_initial_delay_ms": 500, "health_check_period_ms": 500, "health_check_failure_threshold": 4}


class TwoNodes:
    """Starts a head node with one core; others are added and killed by tests."""

    def __init__(self):
        # short: the paths of Ray's sockets must have fewer than 108 characters
        self.folder = tempfile.mkdtemp(prefix="tr", dir="/tmp")
        # where Ray notes the address of a cluster, whatever temp_dir says; no test before this one may have made it
        os.makedirs(get_default_ray_temp_dir(), exist_ok=True)
        with loopback_only(ray):
            self.cluster = Cluster(initialize_head=True, head_node_args=self.arguments(_system_config=SYSTEM))

    def arguments(self, **others):
        return {"num_cpus": 1, "node_ip_address": LOOPBACK, "include_dashboard": False, "temp_dir": self.folder,
                "object_store_memory": 100 << 20, **others}

    @property
    def address(self):
        return self.cluster.address

    def add(self, **environment):
        """A node whose processes have these variables."""
        before = dict(os.environ)
        os.environ.update(environment)
        try:
            with loopback_only(ray):
                return self.cluster.add_node(**self.arguments())
        finally:
            os.environ.clear()
            os.environ.update(before)

    def kill(self, node):
        """Its processes are gone at once, as if the power had failed: its workers too, which Ray would let finish."""
        own = {started.process.pid for kind in node.all_processes.values() for started in kind}
        for pid in sorted(own | children_of(own)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.cluster.remove_node(node, allow_graceful=False)

    def stop(self):
        ray.shutdown()
        self.cluster.shutdown()
        shutil.rmtree(self.folder, ignore_errors=True)


def wait_for(condition, seconds=60):
    """Until it holds; a run that hangs is a failure."""
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("waited too long")


def all_processes():
    """{process: (its parent, its command line)}"""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(entry.name)] = parent, (entry / "cmdline").read_bytes()
    return found


def children_of(pids):
    """All processes below these, at any depth."""
    parents, found = {pid: parent for pid, (parent, _) in all_processes().items()}, set(pids)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - set(pids)


def processes_of(folder):
    """Processes of Ray: those whose command line has the folder of the cluster, and their children."""
    chosen = {pid for pid, (_, command) in all_processes().items() if folder.encode() in command}
    return chosen | children_of(chosen)


def listening_addresses(pids):
    """The addresses at which processes accept connections from other machines or from this one, as hexadecimal text."""
    inodes = set()
    for pid in pids:
        try:
            for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
                target = os.readlink(link)
                if target.startswith("socket:["):
                    inodes.add(target[8:-1])
        except OSError:
            continue
    found = set()
    for family in ("tcp", "tcp6"):
        for line in pathlib.Path(f"/proc/net/{family}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                found.add(fields[1].rpartition(":")[0])
    return found
