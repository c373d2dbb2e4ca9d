"""Counts the instructions of a typed conversion and of the same by hand; fails if types cost more than 2 %.

    typed_cost.py PROGRAM
"""

import re
import subprocess
import sys

LIMIT = 1.02
FEW, MANY = 1000, 11000


def instructions(program, kind, count):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, kind, str(count)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    refs = re.search(r"refs:\s+([\d,]+)", result.stderr).group(1)
    return int(refs.replace(",", "")), result.stdout


def main():
    program = sys.argv[1]
    cost, sums = {}, {}
    for kind in ("hand", "typed"):
        few, _ = instructions(program, kind, FEW)
        many, sums[kind] = instructions(program, kind, MANY)
        cost[kind] = (many - few) / (MANY - FEW)
    ratio = cost["typed"] / cost["hand"]
    print(f"instructions of a conversion: {cost['hand']:.1f} by hand, {cost['typed']:.1f} typed, ratio {ratio:.3f}")
    assert sums["hand"] == sums["typed"], "the two compute the same"
    assert ratio <= LIMIT, f"typed quantities cost {ratio:.3f} times the hand-written code"


main()
