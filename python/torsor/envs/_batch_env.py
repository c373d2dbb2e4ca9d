"""Vector environments on a torsor.Batch: steps, episodes, resets and infos. What a task is made of is in subclasses."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy
from gymnasium import logger, spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from torsor._batch import Batch
from torsor._core import Model
from torsor._render import Camera, Renderer
from torsor.envs import _infos

Array = NDArray[Any]
Mask = NDArray[numpy.bool_]


def _processor_cores() -> int:
    """Those that this process may use."""
    has_affinity = hasattr(os, "sched_getaffinity")  # not on all systems
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1


class BatchEnv(VectorEnv):
    """Environments of one model that step together, with the interface of gymnasium.vector.VectorEnv.

    A task is a subclass that says what is observed (observe), what a step is worth (evaluate) and where an episode
    begins (draw_state). torsor.envs.TaskEnv makes one from functions; AntEnv and its like are those of Gymnasium.
    The worlds are in `batch`, a torsor.Batch, with all its arrays.

    Each world has its own random generator, `np_random[i]`, seeded as Gymnasium seeds its environments: the world i of
    reset(seed=s) begins where the single environment after reset(seed=s + i) does.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, model: Model, num_envs: int = 1, *, frame_skip: int = 1, max_episode_steps: int | None = None,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, dtype: str = "float64",
                 threads: int | None = None, copy: bool = True, render_mode: str | None = None, width: int = 480,
                 height: int = 480, camera_id: int | None = None, camera_name: str | None = None,
                 camera_config: dict[str, Any] | None = None, body_forces: bool = False):
        """All worlds in the reference pose; reset() begins the first episodes.

        One step of the environment is frame_skip steps of the engine. After max_episode_steps of them an episode is
        truncated (None or -1: never). dtype is that of the worlds and of observations. threads is the number of threads
        (default: one per processor core that this process may use). With copy=False, step() and reset() return the same
        arrays each time, which the next call overwrites. body_forces computes cfrc_ext in every step.
        """
        if num_envs < 1:
            raise ValueError(f"num_envs must be at least 1, got {num_envs}")
        if frame_skip < 1:
            raise ValueError(f"frame_skip must be at least 1, got {frame_skip}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None or one of {self.metadata['render_modes']}, got {render_mode!r}")
        self.batch = Batch(model, num_envs, dtype, body_forces=body_forces)
        self.num_envs, self.frame_skip, self.copy = num_envs, frame_skip, copy
        self.max_episode_steps = -1 if max_episode_steps is None else max_episode_steps
        self.threads = _processor_cores() if threads is None else threads
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "render_fps": int(round(1 / self.dt)),
                         "autoreset_mode": self.autoreset_mode}
        self.init_qpos, self.init_qvel = model.qpos0.copy(), numpy.zeros(model.nv)
        self._picture = (height, width)
        self._camera = (camera_id, camera_name, camera_config or {})
        self._renderer: Renderer | None = None
        self._generators: list[numpy.random.Generator | None] = [None] * num_envs
        self._seeds: list[int | None] = [None] * num_envs
        self._ctrl = self.batch.bind("ctrl")
        self._elapsed = numpy.zeros(num_envs, numpy.int64)
        self._rewards = numpy.zeros(num_envs)
        self._terminated = numpy.zeros(num_envs, numpy.bool_)
        self._truncated = numpy.zeros(num_envs, numpy.bool_)
        self._ended = numpy.zeros(num_envs, numpy.bool_)
        self._has_begun = False

    def _make_spaces(self, size: int) -> None:
        """Spaces and buffers for observations of this many numbers."""
        low, high = numpy.full(self.model.nu, -numpy.inf), numpy.full(self.model.nu, numpy.inf)
        limited = self.model.actuator_ctrllimited.astype(bool)
        low[limited], high[limited] = self.model.actuator_ctrlrange[limited].T
        self.single_action_space = spaces.Box(low.astype(numpy.float32), high.astype(numpy.float32), dtype=numpy.float32)
        self.single_observation_space = spaces.Box(-numpy.inf, numpy.inf, (size,), self.batch.dtype.type)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._observations = numpy.zeros((self.num_envs, size), self.batch.dtype)

    # --- what a task is ----------------------------------------------------------------------------------------------

    def observe(self, observations: Array) -> None:
        """Write the observations of all worlds, from the arrays of the batch."""
        raise NotImplementedError

    def before_step(self) -> None:
        """Called before each step, for what evaluate() compares with."""

    def evaluate(self, actions: Array, rewards: Array, terminated: Mask) -> dict[str, Array]:
        """Write the rewards of a step and which episodes have ended by it; returns infos, arrays of all worlds."""
        raise NotImplementedError

    def draw_state(self, generator: numpy.random.Generator, qpos: Array, qvel: Array) -> None:
        """Write the state in which an episode of one world begins; qpos and qvel are those of the reference pose."""

    def reset_info(self) -> dict[str, Array]:
        """Infos of a reset, arrays of all worlds."""
        return {}

    def after_reset(self, worlds: NDArray[numpy.int32]) -> None:
        """Called when these worlds have been reset and their results computed."""

    # --- sizes -------------------------------------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        """the model that all worlds share"""
        return self.batch.model

    @property
    def dt(self) -> float:
        """duration of a step of the environment, in seconds"""
        return self.model.opt.timestep * self.frame_skip

    @property
    def np_random(self) -> tuple[numpy.random.Generator, ...]:
        """the random generators of the worlds"""
        return tuple(self._generator(world) for world in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:
        """the seeds of the random generators"""
        return tuple(-1 if seed is None else seed for seed in self._seeds)

    # --- episodes ----------------------------------------------------------------------------------------------------

    def reset(self, *, seed: int | Sequence[int | None] | None = None,
              options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin new episodes in all worlds, or in those of options={"reset_mask": mask}; returns observations and infos.

        seed is a number, from which world i gets seed + i, or one for each world.
        """
        mask = self._reset_mask(options)
        seeds = self._seeds_of(seed)
        for world in numpy.flatnonzero(mask):
            if seeds[world] is not None:
                self._generators[world], self._seeds[world] = seeding.np_random(seeds[world])
                self.batch.seeds[world] = self._seeds[world] % 2**64
        self._begin_episodes(mask)
        self._has_begun = True
        self.observe(self._observations)
        return self._given(self._observations), _infos.merge([(self.reset_info(), mask)])

    def step(self, actions: ArrayLike) -> tuple[Array, Array, Mask, Mask, dict[str, Any]]:
        """One step of all worlds: observations, rewards, terminated, truncated and infos.

        With next-step autoreset, worlds whose episode has ended begin the next one instead of acting: their reward is 0.
        With same-step autoreset they begin it in the step that ends the last one, whose observation and info are
        infos["final_obs"] and infos["final_info"].
        """
        if not self._has_begun:
            raise RuntimeError("reset() must be called before step()")
        actions = self._checked(actions)
        self.before_step()
        self._ctrl[...] = actions
        self.batch.step(self.frame_skip, threads=self.threads)
        self._elapsed += 1
        info = self.evaluate(actions, self._rewards, self._terminated)
        if self.max_episode_steps > 0:
            numpy.greater_equal(self._elapsed, self.max_episode_steps, out=self._truncated)
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = self._end_same_step(info)
        else:
            infos = self._end_next_step(info)
        return (self._given(self._observations), self._given(self._rewards), self._given(self._terminated),
                self._given(self._truncated), infos)

    def _end_next_step(self, info: dict[str, Array]) -> dict[str, Any]:
        """Worlds that ended before this step are reset instead of having taken it."""
        is_disabled = self.autoreset_mode == AutoresetMode.DISABLED
        infos: dict[str, Any] | None = None
        if not is_disabled and self._ended.any():
            begun = self._ended.copy()
            self._begin_episodes(begun)
            self._rewards[begun] = 0
            self._terminated[begun] = False
            self._truncated[begun] = False
            infos = _infos.merge([(info, ~begun), (self.reset_info(), begun)])
        numpy.logical_or(self._terminated, self._truncated, out=self._ended)
        self.observe(self._observations)
        return _infos.of_all(info) if infos is None else infos

    def _end_same_step(self, info: dict[str, Array]) -> dict[str, Any]:
        self.observe(self._observations)
        ended = self._terminated | self._truncated
        if not ended.any():
            return _infos.of_all(info)
        final: dict[str, Any] = {}
        _infos.add_final(final, self._observations, info, ended)
        self._begin_episodes(ended)
        self.observe(self._observations)
        return {**_infos.merge([(info, ~ended), (self.reset_info(), ended)]), **final}

    def _begin_episodes(self, mask: Mask) -> None:
        worlds = numpy.flatnonzero(mask).astype(numpy.int32)
        qpos, qvel = numpy.tile(self.init_qpos, (worlds.size, 1)), numpy.tile(self.init_qvel, (worlds.size, 1))
        for row, world in enumerate(worlds):
            self.draw_state(self._generator(world), qpos[row], qvel[row])
        self.batch.reset(worlds, qpos=qpos, qvel=qvel)
        self._elapsed[worlds] = 0
        self._ended[worlds] = False
        self.after_reset(worlds)

    def set_state(self, qpos: ArrayLike, qvel: ArrayLike) -> None:
        """Positions and velocities of all worlds, (num_envs, nq) and (num_envs, nv), and the results that follow."""
        self.batch.qpos[...] = qpos
        self.batch.qvel[...] = qvel
        self.batch.forward(threads=self.threads)

    # --- pictures ----------------------------------------------------------------------------------------------------

    def render(self) -> tuple[NDArray[numpy.uint8], ...] | None:
        """A picture of each world, (height, width, 3) bytes, if the environment was made with render_mode="rgb_array"."""
        if self.render_mode is None:
            logger.warn("render() needs an environment made with render_mode='rgb_array'")
            return None
        if self._renderer is None:
            self._renderer = Renderer(self.model, *self._picture)
        camera = self._chosen_camera()
        pictures = []
        for world in range(self.num_envs):
            self._renderer.update_scene(self.batch.get_data(world), camera)
            pictures.append(self._renderer.render())
        return tuple(pictures)

    def _chosen_camera(self) -> int | str | Camera:
        camera_id, name, config = self._camera
        if name is not None:
            return name
        if camera_id is not None:
            return camera_id
        if not config:
            return "track" if any(self.model.camera(i).name == "track" for i in range(self.model.ncam)) else -1
        camera = Camera.default(self.model)
        for key, value in config.items():
            setattr(camera, key, value)
        return camera

    def close_extras(self, **kwargs: Any) -> None:
        """Called by close()."""
        self._renderer = None

    # --- arguments ---------------------------------------------------------------------------------------------------

    def _given(self, array: Array) -> Array:
        return array.copy() if self.copy else array

    def _checked(self, actions: ArrayLike) -> Array:
        array = numpy.asarray(actions)
        if array.shape != self.action_space.shape or array.dtype.kind not in "fiub":
            raise ValueError(f"actions: expected numbers of shape {self.action_space.shape}, got {array.dtype} of shape "
                             f"{array.shape}")
        return array

    def _generator(self, world: int) -> numpy.random.Generator:
        generator = self._generators[world]
        if generator is None:
            generator, self._seeds[world] = seeding.np_random(None)
            self._generators[world] = generator
        return generator

    def _seeds_of(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, numpy.integer)):
            return [int(seed) + world for world in range(self.num_envs)]
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: expected a number or one for each of {self.num_envs} worlds, got {len(seeds)}")
        return seeds

    def _reset_mask(self, options: dict[str, Any] | None) -> Mask:
        if options is None or "reset_mask" not in options:
            return numpy.ones(self.num_envs, numpy.bool_)
        mask = numpy.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != numpy.bool_ or not mask.any():
            raise ValueError(f"reset_mask: expected {self.num_envs} booleans, at least one of them True")
        if not self._has_begun and not mask.all():
            raise RuntimeError("the first reset() must be one of all worlds")
        return mask.copy()
