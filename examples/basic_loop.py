"""The simplest simulation: load a model, step it until a time is reached, and start over."""

import torsor

PENDULUM = """
<mujoco model="pendulum">
  <worldbody>
    <body pos="0 0 1">
      <joint name="pivot" axis="0 1 0" damping="0.02"/>
      <geom type="capsule" fromto="0 0 0  0.5 0 0" size="0.02" mass="1"/>
    </body>
  </worldbody>
</mujoco>"""


def main():
    model = torsor.Model.from_xml_string(PENDULUM)  # or Model.from_xml_path("robot.xml")
    data = torsor.Data(model)
    while data.time < 10:
        torsor.step(model, data)
    angle = data.joint("pivot").qpos[0]
    print(f"after {data.time:.3f} s the pendulum is at {angle:.4f} rad")
    assert abs(angle) < 3.2

    torsor.reset_data(model, data)
    torsor.step(model, data, nstep=5000)  # the same without a loop in Python
    assert data.joint("pivot").qpos[0] == angle  # to the bit


if __name__ == "__main__":
    main()
