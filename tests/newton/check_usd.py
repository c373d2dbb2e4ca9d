"""Robots in USD that Newton's wheel ships: masses, poses and limits are those of Newton's own importer."""

import pathlib

import newton
import numpy as np
import pytest
import torsor

FOLDER = pathlib.Path(newton.__file__).parent
ROBOTS = ["examples/assets/ant.usda", "examples/assets/humanoid.usda", "examples/assets/cartpole.usda",
          "examples/assets/cartpole_single_pendulum.usda", "tests/assets/humanoid_mjc.usda", "tests/assets/cartpole_mjc.usda",
          "tests/assets/revolute_articulation.usda", "tests/assets/cube_cylinder.usda"]
PRISMATIC, REVOLUTE = 0, 1


def matrix(w, x, y, z):
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


@pytest.mark.parametrize("robot", ROBOTS)
def test_a_robot_is_the_same(robot):
    theirs = newton.ModelBuilder()
    newton.solvers.SolverMuJoCo.register_custom_attributes(theirs)
    theirs.add_usd(str(FOLDER / robot))
    ours = torsor.usd.load(FOLDER / robot)
    data = torsor.Data(ours)
    if ours.nkey:
        torsor.reset_data_keyframe(ours, data, 0)
    torsor.kinematics(ours, data)
    assert ours.nbody == theirs.body_count + 1
    for index, label in enumerate(theirs.body_label):
        body = ours.body(str(label).rsplit("/", 1)[-1]).id
        np.testing.assert_allclose(ours.body_mass[body], theirs.body_mass[index], rtol=1e-6)
        np.testing.assert_allclose(ours.body_ipos[body], np.array(theirs.body_com[index]), atol=1e-6)
        R = matrix(*ours.body_iquat[body])
        inertia = np.array(theirs.body_inertia[index]).reshape(3, 3)
        np.testing.assert_allclose(R @ np.diag(ours.body_inertia[body]) @ R.T, inertia, atol=2e-6 * np.abs(inertia).max())
        x, y, z, *xyz, w = np.array(theirs.body_q[index])
        np.testing.assert_allclose(data.xpos[body], [x, y, z], atol=5e-5)  # frames of joints have single precision
        np.testing.assert_allclose(data.xmat[body].reshape(3, 3), matrix(w, *xyz), atol=5e-5)
    for index, label in enumerate(theirs.joint_label):
        if int(theirs.joint_type[index]) not in (PRISMATIC, REVOLUTE):
            continue
        joint, dof = ours.joint(str(label).rsplit("/", 1)[-1]).id, theirs.joint_qd_start[index]
        limits = [theirs.joint_limit_lower[dof], theirs.joint_limit_upper[dof]]
        if ours.jnt_limited[joint]:
            np.testing.assert_allclose(ours.jnt_range[joint], limits, rtol=1e-6)
        else:
            assert min(np.abs(limits)) > 1e5
