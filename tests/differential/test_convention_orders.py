"""The joint orders of Drake and Pinocchio against the systems themselves: whole states of random models, converted with
the order of the convention alone, put every body where MuJoCo has it, moving as it does.

The models branch, carry several joints on one body and bodies without joints, and have names that follow no alphabet. For
Drake they also have several fixed and floating trees; Pinocchio's readers take one tree.
"""

import random

import mujoco
import numpy as np
import pinocchio
import pytest
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

import torsor

CASES = 12


class RandomTree:
    """A model as MJCF, and as URDF where it has one joint per body."""

    def __init__(self, seed, trees, several_joints=True, may_float=True, may_weld=True):
        self.random = random.Random(seed)
        self.several_joints, self.may_float, self.may_weld = several_joints, may_float, may_weld
        self.names = [f"n{number}" for number in self.random.sample(range(100000), 5000)]  # of bodies and joints
        self.links, self.joints = [], []
        bodies = "".join(self.body(depth=0) for _ in range(trees))
        self.xml = f'<mujoco model="m"><compiler angle="radian"/><worldbody>{bodies}</worldbody></mujoco>'

    def numbers(self, count, low=-1.0, high=1.0):
        return " ".join(f"{self.random.uniform(low, high):.3f}" for _ in range(count))

    def joint(self, kinds=("hinge", "slide")):
        axis = self.random.choice(["1 0 0", "0 1 0", "0 0 1", "0.6 0 0.8"])
        return f'<joint name="{self.names.pop()}" type="{self.random.choice(kinds)}" axis="{axis}"/>'

    def body(self, depth):
        kinds = ["one", "one"] + (["none"] if self.may_weld else []) + (["several"] if self.several_joints else [])
        if depth == 0:
            kinds = ["free"] * (2 if self.may_float else 0) + (["one", "several"] if self.several_joints else ["one"])
        kind = self.random.choice(kinds)
        name = self.names.pop() + "_body"
        joints = {"free": f'<freejoint name="{self.names.pop()}"/>', "none": "", "one": self.joint(),
                  "several": self.joint() + self.joint()}[kind]
        inertial = f'<inertial pos="{self.numbers(3)}" mass="{self.numbers(1, 1, 2)}" diaginertia="1 1.2 1.4"/>'
        children = "".join(self.body(depth + 1) for _ in range(self.random.choice([0, 1, 2, 3]) if depth < 3 else 0))
        # Drake's reader moves the second joint of a body by the body's own pose (1.51), so those stand at their parent
        place = "" if kind == "several" else f'pos="{self.numbers(3)}" quat="1 {self.numbers(3)}"'
        return f'<body name="{name}" {place}>{joints}{inertial}{children}</body>'


class Reference:
    """A random state in MuJoCo."""

    def __init__(self, xml, seed):
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.model)
        rng = np.random.default_rng(seed)
        mujoco.mj_integratePos(self.model, self.data.qpos, rng.normal(0, 0.7, self.model.nv), 1)
        self.data.qvel[:] = rng.normal(size=self.model.nv)
        mujoco.mj_forward(self.model, self.data)

    def state_in(self, convention, xml):
        state_map = torsor.StateMap(torsor.Model.from_xml_string(xml), "mujoco", convention)
        return state_map.positions(self.data.qpos), state_map.velocities(self.data.qpos, self.data.qvel)

    def bodies(self):
        """(name, rotation, position, [angular, linear] velocity), all in the world's axes."""
        for body in range(1, self.model.nbody):
            velocity = np.zeros(6)
            mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, body, velocity, 0)
            yield self.model.body(body).name, self.data.xmat[body].reshape(3, 3), self.data.xpos[body], velocity


def compare(there, here):
    __tracebackhide__ = True
    for a, b in zip(there, here, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-11 * max(1.0, np.abs(b).max()))


@pytest.mark.parametrize("case", range(CASES))
def test_states_put_the_bodies_of_drake_where_mujocos_are(seed, case):
    tree = RandomTree(seed + case, trees=1 + case % 6)
    reference = Reference(tree.xml, seed + case)
    plant = MultibodyPlant(time_step=0.0)
    Parser(plant).AddModelsFromString(tree.xml, "xml")
    plant.Finalize()
    context = plant.CreateDefaultContext()
    q, v = reference.state_in("drake", tree.xml)
    plant.SetPositions(context, q)
    plant.SetVelocities(context, v)
    for name, rotation, position, velocity in reference.bodies():
        X_WB = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(name))
        V_WB = plant.EvalBodySpatialVelocityInWorld(context, plant.GetBodyByName(name))
        compare((X_WB.rotation().matrix(), X_WB.translation(), V_WB.rotational(), V_WB.translational()),
                (rotation, position, velocity[:3], velocity[3:]))


def check_pinocchio(model, reference, q, v):
    data = model.createData()
    pinocchio.forwardKinematics(model, data, q, v)
    pinocchio.updateFramePlacements(model, data)
    for name, rotation, position, velocity in reference.bodies():
        frame = model.getFrameId(name, pinocchio.FrameType.BODY)
        twist = pinocchio.getFrameVelocity(model, data, frame, pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        compare((data.oMf[frame].rotation, data.oMf[frame].translation, twist.angular, twist.linear),
                (rotation, position, velocity[:3], velocity[3:]))


@pytest.mark.parametrize("case", range(CASES))
def test_states_put_the_bodies_of_pinocchio_where_mujocos_are(seed, case, tmp_path):
    tree = RandomTree(seed + case, trees=1)
    (tmp_path / "model.xml").write_text(tree.xml)
    model = pinocchio.buildModelFromMJCF(str(tmp_path / "model.xml"))
    if model.joints[1].shortname() == "JointModelFreeFlyer":  # its reader counts positions from the `pos` of the base
        model.jointPlacements[1] = pinocchio.SE3.Identity()
    reference = Reference(tree.xml, seed + case)
    check_pinocchio(model, reference, *reference.state_in("pinocchio", tree.xml))


def urdf_of(xml):
    """The URDF of a model with hinges and slides, its elements in the order of the document."""
    spec = mujoco.MjSpec.from_string(xml)
    parts = []
    kinds = {mujoco.mjtJoint.mjJNT_HINGE: "revolute", mujoco.mjtJoint.mjJNT_SLIDE: "prismatic"}
    for body in spec.bodies:
        if body.name == "world":
            continue
        moments = " ".join(f'i{pair}="{value}"' for pair, value in zip(("xx", "yy", "zz"), body.inertia))
        parts.append(f'<link name="{body.name}"><inertial><origin xyz="{" ".join(map(str, body.ipos))}"/>'
                     f'<mass value="{body.mass}"/><inertia {moments} ixy="0" ixz="0" iyz="0"/></inertial></link>')
        joint = body.joints[0] if body.joints else None
        if joint is not None and joint.type == mujoco.mjtJoint.mjJNT_FREE:
            continue
        parent = body.parent.name
        matrix = np.zeros(9)
        mujoco.mju_quat2Mat(matrix, body.quat / np.linalg.norm(body.quat))
        rpy = pinocchio.rpy.matrixToRpy(matrix.reshape(3, 3))
        kind = kinds[joint.type] if joint is not None else "fixed"
        axis = joint.axis / np.linalg.norm(joint.axis) if joint is not None else (0, 0, 1)
        parts.append(f'<joint name="{joint.name if joint is not None else body.name}" type="{kind}"><parent link="{parent}"/>'
                     f'<child link="{body.name}"/><origin xyz="{" ".join(map(repr, map(float, body.pos)))}" '
                     f'rpy="{" ".join(map(repr, map(float, rpy)))}"/><axis xyz="{" ".join(map(repr, map(float, axis)))}"/>'
                     '<limit lower="-100" upper="100" effort="1e9" velocity="1e9"/></joint>')
    return f'<robot name="m"><link name="world"/>{"".join(parts)}</robot>'


@pytest.mark.parametrize("case", range(CASES))
@pytest.mark.parametrize("base", ["fixed", "free"])
def test_states_put_the_bodies_of_a_urdf_in_pinocchio_where_mujocos_are(seed, case, base):
    tree = RandomTree(seed + case, trees=1, several_joints=False, may_float=False, may_weld=False)
    xml = tree.xml
    if base == "free":  # the one joint of the base becomes a free joint
        start = xml.index("<joint ")
        xml = xml[:start] + '<freejoint name="zz_root"/>' + xml[xml.index("/>", start) + 2:]
        text = urdf_of(xml).replace('<link name="world"/>', "")
        model = pinocchio.buildModelFromXML(text, pinocchio.JointModelFreeFlyer())
    else:
        model = pinocchio.buildModelFromXML(urdf_of(xml))
    reference = Reference(xml, seed + case)
    check_pinocchio(model, reference, *reference.state_in("pinocchio.urdf", xml))


def test_a_body_without_a_joint_among_siblings_that_move_has_no_place_in_a_urdf():
    """There it would have a fixed joint, whose name nobody knows."""
    model = torsor.Model.from_xml_string("""<mujoco><worldbody><body name="base"><joint name="j"/><geom size="1"/>
      <body name="fixed"><geom size="1"/><body name="a"><joint name="z"/><geom size="1"/></body></body>
      <body name="b"><joint name="y"/><geom size="1"/></body></body></worldbody></mujoco>""")
    with pytest.raises(torsor.Error, match="body 'fixed' has siblings but no named joint"):
        torsor.StateMap(model, "mujoco", "pinocchio.urdf")


def test_the_orders_differ_from_that_of_mujoco(seed):
    """Else the tests above would show nothing."""
    differ = {"drake": 0, "pinocchio.urdf": 0}
    for case in range(CASES):
        model = torsor.Model.from_xml_string(RandomTree(seed + case, 4, several_joints=False, may_weld=False).xml)
        for convention in differ:
            differ[convention] += list(torsor.StateMap(model, "mujoco", convention).joint_map) != list(range(model.njnt))
    assert min(differ.values()) >= CASES // 3, differ
