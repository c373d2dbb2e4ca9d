"""Models from files: meshes and includes in memory, MjVfs, damaged models and the types of errors."""
import os
import tempfile

import mujoco
import numpy as np
from show import fails, show

CUBE = "".join(f"v {x} {y} {z}\n" for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)).encode() + (
    b"f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
XML = """<mujoco><compiler meshdir="parts"/><asset><mesh name="m" file="cube.obj" scale=".1 .1 .1"/></asset><worldbody>
<body><freejoint/><geom name="g" type="mesh" mesh="m"/></body></worldbody></mujoco>"""
model = mujoco.MjModel.from_xml_string(XML, assets={"cube.obj": CUBE})
show("mesh", model.body_mass, np.sort(model.body_inertia.ravel()), [model.nmeshvert, model.nmeshface], tolerance=1e-6)
with tempfile.TemporaryDirectory() as folder:
    os.mkdir(os.path.join(folder, "parts"))
    with open(os.path.join(folder, "parts", "cube.obj"), "wb") as file:
        file.write(CUBE)
    with open(os.path.join(folder, "robot.xml"), "w") as file:
        file.write(XML)
    with open(os.path.join(folder, "scene.xml"), "w") as file:
        file.write("<mujoco><include file='robot.xml'/><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>")
    scene = mujoco.MjModel.from_xml_path(os.path.join(folder, "scene.xml"))
    show("include", [scene.ngeom, scene.nmesh], scene.geom_rbound, tolerance=1e-6)
    spec = mujoco.MjSpec.from_file(os.path.join(folder, "scene.xml"))
    spec.mesh("m").scale = [0.2, 0.1, 0.1]
    show("scaled", spec.compile().body_mass, tolerance=1e-6)
    os.remove(os.path.join(folder, "parts", "cube.obj"))
    fails("no mesh", mujoco.MjModel.from_xml_path, os.path.join(folder, "scene.xml"))
with mujoco.MjVfs() as vfs:
    vfs["cube.obj"] = CUBE
    vfs["scene.xml"] = XML.replace('<compiler meshdir="parts"/>', "").encode()
    show("vfs", mujoco.MjModel.from_xml_path("scene.xml", vfs=vfs).body_mass, tolerance=1e-6)
    fails("twice", vfs.__setitem__, "cube.obj", CUBE)
for name, text in (("not XML", "mujoco"), ("no element", ""), ("bad number", "<mujoco><option timestep='fast'/></mujoco>"),
                   ("unknown joint", "<mujoco><actuator><motor joint='none'/></actuator></mujoco>"),
                   ("negative size", "<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>"),
                   ("two of a name", "<mujoco><worldbody><geom name='a' size='1'/><geom name='a' size='1'/></worldbody></mujoco>")):
    fails(name, mujoco.MjModel.from_xml_string, text)
data = mujoco.MjData(model)
other = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
fails("wrong shape", setattr, data, "qpos", np.zeros(3))
fails("unknown attribute", setattr, data, "nonsense", 1)
fails("text for a number", setattr, model.opt, "timestep", "fast")
fails("no model", mujoco.MjData, None)
fails("model for data", mujoco.mj_step, model, model)
show("after errors", data.qpos)
