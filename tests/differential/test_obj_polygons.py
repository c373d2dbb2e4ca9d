"""Faces of OBJ files with many corners become the triangles that MuJoCo makes of them, also where they touch or cross
themselves."""

import mujoco
import numpy as np
import pytest

import torsor

BASE = ((0, 0, -5), (1, 0, -6), (0, 1, -6), (-1, -1, -6))  # a tetrahedron below, so that there is a volume
MODEL = """<mujoco><asset><mesh name="m" file="m.obj" inertia="shell"/></asset>
  <worldbody><geom type="mesh" mesh="m" contype="0" conaffinity="0"/></worldbody></mujoco>"""

FACES = 300


def obj_of(points, face):
    n = len(points)
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in (*points, *BASE)]
    lines.append("f " + " ".join(str(i + 1) for i in face))
    lines += [f"f {n + a} {n + b} {n + c}" for a, b, c in ((1, 3, 2), (1, 2, 4), (1, 4, 3), (2, 3, 4))]
    return "\n".join(lines).encode()


def random_face(random):
    """Corners in a plane, any way around, sometimes on a grid, sometimes one twice."""
    n = int(random.integers(4, 10))
    flat = np.concatenate([random.normal(size=(n, 2)), np.zeros((n, 1))], axis=1)
    if random.random() < 0.4:
        flat = np.round(2 * flat) / 2
    if random.random() < 0.5:
        flat = flat @ np.linalg.qr(random.normal(size=(3, 3)))[0]
    points = (flat + random.normal(size=3) * random.integers(0, 4)).astype(np.float32)
    face = list(range(n))
    if random.random() < 0.25:
        face[int(random.integers(n))] = int(random.integers(n))
    return points, face


def test_triangles_of_random_faces_are_mujocos(seed, judged):
    random = np.random.default_rng([seed, 8])
    cut = 0
    for _ in range(FACES):
        points, face = random_face(random)
        files = {"m.obj": obj_of(points, face)}
        try:
            theirs = mujoco.MjModel.from_xml_string(MODEL, files)
        except ValueError:
            continue
        ours = torsor.Model.from_xml_string(MODEL, files)
        assert np.array_equal(ours.mesh_face, theirs.mesh_face), f"{points.tolist()} {face}"
        is_cut = len(theirs.mesh_face) < 4 + len(face) - 2
        assert any("not whole" in each.message for each in ours.warnings) == is_cut
        judged()
        cut += is_cut
    judged.screen(FACES - judged.cases)
    assert judged.cases > 5 / 6 * FACES and cut > 25


@pytest.mark.parametrize("count", [5, 12, 50, 51])
def test_a_star_is_whole_up_to_a_hundred_corners(count):
    angles = np.pi * np.arange(2 * count) / count
    points = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1) * np.where(np.arange(2 * count) % 2, 0.3, 1)[:, None]
    files = {"m.obj": obj_of(points, range(2 * count))}
    ours, theirs = torsor.Model.from_xml_string(MODEL, files), mujoco.MjModel.from_xml_string(MODEL, files)
    assert np.array_equal(ours.mesh_face, theirs.mesh_face)
    assert len(ours.mesh_face) == (4 + 2 * count - 2 if count <= 50 else 4)
    assert len(ours.warnings) == (count > 50)
