"""The driver's loop: hands out chunks, takes results as they come, and does again what was lost."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from torsor.cluster._checkpoint import Checkpoint
from torsor.cluster._errors import Failure, WorkerLost
from torsor.cluster._executors import LocalExecutor, RayExecutor
from torsor.cluster._report import Meter, Report

MOST_LOSSES = 3  # of one chunk: what kills its worker each time will do so again


@dataclasses.dataclass
class Chunk:
    """A part of the work: items `first` to `first + items - 1`."""

    index: int
    first: int
    items: int
    arguments: tuple
    inputs: str = ""  # hash of the items, for the checkpoint of work that is not known as a whole
    losses: int = 0


class Loop:
    """One run over chunks. Iterating gives (chunk, value): in order, or as they come.

    At most `window` chunks are open at a time: handed out, or finished and not yet taken. So memory stays bounded
    however many chunks there are, and a consumer that is slow slows down the workers.
    """

    def __init__(self, executor: LocalExecutor | RayExecutor, task: Callable[..., Any], chunks: Iterable[Chunk], *,
                 ordered: bool, meter: Meter, checkpoint: Checkpoint | None = None, window: int | None = None,
                 failed: Callable[[Chunk, str], Any]):
        self.executor, self.task, self.source = executor, task, iter(chunks)
        self.ordered, self.meter, self.checkpoint, self.window = ordered, meter, checkpoint, window
        self.failed = failed  # the value of a chunk that was lost too often
        self.pending: dict[Any, Chunk] = {}
        self.again: collections.deque[Chunk] = collections.deque()
        self.ready: dict[int, tuple[Chunk, Any]] = {}  # finished, and not yet taken
        self.is_exhausted = False
        self.next_index = 0

    @property
    def report(self) -> Report:
        return self.meter.report

    def __iter__(self) -> Iterator[tuple[Chunk, Any]]:
        self.report.workers = self.executor.workers
        try:
            while True:
                self._hand_out()
                yield from self._take()
                if self.pending:
                    self._collect(None)
                elif self.is_exhausted and not self.again and not self.ready:
                    return
        finally:
            self._end()

    def _hand_out(self) -> None:
        most = self.executor.most_pending
        window = self.window or 2 * most
        while len(self.pending) < most:
            if self.again:
                chunk = self.again.popleft()
            elif self.is_exhausted or len(self.pending) + len(self.ready) >= max(window, 1):
                return
            else:
                found = next(self.source, None)
                if found is None:
                    self.is_exhausted = True
                    return
                chunk = found
                value = None if self.checkpoint is None else self.checkpoint.load(chunk.index, chunk.inputs)
                if value is not None:
                    self.ready[chunk.index] = (chunk, value)
                    self.meter.advance(chunk.items, 0.0, loaded=True)
                    continue
            self.pending[self.executor.submit(self.task, chunk.arguments)] = chunk

    def _take(self) -> Iterator[tuple[Chunk, Any]]:
        if not self.ordered:
            for index in list(self.ready):
                yield self.ready.pop(index)
            return
        while self.next_index in self.ready:
            self.next_index += 1
            yield self.ready.pop(self.next_index - 1)

    def _collect(self, timeout: float | None) -> None:
        """Results that have come; waits for the first one unless there is a timeout."""
        for handle in self.executor.wait(list(self.pending), timeout):
            chunk = self.pending.pop(handle)
            try:
                outcome = self.executor.fetch(handle)
            except WorkerLost as loss:
                self._lose(chunk, str(loss))
                continue
            self._finish(chunk, outcome.value, outcome.seconds)

    def _lose(self, chunk: Chunk, why: str) -> None:
        chunk.losses += 1
        last = chunk.first + chunk.items - 1
        self.report.lost.append(f"items {chunk.first} to {last}: {why}")
        if chunk.losses < MOST_LOSSES:
            self.again.append(chunk)
        else:
            self.ready[chunk.index] = (chunk, self.failed(chunk, f"its worker was lost {chunk.losses} times: {why}"))
            self.meter.advance(chunk.items, 0.0)

    def _finish(self, chunk: Chunk, value: Any, seconds: float) -> None:
        self.ready[chunk.index] = (chunk, value)
        if self.checkpoint is not None:
            self.checkpoint.save(chunk.index, chunk.items, value, chunk.inputs)
        self.meter.advance(chunk.items, seconds)

    def _end(self) -> None:
        """Also after Ctrl-C or an error: what is finished goes to the checkpoint, what is not is stopped."""
        try:
            if self.pending and self.checkpoint is not None:
                self._collect(0)
        except Exception:  # noqa: BLE001, S110 the run ends for a reason of its own, which is what is raised
            pass
        finally:
            self.executor.close(self.pending)
            if self.checkpoint is not None:
                self.checkpoint.close()
            self.meter.finish()


def failures_of(chunk: Chunk, message: str) -> list[Failure]:
    """One failure for each item of a chunk."""
    return [Failure(chunk.first + i, message) for i in range(chunk.items)]
