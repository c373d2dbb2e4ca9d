"""A model turned as a whole into a world with other axes moves as it did."""

import numpy as np
import pytest

import torsor
from torsor import conventions

MODEL = """
<mujoco>
  <option gravity="0.5 0 -9.81" wind="1 2 3" density="1.2"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <frame pos="1 0 0" euler="10 20 30">
      <geom size="0.1" pos="0 0 2"/>
      <body pos="0 1 0"><joint axis="1 1 0"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.2 0"/></body>
    </frame>
    <body pos="0 0 1" euler="40 50 60"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3" pos="0.05 0 0.1"/>
      <body pos="0.3 0 0"><joint type="ball"/><geom size="0.1" pos="0 0 0.2"/></body></body>
    <body mocap="true" pos="1 2 3"/>
  </worldbody>
  <keyframe><key qpos="0.3 1 2 3 0.5 0.5 0.5 0.5 1 0 0 0" qvel="1 2 3 4 5 6 7 8 9 10" mpos="1 2 3" mquat="0 1 0 0"/></keyframe>
</mujoco>
"""


@pytest.mark.parametrize("axes", ["y-up", "x-up", "ned", "gltf", "z x y"])
def test_a_turned_model_moves_as_it_did(axes):
    ours, turned = torsor.Model.from_xml_string(MODEL), torsor.Model.from_xml_string(MODEL, axes=axes)
    convert = lambda points: conventions.convert_position(points, "mujoco", f"mujoco[world={axes}]")
    np.testing.assert_allclose(turned.opt.gravity, convert(ours.opt.gravity), atol=1e-12)
    ends = []
    for model in (ours, turned):
        data = torsor.Data(model)
        torsor.reset_data_keyframe(model, data, 0)
        for _ in range(100):
            torsor.step(model, data)
        torsor.forward(model, data)
        ends.append(data)
    np.testing.assert_allclose(ends[1].xipos, convert(ends[0].xipos), atol=1e-9)
    np.testing.assert_allclose(ends[1].geom_xpos, convert(ends[0].geom_xpos), atol=1e-9)
    np.testing.assert_allclose(ends[1].qvel[1:4], convert(ends[0].qvel[1:4]), atol=1e-8)
    np.testing.assert_allclose(ends[1].mocap_pos, convert(ends[0].mocap_pos), atol=1e-12)


def test_left_handed_worlds_and_unknown_axes_are_refused():
    with pytest.raises(torsor.Error, match="right-handed"):
        torsor.Model.from_xml_string(MODEL, axes="unity")
    with pytest.raises(torsor.Error, match="axes"):
        torsor.Model.from_xml_string(MODEL, axes="upwards")
