#!/usr/bin/env python3
"""Measures the figures of the documentation and writes them into its pages.

Every table of measured figures stands between two markers in its page:

    <!-- table many_worlds -->
    ...
    <!-- end of table many_worlds -->

What is between them is made by this script: the machine and the date, the command, the table. Nobody edits it by hand.

    TORSOR_MODELS=path/to/models benchmarks/make_tables.py                    # all tables, about five minutes
    TORSOR_MODELS=path/to/models benchmarks/make_tables.py --only many_worlds,sap
    benchmarks/make_tables.py --only conventions --print                      # print it, leave the page as it is
    benchmarks/make_tables.py --list

Needs the built package (found in build/release/python, or on PYTHONPATH), the C++ benchmarks for some tables, and for most the
folder TORSOR_MODELS with MuJoCo's own models in `mujoco/` and MuJoCo Menagerie in `menagerie/`. A table whose needs are not
met is left as it is, and named at the end. Run it on a machine that has nothing else to do.
"""

import argparse
import datetime
import os
import pathlib
import platform
import re
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
for folder in ("tests/differential", "build/release/python", "benchmarks"):
    sys.path.insert(0, str(ROOT / folder))

import documented_tables  # noqa: E402 found through the path above

BEGIN, END = "<!-- table {} -->", "<!-- end of table {} -->"


def processor():
    """The name of the processor as the system tells it."""
    try:
        return re.search(r"^model name\s*:\s*(.+)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].strip()
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def instruction_set():
    """The one that the engine chose, by the width of its packs."""
    import torsor  # noqa: PLC0415 the built package, which --list does not need

    lanes = torsor.Batch(torsor.Model.from_xml_string("<mujoco/>"), 1).lanes
    return {8: "AVX-512", 4: "AVX2"}.get(lanes, "baseline")


def machine_line(quick, load):
    """What a reader must know to judge the figures."""
    kind = "a quick run, " if quick else ""
    return (f"Measured on {datetime.date.today().isoformat()} ({kind}{processor()}, {os.cpu_count()} cores, instruction set "
            f"{instruction_set()}, load {load:.1f} before the run) by")


def block_of(table, rows, notes, quick, load):
    """The text between the markers."""
    option = " --quick" if quick else ""
    lines = [machine_line(quick, load), "", "```", f"{table.environment}benchmarks/make_tables.py --only {table.name}{option}", "```", ""]
    lines += documented_tables.as_markdown(rows)
    for note in notes:
        lines += ["", note]
    return "\n".join(lines)


def replace_block(text, name, block):
    """The page with a new block between the markers of a table."""
    begin, end = BEGIN.format(name), END.format(name)
    if text.count(begin) != 1 or text.count(end) != 1:
        raise SystemExit(f"the page needs one '{begin}' and one '{end}'")
    head, rest = text.split(begin)
    _, tail = rest.split(end)
    return f"{head}{begin}\n{block}\n{end}{tail}"


def names_in(text):
    """Names of the tables that a page has markers for."""
    return re.findall(r"^<!-- table (\w+) -->$", text, re.MULTILINE)


def make(table, options):
    """Measures one table and writes it. Returns why it could not, or None."""
    reason = table.missing()
    page = ROOT / table.page
    if reason is None and not options.print and table.name not in names_in(page.read_text(encoding="utf-8")):
        reason = f"{table.page} has no markers for it"
    if reason is not None:
        return reason
    rows, notes = table.measure(documented_tables.Effort(options.quick))
    block = block_of(table, rows, notes, options.quick, options.load)
    if options.print:
        print(f"{block}\n", flush=True)
    else:
        page.write_text(replace_block(page.read_text(encoding="utf-8"), table.name, block), encoding="utf-8")
    return None


def chosen_tables(only):
    tables = {table.name: table for table in documented_tables.TABLES}
    if not only:
        return list(tables.values())
    unknown = [name for name in only.split(",") if name not in tables]
    if unknown:
        raise SystemExit(f"unknown table {', '.join(unknown)}; known are {', '.join(tables)}")
    return [tables[name] for name in only.split(",")]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME,...", help="these tables only")
    parser.add_argument("--quick", action="store_true", help="few rounds: to try the script, not for the documentation")
    parser.add_argument("--print", action="store_true", help="print the tables, leave the pages as they are")
    parser.add_argument("--list", action="store_true", help="list the tables and their pages")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.list:
        for table in documented_tables.TABLES:
            print(f"{table.name:16} {table.page:22} {table.about}")
        return
    options.load = os.getloadavg()[0]  # before our own work counts
    skipped, begin = {}, time.monotonic()
    for table in chosen_tables(options.only):
        print(f"{table.name} ...", end="", file=sys.stderr, flush=True)
        start = time.monotonic()
        reason = make(table, options)
        print(f" {time.monotonic() - start:.0f} s" if reason is None else f" left as it is: {reason}", file=sys.stderr)
        if reason is not None:
            skipped[table.name] = reason
    print(f"{time.monotonic() - begin:.0f} s in all; {len(skipped)} tables left as they are", file=sys.stderr)


if __name__ == "__main__":
    main()
