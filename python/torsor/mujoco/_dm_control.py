"""dm_control asks for a context of a graphics library before it draws. With install(), it gets one that needs none."""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

_RENDER = "dm_control._render"
_BACKENDS = {f"{_RENDER}.glfw_renderer": "GLFWContext", f"{_RENDER}.pyopengl.egl_renderer": "EGLContext",
             f"{_RENDER}.pyopengl.osmesa_renderer": "OSMesaContext"}


class _Backend(types.ModuleType):
    """Stands for a module of dm_control that opens a context; its class is made when it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name != _BACKENDS[self.__name__]:
            raise AttributeError(name)
        base = importlib.import_module(f"{_RENDER}.base")
        executor = importlib.import_module(f"{_RENDER}.executor")

        def start(self: Any, max_width: int, max_height: int) -> None:
            base.ContextBase.__init__(self, max_width, max_height, executor.PassthroughRenderExecutor)

        def nothing(*_: Any) -> None:
            """No context is needed."""

        made = type(name, (base.ContextBase,), {"__init__": start, "_platform_init": nothing, "_platform_make_current": nothing,
                                                "_platform_free": nothing})
        setattr(self, name, made)
        return made


def install() -> None:
    """Puts the stand-ins in the place of dm_control's modules, unless these are imported already."""
    for name in _BACKENDS:
        sys.modules.setdefault(name, _Backend(name))
