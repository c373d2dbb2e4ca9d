"""The stored list of Newton's interface is that of the wheel."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]


def test_the_stored_list_is_that_of_the_wheel(tmp_path):
    script, stored = ROOT / "scripts" / "list_newton_interface.py", ROOT / "scripts" / "newton_interface.json"
    subprocess.run([sys.executable, script, tmp_path / "made.json"], check=True)
    assert json.loads((tmp_path / "made.json").read_text()) == json.loads(stored.read_text()), "run scripts/newton --write"
