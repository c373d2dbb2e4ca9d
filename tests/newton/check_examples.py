"""The scripts of Newton's examples give the results that docs/newton_examples.json says."""

import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import run_examples  # noqa: E402

RESULTS = json.loads((pathlib.Path(__file__).parents[2] / "docs" / "newton_examples.json").read_text())


def test_all_scripts_of_the_wheel_are_listed():
    assert set(RESULTS) == set(run_examples.scripts())


@pytest.mark.parametrize("name", RESULTS)
def test_the_script_does_what_the_table_says(name):
    found, errors = run_examples.run_apart(name)
    if run_examples.FULL:  # the table is of small ones
        assert found["result"] == RESULTS[name]["result"], errors
    else:
        assert found == RESULTS[name], errors


def test_scripts_that_are_made_smaller_are_in_the_wheel():
    assert set(run_examples.SMALLER) | set(run_examples.FRAMES) <= set(run_examples.scripts())
