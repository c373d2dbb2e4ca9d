"""Functions of MuJoCo's module about files: the schema of MJCF as text, and the files that a model consists of."""

from __future__ import annotations

import html
import os
import xml.etree.ElementTree as ElementTree
from typing import Any

import torsor
from torsor._core import _mujoco
from torsor.mujoco._errors import FatalError

# elements that refer to a file, and the setting of <compiler> that says where it is
_FOLDERS = {"mesh": "meshdir", "skin": "meshdir", "hfield": "meshdir", "flexcomp": "meshdir", "texture": "texturedir"}
_MODELS = ("include", "model")
_FILES_OF_A_TEXTURE = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")


def mj_printSchema(flg_html: bool, flg_pad: bool) -> str:
    """The elements and attributes of MJCF that Torsor knows, as text or as HTML.

    >>> torsor.mujoco.mj_printSchema(False, False).split("\\n")[0]
    'mujoco (!)  model'
    """
    lines = []
    for path, attributes in torsor.schema().items():
        depth = path.count("/")
        name = path.rsplit("/", 1)[-1] + (" (!)" if depth == 0 else "")
        lines.append((depth, name, [str(attribute) for attribute in attributes]))
    if flg_html:
        rows = (f"<tr><td style='padding-left:{2 * depth}em'>{html.escape(name)}</td><td>{html.escape(', '.join(known))}</td></tr>"
                for depth, name, known in lines)
        return "<table>\n" + "\n".join(rows) + "\n</table>\n"
    width = max(2 * depth + len(name) for depth, name, _ in lines) if flg_pad else 0
    return "\n".join(f"{'  ' * depth}{name}".ljust(width) + (f"  {' '.join(known)}" if known else "")
                     for depth, name, known in lines) + "\n"


def mju_getXMLDependencies(filename: str) -> list[str]:
    """The file and all files that it refers to: included models, meshes, height fields, textures.

    >>> _ = (folder / "ball.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    >>> _ = (folder / "all.xml").write_text("<mujoco><include file='ball.xml'/></mujoco>")
    >>> [name.rsplit("/", 1)[-1] for name in torsor.mujoco.mju_getXMLDependencies(str(folder / "all.xml"))]
    ['all.xml', 'ball.xml']
    """
    found: list[str] = []
    _collect(os.fspath(filename).replace("\\", "/"), {}, found)
    return found


def _collect(file: str, folders: dict[str, str], found: list[str]) -> None:
    """Adds a file of MJCF and what it refers to; `folders` are those that an including file has set."""
    if file in found:
        return
    try:
        root = ElementTree.parse(file).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise torsor.Error(f"{file}: {error}") from None
    found.append(file)
    here = os.path.dirname(file)
    folders = dict(folders)
    for compiler in root.iter("compiler"):
        shared = compiler.get("assetdir")
        for name in ("meshdir", "texturedir"):
            value = compiler.get(name, shared)
            if value is not None:
                folders[name] = value
    for element in root.iter():
        if element.tag in _MODELS and element.get("file"):
            _collect(_join(here, element.get("file", "")), folders if element.tag == "include" else {}, found)
        elif element.tag in _FOLDERS:
            for attribute in _FILES_OF_A_TEXTURE if element.tag == "texture" else ("file",):
                if element.get(attribute):
                    path = _join(_join(here, folders.get(_FOLDERS[element.tag], "")), element.get(attribute, ""))
                    found.extend([path] if path not in found else [])


def _join(folder: str, file: str) -> str:
    return (os.path.join(folder, file) if folder else file).replace("\\", "/").rstrip("/")


def mj_saveLastXML(filename: str, m: Any) -> None:
    """Writes the model that was last loaded from XML as MJCF, with the numbers of `m`, which was loaded from it.

    >>> m = torsor.mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom name='g' size='1'/></worldbody></mujoco>")
    >>> m.geom("g").rgba[:] = [1, 0, 0, 1]
    >>> torsor.mujoco.mj_saveLastXML(str(folder / "last.xml"), m)
    >>> torsor.mujoco.MjModel.from_xml_path(str(folder / "last.xml")).geom("g").rgba
    array([1., 0., 0., 1.], dtype=float32)
    """
    try:
        _mujoco._save_last_xml(filename, m)
    except torsor.Error as error:
        raise FatalError(str(error)) from error


FUNCTIONS = {name: value for name, value in globals().items() if name.startswith(("mj_", "mju_"))}
