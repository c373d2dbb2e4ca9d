"""Which worlds of a batch a call is for, and the states that they are reset to."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from torsor import _core
from torsor._batch_arguments import broadcast, whole
from torsor._core import StateBit
from torsor._error import Error


class WorldNumbers:
    """For a batch of a model."""

    _model: Any
    nworld: int

    def _world(self, world: int) -> int:
        return int(self._worlds(world)[0])

    def _worlds(self, ids: ArrayLike | None) -> NDArray[numpy.int32] | None:
        """Numbers of worlds, from numbers or a mask."""
        if ids is None:
            return None
        array = numpy.atleast_1d(numpy.asarray(ids))
        if array.dtype == bool:
            if array.shape != (self.nworld,):
                raise ValueError(f"ids: a mask needs shape ({self.nworld},), got {array.shape}")
            return numpy.flatnonzero(array).astype(numpy.int32)
        if array.size == 0:
            array = array.astype(int)
        if array.ndim != 1 or not numpy.issubdtype(array.dtype, numpy.integer):
            raise ValueError(f"ids: expected numbers of worlds or a mask, got {array.dtype} of shape {array.shape}")
        outside = array[(array < 0) | (array >= self.nworld)]
        if outside.size:
            raise IndexError(f"world {outside[0]} does not exist: the batch has {self.nworld}")
        if numpy.unique(array).size != array.size:
            raise ValueError("ids: a world is named twice")
        return numpy.ascontiguousarray(array, numpy.int32)

    def _count(self, worlds: NDArray[numpy.int32] | None) -> int:
        return self.nworld if worlds is None else worlds.size

    def _keys(self, keyframe: int | str | ArrayLike, count: int) -> NDArray[numpy.int32]:
        if isinstance(keyframe, str):
            keyframe = self._model.key(keyframe).id
        keys = whole("keyframe", keyframe)
        if keys.ndim > 1 or keys.size not in (1, count):
            raise ValueError(f"keyframe: expected one, or one for each of {count} worlds, got shape {keys.shape}")
        bad = keys[(keys < -1) | (keys >= self._model.nkey)]
        if bad.size:
            raise Error(f"keyframe {bad.flat[0]} does not exist: the model has {self._model.nkey} keyframes")
        return numpy.ascontiguousarray(numpy.broadcast_to(keys.reshape(-1) if keys.ndim else keys, count), numpy.int32)

    def _state_rows(self, states: ArrayLike | None, count: int):
        if states is None:
            return
        width = _core.state_size(self._model, int(StateBit.FULLPHYSICS))
        rows = broadcast("states", states, (count, width))
        start = 0
        for name, bit in (("time", StateBit.TIME), ("qpos", StateBit.QPOS), ("qvel", StateBit.QVEL),
                          ("act", StateBit.ACT), ("history", StateBit.HISTORY), ("plastic", StateBit.PLASTIC)):
            size = _core.state_size(self._model, int(bit))
            yield name, rows[:, start] if name == "time" else rows[:, start:start + size]
            start += size
