"""What bodies, frames, sites and tendons of a Spec can do: add elements, and attach parts of other models."""

from __future__ import annotations

from typing import Any

from torsor._error import Error
from torsor._spec.elements import ELEMENTS, DefaultClass, Wrap
from torsor._spec.node import PARTS


def add(tree: Any, kind: str, body: Any, frame: Any, default_class: Any, values: dict[str, Any]) -> Any:
    """A new element with the values of its default class and those given."""
    if tree is None:
        raise Error("the element is deleted: nothing can be added to it")
    class_ = tree._find_class(default_class) if isinstance(default_class, str) else default_class
    if default_class is not None and not isinstance(class_, DefaultClass):
        raise Error(f"no default class {default_class!r}")
    node = tree._new(kind, class_ or (tree._class_at(body, frame) if body is not None else None))
    inertial = values.pop("inertial", None) if kind == "body" else None
    try:
        node._assign(values)
        for name, value in (inertial or {}).items():
            setattr(node.inertial, name, value)
    except Exception:
        tree._forget_name(node)
        raise
    return tree._insert(node, body, frame)


def _adder(kind: str) -> Any:
    def function(self: Any, *, default_class: Any = None, **values: Any) -> Any:
        body, frame = (self, None) if self._kind == "body" else (self._parent, self)
        return add(self._tree, kind, body, frame, default_class, values)

    function.__name__, function.__doc__ = f"add_{kind}", f"Add a {kind}, with attributes by name. Returns it."
    return function


def find_all(self: Any, kind: str) -> list[Any]:
    """All elements of a kind in this body and below it."""
    if kind not in PARTS:
        raise Error(f"'{kind}' is none of {', '.join(PARTS)}")
    bodies = list(self._tree._walk(self))
    return bodies[1:] if kind == "body" else [each for body in bodies for each in body._parts[kind]]


def attach(self: Any, element: Any, prefix: str = "", suffix: str = "", copy: bool = False) -> Any:
    """Attach a body or frame, of another Spec or (as a copy) of this one, with all that is in it and refers to that."""
    kind = getattr(element, "_kind", None)
    if kind not in ("body", "frame") or element._tree is None:
        raise Error(f"only bodies and frames can be attached, not {element!r}")
    body, frame = self._tree._place_of(self)
    inside = [element]
    if kind == "frame":
        inside += [each for part in PARTS for each in element._parent._parts[part] if each is not element and each._inside(element)]
    return self._tree._attach_elements(element._tree, inside, body, frame, prefix, suffix, copy)[0]


def to_frame(self: Any) -> Any:
    """Turn this body into a frame of its parent, with all that is in it. Returns the frame."""
    return self._tree._to_frame(self)


def _wrapper(kind: str) -> Any:
    if kind == "pulley":
        def function(self: Any, divisor: float) -> Wrap:
            return _append(self, Wrap(kind, number=divisor))
    elif kind == "joint":
        def function(self: Any, target: str, coef: float = 1.0) -> Wrap:  # type: ignore[misc]
            return _append(self, Wrap(kind, _name(target), number=coef))
    elif kind == "geom":
        def function(self: Any, target: str, sidesite: str = "") -> Wrap:  # type: ignore[misc]
            return _append(self, Wrap(kind, _name(target), _name(sidesite)))
    else:
        def function(self: Any, target: str) -> Wrap:  # type: ignore[misc]
            return _append(self, Wrap(kind, _name(target)))
    function.__name__, function.__doc__ = f"add_{kind}", f"Append a {kind} to the path; elements are given by name or as objects."
    return function


def _name(target: Any) -> str:
    return target if isinstance(target, str) else target.name


def _append(tendon: Any, wrap: Wrap) -> Wrap:
    tendon._values["path"].append(wrap)
    tendon._values["spatial"] = any(each.kind != "joint" for each in tendon._values["path"])
    return wrap


def complete() -> None:
    """Gives the classes their methods."""
    body, frame = ELEMENTS["body"], ELEMENTS["frame"]
    for kind in PARTS:
        setattr(body, f"add_{kind}", _adder(kind))
        setattr(frame, f"add_{kind}", _adder(kind))
        setattr(body, "bodies" if kind == "body" else f"{kind}s", property(
            lambda self, kind=kind: list(self._parts[kind]), doc=f"the {kind} elements of this body itself"))
    for owner in (body, frame, ELEMENTS["site"]):
        owner.attach = attach  # type: ignore[attr-defined]
    body.find_all, body.to_frame = find_all, to_frame  # type: ignore[attr-defined]
    for kind in Wrap.KINDS:
        setattr(ELEMENTS["tendon"], f"add_{kind}", _wrapper(kind))


complete()
