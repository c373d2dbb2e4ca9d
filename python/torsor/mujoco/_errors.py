"""The exceptions of MuJoCo's module."""

from __future__ import annotations

from torsor._core import _mujoco


class FatalError(Exception):
    """An error of the engine, as mujoco.FatalError.

    >>> try:
    ...     torsor.mujoco.mj_stateSize(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), -1)
    ... except torsor.mujoco.FatalError as error:
    ...     print(error)
    mj_stateSize: invalid state signature -1 < 0
    """


class UnexpectedError(Exception):
    """An error of Torsor itself, as mujoco.UnexpectedError.

    >>> issubclass(torsor.mujoco.UnexpectedError, Exception)
    True
    """


for _type in (FatalError, UnexpectedError):
    _type.__module__ = "torsor.mujoco"
_mujoco._set_error_types(FatalError, UnexpectedError)
