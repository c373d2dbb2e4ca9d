"""Random contact pairs, exclusions and equalities for the random-model generator, over what the model names."""

import xml.etree.ElementTree as ET

from generator_values import text

PAIR_ATTRIBUTES = {
    "condim": lambda dice: dice.pick(("1", "3", "4", "6")),
    "friction": lambda dice: text(*(dice.spread(1e-3, 2) for _ in range(dice.integer(1, 5)))),
    "solref": lambda dice: dice.solref(),
    "solreffriction": lambda dice: dice.solref(),
    "solimp": lambda dice: dice.solimp(),
    "margin": lambda dice: text(dice.uniform(-0.01, 0.1)),
    "gap": lambda dice: text(dice.uniform(0, 0.1)),
    "adhesion": lambda dice: text(dice.uniform(0, 2)),
}
EQUALITY_ATTRIBUTES = {
    "active": lambda dice: dice.pick(("true", "false")),
    "solref": lambda dice: dice.solref(),
    "solimp": lambda dice: dice.solimp(),
}


def add_default_contacts(default, dice):
    """Default values of pairs and equalities for some classes."""
    if dice.chance(0.2):
        ET.SubElement(default, "pair", dice.some(PAIR_ATTRIBUTES, 0.3))
    if dice.chance(0.2):
        ET.SubElement(default, "equality", dice.some(EQUALITY_ATTRIBUTES, 0.4))


def add_contacts(root, dice, context):
    """Some pairs and exclusions; none in half of the models."""
    if dice.chance(0.5):
        return
    section = ET.Element("contact")
    geoms = [e.get("name") for e in root.iterfind("worldbody//geom") if e.get("name")]
    bodies = ["world", *context.bodies]
    for _ in range(dice.integer(0, 4)):
        if len(geoms) > 1:
            first, second = dice.random.sample(geoms, 2)
            ET.SubElement(section, "pair", _named(dice, context, "pair", {
                "geom1": first, "geom2": second, **dice.some(PAIR_ATTRIBUTES, 0.3)}))
        if dice.chance(0.6):
            attributes = {"body1": dice.pick(bodies), "body2": dice.pick(bodies)}
            ET.SubElement(section, "exclude", _named(dice, context, "exclude", attributes, has_class=False))
    if len(section):
        root.append(section)


def add_equalities(root, dice, context):
    """Some equalities; none in half of the models."""
    if dice.chance(0.5):
        return
    section = ET.Element("equality")
    tendons = [e.get("name") for e in root.iterfind("tendon/*") if e.get("name")]
    for _ in range(dice.integer(1, 4)):
        kind = dice.pick(("connect", "weld", "joint", "tendon"))
        if kind in ("connect", "weld"):
            attributes = _in_space(kind, dice, context)
        else:
            attributes = _along_polynomial(kind, dice, context.joints if kind == "joint" else tendons)
        if attributes:
            attributes.update(dice.some(EQUALITY_ATTRIBUTES, 0.3))
            ET.SubElement(section, kind, _named(dice, context, "equality", attributes))
    if len(section):
        root.append(section)


def _in_space(kind, dice, context):
    scale = {"torquescale": text(dice.spread(0.1, 10))} if kind == "weld" and dice.chance(0.4) else {}
    if len(context.sites) > 1 and dice.chance(0.3):
        return dict(zip(("site1", "site2"), dice.random.sample(context.sites, 2)), **scale)
    first, second = dice.random.sample(["world", *context.bodies], 2)
    attributes = {"body1": first, **scale}
    if second != "world" or dice.chance(0.5):
        attributes["body2"] = second
    if kind == "connect" or dice.chance(0.4):
        attributes["anchor"] = text(*dice.vector(0.5))
    if kind == "weld" and dice.chance(0.4):
        quat = (0, 0, 0, 0) if dice.chance(0.2) else (*dice.vector(1, 3), 0.7)
        attributes["relpose"] = text(*dice.vector(0.5), *quat)
    return attributes


def _along_polynomial(kind, dice, names):
    if not names:
        return {}
    attributes = {f"{kind}1": dice.pick(names)}
    others = [name for name in names if name != attributes[f"{kind}1"]]
    if others and dice.chance(0.7):
        attributes[f"{kind}2"] = dice.pick(others)
    if dice.chance(0.7):
        attributes["polycoef"] = text(*dice.vector(1, dice.integer(1, 5)))
    return attributes


def _named(dice, context, prefix, attributes, has_class=True):
    context.count += 1
    if dice.chance(0.5):
        attributes["name"] = f"{prefix}{context.count}n"
    if has_class and context.classes and dice.chance(0.2):
        attributes["class"] = dice.pick(context.classes)
    return attributes
