"""Torsor and MuJoCo side by side with contacts and constraints: whole steps in active motion, own settings of each model.

MuJoCo is driven by smooth controls for a while and leaves states on its way. From each of them both engines take the
same short run, in turns, so that they do the same work although contact is chaotic; contacts, rows, iterations and the
gradient that the solvers end with are printed beside the times. The quickest run from each state counts.

    TORSOR_MODELS=path/to/models python benchmarks/versus_mujoco.py --contact
    TORSOR_MODELS=path/to/models python benchmarks/versus_mujoco.py --contact --stages --only humanoid
    TORSOR_MODELS=path/to/models python benchmarks/versus_mujoco.py --contact --only heap    # 100 humanoids, one island
    python benchmarks/versus_mujoco.py --contact --model my_scene.xml --rounds 50
"""

import os
import pathlib
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

import mujoco
import numpy as np

import driving
import engines
import versus_worker

OWN = pathlib.Path(__file__).resolve().parents[1] / "models" / "benchmarks"
MODELS = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "22_humanoids": "mujoco/humanoid/22_humanoids.xml",
    "100_humanoids": "mujoco/humanoid/100_humanoids.xml",
    "car": "mujoco/car/car.xml",
    "slider_crank": "mujoco/slider_crank/slider_crank.xml",
    "cassie": "menagerie/agility_cassie/scene.xml",
    "crazyflie": "menagerie/bitcraze_crazyflie_2/scene.xml",
    "barkour": "menagerie/google_barkour_vb/scene.xml",
    "barkour_hfield": "menagerie/google_barkour_vb/scene_hfield_mjx.xml",
    "iiwa14": "menagerie/kuka_iiwa_14/scene.xml",
    "robotiq": "menagerie/robotiq_2f85/scene.xml",
    "shadow_hand": "menagerie/shadow_hand/scene_right.xml",
    "skydio": "menagerie/skydio_x2/scene.xml",
    "allegro": "menagerie/wonik_allegro/scene_right.xml",
    "unitree_g1": "menagerie/unitree_g1/scene.xml",
    "two_arms": OWN / "two_arms.xml",
    "hull_cube": OWN / "hull_cube.xml",
    "muscle_arm": OWN / "muscle_arm.xml",
    **{name: f"mujoco/replicate/{name}.xml" for name in (
        "bowl", "bunnies", "cylinder", "helix", "leaves", "newton_cradle", "particle", "particle_free",
        "particle_free2d", "stonehenge", "tendon")},
}
STATES, APART = 6, 60  # states on the way, and steps between them
SETTLE = 150  # steps before the first one
STAGE_ROUNDS = 20
SECONDS = 0.004  # of one run: short enough to escape other processes
KEPT = ("time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "qacc_warmstart", "history")
STAGES = {"position": "mjTIMER_POSITION", "kinematics": "mjTIMER_POS_KINEMATICS", "inertia": "mjTIMER_POS_INERTIA",
          "collision": "mjTIMER_POS_COLLISION", "rows": "mjTIMER_POS_MAKE", "velocity": "mjTIMER_VELOCITY",
          "actuation": "mjTIMER_ACTUATION", "constraint": "mjTIMER_CONSTRAINT", "whole step": "mjTIMER_STEP"}


class Contest:
    """One model in both engines, and states in active motion that both start from."""

    def __init__(self, path, states=STATES, apart=APART, settle=SETTLE):
        self.engines = [engines.rival(), engines.subject()]
        self.models = [engine.load_file(path) for engine in self.engines]
        self.data = [engine.make_data(model) for engine, model in zip(self.engines, self.models)]
        self.states = self.recorded(states, apart, settle)
        self.steps = 1
        while self.run(0, self.states[0]) < SECONDS and self.steps < 100:
            self.steps *= 2

    def recorded(self, count, apart, settle):
        """The judge's states on a driven run from the first keyframe, if there is one, with a push."""
        engine, model, data = self.engines[0], self.models[0], self.data[0]
        if model.nkey:
            engine.reset_keyframe(model, data, 0)
        data.qvel[:] += np.random.default_rng(1).normal(0, 0.3, model.nv)
        controls, states = driving.smooth_controls(model), []
        driving.run(engine, model, data, controls, settle)
        for number in range(count):
            states.append({name: np.array(getattr(data, name)) for name in KEPT})
            driving.run(engine, model, data, np.roll(controls, -number, axis=0), apart)
        return states

    def place(self, side, state):
        data = self.data[side]
        for name, value in state.items():
            if name == "time":
                data.time = float(value)
            else:
                getattr(data, name)[:] = value

    def run(self, side, state):
        """Seconds of one run."""
        self.place(side, state)
        start = time.perf_counter()
        self.engines[side].step(self.models[side], self.data[side], self.steps)
        return time.perf_counter() - start

    def step_seconds(self, rounds):
        """Per step and engine: the quickest run from each state, averaged over the states."""
        quickest = np.full((2, len(self.states)), np.inf)
        for number in range(rounds):
            for place, state in enumerate(self.states):
                for side in ((0, 1), (1, 0))[number % 2]:
                    quickest[side, place] = min(quickest[side, place], self.run(side, state))
        return quickest.mean(axis=1) / self.steps

    def work(self):
        """Means of contacts, rows, iterations and the last gradient of both engines, in the same runs."""
        sums = np.zeros((2, 4))
        for side in (0, 1):
            for state in self.states:
                self.place(side, state)
                for _ in range(self.steps):
                    self.engines[side].step(self.models[side], self.data[side], 1)
                    sums[side] += self.work_of(side)
        return sums / (len(self.states) * self.steps)

    def work_of(self, side):
        data = self.data[side]
        iterations = np.array(data.solver_niter)
        count = min(max(int(data.nisland), 1), len(iterations)) if data.nefc else 0
        gradients = [self.last_gradient(side, island, iterations[island]) for island in range(count)]
        return data.ncon, data.nefc, iterations[:count].sum() if count else 0, max(gradients, default=0.0)

    def last_gradient(self, side, island, iterations):
        """The scaled gradient that the solver of an island ended with; 0 if it had nothing to do."""
        if iterations == 0:
            return 0.0
        if side == 1:
            statistics = self.data[1].solver_statistics(int(island))
            return statistics[-1].gradient if statistics else 0.0
        capacity = len(self.data[0].solver) // len(self.data[0].solver_niter)
        last = min(int(iterations), capacity) - 1
        return self.data[0].solver[island * capacity + last].gradient

    def stages(self, rounds=STAGE_ROUNDS):
        """Microseconds per step in each stage, by each engine's own timers: the quickest of some runs."""
        quickest = np.full((2, len(self.states), len(STAGES)), np.inf)
        mujoco.set_mjcb_time(time.perf_counter)
        self.data[1].timers_on = True
        for _ in range(rounds):
            for side in (0, 1):
                for place, state in enumerate(self.states):
                    quickest[side, place] = np.minimum(quickest[side, place], self.timers(side, state))
        mujoco.set_mjcb_time(None)
        self.data[1].timers_on = False
        return quickest.mean(axis=1) * 1e6

    def timers(self, side, state):
        """Seconds per step in each stage of one run."""
        engine, model, data = self.engines[side], self.models[side], self.data[side]
        self.place(side, state)
        for timer in data.timer:
            timer.duration, timer.number = 0, 0
        engine.step(model, data, self.steps)
        timers = [getattr(mujoco.mjtTimer, name).value for name in STAGES.values()]
        return np.array([data.timer[timer].duration for timer in timers]) / self.steps


def row_of(name, contest, rounds):
    """Times and work of both engines; large models, whose steps are long, take fewer rounds."""
    seconds, work = contest.step_seconds(rounds if contest.steps > 4 else max(3, rounds // 10)), contest.work()
    return {"model": name, "nv": contest.models[0].nv, "MuJoCo us/step": f"{seconds[0] * 1e6:.1f}",
            "Torsor us/step": f"{seconds[1] * 1e6:.1f}", "ratio": f"{seconds[0] / seconds[1]:.2f}",
            "contacts": _both(work, 0), "rows": _both(work, 1), "iterations": _both(work, 2),
            "last gradient": f"{work[0, 3]:.0e} / {work[1, 3]:.0e}"}


def geometric_mean(rows):
    return float(np.exp(np.mean(np.log([float(row["ratio"]) for row in rows]))))


def measure(name, path, options):
    contest = Contest(path)
    row = row_of(name, contest, options.rounds)
    if options.instructions:
        counts = [versus_worker.contact_instructions(engine, path) for engine in ("mujoco", "torsor")]
        row["instructions"] = f"{counts[0]:,.0f} / {counts[1]:,.0f} ({counts[1] / counts[0]:.2f})"
    return row, stage_rows(name, contest) if options.stages else []


def _both(work, column):
    return f"{work[0, column]:.1f} / {work[1, column]:.1f}"


def stage_rows(name, contest, rounds=STAGE_ROUNDS):
    micros = contest.stages(rounds)
    return [{"model": name, "stage": stage, "MuJoCo us": f"{micros[0, i]:.1f}", "Torsor us": f"{micros[1, i]:.1f}",
             "ratio": f"{micros[0, i] / micros[1, i]:.2f}" if micros[1, i] > 0 else ""}
            for i, stage in enumerate(STAGES)]


def write_heap(humanoid, path):
    """100 humanoids piled up between walls: one island of 2,700 dofs."""
    root = ET.parse(humanoid).getroot()
    world = root.find("worldbody")
    pile = next(body for body in world.findall("body") if body.get("name") == "torso")
    for parent, kind in ((root, "keyframe"), (world, "camera"), (world, "light")):
        for element in parent.findall(kind):
            parent.remove(element)
    world.remove(pile)
    pile.set("pos", "0 0 0.8")
    for axis, count, offset in (("x", 5, "0.45 0.03 0"), ("y", 5, "0.02 0.45 0"), ("z", 4, "0.03 0.02 0.9")):
        copies = ET.Element("replicate", count=str(count), offset=offset, sep=f"_{axis}")
        copies.append(pile)
        pile = copies
    world.append(pile)
    for place, normal in (("-1 0 0", "1 0 0"), ("3 0 0", "-1 0 0"), ("0 -1 0", "0 1 0"), ("0 3 0", "0 -1 0")):
        ET.SubElement(world, "geom", type="plane", size="9 9 1", pos=place, zaxis=normal)
    ET.ElementTree(root).write(path)
    return path


def chosen(options):
    if options.model:
        return {pathlib.Path(path).stem: pathlib.Path(path) for path in options.model}
    folder = os.environ.get("TORSOR_MODELS")
    if not folder:
        raise SystemExit("TORSOR_MODELS must name a folder with the models, or give --model FILE")
    names = options.only.split(",") if options.only else MODELS
    paths = {name: pathlib.Path(folder) / MODELS.get(name, name) for name in names}
    if "heap" in paths:
        humanoid, heap = pathlib.Path(folder) / MODELS["humanoid"], pathlib.Path(tempfile.gettempdir()) / "heap.xml"
        paths["heap"] = write_heap(humanoid, heap)
    return paths


def run(options, as_table):
    """The tables, and the geometric mean of the ratios."""
    rows, stages = [], []
    for name, path in chosen(options).items():
        print(f"{name} ...", file=sys.stderr, flush=True)
        row, of_stages = measure(name, path, options)
        rows.append(row)
        stages += of_stages
    tables = [as_table(rows), f"geometric mean of the ratios: {geometric_mean(rows):.2f}"]
    if stages:
        tables.append(as_table(stages))
    return "\n\n".join(tables)
