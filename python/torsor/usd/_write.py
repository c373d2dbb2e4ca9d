"""A Model as a stage: z up, in metres and kilograms."""

from __future__ import annotations

import os
import tempfile

import numpy as np

import torsor
from torsor._error import Error
from torsor.usd import _pose
from torsor._losses import Loss, Losses
from torsor.usd._schemas import DISABLE, ENABLE, FREE_JOINT, OPTION, WORDS
from torsor.usd._stage import import_pxr, pxr_errors
from torsor.usd._write_mjc import MjcWriter
from torsor.usd._write_shapes import ShapeWriter

# kinds of elements that no schema has, by the size of the model that counts them
MISSING = {"SENSOR": "USD has no sensors", "CAMERA": "cameras are not written", "LIGHT": "lights are not written",
           "PAIR": "USD has no contact pairs", "TEXTURE": "textures are not written", "NUMERIC": "USD has no custom fields",
           "TEXT": "USD has no custom fields", "TUPLE": "USD has no custom fields"}
COUNTS = {"SENSOR": "nsensor", "CAMERA": "ncam", "LIGHT": "nlight", "PAIR": "npair", "TEXTURE": "ntex",
          "NUMERIC": "nnumeric", "TEXT": "ntext", "TUPLE": "ntuple"}
JOINT_TYPES = {1: "PhysicsSphericalJoint", 2: "PhysicsPrismaticJoint", 3: "PhysicsRevoluteJoint"}
FREE, BALL, SLIDE, HINGE = 0, 1, 2, 3


class StageWriter:
    def __init__(self, model, stage, name: str):
        self.Gf, self.Sdf, self.Usd, self.UsdGeom, self.UsdPhysics, self.UsdShade, self.Vt = import_pxr()
        self.model, self.stage, self.losses = model, stage, Losses()
        self.data = torsor.Data(model)
        torsor.kinematics(model, self.data)
        self.UsdGeom.SetStageUpAxis(stage, "Z")
        self.UsdGeom.SetStageMetersPerUnit(stage, 1.0)
        self.UsdPhysics.SetStageKilogramsPerUnit(stage, 1.0)
        self.taken: set[str] = set()
        self.root = "/" + self.identifier(name or "model")
        stage.SetDefaultPrim(self.UsdGeom.Xform.Define(stage, self.root).GetPrim())
        self.body_paths: list[str] = []
        self.joint_paths: dict[int, str] = {}
        self.xforms: list[tuple] = []

    # --- prims ---

    @staticmethod
    def identifier(name: str) -> str:
        text = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
        return text if text and not text[0].isdigit() else "_" + text

    def path_of(self, folder: str, name: str | None, kind: str, index: int) -> str:
        """A free path for an element; its name, where that is not one of a prim, is written beside."""
        stem = path = f"{folder}/{self.identifier(name or f'{kind}_{index}')}"
        count = 2
        while path in self.taken:
            path, count = f"{stem}_{count}", count + 1
        self.taken.add(path)
        return path

    def label(self, prim, name: str | None) -> None:
        if name and prim.GetName() != name:
            self.set(prim, "torsor:name", "String", name)

    def set(self, prim, name: str, kind: str, value, uniform: bool = True) -> None:
        variability = self.Sdf.VariabilityUniform if uniform else self.Sdf.VariabilityVarying
        attribute = prim.CreateAttribute(name, getattr(self.Sdf.ValueTypeNames, kind), False, variability)
        if kind == "DoubleArray":
            value = self.Vt.DoubleArray([float(x) for x in np.ravel(value)])
        elif kind == "Double3":
            value = self.Gf.Vec3d(*map(float, value))
        elif kind in ("Double", "Float"):
            value = float(value)
        elif kind == "Int":
            value = int(value)
        elif kind == "Bool":
            value = bool(value)
        attribute.Set(value)

    def place(self, prim, position, quat, scale=None):
        """The transform of a prim, in double precision; returns its operations."""
        xform = self.UsdGeom.Xformable(prim)
        double = self.UsdGeom.XformOp.PrecisionDouble
        translate, orient = xform.AddTranslateOp(double), xform.AddOrientOp(double)
        translate.Set(self.Gf.Vec3d(*map(float, position)))
        orient.Set(self.Gf.Quatd(float(quat[0]), self.Gf.Vec3d(*map(float, quat[1:]))))
        if scale is not None:
            xform.AddScaleOp(double).Set(self.Gf.Vec3d(*map(float, scale)))
        return translate, orient

    def name(self, kind: str, index: int) -> str | None:
        return self.model.id2name(getattr(torsor.ObjectType, kind), index)

    # --- the model ---

    def write(self) -> None:
        model = self.model
        self._write_scene()
        shapes = ShapeWriter(self)
        folder = self.root + "/Bodies"
        self.stage.DefinePrim(folder, "Scope")
        self.body_paths.append(self.root + "/World")
        self.UsdGeom.Xform.Define(self.stage, self.body_paths[0])
        for body in range(1, model.nbody):
            self._write_body(body, folder)
        for body in range(model.nbody):
            shapes.write(body)
        self.stage.DefinePrim(self.root + "/Joints", "Scope")
        for body in range(1, model.nbody):
            self._write_joints(body)
        MjcWriter(self, shapes).write()
        self._list_losses()

    def _write_scene(self) -> None:
        model, opt = self.model, self.model.opt
        scene = self.UsdPhysics.Scene.Define(self.stage, self.root + "/PhysicsScene")
        gravity = np.array(opt.gravity)
        size = float(np.linalg.norm(gravity))
        scene.CreateGravityMagnitudeAttr(size)
        scene.CreateGravityDirectionAttr(self.Gf.Vec3f(*map(float, gravity / size if size else (0, 0, -1))))
        prim = scene.GetPrim()
        prim.AddAppliedSchema("MjcSceneAPI")
        for usd, name, kind in OPTION:
            value = getattr(opt, name)
            if name in WORDS:
                words, index = WORDS[name], int(value)
                if index >= len(words):
                    self.losses.add("option", None, f"no schema has the {name} that the model has")
                    continue
                value = words[index]
            self.set(prim, usd, kind, value)
        groups = [group for group in range(31) if int(opt.disableactuator) >> group & 1]
        if groups:
            attribute = prim.CreateAttribute("mjc:option:actuatorgroupdisable", self.Sdf.ValueTypeNames.IntArray)
            attribute.Set(self.Vt.IntArray(groups))
        for flags, bits, is_on in ((DISABLE, int(opt.disableflags), True), (ENABLE, int(opt.enableflags), False)):
            for name, bit in flags.items():
                if bits >> bit & 1:
                    self.set(prim, f"mjc:flag:{name}", "Bool", not is_on)

    def _write_body(self, body: int, folder: str) -> None:
        model, data = self.model, self.data
        path = self.path_of(folder, self.name("BODY", body), "body", body)
        self.body_paths.append(path)
        prim = self.UsdGeom.Xform.Define(self.stage, path).GetPrim()
        self.label(prim, self.name("BODY", body))
        self.xforms.append((body, *self.place(prim, data.xpos[body], data.xquat[body])))
        rigid = self.UsdPhysics.RigidBodyAPI.Apply(prim)
        if model.body_mocapid[body] >= 0:
            rigid.CreateKinematicEnabledAttr(True)
        if model.body_gravcomp[body] != 0:
            self.set(prim, "mjc:gravcomp", "Double", model.body_gravcomp[body])
        if model.body_weldid[body] == body and model.body_rootid[body] == body and model.body_dofnum[body] > 0:
            self.UsdPhysics.ArticulationRootAPI.Apply(prim)
            prim.AddAppliedSchema("NewtonArticulationRootAPI")
            self.set(prim, "newton:jointsAddMobility", "Bool", True)
        if model.body_mass[body] > 0:
            self._write_mass(body, prim)
        elif model.body_mocapid[body] < 0:
            self.set(prim, "torsor:massless", "Bool", True)
            self.losses.add("body", self.name("BODY", body) or f"body_{body}",
                            "USD has no bodies without mass: other readers take that of its shapes, or 1 kg")

    def _write_mass(self, body: int, prim) -> None:
        model = self.model
        mass = self.UsdPhysics.MassAPI.Apply(prim)
        mass.CreateMassAttr(float(model.body_mass[body]))
        mass.CreateCenterOfMassAttr(self.Gf.Vec3f(*map(float, model.body_ipos[body])))
        mass.CreateDiagonalInertiaAttr(self.Gf.Vec3f(*map(float, model.body_inertia[body])))
        w, x, y, z = map(float, model.body_iquat[body])
        mass.CreatePrincipalAxesAttr(self.Gf.Quatf(w, x, y, z))

    # --- joints ---

    def _write_joints(self, body: int) -> None:
        model = self.model
        X_PB = _pose.pose(_pose.to_matrix(model.body_quat[body]), model.body_pos[body])
        joints = range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body])
        name = self.name("BODY", body) or f"body_{body}"
        if model.body_jntnum[body] == 0:
            if model.body_mocapid[body] < 0:
                path = self.path_of(self.root + "/Joints", name + "_fixed", "joint", body)
                self.define_joint(path, "PhysicsFixedJoint", int(model.body_parentid[body]), X_PB, body, np.eye(4))
            return
        for joint in joints:
            if model.jnt_type[joint] == FREE:
                self.set(self.stage.GetPrimAtPath(self.body_paths[body]), "torsor:freejoint", "String",
                         self.name("JOINT", joint) or f"joint_{joint}")
                self._write_free_joint(body, joint)
                continue
            self._write_joint(body, joint, X_PB)
        if len(joints) > 1:
            self.losses.add("body", name, "it has several joints, which are written one by one between the same two bodies; "
                            "Torsor, MuJoCo and Newton add them up, other readers may not")

    def _write_free_joint(self, body: int, joint: int) -> None:
        model, dof = self.model, int(self.model.jnt_dofadr[joint])
        prim = self.stage.GetPrimAtPath(self.body_paths[body])
        values = [model.dof_armature[dof], model.dof_damping[dof], model.dof_frictionloss[dof], model.jnt_stiffness[joint]]
        for (usd, _, kind), value in zip(FREE_JOINT, values):
            if value != 0:
                self.set(prim, usd, kind, value)
        if np.any(model.dof_dampingpoly[dof]) or np.any(model.jnt_stiffnesspoly[joint]):
            self.losses.add("joint", self.name("JOINT", joint) or f"joint_{joint}",
                            "springs and dampers of a body that floats are linear in USD")

    def define_joint(self, path: str, kind: str, body0: int, X_0J, body1: int, X_1J):
        prim = self.stage.DefinePrim(path, kind)
        joint = self.UsdPhysics.Joint(prim)
        for body, X, relationship, position, rotation in (
                (body0, X_0J, joint.CreateBody0Rel, joint.CreateLocalPos0Attr, joint.CreateLocalRot0Attr),
                (body1, X_1J, joint.CreateBody1Rel, joint.CreateLocalPos1Attr, joint.CreateLocalRot1Attr)):
            if body > 0:
                relationship().SetTargets([self.body_paths[body]])
            position(self.Gf.Vec3f(*map(float, X[:3, 3])))
            w, x, y, z = map(float, _pose.to_quat(X[:3, :3]))
            rotation(self.Gf.Quatf(w, x, y, z))
        return prim

    def _write_joint(self, body: int, joint: int, X_PB) -> None:
        model = self.model
        name, kind = self.name("JOINT", joint), int(model.jnt_type[joint])
        path = self.joint_paths[joint] = self.path_of(self.root + "/Joints", name, "joint", joint)
        turn = np.eye(3) if kind == BALL else _pose.turn_x_to(model.jnt_axis[joint])
        X_BJ = _pose.pose(turn, model.jnt_pos[joint])
        prim = self.define_joint(path, JOINT_TYPES[kind], int(model.body_parentid[body]), X_PB @ X_BJ, body, X_BJ)
        self.label(prim, name)
        if kind == BALL:
            if model.jnt_limited[joint]:
                joint_prim = self.UsdPhysics.SphericalJoint(prim)
                angle = float(np.degrees(model.jnt_range[joint, 1]))
                joint_prim.CreateConeAngle0LimitAttr(angle)
                joint_prim.CreateConeAngle1LimitAttr(angle)
        else:
            self._write_limits(joint, prim, kind)
        self._write_dynamics(joint, prim, kind)

    def _write_limits(self, joint: int, prim, kind: int) -> None:
        model = self.model
        single = self.UsdPhysics.RevoluteJoint(prim) if kind == HINGE else self.UsdPhysics.PrismaticJoint(prim)
        single.CreateAxisAttr("X")
        if model.jnt_limited[joint]:
            ref = model.qpos0[model.jnt_qposadr[joint]]
            low, high = (float(x - ref) for x in model.jnt_range[joint])
            turn = np.degrees if kind == HINGE else float
            single.CreateLowerLimitAttr(float(turn(low)))
            single.CreateUpperLimitAttr(float(turn(high)))

    def _write_dynamics(self, joint: int, prim, kind: int) -> None:
        model, dof = self.model, int(self.model.jnt_dofadr[joint])
        prim.AddAppliedSchema("MjcJointAPI")
        for name, value, default in (
                ("armature", model.dof_armature[dof], 0), ("damping", model.dof_damping[dof], 0),
                ("frictionloss", model.dof_frictionloss[dof], 0), ("stiffness", model.jnt_stiffness[joint], 0),
                ("margin", model.jnt_margin[joint], 0)):
            if value != default:
                self.set(prim, "mjc:" + name, "Double", value)
        if model.jnt_group[joint] != 0:
            self.set(prim, "mjc:group", "Int", model.jnt_group[joint])
        for name, values in (("solreflimit", model.jnt_solref[joint]), ("solimplimit", model.jnt_solimp[joint]),
                             ("solreffriction", model.dof_solref[dof]), ("solimpfriction", model.dof_solimp[dof])):
            self.set(prim, "mjc:" + name, "DoubleArray", values)
        if model.jnt_actgravcomp[joint]:
            self.set(prim, "mjc:actuatorgravcomp", "Bool", True)
        if model.jnt_actfrclimited[joint]:
            self.set(prim, "mjc:actuatorfrclimited", "Token", "true")
            for end, value in zip(("min", "max"), model.jnt_actfrcrange[joint]):
                self.set(prim, f"mjc:actuatorfrcrange:{end}", "Double", value)
        if kind != BALL:
            address = model.jnt_qposadr[joint]
            turn = np.degrees if kind == HINGE else float
            for name, value in (("ref", model.qpos0[address]), ("springref", model.qpos_spring[address])):
                if value != 0:
                    self.set(prim, "mjc:" + name, "Double", turn(float(value)))
        self.write_polynomials(prim, [model.jnt_stiffness[joint], *model.jnt_stiffnesspoly[joint]],
                               [model.dof_damping[dof], *model.dof_dampingpoly[dof]])

    def write_polynomials(self, prim, stiffness, damping) -> None:
        """Springs and dampers of higher order, which no schema has."""
        for name, values in (("stiffness", stiffness), ("damping", damping)):
            if np.any(values[1:]):
                self.set(prim, f"torsor:{name}", "DoubleArray", values)

    # --- motion ---

    def write_motion(self, qpos: np.ndarray, fps: float) -> None:
        """The transforms of all bodies, one sample per frame."""
        model, data = self.model, torsor.Data(self.model)
        self.stage.SetTimeCodesPerSecond(fps)
        self.stage.SetFramesPerSecond(fps)
        self.stage.SetStartTimeCode(0)
        self.stage.SetEndTimeCode(len(qpos) - 1)
        for frame, q in enumerate(qpos):
            data.qpos[:] = q
            torsor.kinematics(model, data)
            for body, translate, orient in self.xforms:
                translate.Set(self.Gf.Vec3d(*map(float, data.xpos[body])), frame)
                w, x, y, z = map(float, data.xquat[body])
                orient.Set(self.Gf.Quatd(w, self.Gf.Vec3d(x, y, z)), frame)

    def _list_losses(self) -> None:
        model = self.model
        for geom in np.flatnonzero(model.geom_fluid[:, 0]) if model.ngeom else []:
            self.losses.add("geom", self.name("GEOM", int(geom)) or f"geom_{geom}", "USD has no ellipsoids in a fluid")
        if any(getattr(model, f"nuser_{kind}") for kind in ("body", "jnt", "geom", "site", "tendon", "actuator")):
            self.losses.add("user", None, "USD has no user data")
        for kind, what in MISSING.items():
            for index in range(getattr(self.model, COUNTS[kind])):
                self.losses.add(kind.lower(), self.name(kind, index) or f"{kind.lower()}_{index}", what)


def _export(layer, path: str) -> bool:
    if not path.lower().endswith(".usdz"):
        return layer.Export(path)
    from pxr import Sdf, UsdUtils
    with tempfile.TemporaryDirectory() as folder:
        inner = os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + ".usdc")
        return layer.Export(inner) and UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(inner), path)


def write_stage(model, path, *, qpos=None, fps: float = 60.0) -> list[Loss]:
    """Writes a model, and a motion of it, to a file; returns what USD cannot hold."""
    _, _, Usd, *_ = import_pxr()
    path = os.fspath(path)
    ending = os.path.splitext(path)[1].lower()
    if ending not in (".usd", ".usda", ".usdc", ".usdz"):
        raise Error(f"'{path}': USD is written to files that end in .usda, .usdc, .usd or .usdz")
    if qpos is not None:
        qpos = np.asarray(qpos, dtype=float)
        if qpos.ndim != 2 or qpos.shape[1] != model.nq or len(qpos) == 0:
            raise Error(f"qpos has the shape {qpos.shape}; a motion of this model has (frames, {model.nq})")
        if not np.isfinite(qpos).all() or not (np.isfinite(fps) and fps > 0):
            raise Error("the numbers of a motion and its frames per second must be finite")
    stage = Usd.Stage.CreateInMemory()
    writer = StageWriter(model, stage, model.name)
    writer.write()
    if qpos is not None:
        writer.write_motion(qpos, float(fps))
    try:
        is_written = _export(stage.GetRootLayer(), path)
    except pxr_errors() as error:
        raise Error(f"cannot write '{path}'") from error
    if not is_written:
        raise Error(f"cannot write '{path}'")
    return writer.losses.found
