"""rollout, threads, minimize and batches."""
import concurrent.futures
import threading

import mujoco
import numpy as np
from mujoco import minimize, rollout
from show import fails, show

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 .5"><freejoint/><geom type="capsule" size=".05 .1"/>
      <body pos="0 0 .2"><joint name="j" axis="0 1 0" range="-60 60"/><geom type="capsule" size=".04 .1" pos="0 0 .1"/></body></body>
  </worldbody>
  <actuator><motor joint="j" ctrlrange="-1 1" gear="3"/></actuator>
  <sensor><jointpos joint="j"/><subtreecom body="world"/></sensor>
</mujoco>"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
nstate = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
state = np.zeros(nstate)
mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
random = np.random.default_rng(0)
states = np.tile(state, (6, 1))
states[:, 3] += 0.1 * random.random(6)
controls = random.uniform(-1, 1, (6, 60, model.nu))
found, sensors = rollout.rollout(model, data, states, controls)
show("one thread", found[:, ::10], sensors[:, -1], tolerance=1e-7)
many, _ = rollout.rollout(model, [mujoco.MjData(model) for _ in range(2)], states, controls)
show("threads", np.abs(many - found).max(), tolerance=0)
with rollout.Rollout(nthread=2) as pool:
    pooled, _ = pool.rollout(model, [mujoco.MjData(model) for _ in range(2)], states, controls)
show("pool", np.abs(pooled - found).max(), tolerance=0)
fails("wrong controls", rollout.rollout, model, data, states, controls[:, :, :0])


def simulate(seed):
    own = mujoco.MjData(model)
    own.qvel[:] = np.random.default_rng(seed).normal(size=model.nv)
    for _ in range(100):
        mujoco.mj_step(model, own)
    return own.qpos.copy()


with concurrent.futures.ThreadPoolExecutor(max_workers=4) as executor:
    ends = list(executor.map(simulate, range(8)))
show("pool of threads", ends, tolerance=1e-7)
show("alone", np.abs(np.array([simulate(seed) for seed in range(8)]) - np.array(ends)).max(), tolerance=0)
lock, ticks = threading.Lock(), []


def ticking():
    for _ in range(50):
        with lock:
            mujoco.mj_step(model, data)
            ticks.append(data.time)


workers = [threading.Thread(target=ticking) for _ in range(2)]
[worker.start() for worker in workers]
[worker.join() for worker in workers]
show("locked", [len(ticks), ticks[-1]], data.qpos, tolerance=1e-7)

x, trace = minimize.least_squares(np.array([-1.2, 1.0]), lambda x: np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)]),
                                  verbose=minimize.Verbosity.SILENT)
show("least squares", x, [len(trace)], tolerance=1e-6)
bounded, _ = minimize.least_squares(np.array([-0.5, 0.5]), lambda x: np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)]),
                                    bounds=[np.array([-1.0, -1]), np.array([0.6, 1])], verbose=minimize.Verbosity.SILENT)
show("with bounds", bounded, tolerance=1e-6)
