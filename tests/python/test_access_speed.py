"""Attributes are cheap enough for the inner loops of learning code: their cost in instructions, which no load changes."""

import os
import re
import subprocess
import sys

REPEATS = 200
LIMITS = {  # instructions
    "data.qpos": 1000, "data.xpos": 1000, "data.time": 1000, "model.nv": 1000, "model.body_mass": 1000,
    "step(empty, empty_data)": 10_000,  # a call costs little more than its work
}
# Every call of getppid() writes what was counted since the last one: first an empty loop, then each statement, each
# once before to warm up. -S leaves out the start of the interpreter's site, whose path is given instead.
SCRIPT = """
import os, sys
sys.path[:] = {path!r}
import torsor
model = torsor.Model.from_xml_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
empty = torsor.Model.from_xml_string("<mujoco/>")
names = {{"model": model, "data": torsor.Data(model), "empty": empty, "empty_data": torsor.Data(empty), "step": torsor.step}}
for statement in {statements!r}:
    code = compile(f"for _ in range({repeats}): {{statement}}", "loop", "exec")
    for _ in range(2):
        os.getppid()
        exec(code, names)
os.getppid()
"""


def count_instructions(statements, folder):
    """Instructions of one execution of each statement."""
    script = SCRIPT.format(path=sys.path, statements=["pass", *statements], repeats=REPEATS)
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts", "--dump-before=getppid",
               sys.executable, "-S", "-c", script]
    subprocess.run(command, check=True, capture_output=True, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
    # dump 1: all before the first loop; then two of each statement, of which the second one counts
    dumps = [(folder / f"counts.{2 * i + 3}").read_text() for i in range(len(statements) + 1)]
    totals = [int(re.search(r"^totals: (\d+)", text, re.MULTILINE).group(1)) for text in dumps]
    return {statement: (total - totals[0]) / REPEATS for statement, total in zip(statements, totals[1:])}


def test_attributes_and_calls_take_few_instructions(tmp_path):
    planted = "sum(data.qpos.copy() for _ in range(9))"  # the count sees what costs something
    found = count_instructions([*LIMITS, planted], tmp_path)
    print({statement: round(count) for statement, count in found.items()})
    assert found.pop(planted) > 3000
    assert {name: count for name, count in found.items() if not 0 < count < LIMITS[name]} == {}
