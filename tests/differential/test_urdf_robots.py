"""URDF: kinematics and dynamics against Pinocchio, compiled arrays against MuJoCo's import."""

import re

import mujoco
import numpy as np
import pinocchio
import pytest
import torsor
import urdf_robots


# The principal axes of a full inertia are found to 1.4e-6 rad, as in MuJoCo (math/principal_axes.hpp); inertias of these
# robots are below 10 in their units.
AXES = 1.5e-5


def turn(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


class Beside:
    """One robot in both engines, at one state; v_pinocchio = T v_torsor."""

    def __init__(self, text, base, seed):
        root = pinocchio.JointModelFreeFlyer() if base == "floating" else None
        self.theirs = pinocchio.buildModelFromXML(text, root) if root else pinocchio.buildModelFromXML(text)
        self.their_data = self.theirs.createData()
        self.model = torsor.Model.from_xml_string(text, base=base)
        self.data = torsor.Data(self.model)
        random = np.random.default_rng(seed)
        self.data.qpos[:] = random.uniform(-1.5, 1.5, self.model.nq)
        if base == "floating":
            self.data.qpos[3:7] /= np.linalg.norm(self.data.qpos[3:7])
        self.data.qvel[:] = random.normal(size=self.model.nv)
        torsor.forward(self.model, self.data)
        self.q, self.T = np.zeros(self.theirs.nq), np.zeros((self.theirs.nv, self.model.nv))
        for index in range(1, self.theirs.njoints):
            self.map_joint(index)

    def address(self, name):
        joint = self.model.joint(name).id
        return self.model.jnt_qposadr[joint], self.model.jnt_dofadr[joint]

    def map_joint(self, index):
        joint, name = self.theirs.joints[index], self.theirs.names[index]
        qpos, iq, iv = self.data.qpos, joint.idx_q, joint.idx_v
        if name == "root_joint":
            w, x, y, z = qpos[3:7]
            self.q[iq:iq + 7] = *qpos[:3], x, y, z, w
            self.T[iv:iv + 3, 0:3] = pinocchio.Quaternion(w, x, y, z).matrix().T
            self.T[iv + 3:iv + 6, 3:6] = np.eye(3)
        elif joint.nv == 3:  # planar: their velocity is in the axes of the child
            (x, dof), (y, _), (angle, _) = (self.address(name + part) for part in ("_TX", "_TY", "_RZ"))
            self.q[iq:iq + 4] = qpos[x], qpos[y], np.cos(qpos[angle]), np.sin(qpos[angle])
            self.T[iv:iv + 2, dof:dof + 2] = turn(qpos[angle]).T
            self.T[iv + 2, dof + 2] = 1
        else:
            at, dof = self.address(name)
            self.q[iq:iq + joint.nq] = qpos[at] if joint.nq == 1 else (np.cos(qpos[at]), np.sin(qpos[at]))
            self.T[iv, dof] = 1


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("seed", range(30))
def test_motion_is_that_of_pinocchio(seed, base):
    beside = Beside(urdf_robots.robot(seed), base, seed)
    model, data = beside.model, beside.data
    pinocchio.framesForwardKinematics(beside.theirs, beside.their_data, beside.q)
    placed = {frame.name: beside.their_data.oMf[i] for i, frame in enumerate(beside.theirs.frames)
              if frame.type == pinocchio.FrameType.BODY}
    for body in range(1, model.nbody):
        pose = placed[model.body(body).name]
        np.testing.assert_allclose(data.xpos[body], pose.translation, atol=1e-12)
        np.testing.assert_allclose(data.xmat[body].reshape(3, 3), pose.rotation, atol=1e-12)
    mass = pinocchio.crba(beside.theirs, beside.their_data, beside.q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    np.testing.assert_allclose(torsor.full_m(model, data), beside.T.T @ mass @ beside.T, rtol=0, atol=AXES)
    assert model.nv == beside.theirs.nv


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("seed", range(30))
def test_forces_at_rest_are_those_of_pinocchio(seed, base):
    beside = Beside(urdf_robots.robot(seed), base, seed)
    beside.data.qvel[:] = 0  # gravity alone: at speed, the coordinates of planar joints differ by more than T
    torsor.forward(beside.model, beside.data)
    gravity = pinocchio.computeGeneralizedGravity(beside.theirs, beside.their_data, beside.q)
    np.testing.assert_allclose(beside.data.qfrc_bias, beside.T.T @ gravity, atol=1e-10)


@pytest.mark.parametrize("seed", range(30))
def test_forces_at_speed_are_those_of_pinocchio(seed):
    beside = Beside(urdf_robots.robot(seed, ("revolute", "continuous", "prismatic", "fixed")), "fixed", seed)
    theirs = pinocchio.nonLinearEffects(beside.theirs, beside.their_data, beside.q, beside.T @ beside.data.qvel)
    np.testing.assert_allclose(beside.data.qfrc_bias, beside.T.T @ theirs, rtol=0, atol=10 * AXES)  # velocities are of order 1 to 3


# Without its merging of links, which is its default for URDF, and with visuals.
SETTINGS = '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco></robot>'
SAME = ("body_pos body_quat body_parentid body_mass body_ipos jnt_type jnt_axis jnt_range jnt_limited jnt_bodyid "
        "jnt_actfrcrange jnt_actfrclimited dof_damping dof_frictionloss geom_type geom_size geom_contype "
        "geom_conaffinity geom_group geom_bodyid").split()


@pytest.mark.parametrize("seed", range(30))
def test_arrays_are_those_of_mujoco(seed):
    text = urdf_robots.robot(seed).replace("</robot>", SETTINGS)
    theirs = mujoco.MjModel.from_xml_string(with_mass(text))
    ours = torsor.Model.from_xml_string(with_mass(text), base="fixed")
    assert [ours.body(i).name for i in range(ours.nbody)] == [theirs.body(i).name for i in range(theirs.nbody)]
    assert [ours.joint(i).name for i in range(ours.njnt)] == [theirs.joint(i).name for i in range(theirs.njnt)]
    for field in SAME:
        np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), atol=1e-12, err_msg=field)


def with_mass(text):
    """Links without <inertial> have no mass in URDF, and that of their shapes in MuJoCo."""
    mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    return re.sub(r'(<link name="\w+">)(?!<inertial>)', rf"\1{mass}", text)
