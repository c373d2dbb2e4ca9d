"""Rows of conventions against the systems themselves: states, loads and accelerations of one robot, pushed through MuJoCo,
Drake, Pinocchio and SciPy, agree after conversion.

Everything agrees at the identity with the centre of mass at the origin, so nothing here is there: bases are turned, centres
of mass are off their origins, principal axes are turned, gravity points nowhere in particular.
"""

import dataclasses

import mujoco
import numpy as np
import pinocchio
import pytest
from pydrake.multibody.math import SpatialForce
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.systems.analysis import Simulator
from scipy.spatial.transform import Rotation

import engines
import torsor
from torsor import conventions, rotations

GRAVITY = np.array([0.7, -1.1, -9.3])
DRAKE = "drake"
PINOCCHIO = "pinocchio"
POSED_CVEL = "mujoco.cvel[rotation=quaternion,quat=wxyz,pose_of=body,pose=position first,body=z-up]"
FLIGHT = "mujoco.earth"  # MuJoCo whose world is Earth, z down, as Ptera Software uses it
CHECKED = {"mujoco": "mujoco", "mujoco.earth": "mujoco", "mujoco.cvel": "mujoco", "ptera": "mujoco", "drake": "drake",
           "pinocchio": "pinocchio", "pinocchio.urdf": "pinocchio", "scipy": "scipy"}


# One robot, written for every system.


@dataclasses.dataclass
class Link:
    name: str
    parent: str | None
    joint: str  # free, ball, hinge or slide; its origin is that of the link
    position: np.ndarray  # of the link in its parent, where the joint is at rest
    rotation: Rotation
    axis: np.ndarray
    ref: float  # MuJoCo's coordinate there
    mass: float
    com: np.ndarray
    moments: np.ndarray
    principal_axes: Rotation

    @property
    def inertia(self):
        """About the centre of mass, in the link's axes."""
        axes = self.principal_axes.as_matrix()
        return axes @ np.diag(self.moments) @ axes.T


def random_link(rng, name, parent, joint):
    squares = rng.uniform(0.1, 1, 3)  # of radii of gyration, so that the moments are those of real matter
    axis = rng.normal(size=3)
    mass = rng.uniform(0.5, 3)
    ref = rng.uniform(-1, 1) if joint in ("hinge", "slide") else 0.0
    return Link(name, parent, joint, rng.normal(0, 0.5, 3) if parent else np.zeros(3),
                Rotation.random(random_state=rng) if parent else Rotation.identity(), axis / np.linalg.norm(axis), ref,
                mass, rng.normal(0, 0.3, 3), mass * (squares.sum() - squares), Rotation.random(random_state=rng))


def make_links(seed, with_ball):
    rng = np.random.default_rng(seed)
    third = "ball" if with_ball else "hinge"
    return [random_link(rng, *each) for each in (("base", None, "free"), ("arm", "base", "hinge"), ("rod", "arm", "slide"),
                                                 ("leg", "base", third), ("toe", "leg", "hinge"))]


def text(*values):
    return " ".join(repr(float(value)) for value in np.concatenate([np.atleast_1d(value) for value in values]))


def wxyz(rotation):
    return rotation.as_quat(scalar_first=True)


def mjcf(links, gravity=GRAVITY):
    def body(link):
        joint = '<freejoint name="base"/>' if link.joint == "free" else (
            f'<joint name="{link.name}" type="{link.joint}" axis="{text(link.axis)}" ref="{text(link.ref)}"/>')
        if link.joint == "ball":
            joint = f'<joint name="{link.name}" type="ball"/>'
        children = "".join(body(child) for child in links if child.parent == link.name)
        inertial = (f'<inertial pos="{text(link.com)}" quat="{text(wxyz(link.principal_axes))}" mass="{text(link.mass)}" '
                    f'diaginertia="{text(link.moments)}"/>')
        return (f'<body name="{link.name}" pos="{text(link.position)}" quat="{text(wxyz(link.rotation))}">{joint}{inertial}'
                f'{children}</body>')
    return (f'<mujoco><compiler angle="radian"/><option gravity="{text(gravity)}" timestep="0.001"/>'
            f'<worldbody>{body(links[0])}</worldbody></mujoco>')


def urdf(links):
    kinds = {"hinge": "continuous", "slide": "prismatic"}
    parts = []
    for link in links:
        moments = " ".join(f'i{"xyz"[i]}{"xyz"[j]}="{text(link.inertia[i, j])}"' for i in range(3) for j in range(i, 3))
        parts.append(f'<link name="{link.name}"><inertial><origin xyz="{text(link.com)}"/><mass value="{text(link.mass)}"/>'
                     f'<inertia {moments}/></inertial></link>')
        if link.parent:
            parts.append(f'<joint name="{link.name}" type="{kinds[link.joint]}"><parent link="{link.parent}"/>'
                         f'<child link="{link.name}"/><origin xyz="{text(link.position)}" '
                         f'rpy="{text(link.rotation.as_euler("xyz"))}"/><axis xyz="{text(link.axis)}"/>'
                         '<limit lower="-100" upper="100" effort="1e9" velocity="1e9"/></joint>')
    return f'<robot name="robot">{"".join(parts)}</robot>'


class Judge:
    """The robot in MuJoCo, at a random state under random loads."""

    def __init__(self, seed, with_ball=False, gravity=GRAVITY):
        self.links = make_links(seed, with_ball)
        self.xml = mjcf(self.links, gravity)
        self.model = mujoco.MjModel.from_xml_string(self.xml)
        self.data = mujoco.MjData(self.model)
        self.gravity = np.array(gravity)
        rng = np.random.default_rng(seed + 1)
        mujoco.mj_integratePos(self.model, self.data.qpos, rng.normal(0, 1.5, self.model.nv), 1)
        self.data.qvel[:] = rng.normal(size=self.model.nv)
        self.data.qfrc_applied[6:] = rng.normal(size=self.model.nv - 6)
        self.data.xfrc_applied[1:] = rng.normal(size=(self.model.nbody - 1, 6)) * 3
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_rnePostConstraint(self.model, self.data)

    @property
    def ours(self):
        return torsor.Model.from_xml_string(self.xml)

    def com(self, body=1):
        return self.model.body_ipos[body]

    def pose(self, body=1):
        return np.concatenate([self.data.xpos[body], self.data.xquat[body]])

    def velocity(self, body=1, at_com=False, local=False):
        """Angular, linear."""
        result = np.zeros(6)
        kind = mujoco.mjtObj.mjOBJ_BODY if at_com else mujoco.mjtObj.mjOBJ_XBODY
        mujoco.mj_objectVelocity(self.model, self.data, kind, body, result, local)
        return result

    def acceleration(self, body=1, at_com=False):
        """Angular, linear, in world axes; MuJoCo's own contains -gravity."""
        result = np.zeros(6)
        kind = mujoco.mjtObj.mjOBJ_BODY if at_com else mujoco.mjtObj.mjOBJ_XBODY
        mujoco.mj_objectAcceleration(self.model, self.data, kind, body, result, 0)
        return result + np.concatenate([np.zeros(3), self.gravity])

    def mass_matrix(self):
        result = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, result)
        return result


def agree(a, b, tolerance=1e-11):
    __tracebackhide__ = True
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * max(1.0, np.abs(b).max()))


def same_rotation(a, b, tolerance=1e-12):
    __tracebackhide__ = True
    agree(a * np.sign(np.dot(a, b)), b, tolerance)


@pytest.fixture(params=range(5))
def judge(request, seed):
    return Judge(seed + 10 * request.param)


@pytest.fixture(params=range(5))
def judge_with_ball(request, seed):
    return Judge(seed + 10 * request.param, with_ball=True)


def test_the_rows_that_say_checked_are_those_that_are_compared_here():
    rows = {row: conventions.show(row)["checked"] for row in conventions.ids()}
    assert {row: system for row, system in rows.items() if system} == CHECKED


# MuJoCo.


def test_mujocos_qvel_is_the_velocity_that_its_object_velocity_says(judge):
    pose, com = judge.data.qpos[:7], judge.com()
    to = lambda target: conventions.convert_twist(judge.data.qvel[:6], "mujoco", target, pose=pose, com=com)
    agree(to("drake"), judge.velocity())
    agree(to("modern_robotics.body"), judge.velocity(local=True))
    agree(to("newton"), np.roll(judge.velocity(at_com=True), 3))


def test_mujocos_cvel_is_at_the_centre_of_mass_of_the_tree(judge):
    tree_com = judge.data.subtree_com[1]
    for body in range(1, judge.model.nbody):
        twist = conventions.convert_twist(judge.velocity(body), "drake", "mujoco.cvel", tree_com=tree_com,
                                          pose=np.roll(judge.pose(body), 4))
        agree(twist, judge.data.cvel[body])
        back = conventions.convert_twist(judge.data.cvel[body], POSED_CVEL, "drake", pose=judge.pose(body), tree_com=tree_com)
        agree(back, judge.velocity(body))


def test_mujocos_cacc_is_spatial_and_contains_gravity(judge):
    tree_com, gravity = judge.data.subtree_com[1], judge.gravity
    root = conventions.convert_acceleration(judge.data.qacc[:6], "mujoco", "mujoco.cvel", pose=judge.data.qpos[:7],
                                            twist=judge.data.qvel[:6], com=judge.com(), tree_com=tree_com, gravity=gravity)
    agree(root, judge.data.cacc[1], 1e-10)
    for body in range(1, judge.model.nbody):
        rate = conventions.convert_acceleration(judge.acceleration(body), "drake", "mujoco.cvel", tree_com=tree_com,
                                                gravity=gravity, pose=np.roll(judge.pose(body), 4),
                                                twist=judge.velocity(body))
        agree(rate, judge.data.cacc[body], 1e-10)


def test_mujocos_qacc_is_the_rate_of_its_qvel(judge):
    at_com = conventions.convert_acceleration(judge.data.qacc[:6], "mujoco", "newton", pose=judge.data.qpos[:7],
                                              twist=judge.data.qvel[:6], com=judge.com())
    agree(at_com, np.roll(judge.acceleration(at_com=True), 3), 1e-10)


def test_a_load_in_mujocos_xfrc_and_its_dual_in_qfrc_accelerate_alike(judge):
    wanted, load = judge.data.qacc.copy(), judge.data.xfrc_applied[1].copy()
    pose, com = judge.data.qpos[:7], judge.com()
    newton = conventions.convert_wrench(load, "mujoco", "newton", pose=pose, com=com)
    newton_pose = conventions.convert_pose(pose, "mujoco", "newton")
    dual = conventions.convert_joint_force(newton, "newton", "mujoco", pose=newton_pose, com=com)
    judge.data.xfrc_applied[1] = 0
    judge.data.qfrc_applied[:6] = dual
    mujoco.mj_forward(judge.model, judge.data)
    agree(judge.data.qacc, wanted, 1e-10)
    # a rotation into the body's axes alone, which forgets the moment about the origin, is another load
    judge.data.qfrc_applied[3:6] = judge.data.xmat[1].reshape(3, 3).T @ load[3:]
    mujoco.mj_forward(judge.model, judge.data)
    assert np.abs(judge.data.qacc - wanted).max() > 1e-3


def test_mujocos_free_and_ball_joints_turn_in_the_childs_axes(judge_with_ball):
    judge, tick = judge_with_ball, 0.01  # at constant qvel, the turn is exact over any time
    ball = int(np.argmax(judge.model.jnt_type == mujoco.mjtJoint.mjJNT_BALL))
    for joint, offset in ((0, 3), (ball, 0)):
        q, v = judge.model.jnt_qposadr[joint] + offset, judge.model.jnt_dofadr[joint] + offset
        later = judge.data.qpos.copy()
        mujoco.mj_integratePos(judge.model, later, judge.data.qvel, tick)
        turn = lambda qpos: Rotation.from_quat(qpos[q:q + 4], scalar_first=True)
        agree((turn(judge.data.qpos).inv() * turn(later)).as_rotvec() / tick, judge.data.qvel[v:v + 3])


# Cells that a row leaves open, filled in as its example does, so that every row can hold a whole state.
FILL = "ball=body,joints=depth first,multi_axis=declared,zero=zero"
TREES = {"mujoco": "mujoco", "pinocchio": f"pinocchio[{FILL}]"} | {
    row: f"{row}[{FILL}]" for row in ("drake", "modern_robotics.body", "modern_robotics.spatial", "raisim", "isaaclab2",
                                      "isaaclab3", "isaacgym", "ros")} | {
    row: row for row in ("newton", "newton.joint", "newton.joint.1_5", "sap.public", "sap.internal")} | {
    row: f"{row}[twist.order=linear first,{FILL}]" for row in ("brax", "ptera", "ptera.coupling")} | {
    "bullet": f"bullet[axes=z-up,pose=position first,twist.order=linear first,{FILL}]",
    "unity": f"unity[pose=position first,twist.order=linear first,{FILL}]",
    "unreal": f"unreal[pose=position first,twist.point=com,twist.frame=world,twist.order=angular first,{FILL}]",
    "usd.text": f"usd.text[length=0.01,pose=position first,twist.point=com,twist.frame=world,twist.order=linear first,{FILL}]"}


@pytest.mark.parametrize("row", TREES)
def test_whole_states_of_mujoco_survive_the_way_to_any_row_and_back(judge_with_ball, row):
    data, model = judge_with_ball.data, judge_with_ball.ours
    there, back = torsor.StateMap(model, "mujoco", TREES[row]), torsor.StateMap(model, TREES[row], "mujoco")
    force = np.random.default_rng(1).normal(size=model.nv)
    q, v = there.positions(data.qpos), there.velocities(data.qpos, data.qvel)
    f = there.forces(data.qpos, force)
    returned = back.positions(q)
    for address in (3, 7 + 2):
        returned[address:address + 4] *= np.sign(returned[address:address + 4] @ data.qpos[address:address + 4])
    agree(returned, data.qpos, 1e-12)
    agree(back.velocities(q, v), data.qvel, 1e-12)
    agree(back.forces(q, f), force, 1e-12)
    if conventions.show(row)["cells"]["joint_force"] == "dual" and row != "usd.text":  # degrees, but newton metres
        agree(f @ v, force @ data.qvel, 1e-11)
    if conventions.show(row)["cells"]["acceleration"] != "unspecified":
        a = there.accelerations(data.qpos, data.qvel, data.qacc)
        agree(back.accelerations(q, v, a), data.qacc, 1e-11)


# Ptera Software, which flies on MuJoCo: its numbers are MuJoCo's with Earth as the world.


@pytest.mark.parametrize("row", ["ptera", "ptera.coupling"])
def test_pteras_flight_in_mujoco(seed, row):
    judge = Judge(seed, gravity=(0, 0, 9.81))
    flight, data = f"{row}[twist.order=linear first]", judge.data
    at = dict(pose=data.qpos[:7], com=judge.com() * [1, -1, -1])  # the COM is always in Torsor's axes, y left and z up
    pose = conventions.convert_pose(data.qpos[:7], FLIGHT, flight, com=at["com"])
    agree(pose[:3], data.xipos[1])
    same_rotation(pose[3:], data.qpos[3:7])
    twist = conventions.convert_twist(data.qvel[:6], FLIGHT, flight, **at)
    rate = conventions.convert_acceleration(data.qacc[:6], FLIGHT, flight, twist=data.qvel[:6], **at)
    load = conventions.convert_wrench(data.xfrc_applied[1], FLIGHT, flight, **at)
    R_EB, velocity, acceleration = data.xmat[1].reshape(3, 3), judge.velocity(at_com=True), judge.acceleration(at_com=True)
    to_row = (lambda w: np.rad2deg(R_EB.T @ w)) if row == "ptera" else (lambda w: w)
    agree(twist, np.concatenate([velocity[3:], to_row(velocity[:3])]))
    agree(rate, np.concatenate([acceleration[3:], to_row(acceleration[:3])]), 1e-10)
    agree(load, data.xfrc_applied[1])


# Drake.


class Drake:
    def __init__(self, judge):
        self.plant = MultibodyPlant(time_step=0.0)
        Parser(self.plant).AddModelsFromString(urdf(judge.links), "urdf")
        self.plant.mutable_gravity_field().set_gravity_vector(judge.gravity)
        self.plant.Finalize()
        joints = [self.plant.get_joint(index) for index in self.plant.GetJointIndices()]
        self.order = [joint.name() for joint in sorted(joints, key=lambda joint: joint.velocity_start())]
        self.there = torsor.StateMap(judge.ours, "mujoco", DRAKE, target_order=self.order)
        self.back = torsor.StateMap(judge.ours, DRAKE, "mujoco", source_order=self.order)
        self.context = self.plant.CreateDefaultContext()
        self.plant.SetPositions(self.context, self.there.positions(judge.data.qpos))
        self.plant.SetVelocities(self.context, self.there.velocities(judge.data.qpos, judge.data.qvel))

    def body(self, link):
        return self.plant.GetBodyByName(link.name)

    def apply(self, judge, wrench_point):
        """MuJoCo's loads: on joints as generalised forces, on bodies as forces at one of their points."""
        force = self.there.forces(judge.data.qpos, judge.data.qfrc_applied)
        self.plant.get_applied_generalized_force_input_port().FixValue(self.context, force)
        loads = []
        for number, link in enumerate(judge.links, start=1):
            wrench = conventions.convert_wrench(judge.data.xfrc_applied[number], "mujoco",
                                                f"drake[wrench.point={wrench_point}]", pose=judge.pose(number), com=link.com)
            load = ExternallyAppliedSpatialForce()
            load.body_index = self.body(link).index()
            load.p_BoBq_B = link.com if wrench_point == "com" else np.zeros(3)
            load.F_Bq_W = SpatialForce(tau=wrench[:3], f=wrench[3:])
            loads.append(load)
        self.plant.get_applied_spatial_force_input_port().FixValue(self.context, loads)

    def vdot(self):
        rates = self.plant.EvalTimeDerivatives(self.context).CopyToVector()
        return rates[self.plant.num_positions():]


def test_bodies_of_drake_are_where_mujocos_are_and_move_alike(judge):
    drake = Drake(judge)
    for number, link in enumerate(judge.links, start=1):
        X_WB = drake.plant.EvalBodyPoseInWorld(drake.context, drake.body(link))
        agree(X_WB.translation(), judge.data.xpos[number])
        agree(X_WB.rotation().matrix().ravel(), judge.data.xmat[number])
        V_WB = drake.plant.EvalBodySpatialVelocityInWorld(drake.context, drake.body(link))
        agree(V_WB.get_coeffs(), judge.velocity(number))


@pytest.mark.parametrize("wrench_point", ["origin", "com"])
def test_drake_accelerates_as_mujoco_under_the_same_loads(judge, wrench_point):
    drake = Drake(judge)
    drake.apply(judge, wrench_point)
    agree(drake.vdot(), drake.there.accelerations(judge.data.qpos, judge.data.qvel, judge.data.qacc), 1e-9)
    q, v = drake.plant.GetPositions(drake.context), drake.plant.GetVelocities(drake.context)
    agree(drake.back.accelerations(q, v, drake.vdot()), judge.data.qacc, 1e-9)
    for number, link in enumerate(judge.links, start=1):
        A_WB = drake.plant.EvalBodySpatialAccelerationInWorld(drake.context, drake.body(link))
        agree(A_WB.get_coeffs(), judge.acceleration(number), 1e-9)


def test_generalised_forces_of_drakes_floating_base_are_dual_to_its_velocities(judge):
    judge.data.qfrc_applied[:6] = [1, -2, 3, 0.5, 0.7, -0.9]
    mujoco.mj_forward(judge.model, judge.data)
    drake = Drake(judge)
    drake.apply(judge, "com")
    agree(drake.vdot(), drake.there.accelerations(judge.data.qpos, judge.data.qvel, judge.data.qacc), 1e-9)


def columns(state_map, judge):
    """The matrix of StateMap.velocities()."""
    count = judge.model.nv
    return state_map.velocities(np.tile(judge.data.qpos, (count, 1)), np.eye(count)).T


def test_the_mass_matrix_of_drake_is_mujocos_in_other_coordinates(judge):
    drake = Drake(judge)
    X = columns(drake.there, judge)
    agree(X.T @ drake.plant.CalcMassMatrix(drake.context) @ X, judge.mass_matrix(), 1e-10)


def test_a_flight_in_drake_ends_where_ours_ends(judge):
    drake = Drake(judge)
    judge.data.xfrc_applied[:] = 0
    judge.data.qfrc_applied[:] = 0
    drake.apply(judge, "com")
    simulator = Simulator(drake.plant, drake.context)
    simulator.get_mutable_integrator().set_target_accuracy(1e-11)
    simulator.AdvanceTo(0.2)
    model = judge.ours
    model.opt.integrator = engines.INTEGRATORS["RK4"]
    data = torsor.Data(model)
    data.qpos[:], data.qvel[:] = judge.data.qpos, judge.data.qvel
    torsor.step(model, data, 200)
    q, v = drake.plant.GetPositions(drake.context), drake.plant.GetVelocities(drake.context)
    ends = drake.back.positions(q)
    same_rotation(ends[3:7], data.qpos[3:7], 1e-8)
    agree(np.delete(ends, range(3, 7)), np.delete(data.qpos, range(3, 7)), 1e-8)
    agree(drake.back.velocities(q, v), data.qvel, 1e-8)


# Pinocchio.


class Pinocchio:
    JOINTS = {"free": lambda axis: pinocchio.JointModelFreeFlyer(), "ball": lambda axis: pinocchio.JointModelSpherical(),
              "hinge": pinocchio.JointModelRevoluteUnaligned, "slide": pinocchio.JointModelPrismaticUnaligned}

    def __init__(self, judge):
        self.model = pinocchio.Model()
        self.model.gravity.linear = judge.gravity
        for link in judge.links:
            parent = self.model.getJointId(link.parent) if link.parent else 0
            place = pinocchio.SE3(link.rotation.as_matrix(), link.position)
            joint = self.model.addJoint(parent, self.JOINTS[link.joint](link.axis), place, link.name)
            self.model.appendBodyToJoint(joint, pinocchio.Inertia(link.mass, link.com, link.inertia), pinocchio.SE3.Identity())
        self.data = self.model.createData()
        order = list(self.model.names)[1:]
        self.there = torsor.StateMap(judge.ours, "mujoco", PINOCCHIO, target_order=order)
        self.back = torsor.StateMap(judge.ours, PINOCCHIO, "mujoco", source_order=order)
        self.q = self.there.positions(judge.data.qpos)
        self.v = self.there.velocities(judge.data.qpos, judge.data.qvel)
        pinocchio.forwardKinematics(self.model, self.data, self.q, self.v)

    def loads(self, judge):
        loads = [pinocchio.Force.Zero()]
        for number, link in enumerate(judge.links, start=1):
            wrench = conventions.convert_wrench(judge.data.xfrc_applied[number], "mujoco", "pinocchio",
                                                pose=judge.pose(number), com=link.com)
            loads.append(pinocchio.Force(wrench[:3], wrench[3:]))
        return loads

    def aba(self, judge):
        force = self.there.forces(judge.data.qpos, judge.data.qfrc_applied)
        return pinocchio.aba(self.model, self.data, self.q, self.v, force, self.loads(judge)).copy()


def test_joints_of_pinocchio_are_where_mujocos_bodies_are_and_move_alike(judge_with_ball):
    judge, system = judge_with_ball, Pinocchio(judge_with_ball)
    frames = {"pinocchio": pinocchio.LOCAL, "raisim": pinocchio.LOCAL_WORLD_ALIGNED,
              "modern_robotics.spatial.linear_first": pinocchio.WORLD}
    for number, link in enumerate(judge.links, start=1):
        joint = system.model.getJointId(link.name)
        agree(system.data.oMi[joint].translation, judge.data.xpos[number])
        agree(system.data.oMi[joint].rotation.ravel(), judge.data.xmat[number])
        for row, frame in frames.items():
            twist = conventions.convert_twist(judge.velocity(number), "drake", row, pose=np.roll(judge.pose(number), 4))
            agree(pinocchio.getVelocity(system.model, system.data, joint, frame).vector, twist)


def test_pinocchio_accelerates_as_mujoco_under_the_same_loads(judge_with_ball):
    judge, system = judge_with_ball, Pinocchio(judge_with_ball)
    rates = system.aba(judge)
    agree(rates, system.there.accelerations(judge.data.qpos, judge.data.qvel, judge.data.qacc), 1e-9)
    agree(system.back.accelerations(system.q, system.v, rates), judge.data.qacc, 1e-9)


def test_generalised_forces_of_pinocchios_free_flyer_are_dual_to_its_velocities(judge_with_ball):
    judge = judge_with_ball
    judge.data.qfrc_applied[:6] = [1, -2, 3, 0.5, 0.7, -0.9]
    mujoco.mj_forward(judge.model, judge.data)
    system = Pinocchio(judge)
    agree(system.back.accelerations(system.q, system.v, system.aba(judge)), judge.data.qacc, 1e-9)


def test_the_rates_of_pinocchios_numbers_are_its_accelerations(judge_with_ball):
    judge, tick = judge_with_ball, 1e-5
    system = Pinocchio(judge)
    rates, step = system.aba(judge), {}
    for sign in (-1, 1):  # a motion with constant rate of MuJoCo's numbers, read in Pinocchio's
        qpos = judge.data.qpos.copy()
        middle = judge.data.qvel + judge.data.qacc * sign * tick / 2
        mujoco.mj_integratePos(judge.model, qpos, middle, sign * tick)
        step[sign] = system.there.velocities(qpos, judge.data.qvel + judge.data.qacc * sign * tick)
    agree((step[1] - step[-1]) / (2 * tick), rates, 1e-6)


def test_the_mass_matrix_of_pinocchio_is_mujocos_in_other_coordinates(judge_with_ball):
    judge, system = judge_with_ball, Pinocchio(judge_with_ball)
    mass = pinocchio.crba(system.model, system.data, system.q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    X = columns(system.there, judge)
    agree(X.T @ mass @ X, judge.mass_matrix(), 1e-10)


def test_drakes_state_in_pinocchio_without_mujoco_in_between(judge):
    drake, system = Drake(judge), Pinocchio(judge)
    direct = torsor.StateMap(judge.ours, DRAKE, PINOCCHIO, source_order=drake.order, target_order=list(system.model.names)[1:])
    drake.apply(judge, "origin")
    q, v = drake.plant.GetPositions(drake.context), drake.plant.GetVelocities(drake.context)
    same_rotation(direct.positions(q)[3:7], system.q[3:7])
    agree(direct.velocities(q, v), system.v)
    agree(direct.accelerations(q, v, drake.vdot()), system.aba(judge), 1e-9)


# SciPy.


def test_scipys_quaternions_are_scalar_last(judge):
    for number in range(1, judge.model.nbody):
        quat = conventions.convert_rotation(judge.data.xquat[number], "mujoco", "scipy")
        agree(Rotation.from_quat(quat).as_matrix().ravel(), judge.data.xmat[number])
        same_rotation(conventions.convert_rotation(quat, "scipy", "mujoco"), judge.data.xquat[number])


SEQUENCES = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b and b != c]


@pytest.mark.parametrize("sequence", SEQUENCES + [sequence.upper() for sequence in SEQUENCES])
def test_euler_angles_in_the_spelling_of_scipy_and_of_mujoco(sequence, seed):
    angles = np.random.default_rng(seed).uniform(-1.4, 1.4, 3)
    quat = rotations.euler_to_quat(angles, order="xyzw", sequence=sequence, spelling="scipy", unit="radians")
    same_rotation(quat, Rotation.from_euler(sequence, angles).as_quat())
    model = mujoco.MjModel.from_xml_string(f'<mujoco><compiler angle="radian" eulerseq="{sequence}"/><worldbody>'
                                           f'<body euler="{text(angles)}"/></worldbody></mujoco>')
    quat = rotations.euler_to_quat(angles, order="wxyz", sequence=sequence, spelling="mujoco", unit="radians")
    same_rotation(quat, model.body_quat[1])
    again = rotations.quat_to_euler(quat, order="wxyz", sequence=sequence, spelling="scipy", unit="degrees")
    agree(Rotation.from_euler(sequence, again, degrees=True).as_matrix(), rotations.quat_to_matrix(quat, order="wxyz"))
