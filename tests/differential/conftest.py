"""Shared fixtures of the differential tests."""

import os

import pytest

import engines
import scenes

SEED = int(os.environ.get("TORSOR_SEED", 1))  # scripts/test --long draws another one each time


def pytest_report_header():
    return (f"differential tests: TORSOR_SEED={SEED}, {scenes.RANDOM_MODELS} random models, "
            f"TORSOR_MODELS={os.environ.get('TORSOR_MODELS', 'not set')}")


@pytest.fixture(scope="session")
def seed():
    """Random models of this run are drawn from this seed on; printed in the header to repeat a run."""
    return SEED


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
            missing = pytest.param(None, marks=pytest.mark.skip(reason="TORSOR_MODELS has no such models"))
            metafunc.parametrize(name, paths or [missing], ids=scenes.collection_id if paths else ["none"])
