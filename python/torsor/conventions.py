"""Conversions between the conventions of different systems.

A convention is a row of data: the order of a quaternion's numbers, the point and the axes of a linear velocity, and so
on. Conversions are derived from two rows:

    >>> from torsor import conventions
    >>> conventions.convert_pose([1, 2, 3, 1, 0, 0, 0], "mujoco", "newton")
    array([1., 2., 3., 0., 0., 0., 1.])

Conventions are named by ids (conventions.ids()). If a system does not specify something, add it in brackets:
"physx[axes=z-up]", "usd.text[length=1,world=z-up]". Conversions that need an unspecified cell raise an Error; to find
the convention of a log, use detect().

Functions take arrays with any number of leading axes and broadcast over them. Properties of the body are given in
Torsor's own convention (SI, z up, quaternions w first), whatever the conventions of source and target. Those that a
conversion depends on must be given, even if they are zero:

    com                from the body's origin to its centre of mass, in the body's axes principal_axes     quaternion of
    the principal axes in the body (systems whose base frame is that of the inertia) parent_anchor      pose of the
    joint's parent anchor in the world: position, quaternion (joint coordinates of Newton) child_anchor       pose of
    the joint's child anchor in the body tree_com           centre of mass of the body's whole tree (MuJoCo's cvel)
    tree_com_velocity  its velocity (accelerations of MuJoCo's cvel) gravity            gravity (accelerations that
    contain it)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

import numpy
from numpy.typing import ArrayLike, NDArray

from torsor._core import _conventions
from torsor._core import (
    SapBoundary as SapBoundary,
    StateMap as StateMap,
    apply_body_wrench as apply_body_wrench,
    actuator_permutation as actuator_permutation,
    body_jacobian as body_jacobian,
    body_permutation as body_permutation,
    body_pose as body_pose,
    body_twist as body_twist,
    body_wrench as body_wrench,
    convert_placed_shape as convert_placed_shape,
    convert_shape as convert_shape,
    detect as detect,
    detect_file as detect_file,
    dof_permutation as dof_permutation,
    joint_forces as joint_forces,
    joint_permutation as joint_permutation,
    qpos_permutation as qpos_permutation,
    set_body_wrench as set_body_wrench,
    set_joint_forces as set_joint_forces,
    shape_mass as shape_mass,
    shape_systems as shape_systems,
)

Array = NDArray[numpy.float64]

# Rows.


def ids() -> list[str]:
    """The ids of all conventions; those added by add() and load() come last.

    >>> "mujoco" in conventions.ids()
    True
    """
    return [row["id"] for row in _conventions.list()]


def show(convention: str) -> dict:
    """One convention as a dictionary: its cells, its source, its worked example.

    >>> conventions.show("newton")["cells"]["quat"]
    'xyzw'
    """
    return _conventions.find(convention)


def diff(a: str, b: str) -> list[str]:
    """The differences between two conventions as sentences; empty if they are equivalent.

    >>> conventions.diff("isaaclab2", "isaaclab3")
    ["quat (order of a quaternion's numbers): wxyz in isaaclab2, xyzw in isaaclab3"]
    """
    return _conventions.differences(a, b)


def cells() -> list[tuple[str, str, list[str]]]:
    """The cells of a convention: name, meaning, and possible values.

    >>> [name for name, meaning, words in conventions.cells()][:3]
    ['rotation', 'quat', 'euler']
    """
    return _conventions.cells()


def add(row: Mapping[str, object] | list[Mapping[str, object]]) -> list[str]:
    """Add your own conventions; cells that are not given are those of "from", or unspecified. Returns the ids.

    >>> conventions.add({"id": "mylab", "from": "newton", "quat": "wxyz", "source": "our wiki"})
    ['mylab']
    """
    return _conventions.add_json(json.dumps(row), "")


def load(path: str | PathLike[str]) -> list[str]:
    """Add the conventions in a JSON file: one object as for add(), or a list of them. Returns the ids.

    >>> conventions.load("mylab.json")  # doctest: +SKIP
    ['mylab']
    """
    return _conventions.add_json(Path(path).read_text(encoding="utf-8"), str(path))


# Quantities of one body.


def _body(com=None, principal_axes=None, parent_anchor=None, child_anchor=None, tree_com=None, tree_com_velocity=None,
          gravity=None):
    return [com, principal_axes, parent_anchor, child_anchor, tree_com, tree_com_velocity, gravity]


def convert_rotation(rotation: ArrayLike, source: str, target: str) -> Array:
    """Convert rotations of bodies: quaternions, matrices (..., 9), rotation vectors or Euler angles.

    >>> conventions.convert_rotation([1, 0, 0, 0], "mujoco", "scipy")
    array([0., 0., 0., 1.])
    """
    return _conventions.convert("rotation", source, target, rotation, (), (), _body())


def convert_position(position: ArrayLike, source: str, target: str) -> Array:
    """Convert points of the world, and vectors such as gravity and mesh vertices: axes and unit of length.

    >>> conventions.convert_position([1, 2, 3], "mujoco", "usd.text[length=1]")
    array([ 1.,  3., -2.])
    """
    return _conventions.convert("position", source, target, position, (), (), _body())


def convert_mesh(vertices: ArrayLike, triangles: ArrayLike, source: str, target: str) -> tuple[Array, NDArray[numpy.int64]]:
    """A mesh that a body carries: vertices (n, 3) in the axes and unit of the target, triangles (m, 3) still
    counter-clockwise seen from outside, whichever hand the two systems have.

    >>> vertices, triangles = conventions.convert_mesh([[1, 2, 3]], [[0, 1, 2]], "mujoco", "unity")
    >>> vertices, triangles
    (array([[-2.,  3.,  1.]]), array([[0, 2, 1]]))
    """
    rows = [_conventions.find(name)["cells"] for name in (source, target)]
    carried = [_with(name, f"world={row['body']}") for name, row in zip((source, target), rows)]
    points = _conventions.convert("position", *carried, vertices, (), (), _body())
    corners = numpy.array(triangles, dtype=numpy.int64)
    if _hand(rows[0]["body"]) != _hand(rows[1]["body"]):
        corners = corners[..., [0, 2, 1]]
    return points, corners


def _with(convention: str, cells: str) -> str:
    """The id with additional cells in brackets."""
    return f"{convention[:-1]},{cells}]" if convention.endswith("]") else f"{convention}[{cells}]"


def _hand(axes: str) -> float:
    """+1 for right-handed axes such as "x -y -z", -1 for left-handed ones."""
    matrix = numpy.zeros((3, 3))
    for row, word in enumerate(axes.split()):
        matrix[row, "xyz".index(word[-1])] = -1 if word[0] == "-" else 1
    return float(numpy.sign(numpy.linalg.det(matrix)))


def convert_pose(pose: ArrayLike, source: str, target: str, *, com: ArrayLike | None = None,
                 principal_axes: ArrayLike | None = None, parent_anchor: ArrayLike | None = None,
                 child_anchor: ArrayLike | None = None) -> Array:
    """Convert poses of bodies: position and rotation, in the order of each convention.

    >>> conventions.convert_pose([1, 2, 3, 1, 0, 0, 0], "mujoco", "drake")
    array([1., 0., 0., 0., 1., 2., 3.])
    """
    body = _body(com, principal_axes, parent_anchor, child_anchor, None, None, None)
    return _conventions.convert("pose", source, target, pose, (), (), body)


def convert_twist(twist: ArrayLike, source: str, target: str, *, pose: ArrayLike, com: ArrayLike | None = None,
                  principal_axes: ArrayLike | None = None, parent_anchor: ArrayLike | None = None,
                  child_anchor: ArrayLike | None = None, tree_com: ArrayLike | None = None) -> Array:
    """Convert twists (..., 6) of bodies; the pose is in the source's convention.

    A body whose centre of mass is 1 m from its origin spins about z: its origin rests, its COM moves.

    >>> conventions.convert_twist([0, 0, 0, 0, 0, 2], "mujoco", "newton", pose=[0, 0, 0, 1, 0, 0, 0], com=[1, 0, 0])
    array([0., 2., 0., 0., 0., 2.])
    """
    body = _body(com, principal_axes, parent_anchor, child_anchor, tree_com, None, None)
    return _conventions.convert("twist", source, target, twist, pose, (), body)


def convert_acceleration(acceleration: ArrayLike, source: str, target: str, *, pose: ArrayLike, twist: ArrayLike,
                         com: ArrayLike | None = None, principal_axes: ArrayLike | None = None,
                         parent_anchor: ArrayLike | None = None, child_anchor: ArrayLike | None = None,
                         tree_com: ArrayLike | None = None, tree_com_velocity: ArrayLike | None = None,
                         gravity: ArrayLike | None = None) -> Array:
    """Convert accelerations (..., 6) of bodies; pose and twist are in the source's convention.

    The COM of the body that spins about its origin is pulled inwards.

    >>> conventions.convert_acceleration([0] * 6, "mujoco", "newton", pose=[0, 0, 0, 1, 0, 0, 0],
    ...                                  twist=[0, 0, 0, 0, 0, 2], com=[1, 0, 0])
    array([-4.,  0.,  0.,  0.,  0.,  0.])
    """
    body = _body(com, principal_axes, parent_anchor, child_anchor, tree_com, tree_com_velocity, gravity)
    return _conventions.convert("acceleration", source, target, acceleration, pose, twist, body)


def convert_wrench(wrench: ArrayLike, source: str, target: str, *, pose: ArrayLike, com: ArrayLike | None = None,
                   principal_axes: ArrayLike | None = None, parent_anchor: ArrayLike | None = None,
                   child_anchor: ArrayLike | None = None, tree_com: ArrayLike | None = None) -> Array:
    """Convert loads (..., 6) on bodies; the pose is in the source's convention.

    A force at the COM, 1 m from the origin, has a moment about the origin.

    >>> conventions.convert_wrench([0, 5, 0, 0, 0, 0], "newton", "drake[wrench.point=origin]",
    ...                            pose=[0, 0, 0, 0, 0, 0, 1], com=[1, 0, 0])
    array([0., 0., 5., 0., 5., 0.])
    """
    body = _body(com, principal_axes, parent_anchor, child_anchor, tree_com, None, None)
    return _conventions.convert("wrench", source, target, wrench, pose, (), body)


def convert_joint_force(force: ArrayLike, source: str, target: str, *, pose: ArrayLike, com: ArrayLike | None = None,
                        principal_axes: ArrayLike | None = None, parent_anchor: ArrayLike | None = None,
                        child_anchor: ArrayLike | None = None, tree_com: ArrayLike | None = None) -> Array:
    """Convert the six generalised forces of free joints; the pose is in the source's convention.

    Newton's are a wrench at the COM in world axes; MuJoCo's are dual to qvel.

    >>> conventions.convert_joint_force([0, 5, 0, 0, 0, 0], "newton", "mujoco", pose=[0, 0, 0, 0, 0, 0, 1], com=[1, 0, 0])
    array([0., 5., 0., 0., 0., 5.])
    """
    body = _body(com, principal_axes, parent_anchor, child_anchor, tree_com, None, None)
    return _conventions.convert("joint force", source, target, force, pose, (), body)


def twist_matrix(source: str, target: str, *, pose: ArrayLike, com: ArrayLike | None = None,
                 principal_axes: ArrayLike | None = None, parent_anchor: ArrayLike | None = None,
                 child_anchor: ArrayLike | None = None, tree_com: ArrayLike | None = None) -> Array:
    """The matrices (..., 6, 6) that convert twists, and Jacobians of the body, from the source to the target.

    >>> conventions.twist_matrix("sap.internal", "sap.public", pose=[0, 0, 0, 0, 0, 0, 1], com=[0, 0, 0])[0]
    array([0., 0., 0., 1., 0., 0.])
    """
    body = _body(com, principal_axes, parent_anchor, child_anchor, tree_com, None, None)
    return _conventions.matrices(source, target, pose, body)[0]


def force_matrix(source: str, target: str, *, pose: ArrayLike, com: ArrayLike | None = None,
                 principal_axes: ArrayLike | None = None, parent_anchor: ArrayLike | None = None,
                 child_anchor: ArrayLike | None = None, tree_com: ArrayLike | None = None) -> Array:
    """The inverse transpose of twist_matrix(): for forces that are dual to the two twists.

    >>> conventions.force_matrix("sap.public", "sap.internal", pose=[0, 0, 0, 0, 0, 0, 1], com=[0, 0, 0])[0]
    array([0., 0., 0., 1., 0., 0.])
    """
    body = _body(com, principal_axes, parent_anchor, child_anchor, tree_com, None, None)
    return _conventions.matrices(source, target, pose, body)[1]


def convert_inertia(inertia: ArrayLike, source: str, target: str, *, source_form: str, target_form: str,
                    source_point: str, target_point: str) -> Array:
    """Convert mass, centre of mass and moments of bodies between conventions, forms and points.

    A form is "mujoco" (xx yy zz xy xz yz), "urdf" (xx xy xz yy yz zz), "matrix" (nine numbers) or "principal" (three
    moments, then the rotation of their axes as the row writes rotations); a point is "com" or "origin". The numbers are
    the mass, the three of the centre of mass, then the form.

    >>> conventions.convert_inertia([2, 0, 0, 1, 4, 5, 6, 0, 0, 0], "mujoco", "mujoco", source_form="mujoco",
    ...                             source_point="com", target_form="urdf", target_point="origin")
    array([2., 0., 0., 1., 6., 0., 0., 7., 0., 6.])
    """
    return _conventions.convert_inertia(source, source_form, source_point, target, target_form, target_point, inertia)
