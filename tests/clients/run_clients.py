"""Programs written for MuJoCo on torsor.mujoco, from their wheels, and MuJoCo's own tests. Run by scripts/test_clients.

Prints results; with --write, stores them in docs/mujoco_clients.json and writes docs/mujoco_clients.md.
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

import client_page
import numpy

ROOT = pathlib.Path(__file__).parents[2]
HERE = pathlib.Path(__file__).parent
STORED, PAGE = ROOT / "docs" / "mujoco_clients.json", ROOT / "docs" / "mujoco_clients.md"
CLIENTS = ROOT / "build" / "clients"
MUJOCO_TESTS = CLIENTS / "mujoco4" / "mujoco"
PYTHON = {"robosuite": str(CLIENTS / "robosuite" / "bin" / "python")}  # packages with an environment of their own
AS_MUJOCO = ["-m", "torsor.as_mujoco"]
ALIKE, SEQUENCES = 1e-9, 20
# the files that the tests read are in MuJoCo's wheel, not in the folder of the module that stands for it
CONFTEST = """import pathlib
from etils import epath
epath.resource_path = lambda package: epath.Path(pathlib.Path(__file__).parent)
"""


def run(arguments, **keywords):
    return subprocess.run(arguments, capture_output=True, text=True, **keywords)


# --- tests ----------------------------------------------------------------------------------------------------------


def results_of(report):
    """Numbers of tests that passed and were skipped, and those that failed with the first line of their message."""
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


def run_tests(file, folder, environment=None):
    report = pathlib.Path(folder) / "report.xml"
    result = run([sys.executable, *AS_MUJOCO, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", f"--junitxml={report}",
                  str(file)], cwd=folder, env={**os.environ, **(environment or {})})
    if not report.exists():
        return {"pass": 0, "fail": {"all": (result.stdout + result.stderr)[-300:]}, "skip": 0}
    return results_of(report)


def run_mujoco_test(name):
    """One file of MuJoCo's tests."""
    with tempfile.TemporaryDirectory() as folder:
        copied = pathlib.Path(folder) / f"{name}.py"
        shutil.copy(MUJOCO_TESTS / f"{name}.py", copied)
        if (MUJOCO_TESTS / "testdata").exists():
            shutil.copytree(MUJOCO_TESTS / "testdata", pathlib.Path(folder) / "testdata")
        (pathlib.Path(folder) / "conftest.py").write_text(CONFTEST)
        return run_tests(copied, folder)


def run_gymnasium_test(name):
    """One file of ours that calls Gymnasium's checker."""
    with tempfile.TemporaryDirectory() as folder:
        return run_tests(HERE / f"{name}.py", folder, {"MUJOCO_GL": "egl"})


def run_dm_control_test(name):
    """One file of dm_control's tests, which are in its wheel. Its rendering context is ours, whatever it is called."""
    import dm_control

    file = pathlib.Path(dm_control.__file__).parent / f"{name.removeprefix('dm_control.').replace('.', '/')}.py"
    with tempfile.TemporaryDirectory() as folder:
        return run_tests(file, folder, {"MUJOCO_GL": "egl"})


def run_mink_test(name):
    """One file of the tests in mink's wheel of version 0.0.2, the last one that has some."""
    wheel = CLIENTS / "mink_tests"
    with tempfile.TemporaryDirectory() as folder:
        return run_tests(wheel / f"{name.replace('.', '/')}.py", folder, {"PYTHONPATH": f"{wheel}{os.pathsep}{os.environ['PYTHONPATH']}"})


# --- environments ---------------------------------------------------------------------------------------------------


def traces_of(package, start, folder, *options):
    """Arrays by the names of environments, and what went wrong."""
    output = pathlib.Path(folder) / f"{len(list(pathlib.Path(folder).iterdir()))}.npz"
    environment = {**os.environ, "MUJOCO_GL": "egl"} if start else None  # the context is ours, whatever it is called
    result = run([PYTHON.get(package, sys.executable), *start, str(HERE / "trace_environments.py"), package, str(output), *options],
                 env=environment)
    if not output.exists():
        return {}, {"all": (result.stderr.strip().split("\n") or [""])[-1][:200]}
    with numpy.load(output) as stored:
        traces = {name: stored[name] for name in stored.files if name != "faults"}
        return traces, json.loads(str(stored["faults"]))


def distance(ours, theirs):
    """Infinite if one of them ended earlier."""
    return float(numpy.abs(ours - theirs).max(initial=0)) if ours.shape == theirs.shape else float("inf")


def traces_of_three(package, *options):
    """Traces and faults of Torsor, of MuJoCo, and of MuJoCo from a state that differs by rounding."""
    with tempfile.TemporaryDirectory() as folder:
        return [traces_of(package, start, folder, *options, *noise)
                for start, noise in ((AS_MUJOCO, ()), ([], ()), ([], ("--noise",)))]


def run_environments(package):
    (ours, faults), (theirs, their_faults), (noisy, _) = traces_of_three(package)
    found = {}
    for name in {**ours, **faults}:
        row = found[name] = {"fault": faults[name]} if name in faults else {}
        if name not in theirs:
            row["their_fault"] = their_faults.get(name, their_faults.get("all", ""))
        elif name in ours:
            row["difference"] = distance(ours[name], theirs[name])
            row["spread"] = distance(noisy[name], theirs[name]) if name in noisy else 0.0
    far = [name for name, row in found.items() if row.get("difference", 0) > ALIKE]
    if far and package in client_page.WITH_EXACT:
        (ours, _), (theirs, _), (noisy, _) = traces_of_three(package, "--exact", *far)
        for name in far:
            found[name]["exact"] = [distance(other[name], theirs[name]) for other in (ours, noisy)]
    return found


def one_step(name):
    """Differences after one step from equal states: of steps whose contacts have closed forms, and of others."""
    result = run([sys.executable, str(HERE / "one_step.py"), name])
    return [float(number) for number in result.stdout.split()[-2:]]


def run_sequences(name):
    """Under other sequences of actions: the median differences, and how many are above ALIKE, of Torsor and of MuJoCo with rounding."""
    (ours, _), (theirs, _), (noisy, _) = traces_of_three("gymnasium", f"--sequences={SEQUENCES}", name)
    found = [[distance(other[key], theirs[key]) for key in theirs] for other in (ours, noisy)]
    return {"count": len(theirs), "medians": [float(numpy.median(each)) for each in found],
            "above": [sum(value > ALIKE for value in each) for each in found]}


def run_robotics():
    results = run_environments("gymnasium_robotics")
    for name in results:
        if name.startswith("AdroitHand"):
            results[name]["one_step"] = one_step(name)
    return results


def run_gymnasium():
    """The environments, one step of them, and how many times as fast their steps are."""
    results = run_environments("gymnasium")
    for name in results:
        results[name]["one_step"] = one_step(name)
        times = []
        for start in (AS_MUJOCO, []):
            result = run([sys.executable, *start, str(HERE / "time_gymnasium.py"), name])
            times.append(float(result.stdout.split()[-1]) if result.returncode == 0 else float("nan"))
        results[name]["speed"] = times[1] / times[0]
        if results[name].get("difference", 0) > ALIKE:
            results[name]["sequences"] = run_sequences(name)
        print(name, results[name], flush=True)
    return results


# --- scripts --------------------------------------------------------------------------------------------------------


def values_of(script, start):
    """What a script shows, by name, and the last line of its error."""
    result = run([sys.executable, *start, script.name], cwd=script.parent)
    rows = [json.loads(line) for line in result.stdout.split("\n") if line.startswith('{"name"')]
    return {row["name"]: row for row in rows}, "" if result.returncode == 0 else result.stderr.strip().split("\n")[-1][:160]


def differs(ours, theirs):
    """Where two results are not alike; '' if they are."""
    for mine, other in zip(ours["values"], theirs["values"], strict=True):
        if len(mine) != len(other):
            return f"{len(mine)} values, not {len(other)}"
        for a, b in zip(mine, other, strict=True):
            is_number = isinstance(a, (int, float)) and isinstance(b, (int, float))
            if (not abs(a - b) <= theirs["tolerance"] * max(1, abs(b))) if is_number else a != b:
                return f"{a}, not {b}"
    return ""


def run_scripts():
    results = {}
    for script in sorted((HERE / "scripts").glob("*.py")):
        if script.stem == "show":
            continue
        (ours, fault), (theirs, their_fault) = values_of(script, AS_MUJOCO), values_of(script, [])
        wrong = {name: differs(ours[name], theirs[name]) if name in ours else "missing" for name in theirs}
        results[script.stem] = {"about": script.read_text().split('"""')[1].strip(), "values": len(theirs), "fault": fault or their_fault,
                                "differ": {name: text for name, text in wrong.items() if text}}
        print(script.stem, results[script.stem], flush=True)
    return results


def run_calls():
    """{call: [seconds of Torsor, of MuJoCo]}"""
    import measure_calls

    return measure_calls.measure_all()[0]


def run_loading():
    """{file: [seconds of Torsor, of MuJoCo]} of a model with large meshes that both have loaded before."""
    import measure_loading

    return measure_loading.measure_all()


RUNNERS = {"scripts": run_scripts, "calls": run_calls, "loading": run_loading, "gymnasium": run_gymnasium,
           "gymnasium_robotics": run_robotics,
           **{name: lambda name=name: run_environments(name) for name in client_page.ENVIRONMENTS if "gymnasium" not in name},
           **{name: lambda name=name: run_gymnasium_test(name) for name in client_page.GYMNASIUM_TESTS},
           **{name: lambda name=name: run_mujoco_test(name) for name in client_page.MUJOCO_TESTS},
           **{name: lambda name=name: run_dm_control_test(name) for name in client_page.DM_CONTROL_TESTS},
           **{name: lambda name=name: run_mink_test(name) for name in client_page.MINK_TESTS}}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true", help="write the results and the page")
    parser.add_argument("--page", action="store_true", help="write the page from stored results")
    options = parser.parse_args()
    results = json.loads(STORED.read_text()) if STORED.exists() and (options.names or options.page) else {}
    for name in options.names if options.names else () if options.page else RUNNERS:
        results[name] = row = RUNNERS[name]()
        print(name, f"{row['pass']} pass, {len(row['fail'])} fail, {row['skip']} skipped" if "pass" in row else "", flush=True)
        for test, message in row.get("fail", {}).items() if os.environ.get("VERBOSE") else ():
            print("   ", test, ":", message)
        if options.write:  # after each, since all of them take long
            STORED.write_text(json.dumps(results, indent=1) + "\n")
            PAGE.write_text(client_page.page(results))
    if options.page:
        PAGE.write_text(client_page.page(results))


if __name__ == "__main__":
    main()
