"""The same scenes in Drake's SAP, from its wheel: velocities agree to 1e-5 along whole runs."""

import numpy as np
import pytest
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation)
from pydrake.multibody.tree import (
    PrismaticJoint, RevoluteJoint, SpatialInertia, UnitInertia)
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

import torsor

MU, STIFFNESS, DISSIPATION = 0.6, 1e5, 0.01


def material(stiffness):
    properties = ProximityProperties()
    AddContactMaterial(dissipation=None, point_stiffness=stiffness, friction=CoulombFriction(MU, MU),
                       properties=properties)
    properties.AddProperty("material", "relaxation_time", DISSIPATION)
    return properties


class Judge:
    """A plant of Drake with SAP and a half space z < 0."""

    def __init__(self, h, gravity=(0, 0, -9.81), stiffness=STIFFNESS):
        self.builder = DiagramBuilder()
        self.plant, self.scene = AddMultibodyPlantSceneGraph(self.builder, h)
        self.plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        self.plant.set_sap_near_rigid_threshold(1.0)
        self.plant.mutable_gravity_field().set_gravity_vector(gravity)
        self.h, self.steps, self.stiffness = h, 0, stiffness

    def add_floor(self):
        self.plant.RegisterCollisionGeometry(
            self.plant.world_body(), RigidTransform(), HalfSpace(), "floor", material(self.stiffness))

    def add_ball(self, name, mass, radius, places=((0, 0, 0),)):
        """A body with the inertia of a ball of this mass and 0.1 m, and balls to touch with."""
        body = self.plant.AddRigidBody(name, SpatialInertia(mass, np.zeros(3), UnitInertia.SolidSphere(0.1)))
        for k, place in enumerate(places):
            self.plant.RegisterCollisionGeometry(
                body, RigidTransform(place), Sphere(radius), f"{name}{k}", material(self.stiffness))
        return body

    def start(self):
        self.plant.Finalize()
        self.simulator = Simulator(self.builder.Build())
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())

    def step(self):
        """Updates happen at multiples of h: times in between do not depend on rounding."""
        self.simulator.AdvanceTo((self.steps + 0.5) * self.h)
        self.steps += 1


def ours(text, h, gravity="0 0 -9.81", stiffness=STIFFNESS):
    model = torsor.Model.from_xml_string(f"""<mujoco><compiler angle="radian"/><option solver="SAP" timestep="{h}"
      gravity="{gravity}" sap_tolerance="1e-10" sap_stiffness="{stiffness}" sap_dissipation="{DISSIPATION}"/>
      <default><geom friction="{MU}"/></default><worldbody>{text}</worldbody></mujoco>""")
    return model, torsor.Data(model)


FLOOR = '<geom type="plane" size="0 0 1"/>'
INERTIA = "{0} {0} {0}".format


def ball(mass, radius, pos, places=((0, 0, 0),)):
    geoms = "".join(f'<geom size="{radius}" pos="{p[0]} {p[1]} {p[2]}"/>' for p in places)
    moment = 0.4 * mass * 0.1**2
    return f"""<body pos="{pos[0]} {pos[1]} {pos[2]}"><freejoint/><inertial pos="0 0 0" mass="{mass}"
      diaginertia="{moment} {moment} {moment}"/>{geoms}</body>"""


def twist_of(data, body):
    """Angular and linear velocity in the world."""
    rotation = data.xmat[body].reshape(3, 3)
    address = 6 * (body - 1)
    return np.concatenate([rotation @ data.qvel[address + 3 : address + 6], data.qvel[address : address + 3]])


def set_twist(data, body, twist):
    address = 6 * (body - 1)
    data.qvel[address : address + 3], data.qvel[address + 3 : address + 6] = twist[3:], twist[:3]


def compare_bodies(judge, bodies, places, twists, model, data, steps, touches=True):
    from pydrake.multibody.math import SpatialVelocity

    judge.start()
    for number, (body, place, twist) in enumerate(zip(bodies, places, twists), start=1):
        judge.plant.SetFreeBodyPose(judge.context, body, RigidTransform(place))
        judge.plant.SetFreeBodySpatialVelocity(judge.context, body, SpatialVelocity(twist[:3], twist[3:]))
        set_twist(data, number, np.array(twist, dtype=float))
    worst, touched = 0, 0
    for _ in range(steps):
        judge.step()
        torsor.step(model, data)
        touched += data.ncon > 0
        torsor.kinematics(model, data)
        for number, body in enumerate(bodies, start=1):
            theirs = judge.plant.EvalBodySpatialVelocityInWorld(judge.context, body)
            difference = twist_of(data, number) - np.concatenate([theirs.rotational(), theirs.translational()])
            worst = max(worst, np.abs(difference).max())
    assert touched > 10 or not touches  # what slides glides, and hops where there are no contacts beyond the surface
    assert worst < 1e-5


@pytest.mark.parametrize("h", [0.001, 0.005, 0.01])
@pytest.mark.parametrize("stiffness", [STIFFNESS, 1e10])  # compliant and near-rigid
def test_a_ball_thrown_onto_the_floor(h, stiffness):
    place, twist = (0, 0, 0.1001), (3, -5, 2, 1.0, 0.4, -0.3)
    judge = Judge(h, stiffness=stiffness)
    judge.add_floor()
    body = judge.add_ball("ball", 0.7, 0.1)
    model, data = ours(FLOOR + ball(0.7, 0.1, place), h, stiffness=stiffness)
    compare_bodies(judge, [body], [place], [twist], model, data, 300)


FEET = tuple((x, y, -0.05) for x in (-0.1, 0.1) for y in (-0.08, 0.08))


@pytest.mark.parametrize("angle, stiffness, steps", [(0.3, STIFFNESS, 200), (0.8, 2e3, 60)])
def test_a_table_on_a_slope(angle, stiffness, steps):
    """Sticks at the first angle, slides at the second, on contacts that are soft enough not to rattle. Gravity is
    turned instead of the floor."""
    gravity = (9.81 * np.sin(angle), 0, -9.81 * np.cos(angle))
    place, twist = (0, 0, 0.0699), (0, 0, 0, 0.1, 0.2, 0)
    judge = Judge(0.005, gravity, stiffness)
    judge.add_floor()
    body = judge.add_ball("table", 1.5, 0.02, FEET)
    model, data = ours(FLOOR + ball(1.5, 0.02, place, FEET), 0.005, "{} {} {}".format(*gravity), stiffness)
    compare_bodies(judge, [body], [place], [twist], model, data, steps)
    assert (data.qvel[0] > 0.3) == (angle > 0.5)


def test_two_balls_that_meet_on_the_floor():
    places, twists = ((0, 0, 0.0999), (0.25, 0.03, 0.0999)), ((0, 8, 0, 1, 0, 0), (0, 0, 0, -0.5, 0, 0))
    judge = Judge(0.002)
    judge.add_floor()
    bodies = [judge.add_ball("a", 1, 0.1), judge.add_ball("b", 0.4, 0.1)]
    model, data = ours(FLOOR + ball(1, 0.1, places[0]) + ball(0.4, 0.1, places[1]), 0.002)
    compare_bodies(judge, bodies, places, twists, model, data, 400)


@pytest.mark.parametrize("h", [0.002, 0.01])
@pytest.mark.parametrize("kind", ["hinge", "slide"])
def test_a_joint_that_runs_into_its_limit(kind, h):
    judge = Judge(h)
    link = judge.add_ball("link", 1.3, 0.1)
    moment = 0.4 * 1.3 * 0.1**2
    if kind == "hinge":
        joint = RevoluteJoint("j", judge.plant.world_frame(), judge.plant.AddFrame(_offset(judge.plant, link)),
                              [0, 1, 0], -0.5, 0.6, 0)
        body = f"""<body><joint type="hinge" axis="0 1 0" range="-0.5 0.6"/><inertial pos="0.3 0 0" mass="1.3"
          diaginertia="{moment} {moment} {moment}"/></body>"""
    else:
        joint = PrismaticJoint("j", judge.plant.world_frame(), link.body_frame(), [0, 0, 1], -0.3, 0.4, 0)
        body = f"""<body><joint type="slide" axis="0 0 1" range="-0.3 0.4"/><inertial pos="0 0 0" mass="1.3"
          diaginertia="{moment} {moment} {moment}"/></body>"""
    joint = judge.plant.AddJoint(joint)
    joint.set_default_damping(0.2) if hasattr(joint, "set_default_damping") else None
    judge.start()
    model, data = ours(body, h)
    model.dof_damping[0] = joint.GetDampingVector(judge.context)[0]
    data.qvel[0] = 1.5
    setter = joint.set_angular_rate if kind == "hinge" else joint.set_translation_rate
    setter(judge.context, 1.5)
    reader = joint.get_angular_rate if kind == "hinge" else joint.get_translation_rate
    worst, held = 0, 0
    for _ in range(round(2 / h)):
        judge.step()
        torsor.step(model, data)
        held += data.nl
        worst = max(worst, abs(data.qvel[0] - reader(judge.context)))
    assert held > 20
    assert worst < 1e-5


def _offset(plant, link):
    """The hinge is 0.3 m from the link's centre."""
    from pydrake.multibody.tree import FixedOffsetFrame

    return FixedOffsetFrame("pivot", link.body_frame(), RigidTransform([-0.3, 0, 0]), None)


def slider(judge, name, mass, limits=(-np.inf, np.inf)):
    link = judge.add_ball(name, mass, 0.01, ())
    return judge.plant.AddJoint(PrismaticJoint(
        f"{name}_joint", judge.plant.world_frame(), link.body_frame(), [0, 0, 1], *limits, 0))


def slider_text(name, mass):
    moment = 0.4 * mass * 0.1**2
    return f"""<body><joint name="{name}" type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="{mass}"
      diaginertia="{moment} {moment} {moment}"/></body>"""


@pytest.mark.parametrize("kp, kd, effort", [(80, 6, 1000), (80, 6, 14), (1e8, 1e5, 1e9)])
def test_a_drive(kp, kd, effort):
    """Soft, at its limit, and stiffer than a step resolves."""
    from pydrake.multibody.tree import PdControllerGains

    h = 0.005
    judge = Judge(h)
    joint = slider(judge, "a", 1.3)
    actuator = judge.plant.AddJointActuator("drive", joint, effort)
    actuator.set_controller_gains(PdControllerGains(p=kp, d=kd))
    judge.start()
    judge.plant.get_desired_state_input_port(joint.model_instance()).FixValue(judge.context, [0.4, 0.0])
    judge.plant.get_actuation_input_port().FixValue(judge.context, [0.0])
    model, data = ours(slider_text("a", 1.3) + f"""</worldbody><actuator><position joint="a" kp="{kp}" kv="{kd}"
      forcerange="{-effort} {effort}"/></actuator><worldbody>""", h)
    data.ctrl[0] = 0.4
    worst, held = 0, 0
    for _ in range(200):
        judge.step()
        torsor.step(model, data)
        worst = max(worst, abs(data.qvel[0] - joint.get_translation_rate(judge.context)))
        held += abs(data.actuator_force[0]) > 0.999 * effort
    assert worst < 1e-5 and (held > 10) == (effort == 14)


def test_a_coupler():
    h = 0.005
    judge = Judge(h)
    first, second = slider(judge, "a", 1.3), slider(judge, "b", 0.4)
    judge.plant.AddCouplerConstraint(first, second, -2.0, 0.1)  # q_a = -2 q_b + 0.1
    judge.start()
    model, data = ours(slider_text("a", 1.3) + slider_text("b", 0.4) + """</worldbody><equality><joint joint1="a"
      joint2="b" polycoef="0.1 -2 0 0 0"/></equality><worldbody>""", h)
    first.set_translation(judge.context, 0.1)
    data.qpos[0], data.qvel[1] = 0.1, 0.3
    second.set_translation_rate(judge.context, 0.3)
    worst = 0
    for _ in range(200):
        judge.step()
        torsor.step(model, data)
        for number, joint in enumerate((first, second)):
            worst = max(worst, abs(data.qvel[number] - joint.get_translation_rate(judge.context)))
    assert np.abs(data.qvel).max() > 0.5
    assert worst < 1e-5


@pytest.mark.parametrize("kind, spring", [
    ("distance", None), ("ball", None), ("distance", (500.0, 20.0)), ("distance", (2000.0, 0.0)), ("distance", (1e9, 1e6))])
def test_two_bodies_held_together(kind, spring):
    """A distance from an error of 1 cm, turning about each other, rigid or with stiffness and damping; a ball
    constraint at the centres of mass, without error: Drake applies its force midway between the two points, MJCF at
    each."""
    places, twists = ((0, 0, 1), (0.21, 0, 1)), ((0, 0, 0, 0, -0.5, 0), (0, 0, 0, 0, 1.0, 0))
    if kind == "ball":
        places = ((0, 0, 1), (0, 0, 1))
    judge = Judge(0.005)
    bodies = [judge.add_ball(name, mass, 0.001, ()) for name, mass in (("a", 1.0), ("b", 0.6))]
    zero = np.zeros(3)
    if kind == "distance":
        k, c = spring or (np.inf, 0.0)
        judge.plant.AddDistanceConstraint(
            body_A=bodies[0], p_AP=zero, body_B=bodies[1], p_BQ=zero, distance=0.2, stiffness=k, damping=c)
        material = f'sapstiffness="{k}" sapdissipation="{c / k}"' if spring else ""
        equality = f"""<tendon><spatial name="t"><site site="s0"/><site site="s1"/></spatial></tendon><equality><tendon
          tendon1="t" polycoef="-0.01 0 0 0 0" {material}/></equality>"""
    else:
        judge.plant.AddBallConstraint(body_A=bodies[0], p_AP=zero, body_B=bodies[1], p_BQ=zero)
        equality = '<equality><connect site1="s0" site2="s1"/></equality>'
    texts = [ball(mass, 0.001, place).replace("<geom", f'<site name="s{number}"/><geom')
             for number, (mass, place) in enumerate(zip((1.0, 0.6), places))]
    model, data = ours("".join(texts) + f"</worldbody>{equality}<worldbody>", 0.005)
    model.opt.disableflags |= int(torsor.DisableFlag.CONTACT)
    compare_bodies(judge, bodies, places, twists, model, data, 200, touches=False)
    gap = np.linalg.norm(data.xpos[2] - data.xpos[1])
    if spring is None or spring[0] > 1e8:
        assert gap == pytest.approx(0.2 if kind == "distance" else 0, abs=2e-3)
