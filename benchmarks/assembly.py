"""Times the assembly of 100 humanoids by <replicate> and by <attach>, in both engines side by side.

    python benchmarks/assembly.py path/to/humanoid.xml

Needs the module of this project on PYTHONPATH. Prints the best of several runs in milliseconds, and how many bodies the
models have, which must agree. Contacts are left out of both, because only one engine has them so far.
"""

import pathlib
import sys
import time
import xml.etree.ElementTree as ET

import mujoco
import torsor

COPIES = 100
RUNS = 3  # MuJoCo takes seconds


def humanoid_without_contacts(path):
    root = ET.parse(path).getroot()
    for section in root.findall("contact"):
        root.remove(section)
    return ET.tostring(root, encoding="unicode")


def scene(world):
    asset = '<asset><model name="humanoid" file="humanoid.xml"/></asset>'
    return f"<mujoco>{asset}<worldbody>{world}</worldbody></mujoco>"


def scenes():
    attached = "".join(
        f'<frame pos="{i % 10} {i // 10} 0"><attach model="humanoid" body="torso" prefix="h{i}_"/></frame>'
        for i in range(COPIES))
    replicated = (f'<replicate count="{COPIES}" offset="1 0 0"><attach model="humanoid" body="torso" prefix="h_"/>'
                  "</replicate>")
    return {"replicate": scene(replicated), "attach": scene(attached)}


def best_times(loaders):
    """The best time of each loader in milliseconds; they take turns, so that both meet the same machine."""
    best, bodies = [float("inf")] * len(loaders), [0] * len(loaders)
    for _ in range(RUNS):
        for index, load in enumerate(loaders):
            start = time.perf_counter()
            model = load()
            best[index] = min(best[index], time.perf_counter() - start)
            bodies[index] = model.nbody
    return [1e3 * seconds for seconds in best], bodies


def main():
    mujoco.set_mju_user_warning(lambda text: None)  # that the options of the two models differ
    humanoid = humanoid_without_contacts(pathlib.Path(sys.argv[1])).encode()
    for name, text in scenes().items():
        assets = {"humanoid.xml": humanoid}
        (ours, theirs), bodies = best_times([
            lambda: torsor.Model.from_xml_string(text, assets=assets),
            lambda: mujoco.MjModel.from_xml_string(text, assets)])
        print(f"{name:10} torsor {ours:8.1f} ms  mujoco {theirs:8.1f} ms  ratio {theirs / ours:5.2f}  bodies {bodies}")


if __name__ == "__main__":
    main()
