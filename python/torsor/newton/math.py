"""Functions of vectors, rotations, twists and wrenches with the names of newton.math.

They take and return NumPy arrays, or Warp's types if their arguments are of these. Quaternions are xyzw, spatial vectors
have their linear part first.
"""

import numpy

from torsor._error import Error
from torsor.newton import _types


def _like(result, example):
    """The result in the type of a Warp vector, or as it is."""
    kind = type(example)
    if kind.__module__.startswith("warp"):
        return kind(*[float(each) for each in numpy.ravel(result)])
    return result


def _quat_like(q, example):
    if type(example).__module__.startswith("warp"):
        import warp

        return warp.quat(*[float(each) for each in q])
    return q


def _numbers(values):
    return numpy.array([float(each) for each in values])


def vec_allclose(a, b, rtol=1e-5, atol=1e-8):
    """Whether all elements of a are close to those of b: to atol + rtol * abs(b).

    >>> newton.math.vec_allclose((1, 2), (1, 2.1), atol=0.2)
    True
    """
    return bool(numpy.allclose(_numbers(a), _numbers(b), rtol=rtol, atol=atol))


def vec_inside_limits(a, lower, upper):
    """Whether all elements are in their ranges.

    >>> newton.math.vec_inside_limits((1, 2), (0, 0), (3, 1))
    False
    """
    return bool(numpy.all((_numbers(a) >= _numbers(lower)) & (_numbers(a) <= _numbers(upper))))


def vec_min(a, b):
    """The smaller of each element.

    >>> newton.math.vec_min((1, 5), (2, 3)).tolist()
    [1.0, 3.0]
    """
    return _like(numpy.minimum(_numbers(a), _numbers(b)), a)


def vec_max(a, b):
    """The larger of each element.

    >>> newton.math.vec_max((1, 5), (2, 3)).tolist()
    [2.0, 5.0]
    """
    return _like(numpy.maximum(_numbers(a), _numbers(b)), a)


def vec_abs(a):
    """The magnitude of each element.

    >>> newton.math.vec_abs((-1, 5)).tolist()
    [1.0, 5.0]
    """
    return _like(numpy.abs(_numbers(a)), a)


def quat_between_vectors_robust(from_vec, to_vec, eps=1e-8):
    """The shortest rotation from one direction to another; half a turn about some axis if they are opposite.

    >>> newton.math.quat_between_vectors_robust((1, 0, 0), (0, 0, 1)).round(6).tolist()
    [0.0, -0.707107, 0.0, 0.707107]
    """
    a, b = _numbers(from_vec), _numbers(to_vec)
    if not (numpy.linalg.norm(a) > eps and numpy.linalg.norm(b) > eps):
        raise Error("a rotation between two vectors needs two directions")
    a, b = a / numpy.linalg.norm(a), b / numpy.linalg.norm(b)
    if a @ b < -1 + eps:
        axis = numpy.cross(a, numpy.eye(3)[numpy.argmin(numpy.abs(a))])
        q = numpy.append(axis / numpy.linalg.norm(axis), 0.0)
    else:
        q = numpy.append(numpy.cross(a, b), 1 + a @ b)
        q /= numpy.linalg.norm(q)
    return _quat_like(q, from_vec)


def quat_between_axes(*axes):
    """The rotation from the first axis to the second, then to the third, and so on.

    >>> newton.math.quat_between_axes("Z", "X").round(6).tolist()
    [0.0, 0.707107, 0.0, 0.707107]
    """
    q = _types.quat_identity()
    for start, end in zip(axes, axes[1:], strict=False):
        a, b = (_types.Axis.from_any(axis).to_vector() for axis in (start, end))
        q = _types.quat_multiply(quat_between_vectors_robust(a, b), q)
    return q


def quat_velocity(q_now, q_prev, dt):
    """The constant angular velocity, in the world's axes, that turns one orientation into the other in dt seconds.

    >>> q = newton.quat_from_axis_angle((0, 0, 1), 0.1)
    >>> newton.math.quat_velocity(q, newton.quat_identity(), 0.5).round(9).tolist()
    [0.0, 0.0, 0.2]
    """
    turn = _types.quat_multiply(_numbers(q_now), _types.quat_inverse(_numbers(q_prev)))
    turn = turn if turn[3] >= 0 else -turn
    size = numpy.linalg.norm(turn[:3])
    scale = 2.0 if size < 1e-12 else 2 * numpy.arctan2(size, turn[3]) / size
    return turn[:3] * scale / dt


def velocity_at_point(qd, r):
    """The velocity of a point at r from the reference point of a twist.

    >>> newton.math.velocity_at_point((1, 0, 0, 0, 0, 2), (1, 0, 0)).tolist()
    [1.0, 2.0, 0.0]
    """
    return _like(_numbers(qd)[:3] + numpy.cross(_numbers(qd)[3:], _numbers(r)), r)


def transform_twist(t, x):
    """A twist at the origin of one frame and in its axes, at the origin and in the axes of the frame that t goes to.

    >>> newton.math.transform_twist(newton.transform((0, 1, 0)), (0, 0, 0, 0, 0, 2)).tolist()
    [2.0, 0.0, 0.0, 0.0, 0.0, 2.0]
    """
    pose, twist = _types.to_transform(t), _numbers(x)
    w = _types.quat_rotate(pose[3:], twist[3:])
    v = _types.quat_rotate(pose[3:], twist[:3]) + numpy.cross(pose[:3], w)
    return _like(numpy.concatenate((v, w)), x)


def transform_wrench(t, x):
    """A wrench at the origin of one frame and in its axes, at the origin and in the axes of the frame that t goes to.

    >>> newton.math.transform_wrench(newton.transform((1, 0, 0)), (0, 2, 0, 0, 0, 0)).tolist()
    [0.0, 2.0, 0.0, 0.0, 0.0, 2.0]
    """
    pose, wrench = _types.to_transform(t), _numbers(x)
    force = _types.quat_rotate(pose[3:], wrench[:3])
    moment = _types.quat_rotate(pose[3:], wrench[3:]) + numpy.cross(pose[:3], force)
    return _like(numpy.concatenate((force, moment)), x)
