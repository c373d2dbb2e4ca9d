"""The elements of torsor.Spec: attributes are those of MJCF, made from the library's list of fields."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy

import torsor._core as core
from torsor._error import Error
from torsor._spec import units
from torsor._spec.fields import Anything, Array, Choice, Field, Number, Strings, Text, Vector
from torsor._spec.node import PARTS, Node, value_property
from torsor._spec.tree import LISTS, ClassNode

LIBRARY = core._spec_fields()
HIDDEN = {"location", "class_name", "frame", "parent", "parent_frame", "align_given", "from_file", "name"}
ENUMS = {("geom", "type"): "GeomType", ("site", "type"): "GeomType", ("joint", "type"): "JointType",
         ("equality", "type"): "EqualityType", ("sensor", "type"): "SensorType", ("sensor", "objtype"): "ObjectType",
         ("sensor", "reftype"): "ObjectType", ("equality", "objtype"): "ObjectType", ("camera", "mode"): "TrackingMode",
         ("light", "mode"): "TrackingMode", ("geom", "mesh_collision"): "MeshCollision",
         ("actuator", "gaintype"): "ActuatorGain", ("actuator", "biastype"): "ActuatorBias",
         ("actuator", "dyntype"): "ActuatorDynamics"}
PARTIAL = {("geom", "size"): 1, ("site", "size"): 1, ("actuator", "gear"): 1, ("actuator", "gainprm"): 1,
           ("actuator", "biasprm"): 1, ("actuator", "dynprm"): 1, ("geom", "friction"): 1, ("pair", "friction"): 1}
COEFFICIENTS = ("stiffness", "damping")
FORMS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
LENGTHS = (4, 4, 6, 3, 3)
# values that are names of other elements
NAMES = {
    "geom": (("material", "material"), ("mesh", "mesh"), ("hfield", "hfield")),
    "site": (("material", "material"), ("mesh", "mesh")),
    "camera": (("target", "body"),),
    "light": (("target", "body"), ("texture", "texture")),
    "mesh": (("material", "material"),),
    "pair": (("geom1", "geom"), ("geom2", "geom")),
    "exclude": (("body1", "body"), ("body2", "body")),
    "tendon": (("material", "material"),),
    "skin": (("material", "material"),),
    "actuator": (("joint", "joint"), ("jointinparent", "joint"), ("tendon", "tendon"), ("site", "site"), ("cranksite", "site"),
                 ("body", "body"), ("refsite", "site"), ("slidersite", "site")),
}
OBJECTS = {1: "body", 2: "body", 3: "joint", 5: "geom", 6: "site", 7: "camera", 8: "light", 10: "mesh", 12: "hfield",
           13: "texture", 14: "material", 15: "pair", 16: "exclude", 17: "equality", 18: "tendon", 19: "actuator", 20: "sensor",
           21: "numeric", 22: "text", 23: "tuple", 24: "key"}


class OpenNumber(Number):
    """A number that may be left open: None."""

    def accept(self, value: Any, current: Any) -> float:
        return math.nan if value is None else super().accept(value, current)

    def show(self, value: float) -> Any:
        return None if value != value else value


class OpenArray(Array):
    """Numbers that may be left open: None."""

    def accept(self, value: Any, current: Any) -> Any:
        if value is None:
            current[:] = math.nan
            return current
        return super().accept(value, current)

    def show(self, value: Any) -> Any:
        return None if value[0] != value[0] else value


class Tristate(Field):
    """True, False, or None: as the values suggest."""

    def accept(self, value: Any, current: Any) -> int:
        if value is None or value == "auto":
            return 2
        if isinstance(value, (bool, numpy.bool_)) or value in (0, 1, 2):
            return int(value)
        raise TypeError(f"{self.name}: expected True, False or None, got {value!r}")

    def show(self, value: int) -> Any:
        return (False, True, None)[value]


class Orientation(Field):
    """A way of writing an orientation, and its numbers."""

    def new(self) -> tuple[int, Any]:
        return self.copy(self.default)

    def copy(self, value: Any) -> tuple[int, Any]:
        return int(value[0]), numpy.array(value[1])

    def accept(self, value: Any, current: Any) -> Any:
        return self.copy(value)

    def same(self, a: Any, b: Any) -> bool:
        return a[0] == b[0] and numpy.array_equal(a[1], b[1])


class Listing(Anything):
    """A list or a dictionary, copied with its element."""

    def new(self) -> Any:
        return self.copy(self.default)

    def copy(self, value: Any) -> Any:
        return [each._copy() if isinstance(each, Wrap) else each for each in value] if isinstance(value, list) else dict(value)

    def accept(self, value: Any, current: Any) -> Any:
        return self.copy(list(value) if not isinstance(value, dict) else value)


class Bones(Field):
    """Bones of a skin: (body, bindpos, bindquat, vertid, vertweight) of each."""

    TYPES = ("float32", "float32", "int32", "float32")

    def new(self) -> list[Any]:
        return []

    def copy(self, value: Any) -> list[Any]:
        return [(body, *(numpy.array(each, type_).reshape(-1) for each, type_ in zip(arrays, self.TYPES, strict=True)))
                for body, *arrays in value]

    def accept(self, value: Any, current: Any) -> list[Any]:
        return self.copy(value)

    def same(self, a: Any, b: Any) -> bool:
        return len(a) == len(b) and all(x[0] == y[0] and all(map(numpy.array_equal, x[1:], y[1:])) for x, y in zip(a, b, strict=True))


def make_field(kind: str, name: str, type_: str, default: Any) -> Field:
    if type_ == "orientation":
        return Orientation(name, default)
    if (kind, name) in ENUMS and hasattr(core, ENUMS[kind, name]):
        return Choice(name, default, getattr(core, ENUMS[kind, name]))
    if type_ == "tristate":
        return Tristate(name, default)
    if type_ in ("enum", "int"):
        return Number(name, int(default))
    if type_ in ("float", "bool"):
        return OpenNumber(name, default) if default != default else Number(name, default)
    if type_ == "str":
        return Text(name, default)
    if type_.endswith("[] | None"):
        return Vector(name, type_.split("[")[0], optional=True)
    if type_.endswith("[]"):
        return Vector(name, type_[:-2])
    if type_.startswith("str["):
        return Strings(name, default)
    if "[" in type_:
        least = 1 if name in COEFFICIENTS else PARTIAL.get((kind, name))
        is_open = default.dtype.kind == "f" and default.size > 0 and bool(numpy.isnan(default[0]))
        return (OpenArray if is_open else Array)(name, default, type_.split("[")[0], least)
    return Bones(name, default) if type_ == "bones" else Listing(name, default)


def fields_of(kind: str) -> dict[str, Field]:
    return {name: make_field(kind, name, type_, default) for name, type_, default in LIBRARY[kind]}


class Group:
    """Settings: values by name."""

    __slots__ = ("_values",)
    _kind: ClassVar[str] = ""
    _fields: ClassVar[dict[str, Field]] = {}

    def __init__(self) -> None:
        self._values = {name: field.new() for name, field in self._fields.items()}

    def _set(self, name: str, value: Any) -> None:
        try:
            self._values[name] = self._fields[name].accept(value, self._values[name])
        except (TypeError, ValueError) as error:
            raise Error(f"{self._kind}: {error}") from None

    def _take(self, other: Group) -> None:
        self._values = {name: self._fields[name].copy(value) for name, value in other._values.items()}

    def _write(self) -> dict[str, Any]:
        return dict(self._values)

    def _read(self, values: dict[str, Any]) -> None:
        self._values.update(values)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} " + ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields) + ">"


def make_group(kind: str) -> type[Group]:
    fields = fields_of(kind)
    members: dict[str, Any] = {"__slots__": ("__weakref__",), "_kind": kind, "_fields": fields,
                               "__doc__": f"The settings <{kind}> of a Spec."}
    members.update((name, value_property(field)) for name, field in fields.items())
    return type(kind.capitalize(), (Group,), members)


Compiler, Size, Statistic = make_group("compiler"), make_group("size"), make_group("statistic")


def orientation_property(form: int) -> property:
    def get(self: Any) -> Any:
        now, numbers = self._values["orientation"]
        if now == form:
            return numbers
        if form == units.QUAT:
            settings = self._compiler._values
            return units.quat_of(now, numbers, settings["degree"], settings["eulerseq"])
        return None

    def set_(self: Any, value: Any) -> None:
        field = Array(FORMS[form], numpy.zeros(LENGTHS[form]), "float64")
        try:
            self._values["orientation"] = form, field.accept(value, field.new())
        except (TypeError, ValueError) as error:
            raise self._fault(error) from None

    return property(get, set_, doc=f"the orientation as {FORMS[form]}")


class Element(Node):
    """An element of a Spec. Attributes are those of MJCF; `parent` and `frame` say where it is."""

    __slots__ = ()

    def _fault(self, error: object) -> Error:
        return Error(f"{self._kind}{f' {self._name!r}' if self._name else ''}: {error}")

    def _set(self, name: str, value: Any) -> None:
        try:
            super()._set(name, value)
        except (TypeError, ValueError) as error:
            if isinstance(error, Error):
                raise
            raise self._fault(error) from None

    def _assign(self, values: dict[str, Any]) -> None:
        """Assigns attributes by name, the name of the element last."""
        for key, value in sorted(values.items(), key=lambda item: item[0] == "name"):
            if key.startswith("_") or not isinstance(getattr(type(self), key, None), property):
                near = difflib.get_close_matches(key, [each for each in dir(type(self)) if not each.startswith("_")], 1)
                raise self._fault(f"there is no attribute '{key}'" + (f" (did you mean '{near[0]}'?)" if near else ""))
            setattr(self, key, value)

    @property
    def name(self) -> str:
        """The name, different from those of other elements of the same kind."""
        return self._values["name"]

    @name.setter
    def name(self, value: str) -> None:
        self._set("name", value)

    @property
    def parent(self) -> Any:
        """The body that it belongs to; None for elements that are in no body, and after deletion."""
        return self._parent

    @property
    def frame(self) -> Any:
        """The frame that it is in, None without one."""
        return self._frame

    @frame.setter
    def frame(self, frame: Any) -> None:
        if frame is not None and (frame._kind != "frame" or frame._parent is not self._parent):
            raise self._fault("the frame belongs to another body")
        self._frame = frame

    @property
    def default_class(self) -> Any:
        """The default class that is written to files. Assigning does not change values."""
        return self._class

    @default_class.setter
    def default_class(self, value: Any) -> None:
        found = self._tree._find_class(value) if isinstance(value, str) else value
        if not isinstance(found, DefaultClass):
            raise self._fault(f"no default class {value!r}")
        self._class = found

    def _write(self) -> dict[str, Any]:
        values = dict(self._values)
        if self._kind == "body":
            values["inertial"] = self._values["inertial"]._write()
        if self._kind == "tendon":
            values["path"] = [wrap._write() for wrap in self._values["path"]]
        if self._kind == "texture":
            values["attributes"] = list(self._values["attributes"].items())
        if self._kind == "joint":
            values["align_given"] = self._values["type"] == 0 and self._values["align"] != 2
        return values

    def _read(self, values: dict[str, Any], is_new: bool = False) -> None:
        for name, field in self._fields.items():
            if name == "inertial":
                self._values[name]._read(values[name])
            elif name == "path":
                self._values[name] = [Wrap(**{key: each[key] for key in Wrap.NAMES}) for each in values[name]]
            elif name == "attributes":
                self._values[name] = dict(values[name])
            elif name in values and name != "name":
                if isinstance(field, Array) and not is_new:
                    self._values[name][:] = values[name]  # programs may hold the array
                else:
                    self._values[name] = field.copy(values[name])

    def __repr__(self) -> str:
        return f"<{self._kind} '{self._name}'>"


class Inertial(Group):
    """The inertia of a body as its author gives it. Assigning to an attribute makes it count."""

    __slots__ = ("_body",)
    _kind = "inertial"
    _fields = {name: field for name, field in fields_of("inertial").items() if name != "location"}

    def _set(self, name: str, value: Any) -> None:
        super()._set(name, value)
        if name != "given":
            self._values["given"] = True

    def _read(self, values: dict[str, Any]) -> None:
        self._values.update((name, self._fields[name].copy(values[name])) for name in self._fields)

    _compiler = property(lambda self: self._body._compiler)

    def _fault(self, error: object) -> Error:
        return Error(f"inertial: {error}")


for _name, _field in Inertial._fields.items():
    if _name != "orientation":
        setattr(Inertial, _name, value_property(_field))
for _form, _word in enumerate(FORMS):
    setattr(Inertial, _word, orientation_property(_form))


class InertialField(Field):
    def new(self) -> Inertial:
        return Inertial()

    def copy(self, value: Inertial) -> Inertial:
        made = Inertial()
        made._take(value)
        return made


class Wrap:
    """One element of the path of a tendon: kind, target, sidesite, and number, the coefficient or divisor."""

    __slots__ = ("kind", "number", "sidesite", "target")
    KINDS = ("joint", "site", "geom", "pulley")
    NAMES = ("kind", "target", "sidesite", "number")

    def __init__(self, kind: Any, target: str = "", sidesite: str = "", number: float = 0.0) -> None:
        self.kind = kind if isinstance(kind, str) else self.KINDS[int(kind)]
        self.target, self.sidesite, self.number = target, sidesite, float(number)

    def _copy(self) -> Wrap:
        return Wrap(self.kind, self.target, self.sidesite, self.number)

    def _write(self) -> dict[str, Any]:
        return {"kind": self.KINDS.index(self.kind), "target": self.target, "sidesite": self.sidesite, "number": self.number}

    def __repr__(self) -> str:
        return f"<{self.kind} '{self.target}'>" if self.target else f"<{self.kind} {self.number}>"


class Names:
    """A name in an attribute of an object, as an item."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __getitem__(self, key: str) -> str:
        return getattr(self.owner, key)

    def __setitem__(self, key: str, value: str) -> None:
        setattr(self.owner, key, value)


class Entries:
    """The names in the entries of a tuple, as items."""

    def __init__(self, entries: list[Any]) -> None:
        self.entries = entries

    def __getitem__(self, key: int) -> str:
        return self.entries[key][1]

    def __setitem__(self, key: int, value: str) -> None:
        self.entries[key] = (self.entries[key][0], value, self.entries[key][2])


class BodiesOfBones:
    """The bodies of the bones of a skin, as items."""

    def __init__(self, bones: list[Any]) -> None:
        self.bones = bones

    def __getitem__(self, key: int) -> str:
        return self.bones[key][0]

    def __setitem__(self, key: int, value: str) -> None:
        self.bones[key] = (value, *self.bones[key][1:])


def names_of_skin(self: Any) -> Iterator[tuple[Any, Any, str]]:
    yield from Node._references(self)
    for index in range(len(self._values["bones"])):
        yield BodiesOfBones(self._values["bones"]), index, "body"


def names_of_objects(types: tuple[tuple[str, str], ...]) -> Any:
    def references(self: Any) -> Iterator[tuple[Any, Any, str]]:
        for kind, name in types:
            if self._values[name]:
                yield self._values, name, OBJECTS.get(int(self._values[kind]), "")

    return references


def names_of_tendon(self: Any) -> Iterator[tuple[Any, Any, str]]:
    yield from Node._references(self)
    for wrap in self._values["path"]:
        if wrap.target:
            yield Names(wrap), "target", wrap.kind
        if wrap.sidesite:
            yield Names(wrap), "sidesite", "site"


def names_of_tuple(self: Any) -> Iterator[tuple[Any, Any, str]]:
    entries = self._values["entries"]
    for index, entry in enumerate(entries):
        yield Entries(entries), index, entry[0]


def names_of_material(self: Any) -> Iterator[tuple[Any, Any, str]]:
    for role, name in enumerate(self._values["textures"]):
        if name:
            yield self._values["textures"], role, "texture"


REFERENCES = {"equality": names_of_objects((("objtype", "object1"), ("objtype", "object2"))),
              "sensor": names_of_objects((("objtype", "objname"), ("reftype", "refname"))),
              "tendon": names_of_tendon, "tuple": names_of_tuple, "material": names_of_material, "skin": names_of_skin}


def make_class(kind: str) -> type[Element]:
    fields = {name: field for name, field in fields_of(kind).items() if name not in HIDDEN - {"name", "from_file"}}
    if kind == "body":
        fields["inertial"] = InertialField("inertial", None)
    if kind == "texture":
        fields["attributes"] = Listing("attributes", {})
    members: dict[str, Any] = {"__slots__": (), "_kind": kind, "_fields": fields, "_names": NAMES.get(kind, ()),
                               "__doc__": f"A {kind} of a Spec."}
    for name, field in fields.items():
        if name == "orientation":
            members.update((word, orientation_property(form)) for form, word in enumerate(FORMS))
        elif name not in HIDDEN:
            members[name] = value_property(field)
    if kind in REFERENCES:
        members["_references"] = REFERENCES[kind]
    return type(kind.capitalize(), (Element,), members)


ELEMENTS: dict[str, type[Element]] = {kind: make_class(kind) for kind in (*PARTS, *LISTS)}
PROTOTYPES = ("joint", "geom", "site", "camera", "light", "mesh", "texture", "material", "tendon", "actuator", "pair", "equality")


def _inertial(self: Any) -> Inertial:
    inertial = self._values["inertial"]
    inertial._body = self
    return inertial


ELEMENTS["body"].inertial = property(_inertial, doc="the inertia, if `given`; otherwise that of the geoms")  # type: ignore[attr-defined]


class DefaultClass(ClassNode):
    """A default class: `joint`, `geom` and so on are the prototypes of new elements."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name; that of the outermost class is main."""
        return self._name

    @property
    def parent(self) -> Any:
        """The class that this one is in."""
        return self._parent

    def __repr__(self) -> str:
        return f"<default class '{self._name}'>"


for _kind in PROTOTYPES:
    setattr(DefaultClass, _kind, property(lambda self, kind=_kind: self._prototypes[kind], doc=f"the default {_kind}"))
