"""What runs on workers: in threads of this process, or in processes of Ray on any node."""

from __future__ import annotations

import os
import time
import traceback
from typing import Any, NamedTuple

import numpy

import torsor
from torsor import _core
from torsor.cluster._errors import Failure


class Engine(NamedTuple):
    """What decides the bits of a result, besides its inputs."""

    version: str
    isa: str
    is_given: bool = False  # by the user: processes switch to it

    def refusal(self) -> str:
        """Why this process cannot work for a driver with this engine, "" if it can. Switches the instruction set."""
        if torsor.__version__ != self.version:
            return f"has torsor {torsor.__version__}, the driver has {self.version}"
        if self.isa != _OWN_ISA and not self.is_given:
            return f"uses {_OWN_ISA}, the driver {self.isa}"
        if self.isa not in torsor.available_isas():
            return f"has no {self.isa}, only {', '.join(torsor.available_isas())}"
        if torsor.isa() != self.isa:
            torsor.use_isa(self.isa)
        return ""


_OWN_ISA = _core.isa()  # before any run asked for another


class Outcome(NamedTuple):
    """What a chunk returns to the driver."""

    value: Any
    seconds: float
    where: str
    refusal: str = ""


class Shared:
    """What all chunks of a run read: sent to each node once, unpacked by each process once.

    A model travels as its bytes in an array, which Ray keeps in the memory that processes of a node share.
    """

    def __init__(self, model: torsor.Model | None = None, **others: Any):
        self.model, self.others = model, others

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["others"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __reduce__(self):
        packed = None if self.model is None else numpy.frombuffer(self.model.to_bytes(), numpy.uint8)
        return _unpack, (packed, self.others)


def _unpack(packed, others):
    model = None if packed is None else torsor.Model.from_bytes(packed.tobytes())
    return Shared(model, **others)


# The last shared objects of this process. More than one, since drivers may take turns.
_KEPT: dict[str, Shared] = {}
_MOST_KEPT = 4


def find_shared(key: str, holder: list) -> Shared:
    """The object behind the reference of Ray in holder; unpacked only once by each process."""
    shared = _KEPT.get(key)
    if shared is None:
        import ray  # noqa: PLC0415 only workers of Ray come here

        shared = ray.get(holder[0])
        while len(_KEPT) >= _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)))
        _KEPT[key] = shared
    return shared


def run_on_worker(task, key: str, holder: list, engine: Engine, arguments: tuple) -> Outcome:
    """A chunk in a process of Ray."""
    where = f"{os.uname().nodename} pid {os.getpid()}"
    refusal = engine.refusal()
    if refusal:
        return Outcome(None, 0.0, where, refusal)
    shared = find_shared(key, holder)
    start = time.perf_counter()
    value = task(shared, *arguments)
    return Outcome(value, time.perf_counter() - start, where)


def run_here(task, shared: Shared, arguments: tuple) -> Outcome:
    """A chunk in a thread of this process."""
    start = time.perf_counter()
    value = task(shared, *arguments)
    return Outcome(value, time.perf_counter() - start, "here")


def describe(error: BaseException) -> str:
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# --- chunks of map -----------------------------------------------------------------------------------------------------


def map_items(shared: Shared, first: int, items: list) -> list:
    """The values of the function, a Failure in the place of each that raised."""
    values = []
    for index, item in enumerate(items, first):
        extra: dict[str, Any] = {} if shared.model is None else {"model": shared.model}
        if shared.seed is not None:
            extra["rng"] = numpy.random.default_rng([shared.seed, index])
        try:
            values.append(shared.function(item, **extra))
        except Exception as error:  # noqa: BLE001 whatever a user's function raises is the result of its item
            values.append(Failure(index, describe(error), traceback.format_exc()))
    return values


# --- chunks of rollout -------------------------------------------------------------------------------------------------


class RolloutChunk(NamedTuple):
    """Rollouts `first` to `first + count - 1` of a run; see torsor.cluster.rollouts().

    >>> initial = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
    >>> part = next(torsor.cluster.rollouts(model, initial, nstep=5, cluster=None))
    >>> part.first, part.count, part.failures
    (0, 1, [])
    """

    first: int
    states: Any
    sensordata: Any
    value: Any
    failures: list[Failure]

    @property
    def count(self) -> int:
        return len(self.states)


def roll_out(shared: Shared, first: int, initial, controls, warmstart, models) -> RolloutChunk:
    """One chunk, with the bits that the same rollouts have in one call of torsor.rollout."""
    arguments = {"initial_states": initial, "controls": controls if controls is not None else shared.controls,
                 "initial_warmstart": warmstart, "nstep": shared.nstep, "control_signature": shared.control_signature,
                 "skipsensor": shared.skipsensor, "wide": shared.wide, "nthread": 1}
    model = shared.model if models is None else models
    steps = numpy.full(len(initial), -1.0)
    try:
        states, readings = torsor.rollout(model, first_seed=first, diverged_at=steps, **arguments)
        failures = []
    except torsor.Error:
        states, readings, failures = _one_by_one(shared, first, model, arguments, steps)
    failures += diverged(steps, first)
    value = None
    if shared.function is not None:
        try:
            value = shared.function(states, readings, arguments["controls"])
        except Exception as error:  # noqa: BLE001 a user's function
            failures += [Failure(first + i, describe(error), traceback.format_exc()) for i in range(len(states))]
        if not shared.keep:
            last = states[:, -1:] if shared.last else states[:, :0]
            states, readings = numpy.ascontiguousarray(last), None
    elif shared.last:
        states, readings = numpy.ascontiguousarray(states[:, -1:]), None
    return RolloutChunk(first, states, readings, value, failures)


def _one_by_one(shared, first, model, arguments, steps):
    """Rows of NaN where a rollout raises; the others as they are."""
    count = len(arguments["initial_states"])
    width = arguments["initial_states"].shape[1]
    states = numpy.full((count, shared.nstep, width), numpy.nan)
    template = model if isinstance(model, torsor.Model) else model[0]
    readings = None if shared.skipsensor else numpy.full((count, shared.nstep, template.nsensordata), numpy.nan)
    failures = []
    for i in range(count):
        own = dict(arguments, initial_states=arguments["initial_states"][i:i + 1], diverged_at=steps[i:i + 1])
        for name in ("controls", "initial_warmstart"):
            if own[name] is not None and len(own[name]) == count:
                own[name] = own[name][i:i + 1]
        try:
            found, sensed = torsor.rollout(model if isinstance(model, torsor.Model) else model[i], first_seed=first + i,
                                           **own)
            states[i] = found[0]
            if readings is not None:
                readings[i] = sensed[0]
        except torsor.Error as error:
            steps[i] = -1
            failures.append(Failure(first + i, str(error).removeprefix("world 0: ")))
    return states, readings, failures


def diverged(steps, first: int) -> list[Failure]:
    """Rollouts whose numbers went bad, from what torsor.rollout wrote into diverged_at."""
    return [Failure(first + int(row), f"diverged in step {int(steps[row])}") for row in numpy.flatnonzero(steps >= 0)]
