"""MjSpec: a model made from nothing, edited, attached to another, recompiled with its state, written and read again."""
import mujoco
import numpy as np
from show import fails, show

spec = mujoco.MjSpec()
spec.modelname = "edited"
spec.option.timestep = 0.004
spec.compiler.degree = False
main = spec.default
main.geom.rgba = [1, 0, 0, 1]
limb = spec.add_default("limb", main)
limb.geom.type = mujoco.mjtGeom.mjGEOM_CAPSULE
limb.joint.damping = [0.5, 0, 0]
spec.worldbody.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
spec.worldbody.add_light(pos=[0, 0, 3], dir=[0, 0, -1])
torso = spec.worldbody.add_body(name="torso", pos=[0, 0, 1])
torso.add_freejoint(name="root")
torso.add_geom(name="trunk", type=mujoco.mjtGeom.mjGEOM_ELLIPSOID, size=[0.2, 0.15, 0.05])
for i in range(4):
    theta = 2 * np.pi * i / 4
    frame = torso.add_frame(pos=[0.15 * np.cos(theta), 0.15 * np.sin(theta), 0], euler=[0, 0, theta])
    hip = torso.add_body(name=f"leg{i}", childclass="limb")
    hip.set_frame(frame)
    hip.add_joint(limb, name=f"hip{i}", axis=[0, 0, 1], range=[-1, 1])
    hip.add_geom(limb, fromto=[0, 0, 0, 0.1, 0, 0], size=[0.02, 0, 0])
    knee = hip.add_body(name=f"knee{i}", pos=[0.1, 0, 0])
    knee.add_joint(limb, name=f"knee{i}", axis=[0, 1, 0])
    knee.add_geom(limb, fromto=[0, 0, 0, 0, 0, -0.15], size=[0.015, 0, 0])
    knee.add_site(name=f"toe{i}", pos=[0, 0, -0.15])
    spec.add_actuator(name=f"a{i}", target=f"knee{i}", trntype=mujoco.mjtTrn.mjTRN_JOINT, gainprm=[5] + [0] * 9)
    spec.add_sensor(name=f"s{i}", type=mujoco.mjtSensor.mjSENS_FRAMEPOS, objtype=mujoco.mjtObj.mjOBJ_SITE, objname=f"toe{i}")
spec.add_key(name="home", qpos=[0, 0, 0.2, 1, 0, 0, 0] + [0.1] * 8)
model = spec.compile()
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, 0)
data.ctrl[:] = [0.1, 0.2, 0.3, 0.4]
for _ in range(50):
    mujoco.mj_step(model, data)
show("sizes", [model.nq, model.nv, model.nu, model.nbody, model.ngeom, model.nsensordata, model.nkey])
show("state", data.qpos, data.qvel, data.sensordata, tolerance=1e-8)
show("masses", model.body_mass, model.body_inertia)

# edits with live handles
trunk = spec.geom("trunk")
trunk.size[2] = 0.08
spec.delete(spec.body("leg3"))
show("left", [body.name for body in spec.bodies], [a.name for a in spec.actuators], [s.name for s in spec.sensors])
model, data = spec.recompile(model, data)
mujoco.mj_forward(model, data)
show("recompiled", data.qpos, data.qvel, data.time, data.xpos, tolerance=1e-8)
show("bind", data.bind(trunk).xpos, model.bind(trunk).size)
show("bind many", data.bind(spec.joints[1:]).qpos, tolerance=1e-8)

# attachment
tool = mujoco.MjSpec.from_string("""<mujoco><worldbody><body name="tool"><joint name="slide" type="slide"/><geom size=".02"/></body>
  </worldbody><actuator><position name="grip" joint="slide" kp="20"/></actuator></mujoco>""")
site = spec.body("torso").add_site(name="mount", pos=[0, 0, 0.1], quat=[0, 1, 0, 0])
spec.attach(tool, prefix="t_", site=site)
frame = spec.worldbody.add_frame(pos=[2, 0, 0])
other = mujoco.MjSpec.from_string("<mujoco><worldbody><body name='box'><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>")
frame.attach_body(other.body("box"), "pre-", "-post")
model = spec.compile()
show("attached", [model.body(i).name for i in range(model.nbody)], [model.actuator(i).name for i in range(model.nu)])
show("poses", model.body_pos, model.body_quat)
again = mujoco.MjModel.from_xml_string(spec.to_xml())
show("written", again.body_mass, again.body_pos, again.jnt_range, again.actuator_gainprm, tolerance=1e-5)
copied = spec.copy()
copied.modelname = "other"
show("copy", [spec.modelname, copied.modelname], [copied.compile().nv])
show("walk", [g.name for g in spec.body("torso").find_all("geom")], [spec.body("torso").first_joint().name])
fails("no such body", spec.body("torso").add_body, nonsense=3)
fails("unnamed target", lambda: (spec.add_actuator(name="bad", target="nothing", trntype=mujoco.mjtTrn.mjTRN_JOINT), spec.compile()))
