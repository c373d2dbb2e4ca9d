"""Pictures: the interface of mujoco.Renderer, and pixels, depths and ids beside those of MuJoCo."""

import os
import pathlib
import struct
import subprocess
import sys
import threading
import zlib

import mujoco
import numpy
import page_blocks
import pytest

import torsor
from cli_support import ROOT, run



def pebble():
    """Points on an ellipsoid, spread by the golden angle: the corners of a mesh."""
    heights = 1 - 2 * (numpy.arange(300) + 0.5) / 300
    radii, angles = numpy.sqrt(1 - heights**2), numpy.arange(300) * numpy.pi * (3 - numpy.sqrt(5))
    points = numpy.stack([0.3 * radii * numpy.cos(angles), 0.2 * radii * numpy.sin(angles), 0.2 * heights], axis=1)
    return " ".join(f"{number:.5f}" for number in points.ravel())


SCENE = """<mujoco model="look">
  <visual><global azimuth="120" elevation="-20"/></visual>
  <statistic center="0 0 .5" extent="3"/>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2=".1 .1 .2" width="64" height="64"/>
    <texture name="checker" type="2d" builtin="checker" rgb1=".9 .3 .2" rgb2=".2 .3 .8" width="64" height="64"/>
    <texture name="cube" type="cube" builtin="checker" rgb1=".2 .8 .3" rgb2=".8 .8 .2" width="64" height="64"/>
    <material name="tiles" texture="checker" texrepeat="3 2"/>
    <material name="per_metre" texture="checker" texuniform="true" texrepeat="2 2"/>
    <material name="around" texture="cube"/>
    <material name="shiny" rgba=".2 .4 .8 1" specular="1" shininess="1"/>
    <material name="glow" rgba=".8 .4 .1 1" emission=".5"/>
    <hfield name="h" nrow="4" ncol="5" size=".5 .4 .3 .1"
      elevation="0 0 0 0 0  0 .3 .5 1 0  0 .5 1 .8 0  0 .2 .4 .6 0"/>
    <mesh name="pebble" vertex="PEBBLE"/>
  </asset>
  <worldbody>
    <light pos="1 -2 3" dir="-.3 .6 -1" diffuse=".8 .8 .8" cutoff="50"/>
    <geom name="floor" type="plane" size="2 1.5 .1" material="tiles"/>
    <geom name="ball" type="sphere" size=".2" pos="-1 -.8 .21" material="shiny"/>
    <geom name="globe" type="sphere" size=".2" pos="-1 -.2 .21" material="around"/>
    <geom name="pill" type="capsule" size=".1 .2" pos="-1 .4 .31" euler="10 20 0" material="glow"/>
    <geom name="can" type="cylinder" size=".15 .2" pos="-.5 -.8 .21" material="per_metre"/>
    <geom name="block" type="box" size=".15 .2 .1" pos="-.5 -.2 .11" material="tiles"/>
    <geom name="turned" type="box" size=".15 .2 .1" pos="-.5 .4 .31" material="around" euler="20 30 40"/>
    <geom name="egg" type="ellipsoid" size=".1 .2 .3" pos="0 -.8 .31" rgba=".7 .9 .3 1"/>
    <geom name="pebble" type="mesh" mesh="pebble" pos=".5 -.6 .21" rgba=".6 .6 .2 1"/>
    <geom name="hills" type="hfield" hfield="h" pos="1.2 .6 .11" rgba=".3 .7 .3 1"/>
    <geom name="glass" type="box" size=".2 .02 .2" pos=".6 -1.2 .3" rgba=".9 .1 .1 .4"/>
    <geom name="hidden" type="box" size=".3 .3 .3" pos="0 0 1" group="3"/>
    <site name="a" pos="-1.5 -1 .5" size=".05" rgba="1 0 0 1"/>
    <site name="b" pos="-1.5 1 .8" size=".05 .1" type="capsule" rgba="0 1 0 1"/>
    <body name="falling" pos="1.4 -.8 .6"><freejoint/><geom name="drop" size=".15"/></body>
    <camera name="lens" pos="0 -4 1.5" xyaxes="1 0 0 0 .3 1" resolution="320 240" sensorsize=".004 .003"
      focal=".004 .0035" principal=".0004 .0002"/>
    <camera name="flat" pos="0 -4 1.5" xyaxes="1 0 0 0 .3 1" projection="orthographic" fovy="3"/>
    <camera name="wide" pos="0 -2 .7" xyaxes="1 0 0 0 .3 1" fovy="90"/>
    <camera name="chase" mode="targetbody" target="falling" pos="-1 -3 2"/>
  </worldbody>
  <tendon><spatial width=".02" rgba=".1 .9 .9 1"><site site="a"/><site site="b"/></spatial></tendon>
</mujoco>""".replace("PEBBLE", pebble())
HEIGHT, WIDTH = 240, 320
CAMERAS = [-1, "lens", "flat", "wide", "chase"]


FREE = {"lookat": [0.2, -0.1, 0.3], "distance": 2.5, "azimuth": 200, "elevation": -35}

# MuJoCo decides when it is imported how it draws, so its pictures are made by a process of their own.
DRAW_WITH_MUJOCO = """
import sys
import mujoco, numpy
from test_render import CAMERAS, FREE, HEIGHT, SCENE, WIDTH, pictures_of

model = mujoco.MjModel.from_xml_string(SCENE)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
free = mujoco.MjvCamera()
for name, value in FREE.items():
    setattr(free, name, value)
arrays = {}
with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:
    for key, camera in [*((str(camera), camera) for camera in CAMERAS), ("free", free)]:
        for kind, picture in zip(("colour", "depth", "segmentation"), pictures_of(renderer, data, camera)):
            arrays[f"{key} {kind}"] = picture
numpy.savez(sys.argv[1], **arrays)
"""


def pictures_of(renderer, data, camera):
    """Colours, depths and segmentation."""
    renderer.update_scene(data, camera)
    colours = renderer.render()
    renderer.enable_depth_rendering()
    depths = renderer.render()
    renderer.disable_depth_rendering()
    renderer.enable_segmentation_rendering()
    segmentation = renderer.render()
    renderer.disable_segmentation_rendering()
    return colours, depths, segmentation


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """MuJoCo's pictures through every camera, in software."""
    path = tmp_path_factory.mktemp("mujoco") / "pictures.npz"
    folders = os.pathsep.join([str(pathlib.Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    subprocess.run([sys.executable, "-c", DRAW_WITH_MUJOCO, path], check=True,
                   env={**os.environ, "MUJOCO_GL": "egl", "PYTHONPATH": folders})
    with numpy.load(path) as arrays:
        return {camera: tuple(arrays[f"{camera} {kind}"] for kind in ("colour", "depth", "segmentation"))
                for camera in [*CAMERAS, "free"]}


@pytest.fixture(scope="module")
def ours():
    model, data = loaded()
    with torsor.Renderer(model, HEIGHT, WIDTH) as renderer:
        return {camera: pictures_of(renderer, data, camera) for camera in CAMERAS}


def loaded(xml=SCENE):
    model = torsor.Model.from_xml_string(xml)
    data = torsor.Data(model)
    torsor.forward(model, data)
    return model, data


@pytest.mark.parametrize("camera", CAMERAS)
def test_the_same_elements_are_seen_at_the_same_pixels_as_in_mujoco(ours, theirs, camera):
    same = (ours[camera][2] == theirs[camera][2]).all(axis=2)
    assert same.mean() > 0.99
    assert len(numpy.unique(ours[camera][2].reshape(-1, 2), axis=0)) > 8


@pytest.mark.parametrize("camera", [camera for camera in CAMERAS if camera != "flat"])
def test_depths_are_those_of_mujoco(ours, theirs, camera):
    """MuJoCo undoes a perspective projection for every camera; orthographic depths have a test of their own."""
    same = (ours[camera][2] == theirs[camera][2]).all(axis=2)
    error = numpy.abs(ours[camera][1] - theirs[camera][1]) / theirs[camera][1]
    assert numpy.quantile(error[same], 0.98) < 1e-3
    assert numpy.median(error[same]) < 1e-4


def test_orthographic_depths_are_metres_along_the_axis(ours):
    model, data = loaded()
    camera = model.name2id(torsor.ObjectType.CAMERA, "flat")
    ball = model.name2id(torsor.ObjectType.GEOM, "ball")
    forward = -data.cam_xmat[camera].reshape(3, 3)[:, 2]
    expected = (data.geom_xpos[ball] - data.cam_xpos[camera]) @ forward - 0.2
    seen = ours["flat"][2][:, :, 0] == ball
    assert ours["flat"][1][seen].min() == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("camera", CAMERAS)
def test_colours_are_those_of_mujoco(ours, theirs, camera):
    """On average, where both see the same element. MuJoCo blurs the edges of shadows and textures more."""
    mine, other = ours[camera][0].astype(float), theirs[camera][0].astype(float)
    same = (ours[camera][2] == theirs[camera][2]).all(axis=2)
    difference = numpy.abs(mine - other).mean(axis=2)
    assert numpy.median(difference[same]) < 4
    assert difference[same].mean() < 9
    for geom in numpy.unique(ours[camera][2][same][:, 0]):
        place = same & (ours[camera][2][:, :, 0] == geom)
        if place.sum() > 200:
            assert numpy.abs(mine[place].mean(axis=0) - other[place].mean(axis=0)).max() < 24, geom


def test_a_free_camera_sees_what_mujocos_sees(theirs):
    model, data = loaded()
    camera = mujoco.MjvCamera()
    for name, value in FREE.items():
        setattr(camera, name, value)
    with torsor.Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.enable_segmentation_rendering()
        for mine in (camera, torsor.Camera(**FREE)):  # MuJoCo's own object will do
            renderer.update_scene(data, mine)
            assert (renderer.render() == theirs["free"][2]).all(axis=2).mean() > 0.99


def test_a_camera_that_tracks_a_body_keeps_it_in_the_middle():
    model, data = loaded()
    body = model.name2id(torsor.ObjectType.BODY, "falling")
    with torsor.Renderer(model, 120, 160) as renderer:
        renderer.enable_segmentation_rendering()
        for height in (0.6, 2.0):
            data.qpos[2] = height
            torsor.forward(model, data)
            renderer.update_scene(data, torsor.Camera(distance=2, trackbodyid=body))
            assert renderer.render()[60, 80].tolist() == [model.name2id(torsor.ObjectType.GEOM, "drop"), 5]


def test_groups_of_a_scene_option_are_shown():
    model, data = loaded()
    option = mujoco.MjvOption()
    option.geomgroup[3] = 1
    hidden = model.name2id(torsor.ObjectType.GEOM, "hidden")
    with torsor.Renderer(model, 120, 160) as renderer:
        renderer.enable_segmentation_rendering()
        renderer.update_scene(data, "wide")
        assert not (renderer.render()[:, :, 0] == hidden).any()
        renderer.update_scene(data, "wide", option)
        assert (renderer.render()[:, :, 0] == hidden).any()


def test_arrays_of_the_caller_are_filled():
    model, data = loaded()
    with torsor.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data)
        expected = renderer.render()
        out = numpy.zeros((60, 80, 3), numpy.uint8)
        assert renderer.render(out=out) is out
        assert (out == expected).all()
        floats = numpy.zeros((60, 80, 3))
        assert renderer.render(out=floats) is floats
        assert (floats == expected).all()
        turned = numpy.zeros((80, 60, 3), numpy.uint8).transpose(1, 0, 2)
        renderer.render(out=turned)
        assert (turned == expected).all()
        with pytest.raises(ValueError, match="out.shape"):
            renderer.render(out=numpy.zeros((60, 80), numpy.uint8))


def test_what_is_wrong_is_refused_as_in_mujoco():
    model, data = loaded()
    with torsor.Renderer(model, 60, 80) as renderer:
        with pytest.raises(torsor.Error, match="update_scene"):
            renderer.render()
        with pytest.raises(ValueError, match='"nowhere" does not exist'):
            renderer.update_scene(data, "nowhere")
        for camera in (-2, model.ncam):
            with pytest.raises(ValueError, match="out of range"):
                renderer.update_scene(data, camera)
        with pytest.raises(torsor.Error, match="follows body"):
            renderer.update_scene(data, torsor.Camera(trackbodyid=99))
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()
    for size in ((0, 10), (10, -1), (10, 10**6)):
        with pytest.raises(ValueError, match="between 1 and"):
            torsor.Renderer(model, *size)
    with pytest.raises(ValueError, match="samples"):
        torsor.Renderer(model, samples=2)
    other_model, other_data = loaded("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    with torsor.Renderer(model, 60, 80) as renderer, pytest.raises((torsor.Error, ValueError)):
        renderer.update_scene(other_data)


def test_an_edit_of_the_model_is_seen_and_a_bad_one_is_refused():
    model, data = loaded()
    with torsor.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data, "wide")
        before = renderer.render()
        model.geom_rgba[:] = [0, 0, 1, 1]
        model.geom_matid[:] = -1
        renderer.update_scene(data, "wide")
        after = renderer.render()
        assert after[..., 2].mean() > before[..., 2].mean() + 20
        model.geom_matid[0] = 1000
        with pytest.raises(torsor.Error):
            renderer.update_scene(data, "wide")


def test_threads_may_share_a_renderer():
    model, data = loaded()
    with torsor.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data)
        expected = renderer.render()
        wrong = []

        def draw():
            for _ in range(5):
                renderer.update_scene(data)
                if (renderer.render() != expected).any():
                    wrong.append(1)

        threads = [threading.Thread(target=draw) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong


def read_png(path):
    """Width, height and pixels of a PNG of ours: filter 2 in all rows but the first."""
    content = pathlib.Path(path).read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    at, data = 8, b""
    while at < len(content):
        (length,) = struct.unpack(">I", content[at:at + 4])
        kind, chunk = content[at + 4:at + 8], content[at + 8:at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + chunk)
        data += chunk if kind == b"IDAT" else b""
        at += 12 + length
    rows = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, 3 * width + 1)[:, 1:]
    return numpy.cumsum(rows, axis=0, dtype=numpy.uint8).reshape(height, width, 3)


def test_a_picture_is_saved_as_it_is(tmp_path):
    model, data = loaded()
    with torsor.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data)
        renderer.save(tmp_path / "picture.png")
        assert (read_png(tmp_path / "picture.png") == renderer.render()).all()


def test_the_command_draws_a_model_at_a_time(tmp_path):
    (tmp_path / "look.xml").write_text(SCENE)
    output = run("render", "look.xml", "first.png", "--size", "160x120", "--camera", "wide", cwd=tmp_path).stdout
    assert output == "first.png: 160 x 120, time 0 s\n"
    run("render", "look.xml", "later.png", "--size", "160x120", "--camera", "wide", "--time", "0.3", cwd=tmp_path)
    first, later = read_png(tmp_path / "first.png"), read_png(tmp_path / "later.png")
    assert first.shape == later.shape == (120, 160, 3)
    assert (first != later).any()


def test_the_command_draws_numbered_frames(tmp_path):
    run("render", ROOT / "models/scenes/figure.xml", "frame_%03d.png", "--duration", "0.2", "--fps", "10",
        "--size", "64x48", "--track", "torso", cwd=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["frame_000.png", "frame_001.png", "frame_002.png"]


def test_the_command_gives_the_frames_of_a_video_to_ffmpeg(tmp_path):
    """A program of that name says what it was given."""
    fake = tmp_path / "bin" / "ffmpeg"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > words.txt\nwc -c > bytes.txt\n')
    fake.chmod(0o755)
    model = ROOT / "models/scenes/figure.xml"
    run("render", model, "film.mp4", "--duration", "0.2", "--fps", "10", "--size", "64x48", cwd=tmp_path,
        PATH=f"{fake.parent}:{os.environ['PATH']}")
    words = (tmp_path / "words.txt").read_text().split("\n")
    assert words[words.index("-s") + 1] == "64x48"
    assert words[words.index("-r") + 1] == "10"
    assert "file:film.mp4" in words
    assert int((tmp_path / "bytes.txt").read_text()) == 3 * 64 * 48 * 3


def test_the_command_says_what_is_wrong(tmp_path):
    model = ROOT / "models/scenes/figure.xml"
    for arguments, message in [
            (["out.jpg"], "none of picture.png"),
            (["out.png", "--camera", "sid"], "did you mean 'side'"),
            (["out.png", "--track", "nobody"], "no body 'nobody'"),
            (["out.png", "--size", "12by9"], "--size must be"),
            (["out.png", "--size", "99999x10"], "--size must be"),
            (["no/such/folder.png"], "cannot write"),
            (["film.mp4", "--size", "16x16"], "apt install ffmpeg")]:
        result = run("render", model, *arguments, cwd=tmp_path, code=1, PATH=str(tmp_path))
        assert message in result.stderr, arguments


def test_the_page_about_pictures_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page_blocks.run_page("docs/pictures.md")
    assert read_png(tmp_path / "drop.png").shape == (480, 640, 3)
