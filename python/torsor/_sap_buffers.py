"""Reading and writing the buffers of torsor.sap: float32 or float64, of one world or with a leading axis of worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from torsor._error import Error

Array = NDArray[numpy.float64]
FLOATS = (numpy.dtype(numpy.float32), numpy.dtype(numpy.float64))


def to_array(name: str, values: object) -> NDArray[Any]:
    """The buffer as an array, without a copy if it is one; lists of numbers become float64."""
    if isinstance(values, (list, tuple)):
        try:
            return numpy.array(values, dtype=numpy.float64)
        except (TypeError, ValueError) as error:
            raise Error(f"{name} must be numbers: {error}") from None
    array = numpy.asarray(values)
    if array.dtype not in FLOATS:
        raise Error(f"{name} has elements of type {array.dtype}; a buffer holds float32 or float64")
    return array


def world_count(joint_q: object) -> int:
    """The number of worlds of a state; 0 for a state of one world, without an axis of worlds."""
    array = to_array("joint_q", joint_q)
    if array.ndim > 2:
        raise Error(f"joint_q has shape {array.shape}; it must be (coordinates,) or (worlds, coordinates)")
    if array.ndim == 2 and len(array) == 0:
        raise Error("joint_q has no worlds")
    return len(array) if array.ndim == 2 else 0


def check_worlds(worlds: object, total: int) -> list[int]:
    """The numbers of the worlds that a call is about: all of them for None."""
    if worlds is None:
        return list(range(total))
    if total == 0:
        raise Error("worlds: the state has no axis of worlds; make it with state(worlds=...)")
    numbers = numpy.atleast_1d(numpy.asarray(worlds))
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise Error(f"worlds must be a list of whole numbers, not {worlds!r}")
    for number in numbers:
        if not 0 <= number < total:
            raise Error(f"world {number} does not exist: there are {total}, numbered from 0")
    if len(set(numbers.tolist())) != len(numbers):
        raise Error("worlds lists a world twice")
    if len(numbers) == 0:
        raise Error("worlds is empty")
    return numbers.tolist()


def read_rows(name: str, values: object, total: int, worlds: Sequence[int], shared: bool = False) -> Array | None:
    """One row of float64 for each world of a call, None for an empty buffer. A shared buffer holds for all worlds."""
    array = to_array(name, values)
    if array.size == 0 and array.ndim < 2:
        return None
    if total == 0:
        return numpy.ascontiguousarray(array, dtype=numpy.float64).reshape(1, -1)
    if shared and array.ndim == 1:
        return numpy.ascontiguousarray(numpy.broadcast_to(array, (len(worlds), array.size)), dtype=numpy.float64)
    if array.ndim < 2 or len(array) != total:
        raise Error(f"{name} has shape {array.shape}; joint_q has {total} worlds, so its first axis must have {total}")
    if array.size == 0:
        return None
    rows = array.reshape(total, -1)[list(worlds)]
    return numpy.ascontiguousarray(rows, dtype=numpy.float64)


def check_target(name: str, kept: object, shape: tuple[int, ...]) -> NDArray[Any] | None:
    """The array that results are written to; None if the state has none yet and gets a new one."""
    array = to_array(name, kept)
    if array.size == 0 and array.ndim < 2 and 0 not in shape:
        return None
    if array.size != numpy.prod(shape) or (array.ndim > 1 and len(array) != shape[0]):
        raise Error(f"{name} of state_out has shape {array.shape}; the step needs {shape}")
    if isinstance(kept, (list, tuple)):
        raise Error(f"{name} of state_out is a {type(kept).__name__}: results need an array")
    if not array.flags.writeable:
        raise Error(f"{name} of state_out is read-only")
    return array


def write_rows(array: NDArray[Any], made: Array, total: int, worlds: Sequence[int]) -> None:
    """Write results in place, in the type of the array."""
    if total == 0:
        array[...] = made.reshape(array.shape)
    else:
        array[list(worlds)] = made.reshape(len(worlds), *array.shape[1:])
