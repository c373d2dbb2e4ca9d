"""Conversion of model files between formats, with a list of what could not be carried over."""

from __future__ import annotations

import dataclasses
import os
import tempfile
import typing

from torsor import _core
from torsor import usd as _usd
from torsor._error import Error
from torsor._losses import Loss, Losses
from torsor._spec.spec import Spec

OF_SPECS = {".xml": "mjcf", ".mjcf": "mjcf", ".mjz": "mjz", ".zip": "mjz"}  # formats that hold a Spec, by ending


@dataclasses.dataclass
class Conversion:
    """What convert() did: formats, files that were written, what was lost, warnings of the reader.

    >>> report = torsor.convert(path, folder / "arm.urdf")
    >>> report.source, report.target
    ('mjcf', 'urdf')
    >>> [loss.what for loss in report.lost if loss.kind == "option"]
    ['URDF has no settings of the simulation, such as the timestep']
    """

    source: str
    target: str
    files: list[str]
    lost: list[Loss]
    warnings: list[_core.Diagnostic]

    def to_dict(self, input: str = "") -> dict[str, typing.Any]:
        """The report as `torsor convert --json` prints it.

        >>> torsor.convert(path, folder / "arm.mjz").to_dict()["to"]
        'mjz'
        """
        return {"input": input, "from": self.source, "to": self.target, "files": self.files,
                "lost": [dataclasses.asdict(loss) for loss in self.lost],
                "warnings": [{"file": warning.file, "line": warning.line, "column": warning.column,
                              "message": warning.message} for warning in self.warnings]}


class UrdfFiles(typing.NamedTuple):
    """What to_urdf() returns: the text, files of meshes by the names in it, and what URDF cannot hold.

    >>> torsor.to_urdf(model).text.startswith("<?xml")
    True
    """

    text: str
    meshes: dict[str, bytes]
    lost: list[Loss]


def to_urdf(model: _core.Model, mesh_folder: str = "meshes") -> UrdfFiles:
    """The model as URDF, in memory. Meshes are OBJ files, called `mesh_folder`/name.obj in the text.

    >>> text, meshes, lost = torsor.to_urdf(model)
    >>> torsor.Model.from_xml_string(text, assets=meshes).nq == model.nq
    True
    """
    text, meshes, lost = _core._to_urdf(model, mesh_folder)
    return UrdfFiles(text, meshes, [Loss(*loss) for loss in lost])


def _from_usd(input: str, output: str) -> Conversion:
    spec, lost = _usd.read(input)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.xml")
        spec.save(path)
        out = _core._convert_file(path, output)
    return Conversion("usd", out["target"], out["files"], lost + [Loss(*loss) for loss in out["lost"]], out["warnings"])


def _to_usd(input: str, output: str, options: dict[str, typing.Any]) -> Conversion:
    if _usd.is_usd(input):
        spec, lost = _usd.read(input)
        model, source = spec.compile(), "usd"
    else:
        model, lost, source = _core.Model.from_xml_path(input, **options), [], _core._format_of(input)
    lost = lost + _usd.save(model, output)
    return Conversion(source, "usd", [output], lost, model.warnings)


def _from_compiled(input: str, output: str, target: str, options: dict[str, typing.Any]) -> Conversion:
    model = _core.Model.from_xml_path(input, **options)
    Spec.from_model(model).save(output)
    losses = Losses()
    losses.add("source", None, "a compiled model has no default classes, no frames and no names of files")
    for number in range(model.nmesh):
        losses.add("mesh", model.mesh(number).name, "written as vertices and faces")
    for number in range(model.ntex):
        losses.add("texture", model.texture(number).name, "a compiled model has no images")
    return Conversion("binary", target, [output], losses.found, model.warnings)


def convert(input: str | os.PathLike, output: str | os.PathLike, *, ignore: str | list[str] = [],
            restrict: list[str] | None = None, memory_limit: int | None = None, base: str | None = None,
            packages: list[str] | None = None, merge_fixed: bool = False) -> Conversion:
    """Write a model file in another format; the ending of `output` says which.

    .xml is MJCF, .urdf URDF, .mjz or .zip an archive of MuJoCo with all files of the model, .usda, .usdc or .usd USD
    (needs usd-core), .torsor a compiled model. A compiled model becomes MJCF by Spec.from_model. The other arguments are those of Model.from_xml_path. Raises torsor.Error,
    without writing anything, if the model cannot be read.

    >>> torsor.convert(path, folder / "arm.urdf").files[0].endswith("arm.urdf")
    True
    """
    input, output = os.fspath(input), os.fspath(output)
    options = {"ignore": ignore, "restrict": restrict, "memory_limit": memory_limit, "base": base, "packages": packages,
               "merge_fixed": merge_fixed}
    if os.path.exists(output) and os.path.exists(input) and os.path.samefile(input, output):
        raise Error(f"'{output}' is the model itself: writing there would destroy it")
    if _usd.is_usd(output):
        return _to_usd(input, output, options)
    if _usd.is_usd(input):
        return _from_usd(input, output)
    target = OF_SPECS.get(os.path.splitext(output)[1].lower())
    if target and _core._format_of(input) == "binary":
        return _from_compiled(input, output, target, options)
    out = _core._convert_file(input, output, **options)
    return Conversion(out["source"], out["target"], out["files"], [Loss(*loss) for loss in out["lost"]], out["warnings"])
