"""Small models for the tests of the program, each in a file of its own."""

# A pendulum of 1 kg on a massless rod of 1 m: every number can be worked out by hand.
PENDULUM = """<mujoco model="pendulum">
  <option timestep="0.001" integrator="RK4"/>
  <worldbody>
    <body name="arm" pos="0 0 2">
      <joint name="hinge" axis="0 1 0"/>
      <inertial pos="0 0 -1" mass="1" diaginertia="1e-9 1e-9 1e-9"/>
    </body>
  </worldbody>
  <keyframe>
    <key name="side" qpos="1.5707963267948966"/>
    <key name="spinning" time="3" qpos="0.5" qvel="2"/>
  </keyframe>
</mujoco>
"""

MIXED = """<mujoco>
  <worldbody>
    <body name="box"><freejoint name="root"/><geom size="0.1" mass="2"/>
      <body name="ball" pos="1 0 0"><joint name="b" type="ball"/><geom size="0.1" mass="3"/>
        <body name="last" pos="1 0 0"><joint type="slide" range="-1 1"/><joint name='odd "name", here'/>
          <geom size="0.1" mass="4"/></body></body></body>
  </worldbody>
</mujoco>
"""

# Has sections that are not supported yet, from line 5 on.
REFUSED = """<mujoco>
  <worldbody>
    <body><joint name="j"/><geom name="g" size="0.1"/></body>
  </worldbody>
  <equality>
    <joint joint1="j"/>
  </equality>
  <deformable>
    <flex name="s"/>
  </deformable>
</mujoco>
"""

# One model in two files.
PART = """<mujocoinclude>
  <body name="arm" pos="0 0 2"><joint name="hinge" axis="0 1 0"/><geom size="0.1"/></body>
</mujocoinclude>
"""
ASSEMBLED = """<mujoco model="assembled">
  <default><default class="thin"><geom size="0.01"/></default></default>
  <worldbody>
    <include file="part.xml"/>
    <replicate count="3" offset="0.5 0 0">
      <body name="box"><freejoint/><geom class="thin" mass="2"/></body>
    </replicate>
  </worldbody>
</mujoco>
"""

BROKEN = """<mujoco>
  <worldbody>
    <body name="arm">
      <joint nam="hinge"/>
      <geom size="0.1" masss="1"/>
    </body>
  </worldbody>
</mujoco>
"""

# A spring so stiff that Euler without damping cannot follow it.
EXPLOSIVE = """<mujoco>
  <option timestep="0.01"{flags}
  <worldbody>
    <body><joint name="spring" type="slide" stiffness="1e9"/><geom size="0.1" mass="1"/></body>
  </worldbody>
  <keyframe><key qpos="1"/></keyframe>
</mujoco>
"""


def write_models(folder):
    """Writes one file for each of the models above."""
    models = {"pendulum": PENDULUM, "mixed": MIXED, "refused": REFUSED, "part": PART,
              "assembled": ASSEMBLED, "broken": BROKEN}
    for name, text in models.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
    (folder / "explosive.xml").write_text(EXPLOSIVE.format(flags="/>"), encoding="utf-8")
    without_reset = '><flag autoreset="disable"/></option>'
    (folder / "diverging.xml").write_text(EXPLOSIVE.format(flags=without_reset), encoding="utf-8")
    return folder
