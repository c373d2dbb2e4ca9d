#!/usr/bin/env python3
"""What a call of step() from Python costs beyond the step itself, Torsor and MuJoCo side by side in one run.

One call for each step against one call for a thousand steps of the same model; the quickest of many rounds counts.

    python benchmarks/call_overhead.py
"""

import argparse
import time

import mujoco

import torsor

PENDULUM = """
<mujoco>
  <worldbody>
    <body><joint axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/></body>
  </worldbody>
</mujoco>
"""
STEPS = 1000


def quickest(function, rounds):
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best / STEPS * 1e6


def compare(step, model, data, rounds):
    """Microseconds per step: one call for each, one call for all."""
    def single():
        for _ in range(STEPS):
            step(model, data)
    return quickest(single, rounds), quickest(lambda: step(model, data, nstep=STEPS), rounds)


def rows(rounds):
    theirs, ours = mujoco.MjModel.from_xml_string(PENDULUM), torsor.Model.from_xml_string(PENDULUM)
    result = []
    for name, step, model, data in (("MuJoCo", mujoco.mj_step, theirs, mujoco.MjData(theirs)),
                                    ("Torsor", torsor.step, ours, torsor.Data(ours))):
        single, many = compare(step, model, data, rounds)
        result.append({"engine": name, "us per step, one call each": f"{single:.3f}",
                       f"us per step, one call for {STEPS}": f"{many:.3f}", "us per call": f"{single - many:.3f}"})
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    for row in rows(parser.parse_args().rounds):
        print(" | ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
