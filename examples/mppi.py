"""MPPI: a cart balances a pole that starts tilted, planning a second ahead at each decision; ends in a plot."""

import subprocess
import sys

import numpy as np

import torsor

CARTPOLE = """
<mujoco model="cartpole">
  <option timestep="0.01"/>
  <worldbody>
    <body name="cart">
      <joint name="slider" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.1 0.05 0.05" mass="1"/>
      <body name="pole" pos="0 0 0.05">
        <joint name="hinge" axis="0 1 0" damping="0.002"/>
        <geom type="capsule" fromto="0 0 0  0 0 0.6" size="0.02" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="slider" ctrlrange="-8 8" ctrllimited="true"/></actuator>
</mujoco>"""


def cost(states, sensordata, controls):
    """Angle of the pole and place of the cart, their speeds, and little force; a state is time, x, angle, and two speeds."""
    _, x, angle, speed, turn = np.moveaxis(states, 2, 0)
    return (20 * angle**2 + 3 * x**2 + 0.3 * speed**2 + 0.2 * turn**2).mean(axis=1) + 1e-3 * (controls**2).mean(axis=(1, 2))


def main():
    model = torsor.Model.from_xml_string(CARTPOLE)
    data = torsor.Data(model)
    data.qpos[:] = [0.3, 0.25]
    controller = torsor.search.Mppi(model, cost, horizon=100, samples=96, temperature=0.2, hold=10, seed=0)
    run = controller.run(data, steps=400, every=5)
    angle, place = run.states[:, 2], run.states[:, 1]
    print(f"the pole starts at {0.25:.2f} rad; in the last second it stays within {abs(angle[-100:]).max():.3f} rad, "
          f"the cart within {abs(place[-100:]).max():.2f} m")
    assert abs(angle[-100:]).max() < 0.15 and abs(place[-100:]).max() < 0.5

    table = np.column_stack([run.states[:, 0], angle, place, run.controls[:, 0]])
    np.savetxt("balance.csv", table, delimiter=",", header="time,angle.pole,place.cart.x,force.push", comments="")
    subprocess.run([sys.executable, "-m", "torsor", "plot", "balance.csv", "--out", "balance.svg", "--title", "Balance"], check=True)


if __name__ == "__main__":
    main()
