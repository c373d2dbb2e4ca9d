"""One step of MuJoCo and one of Torsor from each state of 50 random actions: the largest relative difference of velocities.

    one_step.py Ant-v5

Prints two numbers: of steps in which all contacts are between planes, spheres, capsules and boxes, and of the others. Run with
MuJoCo as `mujoco` and Torsor beside it.
"""

import sys
import warnings

import mujoco
import numpy

import torsor.mujoco
import trace_environments

ACTIONS = 50
STATE = mujoco.mjtState.mjSTATE_INTEGRATION
CLOSED_FORM = [int(getattr(mujoco.mjtGeom, f"mjGEOM_{name}")) for name in ("PLANE", "SPHERE", "CAPSULE", "BOX")]
# what environments write into their models when they are reset
EDITED = ("body_pos", "body_quat", "site_pos", "site_quat", "actuator_gainprm", "actuator_biasprm")


class Twin:
    """Torsor's model and data of an environment that runs on MuJoCo, and the differences of their steps."""

    def __init__(self, env):
        path = getattr(env, "fullpath", None) or env.model_path
        self.model = torsor.mujoco.MjModel.from_xml_path(path)
        self.data = torsor.mujoco.MjData(self.model)
        self.differences = {True: 0.0, False: 0.0}

    def step(self, model, data, nstep=1):
        """In place of mj_step."""
        for _ in range(nstep):
            self.take_state(model, data)
            self.real_step(model, data)
            torsor.mujoco.mj_step(self.model, self.data)
            pairs = model.geom_type[data.contact.geom]
            has_closed_form = bool(numpy.isin(pairs, CLOSED_FORM).all())
            difference = numpy.abs(self.data.qvel - data.qvel).max() / max(1, numpy.abs(data.qvel).max())
            self.differences[has_closed_form] = max(self.differences[has_closed_form], difference)

    real_step = staticmethod(mujoco.mj_step)

    def take_state(self, model, data):
        for name in EDITED:
            getattr(self.model, name)[:] = getattr(model, name)
        state = numpy.zeros(mujoco.mj_stateSize(model, STATE))
        mujoco.mj_getState(model, data, state, STATE)
        torsor.mujoco.mj_setState(self.model, self.data, state, int(STATE))


def main():
    warnings.simplefilter("ignore")
    name = sys.argv[1]
    env = trace_environments.make("gymnasium_robotics" if name.startswith("Adroit") else "gymnasium", name)
    env.reset()
    twin = Twin(env.env.unwrapped)
    mujoco.mj_step = twin.step
    random = numpy.random.default_rng(2)
    for _ in range(ACTIONS):
        env.step(random.uniform(env.low, env.high))
    print(twin.differences[True], twin.differences[False])


if __name__ == "__main__":
    main()
