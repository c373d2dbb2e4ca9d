"""URDF that we write, read by Pinocchio and by MuJoCo, and read back."""

import pathlib

import mujoco
import numpy as np
import pinocchio
import pytest
import torsor
import urdf_robots

ROOT = pathlib.Path(__file__).parents[2]
AXES = 1.5e-5  # as in test_urdf_robots.py: the principal axes of an inertia are found to 1.4e-6 rad

CHAIN = """<mujoco><worldbody><body name="a" pos="0.1 0.2 0.3" euler="10 20 30">
  <joint name="x" axis="1 0.3 0" pos="0.1 -0.2 0.05" ref="20"/><joint name="s" type="slide" axis="0 0.2 1" ref="0.3"/>
  <joint name="z" axis="0 0 1" pos="0 0.1 0" range="-40 50"/><geom type="box" size="0.1 0.2 0.3" pos="0.05 0 0"/>
  <body name="b" pos="0 0 0.4"><joint name="y" axis="0 1 0" pos="0 0 -0.1" ref="-15" damping="2"/><geom size="0.1" pos="0.2 0 0"/></body>
</body></worldbody><equality><joint joint1="y" joint2="z" polycoef="0.1 2 0 0 0"/></equality></mujoco>"""


def random_state(model, seed):
    random = np.random.default_rng(seed)
    data = torsor.Data(model)
    data.qpos[:] = torsor.integrate_pos(model, data.qpos.copy(), random.normal(size=model.nv) * 0.5, 1.0)
    data.qvel[:] = random.normal(size=model.nv)
    torsor.forward(model, data)
    return data


def sources():
    kinds = ("revolute", "continuous", "prismatic", "fixed", "planar")
    for seed in range(6):
        yield torsor.Model.from_xml_string(urdf_robots.robot(seed, kinds), base="fixed")
    yield torsor.Model.from_xml_string(CHAIN)


@pytest.mark.parametrize("index", range(7))
def test_pinocchio_computes_the_same_from_it(index):
    model = list(sources())[index]
    data = random_state(model, index)
    theirs = pinocchio.buildModelFromXML(torsor.to_urdf(model).text)
    their_data = theirs.createData()
    assert theirs.nv == model.nv
    q, v, order = np.zeros(theirs.nq), np.zeros(theirs.nv), np.zeros(theirs.nv, dtype=int)
    for joint in range(1, theirs.njoints):
        known, kind = model.joint(theirs.names[joint]), theirs.joints[joint]
        position, dof = data.qpos[known.qposadr[0]], known.dofadr[0]
        q[kind.idx_q:kind.idx_q + kind.nq] = position if kind.nq == 1 else (np.cos(position), np.sin(position))
        v[kind.idx_v], order[kind.idx_v] = data.qvel[dof], dof
    pinocchio.framesForwardKinematics(theirs, their_data, q)
    for i, frame in enumerate(theirs.frames):
        body = model.name2id(torsor.ObjectType.BODY, frame.name) if frame.type == pinocchio.FrameType.BODY else -1
        if body > 0:
            np.testing.assert_allclose(data.xpos[body], their_data.oMf[i].translation, atol=1e-12)
            np.testing.assert_allclose(data.xmat[body].reshape(3, 3), their_data.oMf[i].rotation, atol=1e-12)
    mass = pinocchio.crba(theirs, their_data, q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    np.testing.assert_allclose(torsor.full_m(model, data)[np.ix_(order, order)], mass, atol=AXES)
    bias = pinocchio.nonLinearEffects(theirs, their_data, q, v)
    np.testing.assert_allclose(data.qfrc_bias[order], bias, rtol=0, atol=10 * AXES)


SETTINGS = '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco></robot>'
OF_BODIES = "body_pos body_mass body_ipos".split()
OF_JOINTS = "jnt_type jnt_axis jnt_range jnt_limited jnt_actfrcrange jnt_actfrclimited".split()


@pytest.mark.parametrize("seed", range(8))
def test_mujoco_reads_the_same_robot(seed):
    text = urdf_robots.robot(seed, ("revolute", "continuous", "prismatic"))
    model = torsor.Model.from_xml_string(text, base="fixed")
    theirs = mujoco.MjModel.from_xml_string(torsor.to_urdf(model).text.replace("</robot>", SETTINGS))
    assert theirs.nbody == model.nbody and theirs.njnt == model.njnt
    for body in range(1, model.nbody):
        found = theirs.body(model.body(body).name).id
        for field in OF_BODIES:
            np.testing.assert_allclose(getattr(theirs, field)[found], getattr(model, field)[body], atol=1e-12, err_msg=field)
        np.testing.assert_allclose(abs(theirs.body_quat[found] @ model.body_quat[body]), 1, atol=1e-12)
    for joint in range(model.njnt):
        found = theirs.joint(model.joint(joint).name).id
        for field in OF_JOINTS:
            np.testing.assert_allclose(getattr(theirs, field)[found], getattr(model, field)[joint], atol=1e-12, err_msg=field)
        np.testing.assert_allclose(theirs.dof_damping[found], model.dof_damping[joint], atol=1e-12)


FEATURES = ROOT / "models" / "features"
IGNORED = ["tendon", "actuator", "sensor", "equality", "contact"]


def loadable(path):
    try:
        return torsor.Model.from_xml_path(path, ignore=IGNORED).nbody > 0
    except torsor.Error:  # a part of another model, or one that consists of what is ignored
        return False


PATHS = [path for path in sorted(FEATURES.glob("*.xml"))[::8] if loadable(path)]
PATHS += [FEATURES / "hinge_then_ball.xml", FEATURES / "slide_with_ball.xml"]


def without_losses(model):
    """What URDF has no words for, put aside in both."""
    model.dof_armature[:] = 0
    model.body_gravcomp[:] = 0
    model.opt.gravity[:] = 0, 0, -9.81
    model.opt.disableflags = 0


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_model_is_read_back(path):
    model = torsor.Model.from_xml_path(path, ignore=IGNORED)
    text, meshes, _ = torsor.to_urdf(model)
    back = torsor.Model.from_xml_string(text, assets=meshes)
    without_losses(model), without_losses(back)
    assert (back.nq, back.nv) == (model.nq, model.nv)
    a, b = random_state(model, 3), torsor.Data(back)
    b.qpos[:], b.qvel[:] = a.qpos, a.qvel
    torsor.forward(back, b)
    torsor.forward(model, a)
    for body in range(1, model.nbody):
        found = back.body(model.body(body).name or f"body_{body}").id
        np.testing.assert_allclose(a.xpos[body], b.xpos[found], atol=1e-10)
        np.testing.assert_allclose(a.xmat[body], b.xmat[found], atol=1e-10)
    if model.nv:
        size = np.abs(torsor.full_m(model, a)).max()
        np.testing.assert_allclose(torsor.full_m(model, a), torsor.full_m(back, b), atol=AXES * max(size, 1))
        np.testing.assert_allclose(a.qfrc_bias, b.qfrc_bias, atol=10 * AXES * max(np.abs(a.qfrc_bias).max(), 1))
    np.testing.assert_array_equal(model.jnt_limited[model.jnt_type >= 2], back.jnt_limited[back.jnt_type >= 2])


def test_relations_of_joints_are_kept():
    model = torsor.Model.from_xml_string(CHAIN)
    back = torsor.Model.from_xml_string(torsor.to_urdf(model).text)
    # q1 = offset + c q2 in URDF; here relative to the references, which are 0 in what was read
    y, z = (model.qpos0[model.joint(name).qposadr[0]] for name in ("y", "z"))
    np.testing.assert_allclose(back.eq_data[0, :2], [0.1 + y - 2 * z, 2])
    np.testing.assert_allclose(back.joint("z").range, model.joint("z").range)
    assert back.jnt_limited.tolist() == [False, False, True, False]


def test_what_urdf_cannot_hold_is_listed():
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="m" mocap="true"/>
    <body name="a"><joint name="j" stiffness="1" armature="1" actuatorfrcrange="-1 3"/><geom name="c" type="capsule" size="0.1 0.2" friction="2"/>
      <geom name="e" type="ellipsoid" size="1 2 3"/><site name="s"/></body></worldbody>
    <sensor><jointpos name="p" joint="j"/></sensor><keyframe><key name="k"/></keyframe></mujoco>"""
    lost = {(kind, name) for kind, names, _ in torsor._core._to_urdf(torsor.Model.from_xml_string(text), "m")[2] for name in names}
    assert lost == {("geom", "floor"), ("geom", "c"), ("geom", "e"), ("joint", "j"), ("body", "m"), ("site", "s"), ("sensor", "p"),
                    ("keyframe", "k")}
    assert [loss.what for loss in torsor.to_urdf(torsor.Model.from_xml_string("<mujoco/>")).lost] == [
        "URDF has no settings of the simulation, such as the timestep"]


def test_a_capsule_is_the_same_solid_in_three_parts():
    model = torsor.Model.from_xml_string("<mujoco><worldbody><body name='a'><geom type='capsule' size='0.1 0.3' mass='2'/></body></worldbody></mujoco>")
    back = torsor.Model.from_xml_string(torsor.to_urdf(model).text)
    collides = back.geom_contype > 0
    assert sorted(back.geom_type[collides]) == [int(torsor.GeomType.SPHERE)] * 2 + [int(torsor.GeomType.CYLINDER)]
    np.testing.assert_allclose(sorted(back.geom_pos[collides][:, 2]), [-0.3, 0, 0.3], atol=1e-12)
    assert back.body_mass[1] == 2
