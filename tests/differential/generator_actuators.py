"""Random actuators for the random-model generator: every kind that needs no contact, on whatever the model names."""

import xml.etree.ElementTree as ET

from generator_values import text

SHARED = {
    "group": lambda dice: text(dice.integer(0, 3)),
    "ctrlrange": lambda dice: text(-dice.spread(0.1, 2), dice.spread(0.1, 2)),
    "forcerange": lambda dice: text(-dice.spread(0.05, 5), dice.spread(0.05, 5)),
    "user": lambda dice: text(*dice.vector(1, dice.integer(1, 2))),
}
DELAYS = {
    "nsample": lambda dice: text(dice.integer(1, 5)),
    "interp": lambda dice: dice.pick(("zoh", "linear", "cubic")),
}


def add_actuators(root, dice, context):
    """Some actuators; none in half of the models."""
    if dice.chance(0.5):
        return
    section = ET.Element("actuator")
    tendons = [tendon.get("name") for tendon in root.iterfind("tendon/*") if tendon.get("name")]
    for _ in range(dice.integer(1, 4)):
        target = _target(dice, context, tendons)
        if target:
            kind = dice.pick(KINDS)
            attributes = {**target, **dice.some(SHARED, 0.3), **KINDS[kind](dice)}
            if kind == "dcmotor":
                attributes.pop("forcerange", None)  # it has its own
            if kind != "pid" and dice.chance(0.2):
                attributes.update({name: make(dice) for name, make in DELAYS.items()})
                attributes["delay"] = text(dice.uniform(0, 0.02))
            if "joint" in target and dice.chance(0.3):
                attributes.update({"damping": dice.polynomial(0.01, 1), "armature": text(dice.spread(1e-3, 1))})
            ET.SubElement(section, kind, attributes)
    if len(section):
        root.append(section)


def _target(dice, context, tendons):
    choices = []
    if context.joints:
        choices += [{"joint": dice.pick(context.joints)}] * 3
    if context.sites:
        choices.append({"site": dice.pick(context.sites), "gear": text(*dice.vector(1, 6))})
        choices.append({"site": dice.pick(context.sites), "refsite": dice.pick(context.sites),
                        "gear": text(*dice.vector(1, 6))})
        choices.append({"cranksite": dice.pick(context.sites), "slidersite": dice.pick(context.sites),
                        "cranklength": text(dice.spread(0.1, 3))})
    if tendons:
        choices += [{"tendon": dice.pick(tendons)}] * 2
    if not choices:
        return None
    target = dict(dice.pick(choices))
    target.setdefault("gear", text(dice.uniform(-2, 2)))
    return target


def _general(dice):
    attributes = {
        "gaintype": dice.pick(("fixed", "affine")),
        "biastype": dice.pick(("none", "affine")),
        "dyntype": dice.pick(("none", "integrator", "filter", "filterexact", "muscle")),
        "gainprm": text(*dice.vector(2)),
        "biasprm": text(*dice.vector(0.5, 2), -dice.spread(1e-3, 0.5)),
        "dynprm": text(*[dice.spread(0.01, 0.5) for _ in range(3)]),
    }
    if attributes["dyntype"] != "none":
        attributes["actearly"] = dice.pick(("true", "false"))
        if dice.chance(0.4):
            attributes["actrange"] = text(-dice.spread(0.1, 1), dice.spread(0.1, 1))
    return attributes


def _servo(dice):
    damping = {dice.pick(("kv", "dampratio")): text(dice.spread(0.05, 1.5))}
    return {"kp": text(dice.spread(0.1, 20)), **damping}


KINDS = {
    "general": _general,
    "motor": lambda dice: {},
    "position": lambda dice: {**_servo(dice), "timeconst": text(dice.pick((0, dice.spread(0.01, 1))))},
    "velocity": lambda dice: {"kv": text(dice.spread(0.01, 2))},
    "intvelocity": lambda dice: {**_servo(dice), "actrange": text(-dice.spread(0.1, 1), dice.spread(0.1, 1))},
    "damper": lambda dice: {"kv": text(dice.spread(0.01, 2)), "ctrlrange": text(0, dice.spread(0.1, 1))},
    "cylinder": lambda dice: {"timeconst": text(dice.spread(0.01, 1)), "area": text(dice.spread(0.1, 2)),
                              "bias": text(*dice.vector(0.2))},
    "pid": lambda dice: {**_servo(dice), "input": dice.pick(("pos", "pos vel", "vel", "pos vel ff", "ff"))},
    "dcmotor": lambda dice: {"motorconst": text(dice.spread(0.05, 1)), "resistance": text(dice.spread(0.2, 5))},
}
