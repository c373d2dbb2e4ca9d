"""The tactile sensor: depths of the vertices of a mesh in what its body touches, and sliding speeds, equal MuJoCo's."""

import mujoco
import numpy as np
import pytest

import compare
import torsor

SHAPES = {"plane": "1 1 1", "sphere": ".3", "capsule": ".15 .2", "ellipsoid": ".35 .25 .2", "cylinder": ".2 .15", "box": ".25 .2 .15"}
MESHES = {"plate": "builtin='plate' params='9 8' scale='.4 .4 .05'", "wedge": "builtin='wedge' params='7 6 60 40 .3' scale='.5 .5 .5'",
          "plain": "vertex='-.2 -.2 0 .3 0 0 0 .2 .1 -.1 .1 .3 .1 .1 -.2'"}
SCENE = """<mujoco>{option}<asset><mesh name='m' {mesh}/></asset><worldbody>
<body pos='0 0 0' euler='10 20 30'>{joint}<geom type='box' size='.4 .4 .1' mass='1'/><geom name='skin' size='.01' pos='0 .02 .05' euler='40 0 5'
  contype='0' conaffinity='0'/><body pos='.1 .1 .1' euler='3 4 5'><geom name='bump' size='.1'/>
  <geom name='second' type='ellipsoid' size='.1 .1 .1' euler='0 30 0' pos='0 .05 0' contype='0' conaffinity='0'/></body></body>
{others}</worldbody><sensor><tactile geom='skin' mesh='m'/><tactile geom='second' mesh='m' cutoff='.03'/></sensor></mujoco>"""


def geom(kind, random, name):
    turn = random.uniform(-180, 180, 3)
    return f"<geom name='{name}' type='{kind}' size='{SHAPES[kind]}' euler='{turn[0]} {turn[1]} {turn[2]}'/>"


def scene(random, kinds, mesh, option="", joint="<freejoint/>"):
    others = []
    for i, kind in enumerate(kinds):
        at = random.uniform(-0.2, 0.2, 3)
        inside = geom(kind, random, f"o{i}")
        others.append(inside if kind == "plane" else f"<body pos='{at[0]} {at[1]} {at[2]}'><freejoint/>{inside}</body>")
    return SCENE.format(option=option, mesh=MESHES[mesh], joint=joint, others="".join(others))


def readings(text, velocity):
    result = []
    for module, forward in ((mujoco, mujoco.mj_forward), (torsor, torsor.forward)):
        model = (mujoco.MjModel if module is mujoco else torsor.Model).from_xml_string(text)
        data = (mujoco.MjData if module is mujoco else torsor.Data)(model)
        data.qvel[:] = velocity[:model.nv]
        forward(model, data)
        result.append((model, np.array(data.sensordata)))
    return result


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("kind", SHAPES)
def test_every_shape_is_felt_as_in_mujoco(kind, mesh, seed):
    random = np.random.default_rng([seed, len(kind), len(mesh)])
    felt = slid = 0
    for _ in range(20):
        (theirs, wanted), (ours, found) = readings(scene(random, [kind], mesh), random.normal(size=12))
        single = compare.FLOAT_TOLERANCE if mesh == "wedge" else 1e-12  # vertices and normals of a wedge are rounded differently
        np.testing.assert_allclose(found, wanted, rtol=0, atol=single * max(1, wanted.max()))
        for name in ("type", "datatype", "needstage", "objtype", "objid", "reftype", "refid", "dim", "adr", "cutoff", "intprm"):
            assert np.array_equal(getattr(ours, f"sensor_{name}"), getattr(theirs, f"sensor_{name}")), name
        count = theirs.sensor_dim[0] // 3
        felt += bool((wanted[:count] > 0).any())
        slid += bool((wanted[count:3 * count] > 0).any())
    assert felt > 3 and (slid > 3) == (mesh != "plain")


def test_the_deepest_shape_and_the_speeds_of_all_count(seed):
    random, felt = np.random.default_rng([seed, 1]), 0
    for _ in range(30):
        (_, wanted), (_, found) = readings(scene(random, ["sphere", "box", "ellipsoid"], "plate"), random.normal(size=24))
        np.testing.assert_allclose(found, wanted, atol=1e-12)
        felt += bool(wanted.any())
    assert felt > 10


def test_the_centre_of_an_ellipsoid():
    text = """<mujoco><asset><mesh name='m' builtin='plate' params='2 2' scale='1e-4 1e-4 1e-4'/></asset><worldbody><body mocap='true'>
    <geom size='.5'/><geom name='s' type='mesh' mesh='m' contype='0' conaffinity='0'/></body><body><geom type='ellipsoid' size='.3 .2 .1'/>
    <joint/></body></worldbody><sensor><tactile geom='s' mesh='m'/></sensor></mujoco>"""
    models = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
    theirs, ours = mujoco.MjData(models[0]), torsor.Data(models[1])
    place = np.zeros(3)
    for _ in range(4):  # to where the first vertex is exactly at the centre
        theirs.mocap_pos[0] = ours.mocap_pos[0] = place
        mujoco.mj_forward(models[0], theirs)
        torsor.forward(models[1], ours)
        np.testing.assert_allclose(ours.sensordata, theirs.sensordata, rtol=1e-9)
        skin = models[0].geom("s").id
        place = place - theirs.geom_xpos[skin] - theirs.geom_xmat[skin].reshape(3, 3) @ models[0].mesh_vert[0]
    assert ours.sensordata[0] == 0.1


def test_what_does_not_touch_is_not_felt():
    silent = {"contact off": ("<option><flag contact='disable'/></option>", ""), "no bits": ("", "contype='0' conaffinity='0'")}
    for option, bits in silent.values():
        others = f"<body pos='0 0 .1'><freejoint/><geom size='.3' {bits}/></body>"
        (_, wanted), (_, found) = readings(SCENE.format(option=option, mesh=MESHES["plate"], joint="", others=others), np.ones(6))
        assert not wanted.any() and not found.any()


def test_meshes_are_not_felt():
    others = "<body pos='0 0 .1'><freejoint/><geom type='mesh' mesh='m'/></body>"
    (_, wanted), (_, found) = readings(SCENE.format(option="", mesh=MESHES["plain"], joint="", others=others), np.ones(6))
    assert not wanted.any() and not found.any()


TOUCHED = "<body pos='0 0 .3'><freejoint/><geom size='.25'/></body>"
OTHER_USES = {
    "tree asleep": "<option><flag sleep='enable'/></option>",
    "discrete": "<option integrator='discrete'/>",
    "RK4": "<option integrator='RK4'/>",
}


@pytest.mark.parametrize("title", OTHER_USES)
def test_readings_of_steps_and_histories(title):
    text = SCENE.format(option=OTHER_USES[title], mesh=MESHES["plate"], joint="<joint axis='1 0 0' damping='3'/>", others=TOUCHED)
    text = text.replace("<tactile geom='skin' mesh='m'/>", "<tactile geom='skin' mesh='m'/><tactile geom='skin' mesh='m' nsample='3' "
                        "delay='.004' interp='linear' user='1 2'/>")
    models = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
    theirs, ours = mujoco.MjData(models[0]), torsor.Data(models[1])
    for _ in range(30):
        mujoco.mj_step(models[0], theirs)
        torsor.step(models[1], ours)
        np.testing.assert_allclose(ours.sensordata, theirs.sensordata, atol=1e-7)
    assert theirs.sensordata.max() > 0.01


def test_worlds_of_a_batch_feel_like_one_world():
    model = torsor.Model.from_xml_string(SCENE.format(option="", mesh=MESHES["plate"], joint="", others=TOUCHED))
    data, batch = torsor.Data(model), torsor.Batch(model, 3)
    found = batch.sensordata
    batch.qvel[:] = data.qvel[:] = [0.1, 0.2, -0.3, 1, 2, 3]
    torsor.step(model, data, nstep=3)
    batch.step(3)
    assert data.sensordata.max() > 0.1
    np.testing.assert_allclose(np.array(found), np.tile(data.sensordata, (3, 1)), atol=1e-9)
    assert "vertices of a mesh" in str(batch.plan())


REFUSED = {
    "an unknown geom": "<tactile geom='skni' mesh='m'/>",
    "an unknown mesh": "<tactile geom='skin' mesh='n'/>",
    "no mesh": "<tactile geom='skin'/>",
    "no geom": "<tactile mesh='m'/>",
    "a negative cutoff": "<tactile geom='skin' mesh='m' cutoff='-1'/>",
    "noise": "<tactile geom='skin' mesh='m' noise='1'/>",
    "a body that never touches": "<tactile geom='alone' mesh='m'/>",
    "a geom in a scaled frame": "<tactile geom='scaled' mesh='m'/>",
}


@pytest.mark.parametrize("title", REFUSED)
def test_both_engines_refuse(title):
    others = ("<body><joint/><geom size='.1'/><body><geom name='alone' size='.1' contype='0' conaffinity='0'/></body></body>"
              "<frame massscale='2'><body><joint/><geom name='scaled' size='1'/></body></frame>")
    text = SCENE.format(option="", mesh=MESHES["plate"], joint="", others=others)
    for module in (torsor.Model, mujoco.MjModel):
        module.from_xml_string(text)
        with pytest.raises((torsor.Error, ValueError)):
            module.from_xml_string(text.replace("<sensor>", "<sensor>" + REFUSED[title]))


def test_written_and_attached_models_keep_it():
    text = SCENE.format(option="", mesh=MESHES["plate"], joint="", others=TOUCHED)
    original, parent = torsor.Model.from_xml_string(text), torsor.Spec()
    parent.attach(torsor.Spec.from_xml_string(text), prefix="p_")
    again = (mujoco.MjModel.from_xml_string(torsor.Spec.from_xml_string(text).to_xml()), torsor.Spec.from_model(original).compile(),
             parent.compile())
    for model, prefix in zip(again, ("", "", "p_"), strict=True):
        assert list(model.sensor_type) == [46, 46] and list(model.sensor_cutoff) == [0, 0.03] and list(model.sensor_dim) == [216, 216]
        assert list(model.sensor_refid) == [model.geom(f"{prefix}skin").id, model.geom(f"{prefix}second").id]
