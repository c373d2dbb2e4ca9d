"""Many worlds of one model, stepped together on a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from numpy import float64
from numpy.typing import ArrayLike, DTypeLike, NDArray

from torsor import _core
from torsor._batch_arguments import alias, broadcast, integer, numbers, scalar_of, thread_count, whole, world_count
from torsor._batch_element import NamedElements
from torsor._batch_fields import FieldsAsAttributes
from torsor._batch_names import DATA_FIELDS, MODEL_FIELDS, not_in_data, not_in_model
from torsor._batch_worlds import WorldNumbers
from torsor._core import BatchStage, Data, Model, StateBit
from torsor._device_array import DeviceArray
from torsor._devices import card_number, stream_handle
from torsor._error import Error

Array = NDArray[numpy.floating[Any]]
# On a card; the processor's memory, which only tests step in with this class, needs no class of its own.
AnyArray = DeviceArray | NDArray[Any]


class DeviceBatch(NamedElements, WorldNumbers, FieldsAsAttributes):
    """Many worlds of one model, stepped together on an NVIDIA card: what torsor.Batch(model, n, device="cuda") returns.

    State, inputs and results stay in the memory of the card. bind("qpos") is a DeviceArray, which PyTorch, CuPy and JAX use
    without a copy; get() and set() copy from and to NumPy. Everything else has the names of torsor.Batch.

    >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
    >>> batch.ctrl = numpy.zeros((8, model.nu))
    >>> batch.step(10)
    >>> batch.get("qpos").shape
    (8, 2)
    """

    _core: Any

    def __init__(self, model: Model, nworld: int, dtype: DTypeLike | None = None, *, device: Any = "cuda",
                 body_forces: bool = False):
        """All worlds in the reference pose of the model. dtype is "float32", if not given, or "float64", which is slower.

        A model with parts that worlds on a card cannot have raises torsor.Error, which lists them, and so do a card that is
        not there and worlds that do not fit into its memory. body_forces is that of torsor.Batch: cacc, cfrc_int and cfrc_ext
        are computed even if no sensor needs them.
        """
        scalar = scalar_of("float32" if dtype is None else dtype)
        nworld = world_count(model, nworld)
        card = card_number(device)
        if card is None:
            raise ValueError("device 'cpu' is torsor.Batch")
        set_own = object.__setattr__
        set_own(self, "_model", model)
        set_own(self, "_core", _core._DeviceBatch(model, nworld, scalar == float64, card))
        set_own(self, "_dtype", scalar)
        set_own(self, "_bound", {})
        set_own(self, "_scratch", {})
        if body_forces:
            self._core.report_body_forces(True)

    # --- sizes and counters ------------------------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        """the model that all worlds share"""
        return self._model

    @property
    def nworld(self) -> int:
        """number of worlds"""
        return self._core.nworld

    @property
    def dtype(self) -> numpy.dtype:
        """type of the numbers that worlds are stepped in"""
        return self._dtype

    @property
    def device(self) -> str:
        """name of the card, such as 'cuda:0'"""
        return self._core.device

    @property
    def bytes_per_world(self) -> int:
        """memory that one world takes on the card"""
        return self._core.bytes_per_world

    @property
    def steps(self) -> AnyArray:
        """how many steps each world has taken, resets included; a live array"""
        return self._counter("steps", self._core.steps_taken)

    @property
    def diverged_at(self) -> AnyArray:
        """the value of `steps` when the numbers of a world last went bad, -1 if they did not; a live array"""
        return self._counter("diverged_at", self._core.diverged_at)

    @property
    def diverged(self) -> NDArray[numpy.bool_]:
        """worlds whose numbers became NaN or huge since reset() was last called for them; a NumPy array"""
        return numpy.asarray(self.diverged_at) >= 0

    @property
    def resets(self) -> int:
        """how often a world was reset because its numbers blew up"""
        return self._core.resets

    @property
    def growths(self) -> int:
        """how often a step had to make room for more contacts or rows"""
        return self._core.growths

    @property
    def contact_capacity(self) -> int:
        """contacts per world that there is room for now"""
        return self._core.contact_capacity

    @property
    def row_capacity(self) -> int:
        """constraint rows per world that there is room for now"""
        return self._core.row_capacity

    def plan(self) -> list[BatchStage]:
        """The stages of step() in order.

        >>> torsor.DeviceBatch(model, 8, device="cuda").plan()[0].stage
        'kinematics'
        """
        return self._core.plan()

    def __repr__(self) -> str:
        name = self._model.names.split(b"\0", 1)[0].decode(errors="replace")
        return f"<DeviceBatch of '{name}': nworld {self.nworld}, {self._dtype} on {self.device}>"

    # --- arrays ------------------------------------------------------------------------------------------------------

    def bind(self, field: str) -> AnyArray:
        """A live array of a field of Data, (nworld, ...), on the card: the same array each time.

        State and inputs are what the next call starts from: write into them, through another library or with
        array[:] = values. Other fields are results, which step() and forward() write from now on; after step() they belong to
        the state before the last step. Until the next call they are 0.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> xpos = batch.bind("xpos")
        >>> batch.qvel = 0.5                         # the same as batch.bind("qvel")[:] = 0.5
        >>> batch.step()
        >>> xpos.shape
        (8, 3, 3)
        """
        array = self._bound.get(field)
        if array is None:
            if field not in DATA_FIELDS:
                raise Error(not_in_data(field))
            array = self._bound[field] = self._wrap(self._core.bind(field), field)
        return array

    def get(self, field: str, out: Array | None = None) -> Array:
        """A field of all worlds, as a copy on the processor. A result is bound by this, see bind().

        >>> torsor.DeviceBatch(model, 8, device="cuda").get("time").shape
        (8,)
        """
        self._require_field(field)
        values = self._core.get(field, out)
        return values if out is not None else values.astype(self._dtype, copy=False)

    def set(self, field: str, values: ArrayLike) -> None:
        """Sets a field of state or input of all worlds from the processor.

        >>> torsor.DeviceBatch(model, 2, device="cuda").set("qpos", [[0, 0], [0.1, 0.2]])
        """
        self._require_field(field)
        self._core.set(field, values)

    def __getattr__(self, name: str) -> Any:
        from torsor._batch import Batch

        if name not in DATA_FIELDS and not name.startswith("_") and hasattr(Batch, name):
            raise AttributeError(f"'DeviceBatch' object has no attribute '{name}', which batches on the processor have")
        return super().__getattr__(name)

    # --- steps -------------------------------------------------------------------------------------------------------

    def step(self, n: int | None = None, stream: Any = None, *, ctrl: Any = None, controls: Any = None, ids: Any = None,
             nstep: int | None = None) -> None:
        """Advances every world, or those in ids, by n steps (default 1).

        Inputs are held; ctrl, if given, is copied into them first. Or they are given step by step: controls is
        (worlds, n, nu), on the card or on the processor, where dimensions of length 1 are repeated; the last ones stay in
        ctrl. ids are numbers of worlds or a mask, which may be on the card. nstep is another name of n.

        stream is a CUDA stream of PyTorch, CuPy or another library, or its address: the steps follow the work that it holds.
        The call returns when the card has finished. A world with bad numbers is reset, as in torsor.Batch. Ctrl-C ends a long
        call with KeyboardInterrupt, between two steps.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.step(5)
        >>> batch.step(ids=[0, 1])
        >>> numpy.asarray(batch.steps).tolist()
        [6, 6, 5, 5, 5, 5, 5, 5]
        """
        steps, handle = self._steps(n, nstep), stream_handle(stream)
        if ctrl is not None and controls is not None:
            raise TypeError("ctrl and controls both give controls: give one of them")
        worlds = self._chosen(ids, handle)
        if controls is not None:
            controls = self._array("controls", controls, (self._count(worlds), steps, self._model.nu), handle)
        if ctrl is not None:
            self._assign("ctrl", ctrl, handle)
        if controls is None and worlds is None:
            self._core.step(steps, handle)
        else:
            self._core.run(steps, controls, int(StateBit.CTRL), [], self._rows(worlds, handle), handle)

    def rollout(self, n: int | None = None, controls: Any = None, *, control_signature: int = StateBit.CTRL,
                record: Sequence[str] = ("qpos",), ids: Any = None, stream: Any = None,
                nstep: int | None = None) -> dict[str, AnyArray]:
        """Advances the worlds by n steps and records fields of Data after each: {field: (worlds, n, ...)}, on the card.

        controls is (worlds, n, ncontrol), of the inputs in control_signature, on the card or on the processor; n may be left
        out. Recorded results belong to the state before each step, as after step(). See step() for ids and stream.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> found = batch.rollout(20, record=["qpos", "xpos"])
        >>> found["qpos"].shape, found["xpos"].shape
        ((8, 20, 2), (8, 20, 3, 3))
        """
        handle, shape = stream_handle(stream), getattr(controls, "shape", None)
        if controls is not None and shape is None:
            controls = numbers("controls", controls)
            shape = controls.shape
        if shape is not None and len(shape) == 3 and n is None and nstep is None:
            nstep = int(shape[1])
        steps, worlds = self._steps(n, nstep), self._chosen(ids, handle)
        size = self._count(worlds)
        if controls is not None:
            width = _core.state_size(self._model, int(control_signature))
            controls = self._array("controls", controls, (size, steps, width), handle)
        arrays = {}
        for field in record:
            self._require_field(field)
            arrays[field] = self._core.make_numbers([size, steps, *self._core.shape(field)[1:]])
        self._core.run(steps, controls, int(control_signature), list(arrays.items()), self._rows(worlds, handle), handle)
        return {field: self._wrap(array, field) for field, array in arrays.items()}

    def forward(self, stream: Any = None, *, ids: Any = None) -> None:
        """Forward dynamics of the present state, into the arrays of bound results: of all worlds, or of those in ids, as in
        step().

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> xpos = batch.bind("xpos")
        >>> batch.forward()
        >>> bool(numpy.asarray(xpos).any())
        True
        """
        handle = stream_handle(stream)
        self._core.forward(self._rows(self._chosen(ids, handle), handle), handle)

    def reset(self, mask: Any = None, key: int | str | ArrayLike | None = None, *,
              keyframe: int | str | ArrayLike | None = None, states: ArrayLike | None = None, stream: Any = None,
              **fields: ArrayLike) -> None:
        """Back to the reference pose, or to a keyframe of the model: all worlds, or those in mask.

        mask is an array of bool per world, on the card or on the processor, or numbers of worlds on the processor. keyframe is
        another name of key: one for all, or one for each world of the call, -1 for none. states are rows of
        StateBit.FULLPHYSICS; other fields of state or input can be given by name. These come from the processor, one row for
        all worlds of the call or one for each. Bound results are those of the last call until the next one.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.step(100)
        >>> batch.reset(numpy.arange(8) % 2 == 0, qvel=0.1)
        >>> batch.get("time") > 0
        array([False,  True, False,  True, False,  True, False,  True])
        """
        if key is not None and keyframe is not None:
            raise TypeError("key and keyframe are the same argument: give one of them")
        handle, key = stream_handle(stream), keyframe if key is None else key
        has_keys = key is not None and not isinstance(key, str) and numpy.ndim(key) > 0
        worlds = self._chosen(mask, handle) if fields or states is not None or has_keys else None
        keys = self._keys(key, self._count(worlds)) if has_keys else [self._key(key)]
        rows = dict(self._state_rows(states, self._count(worlds)))
        for name, values in fields.items():
            if name not in DATA_FIELDS or not self._core.is_input_or_state(name):
                raise Error(f"'{name}' is not a field of a world's state or input")
            rows[name] = broadcast(name, values, (self._count(worlds), *self._core.shape(name)[1:]))
        for number in numpy.unique(keys) if has_keys else keys:
            if has_keys:
                mask = (numpy.arange(self.nworld) if worlds is None else worlds)[keys == number]
            self._core.reset(None if mask is None else self._mask(mask, handle), int(number), handle)
        where = slice(None) if worlds is None else worlds
        for name, values in rows.items():
            whole = self.get(name)
            whole[where] = values
            self.set(name, whole)

    # --- values per world --------------------------------------------------------------------------------------------

    @property
    def has_values(self) -> bool:
        """whether worlds have values of the model of their own"""
        return self._core.has_values

    def expand(self, field: str) -> AnyArray:
        """Gives a field of the model values per world; returns them, a live array (nworld, ...) on the card.

        Options are called "opt.gravity", "opt.timestep" and so on. Values that no model can have are errors in the next call,
        before any world moves. Derived constants, such as inverse weights, follow with set_const(). Fields that kernels on
        the card do not read per world raise an error.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.expand("body_mass")[:] = numpy.linspace(1, 2, 8)[:, None] * model.body_mass
        >>> batch.expand("opt.gravity")[:] = [0, 0, -1.62]
        >>> batch.step()
        """
        if field not in MODEL_FIELDS and not hasattr(Model, field):
            raise Error(not_in_model(field))
        name = f"expand {field}"
        if name not in self._bound:
            self._bound[name] = self._wrap(self._core.expand(field, list(self._value_shape(field))), field)
        return self._bound[name]

    def expanded(self, field: str) -> NDArray[Any] | None:
        """The values per world of a field of the model, as a copy on the processor; None if all worlds share them.

        >>> torsor.DeviceBatch(model, 8, device="cuda").expanded("body_mass") is None
        True
        """
        if field not in MODEL_FIELDS and not hasattr(Model, field):
            raise Error(not_in_model(field))
        values = self._core.expanded(field)
        return None if values is None else values.reshape(self.nworld, *self._value_shape(field))

    def set_values(self, field: str, values: ArrayLike, ids: ArrayLike | None = None) -> None:
        """Checked values of a field of the model, from the processor, for all worlds or those in ids; see expand().

        values are (worlds, ...), or one for all worlds of the call. Values that no model can have raise torsor.Error,
        which names the world, and nothing changes.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.set_values("body_mass", 2 * model.body_mass, ids=[0, 1])
        """
        if field not in MODEL_FIELDS and not hasattr(Model, field):
            raise Error(not_in_model(field))
        worlds = self._worlds(ids)
        count, size = self._count(worlds), self._core.count_numbers(field)
        rows = broadcast(field, values, (count, *self._value_shape(field))).reshape(count, size)
        self._core.set_values(field, rows, worlds)

    def set_const(self, ids: ArrayLike | None = None, *, threads: int | None = None) -> None:
        """Recomputes the derived constants of all worlds, or of those in ids, from their values; see torsor.set_const().

        The processor computes them, on so many threads. Constants that differ become values per world. Where geom_size
        differs, geom_rbound and geom_aabb follow it.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.body(2).mass = numpy.linspace(1, 2, 8)[:, None]
        >>> batch.set_const()
        >>> batch.expanded("body_subtreemass").shape
        (8, 3)
        """
        self._core.set_const(thread_count(threads, None), self._worlds(ids))

    # --- single worlds, on the processor -----------------------------------------------------------------------------

    def get_data(self, world: int, data: Data | None = None) -> Data:
        """The state and inputs of one world in a Data, a new one or the one given, after forward() on the processor.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.step(10)
        >>> data = batch.get_data(3)
        >>> bool(data.time == batch.get("time")[3])
        True
        """
        index = self._world(world)
        model = self.get_model(index) if self.has_values else self._model
        data = Data(model) if data is None else data
        self._core.get_data(index, model, data)
        return data

    def set_data(self, world: int, data: Data) -> None:
        """Sets state and inputs of one world from a Data of the same model.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> data.time = 0.5
        >>> batch.set_data(3, data)
        >>> float(batch.get("time")[3])
        0.5
        """
        self._core.set_data(self._world(world), data)

    def get_model(self, world: int) -> Model:
        """A copy of the model with the values of one world.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.expand("dof_damping")[:] = 0.25
        >>> float(batch.get_model(7).dof_damping[0])
        0.25
        """
        return self._core.get_model(self._world(world))

    def jac(self, body: int | str | ArrayLike, point: ArrayLike, ids: ArrayLike | None = None, *,
            threads: int | None = None) -> tuple[Array, Array]:
        """Jacobians of a point of a body, as torsor.Batch.jac() returns them: computed on the processor from a copy of the state.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.jac(2, [0.6, 0, 1])[1][0, 1]
        array([1., 1.])
        """
        return self._on_processor().jac(body, point, ids, threads=threads)

    def ray(self, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None = None, flg_static: bool = True,
            bodyexclude: ArrayLike = -1, ids: ArrayLike | None = None, normal: bool = False, *,
            threads: int | None = None) -> tuple[NDArray[Any], ...]:
        """What rays hit, as torsor.Batch.ray() returns it: found on the processor from a copy of the state.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> distance, geom = batch.ray([[0, 0, 10], [5, 5, 10]], [0, 0, -1])
        >>> distance.shape
        (8, 2)
        """
        return self._on_processor().ray(pnt, vec, geomgroup, flg_static, bodyexclude, ids, normal, threads=threads)

    def _on_processor(self) -> Any:
        """The same worlds as a batch on the processor."""
        from torsor._batch import Batch

        twin = self._scratch.get("twin")
        if twin is None:
            twin = self._scratch["twin"] = Batch(self._model, self.nworld)
        for field in DATA_FIELDS:
            if self._core.is_input_or_state(field) and twin._core.is_input_or_state(field):
                twin.set(field, self.get(field))
        for field in self._core.value_names():
            if field in MODEL_FIELDS:
                twin.expand(field)[...] = self.expanded(field)
        return twin

    # --- arguments ---------------------------------------------------------------------------------------------------

    def _wrap(self, core: Any, name: str) -> AnyArray:
        """A DeviceArray, or a NumPy view of the processor's memory."""
        array = DeviceArray(core, name)
        return numpy.from_dlpack(array) if core.device == "host" else array

    def _counter(self, name: str, make: Any) -> AnyArray:
        key = f"counter {name}"
        if key not in self._bound:
            self._bound[key] = self._wrap(make(), name)
        return self._bound[key]

    def _require_field(self, field: str) -> None:
        if field not in DATA_FIELDS:
            raise Error(not_in_data(field))

    def _assign(self, field: str, values: Any, handle: int) -> None:
        array = self.bind(field)
        if isinstance(array, DeviceArray):
            array.copy_from(values, handle)
        else:
            setattr(self, field, values)

    def _mask(self, mask: Any, handle: int) -> Any:
        if not isinstance(mask, DeviceArray) and not hasattr(mask, "__cuda_array_interface__") and not _is_on_card(mask):
            mask = self._host_mask(mask)
        if "mask" not in self._scratch:
            self._scratch["mask"] = DeviceArray(self._core.make_mask(), "mask")
        self._scratch["mask"].copy_from(mask, handle)
        return self._scratch["mask"]._core

    def _host_mask(self, mask: Any) -> NDArray[numpy.bool_]:
        array = numpy.atleast_1d(numpy.asarray(mask))
        if array.dtype == bool:
            if array.shape != (self.nworld,):
                raise ValueError(f"mask: expected shape ({self.nworld},), got {array.shape}")
            return array
        worlds = whole("mask", array if array.size else array.astype(int))
        outside = worlds[(worlds < 0) | (worlds >= self.nworld)]
        if outside.size:
            raise IndexError(f"world {outside[0]} does not exist: the batch has {self.nworld}")
        chosen = numpy.zeros(self.nworld, bool)
        chosen[worlds] = True
        return chosen

    def _steps(self, n: int | None, nstep: int | None) -> int:
        steps = alias("n", n, "nstep", nstep, 1)
        if steps < 0:
            raise ValueError(f"n must not be negative, got {steps}")
        return steps

    def _chosen(self, ids: Any, handle: int) -> NDArray[numpy.int32] | None:
        """Numbers of worlds, from numbers or a mask, which may be on the card."""
        if hasattr(ids, "__cuda_array_interface__") or _is_on_card(ids) or isinstance(ids, DeviceArray):
            self._mask(ids, handle)
            ids = self._scratch["mask"].numpy()
        return self._worlds(ids)

    def _rows(self, worlds: NDArray[numpy.int32] | None, handle: int) -> Any:
        """On the device: which row of a call's arrays belongs to each world, -1 for none."""
        if worlds is None:
            return None
        rows = numpy.full(self.nworld, -1, numpy.int32)
        rows[worlds] = numpy.arange(worlds.size, dtype=numpy.int32)
        if "rows" not in self._scratch:
            self._scratch["rows"] = DeviceArray(self._core.make_rows(), "ids")
        self._scratch["rows"].copy_from(rows, handle)
        return self._scratch["rows"]._core

    def _array(self, name: str, values: Any, shape: tuple[int, ...], handle: int) -> Any:
        """A copy on the device, in the type of the batch."""
        array = DeviceArray(self._core.make_numbers(list(shape)), name)
        if not hasattr(values, "__cuda_array_interface__") and not _is_on_card(values):
            values = broadcast(name, values, shape)
        array.copy_from(values, handle)
        return array._core

    def _values_of(self, field: str) -> Any:
        """The values per world of a field that has some: live, or a copy of those that only set_const() makes."""
        try:
            return self.expand(field)
        except Error:
            return self.expanded(field)

    def _value_shape(self, field: str) -> tuple[int, ...]:
        """Of a field of the model, or of an option, in one world."""
        owner, attribute = (self._model.opt, field[4:]) if field.startswith("opt.") else (self._model, field)
        return numpy.shape(getattr(owner, attribute))

    def _key(self, key: int | str | None) -> int:
        if key is None:
            return -1
        number = self._model.key(key).id if isinstance(key, str) else integer("key", key)
        if not -1 <= number < self._model.nkey:
            raise Error(f"keyframe {number} does not exist: the model has {self._model.nkey} keyframes")
        return number


def _is_on_card(values: Any) -> bool:
    return hasattr(values, "__dlpack_device__") and int(values.__dlpack_device__()[0]) != 1
