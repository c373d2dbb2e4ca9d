"""The Python of docs/start.md runs as it stands and prints what the page says."""

import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "start.md"


def blocks_of(language):
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def run_page(folder, monkeypatch):
    """Runs every Python block in one namespace, in a folder that holds the page's model."""
    (model,) = blocks_of("xml")
    (folder / "arm.xml").write_text(model, encoding="utf-8")
    monkeypatch.chdir(folder)
    namespace = {}
    for block in blocks_of("python"):
        exec(compile(block, str(PAGE), "exec"), namespace)  # the page is ours: this is what its reader would type
    return namespace


def test_the_first_walk_prints_what_the_page_says(tmp_path, monkeypatch, capsys):
    run_page(tmp_path, monkeypatch)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "3 2 2"
    angles = [float(number) for number in re.findall(r"-?\d+\.\d+", printed[3])]
    assert angles == pytest.approx([2.40195, 0.20505], abs=5e-6)
    energy = [float(number) for number in re.findall(r"-?\d+\.\d+", printed[4])]
    assert len(energy) == 2 and energy[1] > 0


def test_the_forces_of_the_page_reach_the_data(tmp_path, monkeypatch, capsys):
    data = run_page(tmp_path, monkeypatch)["data"]
    assert data.qfrc_applied[0] == 0.3
    assert list(data.xfrc_applied[2]) == [0, 0, 5, 0, 0, 0]
