"""A whole model as a tree of elements that can be edited: added, found, deleted, copied, compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, ClassVar

import torsor._core as core
from torsor._error import Error
from torsor._spec import keys, units
from torsor._spec.node import PARTS, Node, caller

# what a model has beside its bodies, and the name of the list in the library's Spec
LISTS = {"mesh": "meshes", "hfield": "hfields", "skin": "skins", "texture": "textures", "material": "materials", "pair": "pairs",
         "exclude": "excludes", "equality": "equalities", "tendon": "tendons", "actuator": "actuators", "sensor": "sensors",
         "numeric": "numerics", "text": "texts", "tuple": "tuples", "key": "keys"}
ASSETS = ("mesh", "hfield", "texture", "material")


class ClassNode:
    """A default class: a prototype of every kind of element that has one."""

    __slots__ = ("__weakref__", "_name", "_parent", "_prototypes", "_tree")

    def __init__(self, tree: Any, name: str, parent: ClassNode | None) -> None:
        self._tree, self._name, self._parent = tree, name, parent
        self._prototypes: dict[str, Node] = {}
        for kind in tree._prototype_kinds:
            known = parent._prototypes[kind] if parent else None
            self._prototypes[kind] = tree._node_types[kind](tree, known)
            self._prototypes[kind]._values["name"] = ""
            self._prototypes[kind]._tree = None
            self._prototypes[kind]._class = self


class Tree:
    """Elements and settings of one model. Subclasses have a vocabulary: the classes of nodes, and their names."""

    _node_types: ClassVar[dict[str, type[Node]]] = {}
    _prototype_kinds: ClassVar[tuple[str, ...]] = ()
    _class_type: ClassVar[type[ClassNode]] = ClassNode
    _list_kinds: ClassVar[tuple[str, ...]] = tuple(LISTS)
    _pose_names: ClassVar[tuple[str, ...]] = ("pos", "orientation")  # values that are the pose of an element

    def _clear(self) -> None:
        self._names: dict[str, dict[str, Node]] = {}
        self._edits = 0
        self._hash: tuple[int, int] = (-1, 0)
        self._ids: dict[Node, int] = {}
        self._attached_to: Any = None  # the model that (parts of) this one moved into
        self._imports: dict[Any, dict[Any, Any]] = {}
        self._compiler: Any = None
        self._make_settings()
        self._lists: dict[str, list[Node]] = {kind: [] for kind in self._list_kinds}
        self._classes: list[ClassNode] = []
        self._classes.append(self._class_type(self, "main", None))
        self._world = self._node_types["body"](self)
        self._world._class = self._classes[0]
        self._world._rename("world")
        self._core_warnings: list[Any] = []

    # settings: what subclasses define

    def _make_settings(self) -> None:
        raise NotImplementedError

    def _write_settings(self) -> dict[str, Any]:
        raise NotImplementedError

    def _read_settings(self, tree: dict[str, Any]) -> None:
        raise NotImplementedError

    def _error(self, message: str) -> Exception:
        return Error(message)

    # names

    def _note_name(self, node: Node, name: str) -> None:
        names = self._names.setdefault(node._kind, {})
        if name and names.get(name, node) is not node:
            raise self._error(f"repeated name '{name}' in {node._kind}")
        if names.get(node._name) is node:
            del names[node._name]
        if name:
            names[name] = node

    def _forget_name(self, node: Node) -> None:
        names = self._names.get(node._kind, {})
        if names.get(node._name) is node:
            del names[node._name]

    def _find(self, kind: str, name: str) -> Any:
        return self._names.get(kind, {}).get(name)

    def _find_class(self, name: str) -> Any:
        return next((each for each in self._classes if each._name == name), None)

    # lists

    def _walk(self, body: Node | None = None) -> Iterator[Node]:
        """A body and those below it, parents first."""
        stack = [self._world if body is None else body]
        while stack:
            found = stack.pop()
            yield found
            stack.extend(reversed(found._parts["body"]))

    def _all(self, kind: str) -> list[Any]:
        if kind == "body":
            return list(self._walk())
        if kind in PARTS:
            return [part for body in self._walk() for part in body._parts[kind]]
        return list(self._lists[kind])

    # edits

    def _class_at(self, body: Node, frame: Node | None) -> ClassNode:
        """The default class of new elements at a place."""
        while frame is not None:
            found = self._find_class(frame._values["childclass"])
            if found is not None:
                return found
            frame = frame._frame
        while body is not None:
            found = self._find_class(body._values["childclass"])
            if found is not None and found is not self._classes[0]:
                return found
            body, frame = body._parent, body._frame
            if frame is not None:
                return self._class_at(body, frame)
        return self._classes[0]

    def _new(self, kind: str, class_: ClassNode | None) -> Node:
        class_ = class_ or self._classes[0]
        node = self._node_types[kind](self, class_._prototypes.get(kind))
        node._class = class_ if class_._tree is self else self._classes[0]  # values may come from a class of another model
        node._where = caller()
        return node

    def _insert(self, node: Node, body: Node | None, frame: Node | None) -> Any:
        """Puts a new node into its list."""
        if body is not None:
            node._parent, node._frame = body, frame
            body._parts[node._kind].append(node)
        else:
            self._lists[node._kind].append(node)
        self._edits += 1
        return node

    def _new_frame(self, posed: Node | None = None) -> Node:
        """A frame that is in no body yet, with the pose of another element."""
        frame = self._new("frame", None)
        if posed is not None:
            for name in self._pose_names:
                frame._values[name] = frame._fields[name].copy(posed._values[name])
            frame._compiler = posed._compiler
        return frame

    def _to_frame(self, body: Node) -> Any:
        """Turns a body into a frame of its parent, with all that is in it."""
        parent = body._parent
        if parent is None or body._parts is None:
            raise self._error("the world cannot become a frame")
        frame = self._new_frame(body)
        if body._values["childclass"] != "main":
            frame._values["childclass"] = body._values["childclass"]
        self._insert(frame, parent, body._frame)
        for kind in PARTS:
            for child in body._parts[kind]:
                child._parent, child._frame = parent, child._frame or frame
                parent._parts[kind].append(child)
            body._parts[kind] = []
        parent._parts["body"].remove(body)
        self._release(body)
        self._edits += 1
        return frame

    def _add_class(self, name: str, parent: ClassNode | None) -> Any:
        if self._find_class(name) is not None:
            raise self._error(f"repeated default class name '{name}'")
        self._classes.append(self._class_type(self, name, parent or self._classes[0]))
        return self._classes[-1]

    def _delete(self, node: Any) -> None:
        if self._attached_to is not None:
            raise self._error("Cannot delete element from an attached mjSpec.")
        if isinstance(node, ClassNode):
            return self._delete_class(node)
        if node._tree is not self:
            raise self._error(f"{node._kind} is not in this model")
        if node is self._world:
            raise self._error("the world cannot be deleted")
        self._edits += 1
        if node._kind not in ("body", "frame"):
            (node._parent._parts[node._kind] if node._parent is not None else self._lists[node._kind]).remove(node)
            self._release(node)
            return
        keys.scatter(self)
        removed = self._contents(node)
        for each in removed:
            each._parent._parts[each._kind].remove(each)
        gone = {(each._kind, each._name) for each in removed if each._name}
        for each in removed:
            self._release(each)
        self._delete_users(gone)

    def _contents(self, node: Node) -> list[Node]:
        """A body or a frame, and all that is in it."""
        tops = [node]
        if node._kind == "frame":
            tops += [each for kind in PARTS for each in node._parent._parts[kind] if each is not node and each._inside(node)]
        found: list[Node] = []
        for top in tops:
            if top._kind != "body":
                found.append(top)
                continue
            for body in self._walk(top):
                found += [body, *(each for kind in PARTS[1:] for each in body._parts[kind])]
        return found

    def _delete_users(self, gone: set[tuple[str, str]]) -> None:
        """Deletes the elements that refer to deleted ones, and those that refer to them."""
        while True:
            lost = [each for kind in self._list_kinds if kind not in ASSETS for each in self._lists[kind]
                    if any((kind_, holder[key]) in gone for holder, key, kind_ in each._references())]
            if not lost:
                return
            for each in lost:
                gone.add((each._kind, each._name))
                self._lists[each._kind].remove(each)
                self._release(each)
            gone.discard(("", ""))

    def _release(self, node: Node) -> None:
        self._forget_name(node)
        self._ids.pop(node, None)
        node._tree = node._parent = node._frame = None

    def _delete_class(self, class_: ClassNode) -> None:
        if class_ is self._classes[0]:
            raise self._error("the main default class cannot be deleted")
        lost = {class_}
        for each in self._classes:  # parents come first
            if each._parent in lost:
                lost.add(each)
        names = {each._name for each in lost}
        self._classes = [each for each in self._classes if each not in lost]
        for kind in (*PARTS, *self._list_kinds):
            for node in self._all(kind):
                if node._class in lost:
                    node._class = self._classes[0]
                if node._values.get("childclass") in names:
                    node._values["childclass"] = ""

    def _copy_into(self, made: Tree) -> dict[Any, Any]:
        """Fills an empty tree with copies. Returns the copies by their originals."""
        copies: dict[Any, Any] = {None: None, self._compiler: made._compiler}
        made._classes = []
        for each in self._classes:
            copies[each] = self._class_type(made, each._name, copies[each._parent])
            for kind, prototype in each._prototypes.items():
                fields = prototype._fields
                copies[each]._prototypes[kind]._values = {
                    key: fields[key].copy(value) for key, value in prototype._values.items()}
            made._classes.append(copies[each])
        made._names = {}
        for node in [each for kind in (*PARTS, *self._list_kinds) for each in self._all(kind)]:
            copy = type(node)(made, node)
            copies[node] = copy
            copy._where, copy._class = node._where, copies.get(node._class, made._classes[0])
            copy._compiler = copies.get(node._compiler, node._compiler)
            copy._rename(node._name)
        for node, copy in list(copies.items()):
            if not isinstance(node, Node):
                continue
            copy._parent, copy._frame = copies.get(node._parent), copies.get(node._frame)
            copy._inertial_frame = copies.get(node._inertial_frame)
            if node._parts is not None:
                copy._parts = {kind: [copies[each] for each in parts] for kind, parts in node._parts.items()}
            copy._pending = keys.copied(node._pending, copies)
        made._world = copies[self._world]
        made._world._parent = made._world._frame = None
        made._lists = {kind: [copies[each] for each in nodes] for kind, nodes in self._lists.items()}
        made._ids = {copies[node]: number for node, number in self._ids.items() if node in copies}
        made._edits = self._edits
        return copies

    # the library's Spec

    def _load(self, spec: Any) -> dict[str, Any]:
        """Takes over everything from the library's Spec. Returns its values."""
        tree = spec.tree()
        self._read_settings(tree)
        self._core_warnings = tree["warnings"]
        self._classes = []
        for values in tree["defaults"]:
            parent = self._classes[values["parent"]] if values["parent"] >= 0 else None
            made = self._class_type(self, values["name"] or "main", parent)
            for kind, prototype in made._prototypes.items():
                if kind in values:
                    prototype._read(values[kind])
            self._classes.append(made)
        self._names = {}
        bodies: list[Node] = []
        for values in tree["bodies"]:
            bodies.append(self._load_body(values, bodies))
        self._world = bodies[0]
        for kind, list_name in LISTS.items():
            self._lists[kind] = [self._load_node(kind, values) for values in tree[list_name]]
        self._edits += 1
        return tree

    def _load_node(self, kind: str, values: dict[str, Any]) -> Node:
        node = self._node_types[kind](self)
        node._read(values, True)
        node._where = values["location"]
        node._class = self._find_class(values["class_name"] or "main") or self._classes[0]
        self._note_name(node, values["name"])
        node._values["name"] = values["name"]
        return node

    def _load_body(self, values: dict[str, Any], bodies: list[Node]) -> Node:
        body = self._load_node("body", values)
        assert body._parts is not None
        if values["parent"] >= 0:
            body._parent = bodies[values["parent"]]
            body._frame = body._parent._parts["frame"][values["frame"]] if values["frame"] >= 0 else None
            body._parent._parts["body"].append(body)
        for kind in PARTS[1:]:
            for each in values[kind + "s"]:
                node = self._load_node(kind, each)
                place = each["parent_frame" if kind == "frame" else "frame"]
                node._parent, node._frame = body, body._parts["frame"][place] if place >= 0 else None
                body._parts[kind].append(node)
        place = values["inertial"]["frame"]
        body._inertial_frame = body._parts["frame"][place] if place >= 0 else None
        return body

    def _written(self, node: Node, root: dict[str, Any], settings: dict[Any, dict[str, Any]]) -> dict[str, Any]:
        values = node._write()
        values["name"], values["location"] = node._name, node._where
        values["class_name"] = "" if node._class is None or node._class is self._classes[0] else node._class._name
        if node._compiler is not self._compiler:
            if node._compiler not in settings:
                settings[node._compiler] = node._compiler._write()
            units.translate(node._kind, values, settings[node._compiler], root)
        return values

    def _make_tree(self) -> dict[str, Any]:
        """The values of the library's Spec."""
        tree = self._write_settings()
        root, settings = tree["compiler"], {}
        tree["warnings"] = self._core_warnings
        tree["defaults"] = [self._write_class(each) for each in self._classes]
        numbers: dict[Node, int] = {}
        tree["bodies"] = []
        for body in self._walk():
            numbers[body] = len(numbers)
            tree["bodies"].append(self._write_body(body, numbers, root, settings))
        for kind, list_name in LISTS.items():
            tree[list_name] = [self._written(node, root, settings) for node in self._lists[kind] if node._pending is None]
        return tree

    def _make_core(self) -> Any:
        """The library's Spec."""
        try:
            return core._Spec.from_tree(self._make_tree())
        except (TypeError, ValueError, OverflowError) as error:
            raise self._error(str(error)) from error

    def _write_class(self, class_: ClassNode) -> dict[str, Any]:
        values: dict[str, Any] = {"name": "" if class_._parent is None else class_._name,
                                  "parent": -1 if class_._parent is None else self._classes.index(class_._parent)}
        for kind, prototype in class_._prototypes.items():
            if kind in LISTS or kind in PARTS:
                values[kind] = prototype._write()
        return {key: value for key, value in values.items() if value is not None}

    def _write_body(self, body: Node, numbers: dict[Node, int], root: dict[str, Any],
                    settings: dict[Any, dict[str, Any]]) -> dict[str, Any]:
        assert body._parts is not None
        values = self._written(body, root, settings)
        values["parent"] = numbers[body._parent] if body._parent is not None else -1
        values["frame"] = frame_order(body._parent).index(body._frame) if body._frame is not None else -1
        frames = frame_order(body)
        places = {frame: place for place, frame in enumerate(frames)}
        places[None] = -1
        for kind in PARTS[1:]:
            written = []
            for node in frames if kind == "frame" else body._parts[kind]:
                each = self._written(node, root, settings)
                each["parent_frame" if kind == "frame" else "frame"] = places[node._frame]
                written.append(each)
            values[kind + "s"] = written
        values["inertial"] = {**values["inertial"], "frame": places.get(body._inertial_frame, -1)}
        return values

    def _compile_core(self) -> tuple[Any, Any]:
        """The library's Spec and its Model, with keyframes that waited for the model made."""
        if self._attached_to is not None:
            raise self._error("cannot compile child spec if attached by reference to a parent spec")
        spec = self._make_core()
        if any(key._pending is not None for key in self._lists["key"]):
            keys.gather(self, spec.compile(True))
            spec = self._make_core()
        model = spec.compile(True)
        self._note_ids()
        return spec, model

    def _note_ids(self) -> None:
        """The places of elements in a model compiled now."""
        self._ids = {node: number for kind in (*PARTS, *self._list_kinds) for number, node in enumerate(self._all(kind))}

    # what a compiled model must agree with

    def _signature(self) -> int:
        """A number that changes with the structure: parents of bodies, and which elements there are."""
        if self._hash[0] != self._edits:
            numbers: dict[Any, int] = {None: -1}
            shape: list[Any] = []
            for body in self._walk():
                numbers[body] = len(numbers)
                shape.append((numbers[body._parent], *(len(parts) for parts in body._parts.values())))
                shape.append([joint._values.get("type") for joint in body._parts["joint"]])
            shape.append([len(self._lists[kind]) for kind in self._list_kinds])
            digest = hashlib.blake2b(repr(shape).encode(), digest_size=8).digest()
            self._hash = (self._edits, int.from_bytes(digest, "little"))
        return self._hash[1]


def frame_order(body: Node) -> list[Node]:
    """The frames of a body, each after the one that it is in."""
    frames = body._parts["frame"]
    done: set[Any] = {None}
    ordered: list[Node] = []
    waiting = list(frames)
    while waiting:
        ready = [frame for frame in waiting if frame._frame in done]
        if not ready:
            raise Error("a frame is inside itself")
        ordered += ready
        done.update(ready)
        waiting = [frame for frame in waiting if frame not in done]
    return ordered
