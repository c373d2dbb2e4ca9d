"""torsor sweep and torsor rollout --cluster, without a cluster: tables, --resume, and messages for wrong files."""

import csv
import os
import pathlib
import signal
import subprocess
import sys

import pyarrow.parquet
import pytest

from cli_support import PROGRAM, environment, rows_of, run, wait_until_caught
from cluster_support import wait_for
from example_models import ARM
from torsor import _sweep_command

PATH = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # the program starts this Python
SWEEP = """
model = "arm.xml"
table = "table.parquet"
steps = 50
keyframe = "bent"
design = "sobol"
count = 8
log = ["damping.elbow"]

[inputs]
"damping.elbow" = [0.01, 1]
"mass.lower" = [0.5, 2]

[outcomes]
max = ["qvel.shoulder"]
final = ["qpos.elbow"]
"""
SLOW = """
import pathlib, time

def slow(model):
    place = pathlib.Path({folder!r})
    (place / f"row_{{float(model.body_mass[2])}}").touch()
    while model.body_mass[2] == 3 and not (place / "go").exists():
        time.sleep(0.02)
    return {{"twice": 2 * model.body_mass[2]}}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "arm.xml").write_text(ARM)
    (tmp_path / "sweep.toml").write_text(SWEEP)
    return tmp_path


def sweep(folder, *options, code=0):
    return run("sweep", "sweep.toml", *options, cwd=folder, code=code, PATH=PATH)


def test_a_sweep_writes_its_table_and_what_it_cost(folder):
    told = rows_of(sweep(folder, "--workers", "2").stdout)
    table = pyarrow.parquet.read_table(folder / "table.parquet").to_pydict()
    assert list(table) == ["damping.elbow", "mass.lower", "max qvel.shoulder", "final qpos.elbow", "error"] and len(table["error"]) == 8
    assert told["design"] == "sobol, 8 rows of 2 inputs" and told["failures"] == "none" and "rows/s" in told["cost"] and "per core" in told["cost"]
    assert not (folder / "table.parquet.checkpoint").exists()


def test_an_interrupted_sweep_goes_on_with_resume(folder):
    (folder / "outcome.py").write_text(SLOW.format(folder=str(folder)))
    text = SWEEP.replace("sobol", "grid").replace("parquet", "csv").partition("[inputs]")[0]
    (folder / "sweep.toml").write_text(text + '[inputs]\n"mass.lower" = [1, 2, 3, 4]\n[outcomes]\nfunction = "outcome.py:slow"\n')
    process = subprocess.Popen([PROGRAM, "sweep", "sweep.toml", "--workers", "1"], cwd=folder, env=environment(PATH=PATH), stderr=subprocess.PIPE,
                               text=True)
    kept = folder / "table.csv.checkpoint"
    wait_for(lambda: (folder / "row_3.0").exists() and (kept / "chunk_00000001.pickle").exists())
    wait_until_caught(process, signal.SIGINT)
    process.send_signal(signal.SIGINT)
    (folder / "go").touch()
    assert "--resume goes on from here" in process.communicate(timeout=60)[1] and process.returncode == 130
    for row in folder.glob("row_*"):
        row.unlink()
    assert "rows of a sweep that was not finished" in sweep(folder, code=1).stderr and not (folder / "table.csv").exists()
    told = rows_of(sweep(folder, "--resume").stdout)
    assert "came from the checkpoint" in told["resumed"] and not kept.exists()
    with open(folder / "table.csv", newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [["mass.lower", "twice", "error"], *([f"{m}.0", f"{2 * m}.0", ""] for m in (1, 2, 3, 4))]
    assert not (folder / "row_1.0").exists() and (folder / "row_4.0").exists()


def test_a_checkpoint_of_another_sweep_is_refused(folder):
    (folder / "sweep.toml").write_text(SWEEP.replace('"mass.lower" = [0.5, 2]', '"mass.lower" = [-1, 2]'))
    kept = folder / "table.parquet.checkpoint"
    assert "a mass must be positive" in sweep(folder, code=3).stdout
    (folder / "table.parquet").unlink()
    kept.mkdir()
    (kept / "manifest.jsonl").write_text('{"format": 1, "kind": "sweep", "rows": 9}\n')
    told = sweep(folder, "--resume", code=1).stderr
    assert "is that of other work" in told and "rows 9 there, 8 here" in told and (kept / "manifest.jsonl").exists()


@pytest.mark.parametrize("change, told", [
    (("steps = 50", "steps = "), "Invalid value"), (("steps = 50", ""), "'steps' is missing"), (("steps = 50", "steps = true"), "wrong type"),
    (("steps", "stps"), "unknown key 'stps'"), (("arm.xml", "nosuch.xml"), "nosuch.xml"), (("sobol", "random"), "design must be"),
    (("count = 8", ""), "needs 'count'"), (("mass.lower", "mass.nosuch"), "no body is called 'nosuch'"), (("qpos.elbow", "qpos.nosuch"), "nosuch"),
    (("max =", "median ="), "not a reduction"), (("[0.5, 2]", "[2, 0.5]"), "lowest, highest"), (("table.parquet", "table.xls"), "neither"),
    (("max = [\"qvel.shoulder\"]", "function = \"nosuch.py:f\""), "either a function or signals")])
def test_wrong_descriptions_are_errors_that_write_nothing(folder, change, told, capsys):
    """In this process: the program would only start another one for each."""
    (folder / "sweep.toml").write_text(SWEEP.replace(*change))
    assert _sweep_command.run([str(folder / "sweep.toml")]) == 1
    assert told in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["arm.xml", "sweep.toml"]


def test_usage_of_both_commands(folder):
    assert "--resume" in run("sweep", "--help", PATH=PATH).stdout
    assert run("sweep", PATH=PATH, code=2).stderr and run("sweep", "a.toml", "--nosuch", PATH=PATH, code=2).stderr
    assert "cannot be read" in run("sweep", "nosuch.toml", cwd=folder, code=1, PATH=PATH).stderr
    assert "--workers must be at least 1" in sweep(folder, "--workers", "0", code=1).stderr
    told = run("rollout", "arm.xml", "--count", "2", "--cluster", "127.0.0.1:1", cwd=folder, code=1, PATH=PATH).stderr
    assert "no Ray cluster can be reached at 127.0.0.1:1" in told
    assert run("rollout", "arm.xml", "--checkpoint", "kept", cwd=folder, code=2).stderr
    assert not list(pathlib.Path("/tmp").glob("torsor_rollout_*"))
