"""Counts the cases that tests check. A test whose cases are all screened out has shown nothing, and fails.

A test takes the fixture `judged`, calls it for every case that it compared, and calls `judged.screen()` for every case
that it left out. If a model has nothing to check by its nature, the test names it with a reason:

    judged.expect_nothing("no dofs")

The summary at the end of a run has the totals, and every reason with the number of tests that gave it."""

import collections

import pytest


class JudgedNothing(AssertionError):
    """A test passed without checking anything, or checked cases although it expected none."""


class Judged:
    """The counter of one test. It is strict where the cases are always the same. With a new seed, all cases of a test may
    be screened out, which is counted as a reason; and what is listed as hopeless may find something."""

    def __init__(self, has_fixed_cases=True):
        self.has_fixed_cases = has_fixed_cases
        self.cases = 0
        self.screened = 0
        self.reason = None

    def __call__(self, count=1):
        self.cases += int(count)

    def screen(self, count=1):
        self.screened += int(count)

    def expect_nothing(self, reason):
        """States why this test has nothing to check. None has no effect: `expect_nothing(LIST.get(name))`."""
        self.reason = reason or self.reason

    def finish(self):
        """The properties to report; raises if nothing was checked."""
        if not self.has_fixed_cases and self.cases == 0 and self.screened > 0:
            self.expect_nothing(self.reason or "all cases that this seed draws were screened out")
        self._check()
        numbers = [("judged", self.cases), ("screened", self.screened)]
        return numbers + ([("nothing_to_judge", self.reason)] if self.reason and not self.cases else [])

    def _check(self):
        if self.reason is None and self.cases == 0:
            raise JudgedNothing(f"checked nothing: all of {self.screened} cases were screened out. Give the test cases "
                                "that it can check, or name this one with the reason why there are none")
        if self.reason is not None and self.cases > 0 and self.has_fixed_cases:
            raise JudgedNothing(f"checked {self.cases} cases where it expects none ({self.reason}): the reason is out "
                                "of date, take it off the list")


def collected(paths, name=str):
    """Parameters of a test that runs on models of the user's collection: left out, and counted, if there are none."""
    missing = pytest.param(None, marks=pytest.mark.not_in_collection, id="none")
    return [pytest.param(path, id=name(path)) for path in paths] or [missing]


class Totals:
    """Sums over all tests of a run."""

    def __init__(self):
        self.tests = self.judged = self.screened = 0
        self.reasons = collections.Counter()
        self.left_out = collections.Counter()

    def add(self, properties):
        found = dict(properties)
        if "judged" not in found:
            return
        self.tests += 1
        self.judged += found["judged"]
        self.screened += found["screened"]
        if "nothing_to_judge" in found:
            self.reasons[found["nothing_to_judge"]] += 1

    def lines(self):
        share = 100 * self.screened / max(1, self.judged + self.screened)
        counts = f"{self.judged:,} cases in {tests(self.tests)}, {self.screened:,} screened out ({share:.1f} %)"
        result = [f"checked: {counts}"]
        result.append(f"nothing to check: {tests(sum(self.reasons.values()))}")
        result += [f"  {tests(count)}: {reason}" for reason, count in sorted(self.reasons.items())]
        result.append(f"left out: {tests(sum(self.left_out.values()))}")
        result += [f"  {tests(count)}: {reason}" for reason, count in sorted(self.left_out.items())]
        return result


def tests(count):
    return "1 test" if count == 1 else f"{count:,} tests"
