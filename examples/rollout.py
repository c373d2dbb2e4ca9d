"""Rollouts: many control sequences at once, here to find one that swings a pendulum up."""

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
  <sensor><framepos objtype="site" objname="tip"/></sensor>
</mujoco>"""
HORIZON, SAMPLES, ROUNDS = 200, 200, 20


def main():
    model = torsor.Model.from_xml_string(PENDULUM)
    start = torsor.get_state(model, torsor.Data(model), torsor.StateBit.FULLPHYSICS)
    rng = np.random.default_rng(0)
    best, spread = np.zeros(HORIZON // 10), 1.0
    for _ in range(ROUNDS):
        # each control is held for ten steps; the first sample is the best one so far
        knots = best + spread * rng.normal(size=(SAMPLES, HORIZON // 10)) * (np.arange(SAMPLES) > 0)[:, None]
        controls = np.repeat(np.clip(knots, -1, 1), 10, axis=1)[:, :, None]
        states, tips = torsor.rollout(model, start, controls)
        score = tips[:, -50:, 2].mean(axis=1)  # height of the tip in the last half second
        best, spread = np.clip(knots[score.argmax()], -1, 1), 0.85 * spread
    assert states.shape == (SAMPLES, HORIZON, 3) and tips.shape == (SAMPLES, HORIZON, 3)
    print(f"the tip starts at -0.5 m and is at {score.max():+.3f} m on average at the end")
    assert score.max() > 0


if __name__ == "__main__":
    main()
