"""Many worlds of one model, stepped together on a card."""

from __future__ import annotations

from typing import Any

import numpy
from numpy import float64
from numpy.typing import ArrayLike, DTypeLike, NDArray

from torsor import _core
from torsor._batch_arguments import integer, scalar_of, whole, world_count
from torsor._batch_fields import FieldsAsAttributes
from torsor._batch_names import DATA_FIELDS, MODEL_FIELDS, not_in_data, not_in_model
from torsor._core import BatchStage, Model
from torsor._device_array import DeviceArray
from torsor._devices import card_number, stream_handle
from torsor._error import Error

Array = NDArray[numpy.floating[Any]]
# On a card; the processor's memory, which only tests step in with this class, needs no class of its own.
AnyArray = DeviceArray | NDArray[Any]


class DeviceBatch(FieldsAsAttributes):
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
        not there and worlds that do not fit into its memory.
        """
        scalar = scalar_of("float32" if dtype is None else dtype)
        nworld = world_count(model, nworld)
        card = card_number(device)
        if card is None:
            raise ValueError("device 'cpu' is torsor.Batch")
        if body_forces:
            raise Error("body_forces: worlds on a card compute cacc, cfrc_int and cfrc_ext only where a sensor needs them")
        set_own = object.__setattr__
        set_own(self, "_model", model)
        set_own(self, "_core", _core._DeviceBatch(model, nworld, scalar == float64, card))
        set_own(self, "_dtype", scalar)
        set_own(self, "_bound", {})
        set_own(self, "_scratch", {})

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

    def step(self, n: int = 1, stream: Any = None, *, ctrl: Any = None) -> None:
        """Advances every world by n steps. Inputs are held; ctrl, if given, is copied into them first.

        stream is a CUDA stream of PyTorch, CuPy or another library, or its address: the steps follow the work that it holds.
        The call returns when the card has finished. A world with bad numbers is reset, as in torsor.Batch. Ctrl-C ends a long
        call with KeyboardInterrupt, between two steps.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.step(5)
        >>> numpy.asarray(batch.steps).tolist()
        [5, 5, 5, 5, 5, 5, 5, 5]
        """
        steps, handle = integer("n", n), stream_handle(stream)
        if steps < 0:
            raise ValueError(f"n must not be negative, got {steps}")
        if ctrl is not None:
            self._assign("ctrl", ctrl, handle)
        self._core.step(steps, handle)

    def forward(self, stream: Any = None) -> None:
        """Forward dynamics of the present state, into the arrays of bound results.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> xpos = batch.bind("xpos")
        >>> batch.forward()
        >>> bool(numpy.asarray(xpos).any())
        True
        """
        self._core.forward(stream_handle(stream))

    def reset(self, mask: Any = None, key: int | str | None = None, *, stream: Any = None) -> None:
        """Back to the reference pose, or to a keyframe of the model: all worlds, or those in mask.

        mask is an array of bool per world, on the card or on the processor, or numbers of worlds on the processor. Bound
        results are those of the last call until the next one.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> batch.step(100)
        >>> batch.reset(numpy.arange(8) % 2 == 0)
        >>> batch.get("time") > 0
        array([False,  True, False,  True, False,  True, False,  True])
        """
        handle, keyframe = stream_handle(stream), self._key(key)
        self._core.reset(None if mask is None else self._mask(mask, handle), keyframe, handle)

    # --- values per world --------------------------------------------------------------------------------------------

    def expand(self, field: str) -> AnyArray:
        """Gives a field of the model values per world; returns them, a live array (nworld, ...) on the card.

        Options are called "opt.gravity", "opt.timestep" and so on. Fields that kernels on the card do not read per world raise
        an error; so far these are all. Derived constants, such as inverse weights, do not follow.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")
        >>> try:
        ...     batch.expand("body_mass")
        ... except torsor.Error as error:
        ...     print(error)
        values of 'body_mass' per world are not supported on devices
        """
        if field not in MODEL_FIELDS and not hasattr(Model, field):
            raise Error(not_in_model(field))
        name = f"expand {field}"
        if name not in self._bound:
            owner, attribute = (self._model.opt, field[4:]) if field.startswith("opt.") else (self._model, field)
            self._bound[name] = self._wrap(self._core.expand(field, list(numpy.shape(getattr(owner, attribute)))), field)
        return self._bound[name]

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
        numbers = whole("mask", array if array.size else array.astype(int))
        outside = numbers[(numbers < 0) | (numbers >= self.nworld)]
        if outside.size:
            raise IndexError(f"world {outside[0]} does not exist: the batch has {self.nworld}")
        chosen = numpy.zeros(self.nworld, bool)
        chosen[numbers] = True
        return chosen

    def _key(self, key: int | str | None) -> int:
        if key is None:
            return -1
        number = self._model.key(key).id if isinstance(key, str) else integer("key", key)
        if not -1 <= number < self._model.nkey:
            raise Error(f"keyframe {number} does not exist: the model has {self._model.nkey} keyframes")
        return number


def _is_on_card(values: Any) -> bool:
    return hasattr(values, "__dlpack_device__") and int(values.__dlpack_device__()[0]) != 1
