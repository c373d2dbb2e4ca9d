"""repr() of every object that users meet says what it is."""

import inspect
import random

import pytest

import torsor
from torsor import newton


def classes():
    found = {}
    for module in (torsor, newton, newton.solvers, torsor.sap, torsor.flight, torsor.conventions, torsor.rotations, torsor._core,
                   torsor._core._newton):
        for name, value in vars(module).items():
            public = not name.startswith("_") or module is torsor._core._newton
            if public and inspect.isclass(value) and value.__module__.startswith("torsor"):
                found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


# Made of these by torsor.newton, which has classes of its own around them.
INSIDE = {"Source", "Builder", "Model", "Solver", "SolverMuJoCo", "SolverSAP", "SolverXPBD", "SolverSemiImplicit",
          "SolverFeatherstone", "SolverBase"}


def test_every_class_has_a_repr_of_its_own():
    plain = [name for name, kind in classes().items()
             if kind.__repr__ is object.__repr__ and not ("_newton" in name and kind.__name__ in INSIDE)]
    assert plain == []


def test_every_instance_shows_itself_without_an_address():
    from hostile_calls import World

    for instance in World(random.Random(3)).instances():
        text = repr(instance)
        assert " object at 0x" not in text and type(instance).__name__ in text or "Config(" in text, text


@pytest.fixture
def scene():
    model = torsor.Model.from_xml_string("""
        <mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.09"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>""")
    data = torsor.Data(model)
    torsor.forward(model, data)
    return model, data


def test_contacts_show_where_and_how_deep(scene):
    _, data = scene
    assert repr(data.contact) == ("<ContactList of 1\n  0: geoms 0 and 1, dist -0.01, pos [0 0 -0.005], dim 3\n>")
    text = repr(data.contact[0])
    assert text.startswith("<Contact\n  geom: array([0, 1]") and "\n  dist: -0.01" in text
    assert repr(torsor.Data(scene[0]).contact) == "<ContactList of 0>"


def test_counters_show_what_is_not_zero(scene):
    model, data = scene
    assert repr(data.warning) == "<WarningList: all zero>"
    torsor.warn(data, torsor.Warning.BADQVEL, 4)
    assert repr(data.warning) == "<WarningList\n  BADQVEL: number 1, lastinfo 4\n>"
    data.timers_on = True
    torsor.step(model, data)
    assert "\n  STEP: duration " in repr(data.timer)


def test_options_show_names(scene):
    model, _ = scene
    model.opt.integrator, model.opt.solver, model.opt.cone = torsor.Integrator.RK4, torsor.Solver.CG, 1
    model.opt.disableflags = torsor.DisableFlag.GRAVITY | torsor.DisableFlag.CONTACT
    model.opt.enableflags = torsor.EnableFlag.ENERGY
    text = repr(model.opt)
    for line in ("integrator: 1 (RK4)", "solver: 1 (CG)", "cone: 1 (ELLIPTIC)", "jacobian: 2 (AUTO)",
                 "enableflags: 2 (ENERGY)", "timestep: 0.002"):
        assert f"\n  {line}\n" in text, text
    flags = next(line for line in text.split("\n") if "disableflags" in line)
    assert "CONTACT" in flags and "GRAVITY" in flags and "SENSOR" not in flags


def test_a_batch_and_a_state_map_show_their_sizes(scene):
    model, _ = scene
    assert repr(torsor.Batch(model, 5)).startswith("<Batch of 'MuJoCo Model': nworld 5, lanes ")
    assert repr(torsor.StateMap(model, "mujoco", "newton")) == (
        "<StateMap from 'mujoco' to 'newton': nq 7 -> 7, nv 6, nu 0>")
