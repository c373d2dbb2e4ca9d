"""A heap of humanoids asleep: what a step costs while all sleep, beside MuJoCo, and beside the same heap awake.

The heap is 100_humanoids.xml of MuJoCo's own models, with the flag `sleep`. First it falls awake (SETTLE steps) and its
steps are timed; then all humanoids start asleep (policy `init`). The quickest of several rounds counts.

    TORSOR_MODELS=path/to/models python benchmarks/sleeping.py
    TORSOR_MODELS=path/to/models python benchmarks/sleeping.py --one-awake      # one of the hundred is awake
"""

import argparse
import os
import pathlib
import time
import xml.etree.ElementTree as ET

import mujoco
import torsor

SETTLE, AWAKE_STEPS, ASLEEP_STEPS, ROUNDS = 150, 5, 200, 15


def roots_of(element):
    """The bodies of the world, also those in frames."""
    for child in element:
        if child.tag == "body":
            yield child
        elif child.tag in ("frame", "replicate"):
            yield from roots_of(child)


def heap_text(path, policy):
    """The heap as MJCF with the given sleep policy for every humanoid, as MuJoCo saves it."""
    spec = mujoco.MjSpec.from_file(str(path))
    spec.option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    spec.compile()
    root = ET.fromstring(spec.to_xml())
    for body in roots_of(root.find("worldbody")):
        body.set("sleep", policy)
    for asset in root.findall("asset"):
        for element in [*asset.findall("texture"), *asset.findall("material")]:
            asset.remove(element)
    for element in root.iter():
        element.attrib.pop("material", None)
    return ET.tostring(root, encoding="unicode")


def quickest(step, steps, rounds):
    """Microseconds of processor time a step: both engines use one thread, and other programs count less than on the clock."""
    best = float("inf")
    for _ in range(rounds):
        start = time.thread_time()
        step(steps)
        best = min(best, (time.thread_time() - start) / steps)
    return 1e6 * best


class Engines:
    def __init__(self, text):
        self.theirs = mujoco.MjModel.from_xml_string(text)
        self.ours = torsor.Model.from_xml_string(text)
        self.their_data, self.our_data = mujoco.MjData(self.theirs), torsor.Data(self.ours)

    def step_theirs(self, steps):
        mujoco.mj_step(self.theirs, self.their_data, nstep=steps)

    def step_ours(self, steps):
        torsor.step(self.ours, self.our_data, nstep=steps)

    def measure(self, steps, rounds):
        return quickest(self.step_ours, steps, rounds), quickest(self.step_theirs, steps, rounds)


def measured(one_awake=False, rounds=ROUNDS):
    """{"awake", "asleep": (ours, theirs)}, microseconds a step, with how many trees were awake in each engine."""
    path = pathlib.Path(os.environ["TORSOR_MODELS"]) / "mujoco" / "humanoid" / "100_humanoids.xml"
    awake = Engines(heap_text(path, "never"))
    awake.step_ours(SETTLE)
    awake.step_theirs(SETTLE)
    asleep = Engines(heap_text(path, "init"))
    if one_awake:
        asleep.our_data.qvel[0] = asleep.their_data.qvel[0] = 0.1
    for step in (asleep.step_ours, asleep.step_theirs):
        step(1)
    times = {"awake": awake.measure(AWAKE_STEPS, rounds), "asleep": asleep.measure(ASLEEP_STEPS, rounds)}
    trees = {name: (of.our_data.ntree_awake, of.their_data.ntree_awake) for name, of in (("awake", awake), ("asleep", asleep))}
    return times, trees


def rows(rounds):
    """The table of documents."""
    times, trees = measured(rounds=rounds)
    return [{"heap of 100 humanoids": name, "trees awake": f"{trees[name][1]} / {trees[name][0]}", "MuJoCo us/step": f"{theirs:.1f}",
             "Torsor us/step": f"{ours:.1f}", "ratio": f"{theirs / ours:.2f}",
             "times cheaper than awake": f"{times['awake'][1] / theirs:.0f} / {times['awake'][0] / ours:.0f}"}
            for name, (ours, theirs) in times.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one-awake", action="store_true", help="wake one of the humanoids that sleep")
    times, trees = measured(parser.parse_args().one_awake)
    for name, (ours, theirs) in times.items():
        print(f"{name:8} Torsor {ours:10.1f} us   MuJoCo {theirs:10.1f} us   {theirs / ours:6.2f} times as fast   "
              f"trees awake: {trees[name][0]} (MuJoCo {trees[name][1]})")
    print(f"asleep costs {times['awake'][0] / times['asleep'][0]:.0f} times less than awake "
          f"(MuJoCo: {times['awake'][1] / times['asleep'][1]:.0f})")


if __name__ == "__main__":
    main()
