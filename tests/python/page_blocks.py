"""Code blocks of the pages in docs/: finds them, runs the Python among them, and compares what it prints."""

import contextlib
import io
import pathlib
import re
from dataclasses import dataclass

import pytest

ROOT = pathlib.Path(__file__).parents[2]
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


@dataclass
class Block:
    language: str
    code: str
    line: int  # of the first line of the code, from 1


def blocks_of(page, language=None):
    """The fenced blocks of a page, all or those of one language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = [Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1)
             for match in re.finditer(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]
    return [block for block in found if language in (None, block.language)]


def run_page(page, namespace=None):
    """Runs every Python block in one namespace; a block of text that follows one is what it must print."""
    namespace = {} if namespace is None else namespace
    blocks = blocks_of(page)
    for block, following in zip(blocks, [*blocks[1:], None]):
        if block.language != "python":
            continue
        printed = io.StringIO()
        # line numbers of the page in tracebacks; the page is ours: this is what its reader would type
        code = compile("\n" * (block.line - 1) + block.code, str(ROOT / page), "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
        if following is not None and following.language == "text":
            assert_prints(printed.getvalue(), following.code, f"{page}:{following.line}")
    return namespace


def assert_prints(printed, expected, where):
    """Equal words and spelling, and numbers equal as far as the page shows their digits."""
    assert NUMBER.sub("#", " ".join(printed.split())) == NUMBER.sub("#", " ".join(expected.split())), where
    for number, shown in zip(NUMBER.findall(printed), NUMBER.findall(expected), strict=True):
        digits = len(shown.partition(".")[2])
        assert float(number) == pytest.approx(float(shown), abs=0.51 * 10.0**-digits, rel=0), f"{where}: {shown}"
