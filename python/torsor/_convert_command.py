"""torsor convert with a file of USD, or from a compiled model to MJCF, which the program hands to Python."""

from __future__ import annotations

import argparse
import json
import os
import sys

from torsor._convert import convert
from torsor._error import Error

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def _bytes(text: str) -> int:
    unit = UNITS.get(text[-1:].upper(), 1)
    return int(text[:-1] if unit > 1 else text) * unit


def _parser() -> argparse.ArgumentParser:
    """The options of the program, which has checked them."""
    parser = argparse.ArgumentParser(prog="torsor convert")
    parser.add_argument("input", metavar="IN")
    parser.add_argument("output", metavar="OUT")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--ignore", type=lambda text: text.split(","), action="extend", default=[])
    parser.add_argument("--restrict", action="append")
    parser.add_argument("--memory-limit", type=_bytes)
    parser.add_argument("--base")
    parser.add_argument("--package", action="append")
    parser.add_argument("--merge-fixed", action="store_true")
    return parser


def run(arguments: list[str]) -> int:
    """Converts, and prints the report as the program does."""
    options = _parser().parse_args(arguments)
    try:
        report = convert(options.input, options.output, ignore=options.ignore, restrict=options.restrict,
                         memory_limit=options.memory_limit, base=options.base, packages=options.package,
                         merge_fixed=options.merge_fixed)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(report.to_dict(options.input), indent=2))
        return 0
    for warning in report.warnings:
        print(warning, file=sys.stderr)
    for index, file in enumerate(report.files):
        print(f"{file}: {os.path.getsize(file)} bytes" + (f" of {report.target.upper()}" if index == 0 else ""))
    if report.lost:
        print(f"not carried over to {report.target.upper()}:")
    for loss in report.lost:
        print(f"  {loss}")
    return 0
