"""The program starts Python for commands that need it, and python -m torsor becomes the program for all others."""

import os
import pathlib
import subprocess
import sys

import torsor
from cli_support import PROGRAM


def run(command, **changes):
    environment = {name: value for name, value in os.environ.items() if name != "TORSOR_STARTED_BY"}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env={**environment, **changes})


def folder_with_python(folder, interpreter):
    """A folder for the PATH that has nothing but python3."""
    (folder / "python3").write_text(f'#!/bin/sh\nexec {interpreter} "$@"\n')
    (folder / "python3").chmod(0o755)
    return str(folder)


def test_python_as_a_module_is_the_program():
    assert run([sys.executable, "-m", "torsor", "--version"]).stdout == f"torsor {torsor.__version__}\n"
    refused = run([sys.executable, "-m", "torsor", "nosuch"])
    assert refused.returncode == 2 and "unknown command 'nosuch'" in refused.stderr


def test_python_as_a_module_runs_its_commands_with_the_same_interpreter(tmp_path):
    result = run([sys.executable, "-m", "torsor", "python"], PATH=str(tmp_path))
    assert result.returncode == 0 and f"({sys.executable})" in result.stdout, result.stderr


def test_what_the_interpreter_starts_does_not_hear_of_it(tmp_path):
    interpreter = tmp_path / "interpreter"
    interpreter.write_text("#!/bin/sh\necho started ${TORSOR_PYTHON-without}\n")
    interpreter.chmod(0o755)
    assert run([PROGRAM, "python"], TORSOR_PYTHON=str(interpreter)).stdout == "started without\n"


def test_without_a_known_interpreter_python_as_a_module_is_the_program():
    for unknown in (None, ""):
        program = f"import sys; sys.executable = {unknown!r}\nfrom torsor.__main__ import main; main(['--version'])"
        result = run([sys.executable, "-c", program])
        assert result.stdout == f"torsor {torsor.__version__}\n", result.stderr


def test_the_program_starts_python_with_the_package(tmp_path):
    result = run([PROGRAM, "python"], PATH=folder_with_python(tmp_path, sys.executable))
    assert result.returncode == 0, result.stderr
    assert f"torsor {torsor.__version__} ({pathlib.Path(torsor.__file__).parent})" in result.stdout


def test_without_python_it_says_what_to_install(tmp_path):
    result = run([PROGRAM, "python"], PATH=str(tmp_path))
    assert result.returncode == 1
    assert "'torsor python' needs Python" in result.stderr and "pip install torsor" in result.stderr


def test_without_the_package_it_says_what_to_install(tmp_path):
    result = run([PROGRAM, "python"], PATH=folder_with_python(tmp_path, f"{sys.executable} -S -E"))
    assert result.returncode == 1
    assert "'torsor python' needs the package torsor" in result.stderr and "pip install torsor" in result.stderr


def test_without_numpy_it_says_so(tmp_path):
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "torsor").symlink_to(pathlib.Path(torsor.__file__).parent)
    result = run([PROGRAM, "python"], PATH=folder_with_python(tmp_path, f"{sys.executable} -S"),
                 PYTHONPATH=str(tmp_path / "packages"))
    assert result.returncode == 1 and "needs the package numpy" in result.stderr and "pip install numpy" in result.stderr


def test_pickles_without_the_package_are_named_as_such(tmp_path):
    """The command that the program hands on has a name of its own, which is nothing to show."""
    for path in (folder_with_python(tmp_path, f"{sys.executable} -S -E"), str(tmp_path / "empty")):
        result = run([PROGRAM, "motion", "info", str(tmp_path / "walk.pkl")], PATH=path)
        assert result.returncode == 1 and "'torsor motion of pickles' needs" in result.stderr


def test_a_command_that_the_package_does_not_have_is_not_sent_back():
    result = run([sys.executable, "-m", "torsor", "nosuch"], TORSOR_STARTED_BY="torsor")
    assert result.returncode == 1 and "has no command 'nosuch'" in result.stderr
