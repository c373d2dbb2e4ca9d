"""A USD stage in the terms of the engine: metres, kilograms, radians, z up."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from torsor._error import Error
from torsor.usd import _pose
from torsor._losses import Losses


def import_pxr():
    """The modules of usd-core, or an Error that says how to get them."""
    try:
        from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade, Vt
    except ImportError as error:
        raise Error("USD needs the package usd-core: pip install torsor[usd]") from error
    return Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade, Vt


def pxr_errors() -> tuple[type[Exception], ...]:
    """The exceptions that usd-core raises for damaged or contradictory files."""
    import_pxr()
    from pxr import Tf
    return (Tf.ErrorException, Tf.CppException)


# What turns the up axis of a stage to z: y up becomes z up by a quarter turn about x.
UP = {"Z": np.eye(3), "Y": np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])}
LARGEST_LAYER = 2 << 30  # bytes


def shortest(values) -> np.ndarray:
    """Numbers of single precision as the shortest decimals that mean them: 9.81, where USD has 9.8100004."""
    flat = np.asarray(values, dtype=np.float32).ravel()
    return np.array([float(str(number)) for number in flat]).reshape(np.shape(values))


class Stage:
    """A stage with its units. Matrices and lengths that it gives are in metres, with z up."""

    def __init__(self, source: Any):
        self.Gf, self.Sdf, self.Usd, self.UsdGeom, self.UsdPhysics, self.UsdShade, self.Vt = import_pxr()
        self.stage = source if isinstance(source, self.Usd.Stage) else self._open(os.fspath(source))
        self.losses = Losses()
        self.unit = float(self.UsdGeom.GetStageMetersPerUnit(self.stage))
        self.mass_unit = float(self.UsdPhysics.GetStageKilogramsPerUnit(self.stage))
        if not (np.isfinite(self.unit) and self.unit > 0 and np.isfinite(self.mass_unit) and self.mass_unit > 0):
            raise Error(f"{self.name}: metersPerUnit is {self.unit} and kilogramsPerUnit {self.mass_unit}; "
                        "both must be positive")
        up = str(self.UsdGeom.GetStageUpAxis(self.stage))
        if up not in UP:
            raise Error(f"{self.name}: the up axis is '{up}'; it is Y or Z")
        self.turn = UP[up]
        self.up = up
        self.time = self.Usd.TimeCode.EarliestTime()
        self._xforms = self.UsdGeom.XformCache(self.time)

    def _open(self, path: str):
        if not os.path.isfile(path):
            raise Error(f"cannot open '{path}'")
        if os.path.getsize(path) > LARGEST_LAYER:
            raise Error(f"'{path}' has more than {LARGEST_LAYER} bytes")
        try:
            stage = self.Usd.Stage.Open(path)
        except pxr_errors() as error:
            raise Error(f"cannot read '{path}': {first_line(error)}") from error
        if stage is None:
            raise Error(f"cannot read '{path}'")
        for layer in stage.GetUsedLayers():  # usd-core keeps layers that were read before, though the file may have changed
            if not layer.dirty and not layer.anonymous:
                layer.Reload()
        return stage

    @property
    def name(self) -> str:
        return self.stage.GetRootLayer().GetDisplayName() or "stage"

    def prims(self):
        """All prims that are defined and active, those of instances too."""
        return self.Usd.PrimRange(self.stage.GetPseudoRoot(), self.Usd.TraverseInstanceProxies(
            self.Usd.PrimDefaultPredicate))

    def matrix(self, prim) -> np.ndarray:
        """From the prim's space, in metres, to the world; with scale."""
        return self._in_metres(self._xforms.GetLocalToWorldTransform(prim), prim)

    def _in_metres(self, matrix, prim) -> np.ndarray:
        local = np.array(matrix, dtype=float).T
        if not np.isfinite(local).all():
            raise Error(f"{prim.GetPath()}: its transform has numbers that are not finite")
        out = np.eye(4)
        out[:3, :3] = self.turn @ local[:3, :3]
        out[:3, 3] = self.turn @ local[:3, 3] * self.unit
        return out

    # --- values ---

    def get(self, prim, name: str, otherwise=None):
        """The value of an attribute that someone wrote, or `otherwise`."""
        attribute = prim.GetAttribute(name)
        if not attribute or not attribute.HasAuthoredValue():
            return otherwise
        value = attribute.Get(self.time)
        return otherwise if value is None else value

    def number(self, prim, name: str, otherwise: float | None = None) -> float | None:
        value = self.get(prim, name)
        if value is None:
            return otherwise
        try:
            is_single = prim.GetAttribute(name).GetTypeName() in ("float", "half")
            return float(shortest(value)) if is_single else float(value)
        except (TypeError, ValueError):
            raise Error(f"{prim.GetPath()}: '{name}' is not a number") from None

    def label(self, prim) -> str:
        """The name of a prim, or the one that could not be the name of a prim."""
        return str(self.get(prim, "torsor:name", prim.GetName()))

    def targets(self, prim, name: str) -> list:
        """The prims that a relationship leads to."""
        relationship = prim.GetRelationship(name)
        if not relationship:
            return []
        found = (self.stage.GetPrimAtPath(path) for path in relationship.GetForwardedTargets())
        return [target for target in found if target]

    def applied(self, prim) -> set[str]:
        """Names of API schemas, those that are not registered too."""
        return set(map(str, prim.GetPrimTypeInfo().GetAppliedAPISchemas()))

    def has(self, prim, api: str) -> bool:
        return api in self.applied(prim)


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or ["unknown failure"])[0].strip()
