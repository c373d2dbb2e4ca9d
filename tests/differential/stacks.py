"""Scenes that stand by their contacts alone: towers, rows of dominoes, arches of wedges."""

import numpy as np

CUBE = "-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  -1 -1 1  1 -1 1  -1 1 1  1 1 1"


def numbers(values):
    return " ".join(f"{value:.9g}" for value in np.ravel(values))


def scene(assets, bodies, options=""):
    return (f'<mujoco><option timestep="0.002" {options}/><asset>{assets}</asset><default><geom friction="0.8"/></default>'
            f'<worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>')


def tower(kind, count=10):
    """Boxes on each other, every second one turned by 30 degrees; as boxes or as hulls."""
    size = "0.1 0.1 0.05"
    geom = f'type="box" size="{size}"' if kind == "box" else 'type="mesh" mesh="brick"'
    assets = "" if kind == "box" else f'<mesh name="brick" vertex="{CUBE}" scale="{size}"/>'
    return scene(assets, "".join(
        f'<body pos="0 0 {0.05 + 0.1 * i}" euler="0 0 {30 * (i % 2)}"><freejoint/><geom {geom} mass="1"/></body>'
        for i in range(count)))


def dominoes(kind, count=12):
    """Thin plates on edge, one behind the other: they stand until somebody pushes."""
    size = "0.01 0.05 0.1"
    geom = f'type="box" size="{size}"' if kind == "box" else 'type="mesh" mesh="plate"'
    assets = "" if kind == "box" else f'<mesh name="plate" vertex="{CUBE}" scale="{size}"/>'
    return scene(assets, "".join(f'<body pos="{0.08 * i} 0 0.1"><freejoint/><geom {geom} mass="0.2"/></body>'
                                 for i in range(count)))


def roman(t):
    """The middle line of a half circle, and the direction across it."""
    angle = np.pi * t
    return np.array([np.cos(angle), np.sin(angle)]), np.array([np.cos(angle), np.sin(angle)])


def gothic(t):
    """Two arcs that meet in a point, each around the foot of the other side."""
    radius, offset = 1.3, 0.3
    half = np.arccos(offset / radius)
    angle = 2 * t * half if t <= 0.5 else 2 * (1 - t) * half
    side = 1 if t <= 0.5 else -1
    across = np.array([side * np.cos(angle), np.sin(angle)])
    return across * radius - np.array([side * offset, 0]), across if t != 0.5 else np.array([0, 1.0])


def hyperbolic(t):
    """A hanging chain turned over: y = cosh(a) - cosh(a x), which is under pressure alone."""
    a = 1.6
    x = 1 - 2 * t
    slope = -np.sinh(a * x)
    across = np.array([-slope, 1]) / np.hypot(slope, 1)
    return np.array([x, (np.cosh(a) - np.cosh(a * x)) / a]), across


def arch(middle, blocks=11, thickness=0.36, width=0.3):
    """Wedges between cross sections of a middle line; the feet stand on the ground."""
    assets, bodies = "", ""
    for i in range(blocks):
        corners = []
        for t in (i / blocks, (i + 1) / blocks):
            point, across = middle(t)
            if t in (0, 1):  # feet are level
                across = np.array([np.sign(point[0]), 0])
            for outward in (-0.5, 0.5):
                x, z = point + across * (outward * thickness)
                corners += [[x, -width / 2, z], [x, width / 2, z]]
        center = np.mean(corners, axis=0)
        assets += f'<mesh name="wedge{i}" vertex="{numbers(corners - center)}"/>'
        bodies += f'<body pos="{numbers(center)}"><freejoint/><geom type="mesh" mesh="wedge{i}" density="1000"/></body>'
    return scene(assets, bodies)


SCENES = {"tower of boxes": tower("box"), "tower of hulls": tower("hull"), "dominoes of boxes": dominoes("box"),
          "dominoes of hulls": dominoes("hull"), "roman arch": arch(roman), "gothic arch": arch(gothic),
          "hyperbolic arch": arch(hyperbolic)}


def displacement(engine, text, steps):
    """How far the body that moved most is from where it began, during a run: at ten moments."""
    model = engine.load_string(text)
    data = engine.make_data(model)
    begin = np.array(data.qpos).reshape(-1, 7)[:, :3].copy()
    moments = []
    for _ in range(10):
        engine.step(model, data, steps // 10)
        moments.append(np.linalg.norm(np.array(data.qpos).reshape(-1, 7)[:, :3] - begin, axis=1).max())
    return np.array(moments)
