"""USD: stages of UsdPhysics, with MuJoCo's and Newton's schemas, in and out. Needs usd-core: pip install torsor[usd].

>>> model = torsor.usd.load("robot.usda")                 # doctest: +SKIP
>>> torsor.usd.save(model, "copy.usda")                   # doctest: +SKIP
"""

from __future__ import annotations

import os
import typing

from torsor._losses import Loss

if typing.TYPE_CHECKING:
    import numpy.typing

    from torsor._core import Model
    from torsor._spec.spec import Spec

__all__ = ["load", "read", "save"]

ENDINGS = (".usd", ".usda", ".usdc", ".usdz")


def is_usd(path: str | os.PathLike) -> bool:
    """Whether a file has an ending of USD."""
    return os.fspath(path).lower().endswith(ENDINGS)


def read(source: typing.Any) -> tuple[Spec, list[Loss]]:
    """The Spec of a USD file or of an open pxr.Usd.Stage, and a list of what was left out.

    >>> spec, lost = torsor.usd.read(stage)               # doctest: +SKIP
    """
    from torsor.usd._read import read_stage
    return read_stage(source)


def load(source: typing.Any) -> Model:
    """The Model of a USD file or of an open pxr.Usd.Stage.

    Lengths become metres, masses kilograms, angles radians, and z the up axis. Raises torsor.Error for files that cannot
    be read; read() also lists what was left out.

    >>> model = torsor.usd.load("robot.usda")             # doctest: +SKIP
    """
    return read(source)[0].compile()


def save(model: Model, path: str | os.PathLike, *, qpos: numpy.typing.ArrayLike | None = None,
         fps: float = 60.0) -> list[Loss]:
    """Write a model to a USD file, and return a list of what USD cannot hold.

    `qpos` is a recorded motion, one row of joint coordinates per frame: the transforms of all bodies are written with
    one time sample per frame, `fps` of them a second.

    >>> torsor.usd.save(model, "motion.usda", qpos=qpos, fps=50)     # doctest: +SKIP
    """
    from torsor.usd._write import write_stage
    return write_stage(model, path, qpos=qpos, fps=fps)
