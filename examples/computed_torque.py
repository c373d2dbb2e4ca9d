"""Computed torque: inverse dynamics says which joint forces a trajectory needs, and a little feedback does the rest."""

import numpy as np

import torsor

ARM = """
<mujoco model="arm">
  <option timestep="0.001" integrator="implicitfast"/>
  <worldbody>
    <body pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.2"/>
      <geom type="capsule" fromto="0 0 0  0.4 0 0" size="0.03" mass="2"/>
      <body pos="0.4 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0  0.4 0 0" size="0.02" mass="1"/>
      </body>
    </body>
  </worldbody>
</mujoco>"""
AMPLITUDE, RATE = np.array([0.6, 0.9]), np.array([2.0, 3.0])


def reference(time):
    """Position, velocity and acceleration of the trajectory."""
    return (AMPLITUDE * np.sin(RATE * time), AMPLITUDE * RATE * np.cos(RATE * time),
            -AMPLITUDE * RATE**2 * np.sin(RATE * time))


def track(model, with_inverse):
    """The largest error over four seconds."""
    data, plan = torsor.Data(model), torsor.Data(model)  # a Data of its own for questions about the plan
    data.qpos, data.qvel, _ = reference(0)
    worst = 0.0
    while data.time < 4:
        qpos, qvel, qacc = reference(data.time)
        force = 100 * (qpos - data.qpos) + 10 * (qvel - data.qvel)
        if with_inverse:
            plan.qpos, plan.qvel, plan.qacc = qpos, qvel, qacc
            torsor.inverse(model, plan)
            force = force + plan.qfrc_inverse
        data.qfrc_applied = force
        torsor.step(model, data)
        worst = max(worst, np.abs(reference(data.time)[0] - data.qpos).max())
    return worst


def main():
    model = torsor.Model.from_xml_string(ARM)
    feedback, computed = track(model, False), track(model, True)
    print(f"largest error: {feedback:.4f} rad by feedback alone, {computed:.6f} rad with computed torque")
    assert computed < 0.001 < 0.02 < feedback


if __name__ == "__main__":
    main()
