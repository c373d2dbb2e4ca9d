"""Contacts that a step is given, and equalities of the builder."""

import numpy as np
import pytest

import torsor
import torsor.newton as newton
from newton_support import SOLVERS, run


def ball_in_the_ground():
    """A ball of 1 m, 1 cm deep, and what it falls to in one step of 10 ms without contact."""
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    body = builder.add_body(xform=newton.transform((0, 0, 0.99)))
    builder.add_shape_sphere(body, radius=1)
    return builder.finalize(), -0.0981


def taking_solvers():
    yield "SolverSAP", newton.solvers.SolverSAP
    for integrator in ("euler", "rk4", "implicitfast"):
        yield integrator, lambda model, integrator=integrator: newton.solvers.SolverMuJoCo(
            model, integrator=integrator, use_mujoco_contacts=False)


@pytest.mark.parametrize("name,make", list(taking_solvers()))
def test_a_step_uses_the_contacts_that_it_is_given(name, make):
    model, falling = ball_in_the_ground()
    solver, state, out = make(model), model.state(), model.state()
    contacts = model.collide(state)
    solver.step(state, out, None, contacts, 0.01)
    assert out.joint_qd[2] > falling + 0.01 and abs(out.joint_qd[0]) < 1e-12
    if name != "SolverSAP":
        own, twin = newton.solvers.SolverMuJoCo(model, integrator=name), model.state()
        own.step(state, twin, None, None, 0.01)
        np.testing.assert_allclose(out.joint_qd, twin.joint_qd, atol=1e-12)
    contacts.rigid_contact_normal = [[0.6, 0, 0.8]]
    solver.step(state, out, None, contacts, 0.01)
    assert out.joint_qd[0] > 1e-3
    contacts.rigid_contact_point0 = [[0, 0, -5.0]]  # too far away to touch
    contacts.rigid_contact_normal = [[0, 0, 1.0]]
    solver.step(state, out, None, contacts, 0.01)
    assert out.joint_qd[2] == pytest.approx(falling, abs=1e-9)
    contacts = model.collide(state)
    contacts.clear()
    solver.step(state, out, None, contacts, 0.01)
    assert out.joint_qd[2] == pytest.approx(falling, abs=1e-9) and contacts.rigid_contact_shape0.size == 0


def linked(constraint, xform=None):
    """Two bricks side by side, tied together and to the world by `constraint`; moved, in another builder."""
    builder = newton.ModelBuilder()
    bodies = [builder.add_body(xform=newton.transform((x, 0, 1))) for x in (0, 0.5)]
    for body in bodies:
        builder.add_shape_box(body, hx=0.1, hy=0.05, hz=0.05)
    constraint(builder, *bodies)
    if xform is None:
        return builder.finalize()
    other = newton.ModelBuilder()
    other.add_builder(builder, xform=xform)
    return other.finalize()


def position(state, body, point):
    return newton.transform_point(state.body_q[body], point)


MOVED = newton.transform((3, -2, 0.5), newton.quat_from_axis_angle((0.6, 0, 0.8), 0.7))


@pytest.mark.parametrize("xform", [None, MOVED], ids=["here", "moved"])
@pytest.mark.parametrize("solver_class,tolerance",
                         [(newton.solvers.SolverMuJoCo, 3e-3), (newton.solvers.SolverSAP, 1e-3)])
def test_equalities_hold_bodies_together_and_to_the_world(solver_class, tolerance, xform):
    here = newton.transform() if xform is None else xform
    end, middle = (0.25, 0, 0), (-0.25, 0, 0)

    def connect(builder, first, second):
        builder.add_equality_constraint_connect(first, second, anchor=end)
        builder.add_equality_constraint_connect(-1, first, anchor=(-0.1, 0, 1), key="nail")

    model = linked(connect, xform)
    after = run(solver_class(model), model.state(), 400, 0.0025)
    np.testing.assert_allclose(position(after, 0, end), position(after, 1, middle), atol=tolerance)
    np.testing.assert_allclose(position(after, 0, (-0.1, 0, 0)), newton.transform_point(here, (-0.1, 0, 1)),
                               atol=tolerance)
    assert np.linalg.norm(after.body_q[1, :3] - newton.transform_point(here, (0.5, 0, 1))) > 0.1  # they swing

    def weld(builder, first, second):
        turned = newton.transform((0.4, 0, 0), newton.quat_from_axis_angle((0, 0, 1), 0.2))
        builder.add_equality_constraint_weld(first, second, relpose=turned)
        builder.add_equality_constraint_weld(-1, first, relpose=newton.transform((0, 0, 1)))

    model = linked(weld, xform)
    after = run(solver_class(model), model.state(), 400, 0.0025)
    np.testing.assert_allclose(after.body_q[0, :3], newton.transform_point(here, (0, 0, 1)), atol=tolerance)
    np.testing.assert_allclose(after.body_q[1, :3], position(after, 0, (0.4, 0, 0)), atol=tolerance)
    expected = newton.quat_multiply(after.body_q[0, 3:], newton.quat_from_axis_angle((0, 0, 1), 0.2))
    assert abs(np.dot(expected, after.body_q[1, 3:])) == pytest.approx(1, abs=1e-3)

    def hang(builder, first, second):  # the other way round: the world as the second body
        builder.add_equality_constraint_weld(first, -1, relpose=newton.transform((0, 0, 0.5)), anchor=(0, 0, 1.5))
        builder.add_equality_constraint_connect(second, -1)

    model = linked(hang, xform)
    model.set_gravity((0, 0, 0))  # under weight a soft weld gives way, the more the longer its lever
    state = model.state()
    state.joint_qd[:] = 0.3
    after = run(solver_class(model), state, 1000, 0.0025)
    np.testing.assert_allclose(after.body_q[0, :3], newton.transform_point(here, (0, 0, 1)), atol=tolerance)
    np.testing.assert_allclose(after.body_q[1, :3], newton.transform_point(here, (0.5, 0, 1)), atol=tolerance)


@pytest.mark.parametrize("solver_class", SOLVERS, ids=lambda each: each.__name__)
def test_a_joint_follows_another_by_a_polynomial(solver_class):
    builder = newton.ModelBuilder(gravity=0)
    links = [builder.add_link(mass=1, inertia=np.eye(3)) for _ in range(3)]
    joints = [builder.add_joint_revolute(-1, link) for link in links]
    for joint in joints:
        builder.add_articulation([joint])
    builder.add_equality_constraint_joint(joints[0], joints[1], polycoef=[0.1, 2, 0.5])
    builder.add_equality_constraint_joint(joints[2], polycoef=[0.3])
    free = builder.add_equality_constraint_joint(joints[2], joints[0], enabled=False)
    assert free == 2
    model = builder.finalize()
    state = model.state()
    state.joint_qd[1] = 0.4
    after = run(solver_class(model), state, 1000, 0.002)
    first, second, third = after.joint_q
    assert abs(second) > 0.05
    assert first == pytest.approx(0.1 + 2 * second + 0.5 * second**2, abs=1e-3)
    assert third == pytest.approx(0.3, abs=1e-3)


def test_bad_equalities_are_refused():
    builder = newton.ModelBuilder()
    body = builder.add_body()
    builder.add_shape_sphere(body, radius=0.1)
    for ask in (lambda: builder.add_equality_constraint_connect(body, 7),
                lambda: builder.add_equality_constraint_connect(body, body),
                lambda: builder.add_equality_constraint_connect(body, -1, anchor=(0, 0, np.nan)),
                lambda: builder.add_equality_constraint_weld(body, -1, torquescale=0),
                lambda: builder.add_equality_constraint_weld(body, -1, relpose=(0, 0, 0, 0, 0, 0, 0)),
                lambda: builder.add_equality_constraint_joint(0, -1),
                lambda: builder.add_equality_constraint_joint(5, -1),
                lambda: builder.add_equality_constraint_joint(0, polycoef=[1] * 6)):
        with pytest.raises(torsor.Error):
            ask()


def test_bad_edits_of_contacts_are_refused():
    model, _ = ball_in_the_ground()
    state, out = model.state(), model.state()
    contacts = model.collide(state)
    with pytest.raises(ValueError, match="read-only"):
        contacts.rigid_contact_normal[0, 2] = 1
    with pytest.raises(ValueError, match="rigid_contact_point0"):
        contacts.rigid_contact_point0 = np.zeros((2, 3))
    contacts.rigid_contact_normal = [[0, 0, np.nan]]
    with pytest.raises(torsor.Error, match="finite"):
        newton.solvers.SolverSAP(model).step(state, out, None, contacts, 0.01)
    assert (out.joint_q == model.state().joint_q).all()
