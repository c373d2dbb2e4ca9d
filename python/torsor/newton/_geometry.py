"""What mesh and height field shapes are made of."""

import numpy

from torsor._core import _newton


class Mesh:
    """Triangles, counter-clockwise seen from outside: three indices of vertices each.

    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = newton.Mesh(corners, [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2])
    >>> len(mesh.vertices)
    4
    """

    def __init__(self, vertices, indices):
        self.vertices = numpy.array(vertices, dtype=float).reshape(-1, 3)
        self.indices = numpy.array(indices, dtype=int).reshape(-1)
        self._source = _newton.make_mesh(self.vertices.reshape(-1).tolist(), self.indices.tolist())


class Heightfield:
    """Heights over a grid, row by row: the first row at the lowest y, columns along x, hx and hy half lengths.

    With min_z and max_z the heights are scaled to reach from one to the other.

    >>> field = newton.Heightfield([[0, 0], [0, 1]], nrow=2, ncol=2, hx=1, hy=1)
    """

    def __init__(self, data, nrow, ncol, hx=1.0, hy=1.0, min_z=None, max_z=None):
        self.data = numpy.array(data, dtype=float).reshape(-1)
        low = float(self.data.min()) if min_z is None else float(min_z)
        high = float(self.data.max()) if max_z is None else float(max_z)
        self.nrow, self.ncol, self.hx, self.hy, self.min_z, self.max_z = nrow, ncol, hx, hy, low, high
        self._source = _newton.make_heightfield(self.data.tolist(), nrow, ncol, hx, hy, low, high)
