"""Values of an attached model in the units of the model that it is attached to."""

from __future__ import annotations

import math
from typing import Any

import numpy

QUAT, AXISANGLE, XYAXES, ZAXIS, EULER = range(5)
FREE, BALL, SLIDE, HINGE = range(4)
FALSE, TRUE, AUTO = range(3)
LIMITS = (("limited", "range"), ("actfrclimited", "actfrcrange"), ("ctrllimited", "ctrlrange"),
          ("forcelimited", "forcerange"), ("actlimited", "actrange"))


def multiply(a: Any, b: Any) -> numpy.ndarray:
    """The product of two quaternions, w first."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return numpy.array([aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
                        aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw])


def rotate(quat: Any, vector: Any) -> numpy.ndarray:
    w, u, v = quat[0], numpy.asarray(quat[1:]), numpy.asarray(vector, dtype=float)
    return v + 2 * numpy.cross(u, numpy.cross(u, v) + w * v)


def from_axes(x: Any, y: Any) -> numpy.ndarray:
    """The quaternion of a frame with these axes; y is made perpendicular to x."""
    x = numpy.asarray(x, dtype=float) / numpy.linalg.norm(x)
    y = numpy.asarray(y, dtype=float) - x * (x @ numpy.asarray(y, dtype=float))
    y = y / numpy.linalg.norm(y)
    return from_matrix(numpy.stack([x, y, numpy.cross(x, y)], axis=1))


def from_matrix(matrix: numpy.ndarray) -> numpy.ndarray:
    m = matrix
    candidates = numpy.array([
        [1 + m[0, 0] + m[1, 1] + m[2, 2], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
        [m[2, 1] - m[1, 2], 1 + m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
        [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], 1 - m[0, 0] + m[1, 1] - m[2, 2], m[1, 2] + m[2, 1]],
        [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], 1 - m[0, 0] - m[1, 1] + m[2, 2]]])
    best = candidates[int(numpy.argmax(numpy.diag(candidates)))]
    best = best if best[0] >= 0 else -best
    return best / numpy.linalg.norm(best)


def from_zaxis(axis: Any) -> numpy.ndarray:
    """The smallest rotation that turns z into this direction."""
    z = numpy.asarray(axis, dtype=float) / numpy.linalg.norm(axis)
    turn = numpy.cross([0, 0, 1], z)
    sine = float(numpy.linalg.norm(turn))
    turn = turn / sine if sine > 1e-12 else numpy.array([1.0, 0, 0])
    half = math.atan2(sine, z[2]) / 2
    return numpy.array([math.cos(half), *(math.sin(half) * turn)])


def from_euler(sequence: str, angles: Any) -> numpy.ndarray:
    """Angles in radians about the axes of the sequence; capital letters stay fixed."""
    quat = numpy.array([1.0, 0, 0, 0])
    for letter, angle in zip(sequence, angles, strict=True):
        step = numpy.array([math.cos(angle / 2), 0, 0, 0])
        step[1 + "xyz".index(letter.lower())] = math.sin(angle / 2)
        quat = multiply(quat, step) if letter.islower() else multiply(step, quat)
    return quat


def quat_of(form: int, numbers: Any, degree: bool, sequence: str) -> numpy.ndarray:
    """An orientation as a unit quaternion, from any way of writing it."""
    unit = math.pi / 180 if degree else 1.0
    if form == AXISANGLE:
        axis = numpy.asarray(numbers[:3], dtype=float)
        half = numbers[3] * unit / 2
        return numpy.array([math.cos(half), *(math.sin(half) * axis / numpy.linalg.norm(axis))])
    if form == XYAXES:
        return from_axes(numbers[:3], numbers[3:])
    if form == ZAXIS:
        return from_zaxis(numbers)
    if form == EULER:
        return from_euler(sequence, numpy.asarray(numbers) * unit)
    length = numpy.linalg.norm(numbers)
    return numpy.asarray(numbers, dtype=float) / (length if length else 1.0)


def translate(kind: str, values: dict[str, Any], source: dict[str, Any], target: dict[str, Any]) -> None:
    """Changes values, by the names of the library's Spec, from the settings `source` of a compiler to `target`."""
    for key in ("orientation",):
        if key in values:
            values[key] = _orientation(values[key], source, target)
    if values.get("inertial"):
        inertial = dict(values["inertial"])
        inertial["orientation"] = _orientation(inertial["orientation"], source, target)
        values["inertial"] = inertial
    if source["autolimits"] != target["autolimits"]:
        for limited, range_ in LIMITS:
            if values.get(limited) == AUTO:
                values[limited] = TRUE if source["autolimits"] and values[range_][0] < values[range_][1] else FALSE
    if kind == "joint" and source["degree"] != target["degree"]:
        factor = math.pi / 180 if source["degree"] else 180 / math.pi
        limited = values["limited"] == TRUE or (values["limited"] == AUTO and values["range"][0] < values["range"][1])
        if limited and values["type"] in (HINGE, BALL):
            values["range"] = values["range"] * factor
        if values["type"] in (HINGE, BALL):
            values["springyield"] = values["springyield"] * factor
        if values["type"] == HINGE:
            values["ref"], values["springref"] = values["ref"] * factor, values["springref"] * factor


def _orientation(value: tuple[int, Any], source: dict[str, Any], target: dict[str, Any]) -> tuple[int, Any]:
    form, numbers = value
    if form not in (AXISANGLE, EULER):
        return value
    if source["degree"] == target["degree"] and (form == AXISANGLE or source["eulerseq"] == target["eulerseq"]):
        return value
    return QUAT, quat_of(form, numbers, source["degree"], source["eulerseq"])
