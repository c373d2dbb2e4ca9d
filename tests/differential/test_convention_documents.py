"""What the public documents on conventions say that they verified, verified here; and where they err, which sign is right.

The documents: Ptera Software, MuJoCo Conventions; Newton, Conventions; SONIC, Coordinate frames;
MuJoCo, Simulation. Where a test can run in either engine it runs in both.
"""

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import engines
import torsor
from convention_scenes import (
    COM, EVERY_JOINT, FLIGHT, FreeBody, PRINCIPAL_AXES, QUARTER_TURN_ABOUT_Y, close, random_quat, same_rotation, wxyz,
)
from convention_scenes import engine, rng  # noqa: F401 fixtures
from torsor import conventions, rotations

# Ptera Software: a quarter turn about y tells frames apart.


def test_columns_of_xmat_are_the_axes_of_the_body_in_earth_axes(engine):
    body = FreeBody(engine).place(QUARTER_TURN_ABOUT_Y)
    assert close(body.R_WB[:, 0], [0, 0, -1])
    assert close(body.R_WB[:, 1], [0, 1, 0])
    assert close(body.R_WB[:, 2], [1, 0, 0])


def test_the_quaternion_is_the_active_rotation_whose_matrix_is_xmat(engine, rng):
    turn = Rotation.random(random_state=rng)  # carries Earth's axes onto the body's
    body = FreeBody(engine).place(wxyz(turn))
    assert close(body.R_WB, turn.as_matrix())
    assert same_rotation(conventions.convert_rotation(wxyz(turn), FLIGHT, "ptera"), wxyz(turn))
    vector_B = rng.normal(size=3)
    assert close(body.R_WB @ vector_B, rotations.rotate(wxyz(turn), vector_B, order="wxyz"))


def test_an_angular_velocity_about_the_bodys_x_turns_a_turned_body_about_earths_minus_z(engine):
    body = FreeBody(engine, com=(0, 0, 0)).place(QUARTER_TURN_ABOUT_Y, qvel=[0, 0, 0, 1, 0, 0])
    before = Rotation.from_matrix(body.R_WB)
    assert close(body.velocity()[:3], [0, 0, -1])
    engine.step(body.model, body.data)
    engine.forward(body.model, body.data)
    turned = (Rotation.from_matrix(body.R_WB) * before.inv()).as_rotvec() / 0.001
    assert np.allclose(turned, [0, 0, -1], atol=2e-3)  # one step of a body that is not a ball bends a little
    twist = conventions.convert_twist([0, 0, 0, 1, 0, 0], "mujoco", "drake", pose=[0, 0, 0, *QUARTER_TURN_ABOUT_Y])
    assert close(twist[:3], [0, 0, -1])


def test_the_angular_velocity_is_in_degrees_and_xmat_brings_it_into_earth_axes(engine, rng):
    qvel = rng.normal(size=6)
    body = FreeBody(engine, com=(0, 0, 0)).place(random_quat(rng), qvel)
    to = lambda row: conventions.convert_twist(qvel, FLIGHT, f"{row}[twist.order=linear first]", pose=body.data.qpos,
                                               com=(0, 0, 0))
    assert close(to("ptera")[3:], np.rad2deg(qvel[3:]))
    assert close(to("ptera.coupling")[3:], body.R_WB @ qvel[3:])


def test_a_torque_about_earths_x_accelerates_a_turned_ball_about_earths_x(engine, rng):
    body = FreeBody(engine, com=(0, 0, 0), moments=(0.5, 0.5, 0.5))
    for quat in (QUARTER_TURN_ABOUT_Y, random_quat(rng), random_quat(rng)):
        qacc = body.place(quat).acceleration([0, 0, 0, 10, 0, 0])
        assert close(body.R_WB @ qacc[3:], [10 / 0.5, 0, 0])


def test_a_torque_about_earths_x_changes_only_that_angular_momentum_of_any_body(engine, rng):
    body = FreeBody(engine)
    qacc = body.place(random_quat(rng)).acceleration([0, 0, 0, 10, 0, 0])
    axes = body.R_WB @ PRINCIPAL_AXES.as_matrix()
    assert close(axes @ np.diag([0.4, 0.6, 0.7]) @ axes.T @ body.R_WB @ qacc[3:], [10, 0, 0])
    assert np.abs((body.R_WB @ qacc[3:])[1:]).max() > 1e-2  # but it turns about other axes too


def test_a_force_along_earths_x_moves_a_turned_body_along_earths_x(engine, rng):
    body = FreeBody(engine)
    for quat in (QUARTER_TURN_ABOUT_Y, random_quat(rng)):
        body.place(quat).acceleration([5, 0, 0, 0, 0, 0])
        engine.step(body.model, body.data, 10)
        assert close(body.data.qvel, [5 / body.mass * 0.01, 0, 0, 0, 0, 0], 1e-13)


def test_pteras_cg_velocity_holds_only_with_the_com_at_the_origin(engine, rng):
    qvel, quat = rng.normal(size=6), random_quat(rng)
    for com, holds in (((0, 0, 0), True), (COM, False)):
        body = FreeBody(engine, com=com).place(quat, qvel)
        cg_velocity = body.velocity("body")[3:]
        assert close(cg_velocity, qvel[:3]) == holds
        assert close(np.array(body.data.xipos[1]), body.data.qpos[:3]) == holds
        at = dict(pose=body.data.qpos, com=body.com * [1, -1, -1])  # what describes the body is in Torsor's own axes
        twist = conventions.convert_twist(qvel, FLIGHT, "ptera[twist.order=linear first]", **at)
        assert close(twist[:3], cg_velocity)


# Newton: reference points of twists and wrenches.


def test_the_velocity_shift_of_newtons_primer_is_right(engine, rng):
    qvel, quat, tick = rng.normal(size=6), random_quat(rng), 1e-5
    body, places = FreeBody(engine), []
    for sign in (-1, 1):
        later = np.array(engine.integrate_pos(body.model, body.place(quat).data.qpos, qvel, sign * tick))
        places.append(np.array(body.place(later[3:], position=later[:3]).data.xipos[1]))
    r = body.place(quat).R_WB @ COM
    assert np.allclose((places[1] - places[0]) / (2 * tick), qvel[:3] + np.cross(body.R_WB @ qvel[3:], r), atol=1e-9)


def test_the_torque_shift_of_newtons_primer_has_the_wrong_sign(engine, rng):
    force, torque, point = rng.normal(size=(3, 3))
    body = FreeBody(engine).place(random_quat(rng), rng.normal(size=6))
    wanted = body.acceleration(np.concatenate([force, torque]))
    r = point - np.array(body.data.xipos[1])  # from the old reference point, the COM, to the new one
    body.data.xfrc_applied[1] = 0
    for sign, holds in ((-1, True), (+1, False)):  # the primer has +
        moment = torque + sign * np.cross(r, force)
        body.data.qfrc_applied[:] = engine.apply_ft(body.model, body.data, force, moment, point, 1)
        engine.forward(body.model, body.data)
        assert close(body.data.qacc, wanted, 1e-10) == holds


def test_power_decides_the_sign_of_the_torque_shift(rng):
    twist, wrench, pose = rng.normal(size=6), rng.normal(size=6), [*rng.normal(size=3), *random_quat(rng)[[1, 2, 3, 0]]]
    r = -Rotation.from_quat(pose[3:]).apply(COM)  # from the COM to the origin
    at_origin = "newton[twist.point=origin,wrench.point=origin]"
    there_u = conventions.convert_twist(twist, "newton", at_origin, pose=pose, com=COM)
    there_g = conventions.convert_wrench(wrench, "newton", at_origin, pose=pose, com=COM)
    assert there_u @ there_g == pytest.approx(twist @ wrench, abs=1e-12)
    assert close(there_g[3:], wrench[3:] - np.cross(r, wrench[:3]))
    assert not close(there_g[3:], wrench[3:] + np.cross(r, wrench[:3]), 1e-6)  # the primer's, and its power:
    assert there_u @ [*wrench[:3], *(wrench[3:] + np.cross(r, wrench[:3]))] != pytest.approx(twist @ wrench, abs=1e-6)


def test_the_body_to_spatial_map_of_newtons_page_has_the_wrong_sign(engine, rng):
    qvel, quat, tick = rng.normal(size=6), random_quat(rng), 1e-5
    body = FreeBody(engine).place(quat, qvel)
    p, R, w_s, v_o = np.array(body.data.xpos[1]), body.R_WB, body.velocity()[:3], body.velocity()[3:]
    v_b = R.T @ v_o
    # the point of the moving body that is at the world's origin now, a moment before and after
    at_origin_B, places = R.T @ -p, []
    for sign in (-1, 1):
        later = np.array(engine.integrate_pos(body.model, body.data.qpos, qvel, sign * tick))
        places.append(later[:3] + Rotation.from_quat(later[3:], scalar_first=True).apply(at_origin_B))
    v_s = (places[1] - places[0]) / (2 * tick)
    assert np.allclose(v_s, v_o - np.cross(w_s, p), atol=1e-8)  # the page's first formula
    assert np.allclose(v_s, R @ v_b - np.cross(w_s, p), atol=1e-8)
    assert not np.allclose(v_s, R @ v_b + np.cross(w_s, p), atol=1e-2)  # the page's map
    pose = conventions.convert_pose([*p, *quat], "mujoco", "modern_robotics.body")
    twist = conventions.convert_twist([*(R.T @ w_s), *v_b], "modern_robotics.body", "modern_robotics.spatial", pose=pose)
    assert np.allclose(twist, [*w_s, *v_s], atol=1e-8)


def test_the_adjoint_of_the_pose_maps_body_twists_to_spatial_twists(rng):
    p, turn = rng.normal(size=3), Rotation.random(random_state=rng)
    R, zero = turn.as_matrix(), np.zeros((3, 3))
    skew = np.cross(p, np.eye(3)).T
    pose = conventions.convert_pose([*p, *wxyz(turn)], "mujoco", "modern_robotics.body")
    matrix = conventions.twist_matrix("modern_robotics.body", "modern_robotics.spatial", pose=pose)
    assert close(matrix, np.block([[R, zero], [skew @ R, R]]))
    inverse = conventions.twist_matrix("modern_robotics.spatial", "modern_robotics.body", pose=pose)
    assert close(inverse, np.block([[R.T, zero], [-R.T @ skew, R.T]]))


def test_newtons_page_writes_r_in_two_senses(engine, rng):
    qvel = rng.normal(size=6)
    body = FreeBody(engine).place(random_quat(rng), qvel)
    w, v_com = body.velocity("body")[:3], body.velocity("body")[3:]
    from_origin_to_com = body.R_WB @ COM
    assert close(v_com + np.cross(w, -from_origin_to_com), qvel[:3])  # "offset from COM": r ends at the origin
    assert close(v_com - np.cross(w, from_origin_to_com), qvel[:3])  # MuJoCo conversion: r ends at the COM


def test_newtons_conversion_of_mujocos_velocities(engine, rng):
    qvel = rng.normal(size=6)
    body = FreeBody(engine).place(random_quat(rng), qvel)
    at = dict(pose=body.data.qpos, com=COM)
    newton = conventions.convert_twist(qvel, "mujoco", "newton", **at)
    assert close(newton, np.roll(body.velocity("body"), 3))
    body_twist = conventions.convert_twist(qvel, "mujoco", "modern_robotics.body[twist.point=com]", **at)
    assert close(body_twist, np.concatenate([body.R_WB.T @ newton[3:], body.R_WB.T @ newton[:3]]))


def test_a_pure_torque_in_newtons_convention_leaves_the_com_at_rest():
    body = FreeBody(engines.subject())
    body.model.opt.integrator = engines.INTEGRATORS["RK4"]
    body.place(QUARTER_TURN_ABOUT_Y)
    start = np.array(body.data.xipos[1])
    torsor.set_body_wrench(body.model, body.data, "plane", "newton", [0, 0, 0, 2, -1, 3])
    torsor.step(body.model, body.data, 500)
    torsor.forward(body.model, body.data)
    assert np.linalg.norm(body.data.qvel[3:]) > 1
    assert np.linalg.norm(body.data.xipos[1] - start) < 1e-9
    assert np.linalg.norm(body.data.xpos[1] - [1, 2, 3]) > 0.1  # while the origin goes around it


def test_a_free_spin_in_newtons_convention_turns_about_the_com():
    body = FreeBody(engines.subject())
    body.model.opt.integrator = engines.INTEGRATORS["RK4"]
    body.place(QUARTER_TURN_ABOUT_Y)
    from_newton = torsor.StateMap(body.model, "newton", "mujoco")
    newton_pose = conventions.convert_pose(body.data.qpos, "mujoco", "newton")
    body.place(QUARTER_TURN_ABOUT_Y, from_newton.velocities(newton_pose, [0, 0, 0, 3, -2, 4]))
    start = np.array(body.data.xipos[1])
    for _ in range(10):
        torsor.step(body.model, body.data, 50)
        torsor.forward(body.model, body.data)
        assert np.linalg.norm(body.data.xipos[1] - start) < 1e-9
        assert np.linalg.norm(torsor.body_twist(body.model, body.data, "plane", "newton")[:3]) < 1e-9


def test_isaac_quaternions_become_newtons_by_moving_the_scalar_to_the_end(rng):
    isaac = random_quat(rng)
    assert close(conventions.convert_rotation(isaac, "isaaclab2", "newton"), [isaac[1], isaac[2], isaac[3], isaac[0]])
    assert close(conventions.convert_rotation(isaac, "isaacsim", "newton"), isaac[[1, 2, 3, 0]])
    assert close(conventions.convert_rotation(isaac, "isaaclab3", "newton"), isaac)  # since 3.0 there is nothing to do


def test_gravity_points_along_minus_the_up_axis_that_newton_is_given():
    for axes, gravity in (("z-up", [0, 0, -9.81]), ("y-up", [0, -9.81, 0])):
        assert close(conventions.convert_position([0, 0, -9.81], "mujoco", f"newton[axes={axes}]"), gravity)
        assert close(conventions.convert_position([0, 0, -9.81], "mujoco", f"usd.text[length=1,world={axes}]"), gravity)


def test_y_up_and_z_up_are_a_quarter_turn_about_x_apart():
    axes = conventions.convert_position(np.eye(3), "usd.text[length=1]", "usd.text[length=1,world=z-up]").T
    assert close(axes, Rotation.from_euler("x", 90, degrees=True).as_matrix())
    assert np.linalg.det(axes) == pytest.approx(1)


def test_newtons_cone_has_its_com_a_quarter_of_the_height_above_the_base():
    _, com, _ = torsor.shape_mass("cone", {"radius": 0.3, "half_height": 0.8}, "newton")
    assert close(com, [0, 0, -0.8 / 2])
    assert com[2] - -0.8 == pytest.approx(2 * 0.8 / 4)


def test_lengths_of_shapes_are_halves_in_newton_and_whole_in_usd():
    to_usd = lambda kind, parameters: torsor.convert_shape(kind, parameters, "newton", "usd.geom")[0]
    assert to_usd("box", {"hx": 0.5, "hy": 0.5, "hz": 0.5})["size"] == pytest.approx(1)
    assert to_usd("capsule", {"radius": 0.2, "half_height": 0.5})["height"] == pytest.approx(1)  # without the caps
    mujocos = torsor.convert_shape("capsule", {"radius": 0.2, "half_height": 0.5}, "newton", "mujoco")[0]
    assert close(mujocos["size"], [0.2, 0.5])
    volume, _, _ = torsor.shape_mass("capsule", {"radius": 0.2, "half_height": 0.5}, "newton")
    assert volume == pytest.approx(np.pi * 0.2**2 * 1 + 4 / 3 * np.pi * 0.2**3)  # total length 2 (radius + half_height)


# SONIC: orders of quaternions, and the way from y up to z up.


def test_index_lists_between_scalar_first_and_scalar_last(rng):
    first = np.array([random_quat(rng) for _ in range(6)]).reshape(2, 3, 4)
    last = conventions.convert_rotation(first, "sonic", "scipy")
    assert close(last, first[..., [1, 2, 3, 0]])
    assert close(conventions.convert_rotation(last, "scipy", "sonic"), last[..., [3, 0, 1, 2]])


def test_euler_angles_of_a_clip_go_through_scipy_into_scalar_first(rng):
    angles = rng.uniform(-1, 1, (5, 3))
    stored = Rotation.from_euler("xyz", angles).as_quat()[:, [3, 0, 1, 2]]
    ours = rotations.euler_to_quat(angles, order="wxyz", sequence="xyz", spelling="scipy", unit="radians")
    assert all(same_rotation(a, b) for a, b in zip(ours, stored, strict=True))


@pytest.mark.parametrize(("row", "identity"), [("sonic", [1, 0, 0, 0]), ("isaaclab2", [1, 0, 0, 0]), ("scipy", [0, 0, 0, 1]),
                                               ("mujoco", [1, 0, 0, 0]), ("ros", [0, 0, 0, 1])])
def test_the_identity_in_each_system_of_sonics_table(row, identity):
    assert close(conventions.convert_rotation(np.eye(3).ravel(), "modern_robotics.body", row), identity)


def test_from_y_up_to_z_up_is_x_minus_z_y(rng):
    x, y, z = rng.normal(size=3)
    for row in ("smpl", "bvh[length=1]"):
        assert close(conventions.convert_position([x, y, z], row, "sonic"), [x, -z, y])
        assert close(conventions.convert_position([0, -9.81, 0], row, "sonic"), [0, 0, -9.81])


def test_the_order_of_a_quaternion_has_no_default():
    with pytest.raises(TypeError, match="order"):
        rotations.rotate([1, 0, 0, 0], [1, 0, 0])


def test_six_numbers_are_the_first_two_columns_in_either_layout(rng):
    turn = Rotation.random(random_state=rng)
    columns = rotations.quat_to_rot6d(wxyz(turn), order="wxyz", layout="columns")
    interleaved = rotations.quat_to_rot6d(wxyz(turn), order="wxyz", layout="interleaved")
    assert close(columns, turn.as_matrix()[:, :2].T.ravel())
    assert close(interleaved, turn.as_matrix()[:, :2].ravel())
    wrong = rotations.rot6d_to_matrix(columns, layout="interleaved")
    assert np.abs(wrong - turn.as_matrix()).max() > 1e-3


# MuJoCo's chapter.


def test_object_velocity_puts_rotation_first(engine, rng):
    qvel = rng.normal(size=6)
    body = FreeBody(engine).place(random_quat(rng), qvel)
    assert close(body.velocity(), np.concatenate([body.R_WB @ qvel[3:], qvel[:3]]))
    assert not close(body.velocity(), np.concatenate([qvel[:3], body.R_WB @ qvel[3:]]), 1e-3)


def test_a_body_spinning_in_place_has_a_linear_part_in_cvel_and_none_as_an_object(engine):
    two = engine.load_string('<mujoco><worldbody><body><freejoint/><geom size=".1"/>'
                             '<body pos="1 0 0"><joint axis="0 0 1"/><geom size=".1"/></body></body></worldbody></mujoco>')
    data = engine.make_data(two)
    data.qvel[6] = 3
    engine.forward(two, data)
    assert close(engine.object_velocity(two, data, "xbody", 2, False), [0, 0, 3, 0, 0, 0])
    assert close(data.cvel[2], [0, 0, 3, 0, -1.5, 0])  # half a metre from the tree's centre of mass


def test_mul_pose_composes(rng):
    turn1, turn2 = Rotation.random(2, random_state=rng)
    pos1, pos2, point = rng.normal(size=(3, 3))
    pos, quat = np.zeros(3), np.zeros(4)
    mujoco.mju_mulPose(pos, quat, pos1, wxyz(turn1), pos2, wxyz(turn2))
    for result in ((pos, quat), torsor.mul_pose(pos1, wxyz(turn1), pos2, wxyz(turn2))):
        mapped = torsor.trn_vec_pose(*result, point)
        assert close(mapped, pos1 + turn1.apply(pos2 + turn2.apply(point)))  # first pose 2, then pose 1
        assert not close(mapped, pos2 + turn2.apply(pos1 + turn1.apply(point)), 1e-6)
        undone = torsor.trn_vec_pose(*torsor.neg_pose(*result), mapped)
        assert close(undone, point)


def test_csr_row_addresses(engine):
    model = engine.load_string(EVERY_JOINT)
    data = engine.make_data(model)
    engine.forward(model, data)
    address, count = np.array(model.M_rowadr), np.array(model.M_rownnz)
    assert len(set(count.tolist())) > 2  # rows of different lengths tell the two formulas apart
    assert address[0] == 0 and (address[1:] == address[:-1] + count[:-1]).all()
    assert not (address[1:] == address[:-1] + count[1:]).all()  # the chapter's formula
    dense, columns, values = np.array(engine.full_m(model, data)), np.array(model.M_colind), np.array(data.M)
    for row in range(model.nv):
        at = slice(address[row], address[row] + count[row])
        assert close(values[at], dense[row, columns[at]])


def test_the_scalar_of_a_quaternion_is_the_cosine_of_half_the_angle(engine, rng):
    axis, angle = rng.normal(size=3), 1.2
    axis /= np.linalg.norm(axis)
    quat = [np.cos(angle / 2), *(axis * np.sin(angle / 2))]
    assert close(FreeBody(engine).place(quat).R_WB, Rotation.from_rotvec(axis * angle).as_matrix())
