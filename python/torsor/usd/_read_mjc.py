"""What MuJoCo's and Newton's schemas add to a stage: actuators, tendons, coupled joints, keyframes."""

from __future__ import annotations

import xml.etree.ElementTree as xml

import numpy as np

from torsor._error import Error
from torsor.usd._schemas import ACTUATOR, ACTUATOR_RANGES, EQUALITY, TENDON, take, text

KEY_PARTS = {"qpos": "mjc:qpos", "qvel": "mjc:qvel", "act": "mjc:act", "ctrl": "mjc:ctrl", "mpos": "mjc:mpos",
             "mquat": "mjc:mquat"}


class MjcReader:
    def __init__(self, reader, degrees: bool):
        self.reader, self.stage, self.degrees = reader, reader.stage, degrees
        self.actuators: list = []
        self.tendons: list = []
        self.keys: list = []
        self.followers: list = []

    @property
    def has_actuators(self) -> bool:
        """Where a stage has actuators, its drives are the same in other words."""
        return bool(self.actuators)

    def note(self, prim) -> None:
        kinds = {"MjcActuator": self.actuators, "MjcTendon": self.tendons, "MjcKeyframe": self.keys}
        found = kinds.get(str(prim.GetTypeName()))
        if found is not None:
            found.append(prim)
        elif str(prim.GetTypeName()) == "NewtonActuator":
            self.stage.losses.add("actuator", str(prim.GetPath()), "actuators of Newton are not read")

    def note_joint(self, prim) -> None:
        if self.stage.has(prim, "MjcEqualityJointAPI") or self.stage.has(prim, "NewtonMimicAPI"):
            self.followers.append(prim)

    def write(self, root, actuators, elements, qpos, is_moved) -> None:
        for prim in self.followers:
            self._write_mimic(prim, root.find("equality"))
        for prim in self.tendons:
            self._write_tendon(prim, root.find("tendon"))
        for prim in self.actuators:
            self._write_actuator(prim, actuators)
        root.append(actuators)
        self._write_keys(root, qpos, is_moved)

    # --- coupled joints ---

    def _joint(self, prim) -> str | None:
        names = self.reader.dof_names.get(str(prim.GetPath()), [])
        return names[0] if len(names) == 1 else None

    def _write_mimic(self, prim, equality) -> None:
        stage, path = self.stage, str(prim.GetPath())
        is_mjc = stage.has(prim, "MjcEqualityJointAPI")
        leaders = stage.targets(prim, "mjc:target" if is_mjc else "newton:mimicJoint")
        follower = self._joint(prim)
        leader = self._joint(leaders[0]) if leaders else None
        if stage.get(prim, "newton:mimicEnabled", True) is False:
            return
        if follower is None or (leaders and leader is None):
            stage.losses.add("joint", path, "only joints of one degree of freedom are coupled")
            return
        if is_mjc:
            names = [f"mjc:coef{i}" for i in range(5)]
            coefficients = [stage.number(prim, name, float(i == 1)) for i, name in enumerate(names)]
        else:
            is_angle = str(prim.GetTypeName()) == "PhysicsRevoluteJoint"
            offset = stage.number(prim, "newton:mimicCoef0", 0.0) * (np.pi / 180 if is_angle else stage.unit)
            coefficients = [offset, stage.number(prim, "newton:mimicCoef1", 1.0), 0.0, 0.0, 0.0]
        attributes = {"name": f"{follower}_coupled", "joint1": follower, "polycoef": text(coefficients)}
        if leader is not None:
            attributes["joint2"] = leader
        if stage.get(prim, "torsor:active", True) is False:
            attributes["active"] = "false"
        take(stage, prim, EQUALITY, attributes)
        xml.SubElement(equality, "joint", attributes)

    # --- tendons ---

    def _write_tendon(self, prim, section) -> None:
        stage, path = self.stage, str(prim.GetPath())
        attributes = {"name": stage.label(prim)}
        take(stage, prim, TENDON, attributes)
        for usd, mjcf in (("mjc:", ""), ("mjc:actuatorfrc", "actuatorfrc")):
            self._read_range(prim, f"{usd}limited", f"{usd}range", f"{mjcf}limited", f"{mjcf}range", attributes)
        targets = stage.targets(prim, "mjc:path")
        order = list(stage.get(prim, "mjc:path:indices") or range(len(targets)))
        if any(not 0 <= index < len(targets) for index in order):
            raise Error(f"{path}: mjc:path:indices lead out of mjc:path")
        if str(stage.get(prim, "mjc:type", "spatial")) == "fixed":
            return self._write_fixed(prim, [targets[i] for i in order], attributes, section)
        rgba = stage.get(prim, "mjc:rgba")
        if rgba is not None:
            attributes["rgba"] = text(rgba)
        tendon = xml.Element("spatial", attributes)
        sides, of_side = stage.targets(prim, "mjc:sideSites"), list(stage.get(prim, "mjc:sideSites:indices") or [])
        segments = list(stage.get(prim, "mjc:path:segments") or [0] * len(order))
        divisors = list(stage.get(prim, "mjc:path:divisors") or [])
        last = segments[0] if segments else 0
        if divisors and divisors[0] != 1:
            xml.SubElement(tendon, "pulley", divisor=text(divisors[0]))
        for k, index in enumerate(order):
            if k < len(segments) and segments[k] != last:
                last = segments[k]
                divisor = divisors[last] if 0 <= last < len(divisors) else 1.0
                xml.SubElement(tendon, "pulley", divisor=text(float(divisor)))
            side = sides[of_side[k]] if k < len(of_side) and 0 <= of_side[k] < len(sides) else None
            if not self._write_point(targets[index], side, tendon):
                stage.losses.add("tendon", path, "its path leads to something that is neither a site nor a shape")
                return
        section.append(tendon)

    def _write_point(self, target, side, tendon) -> bool:
        known = self.reader.shape_bodies.get(str(target.GetPath()))
        if known is None:
            return False
        shape = known[1]
        if shape.is_site:
            xml.SubElement(tendon, "site", site=shape.attributes["name"])
            return True
        geom = xml.SubElement(tendon, "geom", geom=shape.attributes["name"])
        beside = self.reader.shape_bodies.get(str(side.GetPath())) if side else None
        if beside is not None:
            geom.set("sidesite", beside[1].attributes["name"])
        return True

    def _write_fixed(self, prim, targets, attributes, section) -> None:
        coefficients = list(self.stage.get(prim, "mjc:path:coef") or [1.0] * len(targets))
        tendon = xml.Element("fixed", {key: value for key, value in attributes.items() if key not in ("width", "rgba")})
        for target, coefficient in zip(targets, coefficients):
            joint = self._joint(target)
            if joint is None:
                self.stage.losses.add("tendon", str(prim.GetPath()), "its path leads to something that is not a joint")
                return
            xml.SubElement(tendon, "joint", joint=joint, coef=text(float(coefficient)))
        section.append(tendon)

    def _read_range(self, prim, limited, range_name, limited_mjcf, range_mjcf, attributes) -> None:
        low = self.stage.number(prim, f"{range_name}:min")
        high = self.stage.number(prim, f"{range_name}:max")
        if low is not None and high is not None:
            attributes[range_mjcf] = text([low, high])
        value = self.stage.get(prim, limited) if limited else None
        if value is not None and str(value) != "auto":
            attributes[limited_mjcf] = str(value)

    # --- actuators ---

    def _write_actuator(self, prim, actuators) -> None:
        stage, path = self.stage, str(prim.GetPath())
        attributes = {"name": stage.label(prim)}
        take(stage, prim, ACTUATOR, attributes)
        for usd, mjcf in ACTUATOR_RANGES:
            self._read_range(prim, f"{usd}Limited", f"{usd}Range", f"{mjcf}limited", f"{mjcf}range", attributes)
        self._read_range(prim, None, "mjc:lengthRange", "", "lengthrange", attributes)
        targets = stage.targets(prim, "mjc:target")
        if not targets:
            stage.losses.add("actuator", path, "it has no target")
            return
        if not self._write_transmission(prim, targets[0], attributes):
            stage.losses.add("actuator", path, "its target is not a joint, site, tendon or body that was read")
            return
        xml.SubElement(actuators, "general", attributes)

    def _write_transmission(self, prim, target, attributes) -> bool:
        reader, path = self.reader, str(target.GetPath())
        if path in reader.dof_names:
            names = reader.dof_names[path]
            key = "jointinparent" if self.stage.get(prim, "mjc:jointInParent") else "joint"
            attributes[key] = names[0] if names else ""
            return len(names) == 1
        if str(target.GetTypeName()) == "MjcTendon":
            attributes["tendon"] = self.stage.label(target)
            return True
        site = reader.shape_bodies.get(path)
        if site is not None and site[1].is_site:
            sliders, refs = self.stage.targets(prim, "mjc:sliderSite"), self.stage.targets(prim, "mjc:refSite")
            attributes["cranksite" if sliders else "site"] = site[1].attributes["name"]
            for key, found in (("slidersite", sliders), ("refsite", refs)):
                other = reader.shape_bodies.get(str(found[0].GetPath())) if found else None
                if other is not None:
                    attributes[key] = other[1].attributes["name"]
            return True
        if path in reader.bodies:
            is_free = self.stage.get(prim, "torsor:target") == "joint"
            key = "jointinparent" if self.stage.get(prim, "mjc:jointInParent") else "joint"
            attributes.update({key: reader.free_name(path)} if is_free else {"body": reader.bodies[path].name})
            return True
        return False

    # --- keyframes ---

    def _write_keys(self, root, qpos, is_moved) -> None:
        section = xml.SubElement(root, "keyframe")
        controls = self.reader.key_controls
        if is_moved or np.any(controls):
            key = xml.SubElement(section, "key", name="usd", qpos=text(qpos))
            if controls:
                key.set("ctrl", text(controls))
        for prim in self.keys:
            parts = [prim.GetAttribute(usd) for usd in KEY_PARTS.values()]
            times = sorted({time for part in parts if part for time in part.GetTimeSamples()})
            for index, time in enumerate(times or [None]):
                self._write_key(prim, index, time, section)

    def _write_key(self, prim, index: int, time, section) -> None:
        name = self.stage.label(prim) + (f"_{index}" if index else "")
        key = xml.SubElement(section, "key", name=name)
        if time is not None:
            rate = self.stage.stage.GetTimeCodesPerSecond()
            key.set("time", text(float(time) / rate))
        for mjcf, usd in KEY_PARTS.items():
            attribute = prim.GetAttribute(usd)
            value = attribute.Get(time) if attribute and time is not None else attribute.Get() if attribute else None
            if value is not None and len(value):
                key.set(mjcf, text(value))
