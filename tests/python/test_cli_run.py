"""The commands that step a model: sim, demo and bench."""

import json
import math
import re
import signal
import subprocess

import pytest

from cli_models import PENDULUM, write_models
from cli_support import (
    PROGRAM,
    ROOT,
    SECONDS,
    environment,
    has_escapes,
    read_csv,
    rows_of,
    run,
    run_on_terminal,
    without_escapes,
)


@pytest.fixture
def folder(tmp_path):
    return write_models(tmp_path)


# --- sim ------------------------------------------------------------------------------------------------------------


def test_sim_prints_time_energy_and_warnings(folder):
    summary = rows_of(run("sim", "pendulum.xml", "--duration", 0.5, cwd=folder).stdout)
    assert summary["time"] == "0.5 s after 500 steps"
    assert summary["energy"].startswith("9.81 J (potential 9.81, kinetic 0)")  # 1 kg at a height of 1 m
    assert "RK4, timestep 0.001 s" in summary["method"]
    assert "steps/s" in summary["speed"] and "real time" in summary["speed"]
    assert summary["warnings"] == "none"


def test_sim_writes_the_trajectory_of_a_pendulum(folder):
    run("sim", "pendulum.xml", "--keyframe", "side", "--steps", 700, "--csv", "out.csv", cwd=folder)
    header, rows = read_csv(folder / "out.csv")
    assert header == ["time", "qpos.hinge", "qvel.hinge"]
    assert len(rows) == 701 and rows[0] == [0, math.pi / 2, 0]
    assert rows[-1][0] == pytest.approx(0.7, abs=1e-12)
    for time, angle, speed in rows:  # energy is conserved: v^2 / 2 = g cos(angle)
        assert speed**2 / 2 == pytest.approx(9.81 * math.cos(angle), abs=1e-8)


def test_sim_numbers_in_csv_read_back_exactly(folder):
    run("sim", "pendulum.xml", "-k", "side", "-n", 100, "--csv", "a.csv", cwd=folder)
    _, first = read_csv(folder / "a.csv")
    resumed = PENDULUM.replace('qpos="0.5" qvel="2"', f'qpos="{first[50][1]!r}" qvel="{first[50][2]!r}"')
    (folder / "resumed.xml").write_text(resumed)
    run("sim", "resumed.xml", "-k", "spinning", "-n", 50, "--csv", "b.csv", cwd=folder)
    _, second = read_csv(folder / "b.csv")
    assert [row[1:] for row in second] == [row[1:] for row in first[50:]]


def test_sim_names_the_columns_after_joints_of_every_type(folder):
    run("sim", "mixed.xml", "--steps", 2, "--csv", "out.csv", cwd=folder)
    header, rows = read_csv(folder / "out.csv")
    positions = [f"root.{c}" for c in ("x", "y", "z", "qw", "qx", "qy", "qz")] + ["b.qw", "b.qx", "b.qy", "b.qz"]
    velocities = [f"root.{c}" for c in ("vx", "vy", "vz", "wx", "wy", "wz")] + ["b.wx", "b.wy", "b.wz"]
    last = ["#2", 'odd "name", here']
    assert header == ["time"] + ["qpos." + n for n in positions + last] + ["qvel." + n for n in velocities + last]
    assert all(len(row) == len(header) for row in rows)


def test_sim_csv_to_standard_output_leaves_the_summary_to_standard_error(folder):
    result = run("sim", "pendulum.xml", "--steps", 3, "--csv", "-", cwd=folder)
    assert len(result.stdout.splitlines()) == 5 and result.stdout.startswith("time,")
    assert "energy" in result.stderr


def test_sim_every_thins_the_trajectory_and_keeps_the_last_row(folder):
    run("sim", "pendulum.xml", "--steps", 25, "--every", 10, "--csv", "out.csv", cwd=folder)
    _, rows = read_csv(folder / "out.csv")
    assert [round(row[0] * 1000) for row in rows] == [0, 10, 20, 25]


@pytest.mark.parametrize("key, start", [("spinning", [3, 0.5, 2]), ("1", [3, 0.5, 2]), ("0", [0, math.pi / 2, 0])])
def test_sim_starts_from_a_keyframe_by_name_or_number(folder, key, start):
    run("sim", "pendulum.xml", "--keyframe", key, "--steps", 0, "--csv", "out.csv", cwd=folder)
    assert read_csv(folder / "out.csv")[1] == [start]


def test_sim_an_unknown_keyframe_lists_those_that_exist(folder):
    text = run("sim", "pendulum.xml", "-k", "spining", cwd=folder, code=1).stderr
    assert "spining" in text and "side, spinning" in text and "did you mean 'spinning'?" in text
    assert "2" in run("sim", "pendulum.xml", "-k", "2", cwd=folder, code=1).stderr
    assert "no keyframes" in run("sim", "mixed.xml", "-k", "0", cwd=folder, code=1).stderr


def test_sim_integrators_differ_as_their_orders_do(folder):
    def drift(integrator):
        arguments = ("-k", "side", "-d", 2, "-i", integrator, "--timestep", 0.005, "--csv", "out.csv")
        run("sim", "pendulum.xml", *arguments, cwd=folder)
        _, rows = read_csv(folder / "out.csv")
        return max(abs(speed**2 / 2 - 9.81 * math.cos(angle)) for _, angle, speed in rows)

    assert drift("rk4") < 1e-6
    assert 1e-3 < drift("euler") < 1
    assert 1e-3 < drift("implicit") < 1
    assert 1e-3 < drift("ImplicitFast") < 1


def test_sim_duration_counts_steps_without_rounding_errors(folder):
    milliseconds = [(0.3, 0.001, 300), (0.7, 0.001, 700), (0.0004, 0.001, 1), (0.0011, 0.001, 2), (0, 0.001, 0)]
    for duration, timestep, steps in (*milliseconds, (0.035, 0.005, 7)):  # 0.035 / 0.005 is above 7 in binary
        arguments = ("--duration", duration, "--timestep", timestep)
        summary = rows_of(run("sim", "pendulum.xml", *arguments, cwd=folder).stdout)
        assert summary["time"].endswith(f"after {steps} steps")


def test_sim_says_when_numbers_blow_up(folder):
    result = run("sim", "explosive.xml", "-k", 0, "--steps", 200, cwd=folder, code=3)
    warning = rows_of(result.stdout)["warning"]
    assert "bad number in q" in warning and "joint 'spring'" in warning
    assert rows_of(result.stdout)["time"].endswith("after 200 steps")


def test_sim_stops_at_bad_numbers_when_the_reset_is_off(folder):
    result = run("sim", "diverging.xml", "-k", 0, "--steps", 200, cwd=folder, code=3)
    assert "of 200: diverged" in rows_of(result.stdout)["time"]


def test_sim_never_overwrites_its_model(folder):
    assert "destroy" in run("sim", "pendulum.xml", "--csv", "./pendulum.xml", cwd=folder, code=1).stderr
    assert (folder / "pendulum.xml").read_text() == PENDULUM


def test_sim_that_cannot_write_says_so(folder):
    assert "nowhere/out.csv" in run("sim", "pendulum.xml", "--csv", "nowhere/out.csv", cwd=folder, code=1).stderr


def test_sim_interrupted_ends_cleanly_with_what_was_computed(folder):
    process = subprocess.Popen(
        [PROGRAM, "sim", "pendulum.xml", "-k", "side", "--steps", "1000000000", "--csv", "out.csv"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (folder / "out.csv").exists() or (folder / "out.csv").stat().st_size < 100_000:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=SECONDS)
    assert process.returncode == 130 and not stderr
    summary = rows_of(stdout)
    steps = int(summary["time"].split(" after ")[1].split()[0].replace(",", ""))
    assert "of 1,000,000,000: interrupted" in summary["time"]
    header, rows = read_csv(folder / "out.csv")
    assert len(rows) == steps + 1 and all(len(row) == len(header) for row in rows)


# --- demo -----------------------------------------------------------------------------------------------------------


def test_demo_in_a_pipe_prints_a_line_per_second_and_a_table():
    lines = run("demo", "--duration", 3).stdout.splitlines()
    times = [line.split()[1] for line in lines if line.startswith("time ") and "drift" in line]
    assert times == ["1.00", "2.00", "3.00"]
    for label in ("energy drift", "real-time factor", "triple pendulum", "top: tilt", "book: half turns"):
        assert any(line.startswith(label) for line in lines), label


def test_demo_keeps_its_energy_with_rk4_and_not_with_euler():
    text = run("demo").stdout
    drift = next(line for line in text.splitlines() if line.startswith("energy drift"))
    rk4, implicit, euler = (float(word) for word in drift.split() if word[0] in "+-")
    assert abs(rk4) < 1e-4 < 1e-2 < min(abs(euler), abs(implicit))
    assert int(next(line for line in text.splitlines() if line.startswith("book:")).split()[3]) > 0


def test_demo_is_a_live_table_on_a_terminal():
    text = run_on_terminal("demo", "--duration", 0.3)
    assert text.count("energy drift") == 6 and "\x1b[10A" in text  # drawn once per frame, each over the one before
    assert not has_escapes(run("demo", "--duration", 0.3).stdout)


def test_lines_that_are_drawn_again_fit_a_narrow_terminal(folder):
    for arguments in (["demo", "--duration", 0.2], ["sim", "pendulum.xml", "--duration", 500]):
        text = run_on_terminal(*arguments, cwd=folder, columns=30)
        redrawn = [line for line in without_escapes(text).splitlines() if "drift  " in line or line.startswith("[")]
        assert redrawn and all(len(line) <= 30 for line in redrawn)


def seconds_slept(folder, *arguments):
    """How long a run on a terminal sleeps in all, by a clock that nothing but sleeping moves."""
    library, report = folder / "clock.so", folder / "slept"
    source = ROOT / "tests" / "python" / "sleeping_clock.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    run_on_terminal(*arguments, LD_PRELOAD=str(library), SLEPT_FILE=str(report))
    return int(report.read_text()) / 1e9


def test_demo_runs_in_real_time_on_a_terminal_unless_told_to_hurry(tmp_path):
    assert seconds_slept(tmp_path, "demo", "--duration", 1.5) == pytest.approx(1.5, abs=1e-6)
    assert seconds_slept(tmp_path, "demo", "--duration", 1.5, "--fast") == 0


def test_demo_ends_with_ctrl_c():
    text = run_on_terminal("demo", "--duration", 1000, code=130, interrupt_after="real-time factor")
    assert "energy" in text


def test_demo_prints_its_scene_for_others_to_run(tmp_path):
    (tmp_path / "demo.xml").write_text(run("demo", "--xml").stdout, encoding="utf-8")
    assert (tmp_path / "demo.xml").read_text() == (ROOT / "models" / "demo.xml").read_text()
    summary = rows_of(run("sim", "demo.xml", "--keyframe", "start", "--duration", 1, cwd=tmp_path).stdout)
    assert summary["warnings"] == "none"


# --- bench ----------------------------------------------------------------------------------------------------------


def test_bench_prints_rates_stages_and_lanes(folder):
    text = run("bench", "pendulum.xml", "--time", 0.05, cwd=folder).stdout
    for label in ("one world", "lanes", "steps/s", "real time", "kinematics", "inertia", "velocity", "integration"):
        assert label in text, label


@pytest.mark.parametrize("integrator", ["euler", "rk4", "implicitfast"])
def test_bench_as_json_has_stages_that_add_up_to_the_step(folder, integrator):
    arguments = ("--time", 0.1, "--integrator", integrator, "--json")
    result = json.loads(run("bench", "mixed.xml", *arguments, cwd=folder).stdout)
    assert result["steps_per_second"] == pytest.approx(1 / result["seconds_per_step"])
    assert result["best_seconds_per_step"] <= result["seconds_per_step"]
    assert result["real_time_factor"] == pytest.approx(0.002 * result["steps_per_second"])
    stages = result["stage_seconds_per_step"]
    outer = [time for name, time in stages.items() if name not in ("step", "kinematics", "inertia")]
    assert sum(outer) == pytest.approx(stages["step"]) and min(outer) > 0
    assert stages["kinematics"] + stages["inertia"] <= stages["position"]
    lanes = result["lanes"]
    assert lanes["worlds"] == 16 * lanes["width"] and lanes["world_steps_per_second"] > 0


def test_bench_runs_with_the_instruction_set_it_is_told(folder):
    arguments = ("bench", "pendulum.xml", "--time", 0, "--json")
    assert json.loads(run(*arguments, "--isa", "baseline", cwd=folder).stdout)["instruction_set"] == "baseline"
    assert json.loads(run(*arguments, cwd=folder, TORSOR_ISA="baseline").stdout)["instruction_set"] == "baseline"
    assert "mmx" in run(*arguments, "--isa", "mmx", cwd=folder, code=2).stderr


def test_bench_takes_the_number_of_worlds_and_threads(folder):
    arguments = ("--time", 0, "--steps", 10, "--worlds", 5, "--threads", 2, "--json")
    lanes = json.loads(run("bench", "mixed.xml", *arguments, cwd=folder).stdout)["lanes"]
    assert lanes["worlds"] == 5 and lanes["threads"] == 2


def test_bench_says_how_many_rounds_it_took_and_how_much_they_differ(folder):
    text = run("bench", "pendulum.xml", "--time", 0.2, cwd=folder).stdout
    rounds = re.findall(r"median of (\d+) rounds of 500 steps, \+-[\d.]+ % \(quartiles .+ to .+\), best .+", text)
    assert len(rounds) == 2 and all(int(count) >= 5 for count in rounds), text


def test_bench_takes_the_rounds_it_is_asked_for_even_without_time(folder):
    result = json.loads(run("bench", "mixed.xml", "--time", 0, "--rounds", 9, "--steps", 20, "--json", cwd=folder).stdout)
    assert result["rounds"] >= 9 and result["lanes"]["rounds"] >= 9
    for own, key in ((result, "seconds_per_step"), (result["lanes"], "seconds_per_world_step")):
        lower, upper = own[f"quartiles_of_{key}"]
        assert own[f"best_{key}"] <= lower <= upper
    lower, upper = result["quartiles_of_seconds_per_step"]
    assert lower <= result["seconds_per_step"] <= upper


def test_bench_keeps_to_its_time_budget(folder):
    result = json.loads(run("bench", "pendulum.xml", "--time", 1, "--json", cwd=folder).stdout)
    spent = result["rounds"] * 500 * result["seconds_per_step"]
    assert 0.02 < spent < 1.5 and result["rounds"] > 20  # part of the budget, in many rounds


def test_bench_shows_progress_on_a_terminal_only(folder):
    text = run_on_terminal("bench", "pendulum.xml", "--time", 1, cwd=folder)
    assert "rounds, " in text and " per step" in text and " %" in text.split("model")[0]
    assert not run("bench", "pendulum.xml", "--time", 0.1, cwd=folder).stderr
