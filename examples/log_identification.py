"""Identification from a log in another system's convention: mass, damping and servo gain of an arm, and a plot.

The log is in the convention of Isaac Lab 3, whose joints come breadth first: the right finger before the left tip. With
cluster="auto" the columns of the Jacobian are computed on a Ray cluster.
"""

import subprocess
import sys

import numpy as np

import torsor

HAND = """
<mujoco model="hand">
  <option timestep="0.005"/>
  <worldbody>
    <body name="palm">
      <joint name="wrist" type="slide" axis="1 0 0" damping="2"/>
      <geom type="box" size="0.05 0.05 0.02" mass="0.5"/>
      <body name="left" pos="-0.05 0 0">
        <joint name="left_base" axis="0 1 0" damping="0.02"/>
        <geom type="capsule" fromto="0 0 0  0 0 0.1" size="0.01" mass="0.1"/>
        <body name="left_tip" pos="0 0 0.1">
          <joint name="left_tip" axis="0 1 0" damping="0.01"/>
          <geom type="capsule" fromto="0 0 0  0 0 0.06" size="0.01" mass="0.05"/>
        </body>
      </body>
      <body name="right" pos="0.05 0 0">
        <joint name="right_base" axis="0 1 0" damping="0.02"/>
        <geom type="capsule" fromto="0 0 0  0 0 0.1" size="0.01" mass="0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="slide" joint="wrist" kp="50"/>
    <position name="left" joint="left_base" kp="1"/>
    <position name="right" joint="right_base" kp="1"/>
  </actuator>
</mujoco>"""
TRUTH = {"mass.left_tip": 0.08, "damping.left_base": 0.05, "gain.right": 1.6}
CONVENTION, ROWS = "isaaclab3", 300


def record(model):
    """A log of the true hand under moving targets: positions and velocities in the order and units of the other system."""
    parameters = [torsor.search.Parameter(name) for name in TRUTH]
    truth = torsor.search.with_values(model, parameters, list(TRUTH.values()))
    time = model.opt.timestep * np.arange(ROWS)
    controls = np.column_stack([0.1 * np.sin(3 * time), 0.5 * np.sin(7 * time), 0.4 * np.sign(np.sin(4 * time))])
    start = torsor.get_state(model, torsor.Data(model), torsor.StateBit.FULLPHYSICS)
    states, _ = torsor.rollout(truth, start, controls)
    rows = np.concatenate([start[None], states[0]])
    qpos, qvel = rows[:, 1:1 + model.nq], rows[:, 1 + model.nq:]
    to_other = torsor.StateMap(model, "mujoco", CONVENTION)
    noise = np.random.default_rng(0)
    return (to_other.positions(qpos) + 1e-5 * noise.normal(size=qpos.shape),
            to_other.velocities(qpos, qvel) + 1e-4 * noise.normal(size=qvel.shape), controls, rows)


def main():
    model = torsor.Model.from_xml_string(HAND)
    positions, velocities, controls, rows = record(model)
    log = torsor.search.Log(model, positions, velocities, controls, convention=CONVENTION)
    found = torsor.search.identify(model, list(TRUTH), log, window=20, cluster=None)
    print(found)
    for name, value, error in zip(found.names, found.values, found.errors):
        assert abs(value - TRUTH[name]) < 5 * error + 1e-6 and error < 0.05 * TRUTH[name], name

    start = torsor.get_state(model, torsor.Data(model), torsor.StateBit.FULLPHYSICS)
    columns = [rows[1:, 0]]
    for each in (None, model, found.model):
        states = rows[None, 1:] if each is None else torsor.rollout(each, start, controls)[0]
        columns.append(states[0, :, 1 + model.nq - 1])
    np.savetxt("identified.csv", np.column_stack(columns), delimiter=",", header="time,right.log,right.before,right.after", comments="")
    subprocess.run([sys.executable, "-m", "torsor", "plot", "identified.csv", "--out", "identified.svg", "--title", "Identification"], check=True)


if __name__ == "__main__":
    main()
