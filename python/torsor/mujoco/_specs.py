"""MjSpec: a model that can be edited, with the interface of mujoco.MjSpec."""

from __future__ import annotations

import os
import time
import warnings
from typing import Any

import numpy

import torsor._core as core
from torsor._core import _mujoco
from torsor._error import Error
from torsor._spec import attach as attaching
from torsor._spec.node import PARTS, Node
from torsor._spec.state import carry_over
from torsor._spec.tree import ClassNode, Tree
from torsor.mujoco import (_names, _spec_actuators, _spec_checks, _spec_edits, _spec_methods, _spec_textures, _spec_xml,
                           _spec_zip)
from torsor.mujoco._spec_elements import NODES, PROTOTYPES, MjsCompiler, MjsDefault
from torsor.mujoco._spec_fields import Values, fields_of, make_field
from torsor.mujoco._structs import MjOption, MjStatistic, MjVisual, _copied, _take_over

del _spec_actuators  # imported for the methods that it adds
SETTINGS = {name: make_field("MjSpec", name, kind, default, {}) for name, (kind, default) in _names.SPECS["MjSpec"].items()
            if name not in ("meshdir", "texturedir")}
SIZES = ("memory", "nstack", "njmax", "nconmax", "nkey", "nuserdata", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site",
         "nuser_cam", "nuser_tendon", "nuser_actuator", "nuser_sensor")
ELEMENTS = ("key", "material", "mesh", "hfield", "texture", "pair", "exclude", "equality", "tendon", "actuator", "sensor",
            "numeric", "text", "tuple", "skin", "flex", "plugin")
PLURALS = {"body": "bodies", "mesh": "meshes", "equality": "equalities", "flex": "flexes"}


class MjsAuthored(Values):
    """Which settings differ from their defaults, as bits."""

    __slots__ = ()
    _fields = fields_of("MjsAuthored", {})


for _name in MjsAuthored._fields:
    setattr(MjsAuthored, _name, property(lambda self, name=_name: self._values[name]))
MjsAuthored.__module__ = "torsor.mujoco"


class MjSpec(Tree):
    """A model that can be edited.

    >>> spec = torsor.mujoco.MjSpec()
    >>> body = spec.worldbody.add_body(pos=[0, 0, 1])
    >>> geom = body.add_geom(type=torsor.mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.1, 0.1])
    >>> spec.compile().ngeom
    1
    """

    _node_types = NODES
    _prototype_kinds = PROTOTYPES
    _class_type = MjsDefault
    _list_kinds = ELEMENTS
    _pose_names = ("pos", "quat", "alt")

    def __init__(self) -> None:
        self._assets: dict[str, Any] = {}
        self._copies = False
        self._timer = numpy.zeros(9)
        self._warn: list[str] = []
        self._marked: dict[tuple[str, int, int], Node] = {}  # by location, for errors
        self._vfs: Any = None
        self._compiled_edits = -1  # the structure that was compiled last
        self._borrowed: dict[str, bytes] = {}  # files of an MjVfs among the assets
        self._clear()

    # settings

    def _make_settings(self) -> None:
        self._compiler = MjsCompiler()
        self._settings = {name: field.new() for name, field in SETTINGS.items()}
        self._option, self._visual, self._stat = MjOption(), MjVisual(), MjStatistic()
        for name in ("meaninertia", "meanmass", "meansize", "extent"):
            setattr(self._stat, name, float("nan"))
        self._stat.center = [float("nan"), 0, 0]
        self._restrict: Any = ["/"]
        self._memory_limit = core._Spec.from_xml_string("<mujoco/>").tree()["memory_limit"] if not hasattr(
            MjSpec, "_standard_limit") else MjSpec._standard_limit
        MjSpec._standard_limit = self._memory_limit

    def _write_settings(self) -> dict[str, Any]:
        stat, compiler = self._stat, self._compiler._write()
        compiler["strippath"] = self._settings["strippath"]
        center = numpy.array(stat.center)
        return {
            "modelname": self._settings["modelname"], "base_dir": self._settings["modelfiledir"], "files": self._files(),
            "restrict": self._restrict, "memory_limit": self._memory_limit, "compiler": compiler,
            "size": {name: self._settings[name] for name in SIZES},
            "statistic": {"center": center if center[0] == center[0] else numpy.full(3, numpy.nan),
                          **{name: getattr(stat, name) for name in ("meaninertia", "meanmass", "meansize", "extent")}},
            "option": self._option, "visual": self._visual}

    def _read_settings(self, tree: dict[str, Any]) -> None:
        self._settings["modelname"], self._settings["modelfiledir"] = tree["modelname"], tree["base_dir"]
        self._settings["strippath"] = tree["compiler"]["strippath"]
        self._settings.update((name, tree["size"][name]) for name in SIZES)
        self._compiler._read(tree["compiler"])
        self._compiler._base = tree["base_dir"]
        self._option, self._visual = tree["option"], tree["visual"]
        for name, value in tree["statistic"].items():
            setattr(self._stat, name, value)
        self._restrict, self._memory_limit = tree["restrict"], tree["memory_limit"]

    def _error(self, message: str) -> Exception:
        return ValueError(f"Error: {message}")

    @property
    def compiler(self) -> Any:
        """Settings of the compiler."""
        return self._compiler

    @property
    def meshdir(self) -> str:
        """The folder of meshes and height fields."""
        return self._compiler.meshdir

    @meshdir.setter
    def meshdir(self, value: str) -> None:
        self._compiler.meshdir = value

    @property
    def texturedir(self) -> str:
        """The folder of textures."""
        return self._compiler.texturedir

    @texturedir.setter
    def texturedir(self, value: str) -> None:
        self._compiler.texturedir = value

    @property
    def authored(self) -> MjsAuthored:
        """Which settings differ from their defaults, as bits."""
        made, option, visual = MjsAuthored(), MjOption(), MjVisual()
        for name in ("disableflags", "enableflags", "disableactuator"):
            made._values[name] = getattr(self._option, name) ^ getattr(option, name)
        made._values["option"] = _difference(self._option, option)
        for name in ("global_", "quality", "headlight", "map", "scale", "rgba"):
            made._values[f"visual_{name.rstrip('_')}"] = _difference(getattr(self._visual, name), getattr(visual, name))
        return made

    @property
    def timer(self) -> numpy.ndarray:
        """Seconds of the last compilation, by mjtCTimer."""
        return self._timer

    @property
    def parent(self) -> Any:
        """The model that this one is attached to, None if it is not."""
        return self._attached_to

    @property
    def _address(self) -> int:
        return id(self)

    @property
    def assets(self) -> dict[str, Any]:
        """Files in memory, by name."""
        return self._assets

    @assets.setter
    def assets(self, value: Any) -> None:
        self._assets = dict(value)

    @property
    def worldbody(self) -> Any:
        """The world, the body that all others are in."""
        return self._world

    @property
    def default(self) -> Any:
        """The main default class."""
        return self._classes[0]

    @property
    def copy_during_attach(self) -> bool:
        """Whether attaching copies the attached model."""
        return self._copies

    @copy_during_attach.setter
    def copy_during_attach(self, value: bool) -> None:
        self._copies = bool(value)

    # reading

    @staticmethod
    def from_string(xml: Any, include: Any = None, assets: Any = None, vfs: Any = None) -> MjSpec:
        """Reads MJCF or URDF from text. `include` and `assets` are files in memory, by name; or they are in an MjVfs.

        >>> torsor.mujoco.MjSpec.from_string("<mujoco model='empty'/>").modelname
        'empty'
        """
        made, files = MjSpec(), _gathered(include, assets, vfs)
        text = bytes(xml).decode() if isinstance(xml, (bytes, bytearray)) else xml
        if not isinstance(text, str):
            raise TypeError(f"from_string(): expected text, got {xml!r}")
        text = files[text].decode() if text in files else text
        return made._finish(lambda ignore: core._Spec.from_xml_string(
            text, assets=files, ignore=ignore, restrict=["/"], base="fixed", merge_fixed=True), assets, vfs)

    @staticmethod
    def from_file(filename: Any, include: Any = None, assets: Any = None, vfs: Any = None) -> MjSpec:
        """Reads an MJCF or URDF file, or an archive (.mjz, .zip).

        >>> torsor.mujoco.MjSpec.from_file(path).modelname
        'arm'
        """
        name, files = os.fspath(filename), _gathered(include, assets, vfs)
        ending = os.path.splitext(name)[1].lower()
        if ending in (".mjz", ".zip"):
            return _spec_zip.read(MjSpec, files.get(name, name))
        if ending in (".stl", ".obj", ".msh"):
            raise ValueError(_spec_checks.mesh_fault(name, files) or f"Error: '{name}' is a mesh, not a model")
        return MjSpec()._finish(lambda ignore: core._Spec.from_xml_path(
            name, assets=files, ignore=ignore, base="fixed", merge_fixed=True), assets, vfs)

    @staticmethod
    def from_zip(file: Any) -> MjSpec:
        """Reads an archive that to_zip() wrote: a path or a file object."""
        return _spec_zip.read(MjSpec, file)

    def _finish(self, read: Any, assets: Any, vfs: Any = None) -> MjSpec:
        self._borrowed = {} if vfs is None else dict(vfs._files)
        files = self._load(read([]))["files"]
        self.assets = dict(files if assets is None else {**files, **assets})
        return self

    # files

    def _files(self) -> dict[str, bytes]:
        files = {} if self._vfs is None else dict(self._vfs._files)
        for name, contents in self.assets.items():
            files[name] = contents.encode() if isinstance(contents, str) else bytes(contents)
        for texture in self._lists["texture"]:
            if texture._values["data"]:
                files[os.path.join(self.texturedir, _spec_textures.data_file(texture._name))] = _spec_textures.make_png(texture._values)
        return files

    # elements

    def delete(self, element: Any) -> None:
        """Deletes an element. Bodies and frames are deleted with all that is in them and all that refers to that."""
        if not isinstance(element, (Node, ClassNode)):
            raise TypeError(f"delete(): expected an element, got {element!r}")
        if isinstance(element, Node) and element._tree is not self and self._attached_to is None:
            raise ValueError(f"{element._kind} is not in this model")
        if self._attached_to is not None:
            raise ValueError("Cannot delete element from an attached mjSpec.")
        if element is not self._world:
            self._delete(element)

    def add_default(self, name: str, parent: Any = None) -> Any:
        """Adds a default class inside another, with that one's values; None if there is one of this name."""
        return None if self._find_class(name) is not None else self._add_class(name, parent)

    def find_default(self, name: str) -> Any:
        """A default class by its name, None if there is none."""
        return self._find_class(name)

    def activate_plugin(self, name: str) -> None:
        """Does nothing: there are no plugins."""

    # compiling

    def compile(self, vfs: Any = None) -> Any:
        """Compiles to an MjModel.

        >>> torsor.mujoco.MjSpec().compile().nbody
        1
        """
        started = time.perf_counter()
        model = _mujoco.MjModel._from_model(self._compiled(vfs)[1])
        model.signature = self._signature()
        self._compiled_edits = self._edits
        self._timer[0] = time.perf_counter() - started
        for text in self._warn:
            warnings.warn(text, UserWarning, stacklevel=2)
        return model

    def _compiled(self, vfs: Any) -> tuple[Any, Any]:
        """The library's Spec and Model, with files from an MjVfs; errors are those of MuJoCo."""
        if vfs is not None:
            vfs._files  # noqa: B018 raises if it is closed
            if any(self._borrowed.get(name) != contents for name, contents in self.assets.items()):
                raise ValueError("Cannot use vfs and assets at the same time.")
        self._vfs = vfs
        try:
            _spec_checks.check(self)
            return self._compile_core()
        except Error as error:
            raise _spec_checks.translated(error, self._marked, self._fresh_ids()) from error
        finally:
            self._vfs = None

    def _fresh_ids(self) -> dict[Node, int]:
        return {node: number for kind in (*PARTS, *self._list_kinds) for number, node in enumerate(self._all(kind))}

    def _make_core(self) -> Any:
        self._marked = {}
        if self._lists["flex"]:
            raise NotImplementedError("torsor.mujoco does not have flexes")
        return super()._make_core()

    def _written(self, node: Node, root: dict[str, Any], settings: dict[Any, dict[str, Any]]) -> dict[str, Any]:
        started = time.perf_counter()
        values = super()._written(node, root, settings)
        file, line, column = node._where
        values["location"] = place = file, line, column or len(self._marked) + 1  # elements that programs add have no column
        self._marked.setdefault(place, node)
        if node._kind in ("mesh", "hfield", "texture"):
            self._timer[1] += time.perf_counter() - started
            self._timer[2] += time.perf_counter() - started if node._kind == "texture" else 0
        if node._compiler is not self._compiler:
            _spec_edits.move_files(node, values, self._compiler, self._settings["modelfiledir"])
        return values

    def recompile(self, m: Any, d: Any, vfs: Any = None) -> tuple[Any, Any]:
        """Compiles, and makes an MjData with the state of another: of all elements that are in both models.

        >>> spec = torsor.mujoco.MjSpec()
        >>> model = spec.compile()
        >>> model, data = spec.recompile(model, torsor.mujoco.MjData(model))
        """
        before = dict(self._ids)
        model = self.compile(vfs)
        data = _mujoco.MjData(model)
        carry_over(m, d, before, model, data, self._ids)
        return model, data

    def copy_back(self, model: Any) -> None:
        """Takes over values that were changed in a compiled model."""
        _spec_edits.copy_back(self, model)

    def adopt_inertial(self, body: Any) -> None:
        """Writes the inertia that the compiler calculates into a body."""
        _spec_edits.adopt_inertial(self, body)

    def fuse_static(self, vfs: Any = None) -> int:
        """Turns bodies without joints into frames of their parents. Returns how many."""
        return _spec_edits.run(self, vfs, "fuse_static")

    def discard_visual(self, vfs: Any = None) -> int:
        """Deletes what has no effect on the motion: geoms that do not collide, materials, textures. Returns how many."""
        return _spec_edits.run(self, vfs, "discard_visual")

    def dedup_assets(self, vfs: Any = None) -> int:
        """Merges equal textures and equal meshes. Returns how many were deleted."""
        return _spec_edits.run(self, vfs, "dedup_assets")

    resolve_orientation = staticmethod(_spec_methods.resolve_orientation)

    # writing

    def to_xml(self) -> str:
        """The model as MJCF."""
        return _spec_xml.to_xml(self)

    def to_file(self, filename: str) -> None:
        """Writes the model as an MJCF file."""
        with open(filename, "w", encoding="utf-8") as file:
            file.write(self.to_xml())

    def to_zip(self, file: Any) -> None:
        """Writes the model and its files as an archive: a path or a file object."""
        _spec_zip.write(self, file)

    def encode(self, filename: str, model: Any = None, content_type: str | None = None) -> int:
        """Writes a file whose ending says what it is: .xml, .mjz, .zip, .mjb, .txt. Returns its size."""
        return _spec_zip.encode(self, filename, model, content_type)

    # copies and attachment

    def copy(self) -> MjSpec:
        """A copy, with elements of its own."""
        return self._copied()[0]

    __copy__ = copy

    def __deepcopy__(self, _: Any) -> MjSpec:
        return self.copy()

    def _copied(self) -> tuple[MjSpec, dict[Any, Any]]:
        made = MjSpec()
        made._settings = dict(self._settings)
        made._compiler._take(self._compiler)
        made._compiler._base = self._compiler._base
        made._option, made._visual = _copied(self._option), _copied(self._visual)
        _take_over(made._stat, self._stat)
        made.assets, made._copies = dict(self.assets), self._copies
        made._restrict, made._memory_limit = self._restrict, self._memory_limit
        made._compiled_edits = self._compiled_edits
        return made, self._copy_into(made)

    def attach(self, child: Any, prefix: str | None = None, suffix: str | None = None, site: Any = None,
               frame: Any = None) -> Any:
        """Attaches another model to a frame or a site, with names between a prefix and a suffix. Returns the frame that holds it.

        >>> robot = torsor.mujoco.MjSpec()
        >>> tool = torsor.mujoco.MjSpec.from_string("<mujoco><worldbody><body name='tip'/></worldbody></mujoco>")
        >>> frame = robot.attach(tool, prefix="tool/", frame=robot.worldbody.add_frame())
        >>> robot.body("tool/tip") is not None
        True
        """
        if not isinstance(child, MjSpec):
            raise TypeError(f"attach(): expected an MjSpec, got {child!r}")
        if (site is None) == (frame is None):
            raise ValueError("One of frame or site must be specified." if site is None else "Only one of frame or site can be specified.")
        place = self._place("site", site) if site is not None else self._place("frame", frame)
        if child._attached_to is not None and not self._copies:
            raise self._error("Child spec is already attached by reference; enable deep copy to attach a spec more than once.")
        source = child.copy() if self._copies or child is self else child
        outer = self._new_frame(place if place._kind == "site" else None)
        tops = [each for kind in PARTS for each in source._world._parts[kind] if each._tree is source]
        self._check_assets(source, prefix or "", suffix or "")
        self._insert(outer, place._parent, place._frame if place._kind == "site" else place)
        try:
            self._attach_elements(source, tops, place._parent, outer, prefix or "", suffix or "", is_copy=True)
        except Exception:
            self._delete(outer)
            raise
        return outer

    def _place(self, kind: str, place: Any) -> Any:
        found = self._find(kind, place) if isinstance(place, str) else place
        if found is None or getattr(found, "_kind", None) != kind or found._tree is not self:
            raise ValueError(f"{kind.capitalize()} not found.")
        return found

    def _attach_elements(self, child: Any, tops: list[Any], body: Any, frame: Any, prefix: str, suffix: str,
                         is_copy: bool = False) -> list[Any]:
        """Moves elements of another model into a body of this one. Returns them, or their copies."""
        if child is None:
            raise ValueError("the element is deleted")
        is_self = child is self
        if self._copies and not is_copy:
            child, copies = child._copied()
            tops = [copies[each] for each in tops]
        elif is_self:
            raise self._error("Child element is in the parent spec; enable deep copy to attach a copy of it.")
        self._check_assets(child, prefix, suffix)
        if not is_self:
            policy = ("warning", "merge", "error")[self._compiler._values["conflict"]]
            kept = attaching.merge_options(self._option, child._option, MjOption(), policy, self._error)
            self._warn += [f"the attached model has another {name}: that of the parent is used" for name in kept]
        attaching.Attachment(self, child, prefix, suffix, is_self).attach(tops, body, frame)
        if not prefix:
            self._warn.append("Attaching a spec with an empty prefix may prevent the model from being saved correctly.")
        if not is_self:
            self._take_assets(child, prefix, suffix)
            child._attached_to = self
        return tops

    def _check_assets(self, child: Any, prefix: str, suffix: str) -> None:
        for name in child.assets if not self._settings["override_assets"] and child is not self else ():
            if attaching.affix_file(name, prefix, suffix) in self.assets:
                raise ValueError(f"Asset {name} already exists in parent spec.")

    def _take_assets(self, child: Any, prefix: str, suffix: str) -> None:
        names = {name: attaching.affix_file(name, prefix, suffix) for name in child.assets}
        if id(child) in {key[0] for key in self._imports if self._imports[key].get("files")}:
            return
        self._imports[id(child), prefix, suffix]["files"] = True
        self.assets = {**self.assets, **{names[name]: contents for name, contents in child.assets.items()}}
        for kind in ("mesh", "hfield", "texture"):
            for node in child._lists[kind]:
                folder = node._compiler.texturedir if kind == "texture" else node._compiler.meshdir
                file = node._values["file"]
                known = next((each for each in (file, os.path.join(folder, file)) if file and each in names), None)
                if known is not None:
                    node._values["file"] = names[known]
                    node._values["_more"]["_in_memory"] = True


def _difference(mine: Any, standard: Any) -> int:
    names = [name for name in dir(standard) if not name.startswith("_") and not callable(getattr(standard, name))]
    return sum(1 << bit for bit, name in enumerate(names) if not attaching.equal(getattr(mine, name), getattr(standard, name)))


def _gathered(include: Any, assets: Any, vfs: Any) -> dict[str, bytes]:
    """Files in memory from the arguments of from_string and from_file."""
    if vfs is not None:
        if include or assets:
            raise ValueError("vfs cannot be used with include or assets")
        return dict(vfs._files)
    files: dict[str, bytes] = {}
    for given in (include, assets):
        for name, contents in (given or {}).items():
            files[name] = contents.encode() if isinstance(contents, str) else bytes(contents)
    return files


def _setting(name: str) -> property:
    field = SETTINGS[name]

    def setter(self: Any, value: Any) -> None:
        self._settings[name] = field.accept(value, self._settings[name])

    return property(lambda self: self._settings[name], setter, doc=f"{name} of the model")


def _block(name: str) -> property:
    return property(lambda self: getattr(self, name), lambda self, value: _take_over(getattr(self, name), value),
                    doc="a block of settings")


def _finder(kind: str) -> Any:
    def find(self: Any, name: str) -> Any:
        if not isinstance(name, str):
            raise TypeError(f"{kind}(): expected a name, got {name!r}")
        return self._find(kind, name)

    find.__name__, find.__doc__ = kind, f"A {kind} by its name, None if there is none."
    return find


def _adder(kind: str) -> Any:
    def function(self: Any, default: Any = None, **arguments: Any) -> Any:
        return _spec_methods.add(self, kind, None, None, default, arguments)

    function.__name__, function.__doc__ = f"add_{kind}", f"Adds a {kind}; values are given by name. Returns it."
    return function


for _name in SETTINGS:
    setattr(MjSpec, _name, _setting(_name))
for _name in ("option", "visual", "stat"):
    setattr(MjSpec, _name, _block(f"_{_name}"))
for _kind in (*PARTS, *ELEMENTS):
    setattr(MjSpec, _kind, _finder(_kind))
    setattr(MjSpec, PLURALS.get(_kind, f"{_kind}s"), property(
        lambda self, kind=_kind: self._all(kind), doc=f"all elements of the kind {_kind}, in the order of the model"))
    setattr(MjSpec, f"find_{_kind}", getattr(MjSpec, _kind))  # MuJoCo 3.2
for _kind in ELEMENTS:
    setattr(MjSpec, f"add_{_kind}", _adder(_kind))
MjSpec.detach_body = MjSpec.delete  # type: ignore[attr-defined] MuJoCo 3
MjSpec.__module__ = "torsor.mujoco"
