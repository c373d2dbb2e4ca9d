"""The counter of checked cases and the seeds, in runs of pytest on small test files of their own, in one process and in
two."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

TESTS = pathlib.Path(__file__).parents[1]
SMALL = """
import os, pathlib, pytest

def test_checks(judged): judged(3); judged.screen()
def test_screens_out_everything(judged): judged.screen(4)
def test_has_a_reason(judged): judged.expect_nothing("no dofs")
def test_has_a_reason_that_no_longer_holds(judged): judged.expect_nothing("no dofs"); judged()
def test_fails_before_it_checks(judged): assert 1 == 2
def test_does_not_count(): pass
@pytest.mark.long
def test_takes_minutes(): pass
@pytest.mark.parametrize("path", [pytest.param(None, marks=pytest.mark.not_in_collection)])
def test_needs_a_model(path): pass
@pytest.mark.parametrize("number", range(4))
def test_notes_the_seed(seed, number): pathlib.Path(f"seed_{number}").write_text(str(seed))
"""


def run_small(folder, *options, **environment):
    for name in ("conftest.py", "judging.py"):
        shutil.copy(TESTS / name, folder)
    (folder / "test_small.py").write_text(SMALL, encoding="utf-8")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("TORSOR_", "PYTEST_"))}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "--judged-to=judged.txt", *options]
    result = subprocess.run(command, cwd=folder, env=inherited | environment, capture_output=True, text=True, timeout=300)
    seeds = {path.read_text() for path in folder.glob("seed_*")}
    return result.stdout, (folder / "judged.txt").read_text(encoding="utf-8"), seeds


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "two processes"])
def test_a_test_that_checked_nothing_fails_and_all_is_counted(tmp_path, options):
    output, judged, seeds = run_small(tmp_path, *options)
    outcome = {name: result for result, name in re.findall(r"^(PASSED|FAILED) \S+::(\w+)", output, re.MULTILINE)}
    assert {name for name, result in outcome.items() if result == "FAILED"} == {
        "test_screens_out_everything", "test_has_a_reason_that_no_longer_holds", "test_fails_before_it_checks"}
    assert "checked nothing: all of 4 cases were screened out" in output and "out of date" in output
    assert judged.splitlines() == [
        "checked: 3 cases in 2 tests, 1 screened out (25.0 %)", "nothing to check: 1 test", "  1 test: no dofs",
        "left out: 2 tests", "  1 test: longer runs, which scripts/test --long takes",
        "  1 test: models that TORSOR_MODELS does not name a folder with"]
    assert judged in output and seeds == {"1"}


def test_long_runs_draw_a_seed_that_all_processes_share_and_that_can_be_repeated(tmp_path):
    output, judged, (seed,) = run_small(tmp_path, "-n", "2", TORSOR_LONG="1")
    assert f"TORSOR_SEED={seed} (drawn for this run)" in output
    assert "  1 test: all cases that this seed draws were screened out" in judged  # a matter of luck, so it only says so
    assert "left out: 1 test\n" in judged and "PASSED test_small.py::test_takes_minutes" in output
    output, _, (other,) = run_small(tmp_path, "-n", "2", TORSOR_LONG="1")
    assert other != seed
    output, _, (again,) = run_small(tmp_path, "-n", "2", TORSOR_LONG="1", TORSOR_SEED=seed)
    assert again == seed
