"""newton.usd: meshes, transforms and attributes of USD prims."""

import numpy as np
import pytest
from pxr import Usd, UsdGeom

import torsor
import torsor.newton as newton

STAGE = """#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Z"
)
def Xform "root"
{
    double3 xformOp:translate = (10, 20, 30)
    float xformOp:rotateZ = 90
    float3 xformOp:scale = (2, 2, 2)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ", "xformOp:scale"]
    custom float mass:value = 3
    custom quatf turn = (0.5, 0.5, 0.5, 0.5)
    def Mesh "box"
    {
        point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0), (0,0,1), (1,0,1), (1,1,1), (0,1,1)]
        int[] faceVertexCounts = [4, 4, 4, 4, 4, 3, 3]
        int[] faceVertexIndices = [0,3,2,1, 4,5,6,7, 0,1,5,4, 1,2,6,5, 2,3,7,6, 3,0,4, 3,4,7]
        color3f[] primvars:displayColor = [(1, 0.5, 0)]
        double3 xformOp:translate = (1, 0, 0)
        float3 xformOp:scale = (1, 1, 3)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
    }
    def Cylinder "rod"
    {
        uniform token axis = "X"
    }
}
"""


@pytest.fixture
def stage():
    stage = Usd.Stage.CreateInMemory()
    assert stage.GetRootLayer().ImportFromString(STAGE)
    return stage


def test_a_mesh_prim_keeps_its_own_coordinates(stage):
    mesh = newton.usd.get_mesh(stage.GetPrimAtPath("/root/box"))
    assert len(mesh.vertices) == 8 and len(mesh.indices) == 36
    assert mesh.mass == pytest.approx(1) and mesh.color == (1, 0.5, 0)  # the faces point outwards
    np.testing.assert_allclose(mesh.com, 0.5)
    builder = newton.ModelBuilder()
    builder.add_shape_mesh(builder.add_body(), mesh=mesh)
    assert builder.body_mass[0] == pytest.approx(1000)


def test_a_stage_or_a_file_is_one_mesh_in_metres(stage, tmp_path):
    stage.GetRootLayer().Export(str(tmp_path / "box.usda"))
    for source in (stage, str(tmp_path / "box.usda")):
        mesh = newton.usd.get_mesh(source)
        assert mesh.mass == pytest.approx(3 * 8 * 1e-6)
        np.testing.assert_allclose(mesh.com, [0.1 - 0.01, 0.2 + 0.03, 0.3 + 0.03], atol=1e-9)
    in_root = newton.usd.get_mesh(stage, root_path="/root", apply_stage_units=False)
    np.testing.assert_allclose(in_root.com, [1.5, 0.5, 1.5], atol=1e-9)


def test_transforms_and_scales_are_separate(stage):
    root, box = stage.GetPrimAtPath("/root"), stage.GetPrimAtPath("/root/box")
    np.testing.assert_allclose(np.asarray(newton.usd.get_transform(root)).reshape(-1),
                               [10, 20, 30, 0, 0, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-7)
    np.testing.assert_allclose(newton.usd.get_scale(box), [1, 1, 3])
    np.testing.assert_allclose(newton.usd.get_scale(box, local=False), [2, 2, 6])
    np.testing.assert_allclose(np.asarray(newton.usd.get_transform(box, local=False)).reshape(-1)[:3], [10, 22, 30], atol=1e-9)


def test_attributes(stage):
    root, usd = stage.GetPrimAtPath("/root"), newton.usd
    assert usd.get_float(root, "mass:value") == 3 and usd.get_float(root, "nothing", 7.0) == 7
    assert usd.has_attribute(root, "mass:value") and not usd.has_attribute(root, "nothing")
    assert usd.get_attributes_in_namespace(root, "mass") == {"mass:value": 3}
    np.testing.assert_allclose(usd.get_quat(root, "turn"), 0.5)
    assert usd.get_gprim_axis(stage.GetPrimAtPath("/root/rod")) == newton.Axis.X
    UsdGeom.ModelAPI.Apply(root)
    assert usd.has_applied_api_schema(root, "GeomModelAPI") and not usd.has_applied_api_schema(root, "MjcSiteAPI")


def test_what_is_no_mesh_is_refused(stage):
    with pytest.raises(torsor.Error, match="no mesh"):
        newton.usd.get_mesh(stage.GetPrimAtPath("/root/rod"))
    with pytest.raises(torsor.Error, match="needs a mesh prim"):
        newton.usd.get_mesh(stage.GetPrimAtPath("/elsewhere"))
