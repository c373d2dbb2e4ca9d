"""Prepares MJCF for MuJoCo: resolves includes and leaves out the sections that the other engine ignores."""

import pathlib
import xml.etree.ElementTree as ET

# Sections that collected models are compared without; what else in a file depends on a section is listed below.
LATER_SECTIONS = ("actuator", "deformable", "extension")

ACTUATOR_KINDS = {
    "general", "motor", "position", "velocity", "intvelocity", "orientation", "pid", "damper", "cylinder", "muscle",
    "adhesion", "dcmotor", "plugin",
}
FLEX_EQUALITIES = {"flex", "flexvert", "flexstrain"}
DEFAULTS_OF = {
    "contact": {"pair"},
    "equality": {"equality"},
    "tendon": {"tendon"},
    "actuator": ACTUATOR_KINDS,
}
# Sensors that need to know what touches or is near.
CONTACT_SENSORS = {"touch", "rangefinder", "distance", "normal", "fromto", "contact", "tactile"}
KEY_ATTRIBUTES_OF = {"actuator": {"ctrl", "act"}}
OBJECT_TYPES_OF = {
    "contact": {"pair", "exclude"},
    "equality": {"equality"},
    "tendon": {"tendon"},
    "actuator": {"actuator"},
    "sensor": {"sensor"},
    "deformable": {"flex", "skin"},
    "extension": {"plugin"},
}


def read_with_includes(path):
    """Parses a file and replaces each include by the children of the file it names."""
    path = pathlib.Path(path)
    root = ET.parse(path).getroot()
    _expand_includes(root, path.parent, path.parent)
    return root


def _expand_includes(parent, main_dir, here):
    for element in list(parent):
        if element.tag != "include":
            _expand_includes(element, main_dir, here)
            continue
        target = _find_include(element.get("file"), main_dir, here)
        included = ET.parse(target).getroot()
        _expand_includes(included, main_dir, target.parent)
        place = list(parent).index(element)
        parent.remove(element)
        for offset, child in enumerate(list(included)):
            parent.insert(place + offset, child)


def _find_include(name, main_dir, here):
    for folder in (here, main_dir):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"included file {name} not found beside {here} or {main_dir}")


def remove_sections(root, ignore):
    """Removes the named sections and everything that would refer to them, in place."""
    gone = set(ignore)
    for section in [child for child in root if child.tag in gone]:
        root.remove(section)
    defaults = set().union(*(DEFAULTS_OF.get(section, set()) for section in gone))
    for default in root.iter("default"):
        _remove_children(default, defaults)
    if "deformable" in gone:
        for asset in root.iter("asset"):
            _remove_children(asset, {"skin"})
        for section in root.iterfind("equality"):
            _remove_children(section, FLEX_EQUALITIES)
    if "tendon" in gone:
        for section in root.iterfind("equality"):
            _remove_children(section, {"tendon"})
    if "contact" in gone:
        for section in root.iterfind("sensor"):
            _remove_children(section, CONTACT_SENSORS)
    objects = set().union(*(OBJECT_TYPES_OF.get(section, set()) for section in gone))
    for section in root.iterfind("sensor"):
        for sensor in [child for child in section if objects & {*child.keys(), child.get("objtype")}]:
            section.remove(sensor)
    if "extension" in gone:
        for element in root.iter():
            _remove_children(element, {"plugin"})
    for key in root.iter("key"):
        for attribute in set().union(*(KEY_ATTRIBUTES_OF.get(section, set()) for section in gone)):
            key.attrib.pop(attribute, None)
    for group in root.iter("tuple"):
        for element in [child for child in group if child.get("objtype") in objects]:
            group.remove(element)


def _remove_children(parent, tags):
    for child in [child for child in parent if child.tag in tags]:
        parent.remove(child)


def make_asset_folders_absolute(root, folder):
    """A model given as a string has no folder of its own, so its asset folders are written out in full."""
    found = {}
    for compiler in root.iter("compiler"):
        for name in ("assetdir", "meshdir", "texturedir"):
            if compiler.get(name) is not None:
                found[name] = compiler.attrib.pop(name)
    common = found.get("assetdir", "")
    settings = {name: str(folder / found.get(name, common)) for name in ("meshdir", "texturedir")}
    root.insert(0, ET.Element("compiler", settings))


def stripped_file(path, ignore):
    """A model file without the ignored sections, loadable from anywhere: its text, and models it attaches by name."""
    path = pathlib.Path(path).resolve()
    root = read_with_includes(path)
    remove_sections(root, ignore)
    make_asset_folders_absolute(root, path.parent)
    attached = {}
    for index, child in enumerate(root.iterfind("asset/model")):
        name = f"attached{index}.xml"
        text, more = stripped_file(path.parent / child.get("file"), ignore)
        child.set("file", name)
        attached.update(more)
        attached[name] = text.encode()
    return ET.tostring(root, encoding="unicode"), attached


def stripped_string(text, ignore):
    """The text of a model without the ignored sections."""
    root = ET.fromstring(text)
    remove_sections(root, ignore)
    return ET.tostring(root, encoding="unicode")
