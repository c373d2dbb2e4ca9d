"""Model predictive path integral control: average random control sequences, weighted by their costs, at each step."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy
from numpy.typing import ArrayLike, NDArray

import torsor
from torsor._core import Model, StateBit
from torsor._error import Error
from torsor.cluster._connection import Cluster
from torsor.search._evaluate import Cost, Evaluator, control_bounds, default_spread, whole_number

Array = NDArray[numpy.float64]


@dataclasses.dataclass
class ControlledRun:
    """A simulation under MPPI.

    >>> torsor.search.ControlledRun(numpy.zeros((4, 3)), numpy.zeros((4, 1)), numpy.zeros(4)).states.shape
    (4, 3)
    """

    states: Array
    """(steps, nstate), rows of StateBit.FULLPHYSICS after each step"""
    controls: Array
    """(steps, nu)"""
    costs: Array
    """the cost of the planned sequence at each decision"""


class Mppi:
    """A controller that plans `horizon` steps ahead from random sequences around its last plan.

    [Williams, Aldrich, Theodorou 2017] Each sequence is weighted by exp(-(cost - lowest cost) / temperature); the plan is
    their weighted mean. A low temperature follows the best sample, a high one averages. cost, hold, spread, seed and
    cluster are those of cross_entropy().

    >>> pendulum = torsor.Model.from_xml_string('''<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/>
    ...   <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/></body></worldbody>
    ...   <actuator><motor joint="hinge" ctrlrange="-1 1"/></actuator></mujoco>''')
    >>> def away_from_half(states, sensordata, controls):
    ...     return ((states[:, :, 1] - 0.5) ** 2).mean(axis=1)
    >>> controller = torsor.search.Mppi(pendulum, away_from_half, horizon=20, samples=16, temperature=0.01)
    >>> controller.act(torsor.Data(pendulum)).shape
    (1,)
    """

    def __init__(self, model: Model, cost: Cost, horizon: int, *, samples: int = 128, temperature: float = 1.0, hold: int = 1,
                 spread: ArrayLike | None = None, seed: int = 0, cluster: str | Cluster | None = None,
                 workers: int | None = None):
        self.horizon, self.samples = whole_number("horizon", horizon), whole_number("samples", samples, 2)
        self.hold = whole_number("hold", hold)
        if not temperature > 0:
            raise ValueError(f"temperature must be positive, got {temperature}")
        self.model, self.temperature = model, temperature
        self._evaluate = Evaluator(model, cost, cluster, workers)
        self._low, self._high = control_bounds(model)
        chosen = default_spread(model) / 2 if spread is None else numpy.asarray(spread, dtype=float)
        self._spread = numpy.broadcast_to(chosen, (model.nu,))
        self._rng = numpy.random.default_rng(seed)
        self.plan_controls = numpy.tile(numpy.clip(0.0, self._low, self._high), (self.horizon, 1))
        """the plan, (horizon, nu)"""
        self.cost = numpy.inf
        """the lowest cost among the last samples"""

    def plan(self, state: ArrayLike | torsor.Data, iterations: int = 1) -> Array:
        """Improves the plan for this state; returns it, (horizon, nu)."""
        start = self._evaluate.state(state)
        knots = -(-self.horizon // self.hold)
        for _ in range(iterations):
            noise = self._spread * self._rng.normal(size=(self.samples, knots, self.model.nu))
            noise = numpy.repeat(noise, self.hold, axis=1)[:, :self.horizon]
            noise[0] = 0  # the plan itself
            drawn = numpy.clip(self.plan_controls + noise, self._low, self._high)
            costs = self._evaluate(start, drawn)
            self.cost = float(costs.min())
            if not numpy.isfinite(self.cost):
                raise Error("every sampled control sequence diverged: a smaller spread or timestep may help")
            weights = numpy.exp(-(costs - self.cost) / self.temperature)
            self.plan_controls = numpy.einsum("i,ijk->jk", weights / weights.sum(), drawn)
        return self.plan_controls

    def act(self, state: ArrayLike | torsor.Data, steps: int = 1) -> Array:
        """Plans, and returns the control for the next `steps` steps; the plan moves on by as many."""
        control = self.plan(state)[0].copy()
        self.plan_controls = numpy.concatenate([self.plan_controls[steps:], numpy.repeat(self.plan_controls[-1:], steps, axis=0)])
        self.plan_controls = self.plan_controls[:self.horizon]
        return control

    def run(self, state: ArrayLike | torsor.Data, steps: int, *, every: int = 1,
            progress: Callable[[int, int], object] | None = None) -> ControlledRun:
        """Simulates under this controller, with a decision `every` so many steps."""
        steps, every = whole_number("steps", steps), whole_number("every", every)
        data = torsor.Data(self.model)
        torsor.set_state(self.model, data, self._evaluate.state(state), StateBit.FULLPHYSICS)
        states, controls, costs = [], [], []
        for step in range(steps):
            if step % every == 0:
                data.ctrl = self.act(torsor.get_state(self.model, data, StateBit.FULLPHYSICS), every)
                costs.append(self.cost)
                if progress is not None:
                    progress(step, steps)
            controls.append(data.ctrl.copy())
            torsor.step(self.model, data)
            states.append(torsor.get_state(self.model, data, StateBit.FULLPHYSICS))
        return ControlledRun(numpy.array(states), numpy.array(controls), numpy.array(costs))
