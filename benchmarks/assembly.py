"""Times the assembly of many humanoids by <replicate> and by <attach>, in both engines side by side.

    python benchmarks/assembly.py path/to/humanoid.xml [most copies that are attached one by one]

Needs the module of this project on PYTHONPATH. Prints the best of several runs in milliseconds; both models must have the
same number of bodies. Attaching takes MuJoCo time that grows with the third power of the copies: 100 of them take it two
minutes, and are left out unless asked for.
"""

import math
import pathlib
import sys
import time

import mujoco
import torsor

SIZES = {"replicate": (10, 20, 40, 100), "attach": (10, 20, 40, 100)}  # copies
ENOUGH = 3.0  # seconds per size and engine, after which nothing is repeated
RUNS = 5


def scene(world):
    asset = '<asset><model name="humanoid" file="humanoid.xml"/></asset>'
    return f"<mujoco>{asset}<worldbody>{world}</worldbody></mujoco>"


def make_scene(kind, copies):
    if kind == "replicate":
        part = '<attach model="humanoid" body="torso" prefix="h_"/>'
        return scene(f'<replicate count="{copies}" offset="1 0 0">{part}</replicate>')
    return scene("".join(
        f'<frame pos="{i % 10} {i // 10} 0"><attach model="humanoid" body="torso" prefix="h{i}_"/></frame>'
        for i in range(copies)))


def best_times(loaders):
    """The best time of each loader in milliseconds; they take turns, so that both meet the same machine."""
    best, spent, bodies = [math.inf] * len(loaders), [0.0] * len(loaders), [0] * len(loaders)
    for _ in range(RUNS):
        for index, load in enumerate(loaders):
            if spent[index] > ENOUGH:
                continue
            start = time.perf_counter()
            bodies[index] = load().nbody
            seconds = time.perf_counter() - start
            best[index], spent[index] = min(best[index], seconds), spent[index] + seconds
    return [1e3 * seconds for seconds in best], bodies


def measure(kind, copies, assets):
    """Milliseconds of MuJoCo and of Torsor; the models must have the same number of bodies."""
    text = make_scene(kind, copies)
    (ours, theirs), bodies = best_times([
        lambda: torsor.Model.from_xml_string(text, assets=assets), lambda: mujoco.MjModel.from_xml_string(text, assets)])
    if bodies[0] != bodies[1]:
        raise SystemExit(f"{kind} of {copies} copies: {bodies[0]} and {bodies[1]} bodies")
    return theirs, ours


def rows(humanoid, most=40, sizes=SIZES):
    """Times by copies; attaching one by one for at most so many copies, because MuJoCo's time grows with their cube."""
    mujoco.set_mju_user_warning(lambda text: None)  # that the options of the two models differ
    assets = {"humanoid.xml": pathlib.Path(humanoid).read_bytes()}
    result = []
    for copies in sizes["replicate"]:
        row = {"copies": copies}
        for kind in SIZES:
            if kind == "attach" and copies > most:
                row |= {f"{kind}: MuJoCo ms": "-", f"{kind}: Torsor ms": "-", f"{kind}: ratio": "-"}
                continue
            theirs, ours = measure(kind, copies, assets)
            row |= {f"{kind}: MuJoCo ms": f"{theirs:.1f}", f"{kind}: Torsor ms": f"{ours:.1f}",
                    f"{kind}: ratio": f"{theirs / ours:.1f}"}
        result.append(row)
    return result


def main():
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for row in rows(sys.argv[1], most):
        print(" | ".join(f"{name} {value}" for name, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
