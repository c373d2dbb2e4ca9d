"""Motion under torsor.newton's solvers against laws of mechanics, analytic solutions and MuJoCo itself."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import torsor
import torsor.newton as newton
from newton_support import SOLVERS, body_coms, kinetic_energy, matrix, random_scene, random_transform, run

solvers = pytest.mark.parametrize("solver_class", SOLVERS, ids=lambda each: each.__name__)


def free_body(com=(0.3, -0.2, 0.5), gravity=0.0, xform=None):
    builder = newton.ModelBuilder(gravity=gravity)
    builder.add_body(xform=xform, mass=2.0, com=com, inertia=np.diag([0.3, 0.4, 0.5]))
    return builder.finalize()


@solvers
@pytest.mark.parametrize("through_joint", [False, True])
def test_a_pure_torque_leaves_the_centre_of_mass_at_rest(solver_class, through_joint):
    model = free_body(xform=random_transform(np.random.default_rng(1)))
    state, control = model.state(), model.control()
    start = body_coms(model, state)[0]
    torque = [0, 0, 0, 0.5, -1.0, 2.0]
    if through_joint:
        control.joint_f[:] = torque
    else:
        state.body_f[0] = torque
    after = run(solver_class(model), state, 100, 1e-3, control)
    np.testing.assert_allclose(body_coms(model, after)[0], start, atol=1e-4)
    assert np.linalg.norm(after.body_qd[0, :3]) < 2e-3
    assert np.linalg.norm(after.body_qd[0, 3:]) > 0.3


@solvers
def test_the_drift_under_a_torque_vanishes_with_the_step(solver_class):
    # the coordinate is the body's origin, so an explicit step bends its circle by O(dt); no force may remain
    model = free_body()
    drifts = []
    for steps in (50, 200):
        state = model.state()
        start = body_coms(model, state)[0]
        state.body_f[0, 3:] = [0.5, -1.0, 2.0]
        drifts.append(np.linalg.norm(body_coms(model, run(solver_class(model), state, steps, 0.1 / steps))[0] - start))
    assert drifts[1] < drifts[0] / 3


@solvers
def test_a_free_spin_turns_about_the_centre_of_mass(solver_class):
    model = free_body()
    state = model.state()
    state.joint_qd[3:] = [0.0, 0.0, 3.0]  # about a principal axis
    start = body_coms(model, state)[0]
    after = run(solver_class(model), state, 1000, 1e-4)
    np.testing.assert_allclose(body_coms(model, after)[0], start, atol=1e-4)
    np.testing.assert_allclose(after.body_qd[0, 3:], [0, 0, 3], atol=1e-6)
    assert Rotation.from_quat(after.body_q[0, 3:]).as_rotvec()[2] == pytest.approx(0.3, abs=1e-6)


@solvers
def test_a_force_at_the_centre_of_mass_moves_it_straight(solver_class):
    model = free_body(xform=random_transform(np.random.default_rng(2)))
    state = model.state()
    state.body_f[0] = [1.0, 2.0, -3.0, 0, 0, 0]
    after = run(solver_class(model), state, 1, 1e-3)
    np.testing.assert_allclose(after.body_qd[0], [0.5e-3, 1e-3, -1.5e-3, 0, 0, 0], atol=1e-12)


@solvers
def test_the_power_of_loads_is_the_rate_of_energy(solver_class):
    model, state = random_scene(4)
    model.set_gravity((0, 0, 0))
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    random = np.random.default_rng(0)
    state.body_f[:] = random.normal(size=state.body_f.shape)
    state.body_f[7] = 0  # fixed to the world
    control = model.control()
    for joint in range(model.joint_count):  # hinges and slides: force times velocity
        if model.joint_type[joint] in (newton.JointType.REVOLUTE, newton.JointType.PRISMATIC, newton.JointType.BALL):
            at = slice(model.joint_qd_start[joint], model.joint_qd_start[joint + 1])
            control.joint_f[at] = random.normal(size=at.stop - at.start)
    power = np.sum(state.body_f * state.body_qd) + control.joint_f @ state.joint_qd
    dt = 1e-6
    after = run(solver_class(model), state, 1, dt, control)
    assert (kinetic_energy(model, after) - kinetic_energy(model, state)) / dt == pytest.approx(power, rel=2e-4)


@solvers
def test_momentum_is_kept_without_loads(solver_class):
    model, state = random_scene(5)
    model.set_gravity((0, 0, 0))
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    momentum = model.body_mass[:7] @ state.body_qd[:7, :3]  # of the tree that floats
    errors = []  # of order one: half the step, half the error
    for dt in (1e-5, 5e-6):
        after = run(solver_class(model), state, round(2e-4 / dt), dt)
        errors.append(model.body_mass[:7] @ after.body_qd[:7, :3] - momentum)
    np.testing.assert_allclose(errors[0], 2 * errors[1], rtol=1e-3, atol=1e-12)
    assert np.abs(errors[0]).max() < 1e-7 * np.abs(momentum).max()


def pendulum(version=newton.Version.WORLD_AXES):
    """From Newton's guide: a box on a hinge."""
    builder = newton.ModelBuilder()
    link = builder.add_link()
    builder.add_shape_box(link, hx=0.5, hy=0.05, hz=0.05)
    joint = builder.add_joint_revolute(parent=-1, child=link, axis=newton.Axis.Y,
                                       parent_xform=newton.transform((0, 0, 2)),
                                       child_xform=newton.transform((-0.5, 0, 0)))
    builder.add_articulation([joint], key="pendulum")
    return builder.finalize(version=version)


@solvers
def test_a_pendulum_swings_as_its_equation_says(solver_class):
    model = pendulum()
    mass = 1000 * 1 * 0.1 * 0.1
    inertia = mass * (1**2 + 0.1**2) / 12 + mass * 0.25
    after = run(solver_class(model), model.state(), 20000, 5e-5)
    exact = solve_ivp(lambda _, y: [y[1], mass * 9.81 * 0.5 * np.cos(y[0]) / inertia], (0, 1), [0, 0], rtol=1e-10,
                      atol=1e-12).y[:, -1]
    np.testing.assert_allclose([after.joint_q[0], after.joint_qd[0]], exact, atol=2e-3)
    np.testing.assert_allclose(after.body_q[0, :3], [0.5 * np.cos(exact[0]), 0, 2 - 0.5 * np.sin(exact[0])], atol=1e-3)


@solvers
def test_a_distance_joint_keeps_its_range(solver_class):
    builder = newton.ModelBuilder()
    body = builder.add_link(xform=newton.transform((0.4, 0, 2)), mass=1, inertia=np.eye(3) * 0.01)
    joint = builder.add_joint_distance(-1, body, parent_xform=newton.transform((0, 0, 2)),
                                       child_xform=newton.transform((0.1, 0, 0)), min_distance=0.3, max_distance=1.0)
    builder.add_articulation([joint])
    model = builder.finalize()
    solver, state, other = solver_class(model), model.state(), model.state()
    state.joint_qd[:3] = [-3.0, 0.0, 0.0]  # first in, then down
    distances = []
    for _ in range(3000):
        solver.step(state, other, None, None, 1e-3)
        state, other = other, state
        distances.append(np.linalg.norm(newton.transform_point(state.body_q[0], (0.1, 0, 0)) - [0, 0, 2]))
    assert 0.29 < min(distances) < 0.31 and 0.99 < max(distances) < 1.01


def test_a_distance_joint_between_two_bodies_pulls_both():
    builder = newton.ModelBuilder(gravity=0)
    first = builder.add_body(mass=1, inertia=np.eye(3) * 0.01)
    second = builder.add_link(xform=newton.transform((0.9, 0, 0)), mass=1, inertia=np.eye(3) * 0.01)
    builder.add_articulation([builder.add_joint_distance(first, second, max_distance=1.0)])
    model = builder.finalize()
    state = model.state()
    state.joint_qd[6:9] = [1, 0, 0]  # away from each other
    after = run(newton.solvers.SolverMuJoCo(model), state, 1000, 1e-3)
    assert np.linalg.norm(after.body_q[1, :3] - after.body_q[0, :3]) < 1.01
    np.testing.assert_allclose(after.body_qd[0, 0] + after.body_qd[1, 0], 1.0, atol=1e-6)
    assert after.body_qd[0, 0] > 0.2


@solvers
def test_a_d6_joint_moves_along_its_axes_only(solver_class):
    builder = newton.ModelBuilder(gravity=0)
    link = builder.add_link(mass=2, inertia=np.eye(3))
    axes = [builder.JointDofConfig(axis=(1, 0, 0)), builder.JointDofConfig(axis=(1, 1, 0))]  # not at right angles
    anchor = newton.transform((1, 2, 3), newton.quat_rpy(0.2, -0.7, 0.4))
    builder.add_articulation([builder.add_joint_d6(-1, link, linear_axes=axes, parent_xform=anchor)])
    model = builder.finalize()
    state, force = model.state(), np.array([3.0, -1.0, 2.0])
    state.body_f[0, :3] = force
    after = run(solver_class(model), state, 1, 1e-3)
    normal = newton.quat_rotate(anchor[3:], (0, 0, 1))
    np.testing.assert_allclose(after.body_qd[0, :3], 1e-3 / 2 * (force - normal * (normal @ force)), atol=1e-9)
    np.testing.assert_allclose(after.body_qd[0, 3:], 0, atol=1e-12)


@solvers
def test_a_universal_joint_turns_as_two_hinges_do(solver_class):
    """A d6 joint with two angular axes, against a chain of two hinges with next to nothing between them."""
    ends = []
    for chain in (False, True):
        builder = newton.ModelBuilder()
        link = builder.add_link(mass=1, com=(0.3, 0.1, -0.4), inertia=np.diag([0.1, 0.2, 0.25]))
        first, second = (builder.JointDofConfig(axis=axis) for axis in ((1, 0, 0), (0, 0.6, 0.8)))
        if chain:
            between = builder.add_link(mass=1e-9, inertia=np.eye(3) * 1e-9)
            joints = [builder.add_joint_revolute(-1, between, axis=first),
                      builder.add_joint_revolute(between, link, axis=second)]
        else:
            joints = [builder.add_joint_d6(-1, link, angular_axes=[first, second])]
        builder.add_articulation(joints)
        model = builder.finalize()
        state = model.state()
        state.joint_qd[:] = [1.0, -0.5]
        ends.append(run(solver_class(model), state, 200, 1e-3))
    np.testing.assert_allclose(ends[0].joint_q, ends[1].joint_q, atol=1e-6)


@pytest.mark.parametrize(("mode", "force"), [(None, 11.0), ("POSITION", 8.0), ("VELOCITY", 3.0),
                                             ("POSITION_VELOCITY", 11.0), ("EFFORT", 0.0), ("NONE", 0.0)])
def test_modes_say_which_targets_count(mode, force):
    builder = newton.ModelBuilder(gravity=0)
    link = builder.add_link(mass=1, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_prismatic(
        -1, link, axis=newton.Axis.X, target_ke=4.0, target_kd=1.5, target_pos=2.0, target_vel=2.0,
        actuator_mode=None if mode is None else newton.JointTargetMode[mode])])
    model = builder.finalize()
    after = run(newton.solvers.SolverMuJoCo(model, integrator="euler"), model.state(), 1, 1e-3)
    assert after.joint_qd[0] == pytest.approx(1e-3 * force, rel=1e-9, abs=1e-15)


def test_drives_pull_to_their_targets_within_their_effort():
    builder = newton.ModelBuilder(gravity=0)
    link = builder.add_link(mass=1, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_revolute(-1, link, axis=newton.Axis.Z, target_ke=100, target_kd=20,
                                                         effort_limit=2.0)])
    model = builder.finalize()
    solver, control = newton.solvers.SolverMuJoCo(model), model.control()
    control.joint_target_pos[0] = 0.5
    after = run(solver, model.state(), 1, 1e-3, control)
    assert after.joint_qd[0] == pytest.approx(2e-3, rel=1e-6)  # the effort's limit, over one step
    after = run(solver, after, 5000, 1e-3, control)
    assert after.joint_q[0] == pytest.approx(0.5, abs=1e-4)
    control.joint_target_pos[:] = 0
    control.joint_target[0] = 0.25  # the older name of the same array
    assert run(solver, after, 5000, 1e-3, control).joint_q[0] == pytest.approx(0.25, abs=1e-4)


def test_a_velocity_drive_reaches_its_speed():
    builder = newton.ModelBuilder(gravity=0)
    link = builder.add_link(mass=1, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_prismatic(-1, link, axis=newton.Axis.X, target_kd=10, target_vel=0.7)])
    model = builder.finalize()
    after = run(newton.solvers.SolverMuJoCo(model), model.state(), 3000, 1e-3)
    assert after.joint_qd[0] == pytest.approx(0.7, abs=1e-6)


def test_a_ball_joint_is_driven_to_an_orientation():
    builder = newton.ModelBuilder(gravity=0)
    link = builder.add_link(mass=1, inertia=np.diag([1, 2, 3]))
    joint = builder.add_joint_ball(-1, link, parent_xform=random_transform(np.random.default_rng(3)),
                                   child_xform=newton.transform((0, 0, 0), newton.quat_rpy(0.4, 0.1, 0.9)))
    builder.add_articulation([joint])
    for i in range(3):
        builder.joint_target_ke[i], builder.joint_target_kd[i] = 200.0, 60.0
    model = builder.finalize()
    control, target = model.control(), np.array([0.3, -0.2, 0.4])
    control.joint_target_pos[:] = target
    after = run(newton.solvers.SolverMuJoCo(model), model.state(), 8000, 1e-3, control)
    np.testing.assert_allclose(Rotation.from_quat(after.joint_q).as_rotvec(), target, atol=1e-4)


def test_limits_push_back_with_their_stiffness():
    builder = newton.ModelBuilder()
    link = builder.add_link(mass=2, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_prismatic(-1, link, axis=newton.Axis.Z, limit_lower=-0.1, limit_ke=5e3,
                                                          limit_kd=200)])
    model = builder.finalize()
    after = run(newton.solvers.SolverMuJoCo(model), model.state(), 10000, 1e-3)
    depth = 2 * 9.81 / 5e3
    assert after.joint_q[0] == pytest.approx(-0.1 - depth, rel=0.02)
    solver = newton.solvers.SolverSAP(model)
    after = run(solver, model.state(), 10000, 1e-3)
    assert after.joint_q[0] == pytest.approx(-0.1 - depth, rel=1e-6)


@pytest.mark.parametrize("given", [{}, {"limit_ke": 1e4, "limit_kd": 10.0}, {"limit_ke": 0.0, "limit_kd": 0.0}])
def test_sap_has_rigid_limits_where_nobody_chose_a_stiffness(given):
    """A thousand kilograms on Newton's default of 1e4 N/m would hang a metre low."""
    builder = newton.ModelBuilder()
    link = builder.add_link(mass=1000, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_prismatic(-1, link, axis=newton.Axis.Z, limit_lower=-0.1, **given)])
    model = builder.finalize()
    after = run(newton.solvers.SolverSAP(model), model.state(), 2000, 1e-3)
    assert after.joint_q[0] == pytest.approx(-0.1, abs=1e-4)


def test_a_distance_gives_way_by_its_stiffness_under_sap():
    builder = newton.ModelBuilder()
    link = builder.add_link(xform=newton.transform((0, 0, -0.2)), mass=2, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_distance(-1, link, max_distance=0.5)])
    builder.joint_limit_ke[0], builder.joint_limit_kd[0] = 400.0, 40.0
    model = builder.finalize()
    after = run(newton.solvers.SolverSAP(model), model.state(), 10000, 1e-3)
    assert after.body_q[0][2] == pytest.approx(-0.5 - 2 * 9.81 / 400, rel=1e-6)


def test_joint_forces_add_up():
    builder = newton.ModelBuilder(gravity=0)
    link = builder.add_link(mass=2, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_prismatic(-1, link, axis=newton.Axis.Z)])
    model = builder.finalize()
    control = model.control()
    control.joint_f[0], control.joint_act[0] = 3.0, 1.0
    assert run(newton.solvers.SolverMuJoCo(model), model.state(), 1, 0.01, control).joint_qd[0] == pytest.approx(0.02)


@pytest.mark.parametrize("kind", ["revolute", "fixed", "ball"])
def test_a_joint_that_closes_a_loop_holds(kind):
    builder = newton.ModelBuilder()
    links, joints = [], []
    for i in range(3):
        link = builder.add_link()
        builder.add_shape_box(link, hx=0.5, hy=0.05, hz=0.05)
        parent = newton.transform((0, 0, 3)) if i == 0 else newton.transform((0.5, 0, 0))
        joints.append(builder.add_joint_revolute(links[-1] if links else -1, link, parent_xform=parent,
                                                 child_xform=newton.transform((-0.5, 0, 0)), axis=newton.Axis.Y))
        links.append(link)
    builder.add_articulation(joints)
    anchor = newton.transform((3, 0, 3)) if kind == "fixed" else newton.transform((2.2, 0, 3))
    arguments = dict(parent_xform=anchor, child_xform=newton.transform((0.5, 0, 0)))
    if kind == "revolute":
        builder.add_joint_revolute(-1, links[2], axis=newton.Axis.Y, **arguments)
    else:
        getattr(builder, f"add_joint_{kind}")(-1, links[2], **arguments)
    if kind != "fixed":  # a trapezium: down, along, up
        angle = np.arccos(0.6)
        builder.joint_q[:3] = [angle, -angle, -angle]
    model = builder.finalize()
    after = run(newton.solvers.SolverMuJoCo(model), model.state(), 500, 1e-3)
    end = newton.transform_point(after.body_q[2], (0.5, 0, 0))
    np.testing.assert_allclose(end, anchor[:3], atol=2e-3)
    if kind == "fixed":
        np.testing.assert_allclose(matrix(after.body_q[2])[:3, :3], np.eye(3), atol=1e-2)


def test_a_hinge_that_closes_a_loop_leaves_one_turn():
    builder = newton.ModelBuilder(gravity=0)
    link = builder.add_link(mass=1, inertia=np.eye(3) * 0.1)
    anchors = dict(parent_xform=newton.transform((1, 2, 3), newton.quat_rpy(0.3, -0.4, 0.5)),
                   child_xform=newton.transform((0.1, 0.2, 0.3), newton.quat_rpy(0.3, -0.4, 0.5)))
    builder.add_articulation([builder.add_joint_ball(-1, link, **anchors)])
    builder.add_joint_revolute(-1, link, axis=newton.Axis.Y, **anchors)
    model = builder.finalize()
    hinge = newton.quat_rotate(anchors["parent_xform"][3:], (0, 1, 0))
    across = newton.quat_rotate(anchors["parent_xform"][3:], (1, 0, 0))
    spins = []
    for axis in (hinge, across):
        state = model.state()
        state.body_f[0, 3:] = axis
        spins.append(run(newton.solvers.SolverMuJoCo(model), state, 100, 1e-3).body_qd[0, 3:] @ axis)
    assert spins[0] > 0.1 and abs(spins[1]) < 1e-2


def test_time_steps_may_differ():
    model = pendulum()
    solver = newton.solvers.SolverFeatherstone(model)
    state, time = model.state(), 0.0
    random = np.random.default_rng(0)
    while time < 0.5:
        dt = random.uniform(1e-5, 1e-4)
        solver.step(state, state, None, None, dt)  # in place
        time += dt
    exact = run(solver, model.state(), 10000, time / 10000)
    assert state.joint_q[0] == pytest.approx(exact.joint_q[0], abs=1e-3)


def test_state_in_stays_as_it_was():
    model, state = random_scene(1)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    before = [np.copy(getattr(state, name)) for name in ("joint_q", "joint_qd", "body_q", "body_qd", "body_f")]
    out = model.state()
    newton.solvers.SolverMuJoCo(model).step(state, out, None, None, 0.01)
    for name, values in zip(("joint_q", "joint_qd", "body_q", "body_qd", "body_f"), before, strict=True):
        assert np.array_equal(getattr(state, name), values)
    assert np.abs(out.joint_q - state.joint_q).max() > 1e-4


def test_states_out_agree_with_forward_kinematics():
    model, state = random_scene(2)
    after = run(newton.solvers.SolverMuJoCo(model), state, 3, 1e-3)
    again = model.state()
    newton.eval_fk(model, after.joint_q, after.joint_qd, again)
    np.testing.assert_allclose(after.body_q, again.body_q, atol=1e-12)
    np.testing.assert_allclose(after.body_qd, again.body_qd, atol=1e-10)


def test_both_versions_move_alike():
    ends = []
    for version in newton.Version:
        model, state = random_scene(3, version)
        newton.eval_fk(model, state.joint_q, state.joint_qd, state)
        if version == newton.Version.PARENT_AXES:
            state.body_qd[:] = ends[0][1]  # the same motion, written in the other version
            newton.eval_ik(model, state, state.joint_q, state.joint_qd)
        start = state.body_qd.copy()
        after = run(newton.solvers.SolverMuJoCo(model), state, 10, 1e-3)
        ends.append((after.body_q.copy(), start))
    for first, second in zip(ends[0][0], ends[1][0], strict=True):
        np.testing.assert_allclose(matrix(first), matrix(second), atol=1e-9)


def slide(solver_class, mu_plane, mu_box, angle=0.5):
    """How far a box slides down a slope in two seconds."""
    builder = newton.ModelBuilder()
    turned = newton.quat_from_axis_angle((0, 1, 0), angle)
    normal = newton.quat_rotate(turned, (0, 0, 1))
    builder.add_shape_plane(xform=newton.transform(q=turned), width=0, length=0,
                            cfg=builder.ShapeConfig(mu=mu_plane, ke=1e6, kd=1e4))
    body = builder.add_body(xform=newton.transform(normal * 0.1, turned))
    builder.add_shape_box(body, hx=0.1, hy=0.1, hz=0.1, cfg=builder.ShapeConfig(mu=mu_box, ke=1e6, kd=1e4))
    model = builder.finalize()
    after = run(solver_class(model), model.state(), 400, 0.005, contacts=True)
    return np.linalg.norm(after.body_q[0, :3] - normal * 0.1)


def coulomb(mu, angle=0.5):
    return 0.5 * 2**2 * 9.81 * (np.sin(angle) - mu * np.cos(angle))


touching_solvers = [each for each in SOLVERS if each is not newton.solvers.SolverFeatherstone]


@pytest.mark.parametrize("solver_class", touching_solvers, ids=lambda each: each.__name__)
def test_a_box_on_a_slope_slides_or_sticks_as_coulomb_says(solver_class):
    assert slide(solver_class, 0.3, 0.3) == pytest.approx(coulomb(0.3), rel=0.01)
    assert slide(solver_class, 0.8, 0.8) < 0.02


@pytest.mark.parametrize("solver_class", touching_solvers, ids=lambda each: each.__name__)
def test_friction_of_two_shapes_mixes_as_the_solver_has_it(solver_class):
    harmonic = 2 * 0.2 * 0.6 / (0.2 + 0.6)
    expected = coulomb(harmonic) if solver_class is newton.solvers.SolverSAP else 0.0
    assert slide(solver_class, 0.2, 0.6) == pytest.approx(expected, rel=0.01, abs=0.03)


def test_featherstone_refuses_contacts():
    with pytest.raises(torsor.Error, match="computes no contact forces"):
        slide(newton.solvers.SolverFeatherstone, 0.5, 0.5)


class TestBadInput:
    def test_dt(self):
        model = pendulum()
        for dt in (0.0, -0.01, float("nan")):
            with pytest.raises(torsor.Error, match="positive time"):
                newton.solvers.SolverMuJoCo(model).step(model.state(), model.state(), None, None, dt)

    def test_states_and_controls_of_another_model(self):
        model, other = pendulum(), pendulum()
        solver = newton.solvers.SolverMuJoCo(model)
        with pytest.raises(torsor.Error, match="state_in belongs to another model"):
            solver.step(other.state(), model.state(), None, None, 0.01)
        with pytest.raises(torsor.Error, match="state_out belongs to another model"):
            solver.step(model.state(), other.state(), None, None, 0.01)
        with pytest.raises(torsor.Error, match="control belongs to another model"):
            solver.step(model.state(), model.state(), other.control(), None, 0.01)
        with pytest.raises(torsor.Error, match="same model"):
            model.state().assign(other.state())

    def test_contacts_of_another_model(self):
        model, other = pendulum(), pendulum()
        solver, state = newton.solvers.SolverMuJoCo(model), model.state()
        with pytest.raises(torsor.Error, match="contacts belong to another model"):
            solver.step(state, model.state(), None, other.collide(other.state()), 0.01)

    def test_numbers_that_blow_up_leave_the_output_alone(self):
        model = pendulum()
        state, out = model.state(), model.state()
        state.joint_qd[0] = 1e300
        out.joint_q[0] = 0.25
        with pytest.raises(torsor.Error, match="smaller dt"):
            newton.solvers.SolverMuJoCo(model).step(state, out, None, None, 0.01)
        assert out.joint_q[0] == 0.25
        state.joint_qd[0] = float("nan")
        with pytest.raises(torsor.Error, match="not"):
            newton.solvers.SolverMuJoCo(model).step(state, out, None, None, 0.01)

    def test_quaternions_that_are_none(self):
        model = free_body()
        state = model.state()
        state.joint_q[3:] = [0, 0, 0, 0]
        with pytest.raises(torsor.Error, match="unit|quaternion"):
            newton.solvers.SolverMuJoCo(model).step(state, model.state(), None, None, 0.01)

    def test_solvers_that_are_not_there(self):
        with pytest.raises(torsor.Error, match="SolverVBD is not part of Torsor"):
            newton.solvers.SolverVBD(pendulum())
        with pytest.raises(torsor.Error, match="no artificial damping"):
            newton.solvers.SolverFeatherstone(pendulum(), angular_damping=0.05)
        with pytest.raises(torsor.Error, match="unknown integrator"):
            newton.solvers.SolverMuJoCo(pendulum(), integrator="verlet")
