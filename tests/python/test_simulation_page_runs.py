"""docs/simulation.md, batch.md, contact.md, sap.md, flight.md and urdf.md: the Python of the guides runs as it stands."""

import page_blocks
import pytest
import test_start_page
import torsor


def test_the_guide_runs(tmp_path, monkeypatch):
    test_start_page.save_model(tmp_path)
    monkeypatch.chdir(tmp_path)
    names = page_blocks.run_page("docs/simulation.md")
    assert names["states"].shape[:2] == (16, 50)


def test_the_page_on_many_worlds_runs(tmp_path, monkeypatch):
    test_start_page.save_model(tmp_path)
    monkeypatch.chdir(tmp_path)
    names = page_blocks.run_page("docs/batch.md")
    assert names["found"]["qpos"].shape[:2] == (64, 50) and names["batch"].steps[0] == 150


def test_the_page_on_contact_runs(capsys):
    names = page_blocks.run_page("docs/contact.md")
    weight = sum(names["torsor"].contact_force(names["model"], names["data"], i)[0] for i in range(names["data"].ncon))
    assert weight == pytest.approx(19.62, rel=1e-3)


def test_the_page_on_sap_runs():
    (scene,) = page_blocks.blocks_of("docs/sap.md", "xml")
    names = page_blocks.run_page("docs/sap.md", {"model": torsor.Model.from_xml_string(scene.code)})
    assert names["solver"].joint_q_start == [0, 0, 2, 9]
    assert names["state"].joint_qd[0] > 0  # the drive pulls the slide towards its target
    assert names["worlds"].joint_q.shape == (64, 9)
    first = {}
    exec(page_blocks.blocks_of("docs/sap.md", "python")[0].code, first)
    assert first["state"].body_q[0][2] == pytest.approx(0.1, abs=1e-3)  # the box lies on the ground


def test_the_page_about_flight_runs():
    names = page_blocks.run_page("docs/flight.md")
    assert names["report"].converged
    first = page_blocks.blocks_of("docs/flight.md", "python")[0].code
    assert len([line for line in first.splitlines() if line and "import" not in line]) <= 10


def test_the_page_about_urdf_runs():
    assert page_blocks.run_page("docs/urdf.md")["model"].nq == 1
