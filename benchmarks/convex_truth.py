"""The least depth of two convex solids by brute force, and the overlap of the features with which they touch.

Independent of how engines search: for two polytopes, all directions in which a least depth can lie (normals of faces, cross
products of edges) are tried; for curved solids, directions all around, and the best of them refined. See convex_contacts.py."""

import itertools

import numpy as np
import scipy.spatial

DISC_CORNERS = 96  # of the polygon that stands for a round face
NEXT = [np.roll(np.arange(count), -1) for count in range(DISC_CORNERS + 1)]  # the corner after each of a polygon


def cross(u, v):
    """Of arrays (..., 3); faster than NumPy's for few vectors."""
    return np.stack([u[..., 1] * v[..., 2] - u[..., 2] * v[..., 1], u[..., 2] * v[..., 0] - u[..., 0] * v[..., 2],
                     u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]], axis=-1)


def transformed(rotations, vectors):
    """Vectors (poses, n, 3) in the axes that the rotations (poses, 3, 3) lead from: R' v."""
    return vectors @ rotations


class Solid:
    """A geom in its own frame. Faces are polygons, counter-clockwise from outside; edges are pairs of points."""

    def __init__(self, kind, size, corners=None):
        self.kind, self.size = kind, np.asarray(size, float)
        if kind == "box":
            corners = np.array(list(itertools.product((-1, 1), repeat=3))) * self.size
        self.corners = corners
        self.faces, self.edges = [], []
        if corners is not None:
            self.faces, self.edges = polytope_features(corners)
        elif kind in ("cylinder", "capsule"):
            self.edges = [np.array([[0, 0, -self.size[1]], [0, 0, self.size[1]]])]
            if kind == "cylinder":
                self.faces = [disc(self.size[0], z) for z in (-self.size[1], self.size[1])]
        self.face_normals = [normal_of(face) for face in self.faces]

    @property
    def is_polytope(self):
        return self.corners is not None

    @property
    def extent(self):
        if self.is_polytope:
            return np.linalg.norm(self.corners, axis=1).max()
        return {"ellipsoid": self.size.max(), "cylinder": np.hypot(*self.size[:2]), "capsule": self.size[:2].sum()}[self.kind]

    def reach(self, directions):
        """How far it extends along directions, an array (..., 3) of unit vectors."""
        d = directions
        if self.is_polytope:
            return (d @ self.corners.T).max(axis=-1)
        if self.kind == "ellipsoid":
            return np.linalg.norm(d * self.size, axis=-1)
        along = self.size[1] * np.abs(d[..., 2])
        return along + self.size[0] * (np.hypot(d[..., 0], d[..., 1]) if self.kind == "cylinder" else 1)

    def normals(self):
        """Of flat sides."""
        return np.array(self.face_normals).reshape(-1, 3)

    def edge_directions(self):
        """Without duplicates: a box has three."""
        found = []
        for p, q in self.edges:
            d = (q - p) / np.linalg.norm(q - p)
            if not any(abs(d @ other) > 1 - 1e-9 for other in found):
                found.append(d)
        return np.array(found).reshape(-1, 3)


def disc(radius, z):
    angles = np.arange(DISC_CORNERS) * (2 * np.pi / DISC_CORNERS) * np.sign(z)
    return np.stack([radius * np.cos(angles), radius * np.sin(angles), np.full(DISC_CORNERS, z)], axis=1)


def normal_of(face):
    """By Newell's formula, unit."""
    n = cross(face, face[NEXT[len(face)]]).sum(axis=0)
    return n / np.sqrt(n @ n)


def polytope_features(corners):
    """Flat sides, of however many triangles, and the edges between them."""
    hull = scipy.spatial.ConvexHull(corners)
    sides = []  # (normal, corners)
    for equation, triangle in zip(hull.equations, hull.simplices):
        for normal, members in sides:
            if normal @ equation[:3] > 1 - 1e-9:
                members.update(int(i) for i in triangle)
                break
        else:
            sides.append((equation[:3], {int(i) for i in triangle}))
    faces, edges = [], set()
    for normal, members in sides:
        ring = in_order(corners, sorted(members), normal)
        faces.append(corners[ring])
        edges.update(tuple(sorted(pair)) for pair in zip(ring, np.roll(ring, -1).tolist()))
    return faces, [corners[list(pair)] for pair in sorted(edges)]


def in_order(corners, members, normal):
    center = corners[members].mean(axis=0)
    u = corners[members[0]] - center
    v = cross(normal, u)
    return sorted(members, key=lambda i: np.arctan2((corners[i] - center) @ v, (corners[i] - center) @ u))


def sphere_directions(count):
    """Spread evenly: a spiral from pole to pole."""
    i = np.arange(count) + 0.5
    z, angle = 1 - 2 * i / count, i * np.pi * (1 + 5 ** 0.5)
    across = np.sqrt(1 - z * z)
    return np.stack([across * np.cos(angle), across * np.sin(angle), z], axis=1)


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-300)


class Poses:
    """Many relative poses of two solids: arrays of rotations (n, 3, 3) and positions (n, 3) of both."""

    def __init__(self, a, b, R_WA, p_A, R_WB, p_B):
        self.a, self.b = a, b
        self.R_WA, self.R_WB, self.p_AB = R_WA, R_WB, p_B - p_A

    def depth(self, directions):
        """How far b must move along each direction (n, m, 3), unit vectors, to leave a."""
        reach_a = self.a.reach(transformed(self.R_WA, directions))
        reach_b = self.b.reach(-transformed(self.R_WB, directions))
        return reach_a + reach_b - np.einsum("pni,pi->pn", directions, self.p_AB)

    def only(self, chosen):
        """Some of the poses."""
        part = Poses.__new__(Poses)
        part.a, part.b, part.R_WA, part.R_WB, part.p_AB = (self.a, self.b, self.R_WA[chosen], self.R_WB[chosen],
                                                           self.p_AB[chosen])
        return part

    def least(self, random, rounds=55):
        """The least depth of each pose, and its direction. More rounds give more digits where solids are curved."""
        exact = self.corner_directions()
        if self.a.is_polytope and self.b.is_polytope:
            return self.best_of(exact)
        around = np.broadcast_to(sphere_directions(800), (len(self.p_AB), 800, 3))
        return self.refined(np.concatenate([exact, around], axis=1), random, rounds)

    def best_of(self, directions):
        depth = self.depth(directions)
        best = depth.argmin(axis=1)
        rows = np.arange(len(best))
        return depth[rows, best], directions[rows, best]

    def corner_directions(self):
        """Normals of flat sides, and cross products of edges, axes of cylinders and capsules among them."""
        to_world = lambda R, v: np.einsum("pij,nj->pni", R, v)  # noqa: E731
        normals = [to_world(self.R_WA, self.a.normals()), -to_world(self.R_WB, self.b.normals())]
        u, v = to_world(self.R_WA, self.a.edge_directions()), to_world(self.R_WB, self.b.edge_directions())
        crosses = cross(u[:, :, None], v[:, None]).reshape(len(u), -1, 3)
        length = np.linalg.norm(crosses, axis=-1, keepdims=True)
        crosses = np.where(length > 1e-7, crosses / np.maximum(length, 1e-300), np.array([0, 0, 1.0]))
        return np.concatenate([*normals, crosses, -crosses], axis=1)

    def refined(self, directions, random, rounds, starts=6):
        """From the best directions, smaller and smaller steps to all sides for as long as they help."""
        depth = self.depth(directions)
        rows = np.arange(len(depth))[:, None]
        chosen = np.argsort(depth, axis=1)[:, :starts]
        here, value = directions[rows, chosen], depth[rows, chosen]
        step = np.full(value.shape, 0.1)
        for _ in range(rounds):
            turns = random.normal(size=(8, 3))
            tried = unit(here[:, :, None] + step[:, :, None, None] * unit(turns)).reshape(len(depth), -1, 3)
            found = self.depth(tried).reshape(*value.shape, -1)
            best = found.argmin(axis=2)[..., None]
            better = np.take_along_axis(found, best, 2)[..., 0] < value
            picked = np.take_along_axis(tried.reshape(*value.shape, -1, 3), best[..., None], 2)[:, :, 0]
            here = np.where(better[..., None], picked, here)
            value = np.minimum(value, np.take_along_axis(found, best, 2)[..., 0])
            step = np.where(better, step * 1.5, step * 0.5)
        best = value.argmin(axis=1)
        return value[rows[:, 0], best], here[rows[:, 0], best]


# --- overlaps --------------------------------------------------------------------------------------------------------


def clipped(polygon, values):
    """The part of a polygon, or of a line, where a linear function is not positive; given its values at the corners."""
    if (values <= 0).all():
        return polygon
    kept = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if values[i] <= 0:
            kept.append(polygon[i])
        if values[i] * values[j] < 0:
            kept.append(polygon[i] + (polygon[j] - polygon[i]) * (values[i] / (values[i] - values[j])))
    return np.array(kept).reshape(-1, 3)


def overlap(face, other, normal):
    """Corners of the part of `other`, a face or an edge, that is over `face` as seen along the normal; of those, the ones that
    have gone through the plane of `face`."""
    part = other
    outward = cross(face[NEXT[len(face)]] - face, normal)
    for p, out in zip(face, outward):
        part = clipped(part, (part - p) @ out)
        if len(part) == 0:
            return part
    return part[(part - face[0]) @ normal_of(face) <= 0]


def spread(points, normal):
    """The area of the convex hull of points seen along a normal, and the largest distance between two of them."""
    if len(points) < 2:
        return 0.0, 0.0
    u = unit(cross(normal, np.array([1.0, 0, 0] if abs(normal[0]) < 0.6 else [0, 1.0, 0])))
    flat = np.stack([points @ u, points @ cross(normal, u)], axis=1)
    length = scipy.spatial.distance.pdist(flat).max()
    if len(points) < 3:
        return 0.0, length
    try:
        return scipy.spatial.ConvexHull(flat).volume, length
    except scipy.spatial.QhullError:  # on a line
        return 0.0, length
