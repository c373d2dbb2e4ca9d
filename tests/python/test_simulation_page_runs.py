"""docs/simulation.md and docs/contact.md: the Python of the guides runs as it stands."""

import page_blocks
import pytest
import test_start_page


def test_the_guide_runs(tmp_path, monkeypatch):
    test_start_page.save_model(tmp_path)
    monkeypatch.chdir(tmp_path)
    names = page_blocks.run_page("docs/simulation.md")
    assert names["states"].shape[:2] == (16, 50)


def test_the_page_on_contact_runs(capsys):
    names = page_blocks.run_page("docs/contact.md")
    weight = sum(names["torsor"].contact_force(names["model"], names["data"], i)[0] for i in range(names["data"].ncon))
    assert weight == pytest.approx(19.62, rel=1e-3)
