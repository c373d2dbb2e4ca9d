"""Errors of torsor.cluster, and what is said about items that failed."""

from __future__ import annotations

from typing import Any, NamedTuple

from torsor._error import Error


class ClusterError(Error):
    """A cluster that cannot be used: not installed, not reachable, nodes that differ, a checkpoint of other work.

    An error that ends a run has what was computed so far in its attribute `partial`, if there is any.

    >>> try:
    ...     torsor.cluster.connect("127.0.0.1:1")
    ... except torsor.cluster.ClusterError as error:
    ...     print(type(error).__name__)
    ClusterError
    """

    partial: Any = None


class Failure(NamedTuple):
    """An item that failed: its index, what went wrong, and the traceback of a function that raised.

    >>> def invert(number):
    ...     return 1 / number
    >>> list(torsor.cluster.map(invert, [1, 0], cluster=None))[1].message
    'ZeroDivisionError: division by zero'
    """

    index: int
    message: str
    traceback: str = ""

    def __str__(self) -> str:
        return f"item {self.index}: {self.message}"


class WorkerLost(Exception):
    """The process or the node that ran a chunk is gone."""
