"""Replays and views from Python: what is recorded, what is written, what is refused."""

import json
import re
import struct
import threading
import urllib.error
import urllib.request
import zlib
from base64 import b64decode

import mujoco
import numpy
import page_blocks
import pytest

import torsor
from cli_support import ROOT, run

BALL = """<mujoco model="ball"><option timestep="0.002"/>
  <worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody>
</mujoco>"""


def model_of(xml=BALL, **options):
    return torsor.Model.from_xml_string(xml, **options)


def element(page, name):
    return re.search(f'id="torsor-{name}">([^<]*)<', page).group(1)


def scene_of(recording):
    """The JSON of a scene, and the data that it refers to."""
    blob = zlib.decompress(b64decode(element(recording.html(), "scene")))
    (length,) = struct.unpack_from("<I", blob)
    return json.loads(blob[4:4 + length]), blob[4 + length:]


def frames_of(recording):
    """Time, number of worlds and first position of each frame."""
    blob = zlib.decompress(b64decode(element(recording.html(), "frames")))
    (count,) = struct.unpack_from("<I", blob)
    sizes = struct.unpack_from(f"<{count}I", blob, 4)
    frames, at = [], 4 + 4 * count
    for size in sizes:
        time, worlds, _ = struct.unpack_from("<dII", blob, at)
        frames.append((time, worlds, struct.unpack_from("<3f", blob, at + 32)))
        at += size
    assert at == len(blob)
    return frames


def test_a_recording_has_the_states_of_the_simulation():
    model = model_of()
    data = torsor.Data(model)
    recording = torsor.Recording(model, fps=100)
    heights = {}
    for _ in range(101):
        recording.add(data)
        heights[round(data.time, 6)] = data.qpos[2]
        torsor.step(model, data)
    frames = frames_of(recording)
    assert [round(time, 6) for time, _, _ in frames] == [round(0.01 * i, 6) for i in range(21)]
    for time, _, position in frames:
        assert position[2] == numpy.float32(heights[round(time, 6)])


def test_show_takes_states_of_rollouts():
    model = model_of()
    data = torsor.Data(model)
    initial = numpy.tile(torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS), (4, 1))
    initial[:, 3] += [0, 1, 2, 3]
    states, _ = torsor.rollout(model, initial, nstep=100)
    recording = torsor.show(model, states, layout="ghosts")
    frames = frames_of(recording)
    assert recording.nworld == 4 and all(worlds == 4 for _, worlds, _ in frames)
    assert len(frames) == 12  # 0.2 s at 60 per second
    assert json.loads(element(recording.html(), "settings"))["layout"] == "ghosts"


def test_show_takes_positions_clips_batches_and_data(tmp_path):
    model = model_of()
    rows = numpy.tile(model.qpos0, (5, 1))
    rows[:, 2] = [1, 2, 3, 4, 5]
    assert [position[2] for _, _, position in frames_of(torsor.show(model, rows, fps=10))] == [1, 2, 3, 4, 5]
    clip = torsor.MotionClip.from_qpos(model, rows, fps=25)
    clip_frames = frames_of(torsor.show(model, clip))
    assert [round(time, 9) for time, _, _ in clip_frames] == [0, 0.04, 0.08, 0.12, 0.16]
    batch = torsor.Batch(model, nworld=3)
    assert torsor.show(model, batch).nworld == 3
    recording = torsor.show(model, torsor.Data(model), title="<b>one</b>")
    assert recording.nframe == 1
    recording.save(tmp_path / "one.html")
    assert (tmp_path / "one.html").read_text() == recording.html()


def test_a_notebook_shows_a_recording_in_a_frame_without_rights():
    model = model_of()
    text = torsor.show(model, torsor.Data(model))._repr_html_()
    assert text.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts"' in text
    assert text.count("<") == 2  # all of the page is escaped


def test_what_cannot_be_shown_is_refused(tmp_path):
    model, other = model_of(), model_of("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    with pytest.raises(ValueError, match="rows of qpos"):
        torsor.show(model, numpy.zeros((3, 5)))
    with pytest.raises(ValueError, match="no states"):
        torsor.show(model, numpy.zeros((0, model.nq)))
    with pytest.raises(ValueError, match="layout"):
        torsor.Recording(model, layout="heap")
    with pytest.raises(torsor.Error, match="positive"):
        torsor.Recording(model, fps=0)
    with pytest.raises(torsor.Error):
        torsor.Recording(model).html()
    with pytest.raises(torsor.Error):
        torsor.Recording(model).add(torsor.Data(other))
    with pytest.raises(torsor.Error, match="cannot write"):
        torsor.show(model, torsor.Data(model)).save(tmp_path / "no" / "where.html")


TEXTURE = """<mujoco><asset>
  <texture name="t" type="{type}" builtin="{builtin}" mark="{mark}" width="{width}" height="{height}"
    rgb1=".9 .2 .1" rgb2=".1 .3 .8" markrgb="0 1 0"/></asset></mujoco>"""


@pytest.mark.parametrize("mark", ["none", "edge", "cross"])
@pytest.mark.parametrize("builtin", ["flat", "checker", "gradient"])
@pytest.mark.parametrize("kind", ["2d", "cube", "skybox"])
def test_patterns_are_those_of_mujoco(kind, builtin, mark):
    # one pixel has no gradient: MuJoCo divides 0 by 0 there
    for width, height in [(8, 6), (7, 7), (64, 32), (2, 2) if builtin == "gradient" else (1, 1)]:
        xml = TEXTURE.format(type=kind, builtin=builtin, mark=mark, width=width, height=height)
        model = model_of(xml)
        scene, data = scene_of(torsor.show(model, torsor.Data(model)))
        texture = scene["textures"][0]
        place = texture["rgb"]
        ours = numpy.frombuffer(data, numpy.uint8, place["count"], place["at"]).astype(int)
        reference = mujoco.MjModel.from_xml_string(xml)
        theirs = reference.tex_data.astype(int)
        assert (texture["width"], texture["height"]) == (reference.tex_width[0], reference.tex_height[0])
        # a gradient is rounded from other digits
        assert numpy.abs(ours - theirs).max() <= (1 if builtin == "gradient" else 0), (width, height)


def test_textures_of_files_are_read_when_they_are_needed():
    source = ROOT / "models" / "features"
    model = torsor.Model.from_xml_path(source / "texture_files.xml")
    scene, _ = scene_of(torsor.show(model, torsor.Data(model)))
    assert any(texture for texture in scene["textures"]) and scene["warnings"] == []
    spec = torsor.Spec.from_xml_path(source / "texture_files.xml")
    compiled = spec.compile()
    assert scene_of(torsor.show(compiled, torsor.Data(compiled)))[0]["textures"] == scene["textures"]
    binary = torsor.Model.from_bytes(model.to_bytes())
    scene, _ = scene_of(torsor.show(binary, torsor.Data(binary)))
    assert scene["textures"] == [] and len(scene["warnings"]) == 1


def get(url):
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.status, response.read()


def test_a_passive_view_serves_the_page_and_leaves_the_data_alone():
    model = model_of()
    data, copy = torsor.Data(model), torsor.Data(model)
    with torsor.view(model, data, passive=True, open_browser=False) as handle:
        for _ in range(50):
            torsor.step(model, data)
            torsor.step(model, copy)
            handle.sync()
        status, page = get(handle.url)
        assert status == 200 and page.startswith(b"<!doctype html>")
    assert not handle.is_open
    assert (data.qpos == copy.qpos).all() and (data.qvel == copy.qvel).all()
    with pytest.raises(torsor.Error, match="closed"):
        handle.sync()


def test_a_blocking_view_simulates(capsys):
    model = model_of()
    data = torsor.Data(model)
    torsor.view(model, data, duration=0.2, open_browser=False)
    assert data.time > 0
    assert capsys.readouterr().out.startswith("http://127.0.0.1:")


def test_a_view_on_another_address_needs_its_token():
    model = model_of()
    with torsor.view(model, torsor.Data(model), passive=True, open_browser=False, address="0.0.0.0") as handle:
        port = re.search(r":(\d+)/", handle.url).group(1)
        token = handle.url.split("token=")[1]
        assert get(f"http://127.0.0.1:{port}/?token={token}")[0] == 200
        for query in ["", "?token=", "?token=" + token[:-1]]:
            with pytest.raises(urllib.error.HTTPError, match="403"):
                get(f"http://127.0.0.1:{port}/{query}")


def test_a_busy_port_is_an_error():
    model = model_of()
    with torsor.view(model, torsor.Data(model), passive=True, open_browser=False) as handle:
        port = int(re.search(r":(\d+)/", handle.url).group(1))
        with pytest.raises(torsor.Error, match="choose another port"):
            torsor.view(model, torsor.Data(model), passive=True, open_browser=False, port=port)


def test_other_threads_use_the_data_while_it_is_shown():
    model = model_of()
    data = torsor.Data(model)
    with torsor.view(model, data, passive=True, open_browser=False) as handle:
        def run():
            for _ in range(200):
                torsor.step(model, data)

        thread = threading.Thread(target=run)
        thread.start()
        for _ in range(200):
            handle.sync()
        thread.join()
    assert round(data.time / 0.002) == 200


def test_the_page_of_the_documentation_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page_blocks.run_page("docs/view.md")
    assert (tmp_path / "drop.html").stat().st_size > 100_000


def test_the_program_writes_replays(tmp_path):
    (tmp_path / "ball.xml").write_text(BALL)
    shown = run("sim", "ball.xml", "--duration", "1", "--replay", "ball.html", "--fps", "25", cwd=tmp_path)
    assert re.search(r"replay +ball.html: 26 frames", shown.stdout)
    assert (tmp_path / "ball.html").read_text().count("<script") == 4  # the page's own, settings, scene, frames
    run("sim", "ball.xml", "--replay", "ball.xml", cwd=tmp_path, code=1)
    run("sim", "ball.xml", "--replay", "ball.html", "--fps", "0", cwd=tmp_path, code=2)
    assert (tmp_path / "ball.xml").read_text() == BALL


def test_the_program_says_why_it_cannot_show_a_model(tmp_path):
    (tmp_path / "bad.xml").write_text("<mujoco>\n<worldbody><geom sizes='1'/></worldbody></mujoco>")
    (tmp_path / "ball.xml").write_text(BALL)
    assert "bad.xml:2" in run("view", "bad.xml", cwd=tmp_path, code=1).stderr
    assert "not an address" in run("view", "ball.xml", "--address", "here", cwd=tmp_path, code=1).stderr
    model = model_of()
    with torsor.view(model, torsor.Data(model), passive=True, open_browser=False) as handle:
        port = re.search(r":(\d+)/", handle.url).group(1)
        assert "choose another port" in run("view", "ball.xml", "--port", port, cwd=tmp_path, code=1).stderr
    shown = run("view", "ball.xml", "--no-open", "--duration", "0.2", cwd=tmp_path)
    assert "http://127.0.0.1:" in shown.stdout
