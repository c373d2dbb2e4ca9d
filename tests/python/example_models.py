"""Models that the tests of the Python package share, as MJCF."""

# Two links that hang from hinges; the documentation's examples use it too.
ARM = """
<mujoco model="arm">
  <option timestep="0.002" integrator="RK4"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0"/>
      <geom name="bone" type="capsule" fromto="0 0 0  0.3 0 0" size="0.02" mass="1"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.01"/>
        <geom type="capsule" fromto="0 0 0  0.3 0 0" size="0.02" mass="0.5"/>
        <site name="tip" pos="0.3 0 0"/>
      </body>
    </body>
  </worldbody>
  <keyframe>
    <key name="bent" time="0.5" qpos="1 0.5" qvel="0.1 -0.2"/>
  </keyframe>
</mujoco>
"""

# One of every kind of object.
ZOO = """
<mujoco model="zoo">
  <option timestep="0.003" density="1.2" viscosity="0.1" wind="1 0 0"><flag energy="enable"/></option>
  <size nuserdata="3" nuser_body="2" nuser_jnt="1"/>
  <custom>
    <numeric name="numbers" data="1 2 3"/>
    <numeric name="single" data="4"/>
    <text name="words" data="hello there"/>
    <tuple name="pair"><element objtype="body" objname="ball" prm="2"/><element objtype="geom" objname="box"/></tuple>
  </custom>
  <asset>
    <material name="red" rgba="1 0 0 1"/>
    <hfield name="hills" nrow="2" ncol="3" size="1 1 1 0.1" elevation="0 1 2 3 4 5"/>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
  </asset>
  <worldbody>
    <light name="lamp" pos="0 0 3"/>
    <camera name="eye" pos="0 -3 1" mode="targetbody" target="ball"/>
    <geom name="ground" type="hfield" hfield="hills"/>
    <body name="ball" pos="0 0 1" user="5 6">
      <freejoint name="float"/>
      <geom name="round" size="0.1" material="red"/>
      <site name="mark" pos="0.1 0 0"/>
      <body name="arm" pos="0.1 0 0">
        <joint name="socket" type="ball" stiffness="2" damping="0.3"/>
        <geom name="box" type="box" size="0.1 0.2 0.3"/>
        <body name="slider" pos="0 0 0.3">
          <joint name="rail" type="slide" axis="1 0 0" range="-1 1" user="7"/>
          <geom name="solid" type="mesh" mesh="tetra"/>
        </body>
      </body>
    </body>
    <body name="handle" mocap="true" pos="1 1 1"><geom name="knob" size="0.05"/></body>
  </worldbody>
  <keyframe>
    <key name="first" time="1.5"/>
    <key name="second"/>
  </keyframe>
</mujoco>
"""
