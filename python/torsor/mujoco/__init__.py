"""MuJoCo's Python module on Torsor's engine: programs written for MuJoCo run after changing one import.

    import torsor.mujoco as mujoco

    model = mujoco.MjModel.from_xml_path("arm.xml")
    data = mujoco.MjData(model)
    while data.time < 2:
        mujoco.mj_step(model, data)

Programs that cannot be changed run with `python -m torsor.as_mujoco program.py`; install() does the same from inside a
program: afterwards `import mujoco` finds this module. Names are those of MuJoCo 4.0, and older ones that packages still
use. docs/mujoco_api.md lists every name of MuJoCo's module; those that are not there raise NotImplementedError when used.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, Union

import numpy

import torsor
from torsor._core import _mujoco
from torsor._core._mujoco import *  # noqa: F403 the functions of the table
from torsor._core._mujoco import MjData as MjData
from torsor._core._mujoco import MjModel as MjModel
from torsor.mujoco import _bind as _bind
from torsor.mujoco import _callbacks, _dm_control, _draw2d, _enums, _extras, _fields, _files, _missing, _names, _plain, _render, _scene
from torsor.mujoco._callbacks import mj_resetCallbacks as mj_resetCallbacks
from torsor.mujoco._errors import FatalError as FatalError
from torsor.mujoco._errors import UnexpectedError as UnexpectedError
from torsor.mujoco._log import MjLogConfig as MjLogConfig
from torsor.mujoco._structs import MjContact as MjContact
from torsor.mujoco._structs import MjOption as MjOption
from torsor.mujoco._structs import MjStatistic as MjStatistic
from torsor.mujoco._structs import MjVisual as MjVisual
from torsor.mujoco._specs import MjsAuthored as MjsAuthored
from torsor.mujoco._specs import MjSpec as MjSpec
from torsor.mujoco._spec_elements import NODES as _NODES
from torsor.mujoco._spec_elements import MjsCompiler as MjsCompiler
from torsor.mujoco._spec_elements import MjsDefault as MjsDefault
from torsor.mujoco._spec_elements import MjsOrientation as MjsOrientation
from torsor.mujoco._spec_methods import MjsWrap as MjsWrap
from torsor.mujoco._spec_zip import from_zip as from_zip
from torsor.mujoco._spec_zip import to_zip as to_zip
from torsor.mujoco._vfs import MjVfs as MjVfs

__version__ = _names.VERSION
MJTNUM_BYTES, MJTNUM_DTYPE = 8, numpy.float64
_SUBMODULES = ("rollout", "minimize", "batch", "viewer", "renderer", "gl_context")

for _owner in (MjModel, MjData):
    _owner.__module__ = "torsor.mujoco"
_missing_fields = {_owner.__name__: _fields.add_missing(_owner) for _owner in (MjModel, MjData)}
_fields.accept_older_equalities(MjModel)
globals().update({_owner.__name__: _owner for _owner in _NODES.values()})
MjStruct = Union[tuple(_NODES.values())]
globals().update(_names.CONSTANTS)
globals().update(_callbacks.FUNCTIONS)
globals().update(_extras.FUNCTIONS)
globals().update(_files.FUNCTIONS)
globals().update(_scene.FUNCTIONS)
globals().update(_render.FUNCTIONS)
globals().update(_draw2d.FUNCTIONS)


def mj_version() -> int:
    """The version of MuJoCo whose interface this is.

    >>> torsor.mujoco.mj_version()
    4000000
    """
    major, minor, patch = map(int, _names.VERSION.split("."))
    return 1_000_000 * major + 1000 * minor + patch


def mj_versionString() -> str:
    """The same as text.

    >>> torsor.mujoco.mj_versionString()
    '4.0.0'
    """
    return _names.VERSION


def _make(name: str) -> Any:
    """An enum, a class that holds numbers, or a stand-in for what is not there."""
    for make in (_enums.make, _plain.make):
        try:
            return make(name)
        except KeyError:
            continue
    return _missing.make(name)


def _import(name: str) -> Any:
    """A submodule, or the class Renderer from one."""
    if name == "Renderer":
        return importlib.import_module("torsor.mujoco._renderer").Renderer
    return importlib.import_module(f"torsor.mujoco.{name}")


def _is_being_imported(name: str) -> bool:
    return name not in globals() and sys.modules.get(f"torsor.mujoco.{name}") is not None


def _make_later(name: str) -> Any:
    """As __getattr__: makes enums, stand-ins and submodules, all of them when one is used first. A module without this
    function is one whose attributes Python finds fastest; it stays while a submodule cannot be imported, to tell why
    when that one is used.
    """
    if name not in _LATER:
        raise AttributeError(f"module 'torsor.mujoco' has no attribute '{name}'")
    names = globals()
    for each in _LATER:
        if each not in names and each not in _IMPORTED:
            names.setdefault(each, _make(each))  # of two threads, the first
    failures = {}
    for each in _IMPORTED:
        if each in names or _is_being_imported(each):  # what a submodule asks for while it is imported comes here, too
            continue
        try:
            names.setdefault(each, _import(each))
        except Exception as error:
            failures[each] = error
    if failures:
        names["__getattr__"] = _make_later
    else:
        names.pop("__getattr__", None)
    if name in failures:
        raise failures[name]
    return names[name] if name in names else _import(name)


__getattr__ = _make_later


_PRESENT = {name for name in globals() if not name.startswith("_")} - {"annotations", "importlib", "sys", "Any", "Union", "numpy", "torsor"}
__all__ = sorted({*_PRESENT, *_names.ENUMS, *_names.FUNCTIONS["all"].split(), *_names.CLASSES["all"].split(), "install"})
_IMPORTED = ("Renderer", *_SUBMODULES)
_LATER = {*__all__, *_SUBMODULES} - {*globals(), "install"}


def __dir__() -> list[str]:
    return sorted({*__all__, *_SUBMODULES, "__version__"})


def install() -> None:
    """Makes `import mujoco` find this module from now on. Raises ImportError if MuJoCo itself is imported already.

    >>> torsor.mujoco.install()
    >>> import mujoco
    >>> mujoco is torsor.mujoco
    True
    """
    this = sys.modules[__name__]
    present = sys.modules.get("mujoco")
    if present not in (None, this):
        raise ImportError("mujoco is imported already: call torsor.mujoco.install() before anything imports it")
    sys.modules["mujoco"] = this
    for name in ("_structs", "_enums", "_functions", "_callbacks", "_constants", "_errors", "_specs", "_render"):
        sys.modules[f"mujoco.{name}"] = this
    for name in _SUBMODULES:
        sys.modules[f"mujoco.{name}"] = importlib.import_module(f"torsor.mujoco.{name}")
    for name in ("egl", "glfw", "osmesa"):  # whose contexts Gymnasium opens
        sys.modules[f"mujoco.{name}"] = sys.modules["mujoco.gl_context"]
    _dm_control.install()
