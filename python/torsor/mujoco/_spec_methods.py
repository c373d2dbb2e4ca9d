"""What the elements of an MjSpec can do: bodies and frames add and attach, tendons have paths, meshes are made."""

from __future__ import annotations

from typing import Any

import numpy

from torsor._spec import units
from torsor._spec.node import PARTS
from torsor.mujoco._extras import _WORDS
from torsor.mujoco._spec_elements import FORMS, NODES, MjsDefault, MjsOrientation

ORIENTATIONS = FORMS[1:]
FREEJOINT = ("align", "group", "name")


def take_arguments(node: Any, arguments: dict[str, Any]) -> None:
    """Assigns the arguments of a function that adds an element. Nothing of the model is changed if one is wrong."""
    for prefix in ("", "i"):
        chosen = [form for form in ORIENTATIONS if arguments.get(prefix + form) is not None]
        names = ", ".join(f"{prefix}{form}" for form in ORIENTATIONS[:-1])
        if len(chosen) > 1 and prefix + "alt" in node._fields:
            raise ValueError(f"Only one of: {names}, or {prefix}euler can be set.")
    for key, value in arguments.items():
        if value is None:
            continue
        if key in node._fields and not key.startswith("_"):
            if key != "name":
                node._set_argument(key, value)
        elif key in ORIENTATIONS and "alt" in node._fields:
            set_orientation(node._values["alt"], key, key, value)
        elif key[:1] == "i" and key[1:] in ORIENTATIONS and "ialt" in node._fields:
            set_orientation(node._values["ialt"], key[1:], key, value)
        else:
            raise TypeError(f"add_{node._kind}(): '{key}' is none of {', '.join(name for name in node._fields if name[0] != '_')}")
    if arguments.get("name"):
        node._set_argument("name", arguments["name"])


def set_orientation(alt: MjsOrientation, form: str, name: str, value: Any) -> None:
    field = MjsOrientation._fields[form]
    if numpy.size(value) != field.default.size:
        raise ValueError(f"{name} should be a list/array of size {field.default.size}.")
    alt._values[form] = field.accept(value, alt._values[form])
    alt._values["type"] = FORMS.index(form)


def add(tree: Any, kind: str, body: Any, frame: Any, default: Any, arguments: dict[str, Any]) -> Any:
    if default is not None and not isinstance(default, MjsDefault):
        raise TypeError(f"add_{kind}(): default is an MjsDefault, not {default!r}")
    if tree is None:
        raise ValueError("the element is deleted")
    class_ = default or (tree._class_at(body, frame) if body is not None else None)
    node = tree._new(kind, class_)
    if kind == "body":
        node._values["childclass"] = default._name if default else ""
    take_arguments(node, arguments)
    return tree._insert(node, body, frame)


def _adder(kind: str) -> Any:
    def function(self: Any, default: Any = None, **arguments: Any) -> Any:
        body, frame = (self, None) if self._kind == "body" else (self._parent, self)
        if kind == "frame" and default is not None:
            frame, default = default, None
        return add(self._tree, kind, body, frame, default, arguments)

    function.__name__, function.__doc__ = f"add_{kind}", f"Adds a {kind}; values are given by name. Returns it."
    return function


def add_freejoint(self: Any, **arguments: Any) -> Any:
    """Adds a free joint."""
    for key in arguments:
        if key not in FREEJOINT:
            raise TypeError(f"Invalid {key} keyword argument. Valid options are: {', '.join(FREEJOINT)}.")
    node = self._tree._new("joint", None)
    node._values.update(NODES["joint"](None)._values)  # the defaults of joints do not apply
    node._values["type"] = 0
    if "align" in arguments:
        arguments["align"] = int(arguments["align"])
    take_arguments(node, arguments)
    return self._tree._insert(node, self, None)


def _children(kind: str) -> property:
    return property(lambda self: list(self._parts[kind]), doc=f"the {kind} elements of this body itself")


def _first(kind: str) -> Any:
    def function(self: Any) -> Any:
        return self._parts[kind][0] if self._parts[kind] else None

    function.__name__, function.__doc__ = f"first_{kind}", f"The first {kind} of this body, None if it has none."
    return function


def _next(kind: str) -> Any:
    def function(self: Any, child: Any) -> Any:
        found = self._parts[kind]
        index = found.index(child) + 1
        return found[index] if index < len(found) else None

    function.__name__, function.__doc__ = f"next_{kind}", f"The {kind} of this body after another, None after the last."
    return function


def find_all(self: Any, objtype: Any) -> list[Any]:
    """All elements of a kind below this body, and those of the body itself."""
    word = objtype if isinstance(objtype, str) else _WORDS.get(int(objtype), "frame" if int(objtype) == 100 else "")
    if word == "xbody":
        word = "body"
    if word not in PARTS:
        raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
    bodies = list(self._tree._walk(self)) if self._tree is not None else [self]
    if word == "body":
        return bodies[1:]
    return [each for body in bodies for each in body._parts[word]]


def find_child(self: Any, name: str) -> Any:
    """A body of this name below this one, None if there is none."""
    return next((each for each in find_all(self, "body") if each._name == name), None)


def set_frame(self: Any, frame: Any) -> None:
    """Moves the element into a frame of the same body."""
    if frame is not None and (frame._kind != "frame" or frame._parent is not self._parent):
        raise ValueError("the frame belongs to another body")
    self._frame = frame


def to_frame(self: Any) -> Any:
    """Turns the body into a frame of its parent, with all that is in it."""
    return self._tree._to_frame(self)


def attach_body(self: Any, body: Any, prefix: str | None = None, suffix: str | None = None) -> Any:
    """Attaches a body of another model, with what is below it and what refers to it, to this frame or site."""
    if not isinstance(body, NODES["body"]):
        raise TypeError(f"attach_body(): expected an MjsBody, got {body!r}")
    tree = self._tree
    frame = self if self._kind == "frame" else frame_at_site(tree, self)
    return tree._attach_elements(body._tree, [body], frame._parent, frame, prefix or "", suffix or "")[0]


def attach_frame(self: Any, frame: Any, prefix: str | None = None, suffix: str | None = None) -> Any:
    """Attaches a frame of another model, with what is in it and what refers to that, to this body."""
    if not isinstance(frame, NODES["frame"]):
        raise TypeError(f"attach_frame(): expected an MjsFrame, got {frame!r}")
    inside = [each for kind in PARTS for each in frame._parent._parts[kind] if each is not frame and each._inside(frame)]
    return self._tree._attach_elements(frame._tree, [frame, *inside], self, None, prefix or "", suffix or "")[0]


def frame_at_site(tree: Any, site: Any) -> Any:
    """A new frame with the pose of a site."""
    return tree._insert(tree._new_frame(site), site._parent, site._frame)


def make_flex(self: Any, *_: Any, **__: Any) -> Any:
    """Flexes are not supported."""
    raise NotImplementedError("torsor.mujoco does not have flexes")


class MjsWrap:
    """One element of the path of a tendon.

    >>> tendon = torsor.mujoco.MjSpec().add_tendon()
    >>> tendon.wrap_joint("hinge", 2.0).coef
    2.0
    """

    __slots__ = ("_owner", "_values")
    KINDS = ("joint", "site", "geom", "pulley")
    __module__ = "torsor.mujoco"

    def __init__(self, owner: Any, kind: str, target: str, sidesite: str, number: float) -> None:
        self._owner = owner
        self._values = {"kind": kind, "target": target, "sidesite": sidesite, "number": float(number), "info": ""}

    @classmethod
    def _from_library(cls, owner: Any, values: dict[str, Any]) -> MjsWrap:
        return cls(owner, cls.KINDS[values["kind"]], values["target"], values["sidesite"], values["number"])

    def _copy(self) -> MjsWrap:
        mine = self._values
        return MjsWrap(self._owner, mine["kind"], mine["target"], mine["sidesite"], mine["number"])

    def _write(self) -> dict[str, Any]:
        mine = self._values
        return {"kind": self.KINDS.index(mine["kind"]), "target": mine["target"], "sidesite": mine["sidesite"],
                "number": mine["number"], "location": self._owner._where}

    @property
    def type(self) -> Any:
        """The kind of element, as mjtWrap."""
        import torsor.mujoco

        wraps, geoms = torsor.mujoco.mjtWrap, torsor.mujoco.mjtGeom
        if self._values["kind"] == "geom":
            geom = self.target
            return wraps.mjWRAP_CYLINDER if geom is not None and geom.type == geoms.mjGEOM_CYLINDER else wraps.mjWRAP_SPHERE
        return {"joint": wraps.mjWRAP_JOINT, "site": wraps.mjWRAP_SITE, "pulley": wraps.mjWRAP_PULLEY}[self._values["kind"]]

    @property
    def target(self) -> Any:
        """The joint, site or geom; None for a pulley."""
        tree = self._owner._tree
        return None if tree is None else tree._find(self._values["kind"], self._values["target"])

    @property
    def sidesite(self) -> Any:
        """The side site of a geom, None without one."""
        tree = self._owner._tree
        return None if tree is None else tree._find("site", self._values["sidesite"])

    @property
    def coef(self) -> float:
        """The coefficient of a joint."""
        return self._values["number"]

    @property
    def divisor(self) -> float:
        """The divisor of a pulley."""
        return self._values["number"]

    @property
    def info(self) -> str:
        """Text for error messages."""
        return self._values["info"]

    @info.setter
    def info(self, value: str) -> None:
        self._values["info"] = value


def _wrapper(kind: str, names: tuple[str, ...]) -> Any:
    def function(self: Any, *values: Any) -> MjsWrap:
        given = dict(zip(names, values, strict=True))
        for name, value in given.items():
            if isinstance(value, str) != (name in ("target", "sidesite")):
                raise TypeError(f"wrap_{kind}(): {name} cannot be {value!r}")
        made = MjsWrap(self, kind, given.get("target", ""), given.get("sidesite", ""), given.get("number", 0.0))
        self._values["_path"].append(made)
        return made

    function.__name__, function.__doc__ = f"wrap_{kind}", f"Appends a {kind} to the path."
    return function


def path(self: Any) -> list[MjsWrap]:
    """The elements that the tendon passes."""
    return list(self._values["_path"])


def get_data_size(self: Any) -> int:
    """How many numbers the sensor gives."""
    tree = self._tree.copy()
    for other in list(tree._lists["sensor"]):
        if other._name != self._name or not self._name:
            tree._delete(other)
    return int(tree.compile().nsensordata)


def _maker(kind: str, names: tuple[str, ...], defaults: dict[str, Any] | None = None) -> Any:
    def function(self: Any, *values: Any, **given: Any) -> None:
        arguments = {**(defaults or {}), **dict(zip(names, values, strict=False)), **given}
        if set(arguments) != set(names):
            raise TypeError(f"make_{kind}(): the arguments are {', '.join(names)}")
        numbers = numpy.concatenate([numpy.ravel(arguments[name]).astype(float) for name in names])
        self._values["_more"].update(builtin=kind, params=numbers)

    function.__name__, function.__doc__ = f"make_{kind}", f"Makes the mesh a {kind}: {', '.join(names)}."
    return function


def resolve_orientation(degree: bool, sequence: Any = None, orientation: Any = None) -> list[float]:
    """The quaternion of an orientation that is written in another way."""
    letters = "xyz" if sequence is None else "".join(sequence)
    form = int(orientation._values["type"])
    numbers = orientation._values[FORMS[form]] if form else [1.0, 0, 0, 0]
    return [float(each) for each in units.quat_of(form, numbers, bool(degree), letters)]


def _class_property() -> property:
    def setter(self: Any, value: Any) -> None:
        if not isinstance(value, MjsDefault):
            raise TypeError(f"classname: expected an MjsDefault, got {value!r}")
        self._class = value

    return property(lambda self: self._class, setter, doc="the default class")


def complete() -> None:
    """Gives the classes their methods."""
    body, frame = NODES["body"], NODES["frame"]
    for kind in PARTS:
        setattr(body, f"add_{kind}", _adder(kind))
        setattr(frame, f"add_{kind}", _adder(kind))
        setattr(body, "bodies" if kind == "body" else f"{kind}s", _children(kind))
        setattr(body, f"first_{kind}", _first(kind))
        setattr(body, f"next_{kind}", _next(kind))
        owner: Any = NODES[kind]
        owner.parent = property(lambda self: self._parent, doc="the body that it belongs to")
        owner.frame = property(lambda self: self._frame, doc="the frame that it is in, None without one")
        owner.set_frame = set_frame
    for function in (add_freejoint, find_all, find_child, to_frame, attach_frame, make_flex):
        setattr(body, function.__name__, function)
    for kind in ("frame", "site"):
        NODES[kind].attach_body = attach_body  # type: ignore[attr-defined]
    for kind in ("body", "joint", "geom", "site", "camera", "light", "mesh", "texture", "material", "pair", "equality", "actuator"):
        NODES[kind].classname = _class_property()  # type: ignore[attr-defined]
    tendon: Any = NODES["tendon"]
    tendon.default = _class_property()
    tendon.path = property(path)
    for kind, names in (("joint", ("target", "number")), ("site", ("target",)), ("geom", ("target", "sidesite")),
                        ("pulley", ("number",))):
        setattr(tendon, f"wrap_{kind}", _wrapper(kind, names))
    NODES["sensor"].get_data_size = get_data_size  # type: ignore[attr-defined]
    mesh = NODES["mesh"]
    for kind, names, defaults in (
            ("sphere", ("subdivision",), None), ("hemisphere", ("resolution",), None), ("cone", ("nedge", "radius"), None),
            ("supersphere", ("resolution", "e", "n"), None), ("supertorus", ("resolution", "radius", "s", "t"), None),
            ("wedge", ("resolution", "fov", "gamma"), {"resolution": [0, 0], "fov": [0.0, 0.0], "gamma": 0.0}),
            ("plate", ("resolution",), {"resolution": [0, 0]})):
        setattr(mesh, f"make_{kind}", _maker(kind, names, defaults))
    for kind in ("grid", "box", "cylinder", "ellipsoid"):
        setattr(mesh, f"make_{kind}", _maker(kind, ("count", "spacing", "dim"), {"dim": 3}))
    for kind in ("square", "disc"):
        setattr(mesh, f"make_{kind}", _maker(kind, ("count", "spacing"), None))


complete()
