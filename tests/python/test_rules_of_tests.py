"""What holds for all tests: no clocks, no skips, and whoever leaves out cases counts what is left."""

import ast
import pathlib
import re

TESTS = pathlib.Path(__file__).parents[1]
PYTHON = sorted(TESTS.glob("*/test_*.py")) + sorted(TESTS.glob("*.py"))
CPP = sorted(TESTS.glob("*/*_test.cpp"))
CLOCKS = re.compile(r"\b(perf_counter|process_time|thread_time|monotonic|time\.time|timeit)\b|_clock::now")
CLOCK_TESTS = {"timers_test.cpp"}  # the clock itself is what is tested, and replaced
SKIPS = re.compile(r"\b(pytest\.skip|skipif|importorskip|xfail)\b|mark\.skip|GTEST_SKIP")
# Loops that leave out what is no case at all, such as fields that another test is about.
NO_CASES = {
    "test_sensors.py": {"forgive_lost_rays"}, "test_optimality.py": {"residuals"},
    "test_model_edits.py": {"all_models", "models_for"},
    "test_cables.py": {"test_all_curves_give_the_same_bodies", "test_settings_of_attached_models_merge_alike"},
    "test_convention_orders.py": {"urdf_of"},
    "test_coverage.py": {"test_every_element_of_the_wheel_is_read_or_refused_by_name",
                         "test_every_supported_attribute_changes_the_same_arrays_in_both_engines"},
}


def lines_with(pattern, paths, allowed=()):
    return [f"{path.name}:{number}: {line.strip()}" for path in paths if path.name not in allowed
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if pattern.search(line) and path != pathlib.Path(__file__)]


def test_no_test_looks_at_a_clock():
    """On a busy machine any limit of time is too short: count calls or instructions, or give the code a clock."""
    assert lines_with(CLOCKS, [*PYTHON, *CPP], CLOCK_TESTS) == []
    assert CLOCKS.search("assert time.perf_counter() - start < 1") and CLOCKS.search("std::chrono::steady_clock::now()")


def test_no_test_is_skipped():
    """Longer ones are marked, missing models are left out, models with nothing to check are named: all are counted."""
    assert lines_with(SKIPS, [*PYTHON, *CPP]) == []


def silent_screens(tree):
    """Functions that leave out cases of a loop and know no counter."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {function.name for function in functions
            if any(isinstance(node, ast.Continue) for node in ast.walk(function))
            and not any(isinstance(node, ast.Name) and node.id == "judged" for node in ast.walk(function))}


def test_whoever_leaves_out_cases_counts_what_is_left():
    found = {path.name: silent_screens(ast.parse(path.read_text(encoding="utf-8")))
             for path in sorted((TESTS / "differential").glob("test_*.py"))}
    assert {name: functions for name, functions in found.items() if functions - NO_CASES.get(name, set())} == {}
    planted = "def test_a():\n    for case in cases:\n        if odd(case):\n            continue\n        check(case)\n"
    assert silent_screens(ast.parse(planted)) == {"test_a"}
