"""Orders of joints and bodies: the known gather of a humanoid, index maps, and errors that list what does not match."""

import os
import pathlib

import numpy as np
import pytest

import judging
import torsor

ROOT = pathlib.Path(__file__).parents[2]
# out = values[..., ISAACLAB_TO_MUJOCO]: legs 6 + 6, waist 3, arms 7 + 7.
ISAACLAB_TO_MUJOCO = [0, 3, 6, 9, 13, 17, 1, 4, 7, 10, 14, 18, 2, 5, 8, 11, 15, 19, 21, 23, 25, 27, 12, 16, 20, 22, 24,
                      26, 28]


@pytest.fixture(scope="module")
def humanoid():
    return torsor.Model.from_xml_path(ROOT / "models" / "humanoid_29.xml")


def joint_names(model, order):
    return [model.joint(int(i)).name for i in torsor.joint_order(model, order)]


def test_from_isaac_lab_to_mujoco_a_humanoids_gather_is_the_known_one(humanoid):
    for function in (torsor.joint_permutation, torsor.dof_permutation, torsor.qpos_permutation):
        gather = function(humanoid, "breadth_first", "depth_first")
        assert gather.dtype == np.int64 and gather.tolist() == ISAACLAB_TO_MUJOCO
        back = function(humanoid, "depth_first", "breadth_first")
        assert torsor.inverse_permutation(back).tolist() == ISAACLAB_TO_MUJOCO


def test_batches_are_gathered_by_indexing(humanoid):
    isaaclab_names, mujoco_names = joint_names(humanoid, "breadth_first"), joint_names(humanoid, "depth_first")
    gather = torsor.joint_permutation(humanoid, "breadth_first", "depth_first")
    assert [isaaclab_names[i] for i in gather] == mujoco_names
    isaaclab_joints = np.arange(2 * 3 * 29.0).reshape(2, 3, 29)
    mujoco_joints = isaaclab_joints[..., gather]
    assert mujoco_joints.shape == (2, 3, 29) and mujoco_joints[1, 2, 1] == isaaclab_joints[1, 2, 3]


REAL = sorted(pathlib.Path(os.environ.get("TORSOR_MODELS", "no such folder")).rglob("unitree_g1/g1.xml"))


@pytest.mark.parametrize("path", judging.collected(REAL[:1], lambda path: path.stem))
def test_a_real_humanoid_has_the_known_gather(path):
    later = ["contact", "equality", "tendon", "actuator", "sensor"]
    model = torsor.Model.from_xml_path(path, ignore=later)
    assert model.nv == 6 + 29
    assert torsor.joint_permutation(model, "breadth_first", "depth_first").tolist() == ISAACLAB_TO_MUJOCO


def test_every_rule_lists_the_humanoid_differently(humanoid):
    first = {"depth_first": ["starboard_leg_1", "starboard_leg_2"], "declared": ["starboard_leg_1", "starboard_leg_2"],
             "breadth_first": ["starboard_leg_1", "port_leg_1"], "depth_first_by_name": ["mast_1", "mast_2"],
             "breadth_first_by_name": ["mast_1", "port_leg_1"]}
    for order, names in first.items():
        listed = joint_names(humanoid, order)
        assert listed[:2] == names and len(set(listed)) == 29
        assert np.array_equal(torsor.joint_order(humanoid, listed), torsor.joint_order(humanoid, order))


def test_lists_are_addresses_in_the_models_arrays(zoo):
    # qpos: free 0-6, ball 7-10, slide 11; qvel: 0-5, 6-8, 9
    assert torsor.joint_order(zoo, "depth_first").tolist() == [1, 2]
    assert torsor.joint_order(zoo, "depth_first", free_joints=True).tolist() == [0, 1, 2]
    assert torsor.qpos_order(zoo, ["rail", "socket"]).tolist() == [11, 7, 8, 9, 10]
    assert torsor.dof_order(zoo, ["rail", "socket"]).tolist() == [9, 6, 7, 8]
    assert torsor.dof_order(zoo, "declared", free_joints=True).tolist() == list(range(10))
    assert torsor.qpos_permutation(zoo, "depth_first", ["rail", "socket"]).tolist() == [4, 0, 1, 2, 3]
    assert torsor.dof_permutation(zoo, "depth_first", ["rail", "socket"]).tolist() == [3, 0, 1, 2]


def test_bodies_come_with_the_world_when_asked_for(zoo):
    # ball: arm: slider; handle
    assert torsor.body_order(zoo, "breadth_first").tolist() == [1, 4, 2, 3]
    assert torsor.body_order(zoo, "breadth_first", world=True).tolist() == [0, 1, 4, 2, 3]
    assert torsor.body_permutation(zoo, "depth_first", "breadth_first").tolist() == [0, 3, 1, 2]
    assert torsor.body_permutation(zoo, "depth_first", ["slider", "arm", "handle", "ball"]).tolist() == [2, 1, 3, 0]


def test_actuators_follow_the_joints_that_they_drive(model):
    for joints in (["elbow", "shoulder", "elbow"], [1, 0, 1]):
        assert torsor.actuator_permutation(model, joints, "declared", "depth_first").tolist() == [1, 0, 2]
        assert torsor.actuator_permutation(model, joints, "depth_first", "declared").tolist() == [1, 0, 2]
        assert torsor.actuator_permutation(model, joints, "declared", ["elbow", "shoulder"]).tolist() == [0, 2, 1]
    assert torsor.actuator_permutation(model, [], "declared", "depth_first").shape == (0,)


def test_compositions_and_inverses_equal_indexing():
    rng = np.random.default_rng(4)
    for size in range(8):
        a, b, values = rng.permutation(size), rng.permutation(size), rng.normal(size=size)
        assert np.array_equal(values[a][b], values[torsor.compose_permutations(a, b)])
        assert np.array_equal(values[a][torsor.inverse_permutation(a)], values)


def test_names_that_do_not_match_are_listed(model):
    with pytest.raises(torsor.Error) as caught:
        torsor.joint_permutation(model, "depth_first", ["shoulder", "elbows"])
    assert str(caught.value) == ("the names do not match; only in the source: elbow (nearest: elbows); only in the "
                                 "target: elbows (nearest: elbow)")
    with pytest.raises(torsor.Error, match="only in the source: elbow$"):
        torsor.joint_order(model, ["shoulder"])
    with pytest.raises(torsor.Error, match="target: duplicate names: elbow"):
        torsor.joint_order(model, ["elbow", "elbow"])
    with pytest.raises(torsor.Error, match="only in the target: b"):
        torsor.name_permutation(["a"], ["a", "b"])


def test_bad_orders_are_errors(model, zoo):
    with pytest.raises(torsor.Error, match=r"unknown order 'breath_first' \(did you mean 'breadth_first'\?\)"):
        torsor.joint_order(model, "breath_first")
    with pytest.raises(torsor.Error, match="not a permutation of 0 to 2; more than once: 1; missing: 2"):
        torsor.inverse_permutation([0, 1, 1])
    with pytest.raises(torsor.Error, match="permutations of 2 and of 1 values"):
        torsor.compose_permutations([1, 0], [0])
    with pytest.raises(torsor.Error, match="actuator 0 drives joint 2, but the model has 2"):
        torsor.actuator_permutation(model, [2], "declared", "depth_first")
    with pytest.raises(torsor.Error, match="actuator 0 drives joint 0, a free joint"):
        torsor.actuator_permutation(zoo, ["float"], "declared", "depth_first")
    with pytest.raises(torsor.Error, match=r"no joint 'elbo' \(did you mean 'elbow'\?\)"):
        torsor.actuator_permutation(model, ["elbo"], "declared", "depth_first")
    for bad in (None, 3, [1, 2]):
        with pytest.raises(TypeError):
            torsor.joint_order(model, bad)
