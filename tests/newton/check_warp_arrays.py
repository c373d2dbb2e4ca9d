"""Warp's kernels, copies and DLPack on the arrays of torsor.newton, without a copy."""

import numpy as np
import pytest
import warp as wp

import torsor
import torsor.newton as newton


@wp.kernel
def get_body_twist(body_qd: wp.array(dtype=wp.spatial_vector), linear: wp.array(dtype=wp.vec3),
                   angular: wp.array(dtype=wp.vec3)):
    body_id = wp.tid()
    twist = body_qd[body_id]
    linear[body_id] = twist[0:3]
    angular[body_id] = twist[3:6]


@wp.kernel
def push(body_f: wp.array(dtype=wp.spatial_vector), body_q: wp.array(dtype=wp.transform), joint_q: wp.array(dtype=float)):
    body_f[wp.tid()] = wp.spatial_vector(wp.vec3(1.0, 2.0, 3.0), wp.vec3(0.0, 0.0, 0.0))
    joint_q[2] = 7.0


def make_model(**options):
    builder = newton.ModelBuilder(gravity=0.0)
    for height in (1.0, 2.0):
        builder.add_body(mass=1, inertia=np.eye(3), xform=wp.transform(wp.vec3(0.0, 0.0, height), wp.quat_identity()))
    return builder.finalize(**options)


def test_the_sample_kernel_of_the_convention_page_reads_twists():
    model = make_model()
    state = model.state()
    state.joint_qd.assign(np.arange(12, dtype=np.float32))
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    linear, angular = wp.zeros(2, dtype=wp.vec3), wp.zeros(2, dtype=wp.vec3)
    wp.launch(get_body_twist, dim=model.body_count, inputs=[state.body_qd, linear, angular])
    np.testing.assert_allclose(linear.numpy(), state.body_qd.numpy()[:, :3])
    np.testing.assert_allclose(angular.numpy(), [[3, 4, 5], [9, 10, 11]])


def test_a_kernel_writes_the_memory_that_the_step_reads():
    model = make_model()
    state, solver = model.state(), newton.solvers.SolverMuJoCo(model)
    memory = state.body_f.ptr
    wp.launch(push, dim=2, inputs=[state.body_f, state.body_q, state.joint_q])
    assert state.body_f.ptr == memory and state.body_f.numpy().ctypes.data == memory
    solver.step(state, state, None, None, 0.5)
    np.testing.assert_allclose(state.body_qd.numpy()[:, :3], [[0.5, 1, 1.5]] * 2, rtol=1e-6)
    assert state.joint_q.numpy()[2] == pytest.approx(7.75)


def test_arrays_have_the_types_and_shapes_of_newton():
    model = make_model()
    state = model.state()
    assert state.body_q.dtype is wp.transform and state.body_q.shape == (2,)
    assert state.body_qd.dtype is wp.spatial_vector and state.joint_q.dtype is wp.float32
    assert model.body_mass.dtype is wp.float32 and model.body_inertia.dtype is wp.mat33 and model.body_com.dtype is wp.vec3
    assert model.joint_child.dtype is wp.int32 and model.joint_X_p.dtype is wp.transform
    assert model.gravity.dtype is wp.vec3 and isinstance(state.joint_qd, wp.array)
    copy = wp.clone(state.body_q)
    wp.copy(state.body_q, copy)
    assert wp.empty_like(model.joint_q).shape == (14,) and type(wp.clone(state.joint_q[7:])) is wp.array


@pytest.mark.parametrize("arrays", ["warp", "numpy"])
def test_other_libraries_share_the_memory(arrays):
    state = make_model(arrays=arrays).state()
    seen = np.from_dlpack(state.joint_qd)
    state.joint_qd.fill_(3.0)
    assert (seen == 3).all() and (state.joint_qd.numpy() == 3).all()
    assert state.joint_qd.__array_interface__["data"][0] == seen.ctypes.data
    view = np.asarray(state.joint_qd)
    view[0] = 5
    assert state.joint_qd.numpy()[0] == 5 == seen[0]


def test_arrays_can_be_indexed_and_assigned():
    state = make_model().state()
    state.joint_q[3] = 0.25
    assert state.joint_q[3] == 0.25 and state.body_q[1][2] == 2
    state.joint_q.zero_()
    assert not state.joint_q.numpy().any()


def test_single_precision_is_only_shown():
    """Steps go on from the numbers in double precision: Warp's arrays give the trajectory of NumPy's."""
    ends = []
    for arrays in ("warp", "numpy"):
        model = make_model(arrays=arrays)
        model.set_gravity((0.1, 0.2, -9.81))
        state, solver = model.state(), newton.solvers.SolverMuJoCo(model)
        for _ in range(100):
            state.body_q, state.joint_qd  # looking changes nothing
            state.clear_forces()
            solver.step(state, state, None, None, 0.001)
        ends.append(np.array(state._core.joint_q))
    np.testing.assert_array_equal(*ends)


def test_edits_of_models_and_contacts_count():
    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    builder.add_shape_sphere(builder.add_body(xform=newton.transform((0, 0, 0.09))), radius=0.1)
    model = builder.finalize()
    contacts, state = model.contacts(), model.state()
    model.collide(state, contacts)
    assert contacts.rigid_contact_count.numpy().tolist() == [1] and contacts.rigid_contact_shape0.shape == (1000,)
    assert contacts.rigid_contact_shape1.numpy()[:2].tolist() == [1, -1]
    solver = newton.solvers.SolverSAP(model)
    contacts.rigid_contact_count.zero_()
    solver.step(state, state, None, contacts, 0.01)
    assert state.joint_qd.numpy()[2] == pytest.approx(-0.0981)
    model.body_mass.assign(model.body_mass.numpy() * 2)
    solver.notify_model_changed(newton.ModelFlags.BODY_INERTIAL_PROPERTIES)
    assert model._core.get_list("body_mass")[0] == pytest.approx(2 * model.body_mass.numpy()[0] / 2)


def test_blocks_of_a_graph_run_directly_on_the_cpu():
    model = make_model()
    state, solver = model.state(), newton.solvers.SolverMuJoCo(model)
    with wp.ScopedCapture() as capture:
        wp.launch(push, dim=2, inputs=[state.body_f, state.body_q, state.joint_q])
        solver.step(state, state, None, None, 0.5)
    assert capture.graph is None and state.joint_q.numpy()[2] > 7
    with pytest.raises(torsor.Error, match="there is no graph"):
        wp.capture_launch(capture.graph)


def test_targets_in_the_layout_of_coordinates():
    builder = newton.ModelBuilder()
    builder.add_body(mass=1, inertia=np.eye(3))
    link = builder.add_link(mass=1, inertia=np.eye(3))
    builder.add_articulation([builder.add_joint_revolute(-1, link, target_ke=100.0, target_kd=10.0)])
    model = builder.finalize()
    control, state, solver = model.control(), model.state(), newton.solvers.SolverMuJoCo(model)
    assert control.joint_target_q.shape == (8,) and model.joint_target_q_start.numpy().tolist() == [0, 7, 8]
    control.joint_target_q.assign(np.arange(8) / 10)
    for _ in range(500):
        solver.step(state, state, control, None, 0.01)
    assert state.joint_q.numpy()[7] == pytest.approx(0.7, abs=1e-3)
