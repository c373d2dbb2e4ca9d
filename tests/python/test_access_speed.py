"""Attributes are cheap enough for the inner loops of learning code."""

import timeit

import pytest

import torsor


def best_time_ns(statement, **names):
    """The least of many short measurements: what the statement takes when nothing disturbs it."""
    number = 2000
    return min(timeit.repeat(statement, globals=names, number=number, repeat=30)) / number * 1e9


@pytest.mark.parametrize("statement", ["data.qpos", "data.xpos", "data.time", "model.nv", "model.body_mass"])
def test_reading_an_attribute_takes_less_than_300_ns(model, data, statement):
    assert best_time_ns(statement, model=model, data=data) < 300


def test_a_call_costs_little_more_than_its_work():
    model = torsor.Model.from_xml_string("<mujoco/>")
    data = torsor.Data(model)
    assert best_time_ns("step(model, data)", step=torsor.step, model=model, data=data) < 2000
