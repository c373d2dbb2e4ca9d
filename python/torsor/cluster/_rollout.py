"""rollout() on many machines, with the interface and the bits of torsor.rollout."""

from __future__ import annotations

import json
import os
import pathlib
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy
from numpy import float64
from numpy.typing import ArrayLike, NDArray

import torsor
from torsor import _core
from torsor._core import Model, StateBit
from torsor._rollout import PartialRollout, _one_of, _Sizes
from torsor.cluster._checkpoint import ROLLOUTS, Checkpoint, hash_of
from torsor.cluster._chunks import Chunk, Loop, failures_of
from torsor.cluster._connection import Cluster, make_executor
from torsor.cluster._errors import ClusterError
from torsor.cluster._report import Meter, Report
from torsor.cluster._tasks import RolloutChunk, Shared, roll_out

Array = NDArray[float64]
CHUNK_SECONDS = 0.5  # long beside what handing out a chunk costs, short beside a run
DRIVER_SECONDS = 2e-3  # of the driver per chunk, with a margin: chunks of many workers are longer, so that it can serve them all
_CHUNK_BYTES = 32 << 20
_PROBE_STEPS = 50


class RolloutResult(tuple):
    """(states, sensordata), as torsor.rollout returns them, with a report of the run.

    >>> initial = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
    >>> result = torsor.cluster.rollout(model, initial, nstep=5, cluster=None)
    >>> states, sensordata = result
    >>> result.report.done
    1
    """

    report: Report
    """what happened, and what it cost"""

    def __new__(cls, states: Array, sensordata: Array | None, report: Report) -> RolloutResult:
        result = super().__new__(cls, (states, sensordata))
        result.report = report
        return result


class Job:
    """The arguments of a run, checked, and cut into chunks."""

    def __init__(self, model, initial_states, controls, nstep, initial_warmstart, control_signature, skipsensor, wide):
        self.models = [model] if isinstance(model, Model) else list(model)
        for each in self.models:
            if not isinstance(each, Model):
                raise TypeError(f"model must be a Model or a sequence of them, got {type(each).__name__}")
        if not self.models:
            raise ValueError("model: expected at least one")
        if wide and len(self.models) > 1:
            raise ValueError("wide=True needs a single model")
        self.sizes = sizes = _Sizes(self.models, nstep)
        first = self.models[0]
        self.initial = sizes.take("initial_states", initial_states, 2, _core.state_size(first, int(StateBit.FULLPHYSICS)))
        self.controls = sizes.take("controls", controls, 3, _core.state_size(first, int(control_signature)))
        self.warmstart = sizes.take("initial_warmstart", initial_warmstart, 2, first.nv)
        self.count, self.nstep = sizes.nbatch, sizes.checked_nstep()
        self.signature, self.skipsensor, self.wide = int(control_signature), bool(skipsensor), bool(wide)

    @property
    def has_own_controls(self) -> bool:
        """Whether rollouts have their own controls; else all share them, and they are sent once."""
        return self.controls is not None and self.controls.shape[0] > 1

    def shared(self, function, keep: bool, last: bool) -> Shared:
        return Shared(self.models[0] if len(self.models) == 1 else None, nstep=self.nstep, control_signature=self.signature,
                      controls=None if self.has_own_controls else self.controls, skipsensor=self.skipsensor, wide=self.wide,
                      function=function, keep=keep, last=last)

    def part(self, first: int, count: int) -> tuple:
        """The arguments of roll_out() for some rollouts."""
        rows = slice(first, first + count)
        initial = numpy.ascontiguousarray(numpy.broadcast_to(self.initial, (self.count, self.initial.shape[1]))[rows])
        warmstart = self.warmstart if self.warmstart is None or len(self.warmstart) == 1 else self.warmstart[rows]
        controls = self.controls[rows] if self.has_own_controls else None
        return first, initial, controls, warmstart, None if len(self.models) == 1 else self.models[rows]

    def chunks(self, size: int) -> Iterator[Chunk]:
        for index, first in enumerate(range(0, self.count, size)):
            count = min(size, self.count - first)
            yield Chunk(index, first, count, self.part(first, count))

    def identity(self, size: int, isa: str, function, keep: bool, last: bool) -> dict[str, Any]:
        inputs = [array if array is not None else "none" for array in (self.initial, self.controls, self.warmstart)]
        return {"kind": "rollout", "model": hash_of(*(model.to_bytes() for model in self.models)), "inputs": hash_of(*inputs),
                "rollouts": self.count, "steps": self.nstep, "chunk": size, "wide": self.wide, "sensors": not self.skipsensor,
                "signature": self.signature, "function": getattr(function, "__qualname__", None), "keep": keep, "last": last,
                "version": torsor.__version__, "isa": isa}

    def probe(self) -> float:
        """Seconds per rollout on one core that does nothing else, from a few steps of the first rollouts."""
        steps = min(self.nstep, _PROBE_STEPS)
        worlds = min(self.count, torsor.Batch(self.models[0], 1).lanes if self.wide else 1)
        if not steps or not worlds:
            return 0.0
        _, initial, controls, _, _ = self.part(0, worlds)
        given = controls if controls is not None else self.controls
        arguments = {"controls": None if given is None else given[:, :steps], "nstep": steps, "control_signature": self.signature,
                     "skipsensor": self.skipsensor, "wide": self.wide, "nthread": 1}
        best = numpy.inf
        for _ in range(3):
            start = time.perf_counter()
            try:
                torsor.rollout(self.models[0], initial, **arguments)
            except torsor.Error:  # told with its index by the run itself
                return 0.0
            best = min(best, time.perf_counter() - start)
        return best / worlds / steps * self.nstep

    def chunk_size(self, seconds: float, workers: int) -> int:
        """Rollouts per chunk: about half a second of work, more for many workers, fewer if that would leave some idle."""
        wanted = max(CHUNK_SECONDS, workers * DRIVER_SECONDS)
        by_time = wanted / seconds if seconds > 0 else self.count
        row = self.nstep * (self.initial.shape[1] + (0 if self.skipsensor else self.models[0].nsensordata)) * 8
        by_workers = self.count / (4 * workers)
        return int(max(1, min(by_time, by_workers, _CHUNK_BYTES / max(row, 1))))


def rollouts(model: Model | Sequence[Model], initial_states: ArrayLike, controls: ArrayLike | None = None,
             nstep: int | None = None, *, initial_warmstart: ArrayLike | None = None,
             control_signature: int = StateBit.CTRL, skipsensor: bool = False, wide: bool = False,
             function: Callable[..., Any] | None = None, keep: bool = False, last: bool = False,
             cluster: str | Cluster | None = "auto", workers: int | None = None, chunk: int | None = None,
             ordered: bool = True, checkpoint: str | os.PathLike[str] | None = None,
             progress: bool | Callable[[int, int], object] = False, window: int | None = None,
             report: Report | None = None) -> Iterator[RolloutChunk]:
    """The rollouts of rollout(), chunk by chunk as they are computed: memory stays bounded however many there are.

    Each RolloutChunk has first (the number of its first rollout), states, sensordata, value and failures. function is
    called on the workers as function(states, sensordata, controls) with the arrays of a chunk; its result is `value`,
    and the trajectories stay there unless keep=True. last=True brings only the last state of each rollout, (n, 1,
    nstate). ordered=False gives chunks as they come. Other arguments are those of rollout().

    >>> initial = numpy.tile(torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS), (6, 1))
    >>> for part in torsor.cluster.rollouts(model, initial, nstep=10, chunk=4, cluster=None):
    ...     print(part.first, part.states.shape)
    0 (4, 10, 5)
    4 (2, 10, 5)
    """
    job = Job(model, initial_states, controls, nstep, initial_warmstart, control_signature, skipsensor, wide)
    return _run(job, function, keep, last, cluster, workers, chunk, ordered, checkpoint, progress, window, report or Report())


def _run(job, function, keep, last, cluster, workers, chunk, ordered, checkpoint, progress, window, report):
    if chunk is not None and chunk < 1:
        raise ValueError(f"chunk must be at least 1, got {chunk}")
    executor = make_executor(cluster, workers)
    report.total = job.count
    if chunk is None:
        report.one_core = job.probe() or None
    size = chunk or job.chunk_size(report.one_core or 0.0, executor.workers)
    kept = None
    if checkpoint is not None:
        size = chunk or _kept_size(checkpoint) or size
        kept = Checkpoint(checkpoint, job.identity(size, executor.isa, function, keep, last), ROLLOUTS)
    executor.share(job.shared(function, keep, last))
    meter = Meter(report, progress, "rollouts", job.nstep)
    width = job.initial.shape[1]

    def failed(lost: Chunk, message: str) -> RolloutChunk:
        steps = 1 if last else 0 if function is not None and not keep else job.nstep
        states = numpy.full((lost.items, steps, width), numpy.nan)
        without = job.skipsensor or last or (function is not None and not keep)
        readings = None if without else numpy.full((lost.items, steps, job.models[0].nsensordata), numpy.nan)
        return RolloutChunk(lost.first, states, readings, None, failures_of(lost, message))

    loop = Loop(executor, roll_out, job.chunks(size), ordered=ordered, meter=meter, checkpoint=kept, window=window,
                failed=failed)
    return _parts(loop)


def _parts(loop: Loop) -> Iterator[RolloutChunk]:
    chunks = iter(loop)
    try:
        for _, part in chunks:
            loop.report.failures.extend(part.failures)
            yield part
    finally:
        chunks.close()


def _kept_size(folder) -> int | None:
    """The chunk size of a checkpoint that exists: it was chosen from the speed of another moment."""
    try:
        with open(pathlib.Path(folder) / "manifest.jsonl", encoding="utf-8") as file:
            return int(json.loads(file.readline())["chunk"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def rollout(model: Model | Sequence[Model], initial_states: ArrayLike, controls: ArrayLike | None = None,
            nstep: int | None = None, *, initial_warmstart: ArrayLike | None = None,
            control_signature: int = StateBit.CTRL, skipsensor: bool = False,
            progress: bool | Callable[[int, int], object] = False, states: Array | None = None,
            sensordata: Array | None = None, n: int | None = None, wide: bool = False,
            cluster: str | Cluster | None = "auto", workers: int | None = None, chunk: int | None = None,
            errors: str = "report", checkpoint: str | os.PathLike[str] | None = None) -> RolloutResult:
    """torsor.rollout on a cluster: the same arguments, the same bits, on any number of workers.

    cluster is an address as in connect(), a Cluster, or None for threads of this process. Rollouts are handed out in
    chunks of about half a second, or of `chunk`; the model and shared controls are sent to each node once.
    checkpoint is a folder for finished chunks: the same call continues from it, also in another process.

    Rollouts that diverge or need more memory than the model allows are listed in `report.failures` of the result, with a
    warning; errors="raise" ends the run at the first one. A chunk whose worker or node dies is computed again with the same
    seeds. Ctrl-C, errors, and exceptions of progress have the results so far in their attribute `partial`.

    >>> initial = numpy.tile(torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS), (6, 1))
    >>> states, sensordata = torsor.cluster.rollout(model, initial, nstep=10, cluster=None)
    >>> bool((states == torsor.rollout(model, initial, nstep=10)[0]).all())
    True
    """
    if errors not in ("report", "raise"):
        raise ValueError(f"errors must be 'report' or 'raise', got {errors!r}")
    job = Job(model, initial_states, controls, _one_of("n", n, "nstep", nstep), initial_warmstart, control_signature,
              skipsensor, wide)
    states = job.sizes.output("states", states, job.initial.shape[1])
    readings = None if skipsensor else job.sizes.output("sensordata", sensordata, job.models[0].nsensordata)
    taken = numpy.zeros(job.count, dtype=int)
    report = Report()
    parts = _run(job, None, True, False, cluster, workers, chunk, False, checkpoint, progress, None, report)
    try:
        for part in parts:
            rows = slice(part.first, part.first + part.count)
            states[rows] = part.states
            if readings is not None:
                readings[rows] = part.sensordata
            taken[rows] = job.nstep
            if part.failures and errors == "raise":
                failure = part.failures[0]
                raise ClusterError(f"rollout {failure.index}: {failure.message}")
    except BaseException as error:
        parts.close()
        error.partial = PartialRollout(states, readings, taken)
        raise
    report.failures.sort(key=lambda failure: failure.index)
    if report.failures:
        warnings.warn(f"{len(report.failures)} of {job.count} rollouts failed; the first is {report.failures[0].index}: "
                      f"{report.failures[0].message}", RuntimeWarning, stacklevel=2)
    return RolloutResult(states, readings, report)
