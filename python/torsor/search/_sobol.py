"""Sobol's sequence: points that fill a cube evenly, for any number of points."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

BITS = 32
# For each dimension beyond the first: the coefficients of a primitive polynomial over the field of two elements, without its
# first and last, and the first direction numbers. [Joe, Kuo 2008, table new-joe-kuo-6]
_DIRECTIONS = (
    (1, 0, (1,)), (2, 1, (1, 3)), (3, 1, (1, 3, 1)), (3, 2, (1, 1, 1)), (4, 1, (1, 1, 3, 3)), (4, 4, (1, 3, 5, 13)),
    (5, 2, (1, 1, 5, 5, 17)), (5, 4, (1, 1, 5, 5, 5)), (5, 7, (1, 1, 7, 11, 19)), (5, 11, (1, 1, 5, 1, 1)),
    (5, 13, (1, 1, 1, 3, 11)), (5, 14, (1, 3, 5, 5, 31)), (6, 1, (1, 3, 3, 9, 7, 49)), (6, 13, (1, 1, 1, 15, 21, 21)),
    (6, 16, (1, 3, 1, 13, 27, 49)), (6, 19, (1, 1, 1, 15, 7, 5)), (6, 22, (1, 3, 1, 15, 13, 25)),
    (6, 25, (1, 1, 5, 5, 19, 61)), (7, 1, (1, 3, 7, 11, 23, 15, 103)), (7, 4, (1, 3, 7, 13, 13, 15, 69)))
MOST_DIMENSIONS = len(_DIRECTIONS) + 1


def _directions(dimension: int) -> NDArray[numpy.uint64]:
    """The numbers that are combined by exclusive or: one for each bit of the index."""
    if dimension == 0:
        return numpy.array([1 << (BITS - 1 - i) for i in range(BITS)], dtype=numpy.uint64)
    degree, coefficients, first = _DIRECTIONS[dimension - 1]
    numbers = [number << (BITS - 1 - i) for i, number in enumerate(first)]
    for i in range(degree, BITS):
        number = numbers[i - degree] ^ (numbers[i - degree] >> degree)
        for k in range(1, degree):
            if coefficients >> (degree - 1 - k) & 1:
                number ^= numbers[i - k]
        numbers.append(number)
    return numpy.array(numbers, dtype=numpy.uint64)


def sobol_points(count: int, dimensions: int, seed: int | None = None) -> NDArray[numpy.float64]:
    """Points (count, dimensions) in the unit cube. A seed moves them by a random digital shift, without it the first is 0."""
    if not 1 <= dimensions <= MOST_DIMENSIONS:
        raise ValueError(f"Sobol's sequence is here for 1 to {MOST_DIMENSIONS} inputs, not {dimensions}")
    if not 0 <= count <= 1 << BITS:
        raise ValueError(f"count must be from 0 to {1 << BITS}, got {count}")
    index = numpy.arange(count, dtype=numpy.uint64)
    gray = index ^ (index >> numpy.uint64(1))
    points = numpy.zeros((count, dimensions), dtype=numpy.uint64)
    for dimension in range(dimensions):
        for bit, number in enumerate(_directions(dimension)):
            points[:, dimension] ^= numpy.where(gray >> numpy.uint64(bit) & numpy.uint64(1), number, numpy.uint64(0))
    if seed is None:
        return points / float(1 << BITS)
    shift = numpy.random.default_rng(seed).integers(0, 1 << BITS, size=dimensions, dtype=numpy.uint64)
    return ((points ^ shift) + 0.5) / float(1 << BITS)
