"""The callbacks passive, contact_filter and clock of a Data: what they change, and how they fail."""

import copy

import mujoco
import numpy as np
import pytest

import torsor

SCENE = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="ball" pos="0 0 0.09"><freejoint/><geom name="ball" size="0.1"/></body>
    <body pos="1 0 1"><joint name="hinge" axis="0 1 0" stiffness="2" damping="0.3"/>
      <geom name="arm" type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/></body>
  </worldbody>
</mujoco>"""
NAMES = ("passive", "contact_filter", "clock")
WRONG = {"passive": "model, data", "contact_filter": "model, data, geom1, geom2", "clock": ""}


@pytest.fixture
def model():
    return torsor.Model.from_xml_string(SCENE)


@pytest.fixture
def data(model):
    data = torsor.Data(model)
    data.qvel = np.linspace(-1, 1, model.nv)
    return data


def judge_of(data):
    model = mujoco.MjModel.from_xml_string(SCENE)
    judge = mujoco.MjData(model)
    judge.qpos, judge.qvel = data.qpos, data.qvel
    return model, judge


def test_passive_forces_of_the_user_count_as_in_mujoco(model, data):
    judge_model, judge = judge_of(data)

    def drag(model, data):
        data.qfrc_passive[:] -= 0.5 * data.qvel * abs(data.qvel)

    data.passive = drag
    mujoco.set_mjcb_passive(drag)
    try:
        for _ in range(20):
            judge.qpos, judge.qvel, judge.qacc_warmstart = data.qpos, data.qvel, data.qacc_warmstart
            torsor.step(model, data)
            mujoco.mj_step(judge_model, judge)
            assert data.qfrc_passive == pytest.approx(judge.qfrc_passive, abs=1e-12)
            assert data.qvel == pytest.approx(judge.qvel, abs=1e-9)
        torsor.inverse(model, data)
        judge.qpos, judge.qvel, judge.qacc = data.qpos, data.qvel, data.qacc
        mujoco.mj_inverse(judge_model, judge)
        assert data.qfrc_inverse == pytest.approx(judge.qfrc_inverse, abs=1e-8)
    finally:
        mujoco.set_mjcb_passive(None)


def test_a_filter_leaves_out_pairs_of_its_own_simulation_only(model, data):
    asked = []

    def ignore_the_ball(model, data, geom1, geom2):
        asked.append((geom1, geom2))
        return model.geom("ball").id in (geom1, geom2)

    other = copy.copy(data)
    data.contact_filter = ignore_the_ball
    for each in (data, other):
        torsor.forward(model, each)
    assert asked == [(0, 1)] and data.ncon == 0 and other.ncon == 1
    data.contact_filter = None
    torsor.forward(model, data)
    assert data.ncon == 1


def test_a_filter_that_returns_nothing_leaves_out_nothing(model, data):
    data.contact_filter = lambda *arguments: None
    torsor.forward(model, data)
    assert data.ncon == 1


def test_timers_run_by_the_clock_of_the_user(model, data):
    ticks = iter(range(1_000_000))
    data.clock = lambda: next(ticks)
    torsor.step(model, data)
    assert data.timer.number.sum() == 0 and next(ticks) == 0  # no clock is read while timers are off
    data.timers_on = True
    torsor.step(model, data, nstep=3)
    step, forward = data.timer[torsor.Timer.STEP], data.timer[torsor.Timer.FORWARD]
    assert step.number == forward.number == 3
    assert step.duration > forward.duration > 3 and step.duration == int(step.duration)


def test_the_mean_time_of_a_step_is_duration_by_number(model, data):
    now = [0.0]

    def clock():
        now[0] += 0.25
        return now[0]

    data.clock, data.timers_on = clock, True
    torsor.inverse(model, data)
    inverse, position = data.timer[torsor.Timer.INVERSE], data.timer[torsor.Timer.POSITION]
    readings_inside = 2 * sum(timer.number for timer in data.timer) - 2
    assert inverse.duration / max(1, inverse.number) == 0.25 * (readings_inside + 1)
    assert position.number == 1


@pytest.mark.parametrize("integrator", list(torsor.Integrator))
def test_a_clock_that_runs_backwards_is_an_error_and_leaves_the_state(model, data, integrator):
    model.opt.integrator = integrator
    data.timers_on = True
    for good in range(60):  # readings before the clock goes wrong: wherever that is in the step
        torsor.reset_data(model, data)
        data.qvel[-1] = 1
        before = torsor.get_state(model, data)
        times = iter([*range(good), -5, *range(1000, 1_001_000)])
        data.clock = lambda: next(times)
        try:
            torsor.step(model, data)
        except torsor.Error as error:
            assert "the clock ran backwards" in str(error)
            assert torsor.get_state(model, data).tobytes() == before.tobytes()
    data.clock = None
    assert torsor.step(model, data) == torsor.Status.OK


@pytest.mark.parametrize("integrator", list(torsor.Integrator))
@pytest.mark.parametrize("name", NAMES)
def test_what_a_callback_raises_reaches_the_caller_and_leaves_the_state(model, data, name, integrator):
    model.opt.integrator = integrator
    data.timers_on = True
    for calls_before in range(40):
        before = torsor.get_state(model, data)
        count = [0]

        def fail(*arguments):
            count[0] += 1
            if count[0] > calls_before:
                raise KeyError("out of fuel")
            return count[0] if name == "clock" else False

        setattr(data, name, fail)
        if calls_before == 0:
            with pytest.raises(KeyError, match="out of fuel"):
                torsor.step(model, data)
        else:
            try:
                torsor.step(model, data)
                continue  # fewer calls than that in a step
            except KeyError:
                pass
        assert torsor.get_state(model, data).tobytes() == before.tobytes()
    setattr(data, name, None)
    assert torsor.step(model, data) == torsor.Status.OK


@pytest.mark.parametrize("name", NAMES)
def test_only_callables_are_accepted_and_copies_have_none(data, name):
    with pytest.raises(TypeError, match=f"{name} must be callable as {name}\\({WRONG[name]}\\)"):
        setattr(data, name, 3)
    assert getattr(data, name) is None
    setattr(data, name, lambda *arguments: 0)
    assert getattr(copy.copy(data), name) is None


@pytest.mark.parametrize("name, what", [("passive", "calls data.passive again"),
                                        ("contact_filter", "makes contacts and constraint rows anew")])
def test_a_callback_must_not_start_over(model, data, name, what):
    setattr(data, name, lambda model, data, *numbers: torsor.forward(model, data))
    with pytest.raises(torsor.Error, match=f"data.{name} called a function that {what}"):
        torsor.step(model, data)


def test_a_clock_must_return_a_number(model, data):
    data.timers_on, data.clock = True, lambda: "noon"
    with pytest.raises(TypeError, match="data.clock must return a number"):
        torsor.step(model, data)


def test_a_clock_that_fails_at_the_end_of_a_stage_is_an_error_of_that_call(model, data):
    times = iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
    data.timers_on, data.clock = True, lambda: next(times)
    with pytest.raises(StopIteration):
        torsor.fwd_position(model, data)
    data.clock = None
    torsor.fwd_position(model, data)


def test_a_callback_may_call_functions_that_are_timed(model, data):
    ticks = iter(range(1_000_000))
    data.timers_on, data.clock = True, lambda: next(ticks)
    data.control = lambda model, data: torsor.fwd_position(model, data)
    assert torsor.step(model, data) == torsor.Status.OK
