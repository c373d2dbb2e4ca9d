"""Attributes of MuJoCo's and Newton's USD schemas, and of MJCF: one table for reading and writing each.

A row is (USD name, MJCF name, USD type). Attributes of angles (ref, springref) are handled where joints are.
"""

# MjcJointAPI, on joints
JOINT = [
    ("mjc:armature", "armature", "Double"), ("mjc:damping", "damping", "Double"),
    ("mjc:frictionloss", "frictionloss", "Double"), ("mjc:stiffness", "stiffness", "Double"),
    ("mjc:margin", "margin", "Double"), ("mjc:group", "group", "Int"),
    ("mjc:solreflimit", "solreflimit", "DoubleArray"), ("mjc:solimplimit", "solimplimit", "DoubleArray"),
    ("mjc:solreffriction", "solreffriction", "DoubleArray"), ("mjc:solimpfriction", "solimpfriction", "DoubleArray"),
    ("mjc:springdamper", "springdamper", "DoubleArray"), ("mjc:actuatorgravcomp", "actuatorgravcomp", "Bool"),
    # with coefficients of higher order
    ("torsor:stiffness", "stiffness", "DoubleArray"), ("torsor:damping", "damping", "DoubleArray"),
]
# of the joint of a body that floats, on the body
FREE_JOINT = [(f"torsor:freejoint:{name}", name, "Double") for name in ("armature", "damping", "frictionloss", "stiffness")]

# MjcCollisionAPI, on shapes; torsor:* for what no schema has
COLLISION = [
    ("mjc:condim", "condim", "Int"), ("mjc:priority", "priority", "Int"), ("mjc:solmix", "solmix", "Double"),
    ("mjc:solref", "solref", "DoubleArray"), ("mjc:solimp", "solimp", "DoubleArray"),
    ("mjc:margin", "margin", "Double"), ("mjc:gap", "gap", "Double"),
    ("torsor:contype", "contype", "Int"), ("torsor:conaffinity", "conaffinity", "Int"),
    ("torsor:adhesion", "adhesion", "Double"), ("torsor:surfacevel", "surfacevel", "DoubleArray"),
]

# MjcSceneAPI, on the scene
OPTION = [(f"mjc:option:{name}", name, kind) for name, kind in {
    "timestep": "Double", "impratio": "Double", "wind": "Double3", "magnetic": "Double3", "density": "Double",
    "viscosity": "Double", "o_margin": "Double", "o_solref": "DoubleArray", "o_solimp": "DoubleArray",
    "o_friction": "DoubleArray", "integrator": "Token", "cone": "Token", "jacobian": "Token", "solver": "Token",
    "iterations": "Int", "tolerance": "Double", "ls_iterations": "Int", "ls_tolerance": "Double",
    "noslip_iterations": "Int", "noslip_tolerance": "Double", "ccd_iterations": "Int", "ccd_tolerance": "Double",
    "sdf_iterations": "Int", "sdf_initpoints": "Int"}.items()]

# flags of the scene: name, whether it is on by default, bit in disableflags or enableflags of the model's options
DISABLE = {"constraint": 0, "equality": 1, "frictionloss": 2, "limit": 3, "contact": 4, "spring": 5, "damper": 6,
           "gravity": 7, "clampctrl": 8, "warmstart": 9, "filterparent": 10, "actuation": 11, "refsafe": 12, "sensor": 13,
           "midphase": 14, "eulerdamp": 15, "autoreset": 16, "nativeccd": 17, "island": 18, "multiccd": 19}
ENABLE = {"override": 0, "energy": 1, "fwdinv": 2, "invdiscrete": 3}

# words of the options that are numbers in a Model
WORDS = {"integrator": ["euler", "rk4", "implicit", "implicitfast"], "cone": ["pyramidal", "elliptic"],
         "jacobian": ["dense", "sparse", "auto"], "solver": ["pgs", "cg", "newton"]}
MJCF_WORDS = {"euler": "Euler", "rk4": "RK4", "pgs": "PGS", "cg": "CG", "newton": "Newton"}

# MjcActuator
ACTUATOR = [
    ("mjc:group", "group", "Int"), ("mjc:gear", "gear", "DoubleArray"), ("mjc:crankLength", "cranklength", "Double"),
    ("mjc:actDim", "actdim", "Int"), ("mjc:actEarly", "actearly", "Bool"), ("mjc:dynType", "dyntype", "Token"),
    ("mjc:gainType", "gaintype", "Token"), ("mjc:biasType", "biastype", "Token"),
    ("mjc:dynPrm", "dynprm", "DoubleArray"), ("mjc:gainPrm", "gainprm", "DoubleArray"),
    ("mjc:biasPrm", "biasprm", "DoubleArray"), ("torsor:damping", "damping", "DoubleArray"),
    ("torsor:armature", "armature", "Double"),
]
ACTUATOR_RANGES = [("mjc:ctrl", "ctrl"), ("mjc:force", "force"), ("mjc:act", "act")]  # Limited, Range:min and Range:max
GAINS = ["fixed", "affine", "muscle"]
BIASES = ["none", "affine", "muscle"]
DYNAMICS = ["none", "integrator", "filter", "filterexact", "muscle"]

# MjcTendon
TENDON = [
    ("mjc:group", "group", "Int"), ("mjc:stiffness", "stiffness", "Double"), ("mjc:damping", "damping", "Double"),
    ("mjc:frictionloss", "frictionloss", "Double"), ("mjc:armature", "armature", "Double"),
    ("mjc:margin", "margin", "Double"), ("mjc:width", "width", "Double"),
    ("mjc:springlength", "springlength", "DoubleArray"),
    ("mjc:solreflimit", "solreflimit", "DoubleArray"), ("mjc:solimplimit", "solimplimit", "DoubleArray"),
    ("mjc:solreffriction", "solreffriction", "DoubleArray"), ("mjc:solimpfriction", "solimpfriction", "DoubleArray"),
    ("torsor:stiffness", "stiffness", "DoubleArray"), ("torsor:damping", "damping", "DoubleArray"),
]

# MjcEqualityAPI
EQUALITY = [("mjc:solref", "solref", "DoubleArray"), ("mjc:solimp", "solimp", "DoubleArray")]


def text(value) -> str:
    """A value of USD as an attribute of MJCF."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return MJCF_WORDS.get(value, value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    return " ".join(repr(float(number)) for number in value)


def take(stage, prim, rows, attributes: dict[str, str]) -> None:
    """Adds the attributes of a table that a prim has."""
    for usd, mjcf, _ in rows:
        value = stage.get(prim, usd)
        if value is not None and not (hasattr(value, "__len__") and len(value) == 0):
            attributes[mjcf] = text(value)
