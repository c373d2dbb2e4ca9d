#!/usr/bin/env python3
"""Writes the names of MuJoCo's Python module to a file: enums with their values, functions and classes with their
arguments and members, constants, and the types and shapes of the arrays of a model and of a data.

Only names, numbers and shapes are stored: no text. It runs with an interpreter that has MuJoCo 4.0:

    python scripts/list_mujoco_interface.py scripts/mujoco_interface.json
"""

import argparse
import json
import pathlib
import re

import mujoco
from mujoco.introspect import structs

FUNCTION = re.compile(r"^(mj|mju|mjd|mjv|mjr|mjs|mjp|mjui)_\w+$|^[sg]et_mj\w+$")
TYPES = {"mjtNum": "float64", "double": "float64", "float": "float32", "int": "int32", "mjtByte": "uint8", "mjtBool": "bool",
         "mjtSize": "int", "char": "bytes", "uint64_t": "uint64", "size_t": "int", "uintptr_t": "uint64", "mjtObj": "int32"}
STRUCTS = ("MjLROpt", "MjPreContact", "MjSolverStat", "MjTimerStat", "MjWarningStat", "MjvCamera", "MjvGLCamera", "MjvGeom",
           "MjvLight", "MjvOption", "MjvPerturb")
SUBMODULES = ("rollout", "minimize", "batch", "viewer")


def arguments(function):
    """Names of the arguments, from the first line of the documentation: all that a compiled function has."""
    line = (function.__doc__ or "").strip().split("\n")[0]
    if "(" not in line:
        return []
    depth, names, start = 0, [], line.index("(") + 1
    text = line[start:]
    for match in re.finditer(r"[\[\](){}]|(\w+):", text):
        if match.group(1):
            if depth == 0:
                names.append(match.group(1).rstrip("_") if match.group(1) == "from_" else match.group(1))
        else:
            depth += 1 if match.group(0) in "[({" else -1
            if depth < 0:
                break
    return names


def members(owner):
    return sorted(name for name in dir(owner) if not name.startswith("_") and not hasattr(object, name))


def fields(struct, owner):
    """Type and shape of the arrays and numbers of a struct that its class has too."""
    described = {}
    for field in structs.STRUCTS[struct].fields:
        if not hasattr(owner, field.name):
            continue
        extent = getattr(field, "array_extent", None) or ()
        kind = getattr(field.type, "inner_type", field.type)
        extents = tuple(str(each) for each in extent) or tuple(str(each) for each in getattr(field.type, "extents", ()))
        described[field.name] = [TYPES.get(getattr(kind, "name", ""), "object"), *extents]
    return described


def defaults(owner):
    """[type, value] of the numbers and arrays of a new object."""
    made, found = owner(), {}
    for name in members(owner):
        value = getattr(made, name)
        if hasattr(value, "dtype"):
            found[name] = [str(value.dtype), value.tolist()]
        elif isinstance(value, (bool, int, float, str)) or hasattr(value, "__int__"):
            found[name] = [type(value).__name__, value if isinstance(value, (bool, int, float, str)) else int(value)]
    return found


# attributes of elements that say where they are, and are not values
PLACES = ("id", "signature", "parent", "frame", "compiler", "classname", "default", "path", "copy_during_attach", "assets")
VECTORS = {"MjDoubleVec": "vector float64", "MjFloatVec": "vector float32", "MjIntVec": "vector int32", "MjStringVec": "strings",
           "MjCharVec": "chars", "MjIntVecVec": "lists int32", "MjFloatVecVec": "lists float32",
           "MjsOrientation": "orientation", "MjsPlugin": "plugin"}


def values(element):
    """[type, default] of the values of a new element."""
    found = {}
    for name in members(type(element)):
        if name in PLACES:
            continue
        value = getattr(element, name)
        if callable(value) or (isinstance(value, list) and not isinstance(element, mujoco.MjsSkin)):
            continue
        kind = type(value).__name__
        if hasattr(value, "dtype"):
            found[name] = [str(value.dtype), value.tolist()]
        elif kind in ("MjsOrientation", "MjsPlugin", "MjLROpt"):
            found[name] = [VECTORS.get(kind, kind), None]
        elif kind in VECTORS:
            found[name] = [VECTORS[kind], "".join(value) if kind == "MjCharVec" else list(value)]
        elif kind == "bytes":
            found[name] = ["bytes", ""]
        elif isinstance(value, (bool, int, float, str)) or hasattr(value, "__int__"):
            found[name] = [kind, value if isinstance(value, (bool, float, str)) else int(value)]
        elif isinstance(value, (dict, list)):
            found[name] = [kind, None]
    return found


def element_values():
    """The values of every kind of element of an MjSpec."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body()
    made = [body, *(getattr(body, f"add_{kind}")() for kind in ("frame", "joint", "geom", "site", "camera", "light"))]
    made += [getattr(spec, f"add_{kind}")() for kind in (
        "flex", "mesh", "skin", "hfield", "texture", "material", "pair", "exclude", "equality", "tendon", "actuator", "sensor",
        "numeric", "text", "tuple", "key", "plugin")]
    made += [spec.tendons[0].wrap_site(""), body.alt, spec.compiler, spec.authored]
    found = {type(element).__name__: values(element) for element in made}
    found["MjSpec"] = {name: row for name, row in values(spec).items() if row[0] in ("int", "str", "bool")}
    return found


def list_interface():
    found = {"version": mujoco.__version__, "enums": {}, "functions": {}, "classes": {}, "constants": {}, "modules": {}}
    for name in sorted(dir(mujoco)):
        value = getattr(mujoco, name)
        if name.startswith("_"):
            continue
        if isinstance(value, type) and hasattr(value, "__members__"):
            found["enums"][name] = {key: int(each) for key, each in value.__members__.items()}
        elif isinstance(value, type) and value.__module__.startswith("mujoco"):
            found["classes"][name] = members(value)
        elif callable(value) and (FUNCTION.match(name) or name in ("from_zip", "to_zip")):
            found["functions"][name] = arguments(value)
        elif name.startswith("mj") and isinstance(value, (int, float, str, tuple)):
            found["constants"][name] = value
    found["fields"] = {"MjModel": fields("mjModel", mujoco.MjModel), "MjData": fields("mjData", mujoco.MjData)}
    found["structs"] = {name: defaults(getattr(mujoco, name)) for name in STRUCTS}
    found["specs"] = element_values()
    for name in SUBMODULES:
        try:
            module = __import__(f"mujoco.{name}", fromlist=["x"])
        except Exception:  # the viewer needs a display
            continue
        found["modules"][name] = sorted(key for key, value in vars(module).items() if not key.startswith("_")
                                        and getattr(value, "__module__", None) == module.__name__)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    found = list_interface()
    lines = []
    for section, content in found.items():
        if isinstance(content, dict):
            rows = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items())
            lines.append(f" {json.dumps(section)}: {{\n  {rows}}}")
        else:
            lines.append(f" {json.dumps(section)}: {json.dumps(content)}")
    parser.parse_args().output.write_text("{\n" + ",\n".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
