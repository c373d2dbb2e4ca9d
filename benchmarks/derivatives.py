#!/usr/bin/env python3
"""Derivatives of a step and rollouts, Torsor and MuJoCo side by side in one run.

MuJoCo drives each model for a while and leaves states on its way, in contact. From the same states both engines compute
A and B of a step by centred differences, each on one thread, in turns; the quickest time at each state counts. The same
call with reuse=False shows what skipping stages gains. Then the same rollouts on one thread and on two.

    TORSOR_MODELS=path/to/models python benchmarks/derivatives.py --rounds 40
    TORSOR_MODELS=path/to/models python benchmarks/derivatives.py --only humanoid
"""

import argparse
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "differential"))

import mujoco
import numpy as np

import driving
import engines
import torsor

MODELS = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "cassie": "menagerie/agility_cassie/scene.xml",
    "barkour": "menagerie/google_barkour_vb/scene.xml",
    "shadow_hand": "menagerie/shadow_hand/scene_right.xml",
    "iiwa14": "menagerie/kuka_iiwa_14/scene.xml",
}
STATES, APART, SETTLE = 4, 40, 120
EPS = 1e-6
KEPT = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart", "mocap_pos", "mocap_quat")


def recorded(model):
    """States on a driven run of the judge from the first keyframe."""
    engine, data = engines.judge(), mujoco.MjData(model)
    if model.nkey:
        engine.reset_keyframe(model, data, 0)
    data.qvel[:] += np.random.default_rng(1).normal(0, 0.1, model.nv)
    controls, states = driving.smooth_controls(model), []
    driving.run(engine, model, data, controls, SETTLE)
    for number in range(STATES):
        states.append({name: np.array(getattr(data, name)) for name in KEPT})
        driving.run(engine, model, data, np.roll(controls, -number, axis=0), APART)
    return states


def place(data, state):
    for name, value in state.items():
        getattr(data, name)[:] = value


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def compare(path, rounds):
    """Milliseconds of the judge, of ours, and of ours without reuse; contacts; the largest difference of A."""
    theirs, ours = mujoco.MjModel.from_xml_path(str(path)), torsor.Model.from_xml_path(path)
    states = recorded(theirs)
    size = 2 * theirs.nv + theirs.na
    A, B = np.zeros((size, size)), np.zeros((size, theirs.nu))
    best, contacts, difference = np.full((3, STATES), np.inf), [], 0.0
    for number, state in enumerate(states):
        judged, data = mujoco.MjData(theirs), torsor.Data(ours)
        place(judged, state)
        place(data, state)
        calls = [lambda: mujoco.mjd_transitionFD(theirs, judged, EPS, True, A, B, None, None),
                 lambda: torsor.transition_derivatives(ours, data, EPS, skipsensor=True),
                 lambda: torsor.transition_derivatives(ours, data, EPS, skipsensor=True, reuse=False)]
        for _ in range(rounds):
            for which, call in enumerate(calls):
                best[which, number] = min(best[which, number], seconds(call))
        result = torsor.transition_derivatives(ours, data, EPS, skipsensor=True).A
        difference = max(difference, np.abs(result - A).max() / np.abs(A).max())
        mujoco.mj_forward(theirs, judged)
        contacts.append(judged.ncon)
    return best.mean(axis=1) * 1e3, np.mean(contacts), difference


def rollout_gain(path, rounds, nbatch=16, nstep=1000):
    """Microseconds per step on one thread and on two: the quickest of short runs in turns."""
    model = torsor.Model.from_xml_path(path)
    data = torsor.Data(model)
    if model.nkey:
        torsor.reset_data_keyframe(model, data, 0)
    start = np.tile(torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS), (nbatch, 1))
    controls = np.tile(np.array(data.ctrl), (nbatch, nstep, 1))
    best = [np.inf, np.inf]
    for _ in range(max(1, rounds // 4)):
        for nthread in (1, 2):
            run = seconds(lambda: torsor.rollout(model, start, controls, skipsensor=True, nthread=nthread))
            best[nthread - 1] = min(best[nthread - 1], run)
    return np.array(best) / (nbatch * nstep) * 1e6


def row_of(name, path, rounds):
    model = mujoco.MjModel.from_xml_path(str(path))
    (theirs, ours, whole), contacts, difference = compare(path, rounds)
    one, two = rollout_gain(path, rounds)
    return {"model": name, "nv": model.nv, "nu": model.nu, "contacts": f"{contacts:.1f}", "MuJoCo ms": f"{theirs:.2f}",
            "Torsor ms": f"{ours:.2f}", "ratio": f"{theirs / ours:.2f}", "without reuse ms": f"{whole:.2f}",
            "gain of reuse": f"{whole / ours:.2f}", "difference of A": f"{difference:.1e}",
            "rollout us/step, 1 thread": f"{one:.2f}", "2 threads": f"{two:.2f}", "gain of threads": f"{one / two:.2f}"}


def rows(rounds, only=None):
    folder = os.environ.get("TORSOR_MODELS")
    if not folder:
        sys.exit("TORSOR_MODELS must name the folder of the models")
    return [row_of(name, pathlib.Path(folder) / file, rounds) for name, file in MODELS.items() if only in (None, name)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30, help="calls at each state")
    parser.add_argument("--only", choices=sorted(MODELS), help="one model")
    arguments = parser.parse_args()
    for row in rows(arguments.rounds, arguments.only):
        print(" | ".join(f"{name} {value}" for name, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
