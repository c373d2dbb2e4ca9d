"""Attachment: parts of one model become parts of another, as the same objects, under other names."""

from __future__ import annotations

import os
from typing import Any

from torsor._spec import keys
from torsor._spec.node import PARTS, Node
from torsor._spec.tree import ASSETS, LISTS

# how options of two models are merged: the finer, the larger, or both
FINER = ("timestep", "tolerance", "ls_tolerance", "noslip_tolerance", "ccd_tolerance", "sleep_tolerance")
LARGER = ("iterations", "ls_iterations", "noslip_iterations", "ccd_iterations", "sdf_iterations", "sdf_initpoints")
UNITED = ("disableflags", "enableflags", "disableactuator")
CUSTOM = ("numeric", "text")


def affix(name: str, prefix: str, suffix: str) -> str:
    return f"{prefix}{name}{suffix}" if name else name


def affix_file(file: str, prefix: str, suffix: str) -> str:
    """The name of a file of an attached model, in memory."""
    folder, name = os.path.split(file)
    stem, ending = os.path.splitext(name)
    named = f"{prefix}{stem}{suffix}{ending}"
    if not folder:
        return named
    return f"{folder}/{named}" if prefix else f"{folder}//{named}"


def merge_options(parent: Any, child: Any, standard: Any, policy: str, fail: Any) -> list[str]:
    """Settles options that differ. Returns the names of those that the parent's value stays for."""
    taken: dict[str, Any] = {}
    differing = []
    for name in [each for each in dir(standard) if not each.startswith("_") and not callable(getattr(standard, each))]:
        mine, other, usual = getattr(parent, name), getattr(child, name), getattr(standard, name)
        if equal(mine, other) or equal(other, usual):
            continue
        if name in UNITED:
            if policy == "merge":
                taken[name] = mine | other
            continue
        if equal(mine, usual):
            if policy == "merge":
                taken[name] = other
            continue
        differing.append(name)
        if policy == "error" or (policy == "merge" and name not in FINER + LARGER):
            raise fail(f"conflicting values of the option {name}: {mine} and {other}")
        if policy == "merge":
            taken[name] = min(mine, other) if name in FINER else max(mine, other)
    for name, value in taken.items():
        setattr(parent, name, value)
    return [name for name in differing if name not in taken]


def equal(a: Any, b: Any) -> bool:
    return bool((a == b).all()) if hasattr(a, "all") else bool(a == b)


class Attachment:
    """Moves nodes of one tree into another."""

    def __init__(self, parent: Any, child: Any, prefix: str, suffix: str, is_self: bool) -> None:
        self.parent, self.child, self.prefix, self.suffix, self.is_self = parent, child, prefix, suffix, is_self
        self.moved: dict[tuple[str, str], Node] = {}  # by kind and former name
        self.nodes: list[Node] = []
        self.imports = parent._imports.setdefault((id(child), prefix, suffix), {"child": child})

    def attach(self, tops: list[Node], body: Node, frame: Node | None) -> None:
        """Moves elements with all that is below them into a body, inside a frame."""
        keys.scatter(self.parent)
        keys.scatter(self.child)
        found = self._collect(tops)
        self._check_names(found)
        classes = self._import_classes()
        self._take(found, classes)
        for top in tops:
            if top._frame is None or top._frame not in found:
                top._frame = frame
            top._parent = body
            body._parts[top._kind].append(top)
        self._rename_references()
        self._take_keys()
        self.parent._edits += 1

    def _collect(self, tops: list[Node]) -> dict[Node, None]:
        found: dict[Node, None] = {}
        for top in tops:
            for each in self.child._contents(top) if top._kind == "body" else [top]:
                found[each] = None
        if not self.is_self and "assets" not in self.imports:
            for kind in (*ASSETS, *CUSTOM):
                found.update((node, None) for node in self.child._lists[kind] if node._tree is self.child)
        inside = {(node._kind, node._name) for node in found if node._name}
        for kind in self.parent._list_kinds:
            if kind in (*ASSETS, *CUSTOM, "key"):
                continue
            for node in self.child._lists[kind]:
                references = [(kind_, holder[key]) for holder, key, kind_ in node._references()
                              if kind_ not in ASSETS and (kind_, holder[key]) != ("body", "world")]
                if node._tree is self.child and references and all(each in inside for each in references):
                    found[node] = None
                    inside.add((kind, node._name))
        return found

    def _check_names(self, found: dict[Node, None]) -> None:
        for node in found:
            name = affix(node._name, self.prefix, self.suffix)
            if name and self.parent._find(node._kind, name) is not None:
                raise self.parent._error(f"repeated name '{name}' in {node._kind}")

    def _import_classes(self) -> dict[Any, Any]:
        if self.is_self:
            by_name = {each._name: each for each in self.parent._classes}
            return {each: by_name.get(each._name, self.parent._classes[0]) for each in self.child._classes}
        if "classes" not in self.imports:
            made: dict[Any, Any] = {}
            for each in self.child._classes:
                name = affix(each._name, self.prefix, self.suffix)
                while self.parent._find_class(name) is not None:
                    name += "_"
                made[each] = self.parent._add_class(name, made.get(each._parent))
                for kind, prototype in each._prototypes.items():
                    copy = made[each]._prototypes[kind]
                    copy._values = {key: prototype._fields[key].copy(value) for key, value in prototype._values.items()}
                    for holder, key, _ in copy._references():
                        holder[key] = affix(holder[key], self.prefix, self.suffix)
            self.imports["classes"] = made
        return self.imports["classes"]

    def _take(self, found: dict[Node, None], classes: dict[Any, Any]) -> None:
        names = {each._name: made._name for each, made in classes.items()}
        for node in found:
            self.moved[node._kind, node._name] = node
            self.nodes.append(node)
            name = affix(node._name, self.prefix, self.suffix)
            self.child._forget_name(node)
            node._tree = self.parent
            node._class = classes.get(node._class, self.parent._classes[0])
            if node._values.get("childclass"):
                node._values["childclass"] = names.get(node._values["childclass"], "")
            if self.is_self:
                node._compiler = self.parent._compiler
            self.parent._note_name(node, name)
            node._values["name"] = name
            self.child._names.setdefault(node._kind, {})[name] = node
            if node._kind in LISTS or node._kind not in PARTS:
                self.parent._lists[node._kind].append(node)
        self.imports["assets"] = True

    def _rename_references(self) -> None:
        for node in self.nodes:
            for holder, key, kind in list(node._references()):
                known = (kind, holder[key]) in self.moved
                if known or (kind in ASSETS and not self.is_self and self._is_import(kind, holder[key])):
                    holder[key] = affix(holder[key], self.prefix, self.suffix)

    def _is_import(self, kind: str, name: str) -> bool:
        return self.parent._find(kind, affix(name, self.prefix, self.suffix)) is not None

    def _take_keys(self) -> None:
        for key in self.child._lists["key"]:
            pending = {name: {owner: numbers for owner, numbers in by_owner.items() if owner._tree is self.parent}
                       for name, by_owner in (key._pending or {}).items()}
            if self.is_self or not any(pending.values()) or key._tree is not self.child:
                continue
            copy = type(key)(self.parent, key)
            copy._class, copy._where, copy._pending = self.parent._classes[0], key._where, pending
            copy._values["name"] = ""
            copy._rename(affix(key._name, self.prefix, self.suffix))
            self.parent._lists["key"].append(copy)
