"""Keyframes while the model around them changes: their vectors are kept by element and put together by compilation."""

from __future__ import annotations

from typing import Any

import numpy

QPOS, QVEL = {0: 7, 1: 4, 2: 1, 3: 1}, {0: 6, 1: 3, 2: 1, 3: 1}  # numbers of a joint, by its type
BALL = 1
VECTORS = ("qpos", "qvel", "act", "ctrl", "mpos", "mquat", "plastic")


def owners(tree: Any) -> dict[str, list[tuple[Any, int]]]:
    """Which elements the numbers of a keyframe belong to, in order, and how many each has."""
    joints = tree._all("joint")
    mocap = [body for body in tree._walk() if body._values["mocap"]]
    return {
        "qpos": [(joint, QPOS[int(joint._values["type"])]) for joint in joints],
        "qvel": [(joint, QVEL[int(joint._values["type"])]) for joint in joints],
        "act": [(each, activations(each)) for each in tree._lists["actuator"]],
        "ctrl": [(each, 1) for each in tree._lists["actuator"]],
        "mpos": [(body, 3) for body in mocap],
        "mquat": [(body, 4) for body in mocap],
        "plastic": [*((joint, 4 if int(joint._values["type"]) == BALL else 1) for joint in joints if joint._values["springyield"] > 0),
                    *((tendon, 2) for tendon in tree._lists["tendon"] if tendon._values["springyield"] > 0)],
    }


def activations(actuator: Any) -> int:
    if actuator._values["actdim"] >= 0:
        return int(actuator._values["actdim"])
    return int(actuator._values["dyntype"] != 0)


def scatter(tree: Any) -> None:
    """Turns the vectors of all keyframes into numbers by element, before the structure changes."""
    waiting = [key for key in tree._lists["key"] if key._pending is None]
    if not waiting:
        return
    places = owners(tree)
    for key in waiting:
        pending: dict[str, dict[Any, Any]] = {}
        for name in VECTORS:
            vector = key._values[name]
            if vector is None or len(vector) == 0:
                continue
            total = sum(size for _, size in places[name])
            # of another model, or of actuators whose numbers of controls are not known: nothing is known about its numbers
            if len(vector) > total or (name in ("act", "ctrl") and len(vector) < total):
                continue
            start = 0
            pending[name] = {}
            for owner, size in places[name]:
                pending[name][owner] = vector[start:start + size].copy()
                start += size
            key._values[name] = key._fields[name].new()
        key._pending = pending


def gather(tree: Any, model: Any) -> None:
    """Makes the vectors for a compiled model; what a keyframe says nothing about is as in the reference pose."""
    places = owners(tree)
    sizes = {"qpos": model.nq, "qvel": model.nv, "act": model.na, "ctrl": model.nu,
             "mpos": 3 * model.nmocap, "mquat": 4 * model.nmocap, "plastic": model.nplastic}
    standard = {"qpos": numpy.array(model.qpos0), "mpos": _mocap(model, model.body_pos), "mquat": _mocap(model, model.body_quat),
                "plastic": _rest(model)}
    for key in tree._lists["key"]:
        if key._pending is None:
            continue
        for name, numbers in key._pending.items():
            if sum(size for _, size in places[name]) != sizes[name]:
                continue
            vector = numpy.array(standard.get(name, numpy.zeros(sizes[name])), dtype=float)
            start = 0
            for owner, size in places[name]:
                if owner in numbers:  # a vector that was too short may have had a part of them
                    vector[start:start + len(numbers[owner])] = numbers[owner]
                start += size
            key._values[name] = vector
        key._pending = None


def _mocap(model: Any, array: Any) -> numpy.ndarray:
    return numpy.concatenate([numpy.zeros(0), *(array[body] for body in numpy.argsort(model.body_mocapid, kind="stable")
                                                if model.body_mocapid[body] >= 0)])


def _rest(model: Any) -> numpy.ndarray:
    """Plastic springs that have not yielded."""
    rest = numpy.zeros(model.nplastic)
    for joint, first in enumerate(model.jnt_plasticadr):
        count = 4 if model.jnt_type[joint] == BALL else 1
        if first >= 0:
            rest[first:first + count] = model.qpos_spring[model.jnt_qposadr[joint]:][:count]
    for tendon, first in enumerate(model.tendon_plasticadr):
        if first >= 0:
            rest[first:first + 2] = model.tendon_lengthspring[tendon]
    return rest


def copied(pending: Any, copies: dict[Any, Any]) -> Any:
    if pending is None:
        return None
    return {name: {copies[owner]: numbers for owner, numbers in by_owner.items() if owner in copies}
            for name, by_owner in pending.items()}
