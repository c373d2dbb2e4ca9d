"""README.md says what is true: its figures are those of docs/performance.md, its counts those of docs/coverage.md."""

import re

from page_blocks import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables(text):
    """[{column: cell}] of every table of a page."""
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = block.splitlines()
        yield [dict(zip(cells(head), cells(row))) for row in rows]


def speed(text, ours, theirs, dofs):
    """{model: (dofs, MuJoCo, Torsor, ratio)} of the tables that have these columns."""
    return {row["model"]: (row[dofs], row[theirs], row[ours], row["ratio"])
            for table in tables(text) for row in table if {"model", ours, theirs, dofs, "ratio"} <= set(row)}


def test_the_figures_are_those_of_the_page_on_speed():
    shown = speed(README, "Torsor, us per step", "MuJoCo 3.12, us per step", "dofs")
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    measured = speed(page, "Torsor us/step", "MuJoCo us/step", "nv")
    assert len(shown) >= 5
    assert shown == {model: measured[model] for model in shown}, "copy the rows of docs/performance.md into README.md"


def test_the_range_of_ratios_is_that_of_the_page_on_speed():
    least, most = map(float, re.search(r"([\d.]+) to ([\d.]+) times as fast", README).groups())
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    ratios = sorted(float(row[3]) for row in speed(page, "Torsor us/step", "MuJoCo us/step", "nv").values())
    assert (least, most) == (round(ratios[0], 1), round(ratios[-1], 1))


def test_the_counts_are_those_of_the_page_on_coverage():
    supported, refused = map(int, re.search(r"(\d+) attributes are supported, (\d+) are refused",
                                            (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")).groups())
    assert f"{supported:,} of {supported + refused:,} attributes" in README
