"""Edits of the model wake the sleeping trees that MuJoCo's would wake, and no others."""

import mujoco
import numpy as np
import pytest

import torsor

TEXT = """<mujoco><option timestep="0.005" jacobian="dense" {option}><flag sleep="enable"/></option>
  <worldbody><geom type="plane" size="5 5 1"/>
    <body name="post" pos="2 0 0"><geom size=".1"/>
      <body name="bob" pos="0 0 .5"><joint damping="5" axis="0 1 0"/><geom size=".1" pos="0 0 -.2"/></body></body>
    <body name="base" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/>
      <body name="top" pos="0 0 .15"><joint name="h" axis="0 0 1" damping="1"/><geom name="g" type="box" size=".05 .05 .05"/><site name="s"/></body></body>
    <body name="other" pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody></mujoco>"""


def put(array, index, value):
    array[index] = value


EDITS = {
    "nothing": lambda m: None,
    "body_pos of a child": lambda m: put(m.body("top").pos, 2, 0.2),
    "body_pos by one bit": lambda m: put(m.body("top").pos, 2, np.nextafter(0.15, 1)),
    "body_quat of a child": lambda m: put(m.body("top").quat, slice(0, 4), [0.8, 0.6, 0, 0]),
    "body_pos of a free body": lambda m: put(m.body("base").pos, 2, 0.5),
    "body_pos on a static body": lambda m: put(m.body("bob").pos, 0, 0.5),
    "body_pos of a static body": lambda m: put(m.body("post").pos, 0, 2.5),
    "jnt_pos": lambda m: put(m.joint("h").pos, 0, 0.5),
    "jnt_axis": lambda m: put(m.joint("h").axis, slice(0, 3), [1, 0, 0]),
    "qpos0": lambda m: put(m.qpos0, 8, 0.3),
    "body_ipos": lambda m: put(m.body("top").ipos, 0, 0.3),
    "geom_pos": lambda m: put(m.geom("g").pos, 0, 0.3),
    "site_pos": lambda m: put(m.site("s").pos, 0, 0.3),
    "mass": lambda m: put(m.body_mass, 3, 5),
    "gravity": lambda m: put(m.opt.gravity, 0, 5),
}
WAKES = {"body_pos of a child", "body_pos by one bit", "body_quat of a child", "body_pos on a static body", "jnt_pos", "jnt_axis", "qpos0"}


def asleep(load, make, step):
    model = load(TEXT.format(option=""))
    data = make(model)
    for _ in range(400):
        step(model, data)
        if (np.asarray(data.tree_asleep) >= 0).all():
            return model, data
    raise AssertionError("nothing fell asleep")


@pytest.mark.parametrize("edit", EDITS)
def test_edits_wake_as_in_mujoco(edit):
    theirs_model, theirs = asleep(mujoco.MjModel.from_xml_string, mujoco.MjData, mujoco.mj_step)
    model, data = asleep(torsor.Model.from_xml_string, torsor.Data, torsor.step)
    for each in (theirs_model, model):
        EDITS[edit](each)
    for _ in range(3):
        mujoco.mj_step(theirs_model, theirs)
        torsor.step(model, data)
        assert data.tree_asleep.tolist() == theirs.tree_asleep.tolist()
        assert np.allclose(data.xpos, theirs.xpos, rtol=0, atol=1e-6)
    assert (not (data.tree_asleep >= 0).all()) == (edit in WAKES)


def test_an_edit_is_noticed_by_copies_and_pickles():
    import copy
    import pickle
    model, data = asleep(torsor.Model.from_xml_string, torsor.Data, torsor.step)
    for other in (copy.copy(data), pickle.loads(pickle.dumps(data))):
        torsor.step(other.model if hasattr(other, "model") else model, other)
        assert (other.tree_asleep >= 0).all()
    again = copy.copy(data)
    model.body("top").pos[2] = 0.2
    torsor.step(model, again)
    assert again.tree_asleep[1] < 0 <= again.tree_asleep[0]


def test_discrete_sleeps_in_the_same_steps():
    text = TEXT.format(option='integrator="discrete"')
    theirs_model, model = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
    theirs, data = mujoco.MjData(theirs_model), torsor.Data(model)
    slept = False
    for k in range(200):
        mujoco.mj_step(theirs_model, theirs)
        torsor.step(model, data)
        assert data.tree_asleep.tolist() == theirs.tree_asleep.tolist(), k
        assert np.allclose(data.qpos, theirs.qpos, rtol=0, atol=1e-7), k
        slept = slept or (data.tree_asleep >= 0).all()
        if k == 150:
            theirs.qfrc_applied[-6:] = data.qfrc_applied[-6:] = [30, 0, 20, 0, 0, 0]
    assert slept and data.tree_asleep[2] < 0


SAP = """<mujoco><option solver="SAP" timestep=".005"><flag sleep="enable"/></option>
  <worldbody><geom type="plane" size="5 5 1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="0 0 .301"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="arm" pos="3 0 1"><joint name="j" axis="0 1 0" damping="3" range="-60 60"/><geom type="capsule" size=".05 .2" pos="0 0 -.2"/></body></worldbody>
  <actuator><position joint="j" kp="40" kv="4"/></actuator></mujoco>"""


def test_sap_lets_trees_sleep_and_wakes_them():
    model = torsor.Model.from_xml_string(SAP)
    data, awake = torsor.Data(model), torsor.Data(model)
    restless = torsor.Model.from_xml_string(SAP.replace('sleep="enable"', 'sleep="disable"'))
    steps = 0
    while not (data.tree_asleep[:3] >= 0).all():
        torsor.step(model, data)
        torsor.step(restless, awake)
        steps += 1
        assert steps < 2000
        if (data.tree_asleep < 0).all():  # until the first one sleeps, the flag changes nothing
            assert np.array_equal(data.qpos, awake.qpos)
    assert data.tree_asleep[:3].tolist() == [1, 0, 2]  # the stack is one island
    before = np.array(data.qpos)
    for _ in range(50):
        torsor.step(model, data)
        torsor.step(restless, awake)
    assert np.array_equal(data.qpos[:21], before[:21])  # no creep
    assert np.allclose(data.qpos, awake.qpos, rtol=0, atol=1e-4)
    assert data.nv_awake == (0 if data.tree_asleep[3] >= 0 else 1)
    data.xfrc_applied[3, 0] = 150  # pushes the box that lies alone
    for _ in range(20):
        torsor.step(model, data)
    assert data.tree_asleep[2] < 0 <= data.tree_asleep[0] and data.qvel[12] > 0.1
    data.ctrl[0] = 0.5
    data.xfrc_applied[3, 0] = 0
    data.qvel[18] = 0.01  # wakes the arm, whose drive then follows its control
    for _ in range(400):
        torsor.step(model, data)
    assert np.isfinite(data.qpos).all()
    assert abs(data.qpos[21] - 0.5) < 0.2


def test_a_batch_says_that_nothing_sleeps():
    model = torsor.Model.from_xml_string(TEXT.format(option=""))
    batch, restless = torsor.Batch(model, 2), torsor.Model.from_xml_string(TEXT.format(option="").replace("enable", "disable"))
    assert any("sleeping" in str(stage) for stage in batch.plan())
    data = torsor.Data(restless)
    batch.step(150)
    torsor.step(restless, data, nstep=150)
    assert np.allclose(batch.qpos, data.qpos, rtol=0, atol=1e-9)
    assert np.abs(batch.qvel).max() > 0  # of what would sleep
