"""Reads the wheel's MJCF schema into {element path: attributes}, with paths as Torsor writes them."""

import functools
import pathlib
import re

import mujoco

BODY = "mujoco/worldbody/body"
# Elements that the wheel's schema text leaves out because they only arrange other elements.
ARRANGING = {
    BODY + "/frame": ("name", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "childclass", "scale", "scaling",
                      "massscale"),
    BODY + "/replicate": ("count", "offset", "euler", "sep", "prefix"),
}


@functools.cache
def wheel_schema():
    """Every element of the wheel's schema with its attributes."""
    found, path = {}, []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        start = re.match(r"( *)(\S+) \((.)\) *(.*)", line)
        if start:
            depth = len(start[1]) // 3
            path[depth:] = [start[2]]
            found["/".join(path)] = start[4].split()
        elif line.strip():
            found["/".join(path)] += line.split()
    named = {_torsor_path(path): tuple(attributes) for path, attributes in found.items()}
    return {**named, **ARRANGING}


def _torsor_path(path):
    return path.replace("mujoco/(world)body", BODY)


def element_path(ancestors):
    """The schema path of an element, given the tags from the root down to it."""
    path = "/".join(ancestors)
    path = re.sub(r"^mujoco/default(/default)*", "mujoco/default", path)
    return re.sub(r"^mujoco/worldbody(/(body|frame))*(?=/|$)", _collapse_bodies, path)


def _collapse_bodies(match):
    tags = match[0].split("/")[2:]
    if tags and tags[-1] == "frame" and match.end() == len(match.string):
        return BODY + "/frame"
    return BODY


def walk(element, ancestors=()):
    """All elements below one, each with the tags from the root down to it."""
    ancestors = (*ancestors, element.tag)
    yield element, ancestors
    for child in element:
        yield from walk(child, ancestors)


@functools.cache
def manual_words():
    """(element path, attribute, word) for all words that the wheel's manual lists as values of attributes."""
    manual = pathlib.Path(mujoco.__file__).parent / "doc" / "XMLreference.rst"
    found, path = [], None
    for line in manual.read_text().splitlines():
        heading = re.match(r"(?::el-prefix:`([\w()/]*)` \|-\| )?\*\*(\w+)\*\* ", line)
        words = re.match(r":at:`(\w+)`: :at-val:`\[([^\]]*)\]", line)
        if heading:
            path = _path_of_heading((heading[1] or "").strip("/").replace("(world)", ""), heading[2])
        elif words and path:
            found += [(path, words[1], word.strip()) for word in words[2].split(",")]
    return tuple(found)


def _path_of_heading(parent, tag):
    """The shortest path that ends as a heading does; defaults are elements of their own."""
    ending = "/".join([""] + [part for part in (parent, tag) if part])
    paths = [path for path in wheel_schema() if path.endswith(ending) and ("/default/" in path) == parent.startswith("default")]
    return min(paths, key=len, default=None)
