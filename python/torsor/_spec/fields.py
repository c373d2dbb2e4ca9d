"""Types of the values of elements: their defaults, and what may be assigned to them."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

import numpy


class Field:
    """One value by its name. Subclasses say what it may be."""

    def __init__(self, name: str, default: Any) -> None:
        self.name, self.default = name, default

    def new(self) -> Any:
        """The default, not shared with other elements."""
        return self.default

    def copy(self, value: Any) -> Any:
        return value

    def accept(self, value: Any, current: Any) -> Any:
        """What is stored when `value` is assigned. Raises TypeError or ValueError."""
        raise NotImplementedError

    def show(self, value: Any) -> Any:
        """What users see of a stored value."""
        return value

    def same(self, a: Any, b: Any) -> bool:
        return bool(a == b)


class Number(Field):
    """A float, an int or a bool, after the type of its default."""

    def accept(self, value: Any, current: Any) -> Any:
        kind = type(self.default)
        if isinstance(value, numpy.ndarray) and value.ndim == 0:
            value = value.item()
        if kind is float and isinstance(value, numbers.Real):
            return float(value)
        if kind is not float and isinstance(value, (numbers.Integral, numpy.bool_)):
            return kind(value)
        raise TypeError(f"{self.name}: expected {kind.__name__}, got {value!r}")

    def same(self, a: Any, b: Any) -> bool:
        return a == b or (a != a and b != b)


class Choice(Field):
    """A value of an enum, stored as an int."""

    def __init__(self, name: str, default: int, enum: Any) -> None:
        super().__init__(name, int(default))
        self.enum = enum

    def accept(self, value: Any, current: Any) -> int:
        if isinstance(value, str):
            members = {key.lower(): int(each) for key, each in self.enum.__members__.items()}
            if value.lower() not in members:
                raise ValueError(f"{self.name}: '{value}' is none of {', '.join(members)}")
            return members[value.lower()]
        try:
            return int(value)
        except (TypeError, ValueError):
            raise TypeError(f"{self.name}: expected a {self.enum.__name__}, got {value!r}") from None

    def show(self, value: int) -> Any:
        try:
            return self.enum(value)
        except ValueError:
            return value


class Text(Field):
    def accept(self, value: Any, current: Any) -> str:
        if not isinstance(value, str):
            raise TypeError(f"{self.name}: expected a str, got {value!r}")
        return value


class Array(Field):
    """A fixed count of numbers, a NumPy array that may be written in place."""

    def __init__(self, name: str, default: Any, dtype: str, least: int | None = None) -> None:
        super().__init__(name, numpy.array(default, dtype=dtype))
        self.least = least  # fewer numbers are filled up with zeros; 0: one number stands for all

    def new(self) -> numpy.ndarray:
        return self.default.copy()

    def copy(self, value: numpy.ndarray) -> numpy.ndarray:
        return value.copy()

    def accept(self, value: Any, current: numpy.ndarray) -> numpy.ndarray:
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{self.name}: expected numbers, got {value!r}")
        given = numpy.asarray(value)
        if given.size and given.dtype.kind not in "fiub":
            raise TypeError(f"{self.name}: expected numbers, got {value!r}")
        size = self.default.size
        if given.ndim == 0 and self.least == 0:
            current[:] = given
        elif given.ndim == 0 and self.least == 1:
            current[:] = 0
            current[0] = given
        elif given.size == size:
            current[:] = given.reshape(-1)
        elif self.least and given.ndim == 1 and self.least <= given.size < size:
            current[:] = 0
            current[: given.size] = given
        else:
            raise ValueError(f"{self.name} should be a list/array of size {f'{self.least} to ' if self.least else ''}{size}.")
        return current

    def same(self, a: Any, b: Any) -> bool:
        return numpy.array_equal(a, b, equal_nan=True)


class Vector(Field):
    """Any count of numbers."""

    def __init__(self, name: str, dtype: str, optional: bool = False) -> None:
        super().__init__(name, None if optional else numpy.zeros(0, dtype))
        self.dtype, self.optional = dtype, optional

    def new(self) -> Any:
        return None if self.optional else self.default.copy()

    def copy(self, value: Any) -> Any:
        return None if value is None else value.copy()

    def accept(self, value: Any, current: Any) -> Any:
        if value is None and self.optional:
            return None
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{self.name}: expected numbers, got {value!r}")
        try:
            return numpy.array(value, dtype=self.dtype).reshape(-1)
        except (TypeError, ValueError):
            raise TypeError(f"{self.name}: expected numbers, got {value!r}") from None

    def same(self, a: Any, b: Any) -> bool:
        return (a is None) == (b is None) and (a is None or numpy.array_equal(a, b, equal_nan=True))


class BoundedList(list):
    """A list of a fixed length, whose indices start at 0 and end with it."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if not 0 <= int(index) < len(self):
            raise IndexError(f"index {index} is not in 0..{len(self) - 1}")
        if not isinstance(value, str):
            raise TypeError(f"expected a str, got {value!r}")
        super().__setitem__(int(index), value)


class Strings(Field):
    """Names; of a fixed count if the default has some."""

    def __init__(self, name: str, default: Iterable[str], one_is_all: bool = False) -> None:
        super().__init__(name, list(default))
        self.one_is_all = one_is_all

    def new(self) -> list[str]:
        return self.copy(self.default)

    def copy(self, value: list[str]) -> list[str]:
        return BoundedList(value) if self.default else list(value)

    def accept(self, value: Any, current: Any) -> list[str]:
        if isinstance(value, str) and self.one_is_all:
            value = [value] if value else []
        if isinstance(value, str) or not all(isinstance(each, str) for each in value):
            raise TypeError(f"{self.name}: expected a list of names, got {value!r}")
        if self.default and len(value) != len(self.default):
            raise ValueError(f"{self.name} must have exactly {len(self.default)} elements, got {len(value)}")
        return self.copy(list(value))


class Chars(Field):
    """Letters, at most as many as the default has."""

    def new(self) -> BoundedList:
        return BoundedList(self.default)

    def copy(self, value: list[str]) -> BoundedList:
        return BoundedList(value)

    def accept(self, value: Any, current: Any) -> BoundedList:
        letters = list(value)
        if not all(isinstance(each, str) and len(each) == 1 for each in letters):
            raise ValueError(f"{self.name}: list elements must be single characters")
        if len(letters) > len(self.default):
            raise ValueError(f"{self.name} may have at most {len(self.default)} characters")
        return BoundedList(letters + ["\x00"] * (len(self.default) - len(letters)))


class Anything(Field):
    """A value that is kept as it is."""

    def accept(self, value: Any, current: Any) -> Any:
        return value
