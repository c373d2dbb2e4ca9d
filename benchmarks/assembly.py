"""Times the assembly of many humanoids by <replicate> and by <attach>, in both engines side by side.

    python benchmarks/assembly.py path/to/humanoid.xml [most copies that are attached one by one]

Needs the module of this project on PYTHONPATH. Prints the best of several runs in milliseconds, the exponent of growth
from the size before (1: twice the copies take twice the time), and how many bodies the models have, which must agree.
Attaching takes MuJoCo time that grows with the third power of the copies: 100 of them take it two minutes, and are left out unless asked for.
"""

import math
import pathlib
import sys
import time

import mujoco
import torsor

SIZES = {"replicate": (10, 20, 40, 100), "attach": (10, 20, 40, 100)}
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


def growth(before, now):
    """The exponent of the power of the copies that the time grows with."""
    return "    " if before is None else f"^{math.log(now[1] / before[1]) / math.log(now[0] / before[0]):.1f}"


def main():
    mujoco.set_mju_user_warning(lambda text: None)  # that the options of the two models differ
    assets = {"humanoid.xml": pathlib.Path(sys.argv[1]).read_bytes()}
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for kind, sizes in SIZES.items():
        ours_before = theirs_before = None
        for copies in sizes:
            if kind == "attach" and copies > most:
                continue
            text = make_scene(kind, copies)
            (ours, theirs), bodies = best_times([
                lambda text=text: torsor.Model.from_xml_string(text, assets=assets),
                lambda text=text: mujoco.MjModel.from_xml_string(text, assets)])
            print(f"{kind:10} {copies:4}  torsor {ours:8.1f} ms {growth(ours_before, (copies, ours))}"
                  f"  mujoco {theirs:8.1f} ms {growth(theirs_before, (copies, theirs))}"
                  f"  ratio {theirs / ours:6.1f}  bodies {bodies}", flush=True)
            ours_before, theirs_before = (copies, ours), (copies, theirs)


if __name__ == "__main__":
    main()
