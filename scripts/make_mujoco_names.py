#!/usr/bin/env python3
"""Writes python/torsor/mujoco/_names.py: enums, constants and fields of MuJoCo's module, from scripts/mujoco_interface.json.

    .venv/bin/python scripts/make_mujoco_names.py
    .venv/bin/python scripts/make_mujoco_names.py --check
"""

import argparse
import json
import pathlib
import sys
import textwrap

ROOT = pathlib.Path(__file__).parents[1]
STORED, WRITTEN = ROOT / "scripts" / "mujoco_interface.json", ROOT / "python" / "torsor" / "mujoco" / "_names.py"
HEADER = '''\
"""Names and numbers of MuJoCo {version}'s interface. Written by scripts/make_mujoco_names.py; not for editing."""

from math import nan

VERSION = "{version}"
'''


def wrapped(words):
    """A text of many words, as adjacent literals."""
    lines = textwrap.wrap(" ".join(words), 110, break_long_words=False, break_on_hyphens=False)
    return "(\n" + "\n".join(f'        "{line} "' for line in lines) + ")"


def section(name, comment, rows):
    body = "".join(f'    "{key}": {wrapped(words)},\n' for key, words in rows)
    return f"\n# {comment}\n{name} = {{\n{body}}}\n"


def constant(value):
    return tuple(constant(each) for each in value) if isinstance(value, list) else value


def table(name, comment, classes):
    text = f"\n# {comment}\n{name} = {{\n"
    for owner, fields in classes.items():
        text += f'    "{owner}": {{\n'
        for key, value in fields.items():
            lines = textwrap.wrap(f'"{key}": {value!r},', 106, break_long_words=False, drop_whitespace=False)
            text += "".join("        " + ("    " if i else "") + line.rstrip() + "\n" for i, line in enumerate(lines))
        text += "    },\n"
    return text + "}\n"


def make_text(stored):
    text = HEADER.format(version=stored["version"])
    text += section("ENUMS", "name=value", ((name, [f"{key}={value}" for key, value in members.items()])
                                           for name, members in stored["enums"].items()))
    text += section("FIELDS", "name:type:extents, of the arrays and numbers of a class",
                    ((name, [":".join([key, *described]) for key, described in fields.items()])
                     for name, fields in stored["fields"].items()))
    text += section("FUNCTIONS", "names of all functions", [("all", stored["functions"])])
    text += section("CLASSES", "names of all classes", [("all", stored["classes"])])
    text += table("STRUCTS", "type and default of the fields of small classes", stored["structs"])
    text += table("SPECS", "type and default of the values of a model's elements", stored["specs"])
    text += "\nCONSTANTS = {\n"
    for name, value in stored["constants"].items():
        lines = textwrap.wrap(f'"{name}": {constant(value)!r},', 110, break_long_words=False)
        text += "".join("    " + ("    " if i else "") + line + "\n" for i, line in enumerate(lines))
    return text + "}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail if the file is not up to date")
    text = make_text(json.loads(STORED.read_text(encoding="utf-8")))
    if parser.parse_args().check:
        sys.exit(0 if WRITTEN.read_text(encoding="utf-8") == text else f"{WRITTEN}: run {pathlib.Path(__file__).name}")
    WRITTEN.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
