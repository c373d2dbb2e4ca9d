"""Edited models of torsor.newton: arrays with notify_model_changed(), gravity by world, kinematic bodies, eval_fk()."""

import numpy as np
import pytest

import torsor
import torsor.newton as newton
from newton_support import SOLVERS, most_depth

FLAGS = newton.ModelFlags


def arm(edit=lambda builder: None):
    """A driven arm over the ground with a ball that slides, and the edits of a builder."""
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    upper, lower = (builder.add_link(mass=1.0 + i, inertia=np.diag([0.1, 0.2, 0.25])) for i in range(2))
    joints = [builder.add_joint_revolute(-1, upper, axis=newton.Axis.Y, parent_xform=newton.transform((0, 0, 2)),
                                         target_ke=20.0, target_kd=2.0, limit_lower=-1, limit_upper=0.6),
              builder.add_joint_revolute(upper, lower, axis=newton.Axis.Y, parent_xform=newton.transform((0.5, 0, 0)),
                                         child_xform=newton.transform((-0.5, 0, 0)))]
    builder.add_articulation(joints)
    ball = builder.add_body(xform=newton.transform((0, 3, 0.0999)))
    builder.add_shape_sphere(ball, radius=0.1)
    builder.joint_qd[2] = 2.0
    edit(builder)
    return builder.finalize()


def run(model, solver, steps=60):
    state, contacts = model.state(), model.contacts()
    for _ in range(steps):
        given = None if isinstance(solver, newton.solvers.SolverFeatherstone) else model.collide(state, contacts)
        solver.step(state, state, None, given, 0.005)
    return np.concatenate((state.joint_q, state.joint_qd))


EDITS = {
    "mass": (FLAGS.BODY_INERTIAL_PROPERTIES, "body_mass", lambda a: a * 3),
    "inertia": (FLAGS.BODY_INERTIAL_PROPERTIES, "body_inertia", lambda a: a * 2),
    "centre of mass": (FLAGS.BODY_INERTIAL_PROPERTIES, "body_com", lambda a: a + [[0.1, 0, 0], [0, 0, 0.1], [0, 0, 0]]),
    "friction": (FLAGS.SHAPE_PROPERTIES, "shape_material_mu", lambda a: a * 0.1),
    "size": (FLAGS.SHAPE_PROPERTIES, "shape_scale", lambda a: a * 1.2),
    "gains": (FLAGS.JOINT_DOF_PROPERTIES, "joint_target_ke", lambda a: a * 4 + 1),
    "damping": (FLAGS.JOINT_DOF_FORCE_PROPERTIES, "joint_target_kd", lambda a: a * 4),
    "limits": (FLAGS.JOINT_DOF_FORCE_PROPERTIES, "joint_limit_upper", lambda a: np.minimum(a, 0.1)),
    "armature": (FLAGS.JOINT_DOF_INERTIAL_PROPERTIES, "joint_armature", lambda a: a + [0.5, 0.5, 0, 0, 0, 0, 0, 0]),
    "anchor": (FLAGS.JOINT_PROPERTIES, "joint_X_p", lambda a: a + [[0, 0, 0.5, 0, 0, 0, 0], [0.1, 0, 0, 0, 0, 0, 0], [0] * 7]),
}


@pytest.mark.parametrize("kind", SOLVERS)
@pytest.mark.parametrize("name", EDITS)
def test_an_edited_model_moves_as_one_built_with_these_numbers(kind, name):
    flag, array, change = EDITS[name]
    model = arm()
    solver = kind(model)
    before = run(model, solver)

    def edit(builder):
        values = np.array(getattr(builder, array)).reshape(getattr(model, array).shape)
        setattr(builder, array, change(values).reshape(len(values), -1).tolist() if values.ndim > 1 else change(values))

    built = arm(edit)
    getattr(model, array)[...] = change(np.array(getattr(model, array)))
    np.testing.assert_allclose(run(model, solver), before, atol=1e-9)  # not before it is said
    solver.notify_model_changed(FLAGS.MODEL_PROPERTIES)
    np.testing.assert_allclose(run(model, solver), before, atol=1e-9)  # nor if another group is named
    solver.notify_model_changed(flag)
    expected = run(built, kind(built))
    np.testing.assert_allclose(run(model, solver), expected, atol=1e-7)
    np.testing.assert_allclose(run(model, kind(model)), expected, atol=1e-7)  # a new solver as well
    feels = name not in ("friction", "size") or kind is not newton.solvers.SolverFeatherstone
    assert (np.abs(expected - before).max() > 1e-4) == feels


def test_bad_edits_are_refused_and_change_nothing():
    model = arm()
    solver = newton.solvers.SolverMuJoCo(model)
    before = run(model, solver)
    model.body_mass[0] = -1
    with pytest.raises(torsor.Error, match="body_mass.0. is -1"):
        solver.notify_model_changed()
    model.body_mass[0] = 1
    solver.notify_model_changed()
    np.testing.assert_allclose(run(model, solver), before, atol=1e-9)
    with pytest.raises(ValueError, match="read-only"):
        model.joint_parent[0] = 1


def test_states_and_controls_start_from_the_arrays_of_the_model():
    model = arm()
    model.joint_q[0] = 0.3
    model.joint_target_pos[1] = 0.7
    newton.eval_fk(model, model.joint_q, model.joint_qd, model)
    state, expected = model.state(), model.state()
    newton.eval_fk(model, state.joint_q, state.joint_qd, expected)
    assert state.joint_q[0] == 0.3 and model.control().joint_target_pos[1] == 0.7
    np.testing.assert_allclose(state.body_q, expected.body_q, atol=1e-15)
    assert np.abs(state.body_q[0] - arm().state().body_q[0]).max() > 0.1


def test_masks_and_flags_choose_the_bodies_of_eval_fk():
    model = arm()
    q = model.state().joint_q + 0.1
    q[5:9] = (0, 0, 0, 1)
    for chosen in ({"mask": [False, True]}, {"indices": [1]}):
        state = model.state()
        newton.eval_fk(model, q, model.joint_qd, state, **chosen)
        assert (state.body_q[:2] == model.state().body_q[:2]).all() and state.body_q[2, 0] == pytest.approx(0.1)
        q2, qd2 = np.zeros(9), np.zeros(8)
        newton.eval_ik(model, state, q2, qd2, **chosen)
        assert not q2[:2].any() and q2[2] == pytest.approx(0.1)
    with pytest.raises(torsor.Error, match="a mask or indices, not both"):
        newton.eval_fk(model, q, model.joint_qd, model.state(), mask=[True, True], indices=[0])
    with pytest.raises(torsor.Error, match="mask has 3 entries"):
        newton.eval_fk(model, q, model.joint_qd, model.state(), mask=[True] * 3)


# --- gravity by world ---


def three_worlds():
    one = newton.ModelBuilder()
    body = one.add_body(mass=2.0, inertia=np.eye(3), com=(0.1, 0, 0))
    link = one.add_link(mass=1.0, inertia=np.eye(3))
    one.add_articulation([one.add_joint_revolute(-1, link, axis=newton.Axis.Y, child_xform=newton.transform((0.3, 0, 0)))])
    scene = newton.ModelBuilder()
    scene.replicate(one, 3)
    scene.add_body(mass=1.0, inertia=np.eye(3))
    return scene, body


@pytest.mark.parametrize("kind", SOLVERS)
def test_each_world_has_its_own_gravity(kind):
    """A world with gravity g moves as in a model of its own with gravity g."""
    scene, _ = three_worlds()
    model = scene.finalize()
    vectors = np.array([[0, 0, -9.81], [0, 0, -1.62], [1.0, 2.0, 3.0], [0, 0, 0]])
    assert model.gravity.shape == (4, 3)
    model.set_gravity(vectors)
    ends = run(model, kind(model), 40)
    for world in range(3):
        alone = newton.ModelBuilder(gravity=vectors[world])
        alone.add_body(mass=2.0, inertia=np.eye(3), com=(0.1, 0, 0))
        link = alone.add_link(mass=1.0, inertia=np.eye(3))
        alone.add_articulation([alone.add_joint_revolute(-1, link, axis=newton.Axis.Y,
                                                         child_xform=newton.transform((0.3, 0, 0)))])
        small = alone.finalize()
        expected = run(small, kind(small), 40)
        np.testing.assert_allclose(ends[:model.joint_coord_count][8 * world:8 * world + 8], expected[:8], atol=1e-9)
        np.testing.assert_allclose(ends[model.joint_coord_count:][7 * world:7 * world + 7], expected[8:], atol=1e-9)
    assert not ends[model.joint_coord_count + 21:].any()  # the body of no world has the last one


def test_gravity_of_worlds_comes_from_their_builders_and_may_be_edited():
    moon, scene = newton.ModelBuilder(gravity=-1.62), newton.ModelBuilder()
    moon.add_body(mass=1, inertia=np.eye(3))
    scene.add_world(moon)
    scene.begin_world(gravity=(0, 0, -3.7))
    scene.add_body(mass=1, inertia=np.eye(3))
    scene.end_world()
    model = scene.finalize()
    np.testing.assert_allclose(model.gravity[:, 2], (-1.62, -3.7, -9.81))
    model.set_gravity((0, 0, -5), world=1)
    model.gravity[0] = (0, 0, -2)
    solver = newton.solvers.SolverMuJoCo(model)
    solver.notify_model_changed(FLAGS.MODEL_PROPERTIES)
    state = model.state()
    solver.step(state, state, None, None, 0.1)
    np.testing.assert_allclose(state.joint_qd[[2, 8]], (-0.2, -0.5), rtol=1e-12)
    for bad in ({"gravity": (1, 2)}, {"gravity": np.zeros((5, 3))}, {"gravity": (0, 0, np.nan)}):
        with pytest.raises(torsor.Error, match="gravity"):
            model.set_gravity(**bad)
    with pytest.raises(torsor.Error, match="world 7 does not exist"):
        model.set_gravity((0, 0, 0), world=7)


# --- kinematic bodies ---


def belt(kinematic=True):
    """A box on a plate that slides; returns the model, the plate and the box."""
    builder = newton.ModelBuilder()
    plate = builder.add_link(mass=5.0, inertia=np.eye(3), is_kinematic=kinematic)
    builder.add_shape_box(plate, hx=3, hy=1, hz=0.1, cfg=newton.ModelBuilder.ShapeConfig(density=0))
    builder.add_articulation([builder.add_joint_prismatic(-1, plate, axis=newton.Axis.X)])
    box = builder.add_body(xform=newton.transform((0, 0, 0.2)))
    builder.add_shape_box(box, hx=0.1, hy=0.1, hz=0.1)
    builder.add_ground_plane(height=-0.05)  # the plate is in the ground, which does not matter to it
    return builder.finalize(), plate, box


@pytest.mark.parametrize("name", ["SolverMuJoCo", "SolverSAP", "SolverXPBD"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_kinematic_body_moves_as_prescribed_and_drags_what_lies_on_it(name):
    """The box comes to rest on it: SAP lets its tilt go with a time constant of 0.2 s, and 3 s are 15 of these."""
    model, plate, box = belt()
    solver, state, contacts = getattr(newton.solvers, name)(model), model.state(), model.contacts()
    for step in range(1600):
        state.joint_q[0], state.joint_qd[0] = 0.5 * 0.002 * step, 0.5
        newton.eval_fk(model, state.joint_q, state.joint_qd, state)
        model.collide(state, contacts)
        pairs = set(zip(contacts.rigid_contact_shape0.tolist(), contacts.rigid_contact_shape1.tolist(), strict=True))
        assert not pairs & {(0, 2), (2, 0)}  # the plate and the ground
        solver.step(state, state, None, contacts, 0.002)
        assert state.joint_q[0] == 0.5 * 0.002 * step and state.joint_qd[0] == 0.5  # a step leaves them alone
    np.testing.assert_allclose(state.body_qd[box], [0.5, 0, 0, 0, 0, 0], atol=1e-6)
    # MuJoCo: one contact with impedance d sinks by (1 - d) / d^2 (dmax timeconst)^2 g, and four share the weight
    soft = 0.1 / 0.9**2 * (0.95 * 0.02) ** 2 * 9.81
    rigid = most_depth(model, box, np.sqrt(3) * 0.1, 0.002) / 4
    assert 0 < 0.2 - state.body_q[box, 2] < (soft if name == "SolverMuJoCo" else rigid)
    assert model.body_flags.tolist() == [2, 1]


@pytest.mark.parametrize("kind", SOLVERS)
def test_nothing_moves_a_kinematic_body(kind):
    builder = newton.ModelBuilder()
    body = builder.add_body(mass=1, inertia=np.eye(3), is_kinematic=True)
    child = builder.add_link(mass=1, inertia=np.eye(3))
    root = builder.add_link(mass=1, inertia=np.eye(3), is_kinematic=True)
    builder.add_articulation([builder.add_joint_ball(-1, root), builder.add_joint_revolute(
        root, child, axis=newton.Axis.Y, child_xform=newton.transform((0.5, 0, 0)))])
    model = builder.finalize()
    state, solver = model.state(), kind(model)
    start = state.copy()
    for _ in range(20):
        state.body_f[body], state.body_f[root] = 100.0, 100.0
        solver.step(state, state, None, None, 0.01)
    np.testing.assert_array_equal(state.body_q[[body, root]], start.body_q[[body, root]])
    assert not state.body_qd[[body, root]].any()
    # the child swings as on a fixed body
    fixed = newton.ModelBuilder()
    link = fixed.add_link(mass=1, inertia=np.eye(3))
    fixed.add_articulation([fixed.add_joint_revolute(-1, link, axis=newton.Axis.Y, child_xform=newton.transform((0.5, 0, 0)))])
    small = fixed.finalize()
    expected, other = small.state(), kind(small)
    for _ in range(20):
        other.step(expected, expected, None, None, 0.01)
    np.testing.assert_allclose(state.joint_q[-1], expected.joint_q[0], atol=1e-6)


def test_only_bodies_on_the_world_can_be_kinematic():
    builder = newton.ModelBuilder()
    first, second = (builder.add_link(mass=1, inertia=np.eye(3), is_kinematic=i == 1) for i in range(2))
    builder.add_articulation([builder.add_joint_revolute(-1, first), builder.add_joint_revolute(first, second)])
    with pytest.raises(torsor.Error, match="body 1 .* is kinematic, but its joint is on body 0"):
        builder.finalize()


def test_a_body_may_become_kinematic():
    model, plate, _ = belt(kinematic=False)
    solver = newton.solvers.SolverMuJoCo(model)
    model.body_flags[plate] = int(newton.BodyFlags.KINEMATIC)
    solver.notify_model_changed(FLAGS.BODY_PROPERTIES)
    state = model.state()
    state.joint_qd[0] = 1.0
    solver.step(state, state, None, None, 0.01)
    assert state.joint_q[0] == 0 and state.joint_qd[0] == 1.0
