"""Reads an engine's model or data into plain arrays, and rewrites them as quantities that are physically unique."""

import numpy as np

import fields

HFIELD, SPHERE, CAPSULE, CYLINDER, MESH = 1, 2, 3, 5, 7
PULLEY = -2  # in wrap_obj
BALLQUAT, FRAMEQUAT = 18, 27
QUATERNION_READINGS = {f"sensordata of type {kind}" for kind in (BALLQUAT, FRAMEQUAT)}
SIZES = {SPHERE: 1, CAPSULE: 2, CYLINDER: 2}  # numbers of geom_size that mean something, where they are fewer than 3
NAMED = {
    "body": "nbody", "jnt": "njnt", "geom": "ngeom", "site": "nsite", "cam": "ncam", "light": "nlight",
    "mesh": "nmesh", "skin": "nskin", "hfield": "nhfield", "tex": "ntex", "mat": "nmat", "numeric": "nnumeric", "text": "ntext",
    "pair": "npair", "exclude": "nexclude", "eq": "neq", "tuple": "ntuple", "key": "nkey", "actuator": "nactuator", "tendon": "ntendon",
    "sensor": "nsensor",
}


def of_model(engine, model):
    """All compared fields of a model, its option and statistic blocks, and its names."""
    present = fields.compared("model") & engine.field_names("model")
    shot = {name: _copy(getattr(model, name)) for name in present}
    for block in ("opt", "stat", "vis"):
        _read_block(getattr(model, block, None), block, shot)
    for kind, count in NAMED.items():
        shot[f"names:{kind}"] = names_of(model, f"name_{kind}adr", getattr(model, count))
    return shot


def of_data(engine, data, names=None):
    """All compared fields of data, or those named."""
    present = (names or fields.compared("data")) & engine.field_names("data")
    return {name: _copy(getattr(data, name)) for name in present}


def _copy(value):
    if isinstance(value, bytes):
        return np.frombuffer(value, np.uint8).copy()
    if isinstance(value, np.ndarray) and value.dtype.kind == "S":
        return value.view(np.uint8).copy()
    return np.array(value)


def _read_block(block, prefix, shot):
    for name in dir(block) if block is not None else ():
        value = getattr(block, name)
        if name.startswith("_") or callable(value):
            continue
        if isinstance(value, (bool, int, float, np.ndarray)):
            if np.size(value):
                shot[f"{prefix}.{name}"] = np.array(value) if isinstance(value, np.ndarray) else np.array(float(value))
        elif prefix == "vis":
            _read_block(value, f"vis.{name}", shot)


def names_of(model, addresses, count):
    """The names of one kind of object, empty for the nameless."""
    text = bytes(_copy(model.names))
    starts = np.array(getattr(model, addresses))[:count]
    return np.array([text[start:].split(b"\0", 1)[0].decode() for start in starts], dtype=str)


def rotations(quaternions):
    """Rotation matrices of wxyz rows; not normalised, so that an error of length shows as well."""
    w, x, y, z = np.moveaxis(np.asarray(quaternions, dtype=float).reshape(-1, 4), 1, 0)
    rows = [
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z,
    ]
    return np.stack(rows, axis=1).reshape(-1, 3, 3)


def tensors(axes, moments):
    """Symmetric tensors from principal axes (matrices) and principal values."""
    return np.einsum("nij,nj,nkj->nik", axes, moments, axes)


def unique_model(shot):
    """The same model in quantities that do not depend on a choice of axes or of a quaternion's sign."""
    result = dict(shot)
    for name in fields.QUATERNIONS & shot.keys():
        result[name] = rotations(shot[name])
    for name in fields.QPOS_LIKE & shot.keys():
        result.update(_split_qpos(name, shot[name], shot))
        del result[name]
    if {"body_iquat", "body_inertia"} <= shot.keys():
        axes = rotations(shot["body_iquat"])
        result["body_iquat"] = _inertial_axes(axes, shot["body_inertia"])
        result["body_inertia"] = tensors(axes, shot["body_inertia"])
    if "geom_quat" in shot:
        result["geom_quat"] = _geom_shapes(shot)
    if shot.get("nmesh", 0):
        _add_meshes(shot, result)
    return result


def unique_data(shot, model):
    """The same data in unique quantities; model is the raw snapshot of the engine's own model."""
    result = dict(shot)
    for name in fields.QUATERNIONS & shot.keys():
        result[name] = rotations(shot[name])
    if "qpos" in shot:
        result.update(_split_qpos("qpos", shot["qpos"], model))
        del result["qpos"]
    if {"wrap_xpos", "wrap_obj"} <= shot.keys():
        _drop_unused_points(shot, result)
    if "actuator_moment" in shot:
        result["actuator_moment"] = _dense(shot, "actuator_moment", "moment", int(model["nv"]))
        for name in ("moment_rownnz", "moment_rowadr", "moment_colind"):
            result.pop(name, None)
    if "sensordata" in shot:
        result.update(_split_readings(result.pop("sensordata"), model))
    if "ximat" in shot:
        result["ximat"] = _inertial_axes(shot["ximat"].reshape(-1, 3, 3), model["body_inertia"])
    if "xiquat" in shot:
        result["xiquat"] = _inertial_axes(rotations(shot["xiquat"]), model["body_inertia"])
    for name, matrices in (("geom_xmat", lambda: shot["geom_xmat"].reshape(-1, 3, 3).copy()),
                           ("geom_xquat", lambda: rotations(shot["geom_xquat"]))):
        if name in shot:
            result[name] = _without_mesh_axes(matrices(), model)
    return result


def _without_mesh_axes(matrices, model):
    """Geoms of meshes as if their frames were those of their bodies, since principal axes may point either way."""
    shaped = (model["geom_dataid"] >= 0) | maybe_fitted(model)
    back = rotations(model["geom_quat"])[shaped]
    matrices[shaped] = matrices[shaped] @ np.swapaxes(back, 1, 2)
    return matrices


def _split_readings(readings, model):
    """Readings by type of sensor, since their units differ; those of quaternions as rotations."""
    parts = {}
    for kind, start, count in zip(model["sensor_type"], model["sensor_adr"], model["sensor_dim"]):
        parts.setdefault(int(kind), []).append(np.ravel(readings)[start:start + count])
    split = {f"sensordata of type {kind}": np.concatenate(values) for kind, values in parts.items()}
    for name, values in split.items():
        if name in QUATERNION_READINGS:
            split[name] = rotations(values)
    return split


def _drop_unused_points(shot, result):
    """Points of tendon paths: pulleys have no place, and what lies behind the last point is left over from before."""
    kinds, points = shot["wrap_obj"].ravel().copy(), shot["wrap_xpos"].reshape(-1, 3).copy()
    used = int(np.sum(shot["ten_wrapnum"]))
    kinds[used:] = 0
    points[used:] = 0
    points[kinds == PULLEY] = 0
    result["wrap_obj"], result["wrap_xpos"] = kinds, points


def _dense(shot, values, pattern, columns):
    """A matrix from its sparse rows: which numbers are kept though they are zero is a choice."""
    counts, starts = shot[f"{pattern}_rownnz"], shot[f"{pattern}_rowadr"]
    result = np.zeros((len(counts), columns))
    for row, (count, start) in enumerate(zip(counts, starts)):
        place = slice(start, start + count)
        np.add.at(result[row], shot[f"{pattern}_colind"][place], np.ravel(shot[values])[place])
    return result


def _inertial_axes(axes, moments):
    """Inertia tensors of unit size in place of axes, since axes of equal moments are not unique."""
    largest = moments.max(axis=1)
    result = axes.copy()
    heavy = largest > 0
    result[heavy] = tensors(axes[heavy], moments[heavy] / largest[heavy, None])
    return result


def _split_qpos(name, values, model):
    """Coordinates, and rotation matrices in place of the quaternions of ball and free joints."""
    rows = np.asarray(values, dtype=float).reshape(-1, int(model["nq"])) if int(model["nq"]) else np.zeros((1, 0))
    starts = [adr + (3 if kind == 0 else 0) for kind, adr in zip(model["jnt_type"], model["jnt_qposadr"]) if kind <= 1]
    places = np.array([start + i for start in starts for i in range(4)], dtype=int)
    plain = np.setdiff1d(np.arange(rows.shape[1]), places)
    return {name + ":plain": rows[:, plain], name + ":rotations": rotations(rows[:, places])}


def maybe_fitted(shot):
    """Primitives in models with meshes: their axes may be principal axes of a mesh, which the model does not say."""
    return (shot["geom_type"] > HFIELD) & (shot["geom_type"] != MESH) & (len(shot["mesh_vertadr"]) > 0)


def _geom_shapes(shot):
    """Rotation of each geom; for what may be fitted to a mesh the tensor of its extent, for meshes nothing here."""
    result = rotations(shot["geom_quat"])
    kinds, sizes = shot["geom_type"], shot["geom_size"]
    for geom in np.flatnonzero(maybe_fitted(shot)):
        size = sizes[geom].copy()
        if kinds[geom] == SPHERE:
            size[:] = size[0]
        elif kinds[geom] in (CAPSULE, CYLINDER):
            size = np.array([size[0], size[0], size[1]])
        result[geom] = tensors(result[geom : geom + 1], size[None] / size.max())[0]
    result[kinds == MESH] = np.eye(3)
    return result


def _add_meshes(shot, result):
    """Meshes as points in the asset's axes and in the body's, and what must follow from the points."""
    frames, points = rotations(shot["mesh_quat"]), []
    normals = shot["mesh_normal"].astype(float)
    for mesh, frame in enumerate(frames):
        points.append(_rows(shot, "mesh_vert", mesh) @ frame.T + shot["mesh_pos"][mesh])
        place = _range(shot, "normal", mesh)
        normals[place] = normals[place] @ frame.T
    result["mesh_vert"], result["mesh_normal"] = np.concatenate(points), normals
    del result["mesh_quat"]
    of_mesh = np.flatnonzero(shot["geom_type"] == MESH)
    placed = [_rows(shot, "mesh_vert", shot["geom_dataid"][geom]) @ rotations(shot["geom_quat"][geom])[0].T
              for geom in of_mesh]
    result["geom mesh points"] = np.concatenate(placed) if placed else np.zeros((0, 3))
    for name in ("geom_size", "geom_aabb", "geom_rbound", "geom_surfacevel"):
        result[name] = shot[name].copy()
    for geom in of_mesh:
        _relate_bounds(shot, result, geom)
    for geom in range(len(shot["geom_type"])):
        result["geom_size"][geom, SIZES.get(int(shot["geom_type"][geom]), 3) :] = 0  # left over from a fit
    for geom in np.flatnonzero((shot["geom_type"] == MESH) | maybe_fitted(shot)):
        axes = rotations(shot["geom_quat"][geom])[0]
        result["geom_surfacevel"][geom] = (shot["geom_surfacevel"][geom].reshape(2, 3) @ axes.T).ravel()


def _relate_bounds(shot, result, geom):
    """Bounds of a mesh geom depend on its axes, so the bounded points are compared: 1 means equal."""
    points = _rows(shot, "mesh_vert", shot["geom_dataid"][geom]).astype(float)
    low, high = points.min(axis=0), points.max(axis=0)
    reach = np.maximum(np.abs(low), np.abs(high))
    result["geom_size"][geom] /= reach
    centre, half = shot["geom_aabb"][geom][:3], shot["geom_aabb"][geom][3:]
    result["geom_aabb"][geom] = np.concatenate([(centre - half) / low, (centre + half) / high])
    result["geom_rbound"][geom] /= np.linalg.norm(reach)


def _range(shot, part, mesh):
    start = shot[f"mesh_{part}adr"][mesh]
    return slice(start, start + shot[f"mesh_{part}num"][mesh])


def _rows(shot, name, mesh):
    return shot[name][_range(shot, name.removeprefix("mesh_"), mesh)].astype(float)
