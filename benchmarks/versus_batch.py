#!/usr/bin/env python3
"""Many worlds beside MuJoCo 4.0's mujoco.batch: microseconds per world and step on one thread, in double and in float.

States are in active motion: MuJoCo runs every world from the reference pose or the first keyframe with random controls for
100 to 300 steps. Both engines then take turns from these states; the fastest round of each counts. MuJoCo runs in a process of
its own that waits while Torsor is measured.

    TORSOR_MODELS=path/to/models .venv/bin/python benchmarks/versus_batch.py [--only ant,hopper] [--threads 2]
"""

import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
COLLECTED = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "unitree_g1": "menagerie/unitree_g1/scene.xml",
    "shadow_hand": "menagerie/shadow_hand/scene_right.xml",
}
GYMNASIUM = {"Ant": "ant.xml", "HalfCheetah": "half_cheetah.xml", "Hopper": "hopper.xml", "Walker2d": "walker2d_v5.xml"}
FIELDS = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")
STATE_AND_INPUT = ("time", "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied",
                   "mocap_pos", "mocap_quat", "userdata")
WORLDS, STEPS = 64, 20


# --- MuJoCo's process -------------------------------------------------------------------------------------------------


def moving_states(mujoco, model, seed=0):
    """{field: (worlds, numbers)} of worlds in motion, and the mean number of contacts."""
    random = np.random.default_rng(seed)
    limited = np.asarray(model.actuator_ctrllimited, bool)
    low = np.where(limited, model.actuator_ctrlrange[:, 0], -1)
    high = np.where(limited, model.actuator_ctrlrange[:, 1], 1)
    data, states, contacts = mujoco.MjData(model), {field: [] for field in FIELDS}, 0
    for world in range(WORLDS):
        mujoco.mj_resetData(model, data)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
        data.qvel[:] = 0.1 * random.standard_normal(model.nv)
        for k in range(100 + 7 * world % 200):
            if k % 10 == 0:
                data.ctrl[:] = random.uniform(low, high)
            mujoco.mj_step(model, data)
        contacts += data.ncon
        for field in FIELDS:
            states[field].append(getattr(data, field).copy())
    return {field: np.array(rows) for field, rows in states.items()}, contacts / WORLDS


def serve(path, threads, out):
    """Writes the states to a file, then answers every line with the seconds of a round."""
    import mujoco  # noqa: PLC0415 in the other process only
    from mujoco import batch  # noqa: PLC0415

    model = mujoco.MjModel.from_xml_path(path)
    states, contacts = moving_states(mujoco, model)
    np.savez(out, **states)
    worlds = batch.Batch(model, WORLDS, threads)
    arrays = {field: worlds.bind(field) for field in FIELDS if states[field].size}
    print(json.dumps({"contacts": contacts, "version": mujoco.__version__}), flush=True)
    for _ in sys.stdin:
        for field, array in arrays.items():
            array[:] = states[field]
        begin = time.perf_counter()
        worlds.step(nstep=STEPS)
        print(time.perf_counter() - begin, flush=True)


class MuJoCo:
    def __init__(self, path, threads, folder):
        file = pathlib.Path(folder) / "states.npz"
        command = [sys.executable, __file__, "--serve", str(path), "--threads", str(threads), "--states", str(file)]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        self.facts = json.loads(self._process.stdout.readline())
        self.states = dict(np.load(file))

    def round(self):
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self):
        self._process.stdin.close()
        self._process.wait()


# --- ours -------------------------------------------------------------------------------------------------------------


class Torsor:
    def __init__(self, model, dtype, states, threads):
        import torsor  # noqa: PLC0415 not in MuJoCo's process

        self._batch, self._states, self._threads = torsor.Batch(model, WORLDS, dtype=dtype), states, threads

    def round(self):
        for field, values in self._states.items():
            if values.size:
                self._batch.bind(field)[:] = values
        begin = time.perf_counter()
        self._batch.step(STEPS, threads=self._threads)
        return time.perf_counter() - begin

    def bytes_per_world(self):
        """Of state and input, which are all that a world keeps besides a few counters."""
        size = 0
        for field in STATE_AND_INPUT:
            size += self._batch.bind(field).nbytes
        return size // WORLDS

    def lane_by_lane(self):
        return [stage.stage for stage in self._batch.plan() if not stage.wide]


def measure(name, path, threads, rounds):
    """One row of the table."""
    import torsor  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        mujoco = MuJoCo(path, threads, folder)
        model = torsor.Model.from_xml_path(str(path))
        engines = [mujoco, *(Torsor(model, dtype, mujoco.states, threads) for dtype in ("float64", "float32"))]
        best = [float("inf")] * len(engines)
        for _ in range(rounds):
            for k, engine in enumerate(engines):
                best[k] = min(best[k], engine.round())
        mujoco.close()
    times = [1e6 * seconds / (STEPS * WORLDS) for seconds in best]
    return {
        "model": name, "dofs": model.nv, "contacts": f"{mujoco.facts['contacts']:.1f}",
        f"MuJoCo {mujoco.facts['version']}, us": f"{times[0]:.2f}",
        "float64, us": f"{times[1]:.2f}", "times MuJoCo": f"{times[0] / times[1]:.2f}",
        "float32, us": f"{times[2]:.2f}", "times MuJoCo ": f"{times[0] / times[2]:.2f}",
        "bytes per world": f"{engines[1].bytes_per_world()}, {engines[2].bytes_per_world()}",
        "lane by lane": ", ".join(engines[1].lane_by_lane()) or "nothing",
    }


def model_files(only=None):
    """{name: path} of the models that are there."""
    assets = pathlib.Path(importlib.util.find_spec("gymnasium").origin).parent / "envs/mujoco/assets"
    collected = os.environ.get("TORSOR_MODELS")
    files = {name: pathlib.Path(collected) / file for name, file in COLLECTED.items()} if collected else {}
    files |= {name: assets / file for name, file in GYMNASIUM.items()}
    return {name: path for name, path in files.items() if path.exists() and (not only or name in only)}


def rows(rounds=12, threads=1, only=None):
    found = []
    for name, path in model_files(only).items():
        found.append(measure(name, path, threads, rounds))
        print(found[-1], file=sys.stderr)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="names of models, with commas between them")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--states", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        return serve(arguments.serve, arguments.threads, arguments.states)
    rows(arguments.rounds, arguments.threads, arguments.only and arguments.only.split(","))
    return None


if __name__ == "__main__":
    main()
