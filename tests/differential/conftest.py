"""Shared fixtures of the differential tests."""

import os
import pathlib
import subprocess

import pytest

import engines
import scenes



def seed_of_sources():
    """Random models are new with every change of the engine, and the same for everyone who tests that change."""
    found = subprocess.run(["git", "rev-parse", "HEAD:torsor"], cwd=pathlib.Path(__file__).parent, capture_output=True,
                           text=True, check=False)
    return int(found.stdout[:7], 16) if found.returncode == 0 else 1


SEED = int(os.environ.get("TORSOR_SEED") or seed_of_sources())  # scripts/test --long draws another one each time


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
