"""torsor.transition_derivatives and its kin: shapes, what they leave alone, what they refuse."""

import copy

import numpy as np
import pytest

import torsor

CART = """<mujoco><option timestep="0.01"/><worldbody><geom type="plane" size="3 3 1"/>
  <body pos="0 0 0.08"><freejoint/><geom size="0.1"/></body>
  <body pos="1 0 1"><joint name="swivel" type="ball"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
    <body pos="0.3 0 0"><joint name="knee" axis="0 1 0"/><geom size="0.05" pos="0.2 0 0"/></body></body></worldbody>
  <actuator><position joint="knee" kp="3" timeconst="0.1" ctrlrange="-1 1"/><motor joint="knee"/></actuator>
  <sensor><jointpos joint="knee"/><framepos objtype="body" objname="world"/></sensor></mujoco>"""


@pytest.fixture
def cart():
    model = torsor.Model.from_xml_string(CART)
    data = torsor.Data(model)
    data.qvel = np.linspace(-0.5, 0.5, model.nv)
    torsor.step(model, data, nstep=5)
    return model, data


def contents(data):
    """Every array of a Data."""
    return {row.name: np.array(getattr(data, row.name)).tobytes() for row in torsor.fields("data")}


def test_shapes_and_names(cart):
    model, data = cart
    nv, na, nu = model.nv, model.na, model.nu
    size = 2 * nv + na
    result = torsor.transition_derivatives(model, data)
    A, B, C, D = result
    assert result.A is A and result.D is D
    assert A.shape == (size, size) and B.shape == (size, nu)
    assert C.shape == (model.nsensordata, size) and D.shape == (model.nsensordata, nu)
    by = torsor.forward_derivatives(model, data)
    assert by.qpos.shape == by.qvel.shape == by.qfrc_applied.shape == (nv, nv)
    assert by.act.shape == (nv, na) and by.ctrl.shape == (nv, nu) and by.xfrc_applied.shape == (nv, 6 * model.nbody)
    assert all(matrix.shape == (nv, nv) for matrix in torsor.inverse_derivatives(model, data))
    without = torsor.transition_derivatives(model, data, skipsensor=True)
    assert without.C.shape == (0, size) and without.D.shape == (0, nu)
    assert np.array_equal(without.A, A)


@pytest.mark.parametrize("function", [torsor.transition_derivatives, torsor.forward_derivatives,
                                      torsor.inverse_derivatives])
def test_the_data_is_left_alone(cart, function):
    model, data = cart
    torsor.forward(model, data)
    before, contacts = contents(data), data.ncon
    assert contacts > 0
    function(model, data)
    assert contents(data) == before and data.ncon == contacts
    data.control = lambda model, data: data.qfrc_applied.fill(1.0)
    function(model, data, centered=False)
    assert contents(data) == before


def test_forces_on_bodies_act_as_differences_do(cart):
    model, data = cart
    by = torsor.forward_derivatives(model, data)

    def qacc(index, by):
        twin = copy.copy(data)
        twin.xfrc_applied.reshape(-1)[index] += by
        model.opt.tolerance = 0
        torsor.forward(model, twin)
        return np.array(twin.qacc)

    for index in range(6, 6 * model.nbody):
        expected = (qacc(index, 1e-4) - qacc(index, -1e-4)) / 2e-4
        assert by.xfrc_applied[:, index] == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert not by.xfrc_applied[:, :6].any()  # the world cannot be pushed


def test_forward_and_inverse_derivatives_undo_each_other(cart):
    model, data = cart
    torsor.forward(model, data)
    forward, inverse = torsor.forward_derivatives(model, data), torsor.inverse_derivatives(model, data)
    assert forward.qfrc_applied @ inverse.qacc == pytest.approx(np.eye(model.nv), abs=1e-6)
    assert inverse.qacc @ forward.qvel == pytest.approx(-inverse.qvel, abs=1e-5)


def test_the_error_is_the_distance_to_the_second_step(cart):
    model, data = cart
    first, error = torsor.transition_derivatives(model, data, 1e-4, second_eps=2e-4)
    second = torsor.transition_derivatives(model, data, 2e-4)
    for a, b, distance in zip(first, second, error):
        assert np.array_equal(distance, np.abs(a - b))
    assert error.A.any()


def test_a_callback_that_raises_reaches_the_caller(cart):
    model, data = cart
    calls = []

    def control(model, data):
        calls.append(1)
        data.ctrl[0] = 0.5
        if len(calls) == 9:
            raise KeyError("enough")

    data.control = control
    before = contents(data)
    with pytest.raises(KeyError, match="enough"):
        torsor.transition_derivatives(model, data)
    assert contents(data) == before


def test_bad_arguments_are_errors(cart, model):
    cart_model, data = cart
    for eps in (0, -1e-6, float("nan"), float("inf")):
        with pytest.raises(torsor.Error, match="eps must be a positive number"):
            torsor.transition_derivatives(cart_model, data, eps)
    with pytest.raises(torsor.Error, match="another Model"):
        torsor.forward_derivatives(model, data)
    with pytest.raises(torsor.Error, match="second_eps must differ from eps"):
        torsor.inverse_derivatives(cart_model, data, second_eps=1e-6)
    with pytest.raises(torsor.Error, match="iterations"):
        torsor.forward_derivatives(cart_model, data, iterations=-1)
    with pytest.raises(TypeError):
        torsor.transition_derivatives(cart_model, data, "small")
