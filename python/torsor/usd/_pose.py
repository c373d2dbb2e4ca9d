"""Poses as 4 x 4 matrices that act on column vectors, and the quaternions w, x, y, z of MJCF."""

from __future__ import annotations

import numpy as np

AXES = {"X": np.array([1.0, 0, 0]), "Y": np.array([0, 1.0, 0]), "Z": np.array([0, 0, 1.0])}


def pose(rotation: np.ndarray, position) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = position
    return matrix


def inverse(X: np.ndarray) -> np.ndarray:
    """Of a rigid pose."""
    return pose(X[:3, :3].T, -X[:3, :3].T @ X[:3, 3])


def rigid(matrix: np.ndarray) -> np.ndarray:
    """The pose without the scale: the rotation nearest to the directions of the axes."""
    columns = matrix[:3, :3] / np.maximum(np.linalg.norm(matrix[:3, :3], axis=0), 1e-300)
    if np.linalg.det(columns) < 0:  # mirrored: the x axis turned round
        columns[:, 0] = -columns[:, 0]
    left, _, right = np.linalg.svd(columns)
    return pose(left @ right, matrix[:3, 3])


def to_matrix(quat) -> np.ndarray:
    """A rotation of a quaternion w, x, y, z, which need not be unit."""
    w, x, y, z = np.asarray(quat, dtype=float) / np.linalg.norm(quat)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def to_quat(R: np.ndarray) -> np.ndarray:
    """The quaternion of a rotation, with w >= 0: the largest of its elements comes from the diagonal."""
    squares = np.array([1 + R[0, 0] + R[1, 1] + R[2, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2],
                        1 - R[0, 0] + R[1, 1] - R[2, 2], 1 - R[0, 0] - R[1, 1] + R[2, 2]])
    largest = int(np.argmax(squares))
    w, x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], 0.0
    rows = {0: (squares[0], w, x, y), 1: (w, squares[1], R[1, 0] + R[0, 1], R[0, 2] + R[2, 0]),
            2: (x, R[1, 0] + R[0, 1], squares[2], R[2, 1] + R[1, 2]),
            3: (y, R[0, 2] + R[2, 0], R[2, 1] + R[1, 2], squares[3])}
    quat = np.array(rows[largest])
    quat /= np.linalg.norm(quat)
    return -quat if quat[0] < 0 else quat


def turn_x_to(axis: np.ndarray) -> np.ndarray:
    """A rotation that takes the x axis to a unit vector."""
    x = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    other = AXES["Z"] if abs(x[2]) < 0.9 else AXES["Y"]
    y = np.cross(other, x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def turn_z_to(axis: str) -> np.ndarray:
    """A rotation that takes the z axis, along which MJCF has cylinders, to X, Y or Z."""
    return {"Z": np.eye(3), "X": np.array([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]]),
            "Y": np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])}[axis]


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    """The rotation by an angle about a unit vector."""
    return to_matrix([np.cos(angle / 2), *(np.sin(angle / 2) * np.asarray(axis))])
