"""Small classes of MuJoCo's module that only hold numbers, made from the table of names when they are first used."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy

from torsor.mujoco import _names


class Struct:
    """Numbers and arrays by name. Assigning to an array copies into it; equal if all numbers are; not hashable."""

    _fields: ClassVar[dict[str, list[Any]]] = {}

    def __init__(self) -> None:
        for name, (kind, value) in self._fields.items():
            object.__setattr__(self, name, numpy.array(value, dtype=kind) if isinstance(value, list) else value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            if "_fields" in vars(type(self)):  # subclasses may have attributes of their own
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
            return object.__setattr__(self, name, value)
        kind, default = self._fields[name]
        if isinstance(default, list):
            getattr(self, name)[...] = value
        else:
            if type(default) is int and isinstance(value, (float, numpy.floating)):
                raise TypeError(f"{name} of {type(self).__name__} must be an integer, got {value!r}")
            object.__setattr__(self, name, type(default)(value))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            numpy.array_equal(getattr(self, name), getattr(other, name)) for name in self._fields)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}\n" + "".join(f"  {name}: {getattr(self, name)!r}\n" for name in self._fields) + ">"

    def __copy__(self) -> Struct:
        made = type(self)()
        for name in self._fields:
            setattr(made, name, getattr(self, name))
        return made

    def __deepcopy__(self, _: object) -> Struct:
        return self.__copy__()


def make(name: str) -> type[Struct]:
    """The class of this name; KeyError if there is none."""
    fields = _names.STRUCTS[name]
    return type(name, (Struct,), {"_fields": fields, "__module__": "torsor.mujoco",
                                  "__doc__": f"The numbers of mujoco.{name}, with its defaults."})
