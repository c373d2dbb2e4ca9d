"""What MuJoCo's introductory notebook does: free fall, a tippe top from a keyframe, chaos and energy, contacts, tendons and actuators."""
import mujoco
import numpy as np
from show import show

model = mujoco.MjModel.from_xml_string("""
<mujoco><worldbody><light name="top" pos="0 0 1"/><body name="box_and_sphere" euler="0 0 -30">
<joint name="swing" type="hinge" axis="1 -1 0" pos="-.2 -.2 -.2"/><geom name="red_box" type="box" size=".2 .2 .2" rgba="1 0 0 1"/>
<geom name="green_sphere" pos=".2 .2 .2" size=".1" rgba="0 1 0 1"/></body></worldbody></mujoco>""")
data = mujoco.MjData(model)
show("gravity", model.opt.gravity, [model.opt.timestep, model.nv, model.nq])
model.opt.gravity = (0, 0, 10)
model.opt.gravity[1] = 0.5
while data.time < 1:
    mujoco.mj_step(model, data)
show("swing", data.qpos, data.qvel, data.geom("green_sphere").xpos)
mujoco.mj_resetData(model, data)
model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_GRAVITY
data.joint("swing").qvel = 10
mujoco.mj_step(model, data, 10)
show("without gravity", data.qpos, data.energy)

model = mujoco.MjModel.from_xml_string("""
<mujoco model="tippe top"><option integrator="RK4"/><worldbody><geom size=".2 .2 .01" type="plane"/>
<body name="top" pos="0 0 .02"><freejoint/><geom name="ball" type="sphere" size=".02"/>
<geom name="stem" type="cylinder" pos="0 0 .02" size="0.004 .008"/>
<geom name="ballast" type="box" size=".023 .023 0.005" pos="0 0 -.015" contype="0" conaffinity="0" group="3"/></body></worldbody>
<keyframe><key name="spinning" qpos="0 0 0.02 1 0 0 0" qvel="0 0 0 0 1 200"/></keyframe></mujoco>""")
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, 0)
heights = []
while data.time < 0.3:
    mujoco.mj_step(model, data)
    heights.append(data.qpos[2])
show("tippe top", data.qvel, heights[::20], tolerance=1e-6)

model = mujoco.MjModel.from_xml_string("""
<mujoco model="chaotic pendulum"><option timestep=".001"><flag energy="enable" contact="disable"/></option>
<default><joint type="hinge" axis="0 -1 0"/><geom type="capsule" size=".02"/></default><worldbody>
<body name="0" pos="0 0 .2"><joint name="root"/><geom fromto="-.2 0 0 .2 0 0"/><geom fromto="0 0 0 0 0 -.25"/>
<body name="1" pos="-.2 0 0"><joint/><geom fromto="0 0 0 0 0 -.2"/></body><body name="2" pos=".2 0 0"><joint/><geom fromto="0 0 0 0 0 -.2"/></body>
<body name="3" pos="0 0 -.25"><joint/><geom fromto="0 0 0 0 0 -.2"/></body></body></worldbody></mujoco>""")
data = mujoco.MjData(model)
data.joint("root").qvel = 10
energies = []
for _ in range(500):
    mujoco.mj_step(model, data)
    energies.append(data.energy.copy())
show("energies", energies[::50], tolerance=1e-7)

model = mujoco.MjModel.from_xml_string("""
<mujoco><option><flag multiccd="disable"/></option><asset><hfield name="hills" nrow="3" ncol="3" size="1 1 .2 .1"/></asset><worldbody>
<geom type="plane" size="5 5 .1" solref=".01 .5"/>
<body name="b1" pos="0 0 .4"><freejoint/><geom type="box" size=".1 .1 .1" friction=".3"/></body>
<body name="b2" pos="1 0 .5"><freejoint/><geom type="sphere" size=".1" condim="6"/></body></worldbody></mujoco>""")
model.hfield("hills").data[:] = np.arange(9).reshape(3, 3) / 8
data = mujoco.MjData(model)
data.qvel[6:9] = [1, 0, -1]
counts, penetration, forces = [], [], []
force = np.zeros(6)
while data.time < 0.3:
    mujoco.mj_step(model, data)
    counts.append(data.ncon)
    penetration.append(min([0, *(contact.dist for contact in data.contact)]))
    for j, contact in enumerate(data.contact):
        mujoco.mj_contactForce(model, data, j, force)
    forces.append(force[0])
show("contacts", counts, penetration[::10], forces[::10], model.hfield_data, tolerance=1e-6)

model = mujoco.MjModel.from_xml_string("""
<mujoco model="bat"><option timestep=".002"/><worldbody><body pos="0 0 1"><joint name="hinge" axis="0 1 0" damping=".01" stiffness=".02"/>
<geom type="capsule" fromto="0 0 0 0 0 -.3" size=".02"/><site name="end" pos="0 0 -.3"/></body><site name="anchor" pos=".3 0 1"/></worldbody>
<tendon><spatial name="wire" limited="true" range="0 0.45" width=".003"><site site="anchor"/><site site="end"/></spatial></tendon>
<actuator><motor name="motor" joint="hinge" gear="2"/><position name="servo" joint="hinge" kp="3"/><muscle name="pull" tendon="wire"/></actuator>
<sensor><accelerometer name="acc" site="end"/><gyro name="gyro" site="end"/><tendonpos name="length" tendon="wire"/></sensor></mujoco>""")
data = mujoco.MjData(model)
data.actuator("motor").ctrl = 0.1
data.actuator("servo").ctrl = -0.4
data.actuator("pull").ctrl = 0.5
readings = []
for _ in range(300):
    mujoco.mj_step(model, data)
    readings.append(data.sensordata.copy())
show("sensors", readings[::30], data.ten_length, data.act, data.actuator_force, tolerance=1e-7)
