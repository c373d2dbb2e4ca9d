"""Motion clips: read, convert, edit, put on a robot, track in simulation.

    from torsor import motion

    clip = motion.MotionClip.read("walk.bvh", unit="cm")
    print(len(clip), clip.fps)
    clip.resample(50).write("walk.npz")

A clip is in the engine's units and axes, whatever its file had: metres, radians, z up, quaternions w x y z. What a file
leaves open, such as the unit of BVH, must be passed; what a reader finds out, it says in clip.notes.
"""

from __future__ import annotations

import os
from typing import Any

from torsor import _pickles
from torsor._core import Model
from torsor._core import MotionClip as MotionClip
from torsor._core import MotionLibrary as MotionLibrary
from torsor._core import _motion


def read_clips(path: str | os.PathLike[str], **options: Any) -> dict[str, MotionClip]:
    """All clips of a pickle (.pkl, .joblib), by name; options are those of MotionClip.read.

    Other files have one clip.

    >>> clip.write(folder / "walk.pkl")
    >>> motion.read_clips(folder / "walk.pkl")
    {'walk': <MotionClip 'walk': 31 frames at 30 fps, 2 joints, from sonic>}
    """
    if not _pickles.is_pickle(os.fspath(path)):
        one = MotionClip.read(path, **options)
        return {one.name: one}
    return _pickles.read_clips(os.fspath(path), **options)


def embodiment(name: str) -> dict[str, Any]:
    """The table of a robot that Torsor knows: names of joints in the orders of MuJoCo and Isaac Lab, root, feet, gathers.

    >>> g1 = motion.embodiment("g1")
    >>> g1["isaaclab_to_mujoco"][:6], g1["isaaclab_joints"][:2]
    ([0, 3, 6, 9, 13, 17], ['left_hip_pitch_joint', 'right_hip_pitch_joint'])
    >>> numpy.arange(29)[g1["isaaclab_to_mujoco"]][:3]
    array([0, 3, 6])
    """
    return _motion.embodiment(name)


def embodiment_names() -> list[str]:
    """The robots that embodiment() knows.

    >>> motion.embodiment_names()
    ['g1']
    """
    return _motion.embodiment_names()


def check_embodiment(model: Model, table: dict[str, Any] | str, clip: MotionClip | None = None) -> list[str]:
    """What is wrong with the table of a robot, and with a clip for it: one sentence per problem, none if all fits.

    A table has mujoco_joints, isaaclab_joints, root and feet, as embodiment() returns it; or pass the name of a known robot.

    >>> motion.check_embodiment(model, {"mujoco_joints": ["sholder", "elbow"], "isaaclab_joints": ["shoulder", "elbow"],
    ...                                 "root": "upper", "feet": []})[0]
    "mujoco_joints: the model has no joint 'sholder' (did you mean 'shoulder'?)"
    """
    return _motion.check_embodiment(model, embodiment(table) if isinstance(table, str) else table, clip)
