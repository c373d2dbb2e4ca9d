"""What the environments after Gymnasium's MuJoCo tasks share: its models, noise at resets, forces of contacts."""

from __future__ import annotations

import importlib.util
import os
import pathlib
from typing import Any

import numpy
from numpy.typing import NDArray

from torsor._core import Model
from torsor.envs._batch_env import BatchEnv
from torsor.envs._task_env import load_model

Array = NDArray[Any]
Range = tuple[float, float]


def find_model(xml_file: str | os.PathLike[str] | Model) -> Model:
    """A Model, the model of a file, or one of those that come with Gymnasium, by the name of its file."""
    if isinstance(xml_file, Model):
        return xml_file
    name = os.fspath(xml_file)
    if name.startswith("~"):
        return load_model(os.path.expanduser(name))
    if name.startswith((".", "/")) or os.path.exists(name):
        return load_model(name)
    package = importlib.util.find_spec("gymnasium")  # its own environments import MuJoCo, which is not needed here
    assert package is not None and package.origin is not None
    file = pathlib.Path(package.origin).parent / "envs" / "mujoco" / "assets" / name
    if not file.exists():
        raise FileNotFoundError(f"'{name}' is neither a file nor one of Gymnasium's models")
    return load_model(file)


class GymnasiumEnv(BatchEnv):
    """A task of Gymnasium's; see its documentation for what is observed and rewarded."""

    episode_steps = 1000
    qpos_noise = qvel_noise = "uniform"  # kind of the noise at resets

    def __init__(self, num_envs: int, xml_file: str | os.PathLike[str] | Model, frame_skip: int,
                 default_camera_config: dict[str, Any] | None, reset_noise_scale: float = 0.0,
                 max_episode_steps: int | None = None, **options: Any):
        """reset_noise_scale is the size of the noise of states at resets; options are those of BatchEnv."""
        steps = self.episode_steps if max_episode_steps is None else max_episode_steps
        super().__init__(find_model(xml_file), num_envs, frame_skip=frame_skip, max_episode_steps=steps,
                         camera_config=default_camera_config, **options)
        self.reset_noise_scale = reset_noise_scale
        self._qpos, self._qvel = self.batch.bind("qpos"), self.batch.bind("qvel")

    def draw_state(self, generator: numpy.random.Generator, qpos: Array, qvel: Array) -> None:
        scale = self.reset_noise_scale
        for kind, numbers in ((self.qpos_noise, qpos), (self.qvel_noise, qvel)):
            if kind == "uniform":
                numbers += generator.uniform(-scale, scale, numbers.size)
            else:
                numbers += scale * generator.standard_normal(numbers.size)

    def _is_finite(self) -> NDArray[numpy.bool_]:
        return numpy.isfinite(self._qpos).all(axis=1) & numpy.isfinite(self._qvel).all(axis=1)


class ContactForces:
    """Forces of contacts on bodies, cfrc_ext, which are zero right after a reset."""

    def __init__(self, env: BatchEnv):
        self.values = env.batch.bind("cfrc_ext")
        self.rows = flat_rows(self.values)

    def forget(self, worlds: NDArray[numpy.int32]) -> None:
        self.values[worlds] = 0


def flat_rows(array: Array) -> Array:
    """The same numbers, in one row for each world."""
    rows = array.reshape(len(array), -1)
    assert rows.size == 0 or numpy.shares_memory(rows, array)
    return rows


def squares(actions: Array) -> Array:
    """Sums of squares, in the type of the actions, as Gymnasium computes them."""
    return numpy.square(actions).sum(axis=1)


def distance_from_origin(qpos: Array) -> Array:
    return numpy.hypot(qpos[:, 0], qpos[:, 1])
