"""mujoco.viewer on torsor.view: the page in the browser instead of a window."""

from __future__ import annotations

import time
from typing import Any

import torsor
from torsor.mujoco import MjData, MjModel


class Handle:
    """What launch_passive() returns: sync(), is_running(), close(), and a context manager.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> with torsor.mujoco.viewer.launch_passive(model, torsor.mujoco.MjData(model)) as viewer:
    ...     viewer.sync()
    ...     viewer.is_running()
    True
    """

    def __init__(self, view: torsor.View):
        self._view = view

    def is_running(self) -> bool:
        return self._view.is_open

    def sync(self, state_only: bool = False) -> None:
        del state_only
        self._view.sync()

    def close(self) -> None:
        self._view.close()

    @property
    def url(self) -> str:
        """The address of the page."""
        return self._view.url

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def launch_passive(model: MjModel, data: MjData, **_: Any) -> Handle:
    """Shows a simulation that the program steps itself; the address of the page is in `url`.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> torsor.mujoco.viewer.launch_passive(model, torsor.mujoco.MjData(model)).close()
    """
    return Handle(torsor.view(model, data, passive=True))


def launch(model: MjModel, data: MjData | None = None, **_: Any) -> None:
    """Runs the simulation in a page until it is closed with Ctrl-C."""
    with torsor.view(model, data if data is not None else MjData(model)) as view:
        print(view.url)
        while view.is_open:
            time.sleep(0.1)


def launch_from_path(path: str) -> None:
    """The same for a model file."""
    launch(MjModel.from_xml_path(path))
