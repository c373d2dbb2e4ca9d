"""Which worlds of a batch a call is for."""

from __future__ import annotations

import numpy
from numpy.typing import ArrayLike, NDArray


class WorldNumbers:
    """For a batch with nworld."""

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
