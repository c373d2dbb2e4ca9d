"""MuJoCo's settings of messages, and the one message that loading a model writes: how long it took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

_TIME_OF_COMPILATION = 2  # mjtLogTopic
_NAMES = ("logto_console", "logto_file", "logfile", "topics")


class MjLogConfig:
    """Where messages go, and about which topics: get() is what holds, set() makes it hold.

    >>> config = torsor.mujoco.MjLogConfig.get()
    >>> config.topics
    0
    >>> config.set()
    """

    def __init__(self) -> None:
        self.logto_console, self.logto_file = True, True
        self.logfile, self.topics = "MUJOCO_LOG.TXT", 0

    @staticmethod
    def get() -> MjLogConfig:
        """A copy of the settings that hold.

        >>> torsor.mujoco.MjLogConfig.get().logfile
        'MUJOCO_LOG.TXT'
        """
        made = MjLogConfig()
        made.__dict__.update(_current.__dict__)
        return made

    def set(self) -> None:
        """Makes these settings hold.

        >>> torsor.mujoco.MjLogConfig().set()
        """
        _current.__dict__.update({name: getattr(self, name) for name in _NAMES})

    def __repr__(self) -> str:
        return "<MjLogConfig\n" + "".join(f"  {name}: {getattr(self, name)!r}\n" for name in _NAMES) + ">"


_current = MjLogConfig()


def write(topic: int, message: str) -> None:
    """A message, where the settings say, if they name its topic."""
    if not int(_current.topics) & 1 << (topic - 1):
        return
    if _current.logto_console:
        print(message)
    if _current.logto_file:
        with open(_current.logfile, "a", encoding="utf-8") as file:
            file.write(message + "\n")


@contextmanager
def timed_compilation() -> Iterator[None]:
    """Tells how long loading a model took."""
    start = time.perf_counter()
    yield
    if _current.topics:
        write(_TIME_OF_COMPILATION, f"compile time: {1000 * (time.perf_counter() - start):.3f} ms")
