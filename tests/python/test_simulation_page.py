"""docs/simulation.md: each statement names tests, and these exist. Arrays in the reference say their frames."""

import pathlib
import re

import pytest

import torsor

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "simulation.md"


def guarantees():
    """The last section of the page: what programs can rely on. The guide is above it."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sections[-1].startswith("What programs can rely on\n")
    return sections[-1]


def statements():
    """(statement, names of its tests) of every row of the section."""
    rows = [line.strip("|").rsplit("|", 1) for line in guarantees().splitlines()
            if line.startswith("| ") and not line.startswith("| statement")]
    return [(text.strip(), re.findall(r"`([^`]+)`", tests)) for text, tests in rows]


def known_tests():
    names = set()
    for path in (ROOT / "tests").rglob("*.py"):
        names.update(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    for path in (ROOT / "tests").rglob("*_test.cpp"):
        names.update(".".join(pair) for pair in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)",
                                                           path.read_text(encoding="utf-8"), re.MULTILINE))
    for path in (ROOT / "tests").rglob("CMakeLists.txt"):
        names.update(re.findall(r"add_test\(NAME ([\w.]+)", path.read_text(encoding="utf-8")))
    return names


def test_every_statement_has_tests_and_they_exist():
    known, found = known_tests(), statements()
    assert len(found) > 60
    for text, tests in found:
        assert tests, f"no test shows: {text}"
        missing = [name for name in tests if name not in known]
        assert not missing, f"{missing} do not exist, but should show: {text}"


def test_every_section_has_statements():
    sections = re.split(r"^### ", guarantees(), flags=re.MULTILINE)[1:]
    assert len(sections) >= 14
    for section in sections:
        assert "| statement | shown by |" in section, section.splitlines()[0]


# A frame in words, or in the notation of docs/notation.md: p_WoBo_W, R_PB, V_WB at Tcm in W.
FRAME = re.compile(r"\bin W\b|_[WBPI]\b|\bR_[A-Z0-9]+\b|(body|parent|geom|site|mesh|camera|asset's|own) frame"
                   r"|frame of the|I's axes|axes of the")
# Arrays with as many columns that are no vectors in space.
NO_VECTOR = re.compile(r"rgba|colour|attenuation|friction|solref|solimp|poly|range|prm|interval|invweight0|texcoord|"
                       r"texrepeat|sensorsize|lengthspring|_history|eq_data|KBIP|stiffness")


@pytest.mark.parametrize("kind", ["model", "data"])
def test_every_vector_in_space_says_its_frame(kind):
    named = 0
    for row in torsor.fields(kind):
        if len(row.shape) < 2 or row.shape[1] not in ("3", "4", "6", "7", "9", "10") or "float" not in row.dtype:
            continue
        if NO_VECTOR.search(row.name) or NO_VECTOR.search(row.meaning):
            continue
        assert FRAME.search(row.meaning), f"{row.name}: '{row.meaning}' names no frame"
        named += 1
    assert named > 20


def test_the_reference_has_rows_contacts_and_joint_space():
    text = (ROOT / "docs" / "reference" / "fields.md").read_text(encoding="utf-8")
    for row in torsor.fields("rows"):
        assert f"`{row.name}`" in text and row.meaning in text
    for name in ("frame", "pos", "dist", "efc_address"):
        assert f"| `{name}` |" in text
    assert "in joint space" in text
