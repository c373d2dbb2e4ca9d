"""torsor.sap: buffers, order flags, and what is refused."""

import dataclasses
import pathlib
import re

import numpy as np
import pytest

import torsor
import torsor.newton
from torsor import sap

SCENE = """<mujoco><compiler alignfree="false"/><worldbody><geom type="plane" size="3 3 1"/>
  <body name="box" pos="0 0 0.12" euler="10 20 30"><freejoint/><geom type="box" size="0.1 0.08 0.06" pos="0.02 0.01
    0"/></body>
  <body name="arm" pos="1 0 0.5"><joint name="lift" type="slide" axis="0 0 1" damping="1"/><geom size="0.05"/>
    <body pos="0.2 0 0"><joint name="ball" type="ball"/><geom type="capsule" size="0.03 0.1" pos="0 0.1
      0"/></body></body>
  </worldbody><actuator><position joint="lift" kp="100" kv="5"/></actuator></mujoco>"""


@pytest.fixture
def solver():
    return sap.SapSolver(torsor.Model.from_xml_string(SCENE))


def disturbed(solver, seed=0):
    rng = np.random.default_rng(seed)
    state = solver.state()
    state.joint_qd[:] = rng.normal(size=state.joint_qd.shape)
    state.body_f[:] = rng.normal(size=state.body_f.shape)
    control = solver.control()
    control.joint_f[:] = rng.normal(size=control.joint_f.shape)
    control.ctrl[:] = 0.2
    return state, control


def test_raw_buffers_are_in_sap_order_and_those_of_the_solver_public(solver):
    assert (sap.SapState().joint_qd_order, sap.SapState().body_f_order) == ("sap", "sap")
    assert sap.SapControl().joint_f_order == "sap"
    state, control = solver.state(), solver.control()
    assert (state.joint_qd_order, state.body_f_order, control.joint_f_order) == ("public", "public", "public")


def test_results_do_not_depend_on_the_order_of_buffers(solver):
    """The same physics in both orders, converted with the matrices of the boundary."""
    boundary = torsor.SapBoundary(solver.model)
    state, control = disturbed(solver)
    com = np.array(solver.model.body_ipos[1:])
    other = sap.SapState(
        state.joint_q.copy(), boundary.velocities_in(state.joint_q, state.joint_qd, order="public"))
    solver.model.opt.sap_tolerance = 1e-12
    out, out_sap, out_mixed = solver.state(), sap.SapState(), solver.state()
    for _ in range(5):
        other.body_f = boundary.body_forces_in(state.body_q, com, state.body_f, order="public")
        other_control = sap.SapControl(boundary.forces_in(state.joint_q, control.joint_f, order="public"),
                                       ctrl=control.ctrl)
        solver.step(state, out, control, solver.collide(state), 0.004)
        solver.step(other, out_sap, other_control, solver.collide(other), 0.004)
        solver.step(other, out_mixed, other_control, solver.collide(other), 0.004)
        np.testing.assert_allclose(out_sap.joint_q, out.joint_q, atol=1e-11)
        np.testing.assert_allclose(out_mixed.joint_qd, out.joint_qd, atol=1e-9)
        np.testing.assert_allclose(
            out_sap.joint_qd, boundary.velocities_in(out.joint_q, out.joint_qd, order="public"), atol=1e-9)
        assert np.abs(out_sap.joint_qd[:6] - out.joint_qd[:6]).max() > 1e-3
        state.joint_q[:], state.joint_qd[:], state.body_q[:] = out.joint_q, out.joint_qd, out.body_q
        other.joint_q[:], other.joint_qd[:] = out_sap.joint_q, out_sap.joint_qd


def test_a_step_equals_that_of_the_engine(solver):
    """The same forces through qfrc_applied and xfrc_applied of an ordinary simulation."""
    state, control = disturbed(solver, 3)
    model = torsor.Model.from_xml_string(SCENE)
    model.opt.solver, model.opt.timestep = torsor.Solver.SAP, 0.005
    data = torsor.Data(model)
    to_ours = torsor.StateMap(model, "sap.public", "mujoco")
    data.qpos[:] = to_ours.positions(state.joint_q)
    data.qvel[:] = to_ours.velocities(state.joint_q, state.joint_qd)
    data.qfrc_applied[:] = to_ours.forces(state.joint_q, control.joint_f)
    data.xfrc_applied[1:] = state.body_f  # force and torque at the centre of mass, in the world: the public order
    data.ctrl[:] = control.ctrl
    before = dataclasses.replace(state, joint_q=state.joint_q.copy(), joint_qd=state.joint_qd.copy())
    out = solver.state()
    solver.step(state, out, control, solver.collide(state), 0.005)
    torsor.step(model, data)
    np.testing.assert_allclose(to_ours.positions(out.joint_q), data.qpos, atol=1e-12)
    np.testing.assert_allclose(to_ours.velocities(out.joint_q, out.joint_qd), data.qvel, atol=1e-9)
    assert (state.joint_q == before.joint_q).all() and (state.joint_qd == before.joint_qd).all()
    torsor.kinematics(model, data)
    np.testing.assert_allclose(out.body_q[:, :3], data.xpos[1:], atol=1e-12)
    assert solver.converged and solver.data.ncon == data.ncon


def test_a_force_at_the_com_does_not_turn_a_body(solver):
    state, out = solver.state(), solver.state()
    state.body_f[0, :3] = 5, 0, 0
    solver.model.opt.gravity[:] = 0
    solver.step(state, out, None, None, 0.01)
    mass = solver.model.body_mass[1]
    np.testing.assert_allclose(out.joint_qd[:6], [0.05 / mass, 0, 0, 0, 0, 0], atol=1e-12)


def test_without_contacts_nothing_touches(solver):
    state = solver.state()
    state.joint_q[2] = 0.03
    out = solver.state()
    solver.step(state, out, None, None, 0.01)
    assert out.joint_qd[2] == pytest.approx(-0.0981, abs=1e-9)
    solver.step(state, out, None, solver.collide(state), 0.01)
    assert out.joint_qd[2] > 0


def near_ground(solver):
    state = solver.state()
    state.joint_q[2] = 0.03
    return state


def test_a_step_uses_the_contacts_that_it_is_given(solver):
    """Found once, and as they were edited: none left, or with a normal that leans by a tenth."""
    state, out = near_ground(solver), solver.state()
    asked = []
    solver.data.contact_filter = lambda model, data, geom1, geom2: asked.append((geom1, geom2))
    contacts = solver.collide(state)
    found = len(asked)
    assert found > 0 and contacts.count > 0 and (contacts.distance < 0).any()
    solver.step(state, out, None, contacts, 0.01)
    assert len(asked) == found and solver.data.ncon == contacts.count and out.joint_qd[2] > 0
    np.testing.assert_allclose(solver.data.contact.dist, contacts.distance, atol=1e-15)
    leaning = contacts.normal + [0.1, 0, 0]
    contacts.normal = leaning / np.linalg.norm(leaning, axis=1, keepdims=True)
    solver.step(state, out, None, contacts, 0.01)
    np.testing.assert_allclose(solver.data.contact.frame[:, :3], contacts.normal, atol=1e-15)
    contacts.clear()
    solver.step(state, out, None, contacts, 0.01)
    assert out.joint_qd[2] == pytest.approx(-0.0981, abs=1e-9)


def test_points_of_contacts_are_on_both_surfaces(solver):
    """Also where the point of the contact is nearer to the stiffer one."""
    state = near_ground(solver)
    solver.model.geom_sapstiffness[1:] = 1e4
    contacts = solver.collide(state)
    ground, body = contacts.geom0 == 0, solver.model.geom_bodyid[contacts.geom1]
    assert ground.any()
    out = solver.state()
    solver.step(state, out, None, None, 1e-9)  # poses of the state
    pose = out.body_q
    for c in np.flatnonzero(ground):
        x, y, z, w = pose[body[c] - 1, 3:]
        turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        lowest = pose[body[c] - 1, :3] + turn @ contacts.point1[c]
        assert contacts.point0[c, 2] == pytest.approx(0, abs=1e-9)
        assert lowest[2] == pytest.approx(contacts.distance[c], abs=1e-7)


def test_bad_edits_of_contacts_are_refused(solver):
    state, out = near_ground(solver), solver.state()
    contacts = solver.collide(state)
    before = out.joint_q.copy()
    with pytest.raises(ValueError, match="read-only"):
        contacts.normal[0] = 0, 0, 1
    with pytest.raises(ValueError, match="normal"):
        contacts.normal = np.zeros((contacts.count + 1, 3))
    contacts.normal = 2 * contacts.normal
    with refused("unit length"):
        solver.step(state, out, None, contacts, 0.01)
    assert (out.joint_q == before).all()
    solver.step(state, out, None, solver.collide(state), 0.01)
    assert out.joint_qd[2] > 0


def test_a_state_may_be_stepped_in_place(solver):
    state, control = disturbed(solver, 5)
    out = solver.state()
    solver.step(state, out, control, solver.collide(state), 0.003)
    kept = state.joint_q
    solver.step(state, state, control, solver.collide(state), 0.003)
    assert state.joint_q is kept
    np.testing.assert_allclose(state.joint_q, out.joint_q, atol=1e-9)


def refused(word):
    return pytest.raises(torsor.Error, match=word)


def test_what_does_not_fit_is_refused_and_the_result_stays(solver):
    state, control = disturbed(solver)
    contacts, out = solver.collide(state), solver.state()
    before = out.joint_q.copy()
    for dt in (0, -0.01, float("nan"), float("inf")):
        with refused("dt must be positive"):
            solver.step(state, out, control, contacts, dt)
    moved = solver.state()
    moved.joint_q[0] += 1
    with refused("another state"):
        solver.step(moved, out, control, contacts, 0.01)
    other = sap.SapSolver(torsor.Model.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"))
    with refused("another model"):
        solver.step(other.state(), out, control, None, 0.01)
    with refused("another model"):
        solver.step(state, other.state(), control, None, 0.01)
    with refused("another model"):
        solver.step(state, out, other.control(), None, 0.01)
    for name, word in (("joint_q", "joint_q has 3"), ("joint_qd", "joint_qd has 3"), ("body_f", "body_f has 3")):
        with refused(word):
            solver.step(dataclasses.replace(state, **{name: np.zeros(3)}), out, control, None, 0.01)
    for name, word in (("joint_f", "joint_f has 3"), ("ctrl", "ctrl has 3")):
        with refused(word):
            solver.step(state, out, dataclasses.replace(control, **{name: np.zeros(3)}), None, 0.01)
    with refused("public or sap"):
        solver.step(dataclasses.replace(state, joint_qd_order="mixed"), out, control, None, 0.01)
    with refused("state_in"):
        solver.step(dataclasses.replace(state, joint_q=np.full_like(state.joint_q, np.nan)), out, control, None, 0.01)
    assert (out.joint_q == before).all()


def test_the_examples_of_the_module_hold(solver):
    import doctest

    scene = torsor.newton.ModelBuilder()
    scene.add_body(mass=1.0, inertia=np.eye(3))
    names = {"sap": sap, "torsor": torsor, "numpy": np, "model": solver.model, "solver": solver, "scene": scene.finalize()}
    failed, tried = doctest.testmod(sap, extraglobs=names)
    assert failed == 0 and tried > 20


def test_the_page_runs(capsys):
    """docs/sap.md: all examples, of which the first has ten lines."""
    page = pathlib.Path(__file__).parents[2] / "docs" / "sap.md"
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2 and len([line for line in blocks[0].splitlines() if line]) == 10
    names = {}
    exec(compile(blocks[0], str(page), "exec"), names)
    assert abs(names["state"].body_q[0, 2] - 0.1) < 1e-3 and np.abs(names["state"].body_qd).max() < 1e-3
    exec(compile(blocks[1], str(page), "exec"), names)
    assert "[0, 0, 2, 9] [0, 0, 2, 8]" in capsys.readouterr().out
    assert names["worlds"].joint_q.shape == (64, 9) and names["worlds"].body_q.shape == (64, 3, 7)
