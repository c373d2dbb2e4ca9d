"""What SAP costs beside our own Newton solver: per step and per iteration of the solver, same scenes, same states.

Each solver runs on by itself from the scene's start; every so often both take the same short run from the state of the
one that is measured, in turns, and the quickest counts.

    TORSOR_MODELS=path/to/models python benchmarks/sap_cost.py
"""

import os
import time
from pathlib import Path

import numpy as np

import torsor

ROOT = Path(__file__).resolve().parents[1]
SCENES = {
    "humanoid": (lambda: Path(os.environ["TORSOR_MODELS"]) / "mujoco/humanoid/humanoid.xml", None, 400),
    "gripper_cube": (lambda: ROOT / "models/scenes/gripper_cube.xml", "hold", 100),
}
SOLVERS = {"Newton": torsor.Solver.NEWTON, "Newton, elliptic": torsor.Solver.NEWTON, "SAP": torsor.Solver.SAP}
STATES, APART, STEPS, ROUNDS = 8, 25, 20, 30


def make(path, key, solver, cone):
    model = torsor.Model.from_xml_path(str(path))
    model.opt.solver, model.opt.cone = solver, cone
    model.opt.integrator = torsor.Integrator.EULER
    data = torsor.Data(model)
    if key:
        torsor.reset_data_keyframe(model, data, model.key(key).id)
    return model, data


def measure(model, data, settle):
    """Seconds per step, seconds of the solver per iteration, iterations per step; the least of each state, averaged."""
    signature = torsor.StateBit.INTEGRATION
    for _ in range(settle):
        torsor.step(model, data)
    per_step, per_iteration, counts = [], [], []
    for _ in range(STATES):
        for _ in range(APART):
            torsor.step(model, data)
        start = np.zeros(torsor.state_size(model, signature))
        torsor.get_state(model, data, start, signature)
        best, best_solver, iterations = np.inf, np.inf, 0
        for _ in range(ROUNDS):
            torsor.set_state(model, data, start, signature)
            begin = time.perf_counter()
            for _ in range(STEPS):
                torsor.step(model, data)
            best = min(best, (time.perf_counter() - begin) / STEPS)
        data.timers_on = True
        for _ in range(ROUNDS):
            torsor.set_state(model, data, start, signature)
            before = data.timer[torsor.Timer.CONSTRAINT].duration
            iterations = 0
            for _ in range(STEPS):
                torsor.step(model, data)
                iterations += data.solver_niter[: data.nisland].sum()
            spent = data.timer[torsor.Timer.CONSTRAINT].duration - before
            best_solver = min(best_solver, spent / max(1, iterations))
        data.timers_on = False
        per_step.append(best)
        per_iteration.append(best_solver)
        counts.append(iterations / STEPS)
    return np.mean(per_step), np.mean(per_iteration), np.mean(counts)


def main():
    print("| scene | solver | us per step | us of the solver per iteration | iterations per step |")
    print("|---|---|---|---|---|")
    for scene, (path, key, settle) in SCENES.items():
        for name, solver in SOLVERS.items():
            model, data = make(path(), key, solver, 1 if "elliptic" in name else 0)
            step, iteration, count = measure(model, data, settle)
            print(f"| {scene} | {name} | {1e6 * step:.1f} | {1e6 * iteration:.2f} | {count:.2f} |")


if __name__ == "__main__":
    main()
