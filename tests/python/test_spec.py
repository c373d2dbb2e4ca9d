"""Specs from Python: reading, writing, taking edits back, and the page about it."""

import pathlib
import re

import numpy as np
import pytest

import torsor

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "writing.md"
ROBOT = """<mujoco model="robot">
  <worldbody>
    <body name="arm"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0 0 -1"/></body>
  </worldbody>
  <actuator><position joint="hinge" kp="30" kv="2"/></actuator>
</mujoco>
"""


def test_the_python_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.xml").write_text(ROBOT)
    (tmp_path / "copy").mkdir()
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S):
        exec(block, names)
    tuned, plain = (torsor.Model.from_xml_path(name) for name in ("tuned.xml", "robot.xml"))
    np.testing.assert_allclose(tuned.body_mass[1], 1.2 * plain.body_mass[1], rtol=1e-15)
    assert tuned.actuator_gainprm[0, 0] == 50 and tuned.actuator_biasprm[0, 1] == -30
    assert torsor.Model.from_xml_path("copy/robot.xml").to_bytes() == plain.to_bytes()


def test_a_spec_remembers_its_assets():
    obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    xml = ("<mujoco><asset><mesh name='m' file='part.obj'/></asset><worldbody><body><joint/>"
           "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>")
    spec = torsor.Spec.from_xml_string(xml, assets={"part.obj": obj})
    model = spec.compile()
    model.geom_pos[0] += 0.5
    spec.update(model)
    again = torsor.Model.from_xml_string(spec.to_xml(), assets={"part.obj": obj})
    np.testing.assert_allclose(again.geom_pos, model.geom_pos, atol=1e-15)
    np.testing.assert_array_equal(again.mesh_vert, model.mesh_vert)


def test_saving_where_nothing_can_be_written_is_an_error(tmp_path):
    with pytest.raises(torsor.Error, match="cannot write"):
        torsor.Spec.from_xml_string(ROBOT).save(tmp_path / "nowhere" / "robot.xml")


def test_a_refused_update_changes_nothing():
    spec = torsor.Spec.from_xml_string(ROBOT)
    before, model = spec.to_xml(), spec.compile()
    model.actuator_biasprm[0, 2] = 3  # would be read as a damping ratio
    with pytest.raises(torsor.Error, match="actuator_biasprm"):
        spec.update(model)
    assert spec.to_xml() == before
