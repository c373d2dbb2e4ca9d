"""The methods of a ModelBuilder that add shapes."""

from torsor._error import Error
from torsor.newton._geometry import Mesh
from torsor.newton._types import Axis, GeoType, numbers, to_transform


def refuse_custom(custom_attributes):
    if custom_attributes:
        raise Error(f"custom attributes are not supported: {', '.join(custom_attributes)}")


class ShapeAdders:
    """Part of ModelBuilder. color is kept for viewers; opacity is not."""

    def add_shape(self, body, type, xform=None, cfg=None, scale=None, src=None, key=None, *, label=None, as_site=False,
                  color=None, opacity=None, custom_attributes=None):
        """Add a shape of any type; scale holds its sizes, src its mesh or height field. color is kept, not used.

        >>> shape = builder.add_shape(link, newton.GeoType.SPHERE, scale=(0.1, 0, 0))
        """
        cfg = self.default_shape_cfg if cfg is None else cfg
        if as_site:
            cfg = cfg.copy()
            cfg.mark_as_site()
        settings = cfg.to_engine()
        settings.setdefault("gap", float(self.rigid_gap))
        refuse_custom(custom_attributes)
        scale = [1.0, 1.0, 1.0] if scale is None else numbers(scale, 3, "a scale")
        shape = self._core.add_shape(body, int(type), to_transform(xform), scale, settings,
                                     None if src is None else src._source, key or label or "")
        return self._note_shape(shape, color if color is not None else getattr(src, "color", None), src)

    def _note_shape(self, shape, color, source=None):
        """Keeps what only Python knows of a shape."""
        missing = shape + 1 - len(self._colors)
        self._colors += [None] * missing
        self._sources += [None] * missing
        self._colors[shape] = None if color is None else tuple(numbers(color, 3, "a colour"))
        self._sources[shape] = source
        return shape

    def add_shape_plane(self, plane=(0.0, 0.0, 1.0, 0.0), xform=None, width=10.0, length=10.0, body=-1, cfg=None,
                        key=None, *, label=None, color=None, opacity=None, custom_attributes=None):
        """Add a plane: a x + b y + c z + d = 0, or with its normal along z of xform. Infinite if width = length = 0.

        >>> shape = builder.add_shape_plane(plane=(0, 0, 1, -0.5), width=0.0, length=0.0)
        """
        if xform is not None:
            return self.add_shape(body, GeoType.PLANE, xform, cfg, (width, length, 0.0), None, key, label=label,
                                  color=color, custom_attributes=custom_attributes)
        cfg = self.default_shape_cfg if cfg is None else cfg
        settings = cfg.to_engine()
        settings.setdefault("gap", float(self.rigid_gap))
        refuse_custom(custom_attributes)
        shape = self._core.add_shape_plane(numbers(plane, 4, "a plane"), float(width), float(length), body, settings,
                                           key or label or "")
        return self._note_shape(shape, color)

    def add_ground_plane(self, height=0.0, cfg=None, key=None, *, label=None, color=(0.125, 0.125, 0.15), opacity=None):
        """Add an infinite plane at right angles to the up axis.

        >>> shape = builder.add_ground_plane(height=-1.0)
        """
        return self.add_shape_plane((*self.up_vector, -height), None, 0.0, 0.0, -1, cfg,
                                    key or label or "ground_plane", color=color)

    def add_shape_sphere(self, body, xform=None, radius=1.0, cfg=None, as_site=False, key=None, *, label=None,
                         color=None, opacity=None, custom_attributes=None):
        """Add a sphere.

        >>> shape = builder.add_shape_sphere(link, radius=0.1)
        """
        return self.add_shape(body, GeoType.SPHERE, xform, cfg, (radius, 0.0, 0.0), None, key, label=label,
                              as_site=as_site, color=color, custom_attributes=custom_attributes)

    def add_shape_ellipsoid(self, body, xform=None, rx=1.0, ry=0.75, rz=0.5, cfg=None, as_site=False, key=None, *,
                            label=None, a=None, b=None, c=None, color=None, opacity=None, custom_attributes=None):
        """Add an ellipsoid with three semi-axes; a, b and c are their older names.

        >>> shape = builder.add_shape_ellipsoid(link, rx=0.1, ry=0.2, rz=0.3)
        """
        axes = tuple(new if old is None else old for new, old in zip((rx, ry, rz), (a, b, c), strict=True))
        return self.add_shape(body, GeoType.ELLIPSOID, xform, cfg, axes, None, key, label=label, as_site=as_site,
                              color=color, custom_attributes=custom_attributes)

    def add_shape_box(self, body, xform=None, hx=0.5, hy=0.5, hz=0.5, cfg=None, as_site=False, key=None, *,
                      label=None, color=None, opacity=None, custom_attributes=None):
        """Add a box with three half lengths.

        >>> shape = builder.add_shape_box(link, hx=0.1, hy=0.1, hz=0.1)
        """
        return self.add_shape(body, GeoType.BOX, xform, cfg, (hx, hy, hz), None, key, label=label, as_site=as_site,
                              color=color, custom_attributes=custom_attributes)

    def add_shape_capsule(self, body, xform=None, radius=1.0, half_height=0.5, cfg=None, as_site=False, key=None, *,
                          label=None, color=None, opacity=None, custom_attributes=None):
        """Add a capsule along z; half_height is without the caps.

        >>> shape = builder.add_shape_capsule(link, radius=0.1, half_height=0.2)
        """
        return self.add_shape(body, GeoType.CAPSULE, xform, cfg, (radius, half_height, 0.0), None, key, label=label,
                              as_site=as_site, color=color, custom_attributes=custom_attributes)

    def add_shape_cylinder(self, body, xform=None, radius=1.0, half_height=0.5, cfg=None, as_site=False, key=None, *,
                           label=None, color=None, opacity=None, custom_attributes=None, barrel_radius=0.0):
        """Add a cylinder along z. With barrel_radius its side is an arc of this radius: the convex hull of a mesh.

        >>> shape = builder.add_shape_cylinder(link, radius=0.1, half_height=0.2)
        """
        if barrel_radius and not as_site:
            barrel = Mesh.create_cylinder(radius, half_height, up_axis=Axis.Z, segments=48, barrel_radius=barrel_radius)
            return self.add_shape_convex_hull(body, xform, barrel, None, cfg, key, label=label, color=color,
                                              custom_attributes=custom_attributes)
        return self.add_shape(body, GeoType.CYLINDER, xform, cfg, (radius, half_height, 0.0), None, key, label=label,
                              as_site=as_site, color=color, custom_attributes=custom_attributes)

    def add_shape_cone(self, body, xform=None, radius=1.0, half_height=0.5, cfg=None, as_site=False, key=None, *,
                       label=None, color=None, opacity=None, custom_attributes=None):
        """Add a cone along z: its base at -half_height, its apex at +half_height.

        >>> shape = builder.add_shape_cone(link, radius=0.1, half_height=0.2)
        """
        return self.add_shape(body, GeoType.CONE, xform, cfg, (radius, half_height, 0.0), None, key, label=label,
                              as_site=as_site, color=color, custom_attributes=custom_attributes)

    def add_shape_mesh(self, body, xform=None, mesh=None, scale=None, cfg=None, key=None, *, label=None, color=None,
                       opacity=None, custom_attributes=None):
        """Add a triangle mesh.

        >>> shape = builder.add_shape_mesh(link, mesh=mesh)
        """
        return self.add_shape(body, GeoType.MESH, xform, cfg, scale, mesh, key, label=label,
                              color=color, custom_attributes=custom_attributes)

    def add_shape_convex_hull(self, body, xform=None, mesh=None, scale=None, cfg=None, key=None, *, label=None,
                              color=None, opacity=None, custom_attributes=None):
        """Add the convex hull of a mesh.

        >>> shape = builder.add_shape_convex_hull(link, mesh=mesh)
        """
        return self.add_shape(body, GeoType.CONVEX_MESH, xform, cfg, scale, mesh, key, label=label,
                              color=color, custom_attributes=custom_attributes)

    def add_shape_heightfield(self, xform=None, heightfield=None, cfg=None, key=None, *, body=-1, label=None,
                              color=None, opacity=None, custom_attributes=None):
        """Add a height field, which belongs to the world unless a body is given.

        >>> field = newton.Heightfield([[0, 0], [0, 1]], nrow=2, ncol=2)
        >>> shape = builder.add_shape_heightfield(heightfield=field)
        """
        return self.add_shape(body, GeoType.HFIELD, xform, cfg, None, heightfield, key, label=label,
                              color=color, custom_attributes=custom_attributes)

    def add_site(self, body, xform=None, key=None, *, label=None):
        """Add a site: a frame on a body, without mass and contacts.

        >>> site = builder.add_site(link)
        """
        return self.add_shape_sphere(body, xform, 0.005, None, True, key, label=label)

    def add_shape_collision_filter_pair(self, shape_a, shape_b):
        """Disable contacts between two shapes.

        >>> first, second = (builder.add_shape_sphere(-1, radius=0.1) for _ in range(2))
        >>> builder.add_shape_collision_filter_pair(first, second)
        """
        self._core.add_shape_collision_filter_pair(shape_a, shape_b)
