"""Sweeps: a model over many values of its parameters, and a table of what comes out."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

import torsor
from torsor._core import Model
from torsor._error import Error
from torsor.cluster._checkpoint import hash_of
from torsor.cluster._connection import Cluster
from torsor.cluster._errors import Failure
from torsor.cluster._map import run_map
from torsor.cluster._report import Report
from torsor.search._parameters import Parameter, with_values
from torsor.search._sobol import sobol_points
from torsor.search._table import require_writable, write_table

Array = NDArray[numpy.float64]


@dataclasses.dataclass
class Design:
    """Values of parameters, one row for each simulation.

    >>> design = torsor.search.grid({"mass.lower": [0.5, 1], "damping.elbow": [0.1, 0.2, 0.3]})
    >>> design.names, design.values.shape
    (['mass.lower', 'damping.elbow'], (6, 2))
    """

    names: list[str]
    values: Array

    def __len__(self) -> int:
        return len(self.values)


def grid(inputs: Mapping[str, Sequence[float]]) -> Design:
    """All combinations of values, {parameter: values}; the last input changes fastest.

    >>> torsor.search.grid({"mass.lower": [0.5, 1], "damping.elbow": [0.1]}).values
    array([[0.5, 0.1], [1. , 0.1]])
    """
    lists = [_finite(name, values) for name, values in _checked(inputs).items()]
    return Design(list(inputs), numpy.array(list(itertools.product(*lists)), dtype=float).reshape(-1, len(lists)))


def sobol(inputs: Mapping[str, Sequence[float]], count: int, *, seed: int = 0, log: Sequence[str] = ()) -> Design:
    """Points that fill the ranges {parameter: (lowest, highest)} evenly; a power of two as count fills them best.

    Inputs in `log` are spread evenly over their logarithm. The first rows of a longer design are those of a shorter one.

    >>> torsor.search.sobol({"mass.lower": (0.5, 2)}, 4).values.shape
    (4, 1)
    """
    ranges = numpy.array([_range(name, values) for name, values in _checked(inputs).items()])
    is_log = numpy.isin(list(inputs), list(log))
    unknown = set(log) - set(inputs)
    if unknown:
        raise Error(f"log: '{sorted(unknown)[0]}' is not an input")
    if (ranges[is_log] <= 0).any():
        raise Error("an input that is spread over its logarithm must be positive")
    points = sobol_points(count, len(ranges), seed)
    low, high = numpy.where(is_log[:, None], numpy.log(numpy.where(ranges > 0, ranges, 1.0)), ranges).T
    values = low + points * (high - low)
    return Design(list(inputs), numpy.where(is_log, numpy.exp(values), values))


def _checked(inputs: Mapping[str, Sequence[float]]) -> Mapping[str, Sequence[float]]:
    if not inputs:
        raise Error("a sweep needs at least one input")
    return inputs


def _finite(name: str, values: Sequence[float]) -> list[float]:
    array = numpy.atleast_1d(numpy.asarray(values, dtype=float))
    if array.ndim != 1 or array.size == 0 or not numpy.isfinite(array).all():
        raise Error(f"{name}: expected a list of finite numbers")
    return array.tolist()


def _range(name: str, values: Sequence[float]) -> list[float]:
    ends = _finite(name, values)
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise Error(f"{name}: expected (lowest, highest), got {values}")
    return ends


REDUCTIONS: dict[str, Callable[[Array], Any]] = {
    "final": lambda series: series[-1], "max": lambda series: series.max(), "min": lambda series: series.min(),
    "mean": lambda series: series.mean(), "rms": lambda series: numpy.sqrt((series**2).mean())}


class Simulate:
    """An outcome for sweep(): simulate, and reduce signals to numbers.

    signals maps a reduction ("final", "max", "min", "mean", "rms") to signals: "qpos.JOINT", "qvel.JOINT" or "sensor.SENSOR",
    with ".i" for the i-th number of those that have several. Controls are those of the keyframe, or 0.

    >>> simulate = torsor.search.Simulate(50, {"max": ["qvel.shoulder"], "final": ["qpos.elbow"]})
    >>> sorted(simulate(model))
    ['final qpos.elbow', 'max qvel.shoulder']
    """

    def __init__(self, steps: int, signals: Mapping[str, Sequence[str]], *, keyframe: str | int | None = None):
        if int(steps) != steps or steps < 1:
            raise Error(f"steps must be a whole number of at least 1, got {steps}")
        unknown = set(signals) - set(REDUCTIONS)
        if unknown:
            raise Error(f"'{sorted(unknown)[0]}' is not a reduction: expected {', '.join(REDUCTIONS)}")
        if not any(signals.values()):
            raise Error("no signals to reduce")
        self.steps, self.keyframe = int(steps), keyframe
        self.signals = {reduction: list(names) for reduction, names in signals.items()}

    def __call__(self, model: Model) -> dict[str, float]:
        columns = {name: _column(model, name) for names in self.signals.values() for name in names}
        data = torsor.Data(model)
        if self.keyframe is not None:
            torsor.reset_data_keyframe(model, data, model.key(self.keyframe).id)
        start = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
        controls = data.ctrl.reshape(1, 1, -1) if model.nu else None
        bad = numpy.full(1, -1.0)
        states, readings = torsor.rollout(model, start, controls, nstep=self.steps, nthread=1, diverged_at=bad)
        if bad[0] >= 0:
            raise Error(f"the simulation diverged in step {int(bad[0])}")
        arrays = {"state": states[0], "sensor": readings[0]}
        return {f"{reduction} {name}": float(REDUCTIONS[reduction](arrays[columns[name][0]][:, columns[name][1]]))
                for reduction, names in self.signals.items() for name in names}


def _column(model: Model, signal: str) -> tuple[str, int]:
    """Where a signal is: in which array, and its column."""
    kind, _, name = signal.partition(".")
    component = None
    if kind not in ("qpos", "qvel", "sensor") or not name:
        raise Error(f"'{signal}' is not a signal: expected qpos.JOINT, qvel.JOINT or sensor.SENSOR")
    finder = model.sensor if kind == "sensor" else model.joint
    try:
        index = finder(name).id
    except KeyError as error:
        short, dot, last = name.rpartition(".")
        try:
            index, component = finder(short).id, int(last)
        except (KeyError, ValueError):
            raise Error(f"{signal}: {error.args[0]}") from None
    if kind == "sensor":
        first, width = int(model.sensor_adr[index]), int(model.sensor_dim[index])
    else:
        start, total = (model.jnt_qposadr, model.nq) if kind == "qpos" else (model.jnt_dofadr, model.nv)
        first = int(start[index])
        width = (int(start[index + 1]) if index + 1 < model.njnt else total) - first
    if component is None and width > 1 or component is not None and component >= width:
        raise Error(f"'{signal}': add one of the components 0 to {width - 1}")
    offset = {"qpos": 1, "qvel": 1 + model.nq, "sensor": 0}[kind]
    return "sensor" if kind == "sensor" else "state", offset + first + (component or 0)


class Evaluate:
    """What a worker does with a row of a design: change the model, and see what comes out."""

    def __init__(self, names: list[str], outcome: Callable[[Model], Mapping[str, float]]):
        self.parameters, self.outcome = [Parameter(name) for name in names], outcome

    def __call__(self, row: Array, model: Model) -> dict[str, float]:
        found = self.outcome(with_values(model, self.parameters, row))
        if not isinstance(found, Mapping):
            raise TypeError(f"an outcome must be a dictionary of numbers, got {type(found).__name__}")
        return {str(name): float(value) for name, value in found.items()}


@dataclasses.dataclass
class Sweep:
    """The table of a sweep, column by column, and a report.

    >>> outcome = torsor.search.Simulate(10, {"final": ["qpos.elbow"]})
    >>> found = torsor.search.sweep(model, torsor.search.grid({"damping.elbow": [0.1, 1]}), outcome)
    >>> list(found.columns)
    ['damping.elbow', 'final qpos.elbow', 'error']
    """

    columns: dict[str, list[Any]]
    """{name: values}: inputs, outcomes (None where a simulation failed), and `error`, a text or None"""
    report: Report

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the table: table.parquet or table.csv."""
        require_writable(path)
        write_table(path, self.columns)


def sweep(model: Model, design: Design, outcome: Callable[[Model], Mapping[str, float]], *,
          table: str | os.PathLike[str] | None = None, cluster: str | Cluster | None = None, workers: int | None = None,
          chunk: int = 1, checkpoint: str | os.PathLike[str] | None = None,
          progress: bool | Callable[[int, int], object] = False) -> Sweep:
    """Outcomes of a model for each row of a design: outcome(model) returns {name: number} for a changed model.

    Simulate(...) makes an outcome from signals. A row whose simulation fails has the reason in the column `error`. table is
    a file to write, .parquet or .csv; checkpoint is a folder for finished rows, from which the same call continues.

    >>> outcome = torsor.search.Simulate(10, {"final": ["qpos.elbow"]})
    >>> design = torsor.search.sobol({"damping.elbow": (0.1, 1), "mass.lower": (0.5, 2)}, 4)
    >>> len(torsor.search.sweep(model, design, outcome).columns["mass.lower"])
    4
    """
    if table is not None:
        require_writable(table)
    evaluate = Evaluate(design.names, outcome)
    for parameter in evaluate.parameters:
        parameter.get(model)  # an unknown name is an error now, not once per row
    if isinstance(outcome, Simulate):
        for name in (name for names in outcome.signals.values() for name in names):
            _column(model, name)
        described = repr((outcome.steps, outcome.keyframe, sorted(outcome.signals.items())))
    else:
        described = getattr(outcome, "__qualname__", type(outcome).__name__)
    identity = {"kind": "sweep", "inputs": ", ".join(design.names), "rows": len(design), "design": hash_of(design.values),
                "outcome": hash_of(described)}
    results = run_map(evaluate, list(design.values), identity, model=model, cluster=cluster, workers=workers, chunk=chunk,
                      checkpoint=checkpoint, progress=progress, unit="rows")
    found = Sweep(_columns(design, list(results)), results.report)
    if table is not None:
        try:
            write_table(table, found.columns)
        except Error as error:
            error.partial = found  # all rows are computed: they can be written elsewhere
            raise
    return found


def _columns(design: Design, rows: list[Any]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: design.values[:, i].tolist() for i, name in enumerate(design.names)}
    names = list(dict.fromkeys(name for row in rows if not isinstance(row, Failure) for name in row))
    for name in names:
        if name in columns or name == "error":
            raise Error(f"an outcome has the name of another column: '{name}'")
    for name in names:
        columns[name] = [None if isinstance(row, Failure) else row.get(name) for row in rows]
    columns["error"] = [row.message if isinstance(row, Failure) else None for row in rows]
    return columns
