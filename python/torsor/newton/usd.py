"""Reads meshes, transforms and attributes from USD prims, with usd-core; add_usd() of the builder reads whole robots."""

import math
import os

import numpy

from torsor._error import Error
from torsor.newton._array import uses_warp
from torsor.newton._geometry import Mesh
from torsor.newton._types import Axis, transform
from torsor.usd._pose import to_quat


def _matrix(prim, local, xform_cache=None):
    """The transform of a prim to its parent or to the world, for column vectors."""
    from pxr import Usd, UsdGeom
    if local:
        xformable = UsdGeom.Xformable(prim)
        found = xformable.GetLocalTransformation() if xformable else None
        return numpy.eye(4) if found is None else numpy.array(found).T
    cache = xform_cache or UsdGeom.XformCache(Usd.TimeCode.Default())
    return numpy.array(cache.GetLocalToWorldTransform(prim)).T


def _scale_and_rotation(matrix):
    scale = numpy.linalg.norm(matrix[:3, :3], axis=0)
    if not (scale > 0).all():
        raise Error("a transform with a scale of 0 has no rotation")
    rotation = matrix[:3, :3] / scale
    return (-scale, -rotation) if numpy.linalg.det(rotation) < 0 else (scale, rotation)  # mirrored


def get_transform(prim, local=True, xform_cache=None):
    """Position and rotation of a prim, to its parent or (local=False) in the world, without its scale."""
    matrix = _matrix(prim, local, xform_cache)
    w, x, y, z = to_quat(_scale_and_rotation(matrix)[1])
    if uses_warp(None):
        import warp
        return warp.transform(matrix[:3, 3].tolist(), (x, y, z, w))
    return transform(matrix[:3, 3].tolist(), (x, y, z, w))


def get_scale(prim, local=True, xform_cache=None):
    """The scale of a prim along its axes, to its parent or (local=False) in the world."""
    return _scale_and_rotation(_matrix(prim, local, xform_cache))[0]


def has_attribute(prim, name):
    """Whether a prim has a value of its own for an attribute."""
    attribute = prim.GetAttribute(name)
    return bool(attribute and attribute.IsValid() and attribute.HasAuthoredValue())


def get_attribute(prim, name, default=None):
    """The value of an attribute, or the default."""
    attribute = prim.GetAttribute(name)
    value = attribute.Get() if attribute and attribute.IsValid() else None
    return default if value is None else value


def get_float(prim, name, default=None):
    """The value of a numeric attribute, or the default if there is none or it is not finite."""
    value = get_attribute(prim, name)
    return default if value is None or not math.isfinite(value) else float(value)


def get_quat(prim, name, default=None):
    """A quaternion attribute as xyzw, or the default if there is none or it has no direction."""
    value = get_attribute(prim, name)
    if value is None:
        return default
    quat = numpy.array([*value.GetImaginary(), value.GetReal()], dtype=float)
    return quat / numpy.linalg.norm(quat) if numpy.isfinite(quat).all() and quat.any() else default


def get_gprim_axis(prim, name="axis", default="Z"):
    """The axis of a capsule, cylinder or cone."""
    return Axis[str(get_attribute(prim, name, getattr(default, "name", default))).upper()]


def get_attributes_in_namespace(prim, namespace):
    """Names and values of the attributes in a namespace, as far as they have values of their own."""
    return {each.GetName(): each.Get() for each in prim.GetAuthoredPropertiesInNamespace(namespace)
            if hasattr(each, "Get") and each.HasAuthoredValue()}


def has_applied_api_schema(prim, schema_name):
    """Whether an API schema is applied, also one that USD does not know."""
    if schema_name in prim.GetAppliedSchemas():
        return True
    found = prim.GetMetadata("apiSchemas")
    return found is not None and schema_name in found.GetAddedOrExplicitItems()


def _triangles(prim):
    """Vertices and triangles of a mesh prim in its own coordinates; polygons are cut into fans."""
    from pxr import UsdGeom
    geometry = UsdGeom.Mesh(prim)
    points, counts, corners = (attribute.Get() for attribute in (
        geometry.GetPointsAttr(), geometry.GetFaceVertexCountsAttr(), geometry.GetFaceVertexIndicesAttr()))
    if not points or not counts or not corners:
        raise Error(f"{prim.GetPath()} has no triangles")
    vertices, counts, corners = (numpy.asarray(each) for each in (points, counts, corners))
    if counts.sum() != len(corners) or corners.min() < 0 or corners.max() >= len(vertices):
        raise Error(f"the faces of {prim.GetPath()} do not fit its points")
    starts = numpy.concatenate([[0], numpy.cumsum(counts)[:-1]])
    found = [numpy.stack([corners[starts[counts > k]], corners[starts[counts > k] + k - 1],
                          corners[starts[counts > k] + k]], axis=1) for k in range(2, int(counts.max()))]
    faces = numpy.concatenate([numpy.flatnonzero(counts > k) for k in range(2, int(counts.max()))])
    triangles = numpy.concatenate(found)[numpy.argsort(faces, kind="stable")]
    if geometry.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded:
        triangles = triangles[:, ::-1]
    return vertices.astype(float), triangles


def _color(prim):
    from pxr import UsdGeom
    value = UsdGeom.Gprim(prim).GetDisplayColorAttr().Get()
    return tuple(float(each) for each in value[0]) if value else None


def _merge(root, meshes, scale):
    """Meshes below a prim as one, in its coordinates."""
    from pxr import Usd, UsdGeom
    cache = UsdGeom.XformCache(Usd.TimeCode.Default())
    to_root, vertices, triangles, count = numpy.linalg.inv(_matrix(root, False, cache)), [], [], 0
    for prim in meshes:
        points, faces = _triangles(prim)
        matrix = to_root @ _matrix(prim, False, cache)
        vertices.append((points @ matrix[:3, :3].T + matrix[:3, 3]) * scale)
        triangles.append((faces[:, ::-1] if numpy.linalg.det(matrix[:3, :3]) < 0 else faces) + count)
        count += len(points)
    return numpy.concatenate(vertices), numpy.concatenate(triangles)


def get_mesh(source=None, *, load_normals=False, load_uvs=False, maxhullvert=None,
             face_varying_normal_conversion="vertex_splitting", vertex_splitting_angle_threshold_deg=25.0,
             preserve_facevarying_uvs=False, return_uv_indices=False, root_path=None, compute_inertia=True,
             apply_stage_units=True, prim=None, load_visual_materials=True):
    """The triangles of a mesh prim, in its own coordinates; of a file, stage or other prim, all meshes as one.

    The latter are in metres and in the coordinates of the prim at root_path, the root of the stage unless it is given.
    What is for pictures only is not read: normals, texture coordinates and materials but the display color.

    >>> mesh = newton.usd.get_mesh(stage.GetPrimAtPath("/root/bunny"))      # doctest: +SKIP
    """
    from pxr import Usd, UsdGeom
    if return_uv_indices:
        raise Error("return_uv_indices cannot be used: texture coordinates are not read")
    source = source if source is not None else prim
    if isinstance(source, (str, os.PathLike)):
        source = Usd.Stage.Open(os.fspath(source))
    if source is None or not (isinstance(source, Usd.Stage) or source.IsValid()):
        raise Error("get_mesh() needs a mesh prim, a stage or a file")
    is_stage = isinstance(source, Usd.Stage)
    if not is_stage and root_path is None and source.IsA(UsdGeom.Mesh):
        vertices, triangles = _triangles(source)
        return Mesh(vertices, triangles.reshape(-1), color=_color(source) if load_visual_materials else None)
    stage = source if is_stage else source.GetStage()
    root = stage.GetPrimAtPath(root_path) if root_path else stage.GetPseudoRoot() if is_stage else source
    meshes = [each for each in Usd.PrimRange(root, Usd.TraverseInstanceProxies()) if each.IsA(UsdGeom.Mesh)] if root else []
    if not meshes:
        raise Error(f"there is no mesh under {root_path or root.GetPath()}")
    scale = UsdGeom.GetStageMetersPerUnit(stage) if apply_stage_units else 1.0
    vertices, triangles = _merge(root, meshes, scale)
    return Mesh(vertices, triangles.reshape(-1), color=_color(meshes[0]) if load_visual_materials else None)
