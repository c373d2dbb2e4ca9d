"""Fails if objects of one instruction set define a symbol outside its namespace: isa_check.py <nm> <isa> <object>...

A weak symbol that several instruction sets share (an inline function, a template of the standard library) would be
merged by the linker into one copy, perhaps the AVX-512 one, and crash a processor without it.
"""

import pathlib
import re
import subprocess
import sys

# Not code: references for exception tables, and markers of the address sanitizer.
HARMLESS = re.compile(r"DW\.ref\.|__odr_asan")


def own_symbol(isa):
    """Matches mangled names that no other instruction set can have: those below torsor::<isa> (functions, their local
    statics and guards, vtables, typeinfo), and members of our templates over a type from there."""
    name = f"{len(isa)}{isa}"
    return re.compile(rf"_Z(TV|TI|TS|TT|GV|Z)*N[KVRO]*6torsor({name}|\d+\w+?I(NS_|N6torsor){name})")


def foreign_symbols(nm_output, isa):
    """The global and weak definitions in the output of nm that do not belong to this instruction set."""
    own = own_symbol(isa)
    names = [line.split()[-1] for line in nm_output.splitlines() if re.match(r"[0-9a-f]+ \w ", line)]
    return [name for name in names if not own.match(name) and not HARMLESS.match(name)], len(names)


def main():
    nm, isa, *objects = sys.argv[1:]
    total = 0
    failed = False
    for path in objects:
        if not pathlib.Path(path).exists():
            sys.exit(f"{path} is not built")
        command = [nm, "--defined-only", "--extern-only", path]
        output = subprocess.run(command, check=True, capture_output=True, text=True)
        foreign, count = foreign_symbols(output.stdout, isa)
        total += count
        failed = failed or bool(foreign)
        for name in foreign:
            readable = subprocess.run(["c++filt", name], check=True, capture_output=True, text=True).stdout.strip()
            print(f"{path} defines {readable} outside torsor::{isa}")
    print(f"{total} symbols in {len(objects)} objects of {isa}")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
