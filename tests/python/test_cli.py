"""The program torsor: help, errors, exit codes, and what every command prints."""

import csv
import json
import math
import signal
import subprocess
import time

import pytest

from cli_support import PROGRAM, ROOT, SECONDS, environment, has_escapes, run, run_on_terminal, without_escapes

COMMANDS = ["demo", "sim", "inspect", "bench", "check", "compile"]

# A pendulum of 1 kg on a massless rod of 1 m: every number can be worked out by hand.
PENDULUM = """<mujoco model="pendulum">
  <option timestep="0.001" integrator="RK4"/>
  <worldbody>
    <body name="arm" pos="0 0 2">
      <joint name="hinge" axis="0 1 0"/>
      <inertial pos="0 0 -1" mass="1" diaginertia="1e-9 1e-9 1e-9"/>
    </body>
  </worldbody>
  <keyframe>
    <key name="side" qpos="1.5707963267948966"/>
    <key name="spinning" time="3" qpos="0.5" qvel="2"/>
  </keyframe>
</mujoco>
"""

MIXED = """<mujoco>
  <worldbody>
    <body name="box"><freejoint name="root"/><geom size="0.1" mass="2"/>
      <body name="ball" pos="1 0 0"><joint name="b" type="ball"/><geom size="0.1" mass="3"/>
        <body name="last" pos="1 0 0"><joint type="slide" range="-1 1"/><joint name='odd "name", here'/>
          <geom size="0.1" mass="4"/></body></body></body>
  </worldbody>
</mujoco>
"""

ACTUATED = """<mujoco>
  <worldbody>
    <body><joint name="j"/><geom size="0.1"/></body>
  </worldbody>
  <actuator>
    <motor joint="j"/>
  </actuator>
  <sensor>
    <jointpos joint="j"/>
  </sensor>
</mujoco>
"""

BROKEN = """<mujoco>
  <worldbody>
    <body name="arm">
      <joint nam="hinge"/>
      <geom size="0.1" masss="1"/>
    </body>
  </worldbody>
</mujoco>
"""

# A spring so stiff that Euler without damping cannot follow it.
EXPLOSIVE = """<mujoco>
  <option timestep="0.01"{flags}
  <worldbody>
    <body><joint name="spring" type="slide" stiffness="1e9"/><geom size="0.1" mass="1"/></body>
  </worldbody>
  <keyframe><key qpos="1"/></keyframe>
</mujoco>
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with one file for each of the models above."""
    for name, text in (("pendulum", PENDULUM), ("mixed", MIXED), ("actuated", ACTUATED), ("broken", BROKEN)):
        (tmp_path / f"{name}.xml").write_text(text, encoding="utf-8")
    (tmp_path / "explosive.xml").write_text(EXPLOSIVE.format(flags="/>"), encoding="utf-8")
    without_reset = '><flag autoreset="disable"/></option>'
    (tmp_path / "diverging.xml").write_text(EXPLOSIVE.format(flags=without_reset), encoding="utf-8")
    return tmp_path


def rows_of(text):
    """The lines of a two-column summary as a dictionary."""
    return {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in text.splitlines() if len(line.split()) > 1}


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, [[float(cell) for cell in row] for row in rows]


# --- the program as a whole ---------------------------------------------------------------------------------------


def test_version_is_that_of_the_project():
    version = next(line for line in (ROOT / "CMakeLists.txt").read_text().splitlines() if "project(torsor" in line)
    assert run("--version").stdout.strip() == "torsor " + version.split("VERSION ")[1].split()[0]


def test_help_names_every_command_and_the_exit_codes():
    text = run("--help").stdout
    for command in COMMANDS:
        assert f"\n  {command} " in text
    assert "torsor demo" in text and "Exit codes" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_has_an_example_and_its_exit_codes(command):
    text = run(command, "--help").stdout
    assert "Examples:\n" in text and f"  torsor {command}" in text
    assert "Exit codes: 0 " in text


def test_without_a_command_usage_is_explained():
    result = run(code=2)
    assert "torsor --help" in result.stderr and not result.stdout


@pytest.mark.parametrize("typed, meant", [("smi", "sim"), ("inspct", "inspect"), ("chekc", "check"), ("Demo", "demo")])
def test_a_mistyped_command_suggests_the_nearest(typed, meant):
    result = run(typed, code=2)
    assert f"unknown command '{typed}' (did you mean '{meant}'?)" in result.stderr and not result.stdout


def test_an_unknown_command_without_a_near_one_suggests_nothing():
    assert "did you mean" not in run("transmogrify", code=2).stderr


def test_a_mistyped_option_suggests_the_nearest():
    assert "unknown option '--durtion' of sim (did you mean '--duration'?)" in run("sim", "x.xml", "--durtion=3", code=2).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["sim"],
        ["sim", "pendulum.xml", "--duration", "-1"],
        ["sim", "pendulum.xml", "--duration", "soon"],
        ["sim", "pendulum.xml", "--duration", "nan"],
        ["sim", "pendulum.xml", "--timestep", "inf"],
        ["sim", "pendulum.xml", "--steps", "1.5"],
        ["sim", "pendulum.xml", "--steps", "10", "--duration", "1"],
        ["sim", "pendulum.xml", "--integrator", "leapfrog"],
        ["sim", "pendulum.xml", "--timestep", "0"],
        ["sim", "pendulum.xml", "--every", "0"],
        ["sim", "pendulum.xml", "another.xml"],
        ["bench", "pendulum.xml", "--steps", "0"],
        ["bench", "pendulum.xml", "--threads", "0"],
        ["compile", "pendulum.xml"],
        ["check"],
        ["demo", "pendulum.xml"],
        ["demo", "--duration", "nan"],
    ],
)
def test_wrong_usage_is_exit_code_2_with_a_way_to_help(folder, arguments):
    result = run(*arguments, cwd=folder, code=2)
    assert result.stderr.startswith("error: ") and "--help" in result.stderr and not result.stdout


@pytest.mark.parametrize("command", ["sim", "inspect", "bench", "check", "compile"])
def test_a_missing_file_is_named(tmp_path, command):
    extra = ["-o", "out.torsor"] if command == "compile" else []
    result = run(command, "nowhere.xml", *extra, cwd=tmp_path, code=1)
    assert "error:" in result.stderr and "nowhere.xml" in result.stderr


def test_a_folder_in_the_place_of_a_file_is_an_error(tmp_path):
    assert "folder" in run("inspect", tmp_path, code=1).stderr


def test_errors_are_diagnostics_with_file_line_column_and_hint(folder):
    result = run("sim", "broken.xml", cwd=folder, code=1)
    lines = result.stderr.splitlines()
    assert lines[0].startswith("broken.xml:4:") and "error:" in lines[0] and "'name'" in lines[0]
    assert lines[1].startswith("broken.xml:5:") and "error:" in lines[1] and "'mass'" in lines[1]
    assert not result.stdout


def test_an_instruction_set_that_does_not_exist_is_an_error(folder):
    assert "altivec" in run("sim", "pendulum.xml", "--steps", 1, cwd=folder, code=1, TORSOR_ISA="altivec").stderr


def test_a_full_disk_is_an_error(folder):
    with open("/dev/full", "w") as full:
        result = subprocess.run([PROGRAM, "inspect", "pendulum.xml"], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1 and "No space left" in result.stderr
    assert "No space left" in run("sim", "pendulum.xml", "--csv", "/dev/full", cwd=folder, code=1).stderr


# --- sections that are not supported yet --------------------------------------------------------------------------


def test_a_refused_section_names_the_option_that_leaves_it_out(folder):
    result = run("sim", "actuated.xml", cwd=folder, code=1)
    assert "actuated.xml:5:" in result.stderr and "<actuator>" in result.stderr
    assert "--ignore actuator,sensor " in result.stderr and "--ignore all" in result.stderr


@pytest.mark.parametrize("ignore", [["--ignore", "actuator,sensor"], ["--ignore", "actuator", "--ignore", "sensor"], ["--ignore=all"]])
def test_ignored_sections_are_left_out_with_a_warning(folder, ignore):
    result = run("sim", *ignore, "actuated.xml", "--steps", 1, cwd=folder)
    assert "actuated.xml:5:" in result.stderr and "warning:" in result.stderr
    assert "hint:" not in result.stderr


def test_ignoring_an_unknown_section_is_an_error(folder):
    text = run("sim", "actuated.xml", "--ignore", "sensor,actuater", cwd=folder, code=2).stderr
    assert "'actuater'" in text and "did you mean 'actuator'?" in text and "tendon" in text


# --- sim ----------------------------------------------------------------------------------------------------------


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
    positions = ["root.x", "root.y", "root.z", "root.qw", "root.qx", "root.qy", "root.qz", "b.qw", "b.qx", "b.qy", "b.qz"]
    velocities = ["root.vx", "root.vy", "root.vz", "root.wx", "root.wy", "root.wz", "b.wx", "b.wy", "b.wz"]
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
    for duration, steps in ((0.3, 300), (0.7, 700), (0.0004, 1), (0.0011, 2), (0, 0)):
        summary = rows_of(run("sim", "pendulum.xml", "--duration", duration, cwd=folder).stdout)
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


# --- on a terminal ------------------------------------------------------------------------------------------------


def test_sim_shows_progress_on_a_terminal_and_ctrl_c_ends_it(folder):
    text = run_on_terminal("sim", "pendulum.xml", "--steps", 10**9, cwd=folder, code=130, interrupt_after="to go")
    assert "[" in text and " %" in text and "time " in text and "interrupted" in text


def test_no_progress_bar_in_a_pipe(folder):
    result = run("sim", "pendulum.xml", "--duration", 200, cwd=folder)
    assert not result.stderr and "%" not in result.stdout


@pytest.mark.parametrize("arguments", [["inspect", "pendulum.xml"], ["check", "pendulum.xml"], ["check", "broken.xml"]])
def test_colours_are_for_terminals_only_and_no_color_is_honoured(folder, arguments):
    code = 1 if "broken.xml" in arguments else 0
    piped = run(*arguments, cwd=folder, code=code)
    assert not has_escapes(piped.stdout + piped.stderr)
    colourful = run_on_terminal(*arguments, cwd=folder, code=code)
    assert has_escapes(colourful)
    assert sorted(without_escapes(colourful).split()) == sorted((piped.stdout + piped.stderr).split())
    assert not has_escapes(run_on_terminal(*arguments, cwd=folder, code=code, NO_COLOR="1"))
    assert has_escapes(run_on_terminal(*arguments, cwd=folder, code=code, NO_COLOR=""))
    assert not has_escapes(run_on_terminal(*arguments, cwd=folder, code=code, TERM="dumb"))


def test_control_characters_in_names_do_not_reach_the_terminal(folder):
    (folder / "hostile.xml").write_text(MIXED.replace('name="last"', 'name="&#27;[2Jlast&#7;"'), encoding="utf-8")
    text = run("inspect", "hostile.xml", cwd=folder).stdout
    assert "last" in text and "\x1b" not in text and "\x07" not in text


# --- demo ---------------------------------------------------------------------------------------------------------


def test_demo_in_a_pipe_prints_a_line_per_second_and_a_table():
    lines = run("demo", "--duration", 3).stdout.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("time ") and "drift" in line] == ["1.00", "2.00", "3.00"]
    for label in ("energy drift", "real-time factor", "triple pendulum", "top: tilt", "book: turned over"):
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


def test_demo_runs_in_real_time_on_a_terminal_unless_told_to_hurry():
    start = time.monotonic()
    run_on_terminal("demo", "--duration", 1.5)
    assert time.monotonic() - start > 1.4
    start = time.monotonic()
    run_on_terminal("demo", "--duration", 1.5, "--fast")
    assert time.monotonic() - start < 1.4


def test_demo_ends_with_ctrl_c():
    text = run_on_terminal("demo", "--duration", 1000, code=130, interrupt_after="real-time factor")
    assert "energy" in text


def test_demo_prints_its_scene_for_others_to_run(tmp_path):
    (tmp_path / "demo.xml").write_text(run("demo", "--xml").stdout, encoding="utf-8")
    assert (tmp_path / "demo.xml").read_text() == (ROOT / "models" / "demo.xml").read_text()
    summary = rows_of(run("sim", "demo.xml", "--keyframe", "start", "--duration", 1, cwd=tmp_path).stdout)
    assert summary["warnings"] == "none"


# --- inspect ------------------------------------------------------------------------------------------------------


def test_inspect_shows_tables_of_bodies_joints_dofs_and_the_total_mass(folder):
    text = run("inspect", "mixed.xml", cwd=folder).stdout
    for title in ("Bodies (4)", "Joints (4)", "Dofs (11)"):
        assert title in text
    assert rows_of(text)["mass"].startswith("9 kg, centre of mass at 1.22222 0 0 m")  # (2*0 + 3*1 + 4*2) / 9
    assert "Keyframes" not in text
    assert "Keyframes (2)" in run("inspect", "pendulum.xml", cwd=folder).stdout


def test_inspect_as_json_says_the_same(folder):
    model = json.loads(run("inspect", "mixed.xml", "--json", cwd=folder).stdout)
    assert model["sizes"]["nq"] == 13 and model["sizes"]["nv"] == 11
    assert model["totals"]["mass"] == pytest.approx(9)
    assert model["totals"]["com"] == pytest.approx([11 / 9, 0, 0])
    assert [body["name"] for body in model["bodies"]] == ["world", "box", "ball", "last"]
    assert [body["parent"] for body in model["bodies"]] == [-1, 0, 1, 2]
    assert [body["mass"] for body in model["bodies"]] == pytest.approx([0, 2, 3, 4])
    assert [body["subtree_mass"] for body in model["bodies"]] == pytest.approx([9, 9, 7, 4])
    assert [joint["type"] for joint in model["joints"]] == ["free", "ball", "slide", "hinge"]
    assert [joint["range"] for joint in model["joints"]] == [None, None, [-1, 1], None]
    assert [dof["joint"] for dof in model["dofs"]] == [0] * 6 + [1] * 3 + [2, 3]
    assert [geom["type"] for geom in model["geoms"]] == ["sphere"] * 3


def test_inspect_of_a_model_without_bodies_works(tmp_path):
    (tmp_path / "empty.xml").write_text("<mujoco/>")
    assert "0 kg" in run("inspect", "empty.xml", cwd=tmp_path).stdout
    assert json.loads(run("inspect", "empty.xml", "--json", cwd=tmp_path).stdout)["sizes"]["nbody"] == 1
    run("sim", "empty.xml", "--steps", 3, "--csv", "out.csv", cwd=tmp_path)
    assert read_csv(tmp_path / "out.csv")[0] == ["time"]


# --- bench --------------------------------------------------------------------------------------------------------


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
    assert "mmx" in run(*arguments, "--isa", "mmx", cwd=folder, code=1).stderr


def test_bench_takes_the_number_of_worlds_and_threads(folder):
    arguments = ("--time", 0, "--steps", 10, "--worlds", 5, "--threads", 2, "--json")
    lanes = json.loads(run("bench", "mixed.xml", *arguments, cwd=folder).stdout)["lanes"]
    assert lanes["worlds"] == 5 and lanes["threads"] == 2


# --- check --------------------------------------------------------------------------------------------------------


def test_check_of_a_sound_file_is_exit_code_0(folder):
    result = run("check", "mixed.xml", cwd=folder)
    assert result.stdout == "mixed.xml: ok (4 bodies, 4 joints, 11 dofs)\n" and not result.stderr


def test_check_reports_every_file_and_fails_if_one_is_broken(folder):
    result = run("check", "pendulum.xml", "broken.xml", "mixed.xml", cwd=folder, code=1)
    verdicts = result.stdout.splitlines()
    assert verdicts[0].startswith("pendulum.xml: ok") and verdicts[2].startswith("mixed.xml: ok")
    assert verdicts[1] == "broken.xml: 2 errors"
    assert len(result.stderr.splitlines()) == 2


def test_check_quiet_prints_only_what_is_wrong(folder):
    assert not run("check", "--quiet", "pendulum.xml", cwd=folder).stdout
    result = run("check", "-q", "broken.xml", cwd=folder, code=1)
    assert not result.stdout and "broken.xml:4:" in result.stderr


@pytest.mark.parametrize("text", ["", "hello", "<mujoco>", "<robot/>", "\x00\x01\x02", "<mujoco><include file='m.xml'/></mujoco>"])
def test_check_of_what_is_no_model_is_an_error_and_no_crash(tmp_path, text):
    (tmp_path / "m.xml").write_text(text)
    assert "m.xml" in run("check", "m.xml", cwd=tmp_path, code=1).stderr


# --- compile ------------------------------------------------------------------------------------------------------


def test_compiled_models_run_with_the_same_bits(folder):
    assert "pendulum.torsor" in run("compile", "pendulum.xml", "-o", "pendulum.torsor", cwd=folder).stdout
    for name in ("pendulum.xml", "pendulum.torsor"):
        run("sim", name, "-k", "side", "--steps", 200, "--csv", name + ".csv", cwd=folder)
    assert (folder / "pendulum.xml.csv").read_bytes() == (folder / "pendulum.torsor.csv").read_bytes()
    assert run("check", "pendulum.torsor", cwd=folder).stdout.startswith("pendulum.torsor: ok")


def test_a_damaged_binary_model_is_an_error(folder):
    run("compile", "pendulum.xml", "-o", "pendulum.torsor", cwd=folder)
    whole = (folder / "pendulum.torsor").read_bytes()
    (folder / "cut.torsor").write_bytes(whole[:-100])
    (folder / "bent.torsor").write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    for name in ("cut.torsor", "bent.torsor"):
        assert name in run("check", name, cwd=folder, code=1).stderr


def test_compile_never_overwrites_its_model(folder):
    assert "destroy" in run("compile", "pendulum.xml", "-o", "pendulum.xml", cwd=folder, code=1).stderr
    assert (folder / "pendulum.xml").read_text() == PENDULUM
