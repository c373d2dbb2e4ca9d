"""The commands about models and runs as programmers need them: diff, check --roundtrip, sim --diagnose."""

import re

import pytest

import torsor
from cli_models import PENDULUM, write_models
from cli_support import run

ROBOT = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 0.09"><freejoint/><geom size="0.1" mass="{mass}"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "light.xml").write_text(ROBOT.format(mass=1))
    (tmp_path / "heavy.xml").write_text(ROBOT.format(mass=1.5))
    return write_models(tmp_path)


# --- diff -----------------------------------------------------------------------------------------------------------


def test_diff_of_equal_models_is_exit_code_0(folder):
    run("compile", "light.xml", "-o", "light.torsor", cwd=folder)
    assert run("diff", "light.xml", "light.torsor", cwd=folder).stdout.startswith("equal to the bit (2 bodies")


def test_diff_names_field_and_index_of_the_largest_difference_first(folder):
    text = run("diff", "light.xml", "heavy.xml", cwd=folder, code=3).stdout
    lines = text.splitlines()
    light, heavy = (torsor.Model.from_xml_path(folder / name) for name in ("light.xml", "heavy.xml"))
    differences = light.diff(heavy)
    assert lines[0] == f"{len(differences)} fields differ, the largest first"
    rows = {line.split()[0]: line.split() for line in lines[2:]}
    assert rows["body_mass[1]"][1:3] == ["1", "1.5"]
    assert [line.split("[")[0].split()[0] for line in lines[2:]] == [difference.name for difference in differences]


def test_diff_below_the_tolerance_does_not_count(folder):
    assert "no difference above 1" in run("diff", "light.xml", "heavy.xml", "--tolerance", 1, cwd=folder).stdout
    text = run("diff", "light.xml", "heavy.xml", "--tolerance", 0.33, cwd=folder, code=3).stdout
    assert "body_mass[1]" in text


def test_diff_of_models_of_other_structure_shows_sizes(folder):
    text = run("diff", "light.xml", "mixed.xml", cwd=folder, code=3).stdout
    assert re.search(r"^nbody +2 +4", text, re.MULTILINE) and re.search(r"^body_pos +6 +12 +- +length", text, re.MULTILINE)


def test_diff_of_what_is_no_model_is_an_error(folder):
    assert "missing.xml" in run("diff", "light.xml", "missing.xml", cwd=folder, code=1).stderr
    assert run("diff", "light.xml", cwd=folder, code=2).stderr
    assert run("diff", "light.xml", "heavy.xml", "--tolerance", -1, cwd=folder, code=2).stderr


def test_model_diff_names_the_row_and_column():
    one, other = (torsor.Model.from_xml_string(ROBOT.format(mass=1)) for _ in range(2))
    assert one.diff(other) == []
    other.body_pos[1, 2] = 5
    other.opt.timestep = 0.02
    first, second = one.diff(other)
    assert (first.name, first.index, first.a, first.b, first.count) == ("body_pos", (1, 2), 0.09, 5, 1)
    assert (second.name, second.index) == ("opt.timestep", None)
    assert str(first) == "body_pos[1, 2]: 0.09 5"
    with pytest.raises(TypeError):
        one.diff("robot.xml")


# --- check --roundtrip ----------------------------------------------------------------------------------------------


def test_roundtrip_of_sound_models_is_exit_code_0_and_leaves_no_files(folder):
    run("compile", "light.xml", "-o", "light.torsor", cwd=folder)
    before = sorted(folder.iterdir())
    result = run("check", "--roundtrip", "light.xml", "mixed.xml", "light.torsor", cwd=folder, TMPDIR=str(folder))
    assert result.stdout.count(": ok") == 3 and not result.stderr
    assert sorted(folder.iterdir()) == before


def test_roundtrip_reports_a_broken_file_and_goes_on(folder):
    result = run("check", "--roundtrip", "broken.xml", "light.xml", cwd=folder, code=1)
    assert "light.xml: ok" in result.stdout and "error" in result.stderr


def test_roundtrip_without_a_place_for_files_is_an_error(folder):
    result = run("check", "--roundtrip", "light.xml", cwd=folder, code=1, TMPDIR=str(folder / "light.xml"))
    assert "error" in result.stderr


# --- sim --diagnose -------------------------------------------------------------------------------------------------


def test_diagnose_prints_stages_solver_differences_energy_and_memory(folder):
    text = run("sim", "light.xml", "--steps", 50, "--diagnose", cwd=folder).stdout
    for title in ("Stages", "Over all steps", "Memory", "Solver, first island of the last step"):
        assert f"\n{title}\n" in text
    assert re.search(r"^step +50 ", text, re.MULTILINE) and re.search(r"^ +collision +5[01] ", text, re.MULTILINE)
    assert re.search(r"^contacts +1 to 1, mean 1$", text, re.MULTILINE)
    assert re.search(r"^forward - inverse +constraint force \S+ N", text, re.MULTILINE)
    assert re.search(r"^contacts and rows +\S+ kB at most$", text, re.MULTILINE)
    assert re.search(r"^energy +\S+ to \S+, mean \S+ J$", text, re.MULTILINE)


def test_diagnose_does_not_change_the_motion(folder):
    for name, options in (("plain.csv", ()), ("told.csv", ("--diagnose",))):
        run("sim", "light.xml", "--steps", 100, "--csv", name, *options, cwd=folder)
    assert (folder / "plain.csv").read_text() == (folder / "told.csv").read_text()


def test_diagnose_of_a_model_without_constraints_or_steps_is_fine(folder):
    (folder / "pendulum.xml").write_text(PENDULUM)
    assert "Solver" not in run("sim", "pendulum.xml", "--steps", 3, "--diagnose", cwd=folder).stdout
    assert "Stages" not in run("sim", "pendulum.xml", "--steps", 0, "--diagnose", cwd=folder).stdout


def test_diagnose_goes_to_standard_error_when_the_trajectory_goes_to_standard_output(folder):
    result = run("sim", "light.xml", "--steps", 3, "--csv", "-", "--diagnose", cwd=folder)
    assert "Stages" in result.stderr and "Stages" not in result.stdout
