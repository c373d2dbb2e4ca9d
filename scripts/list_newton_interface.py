#!/usr/bin/env python3
"""Writes the names of Newton's public interface to a file: modules, classes, functions, members and arguments.

Only names are stored: no defaults, no text. Needs Newton and Warp, which the tests do not install (63 MB and 392 MB
unpacked), so it runs in an environment of its own; `scripts/newton --write` makes that, and calls:

    build/newton_environment/bin/python scripts/list_newton_interface.py scripts/newton_interface.json
"""

import argparse
import enum
import importlib
import inspect
import json
import pathlib
import pkgutil


PUBLIC = set()  # classes that are listed


def arguments(function):
    """Names of the arguments of a callable, without self; * and ** for those that take any."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [marks.get(parameter.kind, "") + parameter.name for parameter in parameters
            if parameter.name not in ("self", "cls")]


def describe(value):
    """The kind of a public name, with its arguments or members."""
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return {"kind": "enum", "members": sorted(value.__members__)}
    if isinstance(value, type):
        return describe_class(value)
    if callable(value):
        return {"kind": "function", "arguments": arguments(value)}
    return {"kind": "value"}


def describe_class(owner):
    members = {}
    for name, value in inspect.getmembers(owner):
        if name.startswith("_"):
            continue
        defined = next((base for base in owner.__mro__ if name in vars(base)), owner)
        if defined.__module__.split(".")[0] != "newton" or (defined is not owner and defined in PUBLIC):
            continue  # inherited from Python or Warp, or from a class that is listed itself
        members[name] = describe(value) if isinstance(value, type) else (
            {"kind": "method", "arguments": arguments(value)} if callable(value) else {"kind": "property"})
    for base in owner.__mro__:
        for name in getattr(base, "__annotations__", {}) if base.__module__.startswith("newton") else ():
            if not name.startswith("_"):
                members.setdefault(name, {"kind": "property"})
    return {"kind": "class", "arguments": arguments(owner), "members": dict(sorted(members.items()))}


def instances():
    """One object of each class whose attributes exist only after construction."""
    import newton

    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    builder.add_shape_box(builder.add_body(), hx=0.1, hy=0.1, hz=0.1)
    model = builder.finalize(device="cpu")
    return [builder, model, model.state(), model.control(), newton.CollisionPipeline(model),
            newton.CollisionPipeline(model).contacts(), newton.Mesh.create_box(1.0, 1.0, 1.0)]


def list_interface():
    import newton

    names = ["newton"] + sorted(f"newton.{module.name}" for module in pkgutil.iter_modules(newton.__path__)
                                if not module.name.startswith("_") and module.name not in ("examples", "tests"))
    interface, modules = {}, {name: importlib.import_module(name) for name in names}
    for module in modules.values():
        PUBLIC.update(value for each in getattr(module, "__all__", ()) if isinstance(value := getattr(module, each), type))
    for name, module in modules.items():
        public = getattr(module, "__all__", None) or [each for each in vars(module) if not each.startswith("_")]
        interface[name] = {each: describe(getattr(module, each)) for each in sorted(public)
                           if not inspect.ismodule(getattr(module, each))}
    for made in instances():
        members = interface["newton"][type(made).__name__]["members"]
        for name in vars(made):
            if not name.startswith("_"):
                members.setdefault(name, {"kind": "property"})
        interface["newton"][type(made).__name__]["members"] = dict(sorted(members.items()))
    return {"version": newton.__version__, "modules": interface}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    chosen = parser.parse_args()
    found = list_interface()
    lines = [f'{{"version": {json.dumps(found["version"])}, "modules": {{']
    for module, names in found["modules"].items():  # one line for each name
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(described)}" for name, described in names.items())
        lines.append(f" {json.dumps(module)}: {{\n{rows}}}" + ("" if module == list(found["modules"])[-1] else ","))
    chosen.file.write_text("\n".join([*lines, "}}"]) + "\n")
