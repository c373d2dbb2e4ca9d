"""A stage as MJCF: bodies, joints, shapes and settings put together."""

from __future__ import annotations

import dataclasses
import re
import xml.etree.ElementTree as xml

import numpy as np

from torsor._core import Model
from torsor._error import Error
from torsor.usd import _pose
from torsor._losses import Loss
from torsor._spec.spec import Spec
from torsor.usd._read_joints import Joint, JointReader
from torsor.usd._read_mjc import MjcReader
from torsor.usd._read_shapes import Shape, ShapeReader
from torsor.usd._schemas import DISABLE, ENABLE, FREE_JOINT, OPTION, take, text
from torsor.usd._stage import Stage, first_line, pxr_errors, shortest
from torsor.usd._tree import Link, frames, make_tree, pose_at_zero

DENSITY = 1000.0  # kg/m^3, as UsdPhysics has it
SMALL_BALL = 0.4 * 0.1**2  # inertia of a body without shapes, over its mass: a ball of 0.1 m


@dataclasses.dataclass
class Body:
    path: str
    X_WB: np.ndarray
    shapes: list[Shape] = dataclasses.field(default_factory=list)
    mass: float | None = None
    density: float | None = None
    usual_density: float = DENSITY  # of shapes for which the stage gives none
    com: np.ndarray | None = None
    inertia: np.ndarray | None = None  # about the centre of mass, in the axes of the body
    is_kinematic: bool = False
    is_massless: bool = False  # an extension: for UsdPhysics every body has mass
    gravcomp: float | None = None
    name: str = ""


class Names:
    """Names of elements of one kind: the last part of the path, or all of it where that is taken."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.made: dict[tuple[str, str], str] = {}

    def make(self, path: str, suffix: str = "", label: str | None = None) -> str:
        """The same name each time for the same path and suffix."""
        if (path, suffix) not in self.made:
            self.made[path, suffix] = self._find(path, suffix, label or path.rsplit("/", 1)[-1] + suffix)
        return self.made[path, suffix]

    def _find(self, path: str, suffix: str, wish: str) -> str:
        for name in (wish, path.strip("/").replace("/", "_") + suffix):
            if name not in self.taken:
                break
        else:
            stem, count = name, 2
            while name in self.taken:
                name, count = f"{stem}_{count}", count + 1
        self.taken.add(name)
        return name


class StageReader:
    """Collects what a stage has, then writes it as MJCF."""

    def __init__(self, source, ignore_paths=(), density=DENSITY):
        """density is that of shapes for which the stage gives none, of bodies without MassAPI."""
        self.stage = Stage(source)
        self.density = density
        self.ignore_paths = [re.compile(pattern) for pattern in ignore_paths]
        self.bodies: dict[str, Body] = {}
        self.world = Body("", np.eye(4), name="world")
        self.body_names, self.geom_names, self.joint_names = Names(), Names(), Names()
        self.joints: list[Joint] = []
        self.scene = None
        self.roots: set[str] = set()
        self.articulations: list[str] = []  # prims that are said to be roots, whether they are bodies or above
        self.no_self_collision: list = []
        self.shape_bodies: dict[str, tuple[Body, Shape]] = {}
        self.key_controls: list[float] = []
        self.dof_names: dict[str, list[str]] = {}  # of a joint prim
        self.site_names = Names()
        self.collect()

    # --- collecting ---

    def collect(self) -> None:
        stage, physics = self.stage, self.stage.UsdPhysics
        prims = [prim for prim in stage.prims()
                 if not any(pattern.match(str(prim.GetPath())) for pattern in self.ignore_paths)]
        for prim in prims:
            if prim.IsA(physics.Scene) and self.scene is None:
                self.scene = prim
            if prim.HasAPI(physics.RigidBodyAPI) and physics.RigidBodyAPI(prim).GetRigidBodyEnabledAttr().Get() is not False:
                self._add_body(prim)
            if prim.IsA(stage.UsdGeom.PointInstancer):
                stage.losses.add("prim", str(prim.GetPath()), "point instancers are not read")
        degrees = str(stage.get(self.scene, "mjc:compiler:angle", "degree") if self.scene else "degree") != "radian"
        self.mjc = MjcReader(self, degrees)
        reader = JointReader(stage, {path: body.X_WB for path, body in self.bodies.items()}, degrees)
        shapes = ShapeReader(stage)
        for prim in prims:
            self._find_root(prim, reader)
            if prim.IsA(physics.Joint):
                joint = reader.read(prim)
                if joint is not None:
                    joint.name = self.joint_names.make(joint.path, label=stage.label(prim))
                    self.joints.append(joint)
                self.mjc.note_joint(prim)
            elif prim.IsA(stage.UsdGeom.Gprim):
                self._add_shape(prim, reader.body_of(prim), shapes)
            else:
                self.mjc.note(prim)
        self._filtered = [prim for prim in prims if prim.HasAPI(physics.FilteredPairsAPI)]
        self._groups = [prim for prim in prims if prim.IsA(physics.CollisionGroup)]
        self.body_of = reader.body_of
        self._filter_groups()

    def _add_body(self, prim) -> None:
        stage, path = self.stage, str(prim.GetPath())
        matrix = stage.matrix(prim)
        body = Body(path, _pose.rigid(matrix), name=self.body_names.make(path, label=stage.label(prim)))
        body.is_kinematic = bool(stage.UsdPhysics.RigidBodyAPI(prim).GetKinematicEnabledAttr().Get())
        body.is_massless = bool(stage.get(prim, "torsor:massless", False))
        body.gravcomp = stage.number(prim, "mjc:gravcomp")
        if prim.HasAPI(stage.UsdPhysics.MassAPI) or stage.has(prim, "NewtonMassAPI"):
            self._read_mass(prim, matrix, body)
        else:
            body.usual_density = self.density
        for name in ("physics:velocity", "physics:angularVelocity"):
            if np.any(np.array(stage.get(prim, name, (0, 0, 0)))):
                stage.losses.add("body", path, "velocities at the start are not read")
        self.bodies[path] = body

    def _read_mass(self, prim, matrix: np.ndarray, body: Body) -> None:
        stage = self.stage
        mass, density = stage.number(prim, "physics:mass", 0), stage.number(prim, "physics:density", 0)
        if not (mass >= 0 and density >= 0):
            raise Error(f"{body.path}: mass and density must not be negative")
        body.mass = mass * stage.mass_unit if mass > 0 else None
        body.density = density * stage.mass_unit / stage.unit**3 if density > 0 else None
        com = stage.get(prim, "physics:centerOfMass")
        if com is not None and np.isfinite(com).all():
            scale = np.linalg.norm(matrix[:3, :3], axis=0)
            body.com = shortest(com) * stage.unit * scale
        unit = stage.mass_unit * stage.unit**2
        tensor = stage.get(prim, "newton:inertia")
        moments = stage.get(prim, "physics:diagonalInertia")
        if tensor is not None:
            body.inertia = _tensor(tensor) * unit
        elif moments is not None and np.any(np.array(moments)):
            axes = stage.get(prim, "physics:principalAxes")
            quat = [axes.GetReal(), *axes.GetImaginary()] if axes is not None else [1, 0, 0, 0]
            R = _pose.to_matrix(quat) if np.linalg.norm(quat) > 0 else np.eye(3)  # zero: not given
            body.inertia = R @ np.diag(shortest(moments)) @ R.T * unit

    def _find_root(self, prim, reader: JointReader) -> None:
        stage = self.stage
        if not prim.HasAPI(stage.UsdPhysics.ArticulationRootAPI) and not stage.has(prim, "NewtonArticulationRootAPI"):
            return
        self.articulations.append(str(prim.GetPath()))
        if str(prim.GetPath()) in self.bodies:
            self.roots.add(str(prim.GetPath()))
        collide = stage.get(prim, "newton:selfCollisionEnabled", stage.get(prim, "physxArticulation:enabledSelfCollisions"))
        if collide is not None and not collide:
            self.no_self_collision.append(prim)

    def _add_shape(self, prim, owner: str | None, reader: ShapeReader) -> None:
        body = self.bodies[owner] if owner else self.world
        shape = reader.read(prim, body.X_WB)
        if shape is None:
            return
        names = self.site_names if shape.is_site else self.geom_names
        shape.attributes["name"] = names.make(shape.path, label=self.stage.label(prim))
        body.shapes.append(shape)
        self.shape_bodies[shape.path] = (body, shape)

    def _filter_groups(self) -> None:
        """Collision groups as bits: a shape has that of its group, and collides with those that its group allows."""
        groups = [self.stage.UsdPhysics.CollisionGroup(prim) for prim in self._groups]
        paths = [str(group.GetPath()) for group in groups]
        if not groups:
            return
        if len(groups) > 30:
            self.stage.losses.add("group", None, "more than 30 collision groups are not read")
            return
        apart = np.zeros((len(groups), len(groups)), dtype=bool)
        for i, group in enumerate(groups):
            named = [paths.index(str(path)) for path in group.GetFilteredGroupsRel().GetTargets() if str(path) in paths]
            row = np.isin(np.arange(len(groups)), named)
            apart[i] |= ~row if group.GetInvertFilteredGroupsAttr().Get() else row
        apart |= apart.T
        members = [group.GetCollidersCollectionAPI().ComputeMembershipQuery() for group in groups]
        for path, (_, shape) in self.shape_bodies.items():
            inside = [i for i, query in enumerate(members) if query.IsPathIncluded(path)] if shape.collides else []
            if not inside:
                continue
            if len(inside) > 1:
                self.stage.losses.add("shape", path, "it is in several collision groups; the first counts")
            shape.attributes["contype"] = str(2 << inside[0])
            shape.attributes["conaffinity"] = str(1 + sum(2 << i for i in range(len(groups)) if not apart[inside[0], i]))

    # --- writing MJCF ---

    def make_spec(self) -> Spec:
        return Spec.from_xml_string(self.make_xml())

    def make_xml(self) -> str:
        links, loops = make_tree(list(self.bodies), self.joints, self.roots)
        if any(self._needs_shapes(body) for body in self.bodies.values()):
            self._settle_masses(Spec.from_xml_string(self._write(links, loops, is_draft=True)).compile())
        return self._write(links, loops, is_draft=False)

    @staticmethod
    def _needs_shapes(body: Body) -> bool:
        given = (body.mass is not None, body.inertia is not None, body.com is not None)
        return any(given) and not all(given)

    def _settle_masses(self, draft: Model) -> None:
        """What a body does not say of its mass, its shapes say; what it says scales the rest."""
        for body in self.bodies.values():
            if not self._needs_shapes(body):
                continue
            of_shapes = draft.body(body.name)
            has_shapes = any(shape.collides for shape in body.shapes)
            mass = float(of_shapes.mass[0])
            com = np.array(of_shapes.ipos) if has_shapes else np.zeros(3)
            R = _pose.to_matrix(of_shapes.iquat)
            inertia = R @ np.diag(of_shapes.inertia) @ R.T if has_shapes else np.eye(3) * mass * SMALL_BALL
            body.mass = mass if body.mass is None else body.mass
            if body.com is None:
                body.com = com
            if body.inertia is None:
                body.inertia = inertia * body.mass / mass
            if not has_shapes:
                self.stage.losses.add("body", body.path, "its inertia is not given and it has no shapes: that of a ball of 0.1 m")

    def _write(self, links: list[Link], loops: list[Joint], is_draft: bool) -> str:
        root = xml.Element("mujoco", model=self.stage.stage.GetDefaultPrim().GetName()
                           if self.stage.stage.GetDefaultPrim() else self.stage.name.rsplit(".", 1)[0])
        xml.SubElement(root, "compiler", angle="radian", autolimits="true")
        self._write_options(root)
        self.assets = xml.SubElement(root, "asset")
        worldbody = xml.SubElement(root, "worldbody")
        self._write_shapes(self.world, worldbody, is_draft)
        elements: dict[str | None, xml.Element] = {None: worldbody}
        qpos, is_moved = [], False
        actuators = xml.Element("actuator")
        self.key_controls = []
        for link in links:
            element = elements[link.path] = xml.SubElement(elements[link.parent], "body")
            moved = self._write_link(link, element, actuators, is_draft)
            is_moved = is_moved or any(np.any(np.abs(q) > 1e-6) for q in moved[1])
            qpos += moved[0]
        self._write_contacts(root, links)
        self._write_loops(root, loops, elements)
        if not is_draft:
            self.mjc.write(root, actuators, elements, qpos, is_moved)
        for section in list(root):
            if len(section) == 0 and section.tag in ("asset", "contact", "equality", "tendon", "actuator", "keyframe"):
                root.remove(section)
        return xml.tostring(root, encoding="unicode")

    def _write_options(self, root: xml.Element) -> None:
        stage, scene = self.stage, self.scene
        attributes: dict[str, str] = {}
        gravity = stage.turn @ np.array([0, 0, -1.0] if stage.up == "Z" else [0, -1.0, 0]) * 9.81
        if scene is not None:
            direction = shortest(stage.get(scene, "physics:gravityDirection", (0, 0, 0)))
            size = stage.number(scene, "physics:gravityMagnitude", -np.inf)
            size = size * stage.unit if np.isfinite(size) and size >= 0 else 9.81
            length = np.linalg.norm(direction)
            gravity = (stage.turn @ direction / length if length > 0 else gravity / 9.81) * size
            if stage.get(scene, "newton:gravityEnabled", True) is False:
                gravity = np.zeros(3)
            rate = stage.number(scene, "newton:timeStepsPerSecond", stage.number(scene, "physxScene:timeStepsPerSecond"))
            if rate is not None and rate > 0:
                attributes["timestep"] = text(1 / rate)
            iterations = stage.get(scene, "newton:maxSolverIterations")
            if iterations is not None and iterations >= 0:
                attributes["iterations"] = str(iterations)
            take(stage, scene, OPTION, attributes)
            disabled = stage.get(scene, "mjc:option:actuatorgroupdisable")
            if disabled:
                attributes["actuatorgroupdisable"] = " ".join(map(str, disabled))
        attributes["gravity"] = text(gravity)
        option = xml.SubElement(root, "option", attributes)
        flags = {name: stage.get(scene, f"mjc:flag:{name}") for name in [*DISABLE, *ENABLE]} if scene is not None else {}
        flags = {name: "enable" if value else "disable" for name, value in flags.items() if value is not None}
        if flags:
            xml.SubElement(option, "flag", flags)

    def _write_link(self, link: Link, element: xml.Element, actuators: xml.Element, is_draft: bool):
        body = self.bodies[link.path]
        X_WP = self.bodies[link.parent].X_WB if link.parent else np.eye(4)
        X_PB, positions = pose_at_zero(link, _pose.inverse(X_WP) @ body.X_WB)
        element.set("name", body.name)
        element.set("pos", text(X_PB[:3, 3]))
        element.set("quat", text(_pose.to_quat(X_PB[:3, :3])))
        if body.gravcomp is not None:
            element.set("gravcomp", text(body.gravcomp))
        if body.is_kinematic and link.floats:
            element.set("mocap", "true")
        self._write_inertial(body, element, is_draft)
        qpos = self._write_joints(link, element, positions, actuators)
        self._write_shapes(body, element, is_draft)
        return qpos, positions

    def _write_joints(self, link: Link, element: xml.Element, positions, actuators: xml.Element) -> list[float]:
        body = self.bodies[link.path]
        if link.floats and not body.is_kinematic:
            attributes: dict[str, str] = {}
            take(self.stage, self.stage.stage.GetPrimAtPath(link.path), FREE_JOINT, attributes)
            xml.SubElement(element, "joint", {"name": self.free_name(link.path), "type": "free"} | attributes)
            return [*body.X_WB[:3, 3], *_pose.to_quat(body.X_WB[:3, :3])]
        qpos: list[float] = []
        index = 0
        for joint, is_reversed in link.joints:
            _, X_BJ = frames(joint, is_reversed)
            self.dof_names[joint.path] = []
            for dof in joint.dofs:
                name = joint.name + dof.suffix
                self.dof_names[joint.path].append(name)
                if dof.kind == "free" and link.parent is None:
                    xml.SubElement(element, "freejoint", name=name)
                    qpos += [*body.X_WB[:3, 3], *_pose.to_quat(body.X_WB[:3, :3])]
                    continue
                qpos += self._write_dof(joint, dof, name, -dof.axis if is_reversed else dof.axis, X_BJ, positions[index],
                                        element, actuators)
                index += 1
        return qpos

    def free_name(self, path: str) -> str:
        label = self.stage.get(self.stage.stage.GetPrimAtPath(path), "torsor:freejoint")
        return self.joint_names.make(path, "_free", label)

    def _write_dof(self, joint: Joint, dof, name: str, axis, X_BJ, position, element, actuators) -> list[float]:
        if dof.kind == "free":
            raise Error(f"{joint.path}: all six degrees of freedom are free between two bodies that move; "
                        "only one between a body and the world can be")
        attributes = {"name": name, "type": dof.kind, "pos": text(X_BJ[:3, 3])} | joint.attributes
        ref = float(attributes.get("ref", 0))
        if dof.kind in ("hinge", "slide"):
            attributes["axis"] = text(X_BJ[:3, :3] @ axis)
        else:
            for single in ("ref", "springref", "springdamper"):
                attributes.pop(single, None)
        attributes["limited"] = "false" if dof.range is None else "true"
        if dof.range is not None:
            attributes["range"] = text([dof.range[0] + ref, dof.range[1] + ref] if dof.kind != "ball" else dof.range)
        xml.SubElement(element, "joint", attributes)
        if dof.drive is not None and not self.mjc.has_actuators:
            self._write_drive(name, dof.drive, ref, actuators)
        if dof.kind == "ball":
            return [1.0, 0.0, 0.0, 0.0]
        return [float(position) + ref]

    def _write_drive(self, name: str, drive, ref: float, actuators: xml.Element) -> None:
        servo = {"name": name, "joint": name, "biastype": "affine"}
        if drive.stiffness > 0:
            servo["gainprm"] = text([drive.stiffness])
            servo["biasprm"] = text([drive.damping * drive.velocity, -drive.stiffness, -drive.damping])
            self.key_controls.append(drive.position + ref)
        else:
            servo["gainprm"], servo["biasprm"] = text([drive.damping]), text([0.0, 0.0, -drive.damping])
            self.key_controls.append(drive.velocity)
        if np.isfinite(drive.largest) and drive.largest > 0:
            servo["forcerange"] = text([-drive.largest, drive.largest])
        xml.SubElement(actuators, "general", servo)

    def _write_inertial(self, body: Body, element: xml.Element, is_draft: bool) -> None:
        is_whole = body.mass is not None and body.inertia is not None and body.com is not None
        has_shapes = any(shape.collides for shape in body.shapes)
        if is_whole and not (is_draft and self._needs_shapes(body)):
            I = body.inertia
            full = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
            xml.SubElement(element, "inertial", pos=text(body.com), mass=text(body.mass), fullinertia=text(full))
        elif not has_shapes and not body.is_massless:
            mass = body.mass if body.mass is not None else 1.0
            if not is_draft and not self._needs_shapes(body):
                self.stage.losses.add("body", body.path, "it has no mass and no shapes: 1 kg, as UsdPhysics has it")
            xml.SubElement(element, "inertial", pos="0 0 0", mass=text(mass), diaginertia=text([mass * SMALL_BALL] * 3))

    def _write_shapes(self, body: Body, element: xml.Element, is_draft: bool) -> None:
        for shape in body.shapes:
            attributes = dict(shape.attributes)
            if shape.mesh is not None:
                if is_draft and not shape.collides:
                    continue
                attributes["mesh"] = attributes["name"]
                points, faces = shape.mesh
                xml.SubElement(self.assets, "mesh", {"name": attributes["name"], "vertex": text(points.ravel()),
                                                     "face": " ".join(map(str, faces.ravel()))} | shape.mesh_attributes)
            if body.is_massless:
                attributes["mass"] = "0"
            elif shape.collides and shape.mass is not None:
                attributes["mass"] = text(shape.mass)
            elif shape.collides:
                density = shape.density or body.density or shape.material_density or body.usual_density
                attributes["density"] = text(density)
            if shape.is_site:
                attributes.pop("mass", None)
            if shape.is_site and shape.mesh is not None:
                self.stage.losses.add("site", shape.path, "sites are simple shapes")
                continue
            xml.SubElement(element, "site" if shape.is_site else "geom", attributes)

    # --- contacts and loops ---

    def _write_contacts(self, root: xml.Element, links: list[Link]) -> None:
        contact = xml.SubElement(root, "contact")
        pairs: set[tuple[str, str]] = set()
        for prim in self._filtered:
            for other in self.stage.targets(prim, "physics:filteredPairs"):
                pairs |= {self._pair(self.body_of(prim), self.body_of(other))}
        for prim in self.no_self_collision:
            below = self._articulation(prim, links)
            pairs |= {self._pair(a, b) for i, a in enumerate(below) for b in below[:i]}
        for link in links:
            for joint, _ in link.joints:
                if joint.collides:
                    self.stage.losses.add("joint", joint.path, "jointed bodies do not collide here")
        for a, b in sorted(pair for pair in pairs if pair[0] != pair[1]):
            xml.SubElement(contact, "exclude", body1=a, body2=b)

    def _pair(self, a: str | None, b: str | None) -> tuple[str, str]:
        names = [self.bodies[path].name if path else "world" for path in (a, b)]
        return (names[0], names[1]) if names[0] <= names[1] else (names[1], names[0])

    def _articulation(self, prim, links: list[Link]) -> list[str]:
        """The bodies of the trees that begin at or below a prim."""
        prefix = str(prim.GetPath())
        inside = {link.path for link in links if link.path == prefix or link.path.startswith(prefix + "/")}
        for link in links:  # parents come first
            if link.parent in inside:
                inside.add(link.path)
        return [link.path for link in links if link.path in inside]

    def _write_loops(self, root: xml.Element, loops: list[Joint], elements: dict) -> None:
        equality, tendon = xml.SubElement(root, "equality"), xml.SubElement(root, "tendon")
        for joint in loops:
            self._write_loop(joint, equality)
        for joint in self.joints:
            if joint.reach is not None:
                self._write_distance(joint, tendon, elements)

    def _write_loop(self, joint: Joint, equality: xml.Element) -> None:
        # the first body of an equality is the one with the anchor
        first, X_1 = (joint.body0, joint.X_0J) if joint.body0 else (joint.body1, joint.X_1J)
        second, X_2 = (joint.body1, joint.X_1J) if joint.body0 else (None, joint.X_0J)
        common = {"name": joint.name, "body1": self.bodies[first].name} | joint.equality
        if second:
            common["body2"] = self.bodies[second].name
        kinds = [dof.kind for dof in joint.dofs]
        if not kinds:
            X_12 = X_1 @ _pose.inverse(X_2)
            relpose = [*X_12[:3, 3], *_pose.to_quat(X_12[:3, :3])]
            xml.SubElement(equality, "weld", common | {"relpose": text(relpose), "anchor": text(X_2[:3, 3])})
            return
        common.pop("torquescale", None)
        if kinds == ["ball"]:
            xml.SubElement(equality, "connect", common | {"anchor": text(X_1[:3, 3])})
        elif kinds == ["hinge"]:  # two points on the axis
            for sign, suffix in ((0.0, ""), (0.1, "_axis")):
                anchor = X_1[:3, 3] + sign * X_1[:3, :3] @ joint.dofs[0].axis
                xml.SubElement(equality, "connect", common | {"name": joint.name + suffix, "anchor": text(anchor)})
        else:
            self.stage.losses.add("joint", joint.path, "it closes a loop, for which there are fixed, spherical and revolute joints here")

    def _write_distance(self, joint: Joint, tendon: xml.Element, elements: dict) -> None:
        spatial = xml.Element("spatial", name=joint.name, limited="true",
                              range=text([joint.reach[0], min(joint.reach[1], 1e6)]))
        for body, X, end in ((joint.body0, joint.X_0J, "_0"), (joint.body1, joint.X_1J, "_1")):
            name = self.site_names.make(joint.path, end)
            xml.SubElement(elements[body], "site", name=name, pos=text(X[:3, 3]))
            xml.SubElement(spatial, "site", site=name)
        tendon.append(spatial)


def _tensor(values) -> np.ndarray:
    numbers = np.array(values, dtype=float)
    if numbers.size == 9:
        return numbers.reshape(3, 3)
    xx, yy, zz, xy, xz, yz = numbers.ravel()
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def read_stage(source) -> tuple[Spec, list[Loss]]:
    """The Spec of a stage, and what was left out."""
    try:
        reader = StageReader(source)
        return reader.make_spec(), reader.stage.losses.found
    except pxr_errors() as error:
        raise Error(f"cannot read the stage: {first_line(error)}") from error
