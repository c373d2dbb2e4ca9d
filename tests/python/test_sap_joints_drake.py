"""Distance joints and targets of Newton's builder, stepped by torsor.sap, against Drake's SAP from its wheel."""

import numpy as np
import pytest
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.tree import PdControllerGains, PrismaticJoint, RevoluteJoint

import torsor.newton as newton
from test_sap_drake import Judge
from torsor import sap

H = 0.005
MASSES = 1.0, 0.6


def ball(builder, mass, place, link=False):
    moment = np.eye(3) * 0.4 * mass * 0.1**2
    return (builder.add_link if link else builder.add_body)(mass=mass, inertia=moment, xform=newton.transform(place))


def difference_of_estimates(error):
    """By how much the first velocities (m/s) of the bodies differ where the constraint is as stiff as a step resolves.

    SAP estimates J M^-1 J' = W = 1/m_a + 1/m_b by w, and makes the compliance R = beta^2 / (4 pi^2) w. Drake has both bodies in
    coordinates of their own, so w = W; ours has the second one in coordinates relative to the first, so w = 1/m_b. The step
    that removes half of the error leaves R / (W + R) of the speed that this takes, and bodies share it by their masses.
    """
    near_rigid, wanted = 0.1**2 / (4 * np.pi**2), error / (2 * H)
    left = [wanted * R / (1 + R) for R in (near_rigid, near_rigid * (1 / MASSES[1]) / sum(1 / np.array(MASSES)))]
    return (left[0] - left[1]) * np.array(MASSES[::-1]) / sum(MASSES)


@pytest.mark.parametrize("spring, gap", [
    (None, 0.21), ((500.0, 20.0), 0.21), ((500.0, 2.0), 0.7), ((2000.0, 0.0), 0.7)])
def test_a_distance_joint(spring, gap):
    """Held at 0.2 m from an error of 1 cm, and springs from one of 0.5 m, while the bodies turn about each other.

    Equal bounds are two limits, and each damps from two steps before it is reached.
    """
    places, velocities = ((0, 0, 1), (gap, 0, 1)), ((0, -0.5, 0), (0, 1.0, 0))
    judge = Judge(H)
    bodies = [judge.add_ball(name, mass, 0.001, ()) for name, mass in zip("ab", MASSES, strict=True)]
    k, c = spring or (np.inf, 0.0)
    judge.plant.AddDistanceConstraint(body_A=bodies[0], p_AP=np.zeros(3), body_B=bodies[1], p_BQ=np.zeros(3), distance=0.2,
                                      stiffness=k, damping=c)
    judge.start()
    for body, place, velocity in zip(bodies, places, velocities, strict=True):
        judge.plant.SetFreeBodyPose(judge.context, body, RigidTransform(place))
        judge.plant.SetFreeBodySpatialVelocity(judge.context, body, SpatialVelocity(np.zeros(3), velocity))

    builder = newton.ModelBuilder()
    first, second = ball(builder, MASSES[0], places[0]), ball(builder, MASSES[1], places[1], link=True)
    joint = builder.add_joint_distance(first, second, min_distance=0.2, max_distance=0.2)
    builder.add_articulation([joint])
    if spring:
        axis = builder.joint_qd_start[joint]
        builder.joint_limit_ke[axis], builder.joint_limit_kd[axis] = spring
    solver = sap.SapSolver(builder.finalize(), tolerance=1e-10)
    state = solver.state()
    state.joint_qd[:3], state.joint_qd[6:9] = velocities[0], np.subtract(velocities[1], velocities[0])
    differences, moved = [], 0
    for _ in range(200):
        judge.step()
        solver.step(state, state, None, None, H)
        theirs = [judge.plant.EvalBodySpatialVelocityInWorld(judge.context, body).translational() for body in bodies]
        differences.append(np.abs(state.body_qd[:, :3] - theirs).max(axis=1))
        moved = max(moved, np.abs(theirs)[:, 0].max())
    assert moved > 0.3
    if spring is None:  # what the estimates explain, which dies out with the error, and no more
        np.testing.assert_allclose(differences[0], difference_of_estimates(gap - 0.2), rtol=5e-3)
        assert np.max(differences[1:]) < np.max(differences[0])
        differences = differences[10:]
    assert np.max(differences) < 1e-5


@pytest.mark.parametrize("kp, kd, effort", [(80, 6, 1000), (80, 6, 14), (1e8, 1e5, 1e9)])
def test_targets_of_position_and_velocity(kp, kd, effort):
    """Of a slide that carries a hinge: soft, at the limit of the effort, and stiffer than a step resolves."""
    judge = Judge(H)
    cart, arm = judge.add_ball("cart", 1.3, 0.1, ()), judge.add_ball("arm", 0.4, 0.1, ())
    slide = judge.plant.AddJoint(PrismaticJoint("slide", judge.plant.world_frame(), cart.body_frame(), [0, 0, 1],
                                                -np.inf, np.inf, 0))
    hinge = judge.plant.AddJoint(RevoluteJoint("hinge", cart.body_frame(), arm.body_frame(), [0, 1, 0]))
    for joint in (slide, hinge):
        actuator = judge.plant.AddJointActuator(joint.name(), joint, effort)
        actuator.set_controller_gains(PdControllerGains(p=kp, d=kd))
    judge.start()
    targets = judge.plant.get_desired_state_input_port(slide.model_instance())
    judge.plant.get_actuation_input_port().FixValue(judge.context, [0.0, 0.0])

    builder = newton.ModelBuilder()
    links = [ball(builder, mass, (0, 0, 0), link=True) for mass in (1.3, 0.4)]
    settings = dict(target_ke=kp, target_kd=kd, effort_limit=effort)
    builder.add_articulation([builder.add_joint_prismatic(-1, links[0], axis=newton.Axis.Z, **settings),
                              builder.add_joint_revolute(*links, axis=newton.Axis.Y, **settings)])
    solver = sap.SapSolver(builder.finalize(), tolerance=1e-10)
    state, control, worst = solver.state(), solver.control(), 0
    for step in range(200):
        control.joint_target_pos[:] = 0.4, 0.3 * np.sin(0.03 * step)
        control.joint_target_vel[:] = 0.1, 0.3 * 0.03 / H * np.cos(0.03 * step)
        targets.FixValue(judge.context, [*control.joint_target_pos, *control.joint_target_vel])
        judge.step()
        solver.step(state, state, control, None, H)
        theirs = [slide.get_translation_rate(judge.context), hinge.get_angular_rate(judge.context)]
        worst = max(worst, np.abs(state.joint_qd - theirs).max())
    assert worst < 1e-5 and abs(theirs[1]) > 0.01
