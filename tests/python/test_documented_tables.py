"""Measured figures in the documentation come from benchmarks/make_tables.py: each table stands between markers that the
script knows, with the machine and the command, and the text around them repeats no figures. Nothing is measured here."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
GENERATED = {"conventions.md", "coverage.md", "mujoco_clients.md"}  # by scripts of their own
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^<!-- table (\w+) -->\n(.*?)^<!-- end of table (\w+) -->$", re.DOTALL | re.MULTILINE)
FIGURE = re.compile(r"\b\d[\d.,]*\s*(us|ms|ns|kB|MB|GB/s|Hz|million|instructions)\b|\b\d+\.\d+ times\b")


def load(name):
    path = ROOT / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


documented_tables = load("documented_tables")
make_tables = load("make_tables")
TABLES = {table.name: table for table in documented_tables.TABLES}


def tables_of(text):
    """Markdown tables as lists of rows of cells, without title and ruler."""
    tables, rows = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            tables.append(rows)
            rows = []
    return tables


def is_measured(table):
    """Whether most cells beyond the first column are numbers."""
    cells = [cell for row in table[2:] for cell in row[1:] if cell]
    numbers = [cell for cell in cells if re.fullmatch(r"[-+~]?[\d.,]+(e[-+]?\d+)?( ?(us|ms|mm|kB|%|x|um/s))?( / .*| and .*)?", cell)]
    return len(cells) > 0 and len(numbers) > 0.5 * len(cells)


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in GENERATED], ids=lambda page: page.name)
def test_tables_with_measured_figures_stand_between_markers(page):
    outside = BLOCK.sub("", page.read_text(encoding="utf-8"))
    left = [table[0] for table in tables_of(outside) if is_measured(table)]
    assert not left, f"{page.name}: put these tables between markers of benchmarks/make_tables.py: {left}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_script_knows_every_marker(page):
    text = page.read_text(encoding="utf-8")
    assert text.count("<!-- table ") == text.count("<!-- end of table ") == len(BLOCK.findall(text))
    for name, block, end in BLOCK.findall(text):
        assert name == end and name in TABLES, name
        assert ROOT / TABLES[name].page == page
        assert f"benchmarks/make_tables.py --only {name}" in block and "Measured on " in block
        assert len(tables_of(block)) == 1


def test_every_table_of_the_script_has_a_place():
    """That of the README may be missing: the README is short."""
    placed = [name for page in PAGES for name, *_ in BLOCK.findall(page.read_text(encoding="utf-8"))]
    assert len(placed) == len(set(placed))
    assert set(TABLES) - set(placed) <= {"readme_speed"}


def test_the_page_on_speed_repeats_no_figures_in_its_text():
    text = BLOCK.sub("", (ROOT / "docs" / "performance.md").read_text(encoding="utf-8"))
    found = [match[0] for match in FIGURE.finditer(re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))]
    assert not found, found


def test_a_block_is_replaced_and_the_rest_of_the_page_stays():
    page = "before\n\n<!-- table a -->\nold\n<!-- end of table a -->\n\nafter\n"
    assert make_tables.replace_block(page, "a", "new\nlines") == page.replace("old", "new\nlines")
    for broken in ("none", page + page, page.replace("end of ", "")):
        with pytest.raises(SystemExit):
            make_tables.replace_block(broken, "a", "new")


def test_tables_are_markdown_with_aligned_columns():
    lines = documented_tables.as_markdown([{"model": "humanoid", "us": "1.5"}, {"model": "a|b", "us": "12"}])
    assert lines == ["| model    | us  |", "|----------|-----|", "| humanoid | 1.5 |", "| a\\|b     | 12  |"]


def test_the_script_lists_its_tables_and_refuses_unknown_ones():
    script = [sys.executable, ROOT / "benchmarks" / "make_tables.py"]
    listed = subprocess.run([*script, "--list"], capture_output=True, text=True, check=True).stdout
    assert [line.split()[0] for line in listed.splitlines()] == list(TABLES)
    outcome = subprocess.run([*script, "--only", "nonsense"], capture_output=True, text=True, check=False)
    assert outcome.returncode != 0 and "unknown table nonsense" in outcome.stderr


def test_a_table_whose_models_are_missing_is_left_as_it_is(tmp_path):
    script = [sys.executable, ROOT / "benchmarks" / "make_tables.py", "--only", "sap_cost", "--print"]
    outcome = subprocess.run(script, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})
    assert outcome.returncode == 0 and "TORSOR_MODELS does not name a folder" in outcome.stderr
    assert not outcome.stdout
