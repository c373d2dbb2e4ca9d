"""Observations and rewards of environments under 50 random actions, one array per environment, with the module in use.

    trace_environments.py PACKAGE output.npz [--noise] [--exact] [--sequences N] [NAME ...]

PACKAGE is gymnasium, dm_control, gymnasium_robotics, metaworld, robosuite or mink. With --noise, the first state differs by 1e-15;
with --exact, the solver and the search for contacts go on until rounding stops them. With --sequences, an environment runs under N sequences of actions,
whose arrays are called "NAME 0", "NAME 1" and so on.
"""

import argparse
import json
import sys
import warnings

import numpy

ACTIONS, NOISE = 50, 1e-15
GYMNASIUM = ("Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher",
             "Reacher", "Swimmer", "Walker2d")
ROBOTICS = (
    "AdroitHandDoor-v1", "AdroitHandHammer-v1", "AdroitHandPen-v1", "AdroitHandRelocate-v1", "AntMaze_UMaze-v5",
    "FetchPickAndPlace-v4", "FetchPush-v4", "FetchReach-v4", "FetchSlide-v4", "FrankaKitchen-v1", "HandManipulateBlock-v1",
    "HandManipulateEgg-v1", "HandManipulatePen-v1", "HandReach-v3", "PointMaze_UMaze-v3")


def flat(observation):
    if isinstance(observation, dict):
        return numpy.concatenate([flat(observation[key]) for key in sorted(observation)] or [numpy.zeros(0)])
    return numpy.ravel(numpy.asarray(observation, dtype=float))


class Environment:
    """reset(seed) and step(action), which return rows of numbers; `model`, `data`; low and high of actions. Some packages differ."""

    def __init__(self, env):
        self.env = env
        self.low, self.high = env.action_space.low, env.action_space.high

    @property
    def model(self):
        return self.env.unwrapped.model

    @property
    def data(self):
        return self.env.unwrapped.data

    def reset(self):
        return flat(self.env.reset(seed=1)[0])

    def step(self, action):
        observation, reward, terminated, truncated, _ = self.env.step(action.astype(self.env.action_space.dtype))
        if terminated or truncated:
            self.env.reset(seed=2)
        return numpy.append(flat(observation), reward)


class Suite(Environment):
    def __init__(self, domain, task):
        add_older_fields()
        from dm_control import suite

        self.env = suite.load(domain, task, task_kwargs={"random": 1})
        spec = self.env.action_spec()
        # those of lqr have no bounds, and rewards are then differences of large numbers
        self.low, self.high = (numpy.clip(numpy.broadcast_to(each, spec.shape), -1, 1) for each in (spec.minimum, spec.maximum))

    @property
    def model(self):
        return self.env.physics.model

    @property
    def data(self):
        return self.env.physics.data

    def reset(self):
        return flat(self.env.reset().observation)

    def step(self, action):
        result = self.env.step(action)
        return numpy.append(flat(result.observation), result.reward or 0)


class Robosuite(Environment):
    def __init__(self, name):
        import robosuite

        robots = ["Panda", "Panda"] if name.startswith("TwoArm") else "Panda"
        self.env = robosuite.make(name, robots=robots, has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False,
                                  ignore_done=True, seed=1)
        self.low, self.high = self.env.action_spec

    @property
    def data(self):
        return self.env.sim.data

    def reset(self):
        return flat(self.env.reset())

    def step(self, action):
        observation, reward, _, _ = self.env.step(action)
        return numpy.append(flat(observation), reward)


ARM = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="a" pos="0 0 .2"><joint name="j1" axis="0 0 1" range="-3 3"/><joint name="j2" axis="0 1 0" range="-2 2"/>
      <geom name="ga" type="capsule" fromto="0 0 0 0 0 .4" size=".04"/>
      <body name="b" pos="0 0 .4"><joint name="j3" axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".03"/>
        <body name="c" pos="0 0 .3"><joint name="j4" axis="1 0 0" range="-2 2"/><joint name="j5" axis="0 1 0" range="-2 2"/>
          <geom name="gc" type="capsule" fromto="0 0 0 0 0 .1" size=".02"/><site name="tool" pos="0 0 .12"/></body></body></body>
  </worldbody>
</mujoco>"""


class InverseKinematics(Environment):
    """mink: the tool follows random targets, with limits of joints and of a distance."""

    model = None  # its own, of no environment

    def __init__(self, solver):
        import mink
        import mujoco

        self.mink, self.solver = mink, solver
        self.model = mujoco.MjModel.from_xml_string(ARM)
        self.configuration = mink.Configuration(self.model)
        self.tasks = [mink.FrameTask("tool", "site", position_cost=1.0, orientation_cost=0.1, lm_damping=0.1),
                      mink.PostureTask(self.model, cost=1e-2), mink.DampingTask(self.model, cost=1e-3)]
        self.limits = [mink.ConfigurationLimit(self.model), mink.CollisionAvoidanceLimit(self.model, [(["gc"], ["floor"])])]
        self.low, self.high = numpy.array([-0.4, -0.4, 0.2]), numpy.array([0.4, 0.4, 0.8])

    @property
    def data(self):
        return self.configuration.data

    def reset(self):
        self.configuration.update(numpy.array([0.1, 0.4, 0.5, 0.1, 0.2]))
        self.tasks[1].set_target_from_configuration(self.configuration)
        return self.configuration.q.copy()

    def step(self, action):
        rotation = self.mink.SO3.from_rpy_radians(0.1, 0.2, 0.3)
        self.tasks[0].set_target(self.mink.SE3.from_rotation_and_translation(rotation, action))
        velocity = self.mink.solve_ik(self.configuration, self.tasks, 0.02, solver=self.solver, damping=1e-3, limits=self.limits)
        self.configuration.integrate_inplace(velocity, 0.02)
        return numpy.concatenate([self.configuration.q, velocity, self.configuration.get_transform_frame_to_world("tool", "site").wxyz_xyz])


def add_older_fields():
    """dm_control reads fields that MuJoCo 4.0 dropped: empty ones, so that it runs with MuJoCo for the comparison."""
    import mujoco

    for owner, names in ((mujoco.MjModel, "flex_vertedge flex_vertedgeadr flex_vertedgenum flex_vertmetric flexvert_J_colind "
                          "flexvert_J_rowadr flexvert_J_rownnz"), (mujoco.MjData, "flexvert_J flexvert_length")):
        for name in names.split():
            if not hasattr(owner, name):
                setattr(owner, name, property(lambda self: numpy.zeros(0)))


def names_of(package):
    if package == "metaworld":
        import metaworld

        return sorted(metaworld.ALL_V3_ENVIRONMENTS)
    if package == "dm_control":
        add_older_fields()
        from dm_control import suite

        return ["/".join(each) for each in suite.ALL_TASKS]
    if package == "robosuite":
        import robosuite

        return sorted(robosuite.ALL_ENVIRONMENTS)
    return {"gymnasium": [f"{name}-v5" for name in GYMNASIUM], "gymnasium_robotics": ROBOTICS, "mink": ["daqp"]}[package]


def make(package, name):
    if package == "metaworld":
        import metaworld

        benchmark = metaworld.MT1(name, seed=1)
        env = benchmark.train_classes[name]()
        env.set_task(benchmark.train_tasks[0])
        env.seed(1)
        return Environment(env)
    special = {"dm_control": lambda: Suite(*name.split("/")), "robosuite": lambda: Robosuite(name), "mink": lambda: InverseKinematics(name)}
    if package in special:
        return special[package]()
    import gymnasium

    if package == "gymnasium_robotics":
        import gymnasium_robotics

        gymnasium.register_envs(gymnasium_robotics)
    return Environment(gymnasium.make(name))


def trace(package, name, has_noise, is_exact=False, sequence=0):
    numpy.random.seed(1)
    env = make(package, name)
    if is_exact:
        option = env.model.opt
        option.tolerance, option.ls_tolerance, option.ccd_tolerance, option.ccd_iterations = 0, 1e-8, 1e-14, 200
    first = env.reset()
    if has_noise:
        positions = env.data.qpos
        positions[:] += NOISE * numpy.random.default_rng(3).standard_normal(positions.shape)
    random, rows = numpy.random.default_rng(2 + sequence), [numpy.append(first, 0)]
    for _ in range(ACTIONS):
        rows.append(env.step(random.uniform(env.low, env.high)))
    size = max(len(row) for row in rows)
    rows = numpy.array([row for row in rows if len(row) == size])
    assert numpy.isfinite(rows).all(), "some numbers are not finite"
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package")
    parser.add_argument("output")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--sequences", type=int)
    options = parser.parse_intermixed_args()
    warnings.simplefilter("ignore")
    traces, faults = {}, {}
    for name in options.names or names_of(options.package):
        try:
            for sequence in range(options.sequences or 1):
                key = name if options.sequences is None else f"{name} {sequence}"
                traces[key] = trace(options.package, name, options.noise, options.exact, sequence)
        except BaseException as error:  # whatever it is, it goes into the table
            lines = str(error).strip().splitlines()
            faults[name] = f"{type(error).__name__}: {lines[0] if lines else ''}"[:160]
        print(name, faults.get(name, "runs"), file=sys.stderr, flush=True)
    numpy.savez(options.output, faults=json.dumps(faults), **traces)


if __name__ == "__main__":
    main()
