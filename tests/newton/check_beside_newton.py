"""The same script on Newton and on torsor.newton: kinematics, mass matrices, views, meshes, smooth motion."""

import newton as theirs
import numpy as np
import pytest
import warp as wp

import torsor.newton as ours


def transform(random):
    q = random.normal(size=4)
    return wp.transform(wp.vec3(*random.uniform(-0.5, 0.5, 3)), wp.quat(*(q / np.linalg.norm(q))))


def robot(newton, seed=3, base="free", turns=2):
    """One joint of each kind, with random anchors and centres of mass; the last one has `turns` angular axes."""
    random = np.random.default_rng(seed)
    builder = newton.ModelBuilder()
    axis = newton.ModelBuilder.JointDofConfig
    links = [builder.add_link(mass=1.0 + i, inertia=wp.mat33(np.diag([0.3, 0.4, 0.5]).astype(np.float32)),
                              com=wp.vec3(*random.uniform(-0.2, 0.2, 3)), label=f"link{i}") for i in range(5)]
    places = [{"parent_xform": transform(random), "child_xform": transform(random)} for _ in links]
    joints = [builder.add_joint_free(links[0], label="root") if base == "free" else
              builder.add_joint_revolute(-1, links[0], label="root", **places[0])]
    joints.append(builder.add_joint_revolute(links[0], links[1], axis=newton.Axis.Y, label="hinge", **places[1]))
    joints.append(builder.add_joint_prismatic(links[1], links[2], axis=newton.Axis.X, label="slide", **places[2]))
    joints.append(builder.add_joint_ball(links[2], links[3], label="ball", **places[3]))
    joints.append(builder.add_joint_d6(links[3], links[4], linear_axes=[axis(axis=newton.Axis.Z)],
                                       angular_axes=[axis(axis=newton.Axis.X), axis(axis=newton.Axis.Y)][:turns],
                                       label="d6", **places[4]))
    builder.add_articulation(joints, label="robot")
    return builder


def finalize(newton, builder):
    return builder.finalize(version=ours.Version.PARENT_AXES) if newton is ours else builder.finalize(device="cpu")


def state_of(newton, model, seed=5):
    random = np.random.default_rng(seed)
    q = random.uniform(-1, 1, model.joint_coord_count).astype(np.float32)
    starts, kinds = model.joint_q_start.numpy(), model.joint_type.numpy()
    for joint, kind in enumerate(kinds):  # quaternions
        if kind in (int(newton.JointType.FREE), int(newton.JointType.BALL)):
            q[starts[joint + 1] - 4:starts[joint + 1]] /= np.linalg.norm(q[starts[joint + 1] - 4:starts[joint + 1]])
    state = model.state()
    state.joint_q.assign(q)
    state.joint_qd.assign(random.uniform(-1, 1, model.joint_dof_count).astype(np.float32))
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    return state


def both(base="free", turns=2):
    models = [finalize(newton, robot(newton, base=base, turns=turns)) for newton in (theirs, ours)]
    return models, [state_of(newton, model) for newton, model in zip((theirs, ours), models, strict=True)]


@pytest.mark.parametrize("base", ["free", "hinge"])
def test_kinematics_agree(base):
    models, states = both(base)
    np.testing.assert_allclose(states[1].body_q.numpy()[:, :3], states[0].body_q.numpy()[:, :3], atol=2e-5)
    turns = np.abs((states[1].body_q.numpy()[:, 3:] * states[0].body_q.numpy()[:, 3:]).sum(axis=1))
    np.testing.assert_allclose(turns, 1, atol=1e-5)
    np.testing.assert_allclose(states[1].body_qd.numpy(), states[0].body_qd.numpy(), atol=1e-4)


@pytest.mark.parametrize("base", ["free", "hinge"])
def test_mass_matrices_agree(base):
    """Without angular axes of the d6 joint: with linear and angular ones, Newton's matrix is not that of its own body_qd."""
    models, states = both(base, turns=0)
    made = [newton.eval_mass_matrix(model, state)
            for newton, model, state in zip((theirs, ours), models, states, strict=True)]
    made = [np.asarray(each.numpy() if hasattr(each, "numpy") else each) for each in made]
    np.testing.assert_allclose(made[1], made[0], atol=1e-3 * np.abs(made[0]).max())


def test_smooth_motion_agrees():
    """A swinging arm with Featherstone's method, half a second.

    Both take the same first-order steps, so their errors of the method cancel (0.7 mm, from steps of half the size). What is left
    is the single precision of Newton's numbers, which are rounded in each of 500 steps.
    """
    models, _ = both("hinge", turns=0)
    ends = []
    for newton, model in zip((theirs, ours), models, strict=True):
        state, other = model.state(), model.state()
        newton.eval_fk(model, state.joint_q, state.joint_qd, state)
        solver = newton.solvers.SolverFeatherstone(model, angular_damping=0.0)
        for _ in range(500):
            state.clear_forces()
            solver.step(state, other, model.control(), None, 0.001)
            state, other = other, state
        ends.append(state.body_q.numpy()[:, :3])
    moved = np.abs(ends[0] - models[0].body_q.numpy()[:, :3]).max()
    rounding = 500 * np.finfo(np.float32).eps * np.abs(ends[0]).max()
    np.testing.assert_allclose(ends[1], ends[0], atol=rounding)
    assert moved > 0.1 and rounding < 2e-4


def test_views_agree():
    shown = []
    for newton in (theirs, ours):
        scene = newton.ModelBuilder()
        scene.replicate(robot(newton), 3)
        model = finalize(newton, scene)
        state = model.state()
        state.joint_q.assign(np.arange(model.joint_coord_count, dtype=np.float32))
        view = newton.selection.ArticulationView(model, "robot", exclude_joints=["slide"])
        view.set_dof_velocities(state, np.ones((3, 1, view.joint_dof_count), dtype=np.float32), mask=[True, False, True])
        shown.append((view.joint_names, view.link_names, view.joint_dof_names, view.joint_coord_names, view.count,
                      view.get_dof_positions(state).numpy().tolist(), view.get_root_transforms(state).numpy().tolist(),
                      view.get_attribute("body_mass", model).numpy().tolist(), state.joint_qd.numpy().tolist()))
    for mine, wanted in zip(shown[1], shown[0], strict=True):
        assert mine == wanted


@pytest.mark.parametrize("name, sizes", [("box", (0.1, 0.2, 0.3)), ("sphere", (0.5,)), ("capsule", (0.1, 0.3)),
                                         ("cylinder", (0.1, 0.3)), ("cone", (0.2, 0.3)), ("ellipsoid", (0.1, 0.2, 0.3)),
                                         ("arrow", (0.1, 1.0))])
def test_meshes_agree(name, sizes):
    """To single precision, with two differences that are Newton's own.

    It divides the height of a capsule into 32 rows without one at the equator, so that its two halves are not alike: the centre
    of mass is off the middle, where ours is. It sinks the head of an arrow by a thousandth of the height into the shaft.
    """
    mine, wanted = (getattr(newton.Mesh, f"create_{name}")(*sizes) for newton in (ours, theirs))
    sunk = 1e-3 * sizes[1] if name == "arrow" else 0
    corners = [[bound(np.array(mesh.vertices), axis=0) for bound in (np.min, np.max)] for mesh in (mine, wanted)]
    np.testing.assert_allclose(corners[0][0], corners[1][0], atol=1e-6)
    np.testing.assert_allclose(corners[0][1], corners[1][1] + [0, sunk, 0], atol=1e-6)
    if name == "capsule":
        radius, half = sizes
        exact = np.pi * (2 * half * radius**2 + 4 / 3 * radius**3)
        least = np.sin(2 * np.pi / 32) / (2 * np.pi / 32)  # the area of a polygon of 32 sides in its circle
        assert least**2 * exact < wanted.mass < mine.mass < exact
        np.testing.assert_allclose(mine.com, 0, atol=1e-6)
        return
    assert mine.mass == pytest.approx(wanted.mass, rel=1e-5)
    cap = 1.8**2 * 0.18 / 3  # volume of an arrow's head, that of its shaft being 1
    np.testing.assert_allclose(mine.com, np.array(wanted.com) + [0, sunk * cap / (1 + cap), 0], atol=1e-6)
