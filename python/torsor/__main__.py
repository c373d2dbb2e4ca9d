"""python -m torsor: runs the program torsor. Its commands are written in C++, except for those in COMMANDS.

    python -m torsor demo

The program starts this module for the commands that need Python.
"""

import importlib
import os
import pathlib
import platform
import sys
from importlib import metadata

import torsor


def python_command(arguments):
    """Prints the interpreter and the package that commands written in Python run with."""
    print(f"Python {platform.python_version()} ({sys.executable})")
    print(f"torsor {torsor.__version__} ({pathlib.Path(torsor.__file__).parent})")
    return 0


# The commands that are written in Python: a function of the arguments, or "module:function" to import it when needed.
COMMANDS = {"python": python_command, "motion_of_pickles": "torsor._motion_command:run",
            "convert_in_python": "torsor._convert_command:run",
            "rollout_on_cluster": "torsor._cluster_command:run", "sweep": "torsor._sweep_command:run"}


def find_program():
    """The C++ program that was built or installed together with this package, or None."""
    beside_build = pathlib.Path(__file__).resolve().parents[2] / "cli" / "torsor"
    if beside_build.is_file():
        return beside_build
    try:
        files = metadata.files("torsor") or []
    except metadata.PackageNotFoundError:
        return None
    scripts = (file.locate() for file in files if file.name == "torsor" and file.parent.name == "bin")
    return next((pathlib.Path(script).resolve() for script in scripts), None)


def main(arguments):
    """Runs a command of this module, or replaces this process by the program."""
    name = arguments[0] if arguments else ""
    if name in COMMANDS:
        command = COMMANDS[name]
        if isinstance(command, str):
            module, function = command.split(":")
            command = getattr(importlib.import_module(module), function)
        return command(arguments[1:])
    if "TORSOR_STARTED_BY" in os.environ:  # by the program, for a command that this package does not have
        return f"error: torsor {torsor.__version__} for Python has no command '{name}'\nhint: pip install --upgrade torsor"
    program = find_program()
    if program is None:
        return "error: the program torsor is not installed with this package\nhint: pip install torsor"
    interpreter = {"TORSOR_PYTHON": sys.executable} if sys.executable else {}
    os.execve(program, ["torsor", *arguments], {**os.environ, **interpreter})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
