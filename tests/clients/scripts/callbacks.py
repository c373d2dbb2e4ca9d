"""Global callbacks: control, passive forces, sensors and actuators, and their removal."""
import mujoco
import numpy as np
from show import fails, show

XML = """
<mujoco>
  <worldbody>
    <body pos="0 0 1"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03"/>
      <body pos="0 0 -.5"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03"/></body></body>
  </worldbody>
  <actuator><motor joint="a"/><general joint="b" dyntype="user" gaintype="user" biastype="user"/></actuator>
  <sensor><user name="u" dim="2" needstage="vel"/></sensor>
</mujoco>"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
calls = {"control": 0}


def control(m, d):
    calls["control"] += 1
    d.ctrl[0] = -5 * d.qpos[0] - d.qvel[0]
    d.ctrl[1] = np.sin(d.time)


def passive(m, d):
    d.qfrc_passive[:] -= 0.3 * d.qvel


def sensor(m, d, stage):
    if stage == mujoco.mjtStage.mjSTAGE_VEL:
        d.sensordata[:] = d.qvel


mujoco.set_mjcb_control(control)
mujoco.set_mjcb_passive(passive)
mujoco.set_mjcb_sensor(sensor)
mujoco.set_mjcb_act_dyn(lambda m, d, i: d.ctrl[i] - d.act[0])
mujoco.set_mjcb_act_gain(lambda m, d, i: 2.0)
mujoco.set_mjcb_act_bias(lambda m, d, i: -0.1 * d.actuator_length[i])
data.qpos[:] = [0.5, -0.3]
for _ in range(200):
    mujoco.mj_step(model, data)
show("state", data.qpos, data.qvel, data.act, data.sensordata, [calls["control"], mujoco.get_mjcb_control() is control])


def broken(m, d):
    raise ValueError("in a callback")


mujoco.set_mjcb_control(broken)
fails("error in a callback", mujoco.mj_step, model, data)
mujoco.set_mjcb_control(None)
mujoco.set_mjcb_passive(None)
mujoco.set_mjcb_sensor(None)
mujoco.set_mjcb_act_dyn(None)
mujoco.set_mjcb_act_gain(None)
mujoco.set_mjcb_act_bias(None)
show("none", [mujoco.get_mjcb_control() is None, mujoco.get_mjcb_passive() is None])
mujoco.mj_step(model, data, 10)
show("after", data.qpos, data.time)
