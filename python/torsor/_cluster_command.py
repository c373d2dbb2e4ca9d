"""torsor rollout --cluster: runs a job that the program has written, on Ray."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import numpy

import torsor
from torsor import cluster
from torsor._error import Error
from torsor.cluster._report import Report

# Exit codes of the program; cli/commands.hpp.
OK, ERROR, DIVERGED, INTERRUPTED = 0, 1, 3, 130


def print_summary(rows: list[tuple[str, str]], stream: Any) -> None:
    width = max(len(name) for name, _ in rows)
    print(*(f"{name:{width}}  {text}" for name, text in rows), sep="\n", file=stream)


def fail(error: BaseException) -> int:
    """Prints an error as the program does."""
    message, *hints = str(error).split("\n")
    print(f"error: {message}", *hints, sep="\n", file=sys.stderr)
    return ERROR


def run(arguments: list[str]) -> int:
    """Runs the job in a folder and removes the folder."""
    folder = pathlib.Path(arguments[0])
    try:
        return run_job(folder, json.loads((folder / "job.json").read_text(encoding="utf-8")))
    except (Error, OSError) as error:
        return fail(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_job(folder: pathlib.Path, job: dict[str, Any]) -> int:
    model = torsor.Model.from_bytes((folder / "model.bin").read_bytes())
    states = numpy.load(folder / "states.npy")
    controls = numpy.load(folder / "controls.npy") if (folder / "controls.npy").exists() else None
    last = numpy.full(states.shape, numpy.nan)
    if not job["steps"]:
        last[:] = states
    report, interrupted = Report(), False
    with cluster.connect(job["cluster"], workers=job["workers"] or None, isa=job["isa"] or None) as connected:
        parts = cluster.rollouts(model, states, controls, job["steps"], skipsensor=True, last=True, cluster=connected,
                                 ordered=False, checkpoint=job["checkpoint"] or None, progress=True, report=report)
        try:
            for part in parts:
                if job["steps"]:
                    last[part.first:part.first + part.count] = part.states[:, 0]
        except KeyboardInterrupt:
            interrupted = True
            parts.close()
        nodes = len(connected.nodes)
    if job["csv"] and not interrupted:
        code = write_table(folder, last, job["words"])
        if code != OK:
            return code
    shown = f"{job['count']:,} of {job['steps']:,} steps" + (f": interrupted after {report.done:,}" if interrupted else "")
    rows = [("model", job["model"]), ("method", job["method"]), ("rollouts", shown),
            ("cluster", f"{nodes} node{'s' if nodes != 1 else ''}"), *report.lines("rollout", "rollouts")]
    if interrupted and job["checkpoint"]:
        rows.append(("continue", f"the same command goes on from {job['checkpoint']}"))
    print_summary(rows, sys.stderr if job["csv"] == "-" else sys.stdout)
    if interrupted:
        return INTERRUPTED
    return DIVERGED if report.failures else OK


def write_table(folder: pathlib.Path, last: Any, words: list[str]) -> int:
    """The program has the names of the columns and the format of numbers."""
    numpy.save(folder / "last.npy", last)
    sys.stdout.flush()
    return subprocess.run([os.environ["TORSOR_STARTED_BY"], *words, "--finished", str(folder)]).returncode
