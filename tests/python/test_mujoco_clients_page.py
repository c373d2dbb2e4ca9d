"""What docs/mujoco_clients.json has stored of programs written for MuJoCo keeps what the page and its introduction promise."""

import json
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "clients"))

import client_page  # noqa: E402

STORED = json.loads((ROOT / "docs" / "mujoco_clients.json").read_text(encoding="utf-8"))
TESTS = (*client_page.MUJOCO_TESTS, *client_page.GYMNASIUM_TESTS, *client_page.DM_CONTROL_TESTS, *client_page.MINK_TESTS)


def test_the_page_shows_what_is_stored():
    assert (ROOT / "docs" / "mujoco_clients.md").read_text(encoding="utf-8") == client_page.page(STORED)


def test_everything_has_run():
    assert {*TESTS, *client_page.ENVIRONMENTS, "scripts", "calls", "loading"} == set(STORED)
    assert all(STORED[name] for name in STORED)


@pytest.mark.parametrize("name", client_page.ENVIRONMENTS)
def test_every_environment_runs(name):
    assert not [each for each, row in STORED[name].items() if "fault" in row]


@pytest.mark.parametrize("name", STORED["gymnasium"])
def test_environments_equal_mujoco_or_differ_as_much_as_mujoco_from_itself(name):
    row = STORED["gymnasium"][name]
    assert max(row["one_step"]) < 1e-12 and row["speed"] >= 1.5
    if row["difference"] > client_page.ALIKE:
        (ours, noise), (above, noise_above) = row["sequences"]["medians"], row["sequences"]["above"]
        assert ours <= 2 * noise and above <= noise_above + 2 and row["sequences"]["count"] >= 20


def test_other_environments_that_differ_are_near_with_exact_solvers_and_searches():
    for name in client_page.WITH_EXACT:
        for each, row in STORED[name].items():
            if row.get("difference", 0) > client_page.ALIKE:
                assert min(row["exact"][0], row["difference"]) < max(row["difference"] / 10, 2 * row["exact"][1]), each


def test_scripts_give_the_same_results():
    assert not [name for name, row in STORED["scripts"].items() if row["fault"] or row["differ"]]


def test_no_call_is_slower_than_mujocos():
    slower = {name: each for name, each in STORED["calls"].items() if each[0] > 1.02 * each[1]}
    assert not slower and len(STORED["calls"]) > 200


def test_loading_large_meshes_is_no_slower_than_mujoco():
    assert not {name: each for name, each in STORED["loading"].items() if each[1] > each[2]}


def test_failures_of_other_peoples_tests_have_reasons():
    failed = {f"{name}.{test}": message for name in TESTS for test, message in STORED[name]["fail"].items()}
    counted = [name for name, message in failed.items() if not client_page.is_left_out(name, message)]
    assert not [name for name in counted if not any(name.startswith(start) for start in client_page.REASONS)]
    passed = sum(STORED[name]["pass"] for name in client_page.MUJOCO_TESTS)
    of_mujoco = [name for name in counted if name.startswith(client_page.MUJOCO_TESTS)]
    assert passed / (passed + len(of_mujoco)) >= 0.95 and passed > 400
