"""What SAP costs beside our own Newton solver, on the same scenes in motion: per step as users run it, and per
iteration where both solve from a cold start until nothing improves any more.

The scene is moved by smooth controls; each solver runs on by itself. The quickest of many runs from each state counts.

    TORSOR_MODELS=path/to/models python benchmarks/sap_cost.py
"""

import os
import time
from pathlib import Path

import numpy as np

import torsor

ROOT = Path(__file__).resolve().parents[1]
SCENES = {  # file, keyframe, amplitude of the controls
    "humanoid": (lambda: Path(os.environ["TORSOR_MODELS"]) / "mujoco/humanoid/humanoid.xml", None, 0.6),
    "gripper_cube": (lambda: ROOT / "models/scenes/gripper_cube.xml", 0, 0.004),
}
SOLVERS = {"Newton": (torsor.Solver.NEWTON, 0), "Newton, elliptic": (torsor.Solver.NEWTON, 1),
           "SAP": (torsor.Solver.SAP, 0)}
SETTLE, STATES, APART, STEPS, ROUNDS = 300, 8, 40, 10, 60


class Scene:
    def __init__(self, path, key, amplitude, solver, cone):
        self.model = torsor.Model.from_xml_path(str(path))
        self.model.opt.solver, self.model.opt.cone = solver, cone
        self.model.opt.integrator = torsor.Integrator.EULER
        self.data = torsor.Data(self.model)
        if key is not None:
            torsor.reset_data_keyframe(self.model, self.data, key)
        self.middle, self.amplitude = self.data.ctrl.copy(), amplitude
        self.phase = np.random.default_rng(1).uniform(0, 6, self.model.nu)

    def run(self, steps):
        """Seconds, seconds in the solver, iterations."""
        data, spent, iterations = self.data, 0.0, 0
        before = data.timer[torsor.Timer.CONSTRAINT].duration
        for _ in range(steps):
            data.ctrl[:] = self.middle + self.amplitude * np.sin(6 * data.time + self.phase)
            begin = time.perf_counter()
            torsor.step(self.model, data)
            spent += time.perf_counter() - begin
            iterations += int(data.solver_niter[: data.nisland].sum())
        return spent, data.timer[torsor.Timer.CONSTRAINT].duration - before, iterations

    def best(self, start, rounds):
        """The least of many runs from a state: seconds per step, seconds of the solver, iterations."""
        best = [np.inf, np.inf, 0]
        for _ in range(rounds):
            torsor.set_state(self.model, self.data, start, torsor.StateBit.INTEGRATION)
            spent, solver, iterations = self.run(STEPS)
            best = [min(best[0], spent / STEPS), min(best[1], solver), iterations]
        return best

    def measure(self, rounds):
        """us per step and iterations per step, us of the solver per iteration."""
        self.run(SETTLE)
        opt, warm, cold = self.model.opt, [], []
        for _ in range(STATES):
            self.run(APART)
            start = torsor.get_state(self.model, self.data, torsor.StateBit.INTEGRATION)
            warm.append(self.best(start, rounds))
            kept = opt.tolerance, opt.sap_tolerance, opt.disableflags
            opt.tolerance = opt.sap_tolerance = 0
            opt.disableflags |= int(torsor.DisableFlag.WARMSTART)
            self.data.timers_on = True
            cold.append(self.best(start, rounds))
            self.data.timers_on = False
            opt.tolerance, opt.sap_tolerance, opt.disableflags = kept
            torsor.set_state(self.model, self.data, start, torsor.StateBit.INTEGRATION)
        steps, solves = np.array(warm), np.array(cold)
        return (1e6 * steps[:, 0].mean(), steps[:, 2].sum() / (STATES * STEPS),
                1e6 * solves[:, 1].sum() / solves[:, 2].sum(), solves[:, 2].sum() / (STATES * STEPS))


def rows(rounds=ROUNDS):
    result = []
    for scene, (path, key, amplitude) in SCENES.items():
        for name, (solver, cone) in SOLVERS.items():
            step, warm, iteration, cold = Scene(path(), key, amplitude, solver, cone).measure(rounds)
            result.append({"scene": scene, "solver": name, "us per step": f"{step:.1f}", "iterations per step": f"{warm:.2f}",
                           "solver us per iteration, cold start": f"{iteration:.2f}",
                           "iterations, cold start": f"{cold:.1f}"})
    return result


def main():
    for row in rows():
        print(" | ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
