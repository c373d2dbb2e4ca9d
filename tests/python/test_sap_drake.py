"""The same scenes in Drake's SAP, from its wheel: velocities agree to 1e-5 along whole runs."""

import numpy as np
import pytest

import torsor

pydrake = pytest.importorskip("pydrake", reason="Drake's wheel is not installed")

from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere  # noqa: E402
from pydrake.math import RigidTransform  # noqa: E402
from pydrake.multibody.plant import (  # noqa: E402
    AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation)
from pydrake.multibody.tree import (  # noqa: E402
    PrismaticJoint, RevoluteJoint, SpatialInertia, UnitInertia)
from pydrake.systems.analysis import Simulator  # noqa: E402
from pydrake.systems.framework import DiagramBuilder  # noqa: E402

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
        self.plant.RegisterCollisionGeometry(self.plant.world_body(), RigidTransform(), HalfSpace(), "floor", material(self.stiffness))

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


def compare_bodies(judge, bodies, places, twists, model, data, steps, tolerance=1e-5):
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
    assert touched > 10  # what slides glides, and hops where there are no contacts beyond the surface
    assert worst < tolerance


@pytest.mark.parametrize("h", [0.001, 0.005, 0.01])
def test_a_ball_thrown_onto_the_floor(h):
    place, twist = (0, 0, 0.1001), (3, -5, 2, 1.0, 0.4, -0.3)
    judge = Judge(h)
    judge.add_floor()
    body = judge.add_ball("ball", 0.7, 0.1)
    model, data = ours(FLOOR + ball(0.7, 0.1, place), h)
    compare_bodies(judge, [body], [place], [twist], model, data, 300)


FEET = tuple((x, y, -0.05) for x in (-0.1, 0.1) for y in (-0.08, 0.08))


@pytest.mark.parametrize("angle, stiffness, steps", [(0.3, STIFFNESS, 200), (0.8, 2e3, 60)])
def test_a_table_on_a_slope(angle, stiffness, steps):
    """Sticks at the first angle, slides at the second, on contacts that are soft enough not to rattle. Gravity is turned
    instead of the floor."""
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
