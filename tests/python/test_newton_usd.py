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


RAIL = """#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "rig" (prepend apiSchemas = ["PhysicsArticulationRootAPI"])
{
    def Cube "cart" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
    {
        double size = 0.2
    }
    def Cube "heavy" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsCollisionAPI"])
    {
        double size = 0.1
        double3 xformOp:translate = (0, 0, 1)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def PhysicsPrismaticJoint "slide"
    {
        rel physics:body1 = </rig/cart>
        uniform token physics:axis = "Y"
        float physics:lowerLimit = -4
        float physics:upperLimit = 4
    }
    def PhysicsRevoluteJoint "hinge"
    {
        rel physics:body0 = </rig/cart>
        rel physics:body1 = </rig/heavy>
        uniform token physics:axis = "X"
        point3f physics:localPos0 = (0, 0, 1)
    }
}
"""


def test_defaults_of_the_builder_count_where_the_stage_says_nothing():
    """Of bodies with MassAPI, UsdPhysics itself says that the density is 1000."""
    stage = Usd.Stage.CreateInMemory()
    assert stage.GetRootLayer().ImportFromString(RAIL)
    builder = newton.ModelBuilder()
    builder.default_shape_cfg.density, builder.default_shape_cfg.mu = 500.0, 0.3
    for name, value in {"armature": 0.7, "damping": 0.3, "friction": 0.2, "limit_ke": 70.0}.items():
        setattr(builder.default_joint_cfg, name, value)
    builder.add_usd(stage)
    np.testing.assert_allclose(builder.body_mass, [500 * 0.2**3, 1000 * 0.1**3])
    for values, value in ((builder.joint_armature, 0.7), (builder.joint_damping, 0.3), (builder.joint_friction, 0.2),
                          (builder.joint_limit_ke, 70.0), (builder.shape_material_mu, 0.3)):
        assert list(values) == [value] * 2


def test_labels_are_paths_of_prims():
    stage = Usd.Stage.CreateInMemory()
    assert stage.GetRootLayer().ImportFromString(RAIL)
    builder = newton.ModelBuilder()
    builder.add_body(mass=1, inertia=np.eye(3), label="cart")
    maps = builder.add_usd(stage)
    assert list(builder.body_label) == ["cart", "/rig/cart", "/rig/heavy"]
    assert list(builder.joint_label[1:]) == ["/rig/slide", "/rig/hinge"]
    assert maps["path_body_map"] == {"/rig/cart": 1, "/rig/heavy": 2} and maps["path_joint_map"]["/rig/hinge"] == 2
    assert list(builder.shape_label) == list(maps["path_shape_map"])
    assert builder.articulation_label[-1] == "/rig"
    assert list(builder.joint_target_mode[:6]) == [newton.JointTargetMode.NONE] * 6  # nothing drives a free joint


def test_gains_of_drives_may_be_scaled():
    stage, gains = Usd.Stage.CreateInMemory(), []
    assert stage.GetRootLayer().ImportFromString(RAIL.replace(
        'def PhysicsPrismaticJoint "slide"', 'def PhysicsPrismaticJoint "slide" (prepend apiSchemas = ["PhysicsDriveAPI:linear"])')
        .replace('axis = "Y"', 'axis = "Y"\n        float drive:linear:physics:stiffness = 300'
                               '\n        float drive:linear:physics:damping = 20'))
    for scale in (1.0, 0.5):
        builder = newton.ModelBuilder()
        builder.add_usd(stage, joint_drive_gains_scaling=scale, hide_collision_shapes=True)
        gains.append([builder.joint_target_ke[0], builder.joint_target_kd[0]])
    assert gains == [[300, 20], [150, 10]]
