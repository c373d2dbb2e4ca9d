"""The program torsor as a whole: help, errors, exit codes, sections it refuses, terminals."""

import subprocess

import pytest

from cli_models import MIXED, write_models
from cli_support import PROGRAM, ROOT, SECONDS, has_escapes, run, run_on_terminal, without_escapes

COMMANDS = ["demo", "sim", "replay", "render", "plot", "inspect", "bench", "check", "compile", "convert", "conventions", "state",
            "detect"]


@pytest.fixture
def folder(tmp_path):
    return write_models(tmp_path)


# --- the program as a whole -----------------------------------------------------------------------------------------


def test_version_is_that_of_the_project():
    version = (ROOT / "torsor/core/version.hpp").read_text().split('kHeaderVersion = "')[1].split('"')[0]
    assert run("--version").stdout.strip() == "torsor " + version


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


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS), ["rollout"], ["diff"], ["conventions", "show"]])
def test_help_fits_into_100_columns(command):
    text = run(*command, "--help").stdout
    assert max(len(line) for line in text.splitlines()) <= 100, text


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
    text = run("sim", "x.xml", "--durtion=3", code=2).stderr
    assert "unknown option '--durtion' of sim (did you mean '--duration'?)" in text


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
        ["convert", "pendulum.xml"],
        ["check"],
        ["demo", "pendulum.xml"],
        ["demo", "--duration", "nan"],
    ],
)
def test_wrong_usage_is_exit_code_2_with_a_way_to_help(folder, arguments):
    result = run(*arguments, cwd=folder, code=2)
    assert result.stderr.startswith("error: ") and "--help" in result.stderr and not result.stdout


@pytest.mark.parametrize("command", ["sim", "inspect", "bench", "check", "compile", "convert"])
def test_a_missing_file_is_named(tmp_path, command):
    extra = {"compile": ["-o", "out.torsor"], "convert": ["out.xml"]}.get(command, [])
    result = run(command, "nowhere.xml", *extra, cwd=tmp_path, code=1)
    assert "error:" in result.stderr and "nowhere.xml" in result.stderr


def test_a_folder_in_the_place_of_a_file_is_an_error(tmp_path):
    assert "is a folder, not a model file" in run("inspect", tmp_path, code=1).stderr


def test_errors_are_diagnostics_with_file_line_column_and_hint(folder):
    result = run("sim", "broken.xml", cwd=folder, code=1)
    lines = result.stderr.splitlines()
    assert lines[0].startswith("broken.xml:4:") and "error:" in lines[0] and "'name'" in lines[0]
    assert lines[1].startswith("broken.xml:5:") and "error:" in lines[1] and "'mass'" in lines[1]
    assert not result.stdout


def test_an_instruction_set_that_does_not_exist_is_an_error(folder):
    assert "altivec" in run("sim", "pendulum.xml", "--steps", 1, cwd=folder, code=1, TORSOR_ISA="altivec").stderr


def test_a_full_disk_is_an_error(folder):
    for arguments in (["inspect", "pendulum.xml"], ["--help"]):
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [PROGRAM, *arguments], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=SECONDS
            )
        assert result.returncode == 1 and "No space left" in result.stderr
    for steps in (1, 10_000):  # a file that fits in a buffer fails when it is closed
        arguments = ("sim", "pendulum.xml", "--steps", steps, "--csv", "/dev/full")
        assert "No space left" in run(*arguments, cwd=folder, code=1).stderr


# --- sections that are not supported yet ----------------------------------------------------------------------------


def test_a_refused_section_names_the_option_that_leaves_it_out(folder):
    result = run("sim", "refused.xml", cwd=folder, code=1)
    assert "refused.xml:9:" in result.stderr and "<flex>" in result.stderr
    assert "--ignore deformable " in result.stderr and "--ignore all" in result.stderr


@pytest.mark.parametrize("ignore", ["--ignore equality,deformable", "--ignore equality --ignore deformable",
                                    "--ignore=all"])
def test_ignored_sections_are_left_out_with_a_warning(folder, ignore):
    result = run("sim", *ignore.split(), "refused.xml", "--steps", 1, cwd=folder)
    line = 9 if "all" in ignore else 8  # the element, or its section
    assert f"refused.xml:{line}:" in result.stderr and "warning:" in result.stderr
    assert "hint:" not in result.stderr


def test_ignoring_an_unknown_section_is_an_error(folder):
    text = run("sim", "refused.xml", "--ignore", "sensor,actuater", cwd=folder, code=2).stderr
    assert "'actuater'" in text and "did you mean 'actuator'?" in text and "tendon" in text


# --- on a terminal --------------------------------------------------------------------------------------------------


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
