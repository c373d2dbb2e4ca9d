"""torsor.sap: many worlds in one call, buffers of float32, and SAP Warp's names of contacts."""

import numpy as np
import pytest

import torsor
import torsor.newton as newton
from torsor import sap

NAMES = ("joint_q", "joint_qd", "body_q", "body_qd")


def blocks():
    """Two boxes that fall on the ground and on each other, and a driven arm that hits them."""
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    for height in (0.12, 0.34):
        body = builder.add_body(xform=newton.transform((0, 0, height)))
        builder.add_shape_box(body, hx=0.1, hy=0.12, hz=0.1)
    arm = builder.add_link()
    builder.add_shape_capsule(arm, radius=0.05, half_height=0.2)
    joint = builder.add_joint_revolute(-1, arm, axis=newton.Axis.Y, parent_xform=newton.transform((0.5, 0, 0.7)),
                                       child_xform=newton.transform((0, 0, 0.3)), target_ke=300, target_kd=10)
    builder.add_articulation([joint])
    return builder.finalize()


BLOCKS = """<mujoco><worldbody><geom type="plane" size="0 0 1"/>
  <body pos="0 0 0.12"><freejoint/><geom type="box" size="0.1 0.12 0.1"/></body>
  <body pos="0 0 0.34"><freejoint/><geom type="box" size="0.1 0.12 0.1"/></body>
  <body pos="0.5 0 0.7"><joint name="arm" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 0 0
    -0.5"/></body>
  </worldbody><actuator><position joint="arm" kp="300" kv="10"/></actuator></mujoco>"""


def solver_of(kind):
    return sap.SapSolver(blocks() if kind == "newton" else torsor.Model.from_xml_string(BLOCKS))


def disturb(state, seed=0):
    random = np.random.default_rng(seed)
    state.joint_qd[...] = random.normal(size=state.joint_qd.shape)
    state.body_f[...] = random.normal(size=state.body_f.shape)


def target(control, values):
    (control.joint_target_pos if control.joint_target_pos.size else control.ctrl)[..., -1] = values


@pytest.mark.parametrize("kind", ["newton", "mjcf"])
@pytest.mark.parametrize("threads", [1, 3])
def test_many_worlds_have_the_bits_of_one(kind, threads):
    count, solver = 5, solver_of(kind)
    many, control = solver.state(worlds=count), solver.control(worlds=count)
    disturb(many)
    target(control, np.linspace(-1, 1, count))
    alone = []
    for world in range(count):
        single = solver_of(kind)
        alone.append((single, single.state(), single.control()))
        for name in ("joint_qd", "body_f"):
            getattr(alone[world][1], name)[...] = getattr(many, name)[world]
        target(alone[world][2], np.linspace(-1, 1, count)[world])
    touched = 0
    for step in range(40):
        found = solver.collide(many, threads=threads)
        touched += sum(contacts.rigid_contact_count for contacts in found)
        solver.step(many, many, control, found, 0.005, threads=threads)
        for world, (single, state, single_control) in enumerate(alone):
            single.step(state, state, single_control, single.collide(state), 0.005)
            for name in NAMES:
                assert (getattr(many, name)[world] == getattr(state, name)).all(), (step, world, name)
    assert touched > 40 * count and solver.converged
    assert np.ptp(many.joint_q[:, -1]) > 0.1


@pytest.mark.parametrize("kind", ["newton", "mjcf"])
def test_some_worlds_step_and_others_stay(kind):
    solver, twin = solver_of(kind), solver_of(kind)
    state, all_of_them = solver.state(worlds=4), twin.state(worlds=4)
    disturb(state), disturb(all_of_them)
    start = state.joint_q.copy()
    solver.step(state, state, None, solver.collide(state, worlds=[3, 1]), [0.01, 0.002], worlds=[3, 1])
    twin.step(all_of_them, all_of_them, None, twin.collide(all_of_them), [0.01, 0.002, 0.01, 0.01])
    assert (state.joint_q[[0, 2]] == start[[0, 2]]).all()
    for name in NAMES:
        assert (getattr(state, name)[[1, 3]] == getattr(all_of_them, name)[[1, 3]]).all()
    assert (state.joint_q[[1, 3]] != start[[1, 3]]).any()


def test_worlds_of_the_builder_have_the_bits_of_one():
    """replicate() makes one model of many worlds: its buffers hold one world after the other."""
    one = newton.ModelBuilder()
    body = one.add_body(xform=newton.transform((0, 0, 0.11)))
    one.add_shape_box(body, hx=0.1, hy=0.12, hz=0.1)
    several = newton.ModelBuilder()
    several.replicate(one, 3)
    for builder in (one, several):
        builder.add_ground_plane()
    single, many = sap.SapSolver(one.finalize()), sap.SapSolver(several.finalize())
    state, states = single.state(), many.state()
    assert states.joint_q.shape == (21,)
    state.joint_qd[:3] = 0.5, 0.1, 0
    states.joint_qd[:] = np.tile(state.joint_qd, 3)
    for _ in range(60):
        single.step(state, state, None, single.collide(state), 0.005)
        many.step(states, states, None, many.collide(states), 0.005)
        assert (states.joint_q.reshape(3, 7) == state.joint_q).all()
    assert abs(state.joint_q[2] - 0.1) < 1e-2 and 0.001 < state.joint_q[0] < 0.1


@pytest.mark.parametrize("worlds", [None, 3])
def test_buffers_of_float32_are_the_steps_of_float64_rounded(worlds):
    solver, twin = solver_of("newton"), solver_of("newton")
    small, control = solver.state(worlds, dtype=np.float32), solver.control(dtype=np.float32)
    disturb(small)
    wide = twin.state(worlds)
    for _ in range(20):
        for name in (*NAMES, "body_f"):
            getattr(wide, name)[...] = getattr(small, name)
        kept = small.joint_q
        solver.step(small, small, control, solver.collide(small), 0.005)
        twin.step(wide, wide, twin.control(), twin.collide(wide), 0.005)
        assert small.joint_q is kept
        for name in NAMES:
            assert getattr(small, name).dtype == np.float32
            assert (getattr(small, name) == getattr(wide, name).astype(np.float32)).all()


def test_buffers_may_differ_in_type_and_start_empty():
    solver = solver_of("newton")
    state, out = solver.state(), sap.SapState(joint_q=np.zeros(15, dtype=np.float32))
    solver.step(state, out, None, None, 0.01)
    assert out.joint_q.dtype == np.float32 and out.joint_qd.shape == (13,)
    assert out.body_q.shape == (3, 7) and out.body_qd.shape == (3, 6)
    other = solver.state()
    other.assign(solver.state())
    with pytest.raises(torsor.Error, match="joint_q has shape"):
        other.assign(sap.SapState())


@pytest.mark.parametrize("kind", ["newton", "mjcf"])
def test_contacts_have_the_names_of_sap_warp(kind):
    solver = solver_of(kind)
    state, out = solver.state(), solver.state()
    state.joint_q[2] = 0.095  # 5 mm deep
    contacts = solver.collide(state)
    assert contacts.has_rigid_contacts and contacts.rigid_contact_count == contacts.count >= 4
    # Newton's gap lists shapes that are near, too: the arm above the ground.
    on_ground = (contacts.rigid_contact_shape0 == 0) & (contacts.rigid_contact_shape1 == 1)
    assert on_ground.sum() == 4
    np.testing.assert_allclose(contacts.rigid_contact_normal[on_ground], [[0, 0, 1]] * 4, atol=1e-12)
    np.testing.assert_allclose(contacts.rigid_contact_point1[on_ground][:, 2], -0.1, atol=1e-12)
    assert (contacts.rigid_contact_margin0 == 0).all() and (contacts.rigid_contact_margin1 == 0).all()
    solver.step(state, out, None, contacts, 0.005)
    assert out.joint_qd[2] > 0
    normals = np.array(contacts.rigid_contact_normal)
    normals[on_ground] *= -1
    contacts.rigid_contact_normal = normals
    solver.step(state, out, None, contacts, 0.005)
    assert out.joint_qd[2] < 0
    contacts.clear()
    assert contacts.rigid_contact_shape0.size == contacts.rigid_contact_margin0.size == 0


def test_contacts_of_newton_are_accepted():
    solver = solver_of("newton")
    state, ours, theirs = solver.model.state(), solver.state(), solver.state()
    state.joint_q[2] = 0.095  # in the ground
    found = solver.model.collide(state)
    shared = sap.sap_state_from_newton(state)
    control = sap.sap_control_from_newton(solver.model.control())
    solver.step(shared, theirs, control, found, 0.005)
    fresh = solver_of("newton")
    fresh_state = fresh.state()
    fresh_state.joint_q[2] = 0.095
    fresh.step(fresh_state, ours, fresh.control(), fresh.collide(fresh_state), 0.005)
    assert (ours.joint_q == theirs.joint_q).all() and found.rigid_contact_count > 0
    assert sap.sap_contacts_from_newton(found).rigid_contact_count == found.rigid_contact_count


def test_callbacks_are_for_a_single_world():
    solver = solver_of("mjcf")
    solver.data.passive = lambda model, data: None
    state = solver.state(worlds=2)
    with pytest.raises(torsor.Error, match="single world"):
        solver.step(state, state, None, None, 0.01)
    solver.data.passive = None
    solver.step(state, state, None, None, 0.01)


def test_models_that_do_not_move_have_empty_buffers():
    builder = newton.ModelBuilder()
    link = builder.add_link()
    builder.add_articulation([builder.add_joint_fixed(-1, link, parent_xform=newton.transform((0, 0, 1)))])
    solver = sap.SapSolver(builder.finalize())
    assert solver.joint_q_start == [0, 0]
    for worlds in (None, 2):
        state = solver.state(worlds)
        solver.step(state, state, solver.control(), None, 0.01)
        assert state.joint_q.size == 0 and (state.body_q[..., 2] == 1).all()
