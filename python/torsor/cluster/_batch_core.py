"""The engine of torsor.cluster.Batch: the calls of torsor._core._Batch, spread over shards.

The driver has an array for each field that the user bound. Before a call, what the user has changed in them goes to the
shards; after it, the arrays get what the shards computed.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy

import torsor
from torsor import _core


class Mirror:
    """An array that the user sees, and a copy of it as the shards know it."""

    def __init__(self, array: Any):
        self.array, self.known = array, array.copy()

    def changed(self, rows: slice) -> bool:
        """By bits: a NaN is equal to itself, -0 is not 0."""
        return self.array[rows].tobytes() != self.known[rows].tobytes()

    def take(self, rows: Any, numbers: Any) -> None:
        self.array[rows] = numbers
        self.known[rows] = numbers


class ShardedCore:
    """Stands in for torsor._core._Batch."""

    def __init__(self, model: torsor.Model, nworld: int, dtype: str, shards: list):
        self.model, self.nworld, self.shards = model, nworld, shards
        self.scalar = numpy.dtype(dtype)
        self._template: Any = (_core._Batch if dtype == "float64" else _core._FloatBatch)(model, 1)
        self._fields: dict[str, Mirror] = {}
        self._values: dict[str, Mirror] = {}
        self._seeds = Mirror(numpy.arange(nworld, dtype=numpy.uint64))
        self._steps = numpy.zeros(nworld, numpy.int64)
        self._diverged = numpy.full(nworld, -1, numpy.int64)
        self._resets = [0] * len(shards)

    # --- calls -----------------------------------------------------------------------------------------------------------

    def _call(self, operation: str, arguments: Any, ids: Any = None) -> list[tuple[Any, Any]]:
        """Runs an operation on the shards that have worlds in ids. arguments(rows, local ids) are those of a shard, where
        rows are the places of its worlds in the arrays of the call. Returns [(rows, result)]."""
        busy = []
        for number, shard in enumerate(self.shards):
            own = slice(shard.first, shard.first + shard.count)
            rows, local = own, None
            if ids is not None:
                inside = (ids >= shard.first) & (ids < shard.first + shard.count)
                if not inside.any():
                    continue
                rows, local = numpy.flatnonzero(inside), numpy.ascontiguousarray(ids[inside] - shard.first, numpy.int32)
            shard.begin(*self._changes(own), operation, arguments(rows, local))
            busy.append((number, shard, own, rows))
        found, errors, interrupted = [], [], None
        for number, shard, own, rows in busy:
            while True:
                try:
                    answer = shard.finish()
                    break
                except KeyboardInterrupt as signal:  # the call ends on all shards, so that no world is ahead; twice ends it now
                    if interrupted is not None:
                        raise
                    interrupted = signal
            self._show(number, own, answer)
            if answer["error"] is not None:
                errors.append(answer["error"])
            found.append((rows, answer["result"]))
        if interrupted is not None:
            raise interrupted
        if errors:
            kind, text = errors[0]
            raise kind(text)
        return found

    def _changes(self, own: slice) -> tuple:
        """What the user has written since the last call, and marks it as known."""
        def changed(mirrors):
            found = {name: mirror.array[own].copy() for name, mirror in mirrors.items() if mirror.changed(own)}
            for name, numbers in found.items():
                mirrors[name].known[own] = numbers
            return found

        fields = changed({name: mirror for name, mirror in self._fields.items() if self.is_input_or_state(name)})
        return fields, changed(self._values), changed({"seeds": self._seeds}).get("seeds")

    def _show(self, number: int, own: slice, answer: dict) -> None:
        for name, numbers in answer["bound"].items():
            if name in self._fields:
                self._fields[name].take(own, numbers)
        for name, numbers in answer["values"].items():
            if name in self._values:
                self._values[name].take(own, numbers)
        self._steps[own], self._diverged[own] = answer["counters"]
        self._resets[number] = answer["resets"]

    def _all(self, operation: str, *arguments: Any) -> list[tuple[Any, Any]]:
        return self._call(operation, lambda rows, local: arguments)

    # --- sizes and counters ----------------------------------------------------------------------------------------------

    @property
    def lanes(self) -> int:
        return self._template.lanes

    @property
    def resets(self) -> int:
        return sum(self._resets)

    def seeds(self) -> Any:
        return self._seeds.array

    def steps_taken(self) -> Any:
        return _read_only(self._steps)

    def diverged_at(self) -> Any:
        return _read_only(self._diverged)

    def plan(self) -> list:
        (_, rows), *_ = self._all("plan")
        return [PlanRow(stage=stage, wide=wide, why=why, text=text) for stage, wide, why, text in rows]

    def shape(self, field: str) -> list[int]:
        return [self.nworld, *self._template.shape(field)[1:]]

    def is_input_or_state(self, field: str) -> bool:
        return self._template.is_input_or_state(field)

    # --- arrays ----------------------------------------------------------------------------------------------------------

    def bind(self, field: str) -> Any:
        mirror = self._fields.get(field)
        if mirror is None:
            mirror = Mirror(numpy.zeros(self.shape(field), self.scalar))
            self._fields[field] = mirror
            self._all("bind", field)  # its answer has the numbers
        return mirror.array

    def get(self, field: str, out: Any) -> Any:
        if not self.is_input_or_state(field):
            self._template.get(field, None)  # raises what a batch would
        result = numpy.zeros(self.shape(field)) if out is None else out
        for rows, numbers in self._all("get", field):
            result[rows] = numbers
        return result

    def set(self, field: str, values: Any) -> None:
        probe = numpy.asarray(values, dtype=float)
        if probe.shape != tuple(self.shape(field)):
            probe = numpy.broadcast_to(probe, self.shape(field))
        self._call("set", lambda rows, local: (field, numpy.ascontiguousarray(probe[rows])))

    # --- steps -----------------------------------------------------------------------------------------------------------

    def step(self, steps: int, threads: int, ids: Any) -> None:
        self._call("step", lambda rows, local: (steps, threads, local), ids)

    def run(self, steps: int, controls: Any, signature: int, records: list, threads: int, ids: Any) -> None:
        def arguments(rows, local):
            own = None if controls is None else numpy.ascontiguousarray(controls[rows])
            count = rows.size if local is not None else rows.stop - rows.start
            return steps, own, signature, [(name, (count, *array.shape[1:])) for name, array in records], threads, local

        for rows, arrays in self._call("run", arguments, ids):
            for (_, array), numbers in zip(records, arrays, strict=True):
                array[rows] = numbers

    def forward(self, threads: int, ids: Any) -> None:
        self._call("forward", lambda rows, local: (threads, local), ids)

    def forward_field(self, field: str, threads: int, out: Any) -> Any:
        result = numpy.zeros(self.shape(field)) if out is None else out
        for rows, numbers in self._all("forward_field", field, threads):
            result[rows] = numbers
        return result

    def reset(self, ids: Any, keys: Any) -> None:
        self._call("reset", lambda rows, local: (local, None if keys is None else numpy.ascontiguousarray(keys[rows])), ids)

    # --- values per world ------------------------------------------------------------------------------------------------

    @property
    def has_values(self) -> bool:
        return bool(self._values)

    def count_numbers(self, field: str) -> int:
        return self._template.count_numbers(field)

    def expand(self, field: str) -> Any:
        if field not in self._values:
            one = self._template.expand(field)
            self._values[field] = Mirror(numpy.repeat(numpy.asarray(one), self.nworld, axis=0))
            self._all("expand", field)
        return self._values[field].array

    def expanded(self, field: str) -> Any:
        mirror = self._values.get(field)
        return None if mirror is None else _read_only(mirror.array)

    def set_values(self, field: str, values: Any, ids: Any) -> None:
        self._check_values(field, values, ids)
        self.expand(field)
        self._call("set_values", lambda rows, local: (field, numpy.ascontiguousarray(values[rows]), local), ids)

    def _check_values(self, field: str, values: Any, ids: Any) -> None:
        """On one world here, so that an impossible value changes nothing anywhere."""
        distinct, first = numpy.unique(values, axis=0, return_index=True)
        scratch = type(self._template)(self.model, 1)
        for row, place in sorted(zip(distinct, first, strict=True), key=lambda pair: pair[1]):
            try:
                scratch.set_values(field, row[None], None)
            except torsor.Error as error:
                world = int(place if ids is None else ids[place])
                raise torsor.Error(str(error).replace("world 0", f"world {world}", 1)) from None

    def set_const(self, threads: int, ids: Any) -> None:
        found = self._call("set_const", lambda rows, local: (threads, local), ids)
        names = {name for _, expanded in found for name in expanded}
        for name in sorted(names - set(self._values)):  # the same fields on all shards: they decide how worlds are stepped
            self.expand(name)
        self._refresh_values()

    def _refresh_values(self) -> None:
        for rows, numbers in self._all("get_values", sorted(self._values)):
            for name, values in numbers.items():
                self._values[name].take(rows, values)

    # --- single worlds, queries ------------------------------------------------------------------------------------------

    def _one(self, operation: str, world: int, *arguments: Any) -> Any:
        ids = numpy.array([world], numpy.int32)
        ((_, result),) = self._call(operation, lambda rows, local: (int(local[0]), *arguments), ids)
        return result

    def get_data(self, world: int, model: torsor.Model, data: Any) -> None:
        _, found = self._one("get_world", world)
        torsor.copy_state(model, found, data)
        torsor.forward(model, data)

    def set_data(self, world: int, data: Any) -> None:
        self._one("set_data", world, data)

    def get_model(self, world: int) -> torsor.Model:
        return torsor.Model.from_bytes(self._one("get_model", world))

    def jac(self, points: Any, bodies: Any, threads: int, ids: Any) -> tuple:
        count = self.nworld if ids is None else ids.size
        jacp, jacr = (numpy.zeros((count, 3, self.model.nv)) for _ in range(2))
        for rows, (p, r) in self._call("jac", lambda rows, local: (
                numpy.ascontiguousarray(points[rows]), numpy.ascontiguousarray(bodies[rows]), threads, local), ids):
            jacp[rows], jacr[rows] = p, r
        return jacp, jacr

    def ray(self, points: Any, directions: Any, groups: Any, static: bool, excluded: Any, threads: int, ids: Any, distance: Any,
            geom: Any, normal: Any) -> None:
        for rows, found in self._call("ray", lambda rows, local: (
                numpy.ascontiguousarray(points[rows]), numpy.ascontiguousarray(directions[rows]), groups, static,
                numpy.ascontiguousarray(excluded[rows]), threads, local), ids):
            for array, numbers in zip((distance, geom, normal), found, strict=True):
                array[rows] = numbers


class PlanRow(SimpleNamespace):
    """A row of plan(), as torsor.BatchStage."""

    def __repr__(self) -> str:
        return self.text


def _read_only(array: Any) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view
