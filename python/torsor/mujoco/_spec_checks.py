"""Errors of compiling an MjSpec, in MuJoCo's words and with the element that they are about."""

from __future__ import annotations

import re
from typing import Any

import numpy

from torsor._spec.node import Node
from torsor.mujoco._extras import _WORDS

CONTACT_BITS, RAY_BITS, REDUCTIONS = 9, 6, 4
SKYBOX = 2
# sizes that the types of geoms need, by mjtGeom
SIZES = {2: 1, 3: 2, 4: 3, 5: 2, 6: 3}
# what our messages say, and what MuJoCo's do
PHRASES = (
    (re.compile(r"^the height field has (\d+) elevations.*|.*elevation.*nrow.*ncol.*"), "elevation data length must match nrow*ncol"),
)


def fail(node: Node, number: int, message: str) -> ValueError:
    info = node._values.get("info", "")
    return ValueError(f"Error: {message}\nElement name '{node._name}', id {number}" + (f", {info}" if info else ""))


def translated(error: Any, marked: dict[tuple[str, int, int], Node], ids: dict[Node, int]) -> ValueError:
    """An error of the library as one of MuJoCo, with the element that it is about."""
    for each in error.diagnostics:
        text = each.message
        for pattern, words in PHRASES:
            if pattern.match(text):
                text = words
        node = marked.get((each.file, each.line, each.column))
        if node is not None:
            return fail(node, ids.get(node, -1), text)
    return ValueError(f"Error: {error}")


def mesh_fault(name: str, files: dict[str, bytes]) -> str:
    """What is wrong with a mesh in memory; empty if nothing is."""
    contents = files.get(name)
    if name.lower().endswith(".stl") and contents is not None and len(contents) < 84:
        return "Error: stl_decoder: invalid header"
    return ""


def check(spec: Any) -> None:
    """What MuJoCo's compiler checks of values that only programs can give."""
    for number, geom in enumerate(spec._all("geom")):
        check_size(geom, number)
    for number, hfield in enumerate(spec._lists["hfield"]):
        mine = hfield._values
        if len(mine["userdata"]) and not mine["file"] and len(mine["userdata"]) != mine["nrow"] * mine["ncol"]:
            raise fail(hfield, number, "elevation data length must match nrow*ncol")
    for kind in ("mesh", "hfield", "texture"):
        for number, asset in enumerate(spec._lists[kind]):
            if not asset._name and asset._values.get("type") != SKYBOX:
                raise fail(asset, number, f"empty name in {kind}")
            if kind == "mesh" and asset._values["file"]:
                fault = mesh_fault(asset._values["file"], spec._files())
                if fault:
                    raise fail(asset, number, fault.removeprefix("Error: "))
    for number, sensor in enumerate(spec._lists["sensor"]):
        check_sensor(sensor, number)
    for number, actuator in enumerate(spec._lists["actuator"]):
        if not actuator._values["target"]:
            raise fail(actuator, number, "missing transmission target for actuator")


def check_size(geom: Any, number: int) -> None:
    mine = geom._values
    count = SIZES.get(mine["type"], 0)
    if not numpy.isnan(mine["fromto"][0]):
        count = min(count, 1)
    if mine["meshname"]:  # the sizes are fitted to the mesh
        return
    for index in range(count):
        if not mine["size"][index] > 0:
            raise fail(geom, number, f"size {index} must be positive in geom")


def check_sensor(sensor: Any, number: int) -> None:
    import torsor.mujoco

    kinds, mine = torsor.mujoco.mjtSensor, sensor._values
    if mine["type"] == kinds.mjSENS_CONTACT:
        check_contact_sensor(sensor, number)
    elif mine["type"] == kinds.mjSENS_RANGEFINDER:
        check_bits(sensor, number, RAY_BITS, "mjNRAYDATA")


def check_bits(sensor: Any, number: int, count: int, name: str) -> None:
    bits = int(sensor._values["intprm"][0])
    if bits <= 0:
        raise fail(sensor, number, f"data spec (intprm[0]) must be positive, got {bits}")
    if not bits & ((1 << count) - 1):
        raise fail(sensor, number, f"data spec intprm[0]={bits} must have at least one bit set of the first {name} bits")
    if bits >> count:
        raise fail(sensor, number, f"data spec intprm[0]={bits} has bits set beyond the first {name} bits")


def check_contact_sensor(sensor: Any, number: int) -> None:
    mine = sensor._values
    first, second = _WORDS.get(mine["objtype"], ""), _WORDS.get(mine["reftype"], "")
    if first not in ("", "body", "xbody", "geom", "site"):
        raise fail(sensor, number, "first matching criterion: if set, must be (x)body, geom or site")
    if second not in ("", "body", "xbody", "geom"):
        raise fail(sensor, number, "second matching criterion: if set, must be (x)body or geom")
    _, reduction, count = (int(each) for each in mine["intprm"])
    check_bits(sensor, number, CONTACT_BITS, "mjNCONDATA")
    if count <= 0:
        raise fail(sensor, number, "num (intprm[2]) must be positive in sensor")
    if not 0 <= reduction < REDUCTIONS:
        raise fail(sensor, number, f"unknown reduction criterion. got {reduction}")
