"""Gymnasium's Ant: a robot with four legs."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from torsor.envs._gymnasium_env import ContactForces, GymnasiumEnv, Range, distance_from_origin, squares

Array = NDArray[Any]
Mask = NDArray[numpy.bool_]


class AntEnv(GymnasiumEnv):
    """Gymnasium's Ant-v5.

    >>> env = torsor.envs.AntEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 105)
    """

    qvel_noise = "normal"

    def __init__(self, num_envs: int = 1, xml_file: Any = "ant.xml", frame_skip: int = 5,
                 default_camera_config: dict[str, Any] | None = None, forward_reward_weight: float = 1,
                 ctrl_cost_weight: float = 0.5, contact_cost_weight: float = 5e-4, healthy_reward: float = 1.0,
                 main_body: int | str = 1, terminate_when_unhealthy: bool = True, healthy_z_range: Range = (0.2, 1.0),
                 contact_force_range: Range = (-1.0, 1.0), reset_noise_scale: float = 0.1,
                 exclude_current_positions_from_observation: bool = True,
                 include_cfrc_ext_in_observation: bool = True, **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, reset_noise_scale, body_forces=True,
                         **options)
        self.forward_reward_weight, self.ctrl_cost_weight = forward_reward_weight, ctrl_cost_weight
        self.contact_cost_weight, self.contact_force_range = contact_cost_weight, contact_force_range
        self.healthy_reward, self.terminate_when_unhealthy = healthy_reward, terminate_when_unhealthy
        self.healthy_z_range = healthy_z_range
        self._first = 2 if exclude_current_positions_from_observation else 0
        self._observes_forces = include_cfrc_ext_in_observation
        self._forces = ContactForces(self)
        self._position = self.batch.bind("xpos")[:, self.model.body(main_body).id, :2]
        self._before = numpy.zeros((num_envs, 2), self.batch.dtype)
        model = self.model
        self._motion_size = model.nq - self._first + model.nv
        self._make_spaces(self._motion_size + self._observes_forces * 6 * (model.nbody - 1))

    def observe(self, observations: Array) -> None:
        split = self.model.nq - self._first
        observations[:, :split] = self._qpos[:, self._first:]
        observations[:, split:self._motion_size] = self._qvel
        if self._observes_forces:
            numpy.clip(self._forces.rows[:, 6:], *self.contact_force_range, out=observations[:, self._motion_size:])

    def before_step(self) -> None:
        self._before[...] = self._position

    def is_healthy(self) -> Mask:
        """which robots stand"""
        z, (low, high) = self._qpos[:, 2], self.healthy_z_range
        return self._is_finite() & (low <= z) & (z <= high)

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        x_velocity, y_velocity = ((self._position.astype(float) - self._before) / self.dt).T
        healthy = self.is_healthy()
        forward, survive = self.forward_reward_weight * x_velocity, healthy * float(self.healthy_reward)
        ctrl_cost = self.ctrl_cost_weight * squares(actions)
        contact_cost = self.contact_cost_weight * squares(numpy.clip(self._forces.rows, *self.contact_force_range))
        numpy.subtract(forward + survive, ctrl_cost + contact_cost, out=rewards)
        numpy.logical_and(~healthy, self.terminate_when_unhealthy, out=terminated)
        return {**self.reset_info(), "x_velocity": x_velocity, "y_velocity": y_velocity, "reward_forward": forward,
                "reward_ctrl": -ctrl_cost, "reward_contact": -contact_cost, "reward_survive": survive}

    def after_reset(self, worlds: NDArray[numpy.int32]) -> None:
        self._forces.forget(worlds)

    def reset_info(self) -> dict[str, Array]:
        return {"x_position": self._qpos[:, 0].copy(), "y_position": self._qpos[:, 1].copy(),
                "distance_from_origin": distance_from_origin(self._qpos)}
