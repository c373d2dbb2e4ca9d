"""The scripts in examples/ run and find what they say; every topic has a C++ program too, which ctest runs."""

import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
TOPICS = ["basic_loop", "controller", "computed_torque", "identification", "custom_collision", "custom_sensor", "threads",
          "rollout", "derivatives", "sap_gripper", "sap_ropes", "motion", "glider"]


ON_A_CARD = {"train_ppo": ["--iterations", "2", "--worlds", "256"]}  # with less work than they do for users


def scripts():
    return [pytest.param(path, marks=pytest.mark.gpu if path.stem in ON_A_CARD else (), id=path.stem)
            for path in sorted(EXAMPLES.glob("*.py"))]


@pytest.mark.parametrize("script", scripts())
def test_the_script_runs(script, tmp_path):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    result = subprocess.run([sys.executable, script, *ON_A_CARD.get(script.stem, [])], cwd=tmp_path, env=environment, capture_output=True, text=True,
                            timeout=300)
    assert result.returncode == 0, result.stderr
    assert result.stdout and not result.stderr


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_has_a_script_a_program_and_a_line_in_the_list(topic):
    assert (EXAMPLES / f"{topic}.py").exists() and (EXAMPLES / f"{topic}.cpp").exists()
    assert f"`{topic}`" in (EXAMPLES / "README.md").read_text()
