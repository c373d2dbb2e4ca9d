"""Traps between conventions that people fell into, where no document's test has them."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import torsor
from convention_scenes import COM, FreeBody, PRINCIPAL_AXES, close, random_quat, same_rotation, wxyz
from convention_scenes import engine, every_joint, rng  # noqa: F401 fixtures
from torsor import conventions, rotations


def test_rows_agree_at_the_identity_with_the_com_at_the_origin_and_nowhere_else(rng):
    twist = rng.normal(size=6)
    rows = ("newton", "isaaclab2", "raisim", "pinocchio", "mujoco")
    def readings(quat, com):
        at = dict(pose=[*rng.normal(size=3), *quat], com=com)
        return [conventions.convert_twist(twist, "mujoco", row, **at) for row in rows]
    assert all(close(reading, twist) for reading in readings([1, 0, 0, 0], [0, 0, 0]))
    assert all(np.abs(reading - twist).max() > 1e-2 for reading in readings(wxyz(Rotation.from_euler("x", 1)), COM)[:-1])


def test_a_ball_joints_angular_velocity_is_in_the_parent_in_newton_and_in_the_child_in_mujoco(every_joint):
    model, qpos, qvel = every_joint
    data = torsor.Data(model)
    data.qpos[:], data.qvel[:] = qpos, 0
    data.qvel[8:11] = qvel[8:11]
    torsor.forward(model, data)
    parent, child = (np.array(data.xmat[b]).reshape(3, 3) for b in (3, 4))
    spin = np.array(torsor.object_velocity(model, data, torsor.ObjectType.XBODY, 4))[:3]
    to_newton = torsor.StateMap(model, "mujoco", "newton")
    joint_qd = to_newton.velocities(qpos, data.qvel)
    assert close(child.T @ spin, qvel[8:11])
    assert close(parent.T @ spin, joint_qd[8:11])
    r = Rotation.from_quat(to_newton.positions(qpos)[9:13])
    assert close(r.inv().apply(joint_qd[8:11]), qvel[8:11])  # w_mj = R(r^-1) w_newton


def test_newtons_joint_q_is_qpos_minus_ref(every_joint):
    model, qpos, _ = every_joint
    assert torsor.StateMap(model, "mujoco", "newton").positions(qpos)[8] == pytest.approx(qpos[8] - 0.4, abs=1e-15)
    assert torsor.StateMap(model, "newton", "mujoco").positions(
        torsor.StateMap(model, "mujoco", "newton").positions(model.qpos0))[8] == pytest.approx(0.4, abs=1e-15)


def test_newtons_joint_f_of_a_free_joint_goes_through_xfrc_applied(every_joint, rng):
    model, qpos, qvel = every_joint
    joint_f, accelerations = rng.normal(size=model.nv), []
    data = torsor.Data(model)
    data.qpos[:], data.qvel[:] = qpos, qvel
    torsor.forward(model, data)
    torsor.set_joint_forces(model, data, "newton", joint_f)
    assert close(data.xfrc_applied[1], joint_f[:6])
    assert not np.any(data.qfrc_applied[:6])
    torsor.forward(model, data)
    accelerations.append(np.array(data.qacc))
    data.xfrc_applied[:] = 0  # the dual force in qfrc_applied does the same
    to_newton = torsor.StateMap(model, "mujoco", "newton")
    data.qfrc_applied[:] = torsor.StateMap(model, "newton", "mujoco").forces(to_newton.positions(qpos), joint_f)
    torsor.forward(model, data)
    accelerations.append(np.array(data.qacc))
    assert close(*accelerations, 1e-10)


def test_three_angular_axes_of_one_joint_are_intrinsic_rotations(engine, rng):
    model = engine.load_string('<mujoco><worldbody><body><joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/>'
                               '<geom size=".1"/></body></worldbody></mujoco>')
    data = engine.make_data(model)
    data.qpos[:] = rng.uniform(-1, 1, 3)
    engine.forward(model, data)
    angles = np.array(data.qpos)
    assert close(np.array(data.xmat[1]).reshape(3, 3), Rotation.from_euler("XYZ", angles).as_matrix())
    ours = rotations.euler_to_matrix(angles, sequence="xyz", spelling="mujoco", unit="radians")
    assert close(np.array(data.xmat[1]).reshape(3, 3), ours)


def test_case_means_opposite_things_in_mujoco_and_scipy(rng):
    angles = rng.uniform(0.3, 1, 3)
    spelled = lambda sequence, spelling: rotations.euler_to_matrix(angles, sequence=sequence, spelling=spelling, unit="radians")
    assert close(spelled("xyz", "mujoco"), Rotation.from_euler("XYZ", angles).as_matrix())
    assert close(spelled("xyz", "scipy"), Rotation.from_euler("xyz", angles).as_matrix())
    assert not close(spelled("xyz", "mujoco"), spelled("xyz", "scipy"), 1e-3)
    assert close(rotations.rpy_to_matrix(angles), Rotation.from_euler("xyz", angles).as_matrix())  # URDF: fixed axes


def test_usds_angular_gains_are_per_degree():
    model = torsor.Model.from_xml_string(
        '<mujoco><worldbody><body><joint/><geom size=".1"/></body><body><joint type="slide"/><geom size=".1"/></body>'
        "</worldbody></mujoco>")
    usd = torsor.StateMap(model, "mujoco", "usd.text[length=1,joints=depth first,multi_axis=declared,zero=zero]")
    stiffness, target = usd.gains([100, 100]), usd.position_targets([1, 1])
    assert close(target, [180 / np.pi, 1])
    # UsdPhysicsDriveAPI: mass * DIST * DIST / degree / second / second, that is, a torque per degree
    assert stiffness[1] == pytest.approx(100)
    assert stiffness[0] == pytest.approx(100 * np.pi / 180)


def test_a_quaternion_and_its_negative_are_the_same_rotation(rng):
    quat, twist = random_quat(rng), rng.normal(size=6)
    assert rotations.angle_between(quat, -quat, order="wxyz") == pytest.approx(0, abs=1e-15)
    either = [conventions.convert_twist(twist, "mujoco", "newton", pose=[0, 0, 0, *q], com=COM) for q in (quat, -quat)]
    assert close(*either)
    assert same_rotation(conventions.convert_rotation(-quat, "mujoco", "newton"), quat[[1, 2, 3, 0]])


def test_aligning_free_bodies_moves_qpos_to_the_frame_of_the_inertia(engine, rng):
    qpos = np.array([*rng.normal(size=3), *random_quat(rng)])
    plain, aligned = FreeBody(engine), FreeBody(engine, align="true")
    plain.place(qpos[3:], position=qpos[:3])
    moved = conventions.convert_pose(qpos, "mujoco", "mujoco[pose_of=principal axes at com]", com=COM,
                                     principal_axes=wxyz(PRINCIPAL_AXES))
    aligned.place(moved[3:], position=moved[:3])
    assert close(aligned.data.xipos[1], plain.data.xipos[1])
    assert close(aligned.data.ximat[1], plain.data.ximat[1])
    assert close(aligned.data.xpos[1], plain.data.xipos[1])
    assert not close(aligned.data.xpos[1], plain.data.xpos[1], 1e-3)
