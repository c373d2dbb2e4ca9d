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
