"""Random joints, geoms, sites, cameras, lights and inertias for the random-model generator."""

from generator_values import text

PRIMITIVES = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
TRACKING = ("fixed", "track", "trackcom", "targetbody", "targetbodycom")

# Attributes that do not depend on each other: {attribute: function of dice that makes a value}.
JOINT_ATTRIBUTES = {
    "pos": lambda dice: text(*dice.vector(0.3)),
    "armature": lambda dice: text(dice.spread(1e-3, 1)),
    "frictionloss": lambda dice: text(dice.spread(1e-2, 1)),
    "stiffness": lambda dice: dice.polynomial(0.1, 50),
    "damping": lambda dice: dice.polynomial(0.01, 2),
    "margin": lambda dice: text(dice.in_unit(dice.uniform(0, 0.1))),
    "group": lambda dice: text(dice.integer(0, 5)),
    "solreflimit": lambda dice: dice.solref(),
    "solimplimit": lambda dice: dice.solimp(),
    "solreffriction": lambda dice: dice.solref(),
    "solimpfriction": lambda dice: dice.solimp(),
    "actuatorgravcomp": lambda dice: dice.pick(("true", "false")),
    "user": lambda dice: text(*dice.vector(1, dice.integer(1, 2))),
}
GEOM_ATTRIBUTES = {
    "contype": lambda dice: text(dice.integer(0, 3)),
    "conaffinity": lambda dice: text(dice.integer(0, 3)),
    "condim": lambda dice: dice.pick(("1", "3", "4", "6")),
    "group": lambda dice: text(dice.integer(0, 5)),
    "priority": lambda dice: text(dice.integer(-2, 2)),
    "friction": lambda dice: text(*(dice.spread(1e-3, 2) for _ in range(dice.integer(1, 3)))),
    "solmix": lambda dice: text(dice.spread(0.1, 10)),
    "solref": lambda dice: dice.solref(),
    "solimp": lambda dice: dice.solimp(),
    "margin": lambda dice: text(dice.spread(1e-4, 0.05)),
    "gap": lambda dice: text(dice.spread(1e-4, 0.05)),
    "surfacevel": lambda dice: text(*dice.vector(1, 6)),
    "adhesion": lambda dice: text(dice.spread(0.1, 10)),
    "rgba": lambda dice: dice.colour(),
    "user": lambda dice: text(*dice.vector(1, dice.integer(1, 2))),
}
SITE_ATTRIBUTES = {
    "group": lambda dice: text(dice.integer(0, 5)),
    "rgba": lambda dice: dice.colour(),
    "user": lambda dice: text(*dice.vector(1, dice.integer(1, 2))),
}
CAMERA_ATTRIBUTES = {
    "fovy": lambda dice: text(dice.uniform(20, 90)),
    "ipd": lambda dice: text(dice.uniform(0.01, 0.1)),
    "projection": lambda dice: dice.pick(("perspective", "orthographic")),
    "output": lambda dice: dice.pick(("rgb", "depth", "rgb depth", "normal segmentation")),
    "user": lambda dice: text(*dice.vector(1, dice.integer(1, 2))),
}
LIGHT_ATTRIBUTES = {
    "dir": lambda dice: text(*dice.direction()),
    "type": lambda dice: dice.pick(("spot", "directional", "point")),
    "castshadow": lambda dice: dice.pick(("true", "false")),
    "active": lambda dice: dice.pick(("true", "false")),
    "attenuation": lambda dice: text(*(dice.uniform(0, 1) for _ in range(3))),
    "cutoff": lambda dice: text(dice.uniform(10, 80)),
    "exponent": lambda dice: text(dice.uniform(1, 20)),
    "softness": lambda dice: text(dice.uniform(0, 1)),
    "ambient": lambda dice: text(*(dice.uniform(0, 1) for _ in range(3))),
    "diffuse": lambda dice: text(*(dice.uniform(0, 1) for _ in range(3))),
    "specular": lambda dice: text(*(dice.uniform(0, 1) for _ in range(3))),
    "bulbradius": lambda dice: text(dice.uniform(0.01, 0.1)),
    "intensity": lambda dice: text(dice.uniform(0, 100)),
    "range": lambda dice: text(dice.uniform(1, 20)),
}


def joint_attributes(dice, kind, context):
    """Attributes of a joint of one type: hinge, slide, ball or free."""
    attributes = dice.some(JOINT_ATTRIBUTES, 0.3)
    attributes["type"] = kind
    if kind in ("hinge", "slide"):
        attributes["axis"] = text(*dice.direction())
        length = (lambda limit: dice.angle(limit)) if kind == "hinge" else (lambda limit: dice.uniform(-limit, limit))
        if dice.chance(0.4):
            attributes["ref"] = text(length(1))
        if dice.chance(0.4):
            attributes["springref"] = text(length(1))
        if dice.chance(0.2):
            attributes["actuatorfrcrange"] = text(-dice.spread(1, 50), dice.spread(1, 50))
            attributes["actuatorfrclimited"] = "true"
    _add_limits(dice, kind, attributes, context)
    if dice.chance(0.1):
        attributes["springdamper"] = text(dice.spread(0.05, 1), dice.spread(0.1, 1.5))
    if kind == "free":
        for name in ("pos", "axis", "range", "limited", "margin"):
            attributes.pop(name, None)
    return attributes


def _add_limits(dice, kind, attributes, context):
    if kind == "free" or not dice.chance(0.5):
        return
    low, high = -dice.uniform(0.1, 1.5), dice.uniform(0.2, 1.5)
    if kind == "ball":
        low = 0
    values = (low, high) if kind == "slide" else (dice.in_unit(low), dice.in_unit(high))
    attributes["range"] = text(*values)
    if not context.autolimits or dice.chance(0.4):
        attributes["limited"] = dice.pick(("true", "false"))


def _size(dice, kind):
    count = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}[kind]
    return [dice.spread(0.02, 0.4) for _ in range(count)]


def _line(dice, attributes, kind):
    """Replaces place and size by fromto where the type allows it."""
    start = dice.vector(0.4)
    attributes["fromto"] = text(*start, *(x + y for x, y in zip(start, dice.direction())))
    attributes["size"] = text(*_size(dice, kind)[: 1 if kind in ("capsule", "cylinder") else 2])


def geom_attributes(dice, context, may_be_weightless):
    """Attributes of a geom of a primitive type or of a mesh."""
    attributes = dice.some(GEOM_ATTRIBUTES, 0.15)
    kind = dice.pick(PRIMITIVES)
    if context.meshes and dice.chance(0.3):
        _mesh_shape(dice, attributes, context)
    elif kind != "sphere" and dice.chance(0.25):
        attributes["type"] = kind
        _line(dice, attributes, kind)
    else:
        attributes["type"] = kind
        attributes["size"] = text(*_size(dice, kind))
        dice.place(attributes)
    _add_mass(dice, attributes, may_be_weightless)
    if dice.chance(0.25):
        attributes["fluidshape"] = dice.pick(("ellipsoid", "ellipsoid", "none"))
        if dice.chance(0.5):
            attributes["fluidcoef"] = text(*(dice.uniform(0, 1.5) for _ in range(5)))
    if context.materials and dice.chance(0.2):
        attributes["material"] = dice.pick(context.materials)
    return attributes


def _mesh_shape(dice, attributes, context):
    attributes["mesh"] = dice.pick(context.meshes)
    attributes["type"] = dice.pick(("mesh", "mesh") + PRIMITIVES)
    if attributes["type"] != "mesh" and dice.chance(0.5):
        attributes["fitscale"] = text(dice.uniform(0.5, 1.5))
    dice.place(attributes)


def _add_mass(dice, attributes, may_be_weightless):
    if dice.chance(0.3):
        attributes["mass"] = text(dice.spread(0.05, 5))
    elif dice.chance(0.4):
        attributes["density"] = text(dice.spread(100, 5000))
    elif may_be_weightless and dice.chance(0.2):
        attributes["mass"] = "0"
    if dice.chance(0.15) and attributes.get("type") != "mesh":
        attributes["shellinertia"] = "true"


def site_attributes(dice, context):
    """Attributes of a site."""
    attributes = dice.some(SITE_ATTRIBUTES, 0.2)
    kind = dice.pick(PRIMITIVES)
    attributes["type"] = kind
    if kind != "sphere" and dice.chance(0.2):
        _line(dice, attributes, kind)
    else:
        attributes["size"] = text(*_size(dice, kind))
        dice.place(attributes)
    if context.materials and dice.chance(0.2):
        attributes["material"] = dice.pick(context.materials)
    return attributes


def camera_attributes(dice):
    """Attributes of a camera; its target is chosen when all bodies are known."""
    attributes = dice.some(CAMERA_ATTRIBUTES, 0.25)
    attributes["mode"] = dice.pick(TRACKING)
    dice.place(attributes)
    if dice.chance(0.2):
        attributes.pop("fovy", None)
        attributes["resolution"] = text(dice.integer(10, 600), dice.integer(10, 400))
        attributes["sensorsize"] = text(dice.uniform(0.01, 0.1), dice.uniform(0.01, 0.1))
        attributes[dice.pick(("focal", "principal"))] = text(dice.uniform(0.01, 0.1), dice.uniform(0.01, 0.1))
    return attributes


def light_attributes(dice):
    """Attributes of a light; its target is chosen when all bodies are known."""
    attributes = dice.some(LIGHT_ATTRIBUTES, 0.25)
    attributes["mode"] = dice.pick(TRACKING)
    if dice.chance(0.7):
        attributes["pos"] = text(*dice.vector(1))
    return attributes


def inertial_attributes(dice):
    """Mass properties given in full; moments that any real body could have."""
    attributes = {"pos": text(*dice.vector(0.3)), "mass": text(dice.spread(0.1, 10))}
    scale = dice.spread(0.01, 0.5)
    moments = [scale * dice.uniform(0.6, 1.0) for _ in range(3)]
    if dice.chance(0.4):
        low = min(moments)
        attributes["fullinertia"] = text(*moments, *dice.vector(0.2 * low))
        return attributes
    attributes["diaginertia"] = text(*moments)
    if dice.chance(0.7):
        attributes.update([dice.orientation()])
    return attributes
