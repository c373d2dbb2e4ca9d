"""Arguments of torsor.Batch: other names, arrays that are broadcast, types of numbers."""

from __future__ import annotations

import operator
from typing import Any

import numpy
from numpy import float64
from numpy.typing import ArrayLike, DTypeLike, NDArray

from torsor._core import Model
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
    return default if chosen is None else integer(name, chosen)


def integer(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {value!r}") from None
    if abs(number) >= 2**31:
        raise ValueError(f"{name}: {number} is too large")
    return number


def world_count(model: Any, nworld: Any) -> int:
    if not isinstance(model, Model):
        raise TypeError(f"model: expected a torsor.Model, got {type(model).__name__}")
    try:
        return integer("nworld", nworld)
    except ValueError:
        raise Error(f"a batch of {nworld} worlds does not fit into the memory of this machine") from None


def seeds_of(seeds: ArrayLike, size: int) -> NDArray[numpy.uint64]:
    try:
        return numpy.broadcast_to(numpy.asarray(seeds, numpy.uint64), size)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"seeds: expected one whole number from 0 on, or one for each of {size} worlds") from None


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
