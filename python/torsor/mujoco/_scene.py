"""Scenes of MuJoCo's visualiser as plain data: what mjv_updateScene lists of a model, without drawing anything.

torsor.Renderer draws. These are for programs that add geoms of their own to a scene, or look at what is in one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

import torsor
from torsor.mujoco import _plain

_STATIC, _DYNAMIC, _DECOR = 1, 2, 4  # mjtCatBit
_GEOM, _SITE = 5, 6  # mjtObj
_LIGHTS, _FLAGS = 100, 12
_hooks: dict[str, Callable[..., Any] | None] = {"malloc": None, "free": None}
_BYTES_PER_GEOM = 256


def _setter(name: str) -> Callable[[Any], None]:
    def set_hook(function: Callable[..., Any] | None) -> None:
        if function is not None and not callable(function):
            raise TypeError("expected a function or None")
        _hooks[name] = function

    set_hook.__name__ = f"set_mju_user_{name}"
    set_hook.__doc__ = f"Sets the function that the buffers of scenes use for {name}; None for the default."
    return set_hook


def _getter(name: str) -> Callable[[], Any]:
    def get_hook() -> Any:
        return _hooks[name]

    get_hook.__name__ = f"get_mju_user_{name}"
    get_hook.__doc__ = f"The function of set_mju_user_{name}(), or None."
    return get_hook


set_mju_user_malloc, set_mju_user_free = _setter("malloc"), _setter("free")
get_mju_user_malloc, get_mju_user_free = _getter("malloc"), _getter("free")


class MjvScene:
    """Geoms, lights and cameras of one moment: `geoms` are maxgeom places, of which ngeom are in use.

    >>> torsor.mujoco.MjvScene().scale
    1.0
    """

    def __init__(self, model: Any = None, maxgeom: int = 0):
        if model is None:
            maxgeom = 0
        if maxgeom < 0:
            raise ValueError(f"maxgeom must not be negative, got {maxgeom}")
        geom, light, camera = (_plain.make(name) for name in ("MjvGeom", "MjvLight", "MjvGLCamera"))
        self.maxgeom, self.ngeom, self.nlight, self.nflex, self.nskin = int(maxgeom), 0, 0, 0, 0
        self.geoms = tuple(geom() for _ in range(self.maxgeom))
        self.geomorder = numpy.zeros(self.maxgeom, numpy.int32)
        self.lights = tuple(light() for _ in range(_LIGHTS))
        self.camera = (camera(), camera())
        self.enabletransform, self.stereo, self.framewidth, self.status = 0, 0, 0, 0
        self.translate, self.rotate = numpy.zeros(3, numpy.float32), numpy.array([1, 0, 0, 0], numpy.float32)
        self.scale = 1.0
        self.framergb, self.flags = numpy.ones(3, numpy.float32), numpy.zeros(_FLAGS, numpy.uint8)
        malloc, self._free = _hooks["malloc"], _hooks["free"]
        self._buffer = malloc(_BYTES_PER_GEOM * self.maxgeom) if malloc is not None and self.maxgeom > 0 else None

    def __del__(self) -> None:
        if getattr(self, "_buffer", None) is not None and self._free is not None:
            self._free(self._buffer)


_FIGURE: dict[str, list[Any]] = {
    "flg_legend": ["int", 0], "flg_ticklabel": ["int32", [1, 1]], "flg_extend": ["int", 0], "flg_barplot": ["int", 0],
    "flg_selection": ["int", 0], "flg_symmetric": ["int", 0], "linewidth": ["float", 3.0], "gridwidth": ["float", 1.0],
    "gridsize": ["int32", [2, 2]], "gridrgb": ["float32", [0.4] * 3], "figurergba": ["float32", [1.0] * 4],
    "panergba": ["float32", [1.0] * 4], "legendrgba": ["float32", [0.0, 0.0, 0.0, 0.3]], "textrgb": ["float32", [1.0] * 3],
    "linergb": ["float32", [[-1.0] * 3] * 100], "range": ["float32", [[0.0, 1.0]] * 2], "xformat": ["str", "%.1f"],
    "yformat": ["str", "%.1f"], "minwidth": ["str", ""], "title": ["str", ""], "xlabel": ["str", ""], "legendoffset": ["int", 0],
    "subplot": ["int", 0], "highlight": ["int32", [0, 0]], "highlightid": ["int", -1], "selection": ["float", 0.0],
    "linepnt": ["int32", [0] * 100], "xaxispixel": ["int32", [0, 0]], "yaxispixel": ["int32", [0, 0]],
    "xaxisdata": ["float32", [0.0, 0.0]], "yaxisdata": ["float32", [0.0, 0.0]],
}


class MjvFigure(_plain.Struct):
    """The numbers of a figure; nothing draws it."""

    _fields = _FIGURE

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "linedata", numpy.zeros((100, 2002), numpy.float32))
        object.__setattr__(self, "linename", numpy.array([""] * 100, dtype=object))


def mjv_defaultScene(scn: MjvScene) -> None:
    """Empties a scene.

    >>> torsor.mujoco.mjv_defaultScene(torsor.mujoco.MjvScene())
    """
    scn.__dict__.update(MjvScene().__dict__)


def mjv_initGeom(geom: Any, type: int, size: Any, pos: Any, mat: Any, rgba: Any) -> None:
    """Sets the type of a geom of a scene, and its size, pose and colour where they are not None.

    >>> geom = torsor.mujoco.MjvGeom()
    >>> torsor.mujoco.mjv_initGeom(geom, 2, numpy.full(3, 0.5), numpy.zeros(3), numpy.eye(3).ravel(), None)
    >>> geom.size.tolist()
    [0.5, 0.5, 0.5]
    """
    fresh = _plain.make("MjvGeom")()
    for name in geom._fields:
        setattr(geom, name, getattr(fresh, name))
    geom.type, geom.category = int(type), _DECOR
    for name, value in (("size", size), ("pos", pos), ("rgba", rgba)):
        if value is not None:
            setattr(geom, name, value)
    if mat is not None:
        geom.mat = numpy.asarray(mat).reshape(3, 3)


def _materials(m: Any, matid: int, rgba: Any) -> tuple[Any, dict[str, float]]:
    """Colour and surface of what has a material."""
    if matid < 0:
        return rgba, {}
    is_own = not numpy.allclose(rgba, 0.5, atol=0) and not numpy.array_equal(rgba, [0.5, 0.5, 0.5, 1])
    surface = {name: float(getattr(m, f"mat_{name}")[matid]) for name in ("emission", "specular", "shininess", "reflectance")}
    return (rgba if is_own else m.mat_rgba[matid]), surface


def _add(scn: MjvScene, m: Any, kind: tuple[int, int], shape: tuple[int, Any, Any, Any], look: tuple[int, Any], category: int) -> None:
    if scn.ngeom >= scn.maxgeom:
        scn.status = 1
        return
    geom = scn.geoms[scn.ngeom]
    rgba, surface = _materials(m, look[0], look[1])
    mjv_initGeom(geom, shape[0], shape[1], shape[2], shape[3], rgba)
    geom.objtype, geom.objid, geom.category, geom.matid = kind[0], kind[1], category, look[0]
    geom.segid = scn.ngeom
    geom.transparent = int(rgba[3] < 1)
    for name, value in surface.items():
        setattr(geom, name, value)
    scn.ngeom += 1


def mjv_updateScene(m: Any, d: Any, opt: Any, pert: Any, cam: Any, catmask: int, scn: MjvScene) -> None:
    """Lists the geoms and sites of the groups that opt shows, where they are in d.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    >>> data, scene = torsor.mujoco.MjData(model), torsor.mujoco.MjvScene(model, 10)
    >>> torsor.mujoco.mj_forward(model, data)
    >>> torsor.mujoco.mjv_updateScene(model, data, torsor.mujoco.MjvOption(), None, torsor.mujoco.MjvCamera(), 7, scene)
    >>> scene.ngeom
    1
    """
    del pert, cam
    scn.ngeom = scn.status = 0
    for i in range(m.ngeom):
        category = _STATIC if m.body_weldid[m.geom_bodyid[i]] == 0 else _DYNAMIC
        if not category & int(catmask) or not opt.geomgroup[min(max(int(m.geom_group[i]), 0), 5)]:
            continue
        _add(scn, m, (_GEOM, i), (int(m.geom_type[i]), m.geom_size[i], d.geom_xpos[i], d.geom_xmat[i]),
             (int(m.geom_matid[i]), m.geom_rgba[i]), category)
        kind = int(m.geom_type[i])
        scn.geoms[scn.ngeom - 1].dataid = 2 * int(m.geom_dataid[i]) if kind == torsor.GeomType.MESH else int(m.geom_dataid[i])
    for i in range(m.nsite):
        if not _DECOR & int(catmask) or not opt.sitegroup[min(max(int(m.site_group[i]), 0), 5)]:
            continue
        _add(scn, m, (_SITE, i), (int(m.site_type[i]), m.site_size[i], d.site_xpos[i], d.site_xmat[i]),
             (int(m.site_matid[i]), m.site_rgba[i]), _DECOR)
    scn.geomorder[:scn.ngeom] = numpy.arange(scn.ngeom)


FUNCTIONS = {name: value for name, value in globals().items()
             if name.startswith(("mjv_", "set_mju", "get_mju")) or name in ("MjvScene", "MjvFigure")}
