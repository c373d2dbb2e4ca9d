"""Cross-entropy search: swing a pendulum up with a motor that is too weak to lift it, and plot the search and the swing.

With cluster="auto" the same lines run on a Ray cluster, with the same result: docs/cluster.md.
"""

import subprocess
import sys

import numpy as np

import torsor

PENDULUM = """
<mujoco model="pendulum">
  <option timestep="0.01"/>
  <worldbody>
    <body name="rod">
      <joint name="hinge" axis="0 1 0" damping="0.05"/>
      <geom type="capsule" fromto="0 0 0  0 0 -0.5" size="0.02" mass="1"/>
      <site name="tip" pos="0 0 -0.5"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <sensor><framepos name="tip" objtype="site" objname="tip"/></sensor>
</mujoco>"""
HORIZON = 200


def cost(states, sensordata, controls):
    """Low if the tip is high in the last half second, and little torque is used."""
    return -sensordata[:, -50:, 2].mean(axis=1) + 1e-3 * (controls**2).mean(axis=(1, 2))


def main():
    model = torsor.Model.from_xml_string(PENDULUM)
    plan = torsor.search.cross_entropy(model, torsor.Data(model), cost, HORIZON, hold=10, iterations=25, samples=150, seed=1,
                                       cluster=None)
    start = torsor.get_state(model, torsor.Data(model), torsor.StateBit.FULLPHYSICS)
    states, tip = torsor.rollout(model, start, plan.controls)
    print(f"cost {plan.best[0]:.3f} at first, {plan.cost:.3f} after {len(plan.best)} iterations; the tip ends at {tip[0, -1, 2]:+.2f} m")
    assert plan.cost < -0.2 and tip[0, -1, 2] > 0.3 and (np.diff(plan.best) <= 0).all()

    table = np.column_stack([states[0, :, 0], tip[0, :, 2], states[0, :, 1], plan.controls[:, 0]])
    np.savetxt("swing.csv", table, delimiter=",", header="time,height.tip.z,angle.hinge,torque.motor", comments="")
    subprocess.run([sys.executable, "-m", "torsor", "plot", "swing.csv", "--out", "swing.svg", "--title", "Swing-up"], check=True)


if __name__ == "__main__":
    main()
