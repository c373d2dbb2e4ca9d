"""The cost of many control sequences: one call for searchers, on this machine or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

import torsor
from torsor._core import Model, StateBit
from torsor._error import Error
from torsor.cluster._connection import Cluster, find_cluster
from torsor.cluster._rollout import rollouts

Array = NDArray[numpy.float64]
Cost = Callable[[Array, Array, Array], ArrayLike]  # of (states, sensordata, controls), one number per rollout


class Evaluator:
    """Costs of control sequences from one state. A rollout that diverges costs infinity."""

    def __init__(self, model: Model, cost: Cost, cluster: str | Cluster | None, workers: int | None):
        if not callable(cost):
            raise TypeError("cost must be a function of (states, sensordata, controls)")
        if model.nu == 0:
            raise Error("the model has no actuators, so there are no controls to search")
        self.model, self.cost, self.workers = model, cost, workers
        self.cluster = find_cluster(cluster)
        self.width = torsor.state_size(model, int(StateBit.FULLPHYSICS))

    def state(self, state: ArrayLike | torsor.Data) -> Array:
        if isinstance(state, torsor.Data):
            return torsor.get_state(self.model, state, StateBit.FULLPHYSICS)
        array = numpy.asarray(state, dtype=float)
        if array.shape != (self.width,):
            raise Error(f"state: expected a Data or {self.width} numbers of StateBit.FULLPHYSICS, got shape {array.shape}")
        return array

    def __call__(self, state: Array, controls: Array) -> Array:
        """Costs of control sequences (samples, steps, nu)."""
        controls = numpy.ascontiguousarray(controls)
        if self.cluster is None:
            threads = self.workers or len(os.sched_getaffinity(0))
            bad = numpy.full(len(controls), -1.0)
            states, readings = torsor.rollout(self.model, state, controls, nthread=threads, diverged_at=bad)
            costs = _numbers(self.cost(states, readings, controls), len(controls))
            return _with_infinity(costs, numpy.flatnonzero(bad >= 0).tolist())
        size = max(1, -(-len(controls) // self.cluster.workers))
        parts = list(rollouts(self.model, state, controls, function=self.cost, cluster=self.cluster, chunk=size))
        broken = next((failure for part in parts for failure in part.failures if failure.traceback), None)
        if broken is not None:
            raise Error(f"the cost function raised {broken.message}\n{broken.traceback}")
        costs = numpy.concatenate([_numbers(part.value, part.count) if part.value is not None
                                   else numpy.full(part.count, numpy.inf) for part in parts])
        return _with_infinity(costs, [failure.index for part in parts for failure in part.failures])


def _numbers(costs: Any, count: int) -> Array:
    array = numpy.array(costs, dtype=float)
    if array.shape != (count,):
        raise Error(f"cost must return one number per rollout, shape ({count},), got {array.shape}")
    return array


def _with_infinity(costs: Array, bad: list[int]) -> Array:
    costs[bad] = numpy.inf
    costs[~numpy.isfinite(costs)] = numpy.inf
    return costs


def control_bounds(model: Model) -> tuple[Array, Array]:
    """Ranges of controls, infinite where there is none."""
    limited = model.actuator_ctrllimited.astype(bool)
    low = numpy.where(limited, model.actuator_ctrlrange[:, 0], -numpy.inf)
    high = numpy.where(limited, model.actuator_ctrlrange[:, 1], numpy.inf)
    return low, high


def default_spread(model: Model) -> Array:
    """Standard deviation to begin with: half of a control's range, 1 where there is none."""
    low, high = control_bounds(model)
    return numpy.where(numpy.isfinite(high - low), (high - low) / 2, 1.0)


def whole_number(name: str, value: int, least: int = 1) -> int:
    if int(value) != value or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value}")
    return int(value)
