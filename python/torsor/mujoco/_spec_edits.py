"""Edits of whole models: values of a compiled model, static bodies, what is only drawn, equal assets."""

from __future__ import annotations

import os
from typing import Any

import numpy

from torsor._error import Error
from torsor._spec import operations, units
from torsor._spec.tree import LISTS, frame_order
from torsor.mujoco._spec_elements import write_orientation



def copy_back(spec: Any, model: Any) -> None:
    library, _ = spec._compiled(None)
    try:
        library.update(model, infer=True)
    except Error as error:
        raise ValueError(f"Error: a value was changed in the model that the spec cannot express: {error}") from error
    tree = library.tree()
    for name in ("inertiafromgeom", "settotalmass"):
        if tree["compiler"][name] != spec._compiler._values[name]:
            raise ValueError(f"Error: an inertia was changed in the model, which the compiler's {name} does not allow")
    spec._compiler._values["alignfree"] = tree["compiler"]["alignfree"]
    for body, values in zip(spec._walk(), tree["bodies"], strict=True):
        reread(body, values)
        body._inertial_frame = body._inertial_frame if values["inertial"]["frame"] >= 0 else None
        for kind, nodes in body._parts.items():
            for node, each in zip(frame_order(body) if kind == "frame" else nodes, values.get(f"{kind}s", ()), strict=False):
                reread(node, each)
    while len(spec._lists["key"]) < len(tree["keys"]):  # nkey asks for more keys than there are
        spec.add_key()
    for kind, name in LISTS.items():
        for node, values in zip(spec._lists[kind], tree[name], strict=True):
            reread(node, values)
    spec._option, spec._visual = tree["option"], tree["visual"]
    for name, value in tree["statistic"].items():
        setattr(spec._stat, name, value)


def reread(node: Any, values: dict[str, Any]) -> None:
    info, more = node._values["info"], node._values["_more"]
    if node._compiler is not node._tree._compiler:
        return  # values in other units
    node._read(values)
    node._values["info"], node._values["_more"] = info, {**node._values["_more"], **more}
    if node._frame is not None and values.get("frame") == -1:  # the library writes edited poses without frames
        into_frame(node)


def into_frame(node: Any) -> None:
    """Turns a pose in the body into one in the frame that the element is in."""
    p, q = frame_pose(node._frame)
    back = numpy.array([q[0], -q[1], -q[2], -q[3]])
    mine = node._values
    mine["pos"][:] = units.rotate(back, mine["pos"] - p)
    for name in ("axis", "dir"):
        if name in mine:
            mine[name][:] = units.rotate(back, mine[name])
    if "quat" in mine:
        mine["quat"][:] = units.multiply(back, mine["quat"])


def frame_pose(frame: Any) -> tuple[Any, Any]:
    """Position and orientation of a frame in its body."""
    p, q = numpy.zeros(3), numpy.array([1.0, 0, 0, 0])
    while frame is not None:
        mine, settings = frame._values, frame._compiler._values
        form, numbers = write_orientation({}, mine["quat"], mine["alt"])
        turn = units.quat_of(form, numbers, settings["degree"], "".join(settings["eulerseq"]))
        p, q = mine["pos"] + units.rotate(turn, p), units.multiply(turn, q)
        frame = frame._frame
    return p, q


def adopt_inertial(spec: Any, body: Any) -> None:
    run(spec, None, "adopt_inertial", operations.number_of(spec, body))


def run(spec: Any, vfs: Any, name: str, *arguments: Any) -> int:
    """An operation of the library, with files from an MjVfs and MuJoCo's errors."""
    if vfs is not None:
        vfs._files  # noqa: B018 raises if it is closed
    if spec._attached_to is not None:
        raise ValueError("Cannot merge the assets of an attached mjSpec." if name == "dedup_assets" else
                         f"{name}() cannot change an attached mjSpec.")
    spec._vfs = vfs
    try:
        return operations.operate(spec, name, *arguments)
    except Error as error:
        spec._compiled(vfs)  # an error of the model has a location there
        raise ValueError(f"Error: {error}") from error
    finally:
        spec._vfs = None


def move_files(node: Any, values: dict[str, Any], compiler: Any, base: str) -> None:
    """Paths of an attached model's files as seen from the folders of the model that it is attached to."""
    kind = node._kind
    if kind not in ("mesh", "hfield", "texture") or node._values["_more"].get("_in_memory"):
        return
    folder_name = "texturedir" if kind == "texture" else "meshdir"
    theirs, ours = getattr(node._compiler, folder_name), getattr(compiler, folder_name)

    def moved(file: str) -> str:
        path = os.path.join(node._compiler._base, theirs, file)
        own = os.path.join(base, ours)
        return os.path.relpath(path, own) if own and file else path

    if kind == "texture":
        values["attributes"] = [(name, moved(text) if name.startswith("file") else text) for name, text in values["attributes"]]
    elif values["file"]:
        values["file"] = moved(values["file"])
