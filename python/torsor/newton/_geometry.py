"""The data of mesh and height field shapes."""

import functools

import numpy

from torsor._core import _newton


class Mesh:
    """A triangle mesh: vertices, and three vertex indices per triangle, counter-clockwise seen from outside.

    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = newton.Mesh(corners, [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2])
    >>> len(mesh.vertices)
    4
    >>> mesh.com.tolist()
    [0.25, 0.25, 0.25]

    mass, com and inertia (about com) are those of the enclosed volume at density 1. Visual data (normals, uvs, colour)
    is not kept, and mass properties are always computed.
    """

    def __init__(self, vertices, indices, normals=None, uvs=None, compute_inertia=True, is_solid=True, color=None):
        self.vertices = numpy.array(vertices, dtype=float).reshape(-1, 3)
        self.indices = numpy.array(indices, dtype=int).reshape(-1)
        self.is_solid = bool(is_solid)
        self._source = _newton.make_mesh(self.vertices.reshape(-1).tolist(), self.indices.tolist())

    def __repr__(self):
        return f"<Mesh: {len(self.vertices)} vertices, {len(self.indices) // 3} triangles>"

    @functools.cached_property
    def _moments(self):
        """Mass, centre of mass and inertia: sums over the tetrahedra between the origin and the triangles."""
        corners = self.vertices[self.indices].reshape(-1, 3, 3)
        volumes = numpy.linalg.det(corners) / 6
        mass, sums = volumes.sum(), corners.sum(axis=1)
        com = volumes @ sums / (4 * mass) if mass != 0 else numpy.zeros(3)
        second = (numpy.einsum("t,ti,tj->ij", volumes, sums, sums)
                  + numpy.einsum("t,tki,tkj->ij", volumes, corners, corners)) / 20 - mass * numpy.outer(com, com)
        return mass, com, numpy.trace(second) * numpy.eye(3) - second

    mass = property(lambda self: float(self._moments[0]), doc="The volume inside.")
    com = property(lambda self: self._moments[1].copy(), doc="The centre of mass.")
    inertia = property(lambda self: self._moments[2].copy(), doc="The inertia about the centre of mass.")
    I = inertia  # noqa: E741, the older name


class Heightfield:
    """Heights on a grid, row by row: the first row at the lowest y, columns along x; hx and hy are half lengths.

    With min_z and max_z, the heights are scaled to that range.

    >>> field = newton.Heightfield([[0, 0], [0, 1]], nrow=2, ncol=2, hx=1, hy=1)
    """

    def __init__(self, data, nrow, ncol, hx=1.0, hy=1.0, min_z=None, max_z=None):
        self.data = numpy.array(data, dtype=float).reshape(-1)
        low = float(self.data.min()) if min_z is None else float(min_z)
        high = float(self.data.max()) if max_z is None else float(max_z)
        self.nrow, self.ncol, self.hx, self.hy, self.min_z, self.max_z = nrow, ncol, hx, hy, low, high
        self._source = _newton.make_heightfield(self.data.tolist(), nrow, ncol, hx, hy, low, high)

    def __repr__(self):
        return f"<Heightfield: {self.nrow} x {self.ncol}, from {self.min_z} to {self.max_z}>"
