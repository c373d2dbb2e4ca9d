"""Measurements that need a process of their own: loading from nothing, and instructions under callgrind."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FEW, MANY = 50, 450  # steps of the two runs whose difference counts
CONTACT_FROM = 200  # steps until there is contact


def load_seconds(engine, path):
    """Time to load a file in a fresh process, without the time to start it and to import the engine."""
    outcome = _run([sys.executable, __file__, "load", engine, str(path)])
    return float(outcome.stdout)


def instructions_per_step(engine, path, integrator):
    """From the difference of two runs, so that everything but the steps cancels."""
    if not shutil.which("valgrind"):
        raise SystemExit("counting instructions needs valgrind")
    counts = [_instructions(engine, path, integrator, steps) for steps in (FEW, MANY)]
    return (counts[1] - counts[0]) / (MANY - FEW)


def contact_instructions(engine, path):
    """The same with contacts and constraints, over the steps after the first CONTACT_FROM."""
    counts = [_count("contact", engine, path, steps) for steps in (CONTACT_FROM, CONTACT_FROM + MANY)]
    return (counts[1] - counts[0]) / MANY


def _instructions(engine, path, integrator, steps):
    return _count("steps", engine, path, integrator, steps)


def _count(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", sys.executable, __file__,
                   *(str(argument) for argument in arguments)]
        outcome = _run(command)
    return int(re.search(r"Collected : (\d+)", outcome.stderr)[1])


def _run(command):
    # threads of NumPy's BLAS wait in loops, of a length that differs from run to run
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment)


def _engine(name):
    """An engine by name."""
    sys.path.insert(0, str(HERE.parent / "tests" / "differential"))
    import engines  # noqa: PLC0415

    return engines.MuJoCo() if name == "mujoco" else engines.Torsor()


def _load(name, path):
    engine = _engine(name)
    start = time.perf_counter()
    engine.load_file(path)
    print(time.perf_counter() - start)


def _steps(name, path, integrator, count):
    engine = _engine(name)
    import driving  # noqa: PLC0415 found once the engine is
    import engines  # noqa: PLC0415

    model = engine.load_file(path)
    engines.disable_constraints(model)
    model.opt.integrator = engines.INTEGRATORS[integrator]
    driving.run(engine, model, engine.make_data(model), driving.smooth_controls(model), int(count))


def _contact(name, path, count):
    engine = _engine(name)
    import driving  # noqa: PLC0415 found once the engine is

    model = engine.load_file(path)
    driving.run(engine, model, engine.make_data(model), driving.smooth_controls(model), int(count))


if __name__ == "__main__":
    {"load": _load, "steps": _steps, "contact": _contact}[sys.argv[1]](*sys.argv[2:])
