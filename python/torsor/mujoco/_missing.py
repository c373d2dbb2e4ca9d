"""Names of MuJoCo's module that Torsor does not have. Importing them works; using them raises an error that says what
there is instead."""

from __future__ import annotations

from typing import Any, NoReturn

from torsor.mujoco import _names

# beginnings of names, and what there is instead
NEAREST = {
    "mjr": "there is one buffer, off the screen: mjr_render and what draws on it are there",
    "mjv": "torsor.mujoco.viewer has cameras and drags of its own, in the browser",
    "Mjr": "torsor.Renderer and torsor.view() draw models",
    "Mjv": "torsor.Renderer and torsor.view() draw models",
    "GLContext": "torsor.view() draws in a browser",
    "mjs": "MjSpec reads, edits and writes models",
    "Mjs": "MjSpec reads, edits and writes models",
    "MjVfs": "pass assets= with files as bytes to MjModel.from_xml_string",
    "mj_loadPlugin": "callbacks of MjData do what plugins do",
    "mj_loadAllPlugin": "callbacks of MjData do what plugins do",
    "mjp": "callbacks of MjData do what plugins do",
    "MjLog": "data.warning has the counts of warnings",
    "mju_writeLog": "data.warning has the counts of warnings",
    "mj_print": "repr() of an MjModel or MjData, and `torsor inspect`",
    "mju_print": "print() of the array",
    "mj_getCache": "models are not cached: keep the MjModel",
    "mj_setCache": "models are not cached: keep the MjModel",
    "mj_clearCache": "models are not cached: keep the MjModel",
}


def nearest(name: str) -> str:
    """What there is instead, in words; empty if nothing is near."""
    found = max((start for start in NEAREST if name.startswith(start)), key=len, default="")
    return NEAREST.get(found, "")


def message(name: str) -> str:
    hint = nearest(name)
    return f"torsor.mujoco does not have {name}" + (f": {hint}" if hint else "")


def make(name: str) -> Any:
    """A function, or a class that cannot be constructed, which raises NotImplementedError; KeyError for other names."""

    def fail(*_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError(message(name))

    if name in _names.FUNCTIONS["all"].split():
        fail.__name__ = fail.__qualname__ = name
        fail.__doc__ = message(name)
        fail.is_missing = True  # type: ignore[attr-defined]
        return fail
    if name in _names.CLASSES["all"].split():
        return type(name, (), {"__init__": fail, "__doc__": message(name), "__module__": "torsor.mujoco", "is_missing": True})
    raise KeyError(name)
