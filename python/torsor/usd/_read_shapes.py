"""Shapes of a stage as geoms and sites of MJCF."""

from __future__ import annotations

import dataclasses

import numpy as np

from torsor._error import Error
from torsor.usd import _pose
from torsor.usd._schemas import COLLISION, take, text
from torsor.usd._stage import Stage

SHAPES = ("Cube", "Sphere", "Cylinder", "Cylinder_1", "Capsule", "Capsule_1", "Cone", "Plane", "Mesh")
SHEAR = 1e-4  # of what is not exact any more
VISUAL_GROUP = "2"


@dataclasses.dataclass
class Shape:
    """A geom or site: its attributes in MJCF, and the triangles of a mesh in the frame of its body."""

    path: str
    attributes: dict[str, str]
    is_site: bool = False
    collides: bool = False
    mass: float | None = None
    density: float | None = None  # that of the shape alone
    material_density: float | None = None
    mesh: tuple[np.ndarray, np.ndarray] | None = None
    mesh_attributes: dict[str, str] = dataclasses.field(default_factory=dict)


def triangles_of(stage: Stage, prim) -> tuple[np.ndarray, np.ndarray]:
    """The points of a mesh, in metres in its own space, and its triangles."""
    mesh = stage.UsdGeom.Mesh(prim)
    points = np.array(mesh.GetPointsAttr().Get(stage.time) or [], dtype=float).reshape(-1, 3) * stage.unit
    counts = np.array(mesh.GetFaceVertexCountsAttr().Get(stage.time) or [], dtype=np.int64)
    indices = np.array(mesh.GetFaceVertexIndicesAttr().Get(stage.time) or [], dtype=np.int64)
    if len(points) == 0 or len(counts) == 0:
        raise Error(f"{prim.GetPath()}: the mesh is empty")
    if not np.isfinite(points).all():
        raise Error(f"{prim.GetPath()}: points of the mesh are not finite")
    if (counts < 0).any() or counts.sum() != len(indices):
        raise Error(f"{prim.GetPath()}: the faces of the mesh have {counts.sum()} corners, but there are {len(indices)} indices")
    if len(indices) and (indices.min() < 0 or indices.max() >= len(points)):
        raise Error(f"{prim.GetPath()}: a face refers to point {indices.max()}, but there are {len(points)} points")
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    fans = [np.column_stack([indices[starts[counts > k + 1]], indices[starts[counts > k + 1] + k],
                             indices[starts[counts > k + 1] + k + 1]]) for k in range(1, int(counts.max()) - 1)]
    faces = np.concatenate(fans) if fans else np.zeros((0, 3), dtype=np.int64)
    if mesh.GetOrientationAttr().Get() == "leftHanded":
        faces = faces[:, ::-1]
    return points, faces


def cone(radius: float, height: float) -> tuple[np.ndarray, np.ndarray]:
    """A cone along z, with its tip at height / 2."""
    n = 32
    angles = 2 * np.pi * np.arange(n) / n
    ring = np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(n, -height / 2)])
    points = np.concatenate([ring, [[0, 0, height / 2], [0, 0, -height / 2]]])
    k = np.arange(n)
    side = np.column_stack([k, (k + 1) % n, np.full(n, n)])
    base = np.column_stack([(k + 1) % n, k, np.full(n, n + 1)])
    return points, np.concatenate([side, base])


class ShapeReader:
    def __init__(self, stage: Stage):
        self.stage = stage

    def read(self, prim, X_WB: np.ndarray) -> Shape | None:
        """The shape of a prim in the frame of its body; None for what is neither seen nor touched."""
        stage, kind = self.stage, str(prim.GetTypeName())
        is_site = stage.has(prim, "MjcSiteAPI") or stage.has(prim, "NewtonSiteAPI")
        collides = prim.HasAPI(stage.UsdPhysics.CollisionAPI) and bool(
            stage.UsdPhysics.CollisionAPI(prim).GetCollisionEnabledAttr().Get() is not False)
        if kind not in SHAPES:
            if collides:
                stage.losses.add("shape", str(prim.GetPath()), f"a {kind or 'prim without a type'} has no collision shape here")
            return None
        imageable = stage.UsdGeom.Imageable(prim)
        is_hidden = imageable.ComputeVisibility(stage.time) == "invisible"
        if not collides and not is_site and (is_hidden or imageable.ComputePurpose() in ("guide", "proxy")):
            return None
        shape = Shape(str(prim.GetPath()), {}, is_site=is_site, collides=collides and not is_site)
        M_BG = _pose.inverse(X_WB) @ stage.matrix(prim)
        if abs(np.linalg.det(M_BG[:3, :3])) < 1e-30:
            stage.losses.add("shape", shape.path, "its scale is 0")
            return None
        self._read_form(prim, kind, M_BG, shape)
        if shape.mesh is not None and len(shape.mesh[0]) < 4:
            stage.losses.add("shape", shape.path, "a mesh needs four points")
            return None
        self._read_looks(prim, shape)
        if not is_site:
            self._read_contact(prim, shape)
        return shape

    # --- forms ---

    def _read_form(self, prim, kind: str, M_BG: np.ndarray, shape: Shape) -> None:
        if kind == "Mesh":
            return self._read_mesh(prim, M_BG, shape)
        scale = np.linalg.norm(M_BG[:3, :3], axis=0)
        X_BG = _pose.rigid(M_BG)
        axes = M_BG[:3, :3] / scale
        if np.abs(axes.T @ axes - np.eye(3)).max() > SHEAR:
            self.stage.losses.add("shape", shape.path, "it is sheared; the shear is left out")
        get = lambda name, otherwise: float(self.stage.get(prim, name, otherwise))  # noqa: E731
        unit = self.stage.unit
        if kind == "Cube":
            return self._place(shape, "box", X_BG, get("size", 2.0) * unit / 2 * scale)
        if kind == "Sphere":
            radius = get("radius", 1.0) * unit * scale
            is_round = np.ptp(scale) <= SHEAR * scale.max()
            return self._place(shape, "sphere" if is_round else "ellipsoid", X_BG, radius[:1] if is_round else radius)
        axis = str(self.stage.get(prim, "axis", "Z"))
        if axis not in _pose.AXES:
            raise Error(f"{shape.path}: the axis is '{axis}'; it is X, Y or Z")
        along = scale["XYZ".index(axis)]
        across = np.delete(scale, "XYZ".index(axis))
        X_BG = X_BG @ _pose.pose(_pose.turn_z_to(axis), np.zeros(3))
        if kind == "Plane":
            size = [get("width", 2.0) * unit / 2 * across[0], get("length", 2.0) * unit / 2 * across[1], 1.0]
            if self.stage.get(prim, "torsor:infinite"):
                size[:2] = 0.0, 0.0
            return self._place(shape, "plane", X_BG, size)
        if np.ptp(across) > SHEAR * across.max():
            self.stage.losses.add("shape", shape.path, "its scale is not the same across its axis; the mean is taken")
        default_radius, default_height = {"Cap": (0.5, 1.0)}.get(kind[:3], (1.0, 2.0))
        radius = get("radius", default_radius) * unit * across.mean()
        height = get("height", default_height) * unit * along
        if kind == "Cone":
            points, faces = cone(radius, height)
            shape.mesh = points @ X_BG[:3, :3].T + X_BG[:3, 3], faces
            shape.attributes["type"] = "mesh"
            return None
        self._place(shape, "capsule" if kind.startswith("Capsule") else "cylinder", X_BG, [radius, height / 2])

    @staticmethod
    def _place(shape: Shape, kind: str, X_BG: np.ndarray, size) -> None:
        shape.attributes.update(type=kind, size=text(size), pos=text(X_BG[:3, 3]),
                                quat=text(_pose.to_quat(X_BG[:3, :3])))

    def _read_mesh(self, prim, M_BG: np.ndarray, shape: Shape) -> None:
        points, faces = triangles_of(self.stage, prim)
        how = str(self.stage.get(prim, "physics:approximation", "none")) if shape.collides else "convexHull"
        if how in ("boundingCube", "boundingSphere"):
            low, high = points.min(axis=0), points.max(axis=0)
            M_BC = M_BG @ _pose.pose(np.eye(3), (low + high) / 2)
            scale = np.linalg.norm(M_BG[:3, :3], axis=0)
            if how == "boundingCube":
                return self._place(shape, "box", _pose.rigid(M_BC), np.maximum((high - low) / 2 * scale, 1e-6))
            reach = np.linalg.norm((points - (low + high) / 2) @ M_BG[:3, :3].T, axis=1).max()
            return self._place(shape, "sphere", _pose.rigid(M_BC), [reach])
        if how in ("convexDecomposition", "meshSimplification", "sdf"):
            self.stage.losses.add("shape", shape.path, f"the approximation {how} is not made: "
                                  + ("the convex hull collides" if how == "convexDecomposition" else "all triangles collide"))
        if shape.collides and how not in ("convexHull", "convexDecomposition"):
            shape.attributes["meshcollision"] = "triangles"
        if np.linalg.det(M_BG[:3, :3]) < 0:
            faces = faces[:, ::-1]
        is_flat = np.linalg.matrix_rank(points - points.mean(axis=0), tol=1e-6 * max(np.ptp(points), 1e-30)) < 3
        shape.mesh = points @ M_BG[:3, :3].T + M_BG[:3, 3], faces
        shape.attributes["type"] = "mesh"
        if not shape.collides or is_flat:
            shape.mesh_attributes["inertia"] = "shell"  # it may be flat, or open
        for usd, mjcf in (("newton:maxHullVertices", "maxhullvert"), ("mjc:maxhullvert", "maxhullvert"),
                          ("mjc:inertia", "inertia")):
            value = self.stage.get(prim, usd)
            if value is not None and value != -1:
                shape.mesh_attributes[mjcf] = text(value)

    # --- looks and contact ---

    def _read_looks(self, prim, shape: Shape) -> None:
        stage = self.stage
        color = stage.get(prim, "primvars:displayColor")
        opacity = stage.get(prim, "primvars:displayOpacity")
        rgb = color[0] if color is not None and len(color) else self._surface_color(prim)
        if rgb is not None:
            alpha = float(opacity[0]) if opacity is not None and len(opacity) else 1.0
            shape.attributes["rgba"] = text([*rgb, alpha])
        group = stage.get(prim, "mjc:group")
        if group is not None:
            shape.attributes["group"] = str(int(group))
        elif not shape.collides and not shape.is_site:
            shape.attributes["group"] = VISUAL_GROUP

    def _surface_color(self, prim):
        material, _ = self.stage.UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        shader = material.ComputeSurfaceSource()[0] if material else None
        color = shader.GetInput("diffuseColor") if shader else None
        value = color.Get() if color else None
        return value if value is not None and len(value) == 3 else None

    def _read_contact(self, prim, shape: Shape) -> None:
        stage, attributes = self.stage, shape.attributes
        if not shape.collides:
            attributes.update(contype="0", conaffinity="0", mass="0")
            return
        margin, gap = stage.number(prim, "newton:contactMargin"), stage.number(prim, "newton:contactGap")
        if margin is not None:
            attributes["margin"] = text(margin * stage.unit)
        if gap is not None and np.isfinite(gap):
            attributes["gap"] = text(gap * stage.unit)
        take(stage, prim, COLLISION, attributes)
        if stage.get(prim, "mjc:shellinertia"):
            attributes["shellinertia"] = "true"
        self._read_material(prim, shape)
        if prim.HasAPI(stage.UsdPhysics.MassAPI):
            mass, density = stage.number(prim, "physics:mass", 0), stage.number(prim, "physics:density", 0)
            shape.mass = mass * stage.mass_unit if mass > 0 else None
            shape.density = density * stage.mass_unit / stage.unit**3 if density > 0 else None

    def _read_material(self, prim, shape: Shape) -> None:
        stage = self.stage
        material, _ = stage.UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
        source = material.GetPrim() if material else None
        if source is None or not source.HasAPI(stage.UsdPhysics.MaterialAPI):
            return
        sliding = stage.number(source, "physics:dynamicFriction", stage.number(source, "physics:staticFriction"))
        torsional = stage.number(source, "mjc:torsionalfriction", stage.number(source, "newton:torsionalFriction", 0.005))
        rolling = stage.number(source, "mjc:rollingfriction", stage.number(source, "newton:rollingFriction", 0.0001))
        if sliding is not None:
            shape.attributes["friction"] = text([sliding, torsional * stage.unit, rolling * stage.unit])
        if stage.number(source, "physics:restitution", 0) != 0:
            stage.losses.add("material", str(source.GetPath()), "contacts have no restitution")
        density = stage.number(source, "physics:density", 0)
        shape.material_density = density * stage.mass_unit / stage.unit**3 if density > 0 else None
