"""Torsor and MuJoCo side by side on the same models: time, instructions, loading, memory. Without constraints by default,
so that the smooth part shows; with contacts and constraints by --contact (see versus_contact.py).

Both engines load the same file, start from the same state, get the same smooth controls and take turns in one process,
so that a noisy machine disturbs both alike; the median of many rounds counts, with --fastest the quickest one. Their
states are compared, so that nobody wins by doing less.

    TORSOR_MODELS=path/to/models python benchmarks/versus_mujoco.py
    TORSOR_MODELS=path/to/models python benchmarks/versus_mujoco.py --all --markdown table.md
    TORSOR_MODELS=path/to/models python benchmarks/versus_mujoco.py --contact --stages
    python benchmarks/versus_mujoco.py --model my_robot.xml --rounds 200
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "differential"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import driving  # noqa: E402 found through the path above
import engines  # noqa: E402
import sections  # noqa: E402
import versus_contact  # noqa: E402
import versus_worker  # noqa: E402

MODELS = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "cassie": "menagerie/agility_cassie/cassie.xml",
    "shadow_hand": "menagerie/shadow_hand/right_hand.xml",
    "iiwa14": "menagerie/kuka_iiwa_14/iiwa14.xml",
}
OWN_MODELS = {"muscle_arm": pathlib.Path(__file__).resolve().parents[1] / "models" / "benchmarks" / "muscle_arm.xml"}
# Constraints and what Torsor does not read yet are left out for both engines.
LEFT_OUT = ("contact", "equality", "deformable", "extension")
STAGES = ("kinematics", "com_pos", "crb", "factor_m", "com_vel", "passive")
EMPTY = "<mujoco/>"
AGREEMENT_STEPS = 200  # long runs are chaotic


class Contest:
    """One model in both engines, in the same state and with the same controls."""

    def __init__(self, path, integrator):
        self.engines = [engines.rival(), engines.subject()]
        self.models = [engine.load_file(path) for engine in self.engines]
        for model in self.models:
            engines.disable_constraints(model)
            model.opt.integrator = engines.INTEGRATORS[integrator]
        self.data = [engine.make_data(model) for engine, model in zip(self.engines, self.models)]
        self.velocity = np.random.default_rng(1).normal(0, 0.3, self.models[0].nv)
        self.controls = driving.smooth_controls(self.models[0])

    def restart(self, side):
        engine, model, data = self.engines[side], self.models[side], self.data[side]
        engine.reset(model, data)
        data.qvel[:] = self.velocity

    def run(self, side, steps):
        driving.run(self.engines[side], self.models[side], self.data[side], self.controls, steps)

    def step_seconds(self, side, steps):
        """Time per step."""
        self.restart(side)
        start = time.perf_counter()
        self.run(side, steps)
        return (time.perf_counter() - start) / steps

    def agreement(self):
        """The largest difference of the states after some steps, relative to the largest value."""
        for side in (0, 1):
            self.restart(side)
            self.run(side, AGREEMENT_STEPS)
        states = [np.concatenate([data.qpos, data.qvel, data.act]) for data in self.data]
        return float(np.abs(states[0] - states[1]).max() / np.abs(states[0]).max())


def in_turns(rounds, measure, typical=statistics.median):
    """The typical times of both sides over rounds in alternating order, and their ratio."""
    times = ([], [])
    for number in range(rounds):
        for side in ((0, 1), (1, 0))[number % 2]:
            times[side].append(measure(side))
    judge, subject = (typical(side) for side in times)
    return judge, subject, judge / subject


def steps_for(contest, seconds):
    """How many steps make a round long enough to time well."""
    contest.step_seconds(0, 20)
    return max(20, int(seconds / contest.step_seconds(0, 50)))


def call_seconds(engine, model, data, names, repeats):
    """Time of one call of each named function, one after the other."""
    functions = [getattr(engine, name) for name in names]
    start = time.perf_counter()
    for _ in range(repeats):
        for function in functions:
            function(model, data)
    return (time.perf_counter() - start) / repeats


def smooth_seconds(contest, names, rounds, repeats=300):
    """Time of some functions on the model, less the time of the same calls on an empty world."""
    empty = [engine.load_string(EMPTY) for engine in contest.engines]
    empty_data = [engine.make_data(model) for engine, model in zip(contest.engines, empty)]
    for side, engine in enumerate(contest.engines):
        contest.restart(side)
        engine.forward(contest.models[side], contest.data[side])

    def measure(side):
        engine = contest.engines[side]
        full = call_seconds(engine, contest.models[side], contest.data[side], names, repeats)
        return full - call_seconds(engine, empty[side], empty_data[side], names, repeats)

    return in_turns(rounds, measure)


def measure_model(name, path, options):
    """One row of the table."""
    contest = Contest(path, options.integrator)
    steps = steps_for(contest, 0.002 if options.fastest else 0.01)  # short enough to escape other processes
    typical = min if options.fastest else statistics.median
    step = in_turns(options.rounds, lambda side: contest.step_seconds(side, steps), typical)
    agreement = contest.agreement()
    forward = smooth_seconds(contest, ("forward",), options.rounds)
    stages = smooth_seconds(contest, STAGES, options.rounds)
    model = contest.models[0]
    row = {
        "model": name, "nbody": model.nbody, "nv": model.nv, "nu": model.nu, "ngeom": model.ngeom,
        "MuJoCo us/step": f"{step[0] * 1e6:.2f}", "Torsor us/step": f"{step[1] * 1e6:.2f}",
        "step ratio": f"{step[2]:.2f}",
        "forward ratio": f"{forward[2]:.2f}", "stages us": f"{stages[0] * 1e6:.2f} / {stages[1] * 1e6:.2f}",
        "stages ratio": f"{stages[2]:.2f}", f"difference after {AGREEMENT_STEPS} steps": f"{agreement:.1e}",
    }
    if options.memory or options.all:
        row["memory kB"] = memory(contest)
    if options.load or options.all:
        row["load ms"] = loading(path, options.load_rounds)
    if options.instructions or options.all:
        row["instructions"] = instructions(path, options.integrator)
    return row


def memory(contest):
    """Fixed fields plus the arena's high water after some steps, MuJoCo / Torsor."""
    sizes = [(data.nbuffer + data.maxuse_arena) / 1024 for data in contest.data]
    return f"{sizes[0]:.1f} / {sizes[1]:.1f}"


def loading(path, rounds):
    """Loading in a fresh process, MuJoCo / Torsor and the ratio."""
    judge, subject, ratio = in_turns(rounds, lambda side: versus_worker.load_seconds(("mujoco", "torsor")[side], path))
    return f"{judge * 1e3:.1f} / {subject * 1e3:.1f} ({ratio:.2f})"


def instructions(path, integrator):
    """Instructions of one step, MuJoCo / Torsor and the share."""
    counts = [versus_worker.instructions_per_step(engine, path, integrator) for engine in ("mujoco", "torsor")]
    return f"{counts[0]:,.0f} / {counts[1]:,.0f} ({counts[1] / counts[0]:.2f})"


def prepared(path):
    """The model's text for both engines. Length ranges that MuJoCo measures are written into it."""
    text, assets = sections.stripped_file(path, LEFT_OUT)
    root = ET.fromstring(text)
    muscles = [muscle for muscle in root.findall("actuator/muscle") if "lengthrange" not in muscle.attrib]
    if muscles:
        model = mujoco.MjModel.from_xml_string(text, assets)
        for muscle in muscles:
            low, high = model.actuator(muscle.get("name")).lengthrange
            muscle.set("lengthrange", f"{low:.17g} {high:.17g}")
    return ET.tostring(root, encoding="unicode")


def as_table(rows):
    """Rows as a markdown table that is also readable in a terminal."""
    heads = list(rows[0])
    widths = [max(len(head), *(len(str(row[head])) for row in rows)) for head in heads]
    lines = [heads, ["-" * width for width in widths]] + [[str(row[head]) for head in heads] for row in rows]
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines)


def chosen_models(options):
    """{name: path} of the models to run."""
    if options.model:
        return {pathlib.Path(path).stem: pathlib.Path(path) for path in options.model}
    folder = os.environ.get("TORSOR_MODELS")
    if not folder:
        raise SystemExit("TORSOR_MODELS must name a folder with the models, or give --model FILE")
    return {name: pathlib.Path(folder) / path for name, path in MODELS.items()} | OWN_MODELS


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", metavar="FILE", help="run this file instead; may be repeated")
    parser.add_argument("--integrator", default="Euler", choices=engines.INTEGRATORS)
    parser.add_argument("--rounds", type=int, default=60, help="turns of each engine (default 60)")
    parser.add_argument("--fastest", action="store_true", help="the quickest round of steps counts, for a busy machine")
    parser.add_argument("--instructions", action="store_true", help="count instructions per step with callgrind")
    parser.add_argument("--load", action="store_true", help="time loading in a fresh process")
    parser.add_argument("--load-rounds", type=int, default=7, help="fresh processes of each engine (default 7)")
    parser.add_argument("--memory", action="store_true", help="compare the memory of one world")
    parser.add_argument("--all", action="store_true", help="all of these")
    parser.add_argument("--contact", action="store_true", help="whole steps with contacts and constraints")
    parser.add_argument("--stages", action="store_true", help="with --contact: where the time goes, by own timers")
    parser.add_argument("--only", metavar="NAMES", help="with --contact: these models, separated by commas")
    parser.add_argument("--markdown", metavar="FILE", help="also write the table to a file")
    return parser.parse_args()


def main():
    options = parse_arguments()
    table = versus_contact.run(options, as_table) if options.contact else smooth_table(options)
    print(table)
    if options.markdown:
        pathlib.Path(options.markdown).write_text(table + "\n")


def smooth_table(options):
    """Models without their constraints."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path in chosen_models(options).items():
            print(f"{name} ...", file=sys.stderr, flush=True)
            stripped = pathlib.Path(folder) / f"{name}.xml"
            stripped.write_text(prepared(path))
            rows.append(measure_model(name, stripped, options))
    return as_table(rows)


if __name__ == "__main__":
    main()
