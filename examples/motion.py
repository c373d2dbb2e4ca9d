"""A clip for a two-legged robot: made, mirrored, written and read in two formats, and tracked in simulation."""

import pathlib
import tempfile

import numpy as np

import torsor
from torsor import motion

LEG = """<body name="{0}_leg" pos="0 {1} 0">
  <joint name="{0}_hip_pitch" axis="0 1 0"/><geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4"/>
  <body name="{0}_foot" pos="0 0 -0.4">
    <joint name="{0}_knee" axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.4"/>
  </body>
</body>"""
ROBOT = f"""<mujoco><default><joint damping="1" armature="0.05"/></default><worldbody>
  <body name="base" pos="0 0 1.2">
    <freejoint/><geom type="box" size="0.1 0.15 0.1"/>{LEG.format("left", 0.1)}{LEG.format("right", -0.1)}
  </body>
</worldbody></mujoco>"""

model = torsor.Model.from_xml_string(ROBOT)
time = np.arange(0, 2, 0.02)
swing = 0.4 * np.sin(2 * np.pi * time)
qpos = np.tile(model.qpos0, (len(time), 1))
qpos[:, 0] = 0.5 * time
qpos[:, 7], qpos[:, 9] = swing, -swing  # left and right hip
walk = motion.MotionClip.from_qpos(model, qpos, fps=50)

# the mirror image of a gait is the gait half a period later
mirrored = walk.mirror(model)
shifted = walk.warp(np.clip(time + 0.5, 0, time[-1]))
print(f"mirror and half a period: {abs(mirrored.dof - shifted.dof)[:70].max():.1e} rad")
assert abs(mirrored.dof - shifted.dof)[:70].max() < 1e-9

with tempfile.TemporaryDirectory() as folder:
    for name, options in (("walk.npz", {}), ("walk.bvh", {"unit": "cm"})):
        path = pathlib.Path(folder, name)
        walk.add_body_rotations(model).write(path, **options)
        again, missed = motion.MotionClip.read(path, **options).dofs_from_rotations(model)
        print(f"{name}: {len(again)} frames, joints differ by {abs(again.dof - walk.dof).max():.1e} rad")
        assert abs(again.dof - walk.dof).max() < 1e-9 and missed < 1e-6

played, errors = walk.play(model, kp=300, kd=10, hold_root=True)
print(errors["text"], end="")
assert errors["joint"] < 0.1 and not errors["diverged"]
