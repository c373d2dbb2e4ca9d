"""One element of a model: its values, and where it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, ClassVar

from torsor._spec.fields import Field

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# what bodies contain, in the order of MuJoCo's object types
PARTS = ("body", "frame", "joint", "geom", "site", "camera", "light")


def caller() -> tuple[str, int, int]:
    """File and line of the program that called the package, for error messages."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno, 0


class Node:
    """An element. It stays the same object wherever its model is edited; after it is deleted it keeps its values.

    Values are in `_values`, by the names of the vocabulary that the class belongs to.
    """

    __slots__ = ("__weakref__", "_class", "_compiler", "_frame", "_inertial_frame", "_parent", "_parts", "_pending", "_tree",
                 "_values", "_where")
    _kind: ClassVar[str] = ""
    _fields: ClassVar[dict[str, Field]] = {}
    _names: ClassVar[tuple[tuple[str, str], ...]] = ()  # values that are names of other elements, and their kinds

    def __init__(self, tree: Any, prototype: Node | None = None) -> None:
        fields = self._fields
        self._tree: Any = tree  # None once it is deleted
        self._values: dict[str, Any] = {name: field.new() for name, field in fields.items()} if prototype is None else {
            name: fields[name].copy(value) for name, value in prototype._values.items()}
        self._compiler: Any = tree._compiler if tree is not None else None  # settings that its values are meant for
        self._parent: Any = None  # body
        self._frame: Any = None
        self._inertial_frame: Any = None  # of a body: the frame of its own that its inertial is in
        self._class: Any = None  # default class
        self._parts: dict[str, list[Any]] | None = {kind: [] for kind in PARTS} if self._kind == "body" else None
        self._pending: Any = None  # of a keyframe: see keys.py
        self._where: tuple[str, int, int] = ("", 0, 0)

    @property
    def _name(self) -> str:
        return self._values.get("name", "")

    def _set(self, name: str, value: Any) -> None:
        """Assigns to a value by its name in the vocabulary."""
        if name == "name":
            if not isinstance(value, str):
                raise TypeError(f"name: expected a str, got {value!r}")
            self._rename(value)
        else:
            self._values[name] = self._fields[name].accept(value, self._values[name])

    def _rename(self, name: str) -> None:
        if self._tree is not None:
            self._tree._note_name(self, name)
        self._values["name"] = name

    def _references(self) -> Iterator[tuple[Any, Any, str]]:
        """(holder, key, kind) for every name of another element: holder[key] is the name."""
        for name, kind in self._names:
            if self._values[name]:
                yield self._values, name, kind

    def _write(self) -> dict[str, Any]:
        """The values by the names of the library's Spec."""
        raise NotImplementedError

    def _read(self, values: dict[str, Any], is_new: bool = False) -> None:
        """Takes over values of the library's Spec; the arrays of a new node become those of the Spec."""
        raise NotImplementedError

    def _inside(self, frame: Node | None) -> bool:
        """Whether it is in a frame, directly or not."""
        mine = self._frame
        while mine is not None and mine is not frame:
            mine = mine._frame
        return mine is frame


def value_property(field: Field) -> property:
    """An attribute for one value."""
    name, show = field.name, field.show
    if type(field).show is Field.show:
        return property(lambda self: self._values[name], lambda self, value: self._set(name, value))
    return property(lambda self: show(self._values[name]), lambda self, value: self._set(name, value))
