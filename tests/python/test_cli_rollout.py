"""torsor rollout: many runs, the same for the same seed, however many threads."""

import signal
import subprocess

import pytest

from cli_models import write_models
from cli_support import PROGRAM, SECONDS, environment, read_csv, rows_of, run, wait_until_caught


@pytest.fixture
def folder(tmp_path):
    return write_models(tmp_path)


def last_states(folder, *options):
    run("rollout", "pendulum.xml", "--count", 20, "--steps", 50, "--csv", "last.csv", *options, cwd=folder)
    return read_csv(folder / "last.csv")


def test_a_summary_is_printed(folder):
    summary = rows_of(run("rollout", "pendulum.xml", "--count", 30, "--steps", 40, cwd=folder).stdout)
    assert summary["rollouts"] == "30 of 40 steps"
    assert "steps/s" in summary["speed"] and "thread" in summary["speed"]
    assert summary["warnings"] == "none"


def test_last_states_are_those_of_sim(folder):
    header, rows = last_states(folder, "--keyframe", "side")
    run("sim", "pendulum.xml", "--keyframe", "side", "--steps", 50, "--csv", "sim.csv", cwd=folder)
    sim_header, sim_rows = read_csv(folder / "sim.csv")
    assert header == sim_header and rows == [sim_rows[-1]] * 20


def test_the_seed_decides_and_threads_do_not(folder):
    first = last_states(folder, "--spread", 0.5, "--seed", 1, "--threads", 1)
    assert last_states(folder, "--spread", 0.5, "--seed", 1, "--threads", 3) == first
    assert last_states(folder, "--spread", 0.5, "--seed", 2) != first
    assert len({tuple(row) for row in first[1]}) == 20


@pytest.mark.parametrize("options", [("--count", 0), ("--threads", 0), ("--spread", -1), ("--steps", "many")])
def test_wrong_usage_is_told(folder, options):
    assert "try: torsor rollout --help" in run("rollout", "pendulum.xml", *options, cwd=folder, code=2).stderr


def test_ctrl_c_ends_it_with_what_was_done(folder):
    command = [PROGRAM, "rollout", "pendulum.xml", "--count", "4", "--steps", "20000000"]
    with subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        wait_until_caught(process, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=SECONDS)[0]
    assert process.returncode == 130 and "interrupted" in text
