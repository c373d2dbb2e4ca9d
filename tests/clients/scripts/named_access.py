"""Named access, slices of contacts, contact forces, distances and rays."""
import copy
import pickle

import mujoco
import numpy as np
from show import fails, show

XML = """
<mujoco>
  <worldbody>
    <light name="top" pos="0 0 1"/>
    <geom name="floor" type="plane" size="1 1 .1" rgba=".5 .5 .5 1"/>
    <body name="box_and_sphere" pos="0 0 .3" euler="0 0 -30">
      <freejoint/>
      <joint name="swing" type="hinge" axis="1 -1 0" pos="-.2 -.2 -.2" range="-1 1"/>
      <geom name="red_box" type="box" size=".2 .2 .2" rgba="1 0 0 1"/>
      <geom name="green_sphere" pos=".2 .2 .2" size=".1" rgba="0 1 0 1"/>
      <site name="tip" pos=".2 .2 .3"/>
    </body>
    <body name="ball" pos=".6 0 .1"><freejoint name="loose"/><geom name="ball" size=".1"/></body>
    <camera name="fixed" pos="0 -2 1" xyaxes="1 0 0 0 1 2"/>
  </worldbody>
  <sensor><accelerometer name="acc" site="tip"/><touch name="touch" site="tip"/></sensor>
</mujoco>""".replace("<freejoint/>\n", "")
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
show("names", [model.geom(i).name for i in range(model.ngeom)], [model.geom("red_box").id, model.geom("red_box").bodyid[0]])
show("fields", model.geom("green_sphere").rgba, model.joint("swing").range, model.camera("fixed").fovy, model.light("top").pos,
     model.sensor("acc").adr)
fails("no such geom", model.geom, "no such geom")
fails("out of range", model.geom, 77)
show("ids", [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, name) for name in ("floor", "ball", "nothing")],
     [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, 1), str(mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, 1))])
mujoco.mj_kinematics(model, data)
show("xpos", data.geom_xpos, data.geom("green_sphere").xpos, data.geom("green_sphere").xmat, data.site("tip").xpos)
data.joint("loose").qvel[:] = [0.1, 0, -1, 0, 0, 3]
data.joint("swing").qpos = 0.05
data.body("ball").xfrc_applied[2] = -3
for _ in range(150):
    mujoco.mj_step(model, data)
show("state", data.qpos, data.qvel, data.sensor("acc").data, tolerance=1e-8)
show("contacts", data.ncon, [contact.dist for contact in data.contact], data.contact.geom, data.contact[0].frame, data.contact[:2].dim,
     data.contact.pos, tolerance=1e-8)
force, total = np.zeros(6), np.zeros(6)
for i in range(data.ncon):
    mujoco.mj_contactForce(model, data, i, force)
    total += force
show("contact forces", total, [data.efc_force[data.contact[0].efc_address]], tolerance=1e-6)
fails("wrong size", mujoco.mj_contactForce, model, data, 0, np.zeros(5))
fails("wrong type", mujoco.mj_contactForce, model, data, 0, np.zeros(6, np.float32))
fromto = np.zeros(6)
show("distance", mujoco.mj_geomDistance(model, data, model.geom("red_box").id, model.geom("ball").id, 5, fromto), fromto, tolerance=1e-8)
geomid = np.zeros(1, np.int32)
show("ray", mujoco.mj_ray(model, data, np.array([0.6, 0, 2.0]), np.array([0, 0, -1.0]), None, 1, -1, geomid, None), geomid, tolerance=1e-8)
velocity = np.zeros(6)
mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_SITE, model.site("tip").id, velocity, 1)
show("velocity", velocity, tolerance=1e-8)
copied, pickled = copy.deepcopy(data), pickle.loads(pickle.dumps(data))
mujoco.mj_step(model, copied)
same = pickle.loads(pickle.dumps(model))
mujoco.mj_step(same, pickled)
show("copies", copied.qpos - pickled.qpos, [copied.time > data.time, copy.copy(model).nq], tolerance=0)
show("struct", [model.opt == same.opt, data.contact[0] == data.contact[0], "solimp" in repr(data.contact[0])])
