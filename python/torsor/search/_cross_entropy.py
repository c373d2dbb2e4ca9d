"""Cross-entropy search over controls: sample sequences, keep the best, sample around them."""

from __future__ import annotations

import dataclasses

import numpy
from numpy.typing import ArrayLike, NDArray

import torsor
from torsor._core import Model
from torsor.cluster._connection import Cluster
from torsor.search._evaluate import Cost, Evaluator, control_bounds, default_spread, whole_number

Array = NDArray[numpy.float64]


@dataclasses.dataclass
class Plan:
    """Controls that a search found.

    >>> torsor.search.Plan(numpy.zeros((5, 1)), 1.0, numpy.ones(3), numpy.ones(3)).controls.shape
    (5, 1)
    """

    controls: Array
    """(horizon, nu), the best sequence of all that were tried"""
    cost: float
    """its cost"""
    best: Array
    """the cost of the best sequence after each iteration"""
    average: Array
    """the average cost of the best part in each iteration"""


def cross_entropy(model: Model, state: ArrayLike | torsor.Data, cost: Cost, horizon: int, *, iterations: int = 20,
                  samples: int = 200, elite: float = 0.1, hold: int = 1, mean: ArrayLike | None = None,
                  spread: ArrayLike | None = None, least_spread: float = 0.02, smoothing: float = 0.1, seed: int = 0,
                  cluster: str | Cluster | None = None, workers: int | None = None) -> Plan:
    """Controls of `horizon` steps with a low cost, by the cross-entropy method.

    cost(states, sensordata, controls) returns one number per rollout from arrays (samples, horizon, ...), as
    torsor.rollout returns them; it is called where the rollouts are computed. Each iteration draws `samples` sequences from
    normal distributions, one for each control and each group of `hold` steps, within the ranges of the actuators, and moves
    the distributions towards the best part, `elite`. spread is the standard deviation at the start (default: half of
    a control's range), which never falls below least_spread of that; smoothing is what stays of the old distribution.

    The result depends on the seed, not on the machine or on the number of workers. cluster=None runs on this machine.

    >>> pendulum = torsor.Model.from_xml_string('''<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/>
    ...   <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/></body></worldbody>
    ...   <actuator><motor joint="hinge" ctrlrange="-1 1"/></actuator></mujoco>''')
    >>> def away_from_a_tenth(states, sensordata, controls):
    ...     return (states[:, -1, 1] - 0.1) ** 2
    >>> plan = torsor.search.cross_entropy(pendulum, torsor.Data(pendulum), away_from_a_tenth, 200, hold=20, iterations=8,
    ...                                    samples=40)
    >>> plan.cost < 1e-6
    True
    """
    horizon, samples, hold = (whole_number(*pair) for pair in (("horizon", horizon), ("samples", samples, 2), ("hold", hold)))
    iterations = whole_number("iterations", iterations)
    if not 0 < elite <= 1:
        raise ValueError(f"elite must be more than 0 and at most 1, got {elite}")
    if not 0 <= smoothing < 1:
        raise ValueError(f"smoothing must be at least 0 and less than 1, got {smoothing}")
    evaluate = Evaluator(model, cost, cluster, workers)
    start = evaluate.state(state)
    low, high = control_bounds(model)
    knots = -(-horizon // hold)
    first = numpy.broadcast_to(default_spread(model) if spread is None else numpy.asarray(spread, float), (model.nu,))
    middle = numpy.array(numpy.broadcast_to(numpy.clip(0.0, low, high) if mean is None else _knots(mean, horizon, hold, model.nu),
                                            (knots, model.nu)))
    deviation = numpy.tile(first, (knots, 1))
    rng, count = numpy.random.default_rng(seed), max(1, round(elite * samples))
    best, best_cost, history, averages = middle, numpy.inf, [], []
    for iteration in range(iterations):
        drawn = numpy.clip(middle + deviation * rng.normal(size=(samples, knots, model.nu)), low, high)
        drawn[0] = best if iteration else numpy.clip(middle, low, high)  # the best so far stays in the race
        costs = evaluate(start, numpy.repeat(drawn, hold, axis=1)[:, :horizon])
        order = numpy.argsort(costs, kind="stable")[:count]
        order = order[numpy.isfinite(costs[order])]
        if order.size:
            if costs[order[0]] < best_cost:
                best, best_cost = drawn[order[0]].copy(), float(costs[order[0]])
            chosen = drawn[order]
            middle = smoothing * middle + (1 - smoothing) * chosen.mean(axis=0)
            deviation = smoothing * deviation + (1 - smoothing) * chosen.std(axis=0)
            deviation = numpy.maximum(deviation, least_spread * first)
        history.append(best_cost)
        averages.append(float(costs[order].mean()) if order.size else numpy.inf)
    return Plan(numpy.repeat(best, hold, axis=0)[:horizon], best_cost, numpy.array(history), numpy.array(averages))


def _knots(mean: ArrayLike, horizon: int, hold: int, nu: int) -> Array:
    """One row per group of steps, from controls step by step."""
    array = numpy.asarray(mean, dtype=float)
    if array.shape != (horizon, nu):
        raise ValueError(f"mean: expected shape {(horizon, nu)}, got {array.shape}")
    return array[::hold]
