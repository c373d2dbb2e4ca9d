"""Random sensors for the random-model generator: of every kind, over what the model names."""

import xml.etree.ElementTree as ET

from generator_values import text

AT_SITES = ("accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer", "touch")
OF_JOINTS = ("jointpos", "jointvel", "jointactuatorfrc")
OF_TENDONS = ("tendonpos", "tendonvel", "tendonactuatorfrc")
OF_ACTUATORS = ("actuatorpos", "actuatorvel", "actuatorfrc")
OF_BODIES = ("subtreecom", "subtreelinvel", "subtreeangmom")
DIRECTIONS = ("framequat", "framexaxis", "frameyaxis", "framezaxis")
OF_FRAMES = ("framepos", *DIRECTIONS, "framelinvel", "frameangvel")
NEAR = ("distance", "normal", "fromto")
RAY_DATA = ("dist", "dir", "origin", "point", "normal", "depth")
CONTACT_DATA = ("found", "force", "torque", "dist", "pos", "normal", "tangent")
ACCELERATIONS = ("framelinacc", "frameangacc")


def add_sensors(root, dice, context):
    """Some sensors; none in half of the models."""
    if dice.chance(0.5):
        return
    names = {kind: [e.get("name") for e in root.iterfind(f"worldbody//{kind}") if e.get("name")]
             for kind in ("body", "geom", "site", "camera")}
    # Of other shapes MuJoCo's routine for convex pairs knows nearest points to 1e-6 only; test_sensors.py has those.
    names["round"] = [e.get("name") for e in root.iterfind("worldbody//geom")
                      if e.get("name") and e.get("type") in ("sphere", "capsule")]
    names["joint"] = context.joints
    names["tendon"] = [e.get("name") for e in root.iterfind("tendon/*") if e.get("name")]
    names["actuator"] = [e.get("name") for e in root.iterfind("actuator/*")
                         if e.get("name") and e.tag not in ("orientation", "pid", "dcmotor")]
    # MuJoCo reads the kinetic energy of the step before where something else computed it then: the flag, or a history.
    names["energy"] = ["e_potential"] if root.find("option/flag[@energy='enable']") is not None else ["e_kinetic"]
    section = ET.Element("sensor")
    for _ in range(dice.integer(1, 8)):
        _add_one(section, dice, names)
    if len(section):
        root.append(section)


def _add_one(section, dice, names):
    choices = [(kinds, target) for kinds, target in (
        (AT_SITES, "site"), (OF_JOINTS, "joint"), (OF_TENDONS, "tendon"), (OF_ACTUATORS, "actuator"), (OF_BODIES, "body"),
    ) if names[target]]
    choices += [(("contact", "rangefinder"), "touching")]
    if len(names["round"]) > 1:
        choices += [(NEAR, "near")]
    choices += [(("e_potential", "clock", *names["energy"]), None), (OF_FRAMES + ACCELERATIONS + ("insidesite",), "frame")]
    kinds, target = dice.pick(choices)
    kind = dice.pick(kinds)
    attributes = {}
    if target == "frame":
        if not _add_frames(kind, attributes, dice, names):
            return
    elif target == "near":
        attributes.update(zip(("geom1", "geom2"), dice.random.sample(names["round"], 2)))
    elif kind == "contact":
        attributes.update(_contact(dice, names))
    elif kind == "rangefinder":
        if not names["site"]:  # of a camera's rays MuJoCo loses some that start near a geom; test_sensors.py has those
            return
        attributes.update(site=dice.pick(names["site"]), **_some_data(dice, RAY_DATA))
    elif target:
        attributes[target] = dice.pick(names[target])
    if kind not in (*DIRECTIONS, "normal") and dice.chance(0.2):
        attributes["cutoff"] = text(dice.spread(0.01, 10))
    if dice.chance(0.2):
        attributes["noise"] = text(dice.uniform(0, 1))
    if kind != "e_kinetic" and dice.chance(0.3):
        _add_history(attributes, dice)
    ET.SubElement(section, kind, attributes)


def _add_frames(kind, attributes, dice, names):
    frames = [(kind, name) for kind in ("body", "geom", "site", "camera") for name in names[kind]]
    frames += [("xbody", name) for name in names["body"]]
    if not frames or (kind == "insidesite" and not names["site"]):
        return False
    attributes["objtype"], attributes["objname"] = dice.pick(frames)
    if kind == "insidesite":
        attributes["site"] = dice.pick(names["site"])
    elif kind in OF_FRAMES and dice.chance(0.5):
        attributes["reftype"], attributes["refname"] = dice.pick(frames)
    return True


def _contact(dice, names):
    attributes = _some_data(dice, CONTACT_DATA)
    for side in ("1", "2"):
        kind = dice.pick(("geom", "body", "subtree", "site", ""))
        source = "body" if kind == "subtree" else kind
        if not names.get(source) or (kind == "site" and side == "2"):
            continue
        attributes[kind if kind == "site" else kind + side] = dice.pick(names[source])
    if dice.chance(0.4):
        attributes["num"] = text(dice.integer(1, 5))
    if dice.chance(0.4):
        attributes["reduce"] = dice.pick(("none", "mindist", "maxforce", "netforce"))
    return attributes


def _some_data(dice, words):
    chosen = [word for word in words if dice.chance(0.4)]
    return {"data": " ".join(chosen)} if chosen else {}


def _add_history(attributes, dice):
    attributes["nsample"] = text(dice.integer(1, 5))
    attributes["interp"] = dice.pick(("zoh", "linear", "cubic"))
    if dice.chance(0.7):
        attributes["delay"] = text(dice.uniform(0.001, 0.02))
    if dice.chance(0.4):
        period = dice.uniform(0.001, 0.02)
        attributes["interval"] = text(period, -period * dice.uniform(0, 0.9))
