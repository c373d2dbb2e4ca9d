"""Balance by LQR: an inverse-dynamics height search, mjd_transitionFD, a Riccati equation and a controlled simulation."""
import mujoco
import numpy as np
import scipy.linalg
from show import show

XML = """
<mujoco>
  <option timestep="0.005"/>
  <default><geom condim="3" friction="1 .1 .1"/><joint damping="1" armature="0.01"/><motor ctrlrange="-1 1" ctrllimited="true"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="foot" pos="0 0 0.05">
      <freejoint name="root"/>
      <geom name="sole" type="box" size=".15 .1 .05" density="500"/>
      <body name="leg" pos="0 0 .05">
        <joint name="ankle_x" axis="1 0 0" range="-40 40"/><joint name="ankle_y" axis="0 1 0" range="-40 40"/>
        <geom type="capsule" fromto="0 0 0 0 0 .4" size=".04"/>
        <body name="torso" pos="0 0 .42"><joint name="hip" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".05"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="a" joint="ankle_x" gear="40"/><motor name="b" joint="ankle_y" gear="40"/><motor name="c" joint="hip" gear="40"/></actuator>
</mujoco>"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)

# the height at which the least vertical force has to be added
heights, forces = np.linspace(-0.001, 0.001, 101), []
for offset in heights:
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    data.qacc = 0
    data.qpos[2] += offset
    mujoco.mj_inverse(model, data)
    forces.append(data.qfrc_inverse[2])
show("forces", forces)
best = heights[np.argmin(np.abs(forces))]
mujoco.mj_resetData(model, data)
data.qpos[2] += best
qpos0 = data.qpos.copy()
data.qacc = 0
mujoco.mj_forward(model, data)
data.qacc = 0
mujoco.mj_inverse(model, data)
moment = np.zeros((model.nu, model.nv))
mujoco.mju_sparse2dense(moment, data.actuator_moment.reshape(-1), data.moment_rownnz, data.moment_rowadr,
                        data.moment_colind.reshape(-1))
ctrl0 = (np.atleast_2d(data.qfrc_inverse) @ np.linalg.pinv(moment)).flatten()
show("setpoint", qpos0, ctrl0)

# cost: the centre of mass over the foot
mujoco.mj_resetData(model, data)
data.qpos = qpos0
mujoco.mj_forward(model, data)
jac_com, jac_foot = np.zeros((3, model.nv)), np.zeros((3, model.nv))
mujoco.mj_jacSubtreeCom(model, data, jac_com, model.body("leg").id)
mujoco.mj_jacBodyCom(model, data, jac_foot, None, model.body("foot").id)
difference = jac_com - jac_foot
Q = np.zeros((2 * model.nv, 2 * model.nv))
Q[:model.nv, :model.nv] = 1000 * difference.T @ difference + np.eye(model.nv)
A, B = np.zeros((2 * model.nv, 2 * model.nv)), np.zeros((2 * model.nv, model.nu))
mujoco.mj_resetData(model, data)
data.ctrl = ctrl0
data.qpos = qpos0
mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)
show("A", A[::5].ravel(), tolerance=1e-6)
show("B", B.ravel(), tolerance=1e-6)
Q += 1e-3 * np.eye(2 * model.nv)
P = scipy.linalg.solve_discrete_are(A, B, Q, np.eye(model.nu), balanced=True)
K = np.linalg.inv(np.eye(model.nu) + B.T @ P @ B) @ B.T @ P @ A

mujoco.mj_resetData(model, data)
data.qpos = qpos0
data.qpos[8] += 0.01
dq = np.zeros(model.nv)
heights = []
while data.time < 0.5:
    mujoco.mj_differentiatePos(model, dq, 1, qpos0, data.qpos)
    data.ctrl = ctrl0 - K.round(3) @ np.hstack((dq, data.qvel))
    mujoco.mj_step(model, data)
    heights.append(data.subtree_com[0, 2])
show("heights", heights[::10], tolerance=1e-5)
