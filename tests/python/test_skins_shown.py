"""Skins in pictures and scenes: their vertices, pixels and ids beside those of MuJoCo."""

import os
import pathlib
import subprocess
import sys

import mujoco
import numpy
import pytest
from hostile_support import with_number

import torsor
from torsor import mujoco as ours

HEIGHT, WIDTH = 240, 320
BENT = [1.1, -0.9]


def tube(rings=15, sides=16, length=1.2, radius=0.12):
    """Vertices, texture coordinates and triangles of an open tube along z, and how far up each vertex is."""
    heights, angles = numpy.linspace(0, length, rings), numpy.linspace(0, 2 * numpy.pi, sides + 1)
    points = numpy.array([[radius * numpy.cos(a), radius * numpy.sin(a), z] for z in heights for a in angles])
    places = numpy.array([[i / sides, k / (rings - 1)] for k in range(rings) for i in range(sides + 1)])
    faces = [corner for k in range(rings - 1) for i in range(sides) for p in [k * (sides + 1) + i]
             for corner in ((p, p + 1, p + sides + 2), (p, p + sides + 2, p + sides + 1))]
    return points, places, faces, numpy.clip((points[:, 2] - 0.4) / 0.4, 0, 1)


def text(numbers):
    return " ".join(f"{number:g}" for number in numpy.ravel(numbers))


def bone(body, height, weights):
    moved = numpy.nonzero(weights)[0]
    return (f'<bone body="{body}" bindpos="0 0 {height}" bindquat="1 0 0 0" vertid="{text(moved)}" '
            f'vertweight="{text(weights[moved])}"/>')


def scene():
    points, places, faces, upper = tube()
    shape = f'vertex="{text(points)}" texcoord="{text(places)}" face="{text(faces)}"'
    arms, skins = "", ""
    for name, x, axis, look in (("a", -0.4, "0 1 0", 'material="c"'), ("b", 0.4, "1 1 0", 'material="g" inflate=".03"')):
        arms += (f'<body name="{name}" pos="{x} 0 .1"><geom type="capsule" fromto="0 0 0 0 0 .6" size=".05" group="3"/>'
                 f'<body name="{name}2" pos="0 0 .6"><joint axis="{axis}"/>'
                 f'<geom type="capsule" fromto="0 0 0 0 0 .6" size=".05" group="3"/></body></body>')
        skins += f'<skin name="{name}" {look} {shape}>{bone(name, 0, 1 - upper)}{bone(name + "2", 0.6, upper)}</skin>'
    hidden = f'<skin name="hidden" group="4" {shape}>{bone("a", 0, 1 + 0 * upper)}</skin>'
    return f"""<mujoco><statistic center="0 0 .7" extent="2"/>
      <visual><headlight ambient=".2 .2 .2" diffuse=".5 .5 .5" specular="0 0 0"/></visual>
      <asset><texture name="c" type="2d" builtin="checker" rgb1=".9 .3 .2" rgb2=".2 .3 .8" width="64" height="64"/>
        <texture name="g" type="2d" builtin="gradient" rgb1=".9 .9 .2" rgb2=".1 .2 .8" width="64" height="64"/>
        <material name="c" texture="c" texrepeat="4 4" specular="0"/><material name="g" texture="g" specular="0"/></asset>
      <worldbody><light pos="1 -2 3" dir="-.3 .6 -1" diffuse=".7 .7 .7" specular="0 0 0"/><geom type="plane" size="2 2 .1"/>
        <camera name="side" pos="0 -3 1.2" xyaxes="1 0 0 0 .3 1"/>{arms}</worldbody>
      <deformable>{skins}{hidden}</deformable></mujoco>"""


DRAW_WITH_MUJOCO = """
import sys
import mujoco, numpy
from test_skins_shown import pictures

numpy.savez(sys.argv[1], **pictures(mujoco))
"""


def loaded(module, xml=None):
    model = module.MjModel.from_xml_string(xml or scene())
    data = module.MjData(model)
    data.qpos[:] = BENT
    module.mj_forward(model, data)
    return model, data


def pictures(module):
    model, data = loaded(module)
    found = {}
    with module.Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.update_scene(data, "side")
        found["colour"] = renderer.render().copy()
        renderer.enable_depth_rendering()
        found["depth"] = renderer.render().copy()
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        found["seen"] = renderer.render().copy()
    return found


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """MuJoCo decides when it is imported how it draws, so its pictures are made by a process of their own."""
    path = tmp_path_factory.mktemp("mujoco") / "pictures.npz"
    folders = os.pathsep.join([str(pathlib.Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    subprocess.run([sys.executable, "-c", DRAW_WITH_MUJOCO, path], check=True,
                   env={**os.environ, "MUJOCO_GL": "egl", "PYTHONPATH": folders})
    with numpy.load(path) as arrays:
        return dict(arrays)


def through_the_scene(renderer, data):
    """The same picture by way of the list of geoms, which skins are part of."""
    assert renderer.scene.nskin == 3
    renderer.update_scene(data, "side")
    return renderer.render()


def test_skins_look_as_in_mujoco(theirs):
    mine = pictures(ours)
    assert {(0, 11), (1, 11)} < {tuple(row) for row in theirs["seen"].reshape(-1, 2).tolist()}
    assert (mine["seen"] == theirs["seen"]).all(axis=2).mean() > 0.999
    same = (mine["seen"] == theirs["seen"]).all(axis=2) & (mine["seen"][..., 1] == 11)
    numpy.testing.assert_allclose(mine["depth"][same], theirs["depth"][same], rtol=1e-3)
    apart = numpy.abs(mine["colour"].astype(int) - theirs["colour"]).max(axis=2)
    # edges of the checker are smoothed in another way
    assert numpy.percentile(apart[same], 90) < 10 and (apart[same] > 40).mean() < 0.02
    assert numpy.percentile(apart[mine["seen"][..., 1] != 11], 99) < 3, "shadows of skins"


def test_both_ways_of_drawing_show_the_same():
    model, data = loaded(ours)
    with ours.Renderer(model, HEIGHT, WIDTH) as direct, ours.Renderer(model, HEIGHT, WIDTH) as listed:
        direct.update_scene(data, "side")
        apart = numpy.abs(direct.render().astype(int) - through_the_scene(listed, data))
        assert (apart > 2).mean() < 1e-4 and direct.render().std() > 10  # lights come as single precision


@pytest.mark.parametrize("xml", [None, pathlib.Path(__file__).parents[2] / "models" / "features" / "skins.xml"])
def test_vertices_and_normals_are_those_of_mujoco(xml):
    lists = []
    for module in (ours, mujoco):
        if xml is None:
            model, data = loaded(module)
        else:
            model = module.MjModel.from_xml_path(str(xml))
            data = module.MjData(model)
            data.qpos[:] = BENT
            module.mj_forward(model, data)
        made = module.MjvScene(model, 50)
        module.mjv_updateScene(model, data, module.MjvOption(), None, module.MjvCamera(), 7, made)
        lists.append(made)
    mine, other = lists
    assert other.nskin == mine.nskin >= 3
    for name in ("skinfacenum", "skinvertadr", "skinvertnum", "skinvert", "skinnormal"):
        numpy.testing.assert_allclose(getattr(mine, name), getattr(other, name), atol=2e-6, err_msg=name)
    assert mine.ngeom == other.ngeom
    for a, b in zip(mine.geoms[:mine.ngeom], other.geoms[:other.ngeom]):
        for name in ("type", "objtype", "objid", "dataid", "category", "segid", "matid"):
            assert getattr(a, name) == getattr(b, name), name
        for name in ("size", "pos", "mat", "rgba"):
            numpy.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-6, err_msg=name)


def test_groups_and_the_flag_of_skins():
    model, data = loaded(ours)
    option, made = ours.MjvOption(), ours.MjvScene(model, 50)

    def skins():
        ours.mjv_updateScene(model, data, option, None, ours.MjvCamera(), 7, made)
        return [geom.objid for geom in made.geoms[:made.ngeom] if geom.objtype == 11]

    assert skins() == [0, 1]
    option.skingroup[4] = 1
    assert skins() == [0, 1, 2]
    option.flags[ours.mjtVisFlag.mjVIS_SKIN] = 0
    assert skins() == []


def test_a_skin_far_from_the_origin_keeps_its_shape():
    near, far = scene(), scene()
    for name, x in (("a", -0.4), ("b", 0.4)):
        far = far.replace(f'name="{name}" pos="{x} 0 .1"', f'name="{name}" pos="{x + 1e6} 0 .1"')
    seen = []
    for xml, shift in ((near, 0), (far, 1e6)):
        model = torsor.Model.from_xml_string(xml)
        data = torsor.Data(model)
        torsor.forward(model, data)
        with torsor.Renderer(model, 60, 80) as renderer:
            renderer.update_scene(data, torsor.Camera((shift, 0, 0.7), 3, 90, -20))
            renderer.enable_segmentation_rendering()
            seen.append(renderer.render())
    at_skins = seen[0][..., 1] == 11
    assert at_skins.sum() > 100
    assert (seen[0] == seen[1]).all(axis=2)[at_skins].all()




@pytest.mark.parametrize("name", ["skin_face", "skin_bonevertid"])
def test_a_binary_model_whose_skin_points_elsewhere_is_refused(name, tmp_path):
    model, path = torsor.Model.from_xml_string(scene()), tmp_path / "m.bin"
    path.write_bytes(with_number(torsor, model, name, 0, int(getattr(model, name).flat[0])))
    assert torsor.Model.from_binary_path(path).nskin == 3
    path.write_bytes(with_number(torsor, model, name, 0, int(model.skin_vertnum[0])))  # a vertex of the next skin
    with pytest.raises(torsor.Error, match="counts within its skin"):
        torsor.Model.from_binary_path(path)
