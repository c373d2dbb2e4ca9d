"""The tree of bodies that joints make: who carries whom, what floats, and what is left as a constraint."""

from __future__ import annotations

import dataclasses

import numpy as np

from torsor.usd import _pose
from torsor.usd._read_joints import Joint


@dataclasses.dataclass
class Link:
    """A body in the tree, with the joints that move it in its parent."""

    path: str
    parent: str | None
    joints: list[tuple[Joint, bool]]  # and whether the joint leads from body 1 to body 0
    floats: bool = False


def make_tree(bodies: list[str], joints: list[Joint], roots: set[str]) -> tuple[list[Link], list[Joint]]:
    """The links, parents first, and the joints that close loops.

    The world carries what is jointed to it. Of bodies that float, the root is the one that an articulation names, else
    one that no joint leads to. Children are in the order of the stage.
    """
    order = {path: index for index, path in enumerate(bodies)}
    inside = [joint for joint in joints if not joint.excluded and joint.reach is None]
    loops = [joint for joint in joints if joint.excluded and joint.reach is None]
    around: dict[str | None, list[Joint]] = {path: [] for path in [None, *bodies]}
    for joint in inside:
        around[joint.body0].append(joint)
        around[joint.body1].append(joint)
    parent: dict[str, tuple[str | None, list[tuple[Joint, bool]]]] = {}
    used: set[int] = set()

    def reach(root: str | None) -> None:
        queue = [root]
        while queue:
            carrier = queue.pop(0)
            for joint in around[carrier]:
                child = joint.body1 if joint.body0 == carrier else joint.body0
                if id(joint) in used:
                    continue
                if child is not None and child not in parent and child != root:
                    parent[child] = (carrier, [])
                    queue.append(child)
                elif child is None or child == root or parent[child][0] != carrier:
                    continue
                used.add(id(joint))  # a second joint between the same bodies moves the same child
                parent[child][1].append((joint, joint.body1 == carrier))

    reach(None)
    led_to = {joint.body1 for joint in inside}
    for is_root in (lambda path: path in roots, lambda path: path not in led_to, lambda path: True):
        for path in bodies:
            if path not in parent and is_root(path):
                parent[path] = (None, [])
                reach(path)
    loops += [joint for joint in inside if id(joint) not in used]
    return _depth_first(parent, order), loops


def _depth_first(parent, order) -> list[Link]:
    children: dict[str | None, list[str]] = {}
    for path, (carrier, _) in parent.items():
        children.setdefault(carrier, []).append(path)
    links, stack = [], sorted(children.get(None, []), key=order.__getitem__, reverse=True)
    while stack:
        path = stack.pop()
        carrier, joints = parent[path]
        links.append(Link(path, carrier, joints, floats=carrier is None and not joints))
        stack += sorted(children.get(path, []), key=order.__getitem__, reverse=True)
    return links


def frames(joint: Joint, is_reversed: bool) -> tuple[np.ndarray, np.ndarray]:
    """The frame of a joint in the parent and in the child."""
    return (joint.X_1J, joint.X_0J) if is_reversed else (joint.X_0J, joint.X_1J)


def pose_at_zero(link: Link, X_PB_now: np.ndarray) -> tuple[np.ndarray, list[float | np.ndarray]]:
    """The pose of a link in its parent with all joints at zero, and their positions in the pose of the stage."""
    if not link.joints:
        return X_PB_now, []
    X_PJ, X_BJ = frames(*link.joints[0])
    X_PB = X_PJ @ _pose.inverse(X_BJ)
    positions = [_position(joint, is_reversed, X_PB_now) for joint, is_reversed in link.joints]
    dofs = [dof for joint, _ in link.joints for dof in joint.dofs]
    moved = positions[0] if len(dofs) == 1 else 0.0
    # transforms of prims have twice the digits of the frames of joints
    if np.isscalar(moved) and abs(moved) < 1e-6 and np.abs(X_PB - X_PB_now).max() < 1e-5:
        return X_PB_now, [0.0] * len(dofs)
    return X_PB, (positions if len(dofs) == 1 else [0.0] * len(dofs))


def _position(joint: Joint, is_reversed: bool, X_PB: np.ndarray):
    """Where a joint of one degree of freedom is in the pose of the stage; 0 for others."""
    if len(joint.dofs) != 1:
        return 0.0
    X_PJ, X_BJ = frames(joint, is_reversed)
    X = _pose.inverse(X_PJ) @ X_PB @ X_BJ
    dof = joint.dofs[0]
    axis = -dof.axis if is_reversed else dof.axis
    if dof.kind == "slide":
        return float(axis @ X[:3, 3])
    if dof.kind == "hinge":
        w, *xyz = _pose.to_quat(X[:3, :3])
        angle = 2 * np.arctan2(axis @ np.array(xyz), w)
        return float((angle + np.pi) % (2 * np.pi) - np.pi)
    return 0.0
