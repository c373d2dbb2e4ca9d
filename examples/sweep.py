"""A sweep: how high a ball bounces for 256 pairs of stiffness and damping of its contact, as a table and a plot.

`torsor sweep sweep.toml` does the same from the command line. With cluster="auto" rows are computed on a Ray cluster.
"""

import subprocess
import sys

import numpy as np

import torsor

BALL = """
<mujoco model="ball">
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="ball" pos="0 0 0.5">
      <joint name="height" type="slide" axis="0 0 1"/>
      <geom name="ball" size="0.05" mass="0.2" solref="-2000 -5"/>
    </body>
  </worldbody>
</mujoco>"""


def bounce(model):
    """The highest point after the first contact, in metres above the rest."""
    data = torsor.Data(model)
    start = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
    states, _ = torsor.rollout(model, start, nstep=500, nthread=1)
    height, speed = states[0, :, 1], states[0, :, 2]
    turned = int(np.argmax(speed > 0))  # the first step upwards
    return {"rebound": float(height[turned:].max() - height[turned]), "contact time": float(states[0, turned, 0])}


def main():
    model = torsor.Model.from_xml_string(BALL)
    # negative solref: stiffness and damping, as MuJoCo writes them
    design = torsor.search.sobol({"geom_solref.ball.0": (-8000, -1000), "geom_solref.ball.1": (-30, -1)}, 256, seed=0)
    found = torsor.search.sweep(model, design, bounce, table="bounce.csv")
    damping, rebound = np.array(found.columns["geom_solref.ball.1"]), np.array(found.columns["rebound"])
    soft, hard = rebound[damping > -5].mean(), rebound[damping < -25].mean()
    print(f"{len(design)} rows in bounce.csv; the ball rebounds {soft:.2f} m with little damping, {hard:.2f} m with much")
    assert soft > hard and not found.report.failures

    order = np.argsort(-damping)
    np.savetxt("bounce_by_damping.csv", np.column_stack([-damping[order], rebound[order]]), delimiter=",", header="time,rebound.ball.z", comments="")
    subprocess.run([sys.executable, "-m", "torsor", "plot", "bounce_by_damping.csv", "--out", "bounce.svg", "--title",
                    "Rebound over damping of the contact"], check=True)


if __name__ == "__main__":
    main()
