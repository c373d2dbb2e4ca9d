"""Vertices and triangles of simple bodies, for Mesh.create_box() and its relatives."""

import numpy

from torsor._error import Error
from torsor.newton._types import Axis


def _require(condition, message):
    if not condition:
        raise Error(message)


def turn_up(vertices, up_axis):
    """Vertices made along z, turned so that their axis is another one."""
    shift = {Axis.X: 1, Axis.Y: 2, Axis.Z: 0}[Axis.from_any(up_axis)]
    return numpy.roll(vertices, shift, axis=1)  # a rotation: x, y, z in turn


def box(hx, hy, hz):
    """Eight corners."""
    _require(min(hx, hy, hz) > 0, "a box needs positive half lengths")
    corners = numpy.array([(x, y, z) for x in (-hx, hx) for y in (-hy, hy) for z in (-hz, hz)])
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [index for a, b, c, d in faces for index in (a, b, c, a, c, d)]


def revolve(profile, segments):
    """A profile of (radius, z) from bottom to top, turned about z. Points with radius 0 are poles."""
    _require(segments >= 3, "a round body needs at least three segments")
    angles = numpy.arange(segments) * 2 * numpy.pi / segments
    vertices, rings = [], []
    for radius, z in profile:
        rings.append(range(len(vertices), len(vertices) + (segments if radius > 0 else 1)))
        turns = angles if radius > 0 else [0.0]
        vertices += [(radius * numpy.cos(turn), radius * numpy.sin(turn), z) for turn in turns]
    triangles = []
    for low, high in zip(rings, rings[1:], strict=False):
        for i in range(segments):
            j = (i + 1) % segments
            a, b = low[i % len(low)], low[j % len(low)]
            c, d = high[i % len(high)], high[j % len(high)]
            if len(low) > 1:
                triangles += [a, b, d if len(high) > 1 else c]
            if len(high) > 1:
                triangles += [a, d, c]
    return numpy.array(vertices), triangles


def cylinder(radius, half_height, segments, top_radius=None, barrel_radius=0.0):
    """A cylinder, truncated cone, cone (top_radius 0) or barrel along z."""
    top = radius if top_radius is None else top_radius
    _require(half_height > 0 and min(radius, top) >= 0 and max(radius, top) > 0,
             "a cylinder needs a positive height and radius")
    sides = [(radius, -half_height), (top, half_height)]
    if barrel_radius:
        _require(barrel_radius >= half_height and top == radius,
                 "barrel_radius is at least half_height, and excludes another top_radius")
        heights = numpy.linspace(-half_height, half_height, max(3, segments // 4) | 1)
        bulge = numpy.sqrt(barrel_radius**2 - heights**2) - numpy.sqrt(barrel_radius**2 - half_height**2)
        sides = list(zip(radius + bulge, heights, strict=True))
    ends = [(0.0, -half_height)] if radius > 0 else []
    return revolve([*ends, *sides, *([(0.0, half_height)] if top > 0 else [])], segments)


def capsule(radius, half_height, segments):
    """A capsule along z; half_height is without the caps."""
    _require(radius > 0 and half_height >= 0, "a capsule needs a positive radius")
    turns = numpy.linspace(0, numpy.pi / 2, max(2, segments // 4) + 1)[1:]
    low = [(radius * numpy.sin(turn), -half_height - radius * numpy.cos(turn)) for turn in turns]
    high = [(each, -z) for each, z in reversed(low)]
    if half_height == 0:
        high = high[1:]
    return revolve([(0.0, -half_height - radius), *low, *high, (0.0, half_height + radius)], segments)


def ellipsoid(rx, ry, rz, latitudes, longitudes):
    """An ellipsoid with poles on z."""
    _require(min(rx, ry, rz) > 0, "an ellipsoid needs positive semi-axes")
    _require(latitudes >= 2, "an ellipsoid needs at least two latitudes")
    turns = numpy.arange(1, latitudes) * numpy.pi / latitudes
    profile = [(0.0, -1.0), *((numpy.sin(turn), -numpy.cos(turn)) for turn in turns), (0.0, 1.0)]
    vertices, triangles = revolve(profile, longitudes)
    return vertices * (rx, ry, rz), triangles


def arrow(base_radius, base_height, cap_radius, cap_height, segments):
    """A shaft from z = 0 with a cone on top."""
    _require(min(base_radius, base_height, cap_height) > 0 and cap_radius > base_radius,
             "an arrow needs positive sizes and a cap that is wider than its base")
    return revolve([(0.0, 0.0), (base_radius, 0.0), (base_radius, base_height), (cap_radius, base_height),
                    (0.0, base_height + cap_height)], segments)


def plane(width, length):
    """A rectangle of two triangles whose normal is z."""
    _require(min(width, length) > 0, "a plane needs a positive width and length")
    x, y = width / 2, length / 2
    return numpy.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)]), [0, 1, 2, 0, 2, 3]


def height_grid(heights, extent_x, extent_y, center_x, center_y, ground_z):
    """The surface of heights[i, j] at the i-th x and j-th y, with walls down to ground_z and a floor."""
    heights = numpy.asarray(heights, dtype=float)
    _require(heights.ndim == 2 and min(heights.shape) >= 2, "heights need at least two rows and columns")
    nx, ny = heights.shape
    x = numpy.linspace(-extent_x / 2, extent_x / 2, nx) + center_x
    y = numpy.linspace(-extent_y / 2, extent_y / 2, ny) + center_y
    top = numpy.array([(x[i], y[j], heights[i, j]) for i in range(nx) for j in range(ny)])
    bottom = top * (1, 1, 0) + (0, 0, ground_z)
    triangles = []
    for i in range(nx - 1):
        for j in range(ny - 1):
            a, b, c, d = i * ny + j, (i + 1) * ny + j, (i + 1) * ny + j + 1, i * ny + j + 1
            triangles += [a, b, c, a, c, d]
            triangles += [each + nx * ny for each in (a, c, b, a, d, c)]
    border = [i * ny for i in range(nx)] + [(nx - 1) * ny + j for j in range(1, ny)]
    border += [i * ny + ny - 1 for i in range(nx - 2, -1, -1)] + list(range(ny - 2, 0, -1))
    for a, b in zip(border, [*border[1:], border[0]], strict=True):
        triangles += [a, a + nx * ny, b + nx * ny, a, b + nx * ny, b]
    return numpy.vstack((top, bottom)), triangles
