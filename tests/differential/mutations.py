"""Feature models and scenes changed at random: numbers, words and elements of one in another."""

import copy
import functools
import random

import scenes
import schema
import sections

SECTIONS = ("worldbody", "contact", "equality", "tendon", "actuator", "sensor", "default")
LEFT_OUT = {"composite", "include", "attach", "model", "key", "text", "skin"}
# What only says how long a solver takes, how a file is read or what is drawn.
DULL = {"iterations", "ls_iterations", "tolerance", "ls_tolerance", "noslip_iterations", "noslip_tolerance", "solver", "memory",
        "file", "name", "rgba", "material", "texture", "user", "model", "meshdir", "texturedir", "assetdir", "jacobian", "content_type",
        "ccd_iterations", "ccd_tolerance", "prefix"}


@functools.cache
def sources():
    """Models as trees of elements, with what they include."""
    found = []
    for path in [*scenes.FEATURES, *sorted((scenes.ROOT / "models" / "scenes").glob("*.xml"))]:
        root = sections.read_with_includes(path)
        if not any(element.tag in ("attach", "composite") for element in root.iter()):
            sections.make_asset_folders_absolute(root, path.resolve().parent)
            found.append(root)
    return found


@functools.cache
def pools():
    """{path of an element: [its attributes]} and {path of a parent: [elements]} over all sources."""
    attributes, children = {}, {}
    for root in sources():
        for element, ancestors in schema.walk(root):
            path = schema.element_path(ancestors)
            attributes.setdefault(path, []).append({k: v for k, v in element.attrib.items() if k not in DULL})
            for child in element if element.tag not in ("mujoco", "asset", "custom", "keyframe") else ():
                if child.tag not in LEFT_OUT:
                    children.setdefault(path, []).append(child)
    return attributes, children


def mutated(seed):
    """The text of a model, changed in a few places."""
    dice = random.Random(seed)
    root = copy.deepcopy(dice.choice(sources()))
    for _ in range(dice.randint(1, 6)):
        _change(root, dice)
    for key in root.findall("keyframe"):
        root.remove(key)
    return sections.ET.tostring(root, encoding="unicode")


def _change(root, dice):
    places = [(element, ancestors) for element, ancestors in schema.walk(root) if len(ancestors) > 1 and element.tag not in LEFT_OUT
              and ancestors[1] not in ("asset", "custom", "keyframe", "visual", "statistic", "size")]
    element, ancestors = dice.choice(places)
    dice.choice((_scale, _scale, _give, _give, _drop, _graft, _graft, _remove))(root, element, schema.element_path(ancestors), dice)


def _scale(_root, element, _path, dice):
    names = [name for name in element.attrib if name not in DULL and _numbers(element.get(name))]
    if names:
        name = dice.choice(names)
        element.set(name, " ".join(f"{number * dice.choice((0.5, 0.9, 1.1, 2, -1, dice.uniform(0.3, 3))):.10g}"
                                   for number in _numbers(element.get(name))))


def _numbers(text):
    try:
        numbers = [float(word) for word in text.split()]
    except ValueError:
        return []
    return numbers if any(number != int(number) for number in numbers) or len(numbers) > 1 else []


def _give(_root, element, path, dice):
    other = dice.choice(pools()[0].get(path) or [{}])
    if other:
        name = dice.choice(sorted(other))
        element.set(name, other[name])


def _drop(_root, element, _path, dice):
    names = [name for name in element.attrib if name not in DULL]
    if names:
        del element.attrib[dice.choice(names)]


def _graft(_root, element, path, dice):
    others = pools()[1].get(path)
    if others:
        new = copy.deepcopy(dice.choice(others))
        for part in new.iter():
            part.attrib.pop("name", None)
        element.append(new)


def _remove(root, element, _path, _dice):
    if element.tag in SECTIONS:
        return
    for parent in root.iter():
        if element in list(parent):
            parent.remove(element)
            return
