"""What SAP Warp's document on its convention says: public and sap order at the boundary of a step."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import torsor
from convention_scenes import close, random_quat, same_rotation
from convention_scenes import every_joint, rng  # noqa: F401 fixtures
from torsor import conventions


def test_joint_q_is_packed_joint_by_joint(every_joint):
    model, qpos, _ = every_joint
    boundary, to_sap = torsor.SapBoundary(model), torsor.StateMap(model, "mujoco", "sap.public")
    assert np.diff(boundary.joint_q_start).tolist() == [7, 1, 1, 4, 1, 1]  # free, prismatic, revolute, ball, D6; no fixed
    assert np.diff(boundary.joint_qd_start).tolist() == [6, 1, 1, 3, 1, 1]
    joint_q = to_sap.positions(qpos)
    assert close(joint_q[:3], qpos[:3])  # translation, then x y z w, also where velocities are angular first
    assert same_rotation(joint_q[3:7], qpos[[4, 5, 6, 3]])
    assert close(joint_q[7:9], qpos[7:9] - [0, 0.4])
    assert same_rotation(joint_q[9:13], qpos[[10, 11, 12, 9]])
    assert close(joint_q[13:], qpos[[14, 13]])  # the linear axis of D6 before the angular one
    assert close(torsor.StateMap(model, "mujoco", "sap.internal").positions(qpos), joint_q)


def test_only_free_joints_change_at_saps_boundary(every_joint):
    model, qpos, joint_qd = every_joint
    boundary = torsor.SapBoundary(model)
    joint_q = torsor.StateMap(model, "mujoco", "sap.public").positions(qpos)
    for convert in (boundary.velocities_in, boundary.forces_in, boundary.velocities_out):
        assert np.array_equal(convert(joint_q, joint_qd, order="public")[6:], joint_qd[6:])
        assert np.array_equal(convert(joint_q, joint_qd, order="sap"), joint_qd)


def test_saps_power_check(rng):
    r_B, public_u, public_g = rng.normal(size=3), rng.normal(size=6), rng.normal(size=6)
    pose = [*rng.normal(size=3), *random_quat(rng)]
    r = Rotation.from_quat(pose[3:]).apply(r_B)
    sap_u = conventions.convert_twist(public_u, "sap.public", "sap.internal", pose=pose, com=r_B)
    sap_g = conventions.convert_joint_force(public_g, "sap.public", "sap.internal", pose=pose, com=r_B)
    assert close(sap_u, [*public_u[3:], *(public_u[:3] - np.cross(public_u[3:], r))])
    assert close(sap_g, [*(public_g[3:] + np.cross(r, public_g[:3])), *public_g[:3]])
    assert sap_u @ sap_g == pytest.approx(public_u @ public_g, abs=1e-12)
    reordered = np.roll(public_u, 3) @ sap_g  # the right shape and the wrong work
    assert reordered != pytest.approx(public_u @ public_g, abs=1e-6)
    residual = conventions.convert_wrench(public_g, "sap.public", "sap.internal", pose=pose, com=r_B)
    assert close(residual, -sap_g)


def test_saps_matrices(rng):
    r_B, pose = rng.normal(size=3), [*rng.normal(size=3), *random_quat(rng)]
    r = np.cross(Rotation.from_quat(pose[3:]).apply(r_B), np.eye(3)).T  # the skew operator
    one, zero = np.eye(3), np.zeros((3, 3))
    P_v = conventions.twist_matrix("sap.public", "sap.internal", pose=pose, com=r_B)
    P_f = conventions.force_matrix("sap.public", "sap.internal", pose=pose, com=r_B)
    assert close(P_v, np.block([[zero, one], [one, r]]))
    assert close(P_f, np.block([[r, one], [one, zero]]))
    assert close(conventions.twist_matrix("sap.internal", "sap.public", pose=pose, com=r_B), np.block([[-r, one], [one, zero]]))
    assert close(P_f, np.linalg.inv(P_v).T)


def test_saps_velocities_are_shifted_with_the_current_orientation_in_and_the_new_one_out(every_joint, rng):
    model, qpos, joint_qd = every_joint
    boundary, to_sap = torsor.SapBoundary(model), torsor.StateMap(model, "mujoco", "sap.public")
    now = to_sap.positions(qpos)
    new = to_sap.positions(np.array(torsor.integrate_pos(model, qpos, rng.normal(size=model.nv), 1.0)))
    com = np.array(model.body_ipos[1])
    inside = boundary.velocities_in(now, joint_qd, order="public")
    assert close(inside[3:6], joint_qd[:3] - np.cross(joint_qd[3:6], Rotation.from_quat(now[3:7]).apply(com)))
    outside = boundary.velocities_out(new, inside, order="public")
    assert close(outside[:3], inside[3:6] + np.cross(inside[:3], Rotation.from_quat(new[3:7]).apply(com)))
    assert np.abs(outside[:3] - joint_qd[:3]).max() > 1e-3


def test_sap_stores_body_forces_as_a_residual(every_joint, rng):
    model, _, _ = every_joint
    body_q = np.array([[*rng.normal(size=3), *random_quat(rng)] for _ in range(2)])
    com, body_f = rng.normal(size=(2, 3)), rng.normal(size=(2, 6))
    stored = torsor.SapBoundary(model).body_forces_in(body_q, com, body_f, order="public")
    r = Rotation.from_quat(body_q[:, 3:]).apply(com)
    assert close(stored, -np.hstack([body_f[:, 3:] + np.cross(r, body_f[:, :3]), body_f[:, :3]]))
