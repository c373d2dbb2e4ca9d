"""Programs written for MuJoCo on torsor.mujoco: Gymnasium, dm_control and MuJoCo's own tests. Run by scripts/test_clients.

Prints a table of results; with --write, stores it in docs/mujoco_clients.json and writes docs/mujoco_clients.md.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import numpy

ROOT = pathlib.Path(__file__).parents[2]
HERE = pathlib.Path(__file__).parent
STORED, PAGE = ROOT / "docs" / "mujoco_clients.json", ROOT / "docs" / "mujoco_clients.md"
MUJOCO_TESTS = ROOT / "build" / "clients" / "mujoco4" / "mujoco"
TESTS = ("bindings_test", "specs_test", "rollout_test", "batch_test", "minimize_test", "vfs_test", "thread_safety_test",
         "renderer_test")
AS_MUJOCO = [sys.executable, "-m", "torsor.as_mujoco"]
PAGE_TEXT = """\
# Programs written for MuJoCo

The following run on [`torsor.mujoco`](mujoco.md) from their wheels, unmodified. `scripts/test_clients --write` runs them and writes
this page.

## Gymnasium

Largest difference of observations and rewards from MuJoCo's over 50 random actions, and how many times as fast `env.step` is.

| environment | difference | speed |
|---|---|---|
"""
# the files that the tests read are in MuJoCo's wheel, not in the folder of the module that stands for it
CONFTEST = """import pathlib
from etils import epath
epath.resource_path = lambda package: epath.Path(pathlib.Path(__file__).parent)
"""
TEST_HEADER = """
## MuJoCo's own tests

From the wheel of MuJoCo 4.0.

| file | pass | fail | skipped |
|---|---|---|---|
"""


def run(arguments, **keywords):
    return subprocess.run(arguments, capture_output=True, text=True, **keywords)


def run_mujoco_test(name):
    """Results of one file of MuJoCo's tests, by test."""
    with tempfile.TemporaryDirectory() as folder:
        copied = pathlib.Path(folder) / f"{name}.py"
        shutil.copy(MUJOCO_TESTS / f"{name}.py", copied)
        if (MUJOCO_TESTS / "testdata").exists():
            shutil.copytree(MUJOCO_TESTS / "testdata", pathlib.Path(folder) / "testdata")
        (pathlib.Path(folder) / "conftest.py").write_text(CONFTEST)
        report = pathlib.Path(folder) / "report.xml"
        result = run([*AS_MUJOCO, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", f"--junitxml={report}", str(copied)],
                     cwd=folder)
        if not report.exists():
            return {"pass": 0, "fail": {"all": (result.stdout + result.stderr)[-300:]}, "skip": 0}
        passed, skipped, failed = 0, 0, {}
        for case in ElementTree.parse(report).iter("testcase"):
            wrong = [child for child in case if child.tag in ("failure", "error")]
            if wrong:
                failed[case.get("name")] = (wrong[0].get("message") or "").split("\n")[0].replace(f"{ROOT}/", "")[:160]
            elif any(child.tag == "skipped" for child in case):
                skipped += 1
            else:
                passed += 1
        return {"pass": passed, "fail": failed, "skip": skipped}


def trace_of(environment, module, folder):
    """Observations, rewards and time of one environment, with one of the modules."""
    output = pathlib.Path(folder) / f"{module}.npz"
    start = AS_MUJOCO if module == "torsor" else [sys.executable]
    result = run([*start, str(HERE / "trace_gymnasium.py"), environment, str(output)])
    if result.returncode != 0:
        return None, result.stderr.strip().split("\n")[-1][:200]
    return numpy.load(output), ""


def run_gymnasium():
    results = {}
    names = run([sys.executable, str(HERE / "trace_gymnasium.py"), "--list"]).stdout.split()
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            (ours, fault), (theirs, other) = trace_of(name, "torsor", folder), trace_of(name, "mujoco", folder)
            if ours is None or theirs is None:
                results[name] = {"fault": fault or other}
                continue
            difference = max(float(numpy.max(numpy.abs(ours[key] - theirs[key]), initial=0)) for key in ("observations", "rewards"))
            results[name] = {"difference": difference, "speed": float(theirs["seconds"] / ours["seconds"])}
        print(name, results[name], flush=True)
    return results


def run_dm_control():
    # its context is ours, whatever it is called
    result = run([*AS_MUJOCO, str(HERE / "run_dm_control.py")], env={**os.environ, "MUJOCO_GL": "egl"})
    lines = [line for line in result.stdout.split("\n") if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {"fault": (result.stderr.strip().split("\n") or [""])[-1][:300]}


def page(results):
    text = PAGE_TEXT
    for name, row in results.get("gymnasium", {}).items():
        text += f"| {name} | {row['fault']} | |\n" if "fault" in row else \
            f"| {name} | {row['difference']:.1e} | {row['speed']:.1f} |\n"
    control = results.get("dm_control", {})
    if control:
        text += "\n## dm_control\n\n"
        text += f"{len(control.get('runs', []))} tasks of the suite run; {len(control.get('fails', {}))} do not.\n"
        for name, fault in control.get("fails", {}).items():
            text += f"\n- {name}: `{fault}`\n"
    text += TEST_HEADER
    for name in TESTS:
        if name in results:
            row = results[name]
            text += f"| `{name}.py` | {row['pass']} | {len(row['fail'])} | {row['skip']} |\n"
    text += "\nThose that fail, with the first line of their message:\n"
    for name in TESTS:
        for test, message in results.get(name, {}).get("fail", {}).items():
            text += f"\n- `{name}.{test}`: `{message.replace('`', '')}`"
    return text + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true", help="write the results and the page")
    parser.add_argument("--page", action="store_true", help="write the page from stored results")
    options = parser.parse_args()
    runners = {"gymnasium": run_gymnasium, "dm_control": run_dm_control}
    results = json.loads(STORED.read_text()) if STORED.exists() else {}
    for name in options.names if options.names else () if options.page else [*runners, *TESTS]:
        results[name] = runners[name]() if name in runners else run_mujoco_test(name)
        row = results[name]
        print(name, f"{row['pass']} pass, {len(row['fail'])} fail, {row['skip']} skipped" if "pass" in row else "", flush=True)
        for test, message in row.get("fail", {}).items() if os.environ.get("VERBOSE") else ():
            print("   ", test, ":", message)
    if options.write:
        STORED.write_text(json.dumps(results, indent=1) + "\n")
    if options.write or options.page:
        PAGE.write_text(page(results))


if __name__ == "__main__":
    main()
