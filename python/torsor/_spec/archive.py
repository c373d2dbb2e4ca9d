"""Models in archives with their files, and files of attached models."""

from __future__ import annotations

import os
import posixpath
import zipfile
from typing import Any

from torsor._error import Error

FOLDERS = {"mesh": "meshdir", "hfield": "meshdir", "texture": "texturedir"}


def read(kind: Any, path: Any) -> Any:
    try:
        with zipfile.ZipFile(path) as archive:
            files = {each.filename: archive.read(each) for each in archive.infolist() if not each.is_dir()}
    except (OSError, zipfile.BadZipFile) as error:
        raise Error(f"cannot read the archive '{path}': {error}") from error
    root = find_root(files, os.path.splitext(os.path.basename(str(path)))[0])
    if root is None:
        raise Error(f"the archive '{path}' has no model: no file of it ends in .xml")
    folder = posixpath.dirname(root)
    inside = {posixpath.relpath(each, folder) if folder else each: contents for each, contents in files.items() if each != root}
    return kind.from_xml_string(files[root].decode("utf-8", "replace"), assets=inside)


def find_root(files: dict[str, bytes], stem: str) -> str | None:
    """The model in an archive: by its usual names, otherwise the XML file that is the least deep, and of these the last, as in MuJoCo."""
    for name in ("model.xml", f"{stem}.xml", f"{stem}/{stem}.xml", f"{stem}/model.xml"):
        if name in files:
            return name
    return min((each for each in reversed(files) if each.lower().endswith(".xml")), key=lambda each: each.count("/"), default=None)


def write(spec: Any, path: Any) -> None:
    files = dict(spec.assets)
    base = spec._head["base_dir"]
    for kind, folder in FOLDERS.items():
        for node in spec._lists[kind]:
            for name in names_of_files(node):
                inside = os.path.join(spec.compiler._values[folder], name)
                if inside in files or name in files:
                    continue
                if os.path.isabs(inside) or os.path.normpath(inside).startswith(".."):
                    raise Error(f"'{inside}' cannot be put into an archive: it is outside the folder of the model")
                try:
                    with open(os.path.join(base, inside), "rb") as file:
                        files[inside] = file.read()
                except OSError as error:
                    raise Error(f"cannot read '{inside}': {error}") from error
    text = spec.to_xml()
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("model.xml", text)
            for name, contents in files.items():
                archive.writestr(name, contents)
    except OSError as error:
        raise Error(f"cannot write '{path}': {error}") from error


def names_of_files(node: Any) -> list[str]:
    if node._kind == "texture":
        return [text for name, text in node._values["attributes"].items() if name.startswith("file")]
    return [node._values["file"]] if node._values["file"] else []


def take_files(spec: Any, other: Any) -> None:
    """Files in memory and folders of an attached model."""
    files = spec._head["files"]
    for name, contents in other._head["files"].items():
        if files.setdefault(name, contents) != contents:
            raise Error(f"both models have a file '{name}' in memory, with different contents")
    base, own_base = other._head["base_dir"], spec._head["base_dir"]
    for kind, folder in FOLDERS.items():
        theirs, ours = other._compiler._values[folder], spec._compiler._values[folder]
        if (base, theirs) == (own_base, ours):
            continue

        def moved(file: str, theirs: str = theirs, ours: str = ours) -> str:
            own = os.path.join(own_base, ours)
            where = os.path.join(base, theirs, file)
            return os.path.relpath(where, own) if own else where

        for node in other._lists[kind]:
            if node._tree is not spec or node._compiler is spec._compiler:
                continue
            if kind == "texture":
                attributes = node._values["attributes"]
                attributes.update((name, moved(text)) for name, text in list(attributes.items()) if name.startswith("file"))
            elif node._values["file"]:
                node._values["file"] = moved(node._values["file"])
