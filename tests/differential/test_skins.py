"""Skins: all their arrays equal MuJoCo's, from text and from files; nothing else of the model changes."""

import struct

import mujoco
import numpy as np
import pytest

import torsor
import torsor.mujoco

SKIN = """<skin name='s' material='m' vertex='0 0 0 1 0 0 0 1 0 1 1 1' texcoord='0 0 1 0 0 1 1 1' face='0 1 2 1 2 3'
inflate='.1' rgba='1 0 0 1' group='2'><bone body='a' bindpos='1 2 3' bindquat='2 0 0 0' vertid='0 1 2' vertweight='1 1 2'/>
<bone body='b' bindpos='0 0 0' bindquat='1 1 0 0' vertid='2 3' vertweight='2 4'/></skin>"""
OTHER = SKIN.replace("name='s'", "name='t'").replace("texcoord='0 0 1 0 0 1 1 1'", "").replace("material='m'", "")
SCENE = """<mujoco>{}<asset><material name='m'/>{}</asset><worldbody><body name='a'><joint/><geom size='1'/></body><body name='b'
pos='1 0 0'><joint/><geom size='1'/></body></worldbody><deformable>{}</deformable></mujoco>"""
SCENES = {
    "two skins": SCENE.format("", "", SKIN + OTHER),
    "as an asset": SCENE.format("", SKIN, ""),
    "without materials": SCENE.format("<compiler discardvisual='true'/>", "", SKIN),
    "a static bone that is kept": SCENE.format("<compiler fusestatic='true'/>", "", SKIN).replace("pos='1 0 0'><joint/>", "pos='1 0 0'>"),
    "scaled": SCENE.format("", "", SKIN).replace("<worldbody>", "<worldbody><frame scale='2'>").replace(
        "</worldbody>", "</frame></worldbody>"),
}


def skin_arrays(model):
    names = [name for name in dir(mujoco.MjModel) if name.startswith(("skin_", "nskin")) and name not in ("skin_pathadr",)]
    assert len(names) == 27
    return {name: np.array(getattr(model, name)) for name in names}


def assert_same_skins(ours, theirs):
    found, wanted = skin_arrays(ours), skin_arrays(theirs)
    assert wanted["nskin"] > 0 and ours.nbody == theirs.nbody
    for name, numbers in wanted.items():
        np.testing.assert_allclose(found[name].reshape(-1), numbers.reshape(-1), rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("title", SCENES)
def test_skins_compile_to_the_same_arrays(title):
    text = SCENES[title]
    ours, theirs = torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    assert_same_skins(ours, theirs)


def skin_file():
    data = struct.pack("<4i", 3, 3, 1, 1) + np.arange(9, dtype="<f4").tobytes() + np.arange(6, dtype="<f4").tobytes()
    data += struct.pack("<3i", 0, 1, 2) + b"a".ljust(40, b"\0") + np.array([1, 2, 3, 1, 0, 0, 0], "<f4").tobytes()
    return data + struct.pack("<i", 3) + struct.pack("<3i", 0, 1, 2) + np.array([1, 2, 3], "<f4").tobytes()


def test_skins_are_read_from_files():
    text, data = SCENE.format("", "", "<skin name='f' file='a.skn'/>"), skin_file()
    assert_same_skins(torsor.Model.from_xml_string(text, {"a.skn": data}), mujoco.MjModel.from_xml_string(text, {"a.skn": data}))
    for wrong in (data[:-1], data + b"\0", struct.pack("<4i", 2**31 - 1, 0, 0, 0), struct.pack("<4i", -1, 0, 0, 0)):
        for module in (torsor.Model, mujoco.MjModel):
            with pytest.raises((torsor.Error, ValueError)):
                module.from_xml_string(text, {"a.skn": wrong})


WRONG = (("vertid='2 3'", "vertid='2'"), ("vertid='2 3' vertweight='2 4'", "vertid='2' vertweight='2'"), ("vertid='2 3'", "vertid='2 9'"),
         ("vertid='2 3'", "vertid='-1 3'"), ("body='b' bindpos", "body='z' bindpos"), ("0 1 2 1 2 3", "0 1 2 1 2 9"),
         ("face='0 1 2 1 2 3'", ""), ("face='0 1 2 1 2 3'", "face='0 1'"), ("texcoord='0 0 1 0 0 1 1 1'", "texcoord='0 0'"),
         ("vertex='0 0 0 1 0 0 0 1 0 1 1 1'", "vertex='0 0'"), ("material='m'", "material='q'"), ("'2 4'", "'2 -4'"),
         ("bindquat='1 1 0 0'", ""), ("vertid='0 1 2' vertweight='1 1 2'", ""))


@pytest.mark.parametrize("change", WRONG)
def test_both_engines_refuse_wrong_skins(change):
    text = SCENE.format("", "", SKIN)
    assert change[0] in text
    for module in (torsor.Model, mujoco.MjModel):
        module.from_xml_string(text)
        with pytest.raises((torsor.Error, ValueError)):
            module.from_xml_string(text.replace(*change))


def test_a_binary_model_keeps_skins(tmp_path):
    model = torsor.Model.from_xml_string(SCENES["two skins"])
    model.save_binary(tmp_path / "m.bin")
    again = torsor.Model.from_binary_path(tmp_path / "m.bin")
    for name, numbers in skin_arrays(model).items():
        np.testing.assert_array_equal(skin_arrays(again)[name], numbers, err_msg=name)


MODULES = (torsor.mujoco, mujoco)


def names_of(spec):
    return [(skin.name, skin.material, list(skin.bodyname)) for skin in spec.skins]


def attached(module):
    parent, child = module.MjSpec(), module.MjSpec.from_string(SCENES["two skins"])
    parent.attach(child, prefix="x/", frame=parent.worldbody.add_frame(pos=[1, 2, 3]))
    return parent


def test_specs_with_skins_are_edited_as_mujocos_are():
    ours, theirs = (module.MjSpec.from_string(SCENES["two skins"]) for module in MODULES)
    for spec in (ours, theirs):
        spec.worldbody.add_body(name="c").add_geom(size=[1, 0, 0])
        skin = spec.skins[0]
        skin.inflate, skin.group, skin.rgba = 0.3, 1, [0, 1, 0, 1]
        skin.bodyname = ["c", "b"]
        skin.vert = np.arange(12)
        skin.bindpos = np.arange(6)
        skin.vertweight = [[1, 2, 3], [4, 5]]
    assert_same_skins(ours.compile(), theirs.compile())
    assert names_of(ours) == names_of(theirs)
    assert_same_skins(torsor.mujoco.MjModel.from_xml_string(ours.to_xml()), theirs.compile())


def test_attached_models_keep_their_skins():
    ours, theirs = (attached(module) for module in MODULES)
    assert names_of(ours) == names_of(theirs) and len(names_of(ours)) == 2
    assert_same_skins(ours.compile(), theirs.compile())


def test_a_skin_is_deleted_with_a_body_of_its_bones():
    for module in MODULES:
        spec = module.MjSpec.from_string(SCENES["two skins"])
        spec.delete(spec.body("b"))
        assert not spec.skins and spec.compile().nskin == 0


def test_skins_of_a_spec():
    spec = torsor.Spec.from_xml_string(SCENES["two skins"])
    spec.world.add_body(name="c").add_geom(size=1)
    assert [skin.name for skin in spec.skins] == ["s", "t"]
    theirs = mujoco.MjModel.from_xml_string(SCENES["two skins"])
    model = spec.compile()
    found, wanted = skin_arrays(model), skin_arrays(theirs)
    for name, numbers in wanted.items():
        np.testing.assert_allclose(found[name].reshape(-1), numbers.reshape(-1), rtol=1e-6, err_msg=name)
    spec.skin("t").bones = [("c", [0, 0, 0], [1, 0, 0, 0], [0, 1, 2, 3], [1, 1, 1, 1])]
    assert spec.compile().skin_bonenum.tolist() == [2, 1]
    outer = torsor.Spec()
    outer.attach(spec, prefix="x/")
    assert outer.skin("x/t").bones[0][0] == "x/c" and outer.compile().nskin == 2
    outer.delete(outer.body("x/c"))
    assert [skin.name for skin in outer.skins] == ["x/s"]


def test_skins_are_written():
    text = torsor.Spec.from_xml_string(SCENES["two skins"]).to_xml()
    assert_same_skins(torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(SCENES["two skins"]))
