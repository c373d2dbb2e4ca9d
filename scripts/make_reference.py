#!/usr/bin/env python3
"""Writes docs/reference/: the fields of Model and Data, and the elements and attributes of MJCF, from the engine's lists.

Needs the built package, so run it with the interpreter of .venv:

    .venv/bin/python scripts/make_reference.py
"""

import argparse
import pathlib

import torsor
from markdown_table import table

STAGES = {
    "state": "State: what a simulation needs to continue",
    "input": "Input: set by the user",
    "position": "Computed from positions",
    "velocity": "Computed from positions and velocities",
    "acceleration": "Computed from state and input",
}
FIELDS_INTRODUCTION = """\
# Fields

All sizes, arrays and settings of Model and Data. In Python they are attributes of `torsor.Model` and `torsor.Data`, in C++
members with the same names. Frames and points are written as in [Notation](../notation.md). Where a unit has two parts, the
first is for translations and the second for rotations.

Arrays with one number per dof (`qvel`, `qacc`, `qfrc_*`) are in joint space: for a hinge or slide joint, along its axis; for a
ball joint, in the axes of the child body; for a free joint, the velocity of the body's origin (or the force at it) in world axes,
then the angular velocity (or torque) in body axes. In `qpos`, a ball joint has a quaternion wxyz, and a free joint a position followed
by a quaternion.

This page is generated from the engine's own lists by `scripts/make_reference.py`.
"""
MJCF_INTRODUCTION = """\
# MJCF

All elements and attributes of MJCF that Torsor supports, and the elements that it recognises and refuses by name. The argument
`ignore` leaves out a refused section. This page is generated from the reader's own tables by `scripts/make_reference.py`.
"""


def shape(row):
    return " x ".join(row.shape) or "1"


def meaning(row):
    return f"{row.meaning} ({row.values})" if row.values else row.meaning


def model_page():
    rows = torsor.fields("model")
    yield "## Sizes and flags of a Model"
    yield ""
    yield from table(("name", "meaning"), [(f"`{row.name}`", row.meaning) for row in rows if not row.shape])
    yield "## Arrays of a Model"
    yield ""
    yield "Structural arrays fix the model's structure and are read-only in Python. Derived ones follow from others, and"
    yield "`set_const` refreshes them. Free ones may be edited between steps. Whole numbers have allowed values: binary files"
    yield "with others are refused, and so are calls of the engine after others were written into an array."
    yield ""
    yield from table(("name", "shape", "type", "unit", "values", "access", "meaning"),
                     [(f"`{row.name}`", shape(row), row.dtype, row.unit, row.values, row.access, row.meaning)
                      for row in rows if row.shape])


def data_page():
    yield "## Arrays of a Data"
    yield ""
    for stage, title in STAGES.items():
        yield f"### {title}"
        yield ""
        yield from table(("name", "shape", "unit", "meaning"),
                         [(f"`{row.name}`", shape(row), row.unit, meaning(row))
                          for row in torsor.fields("data") if row.stage == stage])


def rows_page():
    yield "## Contacts and rows of a Data"
    yield ""
    yield "Their number changes from step to step. Distances, velocities and forces of a row are along its own direction:"
    yield "of a contact the axes of its frame, of a limit or friction the joint, dof or tendon, of a connection or weld the"
    yield "axes of the world."
    yield ""
    yield from table(("name", "shape", "unit", "meaning"),
                     [(f"`{row.name}`", shape(row), row.unit, meaning(row)) for row in torsor.fields("rows")])
    yield "Each contact has these, in `data.contact[i]` or, of all, in `data.contact`."
    yield ""
    yield from table(("name", "meaning"), [(f"`{name}`", value.__doc__) for name, value in vars(torsor.Contact).items()
                                           if isinstance(value, property)])


def mjcf_page():
    elements = torsor.schema_elements()
    for element in elements:
        if not element.supported:
            continue
        yield f"## {element.path}"
        yield ""
        if element.attributes:
            yield from table(("attribute", "unit", "meaning"),
                             [(f"`{attribute.name}`", attribute.unit, attribute.meaning)
                              for attribute in element.attributes])
        else:
            yield "No attributes."
            yield ""
    yield "## Refused by name"
    yield ""
    yield from table(("element", "left out with"),
                     [(f"`{element.path}`", f"`ignore=[\"{element.section}\"]`" if element.section else "")
                      for element in elements if not element.supported])


def page(introduction, *parts):
    lines = [line for part in parts for line in part]
    return introduction + "\n" + "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).parents[1]
    parser.add_argument("--output", type=pathlib.Path, default=root / "docs" / "reference", help="folder of the pages")
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fields.md").write_text(page(FIELDS_INTRODUCTION, model_page(), data_page(), rows_page()), encoding="utf-8")
    (folder / "mjcf.md").write_text(page(MJCF_INTRODUCTION, mjcf_page()), encoding="utf-8")


if __name__ == "__main__":
    main()
