"""Threads: one Model for all, one Data for each thread. The engine lets other Python threads run while it steps."""

from concurrent.futures import ThreadPoolExecutor

import torsor

DROP = """
<mujoco model="drop">
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.5"><freejoint/><geom type="box" size="0.1 0.07 0.05"/></body>
  </worldbody>
</mujoco>"""
RUNS, STEPS = 64, 500


def simulate(model, run):
    """How high the box is after a while, thrown with a speed that depends on the run."""
    data = torsor.Data(model)
    data.qvel[2], data.qvel[3] = 0.05 * run, 1 + 0.1 * run
    torsor.step(model, data, nstep=STEPS)  # one call for many steps: the threads seldom meet in the interpreter
    return float(data.qpos[2])


def main():
    model = torsor.Model.from_xml_string(DROP)
    alone = [simulate(model, run) for run in range(RUNS)]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda run: simulate(model, run), range(RUNS)))
    assert together == alone  # the same bits
    print(f"{RUNS} runs of {STEPS} steps on 2 threads: the same to the bit as on one")


if __name__ == "__main__":
    main()
