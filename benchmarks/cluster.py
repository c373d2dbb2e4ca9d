#!/usr/bin/env python3
"""What a cluster costs, on this machine: one and two workers, the overhead of Ray, a model of 20 MB, and many nodes simulated.

    python benchmarks/cluster.py                  # all of it, about four minutes
    python benchmarks/cluster.py --quick

Ray runs on this machine alone, reachable through the loopback address only. Run it on a machine that has nothing else to do.
"""

import argparse
import os
import pathlib
import statistics
import sys
import time

import numpy

import torsor
from torsor.cluster._rollout import CHUNK_SECONDS, DRIVER_SECONDS

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
import cluster_scheduler  # noqa: E402

STEPS = 500


def scene():
    """The figure of our scenes, pushed, with random controls: (model, state, seconds per rollout on one core)."""
    model = torsor.Model.from_xml_path(str(ROOT / "models/scenes/figure.xml"))
    data = torsor.Data(model)
    torsor.reset_data_keyframe(model, data, model.key("pushed").id)
    state = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
    return model, state


def states_of(state, count):
    """Slightly different starts, so that no two rollouts are the same."""
    starts = numpy.tile(state, (count, 1))
    starts[:, -1] += numpy.linspace(-1e-3, 1e-3, count)
    return starts


def chunk_size(model, state):
    """Rollouts that take half a second on one core."""
    starts, best = states_of(state, 8), numpy.inf
    for _ in range(3):
        begin = time.perf_counter()
        torsor.rollout(model, starts, nstep=STEPS, nthread=1)
        best = min(best, (time.perf_counter() - begin) / len(starts))
    return max(1, round(CHUNK_SECONDS / best))


def timed(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def measure(rounds, chunks=32):
    """Median seconds of: one thread, two threads, one worker, two workers of Ray, in turns. The arrays of results are reused,
    as a search does: a virtual machine may need two seconds for the first touch of 900 MB, whoever asks for them."""
    model, state = scene()
    size = chunk_size(model, state)
    starts = states_of(state, size * chunks)
    out = {"states": numpy.zeros((len(starts), STEPS, len(state))),
           "sensordata": numpy.zeros((len(starts), STEPS, model.nsensordata))}
    times = {name: [] for name in ("1 thread", "2 threads", "1 worker", "2 workers")}
    with torsor.cluster.connect("local", workers=2) as both:
        one = torsor.cluster.Cluster(both._ray, 1, None, False)
        calls = {"1 thread": lambda: torsor.rollout(model, starts, nstep=STEPS, nthread=1, **out),
                 "2 threads": lambda: torsor.rollout(model, starts, nstep=STEPS, nthread=2, **out),
                 "1 worker": lambda: torsor.cluster.rollout(model, starts, nstep=STEPS, cluster=one, chunk=size, **out),
                 "2 workers": lambda: torsor.cluster.rollout(model, starts, nstep=STEPS, cluster=both, chunk=size, **out)}
        calls["2 workers"]()  # processes start
        for _ in range(rounds):
            for name, call in calls.items():
                times[name].append(timed(call))
        costs = driver_costs(both, model, state, size)
    return {name: statistics.median(values) for name, values in times.items()}, size * chunks, costs


def driver_costs(connected, model, state, size, chunks=300):
    """What the driver spends on a chunk: chunks of one step, all of whose time is the driver's or Ray's."""
    starts = states_of(state, chunks)
    before = time.process_time()
    seconds = timed(lambda: torsor.cluster.rollout(model, starts, nstep=1, cluster=connected, chunk=1))
    driver = (time.process_time() - before) / chunks
    report = torsor.cluster.rollout(model, states_of(state, size * 4), nstep=STEPS, cluster=connected, chunk=size).report
    result_bytes = size * STEPS * 8 * (len(state) + model.nsensordata)
    return {"driver": driver, "latency": seconds / chunks * connected.workers, "bytes": result_bytes,
            "chunk": report.busy / 4}


def rows(rounds):
    """The table of workers, and sentences."""
    times, count, costs = measure(rounds)
    table = []
    for name, seconds in times.items():
        base = times["1 thread" if "thread" in name else "1 worker"]
        table.append({"where": name, "seconds": f"{seconds:.2f}", "rollouts/s": f"{count / seconds:.0f}",
                      "gain over one": f"{base / seconds:.2f}"})
    overhead = times["1 worker"] / times["1 thread"] - 1
    return table, [f"{count} rollouts of {STEPS} steps in chunks of {CHUNK_SECONDS} s, into arrays that are reused. One worker of Ray takes "
                   f"{100 * (1 + overhead):.0f} % of the time of one thread of this process; the driver's own time is "
                   f"{1e3 * costs['driver']:.2f} ms per chunk."]


def simulated_rows(rounds):
    """Many nodes, from what was measured here."""
    _, _, costs = measure(max(1, rounds // 3), chunks=8)
    table = []
    for title, size, longer in (("trajectories", costs["bytes"], 0.0), ("costs only", 1e4, 0.0),
                                ("costs only, longer chunks", 1e4, DRIVER_SECONDS)):
        made = cluster_scheduler.Costs([costs["chunk"]], costs["driver"], costs["latency"], size, model_bytes=20e6)
        table += [{"results": title} | row for row in cluster_scheduler.rows(made, seconds_per_core=longer)]
    return table, [f"Simulated from a chunk of {costs['chunk']:.2f} s, {1e3 * costs['driver']:.2f} ms of the driver per chunk and "
                   f"{costs['bytes'] / 1e6:.1f} MB of trajectories per chunk, with 8 cores per node and 10 Gbit/s for the driver."]


def large_model():
    """A model of about 20 MB: a mesh with many vertices."""
    rng = numpy.random.default_rng(0)
    rows_, columns = 460, 460
    u, v = numpy.meshgrid(numpy.linspace(0, 1, rows_), numpy.linspace(0, 1, columns), indexing="ij")
    vertices = numpy.stack([u, v, 0.05 * rng.random(u.shape)], axis=-1).reshape(-1, 3)
    index = numpy.arange(rows_ * columns).reshape(rows_, columns)
    a, b, c, d = index[:-1, :-1].ravel(), index[1:, :-1].ravel(), index[:-1, 1:].ravel(), index[1:, 1:].ravel()
    faces = numpy.concatenate([numpy.stack([a, b, c], 1), numpy.stack([b, d, c], 1)])
    text = "".join(f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in vertices)
    text += "".join(f"f {i + 1} {j + 1} {k + 1}\n" for i, j, k in faces)
    return torsor.Model.from_xml_string(
        '<mujoco><asset><mesh name="m" file="m.obj" inertia="shell"/></asset><worldbody><geom type="mesh" mesh="m" contype="0" conaffinity="0"/>'
        '<body><joint/><geom size=".1"/></body></worldbody></mujoco>', {"m.obj": text.encode()})


def touch(item, model):
    return os.getpid(), id(model), model.nq


def model_rows(tasks=400):
    """Tasks that do nothing with a large model: if it were sent with each, this would take a second for every 50."""
    model = large_model()
    size = len(model.to_bytes())
    table = []
    with torsor.cluster.connect("local", workers=2) as connected:
        list(torsor.cluster.map(touch, range(4), model=None or model, cluster=connected))
        for title, given in (("20 MB", model), ("1 kB", torsor.Model.from_xml_string("<mujoco/>"))):
            found = []
            seconds = timed(lambda: found.extend(torsor.cluster.map(touch, range(tasks), model=given, cluster=connected)))  # noqa: B023
            loads = len({pid for pid, _, _ in found})
            table.append({"model": title, "bytes": f"{len(given.to_bytes()):,}", "tasks": tasks, "loaded by processes": loads,
                          "ms per task": f"{1e3 * seconds / tasks:.2f}"})
    return table, [f"The large model has {size / 1e6:.1f} MB; it was loaded once by each process, from one copy per node."]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    rounds = 2 if parser.parse_args().quick else 5
    for table, notes in (rows(rounds), model_rows(), simulated_rows(rounds)):
        for row in table:
            print("  ".join(f"{name}: {value}" for name, value in row.items()))
        print(*notes, sep="\n", end="\n\n")


if __name__ == "__main__":
    main()
