"""A sensor of one's own: how far the tip of an arm is from a target, and how fast it approaches."""

import numpy as np

import torsor

ARM = """
<mujoco model="reacher">
  <worldbody>
    <site name="target" pos="0.3 0 0.6"/>
    <body pos="0 0 1">
      <joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0  0.4 0 0" size="0.02" mass="1"/>
      <site name="tip" pos="0.4 0 0"/>
    </body>
  </worldbody>
  <sensor>
    <user name="approach" dim="2" needstage="vel"/>
  </sensor>
</mujoco>"""


def approach(model, data, sensor):
    """Distance of tip and target, and its rate; called after the stage that the sensor needs, here the velocities."""
    tip, target = model.site("tip").id, model.site("target").id
    offset = data.site_xpos[target] - data.site_xpos[tip]
    distance = np.linalg.norm(offset)
    velocity = torsor.object_velocity(model, data, torsor.ObjectType.SITE, tip)[3:]
    return [distance, -velocity @ offset / distance]


def main():
    model = torsor.Model.from_xml_string(ARM)
    data = torsor.Data(model)
    data.user_sensor = approach
    readings = []
    for _ in range(300):
        torsor.step(model, data)
        readings.append(data.sensor("approach").data.copy())
    distance, rate = np.array(readings).T
    print(f"nearest to the target: {distance.min():.3f} m, after {distance.argmin() * model.opt.timestep:.3f} s")
    slopes = (distance[2:] - distance[:-2]) / (2 * model.opt.timestep)
    assert np.abs(slopes - rate[1:-1]).max() < 0.02  # the rate is the slope of the distance


if __name__ == "__main__":
    main()
