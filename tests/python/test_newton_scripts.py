"""What scripts that were written for Newton call besides the builder: methods of arrays, other spellings, pipelines."""

import numpy as np
import pytest

import torsor
import torsor.newton as newton


def test_arrays_have_the_methods_that_scripts_for_newton_call():
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    builder.add_shape_sphere(builder.add_body(xform=newton.transform((0, 0, 0.9))), radius=1)
    model = builder.finalize()
    state, contacts = model.state(), model.collide(model.state())
    for array in (state.body_q, state.joint_q, model.control().joint_f, model.body_mass, model.gravity,
                  contacts.rigid_contact_normal, contacts.rigid_contact_shape0):
        assert isinstance(array, np.ndarray) and type(array.numpy()) is np.ndarray
        assert np.shares_memory(array, array.numpy())
    state.joint_qd.assign(np.arange(6))
    assert state.joint_qd.tolist() == [0, 1, 2, 3, 4, 5]
    state.body_f.fill_(2.5)
    assert (state.body_f.numpy() == 2.5).all()
    state.joint_qd.zero_()
    assert not state.joint_qd.any()
    kept = model.state().joint_q  # outlives the state that it is of
    assert kept[2] == 0.9
    with pytest.raises(ValueError, match="read-only"):
        model.joint_child.assign([1])


def test_a_mesh_tells_its_mass_centre_and_inertia():
    """A brick of 2 x 4 x 6 off the origin, by the textbook."""
    corners = np.array([(x, y, z) for x in (0, 2) for y in (1, 5) for z in (-2, 4)], dtype=float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = newton.Mesh(corners, np.array([(a, b, c, a, c, d) for a, b, c, d in faces]).ravel())
    assert mesh.mass == pytest.approx(48) and mesh.I is not None
    np.testing.assert_allclose(mesh.com, [1, 3, 1], atol=1e-12)
    np.testing.assert_allclose(mesh.inertia, 48 / 12 * np.diag([16 + 36, 4 + 36, 4 + 16]), atol=1e-9)


def test_older_and_newer_names_mean_the_same():
    builder = newton.ModelBuilder()
    body = builder.add_body()
    for axes in ({"rx": 0.1, "ry": 0.2, "rz": 0.3}, {"a": 0.1, "b": 0.2, "c": 0.3}):
        assert list(builder.shape_scale[builder.add_shape_ellipsoid(body, **axes)]) == [0.1, 0.2, 0.3]
    assert newton.ModelBuilder.ShapeConfig(thickness=0.01) == newton.ModelBuilder.ShapeConfig(margin=0.01)
    model = builder.finalize()
    assert model.num_envs == model.num_worlds == model.world_count and model.up_vector.tolist() == [0, 0, 1]
    assert newton.ShapeFlags(int(model.shape_flags[0])) & newton.ShapeFlags.COLLIDE_SHAPES
    np.testing.assert_allclose(model.body_inv_mass * model.body_mass, 1)
    np.testing.assert_allclose(model.body_inv_inertia @ model.body_inertia, [np.eye(3)], atol=1e-12)


def test_a_collision_pipeline_finds_what_the_model_finds():
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    builder.add_shape_sphere(builder.add_body(xform=newton.transform((0, 0, 0.9))), radius=1)
    model = builder.finalize()
    pipeline, state = newton.CollisionPipeline(model, broad_phase="sap"), model.state()
    contacts = pipeline.contacts()
    pipeline.collide(state, contacts)
    assert contacts.rigid_contact_count == model.collide(state, collision_pipeline=pipeline).rigid_contact_count == 1
    newton.solvers.SolverSAP(model).step(state, state, model.control(), contacts, 0.01)
    for ask in (model.state, model.control):
        with pytest.raises(torsor.Error, match="gradients are not supported"):
            ask(requires_grad=True)


def test_other_libraries_share_the_memory_of_arrays():
    builder = newton.ModelBuilder()
    builder.add_body(mass=1, inertia=np.eye(3))
    model = builder.finalize()
    state, control = model.state(), model.control()
    for array in (state.joint_qd, state.body_q, control.joint_f, model.body_mass):
        seen = np.from_dlpack(array)
        array.fill_(3.0)
        assert (seen == 3).all() and array.__array_interface__["data"][0] == seen.ctypes.data


def test_empty_states_and_contacts_are_containers():
    model = newton.ModelBuilder().finalize()
    kept = newton.State()
    assert kept.body_q is None and kept.body_count == 0
    kept.body_q = model.state().body_q.copy()
    assert kept.body_q.shape == (0, 7) and isinstance(model.state(), newton.State)
    contacts = newton.Contacts(100, 0, device=model.device, requested_attributes=model.get_requested_contact_attributes())
    assert contacts.rigid_contact_max == 100 and contacts.rigid_contact_count == 0
    model.collide(model.state(), contacts)
    assert contacts.rigid_contact_count == 0 and isinstance(contacts, newton.Contacts)


def test_targets_have_the_layout_of_coordinates_or_of_axes():
    builder = newton.ModelBuilder()
    builder.add_body(mass=1, inertia=np.eye(3))
    link = builder.add_link(mass=1, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_revolute(-1, link, target_ke=100.0, target_kd=10.0)])
    builder.joint_target_q[-1] = 0.4
    assert list(builder.joint_target_pos) == [0] * 6 + [0.4] and len(builder.joint_target_q) == 8
    model = builder.finalize()
    control, state, solver = model.control(), model.state(), newton.solvers.SolverMuJoCo(model)
    assert control.joint_target_q[7] == 0.4 and model.joint_target_q_start.tolist() == [0, 7, 8]
    control.joint_target_q[7] = 0.7
    for _ in range(500):
        solver.step(state, state, control, None, 0.01)
    assert state.joint_q[7] == pytest.approx(0.7, abs=1e-3) and control.joint_target_pos[6] == 0.7
    newton.use_coord_layout_targets = False
    try:
        assert model.control().joint_target_q.shape == (7,)
    finally:
        newton.use_coord_layout_targets = True


def test_labels_get_prefixes_and_worlds_places():
    one = newton.ModelBuilder()
    one.add_body(mass=1, inertia=np.eye(3), label="box")
    scene = newton.ModelBuilder()
    scene.replicate(one, 2, xforms=[newton.transform((i, 0, 0)) for i in range(2)], label_prefixes=["a", "b"])
    model = scene.finalize()
    assert model.body_label == ["a/box", "b/box"] and model.body_q[:, 0].tolist() == [0, 1]
    assert model.body_world_start.tolist() == [0, 1, 2, 2]
    with pytest.raises(torsor.Error, match="custom attributes are not supported: mujoco:x"):
        scene.add_link(custom_attributes={"mujoco:x": 1})


def test_shapes_of_a_fixed_body_do_not_touch_those_of_its_child():
    """The engine's own rule leaves out parents that are fixed to the world; Newton's does not."""
    builder = newton.ModelBuilder()
    base, arm = (builder.add_link(mass=1, inertia=np.eye(3)) for _ in range(2))
    for body in (base, arm):
        builder.add_shape_sphere(body, radius=0.3)
    builder.add_articulation([builder.add_joint_fixed(-1, base), builder.add_joint_ball(base, arm)])
    builder.add_shape_box(-1, hx=0.1, hy=0.1, hz=0.1)
    model = builder.finalize()
    contacts = model.collide(model.state())
    touching = set(zip(contacts.rigid_contact_shape0.tolist(), contacts.rigid_contact_shape1.tolist(), strict=True))
    assert {frozenset(pair) for pair in touching} == {frozenset({1, 2})}
