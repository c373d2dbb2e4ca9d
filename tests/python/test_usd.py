"""USD: what a stage of UsdPhysics means in the engine, and that a model survives the way out and back."""

import pathlib
import re

import numpy as np
import pytest
import torsor
from pxr import Usd

ROOT = pathlib.Path(__file__).parents[2]


def lines(text):
    """A statement of USD ends with its line."""
    return text.replace("}", "\n}\n")


def stage(text, up="Z", unit=1.0, mass=1.0):
    made = Usd.Stage.CreateInMemory()
    assert made.GetRootLayer().ImportFromString(
        f'#usda 1.0\n(\n upAxis = "{up}"\n metersPerUnit = {unit}\n kilogramsPerUnit = {mass}\n)\n{lines(text)}')
    return made


def body(name, more="", at=(0, 0, 0), api="", ops=""):
    return f"""def Xform "{name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"{api}]) {{
  double3 xformOp:translate = {tuple(at)}
  uniform token[] xformOpOrder = ["xformOp:translate"{', "xformOp:scale"' if ops else ''}]
  {ops}
  {more}
}}
"""


BOX = 'def Cube "{}" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {{ double size = 1\n {} }}'
MASS = ', "PhysicsMassAPI"'
ONE_KILO = "float physics:mass = 1 float3 physics:diagonalInertia = (1, 1, 1) point3f physics:centerOfMass = (0, 0, 0)".replace(
    " float3", "\n float3").replace(" point3f", "\n point3f")


def link(name, at=(0, 0, 0), more=""):
    return body(name, ONE_KILO + "\n" + more, at, MASS)


def joint(kind, name, body0, body1, more="", api=""):
    rel0 = f"rel physics:body0 = </{body0}>" if body0 else ""
    return f"""def Physics{kind} "{name}" {api} {{
  {rel0}
  rel physics:body1 = </{body1}>
  {more}
}}
"""


def load(text, **units):
    return torsor.usd.load(stage(text, **units))


# --- units ----------------------------------------------------------------------------------------------------------


def test_centimetres_grams_and_y_up_become_metres_kilograms_and_z_up():
    scene = 'def PhysicsScene "scene" { float physics:gravityMagnitude = 981 }\n'
    more = ("float physics:mass = 500\n float3 physics:diagonalInertia = (2, 3, 4)\n"
            "point3f physics:centerOfMass = (10, 20, 30)\n" + BOX.format("box", "double3 xformOp:translate = (50, 0, 0)\n"
            'uniform token[] xformOpOrder = ["xformOp:translate"]'))
    model = load(scene + body("a", more, (100, 200, 300), MASS), up="Y", unit=0.01, mass=0.001)
    np.testing.assert_allclose(model.opt.gravity, [0, 0, -9.81], atol=1e-12)
    np.testing.assert_allclose(model.body_pos[1], [1, -3, 2], atol=1e-12)  # (x, y, z) with y up is (x, -z, y)
    np.testing.assert_allclose(model.body_ipos[1], [0.1, 0.2, 0.3], atol=1e-12)  # in the body, whose axes stay
    assert model.body_mass[1] == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose(sorted(model.body_inertia[1]), np.array([2, 3, 4]) * 1e-7, rtol=1e-9)
    np.testing.assert_allclose(model.geom_pos[0], [0.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(model.geom_size[0], [0.005] * 3, atol=1e-12)
    np.testing.assert_allclose(rotate(model.body_quat[1], [0, 1, 0]), [0, 0, 1], atol=1e-12)


def test_drives_and_limits_are_per_degree():
    drive = """float physics:lowerLimit = -90
    float physics:upperLimit = 45
    float drive:angular:physics:stiffness = 2
    float drive:angular:physics:damping = 0.5
    float drive:angular:physics:maxForce = 7
    float drive:angular:physics:targetPosition = 30"""
    api = '(prepend apiSchemas = ["PhysicsDriveAPI:angular"])'
    text = link("a") + joint("RevoluteJoint", "j", "", "a", drive, api)
    model = load(text)
    np.testing.assert_allclose(model.jnt_range[0], [-np.pi / 2, np.pi / 4])
    np.testing.assert_allclose(model.actuator_gainprm[0, 0], 2 * 180 / np.pi)
    np.testing.assert_allclose(model.actuator_biasprm[0, :3], [0, -2 * 180 / np.pi, -0.5 * 180 / np.pi])
    np.testing.assert_allclose(model.actuator_forcerange[0], [-7, 7])
    np.testing.assert_allclose(model.key_ctrl[0], np.pi / 6)
    scaled = load(text, unit=0.1, mass=10)  # torque is mass times length squared
    np.testing.assert_allclose(scaled.actuator_gainprm[0, 0], 2 * 180 / np.pi * 10 * 0.01)
    np.testing.assert_allclose(scaled.actuator_forcerange[0], [-0.7, 0.7])


def test_linear_drives_have_the_units_of_the_stage():
    api = '(prepend apiSchemas = ["PhysicsDriveAPI:linear"])'
    more = ("float physics:upperLimit = 3\n float physics:lowerLimit = -1\n float drive:linear:physics:damping = 4\n"
            "float drive:linear:physics:targetVelocity = 5")
    model = load(link("a") + joint("PrismaticJoint", "j", "", "a", more, api), unit=0.1, mass=10)
    np.testing.assert_allclose(model.jnt_range[0], [-0.1, 0.3])
    np.testing.assert_allclose(model.actuator_gainprm[0, 0], 40)  # mass over time
    np.testing.assert_allclose(model.key_ctrl[0], 0.5)


# --- joints ---------------------------------------------------------------------------------------------------------

FRAMES = """point3f physics:localPos0 = (0.1, 0.2, 0.3)
  quatf physics:localRot0 = (0.70710677, 0, 0.70710677, 0)
  point3f physics:localPos1 = (0, 0, 0.5)
  quatf physics:localRot1 = (0.70710677, 0.70710677, 0, 0)"""


@pytest.mark.parametrize("axis, sign", [("X", 1), ("Y", 1), ("Z", 1), ("Z", -1)])
def test_a_joint_moves_its_frames_against_each_other(axis, sign):
    """X_WJ1 = X_WJ0 J(q), whichever of the two bodies is the child."""
    first, second = ("a", "b") if sign > 0 else ("b", "a")
    text = link("a", (0, 0, 1)) + link("b", (1, 1, 1)) + joint("FixedJoint", "root", "", "a", "point3f physics:localPos0 = (0, 0, 1)")
    text += joint("RevoluteJoint", "j", first, second, FRAMES + f'\n uniform token physics:axis = "{axis}"')
    model = load(text)
    data = torsor.Data(model)
    data.qpos[0] = 0.7
    torsor.kinematics(model, data)
    poses = {name: (data.xmat[model.body(name).id].reshape(3, 3), data.xpos[model.body(name).id]) for name in "ab"}
    turn = {"X": np.array([1.0, 0, 0]), "Y": np.array([0, 1.0, 0]), "Z": np.array([0, 0, 1.0])}[axis]
    half = np.sqrt(0.5)
    local = {first: ([half, 0, half, 0], [0.1, 0.2, 0.3]), second: ([half, half, 0, 0], [0, 0, 0.5])}
    frame = {}
    for name, (quat, position) in local.items():
        R, p = poses[name]
        frame[name] = R @ matrix(quat), p + R @ position
    np.testing.assert_allclose(frame[first][1], frame[second][1], atol=1e-7)
    expected = frame[first][0] @ matrix([np.cos(0.35), *(np.sin(0.35) * turn)])
    np.testing.assert_allclose(frame[second][0], expected, atol=1e-7)


def matrix(quat):
    w, x, y, z = quat
    return np.array([[w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z]])


LIMIT = 'float limit:{0}:physics:low = {1}\n float limit:{0}:physics:high = {2}\n'


def generic(locked, limited=()):
    apis = ", ".join(f'"PhysicsLimitAPI:{name}"' for name in [*locked, *limited])
    more = "".join(LIMIT.format(name, 1, -1) for name in locked) + "".join(LIMIT.format(name, -10, 20) for name in limited)
    return link("a") + joint("Joint", "j", "", "a", more, f"(prepend apiSchemas = [{apis}])" if apis else "")


ALL = ["transX", "transY", "transZ", "rotX", "rotY", "rotZ"]


@pytest.mark.parametrize("free, types", [([], []), (["rotZ"], ["HINGE"]), (["transX", "rotZ"], ["SLIDE", "HINGE"]),
                                         (["rotX", "rotY", "rotZ"], ["BALL"]), (["transX", "rotX", "rotY", "rotZ"], ["SLIDE", "BALL"]),
                                         (["rotX", "rotY"], ["HINGE", "HINGE"]), (ALL, ["FREE"])])
def test_generic_joints_have_the_axes_that_are_not_locked(free, types):
    model = load(generic([name for name in ALL if name not in free]))
    assert [torsor.JointType(kind).name for kind in model.jnt_type] == types


def test_generic_joints_have_limits_in_degrees_and_lengths():
    model = load(generic(ALL[1:3] + ALL[4:], ["transX", "rotX"]))
    np.testing.assert_allclose(model.jnt_range, [[-10, 20], np.radians([-10, 20])])


def test_other_joints():
    text = link("a") + link("b", (0, 0, 1)) + link("c", (0, 0, 2)) + link("d", (0, 0, 3))
    text += joint("SphericalJoint", "ball", "", "a", "float physics:coneAngle0Limit = 30\n float physics:coneAngle1Limit = 40")
    text += joint("FixedJoint", "fixed", "a", "b", "point3f physics:localPos0 = (0, 0, 1)")
    text += joint("DistanceJoint", "rope", "b", "c", "float physics:minDistance = 0.5\n float physics:maxDistance = 1.5")
    text += joint("SphericalJoint", "loop", "c", "d", "point3f physics:localPos0 = (0, 0, 1)\n bool physics:excludeFromArticulation = true")
    spec, lost = torsor.usd.read(stage(text))
    model = spec.compile()
    assert [model.joint(i).name for i in range(model.njnt)] == ["ball", "c_free", "d_free"]
    np.testing.assert_allclose(model.jnt_range[0], [0, np.pi / 6])
    assert model.body_parentid[model.body("b").id] == model.body("a").id and model.body("b").jntnum == 0
    np.testing.assert_allclose(model.tendon_range[0], [0.5, 1.5])
    assert model.neq == 1 and model.eq_type[0] == 0
    assert [loss.names for loss in lost] == [["/ball"]]


def test_stacked_joints_are_those_of_one_body():
    text = link("a") + "".join(joint("RevoluteJoint", f"j{axis}", "", "a", f'uniform token physics:axis = "{axis}"') for axis in "XYZ")
    model = load(text)
    assert model.body_jntnum[1] == 3
    np.testing.assert_allclose(model.jnt_axis, np.eye(3), atol=1e-7)


def test_the_pose_of_a_stage_is_a_keyframe():
    text = link("a", (0, 0, 1)) + joint("PrismaticJoint", "j", "", "a", 'uniform token physics:axis = "Z"')
    model = load(text)
    assert model.qpos0[0] == 0 and model.key_qpos[0, 0] == pytest.approx(1)


# --- bodies and shapes ----------------------------------------------------------------------------------------------


def test_mass_comes_from_shapes_materials_and_densities():
    material = 'def Material "m" (prepend apiSchemas = ["PhysicsMaterialAPI"]) { float physics:density = 300\n float physics:dynamicFriction = 0.4 }'
    bound = 'rel material:binding:physics = </m>'
    text = material + body("plain", BOX.format("g", "")) + body("dense", "float physics:density = 2\n" + BOX.format("g", ""), api=MASS)
    text += body("made", 'def Cube "g" (prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) { double size = 1\n ' + bound + "}")
    text += body("heavy", "float physics:mass = 12\n" + BOX.format("g", ""), api=MASS)
    text += body("own", 'def Cube "g" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMassAPI"]) { double size = 1\n float physics:mass = 5 }')
    model = load(text)
    assert [float(model.body(name).mass[0]) for name in ("plain", "dense", "made", "heavy", "own")] == pytest.approx(
        [1000, 2, 300, 12, 5])
    np.testing.assert_allclose(model.body("heavy").inertia, [2, 2, 2])  # m / 6 of a cube: scaled with the mass
    np.testing.assert_allclose(model.geom_friction[2, 0], 0.4, rtol=1e-6)


def test_shapes_are_scaled_and_turned():
    more = ('def Capsule "cap" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { double radius = 0.1\n double height = 0.6\n uniform token axis = "X" }\n'
            'def Sphere "ball" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { double radius = 0.5 }\n'
            'def Cube "seen" { double size = 2 }')
    model = load(body("a", more, ops="double3 xformOp:scale = (2, 2, 4)"))
    np.testing.assert_allclose(model.geom("cap").size[:2], [0.1 * 3, 0.3 * 2])  # across: the mean of 2 and 4
    z = rotate(model.geom("cap").quat, [0, 0, 1])
    np.testing.assert_allclose(np.abs(z), [1, 0, 0], atol=1e-12)
    assert model.geom("ball").type == int(torsor.GeomType.ELLIPSOID)
    np.testing.assert_allclose(model.geom("ball").size, [1, 1, 2])
    assert model.geom("seen").contype == 0 and model.geom("cap").contype == 1


def rotate(quat, vector):
    return matrix(quat) @ vector


MESH = """def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]) {{
  point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)]
  int[] faceVertexCounts = [4, 3, 3, 3, 3]
  int[] faceVertexIndices = {}
  uniform token physics:approximation = "{}"
  {}
}}"""
PYRAMID = "[3, 2, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4]"


@pytest.mark.parametrize("how, kind, triangles", [("convexHull", "MESH", 0), ("none", "MESH", 1), ("boundingCube", "BOX", 0),
                                                  ("boundingSphere", "SPHERE", 0)])
def test_meshes_collide_as_their_approximation_says(how, kind, triangles):
    model = load(body("a", MESH.format(PYRAMID, how, "")))
    assert torsor.GeomType(model.geom_type[0]).name == kind and model.geom_meshcollision[0] == triangles
    if kind == "MESH":
        assert model.body_mass[1] == pytest.approx(1000 / 3, rel=1e-6)


def test_mirrored_and_left_handed_meshes_are_not_inside_out():
    for more, ops in (("", "double3 xformOp:scale = (-1, 1, 1)"), ('uniform token orientation = "leftHanded"', "")):
        indices = PYRAMID if ops else "[0, 1, 2, 3, 4, 1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3]"
        text = body("a", MESH.format(indices, "convexHull", more + "\n uniform token mjc:inertia = \"exact\""), ops=ops)
        assert load(text).body_mass[1] == pytest.approx(1000 / 3, rel=1e-6)


def test_instances_and_references_are_read(tmp_path):
    (tmp_path / "part.usda").write_text('#usda 1.0\n(\n defaultPrim = "part"\n)\n' + lines(
        'def Xform "part" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\n' + BOX.format("g", "") + "\n}\n"))
    (tmp_path / "scene.usda").write_text('#usda 1.0\n(\n upAxis = "Z"\n metersPerUnit = 1\n)\n' + "".join(
        f'def "p{i}" (instanceable = true\n prepend references = @./part.usda@) {{ double3 xformOp:translate = ({i}, 0, 0)\n'
        ' uniform token[] xformOpOrder = ["xformOp:translate"]\n}\n' for i in range(3)))
    model = torsor.usd.load(tmp_path / "scene.usda")
    assert model.nbody == 4 and model.ngeom == 3
    np.testing.assert_allclose(model.body_pos[1:, 0], [0, 1, 2])


def test_filters_of_contacts():
    text = "".join(body(name, BOX.format("g", "")) for name in "abc")
    filtered = body("d", BOX.format("g", "") + "\n rel physics:filteredPairs = </b>", api=', "PhysicsFilteredPairsAPI"')
    assert load(text + filtered).nexclude == 1
    group = 'def PhysicsCollisionGroup "{0}" (prepend apiSchemas = ["CollectionAPI:colliders"]) {{ rel physics:filteredGroups = </{1}>\n rel collection:colliders:includes = [{2}] }}\n'
    text = "".join(body(name, BOX.format("g", "")) for name in "abc") + group.format("one", "two", "</a>") + group.format("two", "one", "</b>")
    model = load(text)
    meets = lambda i, j: bool(model.geom_contype[i] & model.geom_conaffinity[j] or model.geom_contype[j] & model.geom_conaffinity[i])  # noqa: E731
    assert not meets(0, 1) and meets(0, 2) and meets(1, 2)


def test_kinematic_bodies_are_mocap_bodies():
    model = load(body("a", "bool physics:kinematicEnabled = true\n" + BOX.format("g", "")))
    assert model.nmocap == 1 and model.nv == 0


# --- MuJoCo's and Newton's schemas ----------------------------------------------------------------------------------


def test_newton_and_mujoco_values_of_joints():
    text = link("a") + link("b") + joint("RevoluteJoint", "j", "", "a", "float newton:armature = 0.25\n float newton:damping = 3\n float newton:friction = 0.5")
    text += joint("RevoluteJoint", "k", "a", "b", "float newton:armature = 9\n double mjc:armature = 0.125\n double mjc:springref = 90\n"
                  "double mjc:stiffness = 4\n rel newton:mimicJoint = </j>\n float newton:mimicCoef0 = 90\n float newton:mimicCoef1 = -2",
                  '(prepend apiSchemas = ["NewtonMimicAPI"])')
    model = load(text)
    assert model.dof_armature.tolist() == [0.25, 0.125]  # MuJoCo's own says more
    np.testing.assert_allclose(model.dof_damping[0], 3 * 180 / np.pi)
    assert model.dof_frictionloss[0] == 0.5 and model.jnt_stiffness[1] == 4
    np.testing.assert_allclose(model.qpos_spring[1], np.pi / 2)
    np.testing.assert_allclose(model.eq_data[0, :2], [np.pi / 2, -2])


def test_options_of_the_scene():
    scene = """def PhysicsScene "s" { double mjc:option:timestep = 0.004
      uniform token mjc:option:integrator = "implicitfast"
      bool mjc:flag:contact = false
      vector3f physics:gravityDirection = (1, 0, 0)
      float physics:gravityMagnitude = 2 }"""
    model = load(scene)
    assert model.opt.timestep == 0.004 and model.opt.integrator == 3 and model.opt.disableflags == 16
    np.testing.assert_allclose(model.opt.gravity, [2, 0, 0])
    np.testing.assert_allclose(load("").opt.gravity, [0, 0, -9.81])


# --- out and back ---------------------------------------------------------------------------------------------------



def loadable(path):
    try:
        return torsor.Model.from_xml_path(path).nbody > 0
    except torsor.Error:  # a part of another model
        return False


# Of kinds that differ. Known to differ by more: keyframes (a body without mass gets one) and mesh_materials (vertices in single
# precision change its inertia by 4e-5).
NAMES = ("actuation_off", "actuator_early", "actuator_orientation", "attach_frame", "cable_copies", "contact_exclude",
         "discrete_inverse_undamped", "fluid_boxes", "geom_fromto", "inertia_from_geoms", "light_defaults", "mesh_reference",
         "sensor_contact", "sensor_volumes", "solver_options", "tendon_dampers", "tendon_springs_off")
PATHS = [path for path in (ROOT / "models" / "features" / f"{name}.xml" for name in NAMES) if loadable(path)]
PATHS += [ROOT / "models" / "humanoid_29.xml"]
# what keeps a model from stepping as before
SERIOUS = {"actuator", "pair", "geom", "equality", "joint", "tendon"}


def rounded(a, b, scale=None):
    size = max(np.abs(a).max(initial=0), 1e-6 if scale is None else scale)
    assert np.abs(a - b).max(initial=0) <= 3e-6 * size


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_what_is_not_listed_as_lost_survives(path, tmp_path):
    """USD has single precision for masses, frames and limits."""
    model = torsor.Model.from_xml_path(path)
    lost = torsor.usd.save(model, tmp_path / "m.usdc")
    back = torsor.usd.load(tmp_path / "m.usdc")
    assert (back.nq, back.nv, back.nbody) == (model.nq, model.nv, model.nbody)
    rounded(model.body_mass, back.body_mass)
    rounded(model.jnt_range[model.jnt_limited], back.jnt_range[back.jnt_limited], 1)
    for name in ("dof_armature", "dof_damping", "dof_frictionloss", "jnt_stiffness"):
        rounded(getattr(model, name), getattr(back, name))
    random = np.random.default_rng(1)
    states = [torsor.Data(model), torsor.Data(back)]
    qpos, qvel, ctrl = states[0].qpos.copy(), random.normal(size=model.nv), random.uniform(-1, 1, model.nu)
    qpos = torsor.integrate_pos(model, qpos, random.normal(size=model.nv) * 0.5, 1.0)
    for data in states:
        data.qpos[:], data.qvel[:] = qpos, qvel
        if model.nu == back.nu:
            data.ctrl[:] = ctrl
    for one, data in zip((model, back), states):
        torsor.forward(one, data)
    rounded(states[0].xpos, states[1].xpos, 1)
    if model.nv and not {loss.kind for loss in lost} & SERIOUS:
        assert (back.nu, back.neq, back.ntendon, back.ngeom) == (model.nu, model.neq, model.ntendon, model.ngeom)
        rounded(torsor.full_m(model, states[0]), torsor.full_m(back, states[1]))
        for name in ("qfrc_bias", "qfrc_passive", "qfrc_actuator"):
            rounded(getattr(states[0], name), getattr(states[1], name), max(np.abs(states[0].qfrc_bias).max(), 1e-3))
        meets = [{tuple(contact.geom) for contact in data.contact if contact.dist < -1e-4} for data in states]
        assert meets[0] == meets[1]


def test_the_same_robot_steps_alike(tmp_path):
    model = torsor.Model.from_xml_path(ROOT / "models" / "humanoid_29.xml")
    torsor.usd.save(model, tmp_path / "h.usda")
    back = torsor.usd.load(tmp_path / "h.usda")
    runs = []
    for one in (model, back):
        one.opt.disableflags = int(one.opt.disableflags) | 16  # contacts would amplify the rounding of the file
        data = torsor.Data(one)
        data.ctrl[:] = 0.1
        torsor.step(one, data, 100)
        runs.append(data.qpos.copy())
    assert np.abs(runs[0] - torsor.Data(model).qpos).max() > 0.1
    np.testing.assert_allclose(runs[0], runs[1], atol=2e-5)


def test_a_motion_is_written_with_time_samples(tmp_path):
    model = torsor.Model.from_xml_string("<mujoco><worldbody><body name='a' pos='0 0 1'><joint axis='0 0 1' type='slide'/><geom size='1'/>"
                                         "</body></worldbody></mujoco>")
    torsor.usd.save(model, tmp_path / "m.usda", qpos=[[0.0], [0.5], [2.0]], fps=25)
    made = Usd.Stage.Open(str(tmp_path / "m.usda"))
    assert made.GetTimeCodesPerSecond() == 25 and made.GetEndTimeCode() == 2
    prim = next(prim for prim in made.Traverse() if prim.GetName() == "a")
    assert [prim.GetAttribute("xformOp:translate").Get(time)[2] for time in (0, 1, 2)] == [1, 1.5, 3]
    for wrong in ([0.0, 1.0], [[0.0, 1.0]], [[np.nan]], np.zeros((0, 1))):
        with pytest.raises(torsor.Error):
            torsor.usd.save(model, tmp_path / "n.usda", qpos=wrong)
    assert not (tmp_path / "n.usda").exists()


# --- mistakes -------------------------------------------------------------------------------------------------------

WRONG = [
    (joint("RevoluteJoint", "j", "", "nobody"), "which does not exist"),
    (link("a") + joint("RevoluteJoint", "j", "", "a", "float physics:lowerLimit = 10\n float physics:upperLimit = -10"), "above the upper"),
    (link("a") + joint("RevoluteJoint", "j", "", "a", "quatf physics:localRot1 = (0, 0, 0, 0)"), "not a pose"),
    (link("a") + joint("RevoluteJoint", "j", "", "a", 'uniform token physics:axis = "W"'), "not X, Y or Z"),
    (body("a", MESH.format("[0, 1, 2, 9, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4]", "none", "")), "refers to point 9"),
    (body("a", MESH.format("[0, 1]", "none", "")), "16 corners, but there are 2"),
    (body("a", "float physics:mass = -1\n" + BOX.format("g", ""), api=MASS), "must not be negative"),
    (body("a", BOX.format("g", ""), at=("nan", 0, 0)).replace("'nan'", "nan"), "not finite"),
]


@pytest.mark.parametrize("text, message", WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(torsor.Error, match=message):
        load(text)


def test_files_that_are_not_usd_are_errors(tmp_path):
    (tmp_path / "a.usda").write_text("#usda 1.0\n def Xform {")
    (tmp_path / "b.usdc").write_bytes(b"PXR-USDC" + b"\0" * 10)
    (tmp_path / "c.usdz").write_bytes(b"PK\x03\x04 not an archive")
    for name in ("a.usda", "b.usdc", "c.usdz", "none.usda"):
        with pytest.raises(torsor.Error, match="cannot (read|open)"):
            torsor.usd.load(tmp_path / name)
    with pytest.raises(torsor.Error, match="metersPerUnit"):
        load("", unit=-1)
    model = torsor.Model.from_xml_string("<mujoco/>")
    with pytest.raises(torsor.Error, match="end in .usda"):
        torsor.usd.save(model, tmp_path / "m.gltf")
    with pytest.raises(torsor.Error, match="cannot write"):
        torsor.usd.save(model, tmp_path / "a.usda" / "m.usda")  # a.usda is a file


def test_the_python_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = torsor.Model.from_xml_path(ROOT / "models" / "features" / "double_pendulum.xml")
    torsor.usd.save(model, "robot.usda")
    names = {"recorded": np.zeros((3, model.nq))}
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "usd.md").read_text(), re.S):
        exec(block, names)
    assert names["lost"] == [] and torsor.usd.load("copy.usda").nq == model.nq
    assert Usd.Stage.Open("motion.usdc").GetEndTimeCode() == 2


@pytest.mark.parametrize("ending", ["usd", "usda", "usdc", "usdz"])
def test_every_kind_of_file_is_written_and_read(ending, tmp_path):
    model = torsor.Model.from_xml_path(ROOT / "models" / "features" / "double_pendulum.xml")
    torsor.usd.save(model, tmp_path / f"m.{ending}")
    assert torsor.usd.load(tmp_path / f"m.{ending}").nq == model.nq


def test_names_that_no_prim_can_have_survive(tmp_path):
    model = torsor.Model.from_xml_string("<mujoco><worldbody><body name='left/leg-1'><joint name='hip joint'/><geom name='1st' size='1'/>"
                                         "</body></worldbody></mujoco>")
    torsor.usd.save(model, tmp_path / "m.usda")
    back = torsor.usd.load(tmp_path / "m.usda")
    assert (back.body(1).name, back.joint(0).name, back.geom(0).name) == ("left/leg-1", "hip joint", "1st")


def test_a_stage_is_added_to_a_builder_of_newton(tmp_path):
    from torsor import newton
    text = link("a", (0, 0, 1)) + link("b") + joint("RevoluteJoint", "j", "a", "b")
    builder = newton.ModelBuilder()
    maps = builder.add_usd(stage(text), xform=newton.transform((0, 0, 5)))
    assert builder.body_count == 2 and maps["path_body_map"] == {"/a": 0, "/b": 1} and list(maps["path_joint_map"]) == ["/j"]
    np.testing.assert_allclose(np.array(builder.finalize().body_q)[0][:3], [0, 0, 6], atol=1e-6)
