"""Histories of controls and readings, read and filled as MuJoCo's functions do."""

import mujoco
import numpy as np
import pytest

import torsor
import torsor.mujoco

MODEL = """
<mujoco>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0"/>
      <geom size="0.1" pos="0.2 0 0"/>
      <site name="tip" pos="0.3 0 0"/>
    </body>
  </worldbody>
  <actuator>
    <motor joint="hinge" delay="0.005" nsample="4" interp="linear"/>
    <motor joint="hinge"/>
  </actuator>
  <sensor>
    <framepos objtype="site" objname="tip" delay="0.005" nsample="3"/>
    <clock/>
  </sensor>
</mujoco>"""
TIMES = [0.0, 0.1, 0.15, 0.3]


class Pair:
    """One model in both engines, with the same inputs."""

    def __init__(self):
        self.model, self.judge = torsor.Model.from_xml_string(MODEL), mujoco.MjModel.from_xml_string(MODEL)
        self.judge.opt.disableflags = self.model.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        self.data, self.judge_data = torsor.Data(self.model), mujoco.MjData(self.judge)

    def step(self, count, ctrl=0.3):
        for _ in range(count):
            self.data.ctrl[:] = self.judge_data.ctrl[:] = [ctrl, -ctrl]
            torsor.step(self.model, self.data)
            mujoco.mj_step(self.judge, self.judge_data)

    def assert_same(self):
        assert np.allclose(self.data.history, self.judge_data.history, rtol=0, atol=1e-12)


@pytest.fixture
def pair():
    return Pair()


@pytest.mark.parametrize("interp", [-1, 0, 1, 2])
def test_controls_and_readings_at_any_time_equal_mujocos(pair, interp):
    for k in range(6):
        pair.step(1, 0.1 * k * k)
    for time in np.linspace(-0.01, 0.02, 31):
        for actuator in range(2):
            expected = np.zeros(1)
            mujoco.mj_readCtrl(pair.judge, pair.judge_data, actuator, time, expected, interp)
            mine = torsor.read_ctrl(pair.model, pair.data, actuator, time, interp)
            assert np.allclose(mine, expected, rtol=0, atol=1e-12)
        for sensor, dim in ((0, 3), (1, 1)):
            result = np.zeros(dim)
            found = mujoco.mj_readSensor(pair.judge, pair.judge_data, sensor, time, result, interp)
            expected = result if found is None else found
            mine = torsor.read_sensor(pair.model, pair.data, sensor, time, interp)
            assert np.allclose(mine, np.ravel(expected), rtol=0, atol=1e-12)


@pytest.mark.parametrize("interp", [-1, 0, 1, 2])
def test_all_controls_of_an_actuator_are_read_as_by_mujoco(interp):
    text = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator>
        <pid joint="j" kp="1" input="pos vel ff" delay="0.01" nsample="5"/><motor joint="j" delay="0.01" nsample="5"/>
        </actuator></mujoco>"""
    results = []
    for module in (torsor.mujoco, mujoco):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        for k in range(8):
            data.ctrl[:] = [k * k, 2 * k, 3 * k, -k]
            module.mj_step(model, data)
        for actuator, count in ((0, 3), (1, 1)):
            result = np.zeros(count)
            assert np.array_equal(module.mj_readCtrl(model, data, actuator, 0.0221, result, interp), result)
            results.append(result)
            with pytest.raises(TypeError, match=r"actuator_ctrlnum\[id\]"):
                module.mj_readCtrl(model, data, actuator, 0.0221, np.zeros(count + 1), interp)
    assert np.allclose(results[0], results[2], rtol=0, atol=1e-12) and np.allclose(results[1], results[3], rtol=0, atol=1e-12)


def test_filled_histories_equal_mujocos_and_go_on_alike(pair):
    controls, readings = np.array([1.0, 2, 3, 4]), np.arange(9.0).reshape(3, 3)
    for times in (np.array([-0.4, -0.3, -0.2, -0.1]), None):
        torsor.init_ctrl_history(pair.model, pair.data, 0, times, controls)
        mujoco.mj_initCtrlHistory(pair.judge, pair.judge_data, 0, times, controls)
        pair.assert_same()
    torsor.init_sensor_history(pair.model, pair.data, 0, None, readings, 0.7)
    mujoco.mj_initSensorHistory(pair.judge, pair.judge_data, 0, None, readings, 0.7)
    pair.assert_same()
    pair.step(5)
    pair.assert_same()


@pytest.mark.parametrize("time", [-0.1, 0.0, 0.05, 0.1, 0.12, 0.15, 0.2, 0.3, 0.4])
def test_a_clock_that_was_set_back_keeps_samples_in_order(pair, time):
    for engine, module in ((pair.data, torsor), (pair.judge_data, mujoco)):
        fill = module.init_ctrl_history if module is torsor else module.mj_initCtrlHistory
        fill(pair.model if module is torsor else pair.judge, engine, 0, np.array(TIMES), np.array([1.0, 2, 3, 4]))
        engine.time = time
    pair.step(1, 9.0)
    own = slice(0, 2 + 2 * len(TIMES))
    assert np.array_equal(pair.data.history[own], pair.judge_data.history[own])


def test_times_that_are_there_stay_also_when_the_ring_has_turned(pair):
    pair.step(6)
    times = np.sort(pair.data.history[2:6])
    torsor.init_ctrl_history(pair.model, pair.data, 0, None, [1, 2, 3, 4])
    assert [torsor.read_ctrl(pair.model, pair.data, 0, time + 0.005) for time in times] == [1, 2, 3, 4]


def test_mistakes_are_named(pair):
    model, data = pair.model, pair.data
    with pytest.raises(torsor.Error, match="actuator 1 has no history"):
        torsor.init_ctrl_history(model, data, 1, None, [1])
    with pytest.raises(torsor.Error, match="sensor 1 has no history"):
        torsor.init_sensor_history(model, data, 1, None, [1], 0)
    with pytest.raises(ValueError, match=r"times\[2\] is not after times\[1\]"):
        torsor.init_ctrl_history(model, data, 0, [0, 1, 1, 2], [1, 2, 3, 4])
    with pytest.raises(ValueError, match="values"):
        torsor.init_ctrl_history(model, data, 0, None, [1, 2, 3])
    with pytest.raises(ValueError, match="interp"):
        torsor.read_ctrl(model, data, 0, 0.0, 3)
    for function in (torsor.read_ctrl, torsor.read_sensor):
        with pytest.raises((IndexError, torsor.Error, ValueError), match="5"):
            function(model, data, 5, 0.0)
