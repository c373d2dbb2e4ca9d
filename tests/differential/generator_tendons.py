"""Random tendons for the random-model generator: fixed ones over joints, spatial ones over sites, geoms and pulleys."""

import xml.etree.ElementTree as ET

from generator_values import text

TENDON_ATTRIBUTES = {
    "stiffness": lambda dice: dice.polynomial(0.1, 50),
    "damping": lambda dice: dice.polynomial(0.01, 2),
    "frictionloss": lambda dice: text(dice.spread(1e-2, 1)),
    "springlength": lambda dice: dice.pick((text(dice.uniform(0, 1)), text(0.2, dice.uniform(0.2, 1)), "-1")),
    "margin": lambda dice: text(dice.uniform(0, 0.1)),
    "group": lambda dice: text(dice.integer(0, 5)),
    "solreflimit": lambda dice: dice.solref(),
    "solimplimit": lambda dice: dice.solimp(),
    "solreffriction": lambda dice: dice.solref(),
    "solimpfriction": lambda dice: dice.solimp(),
    "user": lambda dice: text(*dice.vector(1, dice.integer(1, 2))),
}


def add_tendons(root, dice, context):
    """Some tendons over what the model names; none in half of the models."""
    if dice.chance(0.5):
        return
    section = ET.Element("tendon")
    for _ in range(dice.integer(1, 3)):
        if context.joints and dice.chance(0.4):
            _add_fixed(section, dice, context)
        elif len(context.sites) > 1:
            _add_spatial(section, dice, context)
    if len(section):
        root.append(section)


def _attributes(dice, context):
    context.count += 1
    attributes = dice.some(TENDON_ATTRIBUTES, 0.3)
    if dice.chance(0.5):
        attributes["name"] = f"tendon{context.count}n"
    if dice.chance(0.3):
        attributes.update({"limited": "true", "range": text(dice.uniform(-1, 0), dice.uniform(0.1, 2))})
    if dice.chance(0.2):
        attributes.update({"actuatorfrclimited": "true", "actuatorfrcrange": text(-dice.spread(0.1, 5), 2)})
    return attributes


def _add_fixed(section, dice, context):
    attributes = _attributes(dice, context)
    if dice.chance(0.3):
        attributes["armature"] = text(dice.spread(1e-3, 1))
    tendon = ET.SubElement(section, "fixed", attributes)
    for _ in range(dice.integer(1, 4)):
        ET.SubElement(tendon, "joint", joint=dice.pick(context.joints), coef=text(dice.uniform(-2, 2)))


def _add_spatial(section, dice, context):
    attributes = _attributes(dice, context)
    if dice.chance(0.2):
        attributes["width"] = text(dice.uniform(0.001, 0.02))
    if context.materials and dice.chance(0.2):
        attributes["material"] = dice.pick(context.materials)
    tendon = ET.SubElement(section, "spatial", attributes)
    for branch in range(dice.pick((1, 1, 1, 2, 3))):
        if branch or dice.chance(0.1):
            ET.SubElement(tendon, "pulley", divisor=text(dice.uniform(0.3, 3)))
        _add_branch(tendon, dice, context)
    if tendon.find("geom") is None and dice.chance(0.3):
        tendon.set("armature", text(dice.spread(1e-3, 1)))


def _add_branch(tendon, dice, context):
    last = dice.pick(context.sites)
    ET.SubElement(tendon, "site", site=last)
    for _ in range(dice.integer(1, 3)):
        if context.wraps and dice.chance(0.4):
            wrap = ET.SubElement(tendon, "geom", geom=dice.pick(context.wraps))
            if dice.chance(0.5):
                wrap.set("sidesite", dice.pick(context.sites))
        last = dice.pick([site for site in context.sites if site != last])
        ET.SubElement(tendon, "site", site=last)
