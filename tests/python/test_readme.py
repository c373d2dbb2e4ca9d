"""README.md claims no more speed than docs/performance.md shows, and counts what docs/coverage.md counts."""

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


def test_the_claim_of_speed_is_no_more_than_was_measured():
    """Ratios move a little from run to run; the sentence gives one digit."""
    least, most = map(float, re.search(r"([\d.]+) to ([\d.]+) times as fast", README).groups())
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    ratios = [float(row["ratio"]) for table in tables(page) for row in table
              if {"MuJoCo us/step", "Torsor us/step", "ratio", "contacts"} <= set(row) and row["model"] != "heap"]
    assert len(ratios) > 10
    assert least <= min(ratios) + 0.1 and most <= max(ratios) + 0.1


def test_the_counts_are_those_of_the_page_on_coverage():
    supported, refused = map(int, re.search(r"(\d+) attributes are supported, (\d+) are refused",
                                            (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")).groups())
    assert f"{supported:,} of {supported + refused:,} attributes" in README
