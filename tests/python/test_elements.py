"""model.body("arm") and its kind: the values of one element, under the names and shapes that MuJoCo gives them."""

import mujoco
import numpy as np
import pytest

import torsor
from example_models import ZOO

NAMED = {"body": "arm", "joint": "float", "jnt": "socket", "geom": "box", "site": "mark", "camera": "eye", "cam": "eye",
         "light": "lamp", "mesh": "tetra", "hfield": "hills", "material": "red", "mat": "red", "numeric": "numbers",
         "tuple": "pair", "key": "first", "keyframe": "second"}
# Where MuJoCo shows another field under the name, or one that Torsor does not have.
DIFFERENT = {("mesh", "graphadr"), ("joint", "bodyid"), ("jnt", "bodyid")}


def public(element):
    return {name for name in dir(element) if not name.startswith("_")}


@pytest.fixture
def judge():
    return mujoco.MjModel.from_xml_string(ZOO)


@pytest.mark.parametrize("kind", NAMED)
def test_elements_of_a_model_show_what_mujoco_shows(zoo, judge, kind):
    ours, theirs = getattr(zoo, kind)(NAMED[kind]), getattr(judge, kind)(NAMED[kind])
    for name in public(theirs):
        if (kind, name) in DIFFERENT:
            continue
        ours_value, theirs_value = getattr(ours, name), getattr(theirs, name)
        assert np.shape(ours_value) == np.shape(theirs_value), name
        if name in ("id", "name"):
            assert ours_value == theirs_value


@pytest.mark.parametrize("kind", ["body", "joint", "jnt", "geom", "site", "camera", "cam", "light"])
def test_elements_of_data_show_what_mujoco_shows(zoo, zoo_data, judge, kind):
    ours, theirs = getattr(zoo_data, kind)(NAMED[kind]), getattr(mujoco.MjData(judge), kind)(NAMED[kind])
    for name in public(theirs):
        assert np.shape(getattr(ours, name)) == np.shape(getattr(theirs, name)), name


def test_values_are_views_of_the_whole_array(zoo, zoo_data):
    zoo.body("arm").mass = 2.5
    zoo.geom("box").size[0] = 0.7
    assert zoo.body_mass[2] == 2.5
    assert zoo.geom_size[zoo.geom("box").id, 0] == 0.7
    zoo_data.joint("socket").qvel = [1, 2, 3]
    zoo_data.joint("float").qpos[2] = 9
    assert zoo_data.qvel[6:9].tolist() == [1, 2, 3]
    assert zoo_data.qpos[2] == 9
    assert np.array_equal(zoo_data.body("arm").xpos, zoo_data.xpos[2])


def test_structural_values_cannot_be_set(zoo):
    with pytest.raises(AttributeError):
        zoo.body("arm").parentid = 0
    with pytest.raises(ValueError, match="read-only"):
        zoo.body("arm").parentid[0] = 0


def test_custom_data_has_its_own_shape(zoo):
    assert zoo.numeric("numbers").data.tolist() == [1, 2, 3]
    assert zoo.numeric("single").data.tolist() == [4]
    assert zoo.text("words").data == "hello there"
    assert zoo.tuple("pair").objid.tolist() == [zoo.body("ball").id, zoo.geom("box").id]
    assert zoo.hfield("hills").data.shape == (2, 3)
    assert zoo.mesh("tetra").vert.shape == (4, 3)


def test_every_element_is_found_by_index_and_by_name(zoo, zoo_data):
    for index in range(zoo.nbody):
        assert zoo.body(index).id == zoo.body(zoo.body(index).name).id == index
        assert zoo_data.body(index).name == zoo.body(index).name
    assert zoo.geom(np.int32(1)).id == 1


def test_unknown_elements_are_errors_with_the_nearest_name(zoo, zoo_data):
    with pytest.raises(KeyError, match="no body is called 'amr'.*did you mean 'arm'"):
        zoo.body("amr")
    with pytest.raises(KeyError, match="no joint is called 'xyzzy'"):
        zoo_data.joint("xyzzy")
    for index in (-1, zoo.nbody):
        with pytest.raises(IndexError, match=f"body {index} does not exist: the model has {zoo.nbody}"):
            zoo.body(index)
        with pytest.raises(IndexError):
            zoo_data.body(index)


def test_an_element_describes_itself(zoo):
    text = repr(zoo.body("arm"))
    assert text.startswith("<ModelBody 2 'arm'") and "mass: array(" in text
