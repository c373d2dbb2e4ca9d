"""The page of MuJoCo's interface, and the table of its names, are those that the scripts make."""

import doctest
import json
import pathlib
import subprocess
import sys

import numpy
import pytest

import torsor
import torsor.mujoco as mujoco

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import make_mujoco_page  # noqa: E402
import mujoco_notes  # noqa: E402

STORED = json.loads((ROOT / "scripts" / "mujoco_interface.json").read_text(encoding="utf-8"))


def rows():
    return {row[0]: row for _, group in make_mujoco_page.all_rows(STORED) for row in group}


def test_the_page_is_current():
    assert make_mujoco_page.make_text() == make_mujoco_page.PAGE.read_text(encoding="utf-8"), "run scripts/make_mujoco_page.py"


def test_the_table_of_names_is_current():
    subprocess.run([sys.executable, ROOT / "scripts" / "make_mujoco_names.py", "--check"], check=True)


def test_notes_are_about_names_that_mujoco_has():
    assert not set(mujoco_notes.NOTES) - set(rows())


def test_the_page_says_what_is_true():
    found = rows()
    assert found["mj_step"][1] == found["mju_rotVecQuat"][1] == found["MjData.qpos"][1] == "works"
    assert found["mjr_addAux"][1] == "not there" and "mjr_render" in found["mjr_addAux"][2]
    assert found["mjr_render"][1] == found["mjv_updateScene"][1] == "works"
    assert found["MjModel.flex_vertadr"][1] == "empty" and found["mj_flex"][1] == "differs"
    assert found["mjtObj"][1] == found["mjMINVAL"][1] == found["rollout.rollout"][1] == "works"
    assert sum(row[1] == "works" for row in found.values()) > 900


def test_every_name_can_be_imported():
    for name in [*STORED["functions"], *STORED["classes"], *STORED["enums"], *STORED["constants"]]:
        assert getattr(mujoco, name) is not None


def documented():
    """{name: object} of what torsor.mujoco has in Python, and its classes."""
    found = {name: value for name, value in vars(mujoco).items()
             if not name.startswith("_") and callable(value) and ">>>" in (value.__doc__ or "")}
    for module in (mujoco.rollout, mujoco.minimize):
        found |= {f"{module.__name__}.{name}": value for name, value in vars(module).items()
                  if getattr(value, "__module__", "") == module.__name__ and ">>>" in (getattr(value, "__doc__", "") or "")}
    return found


@pytest.mark.parametrize("name", sorted(set(documented()) - {"install", "MjOption", "MjStatistic", "MjVisual"}))  # of torsor, with tests there
def test_examples_run(name, tmp_path):
    names = {"torsor": torsor, "numpy": numpy, "folder": tmp_path}
    examples = doctest.DocTestParser().get_doctest(documented()[name].__doc__, names, name, None, None)
    complaints = []
    assert doctest.DocTestRunner().run(examples, out=complaints.append).failed == 0, "".join(complaints)


def test_every_function_written_in_python_has_an_example():
    assert not [name for name, value in {**mujoco._extras.FUNCTIONS, "install": mujoco.install}.items()
                if ">>>" not in (value.__doc__ or "")]
