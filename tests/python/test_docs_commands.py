"""Commands and files that the pages name exist: commands of torsor with their options, scripts, sources, tests, examples."""

import functools
import os
import re
import shlex
import sys

import pytest

from cli_support import ROOT, run

PAGES = sorted([ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "examples" / "README.md", *(ROOT / "docs").rglob("*.md")])
PATH = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # for commands that are written in Python
FOLDERS = ("scripts", "tests", "examples", "models", "benchmarks", "docs", "torsor")


def name_of(page):
    return str(page.relative_to(ROOT))


def commands_of(page):
    """Calls of torsor, in blocks and in the text, as lists of words. scripts/run passes its arguments on."""
    text = page.read_text(encoding="utf-8")
    lines = re.findall(r"^(?:\$ |    )?((?:torsor|scripts/run) [a-z].*)$", text, re.MULTILINE)
    lines += re.findall(r"`((?:torsor|scripts/run) [a-z][^`\n]*)`", text)
    return [shlex.split(re.sub(r"\s#.*", "", line)) for line in lines]


@functools.cache
def help_of(command):
    shown = run(command, "--help", PATH=PATH)
    assert shown.returncode == 0, f"there is no command torsor {command}"
    return shown.stdout


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_have_the_options_that_the_page_gives_them(page):
    for _, command, *words in commands_of(page):
        for option in (word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)):
            assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", help_of(command)), \
                f"{name_of(page)}: torsor {command} has no option {option}"
        help_of(command)


def test_there_are_commands_to_check():
    assert sum(len(commands_of(page)) for page in PAGES) > 20


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_the_page_names_exist(page):
    text = page.read_text(encoding="utf-8")
    for path in re.findall(rf"(?<![\w/.-])((?:{'|'.join(FOLDERS)})/[\w/.-]*\w)(?![\w*<])", text):
        assert list(ROOT.glob(path)) or path.startswith("torsor/_core"), f"{name_of(page)} names {path}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_sources_that_the_page_names_exist(page):
    """Sources are named from the folder torsor/ on: `sim/step.cpp`."""
    rooms = "|".join(folder.name for folder in (ROOT / "torsor").iterdir() if folder.is_dir())
    text = page.read_text(encoding="utf-8")
    for path in re.findall(rf"(?<![\w/.-])((?:{rooms})/[\w/]*\.[ch]pp)", text):
        assert (ROOT / "torsor" / path).is_file(), f"{name_of(page)} names {path}"
