"""Hashes of our own trajectories: the same sources, compiler and instruction set give the same bits, so a hash that
changes shows a commit that changes results, meant or not.

    golden.py            compare with what is recorded, for every instruction set of this machine
    golden.py --record   record anew, when the change was meant
    golden.py --hash     print the hashes of the instruction set that TORSOR_ISA names, as JSON

One file per compiler and instruction set, such as gcc12_avx2.json: {model: {"step": hash, "batch": hash}}."""

import argparse
import hashlib
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

import numpy as np

import torsor

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "models"
FOLDERS = (".", "scenes", "benchmarks", "features")
INSTRUCTION_SETS = ("baseline", "avx2", "avx512")
STEPS = 60
WORLDS, BATCH_STEPS = 9, 20  # more than one pack of any width, and the last one not full
HOW_TO_RECORD = "If the change is meant, record the hashes anew: scripts/golden --record"


def models():
    """{name: path} of all our models."""
    paths = [path for folder in FOLDERS for path in sorted((MODELS / folder).glob("*.xml"))]
    return {str(path.relative_to(MODELS)): path for path in paths}


def numbers(count, start):
    """Numbers in [-0.5, 0.5) by whole-number arithmetic alone, the same on every machine."""
    return np.array([((start + i) * 7919 + 13) % 101 for i in range(count)]) / 101 - 0.5


def place(model, data, world=0):
    """A state that is at rest nowhere: positions, velocities, controls and activations."""
    torsor.reset_data(model, data)
    data.qpos[:] = torsor.integrate_pos(model, np.array(model.qpos0), numbers(model.nv, world), 0.5)
    data.qvel[:] = numbers(model.nv, world + 1)
    data.ctrl[:] = numbers(model.nu, world + 2)
    data.act[:] = numbers(model.na, world + 3) + 0.5


def hash_of_steps(model):
    """State, accelerations and readings after each step."""
    data, digest = torsor.Data(model), hashlib.sha256()
    place(model, data)
    for _ in range(STEPS):
        torsor.step(model, data)
        for array in (torsor.get_state(model, data, torsor.StateBit.INTEGRATION), data.qacc, data.sensordata):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def hash_of_batch(model):
    """States of many worlds together, which run in lanes where the model allows it."""
    data, batch, digest = torsor.Data(model), torsor.Batch(model, WORLDS), hashlib.sha256()
    starts = {"qpos": [], "qvel": [], "act": [], "ctrl": []}
    for world in range(WORLDS):
        place(model, data, world)
        for name, rows in starts.items():
            rows.append(np.array(getattr(data, name)))
    for name, rows in starts.items():
        if rows[0].size:
            batch.set(name, np.array(rows))
    for nthread in (1, 2):
        batch.step(nstep=BATCH_STEPS // 2, nthread=nthread)
        for name in ("time", "qpos", "qvel", "act"):
            digest.update(np.ascontiguousarray(batch.get(name)).tobytes())
    return digest.hexdigest()[:16]


def hashes():
    result = {}
    for name, path in models().items():
        model = torsor.Model.from_xml_path(str(path))
        result[name] = {"step": hash_of_steps(model), "batch": hash_of_batch(model)}
    return result


def compiler():
    """Such as gcc12, from the build that the module lies in; None if that is unknown."""
    build = pathlib.Path(torsor.__file__).resolve().parents[2]
    for path in build.glob("CMakeFiles/*/CMakeCXXCompiler.cmake"):
        known = dict(re.findall(r'set\((CMAKE_CXX_COMPILER_ID|CMAKE_CXX_COMPILER_VERSION) "([^"]*)"\)', path.read_text()))
        name = {"GNU": "gcc", "Clang": "clang"}.get(known.get("CMAKE_CXX_COMPILER_ID"))
        if name:
            return name + known["CMAKE_CXX_COMPILER_VERSION"].split(".")[0]
    return None


def libraries():
    """What else decides about bits: the mathematics of the C library, which chooses code by the processor."""
    flags = pathlib.Path("/proc/cpuinfo")
    has_fma = flags.exists() and " fma " in flags.read_text()
    return f"{' '.join(platform.libc_ver())}, {platform.machine()}, {'with' if has_fma else 'without'} fma"


def hashes_of(isa):
    """In a process of its own. None if this machine does not have the instruction set."""
    environment = dict(os.environ, TORSOR_ISA=isa, PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, __file__, "--hash"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return json.loads(result.stdout)
    if f"instruction set '{isa}' is not available" in result.stderr:
        return None
    raise RuntimeError(result.stderr)


def file_of(isa):
    return HERE / f"{compiler()}_{isa}.json"


def differences(recorded, found):
    """Lines that name the models that changed, are new, or are gone."""
    lines = []
    for name in sorted(recorded.keys() | found.keys()):
        if name not in found:
            lines.append(f"{name}: recorded, but there is no such model")
        elif name not in recorded:
            lines.append(f"{name}: not recorded")
        else:
            changed = [kind for kind, value in found[name].items() if recorded[name].get(kind) != value]
            lines += [f"{name}: other results of {' and '.join(changed)}"] if changed else []
    return lines


def compare(isa):
    """What changed, and None; or None, and why nothing can be compared."""
    if compiler() is None:
        return None, "the compiler of this build is unknown"
    path = file_of(isa)
    if not path.exists():
        return None, f"nothing is recorded for {compiler()} and {isa}"
    recorded = json.loads(path.read_text(encoding="utf-8"))
    if recorded["libraries"] != libraries():
        return None, f"recorded with {recorded['libraries']}, this machine has {libraries()}"
    found = hashes_of(isa)
    if found is None:
        return None, f"this machine does not have {isa}"
    return differences(recorded["hashes"], found), None


def record(isa):
    found = hashes_of(isa)
    if found is None:
        return f"{isa}: not recorded, this machine does not have it"
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in sorted(found.items()))
    text = f'{{\n  "libraries": {json.dumps(libraries())},\n  "hashes": {{\n{lines}\n  }}\n}}\n'
    file_of(isa).write_text(text, encoding="utf-8")
    return f"{isa}: {len(found)} models recorded in {file_of(isa).name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write the hashes instead of comparing them")
    parser.add_argument("--hash", action="store_true", help="print the hashes of one instruction set")
    arguments = parser.parse_args()
    if arguments.hash:
        print(json.dumps(hashes()))
        return 0
    if compiler() is None:
        return "the compiler of this build is unknown: build with scripts/run or scripts/test first"
    failed = False
    for isa in INSTRUCTION_SETS:
        if arguments.record:
            print(record(isa))
            continue
        changed, reason = compare(isa)
        failed |= bool(changed)
        print(f"{isa}: {reason or f'{len(changed)} models changed'}", *(f"  {line}" for line in changed or []), sep="\n")
    return HOW_TO_RECORD if failed else 0


if __name__ == "__main__":
    sys.exit(main())
