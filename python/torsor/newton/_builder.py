"""ModelBuilder with Newton's signatures."""

import itertools
import os

import numpy

from torsor._error import Error
from torsor._core import _newton
from torsor.newton._config import BuilderList, JointDofConfig, ShapeConfig
from torsor.newton._model import Model, refuse_gradients
from torsor.newton._types import Axis, GeoType, JointType, Version, numbers, to_transform


def _anchor(anchor):
    return [0.0, 0.0, 0.0] if anchor is None else numbers(anchor, 3, "an anchor")


def _words(values):
    """A list of strings. A single string is an error: its letters would be taken for patterns."""
    words = list(values)
    if isinstance(values, str) or not all(isinstance(word, str) for word in words):
        raise Error(f"expected a list of strings, got {values!r}")
    return words


class ModelBuilder:
    """Builds a scene of bodies, joints and shapes; finalize() makes a Model of it.

    gravity is a number along the up axis, or a vector. Everything added is also in lists (body_q, joint_q,
    joint_target_ke, shape_material_mu, ...), whose entries may be changed until finalize().

    >>> builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=-9.81)
    >>> builder.gravity
    [0.0, -9.81, 0.0]
    """

    ShapeConfig = ShapeConfig
    JointDofConfig = JointDofConfig

    def __init__(self, up_axis=Axis.Z, gravity=-9.81):
        self.up_axis = Axis.from_any(up_axis)
        self._core = _newton.Builder(int(self.up_axis), self._gravity_vector(gravity))
        self.default_shape_cfg = ShapeConfig()
        self.default_joint_cfg = JointDofConfig()
        self.default_body_armature = 0.0
        self.rigid_gap = 0.0

    # --- what is there ---

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name.endswith("_label"):  # what newer versions call keys
            name = name.removesuffix("label") + "key"
        if name in _newton.list_names():
            return BuilderList(self._core, name)
        if name in ("body_count", "joint_count", "joint_dof_count", "joint_coord_count", "shape_count",
                    "articulation_count", "world_count", "current_world"):
            return getattr(self._core, name)
        raise AttributeError(f"a ModelBuilder has no attribute {name!r}")

    def __setattr__(self, name, value):
        name = name.removesuffix("label") + "key" if name.endswith("_label") else name
        if name in _newton.list_names():
            getattr(self, name)[:] = value
        else:
            super().__setattr__(name, value)

    def __repr__(self):
        return (f"<ModelBuilder: {self.body_count} bodies, {self.joint_count} joints, {self.shape_count} shapes, "
                f"{self.world_count} worlds>")

    def __dir__(self):
        return sorted({*super().__dir__(), *_newton.list_names()})

    def _gravity_vector(self, gravity):
        if numpy.ndim(gravity) == 0:
            gravity = [float(gravity) if each else 0.0 for each in self.up_axis.to_vector()]
        return numbers(gravity, 3, "gravity")

    @property
    def gravity(self):
        """Gravity in the world; set it with a number along the up axis, or a vector."""
        return list(self._core.gravity)

    @gravity.setter
    def gravity(self, value):
        self._core.gravity = self._gravity_vector(value)

    up_vector = property(lambda self: self.up_axis.to_vector(), doc="The unit vector that points up.")
    num_worlds = property(lambda self: self._core.world_count, doc="The number of worlds.")

    # --- bodies ---

    def add_link(self, xform=None, armature=None, com=None, inertia=None, mass=0.0, key=None, lock_inertia=False, *,
                 I_m=None, label=None):
        """Add a body that needs a joint. xform is its pose in the world; mass is in addition to that of its shapes.

        >>> link = builder.add_link(mass=1.0, inertia=numpy.eye(3))
        """
        return self._add_link(xform, armature, com, inertia, mass, key, lock_inertia, I_m, label, False)

    def add_body(self, xform=None, armature=None, com=None, inertia=None, mass=0.0, key=None, lock_inertia=False, *,
                 I_m=None, label=None):
        """Add a floating body: a link with a free joint and an articulation of its own.

        >>> body = builder.add_body(xform=newton.transform((0, 0, 1)))
        """
        return self._add_link(xform, armature, com, inertia, mass, key, lock_inertia, I_m, label, True)

    def _add_link(self, xform, armature, com, inertia, mass, key, lock_inertia, I_m, label, floats):
        inertia = I_m if inertia is None else inertia
        matrix = [0.0] * 9 if inertia is None else numbers(inertia, 9, "an inertia")
        return self._core.add_link(to_transform(xform), self.default_body_armature if armature is None else armature,
                                   [0.0] * 3 if com is None else numbers(com, 3, "a centre of mass"), matrix,
                                   float(mass), key or label or "", lock_inertia, floats)

    # --- joints ---

    def add_joint(self, joint_type, parent, child, linear_axes=None, angular_axes=None, key=None, parent_xform=None,
                  child_xform=None, collision_filter_parent=True, enabled=True, *, label=None):
        """Add a joint of any type. The child is at parent * parent_xform * motion * inverse(child_xform).

        >>> axis = newton.ModelBuilder.JointDofConfig(axis=newton.Axis.Z)
        >>> joint = builder.add_joint(newton.JointType.REVOLUTE, -1, link, angular_axes=[axis])
        """
        linear = [axis.to_engine() for axis in linear_axes or []]
        angular = [axis.to_engine() for axis in angular_axes or []]
        return self._core.add_joint(int(joint_type), parent, child, linear, angular, to_transform(parent_xform),
                                    to_transform(child_xform), key or label or "", collision_filter_parent, enabled)

    def _axis(self, axis, given):
        if isinstance(axis, JointDofConfig):
            return axis
        settings = {name: getattr(self.default_joint_cfg, name) for name in vars(self.default_joint_cfg)}
        settings.update({name: value for name, value in given.items() if value is not None})
        if axis is not None:
            settings["axis"] = axis
        return JointDofConfig(**settings)

    def _add_one_axis(self, joint_type, given):
        """Adds a hinge or a slide from the arguments of its method: those of its axis, and those of any joint."""
        axis = self._axis(given["axis"], {name: given[name] for name in vars(self.default_joint_cfg) if name in given})
        axes = {"angular_axes" if joint_type == JointType.REVOLUTE else "linear_axes": [axis]}
        names = ("parent", "child", "key", "parent_xform", "child_xform", "collision_filter_parent", "enabled", "label")
        return self.add_joint(joint_type, **axes, **{name: given[name] for name in names})

    def add_joint_revolute(self, parent, child, parent_xform=None, child_xform=None, axis=None, target_pos=None,
                           target_vel=None, target_ke=None, target_kd=None, limit_lower=None, limit_upper=None,
                           limit_ke=None, limit_kd=None, armature=None, effort_limit=None, velocity_limit=None,
                           friction=None, actuator_mode=None, key=None, collision_filter_parent=True, enabled=True, *,
                           damping=None, label=None):
        """Add a hinge about an axis in the joint's frame. Its drive has the gains target_ke and target_kd.

        >>> joint = builder.add_joint_revolute(-1, link, axis=newton.Axis.Y, target_ke=100.0, target_kd=10.0)
        """
        return self._add_one_axis(JointType.REVOLUTE, locals())

    def add_joint_prismatic(self, parent, child, parent_xform=None, child_xform=None, axis=Axis.X, target_pos=None,
                            target_vel=None, target_ke=None, target_kd=None, limit_lower=None, limit_upper=None,
                            limit_ke=None, limit_kd=None, armature=None, effort_limit=None, velocity_limit=None,
                            friction=None, actuator_mode=None, key=None, collision_filter_parent=True, enabled=True, *,
                            damping=None, label=None):
        """Add a slide along an axis in the joint's frame.

        >>> joint = builder.add_joint_prismatic(-1, link, axis=newton.Axis.Z, limit_lower=0.0, limit_upper=1.0)
        """
        return self._add_one_axis(JointType.PRISMATIC, locals())

    def add_joint_ball(self, parent, child, parent_xform=None, child_xform=None, armature=None, friction=None, key=None,
                       collision_filter_parent=True, enabled=True, actuator_mode=None, *, label=None):
        """Add a ball joint. Its coordinates are a quaternion xyzw, its velocity is in the parent anchor's axes.

        >>> joint = builder.add_joint_ball(-1, link)
        """
        given = dict(armature=armature, friction=friction, actuator_mode=actuator_mode)
        axes = [self._axis(axis, given) for axis in Axis]
        return self.add_joint(JointType.BALL, parent, child, None, axes, key, parent_xform, child_xform,
                              collision_filter_parent, enabled, label=label)

    def add_joint_fixed(self, parent, child, parent_xform=None, child_xform=None, key=None,
                        collision_filter_parent=True, enabled=True, *, label=None):
        """Add a joint that holds its child in place.

        >>> joint = builder.add_joint_fixed(-1, link)
        """
        return self.add_joint(JointType.FIXED, parent, child, None, None, key, parent_xform, child_xform,
                              collision_filter_parent, enabled, label=label)

    def add_joint_free(self, child, parent_xform=None, child_xform=None, parent=-1, key=None,
                       collision_filter_parent=True, enabled=True, *, label=None):
        """Add a free joint. Its initial coordinates are those of the bodies' poses.

        >>> joint = builder.add_joint_free(link)
        """
        return self._core.add_joint_free(child, parent, to_transform(parent_xform), to_transform(child_xform),
                                         key or label or "", collision_filter_parent, enabled)

    def add_joint_distance(self, parent, child, parent_xform=None, child_xform=None, min_distance=-1.0,
                           max_distance=1.0, collision_filter_parent=True, enabled=True, *, key=None, label=None):
        """Add a joint that keeps the distance between its two anchors in a range; a negative bound means no bound.

        >>> joint = builder.add_joint_distance(-1, link, max_distance=0.5)
        """
        return self._core.add_joint_distance(parent, child, float(min_distance), float(max_distance),
                                             to_transform(parent_xform), to_transform(child_xform), key or label or "",
                                             collision_filter_parent, enabled)

    def add_joint_d6(self, parent, child, linear_axes=None, angular_axes=None, key=None, parent_xform=None,
                     child_xform=None, collision_filter_parent=True, enabled=True, *, label=None):
        """Add a joint with up to three linear and three angular axes, each carried by the previous ones.

        >>> axes = [newton.ModelBuilder.JointDofConfig(axis=axis) for axis in (newton.Axis.X, newton.Axis.Y)]
        >>> joint = builder.add_joint_d6(-1, link, linear_axes=axes)
        """
        return self.add_joint(JointType.D6, parent, child, linear_axes, angular_axes, key, parent_xform, child_xform,
                              collision_filter_parent, enabled, label=label)

    def add_articulation(self, joints, key=None, *, label=None):
        """Make an articulation of joints, which must have been added one after the other, parents first.

        >>> builder.add_articulation([builder.add_joint_free(link)])
        """
        self._core.add_articulation([int(joint) for joint in joints], key or label or "")

    # --- shapes ---

    def add_equality_constraint_connect(self, body1=-1, body2=-1, anchor=None, key=None, enabled=True, *, label=None):
        """Fix a point of body1 to body2; -1 is the world. Soft in SolverMuJoCo, near-rigid in SolverSAP.

        >>> index = builder.add_equality_constraint_connect(link, -1, anchor=(0, 0, 0.1))
        """
        return self._core.add_equality_constraint_connect(body1, body2, _anchor(anchor), key or label or "", enabled)

    def add_equality_constraint_weld(self, body1=-1, body2=-1, anchor=None, torquescale=None, relpose=None, key=None,
                                     enabled=True, *, label=None):
        """Keep the anchor, a point of body2, at the pose relpose in body1.

        The default relpose is the identity, as in Newton.

        >>> index = builder.add_equality_constraint_weld(-1, link, relpose=newton.transform((0, 0, 1)))
        """
        return self._core.add_equality_constraint_weld(
            body1, body2, _anchor(anchor), 1.0 if torquescale is None else float(torquescale), to_transform(relpose),
            key or label or "", enabled)

    def add_equality_constraint_joint(self, joint1=-1, joint2=-1, polycoef=None, key=None, enabled=True, *, label=None):
        """Make the coordinate of joint1 a polynomial of that of joint2, both hinges or slides.

        With joint2=-1, the coordinate of joint1 is the first coefficient. By default, both coordinates are equal.

        >>> joint = builder.add_joint_revolute(-1, link)
        >>> index = builder.add_equality_constraint_joint(joint, polycoef=[0.3])
        """
        given = [0.0, 1.0] if polycoef is None else [float(each) for each in polycoef]
        if not 0 < len(given) <= 5:
            raise Error(f"polycoef has {len(given)} numbers; it takes one to five")
        given += [0.0] * (5 - len(given))
        return self._core.add_equality_constraint_joint(joint1, joint2, given, key or label or "", enabled)

    def add_shape(self, body, type, xform=None, cfg=None, scale=None, src=None, key=None, *, label=None, as_site=False):
        """Add a shape of any type; scale holds its sizes, src its mesh or height field.

        >>> shape = builder.add_shape(link, newton.GeoType.SPHERE, scale=(0.1, 0, 0))
        """
        cfg = self.default_shape_cfg if cfg is None else cfg
        if as_site:
            cfg = cfg.copy()
            cfg.mark_as_site()
        settings = cfg.to_engine()
        settings.setdefault("gap", float(self.rigid_gap))
        scale = [1.0, 1.0, 1.0] if scale is None else numbers(scale, 3, "a scale")
        return self._core.add_shape(body, int(type), to_transform(xform), scale, settings,
                                    None if src is None else src._source, key or label or "")

    def add_shape_plane(self, plane=(0.0, 0.0, 1.0, 0.0), xform=None, width=10.0, length=10.0, body=-1, cfg=None,
                        key=None, *, label=None):
        """Add a plane: a x + b y + c z + d = 0, or with its normal along z of xform. Infinite if width = length = 0.

        >>> shape = builder.add_shape_plane(plane=(0, 0, 1, -0.5), width=0.0, length=0.0)
        """
        if xform is not None:
            return self.add_shape(body, GeoType.PLANE, xform, cfg, (width, length, 0.0), None, key, label=label)
        cfg = self.default_shape_cfg if cfg is None else cfg
        settings = cfg.to_engine()
        settings.setdefault("gap", float(self.rigid_gap))
        return self._core.add_shape_plane(numbers(plane, 4, "a plane"), float(width), float(length), body, settings,
                                          key or label or "")

    def add_ground_plane(self, height=0.0, cfg=None, key=None, *, label=None):
        """Add an infinite plane at right angles to the up axis.

        >>> shape = builder.add_ground_plane(height=-1.0)
        """
        return self.add_shape_plane((*self.up_vector, -height), None, 0.0, 0.0, -1, cfg, key or label or "ground_plane")

    def add_shape_sphere(self, body, xform=None, radius=1.0, cfg=None, as_site=False, key=None, *, label=None):
        """Add a sphere.

        >>> shape = builder.add_shape_sphere(link, radius=0.1)
        """
        return self.add_shape(body, GeoType.SPHERE, xform, cfg, (radius, 0.0, 0.0), None, key, label=label,
                              as_site=as_site)

    def add_shape_ellipsoid(self, body, xform=None, rx=1.0, ry=0.75, rz=0.5, cfg=None, as_site=False, key=None, *,
                            label=None, a=None, b=None, c=None):
        """Add an ellipsoid with three semi-axes; a, b and c are their older names.

        >>> shape = builder.add_shape_ellipsoid(link, rx=0.1, ry=0.2, rz=0.3)
        """
        axes = tuple(new if old is None else old for new, old in zip((rx, ry, rz), (a, b, c), strict=True))
        return self.add_shape(body, GeoType.ELLIPSOID, xform, cfg, axes, None, key, label=label, as_site=as_site)

    def add_shape_box(self, body, xform=None, hx=0.5, hy=0.5, hz=0.5, cfg=None, as_site=False, key=None, *, label=None):
        """Add a box with three half lengths.

        >>> shape = builder.add_shape_box(link, hx=0.1, hy=0.1, hz=0.1)
        """
        return self.add_shape(body, GeoType.BOX, xform, cfg, (hx, hy, hz), None, key, label=label, as_site=as_site)

    def add_shape_capsule(self, body, xform=None, radius=1.0, half_height=0.5, cfg=None, as_site=False, key=None, *,
                          label=None):
        """Add a capsule along z; half_height is without the caps.

        >>> shape = builder.add_shape_capsule(link, radius=0.1, half_height=0.2)
        """
        return self.add_shape(body, GeoType.CAPSULE, xform, cfg, (radius, half_height, 0.0), None, key, label=label,
                              as_site=as_site)

    def add_shape_cylinder(self, body, xform=None, radius=1.0, half_height=0.5, cfg=None, as_site=False, key=None, *,
                           label=None):
        """Add a cylinder along z.

        >>> shape = builder.add_shape_cylinder(link, radius=0.1, half_height=0.2)
        """
        return self.add_shape(body, GeoType.CYLINDER, xform, cfg, (radius, half_height, 0.0), None, key, label=label,
                              as_site=as_site)

    def add_shape_cone(self, body, xform=None, radius=1.0, half_height=0.5, cfg=None, as_site=False, key=None, *,
                       label=None):
        """Add a cone along z: its base at -half_height, its apex at +half_height.

        >>> shape = builder.add_shape_cone(link, radius=0.1, half_height=0.2)
        """
        return self.add_shape(body, GeoType.CONE, xform, cfg, (radius, half_height, 0.0), None, key, label=label,
                              as_site=as_site)

    def add_shape_mesh(self, body, xform=None, mesh=None, scale=None, cfg=None, key=None, *, label=None):
        """Add a triangle mesh.

        >>> shape = builder.add_shape_mesh(link, mesh=mesh)
        """
        return self.add_shape(body, GeoType.MESH, xform, cfg, scale, mesh, key, label=label)

    def add_shape_convex_hull(self, body, xform=None, mesh=None, scale=None, cfg=None, key=None, *, label=None):
        """Add the convex hull of a mesh.

        >>> shape = builder.add_shape_convex_hull(link, mesh=mesh)
        """
        return self.add_shape(body, GeoType.CONVEX_MESH, xform, cfg, scale, mesh, key, label=label)

    def add_shape_heightfield(self, xform=None, heightfield=None, cfg=None, key=None, *, body=-1, label=None):
        """Add a height field, which belongs to the world unless a body is given.

        >>> field = newton.Heightfield([[0, 0], [0, 1]], nrow=2, ncol=2)
        >>> shape = builder.add_shape_heightfield(heightfield=field)
        """
        return self.add_shape(body, GeoType.HFIELD, xform, cfg, None, heightfield, key, label=label)

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

    # --- scenes within scenes ---

    def add_mjcf(self, source, xform=None, *, floating=None, armature_scale=1.0, up_axis=Axis.Z, ignore_names=(),
                 ignore_classes=(), visual_classes=(), parse_sites=True, parse_visuals=True, parse_mujoco_options=True,
                 enable_self_collisions=True, ignore_inertial_definitions=False, collapse_fixed_joints=False,
                 skip_equality_constraints=False, ctrl_direct=False, hide_visuals=False, force_show_colliders=False,
                 verbose=False):
        """Add an MJCF file, or MJCF as a string.

        Boxes given by fromto and cylinders keep their type. Plain servos become the drives of their joints, with
        targets in Control.joint_target_pos and joint_target_vel; other actuators keep their own controls in
        Control.ctrl. With ctrl_direct, all actuators do.

        ignore_names and ignore_classes are lists of regular expressions: bodies (with their descendants), joints, geoms
        and sites whose name or class begins with a match are left out, and so is whatever refers to them. Geoms collide
        as specified in MJCF (contype, conaffinity), except for those of visual_classes, which do not collide.
        hide_visuals, force_show_colliders and verbose have no effect.

        >>> robot = "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
        >>> robot += "<body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>"
        >>> builder.add_mjcf(robot, ignore_names=["floor"])
        """
        first = self.shape_count
        self._core.add_mjcf(os.fspath(source), {
            "xform": to_transform(xform), "floating": floating, "armature_scale": float(armature_scale),
            "up_axis": int(Axis.from_any(up_axis)), "ignore_names": _words(ignore_names),
            "ignore_classes": _words(ignore_classes), "visual_classes": _words(visual_classes),
            "parse_sites": bool(parse_sites), "parse_visuals": bool(parse_visuals),
            "parse_mujoco_options": bool(parse_mujoco_options),
            "ignore_inertial_definitions": bool(ignore_inertial_definitions),
            "collapse_fixed_joints": bool(collapse_fixed_joints),
            "skip_equality_constraints": bool(skip_equality_constraints), "ctrl_direct": bool(ctrl_direct)})
        if enable_self_collisions:
            return
        bodies = self._core.get_list("shape_body")
        own = [shape for shape in range(first, self.shape_count) if bodies[shape] >= 0]
        for a, b in itertools.combinations(own, 2):
            self._core.add_shape_collision_filter_pair(a, b)

    def add_builder(self, builder, xform=None):
        """Add everything of another builder, with its roots moved by xform.

        >>> builder.add_builder(newton.ModelBuilder(), xform=newton.transform((1, 0, 0)))
        """
        self._core.add_builder(builder._core, to_transform(xform))

    def begin_world(self):
        """Begin a new world, to which elements belong until end_world(). Worlds do not collide with each other.

        >>> builder.begin_world()
        """
        self._core.begin_world()

    def end_world(self):
        """End the current world; further elements belong to all worlds.

        >>> builder.end_world()
        """
        self._core.end_world()

    def add_world(self, builder, xform=None):
        """Add another builder as a new world.

        >>> builder.add_world(newton.ModelBuilder())
        """
        self._core.add_world(builder._core, to_transform(xform))

    def replicate(self, builder, world_count, spacing=(0.0, 0.0, 0.0)):
        """Add another builder many times, each time as a new world, in a grid with the given spacing.

        >>> builder.replicate(newton.ModelBuilder(), 4, spacing=(1, 1, 0))
        """
        self._core.replicate(builder._core, int(world_count), numbers(spacing, 3, "a spacing"))

    def collapse_fixed_joints(self):
        """Merge bodies that are connected by fixed joints. This changes the indices of bodies and joints.

        >>> builder.collapse_fixed_joints()
        """
        self._core.collapse_fixed_joints()

    def finalize(self, device=None, *, requires_grad=False, version=Version.WORLD_AXES):
        """Make the Model, on the CPU whatever the device. version selects the axes of velocities of free joints.

        >>> newton.ModelBuilder().finalize().body_count
        0
        """
        refuse_gradients(requires_grad)
        if self._core.current_world >= 0:
            raise Error("a world is open: call end_world() first")
        return Model(self._core.finalize(int(version)))
