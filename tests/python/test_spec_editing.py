"""Editing models through torsor.Spec: handles, default classes, frames, attachment, keyframes, state; and its page."""

import pathlib

import numpy as np
import pytest

import torsor
from page_blocks import run_page

ROOT = pathlib.Path(__file__).parents[2]
PAGE = "docs/editing.md"
FEATURES = sorted((ROOT / "models" / "features").glob("*.xml"))
CHILD = """<mujoco>
  <compiler angle="radian" eulerseq="zyx"/>
  <default><geom rgba="1 0 0 1"/><default class="thin"><geom size="0.02"/></default></default>
  <asset><material name="red" rgba="1 0 0 1"/></asset>
  <worldbody>
    <body name="part" euler="0.3 0.2 0.1">
      <joint name="hinge" range="-0.5 0.5" ref="0.1"/>
      <geom name="shape" class="thin" material="red"/>
      <site name="tip" pos="0 0 0.1"/>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
  <keyframe><key name="home" qpos="0.25" ctrl="0.5"/></keyframe>
</mujoco>"""


def test_the_page_runs():
    assert run_page(PAGE)


WITHOUT_SKINS = [path for path in FEATURES if path.stem != "skins"]  # elements do not hold them; test_skins.py


@pytest.mark.parametrize("path", WITHOUT_SKINS, ids=lambda path: path.stem)
def test_values_survive_the_way_through_elements(path):
    spec = torsor.Spec.from_xml_path(path)
    text = spec.to_xml()
    assert spec._library is not None
    assert spec.bodies  # makes the elements
    assert spec._library is None and spec.to_xml() == text


def test_every_field_of_the_structs_is_listed():
    header = (ROOT / "torsor/model/spec.hpp").read_text()
    listed = (ROOT / "python/src/spec_fields.hpp").read_text()
    for name in ("GeomSpec", "JointSpec", "SiteSpec", "TendonSpec", "ActuatorSpec", "SensorSpec", "EqualitySpec", "MeshSpec", "PairSpec",
                 "CameraSpec", "LightSpec", "MaterialSpec", "CompilerSpec", "SizeSpec", "KeySpec", "FrameSpec",
                 "InertialSpec"):
        body = header.split(f"struct {name} ")[1].split("\n};")[0].split("{", 1)[1]
        body = body.split("struct {")[0] + body.partition("} from_file")[1].replace("} from_file", "int from_file;")
        for line in body.split("\n"):
            code = line.split("//")[0].strip()
            if not code.endswith((";", ",")) or code.startswith(("bool vertex", "enum")):
                continue
            for part in _declared(code):
                assert f"ROW({name}, {part})" in listed, (name, part)


def _declared(code):
    """Names that a line of a struct declares."""
    depth, text = 0, ""
    for letter in code:
        depth += letter in "{<("
        text += letter if depth == 0 else ""
        depth -= letter in "}>)"
    for part in text.rstrip(";,").split(","):
        name = part.split("=")[0].split()
        if name:
            yield name[-1]


def test_handles_stay_valid_while_the_model_changes():
    spec = torsor.Spec.from_xml_string(CHILD)
    shape = spec.geom("shape")
    first = spec.world.add_body(name="first")
    spec.world._parts["body"].reverse()  # another order
    shape.size[0] = 0.3
    shape.name = "ball"
    assert spec.geom("ball") is shape and spec.find("geom", "shape") is None and shape.parent.name == "part"
    model = spec.compile()
    assert model.geom("ball").size[0] == 0.3 and model.body("first").id == 1
    spec.delete(first)
    assert spec.compile().body("part").id == 1 and first.parent is None and first.name == "first"


def test_a_deleted_body_takes_along_what_refers_to_it():
    spec = torsor.Spec.from_xml_string(CHILD)
    spec.delete(spec.body("part"))
    model = spec.compile()
    assert (model.nbody, model.nu, model.nsensor, model.ngeom) == (1, 0, 0, 0)
    with pytest.raises(torsor.Error, match="not in this model"):
        spec.delete(spec.world.add_frame().add_body()) or spec.delete(torsor.Spec().world.add_geom(size=1))


def test_an_element_copies_its_class_when_it_is_added():
    spec = torsor.Spec()
    spec.default_class().geom.density = 200
    before = spec.world.add_geom(size=0.1)
    spec.default_class().geom.density = 300
    inner = spec.add_default_class("inner")
    inner.joint.damping = 2
    body = spec.world.add_body(childclass="inner")
    assert before.density == 200 and body.add_geom(size=0.1).density == 300
    assert body.add_frame().add_joint().damping[0] == 2
    text = spec.to_xml()
    assert 'class="inner"' in text
    assert torsor.Spec.from_xml_string(text).compile().dof_damping[0] == 2


def test_an_attached_model_moves_as_it_did_alone():
    alone = torsor.Spec.from_xml_string(CHILD).compile()
    spec = torsor.Spec.from_xml_string("<mujoco><worldbody><frame name='mount' pos='1 2 3'/></worldbody></mujoco>")
    child = torsor.Spec.from_xml_string(CHILD)
    part = child.body("part")
    spec.attach(child, prefix="a/", frame="mount")
    assert spec.body("a/part") is part and part.geoms[0].material == "a/red" and part.geoms[0].default_class.name == "a/thin"
    model = spec.compile()
    np.testing.assert_allclose(model.body_quat[1], alone.body_quat[1], atol=1e-15)
    np.testing.assert_allclose(model.jnt_range, alone.jnt_range, atol=1e-15)
    np.testing.assert_allclose(model.qpos0, alone.qpos0, atol=1e-15)
    np.testing.assert_allclose(model.body_pos[1], [1, 2, 3])
    np.testing.assert_allclose(model.key("a/home").qpos, [0.25])
    np.testing.assert_allclose(model.key("a/home").ctrl, [0.5])
    again = torsor.Model.from_xml_string(spec.to_xml())
    np.testing.assert_allclose(again.body_quat, model.body_quat, atol=1e-15)
    with pytest.raises(torsor.Error, match="attached"):
        child.compile()


def test_copies_can_be_attached_many_times():
    spec, child = torsor.Spec(), torsor.Spec.from_xml_string(CHILD)
    for i in range(3):
        spec.attach(child, prefix=f"{i}/", frame=spec.world.add_frame(pos=[i, 0, 0]), copy=True)
    model = spec.compile()
    assert (model.nbody, model.nu, model.nkey) == (4, 3, 3)
    np.testing.assert_array_equal(model.body_pos[1:, 0], [0, 1, 2])
    assert child.compile().nbody == 2  # still a model of its own


def test_a_refused_attachment_changes_nothing():
    spec, child = torsor.Spec.from_xml_string(CHILD), torsor.Spec.from_xml_string(CHILD)
    before = spec.to_xml()
    with pytest.raises(torsor.Error, match="repeated name"):
        spec.attach(child)
    assert spec.to_xml() == before and child.compile().nbody == 2


def test_keyframes_follow_the_joints_that_are_left():
    spec = torsor.Spec.from_xml_string("""<mujoco><worldbody>
      <body name="a"><joint/><geom size="0.1"/></body><body name="b"><joint type="ball"/><geom size="0.1"/></body>
      <body name="c"><joint/><geom size="0.1"/></body></worldbody>
      <keyframe><key qpos="1 0 1 0 0 3" qvel="4 5 6 7 8"/></keyframe></mujoco>""")
    spec.delete(spec.body("a"))
    model = spec.compile()
    np.testing.assert_array_equal(model.key_qpos[0], [0, 1, 0, 0, 3])
    np.testing.assert_array_equal(model.key_qvel[0], [5, 6, 7, 8])


def test_recompiling_keeps_the_state_of_every_joint():
    spec = torsor.Spec.from_xml_string(CHILD)
    model = spec.compile()
    data = torsor.Data(model)
    data.qpos[:], data.qvel[:], data.ctrl[:], data.time = 0.4, -2, 0.7, 3
    new = spec.world.add_body(name="new")
    new.add_joint(type="ball")
    new.add_geom(size=0.1)
    spec.world._parts["body"].reverse()
    model, data = spec.recompile(model, data)
    assert model.nq == 5 and data.time == 3
    np.testing.assert_array_equal(data.qpos, [1, 0, 0, 0, 0.4])
    np.testing.assert_array_equal(data.qvel, [0, 0, 0, -2])
    np.testing.assert_array_equal(data.ctrl, [0.7])


def test_copies_are_independent():
    spec = torsor.Spec.from_xml_string(CHILD)
    copy = spec.copy()
    copy.geom("shape").size[0] = 1
    copy.option.timestep = 0.5
    copy.default_class("thin").geom.size[0] = 2
    assert spec.geom("shape").size[0] == 0.02 and spec.option.timestep == 0.002
    assert spec.default_class("thin").geom.size[0] == 0.02
    assert spec.copy().to_xml() == spec.to_xml()


def test_wrong_values_are_errors_that_lose_nothing():
    spec = torsor.Spec.from_xml_string(CHILD)
    before = spec.to_xml()
    geom = spec.geom("shape")
    for wrong in (lambda: geom._assign({"sise": 1}), lambda: setattr(geom, "size", [1, 2, 3, 4]), lambda: setattr(geom, "pos", "here"),
                  lambda: setattr(geom, "type", "cube"), lambda: spec.world.add_geom(size=[]), lambda: spec.world.add_body(name="part"),
                  lambda: setattr(geom, "condim", 1.5), lambda: spec.world.add_geom(default_class="none"),
                  lambda: setattr(geom, "name", 7), lambda: spec.body("nobody"), lambda: spec.delete("part"),
                  lambda: setattr(spec.joint("hinge"), "limited", "maybe"), lambda: spec.delete(spec.world)):
        with pytest.raises(torsor.Error):
            wrong()
    assert spec.to_xml() == before
    with pytest.raises(torsor.Error, match="did you mean 'size'"):
        spec.world.add_geom(sise=1)


def test_errors_of_compiling_name_the_line_that_added_the_element():
    spec = torsor.Spec()
    spec.world.add_geom(type="box", size=[1, 0, 1], name="flat")  # this line
    line = next(number for number, text in enumerate(pathlib.Path(__file__).read_text().split("\n"), 1) if text.endswith("# this line"))
    with pytest.raises(torsor.Error, match=f"test_spec_editing.py:{line}"):
        spec.compile()


def test_an_update_names_the_keys_that_nkey_alone_asks_for():
    spec = torsor.Spec.from_xml_string("""<mujoco><size nkey="3"/><worldbody><body name="b"><freejoint/><geom size="0.1"/></body></worldbody>
      <keyframe><key name="up" qpos="0 0 1 1 0 0 0"/></keyframe></mujoco>""")
    model = spec.compile()
    model.body_mass[1] = 7
    spec.update(model)
    assert len(spec.keys) == 3 and spec.keys[0].name == "up"
    again = spec.compile()
    assert again.nkey == 3 and again.body_mass[1] == 7
    assert (again.key_qpos == model.key_qpos).all()


def test_updates_reach_the_elements():
    spec = torsor.Spec.from_xml_string(CHILD)
    shape, model = spec.geom("shape"), spec.compile()
    model.geom("shape").size[0] = 0.5
    model.jnt_range[0] = [-1, 1]
    spec.update(model)
    assert spec.geom("shape") is shape and shape.size[0] == 0.5
    np.testing.assert_allclose(spec.joint("hinge").range, [-1, 1], atol=1e-15)


def test_archives_hold_the_assets(tmp_path):
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "part.obj").write_bytes(mesh)
    (tmp_path / "robot.xml").write_text("<mujoco><compiler meshdir='parts'/><asset><mesh name='m' file='part.obj'/></asset><worldbody>"
                                        "<geom type='mesh' mesh='m'/></worldbody></mujoco>")
    spec = torsor.Spec.from_xml_path(tmp_path / "robot.xml")
    spec.save(tmp_path / "robot.zip")
    (tmp_path / "parts" / "part.obj").unlink()
    assert torsor.Spec.from_zip(tmp_path / "robot.zip").compile().nmeshvert == 4
    with pytest.raises(torsor.Error, match="cannot read"):
        torsor.Spec.from_zip(tmp_path / "robot.xml")


# why no Spec is made of these models
REFUSED: dict[str, str] = {"skins": "skin_"}


@pytest.mark.parametrize("path", FEATURES, ids=lambda path: path.stem)
def test_a_model_alone_becomes_a_spec_that_compiles_to_it(path):
    """from_model() itself compares every array and raises if one differs."""
    model = torsor.Model.from_xml_path(path)
    alone = torsor.Model.from_bytes(model.to_bytes())
    if path.stem in REFUSED:
        with pytest.raises(torsor.Error, match=REFUSED[path.stem]):
            torsor.Spec.from_model(alone)
        return
    made = torsor.Model.from_xml_string(torsor.Spec.from_model(alone).to_xml())
    np.testing.assert_allclose(made.body_mass, model.body_mass, rtol=1e-12)
    np.testing.assert_allclose(made.qpos0, model.qpos0, atol=1e-12)
