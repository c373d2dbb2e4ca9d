"""The pages of Newton's interface and examples are those that scripts/make_newton_pages.py makes."""

import json
import pathlib
import subprocess
import sys

import torsor.newton as newton

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import make_newton_pages  # noqa: E402
import newton_notes  # noqa: E402

STORED = json.loads((ROOT / "scripts" / "newton_interface.json").read_text(encoding="utf-8"))


def rows():
    return {row[0]: row for _, group in make_newton_pages.all_rows(STORED["modules"]) for row in group}


def test_the_pages_are_current(tmp_path):
    script = ROOT / "scripts" / "make_newton_pages.py"
    subprocess.run([sys.executable, script, "--output", tmp_path], check=True)
    for name in ("newton_api.md", "newton_examples.md"):
        assert (tmp_path / name).read_text() == (ROOT / "docs" / name).read_text(), f"run {script.relative_to(ROOT)}"


def test_notes_are_about_names_that_newton_has():
    found = rows()
    assert not set(newton_notes.NOTES) - set(found)
    for path, names in newton_notes.NO_EFFECT.items():
        if path != "*":
            listed = set(", ".join(found[path][2:5]).replace("`", "").split(", "))
            assert names <= listed, (path, names - listed)


def test_the_page_says_what_is_true():
    found = rows()
    assert found["newton.ModelBuilder.add_link"][1] != "not there" and "is_kinematic" in found["newton.ModelBuilder.add_link"][2]
    assert found["newton.solvers.SolverVBD"][1] == found["newton.ModelBuilder.add_rod"][1] == "not there"
    assert found["newton.Model.joint_target_ke"][1] == "works" and found["newton.Model.particle_q"][1] == "not there"
    assert "`contact_matching`" in found["newton.CollisionPipeline"][3]
    assert found["newton.JointType.CABLE"][1] == "not there" and found["newton.JointType.BALL"][1] == "works"
    assert not hasattr(newton.ModelBuilder, "add_rod")
