"""Batch on many machines, with the interface and the bits of torsor.Batch."""

from __future__ import annotations

import uuid

from numpy.typing import DTypeLike

from torsor import _batch
from torsor._batch_arguments import scalar_of
from torsor._core import Model
from torsor.cluster._batch_core import ShardedCore
from torsor.cluster._connection import Cluster, find_cluster
from torsor.cluster._shards import LocalShard, RayShard
from torsor.cluster._tasks import Shared


class Batch(_batch.Batch):
    """torsor.Batch whose worlds are spread over a cluster: the same methods, the same arrays, the same bits.

    Arrays of bind() and expand() are arrays of the driver: what you write into them goes to the workers with the next
    call, and after each call they have what the workers computed. Every call costs a round trip, and what is bound
    travels: step many steps at a time, bind what you need. Worlds of a worker that dies are made again from the last
    snapshot, which is at most `snapshot_every` calls old, and the calls since then.

    Ctrl-C during a call waits for its end on all workers; a second one does not.

    >>> batch = torsor.cluster.Batch(model, nworld=10, cluster=None, shards=3)
    >>> qpos = batch.bind("qpos")
    >>> qpos[:, 0] = numpy.linspace(0, 1, 10)
    >>> batch.step(5)
    >>> local = torsor.Batch(model, nworld=10)
    >>> local.qpos[:, 0] = numpy.linspace(0, 1, 10)
    >>> local.step(5)
    >>> bool((qpos == local.qpos).all())
    True
    """

    def __init__(self, model: Model, nworld: int, dtype: DTypeLike = "float64", *, cluster: str | Cluster | None = "auto",
                 shards: int | None = None, snapshot_every: int = 8):
        """shards is the number of workers that share the worlds, by default as many as the cluster has."""
        scalar = scalar_of(dtype)
        if nworld < 1:
            raise ValueError(f"nworld must be at least 1, got {nworld}")
        for name, value in (("shards", shards), ("snapshot_every", snapshot_every)):
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, got {value}")
        found = find_cluster(cluster)
        count = min(nworld, shards or (found.workers if found else 1))
        edges = [nworld * i // count for i in range(count + 1)]
        parts = [(first, end - first) for first, end in zip(edges, edges[1:], strict=False)]
        if found is None:
            made = [LocalShard(model, first, size, str(scalar)) for first, size in parts]
        else:
            found.check()
            ray = found._ray
            holder, key = [ray.put(Shared(model))], uuid.uuid4().hex
            places = found.places(count)
            made = [RayShard(found, ray, place, key, holder, first, size, str(scalar), snapshot_every)
                    for place, (first, size) in zip(places, parts, strict=True)]
        for name, value in (("_model", model), ("_core", ShardedCore(model, nworld, str(scalar), made)), ("_dtype", scalar),
                            ("_bound", {})):
            object.__setattr__(self, name, value)

    @property
    def shards(self) -> int:
        """how many workers share the worlds"""
        return len(self._core.shards)

    @property
    def losses(self) -> list[str]:
        """one line for each time that worlds were made again because their worker had died"""
        return [line for shard in self._core.shards for line in getattr(shard, "losses", [])]

    def __repr__(self) -> str:
        return super().__repr__()[:-1] + f", shards {self.shards}>"
