"""What MuJoCo's MjData tells about its solver, from what the engine keeps: statistics at [200 island + iteration], and rows, dofs and
trees in the order of islands. Computed when it is read."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy
from numpy.typing import NDArray

from torsor._core import Data

Array = NDArray[Any]
ISLANDS, ITERATIONS = 20, 200  # mjNISLAND, mjNSOLVER
STATISTIC = {"improvement": float, "gradient": float, "lineslope": float, "nactive": int, "nchange": int, "neval": int, "nupdate": int}


@functools.cache
def _empty() -> Any:
    from torsor import mujoco

    return mujoco.MjSolverStat


class SolverStatistics:
    """data.solver: one entry per iteration and island, zero where there was none; `improvement` and so on of all as arrays."""

    __slots__ = ("_islands",)

    def __init__(self, data: Any) -> None:
        count = min(Data.nisland.__get__(data), ISLANDS)  # the solver's own: without islands, one of all rows
        self._islands = [data.solver_statistics(island)[:ITERATIONS] for island in range(count)]

    def __len__(self) -> int:
        return ISLANDS * ITERATIONS

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        number = int(index)
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self)} statistics, got {index}")
        island, iteration = divmod(number % len(self), ITERATIONS)
        found = self._islands[island] if island < len(self._islands) else []
        return found[iteration] if iteration < len(found) else _empty()()

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __getattr__(self, name: str) -> Array:
        if name not in STATISTIC:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        found = numpy.zeros(len(self), STATISTIC[name] if STATISTIC[name] is float else numpy.int32)
        for island, statistics in enumerate(self._islands):
            found[ITERATIONS * island:ITERATIONS * island + len(statistics)] = [getattr(each, name) for each in statistics]
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SolverStatistics) and all(
            numpy.array_equal(getattr(self, name), getattr(other, name)) for name in STATISTIC)

    __hash__ = None  # type: ignore[assignment]


class Islands:
    """Which trees, dofs and rows are in which island, and their numbers when they are sorted by islands; those of none last."""

    def __init__(self, data: Any) -> None:
        self.tree = numpy.array(data._tree_islands, numpy.int32)
        self.dof = self.tree[data.model.dof_treeid]
        self.count, self.row = int(data.nisland), data.efc_island

    def sorted(self, islands: Array) -> Array:
        """Numbers of trees, dofs or rows by island."""
        if self.count == 0:
            return numpy.zeros(len(islands), numpy.int32)
        return numpy.argsort(numpy.where(islands < 0, self.count, islands), kind="stable").astype(numpy.int32)

    def counts(self, islands: Array) -> Array:
        return numpy.bincount(islands[islands >= 0], minlength=self.count).astype(numpy.int32)[:self.count]

    def addresses(self, islands: Array) -> Array:
        counts = self.counts(islands)
        return (numpy.cumsum(counts) - counts).astype(numpy.int32)


def _inverse(order: Array, count: int) -> Array:
    found = numpy.zeros_like(order)
    if count > 0:
        found[order] = numpy.arange(len(order), dtype=numpy.int32)
    return found


def _of_dofs(name: str) -> Callable[[Any, Islands], Array]:
    """An array by dofs, of the dofs in islands."""
    return lambda data, islands: getattr(data, name)[islands.sorted(islands.dof)[:islands.counts(islands.dof).sum()]]


def _of_rows(name: str) -> Callable[[Any, Islands], Array]:
    """An array by rows; zeros if there are no islands."""

    def get(data: Any, islands: Islands) -> Array:
        values = getattr(data, name)
        return values[islands.sorted(islands.row)] if islands.count > 0 else numpy.zeros_like(values)

    return get


COMPUTED: dict[str, Callable[[Any, Islands], Array]] = {
    "nidof": lambda _, islands: int(numpy.count_nonzero(islands.dof >= 0)),
    "tree_island": lambda _, islands: islands.tree,
    "dof_island": lambda _, islands: islands.dof,
    "island_ntree": lambda _, islands: islands.counts(islands.tree),
    "island_nv": lambda _, islands: islands.counts(islands.dof),
    "island_nefc": lambda _, islands: islands.counts(islands.row),
    "island_ne": lambda data, islands: islands.counts(islands.row[:data.ne]),
    "island_nf": lambda data, islands: islands.counts(islands.row[data.ne:data.ne + data.nf]),
    "island_itreeadr": lambda _, islands: islands.addresses(islands.tree),
    "island_idofadr": lambda _, islands: islands.addresses(islands.dof),
    "island_iefcadr": lambda _, islands: islands.addresses(islands.row),
    "island_dofadr": lambda _, islands: islands.sorted(islands.dof)[islands.addresses(islands.dof)],
    "map_itree2tree": lambda _, islands: islands.sorted(islands.tree),
    "map_idof2dof": lambda _, islands: islands.sorted(islands.dof),
    "map_dof2idof": lambda _, islands: _inverse(islands.sorted(islands.dof), islands.count),
    "map_iefc2efc": lambda _, islands: islands.sorted(islands.row),
    "map_efc2iefc": lambda _, islands: _inverse(islands.sorted(islands.row), islands.count),
    "iacc": _of_dofs("qacc"), "iacc_smooth": _of_dofs("qacc_smooth"), "ifrc_smooth": _of_dofs("qfrc_smooth"),
    "ifrc_constraint": _of_dofs("qfrc_constraint"),
    **{f"i{name}": _of_rows(name) for name in ("efc_D", "efc_R", "efc_aref", "efc_force", "efc_frictionloss", "efc_id", "efc_state", "efc_type")},
}


def getter(name: str) -> Callable[[Any], Array]:
    """The last array that was read is kept, for those who hold it weakly."""

    def get(data: Any) -> Array:
        found = data._kept[name] = COMPUTED[name](data, Islands(data))
        return found

    return get
