"""Meshes as text for MJCF, and scenes with meshes that collide as their triangles."""

import numpy as np

import torsor


def numbers(values):
    return " ".join(f"{value:.9g}" for value in np.ravel(values))


def asset(name, vertices, faces, **attributes):
    more = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<mesh name="{name}" vertex="{numbers(vertices)}" face="{numbers(faces)}"{more}/>'


def grid(rows, columns, wrap_rows=False, wrap_columns=False):
    """Triangles of a grid of vertices, row by row; a side may be joined with the opposite one."""
    faces = []
    for i in range(rows if wrap_rows else rows - 1):
        for j in range(columns if wrap_columns else columns - 1):
            a, b = i * columns + j, (i + 1) % rows * columns + j
            c, d = (i + 1) % rows * columns + (j + 1) % columns, i * columns + (j + 1) % columns
            faces += [[a, b, c], [a, c, d]]
    return np.array(faces)


def torus(name, radius, tube, around=32, across=16):
    a, b = np.meshgrid(2 * np.pi * np.arange(around) / around, 2 * np.pi * np.arange(across) / across, indexing="ij")
    r = radius + tube * np.cos(b)
    vertices = np.stack([r * np.cos(a), r * np.sin(a), tube * np.sin(b)], -1).reshape(-1, 3)
    return asset(name, vertices, grid(around, across, True, True), inertia="exact")


def sheet(name, half, cells, height=lambda x, y: 0 * x):
    x, y = np.meshgrid(*2 * [np.linspace(-half, half, cells + 1)], indexing="ij")
    vertices = np.stack([x, y, height(x, y)], -1).reshape(-1, 3)
    return asset(name, vertices, grid(cells + 1, cells + 1), inertia="shell")


def block(name, half, cells=1):
    """A box with sides of cells x cells squares."""
    vertices, faces = [], []
    for axis in range(3):
        for side in (-1, 1):
            u, v = np.meshgrid(*2 * [np.linspace(-1, 1, cells + 1)], indexing="ij")
            points = np.zeros((cells + 1, cells + 1, 3))
            points[..., axis], points[..., (axis + 1) % 3], points[..., (axis + 2) % 3] = side, u, v
            order = [0, 1, 2] if side > 0 else [0, 2, 1]
            faces.append(grid(cells + 1, cells + 1)[:, order] + len(vertices) * (cells + 1) ** 2)
            vertices.append(points.reshape(-1, 3) * half)
    return asset(name, np.concatenate(vertices), np.concatenate(faces), inertia="exact")


def bowl(name, radius, rings=10, around=24):
    """The lower half of a sphere, open above; its triangles are one layer."""
    turns = 2 * np.pi * np.arange(around) / around
    angle, turn = np.meshgrid(np.linspace(0.02, np.pi / 2, rings), turns, indexing="ij")
    vertices = radius * np.stack(
        [np.sin(angle) * np.cos(turn), np.sin(angle) * np.sin(turn), -np.cos(angle)], -1).reshape(-1, 3)
    faces = grid(rings, around, wrap_columns=True)
    bottom = [[len(vertices), j, (j + 1) % around] for j in range(around)]
    return asset(name, np.vstack([vertices, [0, 0, -radius]]), np.vstack([faces, bottom]), inertia="shell")


def load(assets, world, option=""):
    model = torsor.Model.from_xml_string(
        f"<mujoco><option {option}/><asset>{assets}</asset><worldbody>{world}</worldbody></mujoco>")
    return model, torsor.Data(model)


def run(model, data, seconds, watch=None):
    """Steps on; what `watch(data)` gives, step by step."""
    seen = []
    for _ in range(round(seconds / model.opt.timestep)):
        torsor.step(model, data)
        if watch:
            seen.append(watch(data))
    return np.array(seen)


def contact_force(model, data):
    """The sum of all contact forces on the second geoms, in the world."""
    total = np.zeros(3)
    for i, contact in enumerate(data.contact):
        total += np.array(contact.frame).reshape(3, 3).T @ torsor.contact_force(model, data, i)[:3]
    return total
