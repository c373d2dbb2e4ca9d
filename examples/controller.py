"""Control: a callback that the engine calls when it needs the controls, and the same in two halves of a step."""

import numpy as np

import torsor

CART = """
<mujoco model="cart">
  <option timestep="0.005"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.1 0.05 0.05" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0  0 0 0.6" size="0.02" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="10"/></actuator>
</mujoco>"""
GAINS = np.array([-0.1, -4.0, -0.3, -0.8])  # of slide and hinge, then their velocities


def balance(model, data):
    """Knows everything that follows from the state, because it is called as late as possible."""
    if model.nu == 1 and model.nv == 2:
        data.ctrl[0] = -GAINS @ np.concatenate([data.qpos, data.qvel])


def main():
    model = torsor.Model.from_xml_string(CART)
    data = torsor.Data(model)
    data.qpos[1] = 0.1  # the pole starts tilted
    data.control = balance
    torsor.step(model, data, nstep=2000)
    print(f"after {data.time:.1f} s the pole is at {data.qpos[1]:+.6f} rad")
    assert abs(data.qpos[1]) < 0.01

    # The same without a callback. Runge-Kutta integrators need the callback: they ask for controls several times.
    twin = torsor.Data(model)
    twin.qpos[1] = 0.1
    for _ in range(2000):
        torsor.step1(model, twin)
        balance(model, twin)
        torsor.step2(model, twin)
    assert np.array_equal(twin.qpos, data.qpos)


if __name__ == "__main__":
    main()
