"""Simulations to look at: replays as HTML files, and live views in the browser."""

from __future__ import annotations

import html
import os
import time
import webbrowser
from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from torsor import _core
from torsor._batch import Batch
from torsor._core import Data, Model, MotionClip, StateBit

_LAYOUTS = ("side", "ghosts")
_MOST_WORLDS = 256
_MOST_LIVE_WORLDS = 64
_STATE_OF_BATCH = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat")


def _check_layout(layout: str) -> None:
    if layout not in _LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(_LAYOUTS)}, got {layout!r}")


class _BatchWorlds:
    """The first worlds of a Batch as Data, for a view."""

    def __init__(self, model: Model, batch: Batch):
        self.batch = batch
        self.worlds = [Data(model) for _ in range(min(batch.nworld, _MOST_LIVE_WORLDS))]
        self.update()

    def update(self) -> None:
        times = numpy.broadcast_to(self.batch.time, (self.batch.nworld,))
        fields = {name: getattr(self.batch, name) for name in _STATE_OF_BATCH}
        for index, world in enumerate(self.worlds):
            world.time = float(times[index])
            for name, values in fields.items():
                getattr(world, name)[...] = values[index]


class Recording:
    """Frames of a simulation, for one HTML file that plays in any browser without a server.

    Call add(data) after every step: a frame is recorded whenever one is due. In a notebook the recording shows itself.

    >>> recording = torsor.Recording(model, fps=30)
    >>> for _ in range(500):
    ...     status = torsor.step(model, data)
    ...     recording.add(data)
    >>> recording.nframe
    30
    >>> recording.save(folder / "run.html")
    """

    def __init__(self, model: Model, fps: float = 60, *, layout: str = "side", title: str = ""):
        """fps is the number of frames per second of simulated time. Several worlds stand side by side, or, with
        layout="ghosts", in one place, all but the first transparent."""
        _check_layout(layout)
        self._model = model
        self._core = _core._Recorder(model, float(fps), layout == "ghosts", title)

    @property
    def nframe(self) -> int:
        """number of frames"""
        return self._core.frames

    @property
    def nworld(self) -> int:
        """number of worlds in each frame, 0 before the first one"""
        return self._core.worlds

    def add(self, data: Data | Sequence[Data]) -> None:
        """Record a state if a frame is due; several Data are worlds at one moment, which is recorded always.

        >>> recording = torsor.Recording(model)
        >>> recording.add(data)
        >>> recording.add(data)  # no time has passed
        >>> recording.nframe
        1
        """
        worlds = [data] if isinstance(data, Data) else list(data)
        self._core.record(self._model, worlds, len(worlds) != 1)

    def add_now(self, data: Data | Sequence[Data]) -> None:
        """Record a state, whatever its time.

        >>> recording = torsor.Recording(model)
        >>> recording.add_now(data)
        >>> recording.nframe
        1
        """
        self._core.record(self._model, [data] if isinstance(data, Data) else list(data), True)

    def html(self) -> str:
        """The page as a string.

        >>> recording = torsor.Recording(model)
        >>> recording.add(data)
        >>> recording.html()[:15]
        '<!doctype html>'
        """
        return self._core.html()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file.

        >>> recording = torsor.Recording(model)
        >>> recording.add(data)
        >>> recording.save(folder / "one.html")
        """
        self._core.save(os.fspath(path))

    def _repr_html_(self) -> str:
        """What a notebook shows: the page in a frame of its own."""
        return (f'<iframe srcdoc="{html.escape(self.html(), quote=True)}" title="Replay" sandbox="allow-scripts" '
                'style="width: 100%; height: 520px; border: 0; border-radius: 12px"></iframe>')

    def __repr__(self) -> str:
        return f"<Recording of {self.nframe} frames, {max(self.nworld, 1)} worlds>"


def show(model: Model, motion: Data | MotionClip | Batch | ArrayLike, *, fps: float | None = None,
         layout: str = "side", title: str = "") -> Recording:
    """A replay of a motion: a Recording, which a notebook shows and which save() writes to a file.

    motion is a Data (one picture), a MotionClip, a Batch (its worlds as they are now), or an array of states: qpos or
    StateBit.FULLPHYSICS in each row, as rollout() returns them, frames x nstate or worlds x frames x nstate. fps is the
    number of frames per second of an array of qpos (default 60); states with a time and clips have their own.

    >>> initial = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
    >>> states, _ = torsor.rollout(model, initial, nstep=200)
    >>> recording = torsor.show(model, states)
    >>> recording.nframe
    24
    >>> torsor.show(model, [[0.1, 0.2], [0.3, 0.4]], fps=30).save(folder / "two.html")
    """
    if isinstance(motion, Data):
        recording = Recording(model, layout=layout, title=title)
        recording.add_now(motion)
        return recording
    if isinstance(motion, MotionClip):
        return _of_states(model, motion.qpos(model, partial=True), motion.fps, layout, title)
    if isinstance(motion, Batch):
        worlds = numpy.array(motion.qpos, dtype=float)[:_MOST_WORLDS, None, :]
        return _of_states(model, worlds, fps or 60.0, layout, title)
    return _of_states(model, numpy.asarray(motion, dtype=float), fps, layout, title)


def _of_states(model: Model, states: NDArray[Any], fps: float | None, layout: str, title: str) -> Recording:
    """A recording of rows of qpos or of the full state."""
    full = _core.state_size(model, int(StateBit.FULLPHYSICS))
    if states.ndim not in (2, 3) or states.shape[-1] not in (model.nq, full):
        raise ValueError(f"states must be rows of qpos ({model.nq} numbers) or of StateBit.FULLPHYSICS ({full}), "
                         f"got shape {states.shape}")
    worlds = states if states.ndim == 3 else states[None]
    if worlds.shape[0] > _MOST_WORLDS:
        raise ValueError(f"a replay shows at most {_MOST_WORLDS} worlds, got {worlds.shape[0]}")
    if worlds.shape[0] == 0 or worlds.shape[1] == 0:
        raise ValueError(f"no states to show: shape {states.shape}")
    has_time = worlds.shape[2] == full and full != model.nq
    recording = Recording(model, fps or 60.0, layout=layout, title=title)
    shown = [Data(model) for _ in range(worlds.shape[0])]
    next_time = worlds[0, 0, 0] if has_time else 0.0
    for frame in range(worlds.shape[1]):
        now = worlds[0, frame, 0] if has_time else frame / (fps or 60.0)
        if has_time and now < next_time - 1e-9:
            continue
        next_time += 1 / (fps or 60.0)
        for world, data in enumerate(shown):
            _set(model, data, worlds[world, frame], has_time, now)
        recording.add_now(shown)
    return recording


def _set(model: Model, data: Data, state: NDArray[Any], is_full: bool, now: float) -> None:
    if is_full:
        _core.set_state(model, data, state, int(StateBit.FULLPHYSICS))
    else:
        data.qpos[:] = state
    data.time = now


class View:
    """A page in the browser that shows a simulation; torsor.view(..., passive=True) returns one.

    >>> with torsor.view(model, data, passive=True, open_browser=False) as handle:
    ...     for _ in range(10):
    ...         status = torsor.step(model, data)
    ...         handle.sync()
    ...     handle.url[:17]
    'http://127.0.0.1:'
    """

    def __init__(self, model: Model, data: Data | Batch, passive: bool, address: str, port: int, token: str, layout: str = "side"):
        _check_layout(layout)
        self._batch = _BatchWorlds(model, data) if isinstance(data, Batch) else None
        worlds = self._batch.worlds if self._batch else [data]
        self._core = _core._Viewer(model, worlds[0], passive, address, port, token)
        if len(worlds) > 1:
            self._core.set_companions(worlds[1:], layout == "ghosts")

    @property
    def url(self) -> str:
        """address of the page"""
        return self._core.url

    @property
    def nclient(self) -> int:
        """number of pages that are connected"""
        return self._core.clients

    @property
    def is_open(self) -> bool:
        """whether it still serves the page"""
        return self._core.is_open

    def sync(self) -> None:
        """Show the present state, and apply what the pages have set: forces of drags, controls, joints.

        Sends at most 60 frames per second, whoever calls it however often. Drags are written to data.xfrc_applied.

        >>> handle = torsor.view(model, data, passive=True, open_browser=False)
        >>> handle.sync()
        >>> handle.close()
        """
        if self._batch:
            self._batch.update()
        self._core.synchronize()

    def close(self) -> None:
        """End the server; pages show that they are not connected any more.

        >>> handle = torsor.view(model, data, passive=True, open_browser=False)
        >>> handle.close()
        >>> handle.is_open
        False
        """
        self._core.close()

    def _tick(self) -> float:
        return self._core.tick()

    def __repr__(self) -> str:
        return f"<View {self.url}>" if self.is_open else "<View, closed>"

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def view(model: Model, data: Data | Batch | None = None, *, passive: bool = False, port: int = 0, address: str = "127.0.0.1",
         token: str = "", open_browser: bool = True, duration: float | None = None, layout: str = "side") -> View:
    """Show a simulation in the browser, on a page that this process serves.

    Simulates data in real time until Ctrl-C, or for `duration` seconds. With passive=True it returns a View at once: the
    caller steps, and calls sync(). A Batch is shown with its first 64 worlds, side by side or, with layout="ghosts", in one place, all
    but the first transparent; it can only be shown with passive=True. The address is printed, and opened where there is a desktop. On another address than
    loopback the page needs a token, which is part of the printed address.

    >>> handle = torsor.view(model, data, duration=0.1, open_browser=False)  # doctest: +ELLIPSIS
    http://127.0.0.1:...
    >>> data.time > 0
    True
    """
    if isinstance(data, Batch) and not passive:
        raise ValueError("a batch is stepped by its caller: pass passive=True, and call sync() after each step")
    handle = View(model, Data(model) if data is None else data, passive, address, port, token, layout)
    if not passive or open_browser:
        print(handle.url, flush=True)
    if open_browser and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(handle.url)
    if passive:
        return handle
    end = None if duration is None else time.monotonic() + duration
    try:
        while end is None or time.monotonic() < end:
            time.sleep(handle._tick())
    except KeyboardInterrupt:
        pass
    finally:
        handle.close()
    return handle
