"""Helpers with the names of newton.utils."""

import math

import numpy

from torsor._error import Error


def compute_world_offsets(world_count, spacing, up_axis=None):
    """Positions of worlds in a grid about the origin, in the directions with nonzero spacing: (worlds, 3).

    >>> newton.utils.compute_world_offsets(2, (1.0, 0.0, 0.0)).tolist()
    [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]]
    """
    spacing = numpy.array([float(each) for each in spacing])
    directions = [i for i in range(3) if spacing[i] != 0]
    offsets = numpy.zeros((world_count, 3))
    if not directions or world_count == 0:
        return offsets
    side = math.ceil(world_count ** (1 / len(directions)) - 1e-9)
    for world in range(world_count):
        for place, i in enumerate(directions):
            offsets[world, i] = (world // side**place % side) * spacing[i]
    return offsets - (offsets.max(axis=0) + offsets.min(axis=0)) / 2


def download_asset(asset_folder, *args, **kwargs):
    """Raises an Error: Torsor downloads nothing.

    >>> try:
    ...     newton.utils.download_asset("anybotics_anymal_c")
    ... except Exception as error:
    ...     print(error)
    Torsor downloads nothing: get anybotics_anymal_c yourself and give its path
    """
    raise Error(f"Torsor downloads nothing: get {asset_folder} yourself and give its path")
