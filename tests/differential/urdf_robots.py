"""Random robots in URDF, for comparisons with Pinocchio and MuJoCo."""

import numpy as np

KINDS = ("revolute", "continuous", "prismatic", "fixed", "planar")


def numbers(values):
    return " ".join(repr(float(x)) for x in values)


def origin(random):
    return f'<origin xyz="{numbers(random.normal(size=3) * 0.3)}" rpy="{numbers(random.uniform(-3, 3, 3))}"/>'


def inertial(random):
    """Positive definite, and possible for a rigid body: that of a cloud of points."""
    points = random.normal(size=(5, 3)) * 0.2
    mass = random.uniform(0.5, 3)
    points -= points.mean(axis=0)
    i = mass / 5 * (np.sum(points**2) * np.eye(3) - points.T @ points)
    return (f'<inertial>{origin(random)}<mass value="{mass}"/><inertia ixx="{i[0, 0]}" ixy="{i[0, 1]}" ixz="{i[0, 2]}" '
            f'iyy="{i[1, 1]}" iyz="{i[1, 2]}" izz="{i[2, 2]}"/></inertial>')


def shape(random, tag):
    radius, length = random.uniform(0.02, 0.1, 2)
    form = random.choice([f'<sphere radius="{radius}"/>', f'<cylinder radius="{radius}" length="{length}"/>',
                          f'<box size="{numbers(random.uniform(0.02, 0.2, 3))}"/>'])
    return f"<{tag}>{origin(random)}<geometry>{form}</geometry></{tag}>"


def joint(random, index, parent, kind):
    axis = [0, 0, 1] if kind == "planar" else random.normal(size=3)
    limit = '<limit lower="-2" upper="2.5" effort="7" velocity="1"/>' if kind in ("revolute", "prismatic") else ""
    dynamics = f'<dynamics damping="{random.uniform()}" friction="{random.uniform()}"/>' if random.uniform() < 0.5 else ""
    return (f'<joint name="j{index}" type="{kind}"><parent link="l{parent}"/><child link="l{index}"/>{origin(random)}'
            f'<axis xyz="{numbers(axis)}"/>{limit}{dynamics}</joint>')


def robot(seed, kinds=KINDS):
    """A tree of four to nine links; some have no shapes, and fixed ones may have no mass."""
    random = np.random.default_rng(seed)
    count = int(random.integers(4, 10))
    chosen = [None] + [str(random.choice(kinds)) for _ in range(count - 1)]
    chosen[1] = "revolute"
    links, joints = [], []
    for i, kind in enumerate(chosen):
        parts = inertial(random) if kind != "fixed" or random.uniform() < 0.6 else ""
        parts += "".join(shape(random, tag) for tag in ("visual", "collision") if random.uniform() < 0.6)
        links.append(f'<link name="l{i}">{parts}</link>')
        if i > 0:
            joints.append(joint(random, i, int(random.integers(max(0, i - 3), i)), kind))
    return f'<robot name="random{seed}">{"".join(links)}{"".join(joints)}</robot>'
