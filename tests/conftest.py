"""Common parts of all Python tests: the seed of random cases, the counter of checked cases, tests of longer runs."""

import os
import pathlib
import secrets
import signal

# Many small matrices: threads of the linear algebra only wait for each other. Before the first import of NumPy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest  # noqa: E402

from judging import Judged, Totals  # noqa: E402

# Processes in the background of a script ignore Ctrl-C, and so would all processes that tests start and interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONG = bool(os.environ.get("TORSOR_LONG"))
FIXED_SEED = 1  # the same cases for every commit: a red run is then the work of the commit
# Parallel workers inherit the environment, so all of them draw from the seed that the first process chose.
SEED = int(os.environ.setdefault("TORSOR_SEED", str(secrets.randbelow(10**9) if LONG else FIXED_SEED)))
GPU = bool(os.environ.get("TORSOR_GPU"))
LEFT_OUT = {  # marker: whether tests with it run, and what to say if they do not
    "long": (LONG, "longer runs, which scripts/test --long takes"),
    "gpu": (GPU, "tests that need a CUDA card, which scripts/test_gpu takes"),
    "not_in_collection": (False, "models that TORSOR_MODELS does not name a folder with"),
}
TOTALS = pytest.StashKey[Totals]()


def pytest_addoption(parser):
    parser.addoption("--judged-to", metavar="FILE", help="also write the counts of checked cases to this file")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; runs with scripts/test --long")
    config.addinivalue_line("markers", "gpu: needs a CUDA card; runs with scripts/test_gpu")
    config.addinivalue_line("markers", "not_in_collection: needs models that are not below TORSOR_MODELS")
    config.stash[TOTALS] = Totals()
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Summary(config))


def pytest_report_header():
    return f"random cases: TORSOR_SEED={SEED}{' (drawn for this run)' if LONG else ''}"


@pytest.fixture(scope="session")
def seed():
    """Random cases of this run are drawn from this seed on; printed in the header to repeat a run."""
    return SEED


@pytest.fixture
def judged():
    """Counts the cases that a test checked; none at all is a failure. See judging.py."""
    return Judged(has_fixed_cases=SEED == FIXED_SEED)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    result = yield
    counter = item.funcargs.get("judged") if hasattr(item, "funcargs") else None
    if isinstance(counter, Judged):
        item.user_properties += counter.finish()
    return result


def pytest_collection_modifyitems(config, items):
    """Leaves out what this run does not take; counted and printed at the end, not skipped one by one."""
    kept, left = [], []
    for item in items:
        marker = next((name for name, (runs, _) in LEFT_OUT.items() if not runs and item.get_closest_marker(name)), None)
        if marker:
            config.stash[TOTALS].left_out[LEFT_OUT[marker][1]] += 1
        (left if marker else kept).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


class Summary:
    """Collects the counters of all tests in the process that prints the summary."""

    def __init__(self, config):
        self.config, self.totals = config, config.stash[TOTALS]

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.totals.add(report.user_properties)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        """Every parallel worker leaves out the same tests; the process that prints has seen none of them."""
        self.totals.left_out = getattr(node, "workeroutput", {}).get("left_out", None) or self.totals.left_out

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("checked cases")
        for line in self.totals.lines():
            terminalreporter.write_line(line)
        path = self.config.getoption("--judged-to")
        if path:
            pathlib.Path(path).write_text("\n".join(self.totals.lines()) + "\n", encoding="utf-8")


def pytest_sessionfinish(session):
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = dict(session.config.stash[TOTALS].left_out)
