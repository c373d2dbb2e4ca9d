"""mujoco.viewer on torsor.view: a page in the browser instead of a window."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

import torsor
from torsor.mujoco import MjData, MjModel, MjrRect, MjvScene, _plain

_MOST_GEOMS = 10000
_PLACES = ("topleft", "topright", "bottomleft", "bottomright", "top", "bottom", "left", "right")  # mjtGridPos
# names of the page's toggles, and the mjtVisFlag of each
_TOGGLES = {"contacts": 14, "forces": 16, "joints": 2, "com": 20, "inertia": 10, "tendons": 7, "islands": 15}
_BODY_FRAMES = 1  # mjFRAME_BODY


class Handle:
    """What launch_passive() returns. The page shows the state, the camera and the options as they were at the last sync().

    cam and opt count when the program changes them, so that whoever looks at the page can move the camera meanwhile.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> with torsor.mujoco.viewer.launch_passive(model, torsor.mujoco.MjData(model)) as viewer:
    ...     with viewer.lock():
    ...         viewer.cam.distance = 3
    ...     viewer.sync()
    ...     viewer.is_running()
    True
    """

    def __init__(self, view: torsor.View, model: MjModel, data: MjData, key_callback: Callable[[int], None] | None = None):
        self._view, self._model, self._data = view, model, data
        self._key_callback = key_callback
        self._lock = threading.RLock()
        self.cam, self.opt, self.perturb = (_plain.make(name)() for name in ("MjvCamera", "MjvOption", "MjvPerturb"))
        torsor.mujoco.mjv_defaultFreeCamera(model, self.cam)
        self.user_scn = MjvScene(model, _MOST_GEOMS)
        self._told = {"camera": self._camera(), "look": self._look(), "geoms": self._geoms()}

    @property
    def m(self) -> MjModel | None:
        """The model, None after close()."""
        return self._model if self.is_running() else None

    @property
    def d(self) -> MjData | None:
        """The data, None after close()."""
        return self._data if self.is_running() else None

    @property
    def viewport(self) -> MjrRect:
        """Empty: every page has a size of its own."""
        return MjrRect(0, 0, 0, 0)

    @property
    def url(self) -> str:
        """The address of the page."""
        return self._view.url

    def is_running(self) -> bool:
        """True until close(): pages may come and go.

        >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
        >>> viewer = torsor.mujoco.viewer.launch_passive(model, torsor.mujoco.MjData(model))
        >>> viewer.close()
        >>> viewer.is_running()
        False
        """
        return self._view.is_open

    def lock(self) -> contextlib.AbstractContextManager[Any]:
        """Keeps sync() in other threads from reading what is being changed."""
        return self._lock

    def sync(self, state_only: bool = False) -> None:
        """Shows the state and, unless state_only, camera, options and user_scn; applies what pages did, and calls the
        callback for each key that was pressed on one."""
        if not self.is_running():
            return
        with self._lock:
            if not state_only:
                for kind, now in (("camera", self._camera()), ("look", self._look()), ("geoms", self._geoms())):
                    self._tell(kind, now)
            self._view.sync()
            pressed = self._view._core.take_pressed()
        for key in pressed if self._key_callback else ():
            self._key_callback(key)

    def _tell(self, kind: str, what: dict[str, Any]) -> None:
        if self._told.get(kind) == what:
            return
        self._told[kind] = what
        self._view._core.tell(kind, json.dumps({"type": kind, **what}))

    def _camera(self) -> dict[str, Any]:
        cam = self.cam
        return {"kind": int(cam.type), "fixed": int(cam.fixedcamid), "track": int(cam.trackbodyid), "distance": float(cam.distance),
                "azimuth": float(cam.azimuth), "elevation": float(cam.elevation), "lookat": [float(x) for x in cam.lookat]}

    def _look(self) -> dict[str, Any]:
        shown = {name: bool(self.opt.flags[flag]) for name, flag in _TOGGLES.items()}
        shown["frames"] = int(self.opt.frame) == _BODY_FRAMES
        return {"groups": [bool(on) for on in self.opt.geomgroup], "shown": shown}

    def _geoms(self) -> dict[str, Any]:
        scene = self.user_scn
        return {"geoms": [{"type": int(geom.type), "size": geom.size.tolist(), "pos": geom.pos.tolist(),
                           "mat": geom.mat.ravel().tolist(), "rgba": geom.rgba.tolist(), "label": geom.label,
                           "data": geom.dataid // 2 if int(geom.type) == 7 else geom.dataid}
                          for geom in scene.geoms[:scene.ngeom]]}

    def set_texts(self, texts: tuple[Any, ...] | Iterable[tuple[Any, ...]]) -> None:
        """Shows texts on the page: (font, place, left column, right column), or a list of these.

        >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
        >>> with torsor.mujoco.viewer.launch_passive(model, torsor.mujoco.MjData(model)) as viewer:
        ...     viewer.set_texts((None, None, "speed", "1.2 m/s"))
        """
        rows = [texts] if isinstance(texts, tuple) else list(texts)
        self._tell("texts", {"texts": [{"place": _PLACES[int(place or 0)], "left": left or "", "right": right or ""}
                                       for _, place, left, right in rows]})

    def clear_texts(self) -> None:
        """Removes the texts."""
        self._tell("texts", {"texts": []})

    def set_figures(self, viewports_figures: Any) -> None:
        """Not there: the panel "Plots" of the page draws signals."""
        raise NotImplementedError('figures are not drawn on the page: its panel "Plots" shows energy, sensors, joints and controls')

    def clear_figures(self) -> None:
        """There are none."""

    def set_images(self, viewports_images: Any) -> None:
        """Not there."""
        raise NotImplementedError("images are not drawn on the page: torsor.mujoco.Renderer makes pictures")

    def clear_images(self) -> None:
        """There are none."""

    def update_hfield(self, hfieldid: int) -> None:
        """Shows a height field that was edited, with the next sync()."""
        self._renew(hfieldid, self._model.nhfield)

    def update_mesh(self, meshid: int) -> None:
        """Shows a mesh that was edited, with the next sync()."""
        self._renew(meshid, self._model.nmesh)

    def update_texture(self, texid: int) -> None:
        """Shows materials that were edited, with the next sync(). Textures are those of the model's file."""
        self._renew(texid, self._model.ntex)

    def _renew(self, index: int, count: int) -> None:
        if not 0 <= index < count:
            raise ValueError(f"the model has {count}, got {index}")
        if self.is_running():
            self._view._core.renew_scene()

    def close(self) -> None:
        """Ends the view."""
        self._view.close()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def launch_passive(model: MjModel, data: MjData, *, key_callback: Callable[[int], None] | None = None,
                   show_left_ui: bool = True, show_right_ui: bool = True) -> Handle:
    """Shows a simulation that the program steps itself; the address of the page is printed, and in `url`.

    key_callback gets the number of each key that is pressed on the page, as GLFW has them, during sync().

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> torsor.mujoco.viewer.launch_passive(model, torsor.mujoco.MjData(model)).close()
    """
    if not isinstance(model, torsor.Model):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, torsor.Data):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    handle = Handle(torsor.view(model, data, passive=True), model, data, key_callback)
    panels = {"left": bool(show_left_ui), "right": bool(show_right_ui), "keys": key_callback is not None}
    handle._view._core.tell("panels", json.dumps({"type": "panels", **panels}))
    return handle


def launch(model: MjModel | None = None, data: MjData | None = None, *, loader: Callable[[], tuple[Any, ...]] | None = None,
           show_left_ui: bool = True, show_right_ui: bool = True) -> None:
    """Runs a simulation in real time, and shows it until Ctrl-C. loader() returns the model and its data instead."""
    del show_left_ui, show_right_ui
    if loader is not None:
        if model is not None or data is not None:
            raise ValueError("either the loader or the model can be given, not both")
        model, data = loader()[:2]
    if model is None:
        if data is not None:
            raise ValueError("mjData is specified but mjModel is not")
        model = MjModel.from_xml_string("<mujoco/>")
    torsor.view(model, data if data is not None else MjData(model))


def launch_from_path(path: str) -> None:
    """The same for a model file."""
    launch(MjModel.from_binary_path(path) if path.endswith(".mjb") else MjModel.from_xml_path(path))
