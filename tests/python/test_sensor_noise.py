"""Noise of sensors is off unless asked for, and is part of the state: saved, restored, copied and pickled with it."""

import copy
import pickle

import numpy as np
import pytest

import torsor

MODEL = """
<mujoco>
  <option><flag {flag}/></option>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0"/>
      <geom size="0.1" pos="0.2 0 0"/>
      <site name="tip" pos="0.3 0 0"/>
    </body>
  </worldbody>
  <sensor>
    <framepos objtype="site" objname="tip" noise="0.1"/>
    <clock noise="0.2" delay="0.01" nsample="5"/>
  </sensor>
</mujoco>"""


@pytest.fixture
def noisy():
    return torsor.Model.from_xml_string(MODEL.format(flag="sensornoise='enable'"))


def readings(model, data, count=10):
    result = []
    for _ in range(count):
        torsor.step(model, data)
        result.append(np.array(data.sensordata))
    return np.array(result)


def test_without_the_flag_readings_are_exact():
    quiet = torsor.Model.from_xml_string(MODEL.format(flag=""))
    data = torsor.Data(quiet)
    torsor.forward(quiet, data)
    assert data.sensordata[:3].tolist() == [0.3, 0, 0]
    assert torsor.state_size(quiet, torsor.StateBit.ALL) == torsor.state_size(quiet, torsor.StateBit.INTEGRATION)


def test_a_seed_says_it_all(noisy):
    first, second, other = torsor.Data(noisy), torsor.Data(noisy), torsor.Data(noisy)
    first.noise_seed = second.noise_seed = 2**63 + 5
    other.noise_seed = 5
    expected = readings(noisy, first)
    assert np.array_equal(readings(noisy, second), expected)
    assert not np.array_equal(readings(noisy, other), expected)


@pytest.mark.parametrize("keep", [copy.copy, lambda data: pickle.loads(pickle.dumps(data))])
def test_copies_and_pickles_go_on_with_the_same_noise(noisy, keep):
    data = torsor.Data(noisy)
    data.noise_seed = 2**40 + 3
    readings(noisy, data)
    kept = keep(data)
    assert np.array_equal(readings(noisy, kept), readings(noisy, data))


def test_a_saved_state_goes_on_with_the_same_noise(noisy):
    data, other = torsor.Data(noisy), torsor.Data(noisy)
    data.noise_seed, data.noise_step = 2**63 + 2**33 + 7, 2**52 + 1
    readings(noisy, data)
    saved = torsor.get_state(noisy, data)
    expected = readings(noisy, data)
    torsor.set_state(noisy, other, saved)
    assert (other.noise_seed, other.noise_step) == (2**63 + 2**33 + 7, 2**52 + 11)
    assert np.array_equal(readings(noisy, other), expected)


def test_numbers_that_are_no_noise_state_are_taken_as_zero(noisy):
    data = torsor.Data(noisy)
    for bad in (np.nan, -1, 1e300):
        torsor.set_state(noisy, data, [bad] * 4, torsor.StateBit.NOISE)
        assert (data.noise_seed, data.noise_step) == (0, 0)
