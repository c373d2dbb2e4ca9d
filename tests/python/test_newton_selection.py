"""ArticulationView: which joints, links and shapes of which worlds it reads and writes."""

import re

import numpy as np
import pytest

import torsor
import torsor.newton as newton

View = newton.selection.ArticulationView


def robot():
    """A floating base with an arm of two links, and a box beside it."""
    builder = newton.ModelBuilder()
    base, upper, lower = (builder.add_link(mass=1.0 + i, inertia=np.eye(3), label=f"robot/{name}")
                          for i, name in enumerate(("base", "upper", "lower")))
    massless = newton.ModelBuilder.ShapeConfig(density=0)
    builder.add_shape_box(upper, hx=0.1, hy=0.1, hz=0.1, label="shell", cfg=massless)
    builder.add_articulation([builder.add_joint_free(base, label="robot/root"),
                              builder.add_joint_revolute(base, upper, label="robot/shoulder", target_ke=10.0),
                              builder.add_joint_revolute(upper, lower, label="robot/elbow", target_ke=20.0)], label="robot")
    builder.add_body(mass=1, inertia=np.eye(3), label="box")
    return builder


@pytest.fixture
def model():
    scene = newton.ModelBuilder()
    scene.replicate(robot(), 3, spacing=(1, 0, 0))
    return scene.finalize()


def test_a_view_names_what_it_shows(model):
    view = View(model, "robot")
    assert (view.count, view.world_count, view.count_per_world) == (3, 3, 1)
    assert view.articulation_ids.tolist() == [[0], [2], [4]]
    assert view.joint_names == ["root", "shoulder", "elbow"] and view.link_names == ["base", "upper", "lower"]
    assert view.joint_labels[2] == "robot/elbow" and view.shape_names == ["shell"]
    assert view.joint_dof_names == [*(f"root:{i}" for i in range(6)), "shoulder", "elbow"]
    assert (view.joint_count, view.joint_dof_count, view.joint_coord_count, view.link_count) == (3, 8, 9, 3)
    assert view.is_floating_base and not view.is_fixed_base and view.root_joint_type == newton.JointType.FREE
    assert view.body_shapes == [[], [0], []]


def test_a_view_reads_the_rows_of_its_worlds(model):
    state = model.state()
    state.joint_q[:] = np.arange(model.joint_coord_count)
    state.body_qd[:] = np.arange(model.body_count)[:, None]
    view = View(model, "robot")
    rows = np.arange(9) + 16 * np.arange(3)[:, None, None]  # 9 coordinates of the robot, 7 of the box
    np.testing.assert_array_equal(view.get_dof_positions(state), rows)
    np.testing.assert_array_equal(view.get_root_transforms(state), rows[:, :, :7])
    np.testing.assert_array_equal(view.get_link_velocities(state)[:, 0, :, 0], [[0, 1, 2], [4, 5, 6], [8, 9, 10]])
    np.testing.assert_array_equal(view.get_attribute("body_mass", model)[:, 0], [[1, 2, 3]] * 3)
    assert view.get_attribute("shape_material_mu", model).shape == (3, 1, 1)
    assert view.get_attribute("joint_type", model).tolist() == [[[4, 1, 1]]] * 3
    arm = View(model, "robot", exclude_joint_types=[newton.JointType.FREE])
    np.testing.assert_array_equal(arm.get_dof_positions(state), rows[:, :, 7:])
    np.testing.assert_array_equal(arm.get_root_transforms(state), rows[:, :, :7])  # of the articulation, whatever is chosen


@pytest.mark.parametrize("chosen", [{"include_joints": "elbow"}, {"include_joints": [2]}, {"include_joints": re.compile("elb.*")},
                                    {"exclude_joints": ["root", "sh*"]}, {"exclude_joints": [0, 1]}])
def test_joints_are_chosen_by_name_pattern_and_place(model, chosen):
    view = View(model, "rob*", **chosen)
    assert view.joint_names == ["elbow"]
    assert view.get_attribute("joint_target_ke", model).tolist() == [[[20]]] * 3


def test_links_are_chosen_by_name(model):
    assert View(model, "robot", include_links="u*").link_names == ["upper"]
    assert View(model, "robot", exclude_links=["base"]).link_names == ["upper", "lower"]


@pytest.mark.parametrize("mask, written", [(None, [0, 1, 2]), ([True, False, True], [0, 2]), ([[False], [True], [False]], [1])])
def test_a_view_writes_only_where_its_mask_says(model, mask, written):
    view, state = View(model, "robot", include_joints=["elbow"]), model.state()
    before = state.joint_q.copy()
    view.set_dof_positions(state, np.array([1.0, 2.0, 3.0]).reshape(3, 1, 1), mask)
    expected = before.copy()
    for world in written:
        expected[16 * world + 8] = world + 1
    np.testing.assert_array_equal(state.joint_q, expected)
    view.set_dof_velocities(state, np.full((3, 1, 1), 5.0), mask)
    assert np.flatnonzero(state.joint_qd).tolist() == [14 * world + 7 for world in written]
    control = model.control()
    view.set_dof_forces(control, 7.0, mask)
    assert np.flatnonzero(control.joint_f).tolist() == [14 * world + 7 for world in written]


def test_roots_move_with_their_links_after_eval_fk(model):
    view, state = View(model, "robot"), model.state()
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    before = state.body_q.copy()
    poses = np.tile(newton.transform((5, 6, 7)), (3, 1, 1))
    mask = [False, True, False]
    view.set_root_transforms(state, poses, mask)
    view.set_root_velocities(state, np.tile([1.0, 0, 0, 0, 0, 0], (3, 1, 1)), mask)
    view.eval_fk(state, mask)
    moved = np.zeros(model.body_count, dtype=bool)
    moved[4:7] = True
    np.testing.assert_array_equal(state.body_q[~moved], before[~moved])
    np.testing.assert_allclose(state.body_q[moved, :3], [[5, 6, 7]] * 3, atol=1e-12)
    np.testing.assert_allclose(state.body_qd[moved, 0], 1)
    assert view.get_model_articulation_mask(mask).tolist() == [0, 0, 1, 0, 0, 0]


def test_the_root_of_a_fixed_base_is_its_place_in_the_model():
    builder = newton.ModelBuilder()
    link = builder.add_link(mass=1, inertia=np.eye(3))
    place = newton.transform((1, 2, 3))
    builder.add_articulation([builder.add_joint_revolute(-1, link, parent_xform=place)], label="arm")
    model = builder.finalize()
    view, state = View(model, "arm"), model.state()
    assert view.get_root_velocities(state) is None and not view.is_floating_base
    np.testing.assert_array_equal(view.get_root_transforms(state), [[place]])
    view.set_root_transforms(model, [[newton.transform((4, 5, 6))]])
    newton.solvers.SolverMuJoCo(model).notify_model_changed(newton.ModelFlags.JOINT_PROPERTIES)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    np.testing.assert_allclose(state.body_q[0, :3], (4, 5, 6), atol=1e-12)


def test_edits_of_a_model_through_a_view_reach_the_chosen_worlds_only(model):
    view = View(model, "robot", include_joints=["shoulder"])
    view.set_attribute("joint_target_ke", model, np.full((3, 1, 1), 500.0), mask=[False, True, False])
    solver, state, control = newton.solvers.SolverMuJoCo(model), model.state(), model.control()
    solver.notify_model_changed(newton.ModelFlags.JOINT_DOF_PROPERTIES)
    model.set_gravity((0, 0, 0))
    View(model, "robot", include_joints=["shoulder"]).set_attribute("joint_target_pos", control, 1.0)
    solver.step(state, state, control, None, 0.01)
    moved = view.get_dof_positions(state).reshape(-1)
    assert moved[0] == pytest.approx(moved[2]) and moved[1] > 10 * moved[0] > 0


def test_unlike_articulations_are_refused(model):
    with pytest.raises(torsor.Error, match="no articulation matches 'cat'"):
        View(model, "cat")
    with pytest.raises(torsor.Error, match="different numbers of joints"):
        View(model, "*")
    with pytest.raises(torsor.Error, match="mask has the shape"):
        View(model, "robot").set_dof_positions(model.state(), 0.0, [True])
    with pytest.raises(torsor.Error, match="of this view has the shape"):
        View(model, "robot").set_dof_positions(model.state(), [1.0, 2.0])
    with pytest.raises(torsor.Error, match="no attribute of joints"):
        View(model, "robot").get_attribute("gravity", model)
