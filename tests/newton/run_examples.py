#!/usr/bin/env python3
"""Runs the scripts of Newton's examples on torsor.newton, each in a process of its own, and prints a table.

    scripts/newton --write          # all, and write docs/newton_examples.json
    PYTHONPATH=build/release/python build/newton_environment/bin/python tests/newton/run_examples.py basic_pendulum
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import traceback
import warnings

# How many frames a script needs for its own final check: 100 as in Newton's own runner, unless said here.
FRAMES = {"basic_dzhanibekov": 150, "robot_omniwheel": 280}


# Scripts that are meant for a GPU, made small so that all of them take a minute. TORSOR_FULL_EXAMPLES runs them as they are, which
# takes some ten minutes.
SMALLER = {
    "basic_plotting": ["--world-count", "2"],
    "basic_urdf": ["--world-count", "4"],
    "recording": ["--world-count", "4"],
    "pyramid": ["--num-pyramids", "2", "--pyramid-size", "8"],
}


# A body that spins about its middle axis is in balance, until rounding disturbs it: in single precision within a second, in
# double precision not at all if its axes are exact. The script waits for it to turn over.
PUSHES = {"basic_dzhanibekov": ([0, 0, 0, 1e-3, 0, 0], "a push of 0.001 N m for one step")}


# Newton's runner compiles a check from the source of its lambda, of which Warp reads the first line unless it is in
# parentheses. A check that Newton's own motion would not pass as a whole: its name, and the component of the twist that is
# taken for 0. (The second line of this one says that the centre of a swinging pole does not rise, and Newton's rises at 1.1 m/s.)
EXCUSED = {"robot_cartpole": ("pole1 only has y-axis linear velocity and x-axis angular velocity", 2,
                              "pole1 has no vertical velocity, which it has in Newton too")}


# Launches its graph without a test whether there is one, which on the CPU there is not.
LAUNCHES = {"recording"}
FULL = bool(os.environ.get("TORSOR_FULL_EXAMPLES"))
VIEWERS = {"basic_viewer", "replay_viewer"}


LONGEST = 7200 if FULL else 900  # seconds


def scripts():
    import stand_ins

    folder = stand_ins.wheel_folder() / "examples"
    return {path.stem.removeprefix("example_"): path for group in ("basic", "robot", "contacts")
            for path in sorted((folder / group).glob("example_*.py"))}


def run_here(name):
    """One script in this process: {"result": ..., "why": ...}."""
    import stand_ins
    from torsor.newton._missing import NotThere

    used = stand_ins.install()
    stand_ins.excused.update({EXCUSED[name][0]: EXCUSED[name][1]} if name in EXCUSED else {})
    warnings.simplefilter("ignore")
    path = scripts()[name]
    module = f"newton.examples.{path.parent.name}.{path.stem}"
    try:
        frames = run(__import__(module, fromlist=["Example"]), name)
    except stand_ins.Missing as missing:
        return {"result": "not run", "why": f"needs {missing}"}
    except NotThere as missing:
        return {"result": "not run", "why": f"needs {missing}"}
    except ModuleNotFoundError as missing:  # for neural networks, assets and the like
        return {"result": "not run", "why": f"needs the Python package {missing.name}"}
    except Exception as error:  # whatever the script or the package raises is the result
        traceback.print_exc()
        text = (str(error).splitlines() or [""])[0]
        return {"result": "fails", "why": f"{type(error).__name__}: {text[:160]}"}
    why = f"{frames} frames, and its own final check"
    why += f", with {' '.join(SMALLER[name])}" if name in SMALLER and not FULL else ""
    used |= {"wp.capture_launch"} if name in LAUNCHES else set()
    why += f", with {PUSHES[name][1]}" if name in PUSHES else ""
    why += f", but that {EXCUSED[name][2]}" if name in EXCUSED else ""
    return {"result": "runs", "why": why + (f", with a stand-in for {', '.join(sorted(used))}" if used else "")}


def run(module, name):
    import stand_ins

    if name in VIEWERS:
        raise stand_ins.Missing("a viewer, and simulates nothing")
    parser = module.Example.create_parser() if hasattr(module.Example, "create_parser") else find_parser(module)
    arguments = parser.parse_args([] if FULL else SMALLER.get(name, []))
    arguments.num_frames = FRAMES.get(name, arguments.num_frames)
    viewer = stand_ins.Viewer()
    viewer.push = PUSHES.get(name, [None])[0]
    example = module.Example(viewer, arguments)
    if name in LAUNCHES:
        stand_ins.warp.capture_launch = lambda graph: example.simulate()
    for _ in range(arguments.num_frames):
        example.step()
        example.render()
    if hasattr(example, "test_post_step"):
        example.test_post_step()
    if hasattr(example, "test_final"):
        example.test_final()
    return arguments.num_frames


def find_parser(module):
    """Scripts without create_parser() add their arguments under `if __name__ == "__main__"`: with their defaults."""
    import ast

    import stand_ins

    parser = stand_ins.create_parser()
    for node in ast.walk(ast.parse(pathlib.Path(module.__file__).read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            flag = node.args[0].value
            words = {word.arg: word.value for word in node.keywords if word.arg in ("default", "type")}
            default = eval(ast.unparse(words["default"]), vars(module)) if "default" in words else None
            parser.add_argument(flag, default=default)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_arg"):
            getattr(stand_ins, node.func.attr)(parser)
    return parser


def run_apart(name):
    """In a process of its own: scripts change module state."""
    command = [sys.executable, __file__, "--here", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return {"result": "fails", "why": f"takes more than {LONGEST // 60} minutes"}, ""
    lines = done.stdout.splitlines()
    return (json.loads(lines[-1]) if lines and lines[-1].startswith("{") else
            {"result": "fails", "why": f"ends with code {done.returncode}"}), done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="all without")
    parser.add_argument("--here", action="store_true", help="run one script in this process")
    parser.add_argument("--write", type=pathlib.Path, help="write the results to this file")
    chosen = parser.parse_args()
    if chosen.here:
        print("\n" + json.dumps(run_here(chosen.names[0])))
        return
    results = {}
    for name in chosen.names or scripts():
        results[name], errors = run_apart(name)
        print(f"{name:32} {results[name]['result']:8} {results[name]['why']}", flush=True)
        if chosen.names:
            print(errors)
    if chosen.write:
        chosen.write.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
