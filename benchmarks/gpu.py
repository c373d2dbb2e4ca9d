#!/usr/bin/env python3
"""Whole steps per second of many worlds on a card.

The worlds of each model start with random velocities and take 1,000 steps under small random controls, so that what is measured is
states in motion with the contacts that belong to them. Then rounds of at least a fifth of a second are timed; each call waits for
the card, and the median of the rounds counts. Contacts, rows and solver iterations are means over 64 of the measured states, computed
by one world on the processor.

    benchmarks/gpu.py                                        # our own models
    benchmarks/gpu.py --model my_robot.xml --worlds 4096 65536 --dtype float64
    benchmarks/gpu.py --vary body_mass geom_friction         # with values of the model per world, up to 20 % apart
    benchmarks/gpu.py --device host --worlds 64 --warmup 20  # does the script run? (its figures say nothing)
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time

import numpy as np

import torsor

ROOT = pathlib.Path(__file__).resolve().parent
ROOT = ROOT if (ROOT / "models").is_dir() else ROOT.parent  # in a bundle the script is beside the models
MODELS = [ROOT / "models" / name for name in ("humanoid_29.xml", "scenes/figure.xml", "scenes/gripper_cube.xml", "scenes/pile.xml")]
ROUND_SECONDS = 0.2
HELD = 50  # steps with the same controls
SAMPLES = 64  # states that contacts are counted in


def stir(batch, steps, rng):
    """Random velocities, then steps under controls of a tenth of their range."""
    model = batch.model
    batch.set("qvel", rng.normal(0, 0.1, (batch.nworld, model.nv)))
    low, high = np.where(model.actuator_ctrllimited[:, None] != 0, model.actuator_ctrlrange, [-1.0, 1.0]).T
    for done in range(0, steps, HELD):
        if model.nu:
            middle, reach = (low + high) / 2, 0.1 * (high - low) / 2
            batch.set("ctrl", middle + reach * rng.uniform(-1, 1, (batch.nworld, model.nu)))
        batch.step(min(HELD, steps - done))


def seconds_of(call, *arguments):
    begin = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - begin


def time_steps(batch, rounds):
    """Seconds per step of all worlds: the median of the rounds."""
    count = max(1, round(ROUND_SECONDS / (seconds_of(batch.step, 10) / 10)))
    return statistics.median(seconds_of(batch.step, count) / count for _ in range(rounds))


def count_rows(batch):
    """Means of contacts, rows and iterations over some of the worlds, as one world on the processor finds them."""
    model, state = batch.model, {name: batch.get(name) for name in ("qpos", "qvel", "act", "ctrl")}
    data, counts = torsor.Data(model), []
    for world in range(min(SAMPLES, batch.nworld)):
        for name, values in state.items():
            getattr(data, name)[:] = values[world]
        torsor.forward(model, data)
        counts.append((data.ncon, data.nefc, int(np.sum(data.solver_niter))))
    return np.mean(counts, axis=0)


def vary(batch, fields, rng):
    """Gives these fields of the model values per world."""
    for field in fields:
        values = np.asarray(batch.expand(field))
        batch.set_values(field, values * rng.uniform(0.9, 1.1, values.shape))
    if fields:
        batch.set_const(threads=os.cpu_count())


def measure(path, nworld, dtype, device, warmup, rounds, varied=()):
    """One row of figures."""
    model = torsor.Model.from_xml_path(str(path))
    begin = time.perf_counter()
    batch = torsor.Batch(model, nworld, dtype, device=device)
    batch.step()
    first = time.perf_counter() - begin
    vary(batch, varied, np.random.default_rng(2))
    stir(batch, warmup, np.random.default_rng(1))
    seconds = time_steps(batch, rounds)
    contacts, rows, iterations = count_rows(batch)
    return {"model": pathlib.Path(path).stem, "dofs": model.nv, "worlds": nworld, "dtype": dtype, "steps_per_second": nworld / seconds,
            "microseconds_per_call": 1e6 * seconds, "contacts": contacts, "rows": rows, "iterations": iterations,
            "first_step_seconds": first, "bytes_per_world": batch.bytes_per_world, "resets": int(batch.resets),
            "growths": batch.growths}


def shown(row):
    """A row as the tables of the documentation have it."""
    return {"model": row["model"], "dofs": str(row["dofs"]), "worlds": f"{row['worlds']:,}", "dtype": row["dtype"],
            "million steps / s": f"{row['steps_per_second'] / 1e6:.3f}", "contacts": f"{row['contacts']:.1f}",
            "rows": f"{row['rows']:.1f}", "iterations": f"{row['iterations']:.1f}", "kB / world": f"{row['bytes_per_world'] / 1e3:.1f}",
            "first step, s": f"{row['first_step_seconds']:.2f}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", nargs="+", type=pathlib.Path, default=MODELS, help="MJCF files (default: some of ours)")
    parser.add_argument("--worlds", nargs="+", type=int, default=[4096, 32768], help="numbers of worlds (default: 4096 32768)")
    parser.add_argument("--dtype", nargs="+", default=["float32"], choices=["float32", "float64"])
    parser.add_argument("--device", default="cuda", help="a card (default: cuda)")
    parser.add_argument("--vary", nargs="+", default=[], metavar="FIELD", help="fields of the model that differ from world to world")
    parser.add_argument("--warmup", type=int, default=1000, help="steps before the measurement (default: 1000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which the median counts (default: 5)")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures to this file")
    options = parser.parse_args()
    cards = {card.device: card.name for card in torsor.devices()}
    print(f"torsor {torsor.__version__} on {cards.get(options.device, cards.get(options.device + ':0', options.device))}")
    figures = []
    for path in options.model:
        for nworld in options.worlds:
            for dtype in options.dtype:
                try:
                    figures.append(measure(path, nworld, dtype, options.device, options.warmup, options.rounds,
                                           options.vary))
                except torsor.Error as error:
                    print(f"{path.stem}, {nworld} worlds, {dtype}: {error}", file=sys.stderr)
                    continue
                print(", ".join(f"{name} {value}" for name, value in shown(figures[-1]).items()), flush=True)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1, default=float) + "\n", encoding="utf-8")
    return 0 if figures else 1


if __name__ == "__main__":
    sys.exit(main())
