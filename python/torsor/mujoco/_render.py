"""MuJoCo's low-level pictures, mjr_*, drawn by torsor's renderer: no context of a graphics library is needed.

mjr_render notes what is to be drawn; the pixels are computed when they are read."""

from __future__ import annotations

import collections
import copy
import math
from typing import Any

import numpy
from numpy.typing import NDArray

import torsor
from torsor import _core
from torsor.mujoco import _decor, _plain

_SHADOW, _REFLECTION, _SKYBOX, _SEGMENT, _IDCOLOR = 0, 2, 4, 8, 9  # mjtRndFlag
_ARROW, _ARROW1, _ARROW2, _LINE, _LINEBOX, _SKIN = 100, 101, 102, 103, 104, 106  # mjtGeom
_SPOT, _DIRECTIONAL = 0, 1  # mjtLightType
_OFFSCREEN = 1  # mjtFramebuffer
_DECOR = 4  # mjtCatBit
_ZERO_NEAR = 0  # mjtDepthMap
_HEAD = 1.75  # width of an arrow's head
_LINE_PIXELS = 0.75  # half the width of a line
_CORNERS = [(a, b) for a in (-1, 1) for b in (-1, 1)]
_SIZES_KEPT = 4
_DRAWN = {int(getattr(torsor.GeomType, name)) for name in
          ("PLANE", "HFIELD", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH", "SDF")}


class GLContext:
    """Stands for a context of a graphics library, which nothing here needs.

    >>> with_nothing = torsor.mujoco.GLContext(640, 480)
    >>> with_nothing.make_current()
    >>> with_nothing.free()
    """

    def __init__(self, max_width: int, max_height: int):
        del max_width, max_height

    def make_current(self) -> None:
        """Does nothing."""

    def free(self) -> None:
        """Does nothing."""

    def __del__(self) -> None:
        self.free()


class MjrRect(_plain.Struct):
    """Part of a picture, in pixels from its lower left corner.

    >>> torsor.mujoco.MjrRect(0, 0, 640, 480).width
    640
    """

    _fields = {name: ["int", 0] for name in ("left", "bottom", "width", "height")}

    def __init__(self, left: int, bottom: int, width: int, height: int):
        super().__init__()
        self.left, self.bottom, self.width, self.height = left, bottom, width, height


class MjrRendererInfo(_plain.Struct):
    """Which renderer draws.

    >>> torsor.mujoco.MjrRendererInfo().renderer
    'classic'
    """

    _fields = {"renderer": ["str", "classic"], "backend": ["str", ""]}


def mjr_getRendererInfo(info: MjrRendererInfo) -> None:
    """Writes which renderer draws: MuJoCo's classic one is the one that ours follows.

    >>> torsor.mujoco.mjr_getRendererInfo(torsor.mujoco.MjrRendererInfo())
    """
    info.renderer, info.backend = "classic", ""


mjr_defaultRendererInfo = mjr_getRendererInfo


class _Pending:
    """A scene that was given to mjr_render, and where it belongs in the buffer."""

    def __init__(self, rect: MjrRect, core: Any, scn: Any, view: list[float], text_size: float):
        self.place = (int(rect.bottom), int(rect.left), int(rect.height), int(rect.width))
        self.core = core
        self.near, self.far = float(scn.camera[0].frustum_near), float(scn.camera[0].frustum_far)
        self.is_orthographic = bool(scn.camera[0].orthographic)
        self.ids = segment_ids(scn) if scn.flags[_SEGMENT] else None
        self.is_id_colour = bool(scn.flags[_IDCOLOR])
        self.labelled = [copy.copy(geom) for geom in scn.geoms[:scn.ngeom] if geom.label]
        self.view, self.text_size = view, text_size

    def colours(self) -> NDArray[Any]:
        _, _, height, width = self.place
        if self.ids is None:
            picture = numpy.empty((height, width, 3), numpy.uint8)
            self.core.render(picture)
            _decor.draw_labels(picture, self.labelled, self.view, self.text_size)
            return picture
        seen = numpy.empty((height, width, 2), numpy.int32)
        self.core.render_segmentation(seen)
        ids = numpy.where(seen[..., 0] >= 0, self.ids[seen[..., 0]] + 1, 0)
        if not self.is_id_colour:  # colours that are easy to tell apart
            ids = (ids * 2654435761) & 0xFFFFFF
        return numpy.stack([ids & 255, (ids >> 8) & 255, (ids >> 16) & 255], axis=-1).astype(numpy.uint8)

    def depths(self) -> NDArray[Any]:
        """From 0 at the near plane to 1 at the far plane, as a graphics card stores them."""
        _, _, height, width = self.place
        depth = numpy.empty((height, width), numpy.float32)
        self.core.render_depth(depth)
        metres = depth.astype(float)
        share = (metres - self.near) / (self.far - self.near) if self.is_orthographic else \
            (1 / self.near - 1 / metres) / (1 / self.near - 1 / self.far)
        return numpy.clip(share, 0, 1).astype(numpy.float32)


class MjrContext(_plain.Struct):
    """The buffers that mjr_render draws to, of the size that the model asks for (offwidth, offheight).

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150)
    >>> context.offWidth, context.offHeight
    (640, 480)
    """

    _fields = {"offWidth": ["int", 0], "offHeight": ["int", 0], "offSamples": ["int", 0], "fontScale": ["int", 150],
               "currentBuffer": ["int", 0], "readDepthMap": ["int", _ZERO_NEAR], "windowAvailable": ["int", 0],
               "ntexture": ["int", 0], "nskin": ["int", 0], "glInitialized": ["int", 1]}

    def __init__(self, model: Any = None, fontscale: int = 150):
        super().__init__()
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "_cores", collections.OrderedDict())
        object.__setattr__(self, "_pending", [])
        object.__setattr__(self, "_viewport", None)  # that was drawn last
        self.fontScale = int(fontscale)
        if model is None:
            return
        view = model.vis
        self.offSamples, self.ntexture = int(view.quality.offsamples), int(model.ntex)
        self._resize(int(view.global_.offwidth), int(view.global_.offheight))
        _draw2d.make_current(self)

    def _resize(self, width: int, height: int) -> None:
        self.offWidth, self.offHeight = width, height
        object.__setattr__(self, "_rgb", numpy.zeros((height, width, 3), numpy.uint8))
        object.__setattr__(self, "_depth", numpy.ones((height, width), numpy.float32))
        self._pending.clear()

    def _core(self, height: int, width: int) -> Any:
        """A renderer of this size; the last few are kept."""
        if self._model is None:
            raise RuntimeError("this context was freed, or has no model")
        size = (height, width)
        if size not in self._cores:
            samples = 1 if self.offSamples == 0 else 4
            self._cores[size] = _core._Renderer(self._model, height, width, samples, True, False)
            if len(self._cores) > _SIZES_KEPT:
                self._cores.popitem(last=False)
        self._cores.move_to_end(size)
        return self._cores[size]

    def _flush(self, rgb: bool, depth: bool) -> None:
        """Draws what mjr_render was given. A pending scene stays for the other buffer."""
        for each in self._pending:
            bottom, left, height, width = each.place
            rows, columns = slice(bottom, bottom + height), slice(left, left + width)
            if rgb:
                self._rgb[rows, columns] = each.colours()[::-1]
            if depth:
                self._depth[rows, columns] = each.depths()[::-1]

    def settle(self) -> None:
        """Draws all that is pending, before something is drawn over it."""
        self._flush(True, True)
        self._pending.clear()

    def free(self) -> None:
        """Frees the buffers.

        >>> torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150).free()
        """
        self._pending.clear()
        self._cores.clear()
        object.__setattr__(self, "_model", None)


def segment_ids(scn: Any) -> NDArray[Any]:
    """The number of each geom of a scene in pictures of segmentation, and one more for none."""
    return numpy.array([geom.segid for geom in scn.geoms[:scn.ngeom]] + [-1], numpy.int64)


def _rows_of(geom: Any, thin: float) -> list[tuple[int, Any, Any, Any]]:
    """Type, size, position and rotation of the shapes that a geom of a scene is drawn with. Lines have the radius `thin`."""
    kind, size, pos, mat = int(geom.type), geom.size, geom.pos, geom.mat
    if kind in _DRAWN or kind == _SKIN:
        return [(kind, size, pos, mat)]
    z = mat[:, 2]
    capsule = int(torsor.GeomType.CAPSULE)
    if kind in (_ARROW, _ARROW1, _ARROW2):
        return _arrow(kind, float(size[0]), float(size[2]) / 2, pos, mat)
    if kind == _LINE:
        return [(capsule, (thin, thin, float(size[2]) / 2), pos + z * float(size[2]) / 2, mat)]
    if kind == _LINEBOX:
        return [(capsule, (thin, thin, float(size[axis])), pos + mat @ _edge(axis, a, b, size), numpy.roll(mat, 2 - axis, axis=1))
                for axis in range(3) for a, b in _CORNERS]
    return []


def _arrow(kind: int, width: float, length: float, pos: Any, mat: Any) -> list[tuple[int, Any, Any, Any]]:
    """Arrows are half as long as their size says; the last third is the head. One with two heads is as long both ways."""
    head, z = length / 3, mat[:, 2]
    shaft, start = length - head, 0.0
    wide = width if kind == _ARROW1 else _HEAD * width
    cylinder, cone = int(torsor.GeomType.CYLINDER), int(torsor.GeomType.CONE)
    rows = [(cone, (wide, wide, head / 2), pos + z * (length - head / 2), mat)]
    if kind == _ARROW2:
        rows.append((cone, (wide, wide, head / 2), pos - z * (length - head / 2), mat * numpy.array([1, -1, -1])))
        start = -shaft
    rows.append((cylinder, (width, width, (shaft - start) / 2), pos + z * (shaft + start) / 2, mat))
    return rows


def _edge(axis: int, a: int, b: int, size: Any) -> NDArray[Any]:
    """Middle of an edge of a box."""
    middle = numpy.zeros(3)
    middle[(axis + 1) % 3], middle[(axis + 2) % 3] = a * size[(axis + 1) % 3], b * size[(axis + 2) % 3]
    return middle


def draw_scene(core: Any, model: Any, scn: Any, height: int, width: int) -> list[float]:
    """Hands a scene to a renderer: the first scn.ngeom geoms, the lights, and the camera between both eyes. Returns the numbers
    of the camera, for what is drawn over the picture."""
    numbers, wholes = [], []
    flags, view = scn.flags, _projection(scn, height, width)
    for index, geom in enumerate(scn.geoms[:scn.ngeom]):
        look = [*geom.rgba, geom.emission, geom.specular, geom.shininess, geom.reflectance]
        for kind, size, pos, mat in _rows_of(geom, _thickness(geom, view, height)):
            data = geom.dataid // 2 if kind == torsor.GeomType.MESH else geom.objid if kind == _SKIN else geom.dataid
            numbers.append([*size, *pos, *numpy.ravel(mat), *look])
            wholes.append([kind, data, geom.matid, index, int(geom.castshadow and geom.category != _DECOR)])
    lights = [[light.type == _DIRECTIONAL, light.castshadow and not light.headlight, *light.pos, *light.dir, *light.ambient,
               *light.diffuse, *light.specular, *(light.attenuation if light.type != _DIRECTIONAL else (1, 0, 0)),
               light.cutoff if light.type == _SPOT else 180.0, light.exponent if light.type == _SPOT else 0.0]
              for light in scn.lights[:scn.nlight]]
    core.update_list(model, numpy.array(numbers, float).reshape(-1, 23), numpy.array(wholes, numpy.int32).reshape(-1, 5),
                     numpy.array(lights, float).reshape(-1, 22), scn._skins, view,
                     bool(flags[_SHADOW]), bool(flags[_REFLECTION]), bool(flags[_SKYBOX]))
    return view


def _thickness(geom: Any, view: list[float], height: int) -> float:
    """The radius of a line in metres: a number of pixels where the geom is."""
    depth = sum((float(at) - eye) * ahead for at, eye, ahead in zip(geom.pos, view[:3], view[3:6]))
    return _LINE_PIXELS * (view[12] - view[11]) / height * (1.0 if view[15] else max(depth, view[13]))


def _projection(scn: Any, height: int, width: int) -> list[float]:
    left_eye, right_eye = scn.camera
    near = float(left_eye.frustum_near)
    if not near > 0:
        raise RuntimeError("the camera of the scene is not set: call mjv_updateScene first")
    unit = 1.0 if left_eye.orthographic else 1 / near
    bottom, top = float(left_eye.frustum_bottom) * unit, float(left_eye.frustum_top) * unit
    half = float(left_eye.frustum_width) * unit or (top - bottom) / 2 * width / height
    centre = float(left_eye.frustum_center) * unit
    pos = (numpy.asarray(left_eye.pos, float) + right_eye.pos) / 2
    forward, up = numpy.asarray(left_eye.forward, float), numpy.asarray(left_eye.up, float)
    forward /= math.sqrt(forward @ forward)
    up = up - forward * (forward @ up)
    up /= math.sqrt(up @ up)
    return [*pos, *forward, *up, centre - half, centre + half, bottom, top, near, float(left_eye.frustum_far),
            float(left_eye.orthographic)]


def mjr_render(viewport: MjrRect, scn: Any, con: MjrContext) -> None:
    """Draws a scene into a part of the buffer.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    >>> data, scene = torsor.mujoco.MjData(model), torsor.mujoco.MjvScene(model, 10)
    >>> torsor.mujoco.mj_forward(model, data)
    >>> camera = torsor.mujoco.MjvCamera()
    >>> torsor.mujoco.mjv_defaultFreeCamera(model, camera)
    >>> torsor.mujoco.mjv_updateScene(model, data, torsor.mujoco.MjvOption(), None, camera, 7, scene)
    >>> context, rect = torsor.mujoco.MjrContext(model, 150), torsor.mujoco.MjrRect(0, 0, 32, 24)
    >>> torsor.mujoco.mjr_render(rect, scene, context)
    >>> pixels = numpy.empty((24, 32, 3), numpy.uint8)
    >>> torsor.mujoco.mjr_readPixels(pixels, None, rect, context)
    >>> bool(pixels.max() > 0)
    True
    """
    require_inside(viewport, con)
    if viewport.width <= 0 or viewport.height <= 0:
        return
    covered = (int(viewport.bottom), int(viewport.left), int(viewport.height), int(viewport.width))
    kept = [each for each in con._pending if each.place != covered and each.core is not con._core(covered[2], covered[3])]
    if len(kept) < len(con._pending) and any(each.place != covered for each in con._pending):
        con._flush(True, True)  # another part of the buffer is drawn with the same renderer
    con._pending[:] = kept
    object.__setattr__(con, "_viewport", viewport)
    _draw2d.make_current(con)
    core = con._core(covered[2], covered[3])
    view = draw_scene(core, con._model, scn, covered[2], covered[3])
    con._pending.append(_Pending(viewport, core, scn, view, _draw2d.NORMAL_SIZE * con.fontScale))


def mjr_readPixels(rgb: NDArray[Any] | None, depth: NDArray[Any] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Copies a part of the buffer into arrays, rows from the bottom: colours as bytes, depths from 0 to 1.

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150)
    >>> depth = numpy.zeros((2, 2), numpy.float32)
    >>> torsor.mujoco.mjr_readPixels(None, depth, torsor.mujoco.MjrRect(0, 0, 2, 2), context)
    >>> depth.tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    require_pixels(rgb, depth, viewport)
    require_inside(viewport, con)
    con._flush(rgb is not None, depth is not None)
    rows = slice(viewport.bottom, viewport.bottom + viewport.height)
    columns = slice(viewport.left, viewport.left + viewport.width)
    for name, array, buffer in (("rgb", rgb, con._rgb), ("depth", depth, con._depth)):
        if array is None:
            continue
        part = buffer[rows, columns]
        turned = 1 - part if name == "depth" and con.readDepthMap != _ZERO_NEAR else part
        array.reshape(-1)[:part.size] = turned.reshape(-1)


def require_pixels(rgb: Any, depth: Any, viewport: MjrRect) -> None:
    """Arrays of pixels must be large enough for a part of the buffer, and in one piece."""
    width, height = int(viewport.width), int(viewport.height)
    if width < 0 or height < 0:
        raise ValueError(f"width and height of a viewport must be non-negative, got {width} x {height}")
    for name, array, channels in (("rgb", rgb, 3), ("depth", depth, 1)):
        if array is None:
            continue
        if not array.flags.c_contiguous:
            raise ValueError(f"the {name} buffer must be C-contiguous")
        if array.size < channels * width * height:
            raise ValueError(f"the {name} buffer is too small: {array.size} numbers for {width} x {height} pixels")


def require_inside(viewport: MjrRect, con: MjrContext) -> None:
    if con._model is None:
        raise RuntimeError("this context was freed, or has no model")
    is_inside = viewport.left >= 0 and viewport.bottom >= 0 and viewport.left + viewport.width <= con.offWidth and \
        viewport.bottom + viewport.height <= con.offHeight
    if not is_inside:
        raise ValueError(f"the buffer has {con.offWidth} x {con.offHeight} pixels; the viewport reaches to "
                         f"{viewport.left + viewport.width} x {viewport.bottom + viewport.height}")


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """There is one buffer, off the screen.

    >>> torsor.mujoco.mjr_setBuffer(1, torsor.mujoco.MjrContext())
    """
    con.currentBuffer = int(framebuffer)
    _draw2d.make_current(con)


def mjr_restoreBuffer(con: MjrContext) -> None:
    """Makes the buffer off the screen the current one.

    >>> torsor.mujoco.mjr_restoreBuffer(torsor.mujoco.MjrContext())
    """
    con.currentBuffer = _OFFSCREEN


def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """All of the buffer.

    >>> torsor.mujoco.mjr_maxViewport(torsor.mujoco.MjrContext()).width
    0
    """
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Makes the buffer larger or smaller, and empties it.

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150)
    >>> torsor.mujoco.mjr_resizeOffscreen(100, 50, context)
    >>> context.offWidth
    100
    """
    con._resize(int(width), int(height))


def _forget(con: MjrContext) -> None:
    con.settle()
    con._cores.clear()


def mjr_uploadHField(m: Any, con: MjrContext, hfieldid: int) -> None:
    """Takes over the elevations of a height field that were edited.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> torsor.mujoco.mjr_uploadHField(model, torsor.mujoco.MjrContext(model, 150), 0)
    """
    del m, hfieldid
    _forget(con)


def mjr_uploadMesh(m: Any, con: MjrContext, meshid: int) -> None:
    """Takes over a mesh that was edited.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> torsor.mujoco.mjr_uploadMesh(model, torsor.mujoco.MjrContext(model, 150), 0)
    """
    del m, meshid
    _forget(con)


def mjr_finish() -> None:
    """Nothing is pending that is not drawn when it is read.

    >>> torsor.mujoco.mjr_finish()
    """


def mjr_getError() -> int:
    """0: there is no graphics library that could have errors.

    >>> torsor.mujoco.mjr_getError()
    0
    """
    return 0


from torsor.mujoco import _draw2d  # noqa: E402  (which draws on contexts)

FUNCTIONS = {name: value for name, value in globals().items() if name.startswith(("mjr_", "Mjr")) or name == "GLContext"}
