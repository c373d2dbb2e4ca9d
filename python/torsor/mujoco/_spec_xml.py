"""MjSpec.to_xml(): MJCF in MuJoCo's canonical notation, with quaternions and radians, or as it is written in the spec."""

from __future__ import annotations

import re
from typing import Any

import torsor._core as core
from torsor._error import Error
from torsor._spec import units

USERS = {"nuser_body": "bodies", "nuser_jnt": "joints", "nuser_geom": "geoms", "nuser_site": "sites", "nuser_cam": "cameras",
         "nuser_tendon": "tendons", "nuser_actuator": "actuators", "nuser_sensor": "sensors"}


def to_xml(spec: Any) -> str:
    try:
        library = spec._compiled(None)[0] if spec._compiler._values["savecompiled"] else spec._make_core()
        if spec._compiler._values["savecompiled"] or spec._compiler._values["savecanonical"]:
            library = canonical(library)
        return spaced(library.to_xml(), spec._settings["modelname"])
    except Error as error:
        raise ValueError(f"Error: {error}") from error


def spaced(text: str, name: str) -> str:
    """Sections with empty lines between them."""
    if text.startswith(("<mujoco>", "<mujoco/>")):
        quoted = name.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
        text = text.replace("<mujoco", f'<mujoco model="{quoted}"', 1)
    lines: list[str] = []
    for line in text.splitlines():
        if re.match(r"  <[^/ ]", line) and len(lines) > 1:
            lines.append("")
        lines.append(re.sub(r" />$", "/>", line))
    return "\n".join(lines) + "\n"


def canonical(library: Any) -> Any:
    """The same model with quaternions, radians and sizes."""
    tree = library.tree()
    compiler = tree["compiler"]
    degree, sequence = compiler["degree"], compiler["eulerseq"]
    for values in posed(tree):
        turn(values, degree, sequence)
    for joint in [each for body in tree["bodies"] for each in body["joints"]] + [each["joint"] for each in tree["defaults"]]:
        to_radians(joint, degree)
    compiler["degree"], compiler["eulerseq"] = False, "xyz"
    for name, kind in USERS.items():
        elements = tree["bodies"] if kind == "bodies" else tree[kind] if kind in tree else [
            each for body in tree["bodies"] for each in body[kind]]
        count = max((len(each["user"]) for each in elements), default=0)
        if count > 0:
            tree["size"][name] = max(count, tree["size"][name])
    tree["size"]["nkey"] = max(tree["size"]["nkey"], len(tree["keys"]))
    return core._Spec.from_tree(tree)


def posed(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """Everything that has an orientation."""
    found = [each[kind] for each in tree["defaults"] for kind in ("geom", "site", "camera")]
    for body in tree["bodies"]:
        found += [body, body["inertial"], *(each for kind in ("frames", "geoms", "sites", "cameras") for each in body[kind])]
    return found


def turn(values: dict[str, Any], degree: bool, sequence: str) -> None:
    """Axes and fromto need no unit, and stay as they are."""
    form, numbers = values["orientation"]
    if form in (units.AXISANGLE, units.EULER):
        values["orientation"] = 0, units.quat_of(form, numbers, degree, sequence)


def to_radians(joint: dict[str, Any], degree: bool) -> None:
    if degree:
        units.translate("joint", joint, {"degree": True, "eulerseq": "", "autolimits": True},
                        {"degree": False, "eulerseq": "", "autolimits": True})
