"""docs/conventions.md is current, and docs/adding_a_convention.md does what it says."""

import re
import shlex
import subprocess
import sys

import pytest

from cli_support import PROGRAM, ROOT, run
from torsor import conventions

PAGE = ROOT / "docs" / "conventions.md"
ADDING = ROOT / "docs" / "adding_a_convention.md"


def blocks_of(language):
    text = ADDING.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path):
    """The files that the reader of the page has saved."""
    for name, language in (("mylab.json", "json"), ("body.csv", "csv")):
        (block,) = blocks_of(language)
        (tmp_path / name).write_text(block, encoding="utf-8")
    return tmp_path


def test_the_page_of_conventions_is_current(tmp_path):
    script = ROOT / "scripts" / "make_conventions.py"
    subprocess.run([sys.executable, script, "--program", PROGRAM, "--output", tmp_path / "page.md"], check=True)
    assert (tmp_path / "page.md").read_text() == PAGE.read_text(), f"run {script.relative_to(ROOT)}"


def test_the_page_marks_every_row_that_no_real_system_checks():
    sections = re.split(r"^### ", PAGE.read_text(), flags=re.MULTILINE)[1:]
    rows = {section.split("`")[1]: section for section in sections}
    known = [conventions.show(name) for name in conventions.ids() if not name.startswith(("mylab", "test."))]
    assert set(rows) == {row["id"] for row in known}
    for row in known:
        assert ("Not checked against the system itself" in rows[row["id"]]) == (not row["checked"]), row["id"]


def test_every_test_that_the_page_names_exists():
    named = set(re.findall(r"\btest_\w+(?!\w*\.py)\b(?!\.py)", PAGE.read_text()))
    tests = "".join(path.read_text() for path in (ROOT / "tests" / "differential").glob("test_convention_*.py"))
    assert len(named) >= 9
    assert not [name for name in named if f"def {name}(" not in tests]


def test_links_between_the_pages_lead_somewhere():
    for page in (PAGE, ADDING):
        text = page.read_text()
        for link in re.findall(r"\]\(([^)]+)\)", text):
            assert f'id="{link[1:]}"' in text if link.startswith("#") else (page.parent / link).exists(), link


@pytest.mark.parametrize("block", blocks_of("console"))
def test_the_commands_of_the_page_print_what_it_says(folder, block):
    command, expected = block.split("\n", 1)
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "torsor"
    printed = run(*arguments, cwd=folder).stdout
    for line, wanted in zip(printed.splitlines(), expected.splitlines(), strict=True):
        try:
            assert [float(cell) for cell in line.split(",")] == pytest.approx([float(cell) for cell in wanted.split(",")])
        except ValueError:  # words
            assert line == wanted


def test_the_python_of_the_page_prints_what_it_says(folder):
    (code,), (expected,) = blocks_of("python"), blocks_of("text")
    printed = subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, capture_output=True, text=True).stdout
    assert printed.split() == expected.split()


def test_the_cpp_of_the_page_is_what_the_cpp_test_compiles():
    (code,) = blocks_of("cpp")
    tested = (ROOT / "tests" / "convention" / "users_row_test.cpp").read_text()
    assert " ".join(code.split()) in " ".join(tested.split())
