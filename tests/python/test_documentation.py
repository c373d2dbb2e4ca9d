"""Everything public is documented with an example that runs, is typed, and the reference pages are current."""

import ast
import doctest
import inspect
import pathlib
import re
import subprocess
import sys

import numpy
import pytest

import torsor
from example_models import ARM

ROOT = pathlib.Path(__file__).parents[2]
# these have their types in the source
WRITTEN_IN_PYTHON = {"torsor._batch", "torsor._batch_element", "torsor._convert", "torsor._derivatives",
                     "torsor._device_array", "torsor._device_batch", "torsor._devices", "torsor._losses", "torsor._render", "torsor._rollout", "torsor._spec.spec", "torsor._view"}
ELEMENTS_AND_GROUPS = re.compile("(Model|Data|Visual)[A-Z]")  # what model.body("arm") returns, groups of model.vis


def public_names():
    """Modules of the package have tests of their own."""
    return [name for name in dir(torsor) if not name.startswith("_") and not inspect.ismodule(getattr(torsor, name))]


def is_enum(value):
    return isinstance(value, type) and hasattr(value, "__members__")


DELAYED = """<mujoco>
  <worldbody><body><joint name="hinge"/><geom size="0.1"/></body></worldbody>
  <actuator><motor joint="hinge" delay="0.004" nsample="3"/></actuator>
  <sensor><jointpos joint="hinge" delay="0.004" nsample="3"/></sensor>
</mujoco>"""


BALL = """<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.09"><freejoint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>"""


def documented():
    """{name: object} of all that needs an example: functions, and classes with their methods."""
    found = {}
    for name in public_names():
        value = getattr(torsor, name)
        if callable(value) and not is_enum(value) and not ELEMENTS_AND_GROUPS.match(name):
            found[name] = value
    for owner in (torsor.Model, torsor.Data, torsor.Spec, torsor.Batch, torsor.DeviceBatch, torsor.DeviceArray):
        for name, value in vars(owner).items():
            if name.startswith("_") or isinstance(value, property) or name in FINDERS:
                continue
            found[f"{owner.__name__}.{name}"] = getattr(owner, name)
    found["Data.control"] = torsor.Data.control
    return found


# Functions that find one element; test_elements.py has their examples.
FINDERS = {"body", "frame", "joint", "jnt", "geom", "site", "camera", "cam", "light", "mesh", "hfield", "texture", "tex", "skin",
           "material", "mat", "pair", "exclude", "equality", "eq", "tendon", "ten", "actuator", "sensor", "numeric", "text",
           "tuple", "key", "keyframe"}


def example_text(value):
    """The docstring of a public name. Without a card, batches of examples are stepped by the same kernels on the processor."""
    text = value.__doc__ or ""
    if torsor.devices():
        return text
    return text.replace('device="cuda"', 'device="host"')


def marked(name):
    return pytest.param(name, marks=pytest.mark.gpu if "# needs a card" in (documented()[name].__doc__ or "") else ())


@pytest.mark.parametrize("name", [marked(name) for name in documented()])
def test_the_example_of_every_function_runs(name, tmp_path):
    (tmp_path / "arm.xml").write_text(ARM)
    model = torsor.Model.from_xml_string(ARM)
    names = {"torsor": torsor, "numpy": numpy, "model": model, "data": torsor.Data(model), "folder": tmp_path,
             "path": tmp_path / "arm.xml", "delayed": torsor.Model.from_xml_string(DELAYED),
             "ball": torsor.Model.from_xml_string(BALL), "spec": torsor.Spec.from_xml_string(ARM),
             "solver": torsor.sap.SapSolver(model)}
    examples = doctest.DocTestParser().get_doctest(example_text(documented()[name]), names, name, None, None)
    assert examples.examples, f"{name} has no example"
    complaints = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=complaints.append)
    assert result.failed == 0, "".join(complaints)


def test_everything_public_is_documented():
    for name in public_names():
        assert inspect.getdoc(getattr(torsor, name)), name


def stub():
    return ast.parse((pathlib.Path(torsor._core.__file__).parent / "_core" / "__init__.pyi").read_text())


def test_the_type_stub_knows_everything_public():
    names = {node.name for node in stub().body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    own = {name for name in public_names() if getattr(getattr(torsor, name), "__module__", "") in WRITTEN_IN_PYTHON}
    assert set(public_names()) - own - {"Error", "version"} <= names
    assert pathlib.Path(torsor.__file__).with_name("py.typed").exists()


@pytest.mark.parametrize("owner, kind", [("Model", "model"), ("Data", "data")])
def test_the_type_stub_types_every_field(owner, kind):
    (body,) = [node.body for node in stub().body if isinstance(node, ast.ClassDef) and node.name == owner]
    types = {node.name: ast.unparse(node.returns) for node in body if isinstance(node, ast.FunctionDef)
             and any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)}
    for row in torsor.fields(kind):
        if row.shape and row.dtype != "bytes":
            assert types[row.name].endswith(f"NDArray[numpy.{row.dtype}]"), row.name
        else:
            assert types[row.name] == row.dtype, row.name


def test_the_stub_has_no_types_that_python_does_not_know():
    for node in ast.walk(stub()):
        if isinstance(node, ast.FunctionDef):
            assert "::" not in ast.unparse(node.args) + ast.unparse(node.returns or node.args), node.name


def test_the_version_is_that_of_the_project():
    assert f'kHeaderVersion = "{torsor.__version__}"' in (ROOT / "torsor/core/version.hpp").read_text()


def test_the_reference_pages_are_current(tmp_path):
    script = ROOT / "scripts" / "make_reference.py"
    subprocess.run([sys.executable, script, "--output", tmp_path], check=True)
    for name in ("fields.md", "mjcf.md"):
        assert (tmp_path / name).read_text() == (ROOT / "docs" / "reference" / name).read_text(), \
            f"docs/reference/{name} is not current: run {script.relative_to(ROOT)}"
