"""Rotations: conversions between all common forms, and operations used in robotics.

Functions take arrays with any number of leading axes, (..., 4) for quaternions, and broadcast over them as NumPy does;
they compute in C++, in float64. Whatever differs between systems is an explicit argument:

    order     "wxyz" or "xyzw": the position of the quaternion's scalar w
    layout    "columns" or "interleaved": six numbers as two columns one after the other, or as R[:, :2] row by row
    sequence  three letters of Euler angles, read in the
    spelling  "mujoco" (lower case intrinsic, upper case extrinsic, may be mixed) or "scipy" (the opposite)
    unit      "radians" or "degrees", of Euler angles; every other angle is in radians
    frame     "body" or "world": the axes of an angular velocity

A quaternion rotates vectors from the body's axes to the world's; in a product, the right factor is applied first. A
quaternion whose length is within 1e-3 of 1 is normalised; any other raises an Error with its index, as do NaN and
infinity. A matrix within the same tolerance is replaced by the nearest rotation. q and -q are the same rotation: which
one a function returns is unspecified unless documented; use standardise_sign to choose.
"""

from __future__ import annotations

import numpy
from numpy.typing import ArrayLike, NDArray

from torsor._core import _rotations
from torsor._error import Error

Array = NDArray[numpy.float64]
_MATRIX, _ROTVEC, _RPY = ["matrix"], ["rotvec"], ["rpy"]


# Quaternions and other forms.


def quat_to_matrix(quat: ArrayLike, *, order: str) -> Array:
    """The rotation matrices (..., 3, 3) of quaternions.

    >>> rotations.quat_to_matrix([0, 0, 0, 1], order="wxyz")
    array([[-1.,  0.,  0.],
           [ 0., -1.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _rotations.convert(quat, ["quat", order], _MATRIX)


def matrix_to_quat(matrix: ArrayLike, *, order: str) -> Array:
    """The quaternions of rotation matrices (..., 3, 3).

    >>> rotations.matrix_to_quat([[-1, 0, 0], [0, -1, 0], [0, 0, 1]], order="xyzw")
    array([0., 0., 1., 0.])
    """
    return _rotations.convert(matrix, _MATRIX, ["quat", order])


def quat_to_rotvec(quat: ArrayLike, *, order: str) -> Array:
    """The rotation vectors (axis times angle, at most pi long) of quaternions; log is the same function.

    >>> rotations.quat_to_rotvec([0, 0, 0, 1], order="wxyz").round(6)
    array([0.      , 0.      , 3.141593])
    """
    return _rotations.convert(quat, ["quat", order], _ROTVEC)


def rotvec_to_quat(rotvec: ArrayLike, *, order: str) -> Array:
    """The quaternions of rotation vectors (axis times angle) of any length; exp is the same function.

    >>> rotations.rotvec_to_quat([0, 0, numpy.pi], order="wxyz").round(6)
    array([0., 0., 0., 1.])
    """
    return _rotations.convert(rotvec, _ROTVEC, ["quat", order])


def quat_to_axis_angle(quat: ArrayLike, *, order: str) -> tuple[Array, Array]:
    """The axes (..., 3), of unit length, and angles (...) in [0, pi] of quaternions.

    Without a rotation the axis is x.

    >>> axis, angle = rotations.quat_to_axis_angle([0.6, 0.8, 0, 0], order="wxyz")
    >>> axis, round(angle, 6)
    (array([1., 0., 0.]), 1.85459)
    """
    return _rotations.quat_to_axis_angle(quat, order)


def axis_angle_to_quat(axis: ArrayLike, angle: ArrayLike, *, order: str) -> Array:
    """The quaternions of rotations by angles (...) about axes (..., 3) of any nonzero length.

    >>> rotations.axis_angle_to_quat([0, 2, 0], numpy.pi / 3, order="xyzw").round(6)
    array([0.      , 0.5     , 0.      , 0.866025])
    """
    return _rotations.axis_angle_to_quat(axis, angle, order)


def quat_to_rot6d(quat: ArrayLike, *, order: str, layout: str) -> Array:
    """The first two columns (..., 6) of the rotation matrices of quaternions.

    >>> rotations.quat_to_rot6d([0, 0, 0, 1], order="wxyz", layout="columns")
    array([-1.,  0.,  0.,  0., -1.,  0.])
    >>> rotations.quat_to_rot6d([0, 0, 0, 1], order="wxyz", layout="interleaved")
    array([-1.,  0.,  0., -1.,  0.,  0.])
    """
    return _rotations.convert(quat, ["quat", order], ["rot6d", layout])


def rot6d_to_quat(rot6d: ArrayLike, *, order: str, layout: str) -> Array:
    """The quaternions of six numbers, made orthogonal by Gram-Schmidt.

    The first column gives the direction of the x axis, the second the half plane of the y axis. Columns of length
    zero, or parallel ones, are refused.

    >>> rotations.rot6d_to_quat([2, 0, 0, 5, 3, 0], order="wxyz", layout="columns")
    array([1., 0., 0., 0.])
    """
    return _rotations.convert(rot6d, ["rot6d", layout], ["quat", order])


def quat_to_euler(quat: ArrayLike, *, order: str, sequence: str, spelling: str, unit: str) -> Array:
    """The Euler angles (..., 3) of quaternions, in the order of the letters.

    The first and third are in [-180, 180] degrees; the second in [-90, 90] if all three axes differ, else in [0, 180].
    (In a mixed sequence such as "xYz", whose turns are multiplied to Y x z, the angle of the factor in the middle has
    the range of the second.) In gimbal lock, when that angle is within 2e-12 radians of the end of its range, only the
    sum or difference of the others matters, and the third is zero.

    >>> rotations.quat_to_euler([0, 0, 0, 1], order="xyzw", sequence="ZYX", spelling="scipy", unit="degrees")
    array([0., 0., 0.])
    """
    return _rotations.convert(quat, ["quat", order], ["euler", sequence, spelling, unit])


def euler_to_quat(euler: ArrayLike, *, order: str, sequence: str, spelling: str, unit: str) -> Array:
    """The quaternions of Euler angles (..., 3) of any size.

    >>> angles = [90, 0, 90]
    >>> rotations.euler_to_quat(angles, order="wxyz", sequence="xyz", spelling="mujoco", unit="degrees").round(6)
    array([ 0.5,  0.5, -0.5,  0.5])
    >>> rotations.euler_to_quat(angles, order="wxyz", sequence="xyz", spelling="scipy", unit="degrees").round(6)
    array([0.5, 0.5, 0.5, 0.5])
    """
    return _rotations.convert(euler, ["euler", sequence, spelling, unit], ["quat", order])


def quat_to_rpy(quat: ArrayLike, *, order: str) -> Array:
    """URDF's roll, pitch, yaw (..., 3) of quaternions: about the fixed x, then y, then z axis, in radians.

    Pitch is in [-pi/2, pi/2]; at its ends yaw is zero.

    >>> rotations.quat_to_rpy([0.5, 0.5, 0.5, 0.5], order="wxyz").round(6)
    array([1.570796, 0.      , 1.570796])
    """
    return _rotations.convert(quat, ["quat", order], _RPY)


def rpy_to_quat(rpy: ArrayLike, *, order: str) -> Array:
    """The quaternions of URDF's roll, pitch, yaw (..., 3): about the fixed x, then y, then z axis, in radians.

    >>> rotations.rpy_to_quat([numpy.pi / 2, 0, numpy.pi / 2], order="wxyz").round(6)
    array([0.5, 0.5, 0.5, 0.5])
    """
    return _rotations.convert(rpy, _RPY, ["quat", order])


# The other forms among each other.


def matrix_to_rotvec(matrix: ArrayLike) -> Array:
    """The rotation vectors (..., 3), at most pi long, of rotation matrices (..., 3, 3).

    >>> rotations.matrix_to_rotvec([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).round(6)
    array([0.      , 0.      , 1.570796])
    """
    return _rotations.convert(matrix, _MATRIX, _ROTVEC)


def rotvec_to_matrix(rotvec: ArrayLike) -> Array:
    """The rotation matrices (..., 3, 3) of rotation vectors (..., 3).

    >>> rotations.rotvec_to_matrix([0, 0, 0])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    return _rotations.convert(rotvec, _ROTVEC, _MATRIX)


def matrix_to_rot6d(matrix: ArrayLike, *, layout: str) -> Array:
    """The first two columns (..., 6) of rotation matrices (..., 3, 3).

    >>> rotations.matrix_to_rot6d([[0, -1, 0], [1, 0, 0], [0, 0, 1]], layout="interleaved").round(6)
    array([ 0., -1.,  1.,  0.,  0.,  0.])
    """
    return _rotations.convert(matrix, _MATRIX, ["rot6d", layout])


def rot6d_to_matrix(rot6d: ArrayLike, *, layout: str) -> Array:
    """The rotation matrices (..., 3, 3) of six numbers, made orthogonal by Gram-Schmidt as in rot6d_to_quat.

    >>> rotations.rot6d_to_matrix([1, 0, 0, 1, 0, 0], layout="interleaved")
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    return _rotations.convert(rot6d, ["rot6d", layout], _MATRIX)


def matrix_to_euler(matrix: ArrayLike, *, sequence: str, spelling: str, unit: str) -> Array:
    """The Euler angles (..., 3) of rotation matrices (..., 3, 3); see quat_to_euler.

    >>> matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    >>> rotations.matrix_to_euler(matrix, sequence="zyx", spelling="mujoco", unit="degrees").round(6)
    array([90.,  0.,  0.])
    """
    return _rotations.convert(matrix, _MATRIX, ["euler", sequence, spelling, unit])


def euler_to_matrix(euler: ArrayLike, *, sequence: str, spelling: str, unit: str) -> Array:
    """The rotation matrices (..., 3, 3) of Euler angles (..., 3).

    >>> rotations.euler_to_matrix([0, 0, 0], sequence="zxz", spelling="mujoco", unit="degrees")
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    return _rotations.convert(euler, ["euler", sequence, spelling, unit], _MATRIX)


def matrix_to_rpy(matrix: ArrayLike) -> Array:
    """URDF's roll, pitch, yaw (..., 3), radians, of rotation matrices (..., 3, 3); see quat_to_rpy.

    >>> rotations.matrix_to_rpy([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).round(6)
    array([0.      , 0.      , 1.570796])
    """
    return _rotations.convert(matrix, _MATRIX, _RPY)


def rpy_to_matrix(rpy: ArrayLike) -> Array:
    """The rotation matrices (..., 3, 3) of URDF's roll, pitch, yaw (..., 3), radians; see rpy_to_quat.

    >>> rotations.rpy_to_matrix([0, 0, 0])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    return _rotations.convert(rpy, _RPY, _MATRIX)


def rotvec_to_axis_angle(rotvec: ArrayLike) -> tuple[Array, Array]:
    """The axes (..., 3), of unit length, and angles (...) in [0, pi] of rotation vectors of any length.

    >>> rotations.rotvec_to_axis_angle([0, 0, -2])
    (array([ 0.,  0., -1.]), 2.0)
    """
    return _rotations.rotvec_to_axis_angle(rotvec)


def axis_angle_to_rotvec(axis: ArrayLike, angle: ArrayLike) -> Array:
    """The rotation vectors of rotations by angles (...) about axes (..., 3) of any nonzero length.

    >>> rotations.axis_angle_to_rotvec([0, 0, 5], 4)
    array([0., 0., 4.])
    """
    return _rotations.axis_angle_to_rotvec(axis, angle)


def rotvec_to_rot6d(rotvec: ArrayLike, *, layout: str) -> Array:
    """The first two columns (..., 6) of the rotation matrices of rotation vectors.

    >>> rotations.rotvec_to_rot6d([0, 0, 0], layout="columns")
    array([1., 0., 0., 0., 1., 0.])
    """
    return _rotations.convert(rotvec, _ROTVEC, ["rot6d", layout])


def rot6d_to_rotvec(rot6d: ArrayLike, *, layout: str) -> Array:
    """The rotation vectors of six numbers, made orthogonal by Gram-Schmidt as in rot6d_to_quat.

    >>> rotations.rot6d_to_rotvec([0, 1, 0, -1, 0, 0], layout="columns").round(6)
    array([0.      , 0.      , 1.570796])
    """
    return _rotations.convert(rot6d, ["rot6d", layout], _ROTVEC)


def rotvec_to_euler(rotvec: ArrayLike, *, sequence: str, spelling: str, unit: str) -> Array:
    """The Euler angles (..., 3) of rotation vectors; see quat_to_euler.

    >>> rotations.rotvec_to_euler([0, 0, numpy.pi / 2], sequence="xyz", spelling="scipy", unit="degrees").round(6)
    array([ 0.,  0., 90.])
    """
    return _rotations.convert(rotvec, _ROTVEC, ["euler", sequence, spelling, unit])


def euler_to_rotvec(euler: ArrayLike, *, sequence: str, spelling: str, unit: str) -> Array:
    """The rotation vectors, at most pi long, of Euler angles (..., 3).

    >>> rotations.euler_to_rotvec([0, 0, 90], sequence="xyz", spelling="scipy", unit="degrees").round(6)
    array([0.      , 0.      , 1.570796])
    """
    return _rotations.convert(euler, ["euler", sequence, spelling, unit], _ROTVEC)


def rot6d_to_euler(rot6d: ArrayLike, *, layout: str, sequence: str, spelling: str, unit: str) -> Array:
    """The Euler angles (..., 3) of six numbers; see rot6d_to_quat and quat_to_euler.

    >>> six = [0, 1, 0, -1, 0, 0]
    >>> rotations.rot6d_to_euler(six, layout="columns", sequence="zyx", spelling="mujoco", unit="degrees").round(6)
    array([90.,  0.,  0.])
    """
    return _rotations.convert(rot6d, ["rot6d", layout], ["euler", sequence, spelling, unit])


def euler_to_rot6d(euler: ArrayLike, *, sequence: str, spelling: str, unit: str, layout: str) -> Array:
    """The first two columns (..., 6) of the rotation matrices of Euler angles (..., 3).

    >>> rotations.euler_to_rot6d([0, 0, 0], sequence="zyx", spelling="mujoco", unit="degrees", layout="columns")
    array([1., 0., 0., 0., 1., 0.])
    """
    return _rotations.convert(euler, ["euler", sequence, spelling, unit], ["rot6d", layout])


# Products.


def multiply(quat1: ArrayLike, quat2: ArrayLike, *, order: str) -> Array:
    """The products of quaternions: rotates by quat2 first, then by quat1.

    >>> rotations.multiply([0, 1, 0, 0], [0, 0, 1, 0], order="wxyz")
    array([0., 0., 0., 1.])
    """
    return _rotations.multiply(quat1, quat2, order)


def conjugate(quat: ArrayLike, *, order: str) -> Array:
    """The quaternions with x, y, z negated.

    >>> rotations.conjugate([0.6, 0.8, 0, 0], order="xyzw")
    array([-0.6, -0.8, -0. ,  0. ])
    """
    return _rotations.conjugate(quat, order)


def inverse(quat: ArrayLike, *, order: str) -> Array:
    """The rotations that undo the given ones. Quaternions here are of unit length, so this is their conjugate.

    >>> rotations.inverse([0.6, 0.8, 0, 0], order="wxyz")
    array([ 0.6, -0.8, -0. , -0. ])
    """
    return _rotations.conjugate(quat, order)


def rotate(quat: ArrayLike, vec: ArrayLike, *, order: str) -> Array:
    """Vectors (..., 3) rotated by quaternions: from the body's axes to the world's.

    >>> rotations.rotate([0, 0, 0, 1], [1, 2, 3], order="wxyz")
    array([-1., -2.,  3.])
    """
    return _rotations.rotate(quat, vec, order)


def rotate_inverse(quat: ArrayLike, vec: ArrayLike, *, order: str) -> Array:
    """Vectors (..., 3) rotated by the inverse of quaternions: from the world's axes to the body's.

    >>> turn = rotations.rpy_to_quat([0, 0, numpy.pi / 2], order="wxyz")
    >>> rotations.rotate_inverse(turn, [0, 1, 0], order="wxyz").round(6)
    array([1., 0., 0.])
    """
    return _rotations.rotate_inverse(quat, vec, order)


def standardise_sign(quat: ArrayLike, *, order: str) -> Array:
    """q or -q, which are the same rotation: the one with w > 0; if w is 0, the first of x, y, z that is not 0 is > 0.

    >>> rotations.standardise_sign([[-0.6, 0.8, 0, 0], [0, -1, 0, 0]], order="wxyz")
    array([[ 0.6, -0.8, -0. , -0. ],
           [-0. ,  1. , -0. , -0. ]])
    """
    return _rotations.standardise_sign(quat, order)


def angle_between(quat1: ArrayLike, quat2: ArrayLike, *, order: str) -> Array:
    """The angles (...) in [0, pi] of the rotations that lead from quat1 to quat2.

    >>> rotations.angle_between([1, 0, 0, 0], [0, 0, 0, -1], order="wxyz")
    3.141592653589793
    """
    return _rotations.angle_between(quat1, quat2, order)


# Parts of a rotation.


def heading(quat: ArrayLike, *, order: str) -> Array:
    """The direction of the body's x axis seen from above: its angle (...) in [-pi, pi] from the world's x axis about z.

    Zero if the x axis is vertical. yaw is the same angle.

    >>> round(rotations.heading(rotations.rpy_to_quat([0.1, 0.2, 0.3], order="wxyz"), order="wxyz"), 6)
    0.3
    """
    return _rotations.heading(quat, order)


def heading_quat(quat: ArrayLike, *, order: str) -> Array:
    """The rotations about z by the angle of heading, with w >= 0.

    >>> turned = rotations.rpy_to_quat([0.1, 0.2, numpy.pi / 3], order="wxyz")
    >>> rotations.heading_quat(turned, order="wxyz").round(6)
    array([0.866025, 0.      , 0.      , 0.5     ])
    """
    return _rotations.heading_quat(quat, order)


def yaw(quat: ArrayLike, *, order: str) -> Array:
    """The yaw (...) of roll, pitch, yaw, in [-pi, pi]; zero at a pitch of 90 degrees. The same angle as heading.

    The turn about z that swing_twist finds is another one, unless the body is level.

    >>> round(rotations.yaw(rotations.rpy_to_quat([0.1, 0.2, 0.3], order="xyzw"), order="xyzw"), 6)
    0.3
    """
    return _rotations.heading(quat, order)


def yaw_quat(quat: ArrayLike, *, order: str) -> Array:
    """The rotations about z by the angle of yaw, with w >= 0; the same as heading_quat.

    >>> rotations.yaw_quat([0.6, 0.8, 0, 0], order="wxyz")
    array([1., 0., 0., 0.])
    """
    return _rotations.heading_quat(quat, order)


def swing_twist(quat: ArrayLike, axis: ArrayLike, *, order: str) -> tuple[Array, Array]:
    """Swings and twists with quat = swing * twist: first a rotation about the axis, then one at right angles to it.

    Axes (..., 3) have any length but zero. The swing has w >= 0, so the sign of quat is in the twist. Where the swing
    is half a turn, the twist is arbitrary and set to zero.

    >>> swing, twist = rotations.swing_twist([0.5, 0.5, 0.5, 0.5], [0, 0, 1], order="wxyz")
    >>> twist.round(6)
    array([0.707107, 0.      , 0.      , 0.707107])
    >>> swing.round(6)
    array([0.707107, 0.      , 0.707107, 0.      ])
    """
    return _rotations.swing_twist(quat, axis, order)


def twist_swing(quat: ArrayLike, axis: ArrayLike, *, order: str) -> tuple[Array, Array]:
    """Twists and swings with quat = twist * swing: the parts of swing_twist in the other order.

    First a rotation about a line at right angles to the axis, then one about the axis. The twist is that of swing_twist.

    >>> twist, swing = rotations.twist_swing([0.5, 0.5, 0.5, 0.5], [0, 0, 1], order="wxyz")
    >>> twist.round(6)
    array([0.707107, 0.      , 0.      , 0.707107])
    >>> swing.round(6)
    array([0.707107, 0.707107, 0.      , 0.      ])
    """
    return _rotations.twist_swing(quat, axis, order)


def quat_between(vec1: ArrayLike, vec2: ArrayLike, *, order: str) -> Array:
    """The smallest rotations that take the directions vec1 (..., 3) to vec2 (..., 3), of any length but zero.

    For opposite directions it is half a turn, about the line at right angles to vec1 that is nearest to the x axis
    (nearest to y where vec1 is along x).

    >>> rotations.quat_between([1, 0, 0], [0, 3, 0], order="wxyz").round(6)
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    return _rotations.quat_between(vec1, vec2, order)


def wrap_angle(angle: ArrayLike) -> Array:
    """The same angles (...), in radians, in [-pi, pi].

    >>> rotations.wrap_angle([0.5, 4, -7]).round(6)
    array([ 0.5     , -2.283185, -0.716815])
    """
    return _rotations.wrap_angle(angle)


def quat_to_tan_norm(quat: ArrayLike, *, order: str) -> Array:
    """The rotated x axis (tangent), then the rotated z axis (normal) of quaternions: six numbers (..., 6).

    Where rot6d has the first and second column of the matrix, this has the first and third.

    >>> rotations.quat_to_tan_norm([0, 0, 0, 1], order="wxyz")
    array([-1.,  0.,  0.,  0.,  0.,  1.])
    """
    return _rotations.quat_to_tan_norm(quat, order)


def tan_norm_to_quat(tan_norm: ArrayLike, *, order: str) -> Array:
    """The quaternions of tangents and normals (..., 6), made orthogonal: the tangent keeps its direction.

    >>> rotations.tan_norm_to_quat([2, 0, 0, 1, 0, 1], order="wxyz")
    array([1., 0., 0., 0.])
    """
    return _rotations.tan_norm_to_quat(tan_norm, order)


# Motion.


def slerp(quat1: ArrayLike, quat2: ArrayLike, t: ArrayLike, *, order: str) -> Array:
    """Rotations along the shorter arc from quat1 (t = 0) to quat2 (t = 1), at constant speed; any t (...).

    The result starts at quat1 and ends at quat2 or -quat2. Equal rotations, q and -q among them, stay where they are.
    Of two arcs of half a turn each, it takes the one towards quat2 as given.

    >>> rotations.slerp([1, 0, 0, 0], [0, 0, 0, 1], [0, 1 / 3, 1], order="wxyz").round(6)
    array([[1.      , 0.      , 0.      , 0.      ],
           [0.866025, 0.      , 0.      , 0.5     ],
           [0.      , 0.      , 0.      , 1.      ]])
    """
    return _rotations.slerp(quat1, quat2, t, order)


def exp(rotvec: ArrayLike, *, order: str) -> Array:
    """The quaternions of rotation vectors (..., 3); the same as rotvec_to_quat.

    >>> rotations.exp([0, 0, 0], order="xyzw")
    array([0., 0., 0., 1.])
    """
    return _rotations.convert(rotvec, _ROTVEC, ["quat", order])


def log(quat: ArrayLike, *, order: str) -> Array:
    """The rotation vectors (..., 3), at most pi long, of quaternions; the same as quat_to_rotvec.

    Of a half turn there are two, of opposite directions: the one along the x, y, z of quat is returned.

    >>> rotations.log([0, 0, 0, 1], order="xyzw")
    array([0., 0., 0.])
    """
    return _rotations.convert(quat, ["quat", order], _ROTVEC)


def angular_velocity(quat1: ArrayLike, quat2: ArrayLike, dt: ArrayLike, *, order: str, frame: str) -> Array:
    """The constant angular velocities (..., 3) that lead from quat1 to quat2 in times dt (...), along the shorter arc.

    In the axes of the body or of the world. No dt may be zero.

    >>> later = rotations.exp([0, 0, 0.1], order="wxyz")
    >>> rotations.angular_velocity([1, 0, 0, 0], later, 0.05, order="wxyz", frame="world").round(6)
    array([0., 0., 2.])
    """
    return _rotations.angular_velocity(quat1, quat2, dt, order, frame)


def random_uniform(shape: int | tuple[int, ...], rng: numpy.random.Generator | int, *, order: str) -> Array:
    """Quaternions (*shape, 4) of uniformly distributed rotations. rng is a NumPy Generator, or a seed for a new one.

    >>> rotations.random_uniform((2, 3), 7, order="wxyz").shape
    (2, 3, 4)
    >>> generator = numpy.random.default_rng(7)
    >>> one = rotations.random_uniform((), generator, order="wxyz")
    """
    if isinstance(rng, numpy.random.Generator):
        generator = rng
    elif isinstance(rng, (int, numpy.integer)) and not isinstance(rng, bool) and rng >= 0:
        generator = numpy.random.default_rng(int(rng))
    else:
        raise Error(f"rng: expected a numpy.random.Generator or a seed (an integer from 0), got {rng!r}")
    sizes = (shape,) if isinstance(shape, (int, numpy.integer)) else tuple(shape)
    if any(size < 0 for size in sizes):
        raise Error(f"shape: sizes must not be negative, got {shape!r}")
    return _rotations.quat_from_uniform(generator.random((*sizes, 3)), order)
