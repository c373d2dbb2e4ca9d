"""map(): a function of many items, on many machines."""

from __future__ import annotations

import itertools
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from torsor._core import Model
from torsor.cluster._checkpoint import OBJECTS, Checkpoint, hash_of
from torsor.cluster._chunks import Chunk, Loop, failures_of
from torsor.cluster._connection import Cluster, make_executor
from torsor.cluster._errors import ClusterError, Failure
from torsor.cluster._report import Meter, Report
from torsor.cluster._tasks import Shared, map_items

Errors = Literal["report", "raise"]


class Results:
    """The results of map(): an iterator, with a report of what happened so far.

    >>> results = torsor.cluster.map(abs, [-1, -2], cluster=None)
    >>> next(results), results.report.total
    (1, 2)
    """

    def __init__(self, pairs: Iterator[Any], report: Report):
        self._pairs = pairs
        self.report: Report = report

    def __iter__(self) -> Results:
        return self

    def __next__(self) -> Any:
        return next(self._pairs)

    def close(self) -> None:
        """Stops the run; what is finished stays in the checkpoint."""
        self._pairs.close()


def map(function: Callable[..., Any], items: Iterable[Any], *, model: Model | None = None, seed: int | None = None,  # noqa: A001
        cluster: str | Cluster | None = "auto", workers: int | None = None, chunk: int = 1, ordered: bool = True,
        errors: Errors = "report", checkpoint: str | os.PathLike[str] | None = None,
        progress: bool | Callable[[int, int], object] = False, window: int | None = None) -> Results:
    """Values of a function of each item, as they are computed: an iterator in the order of items.

    With a model, the function is called as function(item, model=model): the model is sent to each node once and loaded
    by each process once. With a seed, it is also given rng=..., a NumPy generator that depends on the seed and on the
    index of the item only, so that results are the same on any number of workers, and when an item is computed again.
    ordered=False gives pairs (index, value) as they come.

    Items are taken from the iterable when they are needed: at most `window` chunks (default: four per worker) of `chunk`
    items are open at a time, so that memory stays bounded. A function that raises gives a Failure in the place of its
    value; errors="raise" ends the run with a ClusterError instead. A chunk whose worker or node dies is computed again.

    checkpoint is a folder for finished chunks: the same call continues from it, also in another process. It holds
    pickles; open only folders that you trust.

    cluster is an address as in connect(), a Cluster, or None for threads of this process.

    >>> def swing(angle, model):
    ...     data = torsor.Data(model)
    ...     data.qpos[0] = angle
    ...     torsor.step(model, data)
    ...     return float(data.qpos[0]) < angle
    >>> list(torsor.cluster.map(swing, [-0.1, 0.2], model=model, cluster=None))
    [False, False]
    """
    name = getattr(function, "__qualname__", type(function).__name__)
    return run_map(function, items, {"kind": "map", "function": name}, model=model, seed=seed, cluster=cluster, workers=workers,
                   chunk=chunk, ordered=ordered, errors=errors, checkpoint=checkpoint, progress=progress, window=window)


def run_map(function: Callable[..., Any], items: Iterable[Any], identity: dict[str, Any], *, model: Model | None = None,
            seed: int | None = None, cluster: str | Cluster | None, workers: int | None = None, chunk: int = 1,
            ordered: bool = True, errors: Errors = "report", checkpoint: str | os.PathLike[str] | None = None,
            progress: bool | Callable[[int, int], object] = False, window: int | None = None, unit: str = "items") -> Results:
    """map() of work that says what it is: identity is what a checkpoint of it must have been made with."""
    if not callable(function):
        raise TypeError(f"function must be callable, got {type(function).__name__}")
    if chunk < 1:
        raise ValueError(f"chunk must be at least 1, got {chunk}")
    if errors not in ("report", "raise"):
        raise ValueError(f"errors must be 'report' or 'raise', got {errors!r}")
    report = Report(total=len(items) if hasattr(items, "__len__") else None)
    meter = Meter(report, progress, unit)
    executor = make_executor(cluster, workers)
    executor.share(Shared(model, function=function, seed=seed))
    kept = None
    if checkpoint is not None:
        whole = {**identity, "seed": seed, "chunk": chunk, "model": None if model is None else hash_of(model.to_bytes())}
        kept = Checkpoint(checkpoint, whole, OBJECTS)
    loop = Loop(executor, map_items, _cut(items, chunk, kept is not None), ordered=ordered, meter=meter, checkpoint=kept,
                window=window, failed=failures_of)
    return Results(_values(loop, ordered, errors), report)


def _cut(items: Iterable[Any], size: int, hashed: bool) -> Iterator[Chunk]:
    source = iter(items)
    for index in itertools.count():
        part = list(itertools.islice(source, size))
        if not part:
            return
        inputs = hash_of(pickle.dumps(part, protocol=5)) if hashed else ""
        yield Chunk(index, index * size, len(part), (index * size, part), inputs)


def _values(loop: Loop, ordered: bool, errors: Errors) -> Iterator[Any]:
    chunks = iter(loop)
    try:
        for chunk, values in chunks:
            for index, value in enumerate(values, chunk.first):
                if isinstance(value, Failure):
                    loop.report.failures.append(value)
                    if errors == "raise":
                        raise ClusterError(f"{value}\n{value.traceback}".strip())
                yield value if ordered else (index, value)
    finally:
        chunks.close()
