"""Enums with Newton's numbers, and transforms as seven numbers: position, then quaternion xyzw."""

import enum
import math

import numpy

from torsor import _core
from torsor._error import Error

MAXVAL = 1e10
"""Limits of at least this size mean no limit."""


class Axis(enum.IntEnum):
    """A coordinate axis, for example the up axis.

    >>> newton.Axis.from_any("y").to_vector()
    (0.0, 1.0, 0.0)
    """

    X = 0
    Y = 1
    Z = 2

    @classmethod
    def from_any(cls, value):
        """An Axis from an Axis, a number, or a letter."""
        if isinstance(value, str):
            try:
                return cls[value.upper()]
            except KeyError:
                raise Error(f"an axis is X, Y or Z, not {value!r}") from None
        try:
            return cls(value)
        except ValueError:
            raise Error(f"an axis is X, Y or Z, not {value!r}") from None

    def to_vector(self):
        """The unit vector along the axis."""
        return tuple(1.0 if i == self else 0.0 for i in range(3))

    to_vec3 = to_vector


class JointType(enum.IntEnum):
    """Types of joints."""

    PRISMATIC = 0
    REVOLUTE = 1
    BALL = 2
    FIXED = 3
    FREE = 4
    DISTANCE = 5
    D6 = 6


class GeoType(enum.IntEnum):
    """Types of shapes."""

    PLANE = 1
    HFIELD = 2
    SPHERE = 3
    CAPSULE = 4
    ELLIPSOID = 5
    CYLINDER = 6
    BOX = 7
    MESH = 8
    CONE = 9
    CONVEX_MESH = 10


class ShapeFlags(enum.IntFlag):
    """Flags of a shape."""

    VISIBLE = 1
    COLLIDE_SHAPES = 2
    COLLIDE_PARTICLES = 4
    SITE = 8


class JointTargetMode(enum.IntEnum):
    """Which targets the drive of an axis follows."""

    NONE = 0
    POSITION = 1
    VELOCITY = 2
    POSITION_VELOCITY = 3
    EFFORT = 4


class BodyFlags(enum.IntFlag):
    """Flags of a body: moved by forces, or as the user prescribes."""

    DYNAMIC = 1
    KINEMATIC = 2
    PROXY = 4
    ALL = 7


class ModelFlags(enum.IntFlag):
    """Groups of a model's arrays, for notify_model_changed()."""

    JOINT_PROPERTIES = 1
    JOINT_DOF_PROPERTIES = 2
    BODY_PROPERTIES = 4
    BODY_INERTIAL_PROPERTIES = 8
    SHAPE_PROPERTIES = 16
    MODEL_PROPERTIES = 32
    CONSTRAINT_PROPERTIES = 64
    TENDON_PROPERTIES = 128
    ACTUATOR_PROPERTIES = 256
    JOINT_DOF_FORCE_PROPERTIES = 512
    JOINT_DOF_INERTIAL_PROPERTIES = 1024
    JOINT_REFERENCE_POSE_PROPERTIES = 2048
    ALL = 4095


class Version(enum.IntEnum):
    """The axes of joint_qd of free joints: the world's, or since Newton 1.5 those of the parent anchor."""

    WORLD_AXES = 0
    PARENT_AXES = 1


def numbers(values, count, what):
    """A list of `count` floats; raises an Error that names `what` otherwise."""
    array = numpy.asarray(values, dtype=float).reshape(-1)
    if len(array) != count:
        raise Error(f"{what} needs {count} numbers, not {len(array)}")
    return array.tolist()


def to_transform(value):
    """The seven numbers of a transform, given as such, as a position and a quaternion, or as an object with p and q."""
    if value is None:
        return [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    if hasattr(value, "p") and hasattr(value, "q"):
        value = (value.p, value.q)
    if len(value) == 2:
        return numbers(value[0], 3, "a position") + _unit(numbers(value[1], 4, "a quaternion"))
    numbers_of_all = numbers(value, 7, "a transform")
    return numbers_of_all[:3] + _unit(numbers_of_all[3:])


def _unit(q):
    """A quaternion of unit length, if it is rounded or made with an axis that is not: up to 1 % off. Others stay."""
    size = math.sqrt(sum(each * each for each in q))
    return [each / size for each in q] if 1e-9 < abs(size - 1) < 0.01 else q


def transform(p=(0.0, 0.0, 0.0), q=(0.0, 0.0, 0.0, 1.0)):
    """A transform from a position and a quaternion xyzw.

    >>> newton.transform((1, 2, 3)).tolist()
    [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]
    """
    return numpy.array(to_transform((p, q)))


def transform_identity():
    """The identity transform.

    >>> newton.transform_identity().tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    """
    return transform()


def _to_engine(q):
    return numpy.asarray(q, dtype=float)[[3, 0, 1, 2]]


def _from_engine(q):
    return numpy.asarray(q)[[1, 2, 3, 0]]


def transform_multiply(a, b):
    """The product of two transforms: b is applied first, then a.

    >>> turned = newton.transform(q=newton.quat_from_axis_angle((0, 0, 1), math.pi / 2))
    >>> newton.transform_multiply(turned, newton.transform((1, 0, 0)))[:3].round(9).tolist()
    [0.0, 1.0, 0.0]
    """
    a, b = to_transform(a), to_transform(b)
    return transform(transform_point(a, b[:3]), quat_multiply(a[3:], b[3:]))


def transform_inverse(a):
    """The inverse of a transform.

    >>> newton.transform_inverse(newton.transform((1, 2, 3)))[:3].tolist()
    [-1.0, -2.0, -3.0]
    """
    a = to_transform(a)
    q = quat_inverse(a[3:])
    return transform(-quat_rotate(q, a[:3]), q)


def transform_point(a, point):
    """A point in the transform's frame, converted to the parent frame.

    >>> newton.transform_point(newton.transform((1, 2, 3)), (1, 1, 1)).tolist()
    [2.0, 3.0, 4.0]
    """
    a = to_transform(a)
    return quat_rotate(a[3:], point) + numpy.array(a[:3])


def quat_identity():
    """The identity rotation.

    >>> newton.quat_identity().tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    return numpy.array([0.0, 0.0, 0.0, 1.0])


def quat_from_axis_angle(axis, angle):
    """The rotation about an axis, which need not have unit length.

    >>> newton.quat_from_axis_angle((0, 0, 2), math.pi).round(9).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    axis = numpy.array(Axis(axis).to_vector() if isinstance(axis, Axis) else numbers(axis, 3, "an axis"))
    size = numpy.linalg.norm(axis)
    if not size > 0:
        raise Error("an axis of rotation needs a direction")
    return numpy.append(axis / size * math.sin(angle / 2), math.cos(angle / 2))


def quat_rpy(roll, pitch, yaw):
    """Roll about x, then pitch about y, then yaw about z, all about fixed axes.

    >>> bool(numpy.allclose(newton.quat_rpy(0, 0, 1), newton.quat_from_axis_angle((0, 0, 1), 1)))
    True
    """
    x, y, z = (quat_from_axis_angle(axis, angle) for axis, angle in zip(Axis, (roll, pitch, yaw), strict=True))
    return quat_multiply(z, quat_multiply(y, x))


def quat_multiply(a, b):
    """The product of two quaternions: b is applied first, then a.

    >>> newton.quat_multiply((0, 0, 0, 1), (1, 0, 0, 0)).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    return _from_engine(_core.mul_quat(_to_engine(a), _to_engine(b)))


def quat_inverse(q):
    """The inverse of a rotation.

    >>> newton.quat_inverse((1, 0, 0, 0)).tolist()
    [-1.0, -0.0, -0.0, 0.0]
    """
    return _from_engine(_core.neg_quat(_to_engine(q)))


def quat_rotate(q, v):
    """A vector rotated by a quaternion.

    >>> newton.quat_rotate((0, 0, 1, 0), (1, 2, 3)).tolist()
    [-1.0, -2.0, 3.0]
    """
    return _core.rot_vec_quat(numpy.array(numbers(v, 3, "a vector")), _to_engine(q))
