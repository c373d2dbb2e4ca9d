"""Shared fixtures of the differential tests."""

import os

import pytest

import engines
import judging
import scenes


def pytest_configure(config):
    config.addinivalue_line("markers", "large_models_are_long(dofs): collected models of more dofs need scripts/test --long")


def pytest_report_header():
    return (f"differential tests: {scenes.RANDOM_MODELS} random models, "
            f"TORSOR_MODELS={os.environ.get('TORSOR_MODELS', 'not set')}")


@pytest.fixture(scope="session")
def judge():
    return engines.judge()


@pytest.fixture(scope="session")
def subject():
    return engines.subject()


def pytest_generate_tests(metafunc):
    if "feature" in metafunc.fixturenames:
        metafunc.parametrize("feature", scenes.FEATURES, ids=scenes.feature_id)
    for name, refused in (("collected", False), ("unsupported", True)):
        if name in metafunc.fixturenames:
            paths = [path for path in scenes.collection() if bool(scenes.refused_in(path)) == refused]
            metafunc.parametrize(name, [_parameter(metafunc, path) for path in paths] or judging.collected([]))


def _parameter(metafunc, path):
    """A collected model; some tests take those of many dofs in long runs only."""
    limit = metafunc.definition.get_closest_marker("large_models_are_long")
    is_long = limit is not None and scenes.dofs(path) > limit.args[0]
    return pytest.param(path, marks=pytest.mark.long if is_long else (), id=scenes.collection_id(path))
