"""Functions of MuJoCo's module that are rare or about text, written in Python."""

from __future__ import annotations

import copy
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

import torsor
from torsor.mujoco import _structs

# names of object types, as mju_type2Str gives them
_WORDS = {1: "body", 2: "xbody", 3: "joint", 4: "dof", 5: "geom", 6: "site", 7: "camera", 8: "light", 9: "flex", 10: "mesh",
          11: "skin", 12: "hfield", 13: "texture", 14: "material", 15: "pair", 16: "exclude", 17: "equality", 18: "tendon",
          19: "actuator", 20: "sensor", 21: "numeric", 22: "text", 23: "tuple", 24: "key", 25: "plugin"}
_NUMBERS = {key: number for number, word in _WORDS.items() for key in (word, word.encode())}


def mju_type2Str(type: int) -> str | None:
    """The word for an mjtObj, None for an unknown one.

    >>> torsor.mujoco.mju_type2Str(torsor.mujoco.mjtObj.mjOBJ_BODY)
    'body'
    """
    return _WORDS.get(int(type))


def mju_str2Type(str: Any) -> int:
    """The mjtObj of a word, text or bytes; 0 for an unknown one.

    >>> torsor.mujoco.mju_str2Type("geom")
    5
    """
    return _NUMBERS.get(str, 0)


def mju_threadpool(d: Any, nthread: int) -> None:
    """Remembers the number of threads; steps of one world run on one.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> torsor.mujoco.mju_threadpool(torsor.mujoco.MjData(model), 2)
    """
    d._threads = int(nthread)


def mju_printMat(mat: ArrayLike) -> None:
    """Prints a matrix, one row per line.

    >>> torsor.mujoco.mju_printMat([[1, 2], [3, 4]])
    1.00000 2.00000
    3.00000 4.00000
    """
    for row in numpy.atleast_2d(numpy.asarray(mat, dtype=float)):
        print(" ".join(f"{value:.5f}" for value in row))


def mj_defaultOption(opt: Any) -> None:
    """Resets options to their defaults.

    >>> opt = torsor.mujoco.MjOption()
    >>> opt.timestep = 1
    >>> torsor.mujoco.mj_defaultOption(opt)
    >>> opt.timestep
    0.002
    """
    _structs._take_over(opt, _structs.MjOption())


def mj_defaultVisual(vis: Any) -> None:
    """Resets visual settings to their defaults.

    >>> torsor.mujoco.mj_defaultVisual(torsor.mujoco.MjVisual())
    """
    _structs._take_over(vis, _structs.MjVisual())


def mj_defaultSolRefImp(solref: NDArray[Any] | None, solimp: NDArray[Any] | None) -> None:
    """Writes the default reference and impedance.

    >>> solref, solimp = numpy.zeros(2), numpy.zeros(5)
    >>> torsor.mujoco.mj_defaultSolRefImp(solref, solimp)
    >>> solref.tolist(), solimp.tolist()
    ([0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0])
    """
    default = _structs.MjOption()
    for name, array, size in (("solref", solref, 2), ("solimp", solimp, 5)):
        if array is not None and numpy.shape(array) != (size,):
            raise TypeError(f"{name} must be an array of {size} numbers")
    if solref is not None:
        solref[:] = default.o_solref
    if solimp is not None:
        solimp[:] = default.o_solimp


def mj_actuatorInputName(m: Any, id: int, input: int) -> str | None:
    """What a control of an actuator is, None if nothing says it.

    >>> model = torsor.mujoco.MjModel.from_xml_string(
    ...     "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
    ...     "<actuator><position joint='j'/></actuator></mujoco>")
    >>> torsor.mujoco.mj_actuatorInputName(model, 0, 0)
    'pos'
    """
    if not 0 <= id < m.nactuator:
        raise ValueError(f"actuator id {id} out of range")
    inputs, so3 = int(m.actuator_ctrlspec[id]), 4
    if int(m.actuator_gaintype[id]) == so3:
        names = ["rx", "ry", "rz"] if inputs == 1 else ["qw", "qx", "qy", "qz"]
    else:
        words = {1: "pos", 2: "vel", 4: "ff", 8: "voltage", 32: "pressure"}
        names = [word for bit, word in words.items() if inputs & bit]
    return names[input] if 0 <= input < len(names) else None


def mj_loadTexture(m: Any, id: int) -> tuple[NDArray[numpy.uint8], int]:
    """Pixels of a texture, (height, width, channels), and its mjtColorSpace.

    >>> model = torsor.mujoco.MjModel.from_xml_string(
    ...     "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='4' height='2'/></asset></mujoco>")
    >>> torsor.mujoco.mj_loadTexture(model, 0)[0].shape
    (2, 4, 3)
    """
    if not 0 <= id < m.ntex:
        raise ValueError(f"texture id {id} out of range")
    return m._texture(id)


def mj_embedAssets(m: Any) -> Any:
    """A copy of a model whose tex_data has the pixels of all textures, also of those whose files viewers would read.

    >>> torsor.mujoco.mj_embedAssets(torsor.mujoco.MjModel.from_xml_string("<mujoco/>")).ntexdata
    0
    """
    made = copy.copy(m)
    made._has_all_textures()
    return made


def mju_raySkin(nface: int, nvert: int, face: NDArray[Any], vert: NDArray[Any], pnt: ArrayLike, vec: ArrayLike,
                vertid: NDArray[Any] | None) -> float:
    """How far from pnt, in lengths of vec, a ray hits triangles, -1 if it does not; vertid gets the corner nearest to that point.

    >>> face, vert = numpy.array([[0, 1, 2]], numpy.int32), numpy.eye(3, dtype=numpy.float32)
    >>> torsor.mujoco.mju_raySkin(1, 3, face, vert, [1, 1, 1], [-1, -1, -1], None)
    0.6666666666666666
    """
    for name, count in (("nface", nface), ("nvert", nvert)):
        if count < 0:
            raise ValueError(f"{name} must not be negative, got {count}")
    for name, array, count in (("face", face, nface), ("vert", vert, nvert)):
        if not isinstance(array, numpy.ndarray) or array.size != 3 * count:
            raise TypeError(f"{name} must be an array of {count} x 3 numbers")
    corners, points = face.reshape(-1, 3), vert.reshape(-1, 3).astype(float)
    if corners.size and not (0 <= corners.min() and corners.max() < nvert):
        raise ValueError(f"face: vertices must be from 0 to {nvert - 1}")
    origin, ray = numpy.asarray(pnt, dtype=float), numpy.asarray(vec, dtype=float)
    if origin.shape != (3,) or ray.shape != (3,) or (vertid is not None and numpy.size(vertid) != 1):
        raise TypeError("pnt and vec must be arrays of 3 numbers, vertid an array of 1")
    a, b, c = points[corners[:, 0]], points[corners[:, 1]], points[corners[:, 2]]
    # Cramer's rule for a + u (b - a) + v (c - a) = origin + t ray
    normal, from_a = numpy.cross(b - a, c - a), origin - a
    volume = -(normal @ ray)
    turned = numpy.cross(ray, from_a)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        t, u, v = ((normal * from_a).sum(axis=1) / volume, -(turned * (c - a)).sum(axis=1) / volume, (turned * (b - a)).sum(axis=1) / volume)
        hits = numpy.flatnonzero((u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0))
    if hits.size == 0:
        return -1.0
    first = hits[numpy.argmin(t[hits])]
    if vertid is not None:
        place = origin + t[first] * ray
        vertid[...] = corners[first][numpy.argmin(((points[corners[first]] - place) ** 2).sum(axis=1))]
    return float(t[first])


def mj_printModel(m: Any, filename: str) -> None:
    """Writes sizes and arrays of a model as text.

    >>> torsor.mujoco.mj_printModel(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), str(folder / "model.txt"))
    >>> (folder / "model.txt").read_text().startswith("nq: 0")
    True
    """
    names = [name for name in torsor.field_names("model")]
    _print_fields(m, [*(each for each in dir(m) if each.startswith("n") and isinstance(getattr(m, each), int)), *names], filename)


def mj_printData(m: Any, d: Any, filename: str) -> None:
    """Writes the arrays of a data as text.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> torsor.mujoco.mj_printData(model, torsor.mujoco.MjData(model), str(folder / "data.txt"))
    """
    del m
    _print_fields(d, ["time", *torsor.field_names("data")], filename)


def _print_fields(owner: Any, names: list[str], filename: str) -> None:
    with open(filename, "w", encoding="utf-8") as file:
        for name in ["nq", *names] if hasattr(owner, "nq") else names:
            file.write(f"{name}: {getattr(owner, name)}\n")


FUNCTIONS = {name: value for name, value in globals().items() if name.startswith(("mj_", "mju_"))}
