"""Arrays in the memory of a card, which PyTorch, CuPy, JAX and others use without copies."""

from __future__ import annotations

import math
from typing import Any

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

from torsor import _core
from torsor._devices import stream_handle
from torsor._error import Error

_KDL_CPU = 1
_LEGACY_STREAM = 1  # how DLPack and __cuda_array_interface__ call the default stream


class DeviceArray:
    """A live array in the memory of a card, as DeviceBatch.bind() returns it.

    Other libraries read and write the same memory, without copies: torch.from_dlpack(array), cupy.from_dlpack(array),
    jax.dlpack.from_dlpack(array). What they make keeps the memory, even after the batch is gone. array.numpy() is a copy on the
    processor. array[:] = values and copy_from(values) overwrite all of it; there are no other operations.

    >>> batch = torsor.DeviceBatch(model, 8, device="cuda")    # needs a card
    >>> qpos = batch.bind("qpos")
    >>> qpos[:] = numpy.zeros((8, 2))
    >>> qpos
    <DeviceArray of shape (8, 2), float32 on cuda:0>
    >>> qpos.numpy().sum()
    np.float32(0.0)
    """

    __slots__ = ("__weakref__", "_core", "_name")

    def __init__(self, core: Any, name: str):
        self._core, self._name = core, name

    @property
    def shape(self) -> tuple[int, ...]:
        """worlds, then the shape of the field in one world"""
        return self._core.shape

    @property
    def ndim(self) -> int:
        """number of dimensions"""
        return len(self._core.shape)

    @property
    def size(self) -> int:
        """number of elements"""
        return math.prod(self._core.shape)

    @property
    def dtype(self) -> numpy.dtype:
        """type of the elements"""
        return numpy.dtype(self._core.typestr)

    @property
    def device(self) -> str:
        """name of the card, such as 'cuda:0'"""
        return self._core.device

    def __len__(self) -> int:
        return self._core.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray of shape {self.shape}, {self.dtype} on {self.device}>"

    # --- for other libraries -----------------------------------------------------------------------------------------

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.device == "host":
            raise AttributeError("this array is not in the memory of a card")
        address = self._core.address if self.size else 0
        return {"shape": self.shape, "typestr": self._core.typestr, "data": (address, False), "strides": None,
                "stream": _LEGACY_STREAM, "version": 3}

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        # every call of a batch waits for its work, so there is nothing that `stream` would have to wait for
        return self._core.share().__dlpack__(max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._core.share().__dlpack_device__()

    # --- copies ------------------------------------------------------------------------------------------------------

    def numpy(self) -> NDArray[Any]:
        """A copy on the processor.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")    # needs a card
        >>> batch.bind("qvel").numpy().shape
        (8, 2)
        """
        copy = numpy.empty(self.shape, self.dtype)
        self._core.read(copy)
        return copy

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("an array on a card becomes a NumPy array by a copy only")
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def copy_from(self, values: Any, stream: Any = None) -> None:
        """Overwrites the array with values on the same card, or on the processor, after the work that `stream` holds.

        Values on the card need the shape and the type of the array; those on the processor are repeated and converted as NumPy
        does it. Nothing has changed when an error is raised.

        >>> batch = torsor.DeviceBatch(model, 8, device="cuda")    # needs a card
        >>> batch.bind("qvel").copy_from(batch.bind("qfrc_applied"))
        """
        handle = stream_handle(stream)
        if hasattr(values, "__dlpack_device__") and tuple(map(int, values.__dlpack_device__()))[0] != _KDL_CPU:
            self._copy_tensor(values, handle)
        elif not hasattr(values, "__dlpack_device__") and hasattr(values, "__cuda_array_interface__"):
            self._copy_interface(values.__cuda_array_interface__, handle)
        else:
            self._copy_host(values, handle)

    def _columns(self, start: int, count: int, is_row: bool) -> DeviceColumns:
        """Rows start, or start to start + count, of the second dimension."""
        return DeviceColumns(self, start, count, is_row)

    def __setitem__(self, index: Any, values: Any) -> None:
        if index is not Ellipsis and not (isinstance(index, slice) and index == slice(None)):
            raise IndexError("all of an array on a card is assigned at once, array[:] = values; torch.from_dlpack(array) or "
                             "cupy.from_dlpack(array) can be indexed")
        self.copy_from(values)

    def _copy_tensor(self, values: Any, handle: int) -> None:
        own, other = self.__dlpack_device__(), tuple(map(int, values.__dlpack_device__()))
        if own != other:
            raise Error(f"{self._name}: the values are on {_device_text(other)}, the array is on {self.device}")
        # the other library lets our stream wait for its own work
        self._core.copy_capsule(self._name, values.__dlpack__(stream=handle or _LEGACY_STREAM), handle)

    def _copy_interface(self, described: dict[str, Any], handle: int) -> None:
        address, shape = described["data"][0], tuple(described["shape"])
        if shape != self.shape:
            raise Error(f"{self._name}: expected shape {self.shape}, got {shape}")
        if numpy.dtype(described["typestr"]) != self.dtype:
            raise Error(f"{self._name}: expected dtype {self.dtype}, got {numpy.dtype(described['typestr'])}")
        if described.get("strides") not in (None, _dense_strides(shape, self.dtype.itemsize)):
            raise Error(f"{self._name}: the array is not contiguous in C order; copy it first")
        if not self.size:
            return
        card = _core._card_of(address)
        if f"cuda:{card}" != self.device:
            raise Error(f"{self._name}: the values are on {f'cuda:{card}' if card >= 0 else 'no card'}, the array is on "
                        f"{self.device}")
        if described.get("stream"):
            self._core.wait(described["stream"])
        self._core.copy_address(address, handle)

    def _copy_host(self, values: ArrayLike, handle: int) -> None:
        array = numpy.asarray(values)
        if not numpy.can_cast(array.dtype, self.dtype, "same_kind"):
            raise Error(f"{self._name}: expected dtype {self.dtype}, got {array.dtype}")
        try:
            array = numpy.broadcast_to(array, self.shape)
        except ValueError:
            raise Error(f"{self._name}: expected shape {self.shape}, got {array.shape}") from None
        self._core.write(numpy.ascontiguousarray(array, self.dtype), handle)


class DeviceColumns(DeviceArray):
    """Some columns of a DeviceArray, such as those of one joint: a live part of it, for libraries that know strides."""

    __slots__ = ("_index", "_whole")

    def __init__(self, whole: DeviceArray, start: int, count: int, is_row: bool):
        super().__init__(whole._core.columns(start, count, is_row), whole._name)
        self._whole = whole
        self._index = (slice(None), start if is_row else slice(start, start + count))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        whole = self._whole.__cuda_array_interface__
        address = self._core.address if self.size else 0
        return {**whole, "shape": self.shape, "data": (address, False), "strides": self._core.strides}

    def numpy(self) -> NDArray[Any]:
        return numpy.ascontiguousarray(self._whole.numpy()[self._index])

    def copy_from(self, values: Any, stream: Any = None) -> None:
        """As DeviceArray.copy_from(), by way of the processor."""
        dense = DeviceArray(self._core.dense(), self._name)
        dense.copy_from(values, stream)
        whole = self._whole.numpy()
        whole[self._index] = dense.numpy()
        self._whole.copy_from(whole, stream)


def _dense_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    return tuple(itemsize * math.prod(shape[i + 1:]) for i in range(len(shape)))


def _device_text(device: tuple[int, int]) -> str:
    kind, number = device
    return f"cuda:{number}" if kind == 2 else f"device {number} of DLPack's type {kind}"
