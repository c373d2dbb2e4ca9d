"""ModelBuilder with Newton's signatures."""

import itertools
import os

import numpy

from torsor._error import Error
from torsor._core import _newton
from torsor.newton._config import BuilderList, JointDofConfig, ShapeConfig, TargetList
from torsor.newton._array import run_cpu_graphs_directly, uses_warp
from torsor.newton._model import Model, refuse_gradients
from torsor.newton._shapes import ShapeAdders, refuse_custom
from torsor.newton._types import Axis, JointType, Version, numbers, to_transform, transform
from torsor.newton._urdf import UrdfAdder


def _anchor(anchor):
    return [0.0, 0.0, 0.0] if anchor is None else numbers(anchor, 3, "an anchor")


def _words(values):
    """A list of strings. A single string is an error: its letters would be taken for patterns."""
    words = list(values)
    if isinstance(values, str) or not all(isinstance(word, str) for word in words):
        raise Error(f"expected a list of strings, got {values!r}")
    return words


class ModelBuilder(ShapeAdders, UrdfAdder):
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
        self.rigid_gap = 0.1
        self.custom_attributes = {}
        self._colors, self._sources = [], []

    # --- what is there ---

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name.endswith("_label"):  # what newer versions call keys
            name = name.removesuffix("label") + "key"
        if name == "joint_target_q":
            return TargetList(self._core)
        name = {"joint_target_qd": "joint_target_vel"}.get(name, name)
        if name in _newton.list_names():
            return BuilderList(self._core, name)
        if name in ("body_count", "joint_count", "joint_dof_count", "joint_coord_count", "shape_count",
                    "articulation_count", "world_count", "current_world"):
            return getattr(self._core, name)
        raise AttributeError(f"a ModelBuilder has no attribute {name!r}")

    def __setattr__(self, name, value):
        name = name.removesuffix("label") + "key" if name.endswith("_label") else name
        if name in _newton.list_names() or name in ("joint_target_q", "joint_target_qd"):
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

    @property
    def shape_color(self):
        """The colour of each shape, None if it has none."""
        self._note_all()
        return self._colors

    @property
    def shape_source(self):
        """The Mesh or Heightfield of each shape, None if it has none."""
        self._note_all()
        return self._sources

    @property
    def body_shapes(self):
        """The shapes of each body; those of the world are at -1."""
        found = {body: [] for body in range(-1, self.body_count)}
        for shape, body in enumerate(self._core.get_list("shape_body")):
            found[body].append(shape)
        return found

    num_worlds = property(lambda self: self._core.world_count, doc="The number of worlds.")

    # --- bodies ---

    def add_link(self, xform=None, armature=None, com=None, inertia=None, mass=0.0, key=None, lock_inertia=False, *,
                 I_m=None, label=None, is_kinematic=False, custom_attributes=None):
        """Add a body that needs a joint. xform is its pose in the world; mass is in addition to that of its shapes.

        A kinematic body moves as you prescribe: set its joint_q and joint_qd before each step, which does not change
        them. Forces do not move it, and its velocity drags what touches it. Its joint is on the world.

        >>> link = builder.add_link(mass=1.0, inertia=numpy.eye(3))
        """
        refuse_custom(custom_attributes)
        return self._add_link(xform, armature, com, inertia, mass, key, lock_inertia, I_m, label, False, is_kinematic)

    def add_body(self, xform=None, armature=None, com=None, inertia=None, mass=0.0, key=None, lock_inertia=False, *,
                 I_m=None, label=None, is_kinematic=False, custom_attributes=None):
        """Add a floating body: a link with a free joint and an articulation of its own.

        >>> body = builder.add_body(xform=newton.transform((0, 0, 1)))
        """
        refuse_custom(custom_attributes)
        return self._add_link(xform, armature, com, inertia, mass, key, lock_inertia, I_m, label, True, is_kinematic)

    def _add_link(self, xform, armature, com, inertia, mass, key, lock_inertia, I_m, label, floats,
                  is_kinematic):
        inertia = I_m if inertia is None else inertia
        matrix = [0.0] * 9 if inertia is None else numbers(inertia, 9, "an inertia")
        return self._core.add_link(to_transform(xform), self.default_body_armature if armature is None else armature,
                                   [0.0] * 3 if com is None else numbers(com, 3, "a centre of mass"), matrix,
                                   float(mass), key or label or "", lock_inertia, floats, bool(is_kinematic))

    # --- joints ---

    def add_joint(self, joint_type, parent, child, linear_axes=None, angular_axes=None, key=None, parent_xform=None,
                  child_xform=None, collision_filter_parent=True, enabled=True, *, label=None, custom_attributes=None):
        """Add a joint of any type. The child is at parent * parent_xform * motion * inverse(child_xform).

        >>> axis = newton.ModelBuilder.JointDofConfig(axis=newton.Axis.Z)
        >>> joint = builder.add_joint(newton.JointType.REVOLUTE, -1, link, angular_axes=[axis])
        """
        refuse_custom(custom_attributes)
        linear = [axis.to_engine() for axis in linear_axes or []]
        angular = [axis.to_engine() for axis in angular_axes or []]
        return self._core.add_joint(int(joint_type), parent, child, linear, angular, to_transform(parent_xform),
                                    to_transform(child_xform), key or label or "", collision_filter_parent is not False,
                                    enabled)

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
                           damping=None, label=None, custom_attributes=None):
        """Add a hinge about an axis in the joint's frame. Its drive has the gains target_ke and target_kd.

        >>> joint = builder.add_joint_revolute(-1, link, axis=newton.Axis.Y, target_ke=100.0, target_kd=10.0)
        """
        refuse_custom(custom_attributes)
        return self._add_one_axis(JointType.REVOLUTE, locals())

    def add_joint_prismatic(self, parent, child, parent_xform=None, child_xform=None, axis=Axis.X, target_pos=None,
                            target_vel=None, target_ke=None, target_kd=None, limit_lower=None, limit_upper=None,
                            limit_ke=None, limit_kd=None, armature=None, effort_limit=None, velocity_limit=None,
                            friction=None, actuator_mode=None, key=None, collision_filter_parent=True, enabled=True, *,
                            damping=None, label=None, custom_attributes=None):
        """Add a slide along an axis in the joint's frame.

        >>> joint = builder.add_joint_prismatic(-1, link, axis=newton.Axis.Z, limit_lower=0.0, limit_upper=1.0)
        """
        refuse_custom(custom_attributes)
        return self._add_one_axis(JointType.PRISMATIC, locals())

    def add_joint_ball(self, parent, child, parent_xform=None, child_xform=None, armature=None, friction=None, key=None,
                       collision_filter_parent=True, enabled=True, actuator_mode=None, *, damping=None, label=None,
                       custom_attributes=None):
        """Add a ball joint. Its coordinates are a quaternion xyzw, its velocity is in the parent anchor's axes.

        >>> joint = builder.add_joint_ball(-1, link)
        """
        given = dict(armature=armature, friction=friction, damping=damping, actuator_mode=actuator_mode)
        axes = [self._axis(axis, given) for axis in Axis]
        return self.add_joint(JointType.BALL, parent, child, None, axes, key, parent_xform, child_xform,
                              collision_filter_parent, enabled, label=label,
                              custom_attributes=custom_attributes)

    def add_joint_fixed(self, parent, child, parent_xform=None, child_xform=None, key=None,
                        collision_filter_parent=True, enabled=True, *, label=None, custom_attributes=None):
        """Add a joint that holds its child in place.

        >>> joint = builder.add_joint_fixed(-1, link)
        """
        return self.add_joint(JointType.FIXED, parent, child, None, None, key, parent_xform, child_xform,
                              collision_filter_parent, enabled, label=label,
                              custom_attributes=custom_attributes)

    def add_joint_free(self, child, parent_xform=None, child_xform=None, parent=-1, key=None,
                       collision_filter_parent=True, enabled=True, *, label=None, custom_attributes=None):
        """Add a free joint. Its initial coordinates are those of the bodies' poses.

        >>> joint = builder.add_joint_free(link)
        """
        refuse_custom(custom_attributes)
        return self._core.add_joint_free(child, parent, to_transform(parent_xform), to_transform(child_xform),
                                         key or label or "", collision_filter_parent is not False, enabled)

    def add_joint_distance(self, parent, child, parent_xform=None, child_xform=None, min_distance=-1.0,
                           max_distance=1.0, collision_filter_parent=True, enabled=True, *, key=None, label=None, custom_attributes=None):
        """Add a joint that keeps the distance between its two anchors in a range; a negative bound means no bound.

        >>> joint = builder.add_joint_distance(-1, link, max_distance=0.5)
        """
        refuse_custom(custom_attributes)
        return self._core.add_joint_distance(parent, child, float(min_distance), float(max_distance),
                                             to_transform(parent_xform), to_transform(child_xform), key or label or "",
                                             collision_filter_parent is not False, enabled)

    def add_joint_d6(self, parent, child, linear_axes=None, angular_axes=None, key=None, parent_xform=None,
                     child_xform=None, collision_filter_parent=True, enabled=True, *, label=None, custom_attributes=None):
        """Add a joint with up to three linear and three angular axes, each carried by the previous ones.

        >>> axes = [newton.ModelBuilder.JointDofConfig(axis=axis) for axis in (newton.Axis.X, newton.Axis.Y)]
        >>> joint = builder.add_joint_d6(-1, link, linear_axes=axes)
        """
        return self.add_joint(JointType.D6, parent, child, linear_axes, angular_axes, key, parent_xform, child_xform,
                              collision_filter_parent, enabled, label=label,
                              custom_attributes=custom_attributes)

    def add_articulation(self, joints, key=None, *, label=None, custom_attributes=None):
        """Make an articulation of joints, which must have been added one after the other, parents first.

        >>> builder.add_articulation([builder.add_joint_free(link)])
        """
        refuse_custom(custom_attributes)
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

    def set_joint_mimic(self, joint, reference_joint, *, coeffs=(0.0, 1.0)):
        """Make the coordinate of a joint coeffs[0] + coeffs[1] times that of another: an equality of the two.

        >>> first, second = (builder.add_joint_revolute(-1, builder.add_link(mass=1)) for _ in range(2))
        >>> builder.set_joint_mimic(second, first, coeffs=(0.0, 2.0))
        """
        if reference_joint is None:
            raise Error("a mimic joint cannot be removed again")
        self.add_equality_constraint_joint(joint, reference_joint, polycoef=[float(each) for each in coeffs])

    # --- scenes within scenes ---

    def add_mjcf(self, source, xform=None, *, floating=None, armature_scale=1.0, up_axis=Axis.Z, ignore_names=(),
                 ignore_classes=(), visual_classes=(), parse_sites=True, parse_visuals=True, parse_mujoco_options=True,
                 enable_self_collisions=True, ignore_inertial_definitions=False, collapse_fixed_joints=False,
                 collapse_massless_fixed_root=False, skip_equality_constraints=False, ctrl_direct=False, hide_visuals=False, force_show_colliders=False,
                 verbose=False):
        """Add an MJCF file, or MJCF as a string.

        Boxes given by fromto and cylinders keep their type. Plain servos become the drives of their joints, with
        targets in Control.joint_target_pos and joint_target_vel; other actuators keep their own controls in
        Control.ctrl. With ctrl_direct, all actuators do.

        ignore_names and ignore_classes are lists of regular expressions: bodies (with their descendants), joints, geoms
        and sites whose name or class begins with a match are left out, and so is whatever refers to them. Geoms collide
        as specified in MJCF (contype, conaffinity), except for those of visual_classes, which do not collide.
        hide_visuals, force_show_colliders and verbose have no effect.

        Where the file says nothing, default_shape_cfg has the density, friction, margin, gap, ke and kd of shapes, and
        default_joint_cfg the armature, damping, limit_ke and limit_kd and the limits of effort and velocity.

        >>> robot = "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
        >>> robot += "<body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>"
        >>> builder.add_mjcf(robot, ignore_names=["floor"])
        """
        axis = self.default_joint_cfg.to_engine() | {"friction": 0.0}  # as in Newton
        self._add_mjcf(axis, source, xform, floating=floating, armature_scale=armature_scale, up_axis=up_axis,
                       ignore_names=ignore_names, ignore_classes=ignore_classes, visual_classes=visual_classes,
                       parse_sites=parse_sites, parse_visuals=parse_visuals, parse_mujoco_options=parse_mujoco_options,
                       enable_self_collisions=enable_self_collisions,
                       ignore_inertial_definitions=ignore_inertial_definitions,
                       collapse_fixed_joints=collapse_fixed_joints,
                       collapse_massless_fixed_root=collapse_massless_fixed_root,
                       skip_equality_constraints=skip_equality_constraints, ctrl_direct=ctrl_direct)

    def _add_mjcf(self, axis, source, xform, *, floating, parse_sites, parse_visuals, parse_mujoco_options,
                  enable_self_collisions, collapse_fixed_joints, armature_scale=1.0, up_axis=Axis.Z, ignore_names=(),
                  ignore_classes=(), visual_classes=(), ignore_inertial_definitions=False,
                  collapse_massless_fixed_root=False, skip_equality_constraints=False, ctrl_direct=False):
        first = self.shape_count
        self._core.add_mjcf(os.fspath(source), {
            "xform": to_transform(xform), "floating": floating, "armature_scale": float(armature_scale),
            "up_axis": int(Axis.from_any(up_axis)), "ignore_names": _words(ignore_names),
            "ignore_classes": _words(ignore_classes), "visual_classes": _words(visual_classes),
            "parse_sites": bool(parse_sites), "parse_visuals": bool(parse_visuals),
            "parse_mujoco_options": bool(parse_mujoco_options),
            "ignore_inertial_definitions": bool(ignore_inertial_definitions),
            "collapse_fixed_joints": bool(collapse_fixed_joints),
            "collapse_massless_fixed_root": bool(collapse_massless_fixed_root),
            "skip_equality_constraints": bool(skip_equality_constraints), "ctrl_direct": bool(ctrl_direct),
            "shape": self.default_shape_cfg.to_engine(), "axis": axis})
        if enable_self_collisions:
            return
        bodies = self._core.get_list("shape_body")
        own = [shape for shape in range(first, self.shape_count) if bodies[shape] >= 0]
        for a, b in itertools.combinations(own, 2):
            self._core.add_shape_collision_filter_pair(a, b)

    def add_usd(self, source, *, xform=None, floating=None, joint_drive_gains_scaling=1.0, collapse_fixed_joints=False,
                enable_self_collisions=True, load_sites=True, load_visual_shapes=True, parse_mujoco_options=True,
                ignore_paths=(), verbose=False, load_static_visual_shapes=True, hide_collision_shapes=False,
                force_show_colliders=False, skip_mesh_approximation=False, mesh_maxhullvert=None):
        """Add a USD file, or an open stage: bodies, joints with their drives, shapes. Needs usd-core.

        ignore_paths is a list of regular expressions: prims whose path begins with a match are left out, with what is
        below them. Labels are the paths of prims. Returns a dict with `path_body_map`, `path_joint_map` and
        `path_shape_map`, from paths to indices. verbose prints what was left out. Where the stage says nothing, shapes
        and axes have the settings of default_shape_cfg and default_joint_cfg, as with add_mjcf, and default_joint_cfg
        has the friction too. The last five arguments have no effect.

        >>> builder.add_usd("robot.usda", xform=newton.transform((0, 0, 1)))     # doctest: +SKIP
        """
        from torsor.usd._read import StageReader
        lists = ("body_key", "joint_key", "shape_key", "joint_target_ke", "articulation_key")
        first = {name: len(self._core.get_list(name)) for name in lists}
        reader = StageReader(source, _words(ignore_paths), self.default_shape_cfg.density)
        self._add_mjcf(self.default_joint_cfg.to_engine(), reader.make_xml(), xform, floating=floating,
                       parse_sites=load_sites, parse_visuals=load_visual_shapes,
                       parse_mujoco_options=parse_mujoco_options, enable_self_collisions=enable_self_collisions,
                       collapse_fixed_joints=collapse_fixed_joints)
        if verbose:
            for loss in reader.stage.losses.found:
                print(loss)
        paths = {"body_key": {body.name: path for path, body in reader.bodies.items()},
                 "joint_key": {joint.name: joint.path for joint in reader.joints},
                 "shape_key": {shape.attributes["name"]: path for path, (_, shape) in reader.shape_bodies.items()}}
        found = {name: self._label_by_path(name, first[name], paths[name]) for name in paths}
        self._label_articulations(first["articulation_key"], reader.articulations)
        for gains in ("joint_target_ke", "joint_target_kd"):
            values = self._core.get_list(gains)
            values[first["joint_target_ke"]:] = [float(joint_drive_gains_scaling) * value
                                                 for value in values[first["joint_target_ke"]:]]
            self._core.set_list(gains, values)
        return {"path_body_map": found["body_key"], "path_joint_map": found["joint_key"],
                "path_shape_map": found["shape_key"]}

    def _label_by_path(self, list_name, first, paths):
        """Labels elements from `first` on by the paths of their prims, where they have one; returns index by path."""
        labels = self._core.get_list(list_name)
        found = {paths[label]: index for index, label in enumerate(labels) if index >= first and label in paths}
        for path, index in found.items():
            labels[index] = path
        self._core.set_list(list_name, labels)
        return found

    def _label_articulations(self, first, roots):
        """By the root prim at or above the first body; by that body where there is none."""
        labels, starts = self._core.get_list("articulation_key"), self._core.get_list("articulation_start")
        children, bodies = self._core.get_list("joint_child"), self._core.get_list("body_key")
        for index in range(first, len(labels)):
            body = bodies[children[starts[index]]]
            above = [root for root in roots if (body + "/").startswith(root + "/")]
            labels[index] = max(above, key=len, default=body)
        self._core.set_list("articulation_key", labels)

    def approximate_meshes(self, method="convex_hull", shape_indices=None, raise_on_failure=False,
                           keep_visual_shapes=False, **remeshing_settings):
        """Replace mesh shapes by "convex_hull", "bounding_box" or "bounding_sphere"; masses stay. Returns their indices.

        Without shape_indices, all meshes that collide, and those of MJCF and USD files, which are hulls already. Boxes
        are along the principal axes of the hull's inertia. keep_visual_shapes has no effect.

        >>> shape = builder.add_shape_mesh(link, mesh=newton.Mesh.create_sphere(0.1))
        >>> builder.approximate_meshes("bounding_box")
        {0}
        """
        methods = ("convex_hull", "bounding_box", "bounding_sphere")
        if method not in methods:
            raise Error(f"approximate_meshes() has the methods {', '.join(methods)}, not {method!r}")
        if shape_indices is not None and len(shape_indices) == 0:
            return set()
        changed = self._core.approximate_meshes(methods.index(method), [int(shape) for shape in shape_indices or ()])
        self._note_all()
        for shape in changed if method != "convex_hull" else ():
            self._sources[shape] = None
        return set(changed)

    def add_builder(self, builder, xform=None, label_prefix=None):
        """Add everything of another builder, with its roots moved by xform and its labels after a prefix.

        >>> builder.add_builder(newton.ModelBuilder(), xform=newton.transform((1, 0, 0)))
        """
        self._add(builder, label_prefix, lambda: self._core.add_builder(builder._core, to_transform(xform)))

    def _add(self, builder, label_prefix, add, copies=1):
        """Adds another builder, with what only Python knows of it."""
        names = ("body_key", "joint_key", "shape_key", "articulation_key")
        before = {name: len(self._core.get_list(name)) for name in names}
        self._note_all()
        builder._note_all()
        add()
        self._colors += builder._colors * copies
        self._sources += builder._sources * copies
        if label_prefix:
            for name in names:
                labels = self._core.get_list(name)
                labels[before[name]:] = [f"{label_prefix}/{label}" for label in labels[before[name]:]]
                self._core.set_list(name, labels)

    def _note_all(self):
        missing = self.shape_count - len(self._colors)
        self._colors += [None] * missing
        self._sources += [None] * missing

    def begin_world(self, label=None, attributes=None, gravity=None):
        """Begin a new world, to which elements belong until end_world(). Worlds do not collide with each other.

        gravity is that of this world: a vector, or a number along the up axis.

        >>> builder.begin_world(gravity=(0, 0, -1.62))
        """
        refuse_custom(attributes)
        vector = None if gravity is None else self._gravity_vector(gravity)
        self._core.begin_world()
        if vector is not None:
            self._core.world_gravity = [*self._core.world_gravity[:-1], vector]

    def end_world(self):
        """End the current world; further elements belong to all worlds.

        >>> builder.end_world()
        """
        self._core.end_world()

    def add_world(self, builder, xform=None, label_prefix=None):
        """Add another builder as a new world, with its own gravity.

        >>> builder.add_world(newton.ModelBuilder())
        """
        self._add(builder, label_prefix, lambda: self._core.add_world(builder._core, to_transform(xform)))

    def replicate(self, builder, world_count, spacing=(0.0, 0.0, 0.0), *, xforms=None, label_prefixes=None):
        """Add another builder many times, each time as a new world, in a grid with the given spacing or at xforms.

        >>> builder.replicate(newton.ModelBuilder(), 4, spacing=(1, 1, 0))
        """
        if xforms is None and label_prefixes is None:
            place = numbers(spacing, 3, "a spacing")
            self._add(builder, None, lambda: self._core.replicate(builder._core, int(world_count), place), int(world_count))
            return
        if xforms is None:
            raise Error("label_prefixes need xforms, one for each world")
        prefixes = [None] * world_count if label_prefixes is None else list(label_prefixes)
        for xform, prefix in zip(xforms, prefixes, strict=True):
            self.add_world(builder, xform, prefix)

    def color(self, include_bending=False, balance_colors=True, target_max_min_color_ratio=1.1, coloring_algorithm=None):
        """Does nothing: it prepares models for SolverVBD, which Torsor does not have.

        >>> builder.color()
        """

    def collapse_fixed_joints(self, verbose=False, joints_to_keep=None):
        """Merge bodies that are connected by fixed joints, except joints_to_keep (labels or indices).

        Indices of bodies and joints change: the result says how, with the keys of Newton. Bodies that an adhesion actuator
        names are not merged. verbose prints which bodies are merged into which.

        >>> builder.collapse_fixed_joints()["body_remap"]
        {-1: -1, 0: 0}
        """
        labels, joints = list(self.body_key), self._joints_named(joints_to_keep or ())
        bodies, places, poses, joint_numbers, articulations = self._core.collapse_fixed_joints(joints)
        merged = {body: place for body, place in enumerate(places) if place != body}
        found = {
            "body_remap": {-1: -1} | {old: new for old, new in enumerate(bodies) if new >= 0},
            "joint_remap": {old: new for old, new in enumerate(joint_numbers) if new >= 0},
            "articulation_remap": {old: new for old, new in enumerate(articulations) if new >= 0},
            "body_merged_parent": merged,
            "body_merged_transform": {body: transform(poses[body][:3], poses[body][3:]) for body in merged}}
        found["merged_body_data"] = {
            labels[body]: {"relative_xform": found["body_merged_transform"][body],
                           "parent_body": labels[place] if place >= 0 else "world"} for body, place in merged.items()}
        if verbose:
            for label, data in found["merged_body_data"].items():
                print(f"{label} becomes part of {data['parent_body']}")
        return found

    def _joints_named(self, names):
        """Indices of joints that are given by label or index."""
        labels = list(self.joint_key)
        for name in names:
            if isinstance(name, str) and name not in labels:
                raise Error(f"joint '{name}' does not exist")
        return [joint for name in names for joint in
                ([i for i, label in enumerate(labels) if label == name] if isinstance(name, str) else [int(name)])]

    def finalize(self, device=None, *, requires_grad=False, version=Version.WORLD_AXES, arrays=None,
                 skip_all_validations=False, skip_validation_worlds=False, skip_validation_joints=False,
                 skip_validation_shapes=False, skip_validation_structure=False, skip_validation_joint_ordering=True):
        """Make the Model, on the CPU whatever the device. version selects the axes of velocities of free joints.

        arrays are "numpy", in double precision, or "warp", in single precision with Newton's types, in the memory that
        kernels write; by default, Warp's if the program has imported Warp. Checks are never skipped.

        >>> newton.ModelBuilder().finalize().body_count
        0
        """
        refuse_gradients(requires_grad)
        if self._core.current_world >= 0:
            raise Error("a world is open: call end_world() first")
        self._note_all()
        warp = uses_warp(arrays)
        if warp:
            run_cpu_graphs_directly()
        return Model(self._core.finalize(int(version)), warp, self._colors, self._sources)
