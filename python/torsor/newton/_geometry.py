"""The data of mesh and height field shapes."""

import functools

import numpy

from torsor._core import _newton
from torsor._error import Error
from torsor.newton._missing import NotThere
from torsor.newton import _mesh_shapes as shapes
from torsor.newton._types import Axis


class Mesh:
    """A triangle mesh: vertices, and three vertex indices per triangle, counter-clockwise seen from outside.

    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = newton.Mesh(corners, [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2])
    >>> len(mesh.vertices)
    4
    >>> mesh.com.tolist()
    [0.25, 0.25, 0.25]

    mass, com and inertia (about com) are those of the enclosed volume at density 1, and always computed. normals and uvs
    are kept, but nothing uses them.
    """

    def __init__(self, vertices, indices, normals=None, uvs=None, compute_inertia=True, is_solid=True, maxhullvert=None,
                 color=None, roughness=None, metallic=None, texture=None, opacity=None):
        self.vertices = numpy.array(vertices, dtype=float).reshape(-1, 3)
        self.indices = numpy.array(indices, dtype=int).reshape(-1)
        self.normals = None if normals is None else numpy.array(normals, dtype=float).reshape(-1, 3)
        self.uvs = None if uvs is None else numpy.array(uvs, dtype=float).reshape(-1, 2)
        self.is_solid = bool(is_solid)
        self.color, self.roughness, self.metallic, self.opacity = color, roughness, metallic, opacity
        self._source = _newton.make_mesh(self.vertices.reshape(-1).tolist(), self.indices.tolist())

    def __getattr__(self, name):
        if name in ("sdf", "build_sdf", "clear_sdf"):
            raise NotThere(f"Mesh.{name}: signed distance fields are not supported; meshes collide as their triangles")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

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


    # --- simple bodies ---

    @classmethod
    def _make(cls, made, up_axis=Axis.Z):
        vertices, indices = made
        return cls(shapes.turn_up(vertices, up_axis), indices)

    @classmethod
    def create_box(cls, hx, hy=None, hz=None, *, duplicate_vertices=True, compute_normals=True, compute_uvs=True,
                   compute_inertia=True):
        """A box with three half lengths; without hy and hz a cube. Its eight vertices are shared by its faces.

        >>> round(newton.Mesh.create_box(0.5, 1.0, 1.5).mass, 9)
        6.0
        """
        return cls._make(shapes.box(hx, hx if hy is None else hy, hx if hz is None else hz))

    @classmethod
    def create_sphere(cls, radius=1.0, *, num_latitudes=32, num_longitudes=32, reverse_winding=False,
                      compute_normals=True, compute_uvs=True, compute_inertia=True):
        """A sphere.

        >>> len(newton.Mesh.create_sphere(0.1, num_latitudes=4, num_longitudes=6).vertices)
        20
        """
        return cls.create_ellipsoid(radius, radius, radius, num_latitudes=num_latitudes, num_longitudes=num_longitudes,
                                    reverse_winding=reverse_winding)

    @classmethod
    def create_ellipsoid(cls, rx=1.0, ry=1.0, rz=1.0, *, num_latitudes=32, num_longitudes=32, reverse_winding=False,
                         compute_normals=True, compute_uvs=True, compute_inertia=True):
        """An ellipsoid with three semi-axes.

        >>> newton.Mesh.create_ellipsoid(1.0, 2.0, 3.0).vertices.max(axis=0).tolist()
        [1.0, 2.0, 3.0]
        """
        if reverse_winding:
            raise Error("a mesh with its inside out has a negative mass: reverse_winding is not supported")
        return cls._make(shapes.ellipsoid(rx, ry, rz, num_latitudes, num_longitudes))

    @classmethod
    def create_capsule(cls, radius, half_height, *, up_axis=Axis.Y, segments=32, compute_normals=True,
                       compute_uvs=True, compute_inertia=True):
        """A capsule along an axis; half_height is without the caps.

        >>> newton.Mesh.create_capsule(0.1, 0.4, up_axis=newton.Axis.Z).vertices[:, 2].max().item()
        0.5
        """
        return cls._make(shapes.capsule(radius, half_height, segments), up_axis)

    @classmethod
    def create_cylinder(cls, radius, half_height, *, up_axis=Axis.Y, segments=32, top_radius=None, barrel_radius=0.0,
                        compute_normals=True, compute_uvs=True, compute_inertia=True):
        """A cylinder along an axis; with top_radius a truncated cone, with barrel_radius a barrel.

        >>> newton.Mesh.create_cylinder(0.1, 0.4, top_radius=0.05).vertices[:, 1].max().item()
        0.4
        """
        return cls._make(shapes.cylinder(radius, half_height, segments, top_radius, barrel_radius), up_axis)

    @classmethod
    def create_cone(cls, radius, half_height, *, up_axis=Axis.Y, segments=32, compute_normals=True, compute_uvs=True,
                    compute_inertia=True):
        """A cone along an axis, with its apex at +half_height.

        >>> newton.Mesh.create_cone(0.1, 0.4, up_axis=newton.Axis.Z).vertices[-1].tolist()
        [0.0, 0.0, 0.4]
        """
        return cls._make(shapes.cylinder(radius, half_height, segments, 0.0), up_axis)

    @classmethod
    def create_arrow(cls, base_radius, base_height, *, cap_radius=None, cap_height=None, up_axis=Axis.Y, segments=32,
                     compute_normals=True, compute_uvs=True, compute_inertia=True):
        """An arrow: a shaft from the origin along an axis, with a cone on top.

        >>> newton.Mesh.create_arrow(0.1, 1.0, cap_height=0.5).vertices[:, 1].max().item()
        1.5
        """
        cap_radius = 1.8 * base_radius if cap_radius is None else cap_radius
        cap_height = 0.18 * base_height if cap_height is None else cap_height
        return cls._make(shapes.arrow(base_radius, base_height, cap_radius, cap_height, segments), up_axis)

    @classmethod
    def create_plane(cls, width, length, *, compute_normals=True, compute_uvs=True, compute_inertia=True):
        """A rectangle at z = 0, without a volume.

        >>> newton.Mesh.create_plane(2.0, 1.0).vertices[:, 2].any().item()
        False
        """
        return cls._make(shapes.plane(width, length))

    @classmethod
    def create_heightfield(cls, heightfield, extent_x, extent_y, center_x=0.0, center_y=0.0, ground_z=0.0, *,
                           compute_normals=False, compute_uvs=False, compute_inertia=True):
        """A closed mesh under a grid of heights, whose rows are along x: with walls down to ground_z.

        >>> round(newton.Mesh.create_heightfield(numpy.ones((3, 3)), 2.0, 3.0).mass, 9)
        6.0
        """
        return cls._make(shapes.height_grid(heightfield, extent_x, extent_y, center_x, center_y, ground_z))

    def copy(self, vertices=None, indices=None, recompute_inertia=False):
        """A copy, with other vertices or indices if given.

        >>> len(mesh.copy().vertices)
        4
        """
        made = Mesh(self.vertices if vertices is None else vertices, self.indices if indices is None else indices,
                    is_solid=self.is_solid)
        made.color, made.roughness, made.metallic, made.opacity = self.color, self.roughness, self.metallic, self.opacity
        return made


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
