"""The classes of MuJoCo's model elements (MjsBody, MjsGeom, ...), and how their values are those of the library's Spec.

Values with the same name and meaning need no code. RENAMED lists those with another name; a pair of functions per kind
does the rest. A value that the library lacks is kept, and is an error when the model is compiled, unless it is the default
or listed in IDLE.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy

import torsor._core as core
from torsor._spec import keys
from torsor._spec.fields import Array, Field
from torsor._spec.node import PARTS, Node, value_property
from torsor._spec.tree import ClassNode
from torsor.mujoco import _spec_textures
from torsor.mujoco._extras import _WORDS
from torsor.mujoco._spec_fields import More, Values, fields_of

LIBRARY = core._spec_fields()
CLASSES = {"body": "MjsBody", "frame": "MjsFrame", "joint": "MjsJoint", "geom": "MjsGeom", "site": "MjsSite",
           "camera": "MjsCamera", "light": "MjsLight", "flex": "MjsFlex", "mesh": "MjsMesh", "skin": "MjsSkin",
           "hfield": "MjsHField", "texture": "MjsTexture", "material": "MjsMaterial", "pair": "MjsPair",
           "exclude": "MjsExclude", "equality": "MjsEquality", "tendon": "MjsTendon", "actuator": "MjsActuator",
           "sensor": "MjsSensor", "numeric": "MjsNumeric", "text": "MjsText", "tuple": "MjsTuple", "key": "MjsKey",
           "plugin": "MjsPlugin"}
PROTOTYPES = ("joint", "geom", "site", "camera", "light", "flex", "mesh", "texture", "material", "pair", "equality", "tendon",
              "actuator")
# names of MuJoCo's values in the library's Spec, where they differ
RENAMED = {
    "joint": {"userdata": "user"},
    "geom": {"meshname": "mesh", "hfieldname": "hfield", "userdata": "user", "fluid_coefs": "fluidcoef"},
    "site": {"meshname": "mesh", "userdata": "user"},
    "camera": {"targetbody": "target", "sensor_size": "sensorsize", "userdata": "user", "proj": "orthographic"},
    "light": {"targetbody": "target"},
    "body": {"userdata": "user", "simple": "simple_auto"},
    "mesh": {"uservert": "vertex", "usernormal": "normal", "usertexcoord": "texcoord", "userface": "face",
             "userfacenormal": "face_normal", "userfacetexcoord": "face_texcoord"},
    "hfield": {"userdata": "elevation"},
    "skin": {"vert": "vertex"},
    "pair": {"geomname1": "geom1", "geomname2": "geom2"},
    "exclude": {"bodyname1": "body1", "bodyname2": "body2"},
    "equality": {"name1": "object1", "name2": "object2"},
    "tendon": {"userdata": "user"},
    "actuator": {"userdata": "user"},
    "sensor": {"userdata": "user"},
}
# values without effect on the engine, or that the functions below translate
IDLE = {"info", "plugin", "intrinsic", "octree_maxdepth", "needsdf", "usernode", "usertet", "embed"}
SPECIAL = {
    "body": {"quat", "alt", "mass", "ipos", "iquat", "ialt", "inertia", "fullinertia", "explicitinertial"},
    "frame": {"quat", "alt"}, "geom": {"quat", "alt", "typeinertia"}, "site": {"quat", "alt"}, "camera": {"quat", "alt", "output"},
    "joint": {"align"}, "equality": {"data"}, "actuator": {"trntype", "target", "type"}, "sensor": {"intprm"},
    "numeric": {"size"}, "tuple": {"objtype", "objname", "objprm"},
    "skin": {"bodyname", "bindpos", "bindquat", "vertid", "vertweight"},
}
# values that are names of other elements
NAMES = {
    "geom": (("material", "material"), ("meshname", "mesh"), ("hfieldname", "hfield")),
    "site": (("material", "material"), ("meshname", "mesh")),
    "camera": (("targetbody", "body"),),
    "light": (("targetbody", "body"), ("texture", "texture")),
    "mesh": (("material", "material"),),
    "pair": (("geomname1", "geom"), ("geomname2", "geom")),
    "exclude": (("bodyname1", "body"), ("bodyname2", "body")),
    "tendon": (("material", "material"),),
    "skin": (("material", "material"),),
    "actuator": (("refsite", "site"), ("slidersite", "site")),
}
FORMS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
TARGETS = {0: "joint", 1: "jointinparent", 2: "cranksite", 3: "tendon", 4: "site", 5: "body", 6: "joint"}
TARGET_KINDS = {0: "joint", 1: "joint", 2: "site", 3: "tendon", 4: "site", 5: "body", 6: "joint"}
UNDEFINED = 1000
CONNECT, WELD = 0, 1
FREE, AUTO = 0, 2
RANGEFINDER, CONTACT = "mjSENS_RANGEFINDER", "mjSENS_CONTACT"


class MjsOrientation(Values):
    """Other ways of writing an orientation; `type` says which is in force.

    >>> body = torsor.mujoco.MjSpec().worldbody.add_body(euler=[0, 0, 90])
    >>> body.alt.type.name, body.alt.euler.tolist()
    ('mjORIENTATION_EULER', [0.0, 0.0, 90.0])
    """

    __slots__ = ()
    _fields = fields_of("MjsOrientation", {})


class PluginValues(Values):
    """The plugin of an element: kept, and without effect."""

    __slots__ = ()
    _fields = fields_of("MjsPlugin", {})


class MjsCompiler(Values):
    """Settings of the compiler.

    >>> torsor.mujoco.MjSpec().compiler.degree
    True
    """

    __slots__ = ("_base", "_tree")
    _fields = {name: field for name, field in fields_of("MjsCompiler", {}).items() if name != "authored"}

    def __init__(self) -> None:
        super().__init__()
        self._base, self._tree = "", None

    def __hash__(self) -> int:  # one per model
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def authored(self) -> int:
        """Bits of the settings that differ from their defaults."""
        return sum(1 << i for i, (name, field) in enumerate(self._fields.items())
                   if name != "LRopt" and not field.same(self._values[name], field.new()))

    def _write(self) -> dict[str, Any]:
        known = {name for name, _, _ in LIBRARY["compiler"]}
        values = {name: value for name, value in self._values.items() if name in known}
        values["eulerseq"] = "".join(self._values["eulerseq"]).rstrip("\x00")
        values["conflict"] = ("warning", "merge", "error")[self._values["conflict"]]
        lengths = self._values["LRopt"]
        values["lengthrange"] = {name: type(default)(getattr(lengths, name)) for name, _, default in LIBRARY["lengthrange"]}
        return values

    def _read(self, values: dict[str, Any]) -> None:
        for name in self._fields:
            if name in values and name not in ("eulerseq", "conflict"):
                self._set(name, values[name])
        self._set("eulerseq", values["eulerseq"])
        self._set("conflict", ("warning", "merge", "error").index(values["conflict"]))
        for name, value in values["lengthrange"].items():
            setattr(self._values["LRopt"], name, int(value) if isinstance(value, bool) else value)


def add_properties(owner: type) -> type:
    for name, field in owner._fields.items():  # type: ignore[attr-defined]
        if not name.startswith("_") and name not in vars(owner):
            setattr(owner, name, value_property(field))
    owner.__module__ = "torsor.mujoco"
    return owner


for _owner in (MjsOrientation, PluginValues, MjsCompiler):
    add_properties(_owner)
PARTS_OF_VALUES = {"orientation": MjsOrientation, "plugin": PluginValues}


class MjNode(Node):
    """What all elements of MuJoCo's interface have in common."""

    __slots__ = ()
    _same: ClassVar[tuple[tuple[str, str], ...]] = ()  # names here and in the library's Spec
    _unknown: ClassVar[tuple[str, ...]] = ()
    _known: ClassVar[frozenset[str]] = frozenset()  # of the library's values, those that have a place here

    def _set(self, name: str, value: Any) -> None:
        field = self._fields.get(name)
        if isinstance(field, Array) and field.least != 0 and numpy.size(value) != field.default.size:
            raise TypeError(f"{name}: expected {field.default.size} numbers, got {value!r}")
        super()._set(name, value)

    def _set_argument(self, name: str, value: Any) -> None:
        """Assigns an argument of a function that adds an element."""
        if name == "gridlayout" and len(value) != 12 and all(len(each) == 1 for each in value):
            raise ValueError("gridlayout should have length 12")
        if name == "name":
            self._set(name, value)
        else:
            self._values[name] = self._fields[name].accept(value, self._values[name])

    @property
    def id(self) -> int:
        """The place in the model that was compiled last, -1 if it is not in one."""
        return -1 if self._tree is None else self._tree._ids.get(self, -1)

    @property
    def signature(self) -> int:
        """A number that equals that of the compiled model; 0 when elements were added or deleted since."""
        tree = self._tree
        return 0 if tree is None or tree._compiled_edits != tree._edits else tree._signature()

    @property
    def compiler(self) -> Any:
        """The settings that the values are meant for."""
        return self._compiler

    @property
    def name(self) -> str:
        """The name, different from those of other elements of the same kind."""
        return self._values["name"]

    @name.setter
    def name(self, value: str) -> None:
        self._set("name", value)

    def _write(self) -> dict[str, Any]:
        mine = self._values
        for name in self._unknown:
            if not self._fields[name].same(mine[name], self._fields[name].new()):
                raise self._tree._error(f"Torsor does not support {name} of {self._kind} '{self._name}'") if self._tree \
                    else NotImplementedError(f"Torsor does not support {name} of {self._kind}")
        values = {theirs: mine[name] for name, theirs in self._same}
        values.update((key, value) for key, value in mine["_more"].items() if not key.startswith("_"))
        write = WRITERS.get(self._kind)
        if write:
            write(self, mine, values)
        return values

    def _read(self, values: dict[str, Any], is_new: bool = False) -> None:
        mine = self._values
        for name, theirs in self._same:
            field = self._fields[name]
            if is_new and isinstance(field, Array):
                mine[name] = values[theirs]
            else:
                mine[name] = field.accept(values[theirs], mine[name])
        mine["_more"] = {key: value for key, value in values.items() if key not in self._known}
        if values.get("location", ("", 0))[1] > 0:
            mine["info"] = f"line {values['location'][1]}"
        read = READERS.get(self._kind)
        if read:
            read(self, mine, values)


def write_orientation(values: dict[str, Any], quat: Any, alt: MjsOrientation) -> tuple[int, Any]:
    form = int(alt._values["type"])
    return (form, alt._values[FORMS[form]]) if form else (0, quat)


def read_orientation(value: tuple[int, Any], quat: Any, alt: MjsOrientation) -> None:
    form, numbers = value
    alt._values["type"] = form
    (alt._values[FORMS[form]] if form else quat)[:] = numbers


def write_posed(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    values["orientation"] = write_orientation(values, mine["quat"], mine["alt"])


def read_posed(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    read_orientation(values["orientation"], mine["quat"], mine["alt"])


def write_body(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    write_posed(node, mine, values)
    values["childclass"] = "" if mine["childclass"] == "main" else mine["childclass"]
    values["simple_auto"] = bool(mine["simple"])
    is_given = mine["explicitinertial"] or not math.isnan(mine["ipos"][0])
    pos = numpy.zeros(3) if math.isnan(mine["ipos"][0]) else mine["ipos"]
    values["inertial"] = {
        "given": is_given, "location": node._where, "pos": pos, "mass": mine["mass"], "diaginertia": mine["inertia"],
        "orientation": write_orientation(values, mine["iquat"], mine["ialt"]), "fullinertia": mine["fullinertia"]}
    if not is_given:
        values["inertial"] = {"given": False, "orientation": (0, numpy.array([1.0, 0, 0, 0]))}


def read_body(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    read_posed(node, mine, values)
    inertial = values["inertial"]
    mine["explicitinertial"] = inertial["given"]
    if not inertial["given"]:
        return
    mine["mass"] = inertial["mass"]
    mine["ipos"][:], mine["inertia"][:], mine["fullinertia"][:] = inertial["pos"], inertial["diaginertia"], inertial["fullinertia"]
    read_orientation(inertial["orientation"], mine["iquat"], mine["ialt"])


def write_geom(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    write_posed(node, mine, values)
    values["shellinertia"], values["fluid_ellipsoid"] = mine["typeinertia"] == 1, mine["fluid_ellipsoid"] > 0


def read_geom(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    read_posed(node, mine, values)
    mine["typeinertia"] = int(values["shellinertia"])


def write_joint(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    values["align"] = mine["align"]
    values["align_given"] = mine["type"] == FREE and mine["align"] != AUTO


def read_joint(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    mine["align"] = values["align"] if values["align_given"] else AUTO


def write_equality(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    data = mine["data"]
    if mine["type"] in (CONNECT, WELD):
        values["anchor"] = data[0:3]
    else:
        values["polycoef"] = data[0:5]
    if mine["type"] == WELD:
        values["relpose"], values["torquescale"] = data[3:10], float(data[10])


def read_equality(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    data = mine["data"]
    data[:] = 0
    data[10] = values["torquescale"]
    if values["type"] in (CONNECT, WELD):
        data[0:3] = values["anchor"]
    else:
        data[0:5] = values["polycoef"]
    if values["type"] == WELD:
        data[3:10] = values["relpose"]


def write_actuator(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    if mine["target"] and mine["trntype"] in TARGETS:
        values[TARGETS[mine["trntype"]]] = mine["target"]
    values["refsite"], values["slidersite"] = mine["refsite"], mine["slidersite"]


def read_actuator(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    for kind, name in TARGETS.items():
        if values[name]:
            mine["trntype"], mine["target"] = kind, values[name]
            return


def write_sensor(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    data, reduce, num = (int(each) for each in mine["intprm"])
    values["data"] = data
    if mine["type"] == sensor_number(CONTACT):
        values["reduce"], values["num"] = reduce, num


def read_sensor(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    if mine["type"] == sensor_number(CONTACT):
        mine["intprm"][:] = values["data"] or 1, values["reduce"], values["num"]
    elif mine["type"] == sensor_number(RANGEFINDER):
        mine["intprm"][0] = values["data"] or 1


def sensor_number(name: str) -> int:
    import torsor.mujoco

    return int(torsor.mujoco.mjtSensor.__members__[name])


def write_numeric(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    values["size"] = mine["size"] if mine["size"] > 0 else -1


def read_numeric(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    mine["size"] = values["size"] if values["size"] >= 0 else len(values["data"])


def write_tuple(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    words = [_WORDS.get(int(each), "") for each in mine["objtype"]]
    prms = [float(each) for each in mine["objprm"]] + [0.0] * len(words)
    values["entries"] = list(zip(words, mine["objname"], prms, strict=False))


def read_tuple(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    numbers = {word: number for number, word in _WORDS.items()}
    mine["objtype"] = numpy.array([numbers.get(each[0], 0) for each in values["entries"]], numpy.int32)
    mine["objname"] = [each[1] for each in values["entries"]]
    mine["objprm"] = numpy.array([each[2] for each in values["entries"]], float)


def write_skin(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    count = len(mine["bodyname"])
    lengths = len(mine["bindpos"]) // 3, len(mine["bindquat"]) // 4, len(mine["vertid"]), len(mine["vertweight"])
    if any(length != count for length in lengths):
        raise node._tree._error(f"skin '{node._name}': bodyname, bindpos, bindquat, vertid and vertweight differ in their number of bones")
    values["bones"] = [(mine["bodyname"][i], mine["bindpos"][3 * i:3 * i + 3], mine["bindquat"][4 * i:4 * i + 4],
                        numpy.array(mine["vertid"][i], numpy.int32), numpy.array(mine["vertweight"][i], numpy.float32))
                       for i in range(count)]


def read_skin(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    bones = values["bones"]
    mine["bodyname"] = [bone[0] for bone in bones]
    for index, name in ((1, "bindpos"), (2, "bindquat")):
        mine[name] = numpy.concatenate([bone[index] for bone in bones] or [numpy.zeros(0)]).astype(numpy.float32)
    mine["vertid"] = [bone[3].tolist() for bone in bones]
    mine["vertweight"] = [bone[4].tolist() for bone in bones]


def write_camera(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    write_posed(node, mine, values)
    values["output"] = 0 if mine["output"] == 1 else mine["output"]  # 0: the default


def read_camera(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    read_posed(node, mine, values)
    mine["output"] = values["output"] or 1


def write_key(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    for name in keys.VECTORS:
        values[name] = mine[name] if len(mine[name]) else None


def read_key(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    for name in keys.VECTORS:
        mine[name] = numpy.zeros(0) if values[name] is None else values[name]


def texture_attributes_of(class_: Any) -> frozenset[str]:
    """Names of the attributes that textures of a class do not have to write."""
    if class_ is None:
        return frozenset()
    prototype = class_._prototypes["texture"]
    return frozenset(name for name, _ in _spec_textures.write(prototype._values, texture_attributes_of(class_._parent)))


def write_texture(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    class_ = node._class
    outer = class_._parent if class_ is not None and class_._prototypes["texture"] is node else class_
    values["attributes"] = _spec_textures.write(mine, texture_attributes_of(outer))


def read_texture(node: Node, mine: dict[str, Any], values: dict[str, Any]) -> None:
    _spec_textures.read(mine, values["attributes"])


def write_tendon(node: Any, mine: dict[str, Any], values: dict[str, Any]) -> None:
    values["path"] = [wrap._write() for wrap in mine["_path"]]
    values["spatial"] = any(wrap._values["kind"] != "joint" for wrap in mine["_path"])


def read_tendon(node: Any, mine: dict[str, Any], values: dict[str, Any]) -> None:
    from torsor.mujoco._spec_methods import MjsWrap

    mine["_path"] = [MjsWrap._from_library(node, each) for each in values["path"]]


WRITERS = {"body": write_body, "frame": write_posed, "geom": write_geom, "site": write_posed, "camera": write_camera,
           "joint": write_joint, "equality": write_equality, "actuator": write_actuator, "sensor": write_sensor,
           "numeric": write_numeric, "tuple": write_tuple, "key": write_key, "texture": write_texture, "tendon": write_tendon,
           "skin": write_skin}
READERS = {"body": read_body, "frame": read_posed, "geom": read_geom, "site": read_posed, "camera": read_camera,
           "joint": read_joint, "equality": read_equality, "actuator": read_actuator, "sensor": read_sensor,
           "numeric": read_numeric, "tuple": read_tuple, "key": read_key, "texture": read_texture, "tendon": read_tendon, "skin": read_skin}
# what the functions above read; everything else of the library that has no name here is kept as it is
READ = {"body": {"inertial"}, "camera": {"output"}, "geom": {"shellinertia"}, "joint": {"align", "align_given"},
        "equality": {"anchor", "relpose", "torquescale", "polycoef"}, "actuator": {*TARGETS.values()},
        "sensor": {"data", "reduce", "num"}, "numeric": {"size"}, "tuple": {"entries"},
        "key": {*keys.VECTORS}, "texture": {"attributes"}, "tendon": {"path", "spatial"}, "skin": {"bones"}}


def names_of_equality(self: Any) -> Iterator[tuple[Any, Any, str]]:
    kind = _WORDS.get(int(self._values["objtype"]), "body")
    for name in ("name1", "name2"):
        if self._values[name]:
            yield self._values, name, kind


def names_of_actuator(self: Any) -> Iterator[tuple[Any, Any, str]]:
    yield from Node._references(self)
    if self._values["target"] and self._values["trntype"] in TARGET_KINDS:
        yield self._values, "target", TARGET_KINDS[self._values["trntype"]]


def names_of_sensor(self: Any) -> Iterator[tuple[Any, Any, str]]:
    for kind, name in (("objtype", "objname"), ("reftype", "refname")):
        if self._values[name]:
            word = _WORDS.get(int(self._values[kind]), "")
            yield self._values, name, "body" if word == "xbody" else word


def names_of_tuple(self: Any) -> Iterator[tuple[Any, Any, str]]:
    for index, kind in enumerate(self._values["objtype"][: len(self._values["objname"])]):
        yield self._values["objname"], index, _WORDS.get(int(kind), "")


def names_of_tendon(self: Any) -> Iterator[tuple[Any, Any, str]]:
    yield from Node._references(self)
    for wrap in self._values["_path"]:
        if wrap._values["kind"] != "pulley":
            yield wrap._values, "target", wrap._values["kind"]
        if wrap._values["sidesite"]:
            yield wrap._values, "sidesite", "site"


def names_of_skin(self: Any) -> Iterator[tuple[Any, Any, str]]:
    yield from Node._references(self)
    for index in range(len(self._values["bodyname"])):
        yield self._values["bodyname"], index, "body"


def names_of_material(self: Any) -> Iterator[tuple[Any, Any, str]]:
    for role, name in enumerate(self._values["textures"]):
        if name:
            yield self._values["textures"], role, "texture"


REFERENCES = {"material": names_of_material, "equality": names_of_equality, "actuator": names_of_actuator, "sensor": names_of_sensor,
              "tuple": names_of_tuple, "tendon": names_of_tendon, "skin": names_of_skin}


class Path(Field):
    """The path of a tendon."""

    def new(self) -> list[Any]:
        return []

    def copy(self, value: Any) -> list[Any]:
        return [each._copy() for each in value]


def make_class(kind: str) -> type[MjNode]:
    """The class of one kind of element, with an attribute for each of its values."""
    name = CLASSES[kind]
    fields = fields_of(name, PARTS_OF_VALUES)
    library = {each for each, _, _ in LIBRARY.get(kind, ())}
    renamed, special = RENAMED.get(kind, {}), SPECIAL.get(kind, set()) | READ.get(kind, set())
    same = tuple((each, renamed.get(each, each)) for each in fields
                 if renamed.get(each, each) in library and each not in special and each != "name")
    known = {each for each, _ in same} | IDLE | special | {"name"}
    unknown = tuple(each for each in fields if each not in known) if kind in LIBRARY and kind != "texture" else ()
    places = {"name", "class_name", "location", "frame", "parent", "parent_frame", "orientation", *(f"{each}s" for each in PARTS)}
    read = frozenset({theirs for _, theirs in same} | READ.get(kind, set()) | places)
    fields["_more"] = More("_more", {})
    if kind == "tendon":
        fields["_path"] = Path("_path", [])
    members: dict[str, Any] = {"__slots__": (), "_kind": kind, "_fields": fields, "_same": same, "_unknown": unknown, "_known": read,
                               "_names": NAMES.get(kind, ()), "__doc__": f"A {kind} of an MjSpec, with MuJoCo's values."}
    if kind in REFERENCES:
        members["_references"] = REFERENCES[kind]
    made = type(name, (MjNode,), members)
    return add_properties(made)  # type: ignore[return-value]


NODES: dict[str, type[MjNode]] = {kind: make_class(kind) for kind in CLASSES}


class MjsDefault(ClassNode):
    """A default class: one prototype per kind of element.

    >>> spec = torsor.mujoco.MjSpec()
    >>> spec.default.geom.size[0] = 0.1
    >>> float(spec.worldbody.add_geom().size[0])
    0.1
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the class."""
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self._name = value


for _kind in PROTOTYPES:
    setattr(MjsDefault, _kind, property(lambda self, kind=_kind: self._prototypes[kind], doc=f"the default {_kind}"))
MjsDefault.__module__ = "torsor.mujoco"
