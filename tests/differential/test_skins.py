"""Skins: all their arrays equal MuJoCo's, from text and from files; nothing else of the model changes."""

import struct

import mujoco
import numpy as np
import pytest

import torsor

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


def test_a_spec_says_that_it_cannot_edit_skins():
    with pytest.raises(torsor.Error, match="skins cannot be edited"):
        torsor.Spec.from_xml_string(SCENES["two skins"]).world.add_body()


def test_skins_are_written():
    text = torsor.Spec.from_xml_string(SCENES["two skins"]).to_xml()
    assert_same_skins(torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(SCENES["two skins"]))
