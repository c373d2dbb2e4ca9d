"""torsor.conventions: its documentation runs, its arrays broadcast, and bad input is told what is wrong."""

import doctest
import json

import numpy as np
import pytest

import torsor
from torsor import conventions

MODEL = """
<mujoco>
  <worldbody>
    <body name="base" pos="0 0 1"><freejoint name="root"/><geom size="0.1" pos="0.1 0.2 0"/>
      <body name="arm" pos="0.3 0 0"><joint name="elbow" axis="0 1 0"/><geom size="0.1" pos="0 0 0.2"/></body></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def scene():
    model = torsor.Model.from_xml_string(MODEL)
    data = torsor.Data(model)
    rng = np.random.default_rng(1)
    data.qpos[3:7] = [0.5, 0.5, -0.5, 0.5]
    data.qpos[7] = 0.3
    data.qvel[:] = rng.normal(size=model.nv)
    torsor.forward(model, data)
    return model, data


def test_the_examples_of_the_documentation_run():
    result = doctest.testmod(conventions, extraglobs={"conventions": conventions, "torsor": torsor})
    assert result.attempted > 10 and result.failed == 0


# --- arrays ------------------------------------------------------------------------------------------------------------


def random_poses(count, rng):
    quats = rng.normal(size=(count, 4))
    return np.concatenate([rng.normal(size=(count, 3)), quats / np.linalg.norm(quats, axis=1, keepdims=True)], axis=1)


def test_leading_axes_broadcast():
    rng = np.random.default_rng(2)
    poses, twists, coms = random_poses(12, rng).reshape(3, 4, 7), rng.normal(size=(4, 6)), rng.normal(size=(3, 1, 3))
    result = conventions.convert_twist(twists, "mujoco", "newton", pose=poses, com=coms)
    assert result.shape == (3, 4, 6)
    for i in range(3):
        for j in range(4):
            one = conventions.convert_twist(twists[j], "mujoco", "newton", pose=poses[i, j], com=coms[i, 0])
            np.testing.assert_allclose(result[i, j], one, atol=1e-14)


def test_strided_and_empty_arrays_are_taken():
    rng = np.random.default_rng(3)
    poses = random_poses(10, rng)
    np.testing.assert_array_equal(conventions.convert_pose(poses[::2], "mujoco", "drake"),
                                  conventions.convert_pose(poses[::2].copy(), "mujoco", "drake"))
    assert conventions.convert_pose(np.zeros((0, 7)), "mujoco", "newton").shape == (0, 7)


def test_matrices_turn_twists_and_forces():
    rng = np.random.default_rng(4)
    pose, com, v, f = random_poses(1, rng)[0], rng.normal(size=3), rng.normal(size=6), rng.normal(size=6)
    arguments = {"pose": pose, "com": com}
    X = conventions.twist_matrix("mujoco", "pinocchio", **arguments)
    Y = conventions.force_matrix("mujoco", "pinocchio", **arguments)
    np.testing.assert_allclose(X @ v, conventions.convert_twist(v, "mujoco", "pinocchio", **arguments), atol=1e-14)
    np.testing.assert_allclose(Y.T @ X, np.eye(6), atol=1e-14)
    np.testing.assert_allclose((Y @ f) @ (X @ v), f @ v, atol=1e-12)


# --- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call, text", [
    (lambda: conventions.show("mujocco"), "did you mean 'mujoco'"),
    (lambda: conventions.show("isaaclab"), "ambiguous; choose one of isaaclab2, isaaclab3"),
    (lambda: conventions.convert_pose(np.ones(7), "physx", "mujoco"), "the physx convention does not specify what a pose needs"),
    (lambda: conventions.convert_pose(np.ones(6), "mujoco", "newton"), "pose"),
    (lambda: conventions.convert_pose([[0, 0, 0, 1, 0, 0, 0], [0, np.nan, 0, 1, 0, 0, 0]], "mujoco", "newton"), r"pose\[1\]"),
    (lambda: conventions.convert_pose([0, 0, 0, 1.1, 0, 0, 0], "mujoco", "newton"), "length 1.1"),
    (lambda: conventions.add({"id": "mujoco"}), "there already is a convention 'mujoco'"),
    (lambda: conventions.add({"id": "x.y", "quat": "zyxw"}), "is not a value of quat"),
    (lambda: conventions.convert_inertia(np.ones(10), "mujoco", "mujoco", source_form="full", source_point="com",
                                         target_form="urdf", target_point="com"), "unknown form"),
])
def test_mistakes_are_told_plainly(call, text):
    with pytest.raises((torsor.Error, ValueError), match=text):
        call()


def test_the_centre_of_mass_is_never_guessed():
    twist, pose = np.ones(6), [0, 0, 0, 1, 0, 0, 0]
    with pytest.raises(torsor.Error, match="depends on com"):
        conventions.convert_twist(twist, "mujoco", "newton", pose=pose)
    conventions.convert_twist(twist, "mujoco", "drake", pose=pose)  # both at the origin
    with pytest.raises(torsor.Error, match="depends on gravity|depends on tree_com"):
        conventions.convert_acceleration(twist, "mujoco", "mujoco.cvel", pose=pose, twist=twist)
    with pytest.raises(torsor.Error, match="depends on parent_anchor"):
        conventions.convert_pose(pose, "mujoco", "newton.joint")


def test_errors_name_the_argument_that_is_bad():
    poses, twists = np.tile([0.0, 0, 0, 1, 0, 0, 0], (3, 1)), np.ones((3, 6))
    bad = poses.copy()
    bad[2, 3] = 2
    with pytest.raises(torsor.Error, match=r"pose\[2\]"):
        conventions.convert_twist(twists, "mujoco", "drake", pose=bad)
    bad = twists.copy()
    bad[1, 0] = np.nan
    with pytest.raises(torsor.Error, match=r"twist\[1\]"):
        conventions.convert_acceleration(twists, "mujoco", "drake", pose=poses, twist=bad)
    with pytest.raises(torsor.Error, match="com"):
        conventions.convert_twist(twists, "mujoco", "newton", pose=poses, com=[np.nan, 0, 0])


def test_users_load_rows_from_a_file(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"id": "test.py.lab", "from": "newton", "quat": "wxyz", "twist.point": "origin"}]))
    assert conventions.load(path) == ["test.py.lab"]
    np.testing.assert_array_equal(conventions.convert_pose([1, 2, 3, 0, 0, 0, 1], "newton", "test.py.lab"), [1, 2, 3, 1, 0, 0, 0])
    path.write_text("{")
    with pytest.raises(torsor.Error, match="rows.json"):
        conventions.load(path)


# --- models --------------------------------------------------------------------------------------------------------------


def test_a_state_map_takes_one_state_or_many(scene):
    model, data = scene
    to_newton, back = torsor.StateMap(model, "mujoco", "newton"), torsor.StateMap(model, "newton", "mujoco")
    q, v = to_newton.positions(data.qpos), to_newton.velocities(data.qpos, data.qvel)
    np.testing.assert_allclose(q, [0, 0, 1, 0.5, -0.5, 0.5, 0.5, 0.3])
    np.testing.assert_allclose(back.velocities(q, v), data.qvel, atol=1e-14)
    many = to_newton.velocities(np.tile(data.qpos, (2, 3, 1)), np.tile(data.qvel, (2, 3, 1)))
    assert many.shape == (2, 3, model.nv)
    np.testing.assert_array_equal(many[1, 2], v)
    with pytest.raises(ValueError, match="expected shape"):
        to_newton.positions(np.zeros(5))


def test_a_state_map_orders_joints_by_names(scene):
    model, _ = scene
    turned = torsor.StateMap(model, "mujoco", "mujoco", target_order=["elbow", "root"])
    assert turned.joint_map == [1, 0] and turned.dof_map == [6, 0, 1, 2, 3, 4, 5]
    with pytest.raises(torsor.Error, match="elbo"):
        torsor.StateMap(model, "mujoco", "mujoco", target_order=["elbo", "root"])


def test_anchors_of_newtons_ball_joints_are_taken():
    model = torsor.Model.from_xml_string(
        "<mujoco><worldbody><body><joint name='ball' type='ball'/><geom size='.1'/></body></worldbody></mujoco>")
    rng = np.random.default_rng(8)
    q_c, r, w = random_poses(1, rng)[0, 3:], random_poses(1, rng)[0, 3:], rng.normal(size=3)
    child = [0, 0, 0, *q_c]
    to_mujoco = torsor.StateMap(model, "newton", "mujoco", anchors={"ball": ([0, 0, 0, 1, 0, 0, 0], child)})
    mul = lambda a, b: torsor.rotations.multiply(a, b, order="wxyz")
    inverse = lambda q: torsor.rotations.inverse(q, order="wxyz")
    q = to_mujoco.positions(r[[1, 2, 3, 0]])
    expected = mul(mul(q_c, r), inverse(q_c))
    np.testing.assert_allclose(q * np.sign(q @ expected), expected, atol=1e-12)
    rate = torsor.rotations.rotate(mul(q_c, inverse(r)), w, order="wxyz")
    np.testing.assert_allclose(to_mujoco.velocities(r[[1, 2, 3, 0]], w), rate, atol=1e-12)
    with pytest.raises(torsor.Error, match="unit quaternion"):
        torsor.StateMap(model, "newton", "mujoco", anchors={"ball": ([0] * 7, child)})


def test_meshes_keep_their_outside():
    vertices, triangles = np.eye(4, 3), np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
    volume = lambda v, t: np.sum(np.einsum("ij,ij->i", v[t[:, 0]], np.cross(v[t[:, 1]], v[t[:, 2]]))) / 6
    for target in ("unity", "unreal", "gltf", "ptera", "usd.text[length=0.01,axes=y-up]"):
        there = conventions.convert_mesh(vertices, triangles, "mujoco", target)
        unit = {"unreal": 1e6, "usd.text[length=0.01,axes=y-up]": 1e6}.get(target, 1)
        np.testing.assert_allclose(volume(*there), unit * volume(vertices, triangles))
        back = conventions.convert_mesh(*there, target, "mujoco")
        np.testing.assert_allclose(back[0], vertices, atol=1e-12)
        np.testing.assert_array_equal(back[1], triangles)


def test_bodies_are_seen_in_any_convention(scene):
    model, data = scene
    np.testing.assert_allclose(torsor.body_twist(model, data, "base", "mujoco"), data.qvel[:6], atol=1e-14)
    jacobian = torsor.body_jacobian(model, data, "arm", "drake")
    np.testing.assert_allclose(jacobian @ data.qvel, torsor.body_twist(model, data, "arm", "drake"), atol=1e-13)
    torsor.set_body_wrench(model, data, "arm", "newton", [1, 2, 3, 4, 5, 6])
    np.testing.assert_allclose(data.xfrc_applied[2], [1, 2, 3, 4, 5, 6])
    torsor.apply_body_wrench(model, data, "arm", "newton", [1, 2, 3, 4, 5, 6])
    np.testing.assert_allclose(torsor.body_wrench(model, data, 2, "newton"), [2, 4, 6, 8, 10, 12])
    with pytest.raises(torsor.Error, match="did you mean 'arm'"):
        torsor.body_pose(model, data, "arn", "mujoco")


def test_joint_forces_of_free_joints_are_loads(scene):
    model, data = scene
    forces = np.arange(1.0, 8.0)
    torsor.set_joint_forces(model, data, "newton", forces)
    np.testing.assert_array_equal(data.xfrc_applied[1], forces[:6])
    np.testing.assert_array_equal(data.qfrc_applied, [0, 0, 0, 0, 0, 0, 7])
    np.testing.assert_array_equal(torsor.joint_forces(model, data, "newton"), forces)


def test_the_sap_boundary_negates_body_forces(scene):
    model, _ = scene
    boundary = torsor.SapBoundary(model)
    assert boundary.joint_q_start == [0, 7, 8] and boundary.joint_qd_start == [0, 6, 7]
    pose = [3, 1, 2, 0, 0, np.sqrt(0.5), np.sqrt(0.5)]
    result = boundary.body_forces_in([pose], [[1, 0, 0]], [[7, 8, 9, 10, 11, 12]], order="public")
    np.testing.assert_allclose(result, [[-19, -11, -5, -7, -8, -9]], atol=1e-13)
    with pytest.raises(torsor.Error, match="public or sap"):
        boundary.velocities_in(np.zeros(8), np.zeros(7), order="newton")
