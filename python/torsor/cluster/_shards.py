"""Shards of a batch: where some of its worlds live, and how they come back when that place dies."""

from __future__ import annotations

from typing import Any

import torsor
from torsor.cluster._chunks import MOST_LOSSES
from torsor.cluster._errors import ClusterError
from torsor.cluster._executors import first_line
from torsor.cluster._worlds import Worlds, WorldsActor

MOST_LOG_BYTES = 64 << 20


class LocalShard:
    """Worlds in this process."""

    def __init__(self, model: torsor.Model, first: int, count: int, dtype: str):
        self.first, self.count = first, count
        self._worlds = Worlds(model, first, count, dtype)
        self._answer: dict[str, Any] = {}

    def begin(self, *call: Any) -> None:
        self._answer = self._worlds.call(*call, False)

    def finish(self) -> dict[str, Any]:
        return self._answer


class RayShard:
    """Worlds in an actor of Ray, with the last snapshot and the calls since then: enough to make them again, bit by bit."""

    def __init__(self, cluster: Any, ray: Any, node: str, key: str, holder: list, first: int, count: int, dtype: str, every: int):
        """node is where the worlds live at first."""
        self.first, self.count = first, count
        self._ray, self._every = ray, every
        affinity = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        # no cores are reserved: a batch that waits for its user must not keep rollouts from running
        options = {"num_cpus": 0, "max_restarts": 0, "max_task_retries": 0}
        self._make = lambda snapshot: ray.remote(WorldsActor).options(
            **options, scheduling_strategy=affinity(self._node, soft=False)).remote(
                key, holder, cluster.engine, first, count, dtype, snapshot)
        self._node = node
        self._snapshot: Any = None
        self._log: list[tuple] = []
        self._log_bytes = 0
        self._actor = self._make(None)
        self._pending: Any = None
        self.losses: list[str] = []

    def begin(self, *call: Any) -> None:
        self._log.append(call)
        self._log_bytes += _bytes_of(call)
        self._pending = self._actor.call.remote(*call, self._wants_snapshot())

    def _wants_snapshot(self) -> bool:
        return len(self._log) >= self._every or self._log_bytes > MOST_LOG_BYTES

    def finish(self) -> dict[str, Any]:
        """The answer to the last call. If the actor has died, a new one does again what was done since the snapshot."""
        for _ in range(MOST_LOSSES):
            try:
                answer = self._ray.get(self._pending)
                break
            except self._ray.exceptions.RayTaskError as error:
                raise ClusterError(f"a worker cannot step worlds: {first_line(error.cause)}") from error
            except self._ray.exceptions.RayError as error:
                self.losses.append(f"worlds {self.first} to {self.first + self.count - 1}: {first_line(error)}")
                self._begin_again()
        else:
            raise ClusterError(f"worlds {self.first} to {self.first + self.count - 1} were lost {MOST_LOSSES} times with their worker: "
                               f"{self.losses[-1]}")
        if answer.get("refusal"):
            raise ClusterError(f"a node {answer['refusal']}; nodes must agree, or results would depend on where they are computed")
        if answer["snapshot"] is not None:
            self._snapshot, self._log, self._log_bytes = answer["snapshot"], [], 0
        return answer

    def _begin_again(self) -> None:
        """On another node where there is one: that of the dead worker may have died too, which Ray learns later."""
        others = [node["NodeID"] for node in self._ray.nodes() if node["Alive"] and node["NodeID"] != self._node]
        if others:
            self._node = others[len(self.losses) % len(others)]
        self._actor = self._make(self._snapshot)
        for call in self._log[:-1]:
            self._actor.call.remote(*call, False)
        self._pending = self._actor.call.remote(*self._log[-1], self._wants_snapshot())


def _bytes_of(value: Any) -> int:
    if isinstance(value, dict):
        return sum(_bytes_of(each) for each in value.values())
    if isinstance(value, tuple | list):
        return sum(_bytes_of(each) for each in value)
    return getattr(value, "nbytes", 64)
