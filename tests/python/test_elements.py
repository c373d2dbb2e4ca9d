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


@pytest.mark.parametrize("kind, name", [("body", "xiquat"), ("geom", "xquat"), ("site", "xquat")])
def test_orientations_of_elements_equal_mujocos(zoo, judge, kind, name):
    ours, theirs = torsor.Data(zoo), mujoco.MjData(judge)
    torsor.forward(zoo, ours), mujoco.mj_forward(judge, theirs)
    mine, wanted = (getattr(getattr(data, kind)(NAMED[kind]), name) for data in (ours, theirs))
    np.testing.assert_allclose(mine, wanted, rtol=0, atol=1e-12)


DRIVEN = """
<mujoco>
  <worldbody>
    <body name="upper"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.2 0 0"/><site name="tip"/>
      <body name="lower" pos="0.4 0 0"><joint name="slide" type="slide"/><geom size="0.1"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="cord"><joint joint="hinge" coef="2"/><joint joint="slide" coef="-1"/></fixed></tendon>
  <actuator>
    <motor name="motor" joint="hinge" gear="3" ctrlrange="-1 1"/>
    <intvelocity name="servo" joint="slide" actrange="-1 1"/>
    <general name="pull" tendon="cord" dyntype="filter" dynprm="0.1"/>
  </actuator>
  <sensor><jointpos name="angle" joint="hinge"/><accelerometer name="shake" site="tip"/></sensor>
  <equality><joint name="couple" joint1="hinge" joint2="slide"/></equality>
  <contact><exclude name="apart" body1="upper" body2="lower"/></contact>
</mujoco>"""
DRIVEN_NAMES = {"actuator": ("motor", "servo", "pull"), "sensor": ("angle", "shake"), "tendon": ("cord",),
                "equality": ("couple",), "exclude": ("apart",), "site": ("tip",)}


@pytest.mark.parametrize("kind", DRIVEN_NAMES)
def test_actuators_and_what_belongs_to_them_show_what_mujoco_shows(kind):
    ours, theirs = torsor.Model.from_xml_string(DRIVEN), mujoco.MjModel.from_xml_string(DRIVEN)
    pairs = [(getattr(ours, kind)(name), getattr(theirs, kind)(name)) for name in DRIVEN_NAMES[kind]]
    if kind in ("actuator", "sensor", "tendon", "site"):
        our_data, their_data = torsor.Data(ours), mujoco.MjData(theirs)
        for data in (our_data, their_data):
            data.qpos[:], data.qvel[:], data.ctrl[:] = [0.3, 0.1], [1, 2], [0.5, 0.2, 0.1]
        torsor.step(ours, our_data), mujoco.mj_step(theirs, their_data)
        pairs += [(getattr(our_data, kind)(name), getattr(their_data, kind)(name)) for name in DRIVEN_NAMES[kind]]
    for mine, judged in pairs:
        for name in public(judged) - {"id", "name", "J", "J_rowadr", "J_colind", "J_rownnz", "moment"}:
            np.testing.assert_allclose(getattr(mine, name), getattr(judged, name), atol=1e-12, err_msg=name)
        assert (mine.id, mine.name) == (judged.id, judged.name)


def test_the_moment_of_an_actuator_gives_its_velocity():
    """MuJoCo shows numbers of its compressed rows here, which belong to other actuators."""
    model = torsor.Model.from_xml_string(DRIVEN)
    data = torsor.Data(model)
    data.qvel = [1, 2]
    torsor.forward(model, data)
    for name in DRIVEN_NAMES["actuator"]:
        actuator = data.actuator(name)
        assert actuator.moment.shape == (2,) and actuator.moment @ data.qvel == pytest.approx(actuator.velocity[0])


def test_values_of_actuators_are_views():
    model = torsor.Model.from_xml_string(DRIVEN)
    data = torsor.Data(model)
    data.actuator("servo").ctrl = 0.7
    data.actuator("servo").act[0] = 0.2
    model.actuator("motor").ctrlrange = [-2, 2]
    assert data.ctrl.tolist() == [0, 0.7, 0] and data.act[0] == 0.2 and model.actuator_ctrlrange[0].tolist() == [-2, 2]
    assert data.actuator("motor").act.shape == (0,) and data.actuator("pull").act.shape == (1,)
    with pytest.raises(KeyError, match="no actuator is called 'moter' .did you mean 'motor'"):
        data.actuator("moter")


def test_names_work_wherever_an_index_does(zoo, zoo_data):
    torsor.reset_data_keyframe(zoo, zoo_data, "first")
    assert zoo_data.time == 1.5
    with pytest.raises(KeyError, match="no keyframe is called 'frist' .did you mean 'first'"):
        torsor.reset_data_keyframe(zoo, zoo_data, "frist")
    with pytest.raises(IndexError, match="keyframe 2 does not exist: the model has 2"):
        torsor.reset_data_keyframe(zoo, zoo_data, 2)
    with pytest.raises(IndexError, match="keyframe"):
        torsor.reset_data_keyframe(zoo, zoo_data, 2**70)
    torsor.set_keyframe(zoo, zoo_data, "second")
    assert zoo.key("second").time == 1.5
    torsor.forward(zoo, zoo_data)
    body, geom, site = zoo.body("arm").id, zoo.geom("box").id, zoo.site("mark").id
    for by_name, by_index in (
            (torsor.jac_body(zoo, zoo_data, "arm"), torsor.jac_body(zoo, zoo_data, body)),
            (torsor.jac_geom(zoo, zoo_data, "box"), torsor.jac_geom(zoo, zoo_data, geom)),
            (torsor.jac_site(zoo, zoo_data, "mark"), torsor.jac_site(zoo, zoo_data, site)),
            (torsor.jac(zoo, zoo_data, [1, 2, 3], "arm"), torsor.jac(zoo, zoo_data, [1, 2, 3], body)),
            ([torsor.jac_subtree_com(zoo, zoo_data, "arm")], [torsor.jac_subtree_com(zoo, zoo_data, body)]),
            ([torsor.object_velocity(zoo, zoo_data, torsor.ObjectType.GEOM, "box")],
             [torsor.object_velocity(zoo, zoo_data, torsor.ObjectType.GEOM, geom)]),
            ([torsor.apply_ft(zoo, zoo_data, [1, 0, 0], [0, 0, 0], [0, 0, 0], "arm")],
             [torsor.apply_ft(zoo, zoo_data, [1, 0, 0], [0, 0, 0], [0, 0, 0], body)]),
            (torsor.geom_distance(zoo, zoo_data, "round", "knob", 9.0)[1:],
             torsor.geom_distance(zoo, zoo_data, zoo.geom("round").id, zoo.geom("knob").id, 9.0)[1:])):
        assert all(np.array_equal(a, b) for a, b in zip(by_name, by_index, strict=True))
    with pytest.raises(KeyError, match="no body is called 'amr' .did you mean 'arm'"):
        torsor.jac_body(zoo, zoo_data, "amr")
    with pytest.raises(TypeError):
        torsor.jac_body(zoo, zoo_data, 1.5)


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
