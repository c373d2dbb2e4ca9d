"""A vector environment from a model and functions of the user's."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy
from numpy.typing import NDArray

from torsor._batch import Batch
from torsor._core import Model
from torsor.envs._batch_env import BatchEnv

Array = NDArray[Any]
Mask = NDArray[numpy.bool_]
Observation = Callable[[Batch], Array]
Reward = Callable[[Batch, Array], Array]
Terminated = Callable[[Batch], Mask]
Reset = Callable[[numpy.random.Generator, Array, Array], None]
Info = Callable[[Batch], dict[str, Array]]


def load_model(model: Model | str | os.PathLike[str]) -> Model:
    """A Model, or that of an MJCF file, or of a text that is MJCF."""
    if isinstance(model, Model):
        return model
    if isinstance(model, str) and model.lstrip().startswith("<"):
        return Model.from_xml_string(model)
    return Model.from_xml_path(os.fspath(model))


class TaskEnv(BatchEnv):
    """Vector environments of any model, with rewards, observations and ends of episodes from functions.

    The functions take the worlds, a torsor.Batch, and answer for all of them at once: batch.qpos and its like are arrays
    with a row for each world.

    >>> env = torsor.envs.TaskEnv(model, num_envs=8, frame_skip=5, max_episode_steps=200,
    ...                           reward=lambda batch, actions: -numpy.abs(batch.qpos[:, 0]),
    ...                           terminated=lambda batch: batch.qpos[:, 0] > 1,
    ...                           reset=lambda generator, qpos, qvel: generator.random(out=qvel))
    >>> observations, infos = env.reset(seed=0)
    >>> observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
    >>> observations.shape, rewards.shape
    ((8, 4), (8,))
    """

    def __init__(self, model: Model | str | os.PathLike[str], num_envs: int = 1, *, reward: Reward,
                 observation: Observation | None = None, terminated: Terminated | None = None,
                 reset: Reset | None = None, info: Info | None = None, fresh: bool = False, **options: Any):
        """model is a torsor.Model, the path of an MJCF file, or MJCF itself.

        - reward(batch, actions): (num_envs,) numbers, after a step.
        - observation(batch): (num_envs, n) numbers; by default positions, velocities and activations.
        - terminated(batch): (num_envs,) booleans, after a step; by default episodes do not end.
        - reset(generator, qpos, qvel): changes the state in which an episode of one world begins, in place.
        - info(batch): arrays of all worlds by name, after a step.

        Results such as batch.xpos are those of the last evaluation of forward dynamics, so they belong to the state
        before the last step of the engine, as in MuJoCo; with fresh=True they are computed for the present state, which
        costs one evaluation more. options are those of BatchEnv: frame_skip, max_episode_steps, autoreset_mode, dtype,
        threads, copy, render_mode, body_forces and so on.
        """
        super().__init__(load_model(model), num_envs, **options)
        self._observation, self._reward, self._end = observation or self._state, reward, terminated
        self._reset, self._info, self._fresh = reset, info, fresh
        self._try_functions()

    def _state(self, batch: Batch) -> Array:
        return numpy.concatenate([batch.qpos, batch.qvel, batch.act], axis=1)

    def _try_functions(self) -> None:
        """Calls the functions once, so that the results that they read are bound before the first step."""
        actions = numpy.zeros((self.num_envs, self.model.nu))
        observations = numpy.asarray(self._observation(self.batch))
        self._expect("reward", self._reward(self.batch, actions), (self.num_envs,))
        if self._end is not None:
            self._expect("terminated", self._end(self.batch), (self.num_envs,))
        if self._info is not None:
            for name, values in self._info(self.batch).items():
                self._expect(f"info {name!r}", values, (self.num_envs, *numpy.shape(values)[1:]))
        if observations.ndim != 2 or len(observations) != self.num_envs:
            raise ValueError(f"observation: expected ({self.num_envs}, n) numbers, got shape {observations.shape}")
        self._make_spaces(observations.shape[1])

    def _expect(self, name: str, values: Any, shape: tuple[int, ...]) -> None:
        if numpy.shape(values) != shape:
            raise ValueError(f"{name}: expected shape {shape}, one row for each world, got {numpy.shape(values)}")

    def observe(self, observations: Array) -> None:
        observations[...] = self._observation(self.batch)

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        if self._fresh:
            self.batch.forward(threads=self.threads)
        rewards[...] = self._reward(self.batch, actions)
        if self._end is not None:
            terminated[...] = self._end(self.batch)
        if self._info is None:
            return {}
        return {name: numpy.array(values) for name, values in self._info(self.batch).items()}

    def draw_state(self, generator: numpy.random.Generator, qpos: Array, qvel: Array) -> None:
        if self._reset is not None:
            self._reset(generator, qpos, qvel)
