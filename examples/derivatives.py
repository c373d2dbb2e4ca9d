"""Derivatives: the matrices of a step make a regulator that balances a pole on a cart."""

import numpy as np

import torsor

CART = """
<mujoco model="cart">
  <option timestep="0.01"/>
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


def regulator(A, B, Q, R):
    """Gains that minimise the sum of x' Q x + u' R u, by Riccati's recursion."""
    P = Q
    for _ in range(2000):
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        P = Q + A.T @ P @ (A - B @ K)
    return K


def main():
    model = torsor.Model.from_xml_string(CART)
    data = torsor.Data(model)  # upright and at rest, where it would stay
    (A, B, _, _), error = torsor.transition_derivatives(model, data, second_eps=1e-5)
    fastest = max(abs(np.linalg.eigvals(A)))
    print(f"without control, deviations grow by {fastest:.3f} in a step; A is known to {error.A.max():.1e}")
    assert fastest > 1.01 and error.A.max() < 1e-7

    K = regulator(A, B, np.eye(4), np.eye(1))
    data.qpos[:] = 0.3, 0.2  # off its place and tilted
    for _ in range(1000):
        data.ctrl[:] = -K @ np.concatenate([data.qpos, data.qvel])
        torsor.step(model, data)
    print(f"with control, after {data.time:.0f} s: {data.qpos[0]:+.1e} m, {data.qpos[1]:+.1e} rad")
    assert np.abs(data.qpos).max() < 1e-3


if __name__ == "__main__":
    main()
