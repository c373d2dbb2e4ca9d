"""What MjvOption.flags, frame and label add to a scene: joints, contacts, centres of mass, frames, names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from numpy.typing import NDArray

import torsor
from torsor import _core

_BODY, _JOINT, _GEOM, _SITE, _LIGHT = 1, 3, 5, 6, 8  # mjtObj
_ARROW, _ARROW1, _ARROW2, _LABEL = 100, 101, 102, 107  # mjtGeom
_JOINT_LIMIT = 3  # mjtConstraint
_SPHERE, _CYLINDER, _BOX = int(torsor.GeomType.SPHERE), int(torsor.GeomType.CYLINDER), int(torsor.GeomType.BOX)
# mjtVisFlag
JOINT, LIGHT, INERTIA, SCALED_INERTIA, CONTACT, FORCE, SPLIT, TRANSPARENT, COM, STATIC = 2, 6, 10, 11, 14, 16, 17, 18, 20, 22
TEXTURE, TENDON, SKIN = 1, 7, 23
_FLAGS = (JOINT, LIGHT, INERTIA, CONTACT, FORCE, COM)
_ON = (TEXTURE, TENDON, STATIC, SKIN)  # by default
_BODY_FRAMES, _GEOM_FRAMES, _SITE_FRAMES, _CONTACT_FRAMES, _WORLD_FRAME = 1, 2, 3, 6, 7  # mjtFrame
_BODY_NAMES, _GEOM_NAMES, _SITE_NAMES = 1, 3, 4  # mjtLabel
_DECOR = 4  # mjtCatBit
_AXES = ((0.9, 0, 0, 1), (0, 0.9, 0, 1), (0, 0, 0.9, 1))

# adds one geom: (objtype, objid), type, size, pos, mat, rgba; size as scenes have it
Add = Callable[..., Any]


def is_wanted(opt: Any) -> bool:
    """Whether the options ask for anything but geoms, sites, tendons and skins as they are. Options need not have flags."""
    flags = getattr(opt, "flags", None)
    if flags is None:
        return False
    return any(flags[flag] for flag in (*_FLAGS, TRANSPARENT)) or not all(flags[flag] for flag in _ON) or \
        opt.frame != 0 or opt.label != 0


def frame_along(z: Any) -> NDArray[Any]:
    """A rotation whose z axis has this direction."""
    z = numpy.asarray(z, dtype=float)
    length = float(numpy.linalg.norm(z))
    z = z / length if length > 0 else numpy.array([0.0, 0.0, 1.0])
    other = numpy.array([0.0, 1.0, 0.0]) if abs(z[1]) < 0.9 else numpy.array([1.0, 0.0, 0.0])
    x = numpy.cross(other, z)
    x /= numpy.linalg.norm(x)
    return numpy.column_stack([x, numpy.cross(z, x), z])


class Decorator:
    """Lists the decorations of one moment with `add`."""

    def __init__(self, m: Any, d: Any, opt: Any, add: Add):
        self.m, self.d, self.opt, self.add = m, d, opt, add
        self.size = float(m.stat.meansize)

    def scale(self, name: str) -> float:
        return float(getattr(self.m.vis.scale, name)) * self.size

    def colour(self, name: str) -> Any:
        return getattr(self.m.vis.rgba, name)

    def list(self) -> None:
        """In the order of MuJoCo."""
        flags, frame, label = self.opt.flags, int(self.opt.frame), int(self.opt.label)
        if frame == _GEOM_FRAMES:
            self.frames(self.m.ngeom, self.d.geom_xpos, self.d.geom_xmat)
        if frame == _SITE_FRAMES:
            self.frames(self.m.nsite, self.d.site_xpos, self.d.site_xmat)
        if flags[INERTIA]:
            self.inertias()
        if frame == _WORLD_FRAME:
            self.frame((0, 0), numpy.zeros(3), numpy.eye(3), 2)
        if frame == _BODY_FRAMES:  # those of inertia, where its boxes are shown
            places = (self.d.xipos, self.d.ximat) if flags[INERTIA] else (self.d.xpos, self.d.xmat)
            self.frames(self.m.nbody, *places, 1)
        if label == _BODY_NAMES and not flags[INERTIA]:  # whose boxes have the names
            self.body_names()
        if flags[JOINT]:
            self.joints()
        if flags[LIGHT]:
            self.lights()
        if flags[COM]:
            self.centres()
        if flags[CONTACT] or flags[FORCE] or frame == _CONTACT_FRAMES:
            self.contacts()

    def joints(self) -> None:
        width, length = self.scale("jointwidth"), self.scale("jointlength")
        at_limit = {int(row_id) for kind, row_id in zip(self.d.efc_type, self.d.efc_id) if kind == _JOINT_LIMIT}
        for i in range(self.m.njnt):
            colour = self.colour("constraint" if i in at_limit else "joint")
            if not self.opt.jointgroup[min(max(int(self.m.jnt_group[i]), 0), 5)]:
                continue
            kind, anchor = torsor.JointType(int(self.m.jnt_type[i])), self.d.xanchor[i]
            rotation = numpy.reshape(self.d.xmat[self.m.jnt_bodyid[i]], (3, 3))
            if kind in (torsor.JointType.FREE, torsor.JointType.BALL):
                shape = _BOX if kind == torsor.JointType.FREE else _SPHERE
                self.add((_JOINT, i), shape, numpy.full(3, 3 * width), anchor, rotation, colour)
            else:
                shape = _ARROW1 if kind == torsor.JointType.HINGE else _ARROW
                self.add((_JOINT, i), shape, (width, width, length), anchor, frame_along(self.d.xaxis[i]), colour)

    def inertias(self) -> None:
        for i in range(1, self.m.nbody):
            mass = float(self.m.body_mass[i])
            if not mass > 0:
                continue
            moments = self.m.body_inertia[i]
            half = numpy.sqrt(numpy.maximum(0, 1.5 * (moments.sum() - 2 * moments) / mass))
            if self.opt.flags[SCALED_INERTIA]:  # as if all bodies had one density: that of a box of this size with a mean mass
                half = half * (mass / (8 * half.prod() * 1000)) ** (1 / 3) if half.prod() > 0 else half
            made = self.add((_BODY, i), _BOX, half, self.d.xipos[i], numpy.reshape(self.d.ximat[i], (3, 3)), self.colour("inertia"))
            if made is not None and int(self.opt.label) == _BODY_NAMES:
                made.label = name_of(self.m, _BODY, i)

    def centres(self) -> None:
        size = numpy.full(3, self.scale("com"))
        for i in range(1, self.m.nbody):
            if int(self.m.body_rootid[i]) == i:
                self.add((0, i), _SPHERE, size, self.d.subtree_com[i], numpy.eye(3), self.colour("com"))

    def lights(self) -> None:
        size = self.scale("light")
        for i in range(self.m.nlight):
            along = numpy.asarray(self.d.light_xdir[i], dtype=float)
            centre = self.d.light_xpos[i] - along * (size + 1e-4)
            self.add((_LIGHT, i), _CYLINDER, (0.8 * size, 0.8 * size, size), centre, frame_along(along), self.colour("light"))

    def contacts(self) -> None:
        flags = self.opt.flags
        size = (self.scale("contactwidth"), self.scale("contactwidth"), self.scale("contactheight"))
        for i in range(self.d.ncon):
            contact = self.d.contact[i]
            axes = numpy.reshape(contact.frame, (3, 3))  # the normal, then the tangents
            if flags[CONTACT]:
                name = "contactpoint" if contact.efc_address >= 0 else "contactgap"
                self.add((0, i), _CYLINDER, size, contact.pos, numpy.column_stack([axes[1], axes[2], axes[0]]), self.colour(name))
            if int(self.opt.frame) == _CONTACT_FRAMES:
                self.frame((0, i), contact.pos, axes.T, 0.5)
            if flags[FORCE] and contact.efc_address >= 0:
                self.forces(i, contact, axes)

    def forces(self, i: int, contact: Any, axes: NDArray[Any]) -> None:
        """An arrow towards the body that is not the world, with two heads between two bodies; or one of the normal and one of
        friction."""
        local = numpy.zeros(6)
        torsor.mujoco.mj_contactForce(self.m, self.d, i, local)
        geoms = [int(geom) for geom in contact.geom]
        bodies = [int(self.m.geom_bodyid[geom]) for geom in geoms]
        sign, shape = (-1.0 if bodies[0] > bodies[1] else 1.0), (_ARROW if 0 in bodies or self.opt.flags[SPLIT] else _ARROW2)
        parts = [("contactforce", sign * (axes.T @ local[:3]))]
        if self.opt.flags[SPLIT]:
            parts = [("contactforce", sign * axes[0] * local[0]), ("contactfriction", sign * (axes[1:].T @ local[1:3]))]
        width, per_newton = self.scale("forcewidth"), float(self.m.vis.map.force) / float(self.m.stat.meanmass)
        for name, force in parts:
            length = float(numpy.linalg.norm(force)) * per_newton
            self.add((0, i), shape, (width, width, length), contact.pos, frame_along(force), self.colour(name))

    def frames(self, count: int, positions: Any, rotations: Any, first: int = 0) -> None:
        for i in range(first, count):
            self.frame((0, i), positions[i], numpy.reshape(rotations[i], (3, 3)), 1)

    def frame(self, kind: tuple[int, int], position: Any, rotation: NDArray[Any], scale: float) -> None:
        """Three cylinders along the axes."""
        width, half = scale * self.scale("framewidth"), scale * self.scale("framelength") / 2
        for axis in range(3):
            along = rotation[:, axis]
            self.add(kind, _CYLINDER, (width, width, half), position + half * along, frame_along(along), _AXES[axis])

    def body_names(self) -> None:
        for i in range(1, self.m.nbody):
            made = self.add((0, i), _LABEL, (0.1, 0.1, 0.1), self.d.xpos[i], numpy.reshape(self.d.xmat[i], (3, 3)), (0.5, 0.5, 0.5, 1))
            if made is not None:
                made.label = name_of(self.m, _BODY, i)


def name_of(m: Any, objtype: int, index: int) -> str:
    """The name of an element, or its kind and number."""
    words = {_BODY: "body", _GEOM: "geom", _SITE: "site"}
    return m.id2name(torsor.ObjectType(objtype), index) or f"{words[objtype]} {index}"


def label_of(m: Any, opt: Any, objtype: int, index: int) -> str:
    """What stands beside a geom or a site itself."""
    wanted = {_GEOM: _GEOM_NAMES, _SITE: _SITE_NAMES}.get(objtype)
    return name_of(m, objtype, index) if wanted is not None and int(opt.label) == wanted else ""


def draw_labels(picture: NDArray[Any], geoms: Any, view: list[float], size: float) -> None:
    """Writes the labels of geoms on a picture (rows from the top); view is the camera of _render.projection_of()."""
    labelled = [geom for geom in geoms if geom.label]
    if not labelled:
        return
    pos, forward, up = (numpy.array(view[3 * k:3 * k + 3]) for k in range(3))
    left, right, bottom, top, near, _, is_orthographic = view[9:]
    height, width = picture.shape[:2]
    canvas = _core._Canvas(picture)
    for geom in labelled:
        apart = numpy.asarray(geom.pos, float) - pos
        depth = float(apart @ forward)
        if depth < near:
            continue
        unit = 1.0 if is_orthographic else depth
        x = (float(apart @ numpy.cross(forward, up)) / unit - left) / (right - left) * width
        y = (top - float(apart @ up) / unit) / (top - bottom) * height
        for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            canvas.word(x + dx, y + dy, geom.label, size, (0.0, 0.0, 0.0), -1, False)
        canvas.word(x, y, geom.label, size, (1.0, 1.0, 1.0), -1, False)
    canvas.store(picture)
