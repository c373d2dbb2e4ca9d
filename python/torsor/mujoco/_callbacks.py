"""The callbacks of all MjData: set_mjcb_control() and its like, on top of those that every Data has."""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from typing import Any

from torsor import _core
from torsor._core import _mujoco

_set: dict[str, Any] = {}  # by MuJoCo's name, as the user passed it


def _sensor(callback: Callable[[Any, Any, int], Any]) -> Callable[[Any, Any, int], Any]:
    """MuJoCo's callback computes all user sensors of a stage; ours is asked for one sensor at a time."""

    readings = {}  # by stage: the engine clears the numbers of a sensor before it asks for them

    def of_one(model: Any, data: Any, sensor: int) -> Any:
        stage = model.sensor_needstage[sensor]
        users = [each for each in range(model.nsensor)
                 if model.sensor_type[each] == model.sensor_type[sensor] and model.sensor_needstage[each] == stage]
        if users and users[0] == sensor:
            callback(model, data, int(stage))
            readings[int(stage)] = data.sensordata.copy()
        first = model.sensor_adr[sensor]
        return readings.get(int(stage), data.sensordata)[first:first + model.sensor_dim[sensor]].copy()

    return of_one


def _warning(callback: Callable[[Any], Any]) -> Callable[..., Any]:
    """Functions of ctypes take bytes."""
    takes_bytes = isinstance(callback, ctypes._CFuncPtr)

    def tell(model: Any, data: Any, kind: Any, info: int) -> None:
        text = _warning_text(kind, info)
        callback(text.encode() if takes_bytes else text)

    return tell


def _warning_text(kind: Any, info: int) -> str:
    name = getattr(kind, "name", str(kind))
    return f"{_core.warning_text(int(kind), info)} ({name}: the simulation may be unstable)"


def _clock(callback: Callable[[], Any]) -> Callable[[], float]:
    def read() -> float:
        found = callback()
        if isinstance(found, (str, bytes)) or not hasattr(found, "__float__"):
            raise TypeError("mjcb_time callback did not return a number")
        return float(found)

    return read


# MuJoCo's name, the name of the attribute of a Data, and how one becomes the other
_NAMES: dict[str, tuple[str, Callable[[Any], Any] | None]] = {
    "mjcb_control": ("control", None),
    "mjcb_passive": ("passive", None),
    "mjcb_contactfilter": ("contact_filter", None),
    "mjcb_act_dyn": ("act_dyn", None),
    "mjcb_act_gain": ("act_gain", None),
    "mjcb_act_bias": ("act_bias", None),
    "mjcb_sensor": ("user_sensor", _sensor),
    "mjcb_time": ("clock", _clock),
    "mju_user_warning": ("on_warning", _warning),
}


def _pair(name: str) -> tuple[Callable[..., None], Callable[[], Any]]:
    attribute, convert = _NAMES[name]

    def setter(callback: Callable[..., Any] | None) -> None:
        if callback is not None and not callable(callback):
            raise TypeError("callback is not an Optional[Callable]")
        _set[name] = callback
        _mujoco._set_global_callback(attribute, convert(callback) if convert and callback is not None else callback)

    def getter() -> Any:
        return _set.get(name)

    setter.__name__, getter.__name__ = f"set_{name}", f"get_{name}"
    setter.__doc__ = f"Sets {name} for all MjData; None removes it."
    getter.__doc__ = f"The function that set_{name}() set, or None."
    return setter, getter


FUNCTIONS: dict[str, Callable[..., Any]] = {}
for _name in _NAMES:
    _setter, _getter = _pair(_name)
    FUNCTIONS[_setter.__name__], FUNCTIONS[_getter.__name__] = _setter, _getter


def mj_resetCallbacks() -> None:
    """Removes all global callbacks.

    >>> torsor.mujoco.mj_resetCallbacks()
    >>> torsor.mujoco.get_mjcb_control() is None
    True
    """
    for name in [each for each, callback in _set.items() if callback is not None]:
        FUNCTIONS[f"set_{name}"](None)


atexit.register(mj_resetCallbacks)  # functions that are still set may hold objects of the engine
