"""Arguments of torsor.Batch: other names, arrays that are broadcast, types of numbers."""

from __future__ import annotations

from typing import Any

import numpy
from numpy import float64
from numpy.typing import ArrayLike, DTypeLike, NDArray

from torsor._error import Error

Array = NDArray[numpy.floating[Any]]


def scalar_of(dtype: DTypeLike) -> numpy.dtype:
    """The type that worlds are stepped in."""
    try:
        scalar = numpy.dtype(dtype)
    except TypeError:
        raise TypeError(f"dtype must be 'float64' or 'float32', got {dtype!r}") from None
    if scalar not in (numpy.float64, numpy.float32):
        raise ValueError(f"dtype must be 'float64' or 'float32', got '{scalar}'")
    return scalar


def alias(name: str, value: int | None, other: str, other_value: int | None, default: int) -> int:
    if value is not None and other_value is not None:
        raise TypeError(f"{name} and {other} are the same argument: give one of them")
    chosen = other_value if value is None else value
    return default if chosen is None else chosen


def thread_count(threads: int | None, nthread: int | None) -> int:
    count = alias("threads", threads, "nthread", nthread, 1)
    if count < 1:
        raise ValueError(f"nthread must be at least 1, got {count}")
    return count


def numbers(name: str, value: ArrayLike) -> Array:
    try:
        return numpy.asarray(value, dtype=float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected an array of numbers") from None


def whole(name: str, value: ArrayLike) -> NDArray[Any]:
    array = numpy.asarray(value)
    if not numpy.issubdtype(array.dtype, numpy.integer):
        raise ValueError(f"{name}: expected whole numbers, got {array.dtype}")
    return array


def broadcast(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    array = numbers(name, value)
    try:
        return numpy.ascontiguousarray(numpy.broadcast_to(array, shape))
    except ValueError:
        raise ValueError(f"{name}: expected shape {shape}, got {array.shape}") from None
