"""Archives of models with their files, and MjSpec.encode()."""

from __future__ import annotations

import io
import os
import posixpath
import zipfile
from typing import Any

from torsor._spec.archive import find_root
from torsor.mujoco import _spec_textures


def read(kind: Any, file: Any) -> Any:
    """The model in an archive, given as a path, as bytes or as a file object."""
    name = os.fspath(file) if isinstance(file, (str, os.PathLike)) else getattr(file, "name", "")
    source = io.BytesIO(file) if isinstance(file, bytes) else file
    try:
        with zipfile.ZipFile(source) as archive:
            files = {each.filename: archive.read(each) for each in archive.infolist() if not each.is_dir()}
    except FileNotFoundError:
        raise
    except (OSError, zipfile.BadZipFile) as error:
        raise ValueError(f"Error: cannot read the archive '{name}': {error}") from error
    root = find_root(files, os.path.splitext(os.path.basename(str(name)))[0])
    if root is None:
        raise ValueError("Error: the archive has no model: no file of it ends in .xml")
    folder = posixpath.dirname(root)
    inside = {posixpath.relpath(each, folder) if folder else each: contents for each, contents in files.items() if each != root}
    return kind.from_string(files[root].decode(), assets=inside)


def from_zip(file: Any) -> Any:
    """The MjSpec in an archive that to_zip() wrote: a path or a file object.

    >>> torsor.mujoco.to_zip(torsor.mujoco.MjSpec(), str(folder / "empty.zip"))
    >>> torsor.mujoco.from_zip(str(folder / "empty.zip")).compile().nbody
    1
    """
    from torsor.mujoco._specs import MjSpec

    return read(MjSpec, file)


def to_zip(spec: Any, file: Any) -> None:
    """Writes an MjSpec with its files as an archive: a path or a file object.

    >>> torsor.mujoco.to_zip(torsor.mujoco.MjSpec(), str(folder / "empty.zip"))
    """
    write(spec, file)


def write(spec: Any, file: Any, root: str | None = None) -> None:
    """Writes the model, as `root` or under its own name, and all its files. Files on the disk are found where the model looks for them."""
    contents = dict(spec._files())
    for kind in ("mesh", "hfield", "texture"):
        for node in spec._lists[kind]:
            for name in [node._values["file"], *node._values.get("cubefiles", ())]:
                add_file(spec, node, name, contents)
    pixels = {_spec_textures.data_file(each._name) for each in spec._lists["texture"]}
    text = spec.to_xml()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, each in contents.items():
            if posixpath.basename(name) not in pixels or name in text:
                archive.writestr(name, each)
        archive.writestr(root or f"{posixpath.basename(spec.modelname) or 'model'}.xml", text)


def add_file(spec: Any, node: Any, name: str, contents: dict[str, bytes]) -> None:
    folder = node._compiler.texturedir if node._kind == "texture" else node._compiler.meshdir
    path = os.path.join(folder, name)
    if not name or path in contents or name in contents:
        return
    if os.path.isabs(path):
        raise ValueError(f"Error: '{path}' cannot be put into an archive: its path is absolute")
    try:
        with open(os.path.join(node._compiler._base, path), "rb") as file:
            contents[path] = file.read()
    except OSError as error:
        raise ValueError(f"Error: cannot read '{path}': {error}") from error


def encode(spec: Any, filename: Any, model: Any, content_type: str | None) -> int:
    import torsor.mujoco as mujoco

    name = os.fspath(filename)
    ending = os.path.splitext(name)[1].lower()
    ending = {"text/xml": ".xml", "application/xml": ".xml", "application/zip": ".zip"}.get(content_type or "", ending)
    if ending in (".xml", ".mjz", ".zip"):
        source = spec
        if model is not None:
            source = spec.copy()
            source.copy_back(model)
        source.to_file(name) if ending == ".xml" else write(source, name, "model.xml")
    elif ending in (".mjb", ".txt"):
        if model is None:
            raise mujoco.FatalError(f"encode: '{name}' needs a compiled model")
        mujoco.mj_saveModel(model, name, None) if ending == ".mjb" else mujoco.mj_printModel(model, name)
    else:
        raise mujoco.FatalError(f"encode: no encoder writes '{name}'")
    return os.path.getsize(name)
