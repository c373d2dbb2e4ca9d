"""Worlds of torsor.newton as a batch: they move as in one large model, and as each alone."""

import numpy as np
import pytest

import torsor
import torsor.newton as newton



def MuJoCo(model, **options):
    """Solved to the last digit, so that what is left of a difference is none of the tolerance."""
    return newton.solvers.SolverMuJoCo(model, tolerance=1e-15, ls_tolerance=1e-6, iterations=200, **options)


ROBOT = """<mujoco>
  <worldbody>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping="0.1"/><geom type="capsule" size="0.05 0.2"/></body>
    <body name="ball" pos="0.5 0 0.1"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <actuator>
    <general name="muscle" joint="hinge" dyntype="filter" dynprm="0.1" gainprm="3"/>
    <motor name="motor" joint="hinge" gear="0.5"/>
  </actuator>
</mujoco>"""


def robot():
    builder = newton.ModelBuilder()
    builder.add_mjcf(ROBOT)
    box = builder.add_body(xform=newton.transform((1, 0, 0.3)), label="box")
    builder.add_shape_box(box, hx=0.1, hy=0.1, hz=0.1)
    link = builder.add_link(mass=1, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_revolute(-1, link, target_ke=20.0, target_kd=2.0)])
    return builder


def scene(worlds=5, spacing=(0, 0, 0), edit=lambda builder: None):
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    builder.replicate(robot(), worlds, spacing)
    edit(builder)
    return builder.finalize()


def run(model, solver, steps=80):
    """With another input in each world."""
    state, control = model.state(), model.control()
    worlds = model.world_count
    for step in range(steps):
        state.body_f.reshape(worlds, -1, 6)[:, 2, 0] = 5 * np.arange(worlds)
        control.joint_target_pos.reshape(worlds, -1)[:, -1] = 0.1 * np.arange(worlds)
        control.joint_f.reshape(worlds, -1)[:, 0] = 0.02 * np.arange(worlds)
        control.ctrl.reshape(worlds, 2)[:] = np.outer(np.arange(worlds), (0.1, np.sin(0.1 * step)))
        solver.step(state, state, control, None, 0.004)
    return state


def assert_same(a, b, tolerance=1e-7):
    for name in ("joint_q", "joint_qd", "body_q", "body_qd", "act"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=tolerance, err_msg=name)


@pytest.mark.parametrize("spacing", [(0, 0, 0), (3, 2, 0)])
def test_a_batch_moves_as_one_large_model(spacing):
    model = scene(spacing=spacing)
    apart, together = MuJoCo(model), MuJoCo(model, separate_worlds=False)
    assert apart.separates_worlds and not together.separates_worlds
    ends = run(model, apart), run(model, together)
    assert_same(*ends)
    turned = ends[0].joint_q.reshape(5, -1)[:, 0]
    assert len(set(turned.round(6))) == 5 and np.abs(ends[0].act).max() > 0.01  # each has its own inputs


def test_worlds_with_numbers_and_gravity_of_their_own():
    model = scene()
    solver, other = MuJoCo(model), MuJoCo(model, separate_worlds=False)
    model.body_mass.reshape(5, -1)[2] *= 4
    model.shape_material_mu[3] = 0.1
    solver.notify_model_changed(newton.ModelFlags.BODY_INERTIAL_PROPERTIES | newton.ModelFlags.SHAPE_PROPERTIES)
    model.set_gravity((0, 0, -1.62), world=4)
    assert_same(run(model, solver), run(model, other))
    model.set_gravity((0, 0.1, -9.81))
    ends = run(model, solver), run(model, other)
    assert_same(*ends)
    assert solver.separates_worlds
    q = ends[0].joint_qd.reshape(5, -1)
    assert np.abs(q[2] - q[1]).max() > 1e-3


def test_each_world_moves_as_alone():
    many, alone = scene(3), scene(1)
    ends = run(many, MuJoCo(many)), run(alone, MuJoCo(alone))
    np.testing.assert_allclose(ends[0].joint_q[:len(ends[1].joint_q)], ends[1].joint_q, atol=1e-7)
    assert not MuJoCo(alone).separates_worlds


@pytest.mark.parametrize("edit, why", [
    (lambda builder: builder.add_body(mass=1, inertia=np.eye(3)), "a body belongs to no world"),
    (lambda builder: builder.add_world(newton.ModelBuilder()), "different bodies, joints or shapes"),
    (lambda builder: builder.add_shape_collision_filter_pair(0, 1), "filtered across worlds"),
    (lambda builder: (builder.begin_world(), builder.end_world()), "not added as a whole builder")])
def test_what_is_no_batch_is_one_model_or_refused(edit, why):
    model = scene(edit=edit)
    assert not MuJoCo(model).separates_worlds
    with pytest.raises(torsor.Error, match=f"worlds cannot be separated: .*{why}"):
        MuJoCo(model, separate_worlds=True)
    with pytest.raises(torsor.Error, match="does not find contacts itself"):
        MuJoCo(scene(), separate_worlds=True, use_mujoco_contacts=False)


def test_a_step_that_diverges_leaves_the_output_alone():
    model = scene(3)
    solver, state, out = MuJoCo(model), model.state(), model.state()
    state.joint_qd[0] = 1e300
    out.joint_q[0] = 0.25
    with pytest.raises(torsor.Error, match="smaller dt"):
        solver.step(state, out, None, None, 0.01)
    assert out.joint_q[0] == 0.25
    fresh = model.state()
    solver.step(fresh, out, None, None, 0.01)
    expected = model.state()
    MuJoCo(model, separate_worlds=False).step(model.state(), expected, None, None, 0.01)
    assert_same(out, expected)
