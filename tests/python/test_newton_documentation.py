"""Every public name of torsor.newton has an example, and all examples run; the page docs/newton.md as well."""

import doctest
import inspect
import math
import pathlib
import re

import numpy
import pytest

import torsor.newton as newton

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "newton.md"
ENUMS = {"JointType", "GeoType", "ShapeFlags", "BodyFlags", "ModelFlags", "JointTargetMode", "Version"}


def documented():
    found = {}
    for name, value in vars(newton).items():
        if name.startswith("_") or inspect.ismodule(value) or not callable(value) or name in ENUMS:
            continue
        found[name] = value
    solvers = newton.solvers
    found |= {owner.__name__: owner for owner in (solvers.SolverMuJoCo, solvers.SolverSAP, solvers.SolverFeatherstone,
                                                  solvers.SolverXPBD, solvers.SolverSemiImplicit)}
    for module in (newton.math, newton.selection, newton.utils):
        found |= {f"{module.__name__}.{name}": value for name, value in vars(module).items()
                  if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__}
    owners = [newton.ModelBuilder, newton.Model, newton.State, newton.Control, newton.Contacts, solvers.SolverBase,
              solvers.SolverMuJoCo, newton.Mesh, newton.selection.ArticulationView]
    for owner in owners:
        for name, value in inspect.getmembers(owner):
            if not name.startswith("_") and callable(value) and not isinstance(value, type):
                found[f"{owner.__name__}.{name}"] = value
    return found


def scene():
    """What examples may use."""
    builder = newton.ModelBuilder()
    links = [builder.add_link(mass=1, inertia=numpy.eye(3)) for _ in range(2)]
    builder.add_articulation([builder.add_joint_revolute(-1, links[0]), builder.add_joint_revolute(*links)])
    model = builder.finalize()
    other = newton.ModelBuilder()
    mesh = newton.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2])
    names = {"newton": newton, "numpy": numpy, "math": math, "builder": other, "mesh": mesh, "model": model,
             "link": other.add_link(mass=1, inertia=numpy.eye(3)), "state": model.state(),
             "contacts": model.contacts(), "solver": newton.solvers.SolverMuJoCo(model),
             "view": newton.selection.ArticulationView(model, [0])}
    return names


@pytest.mark.parametrize("name", documented())
def test_the_example_runs(name):
    names = scene()
    if name.endswith("end_world"):
        names["builder"].begin_world()
    text = inspect.getdoc(documented()[name]) or ""
    examples = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    assert examples.examples, f"{name} has no example"
    complaints = []
    result = doctest.DocTestRunner().run(examples, out=complaints.append)
    assert result.failed == 0, "".join(complaints)


def test_everything_public_is_documented():
    for name, value in vars(newton).items():
        if not name.startswith("_") and callable(value):
            assert inspect.getdoc(value), name


def test_the_page_runs():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
