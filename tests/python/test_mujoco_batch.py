"""torsor.mujoco.batch: rows of state, equal to loops over MjData to the bit. MuJoCo's own tests of it run in
scripts/test_clients."""

import numpy
import pytest

from torsor import mujoco
from torsor.mujoco import batch

CART = """<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="cart" pos="0 0 .06">
      <joint name="slide" type="slide" axis="1 0 0"/><joint name="lift" type="slide" axis="0 0 1"/>
      <geom type="box" size=".1 .1 .05" mass="1"/>
      <body name="pole" pos="0 0 .05">
        <joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="5"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
  <keyframe><key name="bent" qpos="0 0 1"/></keyframe>
</mujoco>"""
NSIM = 6


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(CART)


def loop(model, qvel, steps):
    """One MjData after the other."""
    datas = []
    for row in qvel:
        data = mujoco.MjData(model)
        data.qvel[:] = row
        mujoco.mj_step(model, data, steps)
        datas.append(data)
    return datas


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_is_a_loop_over_data_to_the_bit(model, threads, persistent):
    qvel = numpy.random.default_rng(0).normal(size=(NSIM, model.nv))
    b = batch.Batch(model, NSIM, threads, persistent)
    b.qvel = qvel
    xpos, ncon = b.bind("xpos"), b.bind("ncon")
    b.step(nstep=20)
    b.step(nstep=5)
    found = loop(model, qvel, 25)
    assert any(data.ncon > 0 for data in found)
    for sim, data in enumerate(found):
        numpy.testing.assert_array_equal(b.qpos[sim], data.qpos)
        numpy.testing.assert_array_equal(xpos[sim], data.xpos)
        assert ncon[sim] == data.ncon


def test_rollouts_record_fields_and_states(model):
    controls = numpy.random.default_rng(1).normal(size=(2, 4, 1))
    b = batch.Batch(model, NSIM, 2)
    found = b.rollout(4, controls, record=("qpos", "sensordata", "time", int(mujoco.mjtState.mjSTATE_QVEL)), ids=[1, 4])
    data = mujoco.MjData(model)
    for step in range(4):
        data.ctrl[:] = controls[1, step]
        mujoco.mj_step(model, data)
        numpy.testing.assert_array_equal(found["qpos"][1, step], data.qpos)
        numpy.testing.assert_array_equal(found["sensordata"][1, step], data.sensordata)
        numpy.testing.assert_array_equal(found[int(mujoco.mjtState.mjSTATE_QVEL)][1, step], data.qvel)
        assert found["time"][1, step] == data.time
    assert b.time.tolist() == [0, data.time, 0, 0, data.time, 0]


def test_a_simulation_with_bad_numbers_stops_its_rollout(model):
    b = batch.Batch(model, 2)
    b.qvel[1, 0] = numpy.inf
    times = b.rollout(3, record=("time",))["time"]
    assert times[1, 0] == times[1, 2] and times[0, 0] < times[0, 2]
    assert b.warning[1, mujoco.mjtWarning.mjWARN_BADQVEL, 1] == 1 and not b.warning[0].any()


def test_values_per_simulation_and_models(model):
    pole = model.body("pole").id
    b = batch.Batch(model, NSIM, 2)
    b.body("pole").mass = numpy.linspace(0.1, 1, NSIM)[:, None]
    b.set_const()
    b.ctrl[:] = 1
    b.step(nstep=10)
    own = b.get_model(4)
    assert own.body_mass[pole] == b.expanded("body_mass")[4, pole]
    data = mujoco.MjData(own)
    data.ctrl[:] = 1
    mujoco.mj_step(own, data, 10)
    numpy.testing.assert_array_equal(b.qvel[4], data.qvel)
    numpy.testing.assert_array_equal(b.get_data(4).qpos, data.qpos)
    with pytest.raises(mujoco.FatalError, match="per-simulation"):
        b.set_models([own] * NSIM)


def test_errors_name_simulations_and_the_others_run(model):
    b = batch.Batch(model, NSIM)
    mass = b.expand("body_mass")
    mass[2, 1] = -1
    with pytest.raises(batch.SimulationError, match=r"1 of 6 simulations \(2\)") as caught:
        b.step()
    assert caught.value.ids.tolist() == [2] and "mass" in b.error(2) and b.error(0) == ""
    assert b.time.tolist() == [0.002, 0.002, 0, 0.002, 0.002, 0.002]
    mass[2, 1] = 1
    b.step()
    assert not b.status.any()


@pytest.mark.parametrize(("error", "words", "call"), [
    (ValueError, "did you mean 'qpos'", lambda b: b.bind("qpso")),
    (ValueError, r"expand\('body_mass'\)", lambda b: b.bind("body_mass")),
    (ValueError, "arena", lambda b: b.bind("efc_force")),
    (ValueError, "asset", lambda b: b.expand("mesh_vert")),
    (ValueError, "got 2 before 1", lambda b: b.step([2, 1])),
    (ValueError, "mask", lambda b: b.step(numpy.ones(3, bool))),
    (ValueError, "keyframe", lambda b: b.reset(keyframe=5)),
    (ValueError, "control", lambda b: b.rollout(3, numpy.zeros((NSIM, 2, 1)))),
    (IndexError, "got 6", lambda b: b.get_data(NSIM)),
    (ValueError, "computed by every call", lambda b: setattr(b, "xpos", 0)),
    (AttributeError, "not a field of a joint", lambda b: b.joint("hinge").xpos),
    (KeyError, "nope", lambda b: b.body("nope")),
])
def test_bad_arguments_are_refused_and_change_nothing(model, error, words, call):
    b = batch.Batch(model, NSIM)
    state = b.state.copy()
    with pytest.raises(error, match=words):
        call(b)
    numpy.testing.assert_array_equal(b.state, state)


def test_python_callbacks_are_refused(model):
    b = batch.Batch(model, 2)
    mujoco.set_mjcb_control(lambda m, d: None)
    try:
        with pytest.raises(ValueError, match="mjcb_control"):
            b.step()
    finally:
        mujoco.set_mjcb_control(None)
    b.step()
