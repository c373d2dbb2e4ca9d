"""A scene with every type of geom for rays, and MuJoCo's answers in the subject's form."""

import mujoco
import numpy as np

TEXT = """
<mujoco>
  <asset>
    <hfield name="land" nrow="5" ncol="7" size="1 0.8 0.5 0.2"
      elevation="0 1 0.5 0 0.3 0.2 0.9 0.1 0.6 0.7 0.2 1 0.4 0.8 0.5 0 0.2 0.6 0.9 0.3 0.1 0.8 0.2 0.4 0.6 0 1 0.5
                 0.3 0.7 0.1 0.9 0.2 0.5 0.6"/>
    <mesh name="gem" vertex="0 0 0 1 0 0 0 1 0 0 0 1 0.8 0.7 0.6"/>
    <mesh name="notch" vertex="0 0 0 1 0 0 0 1 0 0 0 1 0.2 0.2 0.2" face="0 2 1 0 1 3 0 3 2 1 4 3 1 2 4 2 3 4"
      inertia="exact"/>
    <material name="glass" rgba="1 1 1 0"/>
    <material name="wood" rgba="1 1 1 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="3 2 0.1" pos="0 0 -1.5" euler="5 10 0"/>
    <geom type="plane" size="0 0 0.1" pos="0 0 -2.5" group="4"/>
    <geom type="hfield" hfield="land" pos="0.5 0.2 -1" euler="10 -20 30"/>
    <body pos="-1 0 0" euler="10 20 30">
      <freejoint/>
      <geom size="0.4" pos="0.2 0.1 0"/>
      <geom type="capsule" size="0.2 0.4" pos="0.5 1 0.3" euler="20 50 70" group="1"/>
      <geom type="ellipsoid" size="0.3 0.5 0.2" pos="-0.4 -1 0.5" euler="70 20 10" group="2"/>
      <geom type="cylinder" size="0.3 0.4" pos="0.3 -0.8 -0.5" euler="30 40 50" group="3"/>
    </body>
    <body pos="1 0.5 0.5" euler="50 20 30">
      <freejoint/>
      <geom type="box" size="0.3 0.4 0.2" pos="0.3 -0.8 -0.5" euler="30 40 50" group="5"/>
      <geom type="mesh" mesh="gem" pos="-0.2 0.3 0.4" euler="15 25 35"/>
      <geom type="mesh" mesh="notch" pos="0.5 0.6 -0.3" euler="75 25 35"/>
      <geom type="box" size="0.3 0.3 0.3" rgba="1 1 1 0"/>
      <geom type="box" size="0.2 0.3 0.3" pos="0 0 1" material="glass"/>
      <geom type="box" size="0.2 0.2 0.2" pos="0 0 -1" material="glass" rgba="1 1 1 0.5"/>
      <geom type="box" size="0.2 0.2 0.3" pos="0 1 0" material="wood" rgba="1 1 1 0"/>
    </body>
  </worldbody>
</mujoco>
"""


def judge_ray(model, data, point, direction, groups, with_static, excluded):
    geom, normal = np.zeros(1, np.int32), np.zeros(3)
    groups = None if groups is None else np.array(groups, np.uint8)
    distance = mujoco.mj_ray(model, data, point, direction, groups, with_static, excluded, geom, normal)
    return distance, int(geom[0]), normal


def judge_rays(model, data, point, directions, cutoff):
    count = len(directions)
    geoms, distances, normals = np.zeros(count, np.int32), np.zeros(count), np.zeros(3 * count)
    mujoco.mj_multiRay(model, data, point, directions.ravel(), None, 1, -1, geoms, distances, normals, count, cutoff)
    return distances, geoms, normals.reshape(-1, 3)


def judge_distance(model, data, geom1, geom2, limit):
    segment = np.zeros((1, 6)).ravel()
    distance = mujoco.mj_geomDistance(model, data, geom1, geom2, limit, segment)
    return distance, segment
