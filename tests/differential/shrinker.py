"""Reduces a failing model to a small one that still fails: fewer bodies, elements, attributes and digits."""

import copy
import xml.etree.ElementTree as ET

import mujoco

MOST_TRIALS = 3000


class Shrinker:
    """Greedy search: try each simplification, keep it if MuJoCo accepts the model and the failure persists."""

    def __init__(self, fails):
        self.fails = fails  # function of MJCF text; true when the failure is still there
        self.trials = 0

    def shrink(self, text):
        root = ET.fromstring(text)
        progress = True
        while progress and self.trials < MOST_TRIALS:
            progress = False
            for simplify in (_without_element, _without_shell, _without_attribute, _with_fewer_digits):
                root, better = self._exhaust(root, simplify)
                progress = progress or better
        ET.indent(root)
        return ET.tostring(root, encoding="unicode")

    def _exhaust(self, root, simplify):
        """Applies one kind of simplification at every place where the failure survives it."""
        better, place = False, 0
        while self.trials < MOST_TRIALS:
            candidate = copy.deepcopy(root)
            outcome = simplify(candidate, place)
            if outcome is None:
                break
            if outcome and self._still_fails(candidate):
                root, better = candidate, True
            else:
                place += 1
        return root, better

    def _still_fails(self, root):
        self.trials += 1
        text = ET.tostring(root, encoding="unicode")
        try:
            mujoco.MjModel.from_xml_string(text)
        except ValueError:
            return False
        return self.fails(text)


# A simplification changes the tree at a numbered place: true if it changed something, None past the last place.


def _without_element(root, place):
    pairs = [(parent, child) for parent in root.iter() for child in parent]
    if place >= len(pairs):
        return None
    parent, child = pairs[place]
    parent.remove(child)
    return True


def _without_shell(root, place):
    """Replaces a body, frame or default class by its children."""
    pairs = [(parent, child) for parent in root.iter() for child in parent if child.tag in ("body", "frame", "default")]
    if place >= len(pairs):
        return None
    parent, child = pairs[place]
    if len(child) == 0 or (child.tag == "default" and parent.tag != "default"):
        return False
    index = list(parent).index(child)
    parent.remove(child)
    for offset, grandchild in enumerate(list(child)):
        parent.insert(index + offset, grandchild)
    return True


def _without_attribute(root, place):
    pairs = [(element, name) for element in root.iter() for name in element.attrib]
    if place >= len(pairs):
        return None
    element, name = pairs[place]
    del element.attrib[name]
    return True


def _with_fewer_digits(root, place):
    pairs = [(element, name) for element in root.iter() for name in element.attrib]
    if place >= len(pairs):
        return None
    element, name = pairs[place]
    shorter = _shorter(element.get(name))
    if shorter == element.get(name):
        return False
    element.set(name, shorter)
    return True


def _shorter(value):
    try:
        return " ".join(f"{float(number):.1g}" for number in value.split())
    except ValueError:
        return value


def shrink(text, fails):
    """The smallest model found that MuJoCo accepts and for which fails(text) is true."""
    return Shrinker(fails).shrink(text)
