"""Edits of whole models: values of a compiled model, static bodies, what is only drawn, equal assets."""

from __future__ import annotations

import os
from typing import Any

import numpy

from torsor import rotations
from torsor._error import Error
from torsor._spec import units
from torsor._spec.node import Node
from torsor._spec.tree import ASSETS, LISTS, frame_order
from torsor.mujoco import _spec_methods
from torsor.mujoco._spec_elements import write_orientation

INERTIA_FROM_GEOMS = 1
FORCE_SENSORS = (4, 5)  # force and torque
LEAST_MASS = 1e-15  # what counts as none


def copy_back(spec: Any, model: Any) -> None:
    library, _ = spec._compiled(None)
    try:
        library.update(model)
    except Error as error:
        raise ValueError(f"Error: a value was changed in the model that the spec cannot express: {error}") from error
    tree = library.tree()
    if tree["compiler"]["inertiafromgeom"] != spec._compiler._values["inertiafromgeom"]:
        raise ValueError("Error: an inertia was changed in the model, which the compiler's inertiafromgeom does not allow")
    spec._compiler._values["alignfree"] = tree["compiler"]["alignfree"]
    for body, values in zip(spec._walk(), tree["bodies"], strict=True):
        reread(body, values)
        body._inertial_frame = body._inertial_frame if values["inertial"]["frame"] >= 0 else None
        for kind, nodes in body._parts.items():
            for node, each in zip(frame_order(body) if kind == "frame" else nodes, values.get(f"{kind}s", ()), strict=False):
                reread(node, each)
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
    if spec._compiler._values["inertiafromgeom"] == INERTIA_FROM_GEOMS:
        raise ValueError("Error: an inertial has no effect while the compiler's inertiafromgeom is true")
    _, model = spec._compiled(None)
    take_inertial(body, model, spec._ids[body])


def take_inertial(body: Any, model: Any, number: int) -> None:
    mine = body._values
    body._inertial_frame = None
    mine["mass"] = float(model.body_mass[number])
    mine["ipos"][:], mine["iquat"][:] = model.body_ipos[number], model.body_iquat[number]
    mine["inertia"][:] = model.body_inertia[number]
    mine["ialt"]._values["type"] = 0
    mine["fullinertia"][0] = numpy.nan
    mine["explicitinertial"] = True


def names_in_use(spec: Any, kind: str) -> set[str]:
    """Names of a kind that other elements refer to."""
    kinds = ("camera", "light", *(each for each in spec._list_kinds if each not in ASSETS))
    return {holder[key] for each in kinds for node in spec._all(each) for holder, key, kind_ in node._references() if kind_ == kind}


def fuse_static(spec: Any, vfs: Any) -> int:
    if vfs is not None:
        vfs._files  # noqa: B018 raises if it is closed
    if spec._attached_to is not None:
        raise ValueError("Cannot fuse bodies of an attached mjSpec.")
    _, model = spec._compiled(vfs)
    fusion, count = Fusion(spec, model), 0
    for body in reversed(spec._all("body")[1:]):  # those below first
        if fusion.allows(body):
            fusion.fuse(body)
            count += 1
    return count


class Fusion:
    """Which static bodies can become frames of their parents, and the masses that their parents take over."""

    def __init__(self, spec: Any, model: Any) -> None:
        self.spec, self.model, self.world = spec, model, spec._all("body")[0]
        self.ids = {body: spec._ids[body] for body in spec._all("body")}
        self.masses = {body: mass_of(model, number) for body, number in self.ids.items()}
        self.used = names_in_use(spec, "body")
        sensors = [sensor._values for sensor in spec._all("sensor")]
        self.force_sites = {values["objname"] for values in sensors if int(values["type"]) in FORCE_SENSORS}
        self.infers_all = spec._compiler._values["inertiafromgeom"] == INERTIA_FROM_GEOMS

    def allows(self, body: Any) -> bool:
        mine = body._values
        if body._parts["joint"] or mine["mocap"] or not mine["fuse"] or int(mine["sleep"]) or body._name in self.used:
            return False
        if any(site._name in self.force_sites for site in body._parts["site"]):
            return False
        return body._parent is self.world or (self.keeps_weight(body) and self.keeps_mass())

    def keeps_weight(self, body: Any) -> bool:
        """Gravity compensation and the drag of a fluid depend on how masses are grouped into bodies."""
        option = self.model.opt
        is_in_fluid = option.density != 0 or option.viscosity != 0
        if is_in_fluid and any(geom._values["fluid_ellipsoid"] for geom in body._parts["geom"]):
            return False
        if self.masses[body][0] < LEAST_MASS:
            return True
        return not is_in_fluid and bool(body._values["gravcomp"] == body._parent._values["gravcomp"])

    def keeps_mass(self) -> bool:
        compiler = self.spec._compiler._values
        return not (self.infers_all and (compiler["boundmass"] or compiler["boundinertia"] or compiler["balanceinertia"]))

    def fuse(self, body: Any) -> None:
        parent = body._parent
        is_written = any(each._values["explicitinertial"] for each in (body, parent)) and not self.infers_all
        if parent is not self.world:
            number, mass = self.ids[body], self.masses[body]
            self.masses[parent] = join(self.masses[parent], moved(mass, self.model.body_pos[number], self.model.body_quat[number]))
            if is_written:
                write_mass(parent, self.masses[parent])
        body._values["explicitinertial"] = False
        _spec_methods.to_frame(body)


def mass_of(model: Any, number: int) -> tuple[float, Any, Any]:
    """Mass, centre of mass, and inertia about it in the axes of the body."""
    R = rotation(model.body_iquat[number])
    inertia = R @ numpy.diag(model.body_inertia[number]) @ R.T
    return float(model.body_mass[number]), numpy.array(model.body_ipos[number]), inertia


def rotation(quat: Any) -> Any:
    return rotations.quat_to_matrix(quat, order="wxyz")


def moved(mass: tuple[float, Any, Any], pos: Any, quat: Any) -> tuple[float, Any, Any]:
    R = rotation(quat)
    return mass[0], pos + R @ mass[1], R @ mass[2] @ R.T


def join(first: tuple[float, Any, Any], second: tuple[float, Any, Any]) -> tuple[float, Any, Any]:
    total = first[0] + second[0]
    if second[0] < LEAST_MASS:
        return first
    center = (first[0] * first[1] + second[0] * second[1]) / total
    inertia = numpy.zeros((3, 3))
    for mass, pos, about_center in (first, second):
        arm = pos - center
        inertia += about_center + mass * (arm @ arm * numpy.eye(3) - numpy.outer(arm, arm))
    return total, center, inertia


def write_mass(body: Any, mass: tuple[float, Any, Any]) -> None:
    mine, inertia = body._values, mass[2]
    body._inertial_frame = None
    mine["mass"] = mass[0]
    mine["ipos"][:], mine["iquat"][:], mine["inertia"][:] = mass[1], (1, 0, 0, 0), 0
    mine["ialt"]._values["type"] = 0
    mine["fullinertia"][:] = inertia[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
    mine["explicitinertial"] = True


def discard_visual(spec: Any, vfs: Any) -> int:
    if vfs is not None:
        vfs._files  # noqa: B018 raises if it is closed
    if spec._attached_to is not None:
        raise ValueError("Cannot discard elements of an attached mjSpec.")
    used = names_in_use(spec, "geom")
    geoms = [geom for geom in spec._all("geom") if not geom._values["contype"] and not geom._values["conaffinity"]
             and not geom._values["fluid_ellipsoid"] and geom._name not in used]
    keep_inertia(spec, {geom._parent for geom in geoms}, vfs)
    for geom in geoms:
        spec._delete(geom)
    lost: list[Node] = [*spec._lists["material"], *spec._lists["texture"]]
    for kind in ("geom", "site", "mesh", "tendon"):
        for node in spec._all(kind):
            node._values["material"] = ""
    for light in spec._all("light"):
        light._values["texture"] = ""
    meshes = {node._values["meshname"] for kind in ("geom", "site") for node in spec._all(kind)}
    lost += [mesh for mesh in spec._lists["mesh"] if mesh._name not in meshes]
    for node in lost:
        spec._delete(node)
    return len(geoms) + len(lost)


def keep_inertia(spec: Any, bodies: set[Any], vfs: Any) -> None:
    """Writes the inertia of bodies that are about to lose geoms."""
    moving = [body for body in bodies if body is not spec._world and not body._values["explicitinertial"]]
    if not moving:
        return
    if spec._compiler._values["inertiafromgeom"] == INERTIA_FROM_GEOMS:
        raise ValueError("Error: the inertia of discarded geoms cannot be kept while the compiler's inertiafromgeom is true")
    _, model = spec._compiled(vfs)
    for body in moving:
        take_inertial(body, model, spec._ids[body])


def dedup_assets(spec: Any) -> int:
    if spec._attached_to is not None:
        raise ValueError("Cannot merge the assets of an attached mjSpec.")
    count = 0
    for kind in ("texture", "mesh", "hfield"):
        kept: list[Any] = []
        replaced: dict[str, str] = {}
        for node in list(spec._lists[kind]):
            twin = next((each for each in kept if same_values(each, node)), None)
            if twin is None:
                kept.append(node)
                continue
            replaced[node._name] = twin._name
            spec._delete(node)
        count += len(replaced)
        rename_uses(spec, kind, replaced)
    return count


def same_values(a: Any, b: Any) -> bool:
    if a._compiler is not b._compiler:
        return False
    more, others = (each._values["_more"] for each in (a, b))
    return more.keys() == others.keys() and all(same_numbers(more[key], others[key]) for key in more) and all(
        field.same(a._values[name], b._values[name]) if name not in ("plugin",) else True
        for name, field in a._fields.items() if name not in ("name", "info", "_more"))


def same_numbers(a: Any, b: Any) -> bool:
    """Whether two values are equal; NaN stands for a value that was left open."""
    first, second = numpy.asarray(a), numpy.asarray(b)
    return numpy.array_equal(first, second, equal_nan=first.dtype.kind == "f" and second.dtype.kind == "f")


def rename_uses(spec: Any, kind: str, replaced: dict[str, str]) -> None:
    for each in ("geom", "site", "light", *spec._list_kinds):
        for node in spec._all(each):
            for holder, key, kind_ in node._references():
                if kind_ == kind and holder[key] in replaced:
                    holder[key] = replaced[holder[key]]


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
