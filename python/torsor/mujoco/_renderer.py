"""mujoco.Renderer: torsor.Renderer with MuJoCo's limits and with the scene, to which programs add geoms of their own."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

import torsor
from torsor.mujoco import _decor, _draw2d, _plain, _render, _scene

_ALL = 7  # mjCAT_ALL
_FREE, _FIXED = 0, 2  # mjtCamera


class Renderer(torsor.Renderer):
    """Pictures of a model, as mujoco.Renderer draws them.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    >>> data = torsor.mujoco.MjData(model)
    >>> torsor.mujoco.mj_forward(model, data)
    >>> with torsor.mujoco.Renderer(model, 120, 160) as renderer:
    ...     renderer.update_scene(data)
    ...     renderer.scene.ngeom
    1
    """

    def __init__(self, model: Any, height: int = 240, width: int = 320, max_geom: int = 10000, font_scale: Any = None):
        self._text_size = _draw2d.NORMAL_SIZE * int(150 if font_scale is None else font_scale)
        view = model.vis.global_
        for name, side, most in (("width", width, view.offwidth), ("height", height, view.offheight)):
            if side > most:
                raise ValueError(f"Image {name} {side} > framebuffer {name} {most}. Either reduce the image {name} or specify a "
                                 f'larger offscreen framebuffer in the model XML: <visual><global off{name}="{side}"/></visual>')
        samples = int(model.vis.quality.offsamples)
        super().__init__(model, height, width, samples=1 if samples == 0 else 4)
        self._gl_context: Any = _render.GLContext(width, height)
        self._max_geom = int(max_geom)
        self._scene: Any = None
        self._last: tuple[Any, Any, Any] | None = None

    @property
    def scene(self) -> Any:
        """The MjvScene that is drawn; geoms that are added to it are drawn too. From its first use on, or once a scene_option
        asks for decorations, scenes are listed in Python, which takes more time."""
        if self._scene is None:
            self._scene = _scene.MjvScene(self._model, self._max_geom)
            if self._last is not None:
                self._fill(*self._last)
        return self._scene

    def update_scene(self, data: Any, camera: Any = -1, scene_option: Any = None) -> None:
        """As in torsor.Renderer; camera is an index, a name or an MjvCamera.

        >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
        >>> torsor.mujoco.Renderer(model).update_scene(torsor.mujoco.MjData(model))
        """
        self._last = (data, camera, scene_option)
        if self._scene is None and _decor.is_wanted(scene_option):
            self._scene = _scene.MjvScene(self._model, self._max_geom)
        if self._scene is None:
            super().update_scene(data, camera, scene_option)
        else:
            self._open()
            self._fill(data, camera, scene_option)

    def _fill(self, data: Any, camera: Any, scene_option: Any) -> None:
        option = scene_option if scene_option is not None else _plain.make("MjvOption")()
        _scene.mjv_updateScene(self._model, data, option, None, self._as_mjv(camera), _ALL, self._scene)

    def _as_mjv(self, camera: Any) -> Any:
        if hasattr(camera, "fixedcamid"):
            return camera
        made = _plain.make("MjvCamera")()
        index = self._fixed_camera(camera)
        if index == -1:
            _scene.mjv_defaultFreeCamera(self._model, made)
        elif index is not None:
            made.type, made.fixedcamid = _FIXED, index
        else:  # a torsor.Camera
            made.lookat[:] = camera.lookat
            made.distance, made.azimuth, made.elevation = camera.distance, camera.azimuth, camera.elevation
            made.type, made.trackbodyid = (1, camera.trackbodyid) if camera.trackbodyid >= 0 else (_FREE, -1)
            made.orthographic = int(camera.orthographic)
        return made

    def render(self, *, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """As in torsor.Renderer.

        >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
        >>> with torsor.mujoco.Renderer(model, 12, 16) as renderer:
        ...     renderer.update_scene(torsor.mujoco.MjData(model))
        ...     renderer.render().shape
        (12, 16, 3)
        """
        if self._scene is None or self._core is None:
            return super().render(out=out)
        view = None
        if self._last is not None:
            view = _render.draw_scene(self._core, self._model, self._scene, self._height, self._width)
        if self._mode == "colour" and view is not None:
            picture = super().render(out=out)
            _decor.draw_labels(picture, self._scene.geoms[:self._scene.ngeom], view, self._text_size)
            return picture
        if self._mode != "segmentation":
            return super().render(out=out)
        if out is not None and out.shape != (self._height, self._width, 2):
            return super().render(out=out)  # which says what is wrong
        seen = super().render()
        kinds = numpy.array([(geom.objid, geom.objtype) if geom.segid >= 0 else (-1, -1)
                             for geom in self._scene.geoms[:self._scene.ngeom]] + [(-1, -1)], numpy.int32)
        result = kinds[seen[..., 0]]
        if out is None:
            return result
        out[...] = result
        return out

    def close(self) -> None:
        """Free the memory; nothing can be drawn afterwards.

        >>> torsor.mujoco.Renderer(torsor.mujoco.MjModel.from_xml_string("<mujoco/>")).close()
        """
        super().close()
        self._gl_context = None

    def __del__(self) -> None:
        self._core = None
