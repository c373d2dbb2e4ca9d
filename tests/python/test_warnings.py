"""Warnings: counted by kind with the culprit, told once to a handler, cleared by a reset, never printed or logged."""

import os
import subprocess
import sys

import numpy as np
import pytest

import torsor

BADQVEL, BADCTRL, CONTACTFULL = torsor.Warning.BADQVEL, torsor.Warning.BADCTRL, torsor.Warning.CONTACTFULL


@pytest.fixture
def told(data):
    """What data.on_warning was told."""
    heard = []
    data.on_warning = lambda model, data, kind, info: heard.append((kind, info))
    return heard


def test_users_can_warn_as_the_engine_does(data):
    torsor.warn(data, BADCTRL, 3)
    torsor.warn(data, BADCTRL, 5)
    assert (data.warning[BADCTRL].number, data.warning[BADCTRL].lastinfo) == (2, 5)


def test_the_first_of_each_kind_is_told_once_until_the_reset(model, data, told):
    for info in range(3):
        torsor.warn(data, BADCTRL, info)
    torsor.warn(data, BADQVEL, 7)
    assert told == [(BADCTRL, 0), (BADQVEL, 7)] and data.warning[BADCTRL].number == 3
    torsor.reset_data(model, data)
    assert data.warning.number.sum() == 0
    torsor.warn(data, BADCTRL, 9)
    assert told[2:] == [(BADCTRL, 9)]


def test_bad_numbers_are_told_once_with_their_index(model, data, told):
    data.qvel[1] = np.nan
    assert torsor.step(model, data) == torsor.Status.RESET
    assert told == [(BADQVEL, 1)] and data.warning[BADQVEL].number == 1
    assert torsor.warning_text(*told[0]) == "bad number in qvel, at 1"


def test_without_a_reset_it_is_told_once_however_often_it_happens(model, data, told):
    model.opt.disableflags |= torsor.DisableFlag.AUTORESET
    data.qvel[1] = np.nan
    torsor.step(model, data, nstep=5)
    assert told.count((BADQVEL, 1)) == 1 and data.warning[BADQVEL].number > 1


def test_full_memory_is_told_too():
    heap = "".join(f'<body pos="0 0 {0.05 * i}"><freejoint/><geom size="0.1"/></body>' for i in range(40))
    model = torsor.Model.from_xml_string(f'<mujoco><size memory="2K"/><worldbody>{heap}</worldbody></mujoco>')
    data, heard = torsor.Data(model), []
    data.on_warning = lambda model, data, kind, info: heard.append(kind)
    with pytest.raises(torsor.Error, match="bytes"):
        torsor.forward(model, data)
    assert heard and set(heard) <= {CONTACTFULL, torsor.Warning.CNSTRFULL}
    assert data.warning.number.sum() > 0


def test_a_handler_that_raises_abandons_the_step_with_the_state_as_it_was(model, data):
    def fail(model, data, kind, info):
        raise RuntimeError(torsor.warning_text(kind, info))

    data.on_warning = fail
    data.qvel[1] = np.inf
    before = torsor.get_state(model, data)
    with pytest.raises(RuntimeError, match="bad number in qvel, at 1"):
        torsor.step(model, data)
    assert torsor.get_state(model, data).tobytes() == before.tobytes()


def test_a_controller_may_warn(model, data, told):
    data.control = lambda model, data: torsor.warn(data, BADCTRL, 2)
    torsor.forward(model, data)
    assert told == [(BADCTRL, 2)]


def test_a_handler_must_not_start_over(model, data):
    data.on_warning = lambda model, data, kind, info: torsor.warn(data, BADQVEL, info)
    with pytest.raises(torsor.Error, match="data.on_warning called a function that calls data.on_warning again"):
        torsor.warn(data, BADCTRL, 0)


@pytest.mark.parametrize("kind", [-1, 8, 2**31 - 1])
def test_kinds_that_do_not_exist_are_refused(data, kind):
    for call in (lambda: torsor.warn(data, kind, 0), lambda: torsor.warning_text(kind, 0)):
        with pytest.raises(ValueError, match="kind must be a Warning"):
            call()


def test_nothing_is_printed_and_no_file_is_written(tmp_path):
    script = """
import numpy, torsor
model = torsor.Model.from_xml_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
data = torsor.Data(model)
data.qvel[0] = numpy.nan
torsor.step(model, data)
try:
    torsor.Model.from_xml_path("missing.xml")
except torsor.Error:
    pass
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    result = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []
