"""Gymnasium's InvertedPendulum, InvertedDoublePendulum, Reacher and Pusher."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from torsor.envs._gymnasium_env import GymnasiumEnv, squares

Array = NDArray[Any]
Mask = NDArray[numpy.bool_]


class InvertedPendulumEnv(GymnasiumEnv):
    """Gymnasium's InvertedPendulum-v5.

    >>> env = torsor.envs.InvertedPendulumEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 4)
    """

    def __init__(self, num_envs: int = 1, xml_file: Any = "inverted_pendulum.xml", frame_skip: int = 2,
                 default_camera_config: dict[str, Any] | None = None, reset_noise_scale: float = 0.01, **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, reset_noise_scale, **options)
        self._make_spaces(self.model.nq + self.model.nv)

    def observe(self, observations: Array) -> None:
        observations[:, :self.model.nq] = self._qpos
        observations[:, self.model.nq:] = self._qvel

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        numpy.logical_or(~self._is_finite(), numpy.abs(self._qpos[:, 1]) > 0.2, out=terminated)
        alive = (~terminated).astype(int)
        rewards[...] = alive
        return {"reward_survive": alive}


class InvertedDoublePendulumEnv(GymnasiumEnv):
    """Gymnasium's InvertedDoublePendulum-v5.

    >>> env = torsor.envs.InvertedDoublePendulumEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 9)
    """

    qvel_noise = "normal"

    def __init__(self, num_envs: int = 1, xml_file: Any = "inverted_double_pendulum.xml", frame_skip: int = 5,
                 default_camera_config: dict[str, Any] | None = None, healthy_reward: float = 10.0,
                 reset_noise_scale: float = 0.1, **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, reset_noise_scale, **options)
        self.healthy_reward = healthy_reward
        self._tip = self.batch.bind("site_xpos")[:, 0]
        self._constraint = self.batch.bind("qfrc_constraint")
        self._make_spaces(9)

    def observe(self, observations: Array) -> None:
        observations[:, 0] = self._qpos[:, 0]
        numpy.sin(self._qpos[:, 1:], out=observations[:, 1:3])
        numpy.cos(self._qpos[:, 1:], out=observations[:, 3:5])
        numpy.clip(self._qvel, -10, 10, out=observations[:, 5:8])
        numpy.clip(self._constraint[:, 0], -10, 10, out=observations[:, 8])

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        x, y = self._tip[:, 0], self._tip[:, 2]
        numpy.less_equal(y, 1, out=terminated)
        distance_penalty = 0.01 * x**2 + (y - 2) ** 2
        velocity_penalty = 1e-3 * self._qvel[:, 1] ** 2 + 5e-3 * self._qvel[:, 2] ** 2
        alive = ~terminated * float(self.healthy_reward)
        rewards[...] = alive - distance_penalty - velocity_penalty
        return {"reward_survive": alive, "distance_penalty": -distance_penalty, "velocity_penalty": -velocity_penalty}


class ReacherEnv(GymnasiumEnv):
    """Gymnasium's Reacher-v5.

    >>> env = torsor.envs.ReacherEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 10)
    """

    episode_steps = 50

    def __init__(self, num_envs: int = 1, xml_file: Any = "reacher.xml", frame_skip: int = 2,
                 default_camera_config: dict[str, Any] | None = None, reward_dist_weight: float = 1,
                 reward_control_weight: float = 1, **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, **options)
        self.reward_dist_weight, self.reward_control_weight = reward_dist_weight, reward_control_weight
        xpos = self.batch.bind("xpos")
        self._finger, self._target = (xpos[:, self.model.body(name).id] for name in ("fingertip", "target"))
        self._make_spaces(10)

    def observe(self, observations: Array) -> None:
        numpy.cos(self._qpos[:, :2], out=observations[:, :2])
        numpy.sin(self._qpos[:, :2], out=observations[:, 2:4])
        observations[:, 4:6] = self._qpos[:, 2:]
        observations[:, 6:8] = self._qvel[:, :2]
        numpy.subtract(self._finger[:, :2], self._target[:, :2], out=observations[:, 8:])

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        reward_dist = -numpy.linalg.norm(self._finger - self._target, axis=1) * self.reward_dist_weight
        reward_ctrl = -squares(actions) * self.reward_control_weight
        numpy.add(reward_dist, reward_ctrl, out=rewards)
        return {"reward_dist": reward_dist, "reward_ctrl": reward_ctrl}

    def draw_state(self, generator: numpy.random.Generator, qpos: Array, qvel: Array) -> None:
        qpos += generator.uniform(-0.1, 0.1, qpos.size)
        while True:
            goal = generator.uniform(-0.2, 0.2, 2)
            if numpy.linalg.norm(goal) < 0.2:
                break
        qpos[-2:] = goal
        qvel += generator.uniform(-0.005, 0.005, qvel.size)
        qvel[-2:] = 0


class PusherEnv(GymnasiumEnv):
    """Gymnasium's Pusher-v5.

    >>> env = torsor.envs.PusherEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 23)
    """

    episode_steps = 100

    def __init__(self, num_envs: int = 1, xml_file: Any = "pusher_v5.xml", frame_skip: int = 5,
                 default_camera_config: dict[str, Any] | None = None, reward_near_weight: float = 0.5,
                 reward_dist_weight: float = 1, reward_control_weight: float = 0.1, **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, **options)
        self.reward_near_weight, self.reward_dist_weight = reward_near_weight, reward_dist_weight
        self.reward_control_weight = reward_control_weight
        xpos = self.batch.bind("xpos")
        self._tips, self._object, self._goal = (xpos[:, self.model.body(name).id]
                                                for name in ("tips_arm", "object", "goal"))
        self._make_spaces(23)

    def observe(self, observations: Array) -> None:
        for start, part in ((0, self._qpos[:, :7]), (7, self._qvel[:, :7]), (14, self._tips), (17, self._object),
                            (20, self._goal)):
            observations[:, start:start + part.shape[1]] = part

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        reward_near = -numpy.linalg.norm(self._object - self._tips, axis=1) * self.reward_near_weight
        reward_dist = -numpy.linalg.norm(self._object - self._goal, axis=1) * self.reward_dist_weight
        reward_ctrl = -squares(actions) * self.reward_control_weight
        rewards[...] = reward_dist + reward_ctrl + reward_near
        return {"reward_dist": reward_dist, "reward_ctrl": reward_ctrl, "reward_near": reward_near}

    def draw_state(self, generator: numpy.random.Generator, qpos: Array, qvel: Array) -> None:
        while True:
            cylinder = numpy.concatenate([generator.uniform(-0.3, 0, 1), generator.uniform(-0.2, 0.2, 1)])
            if numpy.linalg.norm(cylinder) > 0.17:
                break
        qpos[-4:-2], qpos[-2:] = cylinder, 0
        qvel += generator.uniform(-0.005, 0.005, qvel.size)
        qvel[-4:] = 0
