"""torsor sweep: reads sweep.toml, simulates, and writes a table."""

from __future__ import annotations

import argparse
import pathlib
import shutil
import sys
import tomllib
from collections.abc import Callable
from typing import Any

import torsor
from torsor import cluster, search
from torsor._cluster_command import INTERRUPTED, OK, fail, print_summary
from torsor._error import Error
from torsor.cluster._checkpoint import hash_of

PARTIAL = 3
HELP = """\
Simulates a model over many values of its parameters, and writes a table with a row for each.

sweep.toml:

  model = "robot.xml"            # relative to this file
  table = "sweep.parquet"        # or .csv
  steps = 500
  keyframe = "home"              # optional
  design = "sobol"               # or "grid"
  count = 256                    # of a Sobol design
  seed = 0                       # optional
  log = ["damping.knee"]         # optional: inputs spread evenly over their logarithm
  cluster = "auto"               # optional: the address of a Ray cluster, needs torsor[ray]

  [inputs]                       # sobol: lowest and highest; grid: values
  "mass.torso" = [5, 10]
  "damping.knee" = [0.1, 10]

  [outcomes]                     # final, max, min, mean, rms of signals
  max = ["qvel.knee"]
  final = ["sensor.height"]
  # or: function = "outcome.py:fall"   a function of a model that returns a dictionary of numbers

Finished rows are kept in TABLE.checkpoint until the table is written; --resume continues from there.
"""
EXAMPLES = """\
examples:
  torsor sweep sweep.toml
  torsor sweep sweep.toml --resume
  torsor sweep sweep.toml --cluster auto --workers 16

exit codes: 0 success, 1 error, 2 usage error, 3 some rows failed, 130 interrupted with Ctrl-C
"""
KEYS = {"model": str, "table": str, "steps": int, "keyframe": (str, int), "design": str, "count": int, "seed": int, "log": list,
        "cluster": str, "inputs": dict, "outcomes": dict}
NEEDED = ("model", "table", "steps", "design", "inputs", "outcomes")


def read(path: pathlib.Path) -> dict[str, Any]:
    """The file with its keys checked."""
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Error(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Error(f"{path}: {error}") from None
    for name, value in settings.items():
        if name not in KEYS:
            raise Error(f"{path}: unknown key '{name}'; there are {', '.join(KEYS)}")
        if not isinstance(value, KEYS[name]) or isinstance(value, bool):
            raise Error(f"{path}: '{name}' has a value of the wrong type")
    missing = [name for name in NEEDED if name not in settings]
    if missing:
        raise Error(f"{path}: '{missing[0]}' is missing")
    if settings["design"] not in ("sobol", "grid"):
        raise Error(f"{path}: design must be 'sobol' or 'grid', not '{settings['design']}'")
    if settings["design"] == "sobol" and "count" not in settings:
        raise Error(f"{path}: a Sobol design needs 'count'")
    return settings


def outcome_of(settings: dict[str, Any], folder: pathlib.Path) -> Callable[..., Any]:
    outcomes = dict(settings["outcomes"])
    function = outcomes.pop("function", None)
    if function is None:
        return search.Simulate(settings["steps"], outcomes, keyframe=settings.get("keyframe"))
    if outcomes:
        raise Error("outcomes: either a function or signals, not both")
    file, colon, name = str(function).partition(":")
    source = folder / file
    if not colon or not source.is_file():
        raise Error(f"outcomes: expected function = \"file.py:name\", got '{function}'")
    return FromFile(source.read_text(encoding="utf-8"), str(source), name)


class FromFile:
    """A function of a file, whose text travels to the workers."""

    def __init__(self, text: str, file: str, name: str):
        self.text, self.file, self.name = text, file, name
        self.__qualname__ = f"{name} {hash_of(text)[:16]}"
        if not callable(self.find()):
            raise Error(f"{file} has no function '{name}'")

    def find(self) -> Any:
        names: dict[str, Any] = {"__name__": "torsor_sweep_outcome", "__file__": self.file}
        exec(compile(self.text, self.file, "exec"), names)  # noqa: S102 the user's own file, named by the user
        return names.get(self.name)

    def __call__(self, model: Any) -> Any:
        found = self.__dict__.get("_found") or self.find()
        self.__dict__["_found"] = found
        return found(model)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_found"}


def design_of(settings: dict[str, Any]) -> search.Design:
    if settings["design"] == "grid":
        return search.grid(settings["inputs"])
    return search.sobol(settings["inputs"], settings["count"], seed=settings.get("seed", 0), log=settings.get("log", []))


def sweep(arguments: argparse.Namespace) -> int:
    path = pathlib.Path(arguments.file)
    settings = read(path)
    folder = path.absolute().parent
    table = folder / settings["table"]
    kept = table.with_name(table.name + ".checkpoint")
    if kept.exists() and not arguments.resume:
        raise Error(f"{kept} has rows of a sweep that was not finished\nhint: --resume continues it; remove the folder to begin again")
    model = torsor.Model.from_xml_path(str(folder / settings["model"]))
    design, outcome = design_of(settings), outcome_of(settings, folder)
    address = arguments.cluster or settings.get("cluster")
    connected = None if address is None else cluster.connect(address, workers=arguments.workers)
    try:
        found = search.sweep(model, design, outcome, table=table, cluster=connected, workers=arguments.workers, checkpoint=kept,
                             progress=True)
    except KeyboardInterrupt:
        print(f"interrupted: torsor sweep {arguments.file} --resume goes on from here", file=sys.stderr)
        return INTERRUPTED
    finally:
        if connected is not None:
            connected.close()
    shutil.rmtree(kept, ignore_errors=True)
    rows = [("model", settings["model"]), ("design", f"{settings['design']}, {len(design):,} rows of {len(design.names)} inputs"),
            ("table", str(table)), *found.report.lines("row", "rows")]
    print_summary(rows, sys.stdout)
    return PARTIAL if found.report.failures else OK


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("torsor sweep", description=HELP, epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="SWEEP", help="description of the sweep, TOML")
    parser.add_argument("--resume", action="store_true", help="continue a sweep that was interrupted")
    parser.add_argument("--cluster", metavar="ADDRESS", help="run on a Ray cluster: its address, or auto")
    parser.add_argument("--workers", metavar="N", type=int, help="rows at the same time (default: one per core)")
    try:
        given = parser.parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        if given.workers is not None and given.workers < 1:
            raise Error(f"--workers must be at least 1, got {given.workers}")
        return sweep(given)
    except (Error, OSError) as error:
        return fail(error)
