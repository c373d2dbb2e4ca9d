"""Poses, twists, Jacobians and mass matrices of torsor.newton against plain NumPy; coordinates there and back."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import torsor
import torsor.newton as newton
from newton_support import body_twists, coordinates, kinetic_energy, matrix, poses, random_scene, velocities

VERSIONS = list(newton.Version)
SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_poses_follow_the_anchors_and_the_motion_of_every_joint(seed):
    model, state = random_scene(seed)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    for pose, expected in zip(state.body_q, poses(model, state.joint_q), strict=True):
        np.testing.assert_allclose(matrix(pose), expected, atol=1e-12)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_body_qd_is_the_velocity_of_the_centre_of_mass_and_the_spin(seed, version):
    model, state = random_scene(seed, version)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    expected = body_twists(model, state.joint_q, state.joint_qd, version == newton.Version.PARENT_AXES)
    np.testing.assert_allclose(state.body_qd, expected, atol=2e-8)


@pytest.mark.parametrize("signs", [(1, 1, 1), (1, -1, 1), (1, 1, -1)])
def test_small_angles_of_three_axes_come_back_as_they_were(signs):
    builder = newton.ModelBuilder()
    link = builder.add_link(mass=1, inertia=np.eye(3))
    axes = [newton.ModelBuilder.JointDofConfig(axis=sign * np.array(axis.to_vector()))
            for sign, axis in zip(signs, newton.Axis, strict=True)]
    builder.add_articulation([builder.add_joint_d6(-1, link, angular_axes=axes)])
    model = builder.finalize()
    state, q, qd = model.state(), np.zeros(3), np.zeros(3)
    newton.eval_fk(model, [0.9, -1.1, 1.3], [1.0, 2.0, 3.0], state)
    newton.eval_ik(model, state, q, qd)
    np.testing.assert_allclose(q, [0.9, -1.1, 1.3], atol=1e-12)
    np.testing.assert_allclose(qd, [1, 2, 3], atol=1e-11)


def test_the_versions_differ_where_a_parent_anchor_is_turned():
    twists = []
    for version in VERSIONS:
        model, state = random_scene(0, version)
        newton.eval_fk(model, state.joint_q, state.joint_qd, state)
        twists.append(state.body_qd.copy())
    assert np.abs(twists[0] - twists[1]).max() > 0.1


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_kinematics_undo_forward_kinematics(seed, version):
    model, state = random_scene(seed, version)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    q, qd = np.zeros(model.joint_coord_count), np.zeros(model.joint_dof_count)
    newton.eval_ik(model, state, q, qd)
    for joint in range(model.joint_count):  # turns about three axes can be made in two ways
        if joint == 2 and not np.allclose(q[coordinates(model, joint)], state.joint_q[coordinates(model, joint)]):
            continue
        at = velocities(model, joint)
        np.testing.assert_allclose(qd[at], state.joint_qd[at], atol=1e-9)
    again = model.state()
    newton.eval_fk(model, q, qd, again)  # quaternions may come back with the other sign
    for pose, expected in zip(again.body_q, state.body_q, strict=True):
        np.testing.assert_allclose(matrix(pose), matrix(expected), atol=1e-11)
    np.testing.assert_allclose(again.body_qd, state.body_qd, atol=1e-9)
    scalar = np.abs(q - state.joint_q) < 1e-9
    assert scalar.sum() >= 5  # hinges and slides come back themselves


@pytest.mark.parametrize("version", VERSIONS)
def test_jacobians_map_joint_velocities_to_body_twists(version):
    model, state = random_scene(3, version)
    J = newton.eval_jacobian(model, state)
    for articulation in range(model.articulation_count):
        first, end = model.articulation_start[articulation:articulation + 2]
        dofs = slice(model.joint_qd_start[first], model.joint_qd_start[end])
        count = dofs.stop - dofs.start
        for i in range(count):
            qd = np.zeros(model.joint_dof_count)
            qd[dofs.start + i] = 1
            expected = body_twists(model, state.joint_q, qd, version == newton.Version.PARENT_AXES)
            found = J[articulation, :6 * (end - first), i].reshape(-1, 6)
            np.testing.assert_allclose(found, expected[model.joint_child[first:end]], atol=2e-8)
        assert not J[articulation, 6 * (end - first):].any() and not J[articulation, :, count:].any()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_mass_matrix_gives_the_kinetic_energy(seed, version):
    model, state = random_scene(seed, version)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    H = newton.eval_mass_matrix(model, state)
    energy = 0.0
    for articulation in range(model.articulation_count):
        first, end = model.articulation_start[articulation:articulation + 2]
        qd = state.joint_qd[model.joint_qd_start[first]:model.joint_qd_start[end]]
        energy += 0.5 * qd @ H[articulation, :len(qd), :len(qd)] @ qd
    assert energy == pytest.approx(kinetic_energy(model, state), rel=1e-10)
    np.testing.assert_allclose(H, H.transpose(0, 2, 1), atol=1e-10)


def test_armature_is_not_part_of_the_mass_matrix():
    masses = []
    for armature in (0.0, 5.0):
        builder = newton.ModelBuilder()
        link = builder.add_link()
        builder.add_shape_box(link, xform=newton.transform((0.5, 0, 0)))
        builder.add_articulation([builder.add_joint_revolute(-1, link, axis=newton.Axis.Y, armature=armature)])
        model = builder.finalize()
        masses.append(newton.eval_mass_matrix(model, model.state())[0, 0, 0])
    assert masses[0] == masses[1] == pytest.approx(1000 * ((1 + 1) / 12 + 0.25))


def test_a_ball_joint_turns_about_its_anchor_in_the_parents_axes():
    parent, child = newton.transform((1, 2, 3), newton.quat_rpy(0.3, 0.5, 0.7)), newton.transform(
        (0.1, 0.2, 0.3), newton.quat_rpy(1, -2, 0.5))
    builder = newton.ModelBuilder()
    link = builder.add_link(mass=1, inertia=np.eye(3), com=(0.3, 0, 0))
    builder.add_articulation([builder.add_joint_ball(-1, link, parent_xform=parent, child_xform=child)])
    model = builder.finalize()
    state = model.state()
    q, w = newton.quat_rpy(0.2, 0.4, -0.8), np.array([1.0, -2.0, 0.5])
    newton.eval_fk(model, q, w, state)
    spin = Rotation.from_quat(parent[3:]).apply(w)
    np.testing.assert_allclose(state.body_qd[0, 3:], spin, atol=1e-12)
    com = newton.transform_point(state.body_q[0], (0.3, 0, 0))
    np.testing.assert_allclose(state.body_qd[0, :3], np.cross(spin, com - parent[:3]), atol=1e-12)


def test_arrays_of_the_wrong_length_are_refused():
    model, state = random_scene(0)
    with pytest.raises(torsor.Error, match="joint_q has 3 numbers; the model needs 35"):
        newton.eval_fk(model, [1, 2, 3], state.joint_qd, state)
    with pytest.raises(torsor.Error, match="another model"):
        newton.eval_jacobian(random_scene(1)[0], state)
    with pytest.raises(ValueError, match=r"state|shape|joint_q"):
        state.joint_q = [1.0]
