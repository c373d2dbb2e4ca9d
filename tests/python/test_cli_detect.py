"""torsor detect reads what torsor sim and torsor state write, without being told what the columns are."""

import json

import pytest

import torsor
from cli_support import run

# A base that tumbles with its centre of mass off its origin, carries two joints, and is followed by a second free body.
ROBOT = """<mujoco>
  <option timestep="0.002" integrator="RK4" gravity="0 0 -9.81"/>
  <worldbody>
    {before}
    <body name="base" pos="0 0 5"><freejoint name="root"/><inertial pos="0.2 -0.1 0.15" mass="2" diaginertia="0.3 0.2 0.1"/>
      <body name="arm" pos="0.3 0 0"><joint name="elbow" axis="0 1 0"/><inertial pos="0.1 0 0.1" mass="0.3" diaginertia="0.01 0.01 0.01"/>
        <body name="hand" pos="0.3 0 0"><joint name="wrist" axis="1 0 0"/><inertial pos="0 0 0.1" mass="0.1" diaginertia="0.01 0.01 0.01"/>
      </body></body></body>
    {after}
  </worldbody>
  <keyframe><key name="thrown" qvel="{qvel}"/></keyframe>
</mujoco>
"""
BASE = "1 -2 6 4 3 5 2 -1"  # free joint and the two hinges
BOX = '<body name="box" pos="2 0 5"><freejoint name="boxfree"/><geom size="0.1" mass="1"/></body>'
HINGE = '<body name="post" pos="3 0 0"><joint name="turn" axis="0 0 1"/><inertial pos="0.1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "robot.xml").write_text(ROBOT.format(before="", after="", qvel=BASE))
    (tmp_path / "scene.xml").write_text(ROBOT.format(before=HINGE, after=BOX, qvel=f"0.7 {BASE} 0 0 1 0 0 0"))
    return tmp_path


def simulate(folder, model="robot.xml"):
    run("sim", model, "--keyframe", "thrown", "--duration", 4, "--csv", "run.csv", "--every", 5, cwd=folder)


def report_of(folder, name, *options):
    """Decided or not, an answer and no error."""
    result = run("detect", name, "--json", *options, cwd=folder, code=None)
    assert result.returncode in (0, 3) and not result.stderr, result.stderr
    return json.loads(result.stdout)


def test_the_trajectory_of_sim_is_read(folder):
    simulate(folder)
    report = report_of(folder, "run.csv")
    assert report["decided"] and report["ids"] == ["mujoco"], report
    assert report["samples"] == 401


@pytest.mark.parametrize("ending", ["csv", "json", "npy"])
@pytest.mark.parametrize("target", ["mujoco", "drake", "newton", "pinocchio"])
def test_the_states_that_state_writes_are_read_in_every_format(folder, ending, target):
    simulate(folder)
    name = f"states.{ending}"
    run("state", "run.csv", "--from", "mujoco", "--to", target, "--model", "robot.xml", "--out", name, cwd=folder)
    report = report_of(folder, name)
    assert target in report["ids"] and report["readings"][0]["angular_residual"] < 0.01, report
    others = {"mujoco", "drake", "newton", "pinocchio"} - {target}
    assert not others & set(report["ids"])


@pytest.mark.parametrize("ending", ["csv", "json", "npy"])
def test_the_body_that_tells_most_is_found_among_several(folder, ending):
    """A hinge comes first; Drake lists it before the floating bodies, the quaternion of each before its position."""
    simulate(folder, "scene.xml")
    name = f"states.{ending}"
    run("state", "run.csv", "--from", "mujoco", "--to", "drake", "--model", "scene.xml", "--out", name, cwd=folder)
    assert "drake" in report_of(folder, name)["ids"]
    report = report_of(folder, "run.csv")
    assert "mujoco" in report["ids"] and any("2 free joints (root, boxfree)" in note for note in report["notes"])


def test_a_body_can_be_chosen_and_joints_are_examined_with_the_model(folder):
    simulate(folder, "scene.xml")
    report = report_of(folder, "run.csv", "--model", "scene.xml", "--body", "base")
    assert report["decided"] and "depth first" in report["joints"]["orders"]
    assert not report_of(folder, "run.csv", "--model", "scene.xml", "--body", "box")["decided"]
    text = run("detect", "run.csv", "--model", "scene.xml", "--body", "bsae", cwd=folder, code=1).stderr
    assert "the model has no body 'bsae' (did you mean 'base'?)" in text


def test_numbered_titles_are_read(folder):
    simulate(folder)
    lines = (folder / "run.csv").read_text().splitlines()
    titles = ["time", *(f"q{i}" for i in range(9)), *(f"v{i}" for i in range(8))]
    (folder / "numbered.csv").write_text("\n".join([",".join(titles), *lines[1:]]) + "\n")
    assert report_of(folder, "numbered.csv")["ids"] == ["mujoco"]


def test_hinges_alone_are_an_answer_and_no_error(tmp_path):
    (tmp_path / "post.xml").write_text(f"<mujoco><worldbody>{HINGE}</worldbody></mujoco>")
    run("sim", "post.xml", "--duration", 1, "--csv", "run.csv", cwd=tmp_path)
    result = run("detect", "run.csv", cwd=tmp_path, code=3)
    assert "only hinges and slides" in result.stdout and not result.stderr


def test_python_reads_the_same(folder):
    simulate(folder, "scene.xml")
    path = str(folder / "run.csv")
    model = torsor.Model.from_xml_path(folder / "scene.xml")
    assert torsor.conventions.detect_file(path, model=model, body="base")["decided"]
    with pytest.raises(torsor.Error, match="a model is needed"):
        torsor.conventions.detect_file(path, body="base")
