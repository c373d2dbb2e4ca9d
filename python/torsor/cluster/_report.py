"""What a run did and cost, and the line that shows how far it is."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable

from torsor.cluster._errors import Failure


@dataclasses.dataclass
class Report:
    """What a run did: items, failures, lost chunks, and what it cost.

    >>> results = torsor.cluster.map(abs, [-1, 2], cluster=None)
    >>> list(results)
    [1, 2]
    >>> results.report.done, results.report.failures
    (2, [])
    """

    total: int | None = None
    """items of the run, None where an iterator does not tell"""
    done: int = 0
    """items that are finished, with those from the checkpoint and those that failed"""
    loaded: int = 0
    """items that came from the checkpoint"""
    failures: list[Failure] = dataclasses.field(default_factory=list)
    """items that failed, in the order in which that became known"""
    lost: list[str] = dataclasses.field(default_factory=list)
    """one line for each chunk that was lost with its worker or node and done again"""
    workers: int = 1
    """chunks that could run at the same time"""
    seconds: float = 0
    """from the first chunk to the last"""
    busy: float = 0
    """seconds that workers spent on chunks, all together"""
    one_core: float | None = None
    """seconds per item on one core that has nothing else to do, where it was measured"""

    @property
    def rate(self) -> float:
        """items per second, without those from the checkpoint"""
        return (self.done - self.loaded) / self.seconds if self.seconds > 0 else 0.0

    @property
    def rate_per_core(self) -> float:
        """items per second and worker"""
        return self.rate / self.workers

    @property
    def utilisation(self) -> float:
        """the share of the time of all workers in which they worked on chunks"""
        return self.busy / (self.seconds * self.workers) if self.seconds > 0 else 0.0

    @property
    def efficiency(self) -> float | None:
        """items per second and worker against one core alone; None where that was not measured"""
        return self.rate_per_core * self.one_core if self.one_core else None

    def lines(self, one: str = "item", many: str = "items") -> list[tuple[str, str]]:
        """The rows of a summary: what it is, and the text."""
        workers = f"{self.workers} worker" + ("s" if self.workers != 1 else "")
        speed = f"{self.seconds:.3g} s on {workers}, {self.rate:,.4g} {many}/s, {self.rate_per_core:,.4g} per core"
        if self.efficiency is not None:
            speed += f", efficiency {100 * self.efficiency:.0f} % of one core"
        rows = [("cost", speed)] if self.done > self.loaded else []
        if self.loaded:
            rows.append(("resumed", f"{self.loaded:,} of {self.done:,} {many} came from the checkpoint"))
        if self.lost:
            rows.append(("lost", f"{len(self.lost)} chunks with their worker, done again"))
        shown = "; ".join(f"{one} {failure.index}: {failure.message}" for failure in self.failures[:3])
        more = f"; {len(self.failures) - 3} more" if len(self.failures) > 3 else ""
        rows.append(("failures", shown + more if self.failures else "none"))
        return rows


class Meter:
    """Counts finished items into a report and shows them: as a line on a terminal, or by calling a function."""

    WIDTH = 24
    BETWEEN = 0.1  # seconds between two lines

    def __init__(self, report: Report, progress: bool | Callable[[int, int], object], unit: str, scale: int = 1):
        """scale is what one item counts for a function: steps of a rollout, for example."""
        if not isinstance(progress, bool) and progress is not None and not callable(progress):
            raise TypeError("progress must be True or a function of (done, total)")
        self.report, self.unit, self.scale = report, unit, scale
        self.call = progress if callable(progress) else None
        self.live = progress is True and sys.stderr is not None and sys.stderr.isatty()
        self.start, self.last, self.length = time.monotonic(), 0.0, 0

    def advance(self, items: int, seconds: float, loaded: bool = False) -> None:
        report = self.report
        report.done += items
        report.busy += seconds
        report.loaded += items if loaded else 0
        report.seconds = time.monotonic() - self.start
        if self.call is not None:
            self.call(report.done * self.scale, (report.total or report.done) * self.scale)
        is_last = report.total is not None and report.done >= report.total
        if self.live and (is_last or time.monotonic() - self.last > self.BETWEEN):
            self.show(self.text())
            self.last = time.monotonic()

    def text(self) -> str:
        report, total = self.report, self.report.total
        rate = f"{report.rate:,.4g}/s on {report.workers}"
        if not total:
            return f"{report.done:,} {self.unit}, {rate}"
        full = int(self.WIDTH * report.done / total)
        left = f", {remaining(report):.0f} s left" if report.rate > 0 else ""
        return (f"[{'#' * full}{'.' * (self.WIDTH - full)}] {100 * report.done / total:3.0f} % of {total:,} {self.unit}, "
                f"{rate}{left}")

    def show(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self.length))
        sys.stderr.flush()
        self.length = len(text)

    def finish(self) -> None:
        self.report.seconds = time.monotonic() - self.start
        if self.live and self.length:
            sys.stderr.write("\n")


def remaining(report: Report) -> float:
    """Seconds until the end, if items take as long as they did; those from a checkpoint took none."""
    left = max((report.total or report.done) - report.done, 0)
    return left / report.rate if report.rate > 0 else 0.0
