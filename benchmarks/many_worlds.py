#!/usr/bin/env python3
"""Many worlds in SIMD lanes (torsor.Batch) beside one world (torsor.step), on one thread.

Each model is measured without constraints, where whole packs of worlds step together if the model's drives allow it, and as
its file has it. Both sides take turns from the same state with the same controls; the fastest of many short rounds counts.

    TORSOR_MODELS=path/to/models python benchmarks/many_worlds.py
    TORSOR_ISA=avx2 python benchmarks/many_worlds.py --model my_robot.xml --rounds 100
"""

import argparse
import json
import os
import pathlib
import time

import numpy as np

import torsor

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "cassie": "menagerie/agility_cassie/cassie.xml",
    "shadow_hand": "menagerie/shadow_hand/right_hand.xml",
    "iiwa14": "menagerie/kuka_iiwa_14/iiwa14.xml",
}
OWN_MODELS = {"muscle_arm": ROOT / "models" / "benchmarks" / "muscle_arm.xml"}
PACKS = 2  # worlds are this many packs
STEPS = 10  # of a round: short enough to escape other processes
INTEGRATORS_IN_LANES = (torsor.Integrator.EULER, torsor.Integrator.RK4, torsor.Integrator.IMPLICITFAST)


class Race:
    """One world and many worlds of one model, from the same state."""

    def __init__(self, path, with_constraints):
        self.model = torsor.Model.from_xml_path(str(path))
        if not with_constraints:
            self.model.opt.disableflags |= int(torsor.DisableFlag.CONSTRAINT)
        if self.model.opt.integrator not in INTEGRATORS_IN_LANES:
            self.model.opt.integrator = torsor.Integrator.IMPLICITFAST
        self.data = torsor.Data(self.model)
        if self.model.nkey:
            torsor.reset_data_keyframe(self.model, self.data, 0)
        self.data.qvel[:] += np.random.default_rng(1).normal(0, 0.1, self.model.nv)
        self.start = torsor.get_state(self.model, self.data, torsor.StateBit.INTEGRATION)
        self.fields = {name: np.array(getattr(self.data, name)) for name in ("qpos", "qvel", "act", "ctrl")
                       if getattr(self.data, name).size}
        lanes = torsor.Batch(self.model, 1).lanes
        self.batch = torsor.Batch(self.model, PACKS * lanes)

    def one(self):
        """Seconds per step of one world."""
        torsor.set_state(self.model, self.data, self.start, torsor.StateBit.INTEGRATION)
        begin = time.perf_counter()
        torsor.step(self.model, self.data, nstep=STEPS)
        return (time.perf_counter() - begin) / STEPS

    def many(self):
        """Seconds per step and world."""
        for name, values in self.fields.items():
            self.batch.set(name, np.tile(values, (self.batch.nworld, 1)))
        begin = time.perf_counter()
        self.batch.step(nstep=STEPS)
        return (time.perf_counter() - begin) / (STEPS * self.batch.nworld)

    def run(self, rounds):
        one = many = np.inf
        for _ in range(rounds):
            one, many = min(one, self.one()), min(many, self.many())
        return one, many


def chosen_models(files=None):
    if files:
        return {pathlib.Path(file).stem: pathlib.Path(file) for file in files}
    folder = os.environ.get("TORSOR_MODELS")
    if not folder:
        raise SystemExit("TORSOR_MODELS must name a folder with the models, or give --model FILE")
    return {name: pathlib.Path(folder) / path for name, path in MODELS.items()} | OWN_MODELS


def rows(rounds, files=None):
    result = []
    for name, path in chosen_models(files).items():
        for with_constraints in (False, True):
            race = Race(path, with_constraints)
            one, many = race.run(rounds)
            result.append({"model": name, "constraints": "on" if with_constraints else "off", "lanes": race.batch.lanes,
                           "one world, us per step": f"{one * 1e6:.2f}",
                           "many worlds, us per world and step": f"{many * 1e6:.2f}", "ratio": f"{one / many:.2f}"})
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", metavar="FILE", help="measure this file instead; may be repeated")
    parser.add_argument("--rounds", type=int, default=150, help="rounds of each side (default 150)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    measured = rows(options.rounds, options.model)
    if options.json:
        print(json.dumps(measured))
        return
    print(" | ".join(measured[0]))
    for row in measured:
        print(" | ".join(str(value) for value in row.values()))


if __name__ == "__main__":
    main()
