"""Random compiler settings, options, defaults, assets and custom data for the random-model generator."""

import xml.etree.ElementTree as ET

import generator_contacts as contacts
import generator_elements as elements
from generator_values import text

BOOLEAN = ("true", "false")
COMPILER_ATTRIBUTES = {
    "autolimits": lambda dice: dice.pick(BOOLEAN),
    "inertiafromgeom": lambda dice: dice.pick(("true", "false", "auto")),
    "inertiagrouprange": lambda dice: dice.pick(("0 5", "0 4", "1 5", "0 2")),
    "boundmass": lambda dice: text(dice.spread(1e-2, 1)),
    "boundinertia": lambda dice: text(dice.spread(1e-3, 1e-1)),
    "balanceinertia": lambda dice: dice.pick(BOOLEAN),
    "settotalmass": lambda dice: text(dice.spread(1, 50)),
    "fusestatic": lambda dice: dice.pick(BOOLEAN),
    "discardvisual": lambda dice: dice.pick(BOOLEAN),
    "alignfree": lambda dice: dice.pick(BOOLEAN),
    "fitaabb": lambda dice: dice.pick(BOOLEAN),
    "eulerseq": lambda dice: "".join(dice.pick("xyzXYZ") for _ in range(3)),
}
OPTION_ATTRIBUTES = {
    "timestep": lambda dice: text(dice.spread(5e-4, 5e-3)),
    "gravity": lambda dice: text(*dice.vector(10)),
    "wind": lambda dice: text(*dice.vector(2)),
    "magnetic": lambda dice: text(*dice.vector(1)),
    "density": lambda dice: text(dice.spread(1, 1000)),
    "viscosity": lambda dice: text(dice.spread(1e-3, 1)),
    "integrator": lambda dice: dice.pick(("Euler", "RK4", "implicit", "implicitfast")),
    "impratio": lambda dice: text(dice.spread(0.5, 10)),
    "cone": lambda dice: dice.pick(("pyramidal", "elliptic")),
    "jacobian": lambda dice: dice.pick(("dense", "sparse", "auto")),
    "solver": lambda dice: dice.pick(("PGS", "CG", "Newton")),
    "iterations": lambda dice: text(dice.integer(1, 200)),
    "tolerance": lambda dice: text(dice.spread(1e-10, 1e-6)),
    "ls_iterations": lambda dice: text(dice.integer(1, 80)),
    "ls_tolerance": lambda dice: text(dice.spread(1e-4, 1e-1)),
    "noslip_iterations": lambda dice: text(dice.integer(0, 5)),
    "noslip_tolerance": lambda dice: text(dice.spread(1e-8, 1e-4)),
    "ccd_iterations": lambda dice: text(dice.integer(10, 60)),
    "ccd_tolerance": lambda dice: text(dice.spread(1e-8, 1e-4)),
    "sdf_iterations": lambda dice: text(dice.integer(1, 20)),
    "sdf_initpoints": lambda dice: text(dice.integer(10, 60)),
    "sleep_tolerance": lambda dice: text(dice.spread(1e-6, 1e-2)),
    "actuatorgroupdisable": lambda dice: dice.pick(("0", "1 3", "30")),
    "o_margin": lambda dice: text(dice.spread(1e-4, 1e-1)),
    "o_solref": lambda dice: dice.solref(),
    "o_solimp": lambda dice: dice.solimp(),
    "o_friction": lambda dice: text(*(dice.spread(1e-3, 2) for _ in range(5))),
}
FLAGS = (
    "constraint", "equality", "frictionloss", "limit", "contact", "spring", "damper", "gravity", "clampctrl",
    "warmstart", "filterparent", "actuation", "refsafe", "sensor", "midphase", "eulerdamp", "autoreset", "nativeccd",
    "island", "multiccd", "override", "energy", "fwdinv", "invdiscrete", "diagexact",
)
SIZE_ATTRIBUTES = {
    "nuser_body": lambda dice: text(dice.integer(2, 4)),
    "nuser_jnt": lambda dice: text(dice.integer(2, 4)),
    "nuser_geom": lambda dice: text(dice.integer(2, 4)),
    "nuser_site": lambda dice: text(dice.integer(2, 4)),
    "nuser_cam": lambda dice: text(dice.integer(2, 4)),
    "nuserdata": lambda dice: text(dice.integer(1, 5)),
    "nkey": lambda dice: text(dice.integer(1, 3)),
}
STATISTIC_ATTRIBUTES = {
    "meaninertia": lambda dice: text(dice.spread(0.01, 10)),
    "meanmass": lambda dice: text(dice.spread(0.01, 10)),
    "meansize": lambda dice: text(dice.spread(0.01, 1)),
    "extent": lambda dice: text(dice.spread(0.5, 5)),
    "center": lambda dice: text(*dice.vector(1)),
}
MATERIAL_ATTRIBUTES = {
    "emission": lambda dice: text(dice.uniform(0, 1)),
    "specular": lambda dice: text(dice.uniform(0, 1)),
    "shininess": lambda dice: text(dice.uniform(0, 1)),
    "reflectance": lambda dice: text(dice.uniform(0, 1)),
    "metallic": lambda dice: text(dice.uniform(0, 1)),
    "roughness": lambda dice: text(dice.uniform(0, 1)),
    "texrepeat": lambda dice: text(dice.uniform(1, 5), dice.uniform(1, 5)),
    "texuniform": lambda dice: dice.pick(BOOLEAN),
    "rgba": lambda dice: dice.colour(),
}
MESH_ATTRIBUTES = {
    "scale": lambda dice: text(*(dice.uniform(0.5, 2) for _ in range(3))),
    "refpos": lambda dice: text(*dice.vector(0.3)),
    "refquat": lambda dice: text(*dice.vector(1, 4)),
    "inertia": lambda dice: dice.pick(("legacy", "exact", "convex", "shell")),
    "smoothnormal": lambda dice: dice.pick(BOOLEAN),
}


def add_settings(root, dice, context):
    """compiler, option, size and statistic."""
    compiler = dice.some(COMPILER_ATTRIBUTES, 0.2)
    dice.degrees = dice.chance(0.6)
    if not dice.degrees:
        compiler["angle"] = "radian"
    elif dice.chance(0.3):
        compiler["angle"] = "degree"
    context.autolimits = compiler.get("autolimits") != "false"
    if compiler:
        ET.SubElement(root, "compiler", compiler)
    option = ET.SubElement(root, "option", dice.some(OPTION_ATTRIBUTES, 0.15))
    if dice.chance(0.4):
        flags = {name: dice.pick(("enable", "disable")) for name in FLAGS if dice.chance(0.15)}
        if option.get("integrator") == "RK4":
            flags.pop("invdiscrete", None)  # discrete inverse dynamics has no meaning for RK4
        ET.SubElement(option, "flag", flags)
    for tag, table in (("size", SIZE_ATTRIBUTES), ("statistic", STATISTIC_ATTRIBUTES)):
        if dice.chance(0.3):
            ET.SubElement(root, tag, dice.some(table, 0.3))


def add_defaults(root, dice, context):
    """A tree of default classes; records the class names for the elements that use them."""
    if not dice.chance(0.6):
        return
    top = ET.SubElement(root, "default", {"class": "main"} if dice.chance(0.3) else {})
    _fill_default(top, dice, context)
    for _ in range(dice.integer(0, 2)):
        _add_class(top, dice, context, depth=1)


def _add_class(parent, dice, context, depth):
    name = f"class{len(context.classes)}"
    context.classes.append(name)
    default = ET.SubElement(parent, "default", {"class": name})
    _fill_default(default, dice, context)
    if depth < 3 and dice.chance(0.4):
        _add_class(default, dice, context, depth + 1)


def _fill_default(default, dice, context):
    if dice.chance(0.6):
        attributes = dice.some(elements.JOINT_ATTRIBUTES, 0.2)
        if dice.chance(0.3):
            attributes.update(type=dice.pick(("hinge", "slide")), axis=text(*dice.direction()))
        if context.autolimits and dice.chance(0.3):
            attributes["range"] = text(dice.in_unit(-0.5), dice.in_unit(dice.uniform(0.5, 1)))
        ET.SubElement(default, "joint", attributes)
    if dice.chance(0.6):
        attributes = dice.some(elements.GEOM_ATTRIBUTES, 0.15)
        if dice.chance(0.5):
            attributes["size"] = text(*(dice.spread(0.05, 0.3) for _ in range(3)))
            attributes["type"] = dice.pick(elements.PRIMITIVES)
        if dice.chance(0.3):
            attributes["density"] = text(dice.spread(100, 5000))
        dice.place(attributes, move=0.2, rotate=0.2)
        ET.SubElement(default, "geom", attributes)
    if dice.chance(0.3):
        ET.SubElement(default, "site", dice.some(elements.SITE_ATTRIBUTES, 0.4))
    if dice.chance(0.3):
        ET.SubElement(default, "camera", dice.some(elements.CAMERA_ATTRIBUTES, 0.4))
    if dice.chance(0.3):
        ET.SubElement(default, "light", dice.some(elements.LIGHT_ATTRIBUTES, 0.3))
    if dice.chance(0.2):
        ET.SubElement(default, "material", dice.some(MATERIAL_ATTRIBUTES, 0.3))
    contacts.add_default_contacts(default, dice)


def add_assets(root, dice, context, with_meshes):
    """Textures, materials, and small meshes and height fields written inline."""
    asset = ET.Element("asset")
    if dice.chance(0.3):
        _add_material(asset, dice, context)
    if with_meshes:
        for _ in range(dice.integer(1, 2)):
            _add_mesh(asset, dice, context)
    if dice.chance(0.15):
        _add_height_field(asset, dice, context)
    if len(asset):
        root.append(asset)


def _add_material(asset, dice, context):
    texture = {"name": "texture0", "type": dice.pick(("2d", "cube")), "width": "8", "height": dice.pick(("8", "48"))}
    texture.update(builtin=dice.pick(("flat", "gradient", "checker")), rgb1="1 0 0", rgb2="0 0 1")
    if texture["type"] == "cube":
        texture.pop("height")
    ET.SubElement(asset, "texture", texture)
    context.materials.append("material0")
    attributes = dice.some(MATERIAL_ATTRIBUTES, 0.3)
    if dice.chance(0.5):
        attributes["texture"] = "texture0"
    ET.SubElement(asset, "material", {"name": "material0", **attributes})


def _add_mesh(asset, dice, context):
    name = f"mesh{len(context.meshes)}"
    context.meshes.append(name)
    centre, points = dice.vector(0.2), []
    for _ in range(dice.integer(5, 14)):
        points += [c + x * s for c, x, s in zip(centre, dice.vector(1), (0.3, 0.2, 0.12))]
    ET.SubElement(asset, "mesh", {"name": name, "vertex": text(*points), **dice.some(MESH_ATTRIBUTES, 0.25)})


def _add_height_field(asset, dice, context):
    rows, columns = dice.integer(2, 5), dice.integer(2, 5)
    context.height_fields.append("field0")
    heights = [dice.uniform(0, 3) for _ in range(rows * columns)]
    size = [dice.uniform(0.5, 2), dice.uniform(0.5, 2), dice.uniform(0.1, 1), dice.uniform(0.1, 1)]
    shape = {"nrow": str(rows), "ncol": str(columns), "size": text(*size), "elevation": text(*heights)}
    ET.SubElement(asset, "hfield", {"name": "field0", **shape})


def add_custom(root, dice, context):
    """Numbers, texts and tuples of the user."""
    if not dice.chance(0.2):
        return
    custom = ET.SubElement(root, "custom")
    ET.SubElement(custom, "numeric", name="numbers", data=text(*dice.vector(3, dice.integer(1, 4))), size="5")
    ET.SubElement(custom, "text", name="words", data=dice.pick(("hello", "two words", "a")))
    group = ET.SubElement(custom, "tuple", name="group")
    for body in context.bodies[:2]:
        ET.SubElement(group, "element", objtype="body", objname=body, prm=text(dice.uniform(-1, 1)))


def add_keyframes(root, dice, model):
    """Keyframes of the sizes that the compiled model turned out to have."""
    keyframe = ET.SubElement(root, "keyframe")
    for index in range(dice.integer(1, 2)):
        key = {"name": f"key{index}", "time": text(dice.uniform(0, 5))}
        sizes = (("qpos", model.nq), ("qvel", model.nv), ("mpos", 3 * model.nmocap), ("mquat", 4 * model.nmocap))
        for name, count in sizes:
            if count and dice.chance(0.6):
                key[name] = text(*dice.vector(1, count))
        ET.SubElement(keyframe, "key", key)
