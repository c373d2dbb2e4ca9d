"""Processor time of loading robots of MuJoCo Menagerie, in a process that has loaded them before: Torsor beside MuJoCo.

    TORSOR_MODELS=path/to/models PYTHONPATH=build/release/python build/clients/bin/python tests/clients/measure_loading.py
"""

import os
import pathlib
import time

import mujoco

import torsor.mujoco

ROUNDS, LARGE = 7, 4e6


def robots():
    """Files by their size of meshes, the largest robots."""
    folder = pathlib.Path(os.environ.get("TORSOR_MODELS", "")) / "menagerie"
    sizes = {}
    for each in sorted(folder.iterdir()) if folder.is_dir() else ():
        meshes = sum(file.stat().st_size for file in each.rglob("*") if file.suffix.lower() in (".obj", ".stl", ".msh"))
        files = [file for file in sorted(each.glob("*.xml")) if not file.name.startswith("scene")]
        if meshes >= LARGE and files:
            sizes[files[0]] = meshes
    return sizes


def seconds(module, file):
    start = time.process_time()  # of all threads
    module.MjModel.from_xml_path(str(file))
    return time.process_time() - start


def measure(file):
    """The least of rounds that alternate, after a first one; None if one of them does not load it."""
    modules = torsor.mujoco, mujoco
    best = [float("inf")] * 2
    try:
        for turn in range(ROUNDS + 1):
            for i, module in enumerate(modules):
                taken = seconds(module, file)
                best[i] = min(best[i], taken) if turn else best[i]
    except ValueError:
        return None
    return best


def measure_all():
    """{robot: (bytes of meshes, seconds of Torsor, of MuJoCo)}"""
    found = {f"{file.parent.name}/{file.name}": (size, measure(file)) for file, size in robots().items()}
    return {name: (size, *best) for name, (size, best) in found.items() if best}


if __name__ == "__main__":
    for robot, (size, ours, theirs) in measure_all().items():
        print(f"{robot:50} {size / 1e6:6.1f} MB {1e3 * ours:8.1f} ms {1e3 * theirs:8.1f} ms {theirs / ours:5.2f}", flush=True)
