"""Decorations of scenes, texts, rectangles and figures beside MuJoCo's; skins are in test_skins_shown.py."""

import os
import pathlib
import subprocess
import sys

import mujoco
import numpy
import pytest

from torsor import mujoco as ours

XML = """<mujoco><visual><scale jointwidth=".11" jointlength="1.1" framelength="1.2" framewidth=".13" contactwidth=".31"
  contactheight=".12" forcewidth=".14" com=".43" light=".29"/><global offwidth="400" offheight="300"/></visual>
  <worldbody><geom name="floor" type="plane" size="2 2 .1"/><light name="L" pos="0 0 3" dir="0 .6 -1"/>
    <body name="a" pos="0 0 .095"><freejoint name="f"/><geom name="ball" size=".1" density="300" rgba=".2 .4 .6 1" castshadow="false"/>
      <site name="s" pos="0 0 .1" size=".01"/></body>
    <body name="low" pos="0 1 .5"><geom type="box" size=".2 .2 .1"/></body>
    <body name="b" pos="1 0 1"><joint name="h" axis="0 1 1" range="0 10"/><geom name="arm" type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      <body name="c" pos=".5 0 0"><joint name="ball" type="ball" pos=".1 0 0"/><geom type="box" density="4000" size=".1 .2 .05" pos=".2 .1 0"/>
        <body name="d" pos=".4 0 0"><joint name="sl" type="slide" axis="1 0 0" group="2"/><geom size=".05"/></body></body></body>
    <body name="top" pos="0 1 .69"><freejoint/><geom size=".1"/></body>
    <geom type="box" size=".2 .2 .1" pos="0 -1 .5"/><body pos="0 -1 .69"><freejoint/><geom size=".1"/></body>
  </worldbody></mujoco>"""
FLAGS = {"joints": ["JOINT"], "lights": ["LIGHT"], "inertias": ["INERTIA"], "scaled inertias": ["INERTIA", "SCLINERTIA"],
         "contacts": ["CONTACTPOINT"], "forces": ["CONTACTFORCE"], "split forces": ["CONTACTFORCE", "CONTACTSPLIT"], "com": ["COM"],
         "transparent": ["TRANSPARENT"], "all": ["JOINT", "COM", "INERTIA", "CONTACTPOINT", "CONTACTFORCE", "LIGHT"]}


def scene_of(module, flags=(), frame=0, label=0, off=()):
    model = module.MjModel.from_xml_string(XML)
    data = module.MjData(model)
    module.mj_step(model, data)
    module.mj_forward(model, data)
    option, scene, camera = module.MjvOption(), module.MjvScene(model, 200), module.MjvCamera()
    for names, value in ((flags, 1), (off, 0)):
        for name in names:
            option.flags[getattr(module.mjtVisFlag, f"mjVIS_{name}")] = value
    option.frame, option.label = frame, label
    module.mjv_defaultFreeCamera(model, camera)
    module.mjv_updateScene(model, data, option, None, camera, 7, scene)
    return scene


def assert_same_scene(mine, theirs):
    assert mine.ngeom == theirs.ngeom
    for a, b in zip(mine.geoms[:mine.ngeom], theirs.geoms[:theirs.ngeom]):
        for name in ("type", "objtype", "objid", "dataid", "category", "segid", "label", "transparent", "castshadow"):
            assert getattr(a, name) == getattr(b, name), name
        for name in ("size", "pos", "rgba"):
            numpy.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=2e-5, err_msg=name)
        if b.size[2] > 1e-9:  # an arrow of no force has no direction
            numpy.testing.assert_allclose(a.mat[:, 2], b.mat[:, 2], atol=2e-5)  # the others are free for what is round


@pytest.mark.parametrize("title", FLAGS)
def test_flags_list_the_geoms_that_mujoco_lists(title):
    mine, theirs = scene_of(ours, FLAGS[title]), scene_of(mujoco, FLAGS[title])
    plain = scene_of(mujoco)
    assert theirs.ngeom > plain.ngeom or title == "transparent"
    assert_same_scene(mine, theirs)


@pytest.mark.parametrize("frame", ["BODY", "GEOM", "SITE", "CONTACT", "WORLD"])
def test_frames_are_those_of_mujoco(frame):
    number = int(getattr(mujoco.mjtFrame, f"mjFRAME_{frame}"))
    for flags in ((), FLAGS["all"]):
        assert_same_scene(scene_of(ours, flags, frame=number), scene_of(mujoco, flags, frame=number))


@pytest.mark.parametrize("label", ["BODY", "GEOM", "SITE"])
def test_labels_are_those_of_mujoco(label):
    number = int(getattr(mujoco.mjtLabel, f"mjLABEL_{label}"))
    for flags in ((), ["INERTIA"]):
        mine, theirs = scene_of(ours, flags, label=number), scene_of(mujoco, flags, label=number)
        assert any(geom.label for geom in theirs.geoms[:theirs.ngeom])
        assert_same_scene(mine, theirs)


def test_without_static_geoms():
    assert_same_scene(scene_of(ours, off=["STATIC"]), scene_of(mujoco, off=["STATIC"]))


# each draws on a buffer of 400 x 300 pixels that is filled with one colour
DRAWINGS = {
    "rectangle": lambda m, rect, con: m.mjr_rectangle(m.MjrRect(50, 60, 120, 40), 1, 0, 0, 0.5),
    "label": lambda m, rect, con: m.mjr_label(m.MjrRect(50, 60, 120, 40), 0, "hip", 1, 1, 0, 1, 0, 0, 0, con),
    **{f"overlay {place}": lambda m, rect, con, place=place: m.mjr_overlay(0, place, rect, "Speed\nTime", "1.2 m/s\n3", con)
       for place in (0, 1, 2, 3)},
    "big overlay": lambda m, rect, con: m.mjr_overlay(2, 0, rect, "Speed", "", con),
    "small overlay": lambda m, rect, con: (m.mjr_changeFont(50, con), m.mjr_overlay(0, 0, rect, "Speed", "", con)),
    "pixels": lambda m, rect, con: m.mjr_drawPixels(numpy.arange(300, dtype=numpy.uint8) % 251, None, m.MjrRect(7, 9, 10, 10), con),
    "figure": lambda m, rect, con: m.mjr_figure(rect, figure(m), con),
    "text": lambda m, rect, con: m.mjr_text(0, "Hello", con, 0.25, 0.5, 1, 0, 0),
}
BACKGROUND = (51, 102, 153)


def figure(module):
    made = module.MjvFigure()
    module.mjv_defaultFigure(made)
    made.title, made.xlabel, made.flg_extend, made.flg_legend = "Title", "x label", 1, 1
    made.figurergba[:] = 0.1, 0.1, 0.1, 1
    for line, name in enumerate(("one", "two")):
        made.linename[line], made.linepnt[line] = name, 50
        for i in range(50):
            made.linedata[line][2 * i:2 * i + 2] = i, numpy.sin(i / 8 + line)
    return made


def drawn(module, title):
    model = module.MjModel.from_xml_string(XML)
    graphics = module.GLContext(400, 300)
    graphics.make_current()
    context, rect = module.MjrContext(model, 150), module.MjrRect(0, 0, 400, 300)
    module.mjr_setBuffer(1, context)
    module.mjr_rectangle(rect, 0.2, 0.4, 0.6, 1)
    DRAWINGS[title](module, rect, context)
    pixels = numpy.empty((300, 400, 3), numpy.uint8)
    module.mjr_readPixels(pixels, None, rect, context)
    return pixels[::-1]


DRAW_WITH_MUJOCO = """
import sys
import mujoco, numpy
from test_mujoco_drawing import DRAWINGS, arrow, drawn

arrays = {title: drawn(mujoco, title) for title in DRAWINGS}
arrays.update({f"arrow {kind}": arrow(mujoco, kind) for kind in (100, 101, 102)})
numpy.savez(sys.argv[1], **arrays)
"""


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """MuJoCo decides when it is imported how it draws, so its pictures are made by a process of their own."""
    path = tmp_path_factory.mktemp("mujoco") / "pictures.npz"
    folders = os.pathsep.join([str(pathlib.Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    subprocess.run([sys.executable, "-c", DRAW_WITH_MUJOCO, path], check=True,
                   env={**os.environ, "MUJOCO_GL": "egl", "PYTHONPATH": folders})
    with numpy.load(path) as arrays:
        return dict(arrays)


def box_of(picture):
    """Rows and columns of what is not background: first and last."""
    rows, columns = numpy.nonzero((numpy.abs(picture.astype(int) - BACKGROUND) > 2).any(axis=2))
    return [rows.min(), rows.max(), columns.min(), columns.max()]


@pytest.mark.parametrize("title", DRAWINGS)
def test_drawings_cover_the_same_part_of_the_picture(theirs, title):
    mine = drawn(ours, title)
    # letters are ours, and a little wider
    numpy.testing.assert_allclose(box_of(mine), box_of(theirs[title]), atol=0 if title in ("rectangle", "label", "pixels", "figure") else 14)
    assert numpy.unique(mine.reshape(-1, 3), axis=0).shape[0] > 1


@pytest.mark.parametrize("title", ["rectangle", "pixels"])
def test_rectangles_and_pixels_are_those_of_mujoco(theirs, title):
    assert numpy.abs(drawn(ours, title).astype(int) - theirs[title]).max() <= 1


def test_texts_are_written_in_their_colour(theirs):
    for title, colour, where in (("text", (255, 0, 0), numpy.s_[:]), ("label", (0, 0, 0), numpy.s_[200:240, 50:170])):
        for picture in (drawn(ours, title), theirs[title]):
            assert (picture[where] == colour).all(axis=-1).sum() > 20, title


def test_the_lines_of_a_figure_are_where_mujoco_draws_them(theirs):
    mine = drawn(ours, "figure")
    red, apart = (255, 76, 76), []
    for picture in (mine, theirs["figure"]):
        rows, columns = numpy.nonzero((numpy.abs(picture.astype(int) - red) < 40).all(axis=2))
        inside = columns < 300  # beside the legend
        apart.append(columns[inside][rows[inside].argmin()])
    assert abs(apart[0] - apart[1]) < 8, "the top of the sine"


def test_a_figure_says_where_its_axes_are():
    model = ours.MjModel.from_xml_string(XML)
    context, made = ours.MjrContext(model, 150), figure(ours)
    ours.mjr_figure(ours.MjrRect(0, 0, 400, 300), made, context)
    assert made.xaxisdata.tolist() == [0, 49]
    numpy.testing.assert_allclose(made.yaxisdata, [-1, 1], atol=0.01)
    numpy.testing.assert_allclose(made.xaxispixel, [73, 385], atol=8)  # MuJoCo's
    assert 60 < made.yaxispixel[0] < made.yaxispixel[1] < 290


def test_what_is_drawn_stays_over_the_scene():
    model = ours.MjModel.from_xml_string(XML)
    scene = scene_of(ours)
    context, rect = ours.MjrContext(model, 150), ours.MjrRect(0, 0, 400, 300)
    ours.mjr_render(rect, scene, context)
    ours.mjr_rectangle(ours.MjrRect(0, 0, 10, 10), 0, 1, 0, 1)
    pixels, depth = numpy.empty((300, 400, 3), numpy.uint8), numpy.empty((300, 400), numpy.float32)
    for _ in range(2):
        ours.mjr_readPixels(pixels, depth, rect, context)
        assert pixels[5, 5].tolist() == [0, 255, 0] and pixels[150, 200].tolist() != [0, 255, 0] and depth.min() < 1


def arrow(module, kind):
    """An arrow along z, seen from the side: 200 pixels per metre."""
    model = module.MjModel.from_xml_string("""<mujoco><visual><quality offsamples="0"/></visual><worldbody>
      <camera name="side" projection="orthographic" fovy="2" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/></worldbody></mujoco>""")
    data = module.MjData(model)
    module.mj_forward(model, data)
    with module.Renderer(model, 400, 400) as renderer:
        renderer.update_scene(data, "side")
        scene = renderer.scene
        module.mjv_initGeom(scene.geoms[0], kind, numpy.array([0.05, 0.05, 1.2]), numpy.zeros(3), numpy.eye(3).ravel(),
                            numpy.ones(4, numpy.float32))
        scene.ngeom = 1
        return renderer.render().copy()


@pytest.mark.parametrize("kind", [100, 101, 102])
def test_arrows_have_the_outline_of_mujocos(theirs, kind):
    mine, other = (picture.max(axis=2) > 10 for picture in (arrow(ours, kind), theirs[f"arrow {kind}"]))
    assert other.sum() > 1500
    assert (mine != other).sum() < 0.08 * other.sum()


def test_a_renderer_draws_what_the_option_asks_for():
    model = ours.MjModel.from_xml_string(XML)
    data = ours.MjData(model)
    ours.mj_forward(model, data)
    option = ours.MjvOption()
    with ours.Renderer(model, 120, 160) as renderer:
        renderer.update_scene(data)
        plain = renderer.render().copy()
        option.flags[ours.mjtVisFlag.mjVIS_COM] = 1
        option.label = ours.mjtLabel.mjLABEL_BODY
        renderer.update_scene(data, scene_option=option)
        assert {107, 2} < {geom.type for geom in renderer.scene.geoms[:renderer.scene.ngeom]}
        decorated = renderer.render().copy()
        assert (decorated != plain).any(axis=2).sum() > 100
        assert ((decorated == 255).all(axis=2) & (plain != 255).any(axis=2)).sum() > 20, "names are written in white"
        renderer.update_scene(data)
        assert numpy.abs(renderer.render().astype(int) - plain).mean() < 0.1


def test_decorations_throw_no_shadow_and_geoms_may_do_without():
    def dark(module_option, castshadow):
        xml = f"""<mujoco><worldbody><light pos="0 0 4"/><geom type="plane" size="3 3 .1"/>
          <camera name="c" pos="0 -3 3" xyaxes="1 0 0 0 .7 .7"/><body pos="0 0 1"><freejoint/>
          <geom size=".3" castshadow="{castshadow}"/></body></worldbody></mujoco>"""
        model = ours.MjModel.from_xml_string(xml)
        data = ours.MjData(model)
        ours.mj_forward(model, data)
        with ours.Renderer(model, 100, 100) as renderer:
            renderer.update_scene(data, "c", module_option)
            return int((renderer.render().max(axis=2) < 60).sum())

    with_com = ours.MjvOption()
    with_com.flags[ours.mjtVisFlag.mjVIS_COM] = 1
    for option in (None, with_com):
        assert dark(option, "true") > dark(option, "false") + 100
    assert abs(dark(None, "false") - dark(with_com, "false")) < 60


def test_bad_arguments_are_refused():
    model = ours.MjModel.from_xml_string(XML)
    context = ours.MjrContext(model, 150)
    with pytest.raises(ValueError, match="400 x 300"):
        ours.mjr_rectangle(ours.MjrRect(0, 0, 401, 300), 1, 1, 1, 1)
    with pytest.raises(ValueError, match="gridpos"):
        ours.mjr_overlay(0, 8, ours.MjrRect(0, 0, 10, 10), "a", "", context)
    with pytest.raises(ValueError, match="font scale"):
        ours.mjr_changeFont(120, context)
    for call in (ours.mjr_drawPixels, ours.mjr_readPixels):
        with pytest.raises(ValueError, match="rgb buffer is too small"):
            call(numpy.zeros(5, numpy.uint8), None, ours.MjrRect(0, 0, 2, 2), context)
        with pytest.raises(ValueError, match="depth buffer must be C-contiguous"):
            call(None, numpy.zeros((20, 20), numpy.float32)[::2, ::2], ours.MjrRect(0, 0, 10, 10), context)
        with pytest.raises(ValueError, match="non-negative"):
            call(None, None, ours.MjrRect(0, 0, -1, 10), context)
    context.free()
    with pytest.raises(RuntimeError):
        ours.mjr_rectangle(ours.MjrRect(0, 0, 1, 1), 1, 1, 1, 1)
