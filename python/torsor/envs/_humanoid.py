"""Gymnasium's Humanoid and HumanoidStandup."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from torsor.envs._gymnasium_env import ContactForces, GymnasiumEnv, Range, distance_from_origin, flat_rows, squares

Array = NDArray[Any]
Mask = NDArray[numpy.bool_]


class _Humanoid(GymnasiumEnv):
    """Observes positions, velocities, and, as chosen, inertias, velocities of bodies, and forces."""

    def __init__(self, num_envs: int, xml_file: Any, frame_skip: int, default_camera_config: dict[str, Any] | None,
                 ctrl_cost_weight: float, contact_cost_weight: float, contact_cost_range: Range,
                 reset_noise_scale: float, exclude_current_positions_from_observation: bool,
                 include_cinert_in_observation: bool, include_cvel_in_observation: bool,
                 include_qfrc_actuator_in_observation: bool, include_cfrc_ext_in_observation: bool, **options: Any):
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, reset_noise_scale, body_forces=True,
                         **options)
        self.ctrl_cost_weight, self.contact_cost_weight = ctrl_cost_weight, contact_cost_weight
        self.contact_cost_range = contact_cost_range
        self._forces = ContactForces(self)
        self._lengths, self._speeds = self.batch.bind("ten_length"), self.batch.bind("ten_velocity")
        first = 2 if exclude_current_positions_from_observation else 0
        parts = [self._qpos[:, first:], self._qvel]
        if include_cinert_in_observation:
            parts.append(self.batch.bind("cinert")[:, 1:])
        if include_cvel_in_observation:
            parts.append(self.batch.bind("cvel")[:, 1:])
        if include_qfrc_actuator_in_observation:
            parts.append(self.batch.bind("qfrc_actuator")[:, 6:])
        if include_cfrc_ext_in_observation:
            parts.append(self._forces.values[:, 1:])
        rows = [flat_rows(part) for part in parts]
        ends = numpy.cumsum([0, *(row.shape[1] for row in rows)])
        self._parts = [(slice(start, end), row) for start, end, row in zip(ends, ends[1:], rows)]
        self._make_spaces(int(ends[-1]))

    def observe(self, observations: Array) -> None:
        for where, part in self._parts:
            observations[:, where] = part

    def _costs(self) -> tuple[Array, Array]:
        """Of controls and of contacts."""
        contact = self.contact_cost_weight * squares(self._forces.rows)
        return self.ctrl_cost_weight * squares(self._ctrl), numpy.clip(contact, *self.contact_cost_range)

    def _tendon_info(self) -> dict[str, Array]:
        return {"tendon_length": self._lengths.copy(), "tendon_velocity": self._speeds.copy()}

    def after_reset(self, worlds: NDArray[numpy.int32]) -> None:
        self._forces.forget(worlds)


class HumanoidEnv(_Humanoid):
    """Gymnasium's Humanoid-v5.

    >>> env = torsor.envs.HumanoidEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 348)
    """

    def __init__(self, num_envs: int = 1, xml_file: Any = "humanoid.xml", frame_skip: int = 5,
                 default_camera_config: dict[str, Any] | None = None, forward_reward_weight: float = 1.25,
                 ctrl_cost_weight: float = 0.1, contact_cost_weight: float = 5e-7,
                 contact_cost_range: Range = (-numpy.inf, 10.0), healthy_reward: float = 5.0,
                 terminate_when_unhealthy: bool = True, healthy_z_range: Range = (1.0, 2.0),
                 reset_noise_scale: float = 1e-2, exclude_current_positions_from_observation: bool = True,
                 include_cinert_in_observation: bool = True, include_cvel_in_observation: bool = True,
                 include_qfrc_actuator_in_observation: bool = True, include_cfrc_ext_in_observation: bool = True,
                 **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, ctrl_cost_weight, contact_cost_weight,
                         contact_cost_range, reset_noise_scale, exclude_current_positions_from_observation,
                         include_cinert_in_observation, include_cvel_in_observation,
                         include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, **options)
        self.forward_reward_weight, self.healthy_reward = forward_reward_weight, healthy_reward
        self.terminate_when_unhealthy, self.healthy_z_range = terminate_when_unhealthy, healthy_z_range
        self._centres = self.batch.bind("xipos")
        self._shares = (self.model.body_mass / self.model.body_mass.sum()).astype(self.batch.dtype)

    def _mass_centre(self) -> Array:
        return numpy.einsum("wbx,b->wx", self._centres[:, :, :2], self._shares)

    def before_step(self) -> None:
        self._before = self._mass_centre()

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        x_velocity, y_velocity = ((self._mass_centre().astype(float) - self._before) / self.dt).T
        z, (low, high) = self._qpos[:, 2], self.healthy_z_range
        healthy = (low < z) & (z < high)
        forward, survive = self.forward_reward_weight * x_velocity, healthy * float(self.healthy_reward)
        ctrl_cost, contact_cost = self._costs()
        numpy.subtract(forward + survive, ctrl_cost + contact_cost, out=rewards)
        numpy.logical_and(~healthy, self.terminate_when_unhealthy, out=terminated)
        return {**self.reset_info(), "x_velocity": x_velocity, "y_velocity": y_velocity, "reward_survive": survive,
                "reward_forward": forward, "reward_ctrl": -ctrl_cost, "reward_contact": -contact_cost}

    def reset_info(self) -> dict[str, Array]:
        return {"x_position": self._qpos[:, 0].copy(), "y_position": self._qpos[:, 1].copy(), **self._tendon_info(),
                "distance_from_origin": distance_from_origin(self._qpos)}


class HumanoidStandupEnv(_Humanoid):
    """Gymnasium's HumanoidStandup-v5.

    >>> env = torsor.envs.HumanoidStandupEnv(num_envs=16)
    >>> env.reset(seed=0)[0].shape
    (16, 348)
    """

    def __init__(self, num_envs: int = 1, xml_file: Any = "humanoidstandup.xml", frame_skip: int = 5,
                 default_camera_config: dict[str, Any] | None = None, uph_cost_weight: float = 1,
                 ctrl_cost_weight: float = 0.1, impact_cost_weight: float = 0.5e-6,
                 impact_cost_range: Range = (-numpy.inf, 10.0), reset_noise_scale: float = 1e-2,
                 exclude_current_positions_from_observation: bool = True, include_cinert_in_observation: bool = True,
                 include_cvel_in_observation: bool = True, include_qfrc_actuator_in_observation: bool = True,
                 include_cfrc_ext_in_observation: bool = True, **options: Any):
        """Arguments are those of Gymnasium's environment, then those of BatchEnv."""
        super().__init__(num_envs, xml_file, frame_skip, default_camera_config, ctrl_cost_weight, impact_cost_weight,
                         impact_cost_range, reset_noise_scale, exclude_current_positions_from_observation,
                         include_cinert_in_observation, include_cvel_in_observation,
                         include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, **options)
        self.uph_cost_weight = uph_cost_weight

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        up = self.uph_cost_weight * (self._qpos[:, 2].astype(float) / self.model.opt.timestep)
        ctrl_cost, impact_cost = self._costs()
        rewards[...] = up - ctrl_cost - impact_cost + 1
        return {**self.reset_info(), "reward_linup": up, "reward_quadctrl": -ctrl_cost, "reward_impact": -impact_cost}

    def reset_info(self) -> dict[str, Array]:
        return {"x_position": self._qpos[:, 0].copy(), "y_position": self._qpos[:, 1].copy(),
                "z_distance_from_origin": self._qpos[:, 2] - self.init_qpos[2].astype(self.batch.dtype),
                **self._tendon_info()}
