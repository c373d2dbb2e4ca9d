"""Renderer, scenes and the camera, as far as a script sees them without looking at pixels; and the visual options."""
import mujoco
import numpy as np
from show import show

XML = """
<mujoco>
  <visual><global offwidth="320" offheight="240"/></visual>
  <worldbody>
    <light pos="0 0 3"/><camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 .4 1"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="b" pos="0 0 .5"><freejoint/><geom name="box" type="box" size=".1 .1 .1" rgba="1 0 0 1"/><site name="s" size=".02"/></body>
  </worldbody>
</mujoco>"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
scene = mujoco.MjvScene(model, maxgeom=100)
option, camera = mujoco.MjvOption(), mujoco.MjvCamera()
mujoco.mjv_defaultFreeCamera(model, camera)
show("camera", camera.lookat, [camera.distance, camera.azimuth, camera.elevation], tolerance=1e-6)
option.frame = mujoco.mjtFrame.mjFRAME_NONE
mujoco.mjv_updateScene(model, data, option, mujoco.MjvPerturb(), camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
show("scene", [scene.ngeom, scene.nlight], [int(geom.type) for geom in scene.geoms[:scene.ngeom]],
     [geom.pos for geom in scene.geoms[:scene.ngeom]], [geom.rgba for geom in scene.geoms[:scene.ngeom]], tolerance=1e-6)
geom = scene.geoms[scene.ngeom]
mujoco.mjv_initGeom(geom, mujoco.mjtGeom.mjGEOM_SPHERE, np.array([0.1, 0, 0]), np.array([1.0, 2, 3]), np.eye(3).ravel(),
                    np.array([0, 1, 0, 1], np.float32))
scene.ngeom += 1
mujoco.mjv_connector(scene.geoms[scene.ngeom], mujoco.mjtGeom.mjGEOM_CAPSULE, 0.01, np.zeros(3), np.array([0, 0, 1.0]))
show("added", geom.pos, geom.size, scene.geoms[scene.ngeom].size, tolerance=1e-6)
