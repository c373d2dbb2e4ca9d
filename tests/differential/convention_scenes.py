"""A free body and a model with every kind of joint, for the tests of what documents on conventions say."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import engines
import torsor

QUARTER_TURN_ABOUT_Y = np.array([np.sqrt(0.5), 0, np.sqrt(0.5), 0])
COM = np.array([0.3, -0.2, 0.5])
PRINCIPAL_AXES = Rotation.from_rotvec([0.4, -0.8, 0.3])
FLIGHT = "mujoco.earth"


@pytest.fixture(params=["torsor", "mujoco"])
def engine(request):
    return engines.subject() if request.param == "torsor" else engines.judge()


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)


class FreeBody:
    """One body in space, without gravity."""

    def __init__(self, engine, com=COM, moments=(0.4, 0.6, 0.7), align="false"):
        def text(values):
            return " ".join(map(repr, map(float, values)))
        self.engine, self.mass, self.com = engine, 2.5, np.array(com)
        self.model = engine.load_string(
            f'<mujoco><option gravity="0 0 0" timestep="0.001"/><worldbody><body name="plane">'
            f'<freejoint name="root" align="{align}"/><inertial pos="{text(com)}" mass="{self.mass}" '
            f'quat="{text(PRINCIPAL_AXES.as_quat(scalar_first=True))}" diaginertia="{text(moments)}"/></body></worldbody>'
            "</mujoco>")
        self.data = engine.make_data(self.model)

    def place(self, quat=(1, 0, 0, 0), qvel=(0,) * 6, position=(1, 2, 3)):
        self.data.qpos[:] = np.concatenate([position, quat])
        self.data.qvel[:] = qvel
        self.engine.forward(self.model, self.data)
        return self

    @property
    def R_WB(self):
        return np.array(self.data.xmat[1]).reshape(3, 3)

    def velocity(self, kind="xbody"):
        return np.array(self.engine.object_velocity(self.model, self.data, kind, 1, False))

    def acceleration(self, load):
        """qacc under a load (force, torque) at the centre of mass, in world axes."""
        self.data.xfrc_applied[1] = load
        self.engine.forward(self.model, self.data)
        return np.array(self.data.qacc)


def wxyz(rotation):
    return rotation.as_quat(scalar_first=True)


def random_quat(rng):
    return wxyz(Rotation.random(random_state=rng))


def same_rotation(a, b):
    """q and -q are the same rotation."""
    return np.allclose(np.asarray(a) * np.sign(np.dot(a, b)), b, rtol=0, atol=1e-12)


def close(a, b, tolerance=1e-12):
    return np.allclose(a, b, rtol=tolerance, atol=tolerance)


EVERY_JOINT = """<mujoco><compiler angle="radian"/><worldbody>
  <body name="base"><freejoint name="free"/><inertial pos=".1 .2 -.3" mass="2" diaginertia=".3 .4 .5"/>
    <body name="slider"><joint name="prismatic" type="slide"/><inertial pos="0 0 .1" mass="1" diaginertia=".1 .1 .1"/>
      <body name="elbow"><joint name="revolute" ref=".4"/><inertial pos="0 0 .1" mass="1" diaginertia=".1 .1 .1"/>
        <body name="hand"><joint name="ball" type="ball"/><inertial pos="0 0 .1" mass="1" diaginertia=".1 .1 .1"/>
          <body name="welded"><inertial pos="0 0 .1" mass="1" diaginertia=".1 .1 .1"/></body>
        </body></body></body>
    <body name="table"><joint name="d6_turn" axis="0 0 1"/><joint name="d6_lift" type="slide" axis="0 0 1"/>
      <inertial pos=".1 0 .1" mass="1" diaginertia=".1 .1 .1"/></body>
  </body></worldbody></mujoco>"""


@pytest.fixture
def every_joint(rng):
    model = torsor.Model.from_xml_string(EVERY_JOINT)
    qpos = np.array(torsor.integrate_pos(model, model.qpos0, rng.normal(size=model.nv), 1.0))
    return model, qpos, rng.normal(size=model.nv)
