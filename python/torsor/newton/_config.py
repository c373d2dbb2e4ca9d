"""Configurations of shapes and joint axes, and the lists of a builder."""

import collections.abc
import copy
import dataclasses

import numpy

from torsor._error import Error
from torsor.newton._types import MAXVAL, Axis, numbers


@dataclasses.dataclass
class ShapeConfig:
    """Density, contact and visibility settings of a shape. Defaults are Newton's.

    ke and kd are the stiffness and damping of contact; kf, ka and restitution are stored, but not used by any solver.

    >>> newton.ModelBuilder.ShapeConfig(density=500, mu=0.8).ke
    2500.0
    """

    density: float = 1000.0
    ke: float = 2.5e3
    kd: float = 100.0
    kf: float = 1000.0
    ka: float = 0.0
    mu: float = 1.0
    restitution: float = 0.0
    mu_torsional: float = 0.005
    mu_rolling: float = 0.0001
    margin: float = 0.0
    gap: float | None = None
    is_solid: bool = True
    collision_group: int = 1
    collision_filter_parent: bool = True
    has_shape_collision: bool = True
    has_particle_collision: bool = True
    is_visible: bool = True
    is_site: bool = False
    sdf_narrow_band_range: tuple = (-0.1, 0.1)  # signed distance fields are not used: meshes collide as triangles
    sdf_target_voxel_size: float | None = None
    sdf_max_resolution: int | None = None
    sdf_texture_format: str = "uint16"
    is_hydroelastic: bool = False
    kh: float = 1e10
    thickness: dataclasses.InitVar[float | None] = None  # the older name of margin

    def __post_init__(self, thickness):
        if thickness is not None:
            self.margin = thickness

    def mark_as_site(self):
        """Make the shape a site: without mass and contacts."""
        self.is_site, self.density, self.collision_group = True, 0.0, 0
        self.has_shape_collision = self.has_particle_collision = False

    def copy(self):
        """A copy of the settings."""
        return copy.copy(self)

    def to_engine(self):
        """All that is set, by name."""
        if self.is_hydroelastic:
            raise Error("hydroelastic contact is not supported")
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)
                  if not field.name.startswith(("sdf_", "is_hydro")) and field.name != "kh"}
        whole = ("collision_group", "is_solid", "collision_filter_parent", "has_shape_collision",
                 "has_particle_collision", "is_visible", "is_site")
        return {name: value if name in whole else float(value) for name, value in values.items() if value is not None}


class JointDofConfig:
    """One axis of a joint: its direction in the joint's frame, limits, drive and resistance. Defaults are Newton's.

    >>> newton.ModelBuilder.JointDofConfig(axis=newton.Axis.Y, limit_lower=-1, limit_upper=1).axis
    [0.0, 1.0, 0.0]
    """

    def __init__(self, axis=Axis.X, limit_lower=-MAXVAL, limit_upper=MAXVAL, limit_ke=1e4, limit_kd=1e1, target_pos=0.0,
                 target_vel=0.0, target_ke=0.0, target_kd=0.0, damping=0.0, armature=0.0, effort_limit=1e6,
                 velocity_limit=1e6, friction=0.0, actuator_mode=None):
        is_named = isinstance(axis, (int, str))
        self.axis = list(Axis.from_any(axis).to_vector()) if is_named else numbers(axis, 3, "an axis")
        self.limit_lower, self.limit_upper = limit_lower, limit_upper
        self.limit_ke, self.limit_kd = limit_ke, limit_kd
        self.target_pos, self.target_vel = target_pos, target_vel
        self.target_ke, self.target_kd = target_ke, target_kd
        self.damping, self.armature = damping, armature
        self.effort_limit, self.velocity_limit = effort_limit, velocity_limit
        self.friction, self.actuator_mode = friction, actuator_mode

    def __repr__(self):
        return f"JointDofConfig({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    @classmethod
    def create_unlimited(cls, axis):
        """An axis that moves freely."""
        return cls(axis=axis, limit_ke=0.0, limit_kd=0.0)

    def to_engine(self):
        """All that is set, by name."""
        values = dict(vars(self))
        mode = values.pop("actuator_mode")
        axis = values.pop("axis")
        return {"axis": axis, "mode": -1 if mode is None else int(mode),
                **{name: float(value) for name, value in values.items()}}


class BuilderList(collections.abc.MutableSequence):
    """A list of a builder: entries may be changed, but only adding elements changes their number.

    >>> builder.joint_target_ke[-1] = 150.0
    """

    def __init__(self, core, name):
        self._core, self._name = core, name

    def _values(self):
        return self._core.get_list(self._name)

    def __getitem__(self, index):
        return self._values()[index]

    def __setitem__(self, index, value):
        values = self._values()
        if isinstance(index, slice):
            values[index] = [_plain(each) for each in value]
        else:
            values[index] = _plain(value)
        self._core.set_list(self._name, values)

    def __len__(self):
        return len(self._values())

    def __eq__(self, other):
        return self._values() == list(other)

    def __repr__(self):
        return repr(self._values())

    def __delitem__(self, index):
        raise Error(f"entries of {self._name} cannot be removed")

    def insert(self, index, value):
        """Raises an Error: entries are added with their elements."""
        raise Error(f"entries of {self._name} are added with their elements")


class TargetList(BuilderList):
    """joint_target_q of a builder: targets in the layout of joint_q. Coordinates of free and ball joints have none.

    >>> builder.joint_target_q[-1] = 0.5
    """

    def __init__(self, core):
        super().__init__(core, "joint_target_pos")

    def _values(self):
        from torsor.newton._model import target_coordinates

        positions = self._core.get_list(self._name)
        return [positions[axis] if axis >= 0 else 0.0 for axis in target_coordinates(self._core)]

    def __setitem__(self, index, value):
        from torsor.newton._model import target_coordinates

        values, positions = self._values(), self._core.get_list(self._name)
        if isinstance(index, slice):
            values[index] = [_plain(each) for each in value]
        else:
            values[index] = _plain(value)
        for axis, number in zip(target_coordinates(self._core), values, strict=True):
            if axis >= 0:
                positions[axis] = number
        self._core.set_list(self._name, positions)


def _plain(value):
    """A number, text, or a flat list of numbers."""
    if isinstance(value, (str, int, float)):
        return value
    array = numpy.asarray(value)  # also of Warp's vectors and matrices
    if array.dtype == object:
        raise Error(f"expected numbers or text, not {value!r}")
    return array.reshape(-1).tolist() if array.ndim else array.item()
