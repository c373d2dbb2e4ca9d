"""Infos of a vector environment: one array per key, with a mask of the worlds that have it."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

Mask = NDArray[numpy.bool_]
Info = dict[str, Any]


def merge(parts: list[tuple[Info, Mask]]) -> Info:
    """The entries of each part for its own worlds, zeros elsewhere; `_key` is the mask of the worlds that have `key`.

    This is the form that gymnasium.vector.VectorEnv gives to the infos of single environments. Arrays of the parts
    have a row for every world, and they may be changed.
    """
    merged: Info = {}
    for entries, worlds in parts:
        if not worlds.any():
            continue
        for key, values in entries.items():
            known = merged.get(key)
            if known is None:
                if not worlds.all():
                    values[~worlds] = 0
                merged[key], merged[f"_{key}"] = values, worlds.copy()
            else:
                known[worlds] = values[worlds]
                merged[f"_{key}"] |= worlds
    return merged


def of_all(entries: Info) -> Info:
    """As merge(), for entries that all worlds have."""
    merged: Info = {}
    for key, values in entries.items():
        merged[key] = values
        merged[f"_{key}"] = numpy.ones(len(values), numpy.bool_)
    return merged


def add_final(merged: Info, observations: NDArray[Any], entries: Info, ended: Mask) -> None:
    """The last observation and info of the episodes that ended in this step, as same-step autoreset returns them."""
    final_obs = numpy.full(len(ended), None, dtype=object)
    for world in numpy.flatnonzero(ended):
        final_obs[world] = observations[world].copy()
    merged["final_obs"], merged["_final_obs"] = final_obs, ended.copy()
    merged["final_info"] = merge([({key: values.copy() for key, values in entries.items()}, ended)])
    merged["_final_info"] = ended.copy()
