"""The values of MuJoCo's model elements, made from the table of its interface."""

from __future__ import annotations

from typing import Any

from torsor._spec.fields import Anything, Array, Chars, Choice, Field, Number, Strings, Text, Vector
from torsor.mujoco import _enums, _names, _plain

# arrays that accept fewer numbers as arguments: the others are 0; 0: one number stands for all
PARTIAL = {("MjsGeom", "size"): 1, ("MjsSite", "size"): 1, ("MjsFrame", "scale"): 0}
COEFFICIENTS = ("stiffness", "damping")


class Enum(Choice):
    """An enum of MuJoCo, which is made when it is first seen. Words are not accepted."""

    def __init__(self, name: str, default: int, enum: str) -> None:
        super().__init__(name, default, None)
        self.enum_name = enum

    def accept(self, value: Any, current: Any) -> int:
        if isinstance(value, (str, float)):
            raise TypeError(f"{self.name}: expected a {self.enum_name}, got {value!r}")
        try:
            return int(value)
        except (TypeError, ValueError):
            raise TypeError(f"{self.name}: expected a {self.enum_name}, got {value!r}") from None

    def show(self, value: int) -> Any:
        if self.enum is None:
            import torsor.mujoco

            self.enum = getattr(torsor.mujoco, self.enum_name, None) or _enums.make(self.enum_name)
        return super().show(value)


class Bytes(Field):
    def accept(self, value: Any, current: Any) -> bytes:
        if isinstance(value, str):
            raise TypeError(f"{self.name}: expected bytes, got {value!r}")
        return bytes(value)


class Lists(Field):
    """Lists of numbers."""

    def new(self) -> Any:
        return []

    def copy(self, value: Any) -> Any:
        return [list(each) for each in value]

    def accept(self, value: Any, current: Any) -> Any:
        return self.copy(value)


class Config(Field):
    """Texts by name."""

    def new(self) -> dict[str, str]:
        return {}

    def copy(self, value: Any) -> dict[str, str]:
        return dict(value)

    def accept(self, value: Any, current: Any) -> dict[str, str]:
        return {str(key): str(each) for key, each in dict(value).items()}


class More(Anything):
    """Values of the library that MuJoCo has no name for."""

    def new(self) -> dict[str, Any]:
        return {}

    def copy(self, value: Any) -> dict[str, Any]:
        return dict(value)


class Part(Field):
    """Values with a class of their own: an orientation, a plugin, settings."""

    def __init__(self, name: str, kind: Any) -> None:
        super().__init__(name, None)
        self.kind = kind

    def new(self) -> Any:
        return self.kind()

    def copy(self, value: Any) -> Any:
        made = self.new()
        made._take(value)
        return made

    def accept(self, value: Any, current: Any) -> Any:
        current._take(value)
        return current


def make_field(owner: str, name: str, kind: str, default: Any, parts: dict[str, Any]) -> Field:
    if kind in parts:
        return Part(name, parts[kind])
    if kind in ("float64", "float32", "int32"):
        least = 1 if name in COEFFICIENTS else PARTIAL.get((owner, name))
        return Array(name, default, kind, least)
    if kind.startswith("vector "):
        return Vector(name, kind.split()[1])
    if kind.startswith("mjt"):
        return Enum(name, default, kind)
    if kind == "strings":
        return Strings(name, default, one_is_all=owner == "MjsFlex")
    simple = {"str": Text, "chars": Chars, "list": Lists, "dict": Config}
    if kind in simple:
        return simple[kind](name, default)
    if kind == "bytes":
        return Bytes(name, b"")
    return Number(name, {"float": float, "int": int, "bool": bool}[kind](default))


class Values:
    """A group of values: an orientation, a plugin, settings. Assigning to arrays copies into them."""

    __slots__ = ("_values",)
    _fields: dict[str, Field] = {}

    def __init__(self) -> None:
        self._values = {name: field.new() for name, field in self._fields.items()}

    def _set(self, name: str, value: Any) -> None:
        field = self._fields[name]
        try:
            self._values[name] = field.accept(value, self._values[name])
        except ValueError as error:
            raise (TypeError if isinstance(field, Array) else ValueError)(str(error)) from None

    def _take(self, other: Any) -> None:
        if not hasattr(other, "_values") or set(self._fields) - set(other._values):
            raise TypeError(f"expected a {type(self).__name__}, got {other!r}")
        for name, field in self._fields.items():
            self._values[name] = field.copy(other._values[name])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            field.same(self._values[name], other._values[name]) for name, field in self._fields.items())  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]


def make_lengthrange() -> Any:
    """Options of length ranges with the values of a new model."""
    import torsor._core as core

    made = _plain.make("MjLROpt")()
    for name, _, default in core._spec_fields()["lengthrange"]:
        setattr(made, name, int(default) if isinstance(default, bool) else default)
    return made


class LengthRange(Field):
    def new(self) -> Any:
        return make_lengthrange()

    def copy(self, value: Any) -> Any:
        return value.__copy__()

    def accept(self, value: Any, current: Any) -> Any:
        return self.copy(value)


def fields_of(owner: str, parts: dict[str, Any]) -> dict[str, Field]:
    """The fields of one class of the interface, by name."""
    return {name: LengthRange(name, None) if kind == "MjLROpt" else make_field(owner, name, kind, default, parts)
            for name, (kind, default) in _names.SPECS[owner].items()}
