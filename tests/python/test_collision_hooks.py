"""Users' own collision functions, and contacts that they add."""

import copy
import gc
import weakref

import numpy as np
import pytest

import torsor

SCENE = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="ball" pos="0 0 0.09"><freejoint/><geom name="ball" size="0.1"/></body>
    <body name="other" pos="1 0 0.09"><freejoint/><geom name="other" size="0.1"/></body>
  </worldbody>
</mujoco>
"""
PLANE, SPHERE = torsor.GeomType.PLANE, torsor.GeomType.SPHERE


@pytest.fixture
def scene():
    model = torsor.Model.from_xml_string(SCENE)
    return model, torsor.Data(model)


def floor_and_ball(model, data, geom1, geom2, margin):
    """What the engine does itself."""
    radius, centre = model.geom_size[geom2][0], np.array(data.geom_xpos[geom2])
    dist = centre[2] - radius
    return [(dist, centre - [0, 0, radius + 0.5 * dist], [0, 0, 1])] if dist <= margin else []


def contacts(data):
    return [(contact.dist, *contact.pos, *contact.frame, *contact.geom, contact.dim) for contact in data.contact]


def test_a_function_that_does_the_same_gives_the_same_contacts(scene):
    model, data = scene
    torsor.forward(model, data)
    expected, forces = contacts(data), np.array(data.efc_force)
    calls = []
    torsor.set_collision_function(data, SPHERE, PLANE, lambda *args: calls.append(args[2:4]) or floor_and_ball(*args))
    torsor.forward(model, data)
    assert calls == [(0, 1), (0, 2)]
    np.testing.assert_allclose(contacts(data), expected, atol=1e-15)
    np.testing.assert_allclose(data.efc_force, forces, rtol=1e-9)


def test_a_function_can_find_nothing_and_be_taken_back(scene):
    model, data = scene
    torsor.set_collision_function(data, PLANE, SPHERE, lambda *args: None)
    torsor.forward(model, data)
    assert data.ncon == 0
    torsor.set_collision_function(data, PLANE, SPHERE, None)
    torsor.forward(model, data)
    assert data.ncon == 2


def test_a_function_is_of_one_simulation_and_of_no_copy(scene):
    model, data = scene
    other = torsor.Data(model)
    torsor.set_collision_function(data, PLANE, SPHERE, lambda *args: None)
    for each, expected in ((data, 0), (other, 2), (copy.copy(data), 2)):
        torsor.forward(model, each)
        assert each.ncon == expected


def test_a_function_that_refers_to_its_data_is_collected():
    model = torsor.Model.from_xml_string(SCENE)
    data = torsor.Data(model)

    class Token:
        """Can be asked whether it is gone, which a Data cannot."""
    token = Token()
    torsor.set_collision_function(data, PLANE, SPHERE, lambda *args, mine=(data, token): None)
    torsor.forward(model, data)
    gone = weakref.finalize(token, lambda: None)
    del data, token
    gc.collect()
    assert not gone.alive


def test_a_contact_can_be_added_from_within_a_collision_function(scene):
    model, data = scene

    def function(model, data, geom1, geom2, margin):
        torsor.add_contact(model, data, 1, 2, -0.01, [0.5, 0, 0.1], [1, 0, 0])
        return floor_and_ball(model, data, geom1, geom2, margin)

    torsor.set_collision_function(data, PLANE, SPHERE, function)
    torsor.forward(model, data)
    assert data.ncon == 4 and (data.contact[0].efc_address >= 0)
    assert data.contact[0].friction[0] == 1 and data.qacc[0] < 0 < data.qacc[6]
    with pytest.raises(torsor.Error, match="before the constraint rows"):
        torsor.add_contact(model, data, 1, 2, -0.01, [0.5, 0, 0.1], [1, 0, 0])


def test_a_contact_that_is_added_has_the_compliance_of_its_geoms(scene):
    """With SAP: of surfaces in series, as a contact that the engine finds."""
    model, data = scene
    model.opt.solver = torsor.Solver.SAP
    model.geom_sapstiffness[1:3] = 1e4, 3e4

    def function(model, data, geom1, geom2, margin):
        torsor.add_contact(model, data, 1, 2, -0.01, [0.5, 0, 0.1], [1, 0, 0])

    torsor.set_collision_function(data, PLANE, SPHERE, function)
    torsor.forward(model, data)
    contact = data.contact[0]
    assert contact.stiffness == pytest.approx(7500) and contact.dissipation == pytest.approx(0.2)
    assert contact.pos[0] == pytest.approx(0.5 - 0.01 * (3e4 / 4e4 - 0.5)) and contact.pair == -1


@pytest.mark.parametrize("integrator", ["EULER", "RK4", "IMPLICITFAST"])
def test_an_exception_leaves_the_state_as_it_was(scene, integrator):
    model, data = scene
    model.opt.integrator = getattr(torsor.Integrator, integrator)
    torsor.step(model, data, nstep=3)
    before = torsor.get_state(model, data)
    calls = []

    def function(*args):
        calls.append(args)
        if len(calls) == 3:  # in the second stage of RK4; other integrators fail in the second step
            raise KeyError("mine")
        return floor_and_ball(*args)

    torsor.set_collision_function(data, PLANE, SPHERE, function)
    if integrator != "RK4":
        torsor.step(model, data)
        before = torsor.get_state(model, data)
    with pytest.raises(KeyError, match="mine"):
        torsor.step(model, data)
    np.testing.assert_array_equal(torsor.get_state(model, data), before)
    torsor.set_collision_function(data, PLANE, SPHERE, None)
    torsor.step(model, data)
    assert np.isfinite(data.qpos).all()


GOOD = (-0.01, [0, 0, 0], [0, 0, 1])


@pytest.mark.parametrize("points", [[(0.0, [0, 0, 0])], [(0.0, [0, 0], [0, 0, 1])], 3, [GOOD] * 51,
                                    [(0.0, [0, 0, 0], [0, 0, 2])], [(float("nan"), [0, 0, 0], [0, 0, 1])]])
def test_a_wrong_answer_is_refused(scene, points):
    model, data = scene
    torsor.set_collision_function(data, PLANE, SPHERE, lambda *args: points)
    with pytest.raises((ValueError, TypeError)):
        torsor.forward(model, data)


def test_what_is_no_function_is_refused(scene):
    model, data = scene
    with pytest.raises(TypeError, match="function"):
        torsor.set_collision_function(data, PLANE, SPHERE, 3)
