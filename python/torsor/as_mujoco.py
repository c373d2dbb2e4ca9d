"""Runs a program written for MuJoCo on Torsor: `import mujoco` finds torsor.mujoco.

    python -m torsor.as_mujoco program.py arguments...
    python -m torsor.as_mujoco -m package.module arguments...
"""

from __future__ import annotations

import os
import runpy
import sys


def main(arguments: list[str]) -> int:
    """Runs the program with the given arguments, as Python would.

    >>> torsor.as_mujoco.main([])
    usage: python -m torsor.as_mujoco [-m module | program.py] [arguments ...]
    2
    """
    if not arguments or arguments[0] in ("-h", "--help") or arguments == ["-m"]:
        print("usage: python -m torsor.as_mujoco [-m module | program.py] [arguments ...]")
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    from torsor import mujoco

    mujoco.install()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return 0
    sys.argv = arguments
    sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
    runpy.run_path(arguments[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
