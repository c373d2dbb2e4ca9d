"""Joints of a stage: what they join, in which frames, and their degrees of freedom with limits and drives."""

from __future__ import annotations

import dataclasses

import numpy as np

from torsor._error import Error
from torsor.usd import _pose
from torsor.usd._schemas import EQUALITY, JOINT, take, text
from torsor.usd._stage import Stage, shortest

LINEAR, ANGULAR = ("transX", "transY", "transZ"), ("rotX", "rotY", "rotZ")


@dataclasses.dataclass
class Drive:
    """A servo, in radians and metres: force = stiffness (position - q) + damping (velocity - dq)."""

    stiffness: float
    damping: float
    position: float
    velocity: float
    largest: float


@dataclasses.dataclass
class Dof:
    kind: str  # slide, hinge, ball or free
    axis: np.ndarray  # in the frame of the joint
    range: tuple[float, float] | None = None
    drive: Drive | None = None
    suffix: str = ""


@dataclasses.dataclass
class Joint:
    path: str
    kind: str  # the type of the prim
    body0: str | None  # path of a body; None is the world
    body1: str | None
    X_0J: np.ndarray
    X_1J: np.ndarray
    dofs: list[Dof]
    excluded: bool  # a constraint outside the tree
    collides: bool
    attributes: dict[str, str]  # of MJCF, for every dof
    equality: dict[str, str]  # solref and solimp, where it is a constraint
    reach: tuple[float, float] | None = None  # of a distance joint
    name: str = ""


class JointReader:
    def __init__(self, stage: Stage, bodies: dict[str, np.ndarray], degrees: bool):
        self.stage, self.bodies, self.degrees = stage, bodies, degrees

    def body_of(self, prim) -> str | None:
        """The body that a prim belongs to: itself or the nearest above."""
        while prim and not prim.IsPseudoRoot():
            if str(prim.GetPath()) in self.bodies:
                return str(prim.GetPath())
            prim = prim.GetParent()
        return None

    def read(self, prim) -> Joint | None:
        stage = self.stage
        joint = stage.UsdPhysics.Joint(prim)
        path = str(prim.GetPath())
        if joint.GetJointEnabledAttr().Get() is False:
            stage.losses.add("joint", path, "it is not enabled")
            return None
        body0, X_0J = self._frame(prim, "physics:body0", joint.GetLocalPos0Attr(), joint.GetLocalRot0Attr())
        body1, X_1J = self._frame(prim, "physics:body1", joint.GetLocalPos1Attr(), joint.GetLocalRot1Attr())
        if body0 == body1:
            stage.losses.add("joint", path, "it does not join two bodies")
            return None
        kind = str(prim.GetTypeName())
        attributes: dict[str, str] = {}
        self._read_dynamics(prim, kind, attributes)
        equality: dict[str, str] = {}
        take(stage, prim, EQUALITY, equality)
        torque_scale = stage.number(prim, "mjc:torqueScale")
        if torque_scale is not None:
            equality["torquescale"] = text(torque_scale)
        out = Joint(path, kind, body0, body1, X_0J, X_1J, [], bool(joint.GetExcludeFromArticulationAttr().Get()),
                    bool(joint.GetCollisionEnabledAttr().Get()), attributes, equality)
        self._read_dofs(prim, out)
        if np.isfinite(stage.number(prim, "physics:breakForce", np.inf)) or np.isfinite(
                stage.number(prim, "physics:breakTorque", np.inf)):
            stage.losses.add("joint", path, "joints do not break")
        return out

    def _frame(self, prim, name: str, position, rotation) -> tuple[str | None, np.ndarray]:
        stage = self.stage
        targets = stage.targets(prim, name)
        relationship = prim.GetRelationship(name)
        if relationship and relationship.GetForwardedTargets() and not targets:
            raise Error(f"{prim.GetPath()}: '{name}' refers to {relationship.GetForwardedTargets()[0]}, "
                        "which does not exist")
        p, q = position.Get(), rotation.Get()
        local = shortest(p if p is not None else (0, 0, 0)) * stage.unit
        quat = [q.GetReal(), *q.GetImaginary()] if q is not None else [1, 0, 0, 0]
        if not np.isfinite([*local, *quat]).all() or np.linalg.norm(quat) < 1e-6:
            raise Error(f"{prim.GetPath()}: the frame of {name} is not a pose")
        M_WT = stage.matrix(targets[0]) if targets else _pose.pose(stage.turn, np.zeros(3))
        X_WJ = _pose.pose(_pose.rigid(M_WT)[:3, :3] @ _pose.to_matrix(quat), M_WT[:3, :3] @ local + M_WT[:3, 3])
        body = self.body_of(targets[0]) if targets else None
        return body, X_WJ if body is None else _pose.inverse(self.bodies[body]) @ X_WJ

    # --- degrees of freedom ---

    def _read_dofs(self, prim, joint: Joint) -> None:
        stage, kind = self.stage, joint.kind
        axis = _pose.AXES.get(str(stage.get(prim, "physics:axis", "X")))
        if axis is None:
            raise Error(f"{joint.path}: the axis is not X, Y or Z")
        if kind == "PhysicsFixedJoint":
            return
        if kind in ("PhysicsRevoluteJoint", "PhysicsPrismaticJoint"):
            is_angle = kind == "PhysicsRevoluteJoint"
            limits = (stage.number(prim, "physics:lowerLimit", -np.inf), stage.number(prim, "physics:upperLimit", np.inf))
            joint.dofs = [Dof("hinge" if is_angle else "slide", axis, self._range(prim, limits, is_angle),
                              self._drive(prim, "angular" if is_angle else "linear", is_angle))]
        elif kind == "PhysicsSphericalJoint":
            cones = [stage.number(prim, f"physics:coneAngle{i}Limit", -1) for i in (0, 1)]
            limited = [angle for angle in cones if angle >= 0]
            joint.dofs = [Dof("ball", axis, (0, np.radians(min(limited))) if limited else None)]
            if limited:
                stage.losses.add("joint", joint.path, "its cone is a limit of the whole rotation here")
        elif kind == "PhysicsDistanceJoint":
            low, high = stage.number(prim, "physics:minDistance", -1), stage.number(prim, "physics:maxDistance", -1)
            joint.reach = (max(low, 0) * stage.unit, high * stage.unit if high >= 0 else np.inf)
        elif kind == "PhysicsJoint":
            joint.dofs = self._generic(prim)
        else:
            stage.losses.add("joint", joint.path, f"a {kind} is taken for a fixed joint")

    def _generic(self, prim) -> list[Dof]:
        """The axes of a joint of six degrees of freedom that its limits leave free."""
        dofs = []
        for names, kind in ((LINEAR, "slide"), (ANGULAR, "hinge")):
            for name in names:
                is_angle, limits = kind == "hinge", None
                if prim.HasAPI(self.stage.UsdPhysics.LimitAPI, name):
                    limit = self.stage.UsdPhysics.LimitAPI(prim, name)
                    limits = (float(shortest(limit.GetLowAttr().Get())), float(shortest(limit.GetHighAttr().Get())))
                    if limits[0] > limits[1]:
                        continue  # locked
                dofs.append(Dof(kind, _pose.AXES[name[-1]], self._range(prim, limits, is_angle),
                                self._drive(prim, name, is_angle), "_" + name))
        free = [dof for dof in dofs if dof.range is None and dof.drive is None]
        turns, moves = [dof for dof in free if dof.kind == "hinge"], [dof for dof in free if dof.kind == "slide"]
        if len(turns) == 3 and len(moves) == 3:
            return [Dof("free", _pose.AXES["X"])]
        if len(turns) == 3:
            return [dof for dof in dofs if dof.kind == "slide"] + [Dof("ball", _pose.AXES["X"], suffix="_rot")]
        if len(dofs) == 1:
            dofs[0].suffix = ""
        return dofs

    def _range(self, prim, limits, is_angle: bool) -> tuple[float, float] | None:
        if limits is None or None in limits or np.isnan(limits).any():
            return None
        low, high = limits
        if not (np.isfinite(low) or np.isfinite(high)):
            return None
        if low > high:
            raise Error(f"{prim.GetPath()}: the lower limit is {low}, above the upper limit, which is {high}")
        unit = np.pi / 180 if is_angle else self.stage.unit
        far = 1e6  # the other side of a limit on one side only
        return max(low, -far) * unit, min(high, far) * unit

    def _drive(self, prim, name: str, is_angle: bool) -> Drive | None:
        """Angular gains are per degree in USD."""
        stage = self.stage
        if not prim.HasAPI(stage.UsdPhysics.DriveAPI, name):
            return None
        get = lambda what, otherwise: stage.number(prim, f"drive:{name}:physics:{what}", otherwise)  # noqa: E731
        if str(stage.get(prim, f"drive:{name}:physics:type", "force")) != "force":
            stage.losses.add("drive", str(prim.GetPath()), "drives of accelerations are not supported; it is left out")
            return None
        position = np.pi / 180 if is_angle else stage.unit
        force = stage.mass_unit * stage.unit * (stage.unit if is_angle else 1)
        drive = Drive(get("stiffness", 0.0) * force / position, get("damping", 0.0) * force / position,
                      get("targetPosition", 0.0) * position, get("targetVelocity", 0.0) * position,
                      get("maxForce", np.inf) * force)
        return drive if drive.stiffness > 0 or drive.damping > 0 else None

    # --- dynamics ---

    def _read_dynamics(self, prim, kind: str, attributes: dict[str, str]) -> None:
        stage, is_angle = self.stage, kind not in ("PhysicsPrismaticJoint",)
        inertia = stage.mass_unit * (stage.unit**2 if is_angle else 1)
        force = stage.mass_unit * stage.unit * (stage.unit if is_angle else 1)
        for source in ("physxJoint:armature", "newton:armature"):
            armature = stage.number(prim, source)
            if armature is not None:
                attributes["armature"] = text(armature * inertia)
        friction, damping = stage.number(prim, "newton:friction"), stage.number(prim, "newton:damping")
        if friction is not None:
            attributes["frictionloss"] = text(friction * force)
        if damping is not None:
            attributes["damping"] = text(damping * force / (np.pi / 180 if is_angle else stage.unit))
        if stage.number(prim, "physxJoint:jointFriction", 0) != 0:
            stage.losses.add("joint", str(prim.GetPath()), "physxJoint:jointFriction has no counterpart here")
        take(stage, prim, JOINT, attributes)
        low, high = stage.number(prim, "mjc:actuatorfrcrange:min"), stage.number(prim, "mjc:actuatorfrcrange:max")
        if low is not None and high is not None and low < high:
            attributes["actuatorfrcrange"] = text([low, high])
        limited = stage.get(prim, "mjc:actuatorfrclimited")
        if limited is not None and str(limited) != "auto":
            attributes["actuatorfrclimited"] = str(limited)
        turn = np.pi / 180 if is_angle and self.degrees else 1.0
        for name in ("ref", "springref"):
            value = stage.number(prim, f"mjc:{name}")
            if value is not None:
                attributes[name] = text(value * turn)
