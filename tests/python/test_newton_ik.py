"""Inverse kinematics with Newton's interface."""

import numpy as np
import pytest

import torsor
import torsor.newton as newton
from torsor.newton import ik


def make_arm(limit=2.5):
    builder, parent, joints = newton.ModelBuilder(), -1, []
    for number, axis in enumerate([(0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]):
        link = builder.add_link(mass=1.0, inertia=np.eye(3))
        joints.append(builder.add_joint_revolute(parent, link, axis=axis, limit_lower=-limit, limit_upper=limit,
                                                 parent_xform=newton.transform((0.3 if number else 0, 0, 0.1))))
        parent = link
    builder.add_articulation(joints)
    return builder.finalize()


def poses(model, rows, body=5):
    found = []
    for row in rows:
        state = model.state()
        newton.eval_fk(model, row, np.zeros(model.joint_dof_count), state)
        found.append(np.array(state.body_q)[body])
    return np.array(found)


def goals(model, targets, offset=(0.1, 0, 0.2)):
    tips = [newton.transform_point(newton.transform(target[:3], target[3:]), offset) for target in targets]
    return [ik.IKObjectivePosition(5, offset, np.array(tips)),
            ik.IKObjectiveRotation(5, newton.quat_identity(), targets[:, 3:])]


def test_a_batch_of_problems_is_solved():
    model, random = make_arm(), np.random.default_rng(2)
    wanted = poses(model, random.uniform(-0.6, 0.6, (40, 6)))
    solver = ik.IKSolver(model, 40, goals(model, wanted), jacobian_mode=ik.IKJacobianType.ANALYTIC)
    q = np.full((40, 6), 0.1)
    solver.step(q, q, iterations=100)
    assert (solver.costs < 1e-16).all()
    np.testing.assert_allclose(poses(model, q)[:, :3], wanted[:, :3], atol=1e-7)


def test_targets_can_be_moved():
    model = make_arm()
    wanted = poses(model, np.array([[0.3, 0.2, -0.4, 0.1, 0.2, 0.3], [0.1, 0.4, 0.2, 0.5, -0.2, 0.3]]))
    position, rotation = goals(model, np.repeat(wanted[:1], 2, axis=0))
    moved_position, moved_rotation = goals(model, wanted)
    position.set_target_position(1, moved_position.target_positions[1])
    rotation.set_target_rotation(1, wanted[1, 3:])
    solver, q = ik.IKSolver(model, 2, [position, rotation]), np.zeros((2, 6))
    solver.step(q, q, iterations=100)
    np.testing.assert_allclose(poses(model, q)[:, :3], wanted[:, :3], atol=1e-7)
    position.set_target_positions(moved_position.target_positions[::-1])
    rotation.set_target_rotations(moved_rotation.target_rotations[::-1])
    solver.step(q, q, iterations=100)
    np.testing.assert_allclose(poses(model, q)[:, :3], wanted[::-1, :3], atol=1e-7)


def test_one_iteration_is_the_damped_least_squares_step():
    model, start = make_arm(), np.array([0.1, 0.2, 0.3, -0.1, 0.2, 0.4])
    objective = ik.IKObjectivePosition(5, (0.1, 0, 0.2), [[0.6, 0.5, 0.3]], weight=2.0)

    def tip(q):
        pose = poses(model, [q])[0]
        return np.asarray(newton.transform_point(newton.transform(pose[:3], pose[3:]), (0.1, 0, 0.2)))

    jacobian = 2 * np.stack([(tip(start + 1e-6 * e) - tip(start - 1e-6 * e)) / 2e-6 for e in np.eye(6)], axis=1)
    residual = 2 * (tip(start) - [0.6, 0.5, 0.3])
    expected = start - 0.5 * np.linalg.solve(jacobian.T @ jacobian + 0.3 * np.eye(6), jacobian.T @ residual)
    optimizer, q = ik.IKOptimizerLM(model, 1, [objective], lambda_initial=0.3), start[None].copy()
    np.testing.assert_allclose(optimizer.compute_costs(q), residual @ residual)
    optimizer.step(q, q, iterations=1, step_size=0.5)
    np.testing.assert_allclose(q[0], expected, atol=1e-8)


def test_limits_hold_axes_back():
    model = make_arm(limit=0.2)
    wanted = poses(model, [np.array([1.0, 0, 0, 0, 0, 0])])
    limits = ik.IKObjectiveJointLimit(model.joint_limit_lower, model.joint_limit_upper, weight=100.0)
    for objectives, most in (([], 2.0), ([limits], 0.2 + 1e-3)):
        q = np.zeros((1, 6))
        ik.IKSolver(model, 1, goals(model, wanted)[:1] + objectives).step(q, q, iterations=100)
        assert 0.2 < abs(q).max() < most


@pytest.mark.parametrize("sampler", ["gauss", "uniform", "roberts"])
def test_several_guesses_are_never_worse_than_the_best(sampler):
    model = make_arm()
    wanted = poses(model, [np.array([2.0, -1.5, 2.0, 1.0, -1.0, 0.5])])
    solver = ik.IKSolver(model, 1, goals(model, wanted), sampler=sampler, n_seeds=24, noise_std=1.0)
    q = np.zeros((1, 6))
    solver.step(q, q, iterations=100)
    assert solver.costs[0] < 1e-12
    again = np.zeros((1, 6))
    solver.reset()
    solver.step(again, again, iterations=100)
    np.testing.assert_array_equal(q, again)


def test_masked_dofs_stay():
    model, q = make_arm(), np.full((1, 6), 0.1)
    mask = np.array([False, True, True, False, True, True])
    ik.IKSolver(model, 1, [ik.IKObjectivePosition(5, (0, 0, 0), [[0.5, 0.5, 0.5]])], joint_dof_mask=mask).step(q, q)
    assert (q[0, ~mask] == 0.1).all() and (q[0, mask] != 0.1).all()


def test_what_is_not_there_is_refused_by_name():
    model, goal = make_arm(), ik.IKObjectivePosition(5, (0, 0, 0), [[0.5, 0.5, 0.5]])
    with pytest.raises(torsor.Error, match="LBFGS"):
        ik.IKSolver(model, 1, [goal], optimizer="lbfgs")
    with pytest.raises(torsor.Error, match="targets"):
        ik.IKSolver(model, 2, [goal]).step(np.zeros((2, 6)), np.zeros((2, 6)))
    with pytest.raises(torsor.Error, match="2 rows of 6"):
        ik.IKSolver(model, 2, [goal]).step(np.zeros((1, 6)), np.zeros((1, 6)))
    with pytest.raises(torsor.Error, match="Mine"):
        class Mine(ik.IKObjective):
            pass
        ik.IKSolver(model, 1, [Mine()]).step(np.zeros((1, 6)), np.zeros((1, 6)))
