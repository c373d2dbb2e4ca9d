"""Gymnasium's HalfCheetah, Hopper, Walker2d and Swimmer: robots that move in a plane."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from torsor.envs._gymnasium_env import GymnasiumEnv, Range, distance_from_origin, squares

Array = NDArray[Any]
Mask = NDArray[numpy.bool_]


class _Runner(GymnasiumEnv):
    """The reward is for velocity along x, less the cost of controls."""

    planar_coordinates = 1  # that say where the robot is

    def __init__(self, num_envs: int, xml_file: Any, frame_skip: int, default_camera_config: dict[str, Any] | None,
                 forward_reward_weight: float, ctrl_cost_weight: float, reset_noise_scale: float,
                 exclude_current_positions_from_observation: bool, **options: Any):
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, reset_noise_scale, **options)
        self.forward_reward_weight, self.ctrl_cost_weight = forward_reward_weight, ctrl_cost_weight
        self._first = self.planar_coordinates if exclude_current_positions_from_observation else 0
        self._before = numpy.zeros((num_envs, self.planar_coordinates), self.batch.dtype)
        self._make_spaces(self.model.nq - self._first + self.model.nv)

    def observe(self, observations: Array) -> None:
        split = self.model.nq - self._first
        observations[:, :split] = self._qpos[:, self._first:]
        observations[:, split:] = self._qvel

    def before_step(self) -> None:
        self._before[...] = self._qpos[:, :self.planar_coordinates]

    def _velocity(self) -> Array:
        return (self._qpos[:, :self.planar_coordinates].astype(float) - self._before) / self.dt


class HalfCheetahEnv(_Runner):
    """Gymnasium's HalfCheetah-v5.

    >>> env = torsor.envs.HalfCheetahEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 17)
    """

    qvel_noise = "normal"

    def __init__(self, num_envs: int = 1, xml_file: Any = "half_cheetah.xml", frame_skip: int = 5,
                 default_camera_config: dict[str, Any] | None = None, forward_reward_weight: float = 1.0,
                 ctrl_cost_weight: float = 0.1, reset_noise_scale: float = 0.1,
                 exclude_current_positions_from_observation: bool = True, **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, forward_reward_weight,
                         ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, **options)

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        x_velocity = self._velocity()[:, 0]
        forward = self.forward_reward_weight * x_velocity
        cost = self.ctrl_cost_weight * squares(actions)
        numpy.subtract(forward, cost, out=rewards)
        return {"x_position": self._qpos[:, 0].copy(), "x_velocity": x_velocity, "reward_forward": forward,
                "reward_ctrl": -cost}

    def reset_info(self) -> dict[str, Array]:
        return {"x_position": self._qpos[:, 0].copy()}


class SwimmerEnv(_Runner):
    """Gymnasium's Swimmer-v5.

    >>> env = torsor.envs.SwimmerEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 8)
    """

    planar_coordinates = 2

    def __init__(self, num_envs: int = 1, xml_file: Any = "swimmer.xml", frame_skip: int = 4,
                 default_camera_config: dict[str, Any] | None = None, forward_reward_weight: float = 1.0,
                 ctrl_cost_weight: float = 1e-4, reset_noise_scale: float = 0.1,
                 exclude_current_positions_from_observation: bool = True, **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, forward_reward_weight,
                         ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, **options)

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        x_velocity, y_velocity = self._velocity().T
        forward = self.forward_reward_weight * x_velocity
        cost = self.ctrl_cost_weight * squares(actions)
        numpy.subtract(forward, cost, out=rewards)
        return {**self.reset_info(), "x_velocity": x_velocity, "y_velocity": y_velocity, "reward_forward": forward,
                "reward_ctrl": -cost}

    def reset_info(self) -> dict[str, Array]:
        return {"x_position": self._qpos[:, 0].copy(), "y_position": self._qpos[:, 1].copy(),
                "distance_from_origin": distance_from_origin(self._qpos)}


class _Walker(_Runner):
    """A runner whose episode ends when its torso falls or turns over."""

    def __init__(self, num_envs: int, xml_file: Any, frame_skip: int, default_camera_config: dict[str, Any] | None,
                 forward_reward_weight: float, ctrl_cost_weight: float, healthy_reward: float,
                 terminate_when_unhealthy: bool, healthy_z_range: Range, healthy_angle_range: Range,
                 reset_noise_scale: float, exclude_current_positions_from_observation: bool, **options: Any):
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, forward_reward_weight,
                         ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, **options)
        self.healthy_reward, self.terminate_when_unhealthy = healthy_reward, terminate_when_unhealthy
        self.healthy_z_range, self.healthy_angle_range = healthy_z_range, healthy_angle_range

    def observe(self, observations: Array) -> None:
        super().observe(observations)
        velocities = observations[:, self.model.nq - self._first:]
        numpy.clip(velocities, -10, 10, out=velocities)

    def is_healthy(self) -> Mask:
        """which robots stand upright"""
        z, angle = self._qpos[:, 1], self._qpos[:, 2]
        (low, high), (least, most) = self.healthy_z_range, self.healthy_angle_range
        return (low < z) & (z < high) & (least < angle) & (angle < most)

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        x_velocity = self._velocity()[:, 0]
        healthy = self.is_healthy()
        forward, survive = self.forward_reward_weight * x_velocity, healthy * float(self.healthy_reward)
        cost = self.ctrl_cost_weight * squares(actions)
        numpy.subtract(forward + survive, cost, out=rewards)
        numpy.logical_and(~healthy, self.terminate_when_unhealthy, out=terminated)
        return {**self.reset_info(), "x_velocity": x_velocity, "reward_forward": forward, "reward_ctrl": -cost,
                "reward_survive": survive}

    def reset_info(self) -> dict[str, Array]:
        return {"x_position": self._qpos[:, 0].copy(),
                "z_distance_from_origin": self._qpos[:, 1] - self.init_qpos[1].astype(self.batch.dtype)}


class HopperEnv(_Walker):
    """Gymnasium's Hopper-v5.

    >>> env = torsor.envs.HopperEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 11)
    """

    def __init__(self, num_envs: int = 1, xml_file: Any = "hopper.xml", frame_skip: int = 4,
                 default_camera_config: dict[str, Any] | None = None, forward_reward_weight: float = 1.0,
                 ctrl_cost_weight: float = 1e-3, healthy_reward: float = 1.0, terminate_when_unhealthy: bool = True,
                 healthy_state_range: Range = (-100.0, 100.0), healthy_z_range: Range = (0.7, float("inf")),
                 healthy_angle_range: Range = (-0.2, 0.2), reset_noise_scale: float = 5e-3,
                 exclude_current_positions_from_observation: bool = True, **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, forward_reward_weight,
                         ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, healthy_z_range,
                         healthy_angle_range, reset_noise_scale, exclude_current_positions_from_observation, **options)
        self.healthy_state_range = healthy_state_range

    def is_healthy(self) -> Mask:
        """which robots stand upright, and move within healthy_state_range"""
        low, high = self.healthy_state_range
        q, v = self._qpos[:, 2:], self._qvel
        return super().is_healthy() & ((low < q) & (q < high)).all(axis=1) & ((low < v) & (v < high)).all(axis=1)


class Walker2dEnv(_Walker):
    """Gymnasium's Walker2d-v5.

    >>> env = torsor.envs.Walker2dEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 17)
    """

    def __init__(self, num_envs: int = 1, xml_file: Any = "walker2d_v5.xml", frame_skip: int = 4,
                 default_camera_config: dict[str, Any] | None = None, forward_reward_weight: float = 1.0,
                 ctrl_cost_weight: float = 1e-3, healthy_reward: float = 1.0, terminate_when_unhealthy: bool = True,
                 healthy_z_range: Range = (0.8, 2.0), healthy_angle_range: Range = (-1.0, 1.0),
                 reset_noise_scale: float = 5e-3, exclude_current_positions_from_observation: bool = True,
                 **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, forward_reward_weight,
                         ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, healthy_z_range,
                         healthy_angle_range, reset_noise_scale, exclude_current_positions_from_observation, **options)
