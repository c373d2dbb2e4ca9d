"""torsor.Spec: a model that can be edited."""

from __future__ import annotations

import os
from typing import Any

import torsor._core as core
from torsor._error import Error
from torsor._spec import archive, attach, bodies, from_model, operations, state
from torsor._spec.elements import ELEMENTS, PROTOTYPES, Compiler, DefaultClass, Size, Statistic
from torsor._spec.node import PARTS, Node
from torsor._spec.tree import LISTS, ClassNode, Tree, frame_order

PLURALS = {"body": "bodies", **{kind: name for kind, name in LISTS.items()}}
# what exists only once the elements of a model that was read are asked for
LATE = {"_names", "_lists", "_classes", "_world", "_compiler", "_size", "_statistic", "_option", "_visual", "_ids", "_edits", "_hash",
        "_imports", "_attached_to", "_core_warnings", "_head"}


class Spec(Tree):
    """A model as its author wrote it, which can be edited: names, default classes, frames, files of assets.

    >>> spec = torsor.Spec("pendulum")
    >>> arm = spec.world.add_body(name="arm", pos=[0, 0, 1])
    >>> hinge = arm.add_joint(name="hinge", axis=[0, 1, 0])
    >>> bob = arm.add_geom(type="sphere", size=0.1, pos=[0, 0, -0.5])
    >>> spec.compile().nv
    1
    """

    _node_types = ELEMENTS
    _prototype_kinds = PROTOTYPES
    _class_type = DefaultClass

    def __init__(self, name: str = "MuJoCo Model") -> None:
        self._library: Any = core._Spec()
        self._explode()
        self.name = name

    @classmethod
    def _of(cls, library: Any) -> Spec:
        made = cls.__new__(cls)
        made._library = library
        return made

    def __getattr__(self, name: str) -> Any:
        if name in LATE and self.__dict__.get("_library") is not None:
            self._explode()
            return getattr(self, name)
        raise AttributeError(f"'Spec' object has no attribute '{name}'")

    def _explode(self) -> None:
        """Makes the elements."""
        library, self._library = self._library, None
        self._clear()
        self._load(library)
        self._note_ids()

    def _current(self) -> Any:
        """The library's Spec with all edits."""
        return self._library if self._library is not None else self._make_core()

    # settings

    def _make_settings(self) -> None:
        self._compiler, self._size, self._statistic = Compiler(), Size(), Statistic()
        self._head: dict[str, Any] = {}
        self._option: Any = None
        self._visual: Any = None

    def _read_settings(self, tree: dict[str, Any]) -> None:
        self._head = {name: tree[name] for name in ("modelname", "base_dir", "files", "restrict", "memory_limit")}
        self._option, self._visual = tree["option"], tree["visual"]
        for group, name in ((self._compiler, "compiler"), (self._size, "size"), (self._statistic, "statistic")):
            group._read(tree[name])

    def _write_settings(self) -> dict[str, Any]:
        return {**self._head, "option": self._option, "visual": self._visual, "compiler": self._compiler._write(),
                "size": self._size._write(), "statistic": self._statistic._write()}

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._library.modelname if self._library is not None else self._head["modelname"]

    @name.setter
    def name(self, value: str) -> None:
        if not isinstance(value, str):
            raise Error(f"the name of a model is a str, not {value!r}")
        self._compiler  # noqa: B018 makes the elements
        self._head["modelname"] = value

    @property
    def assets(self) -> dict[str, bytes]:
        """Files in memory by name, which are looked for before those on the disk."""
        self._compiler  # noqa: B018 makes the elements
        return self._head["files"]

    @property
    def compiler(self) -> Any:
        """Settings of the compiler: the unit of angles, folders of files and so on."""
        return self._compiler

    @property
    def size(self) -> Any:
        """Sizes that the model asks for."""
        return self._size

    @property
    def statistic(self) -> Any:
        """Statistics that replace those of the compiled model; None where they do not."""
        return self._statistic

    @property
    def option(self) -> Any:
        """Physics options, as model.opt."""
        return self._option

    @property
    def visual(self) -> Any:
        """Settings for drawing, as model.vis."""
        return self._visual

    @property
    def world(self) -> Any:
        """The world, the body that all others are in."""
        return self._world

    # reading

    @classmethod
    def from_xml_path(cls, path: Any, ignore: Any = (), assets: Any = None, restrict: Any = None, memory_limit: Any = None,
                      base: Any = None, packages: Any = None, merge_fixed: bool = False) -> Spec:
        """Read an MJCF or URDF file. The arguments are those of Model.from_xml_path, and also apply to compile().

        >>> spec = torsor.Spec.from_xml_path(path)
        """
        return cls._of(core._Spec.from_xml_path(path, ignore if isinstance(ignore, str) else list(ignore), assets, restrict,
                                                memory_limit, base, packages, merge_fixed))

    @classmethod
    def from_xml_string(cls, xml: str, assets: Any = None, ignore: Any = (), restrict: Any = None, memory_limit: Any = None,
                        base: Any = None, packages: Any = None, merge_fixed: bool = False) -> Spec:
        """Read MJCF or URDF from a string. The arguments are those of Model.from_xml_string, and also apply to compile().

        >>> torsor.Spec.from_xml_string("<mujoco model='empty'/>").compile().name
        'empty'
        """
        return cls._of(core._Spec.from_xml_string(xml, assets, ignore if isinstance(ignore, str) else list(ignore), restrict,
                                                  memory_limit, base, packages, merge_fixed))

    @classmethod
    def from_zip(cls, path: Any) -> Spec:
        """Read an archive of a model with its files, as save() writes it and MuJoCo's MJZ files are.

        >>> spec.save(folder / "arm.zip")
        >>> torsor.Spec.from_zip(folder / "arm.zip").compile().nq
        2
        """
        return archive.read(cls, path)

    @classmethod
    def from_model(cls, model: Any) -> Spec:
        """A Spec that compiles to a Model which is all there is: loaded from a binary file, say.

        Default classes, frames and textures are not in a Model, and meshes become vertices and faces. Raises torsor.Error for
        a model that no Spec compiles to.

        >>> again = torsor.Spec.from_model(model)
        >>> numpy.array_equal(again.compile().body_mass, model.body_mass)
        True
        """
        return from_model.spec_of(cls, model)

    # elements

    def find(self, kind: str, name: str) -> Any:
        """An element by its kind and name, None if there is none.

        >>> spec.find("joint", "no such joint") is None
        True
        """
        if kind not in ELEMENTS:
            raise Error(f"'{kind}' is none of {', '.join(ELEMENTS)}")
        return self._find(kind, name)

    def delete(self, element: Any) -> None:
        """Delete an element. A body or frame is deleted with all that is in it and all that refers to that.

        >>> spec.delete(spec.geoms[0])
        """
        if not isinstance(element, (Node, ClassNode)):
            raise Error(f"{element!r} is not an element of a Spec")
        self._delete(element)

    def default_class(self, name: str = "main") -> Any:
        """A default class by its name. Its attributes geom, joint and so on are the values of new elements.

        >>> spec.default_class().geom.density = 500
        >>> spec.world.add_geom(size=0.1).density
        500.0
        """
        found = self._find_class(name)
        if found is None:
            raise Error(f"no default class '{name}'; there are: {', '.join(each._name for each in self._classes)}")
        return found

    def add_default_class(self, name: str, parent: Any = None) -> Any:
        """Add a default class inside another (the main one), with that one's values.

        >>> spec.add_default_class("heavy").geom.density = 8000
        >>> spec.world.add_geom(size=0.1, default_class="heavy").density
        8000.0
        """
        return self._add_class(name, self.default_class(parent) if isinstance(parent, str) else parent)

    # compiling and writing

    def compile(self) -> Any:
        """Compile to a Model, reading assets from their files.

        >>> spec.compile().nq
        2
        """
        if self._library is not None:
            return self._library.compile()
        return self._compile_core()[1]

    def recompile(self, model: Any, data: Any) -> tuple[Any, Any]:
        """Compile, and make a Data with the state of another: of all elements that are in both models.

        `model` must be the one that this Spec was compiled to last.

        >>> model = spec.compile()
        >>> data = torsor.Data(model)
        >>> data.qpos[0] = 0.5
        >>> block = spec.world.add_geom(size=0.1)
        >>> model, data = spec.recompile(model, data)
        >>> float(data.qpos[0])
        0.5
        """
        if not isinstance(model, core.Model) or not isinstance(data, core.Data):
            raise Error(f"expected a Model and a Data, got {model!r} and {data!r}")
        before = dict(self._ids)
        count = sum(1 for node in before if node._kind == "joint")
        if count != model.njnt:
            raise Error(f"the model has {model.njnt} joints, but this Spec was compiled to one with {count}")
        made = self.compile()
        new = core.Data(made)
        state.carry_over(model, data, before, made, new, self._ids)
        return made, new

    def to_xml(self) -> str:
        """The model as MJCF that compiles to the same Model, with includes expanded.

        >>> torsor.Model.from_xml_string(spec.to_xml()).to_bytes() == spec.compile().to_bytes()
        True
        """
        return self._written_core().to_xml()

    def save(self, path: Any) -> None:
        """Write an MJCF file, with asset paths relative to it; or, if its name ends in .zip or .mjz, an archive with the assets.

        >>> spec.save(folder / "saved.xml")
        """
        if os.path.splitext(os.fspath(path))[1].lower() in (".zip", ".mjz"):
            archive.write(self, path)
        else:
            self._written_core().save(path)

    def _written_core(self) -> Any:
        if self._library is None and any(key._pending is not None for key in self._lists["key"]):
            return self._compile_core()[0]
        return self._current()

    def update(self, model: Any) -> None:
        """Transfer the edits of a Model of this Spec, so that compiling gives the edited Model.

        Raises torsor.Error, without changing anything, if MJCF cannot express some edits; the message names the arrays.

        >>> model = spec.compile()
        >>> model.jnt_stiffness[0] = 7.5
        >>> spec.update(model)
        >>> float(spec.compile().jnt_stiffness[0])
        7.5
        """
        library = self._current()
        library.update(model)
        if self._library is None:
            self._reread(library.tree())

    def _reread(self, tree: dict[str, Any]) -> None:
        """Takes over values of the library's Spec; the elements stay the same objects."""
        for body, values in zip(list(self._walk()), tree["bodies"], strict=True):
            body._read(values)
            body._frame = body._frame if values["frame"] >= 0 else None  # edited poses are written without frames
            body._inertial_frame = body._inertial_frame if values["inertial"]["frame"] >= 0 else None
            for kind in PARTS[1:]:
                nodes = frame_order(body) if kind == "frame" else body._parts[kind]
                for node, each in zip(nodes, values[f"{kind}s"], strict=True):
                    node._read(each)
                    if kind != "frame" and each["frame"] < 0:
                        node._frame = None
        while len(self._lists["key"]) < len(tree["keys"]):  # nkey asks for more keys than there are
            self.add_key()
        for kind, name in LISTS.items():
            for node, values in zip(self._lists[kind], tree[name], strict=True):
                node._read(values)
        for node in self._all("body") + [each for kind in (*PARTS[1:], *LISTS) for each in self._all(kind)]:
            node._compiler = self._compiler  # values are now in its units
        self._read_settings(tree)

    # operations on the whole model

    def fuse_static(self) -> int:
        """Turn bodies without joints into frames of their parents, which take over their masses. Returns how many.

        Bodies stay that something refers to, that have fuse=False, or whose forces would change. The compiled model is what
        `compiler.fusestatic` gives, which leaves the Spec as it is.

        >>> part = spec.world.add_body(name="shelf", pos=[0, 0, 1])
        >>> board = part.add_geom(type="box", size=[0.1, 0.1, 0.1])
        >>> spec.fuse_static(), board.parent.name, board.frame.pos.tolist()
        (1, 'world', [0.0, 0.0, 1.0])
        """
        return self._operate("fuse_static")

    def discard_visual(self) -> int:
        """Delete materials, textures, geoms that do not collide, and meshes that nothing uses then. Returns how many.

        What something refers to by name stays, and so do the masses of bodies.

        >>> ghost = spec.world.add_geom(size=0.1, contype=0, conaffinity=0)
        >>> spec.discard_visual()
        1
        """
        return self._operate("discard_visual")

    def dedup_assets(self) -> int:
        """Merge equal textures, and equal meshes, into the first of them. Returns how many were deleted.

        >>> for name in ("one", "two"):
        ...     mesh = spec.add_mesh(name=name, vertex=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
        >>> spec.dedup_assets(), len(spec.meshes)
        (1, 1)
        """
        return self._operate("dedup_assets")

    def adopt_inertial(self, body: Any) -> None:
        """Make the inertia that a body, given as an object or by its name, has from its geoms explicit.

        >>> ball = spec.world.add_body(name="ball")
        >>> skin = ball.add_geom(size=0.1, mass=2)
        >>> spec.adopt_inertial("ball")
        >>> ball.inertial.mass
        2.0
        """
        self._operate("adopt_inertial", operations.number_of(self, self._element("body", body)))

    def _operate(self, name: str, *arguments: Any) -> Any:
        if self._library is not None:
            return getattr(self._library, name)(*arguments)
        if self._attached_to is not None:
            raise Error("the Spec is attached to another one, and can no longer be changed as a whole")
        try:
            return operations.operate(self, name, *arguments)
        except Error:
            self.compile()  # an error of the model has a location there
            raise

    # copies and attachment

    def copy(self) -> Spec:
        """A copy, with elements of its own.

        >>> spec.copy().to_xml() == spec.to_xml()
        True
        """
        return self._copied()[0]

    def _copied(self) -> tuple[Spec, dict[Any, Any]]:
        self._compiler  # noqa: B018 makes the elements
        made = type(self)()
        made._head = {**self._head, "files": dict(self._head["files"])}
        settings = core._Spec.from_tree({**self._write_settings(), "defaults": [{"name": "", "parent": -1}], "warnings": [],
                                         "bodies": [{"name": "world"}]}).tree()
        made._read_settings(settings)
        made._core_warnings = list(self._core_warnings)
        return made, self._copy_into(made)

    def attach(self, other: Any, prefix: str = "", suffix: str = "", frame: Any = None, site: Any = None, copy: bool = False) -> Any:
        """Attach all of another Spec to a frame or site, given as an object or by its name; otherwise to the world.

        Names get the prefix and suffix. The elements of `other` become elements of this Spec, and `other` can then not be
        compiled by itself; with copy=True they are copied. Returns the frame that holds them.

        >>> tool = torsor.Spec.from_xml_string("<mujoco><worldbody><body name='tip'/></worldbody></mujoco>")
        >>> frame = spec.attach(tool, prefix="tool/")
        >>> spec.body("tool/tip").parent.name
        'world'
        """
        if not isinstance(other, Spec):
            raise Error(f"{other!r} is not a Spec")
        if frame is not None and site is not None:
            raise Error("pass a frame or a site, not both")
        place = self._element("frame", frame) if frame is not None else self._element("site", site) if site is not None else self._world
        if other._attached_to is not None and not copy:
            raise Error("the Spec is attached already: pass copy=True to attach it again")
        source = other.copy() if copy or other is self else other
        body, holder = self._place_of(place)
        outer = self._insert(self._new("frame", None), body, holder)
        tops = [each for kind in PARTS for each in source._world._parts[kind] if each._tree is source]
        try:
            self._attach_elements(source, tops, body, outer, prefix, suffix, False)
        except Exception:
            self._delete(outer)
            raise
        return outer

    def _element(self, kind: str, place: Any) -> Any:
        found = self._find(kind, place) if isinstance(place, str) else place
        if getattr(found, "_kind", None) != kind or found._tree is not self:
            raise Error(f"there is no {kind} {place!r} in this Spec")
        return found

    def _place_of(self, place: Any) -> tuple[Any, Any]:
        """The body and frame in which things attached to an element are."""
        if place._kind != "site":
            return (place, None) if place._kind == "body" else (place._parent, place)
        return place._parent, self._insert(self._new_frame(place), place._parent, place._frame)

    def _attach_elements(self, other: Any, tops: list[Any], body: Any, frame: Any, prefix: str, suffix: str, copy: bool) -> list[Any]:
        is_self = other is self
        if is_self and not copy:
            raise Error("the element is in this Spec already: pass copy=True to attach a copy of it")
        if copy:
            other, copies = other._copied()
            tops = [copies[each] for each in tops]
        if not is_self:
            if list(other._compiler._values["axes"]) != list(self._compiler._values["axes"]):
                raise Error("the attached model has other axes")
            attach.merge_options(self._option, other._option, core.Option(), self._compiler._values["conflict"], Error)
        attach.Attachment(self, other, prefix, suffix, is_self).attach(tops, body, frame)
        if not is_self:
            archive.take_files(self, other)
            other._attached_to = self
        return tops

    def __repr__(self) -> str:
        count = self._library.nbody if self._library is not None else len(self._all("body"))
        return f"<Spec '{self.name}': {count - 1} bodies>"


def _finder(kind: str) -> Any:
    def find(self: Any, name: str) -> Any:
        found = self._find(kind, name)
        if found is None:
            raise Error(f"there is no {kind} '{name}'")
        return found

    find.__name__, find.__doc__ = kind, f"A {kind} by its name; torsor.Error if there is none."
    return find


def _adder(kind: str, example: str) -> Any:
    def function(self: Any, *, default_class: Any = None, **values: Any) -> Any:
        return bodies.add(self, kind, None, None, default_class, values)

    function.__name__ = f"add_{kind}"
    function.__doc__ = f"""Add a {kind}, with attributes by name. Returns it.

    >>> spec.add_{kind}({example})
    <{kind} 'new'>
    """
    return function


for _kind in (*PARTS, *LISTS):
    setattr(Spec, _kind, _finder(_kind))
    setattr(Spec, PLURALS.get(_kind, f"{_kind}s"), property(
        lambda self, kind=_kind: self._all(kind), doc=f"all elements of the kind {_kind}, in the order of the model"))
for _kind in LISTS:
    setattr(Spec, f"add_{_kind}", _adder(_kind, "name='new'"))
