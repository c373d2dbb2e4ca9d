"""torsor.cluster and torsor.search: everything public has an example that runs, and docs/cluster.md runs as it stands."""

import doctest
import inspect

import numpy
import pytest

import page_blocks
import test_start_page
import torsor
from example_models import ARM

PUBLIC = {f"{module.__name__}.{name}": value for module in (torsor.cluster, torsor.search) for name, value in vars(module).items()
          if not name.startswith("_") and not inspect.ismodule(value)}


@pytest.mark.parametrize("name", PUBLIC)
def test_the_example_of_everything_public_runs(name):
    model = torsor.Model.from_xml_string(ARM)
    names = {"torsor": torsor, "numpy": numpy, "model": model, "data": torsor.Data(model)}
    examples = doctest.DocTestParser().get_doctest(PUBLIC[name].__doc__ or "", names, name, None, None)
    assert examples.examples, f"{name} has no example"
    complaints = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=complaints.append)
    assert result.failed == 0, "".join(complaints)


def test_the_guide_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test_start_page.save_model(tmp_path)
    page_blocks.run_page("docs/cluster.md")
