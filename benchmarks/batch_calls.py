#!/usr/bin/env python3
"""What a call of Batch.step() costs besides its steps: one-step calls beside calls of many steps, in microseconds.

    .venv/bin/python benchmarks/batch_calls.py [model.xml ...] [--worlds 64] [--threads 1]

With MuJoCo's own mujoco.batch beside it.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parents[1]
STEPS = 50


def best(run, reset, rounds):
    """Seconds of the fastest of several runs from the same states."""
    times = []
    for _ in range(rounds):
        reset()
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)


def measure(step, reset, rounds):
    """Microseconds per step of all worlds: in one call, and in calls of one step each."""
    def single():
        for _ in range(STEPS):
            step(1)
    reset()
    step(STEPS)
    return [best(run, reset, rounds) / STEPS * 1e6 for run in (lambda: step(STEPS), single)]


def measure_torsor(path, worlds, threads, rounds):
    import torsor

    batch = torsor.Batch(torsor.Model.from_xml_path(path), worlds)
    return measure(lambda n: batch.step(n, threads=threads), batch.reset, rounds)


def measure_mujoco(path, worlds, threads, rounds):
    import mujoco
    from mujoco import batch

    worlds_of_mujoco = batch.Batch(mujoco.MjModel.from_xml_path(path), worlds, threads)
    return measure(lambda n: worlds_of_mujoco.step(nstep=n), worlds_of_mujoco.reset, rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=[str(ROOT / "models/demo.xml")])
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--mujoco", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    settings = arguments.worlds, arguments.threads, arguments.rounds
    if arguments.mujoco:
        print(json.dumps([measure_mujoco(path, *settings) for path in arguments.models]))
        return
    command = [sys.executable, __file__, "--mujoco", *arguments.models, "--worlds", str(arguments.worlds), "--threads",
               str(arguments.threads), "--rounds", str(arguments.rounds)]
    rows = {"Torsor": [measure_torsor(path, *settings) for path in arguments.models],
            "MuJoCo": json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)}
    print(f"{arguments.worlds} worlds, {arguments.threads} threads; us per step of all worlds", file=sys.stderr)
    for engine, times in rows.items():
        for path, (many, single) in zip(arguments.models, times):
            print(f"{engine:10} {pathlib.Path(path).stem:20} {STEPS} steps per call {many:9.1f}   one {single:9.1f}   "
                  f"a call costs {single - many:6.1f}")


if __name__ == "__main__":
    main()
