"""torsor replay: what was recorded or captured, as one page."""

import json
import re
import struct
import zlib
from base64 import b64decode

import numpy
import pytest

import torsor
from cli_support import ROOT, run

FIGURE = ROOT / "models" / "scenes" / "figure.xml"
SLIDER = """<mujoco model="slider"><option gravity="0 0 0" timestep="0.01"/><worldbody>
  <body name="car"><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody></mujoco>"""


def element(page, name):
    return re.search(f'id="torsor-{name}">([^<]*)<', page).group(1)


def positions_of(path):
    """Time and x of the first moving body of each world, frame by frame; a frame of the slider has no contacts."""
    blob = zlib.decompress(b64decode(element(path.read_text(), "frames")))
    (count,) = struct.unpack_from("<I", blob)
    sizes = struct.unpack_from(f"<{count}I", blob, 4)
    frames, at = [], 4 + 4 * count
    for size in sizes:
        time, worlds, _ = struct.unpack_from("<dII", blob, at)
        stride = (size - 16) // worlds
        frames.append((round(time, 6), *(round(struct.unpack_from("<f", blob, at + 16 + world * stride + 16)[0], 5) for world in range(worlds))))
        at += size
    return frames


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "slider.xml").write_text(SLIDER)
    for name, speed in (("slow", 1), ("fast", 3)):
        rows = "".join(f"{0.01 * i:.2f},{speed * 0.01 * i},{speed}\n" for i in range(101))
        (tmp_path / f"{name}.csv").write_text("time,qpos.x,qvel.x\n" + rows)
    return tmp_path


def test_a_trajectory_becomes_a_replay(folder):
    shown = run("replay", "slider.xml", "slow.csv", "--fps", "20", "--out", "run.html", cwd=folder).stdout
    assert "21 frames of 1 world" in shown
    frames = positions_of(folder / "run.html")
    numpy.testing.assert_allclose(frames, [(0.05 * i, 0.05 * i) for i in range(21)], atol=1e-5)
    assert json.loads(element((folder / "run.html").read_text(), "settings"))["title"] == "slow.csv"


def test_several_are_worlds_and_may_be_ghosts(folder):
    run("replay", "slider.xml", "slow.csv", "fast.csv", "--fps", "10", "--ghosts", "--title", "both", "--out", "both.html", cwd=folder)
    assert positions_of(folder / "both.html")[10] == (1, 1, 3)
    assert json.loads(element((folder / "both.html").read_text(), "settings")) == {"title": "both", "layout": "ghosts"}


def test_what_sim_writes_is_replayed(folder):
    run("sim", FIGURE, "--keyframe", "pushed", "--duration", ".5", "--csv", "figure.csv", cwd=folder)
    assert "of 1 world" in run("replay", FIGURE, "figure.csv", "--out", "figure.html", cwd=folder).stdout


def test_a_clip_is_replayed(folder):
    model = torsor.Model.from_xml_string(SLIDER)
    torsor.MotionClip.from_qpos(model, 0.1 * numpy.arange(11).reshape(-1, 1), fps=10).write(folder / "clip.motion")
    run("replay", "slider.xml", "clip.motion", "--fps", "10", "--out", "clip.html", cwd=folder)
    numpy.testing.assert_allclose(positions_of(folder / "clip.html"), [(0.1 * i, 0.1 * i) for i in range(11)], atol=1e-5)


def test_what_cannot_be_replayed_is_said_and_nothing_is_written(folder):
    (folder / "back.csv").write_text("time,qpos.x\n0,0\n1,1\n0.5,2\n")
    (folder / "hole.csv").write_text("time,qpos.x\n0,0\n1,nan\n")
    (folder / "long.csv").write_text("time,qpos.x\n0,0\n1e9,1\n")
    (folder / "other.csv").write_text("time,qpos.y\n0,0\n")
    (folder / "more.csv").write_text("time,qpos.x,qpos.y\n0,0,0\n")
    for name, message in (("back.csv", "time does not grow in row 3"), ("hole.csv", "row 2 has no number for 'qpos.x'"),
                          ("long.csv", "too long"), ("other.csv", "no column 'qpos.x': is it a trajectory of another model?"),
                          ("more.csv", "nothing for the column 'qpos.y'"), ("none.csv", "none.csv")):
        assert message in run("replay", "slider.xml", name, "--out", "x.html", cwd=folder, code=1).stderr, name
    before = (folder / "slow.csv").read_text()
    run("replay", "slider.xml", "slow.csv", "--out", "slow.csv", cwd=folder, code=1)
    assert (folder / "slow.csv").read_text() == before and not (folder / "x.html").exists()
