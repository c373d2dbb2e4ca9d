"""torsor motion: describes, converts, plays and compares clips; pickles go through Python."""

import os
import pickle
import sys

import numpy as np
import pytest

import torsor
from cli_support import run
from example_models import ARM
from torsor import motion

BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 90 0 0 0 0
0 90 10 0 0 45
"""


@pytest.fixture
def folder(tmp_path):
    clip = motion.MotionClip(np.zeros((31, 3)), np.tile([1.0, 0, 0, 0], (31, 1)),
                             0.2 * np.sin(0.1 * np.arange(31))[:, None] * [1, -1], fps=30, joint_names=["shoulder", "elbow"])
    clip.write(tmp_path / "wave.npz")
    (tmp_path / "walk.bvh").write_text(BVH)
    (tmp_path / "arm.xml").write_text(ARM)
    return tmp_path


def with_python(folder, *arguments, **options):
    """The program finds the package through the Python on the PATH."""
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / "python3").unlink(missing_ok=True)
    (folder / "bin" / "python3").symlink_to(sys.executable)
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return run(*arguments, cwd=folder, PATH=f"{folder / 'bin'}:{os.environ['PATH']}", PYTHONPATH=path, **options)


def test_info_describes_a_clip(folder):
    shown = run("motion", "info", "walk.bvh", "--unit", "cm", cwd=folder).stdout
    assert "2 at 30 per second" in shown and "z (up) 0.9 to 0.9 m" in shown and "1: Hips" in shown and "bvh" in shown
    assert "shoulder, elbow" in run("motion", "info", "wave.npz", cwd=folder).stdout


def test_what_is_missing_is_asked_for(folder):
    assert "or --unit cm" in run("motion", "info", "walk.bvh", cwd=folder, code=1).stderr
    assert "unknown robot 'g2'" in run("motion", "info", "wave.npz", "--robot", "g2", cwd=folder, code=2).stderr
    assert "unit 'parsec' is not known" in run("motion", "info", "walk.bvh", "--unit", "parsec", cwd=folder, code=1).stderr
    assert "no.bvh" in run("motion", "info", "no.bvh", "--unit", "m", cwd=folder, code=1).stderr


def test_convert_writes_every_format(folder):
    for out, options, reading in (("wave.motion", [], {}), ("wave.csv", ["--resample", "60"], {"fps": 60})):
        printed = run("motion", "convert", "wave.npz", out, *options, cwd=folder).stdout
        assert out in printed and "frames" in printed
        assert motion.MotionClip.read(folder / out, **reading).joint_names == ["shoulder", "elbow"]
    run("motion", "convert", "walk.bvh", "walk2.bvh", "--unit", "cm", "--out-unit", "mm", "--out-euler", "xyz", cwd=folder)
    assert "Xrotation Yrotation Zrotation" in (folder / "walk2.bvh").read_text()
    np.testing.assert_allclose(motion.MotionClip.read(folder / "walk2.bvh", unit="mm").root_pos,
                               motion.MotionClip.read(folder / "walk.bvh", unit="cm").root_pos, atol=1e-12)
    run("motion", "convert", "walk.bvh", "walk.motion", "--unit", "cm", cwd=folder)
    assert "2 frames compared" in run("motion", "compare", "walk.bvh", "walk.motion", "--unit", "cm", cwd=folder).stdout
    assert "would destroy it" in run("motion", "convert", "wave.npz", "wave.npz", cwd=folder, code=1).stderr


def test_play_tracks_the_clip_and_prints_the_errors(folder):
    options = ["--kp", "100", "--kd", "5", "--out", "played.motion"]
    printed = run("motion", "play", "arm.xml", "wave.npz", *options, cwd=folder).stdout
    assert "31 frames of 31 simulated" in printed and "PD forces" in printed and "body position, local" in printed
    errors = motion.MotionClip.read(folder / "wave.npz").compare(motion.MotionClip.read(folder / "played.motion"))
    assert 0 < errors["joint"] < 0.2
    compared = run("motion", "compare", "wave.npz", "played.motion", "--model", "arm.xml", cwd=folder).stdout
    assert "31 frames compared" in compared and f"{errors['joint']:.4g}" in compared


def test_pickles_are_read_and_written_through_python(folder):
    clip = motion.MotionClip.read(folder / "wave.npz")
    clip.write(folder / "wave.pkl")
    assert "31 at 30 per second" in with_python(folder, "motion", "info", "wave.pkl").stdout
    with_python(folder, "motion", "convert", "wave.pkl", "wave2.motion", "--fps", "50")
    assert motion.MotionClip.read(folder / "wave2.motion").fps == 50
    with_python(folder, "motion", "convert", "wave.npz", "wave2.pkl")
    np.testing.assert_array_equal(motion.MotionClip.read(folder / "wave2.pkl").dof, clip.dof)
    with_python(folder, "motion", "convert", "wave.pkl", "finer.pkl", "--resample", "60", "--fps=30")
    assert len(motion.MotionClip.read(folder / "finer.pkl")) == 61
    with_python(folder, "motion", "play", "arm.xml", "wave.pkl", "--kp", "100", "--kd", "5", "--out", "played.pkl")
    assert len(motion.MotionClip.read(folder / "played.pkl")) == 31
    with open(folder / "two.pkl", "wb") as file:
        fields = {"root_trans_offset": np.zeros((2, 3)), "root_rot": np.tile([0, 0, 0, 1.0], (2, 1)),
                  "dof": np.zeros((2, 1)), "fps": 30}
        pickle.dump({"a": fields, "b": fields}, file)
    assert "2 clips: a, b" in with_python(folder, "motion", "info", "two.pkl", code=1).stderr
    shown = with_python(folder, "motion", "info", "two.pkl", "--name", "b", "--quat-order", "xyzw")
    assert "2 at 30 per second" in shown.stdout
    (folder / "trap.pkl").write_bytes(b"cos\nsystem\n(S'touch caught'\ntR.")
    assert "os.system, which is code" in with_python(folder, "motion", "info", "trap.pkl", code=1).stderr
    assert not (folder / "caught").exists()


def test_every_part_has_help_with_an_example():
    for part in ("info", "convert", "play", "compare"):
        shown = run("motion", part, "--help").stdout
        assert f"torsor motion {part}" in shown and "Exit codes" in shown
    assert torsor.__version__
