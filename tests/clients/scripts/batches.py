"""mujoco.batch: many simulations, fields per simulation, rollouts, Jacobians and rays."""
import mujoco
import numpy as np
from mujoco import batch
from show import fails, show

model = mujoco.MjModel.from_xml_string("""
<mujoco><worldbody><geom type="plane" size="3 3 .1"/><body name="arm" pos="0 0 1"><joint name="j" axis="0 1 0" damping=".1"/>
<geom name="rod" type="capsule" fromto="0 0 0 .4 0 0" size=".04"/><body pos=".4 0 0"><joint name="k" axis="0 1 0"/>
<geom size=".06" name="ball"/></body></body></worldbody><actuator><motor joint="j"/></actuator>
<sensor><jointvel joint="j"/></sensor></mujoco>""")
b = batch.Batch(model, nsim=5, nthread=2)
b.qvel[:, 0] = np.arange(5)
b.step(nstep=20)
show("steps", b.qpos, b.qvel, b.sensordata, b.time)
b.joint("j").damping = np.linspace(0, 1, 5).reshape(5, 1)
b.expand("body_mass")[:, 1] *= np.linspace(0.5, 2, 5)
b.set_const()
b.ctrl[:] = 0.3
b.step(ids=[0, 3], nstep=10)
show("values", b.qpos, b.get_model(3).dof_invweight0, b.expanded("dof_damping"), b.time)
out = b.rollout(6, np.ones((5, 6, 1)), record=("qpos", mujoco.mjtState.mjSTATE_PHYSICS))
show("rollout", out["qpos"], out[mujoco.mjtState.mjSTATE_PHYSICS])
jacp, jacr = b.jac(2, [0, 0, 1])
show("jacobians", jacp, jacr)
show("rays", *b.ray([[0.2, 0, 3]], [[0, 0, -1]]))
b.reset(ids=np.array([False, True, True, False, False]))
show("reset", b.qpos, b.state.shape)
fails("no such field", b.bind, "nonsense")
fails("no such simulation", b.step, ids=[7])
fails("derived", setattr, b, "xpos", 0)
