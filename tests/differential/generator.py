"""Makes random valid MJCF models from a seed: trees, frames, defaults, joints, inertias, every compiler setting.

python generator.py SEED prints the model of that seed."""

import argparse
import dataclasses
import xml.etree.ElementTree as ET

import mujoco
import numpy as np

import generator_actuators as actuators
import generator_contacts as contacts
import generator_elements as elements
import generator_sensors as sensors
import generator_settings as settings
import generator_tendons as tendons
from generator_values import Dice, text

MOST_TRIES = 40
SENSORS_OF_NOTHING = ("clock", "user", "e_potential", "e_kinetic", "contact")


@dataclasses.dataclass
class Context:
    """What elements made earlier offer to elements made later."""

    autolimits: bool = True
    classes: list = dataclasses.field(default_factory=list)
    bodies: list = dataclasses.field(default_factory=list)
    meshes: list = dataclasses.field(default_factory=list)
    materials: list = dataclasses.field(default_factory=list)
    height_fields: list = dataclasses.field(default_factory=list)
    joints: list = dataclasses.field(default_factory=list)  # named hinges and slides
    sites: list = dataclasses.field(default_factory=list)  # named
    wraps: list = dataclasses.field(default_factory=list)  # named spheres and cylinders
    seekers: list = dataclasses.field(default_factory=list)  # cameras and lights that need a target
    count: int = 0  # elements named so far


@dataclasses.dataclass
class Generated:
    """A model that MuJoCo accepts, and what MuJoCo said about the ones before it."""

    seed: int
    text: str
    refusals: list


def make_model(seed, meshes=False):
    """The model of a seed. Drafts that MuJoCo refuses are drawn again and counted."""
    refusals = []
    for attempt in range(MOST_TRIES):
        root = make_draft(seed * MOST_TRIES + attempt, meshes)
        written = ET.tostring(root, encoding="unicode")
        try:
            check_usable(mujoco.MjModel.from_xml_string(written))
        except ValueError as refusal:
            refusals.append(str(refusal))
            continue
        return Generated(seed, written, refusals)
    raise RuntimeError(f"no valid model from seed {seed}; last refusal: {refusals[-1]}")


def check_usable(model):
    """Refuses models whose own numbers are not sane, so that a failure always means something."""
    data = mujoco.MjData(model)
    model.opt.disableflags |= 1
    mujoco.mj_forward(model, data)
    if not np.all(np.isfinite(data.qacc)) or np.any(np.abs(data.qacc) > 1e7):
        raise ValueError("accelerations are not sane")
    if model.nv and np.linalg.cond(_inertia(model, data)) > 1e7:
        raise ValueError("joint-space inertia is close to singular")


def _inertia(model, data):
    result = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, result)
    return result


def make_draft(seed, meshes=False):
    """A random model, not checked yet."""
    dice, context = Dice(seed), Context()
    root = ET.Element("mujoco", model=f"random{seed}")
    settings.add_settings(root, dice, context)
    settings.add_defaults(root, dice, context)
    settings.add_assets(root, dice, context, meshes)
    world = ET.SubElement(root, "worldbody")
    _fill_world(world, dice, context)
    for element in context.seekers:
        element.set("target", dice.pick(context.bodies))
    tendons.add_tendons(root, dice, context)
    contacts.add_contacts(root, dice, context)
    contacts.add_equalities(root, dice, context)
    actuators.add_actuators(root, dice, context)
    sensors.add_sensors(root, dice, context)
    settings.add_custom(root, dice, context)
    _avoid_lost_references(root)
    if dice.chance(0.1) and not _would_be_doubled(root):
        _add_copies(world, dice, context)
    elif dice.chance(0.3):
        _try_keyframes(root, dice)
    return root


def _would_be_doubled(root):
    """With every copy of a tree, MuJoCo also copies sensors of nothing in particular and tendons without names."""
    return (any(root.find(f"sensor/{tag}") is not None for tag in SENSORS_OF_NOTHING)
            or any(tendon.get("name") is None for tendon in root.iterfind("tendon/*")))


def _avoid_lost_references(root):
    """Where static bodies are fused after moving ones, MuJoCo's references to geoms and sites name wrong ones."""
    referring = ("contact/pair", "equality/*", "tendon/*", "actuator/*", "sensor/*")
    if any(root.find(path) is not None for path in referring):
        for compiler in root.iterfind("compiler[@fusestatic='true']"):
            del compiler.attrib["fusestatic"]


def _try_keyframes(root, dice):
    try:
        model = mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))
    except ValueError:
        return  # the draft is refused in any case
    settings.add_keyframes(root, dice, model)


def _fill_world(world, dice, context):
    if dice.chance(0.5):
        plane = {"type": "plane", "size": text(2, 3, 0.1), "pos": text(*dice.vector(0.5))}
        ET.SubElement(world, "geom", {**plane, **dict([dice.orientation()])})
    for name in context.height_fields:
        ET.SubElement(world, "geom", {"type": "hfield", "hfield": name, "pos": text(*dice.vector(1))})
    for _ in range(dice.integer(1, 3)):
        _add_body(_maybe_frame(world, dice, context), dice, context, depth=0)
    _add_ornaments(world, dice, context)


def _add_copies(world, dice, context):
    """A small tree that is replicated; nothing outside refers to it, and keyframes would be for the model before."""
    count, attributes = dice.integer(0, 3), {"sep": dice.pick(("", "-"))}
    attributes.update(count=str(count), offset=text(*dice.vector(0.5)), euler=text(*dice.vector(1)))
    replicate = ET.SubElement(_maybe_frame(world, dice, context), "replicate", attributes)
    inside = dataclasses.replace(context, seekers=[])
    _add_body(replicate, dice, inside, depth=3)
    for element in inside.seekers:
        element.set("target", context.bodies[0])


def _maybe_frame(parent, dice, context):
    """The parent itself, or a frame inside it."""
    while dice.chance(0.2):
        attributes = {}
        dice.place(attributes)
        if context.classes and dice.chance(0.3):
            attributes["childclass"] = dice.pick(context.classes)
        parent = ET.SubElement(parent, "frame", attributes)
    return parent


def _named(dice, context, prefix, attributes):
    """Adds a name and a class to some elements. Names end with a letter: with the number of a copy behind it, a name must
    not be that of something else, or MuJoCo mistakes one for the other."""
    context.count += 1
    if dice.chance(0.5):
        attributes["name"] = f"{prefix}{context.count}n"
    if context.classes and dice.chance(0.2):
        attributes["class"] = dice.pick(context.classes)
    return attributes


def _remember(names, attributes):
    if "name" in attributes:
        names.append(attributes["name"])


def _add_body(parent, dice, context, depth):
    attributes = {"name": f"body{len(context.bodies)}n"}
    context.bodies.append(attributes["name"])
    dice.place(attributes)
    if context.classes and dice.chance(0.2):
        attributes["childclass"] = dice.pick(context.classes)
    if dice.chance(0.15):
        attributes["gravcomp"] = text(dice.uniform(0, 1.5))
    if dice.chance(0.1):
        attributes["user"] = text(*dice.vector(1, 2))
    body = ET.SubElement(parent, "body", attributes)
    mocap = depth == 0 and dice.chance(0.1)
    if mocap:
        body.set("mocap", "true")
    moving = not mocap and _add_joints(body, dice, context, depth)
    _add_mass(body, dice, context, moving)
    _add_ornaments(body, dice, context)
    if depth < 4 and len(context.bodies) < 12:
        for _ in range(dice.pick((0, 0, 1, 1, 2))):
            _add_body(_maybe_frame(body, dice, context), dice, context, depth + 1)


def _add_joints(body, dice, context, depth):
    """Some joints, at times none; says whether the body moves against its parent."""
    if depth == 0 and dice.chance(0.35):
        _add_free_joint(body, dice, context)
        return True
    kinds = dice.pick((("hinge",), ("slide",), ("ball",), ("hinge", "hinge"), ("slide", "hinge"), ("slide", "ball"),
                       ("hinge", "ball"), ("slide", "slide", "hinge"), ("hinge", "slide", "hinge"), ()))
    for kind in kinds:
        holder = _maybe_frame(body, dice, context)
        attributes = _named(dice, context, "joint", elements.joint_attributes(dice, kind, context))
        ET.SubElement(holder, "joint", attributes)
        if kind in ("hinge", "slide"):
            _remember(context.joints, attributes)
    return bool(kinds)


def _add_free_joint(body, dice, context):
    if dice.chance(0.4):
        ET.SubElement(body, "joint", _named(dice, context, "joint", elements.joint_attributes(dice, "free", context)))
        return
    attributes = {"align": dice.pick(("true", "false", "auto"))} if dice.chance(0.6) else {}
    ET.SubElement(body, "freejoint", attributes)
    if dice.chance(0.1):
        body.set("simple", dice.pick(("auto", "false")))
    if dice.chance(0.1):
        body.set("sleep", dice.pick(("auto", "never", "allowed")))


def _add_mass(body, dice, context, moving):
    """Geoms, an explicit inertia, or both."""
    explicit = dice.chance(0.3)
    if explicit:
        ET.SubElement(body, "inertial", elements.inertial_attributes(dice))
    fewest = 1 if moving and not explicit else 0
    for index in range(dice.integer(fewest, 3)):
        attributes = elements.geom_attributes(dice, context, may_be_weightless=index > 0 or not moving)
        holder = _maybe_frame(body, dice, context)
        ET.SubElement(holder, "geom", _named(dice, context, "geom", attributes))
        if attributes.get("type") in ("sphere", "cylinder"):
            _remember(context.wraps, attributes)


def _add_ornaments(body, dice, context):
    """Sites, cameras and lights."""
    while dice.chance(0.4):
        holder = _maybe_frame(body, dice, context)
        attributes = _named(dice, context, "site", elements.site_attributes(dice, context))
        ET.SubElement(holder, "site", attributes)
        _remember(context.sites, attributes)
    for tag, make in (("camera", elements.camera_attributes), ("light", elements.light_attributes)):
        if dice.chance(0.2):
            attributes = _named(dice, context, tag, make(dice))
            element = ET.SubElement(_maybe_frame(body, dice, context), tag, attributes)
            if attributes["mode"].startswith("target"):
                context.seekers.append(element)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--meshes", action="store_true", help="with small inline meshes")
    options = parser.parse_args()
    root = ET.fromstring(make_model(options.seed, options.meshes).text)
    ET.indent(root)
    print(ET.tostring(root, encoding="unicode"))


if __name__ == "__main__":
    main()
