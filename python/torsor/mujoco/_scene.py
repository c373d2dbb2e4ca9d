"""Scenes of MuJoCo's visualiser as plain data: what mjv_updateScene lists of a model. _render.py draws them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

import torsor
from torsor import _core
from torsor.mujoco import _camera, _decor, _plain

_STATIC, _DYNAMIC, _DECOR = 1, 2, 4  # mjtCatBit
_GEOM, _SITE, _SKIN, _TENDON = 5, 6, 11, 18  # mjtObj
_SKIN_GEOM = 106  # mjGEOM_SKIN
_LIGHTS = 100
_FLAGS = [1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1]  # shadow, reflection, skybox, haze, cull_face, post_processing
_TENDONS_SHOWN, _SKINS_SHOWN = 7, 23  # mjtVisFlag
_PULLEY = -2  # in wrap_obj
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
        self._geoms = tuple(_plain.make("MjvGeom")() for _ in range(int(maxgeom)))
        self._ngeom = 0
        light, camera = _plain.make("MjvLight"), _plain.make("MjvGLCamera")
        self.maxgeom, self.nlight, self.nflex, self.nskin = int(maxgeom), 0, 0, 0
        self.geomorder = numpy.zeros(self.maxgeom, numpy.int32)
        self.lights = tuple(light() for _ in range(_LIGHTS))
        self.camera = (camera(), camera())
        self.enabletransform, self.stereo, self.framewidth, self.status = 0, 0, 0, 0
        self.translate, self.rotate = numpy.zeros(3, numpy.float32), numpy.array([1, 0, 0, 0], numpy.float32)
        self.scale = 1.0
        self.framergb, self.flags = numpy.ones(3, numpy.float32), numpy.array(_FLAGS, numpy.uint8)
        self._make_skins(model)
        malloc, self._free = _hooks["malloc"], _hooks["free"]
        self._buffer = malloc(_BYTES_PER_GEOM * self.maxgeom) if malloc is not None and self.maxgeom > 0 else None

    def _make_skins(self, model: Any) -> None:
        count = 0 if model is None else int(model.nskin)
        vertices = 0 if model is None else int(model.nskinvert)
        self.nskin = count
        for name, source in (("skinfacenum", "skin_facenum"), ("skinvertadr", "skin_vertadr"), ("skinvertnum", "skin_vertnum")):
            setattr(self, name, numpy.array(getattr(model, source) if count else [], numpy.int32))
        self._skins = numpy.zeros((2, vertices, 3), numpy.float32)  # vertices, then their normals
        self.skinvert, self.skinnormal = self._skins.reshape(2, -1)

    # properties, since programs derive classes that replace them
    @property
    def geoms(self) -> tuple[Any, ...]:
        return self._geoms

    @property
    def ngeom(self) -> int:
        return self._ngeom

    @ngeom.setter
    def ngeom(self, count: int) -> None:
        self._ngeom = int(count)

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
    """Lines of a figure and how it looks, for mjr_figure."""

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
    geom.type = int(type)
    if size is not None:
        size = _scene_size(int(type), size)
    for name, value in (("size", size), ("pos", pos), ("rgba", rgba)):
        if value is not None:
            setattr(geom, name, value)
    if mat is not None:
        geom.mat = numpy.asarray(mat).reshape(3, 3)


def _scene_size(type: int, size: Any) -> Any:
    """Sizes as scenes have them: round shapes have their radius twice, and their half length in z."""
    if type == torsor.GeomType.SPHERE:
        return (size[0], size[0], size[0])
    return (size[0], size[0], size[1]) if type in (torsor.GeomType.CAPSULE, torsor.GeomType.CYLINDER) else size


def mjv_connector(geom: Any, type: int, width: float, from_: Any, to: Any) -> None:
    """Places a capsule, cylinder, arrow or line between two points; the colour stays.

    >>> geom = torsor.mujoco.MjvGeom()
    >>> torsor.mujoco.mjv_connector(geom, 3, 0.1, [0, 0, 0], [0, 0, 2])
    >>> geom.size.tolist()[2], geom.pos.tolist()
    (1.0, [0.0, 0.0, 1.0])
    """
    start, end = numpy.asarray(from_, dtype=float), numpy.asarray(to, dtype=float)
    along = end - start
    length = float(numpy.linalg.norm(along))
    z = along / length if length > 0 else numpy.array([0.0, 0.0, 1.0])
    other = numpy.array([0.0, 1.0, 0.0]) if abs(z[1]) < 0.9 else numpy.array([1.0, 0.0, 0.0])
    x = numpy.cross(other, z)
    x /= numpy.linalg.norm(x)
    is_centred = int(type) in (torsor.GeomType.CAPSULE, torsor.GeomType.CYLINDER, torsor.GeomType.BOX, torsor.GeomType.ELLIPSOID)
    geom.type = int(type)
    geom.size = (width, width, length / 2 if is_centred else length)
    geom.pos = (start + end) / 2 if is_centred else start
    geom.mat = numpy.column_stack([x, numpy.cross(z, x), z])


def _materials(m: Any, matid: int, rgba: Any) -> tuple[Any, dict[str, float]]:
    """Colour and surface of what has a material."""
    if matid < 0:
        return rgba, {}
    is_own = not numpy.allclose(rgba, 0.5, atol=0) and not numpy.array_equal(rgba, [0.5, 0.5, 0.5, 1])
    surface = {name: float(getattr(m, f"mat_{name}")[matid]) for name in ("emission", "specular", "shininess", "reflectance")}
    return (rgba if is_own else m.mat_rgba[matid]), surface


def _add(scn: MjvScene, m: Any, kind: tuple[int, int], shape: tuple[int, Any, Any, Any], look: tuple[int, Any], category: int) -> Any:
    """The next geom of a scene; None if there is no place left."""
    if scn.ngeom >= scn.maxgeom:
        scn.status = 1
        return None
    geom = scn._geoms[scn.ngeom]  # a derived class may show fewer
    rgba, surface = _materials(m, look[0], look[1])
    mjv_initGeom(geom, shape[0], shape[1], shape[2], shape[3], rgba)
    geom.objtype, geom.objid, geom.category, geom.matid = kind[0], kind[1], category, look[0]
    geom.segid = scn.ngeom
    geom.transparent = int(rgba[3] < 1)
    for name, value in surface.items():
        setattr(geom, name, value)
    scn.ngeom += 1
    return geom


def _category(m: Any, body: int) -> int:
    return _STATIC if m.body_weldid[body] == 0 else _DYNAMIC


def _is_shown(groups: Any, group: int) -> bool:
    return bool(groups[min(max(int(group), 0), 5)])


def _add_geoms(m: Any, d: Any, opt: Any, catmask: int, scn: MjvScene) -> None:
    planes = -1
    for i in range(m.ngeom):
        category = _category(m, m.geom_bodyid[i])
        planes += m.geom_type[i] == torsor.GeomType.PLANE
        if not category & catmask or not _is_shown(opt.geomgroup, m.geom_group[i]) or scn.ngeom >= scn.maxgeom:
            continue
        kind, data = int(m.geom_type[i]), int(m.geom_dataid[i])
        _add(scn, m, (_GEOM, i), (kind, m.geom_size[i], d.geom_xpos[i], d.geom_xmat[i]),
             (int(m.geom_matid[i]), m.geom_rgba[i]), category)
        scn._geoms[scn.ngeom - 1].castshadow = int(m.geom_castshadow[i])
        dataids = {torsor.GeomType.MESH: 2 * data, torsor.GeomType.PLANE: planes}
        scn._geoms[scn.ngeom - 1].dataid = int(dataids.get(kind, data))


def _add_skins(m: Any, d: Any, opt: Any, catmask: int, scn: MjvScene) -> None:
    if m.nskin == 0 or not catmask & _DYNAMIC or not opt.flags[_SKINS_SHOWN]:
        return
    for i in _place_skins(m, d, opt.skingroup, scn):
        first = d.xpos[m.skin_bonebodyid[m.skin_boneadr[i]]]
        _add(scn, m, (_SKIN, i), (_SKIN_GEOM, None, first, None), (int(m.skin_matid[i]), m.skin_rgba[i]), _DYNAMIC)


def _add_sites(m: Any, d: Any, opt: Any, catmask: int, scn: MjvScene) -> None:
    for i in range(m.nsite):
        category = _category(m, m.site_bodyid[i])
        if category & catmask and _is_shown(opt.sitegroup, m.site_group[i]):
            _add(scn, m, (_SITE, i), (int(m.site_type[i]), m.site_size[i], d.site_xpos[i], d.site_xmat[i]),
                 (int(m.site_matid[i]), m.site_rgba[i]), category)


def _add_tendons(m: Any, d: Any, opt: Any, catmask: int, scn: MjvScene) -> None:
    if m.ntendon == 0 or not catmask & _DYNAMIC or not opt.flags[_TENDONS_SHOWN]:
        return
    points, objects = numpy.reshape(d.wrap_xpos, (-1, 3)), numpy.ravel(d.wrap_obj)
    for i in range(m.ntendon):
        start, count = int(d.ten_wrapadr[i]), int(d.ten_wrapnum[i])
        for k in range(start, start + count - 1) if _is_shown(opt.tendongroup, m.tendon_group[i]) else ():
            if _PULLEY in (objects[k], objects[k + 1]) or scn.ngeom >= scn.maxgeom:
                continue
            _add(scn, m, (_TENDON, i), (int(torsor.GeomType.CAPSULE), (0, 0, 0), (0, 0, 0), None),
                 (int(m.tendon_matid[i]), m.tendon_rgba[i]), _DYNAMIC)
            mjv_connector(scn._geoms[scn.ngeom - 1], torsor.GeomType.CAPSULE, float(m.tendon_width[i]), points[k], points[k + 1])


def _apply_option(m: Any, opt: Any, scn: MjvScene) -> None:
    """Labels and the transparency of what moves."""
    fade = float(m.vis.map.alpha) if opt.flags[_decor.TRANSPARENT] else 1.0
    for geom in scn._geoms[:scn.ngeom]:
        geom.label = _decor.label_of(m, opt, int(geom.objtype), int(geom.objid))
        if not opt.flags[_decor.TEXTURE]:
            geom.matid = -1  # its colours are in the geom
        if geom.category == _DYNAMIC and fade < 1:
            geom.rgba[3] *= fade


def _add_decor(m: Any, d: Any, opt: Any, scn: MjvScene) -> None:
    def add(kind: tuple[int, int], type: int, size: Any, pos: Any, mat: Any, rgba: Any) -> Any:
        geom = _add(scn, m, kind, (type, None, pos, numpy.ravel(mat)), (-1, numpy.asarray(rgba)), _DECOR)
        if geom is not None:
            geom.size = size
            geom.transparent = 0
        return geom

    _decor.Decorator(m, d, opt, add).list()


def mjv_updateScene(m: Any, d: Any, opt: Any, pert: Any, cam: Any, catmask: int, scn: MjvScene) -> None:
    """Lists the skins, geoms, sites and tendons of the groups that opt shows, where they are in d, with the
    decorations of opt.flags, opt.frame and opt.label, lights and cameras.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    >>> data, scene = torsor.mujoco.MjData(model), torsor.mujoco.MjvScene(model, 10)
    >>> torsor.mujoco.mj_forward(model, data)
    >>> torsor.mujoco.mjv_updateScene(model, data, torsor.mujoco.MjvOption(), None, torsor.mujoco.MjvCamera(), 7, scene)
    >>> scene.ngeom
    1
    """
    del pert
    scn.ngeom = scn.status = 0
    elements = int(catmask) if opt.flags[_decor.STATIC] else int(catmask) & ~_STATIC
    for add in (_add_skins, _add_geoms, _add_sites, _add_tendons):
        add(m, d, opt, elements, scn)
    if _decor.is_wanted(opt):
        _apply_option(m, opt, scn)
        if int(catmask) & _DECOR:
            _add_decor(m, d, opt, scn)
    scn.geomorder[:scn.ngeom] = numpy.arange(scn.ngeom)
    mjv_updateCamera(m, d, cam, scn)
    _camera.set_lights(m, d, scn)


def mjv_updateSkin(m: Any, d: Any, scn: MjvScene) -> None:
    """Places the vertices of the skins of groups 0, 1 and 2 where their bones are.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> data, scene = torsor.mujoco.MjData(model), torsor.mujoco.MjvScene(model, 10)
    >>> torsor.mujoco.mjv_updateSkin(model, data, scene)
    """
    _place_skins(m, d, _plain.make("MjvOption")().skingroup, scn)


def _place_skins(m: Any, d: Any, groups: Any, scn: MjvScene) -> list[int]:
    """Places the vertices of the skins that are shown, and returns these."""
    shown = [i for i in range(m.nskin) if _is_shown(groups, m.skin_group[i])]
    for i in shown:
        start = int(m.skin_vertadr[i])
        scn._skins[:, start:start + int(m.skin_vertnum[i])] = _core._posed_skin(m, d, i)
    return shown


def mjv_updateCamera(m: Any, d: Any, cam: Any, scn: MjvScene) -> None:
    """Sets the two cameras of a scene, one for each eye.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> data, scene = torsor.mujoco.MjData(model), torsor.mujoco.MjvScene(model, 10)
    >>> torsor.mujoco.mjv_updateCamera(model, data, torsor.mujoco.MjvCamera(), scene)
    >>> [round(float(number), 3) for number in scene.camera[0].forward]
    [0.0, 0.707, -0.707]
    """
    _camera.set_cameras(m, d, cam, scn)


def mjv_defaultFreeCamera(m: Any, cam: Any) -> None:
    """The camera that MuJoCo starts with.

    >>> camera = torsor.mujoco.MjvCamera()
    >>> torsor.mujoco.mjv_defaultFreeCamera(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), camera)
    >>> camera.azimuth, camera.elevation
    (90.0, -45.0)
    """
    _camera.set_free(m, cam)


def mjv_defaultCamera(cam: Any) -> None:
    """Sets the defaults of a camera.

    >>> torsor.mujoco.mjv_defaultCamera(torsor.mujoco.MjvCamera())
    """
    _set_default(cam, "MjvCamera")


def mjv_defaultOption(opt: Any) -> None:
    """Sets the defaults of what is shown.

    >>> torsor.mujoco.mjv_defaultOption(torsor.mujoco.MjvOption())
    """
    _set_default(opt, "MjvOption")


def mjv_defaultPerturb(pert: Any) -> None:
    """Sets the defaults of a perturbation.

    >>> torsor.mujoco.mjv_defaultPerturb(torsor.mujoco.MjvPerturb())
    """
    _set_default(pert, "MjvPerturb")


def _set_default(struct: Any, name: str) -> None:
    fresh = _plain.make(name)()
    for field in fresh._fields:
        setattr(struct, field, getattr(fresh, field))


FUNCTIONS = {name: value for name, value in globals().items()
             if name.startswith(("mjv_", "set_mju", "get_mju")) or name in ("MjvScene", "MjvFigure")}
