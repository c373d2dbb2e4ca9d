"""Geoms and sites of a Model as shapes of USD."""

from __future__ import annotations

import numpy as np

from torsor.usd._schemas import COLLISION

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)
PLANE_SIDE = 100.0  # of a plane without an end, for drawing
DEFAULTS = {"condim": 3, "priority": 0, "solmix": 1.0, "solref": [0.02, 1], "solimp": [0.9, 0.95, 0.001, 0.5, 2],
            "margin": 0.0, "gap": 0.0, "contype": 1, "conaffinity": 1, "adhesion": 0.0, "surfacevel": [0.0] * 6}


class ShapeWriter:
    def __init__(self, writer):
        self.writer, self.model, self.stage = writer, writer.model, writer.stage
        self.materials: dict[tuple, str] = {}
        self.geom_paths: dict[int, str] = {}
        self.site_paths: dict[int, str] = {}

    def write(self, body: int) -> None:
        model = self.model
        for geom in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
            self._write_geom(geom, self.writer.body_paths[body])
        for site in np.flatnonzero(model.site_bodyid == body):
            self._write_site(int(site), self.writer.body_paths[body])

    # --- forms ---

    def _define(self, path: str, kind: int, size, position, quat, mesh: int):
        """A prim of the form; None for one that USD has no shape for."""
        geometry, writer = self.writer.UsdGeom, self.writer
        scale = None
        if kind == SPHERE:
            shape = geometry.Sphere.Define(self.stage, path)
            shape.CreateRadiusAttr(float(size[0]))
        elif kind == ELLIPSOID:
            shape, scale = geometry.Sphere.Define(self.stage, path), size
            shape.CreateRadiusAttr(1.0)
        elif kind in (CAPSULE, CYLINDER):
            shape = (geometry.Capsule if kind == CAPSULE else geometry.Cylinder).Define(self.stage, path)
            shape.CreateRadiusAttr(float(size[0]))
            shape.CreateHeightAttr(2 * float(size[1]))
            shape.CreateAxisAttr("Z")
        elif kind == BOX:
            shape, scale = geometry.Cube.Define(self.stage, path), size
            shape.CreateSizeAttr(2.0)
        elif kind == PLANE:
            shape = geometry.Plane.Define(self.stage, path)
            width, length = (2 * float(x) if x > 0 else PLANE_SIDE for x in size[:2])
            if size[0] <= 0 and size[1] <= 0:
                writer.set(shape.GetPrim(), "torsor:infinite", "Bool", True)
            shape.CreateWidthAttr(width)
            shape.CreateLengthAttr(length)
            shape.CreateAxisAttr("Z")
        elif kind == MESH:
            shape = self._define_mesh(path, *self._mesh(mesh))
        else:
            return None
        writer.place(shape.GetPrim(), position, quat, scale)
        return shape

    def _mesh(self, mesh: int):
        model = self.model
        first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        faces, number = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
        return model.mesh_vert[first:first + count], model.mesh_face[faces:faces + number]

    def _define_mesh(self, path: str, points: np.ndarray, faces: np.ndarray):
        vt = self.writer.Vt
        shape = self.writer.UsdGeom.Mesh.Define(self.stage, path)
        shape.CreatePointsAttr(vt.Vec3fArray.FromNumpy(np.ascontiguousarray(points, dtype=np.float32)))
        shape.CreateFaceVertexCountsAttr(vt.IntArray.FromNumpy(np.full(len(faces), 3, dtype=np.int32)))
        shape.CreateFaceVertexIndicesAttr(vt.IntArray.FromNumpy(np.ascontiguousarray(faces.ravel(), dtype=np.int32)))
        shape.CreateSubdivisionSchemeAttr("none")
        return shape

    # --- geoms ---

    def _write_geom(self, geom: int, folder: str) -> None:
        model, writer = self.model, self.writer
        name, kind = writer.name("GEOM", geom), int(model.geom_type[geom])
        path = writer.path_of(folder, name, "geom", geom)
        shape = self._define(path, kind, model.geom_size[geom], model.geom_pos[geom], model.geom_quat[geom],
                             int(model.geom_dataid[geom]))
        if shape is None:
            writer.losses.add("geom", name or f"geom_{geom}", "USD has no such shape")
            return
        prim = shape.GetPrim()
        self.geom_paths[geom] = path
        writer.label(prim, name)
        material = int(model.geom_matid[geom])
        self._write_color(shape, model.mat_rgba[material] if material >= 0 else model.geom_rgba[geom])
        if model.geom_group[geom] != 0:
            writer.set(prim, "mjc:group", "Int", model.geom_group[geom])
        if model.geom_contype[geom] or model.geom_conaffinity[geom]:
            self._write_contact(geom, kind, prim)
        elif model.geom_group[geom] == 0:
            writer.set(prim, "mjc:group", "Int", 0)

    def _write_color(self, shape, rgba) -> None:
        gf = self.writer.Gf
        shape.CreateDisplayColorAttr([gf.Vec3f(*map(float, rgba[:3]))])
        if rgba[3] != 1:
            shape.CreateDisplayOpacityAttr([float(rgba[3])])

    def _write_contact(self, geom: int, kind: int, prim) -> None:
        model, writer = self.model, self.writer
        writer.UsdPhysics.CollisionAPI.Apply(prim)
        prim.AddAppliedSchema("MjcCollisionAPI")
        if kind == MESH:
            how = "none" if model.geom_meshcollision[geom] else "convexHull"
            writer.UsdPhysics.MeshCollisionAPI.Apply(prim).CreateApproximationAttr(how)
        for usd, name, kind_of_value in COLLISION:
            value = getattr(model, f"geom_{name}")[geom]
            if np.any(np.asarray(value) != np.asarray(DEFAULTS[name])):
                writer.set(prim, usd, kind_of_value, value)
        self._bind_material(tuple(map(float, model.geom_friction[geom])), prim)

    def _bind_material(self, friction: tuple, prim) -> None:
        writer = self.writer
        if friction not in self.materials:
            path = f"{writer.root}/PhysicsMaterials/friction_{len(self.materials)}"
            material = writer.UsdShade.Material.Define(self.stage, path)
            physics = writer.UsdPhysics.MaterialAPI.Apply(material.GetPrim())
            physics.CreateStaticFrictionAttr(friction[0])
            physics.CreateDynamicFrictionAttr(friction[0])
            material.GetPrim().AddAppliedSchema("MjcMaterialAPI")
            writer.set(material.GetPrim(), "mjc:torsionalfriction", "Double", friction[1])
            writer.set(material.GetPrim(), "mjc:rollingfriction", "Double", friction[2])
            self.materials[friction] = path
        material = writer.UsdShade.Material.Get(self.stage, self.materials[friction])
        writer.UsdShade.MaterialBindingAPI.Apply(prim).Bind(material, materialPurpose="physics")

    def _write_site(self, site: int, folder: str) -> None:
        model, writer = self.model, self.writer
        name = writer.name("SITE", site)
        path = writer.path_of(folder, name, "site", site)
        shape = self._define(path, int(model.site_type[site]), model.site_size[site], model.site_pos[site],
                             model.site_quat[site], -1)
        if shape is None:
            return
        self.site_paths[site] = path
        prim = shape.GetPrim()
        writer.label(prim, name)
        prim.AddAppliedSchema("MjcSiteAPI")
        shape.CreatePurposeAttr("guide")
        self._write_color(shape, model.site_rgba[site])
        if model.site_group[site] != 0:
            writer.set(prim, "mjc:group", "Int", model.site_group[site])
