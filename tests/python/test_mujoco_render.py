"""MuJoCo's ways of looking: its own renderer_test.py, scenes, mjr_ functions and the handle of its viewer, on ours."""

import base64
import json
import os
import pathlib
import select
import shutil
import socket
import subprocess
import sys

import mujoco
import numpy
import pytest

import torsor
from torsor import mujoco as ours

XML = """<mujoco><statistic extent="2" center="0 0 .5"/>
  <asset><material name="mirror" reflectance="REFLECTANCE" rgba=".3 .6 .2 1"/></asset>
  <worldbody><light pos="0 0 3" cutoff="30"/><light type="directional" dir="0 0 -1"/>
    <camera name="flat" projection="orthographic" fovy="2" pos="0 0 3"/><camera name="front" pos="0 -3 2" xyaxes="1 0 0 0 .55 .83"/>
    <geom type="plane" size="2 2 .1" material="mirror"/><geom type="box" size=".5 .1 .5" pos="0 .6 .7" rgba=".8 .1 .1 1"/>
    <geom type="capsule" size=".1 .2" pos="1 0 .5"/><geom type="cylinder" size=".1 .2" pos="-1 0 .5"/>
    <site name="s2" pos="0 0 1" size=".01"/><body name="b"><joint axis="0 1 0"/><geom size=".1"/><site name="s" size=".05"/></body>
  </worldbody><tendon><spatial width=".01"><site site="s"/><site site="s2"/></spatial></tendon></mujoco>"""


def loaded(module=ours, reflectance=0):
    model = module.MjModel.from_xml_string(XML.replace("REFLECTANCE", str(reflectance)))
    data = module.MjData(model)
    module.mj_forward(model, data)
    return model, data


def scene_of(module, camera):
    model, data = loaded(module)
    scene, option, view = module.MjvScene(model, 50), module.MjvOption(), module.MjvCamera()
    if camera < 0:
        module.mjv_defaultFreeCamera(model, view)
    else:
        view.type, view.fixedcamid = 2, camera
    module.mjv_updateScene(model, data, option, None, view, 7, scene)
    return model, scene


def test_mujocos_own_tests_of_its_renderer_pass(tmp_path):
    shutil.copy(pathlib.Path(mujoco.__file__).parent / "renderer_test.py", tmp_path)
    result = subprocess.run([sys.executable, "-m", "torsor.as_mujoco", "-m", "pytest", "-q", "-p", "no:cacheprovider", "renderer_test.py"],
                            cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "MUJOCO_GL": "egl"})
    assert result.returncode == 0 and "skipped" not in result.stdout and " passed" in result.stdout, result.stdout[-3000:]


def test_mujocos_own_test_of_its_viewer_and_of_pixel_buffers_pass(tmp_path):
    for name in ("viewer_test.py", "render_test.py"):
        shutil.copy(pathlib.Path(mujoco.__file__).parent / name, tmp_path)
    tests = ["viewer_test.py", "render_test.py::MuJoCoRenderTest::test_pixel_buffer_validation"]
    result = subprocess.run([sys.executable, "-m", "torsor.as_mujoco", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
                            cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "MUJOCO_GL": "egl"})
    assert result.returncode == 0 and " passed" in result.stdout, result.stdout[-3000:]


def test_contexts_of_graphics_libraries_need_none():
    code = "import torsor.mujoco; torsor.mujoco.install()\n" + "\n".join(
        f"from mujoco.{name} import GLContext; GLContext(64, 48).make_current()" for name in ("egl", "glfw", "osmesa", "gl_context"))
    code += "\nimport mujoco.renderer\nassert mujoco.renderer.Renderer is mujoco.Renderer"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("camera", [-1, 0, 1])
def test_scenes_are_those_of_mujoco(camera):
    (_, mine), (_, theirs) = scene_of(ours, camera), scene_of(mujoco, camera)
    assert (mine.ngeom, mine.nlight) == (theirs.ngeom, theirs.nlight)
    for a, b in zip(mine.geoms[:mine.ngeom], theirs.geoms[:theirs.ngeom]):
        assert (a.type, a.objtype, a.objid, a.category, a.segid) == (b.type, b.objtype, b.objid, b.category, b.segid)
        for name in ("size", "pos", "rgba"):
            numpy.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-6, err_msg=name)
    for a, b in zip(mine.camera, theirs.camera):
        for name in b.__class__.__dict__:
            if not name.startswith("_"):
                numpy.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-5, atol=1e-6, err_msg=name)
    for a, b in zip(mine.lights[:mine.nlight], theirs.lights[:theirs.nlight]):
        for name in ("pos", "dir", "ambient", "diffuse", "specular", "cutoff", "headlight", "castshadow"):
            numpy.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-6, err_msg=name)


def test_low_level_calls_draw_what_the_renderer_draws():
    model, scene = scene_of(ours, 1)
    _, data = loaded()
    context, rect = ours.MjrContext(model, 150), ours.MjrRect(0, 0, 80, 60)
    ours.mjr_setBuffer(1, context)
    ours.mjr_render(rect, scene, context)
    pixels, depth = numpy.empty((60, 80, 3), numpy.uint8), numpy.empty((60, 80), numpy.float32)
    ours.mjr_readPixels(pixels, depth, rect, context)
    with ours.Renderer(model, 60, 80) as renderer:
        data = ours.MjData(model)
        ours.mj_forward(model, data)
        renderer.update_scene(data, "front")
        # lights come as single precision
        assert numpy.abs(renderer.render().astype(int) - pixels[::-1]).max() <= 2
        renderer.enable_depth_rendering()
        near, far = 0.01 * 2, 50 * 2
        numpy.testing.assert_allclose(near / (1 - depth[::-1] * (1 - near / far)), renderer.render(), rtol=2e-3)
    scene.flags[8] = scene.flags[9] = 1  # as dm_control asks for segmentation
    ours.mjr_render(rect, scene, context)
    ours.mjr_readPixels(pixels, None, rect, context)
    ids = pixels.astype(int) @ [1, 256, 65536]
    assert {1, 2} <= set(ids.ravel().tolist()) <= set(range(scene.ngeom + 1))


def test_geoms_that_a_program_adds_are_drawn():
    model, data = loaded()
    with ours.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data, "front")
        before = renderer.render()
        scene = renderer.scene
        ours.mjv_initGeom(scene.geoms[scene.ngeom], 2, [0.3, 0, 0], [0, -1, 1], numpy.eye(3).ravel(), [0, 0, 1, 1])
        scene.ngeom += 1
        after = renderer.render()
        assert (after[..., 2].astype(int) - before[..., 2]).max() > 60


MIRROR = """<mujoco><visual><headlight ambient=".2 .2 .2" diffuse=".5 .5 .5" specular="0 0 0"/><quality offsamples="0"/></visual>
  <asset><material name="m" reflectance="REFLECTANCE" rgba=".3 .6 .2 1" specular="0"/></asset>
  <worldbody><camera name="front" pos="0 -3 2" xyaxes="1 0 0 0 .55 .83"/>
    <geom KIND material="m"/><geom type="box" size=".5 .1 .5" pos="0 .6 .7" rgba=".8 .1 .1 1"/></worldbody></mujoco>"""


def draw_mirror(module, reflectance, kind):
    model = module.MjModel.from_xml_string(MIRROR.replace("REFLECTANCE", str(reflectance)).replace("KIND", kind))
    data = module.MjData(model)
    module.mj_forward(model, data)
    with module.Renderer(model, 120, 160) as renderer:
        renderer.update_scene(data, "front")
        return renderer.render().astype(int)


@pytest.mark.parametrize("kind", ['type="plane" size="2 2 .1"', 'type="box" size="2 2 .1" pos="0 0 -.1"'])
def test_reflections_are_those_of_mujoco(tmp_path, kind):
    draw = "import sys, numpy, mujoco, test_mujoco_render\nnumpy.save(sys.argv[1], test_mujoco_render.draw_mirror(mujoco, 0.5, sys.argv[2]))"
    folders = os.pathsep.join([str(pathlib.Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    subprocess.run([sys.executable, "-c", draw, tmp_path / "theirs.npy", kind], check=True,
                   env={**os.environ, "MUJOCO_GL": "egl", "PYTHONPATH": folders})
    theirs, plain, mirrored = numpy.load(tmp_path / "theirs.npy"), draw_mirror(ours, 0, kind), draw_mirror(ours, 0.5, kind)
    added = (mirrored - plain)[..., 0] > 30
    assert added.sum() > 300
    assert (numpy.abs(mirrored - theirs).max(axis=-1)[added] <= 4).mean() > 0.95  # all but edges
    assert (numpy.abs(plain - theirs).max(axis=-1)[added] > 20).mean() > 0.95


class Page:
    """A WebSocket client, as a page is one."""

    def __init__(self, url):
        port = int(url.split(":")[2].split("/")[0])
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.socket.recv(1)

    def send(self, **message):
        text = json.dumps(message).encode()
        assert len(text) < 126
        self.socket.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)

    def _take(self, count):
        data = b""
        while len(data) < count:
            data += self.socket.recv(count - len(data))
        return data

    def receive(self):
        """A dictionary, or the bytes of a scene or frame."""
        first, size = self._take(2)
        if size >= 126:
            size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
        data = self._take(size)
        return json.loads(data) if first & 15 == 1 else data

    def until(self, is_it, sync):
        for _ in range(2000):
            sync()
            if not select.select([self.socket], [], [], 0.01)[0]:
                continue
            message = self.receive()
            if is_it(message):
                return message
        raise TimeoutError


def test_the_handle_of_the_viewer_tells_pages_and_hears_their_keys(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    model, data = loaded()
    pressed = []
    with ours.viewer.launch_passive(model, data, key_callback=pressed.append) as viewer:
        page = Page(viewer.url)
        with viewer.lock():
            viewer.cam.distance = 7
            viewer.opt.flags[14] = 1
            ours.mjv_initGeom(viewer.user_scn.geoms[0], 2, [0.3, 0, 0], [0, 0, 1], numpy.eye(3).ravel(), [1, 0, 0, 1])
            viewer.user_scn.ngeom = 1
        viewer.set_texts((None, None, "speed", "1 m/s"))
        wanted = {"camera": lambda m: m["distance"] == 7, "look": lambda m: m["shown"]["contacts"], "texts": lambda m: m["texts"][0]["left"] == "speed",
                  "geoms": lambda m: m["geoms"] and m["geoms"][0]["size"] == pytest.approx([0.3, 0.3, 0.3]), "panels": lambda m: m["keys"]}
        seen = set()

        def is_all(message):
            if isinstance(message, dict) and message["type"] in wanted and wanted[message["type"]](message):
                seen.add(message["type"])
            return seen == set(wanted)

        page.until(is_all, viewer.sync)
        page.send(type="pressed", key=32)
        page.until(lambda _: pressed == [32], viewer.sync)
        assert viewer.is_running() and viewer.m is model and viewer.d is data
    assert not viewer.is_running() and viewer.d is None
    viewer.sync()  # nothing happens
    with pytest.raises(ValueError, match="not callable"):
        ours.viewer.launch_passive(model, data, key_callback=3)


def test_launch_simulates_until_it_is_interrupted(monkeypatch):
    shown = []
    monkeypatch.setattr(torsor, "view", lambda model, data: shown.append((model, data)))
    model, data = loaded()
    ours.viewer.launch(model, data)
    ours.viewer.launch(loader=lambda: (model, data))
    assert shown == [(model, data)] * 2
    with pytest.raises(ValueError):
        ours.viewer.launch(data=data)


def test_a_batch_is_shown_with_all_its_worlds():
    model, _ = loaded()
    batch = torsor.Batch(model, nworld=3)
    with torsor.view(model, batch, passive=True, open_browser=False, layout="ghosts") as handle:
        page = Page(handle.url)
        hello = page.until(lambda m: isinstance(m, dict) and m["type"] == "hello", handle.sync)
        assert hello["layout"] == "ghosts"
        batch.qpos[:] = [[0.1], [0.2], [0.3]]
        frame = page.until(lambda m: isinstance(m, bytes) and m[0] == 2, handle.sync)
        assert int.from_bytes(frame[12:16], "little") == 3
        page.send(type="timers", on=True)
        status = page.until(lambda m: isinstance(m, dict) and "timers" in m, handle.sync)
        assert [timer["name"] for timer in status["timers"]][:2] == ["step", "forward"]
    with pytest.raises(ValueError, match="passive"):
        torsor.view(model, batch)
    with pytest.raises(ValueError, match="layout"):
        torsor.view(model, batch, passive=True, layout="heap")


def test_dm_control_gets_contexts_that_need_no_graphics_library(tmp_path):
    """Of dm_control only the places that it takes its contexts from, in the shape of its package."""
    package = tmp_path / "dm_control" / "_render"
    (package / "executor").mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("from dm_control._render.glfw_renderer import GLFWContext as Renderer\n")
    (package / "base.py").write_text("class ContextBase:\n  def __init__(self, w, h, executor):\n    self.size = (w, h)\n    self._platform_init(w, h)\n")
    (package / "executor" / "__init__.py").write_text("class PassthroughRenderExecutor: pass\n")
    program = tmp_path / "program.py"
    program.write_text("from dm_control import _render\ncontext = _render.Renderer(64, 48)\ncontext._platform_make_current()\nprint(context.size)\n")
    result = subprocess.run([sys.executable, "-m", "torsor.as_mujoco", str(program)], capture_output=True, text=True,
                            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])})
    assert result.stdout.strip() == "(64, 48)", result.stderr
