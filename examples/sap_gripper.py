"""Two fingers hold a cube by friction alone: how far it slips in ten seconds, with SAP and with soft constraints."""

import torsor

GRIPPER = """
<mujoco model="gripper">
  <option timestep="0.005" solver="SAP"/>
  <default>
    <joint type="slide" armature="0.1"/>
    <position kp="5000" kv="200" forcerange="-40 40"/>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body pos="-0.035 0 0.5"><joint name="left" axis="1 0 0"/><geom type="box" size="0.01 0.02 0.03"/></body>
    <body pos="0.035 0 0.5"><joint name="right" axis="-1 0 0"/><geom type="box" size="0.01 0.02 0.03"/></body>
    <body pos="0 0 0.5"><freejoint name="cube"/><geom type="box" size="0.025 0.025 0.025" mass="0.5"/></body>
  </worldbody>
  <actuator><position joint="left"/><position joint="right"/></actuator>
</mujoco>"""


def slip_after(seconds, solver):
    """How far the cube has sunk, in metres, and the creep that SAP allows: sigma h g."""
    model = torsor.Model.from_xml_string(GRIPPER)
    model.opt.solver = solver
    data = torsor.Data(model)
    data.ctrl[:] = 0.01  # both fingers aim 1 cm into the cube; 40 N is what they have
    heights = []
    for part in (0.5, seconds):  # first they close
        torsor.step(model, data, nstep=round(part / model.opt.timestep))
        heights.append(data.joint("cube").qpos[2])
    return heights[0] - heights[1], model.opt.sap_sigma * model.opt.timestep * 9.81 * seconds


def main():
    (sap, bound), (soft, _) = slip_after(10, torsor.Solver.SAP), slip_after(10, torsor.Solver.NEWTON)
    print(f"in 10 s the cube slips {1e3 * sap:.2f} mm with SAP (at most {1e3 * bound:.2f}), "
          f"{1e3 * soft:.0f} mm with Newton")
    assert 0 < sap < bound
    assert soft > 100 * sap


if __name__ == "__main__":
    main()
