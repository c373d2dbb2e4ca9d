"""Inverse dynamics, mass matrix, Jacobians, energies, states, keyframes, mj_saveLastXML, mju_ functions."""
import os
import tempfile

import mujoco
import numpy as np
from show import fails, show

XML = """
<mujoco model="arm">
  <option integrator="implicitfast"><flag energy="enable"/></option>
  <worldbody>
    <body name="upper" pos="0 0 1"><joint name="shoulder" type="ball" damping="0.1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
      <body name="lower" pos=".4 0 0"><joint name="elbow" axis="0 0 1" range="-2 2" limited="true" stiffness="3"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="hand" pos=".3 0 0"/></body></body>
  </worldbody>
  <actuator><position joint="elbow" kp="10"/></actuator>
  <keyframe><key name="bent" qpos=".8 .6 0 0 1" qvel="1 2 3 4" ctrl=".5"/></keyframe>
</mujoco>"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, model.key("bent").id)
mujoco.mj_forward(model, data)
show("energy", data.energy, [data.time])
mujoco.mj_inverse(model, data)
show("inverse", data.qfrc_inverse, data.qfrc_bias, data.qacc)
mass = np.zeros((model.nv, model.nv))
mujoco.mj_fullM(model, data, mass)
show("M", mass, np.linalg.eigvalsh(mass))
vector, result = np.arange(1.0, 5), np.zeros(4)
mujoco.mj_mulM(model, data, result, vector)
solved = np.zeros((1, 4))
mujoco.mj_solveM(model, data, solved, result.reshape(1, 4))
show("mulM", result, solved)
jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
mujoco.mj_jacSite(model, data, jacp, jacr, model.site("hand").id)
show("jacobian", jacp, jacr)
mujoco.mj_jac(model, data, jacp, None, np.array([0.1, 0.2, 0.3]), 2)
show("jacobian of a point", jacp)
fails("a Fortran array", mujoco.mj_jac, model, data, np.asfortranarray(jacp), None, np.zeros(3), 2)

size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_INTEGRATION)
state, physics = np.zeros(size), np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_PHYSICS))
mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
mujoco.mj_step(model, data, nstep=20)
first = data.qpos.copy()
mujoco.mj_setState(model, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
mujoco.mj_step1(model, data)
mujoco.mj_step2(model, data)
mujoco.mj_step(model, data, nstep=19)
mujoco.mj_getState(model, data, physics, mujoco.mjtState.mjSTATE_PHYSICS)
show("states", [size], physics, first)
show("again", first - data.qpos, tolerance=1e-12)
difference = np.zeros(model.nv)
mujoco.mj_differentiatePos(model, difference, 0.5, model.qpos0, data.qpos)
qpos = model.qpos0.copy()
mujoco.mj_integratePos(model, qpos, difference, 0.5)
show("positions", difference, qpos - data.qpos)
mujoco.mj_setKeyframe(model, data, 0)
show("key", model.key_qpos, model.key("bent").qvel)

A, B, C, D = np.zeros((8, 8)), np.zeros((8, 1)), np.zeros((0, 8)), np.zeros((0, 1))
mujoco.mjd_transitionFD(model, data, 1e-6, False, A, B, None, None)
show("transition", A, B, tolerance=1e-6)
mujoco.mj_forward(model, data)  # what it needs: MuJoCo leaves results of a sample, Torsor those from before
DfDq, DfDv, DfDa = (np.zeros((model.nv, model.nv)) for _ in range(3))
mujoco.mjd_inverseFD(model, data, 1e-6, False, DfDq, DfDv, DfDa, None, None, None, None)
show("inverse derivatives", DfDq, DfDv, DfDa, tolerance=1e-4)

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "saved.xml")
    mujoco.mj_saveLastXML(path, model)
    show("saved", mujoco.MjModel.from_xml_path(path).body_mass, tolerance=1e-5)
    binary = os.path.join(folder, "saved.mjb")
    mujoco.mj_saveModel(model, binary, None)
    show("binary", mujoco.MjModel.from_binary_path(binary).body_inertia)
    fails("no such file", mujoco.MjModel.from_xml_path, os.path.join(folder, "none.xml"))
fails("bad XML", mujoco.MjModel.from_xml_string, "<mujoco><worldbody>")
fails("bad element", mujoco.MjModel.from_xml_string, "<mujoco><wrldbody/></mujoco>")

quat, out3, out4, out9 = np.array([0.8, 0.6, 0, 0]), np.zeros(3), np.zeros(4), np.zeros(9)
mujoco.mju_axisAngle2Quat(out4, np.array([0, 0, 1.0]), 0.7)
mujoco.mju_mulQuat(out4, out4.copy(), quat)
mujoco.mju_quat2Mat(out9, out4)
mujoco.mju_rotVecQuat(out3, np.array([1.0, 2, 3]), out4)
show("rotations", out4, out9, out3, [mujoco.mju_norm3(out3), mujoco.mju_dot3(out3, out3)])
mujoco.mju_euler2Quat(out4, np.array([0.1, 0.2, 0.3]), "xyz")
mujoco.mju_quat2Vel(out3, out4, 1.0)
show("euler", out4, out3)
lower = np.array([[4.0, 1, 0], [1, 3, 0.5], [0, 0.5, 2]])
rank = mujoco.mju_cholFactor(lower, 1e-10)
x = np.zeros(3)
mujoco.mju_cholSolve(x, lower, np.array([1.0, 2, 3]))
show("cholesky", [rank], np.tril(lower), x)
values, vectors, q = np.zeros(3), np.zeros(9), np.zeros(4)
mujoco.mju_eig3(values, vectors, q, np.array([4.0, 1, 0, 1, 3, 0.5, 0, 0.5, 2]))
show("eigenvalues", values)
fails("wrong shape", mujoco.mju_mulQuat, np.zeros(3), quat, quat)
fails("list as result", mujoco.mju_rotVecQuat, [0, 0, 0], [1, 2, 3], quat)
