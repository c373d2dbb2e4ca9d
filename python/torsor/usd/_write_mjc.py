"""Actuators, tendons, equalities and keyframes of a Model in MuJoCo's schemas, and servos as drives for other readers."""

from __future__ import annotations

import numpy as np

import torsor
from torsor.usd import _pose
from torsor.usd._schemas import BIASES, DYNAMICS, GAINS

JOINT, JOINT_IN_PARENT, SLIDER_CRANK, TENDON, SITE, BODY = range(6)
CONNECT, WELD, COUPLED, OF_TENDONS = range(4)
WRAP_JOINT, WRAP_PULLEY, WRAP_SITE = 1, 2, 3


class MjcWriter:
    def __init__(self, writer, shapes):
        self.writer, self.shapes, self.model, self.stage = writer, shapes, writer.model, writer.stage
        self.tendon_paths: dict[int, str] = {}
        self.lost_actuators = False  # keyframes would have too many controls

    def write(self) -> None:
        model = self.model
        for tendon in range(model.ntendon):
            self._write_tendon(tendon)
        for actuator in range(model.nactuator):
            self._write_actuator(actuator)
        for equality in range(model.neq):
            self._write_equality(equality)
        for signature in model.exclude_signature:
            self._write_exclude(int(signature) >> 16, int(signature) & 0xFFFF)
        for key in range(model.nkey):
            self._write_key(key)

    def _define(self, folder: str, kind: str, name: str | None, index: int, word: str):
        path = self.writer.path_of(f"{self.writer.root}/{folder}", name, word, index)
        prim = self.stage.DefinePrim(path, kind)
        self.writer.label(prim, name)
        return prim

    def _lose(self, kind: str, name: str | None, index: int, what: str) -> None:
        self.writer.losses.add(kind, name or f"{kind}_{index}", what)

    def _write_range(self, prim, stem: str, limited: bool, values) -> None:
        """`stem` such as "mjc:ctrl": mjc:ctrlLimited and mjc:ctrlRange; "mjc:": mjc:limited and mjc:range."""
        is_camel = not stem.endswith((":", "frc"))
        self.writer.set(prim, stem + ("Limited" if is_camel else "limited"), "Token", "true" if limited else "false")
        if limited:
            for end, value in zip(("min", "max"), values):
                self.writer.set(prim, f"{stem}{'Range' if is_camel else 'range'}:{end}", "Double", value)

    # --- tendons ---

    def _write_tendon(self, tendon: int) -> None:
        model, writer = self.model, self.writer
        name = writer.name("TENDON", tendon)
        first, last = model.tendon_adr[tendon], model.tendon_adr[tendon] + model.tendon_num[tendon]
        kinds, objects, numbers = (array[first:last] for array in (model.wrap_type, model.wrap_objid, model.wrap_prm))
        is_fixed = bool(kinds[0] == WRAP_JOINT)
        prim = self._define("Tendons", "MjcTendon", name, tendon, "tendon")
        self.tendon_paths[tendon] = str(prim.GetPath())
        writer.set(prim, "mjc:type", "Token", "fixed" if is_fixed else "spatial")
        if is_fixed:
            self._write_fixed(prim, objects, numbers)
        elif not self._write_spatial(prim, kinds, objects, numbers):
            self._lose("tendon", name, tendon, "part of its path could not be written")
        for attribute in ("stiffness", "damping", "frictionloss", "armature", "margin", "width"):
            writer.set(prim, f"mjc:{attribute}", "Double", getattr(model, f"tendon_{attribute}")[tendon])
        writer.set(prim, "mjc:springlength", "DoubleArray", model.tendon_lengthspring[tendon])
        for usd, field in (("solreflimit", "solref_lim"), ("solimplimit", "solimp_lim"), ("solreffriction", "solref_fri"),
                           ("solimpfriction", "solimp_fri")):
            writer.set(prim, f"mjc:{usd}", "DoubleArray", getattr(model, f"tendon_{field}")[tendon])
        if model.tendon_group[tendon] != 0:
            writer.set(prim, "mjc:group", "Int", model.tendon_group[tendon])
        self._write_range(prim, "mjc:", model.tendon_limited[tendon], model.tendon_range[tendon])
        self._write_range(prim, "mjc:actuatorfrc", model.tendon_actfrclimited[tendon], model.tendon_actfrcrange[tendon])
        writer.write_polynomials(prim, [model.tendon_stiffness[tendon], *model.tendon_stiffnesspoly[tendon]],
                                 [model.tendon_damping[tendon], *model.tendon_dampingpoly[tendon]])

    def _write_fixed(self, prim, joints, coefficients) -> None:
        paths = [self.writer.joint_paths[int(joint)] for joint in joints]
        unique = list(dict.fromkeys(paths))
        prim.CreateRelationship("mjc:path").SetTargets(unique)
        self.writer.set(prim, "mjc:path:coef", "DoubleArray", coefficients)
        self._write_indices(prim, "mjc:path:indices", [unique.index(path) for path in paths])

    def _write_indices(self, prim, name: str, values) -> None:
        attribute = prim.CreateAttribute(name, self.writer.Sdf.ValueTypeNames.IntArray, False, self.writer.Sdf.VariabilityUniform)
        attribute.Set(self.writer.Vt.IntArray([int(value) for value in values]))

    def _write_spatial(self, prim, kinds, objects, numbers) -> bool:
        points, sides, segments, divisors = [], [], [], [1.0]
        for kind, index, number in zip(kinds, objects, numbers):
            if kind == WRAP_PULLEY:
                if points:
                    divisors.append(float(number))
                else:
                    divisors[0] = float(number)
                continue
            of = self.shapes.site_paths if kind == WRAP_SITE else self.shapes.geom_paths
            if int(index) not in of:
                return False
            points.append(of[int(index)])
            sides.append(self.shapes.site_paths.get(int(number)) if kind != WRAP_SITE and number >= 0 else None)
            segments.append(len(divisors) - 1)
        unique = list(dict.fromkeys(points))
        prim.CreateRelationship("mjc:path").SetTargets(unique)
        self._write_indices(prim, "mjc:path:indices", [unique.index(path) for path in points])
        if len(divisors) > 1 or divisors[0] != 1:
            self._write_indices(prim, "mjc:path:segments", segments)
            self.writer.set(prim, "mjc:path:divisors", "DoubleArray", divisors)
        beside = list(dict.fromkeys(side for side in sides if side))
        if beside:
            prim.CreateRelationship("mjc:sideSites").SetTargets(beside)
            self._write_indices(prim, "mjc:sideSites:indices", [beside.index(side) if side else -1 for side in sides])
        return True

    # --- actuators ---

    def _write_actuator(self, actuator: int) -> None:
        model, writer = self.model, self.writer
        name, output = writer.name("ACTUATOR", actuator), int(model.actuator_outadr[actuator])
        gain, bias, dynamics = (int(array[actuator]) for array in (model.actuator_gaintype, model.actuator_biastype,
                                                                  model.actuator_dyntype))
        target = self._target(actuator)
        if gain >= len(GAINS) or bias >= len(BIASES) or dynamics >= len(DYNAMICS) or target is None or (
                model.actuator_ctrlnum[actuator] != 1):
            self._lose("actuator", name, actuator, "MuJoCo's schema has no actuator of this kind")
            self.lost_actuators = True
            return
        prim = self._define("Actuators", "MjcActuator", name, actuator, "actuator")
        prim.CreateRelationship("mjc:target").SetTargets([target])
        self._write_transmission(actuator, prim)
        for usd, words, value in (("gainType", GAINS, gain), ("biasType", BIASES, bias), ("dynType", DYNAMICS, dynamics)):
            writer.set(prim, f"mjc:{usd}", "Token", words[value])
        for usd in ("gainPrm", "biasPrm", "dynPrm"):
            writer.set(prim, f"mjc:{usd}", "DoubleArray", getattr(model, "actuator_" + usd.lower())[actuator])
        writer.set(prim, "mjc:gear", "DoubleArray", model.actuator_gear[output])
        if model.actuator_actearly[actuator]:
            writer.set(prim, "mjc:actEarly", "Bool", True)
        if model.actuator_group[actuator] != 0:
            writer.set(prim, "mjc:group", "Int", model.actuator_group[actuator])
        damping = [model.actuator_damping[actuator], *model.actuator_dampingpoly[actuator]]
        if np.any(damping):
            writer.set(prim, "torsor:damping", "DoubleArray", damping)
        if model.actuator_armature[actuator] != 0:
            writer.set(prim, "torsor:armature", "Double", model.actuator_armature[actuator])
        control = int(model.actuator_ctrladr[actuator])
        self._write_range(prim, "mjc:ctrl", model.actuator_ctrllimited[control], model.actuator_ctrlrange[control])
        self._write_range(prim, "mjc:force", model.actuator_forcelimited[actuator], model.actuator_forcerange[actuator])
        self._write_range(prim, "mjc:act", model.actuator_actlimited[actuator], model.actuator_actrange[actuator])
        if np.any(model.actuator_lengthrange[output]):
            for end, value in zip(("min", "max"), model.actuator_lengthrange[output]):
                writer.set(prim, f"mjc:lengthRange:{end}", "Double", value)
        if model.actuator_delay[actuator] != 0 or np.any(model.actuator_history[actuator]):
            self._lose("actuator", name, actuator, "USD has no delays")
        self._write_drive(actuator, output)

    def _target(self, actuator: int) -> str | None:
        model, writer = self.model, self.writer
        kind, index = int(model.actuator_trntype[actuator]), int(model.actuator_trnid[actuator, 0])
        if kind in (JOINT, JOINT_IN_PARENT):
            return writer.joint_paths.get(index) or writer.body_paths[model.jnt_bodyid[index]]
        if kind == TENDON:
            return self.tendon_paths[index]
        if kind in (SITE, SLIDER_CRANK):
            return self.shapes.site_paths.get(index)
        return writer.body_paths[index] if kind == BODY else None

    def _write_transmission(self, actuator: int, prim) -> None:
        model, writer = self.model, self.writer
        kind, (index, other) = int(model.actuator_trntype[actuator]), map(int, model.actuator_trnid[actuator])
        if kind in (JOINT, JOINT_IN_PARENT) and index not in writer.joint_paths:
            writer.set(prim, "torsor:target", "Token", "joint")  # that of a body that floats
        if kind == JOINT_IN_PARENT:
            writer.set(prim, "mjc:jointInParent", "Bool", True)
        if kind == SLIDER_CRANK:
            writer.set(prim, "mjc:crankLength", "Double", model.actuator_cranklength[actuator])
        if kind in (SITE, SLIDER_CRANK) and other in self.shapes.site_paths:
            name = "mjc:sliderSite" if kind == SLIDER_CRANK else "mjc:refSite"
            prim.CreateRelationship(name).SetTargets([self.shapes.site_paths[other]])

    def _write_drive(self, actuator: int, output: int) -> None:
        """A servo of a hinge or slide, for readers that know UsdPhysics only. Angular gains are per degree."""
        model, writer = self.model, self.writer
        joint = int(model.actuator_trnid[actuator, 0])
        if int(model.actuator_trntype[actuator]) != JOINT or joint not in writer.joint_paths or (
                model.jnt_type[joint] not in (2, 3)) or model.actuator_gear[output, 0] != 1 or (
                model.actuator_dyntype[actuator] != 0 or model.actuator_biastype[actuator] != 1
                or model.actuator_gaintype[actuator] != 0):
            return
        gain, (_, stiffness, damping) = model.actuator_gainprm[actuator, 0], -model.actuator_biasprm[actuator, :3]
        if gain not in (stiffness, damping) or gain <= 0:
            return
        is_angle = model.jnt_type[joint] == 3
        prim = self.stage.GetPrimAtPath(writer.joint_paths[joint])
        drive = writer.UsdPhysics.DriveAPI.Apply(prim, "angular" if is_angle else "linear")
        turn = np.pi / 180 if is_angle else 1.0
        drive.CreateTypeAttr("force")
        drive.CreateStiffnessAttr(float(stiffness * turn))
        drive.CreateDampingAttr(float(damping * turn))
        if model.actuator_forcelimited[actuator]:
            drive.CreateMaxForceAttr(float(np.abs(model.actuator_forcerange[actuator]).max()))

    # --- equalities, contacts, keyframes ---

    def _write_equality(self, equality: int) -> None:
        model, writer = self.model, self.writer
        name, kind = writer.name("EQUALITY", equality), int(model.eq_type[equality])
        first, second = int(model.eq_obj1id[equality]), int(model.eq_obj2id[equality])
        values = model.eq_data[equality]
        if kind == COUPLED:
            prim = self.stage.GetPrimAtPath(writer.joint_paths[first])
            if "MjcEqualityJointAPI" in prim.GetPrimTypeInfo().GetAppliedAPISchemas():
                return self._lose("equality", name, equality, "a joint of USD is coupled to one other only")
            prim.AddAppliedSchema("MjcEqualityJointAPI")
            if second >= 0:
                prim.CreateRelationship("mjc:target").SetTargets([writer.joint_paths[second]])
            for i, value in enumerate(values[:5]):
                writer.set(prim, f"mjc:coef{i}", "Double", value)
            if not model.eq_active0[equality]:
                writer.set(prim, "torsor:active", "Bool", False)
        elif kind in (CONNECT, WELD) and model.eq_objtype[equality] == int(torsor.ObjectType.BODY) and (
                model.eq_active0[equality]):
            prim = self._write_loop(equality, name, kind, first, second, values)
        else:
            return self._lose("equality", name, equality, "USD has active equalities of joints and bodies only")
        writer.set(prim, "mjc:solref", "DoubleArray", model.eq_solref[equality])
        writer.set(prim, "mjc:solimp", "DoubleArray", model.eq_solimp[equality])

    def _write_loop(self, equality: int, name, kind: int, first: int, second: int, values):
        writer = self.writer
        if kind == CONNECT:
            X_1J, X_2J = _pose.pose(np.eye(3), values[:3]), _pose.pose(np.eye(3), values[3:6])
        else:
            X_1J, X_2J = _pose.pose(_pose.to_matrix(values[6:10]), values[3:6]), _pose.pose(np.eye(3), values[:3])
        path = writer.path_of(f"{writer.root}/Joints", name, "equality", equality)
        prim = writer.define_joint(path, "PhysicsSphericalJoint" if kind == CONNECT else "PhysicsFixedJoint", first, X_1J,
                                   max(second, 0), X_2J)
        writer.label(prim, name)
        writer.UsdPhysics.Joint(prim).CreateExcludeFromArticulationAttr(True)
        prim.AddAppliedSchema("MjcEqualityConnectAPI" if kind == CONNECT else "MjcEqualityWeldAPI")
        if kind == WELD and values[10] != 1:
            writer.set(prim, "mjc:torqueScale", "Double", values[10])
        return prim

    def _write_exclude(self, first: int, second: int) -> None:
        writer = self.writer
        a, b = sorted((first, second), reverse=True)
        filtered = writer.UsdPhysics.FilteredPairsAPI.Apply(self.stage.GetPrimAtPath(writer.body_paths[a]))
        filtered.CreateFilteredPairsRel().AddTarget(writer.body_paths[b])

    def _write_key(self, key: int) -> None:
        model = self.model
        prim = self._define("Keyframes", "MjcKeyframe", self.writer.name("KEY", key), key, "key")
        for part in ("qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
            values = getattr(model, f"key_{part}")[key]
            if np.size(values) and not (self.lost_actuators and part in ("act", "ctrl")):
                self.writer.set(prim, f"mjc:{part}", "DoubleArray", values)
        if model.key_time[key] != 0:
            self.writer.losses.add("keyframe", prim.GetName(), "its time is not written")
