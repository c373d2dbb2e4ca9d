"""Vector environments: torsor.envs beside Gymnasium's SyncVectorEnv and AsyncVectorEnv of MuJoCo.

    python benchmarks/envs.py [--tasks Ant-v5 Humanoid-v5] [--num-envs 64] [--threads 2] [--rounds 5]

Steps per second are those of single environments, by the clock; processor time is that of all processes and threads, per
step of a single environment, and does not depend on what else the machine does. Random actions, autoreset, the same
numbers of environments everywhere. AsyncVectorEnv has one process per environment, on as many cores as torsor.envs has
threads. Needs gymnasium and mujoco.
"""

import argparse
import os
import sys
import time
import types
import warnings

import numpy

sys.modules.setdefault("imageio", types.ModuleType("imageio"))  # Gymnasium imports it for a window that nobody opens
TASKS = ("Ant-v5", "Humanoid-v5")


def processor_seconds(processes=()):
    """Of this process, all of its threads, and of these processes."""
    total = time.process_time()
    for process in processes:
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def measure(env, actions, processes=()):
    """Seconds by the clock and of the processor per step of one environment."""
    clock, processor = time.perf_counter(), processor_seconds(processes)
    for action in actions:
        env.step(action)
    count = len(actions) * env.num_envs
    return (time.perf_counter() - clock) / count, (processor_seconds(processes) - processor) / count


def make_theirs(task, num_envs, kind):
    import gymnasium  # noqa: PLC0415

    return gymnasium.make_vec(task, num_envs, vectorization_mode=kind)


def make_ours(task, num_envs, threads, dtype="float64"):
    import torsor.envs  # noqa: PLC0415

    return torsor.envs.make(task, num_envs, threads=threads, dtype=dtype)


def compare(task, num_envs=64, threads=2, rounds=5, steps=40):
    """{name: (clock, processor)}: the least of several rounds, one environment after the other in each."""
    makers = {"torsor": lambda: make_ours(task, num_envs, threads),
              "torsor float32": lambda: make_ours(task, num_envs, threads, "float32"),
              "sync": lambda: make_theirs(task, num_envs, "sync"), "async": lambda: make_theirs(task, num_envs, "async")}
    found = {}
    for name, make in makers.items():
        env = make()
        env.reset(seed=0)
        processes = getattr(env.unwrapped, "processes", ())
        space = env.single_action_space
        random = numpy.random.default_rng(1)
        actions = random.uniform(space.low, space.high, (steps, num_envs, *space.shape)).astype(numpy.float32)
        measure(env, actions[:10], processes)
        runs = [measure(env, actions, processes) for _ in range(rounds)]
        found[name] = tuple(min(run[i] for run in runs) for i in (0, 1))
        env.close()
    return found


def row_of(task, found, with_clock):
    """A line of the table. The clock is right only on a machine that does nothing else."""
    best = [min(found["sync"][i], found["async"][i]) for i in (0, 1)]
    row = {"task": task}
    for name, title in (("torsor", "torsor.envs"), ("torsor float32", "in float32"), ("sync", "SyncVectorEnv"),
                        ("async", "AsyncVectorEnv")):
        row[f"{title}, us"] = f"{found[name][1] * 1e6:.1f}"
    row["times as fast, by processor time"] = f"{best[1] / found['torsor'][1]:.1f}"
    if with_clock:
        row["by the clock"] = f"{best[0] / found['torsor'][0]:.1f}"
    return row


def rows(tasks=TASKS, num_envs=64, threads=2, rounds=5, with_clock=False):
    """On as many cores as there are threads; their processes inherit that."""
    warnings.simplefilter("ignore")
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(cores)[:threads]))
    try:
        return [row_of(task, compare(task, num_envs, threads, rounds), with_clock) for task in tasks]
    finally:
        os.sched_setaffinity(0, cores)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(TASKS), help="names of Gymnasium's tasks")
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    from documented_tables import as_markdown  # noqa: PLC0415

    print("\n".join(as_markdown(rows(arguments.tasks, arguments.num_envs, arguments.threads, arguments.rounds, True))))


if __name__ == "__main__":
    main()
