"""Cameras and lights of MuJoCo's scenes: where MjvCamera looks from, as MjvGLCamera has it."""

from __future__ import annotations

import math
from typing import Any

import numpy
from numpy.typing import NDArray

_FREE, _TRACKING, _FIXED = 0, 1, 2  # mjtCamera
_DIRECTIONAL, _IMAGE = 1, 3  # mjtLightType


def set_free(m: Any, cam: Any) -> None:
    """The camera that MuJoCo starts with: at the centre of the model, 1.5 times its extent away."""
    view = m.vis.global_
    cam.type, cam.fixedcamid, cam.trackbodyid = _FREE, -1, -1
    cam.lookat[:] = m.stat.center
    cam.distance = 1.5 * float(m.stat.extent)
    cam.azimuth, cam.elevation, cam.orthographic = float(view.azimuth), float(view.elevation), int(view.orthographic)


def frame_of(m: Any, d: Any, cam: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Position, forward and up of a camera."""
    if int(cam.type) == _FIXED:
        index = int(cam.fixedcamid)
        if not 0 <= index < m.ncam:
            raise ValueError(f"fixed camera id is outside valid range: {index}")
        frame = numpy.reshape(d.cam_xmat[index], (3, 3))
        return numpy.array(d.cam_xpos[index], dtype=float), -frame[:, 2], frame[:, 1].copy()
    lookat = numpy.array(cam.lookat, dtype=float)
    if int(cam.type) == _TRACKING:
        if not 0 <= int(cam.trackbodyid) < m.nbody:
            raise ValueError(f"track body id is outside valid range: {cam.trackbodyid}")
        lookat = numpy.array(d.subtree_com[int(cam.trackbodyid)], dtype=float)
    azimuth, elevation = math.radians(cam.azimuth), math.radians(cam.elevation)
    ca, sa, ce, se = math.cos(azimuth), math.sin(azimuth), math.cos(elevation), math.sin(elevation)
    forward = numpy.array([ce * ca, ce * sa, se])
    return lookat - forward * float(cam.distance), forward, numpy.array([-se * ca, -se * sa, ce])


def _frustum(m: Any, cam: Any, near: float) -> tuple[bool, float, float, float, float]:
    """Whether it is orthographic; centre and width (0: by the shape of the picture), bottom and top."""
    if int(cam.type) != _FIXED:
        is_orthographic = bool(cam.orthographic)
        top = float(m.vis.global_.fovy) / 2 if is_orthographic else near * math.tan(math.radians(float(m.vis.global_.fovy)) / 2)
        return is_orthographic, 0.0, 0.0, -top, top
    index = int(cam.fixedcamid)
    is_orthographic = int(m.cam_projection[index]) == 1
    sensor, lens = m.cam_sensorsize[index], m.cam_intrinsic[index]
    if is_orthographic or not (sensor[0] > 0 and sensor[1] > 0):
        top = float(m.cam_fovy[index]) / 2
        top = top if is_orthographic else near * math.tan(math.radians(top))
        return is_orthographic, 0.0, 0.0, -top, top
    left, right = -(sensor[0] / 2 - lens[2]) / lens[0] * near, (sensor[0] / 2 + lens[2]) / lens[0] * near
    bottom, top = -(sensor[1] / 2 + lens[3]) / lens[1] * near, (sensor[1] / 2 - lens[3]) / lens[1] * near
    return False, float(left + right) / 2, float(right - left) / 2, float(bottom), float(top)


def set_cameras(m: Any, d: Any, cam: Any, scn: Any) -> None:
    """The cameras of a scene: one for each eye."""
    pos, forward, up = frame_of(m, d, cam)
    near, far = float(m.vis.map.znear * m.stat.extent), float(m.vis.map.zfar * m.stat.extent)
    is_orthographic, centre, width, bottom, top = _frustum(m, cam, near)
    apart = numpy.cross(forward, up) * float(m.vis.global_.ipd) / 2
    for camera, side in zip(scn.camera, (-1, 1)):
        camera.pos, camera.forward, camera.up = pos + side * apart, forward, up
        camera.orthographic = int(is_orthographic)
        camera.frustum_center, camera.frustum_width = centre, width
        camera.frustum_bottom, camera.frustum_top, camera.frustum_near, camera.frustum_far = bottom, top, near, far


def set_lights(m: Any, d: Any, scn: Any) -> None:
    """The headlight, then the lights of the model that are on."""
    scn.nlight = 0
    head = m.vis.headlight
    if head.active:
        light = scn.lights[0]
        light.headlight, light.type, light.id, light.castshadow = 1, _DIRECTIONAL, -1, 0
        light.pos = (numpy.asarray(scn.camera[0].pos) + scn.camera[1].pos) / 2
        light.dir = scn.camera[0].forward
        light.attenuation, light.cutoff, light.exponent = (0, 0, 0), 0.0, 0.0
        light.ambient, light.diffuse, light.specular = head.ambient, head.diffuse, head.specular
        scn.nlight = 1
    for i in range(m.nlight):
        if not m.light_active[i] or int(m.light_type[i]) == _IMAGE or scn.nlight >= len(scn.lights):
            continue
        light = scn.lights[scn.nlight]
        is_directional = int(m.light_type[i]) == _DIRECTIONAL
        light.headlight, light.type, light.id, light.castshadow = 0, int(m.light_type[i]), i, int(m.light_castshadow[i])
        light.pos, light.dir = d.light_xpos[i], d.light_xdir[i]
        light.attenuation = (0, 0, 0) if is_directional else m.light_attenuation[i]
        light.cutoff, light.exponent = (0.0, 0.0) if is_directional else (float(m.light_cutoff[i]), float(m.light_exponent[i]))
        light.ambient, light.diffuse, light.specular = m.light_ambient[i], m.light_diffuse[i], m.light_specular[i]
        scn.nlight += 1
