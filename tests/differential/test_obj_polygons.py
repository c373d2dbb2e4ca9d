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


def random_outline(random):
    """Corners around the origin of a plane: two may be swapped, in one place, or one on the side between two others."""
    count = int(random.integers(5, 11))
    angles, radii = np.sort(random.uniform(0, 2 * np.pi, count)), random.uniform(0.4, 1, count)
    points = radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    first, second = random.choice(count, 2, replace=False)
    kind = random.integers(4)
    if kind == 1:
        points[[first, second]] = points[[second, first]]
    elif kind == 2:
        points[first] = points[second]
    elif kind == 3:
        points[first] = (points[(first + 2) % count] + points[(first + 3) % count]) / 2
    return np.round(4 * points) / 4 if random.random() < 0.3 else points


def random_prism(random):
    """Between two faces of many corners, of any size, anywhere."""
    outline = random_outline(random)
    count, height = len(outline), np.full(len(outline), random.uniform(0.3, 2))
    corners = np.concatenate([np.c_[outline, -height], np.c_[random.uniform(0.5, 1.2) * outline, height]])
    if random.random() < 0.5:
        axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
        corners = corners @ (axes * np.linalg.det(axes))
    corners = corners * 10 ** random.uniform(-2, 0) + random.normal(size=3) * random.integers(0, 3)
    lines = [f"v {x:.7g} {y:.7g} {z:.7g}" for x, y, z in corners]
    lines += ["f " + " ".join(str(i + 1) for i in reversed(range(count))), "f " + " ".join(str(count + i + 1) for i in range(count))]
    lines += [f"f {i + 1} {(i + 1) % count + 1} {count + (i + 1) % count + 1} {count + i + 1}" for i in range(count)]
    return "\n".join(lines).encode(), np.ptp(corners)


def inertia_of(model):
    axes = np.zeros(9)
    mujoco.mju_quat2Mat(axes, model.body_iquat[1])
    axes = axes.reshape(3, 3)
    return axes @ np.diag(model.body_inertia[1]) @ axes.T


SOLID = """<mujoco><asset><mesh name="m" file="m.obj" {mode}/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m" {more}/></body>
  </worldbody></mujoco>"""


@pytest.mark.parametrize("mode", ["", "inertia='exact'", "inertia='convex'", "inertia='shell'"])
def test_bodies_of_such_meshes_weigh_as_much_and_have_the_same_frames(mode, seed, judged):
    random, warned = np.random.default_rng([seed, 9, len(mode)]), 0
    for _ in range(200):
        contents, size = random_prism(random)
        text = SOLID.format(mode=mode, more=random.choice(["", "contype='0' conaffinity='0'", "mass='1'", "pos='1 2 3' euler='10 20 30'"]))
        try:
            theirs = mujoco.MjModel.from_xml_string(text, {"m.obj": contents})
        except ValueError:
            with pytest.raises(torsor.Error):
                torsor.Model.from_xml_string(text, assets={"m.obj": contents})
            judged.screen()
            continue
        ours = torsor.Model.from_xml_string(text, assets={"m.obj": contents})
        np.testing.assert_allclose(ours.body_mass, theirs.body_mass, rtol=1e-6)
        np.testing.assert_allclose(inertia_of(ours), inertia_of(theirs), rtol=0, atol=2e-6 * np.abs(inertia_of(theirs)).max())
        np.testing.assert_allclose(ours.body_ipos, theirs.body_ipos, rtol=0, atol=2e-6 * size)
        for name in ("geom_sameframe", "body_sameframe"):
            assert np.array_equal(getattr(ours, name), getattr(theirs, name)), f"{name} {contents.decode()}"
        warned += bool(ours.warnings)
        judged()
    assert warned > 20
