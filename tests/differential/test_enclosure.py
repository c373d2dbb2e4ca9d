"""The sensor insidesite with `enclosed`: how far shapes jut out of a site, as MuJoCo measures it and by brute force."""

import itertools

import mujoco
import numpy as np
import pytest

import torsor

SHAPES = {"sphere": "size='1'", "box": "type='box' size='1 1.5 2'", "capsule": "type='capsule' size='1 1'",
          "cylinder": "type='cylinder' size='1 1'", "ellipsoid": "type='ellipsoid' size='1 1.5 2'",
          "mesh": "type='mesh' mesh='tet'"}
SCENE = """<mujoco><asset><mesh name='tet' vertex='-1 -1 -1 1 1 -1 1 -1 1 -1 1 1' scale='1 1.2 .8'/></asset><worldbody>
<site name='S' euler='5 10 -20' {site}/><body name='b'><freejoint/><geom name='G' {shape}/>{more}</body></worldbody>
<sensor><insidesite site='S' objtype='{kind}' objname='{name}' enclosed='true' {rest}/></sensor></mujoco>"""
PLACES = (".1 .2 .3", "3 0 0", "0 -2 2.5", "0 0 0")


def compiled(**parts):
    """Model and data of MuJoCo and of Torsor, after a forward pass."""
    text, found = SCENE.format(**{"more": "", "kind": "geom", "name": "G", "rest": "", **parts}), []
    for module, data, forward in ((mujoco.MjModel, mujoco.MjData, mujoco.mj_forward), (torsor.Model, torsor.Data, torsor.forward)):
        model = module.from_xml_string(text)
        world = data(model)
        forward(model, world)
        assert (model.sensor_intprm[0, 0], model.sensor_datatype[0], model.sensor_needstage[0]) == (1, 0, 1)
        found.append((model, world))
    return found


def readings(**parts):
    return [float(world.sensordata[0]) for _, world in compiled(**parts)]


def supports(model, shape, size, position, R, directions, in_asset):
    """How far a shape reaches in each direction, from its definition."""
    local, (a, b, c) = directions @ R, size
    if shape == "mesh":
        vertices = np.array(model.mesh_vert, float)
        if in_asset:
            turn = np.zeros(9)
            mujoco.mju_quat2Mat(turn, model.mesh_quat[0])
            vertices = vertices @ turn.reshape(3, 3).T + model.mesh_pos[0]
        reach = (local @ vertices.T).max(axis=1)
    else:
        flat, up = np.hypot(local[:, 0], local[:, 1]), np.abs(local[:, 2])
        reach = {"sphere": lambda: a, "box": lambda: np.abs(local) @ size, "capsule": lambda: a + b * up,
                 "cylinder": lambda: a * flat + b * up, "ellipsoid": lambda: np.linalg.norm(local * size, axis=1)}[shape]()
    return directions @ position + reach


def juts_out(model, data, site, shape):
    """The largest difference of reaches over many directions: below the truth by no more than the sampling is coarse."""
    directions = np.random.default_rng(0).normal(size=(20000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    for _ in range(3):  # closer around the best
        of_geom = supports(model, shape, model.geom_size[0], data.geom_xpos[0], data.geom_xmat[0].reshape(3, 3), directions, False)
        of_site = supports(model, site, model.site_size[0], data.site_xpos[0], data.site_xmat[0].reshape(3, 3), directions, True)
        best = directions[np.argsort(of_site - of_geom)[:20]]
        near = best[:, None] + np.random.default_rng(1).normal(scale=0.02, size=(20, 500, 3))
        directions = np.concatenate([best, (near / np.linalg.norm(near, axis=2)[..., None]).reshape(-1, 3)])
    return (of_geom - of_site).max()


@pytest.mark.parametrize(("site", "shape"), itertools.product(SHAPES, SHAPES))
def test_how_far_every_shape_juts_out_of_every_other(site, shape):
    """MuJoCo's search may end at a lesser corner; ours finds what brute force finds."""
    agreed = 0
    for place in PLACES:
        for size in (SHAPES[shape], SHAPES[shape].replace("'1", "'.2")):
            (model, data), (_, world) = compiled(site=SHAPES[site], shape=f"{size} pos='{place}' euler='10 20 30'")
            theirs, ours = float(data.sensordata[0]), float(world.sensordata[0])
            brute = juts_out(model, data, site, shape)
            assert brute - 1e-7 <= ours <= brute + 2e-3, (place, size)
            assert ours >= theirs - 1e-5, (place, size)
            agreed += abs(ours - theirs) < 1e-5
    assert agreed >= 2


def test_bodies_and_subtrees_count_all_their_geoms():
    more = "<geom size='.2' pos='0 5 0'/><body><geom size='1' pos='0 0 9'/></body>"
    for kind, wanted in (("body", 0.2), ("xbody", 1.0)):
        theirs, ours = readings(site="type='box' size='1 1.5 2'", kind=kind, name="b", shape="size='.5' pos='3 0 0'", more=more)
        assert ours == pytest.approx(theirs, abs=2e-5) and ours > wanted
    apart = [readings(site="size='1'", kind=kind, name="b", shape="size='.5' pos='3 0 0'", more=more)[1] for kind in ("body", "xbody")]
    assert apart == pytest.approx([4.2, 9])


def test_room_is_negative_and_the_cutoff_holds_on_both_sides():
    assert readings(site="size='1'", shape="size='.1'") == pytest.approx([-0.9, -0.9])
    assert readings(site="size='1'", shape="size='.1'", rest="cutoff='.5'") == [-0.5, -0.5]
    assert readings(site="size='1'", shape="size='3'", rest="cutoff='.5'") == [0.5, 0.5]


@pytest.mark.parametrize(("kind", "name", "body"), (
    ("geom", "P", "<geom name='P' type='plane' size='1 1 1'/>"), ("camera", "C", "<camera name='C'/>"),
    ("body", "E", "<body name='E'><body><geom size='1'/></body></body>"), ("xbody", "E", "<body name='E'/>"),
    ("body", "E", "<body name='E'><geom type='plane' size='1 1 1'/></body>")))
def test_both_engines_refuse_what_cannot_be_enclosed(kind, name, body):
    text = (f"<mujoco><worldbody><site name='S' size='1'/>{body}</worldbody><sensor><insidesite site='S' objtype='{kind}' "
            f"objname='{name}' enclosed='{{}}'/></sensor></mujoco>")
    for module in (torsor.Model, mujoco.MjModel):
        module.from_xml_string(text.format("false"))
        with pytest.raises((torsor.Error, ValueError)):
            module.from_xml_string(text.format("true"))


def test_a_batch_measures_it_world_by_world():
    text = SCENE.format(site="size='1'", shape="type='cylinder' size='.3 .4' pos='.5 0 0'", more="", kind="geom", name="G", rest="")
    model = torsor.Model.from_xml_string(text)
    batch = torsor.Batch(model, 8)
    readings = batch.sensordata
    batch.forward()
    data = torsor.Data(model)
    torsor.forward(model, data)
    assert data.sensordata[0] < -0.1
    np.testing.assert_allclose(np.array(readings)[:, 0], data.sensordata[0], rtol=1e-9)
    assert "jut out" in str(batch.plan())
