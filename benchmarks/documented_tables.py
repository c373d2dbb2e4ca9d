"""The tables of measured figures in the documentation: what each needs, and how it is measured. See make_tables.py."""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "build" / "release" / "benchmarks"


@dataclasses.dataclass
class Effort:
    """How long to measure."""

    quick: bool = False

    def rounds(self, number):
        return max(2, number // 10) if self.quick else number


@dataclasses.dataclass
class Table:
    name: str
    page: str
    about: str
    measure: Callable[[Effort], tuple[list[dict], list[str]]]  # rows, and sentences below the table
    needs_models: bool = False
    program: str | None = None  # of the C++ benchmarks
    command: str | None = None  # of the system

    @property
    def environment(self):
        return "TORSOR_MODELS=path/to/models " if self.needs_models else ""

    def missing(self):
        """Why it cannot be measured here, None if it can."""
        if self.needs_models and not os.environ.get("TORSOR_MODELS"):
            return "TORSOR_MODELS does not name a folder with models"
        if self.program and not (BENCHMARKS / self.program).exists():
            return f"{self.program} is not built (target {self.program})"
        if self.command and not shutil.which(self.command):
            return f"{self.command} is not installed"
        return None


def models_folder():
    return pathlib.Path(os.environ["TORSOR_MODELS"])


def as_markdown(rows):
    """Lines of a table with aligned columns; the columns are the keys of the first row."""
    heads = list(rows[0])
    cells = [heads] + [[str(row[head]).replace("|", "\\|") for head in heads] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(heads))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in cells]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


# --- beside MuJoCo ----------------------------------------------------------------------------------------------------


def prepared_models(folder):
    """{name: file} of the models without constraints, made for both engines."""
    import versus_mujoco  # noqa: PLC0415 needs MuJoCo

    result = {}
    for name, path in versus_mujoco.chosen_models(types.SimpleNamespace(model=None)).items():
        result[name] = pathlib.Path(folder) / f"{name}.xml"
        result[name].write_text(versus_mujoco.prepared(path))
    return result


def smooth(effort):
    import versus_mujoco  # noqa: PLC0415

    options = types.SimpleNamespace(integrator="Euler", fastest=True, rounds=effort.rounds(120), memory=False, load=False,
                                    instructions=False, all=False)
    with tempfile.TemporaryDirectory() as folder:
        models = prepared_models(folder)
        return [versus_mujoco.measure_model(name, path, options) for name, path in models.items()], []


def memory_and_loading(effort):
    import versus_mujoco  # noqa: PLC0415
    import versus_worker  # noqa: PLC0415

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path in prepared_models(folder).items():
            contest = versus_mujoco.Contest(path, "Euler")
            contest.agreement()  # some steps, so that the scratch memory is used
            sizes = [(data.nbuffer + data.maxuse_arena) / 1024 for data in contest.data]
            load = versus_mujoco.in_turns(effort.rounds(5), lambda side: versus_worker.load_seconds(
                ("mujoco", "torsor")[side], path), min)  # noqa: B023 called at once
            rows.append({"model": name, "MuJoCo kB": f"{sizes[0]:.1f}", "Torsor kB": f"{sizes[1]:.1f}",
                         "MuJoCo load ms": f"{load[0] * 1e3:.1f}", "Torsor load ms": f"{load[1] * 1e3:.1f}",
                         "load ratio": f"{load[2]:.2f}"})
    return rows, []


def instructions(effort):  # noqa: ARG001 counts do not depend on it
    """The humanoid with contacts and constraints; each count is two runs under callgrind."""
    import versus_worker  # noqa: PLC0415

    humanoid = models_folder() / "mujoco/humanoid/humanoid.xml"
    theirs, ours = (versus_worker.contact_instructions(engine, humanoid) for engine in ("mujoco", "torsor"))
    return [{"model": "humanoid", "MuJoCo instructions per step": f"{theirs:,.0f}",
             "Torsor instructions per step": f"{ours:,.0f}", "share": f"{ours / theirs:.2f}"}], []


def contact_models():
    import versus_contact  # noqa: PLC0415

    return {name: models_folder() / path for name, path in versus_contact.MODELS.items()}


def contact(effort):
    import versus_contact  # noqa: PLC0415

    rows = []
    for name, path in contact_models().items():
        if effort.quick and name in ("100_humanoids", "bunnies", "leaves", "particle"):
            continue
        rows.append(versus_contact.row_of(name, versus_contact.Contest(path), effort.rounds(30)))
    return rows, [f"The geometric mean of the ratios is {versus_contact.geometric_mean(rows):.2f}."]


def contact_stages(effort):
    import versus_contact  # noqa: PLC0415

    rows = []
    for name in ("humanoid", "22_humanoids", "shadow_hand", "particle")[:2 if effort.quick else 4]:
        contest = versus_contact.Contest(contact_models()[name])
        rows += versus_contact.stage_rows(name, contest, effort.rounds(20))
    return rows, []


def heap(effort):
    """One island of 2,700 dofs, where a step of MuJoCo takes long: few states and rounds."""
    import versus_contact  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        path = versus_contact.write_heap(contact_models()["humanoid"], pathlib.Path(folder) / "heap.xml")
        contest = versus_contact.Contest(path, states=1, apart=1, settle=2 if effort.quick else 80)
        return [versus_contact.row_of("heap", contest, effort.rounds(30))], []


def sleeping(effort):
    """The same heap while all of it sleeps."""
    import sleeping  # noqa: PLC0415

    return sleeping.rows(2 if effort.quick else sleeping.ROUNDS), []


def readme_speed(effort):
    """Some rows of `contact` with fewer columns."""
    import versus_contact  # noqa: PLC0415

    rows = []
    for name in ("humanoid", "shadow_hand", "cassie", "barkour", "22_humanoids", "particle")[:2 if effort.quick else 6]:
        row = versus_contact.row_of(name, versus_contact.Contest(contact_models()[name]), effort.rounds(30))
        rows.append({"model": name, "dofs": row["nv"], "MuJoCo, us per step": row["MuJoCo us/step"],
                     "Torsor, us per step": row["Torsor us/step"], "ratio": row["ratio"]})
    return rows, []


def assembly(effort):
    import assembly  # noqa: PLC0415

    sizes = {"replicate": (10, 20) if effort.quick else (10, 20, 40, 100)}
    return assembly.rows(models_folder() / "mujoco/humanoid/humanoid.xml", 10 if effort.quick else 40, sizes), []


def derivatives(effort):
    import derivatives  # noqa: PLC0415

    return derivatives.rows(effort.rounds(20), "iiwa14" if effort.quick else None), []


def calls(effort):
    import call_overhead  # noqa: PLC0415

    return call_overhead.rows(effort.rounds(100)), []


# --- Torsor alone -----------------------------------------------------------------------------------------------------


def many_worlds(effort):
    """In a process of its own for each instruction set that the processor has."""
    rows = []
    for isa in ("avx512", "avx2"):
        command = [sys.executable, str(ROOT / "benchmarks" / "many_worlds.py"), "--json", "--rounds", str(effort.rounds(150))]
        environment = {**os.environ, "TORSOR_ISA": isa, "PYTHONPATH": os.pathsep.join(sys.path)}
        outcome = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if outcome.returncode == 0:
            rows += [{"instruction set": isa} | row for row in json.loads(outcome.stdout)]
        elif "avx" not in outcome.stderr:  # anything but an instruction set that the processor does not have
            raise SystemExit(outcome.stderr)
    return rows, []


def gpu(effort):
    """Whole steps of many worlds on the first card."""
    import gpu as benchmark  # noqa: PLC0415 needs the package

    with tempfile.TemporaryDirectory() as folder:
        figures = pathlib.Path(folder) / "figures.json"
        command = [sys.executable, str(ROOT / "benchmarks" / "gpu.py"), "--rounds", str(effort.rounds(20)), "--json", str(figures)]
        subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=True)
        rows = [benchmark.shown(row) for row in json.loads(figures.read_text(encoding="utf-8"))]
    card = benchmark.torsor.devices()[0]
    return rows, [f"The card: {card.name}, {card.total_bytes / 2**30:.0f} GiB. Contacts, constraint rows and solver iterations are means "
                  "over worlds in motion, 1,000 steps after the start."]


def gpu_models(effort):
    """The same of models that others measure, too."""
    import gpu_models  # noqa: PLC0415 needs the package and Gymnasium

    return gpu_models.rows(effort.rounds(10)), ["Million whole steps a second in float32. Contacts and rows are means over worlds in motion."]


def versus_batch(effort):
    import versus_batch  # noqa: PLC0415

    return versus_batch.rows(effort.rounds(25)), []


def sap(effort):
    import sap_cost  # noqa: PLC0415

    return sap_cost.rows(effort.rounds(60)), []


def gripper(effort):
    import gripper  # noqa: PLC0415

    return gripper.rows(), []


def google_benchmark(program, effort):
    """The results of a C++ benchmark by name."""
    seconds = "0.05" if effort.quick else "0.3"
    command = [str(BENCHMARKS / program), "--benchmark_format=json", f"--benchmark_min_time={seconds}"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    if outcome.returncode != 0:  # newer versions want a unit
        command[-1] += "s"
        outcome = subprocess.run(command, capture_output=True, text=True, check=True)
    return {result["name"]: result for result in json.loads(outcome.stdout)["benchmarks"]}


def conventions(effort):
    results = google_benchmark("torsor_bench_conventions", effort)
    copy = results["CopyOfStates"]
    rows = []
    for name, result in results.items():
        if "bytes_per_second" not in result:
            continue
        title = "copy of the memory" if name == "CopyOfStates" else name.split("/")[1].replace("_", " ")
        rows.append({"a million states of free bodies": title, "ms": f"{result['cpu_time']:.1f}",
                     "GB/s": f"{result['bytes_per_second'] / 1e9:.2f}",
                     "share of the copy's rate": f"{result['bytes_per_second'] / copy['bytes_per_second']:.2f}"})
    robot = results["StatesOfARobot"]
    note = (f"A `StateMap` from mujoco to isaaclab3 converts {robot['items_per_second'] / 1e6:.2f} million states of a robot "
            "with 30 dofs per second (positions and velocities).")
    return rows, [note]


def triangles(effort):
    """Microseconds per pair by the number of triangles and the shape that touches them."""
    results = google_benchmark("torsor_bench_triangles", effort)
    rows = []
    for count in (1000, 10000, 100000):
        near = results[f"touch/sphere/{count}"].get("visited", 0)
        row = {"triangles (visited for a sphere)": f"{count:,} ({near:.0f})"}
        for shape in ("sphere", "capsule", "ellipsoid", "box", "cylinder"):
            row[shape] = f"{results[f'touch/{shape}/{count}']['cpu_time'] / 1e3:.1f}"
        row["ring"] = f"{results[f'touch_mesh/{count}']['cpu_time'] / 1e3:.0f}"
        rows.append(row)
    return rows, [f"Two such rings linked as in a chain take {results['touch_link']['cpu_time'] / 1e3:.0f} us."]


def convex_contacts(effort):
    import convex_contacts  # noqa: PLC0415 needs MuJoCo
    import mujoco  # noqa: PLC0415

    return convex_contacts.rows(5_000 if effort.quick else 100_000), [f"The MuJoCo beside us is {mujoco.__version__}."]


def envs(effort):
    import envs  # noqa: PLC0415 needs Gymnasium and MuJoCo
    import mujoco  # noqa: PLC0415

    return envs.rows(rounds=effort.rounds(10)), [f"The MuJoCo beside us is {mujoco.__version__}."]


def cluster(effort):
    import cluster  # noqa: PLC0415 needs Ray

    return cluster.rows(effort.rounds(5))


def cluster_model(effort):
    import cluster  # noqa: PLC0415

    return cluster.model_rows(100 if effort.quick else 400)


def cluster_scheduler(effort):
    import cluster  # noqa: PLC0415

    return cluster.simulated_rows(effort.rounds(5))


PERFORMANCE = "docs/performance.md"
TABLES = [
    Table("readme_speed", "README.md", "whole steps of some models, both engines", readme_speed, needs_models=True),
    Table("contact", PERFORMANCE, "whole steps with contacts and constraints, both engines", contact, needs_models=True),
    Table("contact_stages", PERFORMANCE, "stages of these steps, both engines", contact_stages, needs_models=True),
    Table("heap", PERFORMANCE, "one large island, both engines", heap, needs_models=True),
    Table("sleeping", PERFORMANCE, "a heap that sleeps, both engines", sleeping, needs_models=True),
    Table("smooth", PERFORMANCE, "steps without constraints, both engines", smooth, needs_models=True),
    Table("memory_and_loading", PERFORMANCE, "memory of one world and loading, both engines", memory_and_loading,
          needs_models=True),
    Table("instructions", PERFORMANCE, "instructions per step of the humanoid, both engines", instructions,
          needs_models=True, command="valgrind"),
    Table("sap_cost", PERFORMANCE, "SAP beside Newton", sap, needs_models=True),
    Table("gpu", "docs/gpu.md", "many worlds on a card", gpu, command="nvidia-smi"),
    Table("gpu_models", PERFORMANCE, "many worlds of known models on a card", gpu_models, needs_models=True, command="nvidia-smi"),
    Table("many_worlds", PERFORMANCE, "many worlds in SIMD lanes beside one world", many_worlds, needs_models=True),
    Table("versus_batch", PERFORMANCE, "many worlds beside MuJoCo 4.0's batch", versus_batch, needs_models=True),
    Table("assembly", PERFORMANCE, "models of many copies, both engines", assembly, needs_models=True),
    Table("derivatives", PERFORMANCE, "derivatives and rollouts, both engines", derivatives, needs_models=True),
    Table("calls", PERFORMANCE, "a call from Python, both engines", calls),
    Table("conventions", PERFORMANCE, "conversions between conventions", conventions, program="torsor_bench_conventions"),
    Table("cluster", PERFORMANCE, "rollouts on one and two workers of Ray", cluster),
    Table("cluster_model", PERFORMANCE, "a model of 20 MB that tasks of Ray share", cluster_model),
    Table("cluster_scheduler", "docs/cluster_cost.md", "many nodes, simulated from measured chunks", cluster_scheduler),
    Table("triangles", "docs/contact.md", "meshes that collide as triangles", triangles, program="torsor_bench_triangles"),
    Table("convex_contacts", "docs/contact.md", "contacts of convex solids against brute force, both engines", convex_contacts),
    Table("envs", "docs/envs.md", "vector environments beside Gymnasium's, both engines", envs),
    Table("gripper", "docs/sap.md", "slip of a cube in a gripper by solver, both engines", gripper),
]
