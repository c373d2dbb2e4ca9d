#!/usr/bin/env python3
"""Writes docs/conventions.md from the rows that the program knows.

Needs the built program:

    scripts/make_conventions.py [--program build/release/cli/torsor] [--output docs/conventions.md]
"""

import argparse
import json
import os
import pathlib
import subprocess

from markdown_table import table

ROOT = pathlib.Path(__file__).parents[1]
DEFAULT_PROGRAM = os.environ.get("TORSOR_PROGRAM", str(ROOT / "build" / "release" / "cli" / "torsor"))
UNCHECKED = "not checked against the system itself"
DOCUMENT_TESTS = "tests/differential/test_convention_documents.py"

INTRODUCTION = """\
# Conventions

The conventions of some thirty systems for quaternions, poses, velocities, forces and joint orders. Use this page to look up
a system, and these commands to compare two of them and to convert data:

    torsor conventions                           # the table below
    torsor conventions show newton               # one row, with the values that each cell can have
    torsor conventions diff isaaclab2 isaaclab3  # what differs
    torsor state run.csv --from mujoco --to drake --model robot.xml --out drake.csv

Each system is a row of cells. There are no conversions written for pairs of systems: each is derived from two rows, and forces
follow from velocities, because power is the same number on both sides. A system that changed its convention has a row for each
version. A cell that a system does not specify is *open*: a conversion that needs it is refused with an error that names the cell,
until you specify it in brackets, as in `physx[axes=z-up,pose=position first]`.

The row `mujoco` is z up. A conversion that is given a model uses the axes of that model instead (`model.world_axes`,
`model.body_axes`); for MuJoCo's numbers in Earth axes without a model there is the row `mujoco.earth`. [Free
flight](flight.md) has an example.

To add your own system, see [Adding a convention](adding_a_convention.md). This page is generated from the rows
(`torsor/convention/rows.hpp`, `rows.cpp`) by `scripts/make_conventions.py`.
"""

DOCUMENTS_INTRODUCTION = f"""\
## Errata of well-known documents

These documents are good and widely used, so here is where they disagree with physics or with the system itself, with
the test that shows it (in `{DOCUMENT_TESTS}`).
"""

# document, what it says, what holds, test
DOCUMENTS = [
    ("Newton, Conventions (primer, and again under wrenches)",
     "A torque moved by r = p_new - p_old gains r x f.",
     "It loses r x f: tau_new = tau - r x f. Only this sign preserves power when v_new = v + w x r.",
     "test_the_torque_shift_of_newtons_primer_has_the_wrong_sign"),
    ("Newton, Conventions (Modern Robotics)",
     "A body twist becomes a spatial twist with v_s = R v_b + w_s x p.",
     "v_s = R v_b - w_s x p: the adjoint of the pose, and what the page's own v_s = pdot - w_s x p says.",
     "test_the_body_to_spatial_map_of_newtons_page_has_the_wrong_sign"),
    ("Newton, Conventions (velocities)",
     "One letter r for the step between two points.",
     "Two of its formulas use opposite directions; read each with its own definition.",
     "test_newtons_page_writes_r_in_two_senses"),
    ("Ptera Software, MuJoCo Conventions",
     "qvel[0:3] of a free joint is the velocity of the centre of gravity.",
     "It is that of the body's origin; the two are equal only if the centre of mass is at the origin, as in Ptera's "
     "model.",
     "test_pteras_cg_velocity_holds_only_with_the_com_at_the_origin"),
    ("MuJoCo, Simulation (object velocity)",
     "The six numbers hold translation, then rotation.",
     "MuJoCo 4.0 returns rotation first.",
     "test_object_velocity_puts_rotation_first"),
    ("MuJoCo, Simulation (mju_mulPose)",
     "It transforms the first pose by the second.",
     "It composes the two: the second pose is relative to the first.",
     "test_mul_pose_composes"),
    ("MuJoCo, Simulation (sparse matrices)",
     "rowadr[r] = rowadr[r-1] + rownnz[r].",
     "A row starts where the one before ends: rowadr[r] = rowadr[r-1] + rownnz[r-1].",
     "test_csr_row_addresses"),
]
AGES = """\
Other documents were correct when they were written:

- Isaac Lab: tables that list its quaternions as wxyz predate version 3.0; since then they are xyzw. Hence `isaaclab2` and
  `isaaclab3`, and no `isaaclab`.
- USD: "real part first" holds for `.usda` text (`usd.text`); in memory and in `.usdc` files the real part is last
  (`usd.memory`).
- Newton: velocities of free joints used to be in world axes, and are in those of the parent anchor in newer versions
  (`newton.joint`, `newton.joint.1_5`); the two agree if that anchor is not rotated.
- Newton's Featherstone solver used to move free bodies incorrectly if their centre of mass is not at their origin. What must hold:
  `test_a_pure_torque_in_newtons_convention_leaves_the_com_at_rest` and
  `test_a_free_spin_in_newtons_convention_turns_about_the_com`.
- The MuJoCo chapter on simulation describes sensor noise, which MuJoCo no longer has, and predates its current
  margins, gaps, warm starts and implicit integrators.
"""


def word(row, *cells):
    """The values of cells, once if they are equal; 'open' where the system does not specify one."""
    words = list(dict.fromkeys("open" if row["cells"][cell] == "unspecified" else row["cells"][cell] for cell in cells))
    return ", ".join(words)


def rotation(row):
    form = word(row, "rotation")
    if form == "quaternion":
        return word(row, "quat")
    return f"euler {word(row, 'euler')}" if form == "euler" else form


def wrench(row):
    cells = [f"wrench.{part}" for part in ("point", "linear", "angular", "order")]
    if all(row["cells"][cell] == "unspecified" for cell in cells):
        return "open"
    sign = ", negated" if row["cells"]["wrench.sign"] == "-" else ""
    return f"{word(row, 'wrench.point')}, {word(row, 'wrench.linear', 'wrench.angular')}, {word(row, 'wrench.order')}{sign}"


def overview(rows):
    yield "## The table"
    yield ""
    yield "Points: origin of the body, its centre of mass (com), that of its tree, origin of the world. Axes: signed x y z"
    yield "in terms of x forward, y left, z up. *no* in the last column means " + UNCHECKED + "."
    yield ""
    yield from table(
        ("id", "rotation", "pose", "axes of the world", "linear velocity", "angular velocity", "twist", "wrench", "joints",
         "checked"),
        [(f"[`{row['id']}`](#{anchor(row)})", rotation(row), word(row, "pose"), word(row, "world"),
          word(row, "twist.point", "twist.linear") if row["cells"]["twist.point"] != "unspecified" else "open",
          word(row, "twist.angular"), word(row, "twist.order"), wrench(row), word(row, "joints"), row["checked"] or "no")
         for row in rows])


def anchor(row):
    return row["id"].replace(".", "-").replace("_", "-")


def cell_meanings(cells):
    yield "## Cells"
    yield ""
    yield from table(("cell", "meaning", "values"), [(f"`{c['name']}`", c["meaning"], c["words"]) for c in cells])
    yield "In brackets and in files, `axes` stands for `world` and `body`, `twist.frame` and `wrench.frame` for the axes of"
    yield "both vectors."
    yield ""


def situation_of_the_examples(situation):
    yield "## The common example"
    yield ""
    yield "Physical laws cannot distinguish a wrong row from a correct one, because a wrong row is self-consistent. So each row"
    yield "carries an example worked by hand from its source, and a test changes every cell of every row and checks that the"
    yield "example then fails. All examples describe the same situation, in which nothing is zero or aligned by chance, here in"
    yield f"our terms ({situation['terms']}):"
    yield ""
    yield from table(("quantity", "value"), situation["parts"].items())
    yield "`joint_force` are the six generalised forces of a free joint under that load; `ball` is the angular velocity of a"
    yield "ball joint between the two anchors. A missing quantity depends on a cell that the system does not specify."
    yield ""


def number(value):
    return f"{value:.8g}"


def example(row):
    worked = row["example"]
    for name, value in worked.items():
        if name != "assume":
            yield (f"`{name}`", value if isinstance(value, str) else " ".join(map(number, value)))


def section(row):
    yield f"<a id=\"{anchor(row)}\"></a>"
    yield f"### `{row['id']}`"
    yield ""
    version = f", version {row['version']}" if row["version"] else ""
    yield f"{row['system']}{version}. Source: {row['source']}. "
    yield f"Checked by tests against {row['checked']}." if row["checked"] else f"**{UNCHECKED.capitalize()}.**"
    yield ""
    known = [(f"`{name}`", value) for name, value in row["cells"].items() if value != "unspecified"]
    yield from table(("cell", "value"), known)
    if row["open"]:
        yield "Open: " + ", ".join(f"`{name}`" for name in row["open"]) + "."
        yield ""
    assume = row["example"].get("assume")
    yield f"Example, with `{row['id']}[{assume}]`:" if assume else "Example:"
    yield ""
    yield from table(("quantity", "numbers"), example(row))


def documents():
    yield DOCUMENTS_INTRODUCTION
    yield from table(("document", "it says", "what holds", "test"),
                     [(*texts, f"`{test}`") for *texts, test in DOCUMENTS])
    yield AGES


def make_page(known):
    rows = known["conventions"]
    lines = [*overview(rows), *documents(), *situation_of_the_examples(known["situation"]),
             *cell_meanings(known["cells"]), "## The rows", ""]
    for row in rows:
        lines += section(row)
    text = INTRODUCTION + "\n" + "\n".join(line.rstrip() for line in "\n".join(lines).split("\n"))
    return text.rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=DEFAULT_PROGRAM, help="the program torsor")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "conventions.md", help="the page")
    arguments = parser.parse_args()
    printed = subprocess.run([arguments.program, "conventions", "--json"], check=True, capture_output=True, text=True)
    arguments.output.write_text(make_page(json.loads(printed.stdout)), encoding="utf-8")


if __name__ == "__main__":
    main()
