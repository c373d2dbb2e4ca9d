"""ModelBuilder.add_urdf with Newton's signature."""

import os
import warnings

from torsor._error import Error
from torsor.newton._types import Axis, JointType, to_transform

_ORDERS = {"dfs": 0, "bfs": 1, None: 2}
_DAMPING = {"drive": True, "passive": False, None: True}
_BASE_JOINT = {"joint_type", "linear_axes", "angular_axes", "key", "label", "collision_filter_parent", "enabled"}


def _choose(name, value, table):
    if value not in table:
        raise Error(f"{name} is {value!r}; it must be one of {', '.join(repr(each) for each in table)}")
    return table[value]


def _base_joint(given):
    """The joint of the root, from the arguments of add_joint()."""
    unknown = sorted(set(given) - _BASE_JOINT)
    if unknown or "joint_type" not in given:
        raise Error(f"base_joint takes {', '.join(sorted(_BASE_JOINT))}; joint_type is needed, and bodies and anchors "
                    f"follow from parent_body and xform{': got ' + ', '.join(unknown) if unknown else ''}")
    return {"joint_type": int(JointType(given["joint_type"])),
            "linear_axes": [axis.to_engine() for axis in given.get("linear_axes") or []],
            "angular_axes": [axis.to_engine() for axis in given.get("angular_axes") or []],
            "key": given.get("key") or given.get("label") or "",
            "collision_filter_parent": given.get("collision_filter_parent") is not False,
            "enabled": bool(given.get("enabled", True))}


class UrdfAdder:
    """Part of ModelBuilder."""

    def add_urdf(self, source, *, xform=None, floating=None, base_joint=None, parent_body=-1, scale=1.0,
                 hide_visuals=False, parse_visuals_as_colliders=False, up_axis=Axis.Z, force_show_colliders=False,
                 enable_self_collisions=True, ignore_inertial_definitions=False, joint_ordering="dfs",
                 bodies_follow_joint_ordering=True, collapse_fixed_joints=False,
                 collapse_massless_fixed_root=False, mesh_maxhullvert=None,
                 force_position_velocity_actuation=False, override_root_xform=False, joint_damping_mode=None,
                 packages=()):
        """Add a URDF file, or URDF as a string, which may not refer to files. Warnings name what is left out.

        The root is fixed to the world, or to parent_body, at xform. floating=True makes its joint free, and base_joint
        is a dictionary with the arguments of add_joint() for another one. Links and joints are called robot/name, and
        have the order "dfs", "bfs" or, with joint_ordering=None, that of the file. Links without <inertial> have the
        mass of their shapes. Damping of joints becomes joint_target_kd, as in Newton 1.7, or, with
        joint_damping_mode="passive", joint_damping. Axes and shapes have the settings of default_joint_cfg and
        default_shape_cfg where the file has none.

        package:// is looked for in the folders `packages`, then above the file. mesh_maxhullvert has no effect: meshes
        collide as their triangles.

        >>> robot = "<robot name='arm'><link name='base'/><link name='upper'><inertial><mass value='1'/>"
        >>> robot += "<inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link><joint name='shoulder' type='continuous'>"
        >>> robot += "<parent link='base'/><child link='upper'/></joint></robot>"
        >>> builder.add_urdf(robot, xform=newton.transform((0, 0, 1)))
        >>> builder.joint_label[-1]
        'arm/shoulder'
        """
        if floating is not None and base_joint is not None:
            raise Error("floating and base_joint exclude each other")
        settings = self.default_shape_cfg.to_engine()
        settings.setdefault("gap", float(self.rigid_gap))
        notes, has_damping, first, colors = self._core.add_urdf(os.fspath(source), {
            "xform": to_transform(xform), "floating": bool(floating),
            "base_joint": None if base_joint is None else _base_joint(base_joint), "parent_body": int(parent_body),
            "scale": float(scale), "hide_visuals": bool(hide_visuals),
            "parse_visuals_as_colliders": bool(parse_visuals_as_colliders), "up_axis": int(Axis.from_any(up_axis)),
            "force_show_colliders": bool(force_show_colliders), "enable_self_collisions": bool(enable_self_collisions),
            "ignore_inertial_definitions": bool(ignore_inertial_definitions),
            "joint_ordering": _choose("joint_ordering", joint_ordering, _ORDERS),
            "bodies_follow_joint_ordering": bool(bodies_follow_joint_ordering),
            "collapse_fixed_joints": bool(collapse_fixed_joints),
            "collapse_massless_fixed_root": bool(collapse_massless_fixed_root), "override_root_xform": bool(override_root_xform),
            "damping_is_drive": _choose("joint_damping_mode", joint_damping_mode, _DAMPING),
            "force_position_velocity_actuation": bool(force_position_velocity_actuation),
            "packages": [os.fspath(folder) for folder in packages], "shape": settings,
            "axis": self.default_joint_cfg.to_engine()})
        for number, color in enumerate(colors):
            self._note_shape(first + number, color)
        for note in notes:
            warnings.warn(f"add_urdf: {note}", stacklevel=2)
        if has_damping and joint_damping_mode is None:
            warnings.warn("add_urdf: damping of joints becomes that of drives, as in Newton 1.7; pass "
                          "joint_damping_mode='drive' or 'passive'", DeprecationWarning, stacklevel=2)
