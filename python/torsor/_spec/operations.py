"""Operations of the library on a whole model, followed element by element: elements stay the same objects."""

from __future__ import annotations

from typing import Any

import numpy

import torsor._core as core
from torsor._error import Error
from torsor._spec.node import PARTS, Node
from torsor._spec.tree import LISTS, frame_order

PLACES = {"location", "frame", "parent", "parent_frame", *(f"{kind}s" for kind in PARTS)}


def operate(tree: Any, name: str, *arguments: Any) -> Any:
    """Has the library's Spec do something, and does the same to the elements of `tree`. Returns what it returned."""
    if any(key._pending is not None for key in tree._lists["key"]):
        tree._compile_core()  # keyframes are put together
    values = tree._make_tree()
    nodes = number_elements(tree, values)
    library = core._Spec.from_tree(values)
    before = library.tree()
    result = getattr(library, name)(*arguments)
    Followed(tree, nodes, before, library.tree()).take_over()
    return result


def number_elements(tree: Any, values: dict[str, Any]) -> list[Node]:
    """Replaces locations by numbers of elements, from 1. Returns the elements."""
    nodes: list[Node] = []

    def number(node: Node, each: dict[str, Any]) -> None:
        nodes.append(node)
        each["location"] = "", len(nodes), 1

    for body, each in zip(tree._walk(), values["bodies"], strict=True):
        number(body, each)
        for kind in PARTS[1:]:
            for node, part in zip(frame_order(body) if kind == "frame" else body._parts[kind], each[f"{kind}s"], strict=True):
                number(node, part)
    for kind, list_name in LISTS.items():
        for node, each in zip(tree._lists[kind], values[list_name], strict=True):
            number(node, each)
    return nodes


def elements_of(values: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """The values of all elements by number."""
    found = {}
    for body in values["bodies"]:
        for each in (body, *(part for kind in PARTS[1:] for part in body[f"{kind}s"])):
            found.setdefault(each["location"][1], each)
    for list_name in LISTS.values():
        for each in values[list_name]:
            found[each["location"][1]] = each
    return found


def same(a: Any, b: Any) -> bool:
    """Whether values of the library's Spec are equal; NaN stands for a number that was left open."""
    if isinstance(a, numpy.ndarray) or isinstance(b, numpy.ndarray):
        return numpy.array_equal(a, b, equal_nan=numpy.asarray(a).dtype.kind == "f")
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b) or (a != a and b != b)


class Followed:
    """The elements of a model after an operation: places that changed, values that changed, what is gone."""

    def __init__(self, tree: Any, nodes: list[Node], before: dict[str, Any], after: dict[str, Any]) -> None:
        self.tree, self.nodes, self.before, self.after = tree, nodes, before, after
        self.seen: set[Node] = set()

    def take_over(self) -> None:
        bodies: list[Any] = []
        for values in self.after["bodies"]:
            bodies.append(self.take_body(values, bodies))
        for kind, list_name in LISTS.items():
            self.tree._lists[kind] = [self.take(values) for values in self.after[list_name]]
        for node in self.nodes:
            if node not in self.seen:
                self.tree._release(node)
        self.take_values()
        self.take_classes()
        self.tree._edits += 1

    def take(self, values: dict[str, Any]) -> Any:
        node = self.nodes[values["location"][1] - 1]
        self.seen.add(node)
        return node

    def take_body(self, values: dict[str, Any], bodies: list[Any]) -> Any:
        body = self.take(values)
        frames = [self.take_frame(each, body) for each in values["frames"]]
        at = {-1: None, **dict(enumerate(frames))}
        for frame, each in zip(frames, values["frames"], strict=True):
            frame._parent, frame._frame = body, at[each["parent_frame"]]
        body._parts = {"body": [], "frame": frames}
        for kind in PARTS[2:]:
            body._parts[kind] = [self.take(each) for each in values[f"{kind}s"]]
            for node, each in zip(body._parts[kind], values[f"{kind}s"], strict=True):
                node._parent, node._frame = body, at[each["frame"]]
        if values["parent"] >= 0:
            body._parent = bodies[values["parent"]]
            body._parent._parts["body"].append(body)
            body._frame = body._parent._parts["frame"][values["frame"]] if values["frame"] >= 0 else None
        body._inertial_frame = at[values["inertial"]["frame"]]
        return body

    def take_frame(self, values: dict[str, Any], body: Any) -> Any:
        node = self.nodes[values["location"][1] - 1]
        if node._kind == "frame":
            return self.take(values)
        made = self.tree._new_frame(node)  # of a body that is gone
        if node._values["childclass"] != "main":
            made._values["childclass"] = node._values["childclass"]
        return made

    def take_values(self) -> None:
        old, new = elements_of(self.before), elements_of(self.after)
        for number, values in new.items():
            node = self.nodes[number - 1]
            if node not in self.seen or same(plain(old[number]), plain(values)):
                continue
            info = node._values.get("info")
            node._read({**values, "location": node._where})
            node._compiler = self.tree._compiler
            if info is not None:
                node._values["info"] = info

    def take_classes(self) -> None:
        for class_, old, new in zip(self.tree._classes, self.before["defaults"], self.after["defaults"], strict=True):
            for kind, prototype in class_._prototypes.items():
                if kind in new and not same(old[kind], new[kind]):
                    prototype._read(new[kind])


def plain(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in PLACES}


def number_of(tree: Any, body: Any) -> int:
    """The place of a body in the library's Spec."""
    for number, each in enumerate(tree._walk()):
        if each is body:
            return number
    raise Error(f"{body!r} is not a body of this model")
