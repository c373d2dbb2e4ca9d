"""Fields that MuJoCo's classes have and Torsor's do not, because they belong to features that Torsor lacks.

Programs read every field, so all of them exist: sizes are 0, arrays have the shape that MuJoCo's would have, filled with
0, or with -1 where they are indices and addresses. Reading one twice gives the same object, as programs with weak references
to arrays need. A few are computed from what Torsor has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from torsor._core import _mujoco
from torsor.mujoco import _names, _solver_arrays

_SPRING, _DAMPER = (1 << bit for bit in (5, 6))  # of mjtDisableBit
INDICES = ("adr", "id", "ind", "plugin", "island")  # endings of names whose empty value is -1


# fields of MuJoCo 3 that 4.0 dropped and packages still read, as in _names.FIELDS
OLDER = {
    "MjModel": "flex_vertedge:int32:nflexedge:2 flex_vertedgeadr:int32:nflexvert flex_vertedgenum:int32:nflexvert "
               "flex_vertmetric:float64:nflexvert:4 flexvert_J_colind:int32:nJfv:2 flexvert_J_rowadr:int32:nflexvert:2 "
               "flexvert_J_rownnz:int32:nflexvert:2 nJfv:int",
    "MjData": "flexvert_J:float64:nJfv:2 flexvert_length:float64:nflexvert:2",
}


def _size(owner: Any, extent: str) -> int:
    """A number, a size of the model, or a product of these."""
    if extent.isdigit():
        return int(extent)
    if extent in _names.CONSTANTS:
        return int(_names.CONSTANTS[extent])
    if "*" in extent:
        return int(numpy.prod([_size(owner, part.strip()) for part in extent.split("*")]))
    size = getattr(owner, extent, None)
    if size is None:
        size = getattr(getattr(owner, "model", None), extent, 0)
    return int(size)


def kept(owner: Any, name: str, array: numpy.ndarray) -> numpy.ndarray:
    """The array that was read before, with new contents, where its shape allows."""
    before = owner._kept.get(name)
    if before is None or before.shape != array.shape:
        owner._kept[name] = array
        return array
    before.flags.writeable = True
    before[...] = array
    before.flags.writeable = array.flags.writeable
    return before


def _adhesion(data: Any) -> numpy.ndarray:
    """The part of qfrc_passive that adhesive geoms make."""
    model, force = data.model, numpy.zeros(data.model.nv)
    disabled = int(model.opt.disableflags)
    if not model.flg_adhesion or (disabled & _SPRING and disabled & _DAMPER):
        return force
    for contact in data.contact:
        for geom, sign in zip(contact.geom, (1, -1), strict=True):
            if contact.efc_address >= 0 and contact.adhesion:
                pull = sign * contact.adhesion * contact.frame[:3]
                _mujoco.mj_applyFT(model, data, pull, numpy.zeros(3), contact.pos, int(model.geom_bodyid[geom]), force)
    return force


# Without sleep everything is awake. Copies, all of them.
_COMPUTED: dict[str, Callable[[Any], Any]] = {
    "nJ": lambda self: self.efc_J.size,
    "qfrc_adhesion": lambda self: kept(self, "qfrc_adhesion", _adhesion(self)),
    **{name: _solver_arrays.getter(name) for name in _solver_arrays.COMPUTED},
    "ntree_awake": lambda self: self.model.ntree,
    "nbody_awake": lambda self: self.model.nbody,
    "nparent_awake": lambda self: self.model.nbody,
    "nv_awake": lambda self: self.model.nv,
    "tree_awake": lambda self: numpy.ones(self.model.ntree, numpy.int32),
    "body_awake": lambda self: numpy.ones(self.model.nbody, numpy.int32),
    "body_awake_ind": lambda self: numpy.arange(self.model.nbody, dtype=numpy.int32),
    "parent_awake_ind": lambda self: numpy.arange(self.model.nbody, dtype=numpy.int32),
    "dof_awake_ind": lambda self: numpy.arange(self.model.nv, dtype=numpy.int32),
}


def _getter(name: str, kind: str, extents: list[str]) -> Callable[[Any], Any]:
    if not extents:
        zero: Any = False if kind == "bool" else 0.0 if kind.startswith("float") else 0
        return lambda self: zero
    if kind == "bytes":
        return lambda self: b""
    empty = -1 if kind == "int32" and name.endswith(INDICES) else 0

    def get(self: Any) -> numpy.ndarray:
        array = self._kept.get(name)
        shape = tuple(_size(self, extent) for extent in extents)
        if array is None or array.shape != shape:
            array = self._kept[name] = numpy.full(shape, empty, dtype=kind)
            array.flags.writeable = array.size == 0  # writing nothing is no error
        return array

    return get


class EqualityData(numpy.ndarray):
    """eq_data, whose rows have 12 numbers since MuJoCo 4.0. Rows of the 11 that it had before can be assigned."""

    def __setitem__(self, key: Any, value: Any) -> None:
        given = numpy.asarray(value)
        if given.ndim and given.shape[-1] == 11 and self.ndim and self.shape[-1] == 12:
            given = numpy.concatenate([given, numpy.zeros((*given.shape[:-1], 1))], axis=-1)
        super().__setitem__(key, given)


def accept_older_equalities(model: Any) -> None:
    """Lets MjModel.eq_data take rows of 11 numbers."""
    field = model.eq_data

    def get(self: Any) -> EqualityData:
        if "eq_data" not in self._kept:
            self._kept["eq_data"] = field.__get__(self).view(EqualityData)
        return self._kept["eq_data"]

    def assign(self: Any, value: Any) -> None:
        get(self)[...] = value

    model.eq_data = property(get, assign, doc="parameters of equality constraints")


def add_missing(owner: type) -> list[str]:
    """Adds what the class lacks as properties; returns their names."""
    added = []
    for row in (_names.FIELDS[owner.__name__] + " " + OLDER[owner.__name__]).split():
        name, kind, *extents = row.split(":")
        if hasattr(owner, name):
            continue
        if kind == "object":
            continue
        if name in _COMPUTED:
            setattr(owner, name, property(_COMPUTED[name], doc="computed when it is read: a copy"))
            continue
        setattr(owner, name, property(_getter(name, kind, extents), doc="of a feature that Torsor does not have"))
        added.append(name)
    return added
