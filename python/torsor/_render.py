"""Pictures of simulations without a display: colours, depths and segmentation, drawn by the processor alone."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from torsor import _core
from torsor._core import Data, Model, ObjectType

_GROUPS = (True, True, True, False, False, False)
_LARGEST_SIDE = 16384


class Camera:
    """A free camera: it looks at a point, or at a body wherever it goes.

    An azimuth of 0 looks along x, 90 along y; an elevation of -90 looks straight down. Angles are in degrees.

    >>> camera = torsor.Camera(lookat=(0, 0, 0.5), distance=2, azimuth=120, elevation=-20)
    >>> renderer = torsor.Renderer(model, 120, 160)
    >>> renderer.update_scene(data, camera)
    """

    def __init__(self, lookat: Sequence[float] = (0, 0, 0), distance: float = 2, azimuth: float = 90,
                 elevation: float = -45, *, trackbodyid: int = -1, orthographic: bool = False):
        """trackbodyid is the body whose centre of mass (of it and all that hangs on it) replaces lookat; -1 is none."""
        self.lookat = numpy.array(lookat, dtype=float)
        self.distance = distance
        self.azimuth = azimuth
        self.elevation = elevation
        self.trackbodyid = trackbodyid
        self.orthographic = orthographic

    @staticmethod
    def default(model: Model) -> Camera:
        """The camera that MuJoCo starts with: at the centre of the model, 1.5 times its extent away.

        >>> torsor.Camera.default(model).azimuth
        90.0
        """
        return Camera(model.stat.center, 1.5 * model.stat.extent, model.vis.global_.azimuth,
                      model.vis.global_.elevation, orthographic=bool(model.vis.global_.orthographic))

    def __repr__(self) -> str:
        return (f"<Camera lookat={numpy.round(self.lookat, 3).tolist()} distance={self.distance:g} "
                f"azimuth={self.azimuth:g} elevation={self.elevation:g}>")


class Renderer:
    """Draws a model without a display, a graphics card or a graphics library; the interface is that of mujoco.Renderer.

    >>> torsor.forward(model, data)
    >>> with torsor.Renderer(model, height=120, width=160) as renderer:
    ...     renderer.update_scene(data)
    ...     pixels = renderer.render()
    >>> pixels.shape, pixels.dtype
    ((120, 160, 3), dtype('uint8'))
    """

    def __init__(self, model: Model, height: int = 240, width: int = 320, max_geom: int = 10000, *, samples: int = 4,
                 shadows: bool = True, studio: bool = False):
        """samples is the number of samples per pixel that smooth edges: 1, 4 or 16. studio=True adds a bright sky to a
        model that has no sky of its own, and a light to one that has no lights. max_geom is accepted and not needed."""
        for side, name in ((height, "height"), (width, "width")):
            if not 1 <= side <= _LARGEST_SIDE:
                raise ValueError(f"{name} must be between 1 and {_LARGEST_SIDE}, got {side}")
        if samples not in (1, 4, 16):
            raise ValueError(f"samples must be 1, 4 or 16, got {samples}")
        self._model = model
        self._height, self._width = int(height), int(width)
        self._mode = "colour"
        self._core: Any = _core._Renderer(model, self._height, self._width, int(samples), bool(shadows), bool(studio))

    @property
    def model(self) -> Model:
        """the model that is drawn"""
        return self._model

    @property
    def height(self) -> int:
        """rows of the picture"""
        return self._height

    @property
    def width(self) -> int:
        """columns of the picture"""
        return self._width

    @property
    def warnings(self) -> list[str]:
        """what cannot be shown, such as textures that could not be read"""
        return list(self._open().warnings)

    def update_scene(self, data: Data, camera: int | str | Camera | Any = -1, scene_option: Any = None) -> None:
        """Take the poses in data, as they are, and the camera: one of the model by name or index, -1 for the free
        camera that MuJoCo starts with, or a Camera. Anything with the attributes of mujoco.MjvCamera will do.

        scene_option is anything with geomgroup, sitegroup, tendongroup and skingroup, six flags each, such as
        mujoco.MjvOption.

        >>> renderer = torsor.Renderer(model, 120, 160)
        >>> renderer.update_scene(data, torsor.Camera(distance=3))
        """
        core = self._open()
        groups = [[bool(flag) for flag in getattr(scene_option, name, _GROUPS)]
                  for name in ("geomgroup", "sitegroup", "tendongroup", "skingroup")]
        core.set_groups(*groups)
        fixed = self._fixed_camera(camera)
        if fixed is not None:
            core.update(self._model, data, fixed)
            return
        tracked = camera.trackbodyid if int(getattr(camera, "type", 1)) == 1 else -1
        lookat = [float(number) for number in camera.lookat]
        core.update_free(self._model, data, lookat, float(camera.distance), float(camera.azimuth),
                         float(camera.elevation), int(tracked), bool(getattr(camera, "orthographic", False)))

    def _fixed_camera(self, camera: Any) -> int | None:
        """Index of a camera of the model, -1 for the default one, None for a free camera."""
        if isinstance(camera, str):
            index = self._model.name2id(ObjectType.CAMERA, camera)
            if index == -1:
                raise ValueError(f'The camera "{camera}" does not exist.')
            return index
        if hasattr(camera, "lookat"):
            is_fixed = int(getattr(camera, "type", 0)) == 2  # mujoco.mjtCamera.mjCAMERA_FIXED
            if not is_fixed:
                return None
            camera = camera.fixedcamid
        index = int(camera)
        if not -1 <= index < self._model.ncam:
            raise ValueError(f"The camera id {index} is out of range [-1, {self._model.ncam}).")
        return index

    def enable_depth_rendering(self) -> None:
        """From now on render() returns depths: metres along the axis of the camera, height x width, float32.

        >>> renderer = torsor.Renderer(model, 120, 160)
        >>> renderer.update_scene(data)
        >>> renderer.enable_depth_rendering()
        >>> renderer.render().shape
        (120, 160)
        """
        self._mode = "depth"

    def disable_depth_rendering(self) -> None:
        """Back to colours.

        >>> renderer = torsor.Renderer(model, 120, 160)
        >>> renderer.disable_depth_rendering()
        """
        self._mode = "colour" if self._mode == "depth" else self._mode

    def enable_segmentation_rendering(self) -> None:
        """From now on render() returns what is seen: id and ObjectType of the element at each pixel, -1 for none.

        >>> renderer = torsor.Renderer(model, 120, 160)
        >>> renderer.update_scene(data)
        >>> renderer.enable_segmentation_rendering()
        >>> renderer.render().shape
        (120, 160, 2)
        """
        self._mode = "segmentation"

    def disable_segmentation_rendering(self) -> None:
        """Back to colours.

        >>> renderer = torsor.Renderer(model, 120, 160)
        >>> renderer.disable_segmentation_rendering()
        """
        self._mode = "colour" if self._mode == "segmentation" else self._mode

    def render(self, *, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The picture of the scene: height x width x 3 bytes, or what was enabled. out is an array to write to.

        >>> renderer = torsor.Renderer(model, 120, 160)
        >>> renderer.update_scene(data)
        >>> pixels = numpy.empty((120, 160, 3), dtype=numpy.uint8)
        >>> renderer.render(out=pixels) is pixels
        True
        """
        if self._core is None:
            raise RuntimeError("render cannot be called after close.")
        channels, dtype, draw = {"colour": ((3,), numpy.uint8, self._core.render),
                                 "depth": ((), numpy.float32, self._core.render_depth),
                                 "segmentation": ((2,), numpy.int32, self._core.render_segmentation)}[self._mode]
        shape = (self._height, self._width, *channels)
        if out is not None and out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead.")
        is_direct = out is not None and out.dtype == dtype and out.flags.c_contiguous and out.flags.writeable
        picture = out if is_direct else numpy.empty(shape, dtype)
        draw(picture)
        if out is None or is_direct:
            return picture
        out[...] = picture
        return out

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture in colours to a PNG file.

        >>> renderer = torsor.Renderer(model, 120, 160)
        >>> renderer.update_scene(data)
        >>> renderer.save(folder / "picture.png")
        """
        pathlib.Path(path).write_bytes(self._open().png())

    def close(self) -> None:
        """Free the memory; nothing can be drawn afterwards.

        >>> renderer = torsor.Renderer(model, 120, 160)
        >>> renderer.close()
        """
        self._core = None

    def _open(self) -> Any:
        if self._core is None:
            raise RuntimeError("this renderer is closed")
        return self._core

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Renderer {self._width} x {self._height}{', closed' if self._core is None else ''}>"
