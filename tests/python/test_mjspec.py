"""torsor.mujoco.MjSpec beside MuJoCo's: the same programs make the same models; and what only ours must do."""

import gc
import io
import pathlib
import pickle

import mujoco
import numpy as np
import pytest

import torsor
import torsor.mujoco as ours
from page_blocks import run_page

ROOT = pathlib.Path(__file__).parents[2]
ARRAYS = ("qpos0", "body_parentid", "body_pos", "body_quat", "body_mass", "body_inertia", "body_ipos", "jnt_type", "jnt_pos", "jnt_axis",
          "jnt_range", "jnt_limited", "jnt_stiffness", "dof_damping", "geom_type", "geom_size", "geom_pos", "geom_quat", "geom_rgba",
          "geom_friction", "site_pos", "site_quat", "cam_pos", "cam_quat", "cam_fovy", "light_pos", "light_dir", "actuator_gainprm",
          "actuator_biasprm", "actuator_trntype", "actuator_gear", "sensor_type", "sensor_objid", "sensor_dim", "eq_type", "eq_obj1id",
          "tendon_range", "tendon_stiffness", "wrap_type", "wrap_objid", "pair_geom1", "exclude_signature", "key_qpos", "key_ctrl",
          "numeric_data", "mat_rgba", "hfield_data", "mesh_vert", "tuple_objid", "body_user")
CHILD = """<mujoco><compiler angle="radian" eulerseq="zyx"/><default><geom rgba="1 0 0 1"/><default class="d"><geom size=".2"/></default></default>
<asset><material name="m"/></asset><worldbody><geom name="w" size=".1"/><body name="b" euler=".1 .2 .3"><joint name="j" range="-1 1"/>
<geom name="g" class="d" material="m"/><site name="s"/></body></worldbody><actuator><position name="a" joint="j" kp="3"/></actuator>
<sensor><jointpos name="q" joint="j"/></sensor><keyframe><key name="k" qpos=".5" ctrl=".1"/></keyframe></mujoco>"""


def build_robot(m):
    spec = m.MjSpec()
    spec.compiler.degree = False
    spec.option.timestep = 0.004
    main = spec.default
    main.geom.rgba = [0.1, 0.2, 0.3, 1]
    thin = spec.add_default("thin", main)
    thin.geom.size[0] = 0.03
    spec.add_material(name="red", rgba=[1, 0, 0, 1])
    base = spec.worldbody.add_body(name="base", pos=[0, 0, 1], euler=[0.1, 0.2, 0.3])
    base.add_freejoint(name="root")
    base.add_geom(type=m.mjtGeom.mjGEOM_BOX, size=[0.3, 0.2, 0.1], material="red", mass=3)
    base.add_camera(name="eye", pos=[1, 0, 0], xyaxes=[0, 1, 0, 0, 0, 1], fovy=60)
    base.add_light(pos=[0, 0, 2], dir=[0, 0, -1])
    for side in (-1, 1):
        frame = base.add_frame(pos=[0, 0.2 * side, 0], axisangle=[1, 0, 0, 0.3 * side])
        leg = frame.add_body(name=f"leg{side}")
        leg.add_joint(name=f"hip{side}", axis=[0, 1, 0], range=[-1, 1], damping=[0.5, 0, 0] if m is ours else 0.5)
        leg.add_geom(thin, name=f"shin{side}", type=m.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0, 0, -0.5])
        leg.add_site(name=f"foot{side}", pos=[0, 0, -0.5], zaxis=[1, 1, 0])
        motor = spec.add_actuator(name=f"drive{side}", target=f"hip{side}", trntype=m.mjtTrn.mjTRN_JOINT)
        motor.set_to_position(kp=20, kv=2)
        spec.add_sensor(type=m.mjtSensor.mjSENS_JOINTPOS, objtype=m.mjtObj.mjOBJ_JOINT, objname=f"hip{side}")
    tendon = spec.add_tendon(name="rope", range=[0, 2], limited=True)
    tendon.wrap_site("foot-1")
    tendon.wrap_site("foot1")
    spec.add_equality(type=m.mjtEq.mjEQ_JOINT, objtype=m.mjtObj.mjOBJ_JOINT, name1="hip-1", name2="hip1",
                      data=[0, 1] + [0] * (len(spec.add_equality().data) - 2), active=False)
    spec.delete(spec.equalities[0])
    spec.add_exclude(bodyname1="leg-1", bodyname2="leg1")
    spec.add_pair(geomname1="shin-1", geomname2="shin1")
    spec.add_numeric(name="n", data=[1, 2, 3], size=4)
    spec.add_key(name="home", qpos=[0, 0, 2, 1, 0, 0, 0, 0.1, 0.2], ctrl=[0.3, 0.4])
    return spec


def build_assets(m):
    spec = m.MjSpec()
    mesh = spec.add_mesh(name="tet", uservert=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], scale=[1, 2, 1])
    assert len(mesh.uservert) == 12
    spec.add_hfield(name="h", nrow=2, ncol=3, size=[1, 1, 1, 0.1], userdata=[0, 0.1, 0.2, 0.3, 0.4, 1])
    spec.worldbody.add_geom(type=m.mjtGeom.mjGEOM_MESH, meshname="tet", pos=[0, 0, 1])
    spec.worldbody.add_geom(type=m.mjtGeom.mjGEOM_HFIELD, hfieldname="h")
    body = spec.worldbody.add_body(name="x", mass=2, ipos=[0, 0, 0.1], inertia=[1, 1, 1], userdata=[1, 2])
    body.add_joint(type=m.mjtJoint.mjJNT_SLIDE, name="slide", ref=0.5)
    spec.add_tuple(name="t", objtype=[int(m.mjtObj.mjOBJ_BODY)], objname=["x"], objprm=[3])
    return spec


def attach_frame(m):
    spec, child = m.MjSpec(), m.MjSpec.from_string(CHILD)
    spec.attach(child, prefix="p_", frame=spec.worldbody.add_frame(pos=[1, 2, 3], euler=[0, 0, 90]))
    child.geom("p_g").pos = [0, 0, 1]
    return spec


def attach_body_to_site(m):
    spec, child = m.MjSpec(), m.MjSpec.from_string(CHILD)
    arm = spec.worldbody.add_body(name="arm")
    arm.add_joint(name="first")
    arm.add_geom(size=[0.1, 0, 0])
    arm.add_site(name="hand", pos=[0, 0, 1], quat=[0, 1, 0, 0]).attach_body(child.body("b"), "p_", "_s")
    return spec


def attach_many(m):
    spec, child = m.MjSpec(), m.MjSpec.from_string(CHILD)
    spec.copy_during_attach = True
    for i in range(3):
        spec.worldbody.add_frame(pos=[i, 0, 0]).attach_body(child.body("b"), f"{i}_", "")
    return spec


def edit_and_delete(m):
    spec = build_robot(m)
    spec.delete(spec.body("leg1"))
    spec.body("leg-1").add_geom(size=[0.2, 0, 0], pos=[0, 0, -0.6])
    spec.body("base").first_geom().size = [0.4, 0.4, 0.1]
    return spec


def turn_into_frame(m):
    spec = build_robot(m)
    leg = spec.body("leg1")
    for joint in leg.joints:
        spec.delete(joint)
    for kind in ("actuators", "sensors", "keys", "equalities", "excludes"):
        for each in list(getattr(spec, kind)):
            if kind in ("keys", "equalities", "excludes") or each.name in ("drive1",) or getattr(each, "objname", "") == "hip1":
                spec.delete(each)
    leg.to_frame()
    return spec


PROGRAMS = (build_robot, build_assets, attach_frame, attach_body_to_site, attach_many, edit_and_delete, turn_into_frame)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_same_program_makes_the_same_model(program):
    made, wanted = program(ours).compile(), program(mujoco).compile()
    compared = 0
    for name in ARRAYS:
        a, b = getattr(made, name), getattr(wanted, name)
        assert a.shape == b.shape, name
        np.testing.assert_allclose(a, b, atol=1e-6 if name.startswith(("mesh", "geom_p", "geom_q")) else 1e-9, err_msg=name)
        compared += a.size > 0
    assert compared > 15
    assert [made.body(i).name for i in range(made.nbody)] == [wanted.body(i).name for i in range(wanted.nbody)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_mujoco_reads_what_is_written(program):
    spec = program(ours)
    text = spec.to_xml()
    made, wanted = mujoco.MjModel.from_xml_string(text), spec.compile()
    for name in ARRAYS:
        a, b = getattr(made, name), getattr(wanted, name)
        np.testing.assert_allclose(a, b, atol=1e-5 if name.startswith(("mesh", "geom_p", "geom_q")) else 1e-9, err_msg=name)


def test_the_page_runs():
    assert run_page("docs/mujoco.md")["model"].ngeom == 1


@pytest.mark.parametrize("path", sorted((ROOT / "models" / "features").glob("*.xml")), ids=lambda path: path.stem)
def test_a_file_compiles_to_the_same_model_through_elements(path):
    wanted = ours.MjModel.from_xml_path(str(path))
    made = ours.MjSpec.from_file(str(path)).compile()
    assert torsor.Model.to_bytes(made) == torsor.Model.to_bytes(wanted)


@pytest.mark.parametrize("path", sorted((ROOT / "models" / "features").glob("*.xml"))[::5], ids=lambda path: path.stem)
def test_a_file_is_written_as_a_model_that_is_equal(path):
    spec = ours.MjSpec.from_file(str(path))
    (wanted, text) = spec.compile(), spec.to_xml()
    made = torsor.Spec.from_xml_string(text, restrict=["/"])
    made._head["base_dir"] = str(path.parent)
    made = made.compile()
    for name in ("body_mass", "body_inertia", "geom_size", "geom_pos", "geom_quat", "jnt_range", "qpos0", "actuator_gainprm", "key_qpos"):
        np.testing.assert_allclose(getattr(made, name), getattr(wanted, name), atol=1e-9, err_msg=name)


def test_every_element_has_every_value_of_mujocos():
    """Against the table of MuJoCo 4.0's interface."""
    from torsor.mujoco import _names

    for owner, fields in _names.SPECS.items():
        if owner in ("MjSpec", "MjsAuthored"):
            continue
        for name in fields:
            assert hasattr(getattr(ours, owner), name), (owner, name)
    spec = ours.MjSpec()
    for name in _names.SPECS["MjSpec"]:
        assert hasattr(spec, name), name
    assert np.isnan(spec.worldbody.add_geom().fromto[0]) and spec.worldbody.first_geom().condim == 3


def test_values_that_the_engine_lacks_are_errors_when_compiled():
    spec = ours.MjSpec()
    flex = spec.add_flex(name="cloth", young=3.0)
    assert flex.young == 3
    with pytest.raises(NotImplementedError, match="flex"):
        spec.compile()


def test_bind_sees_the_numbers_of_elements():
    spec = build_robot(ours)
    model = spec.compile()
    data = ours.MjData(model)
    ours.mj_forward(model, data)
    hips = [spec.joint("hip-1"), spec.joint("hip1")]
    data.bind(hips).qpos = [0.1, 0.2]
    np.testing.assert_array_equal(data.qpos[-2:], [0.1, 0.2])
    assert model.bind(spec.body("base")).mass[0] == 3 and model.bind(hips).name == ["hip-1", "hip1"]
    np.testing.assert_array_equal(data.bind(spec.site("foot1")).xpos, data.site("foot1").xpos)
    spec.worldbody.add_geom(size=[1, 0, 0])
    with pytest.raises(ValueError, match="does not match"):
        model.bind(spec.body("base"))
    copied = pickle.loads(pickle.dumps(spec.compile()))
    assert copied.signature == spec.worldbody.signature


def test_recompiling_keeps_the_state():
    results = []
    for m in (ours, mujoco):
        spec = build_robot(m)
        model = spec.compile()
        data = m.MjData(model)
        data.qpos[:] = np.linspace(0, 1, model.nq)
        data.qvel[:] = np.linspace(2, 3, model.nv)
        data.ctrl[:] = 5, 6
        spec.delete(spec.body("leg-1"))
        new = spec.worldbody.add_body(pos=[1, 0, 0])
        new.add_freejoint()
        new.add_geom(size=[0.1, 0, 0])
        model, data = spec.recompile(model, data)
        results.append((data.qpos, data.qvel))
        if m is ours:  # MuJoCo 3.12 keeps the first control of the model before, that of a deleted actuator
            np.testing.assert_array_equal(data.ctrl, [6])
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(a, b)


def test_pixels_become_an_image_that_can_be_drawn():
    spec = ours.MjSpec()
    spec.add_texture(name="t", type=ours.mjtTexture.mjTEXTURE_2D, width=2, height=1, nchannel=3, data=bytes([255, 0, 0, 0, 255, 0]))
    spec.add_material(name="m").textures[ours.mjtTextureRole.mjTEXROLE_RGB] = "t"
    spec.worldbody.add_geom(type=ours.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1], material="m")
    model = spec.compile()
    assert model.nmat == 1 and model.mat_texid[0, ours.mjtTextureRole.mjTEXROLE_RGB] == 0


def test_archives_keep_models_and_files():
    cube = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    spec = ours.MjSpec.from_string("<mujoco><asset><mesh name='c' file='c.obj'/></asset><worldbody><geom type='mesh' mesh='c'/></worldbody>"
                                   "</mujoco>", assets={"c.obj": cube})
    file = io.BytesIO()
    ours.to_zip(spec, file)
    file.seek(0)
    again = ours.from_zip(file)
    assert again.compile().nmeshvert == 4 and again.assets["c.obj"] == cube


def test_deleted_elements_can_be_read_and_nothing_more():
    spec = ours.MjSpec()
    body = spec.worldbody.add_body(name="b")
    geom = body.add_geom(size=[1, 0, 0], name="g")
    spec.delete(body)
    gc.collect()
    assert body.name == "b" and geom.size[0] == 1 and geom.parent is None
    with pytest.raises(ValueError):
        body.add_geom()
    with pytest.raises(ValueError, match="not in this model"):
        spec.delete(geom)


HOSTILE = {
    "geom type": lambda s, b, g: setattr(g, "type", 77),
    "joint type": lambda s, b, g: b.add_joint(type=9),
    "sensor type": lambda s, b, g: s.add_sensor(type=999),
    "pixels": lambda s, b, g: s.add_texture(name="t", data=b"123", width=2, height=2, type=0),
    "transmission": lambda s, b, g: s.add_actuator(target="b", trntype=55),
    "actuator": lambda s, b, g: s.add_actuator(target="b", trntype=5, gaintype=88, dyntype=99, biastype=-1),
    "equality": lambda s, b, g: s.add_equality(type=44, objtype=99, name1="b"),
    "pair": lambda s, b, g: s.add_pair(condim=17, geomname1="a"),
    "sleep": lambda s, b, g: (setattr(b, "sleep", 99), b.add_freejoint()),
    "light": lambda s, b, g: b.add_light(type=55, mode=44),
    "light type": lambda s, b, g: b.add_light(type=55),
    "camera": lambda s, b, g: b.add_camera(mode=44, proj=9),
    "vertices": lambda s, b, g: s.add_mesh(name="m", uservert=[1, 2], userface=[9, 9, 9]),
    "faces": lambda s, b, g: (s.add_mesh(name="m", uservert=list(range(12)), userface=[9, 9, 900]), setattr(g, "type", 7),
                              setattr(g, "meshname", "m")),
    "rows": lambda s, b, g: s.add_hfield(name="h", nrow=-1, ncol=10**6, size=[1, 1, 1, 1]),
    "tuple": lambda s, b, g: s.add_tuple(name="t", objtype=[99], objname=["x"]),
    "numeric": lambda s, b, g: s.add_numeric(name="n", size=2**31 - 1),
    "keyframe": lambda s, b, g: s.add_key(qpos=[1, 2, 3]),
    "Euler": lambda s, b, g: (setattr(s.compiler, "eulerseq", "abc"), b.add_site(euler=[1, 2, 3])),
    "material": lambda s, b, g: setattr(g, "material", "none"),
    "condim": lambda s, b, g: setattr(g, "condim", 2),
    "frames": lambda s, b, g: (f := b.add_frame()).set_frame(f),
    "delay": lambda s, b, g: s.add_sensor(type=45, nsample=-3, interp=9, delay=1),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_values_are_errors_of_compiling(what):
    spec = ours.MjSpec()
    body = spec.worldbody.add_body(name="b")
    geom = body.add_geom(size=[1, 1, 1])
    HOSTILE[what](spec, body, geom)
    with pytest.raises(ValueError):
        spec.compile()
    assert spec.body("b") is body


TEXTURE_CLASSES = """<mujoco><compiler passthrough="textures"/>
  <default><texture rgb1="1 0 0"/>
    <default class="flat"><texture type="2d" builtin="flat" width="2" height="3"/>
      <default class="tall"><texture height="5" embed="true"/></default></default></default>
  <asset><texture name="a" class="flat"/><texture name="b" class="tall" rgb1="0 1 0"/><texture name="c" builtin="checker" width="4" height="4"/>
    <texture name="file" class="tall" builtin="none" file="a.png"/><texture name="byref" type="2d" file="a.png"/></asset></mujoco>"""


def textures_of(model):
    return [np.array(getattr(model, f"tex_{name}")).tolist() for name in ("type", "height", "width", "adr", "pathadr")] + [
        bytes(np.array(model.tex_data)), bytes(model.paths)]


def test_default_classes_of_textures_are_kept_in_xml():
    """What is read and written again is the same to both; a texture that resets a value of its class keeps it reset."""
    image = ours._spec_textures.make_png({"name": "", "width": 2, "height": 2, "nchannel": 3, "data": bytes(range(12))})
    files = {"a.png": image}
    expected = textures_of(mujoco.MjModel.from_xml_string(TEXTURE_CLASSES, files))
    assert textures_of(ours.MjModel.from_xml_string(TEXTURE_CLASSES, files)) == expected
    spec = ours.MjSpec.from_string(TEXTURE_CLASSES, assets=files)
    reference = mujoco.MjSpec.from_string(TEXTURE_CLASSES, assets=files)
    for each in (spec, reference):
        assert [each.find_default(name).texture.height for name in ("main", "flat", "tall")] == [0, 3, 5]
        assert [int(texture.embed) for texture in each.textures] == [2, 1, 2, 1, 2]
        each.add_texture(each.find_default("tall"), name="added", builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER, width=7, embed=2)
        each.texture("a").height = 0
        each.texture("a").builtin = 0  # as if it had no class
        each.texture("a").file = "a.png"
    written = spec.to_xml()
    assert written.count('class="tall"') == 4 and 'class="flat"' in written
    expected = textures_of(reference.compile())
    assert textures_of(spec.compile()) == expected
    assert textures_of(mujoco.MjModel.from_xml_string(written, files)) == expected
    assert textures_of(ours.MjModel.from_xml_string(written, files)) == expected


def test_a_class_of_the_librarys_spec_has_textures():
    spec = torsor.Spec.from_xml_string(TEXTURE_CLASSES.replace('file="a.png"', 'builtin="flat" width="1" height="1"').replace('builtin="none"', ""))
    assert spec.default_class("tall").texture.attributes["height"] == "5"
    again = torsor.Spec.from_xml_string(spec.to_xml())
    for name in ("a", "b", "c", "byref"):
        assert again.texture(name).attributes == spec.texture(name).attributes
    assert again.default_class("tall").texture.attributes == spec.default_class("tall").texture.attributes
