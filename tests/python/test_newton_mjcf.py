"""MJCF through add_mjcf(), the same robots built by hand, and MuJoCo itself: equal trajectories."""

import os
import pathlib

import mujoco
import numpy as np
import pytest

import judging
import torsor
import torsor.newton as newton
from newton_support import run
from torsor import sap

CARTPOLE = """<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <body name="cart" pos="0 0 1">
      <inertial pos="0 0 0" mass="2" diaginertia="0.1 0.2 0.3"/>
      <joint name="rail" type="slide" axis="0 1 0" damping="0.5"/>
      <body name="pole" pos="0.1 0 0.05">
        <inertial pos="0.02 0 0.4" mass="0.5" diaginertia="0.03 0.03 0.001"/>
        <joint name="hinge" axis="1 0 0" armature="0.01"/>
        <body name="tip" pos="0 0 0.8" quat="0.9 0.3 -0.2 0.1">
          <inertial pos="0.03 -0.01 0.1" mass="0.2" diaginertia="0.004 0.003 0.002"/>
          <joint name="wrist" type="ball" pos="0.01 0.02 -0.03" damping="0.01"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>"""


def built_cartpole():
    builder = newton.ModelBuilder()
    cart = builder.add_link(mass=2, inertia=np.diag([0.1, 0.2, 0.3]))
    pole = builder.add_link(mass=0.5, com=(0.02, 0, 0.4), inertia=np.diag([0.03, 0.03, 0.001]))
    tip = builder.add_link(mass=0.2, com=(0.03, -0.01, 0.1), inertia=np.diag([0.004, 0.003, 0.002]))
    turned = np.array([0.3, -0.2, 0.1, 0.9])
    anchor = newton.transform((0.01, 0.02, -0.03))
    builder.add_articulation([
        builder.add_joint_prismatic(-1, cart, axis=newton.Axis.Y, damping=0.5,
                                    parent_xform=newton.transform((0, 0, 1))),
        builder.add_joint_revolute(cart, pole, axis=newton.Axis.X, armature=0.01,
                                   parent_xform=newton.transform((0.1, 0, 0.05))),
        builder.add_joint_ball(pole, tip, child_xform=anchor, parent_xform=newton.transform_multiply(
            newton.transform((0, 0, 0.8), turned / np.linalg.norm(turned)), anchor))])
    for i in range(2, 5):
        builder.joint_damping[i] = 0.01
    return builder.finalize()


def imported_cartpole():
    builder = newton.ModelBuilder()
    builder.add_mjcf(CARTPOLE)
    return builder.finalize()


def start(model):
    state = model.state()
    state.joint_q[:2] = [0.1, 0.4]
    state.joint_qd[:] = [0.3, -0.5, 1.0, 2.0, -1.0]
    return state


@pytest.mark.parametrize("make", [built_cartpole, imported_cartpole])
def test_a_robot_moves_as_in_mujoco_itself(make):
    reference = mujoco.MjModel.from_xml_string(CARTPOLE)
    data = mujoco.MjData(reference)
    data.qpos[:2], data.qvel[:] = [0.1, 0.4], [0.3, -0.5, 1.0, 2.0, -1.0]  # at rest, parent and child axes agree
    model = make()
    solver, state = newton.solvers.SolverMuJoCo(model), start(model)
    for _ in range(200):
        mujoco.mj_step(reference, data)
        solver.step(state, state, None, None, 0.005)
    mujoco.mj_kinematics(reference, data)
    np.testing.assert_allclose(state.body_q[:, :3], data.xpos[1:], atol=1e-9)
    np.testing.assert_allclose(state.joint_q[:2], data.qpos[:2], atol=1e-9)
    np.testing.assert_allclose(state.joint_qd[:2], data.qvel[:2], atol=1e-9)


def test_the_built_robot_equals_the_imported_one():
    ends = [run(newton.solvers.SolverMuJoCo(model), start(model), 300, 0.004)
            for model in (built_cartpole(), imported_cartpole())]
    for name in ("joint_q", "joint_qd", "body_q", "body_qd"):
        np.testing.assert_allclose(getattr(ends[0], name), getattr(ends[1], name), atol=1e-9)


TOUCHING = """<mujoco>
  <option timestep="0.002" integrator="implicitfast"/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="base" pos="0.1 0.2 0.3" euler="20 30 0">
      <freejoint/>
      <geom type="box" fromto="-0.2 0 0 0.2 0 0.1" size="0.05"/>
      <geom type="cylinder" fromto="0 -0.2 0 0 0.2 0" size="0.04"/>
      <body pos="0.2 0 0">
        <joint axis="0 1 0" range="-40 40" ref="10" stiffness="2" springref="5"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03" friction="0.7"/>
      </body>
      <body pos="-0.2 0 0"><geom type="ellipsoid" size="0.05 0.06 0.07" condim="4"/></body>
    </body>
  </worldbody>
  <contact><exclude body1="world" body2="base"/></contact>
</mujoco>"""


def test_a_floating_robot_with_contacts_moves_as_in_mujoco_itself():
    builder = newton.ModelBuilder()
    builder.add_mjcf(TOUCHING)
    model = builder.finalize()
    reference = mujoco.MjModel.from_xml_string(TOUCHING)
    data = mujoco.MjData(reference)
    solver, state = newton.solvers.SolverMuJoCo(model), model.state()
    for _ in range(150):
        mujoco.mj_step(reference, data)
        solver.step(state, state, None, None, 0.002)
    mujoco.mj_kinematics(reference, data)
    np.testing.assert_allclose(state.body_q[:, :3], data.xpos[1:], atol=1e-7)
    assert state.joint_q[7] == pytest.approx(data.qpos[7] - np.radians(10), abs=1e-7)


def test_boxes_from_two_points_and_cylinders_stay_what_they_are():
    builder = newton.ModelBuilder()
    builder.add_mjcf(TOUCHING)
    assert builder.shape_type[:5] == [newton.GeoType.PLANE, newton.GeoType.BOX, newton.GeoType.CYLINDER,
                                      newton.GeoType.CAPSULE, newton.GeoType.ELLIPSOID]
    assert builder.shape_scale[1][:2] == [0.05, 0.05]
    assert builder.shape_scale[1][2] == pytest.approx(np.hypot(0.4, 0.1) / 2)
    assert builder.shape_scale[2][:2] == [0.04, pytest.approx(0.2)]
    model = builder.finalize()
    volume = 8 * 0.05**2 * np.hypot(0.4, 0.1) / 2 + np.pi * 0.04**2 * 0.4
    assert model.body_mass[0] == pytest.approx(1000 * volume)
    assert model.joint_limit_lower[6] == pytest.approx(np.radians(-50)) and model.joint_type.tolist() == [4, 1, 3]


SERVOS = """<mujoco>
  <compiler angle="radian"/>
  <option gravity="0 0 0"/>
  <worldbody>
    <body><joint name="a" axis="0 0 1" ref="0.2"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <body><joint name="b" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <body><joint name="c" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></body>
  </worldbody>
  <actuator>
    <position joint="a" kp="50" kv="5" forcerange="-3 3"/>
    <velocity joint="b" kv="4"/>
    <motor joint="c" gear="2"/>
  </actuator>
</mujoco>"""


@pytest.mark.parametrize("direct", [False, True])
def test_servos_become_drives_and_other_actuators_keep_their_controls(direct):
    builder = newton.ModelBuilder(gravity=0)
    builder.add_mjcf(SERVOS, ctrl_direct=direct)
    model = builder.finalize()
    control = model.control()
    reference = mujoco.MjModel.from_xml_string(SERVOS)
    data = mujoco.MjData(reference)
    data.ctrl[:] = [0.5, 0.3, 0.1]
    if direct:
        control.ctrl[:] = [0.5, 0.3, 0.1]
    else:
        assert builder.joint_target_ke == [50, 0, 0] and builder.joint_target_kd == [5, 4, 0]
        assert builder.joint_effort_limit[0] == 3
        control.joint_target_pos[0] = 0.5 - 0.2  # relative to the pose in the file
        control.joint_target_vel[1] = 0.3
        control.ctrl[:] = [0.1]
    reference.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    solver, state = newton.solvers.SolverMuJoCo(model), model.state()
    for _ in range(200):
        mujoco.mj_step(reference, data)
        solver.step(state, state, control, None, 0.002)
    np.testing.assert_allclose(state.joint_q, data.qpos - [0.2, 0, 0], atol=1e-10)


def test_an_import_is_moved_and_turned_as_a_whole():
    states = []
    for axis in newton.Axis:
        builder = newton.ModelBuilder(up_axis=axis)
        builder.add_mjcf(TOUCHING)
        model = builder.finalize()
        states.append(run(newton.solvers.SolverMuJoCo(model), model.state(), 30, 0.002))
    height = [state.body_q[:, axis] for state, axis in zip(states, newton.Axis, strict=True)]
    np.testing.assert_allclose(height[0], height[2], atol=1e-9)
    np.testing.assert_allclose(height[1], height[2], atol=1e-9)

    builder = newton.ModelBuilder()
    xform = newton.transform((3, 4, 0), newton.quat_rpy(0, 0, 1.0))
    builder.add_mjcf(TOUCHING, xform)
    model = builder.finalize()
    moved = run(newton.solvers.SolverMuJoCo(model), model.state(), 30, 0.002)
    expected = [newton.transform_multiply(xform, pose) for pose in states[2].body_q]
    np.testing.assert_allclose(moved.body_q[:, :3], np.array(expected)[:, :3], atol=1e-9)


def test_tendons_and_equalities_of_a_file_hold():
    xml = """<mujoco><option gravity="0 0 0"/><worldbody>
      <body><joint name="a" axis="0 0 1"/><geom size="0.1" contype="0" conaffinity="0"/></body>
      <body pos="1 0 0"><joint name="b" axis="0 0 1"/><geom size="0.1" contype="0" conaffinity="0"/></body>
    </worldbody><equality><joint joint1="a" joint2="b" polycoef="0 2 0 0 0"/></equality></mujoco>"""
    one = newton.ModelBuilder(gravity=0)
    one.add_mjcf(xml)
    builder = newton.ModelBuilder(gravity=0)
    builder.replicate(one, 2)
    model = builder.finalize()
    control = model.control()
    control.joint_f[:] = [0, 1e-2, 0, -1e-2]
    after = run(newton.solvers.SolverMuJoCo(model), model.state(), 500, 0.002, control)
    np.testing.assert_allclose(after.joint_q[[0, 2]], 2 * after.joint_q[[1, 3]], atol=1e-3)
    assert after.joint_q[1] > 0.01 and after.joint_q[3] < -0.01


def engine_and_newton(path, steps):
    """Positions of bodies after so many steps of the engine and of Newton's interface, with all controls at zero."""
    model = torsor.Model.from_xml_path(path)
    if model.opt.integrator == 0:
        model.opt.integrator = 3  # what SolverMuJoCo takes without being told
    builder = newton.ModelBuilder(gravity=model.opt.gravity)
    builder.add_mjcf(path, ctrl_direct=True)
    finished = builder.finalize()
    data, solver, state = torsor.Data(model), newton.solvers.SolverMuJoCo(finished), finished.state()
    for _ in range(steps):
        torsor.step(model, data)
        solver.step(state, state, None, None, model.opt.timestep)
    torsor.kinematics(model, data)
    return data.xpos[1:], state.body_q[:, :3]


def spread_of_engine(path, steps):
    """How far positions move apart if the coordinates at the start differ by rounding: meshes that start deep in the floor
    have corners that are nearly as deep as others, and rounding decides which are contacts."""
    model, ends = torsor.Model.from_xml_path(path), []
    for seed in range(4):
        data = torsor.Data(model)
        data.qpos[:] += 1e-15 * np.random.default_rng(seed).normal(size=model.nq) * (seed > 0)
        torsor.step(model, data, steps)
        torsor.kinematics(model, data)
        ends.append(np.array(data.xpos))
    return np.ptp(ends, axis=0).max()


def test_meshes_of_files_are_where_the_file_puts_them(tmp_path):
    lines = "v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1", "f 1 3 2", "f 1 2 4", "f 2 3 4", "f 1 4 3"
    (tmp_path / "tetrahedron.obj").write_text("\n".join(lines))
    path = tmp_path / "model.xml"
    path.write_text("""<mujoco><asset><mesh file="tetrahedron.obj" scale="0.3 0.2 0.1"/></asset>
      <worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 0.12" euler="10 20 30"><freejoint/>
      <geom type="mesh" mesh="tetrahedron" pos="0.1 0 0.02" euler="0 30 0"/></body></worldbody></mujoco>""")
    expected, found = engine_and_newton(path, 200)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert abs(expected[0, 2] - 0.12) > 0.02


REAL = sorted(pathlib.Path(os.environ.get("TORSOR_MODELS", "no such folder")).glob("menagerie/*/scene*.xml"))


@pytest.mark.parametrize("path", judging.collected(REAL, lambda path: f"{path.parent.name}-{path.stem}"))
def test_real_robots_move_as_in_the_engine(path, judged):
    try:
        size = torsor.Model.from_xml_path(path).nv
    except torsor.Error as error:
        assert "not supported" in str(error), error
        judged.expect_nothing("robots with elements that are refused by name")
        return
    if size > 100:
        judged.expect_nothing("robots of more than 100 dofs, which a few steps would take minutes for")
        return
    if spread_of_engine(path, 20) > 1e-8:
        judged.expect_nothing("robots that start deep in the floor: rounding decides which corners are contacts")
        return
    expected, found = engine_and_newton(path, 20)
    np.testing.assert_allclose(found, expected, atol=1e-7)
    judged()


@pytest.mark.parametrize("enable", [True, False])
def test_a_robot_may_be_kept_from_touching_itself(enable):
    xml = """<mujoco><worldbody><geom type="plane" size="0 0 1"/>
      <body pos="0 0 0.05"><freejoint/><geom size="0.1"/></body>
      <body pos="0.1 0 0.05"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"""
    builder = newton.ModelBuilder()
    builder.add_mjcf(xml, enable_self_collisions=enable)
    model = builder.finalize()
    assert model.collide(model.state()).rigid_contact_count == (3 if enable else 2)


def test_files_that_do_not_fit_leave_the_builder_alone():
    builder = newton.ModelBuilder()
    joints = "<joint/><joint type='slide' axis='1 0 0'/>"
    with pytest.raises(torsor.Error, match="slides come before hinges"):
        builder.add_mjcf(f"<mujoco><worldbody><body>{joints}<geom size='1'/></body></worldbody></mujoco>")
    with pytest.raises(torsor.Error, match="mocap"):
        builder.add_mjcf("<mujoco><worldbody><body mocap='true'><geom size='1'/></body></worldbody></mujoco>")
    with pytest.raises(torsor.Error):
        builder.add_mjcf("no/such/file.xml")
    assert builder.body_count == builder.joint_count == builder.shape_count == 0


PARTS = """
<mujoco>
  <default><default class="hand"><geom size="0.03"/></default>
    <default class="shell"><geom size="0.2"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <site name="hook" pos="0 0 2"/>
    <site name="mark" pos="0 1 2"/>
    <body name="base" pos="0 0 1">
      <inertial pos="0 0 0" mass="3" diaginertia="0.1 0.1 0.1"/>
      <joint name="turn" axis="0 1 0" armature="0.5"/>
      <geom name="trunk" size="0.1"/>
      <geom name="skin" class="shell"/>
      <site name="eye"/>
      <body name="arm_upper" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom name="bone" type="capsule" size="0.05 0.1"/>
        <body name="palm" pos="0.3 0 0"><joint name="wrist"/><geom name="stump" size="0.02"/>
          <geom name="fist" class="hand"/></body>
      </body>
      <body name="leg" pos="0 0 -0.3"><joint name="knee" axis="0 1 0"/><geom name="foot" size="0.06"/></body>
    </body>
  </worldbody>
  <contact><pair geom1="floor" geom2="foot"/><pair geom1="fist" geom2="foot"/>
    <exclude body1="palm" body2="leg"/></contact>
  <tendon><spatial name="rope" stiffness="30"><site site="hook"/><site site="eye"/></spatial>
    <fixed name="both"><joint joint="elbow" coef="1"/><joint joint="knee" coef="-1"/></fixed></tendon>
  <equality><joint joint1="knee" joint2="turn"/><joint joint1="wrist" joint2="elbow"/></equality>
  <actuator><motor joint="wrist"/><motor joint="knee"/><motor tendon="both"/></actuator>
  <sensor><jointpos joint="wrist"/></sensor>
  <keyframe><key qpos="0 0 0 0"/></keyframe>
</mujoco>"""


def parts(**options):
    builder = newton.ModelBuilder()
    builder.add_mjcf(PARTS, **options)
    return builder


def test_what_is_ignored_is_left_out_with_all_that_refers_to_it():
    whole, none = parts(), parts(ignore_names=["nothing"])
    assert whole.body_count == 4 and none.joint_count == 4 and none.shape_key == whole.shape_key
    cut = parts(ignore_names=["arm", "floor"])
    assert list(cut.body_key) == ["base", "leg"] and list(cut.joint_key) == ["turn", "knee"]
    assert list(cut.shape_key) == ["trunk", "skin", "foot", "hook", "mark", "eye"]
    assert len(cut.finalize().control().ctrl) == 1  # the motor of the knee
    assert list(parts(ignore_classes=["hand"]).shape_key) == [key for key in whole.shape_key if key != "fist"]
    assert "palm" in parts(ignore_classes=["hand"]).body_key
    assert list(parts(ignore_names=[".*m$"]).body_key) == ["base", "arm_upper", "leg"]


def test_a_robot_without_its_ignored_parts_moves_as_one_that_never_had_them():
    bare = PARTS.replace('<geom name="floor" type="plane" size="1 1 1"/>', "")
    start, end = bare.index('<body name="arm_upper"'), bare.index('<body name="leg"')
    bare = bare[:start] + bare[end:]
    for gone in ('<pair geom1="floor" geom2="foot"/>', '<pair geom1="fist" geom2="foot"/>',
                 '<exclude body1="palm" body2="leg"/>', '<joint joint1="wrist" joint2="elbow"/>',
                 '<motor joint="wrist"/>', '<motor tendon="both"/>', '<sensor><jointpos joint="wrist"/></sensor>',
                 '<keyframe><key qpos="0 0 0 0"/></keyframe>'):
        assert gone in bare
        bare = bare.replace(gone, "")
    start, end = bare.index('<fixed name="both">'), bare.index("</tendon>")
    bare = bare[:start] + bare[end:]
    other = newton.ModelBuilder()
    other.add_mjcf(bare)
    ends = []
    for builder in (parts(ignore_names=["arm_upper", "floor"]), other):
        model = builder.finalize()
        state, control = model.state(), model.control()
        control.ctrl[:] = 0.3
        solver = newton.solvers.SolverMuJoCo(model)
        for _ in range(200):
            solver.step(state, state, control, None, 0.005)
        ends.append(state.joint_q.copy())
    assert np.abs(ends[0]).max() > 0.01
    np.testing.assert_array_equal(*ends)


def test_what_to_parse_can_be_chosen():
    whole = parts()
    assert [key for key in whole.shape_key if key in ("hook", "mark", "eye")] == ["hook", "mark", "eye"]
    assert "mark" not in parts(parse_sites=False).shape_key and "eye" in parts(parse_sites=False).shape_key
    shell = parts(visual_classes=["shell"])
    index = list(shell.shape_key).index("skin")
    collides = 2
    assert whole.shape_flags[index] & collides and not shell.shape_flags[index] & collides
    assert "skin" not in parts(visual_classes=["shell"], parse_visuals=False).shape_key
    assert parts(armature_scale=3).joint_armature[0] == 1.5
    assert whole.body_mass[0] == 3
    ball = 1000 * 4 / 3 * np.pi
    assert parts(ignore_inertial_definitions=True).body_mass[0] == pytest.approx(ball * (0.1**3 + 0.2**3))
    free, tied = parts(skip_equality_constraints=True), whole
    moved = []
    for builder in (free, tied):
        model = builder.finalize()
        state = model.state()
        state.joint_qd[1] = 5  # the elbow, to which the wrist is tied
        solver = newton.solvers.SolverMuJoCo(model)
        for _ in range(20):
            solver.step(state, state, None, None, 0.002)
        moved.append(abs(state.joint_q[2] - state.joint_q[1]))
    assert moved[0] > 5 * moved[1]


def test_gains_of_free_joints_mean_nothing():
    """Scripts set all of a list."""
    builder = newton.ModelBuilder()
    builder.add_shape_sphere(builder.add_body(), radius=0.1)
    for i in range(len(builder.joint_target_ke)):
        builder.joint_target_ke[i], builder.joint_target_kd[i] = 150, 5
    model = builder.finalize()
    state = model.state()
    newton.solvers.SolverMuJoCo(model).step(state, state, None, None, 0.01)
    assert state.joint_qd[2] == pytest.approx(-0.0981)


def test_bad_options_are_refused_and_the_builder_stays():
    builder = newton.ModelBuilder()
    for options, word in (({"ignore_names": ["("]}, "not a regular expression"),
                          ({"ignore_names": "floor"}, "list of strings"), ({"ignore_classes": [3]}, "list of strings"),
                          ({"armature_scale": -1}, "cannot be negative")):
        with pytest.raises(torsor.Error, match=word):
            builder.add_mjcf(PARTS, **options)
    assert builder.body_count == 0 and builder.shape_count == 0


def test_stiffness_of_limits_and_equalities_comes_along():
    """Our extension of MJCF, under SolverSAP: a weight sinks by force over stiffness."""
    text = """<mujoco><worldbody>{}</worldbody><tendon><fixed name="t" {}><joint joint="b" coef="1"/></fixed></tendon>
      <equality><joint joint1="c" sapstiffness="900" sapdissipation="0.1"/></equality></mujoco>"""
    spring = 'sapstiffness="{}" sapdissipation="0.1"'
    body = """<body><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><joint name="{}" type="slide" axis="0 0 1"
      {}/></body>"""
    bodies = body.format("a", f'range="-0.1 1" {spring.format(500)}') + body.format("b", "") + body.format("c", "")
    builder = newton.ModelBuilder()
    builder.add_mjcf(text.format(bodies, f'range="-0.1 1" {spring.format(700)}'))
    model = builder.finalize()
    after = run(newton.solvers.SolverSAP(model), model.state(), 10000, 1e-3)
    weight = 2 * 9.81
    np.testing.assert_allclose(after.joint_q, [-0.1 - weight / 500, -0.1 - weight / 700, -weight / 900], rtol=1e-6)


def test_what_refers_to_the_world_may_be_replicated():
    """Each copy is tied to where it stands."""
    robot = newton.ModelBuilder()
    robot.add_mjcf("""<mujoco><worldbody><geom type="box" size="1 1 0.1"/>
      <body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody>
      <equality><weld body1="a" body2="world"/></equality>
      <contact><exclude body1="world" body2="a"/></contact></mujoco>""")
    builder = newton.ModelBuilder()
    builder.replicate(robot, 3, spacing=(2, 0, 0))
    model = builder.finalize()
    after = run(newton.solvers.SolverSAP(model), model.state(), 200, 0.005)
    np.testing.assert_allclose(after.body_q[:, 0] - model.body_q[:, 0], 0, atol=1e-3)
    np.testing.assert_allclose(after.body_q[:, 2], 1, atol=1e-3)


DEFAULTS = """<mujoco><default><joint damping="0.1"/></default><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 1"><joint type="free"/><geom size="0.1"/>
    <body name="plain"><joint axis="0 1 0" range="-1 1"/><geom size="0.1"/></body>
    <body><joint type="slide" armature="0.02" damping="0.5" solreflimit="0.01 1" range="-57 57"/>
      <geom size="0.1" friction="0.4" density="20" solref="0.01 1"/></body></body></worldbody></mujoco>"""


def test_defaults_of_the_builder_count_where_the_file_says_nothing():
    builder = newton.ModelBuilder()
    for name, value in {"armature": 0.7, "damping": 0.3, "friction": 0.2, "limit_ke": 70.0, "limit_kd": 3.0,
                        "effort_limit": 50.0}.items():
        setattr(builder.default_joint_cfg, name, value)
    for name, value in {"density": 500.0, "mu": 0.3, "ke": 1e5, "kd": 400.0}.items():
        setattr(builder.default_shape_cfg, name, value)
    builder.add_mjcf(DEFAULTS)
    volume = 4 / 3 * np.pi * 1e-3
    np.testing.assert_allclose(builder.body_mass, [500 * volume, 500 * volume, 20 * volume])
    assert list(builder.joint_armature) == [0] * 6 + [0.7, 0.02]
    assert list(builder.joint_damping[6:]) == [0.1, 0.5]  # the file's own default class says 0.1
    assert list(builder.joint_friction) == [0] * 8  # as in Newton, friction of joints is the file's alone
    assert list(builder.joint_limit_ke[6:]) == [70, 1e4] and list(builder.joint_effort_limit[6:]) == [50, 50]
    assert list(builder.shape_material_mu) == [0.3, 0.3, 0.3, 0.4]
    assert list(builder.shape_material_ke) == [1e5, 1e5, 1e5, 2500.0]
    engine = sap.SapSolver(builder.finalize()).engine
    np.testing.assert_allclose(engine.geom_solref[-2:], [[2 / 400, 400 / (2 * np.sqrt(1e5))], [0.01, 1]])
    assert engine.jnt_sapstiffness[1:].tolist() == [70, -1]


@pytest.mark.parametrize("when", ["in the builder", "in the model"])
def test_stiffness_that_is_set_replaces_that_of_the_file(when):
    builder = newton.ModelBuilder()
    builder.add_mjcf(DEFAULTS)
    if when == "in the builder":
        builder.joint_limit_ke[7], builder.joint_limit_kd[7] = 500.0, 20.0
        builder.shape_material_ke[3], builder.shape_material_kd[3] = 1e4, 50.0
    model = builder.finalize()
    if when == "in the model":
        model.joint_limit_ke[7], model.joint_limit_kd[7] = 500.0, 20.0
        model.shape_material_ke[3], model.shape_material_kd[3] = 1e4, 50.0
        newton.solvers.SolverSAP(model).notify_model_changed(newton.ModelFlags.ALL)
    engine = sap.SapSolver(model).engine
    assert engine.jnt_sapstiffness[2] == 500 and engine.jnt_sapdissipation[2] == 0.04
    np.testing.assert_allclose(engine.geom_solref[3], [2 / 50, 50 / (2 * 100)])
    assert engine.geom_sapstiffness[3] == 1e4
    factor = engine.dof_invweight0[7] * (1 - engine.jnt_solimp[2, 1])  # force per displacement, whatever the inertia
    np.testing.assert_allclose(engine.jnt_solref[2], [2 / (20 * factor), 20 * factor / (2 * np.sqrt(500 * factor))])
