"""Callbacks of user-defined actuators and sensors: what they are given, what they may return, how they fail."""

import copy
import gc
import weakref

import numpy as np
import pytest

import torsor

MODEL = """
<mujoco>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0"/>
      <geom size="0.1" pos="0.2 0 0"/>
    </body>
  </worldbody>
  <actuator>
    <general joint="hinge" dyntype="user" actdim="1" gaintype="user" biastype="user"/>
    <motor joint="hinge"/>
  </actuator>
  <sensor>
    <clock/>
    <user dim="2" needstage="vel"/>
    <user dim="1" needstage="acc"/>
  </sensor>
</mujoco>"""
NAMES = ("act_dyn", "act_gain", "act_bias", "user_sensor")


@pytest.fixture
def model():
    return torsor.Model.from_xml_string(MODEL)


@pytest.fixture
def data(model):
    return torsor.Data(model)


def test_without_callbacks_rate_and_bias_are_zero_and_the_gain_is_one(model, data):
    data.act[0], data.ctrl[0] = 0.3, 5
    torsor.forward(model, data)
    assert data.act_dot[0] == 0 and data.actuator_force[0] == 0.3
    assert not data.sensordata[1:].any()


def test_results_are_rate_gain_and_bias(model, data):
    data.act_dyn = lambda model, data, actuator: data.ctrl[actuator] - data.act[0]
    data.act_gain = lambda model, data, actuator: 2
    data.act_bias = lambda model, data, actuator: -0.5
    data.act[0], data.ctrl[0] = 0.3, 5
    torsor.forward(model, data)
    assert data.act_dot[0] == 4.7 and data.actuator_force[0] == pytest.approx(0.1, abs=1e-15)
    torsor.step(model, data)
    assert data.act[0] == pytest.approx(0.3 + 4.7 * model.opt.timestep, abs=1e-15)


def test_none_counts_as_no_callback(model, data):
    data.act_dyn = data.act_gain = data.act_bias = data.user_sensor = lambda *arguments: None
    data.act[0] = 0.3
    torsor.forward(model, data)
    assert data.act_dot[0] == 0 and data.actuator_force[0] == 0.3 and not data.sensordata[1:].any()


def test_sensors_are_read_one_by_one_in_the_stage_that_they_need(model, data):
    seen = []

    def read(model, data, sensor):
        seen.append(sensor)
        return [data.qvel[0], 7] if sensor == 1 else data.qacc[0]

    data.user_sensor = read
    data.qvel[0] = 0.4
    torsor.forward(model, data)
    assert seen == [1, 2]
    assert data.sensordata.tolist() == [0, 0.4, 7, data.qacc[0]]


def test_numbers_of_the_wrong_count_or_kind_are_errors(model, data):
    data.user_sensor = lambda model, data, sensor: np.zeros(3)
    with pytest.raises(ValueError, match="user_sensor"):
        torsor.forward(model, data)
    data.user_sensor = None
    data.act_gain = lambda model, data, actuator: "strong"
    with pytest.raises(TypeError, match="act_gain must return a number or None"):
        torsor.forward(model, data)


@pytest.mark.parametrize("integrator", list(torsor.Integrator))
@pytest.mark.parametrize("name", NAMES)
def test_what_a_callback_raises_reaches_the_caller_and_leaves_the_state(model, data, name, integrator):
    model.opt.integrator = integrator
    data.qvel[0], data.act[0] = 1, 0.5
    before = torsor.get_state(model, data)

    def fail(*arguments):
        raise KeyError("out of fuel")

    setattr(data, name, fail)
    with pytest.raises(KeyError, match="out of fuel"):
        torsor.step(model, data)
    assert torsor.get_state(model, data).tobytes() == before.tobytes()
    setattr(data, name, None)
    assert torsor.step(model, data) == torsor.Status.OK


@pytest.mark.parametrize("name", NAMES)
def test_a_callback_must_not_start_over(model, data, name):
    setattr(data, name, lambda model, data, number: torsor.forward(model, data))
    with pytest.raises(torsor.Error, match=f"data.{name} called a function that makes contacts and"):
        torsor.step(model, data)


def test_a_callback_must_not_lead_to_another(model, data):
    data.user_sensor = lambda model, data, sensor: None
    data.act_bias = lambda model, data, actuator: torsor.forward(model, data)
    with pytest.raises(torsor.Error, match="data.act_bias called a function that makes contacts and constraint rows"):
        torsor.forward(model, data)
    data.act_bias, data.control = None, lambda model, data: torsor.fwd_velocity(model, data)
    data.passive = lambda model, data: None
    with pytest.raises(torsor.Error, match="data.control called a function that calls data.passive"):
        torsor.forward(model, data)


@pytest.mark.parametrize("name", NAMES)
def test_only_callables_are_accepted(data, name):
    with pytest.raises(TypeError, match=f"{name} must be callable as {name}\\(model, data, id\\)"):
        setattr(data, name, 3)
    assert getattr(data, name) is None


@pytest.mark.parametrize("name", NAMES)
def test_copies_have_no_callback_and_cycles_are_collected(model, name):
    class Holder:
        def __init__(self, data):
            self.data = data
            setattr(data, name, self)

        def __call__(self, model, data, number):
            return None

    holder = Holder(torsor.Data(model))
    assert getattr(copy.copy(holder.data), name) is None
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None
