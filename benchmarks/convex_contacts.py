#!/usr/bin/env python3
"""Contacts of convex solids, Torsor and MuJoCo side by side, against brute force (convex_truth.py).

    benchmarks/convex_contacts.py                              # 1,000 pairs of each kind
    benchmarks/convex_contacts.py --pairs 100000 --only box-hull,hull-hull

Pairs rest on faces, edges and corners, lie with faces that are nearly parallel, or are deep in each other. Columns:

- depth error: the depth of the deepest contact minus the least depth, as a part of the size of the smaller solid. The least depth
  is the least along any direction that brute force or either engine found. 99.9 % of the pairs are below the first figure
  (in absolute value), all below the second.
- span: for faces, the area of the convex hull of the contacts over that of the overlap of the faces; for edges, the same for
  lengths. The mean, and what 99 % of the pairs exceed. Four points cannot have more than 64 % of a circle.
- contacts: the mean number.
- none: pairs that overlap by more than 1e-4 of the size and have no contact.
"""

import argparse
import collections
import pathlib
import sys

import mujoco
import numpy as np
import scipy.spatial.transform

ROOT = pathlib.Path(__file__).resolve().parents[1]
for folder in ("build/release/python", "benchmarks"):
    sys.path.append(str(ROOT / folder))

import torsor  # noqa: E402 found through the path above

import convex_truth as truth  # noqa: E402

PAIRS = ["box-box", "box-hull", "hull-hull", "cylinder-hull", "capsule-box", "capsule-hull", "cylinder-cylinder", "cylinder-box",
         "capsule-cylinder", "ellipsoid-box", "ellipsoid-hull", "ellipsoid-cylinder", "ellipsoid-ellipsoid"]
POSES_PER_MODEL = 50
ENGINES = ("Torsor", "MuJoCo")
MISSING = 1e-4  # of the size: depth from which a contact is missed; brute force itself is less exact at some edges of curved solids


def numbers(values):
    return " ".join(f"{float(value):.17g}" for value in np.ravel(values))


# --- solids ----------------------------------------------------------------------------------------------------------


def hull_corners(random):
    """A prism, a wedge (a prism whose top is smaller), or a cloud of points; stretched."""
    kind = random.integers(3)
    if kind == 2:
        corners = random.normal(size=(random.integers(6, 13), 3))
        return truth.unit(corners) * random.uniform(0.1, 0.3, 3)
    sides = random.integers(3, 9)
    angles = random.uniform(0, 2 * np.pi) + np.arange(sides) * (2 * np.pi / sides)
    base = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    top = base * (random.uniform(0.4, 0.95) if kind == 1 else 1)
    flat = np.concatenate([np.c_[base, -np.ones(sides)], np.c_[top, np.ones(sides)]])
    return flat * random.uniform(0.1, 0.3, 3)


def geom_text(random, kind, name):
    """Attributes of a geom, and its mesh if it is one."""
    if kind == "hull":
        return f'type="mesh" mesh="{name}"', f'<mesh name="{name}" vertex="{numbers(hull_corners(random))}"/>'
    count = {"box": 3, "ellipsoid": 3}.get(kind, 2)
    return f'type="{kind}" size="{numbers(np.exp(random.uniform(np.log(0.05), np.log(0.3), count)))}"', ""


def solid_of(model, geom, kind):
    if kind != "hull":
        return truth.Solid(kind, model.geom_size[geom])
    mesh = model.geom_dataid[geom]
    first = model.mesh_vertadr[mesh]
    corners = model.mesh_vert[first:first + model.mesh_vertnum[mesh]].astype(float)
    return truth.Solid(kind, model.geom_size[geom], corners)


# --- poses -----------------------------------------------------------------------------------------------------------

Feature = collections.namedtuple("Feature", "direction points")  # outward, unit; a polygon, a line or a point


def random_feature(random, solid, style):
    """What a solid puts on a face: a face, an edge or a corner of it, where it has that."""
    if solid.kind in ("capsule", "cylinder") and (style == "edge" or solid.kind == "capsule"):
        angle = random.uniform(0, 2 * np.pi)
        outward = np.array([np.cos(angle), np.sin(angle), 0])
        return Feature(outward, solid.edges[0] + outward * solid.size[0])
    if style in ("face", "tilted") and solid.faces:
        chosen = random.integers(len(solid.faces))
        return Feature(solid.face_normals[chosen], solid.faces[chosen])
    if solid.is_polytope:
        edge = solid.edges[random.integers(len(solid.edges))]
        points = edge if style == "edge" else edge[:1]
        normals = [normal for face, normal in zip(solid.faces, solid.face_normals)
                   if all((np.abs(face - p).sum(axis=1) < 1e-12).any() for p in points)]
        return Feature(truth.unit(random.uniform(0.2, 0.8, len(normals)) @ np.array(normals)), points)
    return Feature(truth.unit(random.normal(size=3)), np.zeros((0, 3)))


def turn(u, v, random):
    """A rotation that takes the unit vector u to v; whatever is left, at random."""
    def frame(w, angle):
        x = truth.unit(truth.cross(w, np.array([1.0, 0, 0] if abs(w[0]) < 0.6 else [0, 1.0, 0])))
        y = truth.cross(w, x)
        return np.stack([x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle), w], axis=1)
    return frame(v, random.uniform(0, 2 * np.pi)) @ frame(u, 0).T


Pose = collections.namedtuple("Pose", "style R_WA p_A R_WB p_B face other")  # face, other: what is to overlap, or None


def resting_pose(random, a, b, style):
    """b on a face of a."""
    chosen = random.integers(len(a.faces))
    face, n = a.faces[chosen], a.face_normals[chosen]
    feature = random_feature(random, b, style)
    R_AB = turn(feature.direction, -n, random)
    if style == "tilted":
        axis = truth.cross(n, truth.unit(random.normal(size=3)))
        R_AB = scipy.spatial.transform.Rotation.from_rotvec(axis * 10 ** random.uniform(-5, -1.5)).as_matrix() @ R_AB
    middle = feature.points.mean(axis=0) if len(feature.points) else np.zeros(3)
    p = random.dirichlet(np.ones(len(face))) @ face - R_AB @ middle
    depth = 10 ** random.uniform(-5, -2) * min(a.extent, b.extent)
    lowest = p @ n - b.reach(-(R_AB.T @ n))
    p = p + n * (n @ face[0] - depth - lowest)
    # in a random place
    R = scipy.spatial.transform.Rotation.random(random_state=random).as_matrix()
    at = random.uniform(-1, 1, 3)
    if len(feature.points) < 2 or (style in ("face", "tilted") and len(feature.points) < 3 and b.faces):
        return Pose(style, R, at, R @ R_AB, at + R @ p, None, None)
    return Pose(style, R, at, R @ R_AB, at + R @ p, face @ R.T + at, (feature.points @ R_AB.T + p) @ R.T + at)


def deep_pose(random, a, b):
    R_WA, R_WB = (scipy.spatial.transform.Rotation.random(random_state=random).as_matrix() for _ in range(2))
    away = truth.unit(random.normal(size=3)) * random.uniform(0, 0.8) * (a.extent + b.extent)
    return Pose("deep", R_WA, np.zeros(3), R_WB, away, None, None)


def random_poses(random, a, b):
    """Poses of a and b; whichever has faces carries the other."""
    poses = []
    for _ in range(POSES_PER_MODEL):
        style = random.choice(["face", "edge", "corner", "tilted", "deep"])
        first, second = (a, b) if a.faces and (not b.faces or random.random() < 0.5) else (b, a)
        if style == "deep" or not first.faces:
            poses.append(deep_pose(random, a, b))
            continue
        pose = resting_pose(random, first, second, style)
        poses.append(pose if first is a else Pose(style, pose.R_WB, pose.p_B, pose.R_WA, pose.p_A, pose.face, pose.other))
    return poses


# --- engines ---------------------------------------------------------------------------------------------------------


class Scene:
    """Two free bodies in both engines, and their geoms as solids."""

    def __init__(self, random, pair):
        geoms, assets = zip(*(geom_text(random, kind, f"m{i}") for i, kind in enumerate(pair.split("-"))))
        text = (f'<mujoco><asset>{"".join(assets)}</asset><worldbody>' +
                "".join(f'<body><freejoint/><geom {geom} mass="1"/></body>' for geom in geoms) + "</worldbody></mujoco>")
        self.models = {"Torsor": torsor.Model.from_xml_string(text), "MuJoCo": mujoco.MjModel.from_xml_string(text)}
        self.data = {"Torsor": torsor.Data(self.models["Torsor"]), "MuJoCo": mujoco.MjData(self.models["MuJoCo"])}
        model = self.models["MuJoCo"]
        self.solids = [solid_of(model, i, kind) for i, kind in enumerate(pair.split("-"))]

    def place(self, pose):
        """The state in which the geoms, not the bodies, have a pose."""
        model = self.models["MuJoCo"]
        qpos = []
        for geom, (R_WG, p_G) in enumerate(((pose.R_WA, pose.p_A), (pose.R_WB, pose.p_B))):
            R_BG, quat = np.zeros(9), np.zeros(4)
            mujoco.mju_quat2Mat(R_BG, model.geom_quat[geom])
            R_WB = R_WG @ R_BG.reshape(3, 3).T
            mujoco.mju_mat2Quat(quat, R_WB.ravel())
            qpos += [*(p_G - R_WB @ model.geom_pos[geom]), *quat]
        for data in self.data.values():
            data.qpos[:] = qpos

    def contacts(self, engine):
        """Distances, positions and normals, and where the geoms are."""
        model, data = self.models[engine], self.data[engine]
        if engine == "Torsor":
            torsor.kinematics(model, data)
            torsor.com_pos(model, data)
            torsor.collision(model, data)
        else:
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_collision(model, data)
        found = data.contact
        if data.ncon == 0:
            return np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3))
        frames = np.array(found.frame).reshape(data.ncon, 9)
        return np.array(found.dist), np.array(found.pos).reshape(-1, 3), frames[:, :3]


# --- figures ---------------------------------------------------------------------------------------------------------


# Lengths in metres; error: depth that an engine found minus the least; reach: of both solids together; span: None where nothing
# is measured.
Sample = collections.namedtuple("Sample", "style depth error size reach count span")


class Figures:
    """What was found for one kind of pair, by engine."""

    def __init__(self):
        self.samples = {engine: [] for engine in ENGINES}
        self.missing = dict.fromkeys(ENGINES, 0)
        self.pairs = 0

    def add_model(self, random, pair):
        """Many poses of two solids."""
        scene = Scene(random, pair)
        a, b = scene.solids
        poses = random_poses(random, a, b)
        found = {engine: [] for engine in ENGINES}
        for pose in poses:
            scene.place(pose)
            for engine in ENGINES:
                found[engine].append(scene.contacts(engine))
        stacked = [np.array([getattr(pose, name) for pose in poses]) for name in ("R_WA", "p_A", "R_WB", "p_B")]
        placed = truth.Poses(a, b, *stacked)
        least, directions = placed.least(random)
        doubtful = [i for i in range(len(poses)) if least[i] > 0 and any(len(found[engine][i][0]) == 0 for engine in ENGINES)]
        if doubtful:  # no engine's normal tells that they are apart
            least[doubtful], directions[doubtful] = placed.only(doubtful).least(random, rounds=500)
        tried = truth.unit(np.array([[deepest_normal(found[engine][i], directions[i]) for engine in ENGINES]
                                     for i in range(len(poses))]))
        along = placed.depth(tried)
        sizes = min(a.extent, b.extent), 2 * (a.extent + b.extent)
        for i, pose in enumerate(poses):
            depth, normal = min([(least[i], directions[i]), *zip(along[i], tried[i])], key=lambda known: known[0])
            if depth > 0:
                self.add(pose, depth, normal, sizes, {engine: found[engine][i] for engine in ENGINES})

    def add(self, pose, depth, normal, sizes, found):
        self.pairs += 1
        span_of = measure_of_spans(pose, normal, sizes[0])
        for engine, (dist, pos, _) in found.items():
            if len(dist) == 0:
                self.missing[engine] += depth > MISSING * sizes[0]
                continue
            self.samples[engine].append(Sample(pose.style, depth, -dist.min() - depth, *sizes, len(dist), span_of(pos)))

    def column(self, engine, name):
        return np.array([getattr(sample, name) for sample in self.samples[engine]])

    def spans(self, engine):
        return np.array([sample.span for sample in self.samples[engine] if sample.span is not None])

    def row(self, pair):
        row = {"pair": pair, "pairs": f"{self.pairs:,}"}
        for engine in ENGINES:
            errors = np.abs(self.column(engine, "error") / self.column(engine, "size"))
            row[f"{engine} depth error"] = f"{np.quantile(errors, 0.999):.0e}, {errors.max():.0e}"
        for engine in ENGINES:
            spans = self.spans(engine)
            row[f"{engine} span"] = f"{spans.mean():.3f}, {np.quantile(spans, 0.01):.2f}" if len(spans) else "-"
        for engine in ENGINES:
            row[f"{engine} contacts"] = f"{self.column(engine, 'count').mean():.2f}"
        row["none"] = " and ".join(str(self.missing[engine]) for engine in ENGINES)
        return row


def deepest_normal(contacts, otherwise):
    dist, _, normals = contacts
    return normals[dist.argmin()] if len(dist) else otherwise


def measure_of_spans(pose, normal, size):
    """A function of contact points: the part of the overlap that they span. None where it is not known or too small."""
    if pose.face is None or abs(truth.normal_of(pose.face) @ normal) < np.cos(0.1):
        return lambda points: None
    area, length = truth.spread(truth.overlap(pose.face, pose.other, truth.normal_of(pose.face)), normal)
    if len(pose.other) > 2 and area > 1e-4 * size * size:
        return lambda points: truth.spread(points, normal)[0] / area
    if len(pose.other) == 2 and length > 1e-2 * size:
        return lambda points: truth.spread(points, normal)[1] / length
    return lambda points: None


def study(pair, pairs, seed=1):
    figures = Figures()
    k = 0
    while figures.pairs < pairs:
        figures.add_model(np.random.default_rng([seed, PAIRS.index(pair), k]), pair)
        k += 1
    return figures


def rows(pairs, only=None):
    return [study(pair, pairs).row(pair) for pair in only or PAIRS]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1000, help="overlapping pairs of each kind")
    parser.add_argument("--only", metavar="PAIR,...", help="of " + ", ".join(PAIRS))
    options = parser.parse_args()
    from documented_tables import as_markdown  # noqa: PLC0415

    print(f"MuJoCo {mujoco.__version__}")
    print("\n".join(as_markdown(rows(options.pairs, options.only and options.only.split(",")))))


if __name__ == "__main__":
    main()
