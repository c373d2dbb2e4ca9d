"""Some worlds of a batch, in the process that steps them. The driver's side is _batch_core.py."""

from __future__ import annotations

import re
from typing import Any

import numpy

import torsor
from torsor import _core
from torsor.cluster._tasks import Engine, find_shared

COUNTERS = ("steps_taken", "diverged_at")


class Snapshot:
    """All that later calls depend on: state, inputs, seeds, counters, values per world, and bound results."""

    def __init__(self, fields: dict[str, Any], seeds: Any, noise: Any, counters: tuple, values: dict[str, Any], bound: list[str],
                 resets: int):
        self.fields, self.seeds, self.noise, self.counters = fields, seeds, noise, counters
        self.values, self.bound, self.resets = values, bound, resets


class Worlds:
    """Worlds `first` to `first + count - 1` of a batch of many."""

    def __init__(self, model: torsor.Model, first: int, count: int, dtype: str, snapshot: Snapshot | None = None):
        self.model, self.first = model, first
        self.core: Any = (_core._Batch if dtype == "float64" else _core._FloatBatch)(model, count)
        self.core.seeds()[:] += numpy.uint64(first)
        self.fields = [name for name in ("time", "eq_active", *_core._batch_fields()) if self.core.is_input_or_state(name)]
        self.bound: dict[str, Any] = {}
        self.values: dict[str, Any] = {}
        self.resets_before = 0
        if snapshot is not None:
            self._restore(snapshot)

    # --- calls of the driver ---------------------------------------------------------------------------------------------

    def call(self, changes: dict[str, Any], values: dict[str, Any], seeds: Any, operation: str, arguments: tuple,
             wants_snapshot: bool) -> dict[str, Any]:
        """Takes what the driver changed, runs one operation, and returns its result with all that the driver shows."""
        for name, numbers in changes.items():
            self._array(name)[...] = numbers
        for name, numbers in values.items():
            self._expand(name)[...] = numbers
        if seeds is not None:
            self.core.seeds()[:] = seeds
        result, error = None, None
        try:
            result = getattr(self, "do_" + operation)(*arguments)
        except (torsor.Error, ValueError, IndexError) as raised:
            error = type(raised) if type(raised) in (ValueError, IndexError) else torsor.Error, self._renumbered(str(raised))
        return {"result": result, "error": error, "bound": {name: numpy.array(array) for name, array in self.bound.items()},
                "counters": tuple(numpy.array(getattr(self.core, name)()) for name in COUNTERS),
                "values": {name: numpy.array(array) for name, array in self.values.items()} if operation in EDITS else {},
                "resets": self.resets_before + self.core.resets, "snapshot": self._snapshot() if wants_snapshot else None}

    def _renumbered(self, text: str) -> str:
        """The engine counts worlds from 0; the user's batch has more of them."""
        return re.sub(r"\bworld (\d+)", lambda found: f"world {int(found[1]) + self.first}", text)

    def _array(self, name: str) -> Any:
        """The live array of a field of state or input, bound or not."""
        return self.core.bind(name)

    def _expand(self, name: str) -> Any:
        if name not in self.values:
            self.values[name] = self.core.expand(name)
        return self.values[name]

    def do_nothing(self) -> None:
        """Only what every call does."""

    def do_bind(self, field: str) -> None:
        self.bound[field] = self.core.bind(field)

    def do_get(self, field: str) -> Any:
        return self.core.get(field, None)

    def do_set(self, field: str, numbers: Any) -> None:
        self.core.set(field, numbers)

    def do_step(self, steps: int, threads: int, ids: Any) -> None:
        self.core.step(steps, threads, ids)

    def do_run(self, steps: int, rows: Any, signature: int, records: list, threads: int, ids: Any) -> list:
        arrays = [(name, numpy.zeros(shape)) for name, shape in records]
        self.core.run(steps, rows, signature, arrays, threads, ids)
        return [array for _, array in arrays]

    def do_forward(self, threads: int, ids: Any) -> None:
        self.core.forward(threads, ids)

    def do_forward_field(self, field: str, threads: int) -> Any:
        return self.core.forward_field(field, threads, None)

    def do_reset(self, ids: Any, keys: Any) -> None:
        self.core.reset(ids, keys)

    def do_expand(self, field: str) -> None:
        self._expand(field)

    def do_set_values(self, field: str, numbers: Any, ids: Any) -> None:
        self.core.set_values(field, numbers, ids)
        self._expand(field)

    def do_get_values(self, fields: list[str]) -> dict[str, Any]:
        return {field: numpy.array(self._expand(field)) for field in fields}

    def do_set_const(self, threads: int, ids: Any) -> list[str]:
        """The fields that have values per world now: constants that differ are among them."""
        self.core.set_const(threads, ids)
        for field in _model_fields(self.model):
            if field not in self.values and self.core.expanded(field) is not None:
                self._expand(field)
        return list(self.values)

    def do_get_world(self, world: int) -> tuple:
        model = self.model if not self.core.has_values else self.core.get_model(world)
        data = torsor.Data(model)
        self.core.get_data(world, model, data)
        return model.to_bytes() if self.core.has_values else None, data

    def do_set_data(self, world: int, data: Any) -> None:
        self.core.set_data(world, data)

    def do_get_model(self, world: int) -> bytes:
        return self.core.get_model(world).to_bytes()

    def do_jac(self, points: Any, bodies: Any, threads: int, ids: Any) -> tuple:
        return self.core.jac(points, bodies, threads, ids)

    def do_ray(self, points: Any, directions: Any, groups: Any, static: bool, excluded: Any, threads: int, ids: Any) -> tuple:
        shape = points.shape[:2]
        distance, geom, normal = numpy.empty(shape), numpy.empty(shape), numpy.empty((*shape, 3))
        self.core.ray(points, directions, groups, static, excluded, threads, ids, distance, geom, normal)
        return distance, geom, normal

    def do_plan(self) -> list:
        return [(row.stage, row.wide, row.why, repr(row)) for row in self.core.plan()]

    # --- snapshots -------------------------------------------------------------------------------------------------------

    def _snapshot(self) -> Snapshot:
        results = [name for name in self.bound if name not in self.fields]
        fields = {name: numpy.array(self._array(name)) for name in (*self.fields, *results)}
        return Snapshot(fields, numpy.array(self.core.seeds()), numpy.array(self.core.noise_steps()),
                        tuple(numpy.array(getattr(self.core, name)()) for name in COUNTERS),
                        {name: numpy.array(array) for name, array in self.values.items()}, list(self.bound),
                        self.resets_before + self.core.resets)

    def _restore(self, snapshot: Snapshot) -> None:
        for name, numbers in snapshot.values.items():
            self._expand(name)[...] = numbers
        for name in snapshot.bound:
            self.do_bind(name)
        for name, numbers in snapshot.fields.items():
            self._array(name)[...] = numbers
        self.core.seeds()[:] = snapshot.seeds
        self.core.noise_steps()[:] = snapshot.noise
        self.core.set_counters(*snapshot.counters)
        self.resets_before = snapshot.resets


EDITS = {"expand", "set_values", "set_const"}  # operations after which the driver wants values per world


def _model_fields(model: torsor.Model) -> list[str]:
    options = [f"opt.{name}" for name in dir(model.opt) if not name.startswith("_")]
    return [row.name for row in torsor.fields("model") if row.shape] + options


class WorldsActor:
    """Worlds in a process of Ray."""

    def __init__(self, key: str, holder: list, engine: Engine, first: int, count: int, dtype: str, snapshot: Snapshot | None):
        self.refusal = engine.refusal()
        if not self.refusal:
            self.worlds = Worlds(find_shared(key, holder).model, first, count, dtype, snapshot)

    def call(self, *arguments: Any) -> dict[str, Any]:
        return {"refusal": self.refusal} if self.refusal else self.worlds.call(*arguments)
