"""Contacts of torsor.newton: reused over substeps, found from edited poses, reported with their forces."""

import warnings

import numpy as np
import pytest

import torsor
import torsor.newton as newton

SOLVERS = {"SAP": lambda model: newton.solvers.SolverSAP(model),
           "MuJoCo": lambda model: newton.solvers.SolverMuJoCo(model, use_mujoco_contacts=False)}


def stack(height=0.0):
    """Two boxes on the ground, the upper one turned a little."""
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    for level, angle in enumerate((0.0, 0.3)):
        q = newton.quat_from_axis_angle((0, 0, 1), angle)
        body = builder.add_body(xform=newton.transform((0, 0, height + 0.1 + 0.2 * level), q))
        builder.add_shape_box(body, hx=0.1, hy=0.1, hz=0.1)
    return builder.finalize()


def simulate(model, solver, frames, substeps, collide_always, state=None):
    state = model.state() if state is None else state
    contacts = model.contacts()
    for _ in range(frames):
        for substep in range(substeps):
            if collide_always or substep == 0:
                model.collide(state, contacts)
            solver.step(state, state, None, contacts, 0.002)
    return state


@pytest.mark.parametrize("make", SOLVERS.values(), ids=SOLVERS)
def test_contacts_of_a_frame_hold_resting_bodies_as_contacts_found_anew(make):
    """After settling, one collide() for ten substeps gives the poses of one for each, to a micrometre."""
    model = stack()
    settled = simulate(model, make(model), 30, 10, True)
    ends = [simulate(model, make(model), 20, 10, always, settled.copy()) for always in (True, False)]
    np.testing.assert_allclose(ends[1].body_q, ends[0].body_q, atol=1e-6)
    np.testing.assert_allclose(ends[1].body_qd, ends[0].body_qd, atol=1e-5)
    assert abs(ends[0].body_q[1, 2] - 0.3) < 0.01  # and they have not fallen through


@pytest.mark.parametrize("make", SOLVERS.values(), ids=SOLVERS)
def test_points_follow_their_bodies_and_distances_follow_the_points(make):
    """A box that is pushed away within a frame is released: kept contacts pull nothing."""
    model = stack()
    state, contacts, solver = model.state(), model.contacts(), make(model)
    model.collide(state, contacts)
    assert contacts.rigid_contact_count > 4
    lifted = state.copy()
    lifted.joint_q[[2, 9]] += 0.5
    solver.step(lifted, lifted, None, contacts, 0.001)
    np.testing.assert_allclose(lifted.joint_qd[[2, 8]], -9.81e-3, atol=1e-9)  # free fall


def test_bodies_that_approach_are_listed_before_they_touch():
    """A falling box is caught within a frame of twenty substeps, because contacts are found up to the gap."""
    model = stack(height=0.05)
    state = simulate(model, newton.solvers.SolverSAP(model), 12, 20, False)
    assert state.body_q[0, 2] == pytest.approx(0.1, abs=2e-3)


def test_collide_sees_bodies_where_the_user_has_put_them():
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    builder.rigid_gap = 0.0
    for x in (0, 3):
        builder.add_shape_sphere(builder.add_body(xform=newton.transform((x, 0, 5))), radius=0.5)
    model = builder.finalize()
    state = model.state()
    assert model.collide(state).rigid_contact_count == 0
    state.body_q[1, :3] = (0.2, 0, 5)  # overlaps the first
    contacts = model.collide(state)
    assert contacts.rigid_contact_count == 1
    np.testing.assert_allclose(contacts.rigid_contact_normal, [[1, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(contacts.rigid_contact_point1, [[-0.5, 0, 0]], atol=1e-12)
    state.body_q[1, :3] = (3, 0, 0.4)
    assert model.collide(state).rigid_contact_shape0.tolist() == [0]
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)  # now they are where the joints say
    assert model.collide(state).rigid_contact_count == 0
    state.joint_q[9] = 0.4
    assert model.collide(state).rigid_contact_count == 1
    elsewhere = state.joint_q.copy()
    elsewhere[9] = 5
    newton.eval_fk(model, elsewhere, state.joint_qd, state)  # bodies at other coordinates than those of the state
    assert model.collide(state).rigid_contact_count == 0


@pytest.mark.parametrize("name", ["SolverXPBD", "SolverSemiImplicit"])
def test_solvers_of_maximal_coordinates_start_from_edited_bodies(name):
    builder = newton.ModelBuilder(gravity=0.0)
    first = builder.add_body(mass=1, inertia=np.eye(3))
    link = builder.add_link(mass=1, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_revolute(-1, link, axis=newton.Axis.Z)])
    model = builder.finalize()
    with pytest.warns(newton.solvers.StandInWarning, match=f"{name} is a name here"):
        solver = getattr(newton.solvers, name)(model)
    state = model.state()
    state.joint_q[7], state.joint_qd[6] = 7.0, 0.5  # more than a turn
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    state.body_q[first, :3], state.body_qd[first, 0] = (1, 2, 3), 2.0
    solver.step(state, state, None, None, 0.1)
    np.testing.assert_allclose(state.body_q[first, :3], (1.2, 2, 3), atol=1e-9)
    np.testing.assert_allclose(state.joint_q[:3], (1.2, 2, 3), atol=1e-9)
    assert state.joint_q[7] == pytest.approx(7.05)  # joints whose bodies were not edited keep their turns


def test_xpbd_is_rigid_whatever_the_stiffness_of_shapes():
    def depth(name):
        builder = newton.ModelBuilder()
        builder.default_shape_cfg.ke, builder.default_shape_cfg.kd = 1e3, 1e2
        builder.add_ground_plane()
        builder.add_shape_sphere(builder.add_body(xform=newton.transform((0, 0, 0.1))), radius=0.1)
        model = builder.finalize()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            state = simulate(model, getattr(newton.solvers, name)(model), 100, 5, False)
        return 0.1 - state.body_q[0, 2]

    # SAP's near-rigid contact at rest, (dt + tau) R m g dt: R = beta^2 / (4 pi^2) w with beta = 0.1, w a third of the norm of
    # J M^-1 J' = diag(1, 7/2, 7/2) / m for a ball, and tau one step
    rigid = (0.002 + 0.002) * 0.01 / (4 * np.pi**2) * np.linalg.norm([1, 3.5, 3.5]) / 3 * 9.81 * 0.002
    assert depth("SolverXPBD") == pytest.approx(rigid, rel=1e-2)
    weight = 1000 * 4 / 3 * np.pi * 1e-3 * 9.81
    assert depth("SolverSemiImplicit") == pytest.approx(weight / 500, rel=1e-2)  # two springs in series


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("dt", [0.0005, 0.002, 0.01])
def test_xpbd_stops_a_falling_ball_where_it_touches(dt):
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    builder.add_shape_sphere(builder.add_body(xform=newton.transform((0, 0, 2))), radius=0.1)
    model = builder.finalize()
    solver, state, contacts, heights = newton.solvers.SolverXPBD(model), model.state(), model.contacts(), []
    for _ in range(round(1 / dt)):
        solver.step(state, state, None, model.collide(state, contacts), dt)
        heights.append(state.body_q[0, 2] - 0.1)
    landed = round(np.sqrt(2 * 1.9 / 9.81) / dt) + 2
    # it arrives at 6 m/s, of which the compliance R leaves the part R / (W + R), W = 1 / m, for a step
    R = 0.01 * np.linalg.norm([1, 3.5, 3.5]) / 3 / (4 * np.pi**2)
    left = np.sqrt(2 * 9.81 * 1.9) * R / (1 + R)
    assert min(heights) > -dt * left
    # the next step takes back half of the depth: it leaves the ground with half of that speed at most
    assert max(heights[landed:]) < (left / 2) ** 2 / (2 * 9.81) and abs(state.body_qd[0, 2]) < 1e-6


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_xpbd_parts_what_overlaps_at_a_walking_pace():
    builder = newton.ModelBuilder(gravity=0.0)
    builder.add_ground_plane()
    builder.add_shape_sphere(builder.add_body(xform=newton.transform((0, 0, 0.05))), radius=0.1)
    model = builder.finalize()
    state = simulate(model, newton.solvers.SolverXPBD(model), 1, 1, False)
    sideways = 1 + 2.5 * (0.075 / 0.1) ** 2  # at the contact point, in the middle of the overlap
    W, R = 1, 0.01 * np.linalg.norm([1, sideways, sideways]) / 3 / (4 * np.pi**2)
    assert state.body_qd[0, 2] == pytest.approx(W / (W + R), rel=1e-5)


@pytest.mark.parametrize("own", [True, False])
def test_observables_hold_the_force_on_the_first_shape_of_each_contact(own):
    model = stack()
    solver = newton.solvers.SolverMuJoCo(model, use_mujoco_contacts=own)
    contacts, state = model.contacts(), simulate(model, SOLVERS["MuJoCo"](model), 50, 5, True)
    watched = solver.observables({solver.ObservableKind.CONTACT_F}, contacts)
    model.collide(state, contacts)
    solver.step(state, state, None, contacts, 0.002, observables=watched)
    count = contacts.rigid_contact_count
    on_ground = contacts.rigid_contact_shape0 == 0
    weight = model.body_mass.sum() * 9.81
    np.testing.assert_allclose(watched.contact_f[:count][on_ground, :3].sum(axis=0), (0, 0, -weight), atol=1e-2 * weight)
    assert not watched.contact_f[count:].any()
    model.request_contact_attributes("force")
    solver.step(state, state, None, contacts, 0.002)
    assert contacts.force[on_ground[:len(contacts.force)]][:, 2].sum() > 0.9 * weight


def test_bad_requests_are_refused():
    model = stack()
    solver, contacts = newton.solvers.SolverSAP(model), model.contacts()
    with pytest.raises(torsor.Error, match="no observable 'body_qdd'"):
        solver.observables({"body_qdd"}, contacts)
    with pytest.raises(torsor.Error, match="needs the contacts"):
        solver.observables({"contact_f"})
    with pytest.raises(torsor.Error, match="contacts belong to another model"):
        solver.step(model.state(), model.state(), None, stack().contacts(), 0.01)
    with pytest.raises(torsor.Error, match="State is empty"):
        solver.step(newton.State(), model.state(), None, None, 0.01)


def test_room_for_contacts():
    model = stack()
    assert newton.solvers.SolverMuJoCo(model, nconmax=30).get_max_contact_count() == 30
    assert newton.solvers.SolverMuJoCo(model).get_max_contact_count() >= 1000
    assert newton.CollisionPipeline(model, rigid_contact_max=77).contacts().rigid_contact_max == 77
