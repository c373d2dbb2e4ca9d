"""System identification: find a mass and a damping from a recorded motion, by editing the model between runs."""

import copy

import numpy as np

import torsor

SLIDER = """
<mujoco model="slider">
  <option timestep="0.005"/>
  <worldbody>
    <body name="load">
      <joint name="rail" type="slide" axis="1 0 0" stiffness="40" damping="1"/>
      <geom type="box" size="0.1 0.1 0.1" mass="1"/>
    </body>
  </worldbody>
</mujoco>"""
TRUTH = np.array([1.7, 2.3])  # kg, N s/m
STEPS = 200


def simulate(model, parameters):
    """Positions over time of a model with this mass and damping."""
    body, joint = model.body("load"), model.joint("rail")
    scale = parameters[0] / body.mass[0]
    body.mass[0] *= scale
    body.inertia[:] *= scale  # inertias must stay those of a body
    joint.damping[0] = parameters[1]
    torsor.set_const(model)  # what follows from masses
    data = torsor.Data(model)
    data.qpos[0] = 0.2
    positions = []
    for _ in range(STEPS):
        torsor.step(model, data)
        positions.append(data.qpos[0])
    return np.array(positions)


def main():
    recorded = simulate(torsor.Model.from_xml_string(SLIDER), TRUTH)
    model = torsor.Model.from_xml_string(SLIDER)
    original = copy.copy(model)
    guess = np.array([1.0, 1.0])
    for _ in range(12):  # Gauss-Newton with differences
        residual = simulate(model, guess) - recorded
        columns = [(simulate(model, guess + step) - recorded - residual) / 1e-5 for step in 1e-5 * np.eye(2)]
        guess = guess - np.linalg.lstsq(np.stack(columns, axis=1), residual, rcond=None)[0]
    print(f"mass {guess[0]:.6f} kg, damping {guess[1]:.6f} N s/m; edited: {model.diff(original)[0]}")
    assert np.allclose(guess, TRUTH, rtol=1e-6)
    assert {"body_mass", "dof_damping"} <= {difference.name for difference in model.diff(original)}


if __name__ == "__main__":
    main()
