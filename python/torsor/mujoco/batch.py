"""MuJoCo's mujoco.batch: many simulations of one model on threads, with their fields as rows of arrays.

    from torsor.mujoco import batch

    b = batch.Batch(model, nsim=1024, nthread=8)
    qpos, ctrl = b.bind("qpos"), b.bind("ctrl")
    for _ in range(1000):
        ctrl[:] = policy(qpos)
        b.step()

Results are those of a loop over single MjData, to the bit, as MuJoCo promises. torsor.Batch steps several worlds at once
in the lanes of the processor, which is several times as fast and equal up to rounding.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from torsor._core import _mujoco
from torsor._error import Error
from torsor.mujoco import _batch_fields, _callbacks, _enums
from torsor.mujoco._batch_named import Named
from torsor.mujoco._errors import FatalError

Array = NDArray[Any]
_CTRL, _USER = 64, 64 | 128 | 256 | 512 | 1024 | 2048 | 4096
_WARNINGS = 7  # mjNWARNING
_KINDS = ("actuator", "body", "camera", "equality", "geom", "joint", "keyframe", "light", "material", "numeric", "pair",
          "sensor", "site", "tendon")


def __getattr__(name: str) -> Any:
    if name == "DATA_FIELDS":
        return _batch_fields.data_fields()
    if name == "MODEL_FIELDS":
        return _batch_fields.model_fields()
    raise AttributeError(f"module 'torsor.mujoco.batch' has no attribute '{name}'")


class SimulationError(RuntimeError):
    """Some simulations of a call failed: `ids` lists them. They kept their state, and the others ran to the end."""

    def __init__(self, ids: Array, message: str, ncall: int | None = None):
        self.ids = numpy.asarray(ids)
        shown = ", ".join(map(str, self.ids[:10])) + (", ..." if self.ids.size > 10 else "")
        of = "" if ncall is None else f" of {ncall}"
        super().__init__(f"error in {self.ids.size}{of} simulations ({shown}); simulation {self.ids[0]}: {message}")


def _ids(ids: ArrayLike | None, nsim: int) -> NDArray[numpy.int32] | None:
    """Ascending numbers of simulations, from numbers or a mask; None for all of them."""
    if ids is None:
        return None
    array = numpy.asarray(ids)
    if array.dtype == numpy.bool_:
        if array.shape != (nsim,):
            raise ValueError(f"ids: a mask must have shape ({nsim},), got {array.shape}")
        return None if array.all() else numpy.flatnonzero(array).astype(numpy.int32)
    if array.size == 0 and array.ndim == 1:
        return numpy.zeros(0, numpy.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"ids must be a list of integers or a mask, got {array.dtype} of shape {array.shape}")
    for number in array:
        if not 0 <= number < nsim:
            raise ValueError(f"ids must be in [0, {nsim}), got {number}")
    for first, second in zip(array[:-1], array[1:]):
        if first >= second:
            raise ValueError(f"ids must ascend, got {first} before {second}")
    return array.astype(numpy.int32)


def _whole(name: str, values: ArrayLike, low: int, high: int) -> NDArray[numpy.int32]:
    array = numpy.asarray(values)
    if array.dtype.kind not in "iu" or (array < low).any() or (array >= high).any():
        raise ValueError(f"{name} must be integers in [{low}, {high}), got {values}")
    return array.astype(numpy.int32)


def _structural(name: str, values: Any) -> bool:
    """Whether a field of the model is the same in all simulations because it says how elements are connected."""
    del values
    return _batch_fields.is_structural(name)


class _Rows:
    """The engine's object, with checks of the arrays that it writes to."""

    def __init__(self, core: Any, model: Any):
        self._core, self._model = core, model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    def item_shape(self, name: str | None, spec: int) -> tuple[tuple[int, ...], numpy.dtype[Any]]:
        """Shape and type of what is recorded in one step."""
        if name is None:
            if spec <= 0 or spec & ~_batch_fields.INTEGRATION:
                raise ValueError(f"{spec} is not a sum of mjtState bits")
            return (_mujoco.mj_stateSize(self._model, spec),), numpy.dtype(numpy.float64)
        if name == "time":
            return (), numpy.dtype(numpy.float64)
        if name not in _batch_fields.data_fields():
            raise ValueError(_batch_fields.no_data_field(name))
        bound = self._core.bind(name)
        return bound.shape[1:], bound.dtype

    def rollout(self, ids: Any, nstep: int, control: Any, spec: int, records: Sequence[Any]) -> None:
        """Records are (name, 0, array) or (None, mjtState, array)."""
        count = self._core.nsim if ids is None else len(ids)
        listed = []
        for name, state, array in records:
            shape, dtype = self.item_shape(name, state)
            wanted = (count, nstep, *shape)
            if (not isinstance(array, numpy.ndarray) or array.shape != wanted or array.dtype != dtype
                    or not array.dtype.isnative or not array.flags.c_contiguous or not array.flags.writeable):
                raise ValueError(f"record {name or state}: expected an array of {dtype} of shape {wanted}")
            if array.size:
                listed.append((None, 1, array) if name == "time" else (name, state, array))
        if control is not None and control.shape != (count, nstep, _mujoco.mj_stateSize(self._model, spec)):
            raise ValueError(f"control: expected shape {(count, nstep, _mujoco.mj_stateSize(self._model, spec))}")
        self._core.rollout(ids, nstep, control, spec, listed)


class Batch:
    """nsim simulations of a copy of a model, on nthread threads (0: one per processor core).

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
    >>> b = torsor.mujoco.batch.Batch(model, nsim=4, nthread=2)
    >>> b.qvel = [[0], [1], [2], [3]]
    >>> b.step(nstep=10)
    >>> b.bind("qpos").shape
    (4, 1)
    """

    _b: Any

    def __init__(self, model: Any, nsim: int, nthread: int = 0, persistent: bool = False):
        """With persistent=True each simulation has a Data of its own, which models with sleeping trees need."""
        if nsim < 1 or nthread < 0:
            raise ValueError(f"nsim must be at least 1 and nthread not negative, got {nsim} and {nthread}")
        if model.opt.enableflags & int(_enums.make("mjtEnableBit").mjENBL_SLEEP) and not persistent:
            raise ValueError("models with sleep enabled need Batch(..., persistent=True)")
        set_own = object.__setattr__
        threads = nthread or len(os.sched_getaffinity(0))
        core = _mujoco._MjBatch(model, nsim, threads, persistent)
        set_own(self, "_model", core.get_model(0))
        set_own(self, "_scratch", _mujoco.MjData(self._model))
        set_own(self, "_b", _Rows(core, self._model))
        for name in ("_bound", "_expanded"):
            set_own(self, name, {})
        set_own(self, "_models", None)
        for name in ("state", "status", "warning"):
            set_own(self, name, getattr(core, name))
        set_own(self, "warning", self.warning[:, :_WARNINGS])  # the last is our own
        self._take_callbacks()
        if persistent and self._has_callbacks():
            self._run(None, core.forward, 3)

    # --- what there is -----------------------------------------------------------------------------------------------

    @property
    def nsim(self) -> int:
        """number of simulations"""
        return self._b.nsim

    @property
    def nthread(self) -> int:
        """number of threads"""
        return self._b.nthread

    @property
    def nstate(self) -> int:
        """size of a row of `state`"""
        return self._b.nstate

    @property
    def persistent(self) -> bool:
        """whether each simulation has a Data of its own"""
        return self._b.persistent

    @property
    def models(self) -> Any:
        """what set_models() was given, None without"""
        return self._models

    def error(self, sim: int) -> str:
        """Message of the error in a simulation's last call, or ''."""
        return self._b.error(self._sim(sim))

    def __getattr__(self, name: str) -> Any:
        if name in _KINDS:
            return lambda key: Named(self, name, key)
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.bind(name)
        except ValueError as error:
            raise AttributeError(str(error)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _batch_fields.STATE:
            self.bind(name)[...] = value
        elif name in _batch_fields.data_fields():
            raise ValueError(f"'{name}' is computed by every call, so that a write would be lost")
        else:
            raise AttributeError(f"attribute '{name}' of a Batch cannot be set: {_batch_fields.no_data_field(name)}")

    def bind(self, name: str) -> Array:
        """A live array of a field of MjData, (nsim, ...): state and inputs are parts of `state`, others read-only results."""
        array = self._bound.get(name)
        if array is not None:
            return array
        if name not in _batch_fields.data_fields():
            raise ValueError(_batch_fields.no_data_field(name))
        if name in _batch_fields.STATE:
            array = self._state_part(name)
        elif name in ("nA", "nidof"):
            array = numpy.zeros(self.nsim, numpy.int32)
            array.flags.writeable = False
        else:
            array = self._b.bind(name)
        self._bound[name] = array
        return array

    def _state_part(self, name: str) -> Array:
        bit = _batch_fields.STATE[name]
        start = _mujoco.mj_stateSize(self._model, _batch_fields.INTEGRATION & (bit - 1))
        rows = self.state[:, start:start + _mujoco.mj_stateSize(self._model, bit)]
        if name == "time":
            return rows[:, 0]
        return rows.reshape(self.nsim, *getattr(self._scratch, name).shape)

    # --- models ------------------------------------------------------------------------------------------------------

    def expand(self, name: str) -> Array:
        """Gives a field of the model values per simulation; returns them, a live array."""
        if name not in self._expanded:
            self._expanded[name] = self._fatal(self._b.expand, name) if self._b.can_expand(name) else self._shared(name, True)
        return self._expanded[name]

    def expanded(self, name: str) -> Array | None:
        """The values per simulation of a field of the model, read-only, or None if all share them."""
        return self._b.expanded(name) if self._b.can_expand(name) else self._shared(name, False)

    def _shared(self, name: str, create: bool) -> Array:
        """Values per simulation of what says how the model is connected: a simulation whose values differ from the model's fails."""
        if not _batch_fields.is_shared(name):
            raise ValueError(_batch_fields.no_model_field(name))
        return self._b.share(name, create)

    def set_const(self, ids: ArrayLike | None = None) -> None:
        """mj_setConst of each simulation; what it derives becomes values per simulation."""
        self._run(_ids(ids, self.nsim), self._b.set_const)

    def set_models(self, models: Any) -> None:
        """Runs simulation i on models[i], or all on one model, in place of the batch's; None ends that."""
        chosen = models
        if models is None:
            listed: list[Any] = []
        elif isinstance(models, _mujoco.MjModel):
            listed = [models] * self.nsim
        else:
            listed = list(models)
            chosen = tuple(listed)
            if len(listed) != self.nsim:
                raise ValueError(f"models: expected one per simulation, {self.nsim}, got {len(listed)}")
        self._fatal(self._b.set_models, listed)
        object.__setattr__(self, "_models", chosen)

    def get_model(self, sim: int, model: Any = None) -> Any:
        """The model of one simulation, new or written into the one given."""
        index = self._sim(sim)
        if model is None:
            return self._b.get_model(index)
        self._fatal(self._b.get_model_into, index, model)
        return model

    def get_data(self, sim: int, data: Any = None) -> Any:
        """The state of one simulation as an MjData, new or the one given; of a persistent batch with its results."""
        index = self._sim(sim)
        given = _mujoco.MjData(self._model) if data is None else data
        self._fatal(self._b.get_data, index, given)
        return given

    # --- calls -------------------------------------------------------------------------------------------------------

    def step(self, ids: ArrayLike | None = None, nstep: int = 1, stage: int = 0) -> None:
        """nstep calls of mj_step, then the stages of forward dynamics up to `stage` at the new state."""
        self._run(_ids(ids, self.nsim), self._b.step, int(nstep), int(stage))

    def forward(self, ids: ArrayLike | None = None, stage: int = 3) -> None:
        """The stages of forward dynamics up to `stage`, by default mj_forward."""
        self._run(_ids(ids, self.nsim), self._b.forward, int(stage))

    def reset(self, ids: ArrayLike | None = None, keyframe: ArrayLike = -1, stage: int = 3) -> None:
        """Back to the defaults of the model, or to keyframes, one for all or one each; then the stages."""
        worlds = _ids(ids, self.nsim)
        keys = _whole("keyframe", keyframe, -1, self._model.nkey)
        count = self.nsim if worlds is None else worlds.size
        if keys.ndim > 0 and keys.shape != (count,):
            raise ValueError(f"keyframe: expected one, or one for each of {count} simulations, got shape {keys.shape}")
        self._run(worlds, self._b.reset, numpy.ascontiguousarray(numpy.broadcast_to(keys, count)), int(stage))

    def rollout(self, nstep: int, control: ArrayLike | None = None, control_spec: int = _CTRL,
                record: Sequence[str | int] = ("qpos",), ids: ArrayLike | None = None,
                out: dict[Any, Array] | None = None) -> dict[Any, Array]:
        """nstep steps with the inputs in control before each; returns fields or state vectors after each, (n, nstep, ...).

        A simulation whose warnings rise stops, and its last records are repeated.
        """
        worlds = _ids(ids, self.nsim)
        count = self.nsim if worlds is None else worlds.size
        spec = int(control_spec)
        if spec & ~_USER:
            raise ValueError(f"control_spec must consist of bits of mjSTATE_USER, got {spec}")
        rows = None
        if control is not None:
            width = _mujoco.mj_stateSize(self._model, spec)
            rows = numpy.ascontiguousarray(control, dtype=float)
            if rows.shape != (count, nstep, width):
                raise ValueError(f"control: expected shape {(count, nstep, width)}, got {rows.shape}")
        found, records = {}, []
        for item in record:
            name, state = (item, 0) if isinstance(item, str) else (None, int(item))
            shape, dtype = self._b.item_shape(name, state)
            given = (out or {}).get(item)
            found[item] = numpy.zeros((count, nstep, *shape), dtype) if given is None else given
            records.append((name, state, found[item]))
        self._run(worlds, self._b.rollout, int(nstep), rows, spec, records)
        return found

    def jac(self, body: ArrayLike, point: ArrayLike, ids: ArrayLike | None = None) -> tuple[Array, Array]:
        """Jacobians of a point of a body in world coordinates, of each simulation: jacp and jacr, (n, 3, nv) each."""
        worlds = _ids(ids, self.nsim)
        count = self.nsim if worlds is None else worlds.size
        bodies = numpy.ascontiguousarray(numpy.broadcast_to(_whole("body", body, 0, self._model.nbody), count))
        points = numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(point, dtype=float), (count, 3)))
        jacp, jacr = numpy.zeros((count, 3, self._model.nv)), numpy.zeros((count, 3, self._model.nv))
        self._run(worlds, self._b.jac, bodies, points, jacp, jacr)
        return jacp, jacr

    def ray(self, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None = None, flg_static: bool = True,
            bodyexclude: ArrayLike = -1, ids: ArrayLike | None = None, normal: bool = False) -> tuple[Array, ...]:
        """What rays hit in each simulation: distances and geoms, (n, nray) each, -1 for none; with normal, normals too."""
        worlds = _ids(ids, self.nsim)
        count = self.nsim if worlds is None else worlds.size
        points, directions = numpy.atleast_2d(numpy.asarray(pnt, float)), numpy.atleast_2d(numpy.asarray(vec, float))
        nray = max(points.shape[-2], directions.shape[-2])
        shape = (count, nray, 3)
        points, directions = (numpy.ascontiguousarray(numpy.broadcast_to(each, shape)) for each in (points, directions))
        exclude = _whole("bodyexclude", bodyexclude, -1, self._model.nbody)
        excluded = numpy.ascontiguousarray(numpy.broadcast_to(exclude, shape[:2]))
        groups = None if geomgroup is None else [bool(flag) for flag in numpy.asarray(geomgroup).reshape(6)]
        dist, geomid, normals = numpy.zeros(shape[:2]), numpy.zeros(shape[:2], numpy.int32), numpy.zeros(shape)
        self._run(worlds, self._b.ray, points, directions, groups, bool(flg_static), excluded, dist, geomid, normals)
        return (dist, geomid, normals) if normal else (dist, geomid)

    # --- arguments ---------------------------------------------------------------------------------------------------

    def _sim(self, sim: int) -> int:
        if not 0 <= sim < self.nsim:
            raise IndexError(f"sim must be in [0, {self.nsim}), got {sim}")
        return int(sim)

    def _fatal(self, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Error as error:
            raise FatalError(str(error)) from None

    def _run(self, ids: NDArray[numpy.int32] | None, function: Any, *arguments: Any) -> None:
        self._take_callbacks()
        self._fatal(function, ids, *arguments)
        called = numpy.arange(self.nsim) if ids is None else ids
        failed = called[self.status[called] != 0]
        if failed.size:
            raise SimulationError(failed, self._b.error(int(failed[0])), called.size)

    def _has_callbacks(self) -> bool:
        return any(_callbacks._set.get(name) is not None for name in _callbacks._NAMES)

    def _take_callbacks(self) -> None:
        """Threads of a batch cannot call Python functions; those of ctypes pass for functions of the system."""
        for name in ("mjcb_control", "mjcb_passive", "mjcb_contactfilter", "mjcb_act_dyn", "mjcb_act_gain",
                     "mjcb_act_bias", "mjcb_sensor"):
            callback = _callbacks._set.get(name)
            can_run = isinstance(callback, ctypes._CFuncPtr) and name in ("mjcb_control", "mjcb_passive")
            if callback is not None and not can_run:
                raise ValueError(f"{name} is a Python function, which the threads of a batch cannot call")
        self._b.set_callbacks(_callbacks._set.get("mjcb_control"), _callbacks._set.get("mjcb_passive"))
