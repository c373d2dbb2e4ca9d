"""Contacts of both engines as records, matched and compared; and small scenes that make them."""

import mujoco
import numpy as np

NUMBERS = ("dist", "pos", "frame", "friction", "solref", "solreffriction", "solimp", "includemargin", "dim", "exclude")
GEOMETRY = ("dist", "pos", "frame")


def collide(engine, model, data, qpos=None):
    """The contacts in a state, as a list of dictionaries of arrays."""
    if qpos is not None:
        data.qpos[:] = qpos
    engine.kinematics(model, data)
    engine.com_pos(model, data)
    engine.collision(model, data)
    contacts = data.contact
    columns = {name: np.array(getattr(contacts, name)) for name in ("geom", *NUMBERS)} if data.ncon else {}
    return [{name: np.atleast_1d(column[i]).ravel() for name, column in columns.items()} for i in range(data.ncon)]


def geoms(contacts):
    return [tuple(int(g) for g in contact["geom"]) for contact in contacts]


def match(expected, found):
    """`found` in the order of `expected`: same geoms, nearest points first. None when the geoms differ."""
    if sorted(geoms(expected)) != sorted(geoms(found)):
        return None
    rest = list(found)
    result = []
    for contact in expected:
        same = [other for other in rest if (other["geom"] == contact["geom"]).all()]
        nearest = min(same, key=lambda other: np.linalg.norm(other["pos"] - contact["pos"]))
        result.append(nearest)
        rest = [other for other in rest if other is not nearest]
    return result


def differences(expected, found, tolerance, ordered=True):
    """What differs, as readable lines; nothing when all is equal."""
    if ordered and geoms(expected) != geoms(found):
        return [f"geoms {geoms(expected)} and {geoms(found)}"]
    matched = found if ordered else match(expected, found)
    if matched is None:
        return [f"geoms {geoms(expected)} and {geoms(found)}"]
    lines = []
    for i, (a, b) in enumerate(zip(expected, matched)):
        for name in NUMBERS:
            error = np.abs(a[name] - b[name]).max()
            if not error <= tolerance * max(1.0, np.abs(a[name]).max()):
                lines.append(f"contact {i} {name}: {a[name]} and {b[name]}")
    return lines


def is_stable(judge, model, data, qpos, tolerance):
    """Whether MuJoCo's own contacts are insensitive to small changes of the state; others are not compared."""
    before = collide(judge, model, data, qpos)
    touched = np.array(qpos)
    mujoco.mj_integratePos(model, touched, np.full(model.nv, 1e-10), 1.0)
    after = collide(judge, model, data, touched)
    return geoms(before) == geoms(after) and all(
        np.abs(a[name] - b[name]).max() <= 0.1 * tolerance for a, b in zip(before, after) for name in GEOMETRY)


def random_size(random, shape):
    count = {"plane": 0, "sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}[shape]
    return [0, 0, 1] if shape == "plane" else list(np.exp(random.uniform(np.log(0.05), 0, count)))


def numbers(values):
    return " ".join(f"{float(value):.17g}" for value in values)


def pair_scene(random, first, second, margin):
    """Two bodies with a geom each; planes are fixed. Sizes are random."""
    def body(shape, attributes):
        moves = "" if shape == "plane" else "<freejoint/>"
        mass = "" if shape == "plane" else 'mass="1"'
        place = f'pos="{numbers(random.uniform(-0.3, 0.3, 3))}" quat="{numbers(random.normal(size=4))}"'
        size = numbers(random_size(random, shape))
        return f'<body {place}>{moves}<geom type="{shape}" size="{size}" {mass} {attributes}/></body>'

    return ("<mujoco><worldbody>" + body(first, f'margin="{margin:.17g}"') + body(second, "") +
            "</worldbody></mujoco>")


QUATERNIONS = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 0], [1, 1, 1, 1]], float)


def random_pose(random, room):
    """Mostly anywhere; now and then on axes and with axes along each other, where formulas divide by zero."""
    position = random.uniform(-room, room, 3)
    quaternion = random.normal(size=4)
    kind = random.integers(5)
    if kind == 0:
        position *= random.random(3) < 0.5
    if kind == 1:
        quaternion = QUATERNIONS[random.integers(len(QUATERNIONS))]
    return np.concatenate([position, quaternion / np.linalg.norm(quaternion)])


def furthest(model, data, geom, direction):
    """How far a convex geom reaches along a direction, in the world."""
    kind, size = int(model.geom_type[geom]), model.geom_size[geom]
    local = data.geom_xmat[geom].reshape(3, 3).T @ direction
    if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
        reach = size[0]
    elif kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
        reach = size[0] + size[1] * abs(local[2])
    elif kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
        reach = np.linalg.norm(size * local)
    elif kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
        reach = size[0] * np.hypot(local[0], local[1]) + size[1] * abs(local[2])
    elif kind == mujoco.mjtGeom.mjGEOM_BOX:
        reach = size @ np.abs(local)
    else:
        start, count = model.mesh_vertadr[model.geom_dataid[geom]], model.mesh_vertnum[model.geom_dataid[geom]]
        reach = np.max(model.mesh_vert[start:start + count] @ local)
    return reach + data.geom_xpos[geom] @ direction


def gap(model, data, contact):
    """How far apart the two geoms are along a contact's normal; the distance is the largest of all directions."""
    normal = np.ravel(contact["frame"])[:3]
    first, second = contact["geom"]
    return -furthest(model, data, first, normal) - furthest(model, data, second, -normal)
