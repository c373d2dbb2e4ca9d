"""Parts of torsor.mujoco that are data: scenes, settings of messages, contacts that are written in place, files of a model."""

import numpy
import pytest

from torsor import mujoco

BOX = """<mujoco>
  <asset><material name="red" rgba="1 0 0 0.5"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 .09"><freejoint/><geom name="box" type="box" size=".1 .1 .1" material="red"/><site name="top"/></body>
  </worldbody>
  <sensor><framepos objtype="site" objname="top"/><framelinvel objtype="site" objname="top"/>
    <framelinacc objtype="site" objname="top"/></sensor>
</mujoco>"""


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(BOX)


@pytest.fixture
def data(model):
    made = mujoco.MjData(model)
    mujoco.mj_forward(model, made)
    return made


def test_a_scene_lists_what_is_shown(model, data):
    scene, option = mujoco.MjvScene(model, maxgeom=2), mujoco.MjvOption()
    update = lambda: mujoco.mjv_updateScene(model, data, option, None, mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL, scene)
    update()
    assert scene.ngeom == 2 and scene.status == 1  # there was no room for the site
    box = scene.geoms[1]
    assert (box.type, box.objtype, box.objid) == (mujoco.mjtGeom.mjGEOM_BOX, mujoco.mjtObj.mjOBJ_GEOM, 1)
    numpy.testing.assert_allclose(box.pos, data.geom_xpos[1], atol=1e-7)
    numpy.testing.assert_allclose(box.rgba, [1, 0, 0, 0.5])
    assert box.transparent == 1 and box.category == mujoco.mjtCatBit.mjCAT_DYNAMIC
    option.geomgroup[:] = 0
    update()
    assert scene.ngeom == 1 and scene.status == 0


def test_arrays_of_contacts_are_written_in_place_and_safely(model, data):
    contact = data.contact[0]
    contact.pos[:2] = 5
    numpy.testing.assert_array_equal(data.contact[0].pos[:2], 5)
    pos = contact.pos
    data.qpos[2] = 5
    mujoco.mj_forward(model, data)
    assert data.ncon == 0
    with pytest.raises(IndexError, match="gone"):
        pos[0] = 1


def test_messages_go_where_the_settings_say(tmp_path):
    before = mujoco.MjLogConfig.get()
    config = mujoco.MjLogConfig.get()
    config.logto_console, config.logfile, config.topics = False, str(tmp_path / "log.txt"), 1 << 1
    config.set()
    try:
        mujoco.MjModel.from_xml_string(BOX)
    finally:
        before.set()
    assert "compile time" in (tmp_path / "log.txt").read_text()
    mujoco.MjModel.from_xml_string(BOX)
    assert (tmp_path / "log.txt").read_text().count("\n") == 1


def test_files_of_a_model_are_found_through_its_folders(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "all.xml").write_text("<mujoco><compiler meshdir='parts'/><include file='more.xml'/></mujoco>")
    (tmp_path / "more.xml").write_text("<mujoco><asset><mesh file='a.obj'/><texture file='t.png'/></asset></mujoco>")
    found = [name.removeprefix(f"{tmp_path}/") for name in mujoco.mju_getXMLDependencies(str(tmp_path / "all.xml"))]
    assert found == ["all.xml", "more.xml", "parts/a.obj", "t.png"]


def test_derivatives_of_sensors_by_inverse_dynamics(model, data):
    """The velocity of a site is that of its body, and its acceleration that of the dofs, whatever the method."""
    data.qvel[:3] = 0.3
    by_q, by_v, by_a = (numpy.zeros((model.nv, model.nsensordata)) for _ in range(3))
    by_mass = numpy.zeros((model.nv, model.nC))
    before = data.qpos.copy()
    mujoco.mjd_inverseFD(model, data, 1e-6, False, None, None, None, by_q, by_v, by_a, by_mass)
    numpy.testing.assert_array_equal(data.qpos, before)
    numpy.testing.assert_allclose(by_q[:3, :3], numpy.eye(3), atol=1e-6)
    numpy.testing.assert_allclose(by_v[:3, 3:6], numpy.eye(3), atol=1e-6)
    numpy.testing.assert_allclose(by_a[:3, 6:9], numpy.eye(3), atol=1e-6)
    assert not by_q[:3, 3:6].any() and not by_a[:, :6].any()


def test_quaternions_and_columns_of_elements(data):
    numpy.testing.assert_array_equal(data.body("box").xiquat, data.xiquat[1])
    numpy.testing.assert_array_equal(data.geom("box").xquat, data.geom_xquat[1])
    numpy.testing.assert_array_equal(data.site("top").xquat, data.site_xquat[0])
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint name='a'/><joint name='b' axis='1 0 0'/><geom size='1'/></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='b' coef='2'/></fixed></tendon></mujoco>")
    assert model.tendon("t").J_colind.tolist() == [1]


def test_whole_numbers_of_structs_stay_whole():
    camera = mujoco.MjvCamera()
    with pytest.raises(TypeError, match="fixedcamid"):
        camera.fixedcamid = 0.5
    assert camera.fixedcamid == -1


def test_data_with_threads_is_refused_by_rollouts(model, data):
    mujoco.mju_threadpool(data, 2)
    with pytest.raises(ValueError, match=r"data\[0\] has a thread pool"):
        mujoco.rollout.rollout(model, data, numpy.zeros((1, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))))
