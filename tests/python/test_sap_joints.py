"""torsor.sap on models of Newton's builder: the segments, the orders, and the physics of every kind of joint."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import torsor
import torsor.newton as newton
from newton_support import kinetic_energy, random_scene
from torsor import sap

VERSIONS = pytest.mark.parametrize("version", [newton.Version.WORLD_AXES, newton.Version.PARENT_AXES])
POSES = (newton.JointType.FREE, newton.JointType.DISTANCE)


def buffers_of(solver, state):
    """The state of random_scene() in public order, whose velocities are the same motion in world axes."""
    made = solver.state()
    made.joint_q[:] = state.joint_q
    made.joint_qd[:] = state.joint_qd
    return made


def pose_joints(model):
    for joint in range(model.joint_count):
        if model.joint_type[joint] in POSES:
            yield joint, model.joint_child[joint], slice(model.joint_qd_start[joint], model.joint_qd_start[joint] + 6)


def skew(r):
    return np.cross(r, np.eye(3)).T


def test_segments_are_those_of_the_document():
    model, _ = random_scene(1)
    solver = sap.SapSolver(model)
    kinds = ["free", "revolute", "d6", "ball", "prismatic", "free", "distance", "fixed", "d6"]
    assert [newton.JointType(kind).name.lower() for kind in model.joint_type] == kinds
    assert np.diff(solver.joint_q_start).tolist() == [7, 1, 5, 4, 1, 7, 7, 0, 3]  # fixed: empty; D6: one segment
    assert np.diff(solver.joint_qd_start).tolist() == [6, 1, 5, 3, 1, 6, 6, 0, 3]
    boundary = torsor.SapBoundary(model)
    assert boundary.joint_q_start == solver.joint_q_start == model.joint_q_start.tolist()
    assert boundary.joint_qd_start == solver.joint_qd_start == model.joint_qd_start.tolist()


@VERSIONS
def test_the_boundary_has_the_matrices_of_the_document(version):
    """Free and distance joints, also on other bodies: P_v and P_f at the child's orientation. Others are copied."""
    model, state = random_scene(2, version)
    boundary, random = torsor.SapBoundary(model), np.random.default_rng(0)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    velocity, force = random.normal(size=(2, model.joint_dof_count))
    expected_velocity, expected_force = velocity.copy(), force.copy()
    one, zero = np.eye(3), np.zeros((3, 3))
    for _, body, dofs in pose_joints(model):
        r = skew(Rotation.from_quat(state.body_q[body, 3:]).apply(np.array(model.body_com[body])))
        expected_velocity[dofs] = np.block([[zero, one], [one, r]]) @ velocity[dofs]
        expected_force[dofs] = np.block([[r, one], [one, zero]]) @ force[dofs]
    inside = boundary.velocities_in(state.joint_q, velocity, order="public")
    np.testing.assert_allclose(inside, expected_velocity, atol=1e-12)
    np.testing.assert_allclose(boundary.velocities_out(state.joint_q, inside, order="public"), velocity, atol=1e-12)
    np.testing.assert_allclose(boundary.forces_in(state.joint_q, force, order="public"), expected_force, atol=1e-12)
    assert inside @ expected_force == pytest.approx(velocity @ force, abs=1e-10)
    assert (boundary.velocities_in(state.joint_q, velocity, order="sap") == velocity).all()


@pytest.mark.parametrize("seed", range(3))
def test_results_do_not_depend_on_the_order_of_buffers(seed):
    model, state = random_scene(seed)
    solver, boundary = sap.SapSolver(model, tolerance=1e-12), torsor.SapBoundary(model)
    random = np.random.default_rng(seed)
    now, control, out = buffers_of(solver, state), solver.control(), solver.state()
    control.joint_f[:], now.body_f[:] = random.normal(size=control.joint_f.shape), random.normal(size=now.body_f.shape)
    raw_out = sap.SapState()
    for _ in range(3):
        solver.step(now, out, None, None, 1e-9)  # poses of the state
        raw = sap.SapState(now.joint_q, boundary.velocities_in(now.joint_q, now.joint_qd, order="public"))
        raw.body_f = boundary.body_forces_in(out.body_q, model.body_com, now.body_f, order="public")
        raw_control = sap.SapControl(boundary.forces_in(now.joint_q, control.joint_f, order="public"))
        solver.step(now, out, control, None, 0.004)
        solver.step(raw, raw_out, raw_control, None, 0.004)
        np.testing.assert_allclose(raw_out.joint_q, out.joint_q, atol=1e-10)
        np.testing.assert_allclose(raw_out.joint_qd, boundary.velocities_in(out.joint_q, out.joint_qd, order="public"),
                                   atol=1e-8)
        np.testing.assert_allclose(raw_out.body_qd, out.body_qd, atol=1e-8)
        assert np.abs(raw_out.joint_qd - out.joint_qd).max() > 1e-2
        now.joint_q[:], now.joint_qd[:] = out.joint_q, out.joint_qd


def test_a_step_is_that_of_solver_sap_to_the_bit():
    model, state = random_scene(4)
    ours, theirs = sap.SapSolver(model), newton.solvers.SolverSAP(model)
    shared, state_out = sap.sap_state_from_newton(state.copy()), model.state()
    for _ in range(5):
        theirs.step(state, state_out, None, None, 0.005)
        ours.step(shared, shared, None, None, 0.005)
        for name in ("joint_q", "joint_qd", "body_q", "body_qd"):
            assert (getattr(shared, name) == getattr(state_out, name)).all(), name
        state, state_out = state_out, state


def test_velocities_do_not_depend_on_the_version_of_newton():
    """A SapState is in the axes of the world, whatever joint_qd of a newton.State is in."""
    ends = []
    for version in (newton.Version.WORLD_AXES, newton.Version.PARENT_AXES):
        model, state = random_scene(5, version)
        solver = sap.SapSolver(model)
        now = buffers_of(solver, state)
        solver.step(now, now, None, None, 0.01)
        ends.append(now)
    for name in ("joint_q", "joint_qd", "body_q", "body_qd"):
        np.testing.assert_allclose(getattr(ends[1], name), getattr(ends[0], name), atol=1e-9)
    with pytest.raises(torsor.Error, match="axes of parent anchors"):
        sap.sap_state_from_newton(state)


def test_solver_sap_has_the_order_flags():
    model, state = random_scene(6)
    solver, boundary = newton.solvers.SolverSAP(model, tolerance=1e-12), torsor.SapBoundary(model)
    public, public_out = sap.sap_state_from_newton(state), sap.SapSolver(model).state()
    raw = sap.SapState(state.joint_q, boundary.velocities_in(state.joint_q, state.joint_qd, order="public"))
    raw_out = sap.SapState()
    solver.step(public, public_out, None, None, 0.01)
    solver.step(raw, raw_out, None, None, 0.01)
    inside = boundary.velocities_in(public_out.joint_q, public_out.joint_qd, order="public")
    np.testing.assert_allclose(raw_out.joint_qd, inside, atol=1e-8)
    with pytest.raises(torsor.Error, match="both states must be of one kind"):
        solver.step(public, model.state(), None, None, 0.01)


def test_body_qd_is_how_the_bodies_move():
    model, state = random_scene(7)
    solver = sap.SapSolver(model)
    now = buffers_of(solver, state)
    solver.step(now, now, None, None, 0.002)
    solver.step(now, now, None, None, 0.002)
    checked = model.state()
    newton.eval_fk(model, now.joint_q, now.joint_qd, checked)
    np.testing.assert_allclose(now.body_qd, checked.body_qd, atol=1e-10)
    np.testing.assert_allclose(now.body_q, checked.body_q, atol=1e-12)


def two_bodies(offset=(0.1, -0.05, 0.2)):
    """One floats, the other is tied to it by a distance joint; centres of mass are off the origins."""
    builder = newton.ModelBuilder(gravity=0)
    first = builder.add_body(mass=2.0, inertia=np.diag([0.2, 0.3, 0.4]), com=offset)
    second = builder.add_link(mass=1.0, inertia=np.diag([0.1, 0.15, 0.2]), com=(-0.1, 0.2, 0.05),
                              xform=newton.transform((0.5, 0.2, 0.1), newton.quat_rpy(0.3, -0.5, 0.7)))
    turned = newton.transform((0.1, 0, 0), newton.quat_rpy(1, 0.4, -0.3))
    builder.add_articulation([builder.add_joint_distance(first, second, parent_xform=turned, max_distance=5.0)])
    return builder.finalize()


@pytest.mark.parametrize("order", ["public", "sap"])
def test_a_force_of_a_joint_acts_on_both_bodies(order):
    """Momentum stays zero, and the power of joint_f is joint_f . joint_qd."""
    model = two_bodies()
    solver, boundary, h = sap.SapSolver(model, tolerance=1e-13), torsor.SapBoundary(model), 1e-5
    random = np.random.default_rng(3)
    state, control, out = solver.state(), solver.control(), solver.state()
    force = np.zeros(12)
    force[6:] = random.normal(size=6)
    control.joint_f_order = order
    control.joint_f[:] = boundary.forces_in(state.joint_q, force, order="public") if order == "sap" else force
    solver.step(state, out, control, None, h)
    linear = model.body_mass @ out.body_qd[:, :3]
    angular = np.zeros(3)
    for body in range(2):
        R, twist = Rotation.from_quat(out.body_q[body, 3:]), out.body_qd[body]
        com = out.body_q[body, :3] + R.apply(np.array(model.body_com[body]))
        inertia = R.as_matrix() @ model.body_inertia[body] @ R.as_matrix().T
        angular += inertia @ twist[3:] + model.body_mass[body] * np.cross(com, twist[:3])
    np.testing.assert_allclose(linear, 0, atol=1e-12)
    np.testing.assert_allclose(angular, 0, atol=1e-10)
    work = kinetic_energy(model, out)
    assert work == pytest.approx(0.5 * h * (force @ out.joint_qd), rel=1e-3) and work > 0


def d6_arm(**settings):
    builder = newton.ModelBuilder()
    base = builder.add_link(mass=1, inertia=np.eye(3) * 0.1)
    link = builder.add_link(mass=2, inertia=np.diag([0.1, 0.2, 0.3]), com=(0.1, 0, -0.2))
    axis = builder.JointDofConfig
    joints = [builder.add_joint_fixed(-1, base, parent_xform=newton.transform((0, 0, 2))),
              builder.add_joint_d6(base, link, linear_axes=[axis(axis=(1, 0, 0), target_ke=500, target_kd=30, armature=0.3,
                                                                  limit_lower=-0.2, limit_upper=0.05, limit_ke=2e4,
                                                                  limit_kd=50)],
                                   angular_axes=[axis(axis=(0, 1, 0), target_ke=80, target_kd=4, armature=0.05),
                                                 axis(axis=(0, 0, 1), target_kd=3, armature=0.02, friction=0.1)])]
    builder.add_articulation(joints)
    return builder.finalize()


D6_ARM = """<mujoco><compiler angle="radian" inertiafromgeom="false"/><option solver="SAP" timestep="0.004"/><worldbody>
  <body pos="0 0 2"><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
    <body><inertial pos="0.1 0 -0.2" mass="2" diaginertia="0.1 0.2 0.3"/>
      <joint name="x" type="slide" axis="1 0 0" armature="0.3" range="-0.2 0.05" limited="true" sapstiffness="2e4"
        sapdissipation="0.0025"/>
      <joint name="y" axis="0 1 0" armature="0.05"/>
      <joint name="z" axis="0 0 1" armature="0.02" frictionloss="0.1"/></body></body></worldbody>
  <actuator><general joint="x" biastype="affine" biasprm="0 -500 -30"/>
    <general joint="y" biastype="affine" biasprm="0 -80 -4"/>
    <general joint="z" biastype="affine" biasprm="0 0 -3"/></actuator></mujoco>"""


def test_targets_limits_and_armature_are_those_of_the_same_mechanism_in_mjcf():
    """Axis by axis, into the limit and out of it, to 1e-9."""
    solver, model = sap.SapSolver(d6_arm(), tolerance=1e-13), torsor.Model.from_xml_string(D6_ARM)
    model.opt.sap_tolerance = 1e-13
    data, state, control = torsor.Data(model), solver.state(), solver.control()
    assert control.joint_target_pos.shape == control.joint_target_vel.shape == (3,)
    pressed = False
    for step in range(400):
        control.joint_target_pos[:] = np.array([0.15, 0.6, 0]) * (1 if step < 200 else -0.5)
        control.joint_target_vel[:] = 0.1, 0, 2 * np.sin(0.02 * step)
        solver.step(state, state, control, None, 0.004)
        pos, vel = control.joint_target_pos, control.joint_target_vel
        data.ctrl[:] = 500 * pos[0] + 30 * vel[0], 80 * pos[1] + 4 * vel[1], 3 * vel[2]
        torsor.step(model, data)
        np.testing.assert_allclose(state.joint_q, data.qpos, atol=1e-9)
        np.testing.assert_allclose(state.joint_qd, data.qvel, atol=1e-9)
        pressed |= bool(data.qpos[0] > 0.0501)
    assert pressed and abs(data.qpos[1]) > 0.1 and abs(data.qvel[2]) > 0.1


ROPE = """<mujoco><compiler angle="radian" inertiafromgeom="false"/><option solver="SAP"/><worldbody>
  <site name="a" pos="0.1 0.2 2"/>
  <body pos="0.5 0.1 1"><freejoint align="false"/><inertial pos="0.1 0 -0.05" mass="1.5" diaginertia="0.02 0.03 0.04"/>
    <site name="b" pos="0.1 0.05 0.2"/></body></worldbody>
  <tendon><spatial limited="true" range="0.2 {high}" {compliance}><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""


@pytest.mark.parametrize("compliance, high", [((800.0, 16.0), 0.3), (None, 0.8)])
def test_a_distance_joint_is_a_limited_tendon_of_mjcf(compliance, high):
    """A spring that starts 0.5 m outside, and a stiff limit that the body falls into: to 1e-9."""
    text = f'sapstiffness="{compliance[0]}" sapdissipation="{compliance[1] / compliance[0]}"' if compliance else ""
    model = torsor.Model.from_xml_string(ROPE.format(high=high, compliance=text))
    builder = newton.ModelBuilder()
    body = builder.add_link(mass=1.5, inertia=np.diag([0.02, 0.03, 0.04]), com=(0.1, 0, -0.05),
                            xform=newton.transform((0.5, 0.1, 1)))
    builder.add_articulation([builder.add_joint_distance(-1, body, newton.transform((0.1, 0.2, 2)),
                                                         newton.transform((0.1, 0.05, 0.2)), 0.2, high)])
    if compliance:
        builder.joint_limit_ke[0], builder.joint_limit_kd[0] = compliance
    solver = sap.SapSolver(builder.finalize(), tolerance=1e-13)
    model.opt.sap_tolerance, model.opt.timestep = 1e-13, 0.002
    data, state, longest = torsor.Data(model), solver.state(), 0
    if not compliance:
        state.joint_q[2] += 0.3  # inside at first
        data.qpos[2] += 0.3
    for _ in range(300):
        solver.step(state, state, None, None, 0.002)
        torsor.step(model, data)
        torsor.kinematics(model, data)
        np.testing.assert_allclose(state.body_q[0, :3], data.qpos[:3], atol=1e-9)
        np.testing.assert_allclose(state.body_qd[0, 3:], data.xmat[1].reshape(3, 3) @ data.qvel[3:], atol=1e-7)
        longest = max(longest, np.linalg.norm(state.joint_q[:3]))
    assert longest > high


class TestBadInput:
    @pytest.fixture
    def solver(self):
        return sap.SapSolver(d6_arm())

    def refused(self, solver, match, state=None, control=None, out=None, **arguments):
        out = solver.state() if out is None else out
        before = [np.copy(getattr(out, name)) for name in ("joint_q", "joint_qd", "body_q", "body_qd")]
        state = solver.state() if state is None else state
        with pytest.raises(torsor.Error, match=match):
            solver.step(state, out, control, arguments.pop("contacts", None), arguments.pop("dt", 0.01), **arguments)
        for name, value in zip(("joint_q", "joint_qd", "body_q", "body_qd"), before, strict=True):
            assert np.array_equal(getattr(out, name), value)

    def test_buffers_of_another_length(self, solver):
        for name in ("joint_q", "joint_qd", "body_f"):
            state = solver.state()
            setattr(state, name, np.zeros(5))
            self.refused(solver, f"{name} has 5 numbers", state)
        for name in ("joint_f", "joint_target_pos", "joint_target_vel", "joint_act"):
            control = solver.control()
            setattr(control, name, np.zeros(5))
            self.refused(solver, f"{name} has 5 numbers, the model needs 3", control=control)
        for name in ("joint_q", "joint_qd", "body_q", "body_qd"):
            out = solver.state()
            setattr(out, name, np.zeros(5))
            self.refused(solver, f"{name} of state_out has shape", out=out)

    def test_targets_on_fixed_joints(self, solver):
        """Somebody gives the fixed joint a target, too."""
        control = solver.control()
        control.joint_target_pos = np.zeros(4)
        self.refused(solver, "one per axis, and none for its 1 fixed joints", control=control)

    def test_buffers_of_another_type(self, solver):
        for values in (np.zeros(3, dtype=int), np.zeros(3, dtype=complex), np.zeros(3, dtype=bool), np.array(list("abc"))):
            state, control, out = solver.state(), solver.control(), solver.state()
            state.joint_q, control.joint_target_pos, out.joint_qd = values, values, values
            self.refused(solver, "joint_q has elements of type", state)
            self.refused(solver, "joint_target_pos has elements of type", control=control)
            with pytest.raises(torsor.Error, match="joint_qd has elements of type"):
                solver.step(solver.state(), out, None, None, 0.01)
        state = solver.state()
        state.joint_q = ["a", "b", "c"]
        self.refused(solver, "joint_q must be numbers", state)
        out = solver.state()
        out.joint_q.setflags(write=False)
        self.refused(solver, "read-only", out=out)

    def test_numbers_that_are_none(self, solver):
        for name in ("joint_q", "joint_qd", "body_f"):
            state = solver.state()
            getattr(state, name)[...] = np.nan
            self.refused(solver, ".", state)
        for name in ("joint_f", "joint_target_pos"):
            control = solver.control()
            getattr(control, name)[...] = np.nan
            self.refused(solver, ".", control=control)
        solver.step(solver.state(), solver.state(), None, None, 0.01)  # nothing is left of them

    def test_worlds(self, solver):
        state, out = solver.state(worlds=3), solver.state(worlds=3)
        for worlds, match in (([3], "world 3 does not exist"), ([-1], "world -1 does not exist"), ([1, 1], "twice"),
                              ([0.5], "whole numbers"), ([], "empty")):
            self.refused(solver, match, state, out=out, worlds=worlds)
        self.refused(solver, "no axis of worlds", worlds=[0])
        self.refused(solver, "of state_out has shape", state, out=solver.state(worlds=2))
        self.refused(solver, "dt has 2 numbers", state, out=out, dt=[0.01, 0.01])
        self.refused(solver, "world 1: dt must be positive", state, out=out, dt=[0.01, 0, 0.01])
        self.refused(solver, "contacts has 1 entries", state, out=out, contacts=[None])
        state.joint_qd[2] = np.nan
        self.refused(solver, "world 2", state, out=out)
        with pytest.raises(torsor.Error, match="at least one world"):
            solver.state(worlds=0)
        with pytest.raises(torsor.Error, match="float32 or float64"):
            solver.state(dtype=int)

    def test_joints_that_sap_cannot_have(self):
        builder = newton.ModelBuilder()
        link = builder.add_link(mass=1, inertia=np.eye(3))
        with pytest.raises(torsor.Error, match="joint"):
            builder.add_joint(7, -1, link)
        builder.add_articulation([builder.add_joint_free(link)])
        builder.add_joint_distance(-1, link, max_distance=1)  # closes a loop
        with pytest.raises(torsor.Error, match="closes a loop"):
            sap.SapSolver(builder.finalize())
        with pytest.raises(torsor.Error, match="not ModelBuilder"):
            sap.SapSolver(builder)
        with pytest.raises(TypeError, match="SapBoundary takes"):
            torsor.SapBoundary(builder)

    def test_armature_that_a_ball_joint_cannot_have(self):
        builder = newton.ModelBuilder()
        builder.add_articulation([builder.add_joint_ball(-1, builder.add_link(mass=1, inertia=np.eye(3)), armature=0.1)])
        sap.SapSolver(builder.finalize())
        builder.joint_armature[1] = 0.2
        with pytest.raises(torsor.Error, match="joint_armature.*ball joint 0.*must be equal"):
            builder.finalize()

    def test_targets_of_mjcf(self):
        solver = sap.SapSolver(torsor.Model.from_xml_string(D6_ARM))
        control = solver.control()
        control.joint_target_pos = np.zeros(3)
        self.refused(solver, "set ctrl", control=control)

    def test_contacts_of_something_else(self, solver):
        other = sap.SapSolver(two_bodies())
        self.refused(solver, "another", contacts=other.collide(other.state()))
        self.refused(solver, "come from collide", contacts="none")
