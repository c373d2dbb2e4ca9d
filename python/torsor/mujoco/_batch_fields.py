"""Which fields a mujoco.batch.Batch binds and expands, and what is said about other names."""

from __future__ import annotations

import difflib
import functools

import numpy

import torsor
from torsor._core import _mujoco
from torsor.mujoco import _names

# state and inputs in the order of a row of Batch.state, with the bit of mjtState
STATE = {"time": 1, "qpos": 2, "qvel": 4, "act": 8, "history": 16, "qacc_warmstart": 32, "ctrl": 64, "qfrc_applied": 128,
         "xfrc_applied": 256, "eq_active": 512, "mocap_pos": 1024, "mocap_quat": 2048, "userdata": 4096, "plastic": 1 << 14}
INTEGRATION = sum(STATE.values()) | 1 << 13
# of what MuJoCo keeps in its arena, whose size changes from step to step
_ARENA = ("efc_", "contact", "iefc_", "island_", "tree_island", "dof_island", "map_")
_ASSETS = ("mesh_", "skin_", "hfield_", "tex_", "bvh_child", "oct_", "flex_")
_STRUCTURAL = ("adr", "num", "id", "type", "parentid", "rownnz", "colind", "map", "dim", "sameframe", "simple")


@functools.cache
def _empty() -> _mujoco._MjBatch:
    return _mujoco._MjBatch(_mujoco.MjModel.from_xml_string("<mujoco/>"), 1, 1, False)


@functools.cache
def data_fields() -> frozenset[str]:
    """Names that bind() takes."""
    return frozenset({*STATE, *torsor.field_names("data"), *_mujoco._MjBatch.counts(), "nA", "nidof"})


@functools.cache
def model_fields() -> frozenset[str]:
    """Names that expand() takes."""
    options = [f"opt.{name}" for name in dir(_mujoco_option()) if not name.startswith("_")]
    return frozenset(name for name in [*torsor.field_names("model"), *options] if _empty().can_expand(name))


def _mujoco_option() -> torsor.Option:
    return torsor.Option()


def is_structural(name: str) -> bool:
    """Whether a field of the model says how its elements are connected."""
    return name not in model_fields() and name.endswith(_STRUCTURAL) and not name.endswith("contype")


@functools.cache
def is_shared(name: str) -> bool:
    """Whether a field is one of whole numbers that all simulations must have in common."""
    if name not in torsor.field_names("model") or name.startswith(_ASSETS):
        return False
    values = getattr(_mujoco.MjModel.from_xml_string("<mujoco/>"), name)
    return isinstance(values, numpy.ndarray) and values.dtype == numpy.int32


def _counts() -> list[str]:
    return sorted({"nA", "nidof", *(name for name in _mujoco._MjBatch.counts() if name.startswith("n"))})


def _nearest(name: str, names: frozenset[str]) -> str:
    found = difflib.get_close_matches(name, sorted(names), 1)
    return f"; did you mean '{found[0]}'?" if found else ""


def no_data_field(name: str) -> str:
    """Why bind() does not take a name."""
    if name in model_fields():
        return f"'{name}' is a field of MjModel: use expand('{name}')"
    if f"opt.{name}" in model_fields():
        return f"'{name}' is an option: use expand('opt.{name}')"
    scalars = [row.split(":")[0] for row in _names.FIELDS["MjData"].split() if row.count(":") == 1]
    if name in scalars:
        return f"'{name}' cannot be bound; scalars bind() accepts: {', '.join(_counts())}"
    if name.startswith(_ARENA):
        return f"'{name}' cannot be bound: it is in the arena of MjData, and its size changes"
    return f"'{name}' is not a field of MjData" + _nearest(name, data_fields())


def no_model_field(name: str) -> str:
    """Why expand() does not take a name."""
    if name in data_fields():
        return f"'{name}' is a field of MjData: use bind('{name}')"
    if f"opt.{name}" in model_fields():
        return f"'{name}' is an option: use expand('opt.{name}')"
    if name.startswith(_ASSETS):
        return f"'{name}' is asset data, which all simulations share"
    if name in torsor.field_names("model"):
        return f"'{name}' is structural: it is the same in all simulations"
    return f"'{name}' is not a field of MjModel" + _nearest(name, model_fields())
