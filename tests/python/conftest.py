"""Models that the tests of the Python package share, loaded."""

import pytest

import torsor
from example_models import ARM, ZOO


@pytest.fixture
def model():
    return torsor.Model.from_xml_string(ARM)


@pytest.fixture
def data(model):
    return torsor.Data(model)


@pytest.fixture
def zoo():
    return torsor.Model.from_xml_string(ZOO)


@pytest.fixture
def zoo_data(zoo):
    """The zoo in a state where nothing is zero."""
    data = torsor.Data(zoo)
    data.qpos[:3] += [0.1, 0.2, 0.3]
    data.qvel = [0.1 * (i + 1) for i in range(zoo.nv)]
    torsor.forward(zoo, data)
    return data
